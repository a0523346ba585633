"""Words for where pieces stand: 屏风马 窝心马 … 空头炮 … 底兵 … 羊角士 光帅.

Each function gives the groups of squares that a word is said of, for one side; ranks count from that side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import NamedTuple

from engines.xiangqi.words.scene import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    GENERAL,
    HORSE,
    MIDDLE,
    SOLDIER,
    Scene,
    rank_of,
    square_at,
)

Groups = Iterator[tuple[int, ...]]


class Post(NamedTuple):
    """A word, the side whose pieces it is said of, and their squares."""

    term: str
    color: int
    squares: tuple[int, ...]


WINGS = frozenset((2, 6))
"""Files 3 and 7 (c and g)."""

RIBS = frozenset((3, 5))
"""Files 4 and 6 (d and f)."""

EDGES = frozenset((0, 8))
CENTRE = frozenset((MIDDLE,))
ANY_FILE = frozenset(range(9))


def on(scene: Scene, color: int, kind: int, files: frozenset[int], ranks: range) -> Groups:
    """Each piece of a kind on these files and ranks."""
    for square in scene.squares(color, kind):
        if square % 9 in files and rank_of(square, color) in ranks:
            yield (square,)


def screen_horses(scene: Scene, color: int) -> Groups:
    """屏风马: horses on files 3 and 7, rank 3, both."""
    pair = tuple(sorted(square_at(file, 3, color) for file in WINGS))
    if all(square in scene.squares(color, HORSE) for square in pair):
        yield pair


def sandwiched_horses(scene: Scene, color: int) -> Groups:
    """反宫马: the same with an own cannon on file 4 or 6 of that rank between them."""
    for pair in screen_horses(scene, color):
        between = [square_at(file, 3, color) for file in sorted(RIBS)]
        cannons = [square for square in between if square in scene.squares(color, CANNON)]
        if cannons:
            yield tuple(sorted((*pair, *cannons)))


def linked_horses(scene: Scene, color: int) -> Groups:
    """连环马: two horses that each attack the other's point."""
    for one, other in combinations(scene.squares(color, HORSE), 2):
        if scene.attacks(one, other) and scene.attacks(other, one):
            yield one, other


def open_cannon(scene: Scene, color: int) -> Groups:
    """空头炮: a cannon and the enemy general on one file, nothing between."""
    general = scene.general(1 - color)
    for square in scene.squares(color, CANNON):
        if general is not None and square % 9 == general % 9 and not scene.screens(square, general):
            yield (square,)


def pole_cannons(scene: Scene, color: int) -> Groups:
    """担杆炮: two cannons in one line with exactly one piece between."""
    for one, other in combinations(scene.squares(color, CANNON), 2):
        if len(scene.screens(one, other)) == 1:
            yield one, other


def brothers(scene: Scene, color: int) -> Groups:
    """兄弟兵: two soldiers side by side on a rank."""
    for one, other in combinations(scene.squares(color, SOLDIER), 2):
        if one // 9 == other // 9 and other - one == 1:
            yield one, other


def facing_soldiers(scene: Scene, color: int) -> Groups:
    """对头兵: uncrossed soldiers of both sides on one file, nothing between. Said once, for Red."""
    if color != 0:
        return
    for one in scene.squares(0, SOLDIER):
        for other in scene.squares(1, SOLDIER):
            crossed = rank_of(one, 0) > 5 or rank_of(other, 1) > 5
            if not crossed and one % 9 == other % 9 and not scene.screens(one, other):
                yield one, other


def two_headed_snake(scene: Scene, color: int) -> Groups:
    """两头蛇: the soldiers of files 3 and 7 both on rank 5."""
    pair = tuple(sorted(square_at(file, 5, color) for file in WINGS))
    if all(square in scene.squares(color, SOLDIER) for square in pair):
        yield pair


def ram_advisors(scene: Scene, color: int) -> Groups:
    """羊角士: one advisor in the palace centre, the other on an upper corner."""
    advisors = scene.squares(color, ADVISOR)
    upper = [square_at(file, 3, color) for file in RIBS]
    if square_at(MIDDLE, 2, color) in advisors and any(square in advisors for square in upper):
        yield tuple(advisors)


def bare_general(scene: Scene, color: int) -> Groups:
    """光帅: a general with neither advisors nor elephants."""
    general = scene.general(color)
    if general is not None and not scene.squares(color, ADVISOR) and not scene.squares(color, ELEPHANT):
        yield (general,)


def _on(kind: int, files: frozenset[int], *ranks: int) -> Callable[[Scene, int], Groups]:
    """The function for pieces of a kind on these files, and on ranks from the first to the last."""
    return partial(on, kind=kind, files=files, ranks=range(ranks[0], ranks[-1] + 1))


POSTS: dict[str, Callable[[Scene, int], Groups]] = {
    "反宫马": sandwiched_horses,
    "屏风马": screen_horses,
    "连环马": linked_horses,
    "卧槽马": _on(HORSE, WINGS, 9),
    "钓鱼马": _on(HORSE, WINGS, 8),
    "高钓马": _on(HORSE, WINGS, 7),
    "挂角马": _on(HORSE, RIBS, 8),
    "盘河马": _on(HORSE, WINGS, 5),
    "窝心马": _on(HORSE, CENTRE, 2),
    "边马": _on(HORSE, EDGES, 1, 10),
    "空头炮": open_cannon,
    "担杆炮": pole_cannons,
    "沉底炮": _on(CANNON, ANY_FILE, 10),
    "巡河炮": _on(CANNON, ANY_FILE, 5),
    "边炮": _on(CANNON, EDGES, 1, 10),
    "花心车": _on(CHARIOT, CENTRE, 9),
    "沉底车": _on(CHARIOT, ANY_FILE, 10),
    "骑河车": _on(CHARIOT, ANY_FILE, 6),
    "巡河车": _on(CHARIOT, ANY_FILE, 5),
    "肋车": _on(CHARIOT, RIBS, 1, 10),
    "边车": _on(CHARIOT, EDGES, 1, 10),
    "花心兵": _on(SOLDIER, CENTRE, 9),
    "两头蛇": two_headed_snake,
    "兄弟兵": brothers,
    "底兵": _on(SOLDIER, ANY_FILE, 10),
    "低兵": _on(SOLDIER, ANY_FILE, 8, 9),
    "过河兵": _on(SOLDIER, ANY_FILE, 6, 10),
    "高兵": _on(SOLDIER, ANY_FILE, 1, 7),
    "对头兵": facing_soldiers,
    "羊角士": ram_advisors,
    "山顶帅": _on(GENERAL, ANY_FILE, 3),
    "光帅": bare_general,
}
"""Each word's function, the most telling first."""


def posts_of(scene: Scene) -> list[Post]:
    """All posts and formations of a position, the most telling first, Red's before Black's."""
    return [
        Post(term, color, group) for term, find in POSTS.items() for color in (0, 1) for group in find(scene, color)
    ]
