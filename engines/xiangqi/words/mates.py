"""Words for mates. Each function tells whether a word fits a position in which the side to move is mated.

A word is said where its pieces are needed: without any one of them there would be no mate. Ranks count from the mating
side; the mated general's own first point is e10 from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations

from engines.xiangqi.words.posts import RIBS, WINGS
from engines.xiangqi.words.scene import (
    ADVISOR,
    CANNON,
    CHARIOT,
    GENERAL,
    HORSE,
    MIDDLE,
    SOLDIER,
    Scene,
    rank_of,
    square_at,
)

WITHIN = 2
"""Moves of the mating side after a sacrifice in the palace centre within which 大刀剜心 mates."""


class Mate:
    """A position in which the side to move, ``loser``, is mated by ``winner``.

    ``moves`` are those that led there, the last one first, each as a scene before it, its origin and its target.
    """

    def __init__(self, scene: Scene, moves: Sequence[tuple[Scene, int, int]] = ()) -> None:
        self.scene, self.moves = scene, moves
        self.loser, self.winner = scene.turn, 1 - scene.turn
        general = scene.general(self.loser)
        assert general is not None
        self.general = general
        self.checkers = scene.checkers(self.loser)

    def own(self, kind: int) -> list[int]:
        """The mating side's pieces of a kind."""
        return self.scene.squares(self.winner, kind)

    def rank(self, square: int) -> int:
        """A rank counted from the mating side."""
        return rank_of(square, self.winner)

    def at(self, file: int, rank: int) -> int:
        """A square of the mating side's ranks."""
        return square_at(file, rank, self.winner)

    def needed(self, *squares: int) -> bool:
        """Whether there would be no mate without any one of these pieces."""
        return not any(self.scene.without((square,)).is_mate() for square in squares)

    def enough(self, squares: Iterable[int]) -> bool:
        """Whether these pieces of the mating side alone would mate."""
        kept = set(squares)
        others = [at for at in range(90) if self.scene.is_of(at, self.winner) and at not in kept]
        return self.scene.without(others).is_mate()

    def checks_or_guards(self, square: int) -> bool:
        """Whether a piece checks, or could take the general on a point that it could step to."""
        if square in self.checkers:
            return True
        return any(square in self.scene.guarded_by(step) for step in self.scene.general_steps(self.loser))

    def over_screen(self, cannon: int) -> int:
        """The piece over which a checking cannon checks."""
        return self.scene.screens(cannon, self.general)[0]


def _cannon_over(mate: Mate, kind: int) -> bool:
    """A cannon checks over an own piece of a kind, both needed."""
    for cannon in mate.checkers:
        if mate.scene.kind(cannon) == CANNON:
            screen = mate.over_screen(cannon)
            if (
                mate.scene.is_of(screen, mate.winner)
                and mate.scene.kind(screen) == kind
                and mate.needed(cannon, screen)
            ):
                return True
    return False


def cannon_behind_horse(mate: Mate) -> bool:
    """马后炮: a cannon gives the check over its own horse."""
    return _cannon_over(mate, HORSE)


def double_cannon(mate: Mate) -> bool:
    """重炮: a cannon gives the check over its own other cannon."""
    return _cannon_over(mate, CANNON)


def two_chariots(mate: Mate) -> bool:
    """双车错: one chariot checks along a line, the other holds the next parallel line; no third piece is needed."""
    for one, other in permutations(mate.own(CHARIOT), 2):
        if one not in mate.checkers or not mate.needed(one, other) or not mate.enough((one, other)):
            continue
        along_file = one % 9 == mate.general % 9
        apart = other % 9 - one % 9 if along_file else other // 9 - one // 9
        if abs(apart) == 1:
            return True
    return False


def iron_bolt(mate: Mate) -> bool:
    """铁门栓: the general on his first point; a cannon on the middle file, exactly two of his side's pieces between; a
    chariot or soldier checks on the bottom line.
    """
    if mate.general != mate.at(MIDDLE, 10):
        return False
    for cannon in mate.own(CANNON):
        screens = mate.scene.screens(cannon, mate.general)
        if cannon % 9 != MIDDLE or len(screens) != 2 or not all(mate.scene.is_of(at, mate.loser) for at in screens):
            continue
        for checker in mate.checkers:
            if (
                mate.scene.kind(checker) in (CHARIOT, SOLDIER)
                and mate.rank(checker) == 10
                and mate.needed(cannon, checker)
            ):
                return True
    return False


def _pierces_heart(mate: Mate, kind: int) -> bool:
    """A piece of a kind took in the palace centre and was retaken at once; mate followed within two moves."""
    centre = mate.at(MIDDLE, 9)
    for played in range(1, WITHIN + 1):
        at = 2 * played  # moves[0] mates; the sacrifice is two plies before a move of the mating side
        if at >= len(mate.moves):
            return False
        (before, origin, target), (_, _, retaken) = mate.moves[at], mate.moves[at - 1]
        taking = before.is_of(origin, mate.winner) and before.is_of(target, mate.loser)
        if taking and before.kind(origin) == kind and target == centre == retaken:
            return True
    return False


def great_knife(mate: Mate) -> bool:
    """大刀剜心: a chariot takes in the palace centre, is retaken at once, and mate follows within two moves."""
    return _pierces_heart(mate, CHARIOT)


def small_knife(mate: Mate) -> bool:
    """小刀剜心: the same with a soldier."""
    return _pierces_heart(mate, SOLDIER)


def facing_generals(mate: Mate) -> bool:
    """白脸将, 对面笑: some point the general could go to is denied only because the generals would face each other."""
    return any(
        mate.scene.after(mate.general, step).facing() and not mate.scene.guarded_by(step)
        for step in mate.scene.general_steps(mate.loser)
    )


def heaven_and_earth(mate: Mate) -> bool:
    """天地炮: one cannon on the middle file, one on the enemy's bottom line, both needed."""
    return any(
        one % 9 == MIDDLE and mate.rank(other) == 10 and mate.needed(one, other)
        for one, other in permutations(mate.own(CANNON), 2)
    )


def smothered(mate: Mate) -> bool:
    """闷宫: a cannon alone gives the check over an advisor of the mated side; each point beside the general holds his
    own piece or lies on the cannon's line.
    """
    if len(mate.checkers) != 1 or mate.scene.kind(mate.checkers[0]) != CANNON:
        return False
    [cannon] = mate.checkers
    screen = mate.over_screen(cannon)
    if not mate.scene.is_of(screen, mate.loser) or mate.scene.kind(screen) != ADVISOR:
        return False
    same_file = cannon % 9 == mate.general % 9
    return all(
        (step % 9 == cannon % 9) if same_file else (step // 9 == cannon // 9)
        for step in mate.scene.general_steps(mate.loser)
    )


def _horse_on(mate: Mate, files: frozenset[int], rank: int) -> list[int]:
    """The horses on these files and this rank that check or guard and are needed."""
    return [
        horse
        for horse in mate.own(HORSE)
        if horse % 9 in files and mate.rank(horse) == rank and mate.checks_or_guards(horse) and mate.needed(horse)
    ]


def manger_horse(mate: Mate) -> bool:
    """卧槽马: a horse on file 3 or 7, rank 9, checks or guards."""
    return bool(_horse_on(mate, WINGS, 9))


def angling_horse(mate: Mate) -> bool:
    """钓鱼马: the same on rank 8."""
    return bool(_horse_on(mate, WINGS, 8))


def high_angling_horse(mate: Mate) -> bool:
    """高钓马, 侧面虎: the same on rank 7, a chariot or soldier mating."""
    mating = any(mate.scene.kind(checker) in (CHARIOT, SOLDIER) for checker in mate.checkers)
    return mating and bool(_horse_on(mate, WINGS, 7))


def palace_corner_horse(mate: Mate) -> bool:
    """挂角马: a horse on file 4 or 6, rank 8, checks or guards."""
    return bool(_horse_on(mate, RIBS, 8))


def opposite_corner_horse(mate: Mate) -> bool:
    """八角马: horse and general on opposite corners of the palace, another piece checks."""
    corners = [(3, 8, 5, 10), (5, 8, 3, 10), (3, 10, 5, 8), (5, 10, 3, 8)]
    for file, rank, far_file, far_rank in corners:
        horse = mate.at(file, rank)
        if (
            mate.general == mate.at(far_file, far_rank)
            and horse in mate.own(HORSE)
            and any(checker != horse for checker in mate.checkers)
            and mate.needed(horse)
        ):
            return True
    return False


def two_ghosts(mate: Mate) -> bool:
    """二鬼拍门: two soldiers on files 4 and 6, rank 9, both needed."""
    pair = [mate.at(file, 9) for file in sorted(RIBS)]
    return all(square in mate.own(SOLDIER) for square in pair) and mate.needed(*pair)


def two_horses(mate: Mate) -> bool:
    """双马饮泉: two horses alone, with the general at most, check and guard."""
    horses = mate.own(HORSE)
    return (
        len(horses) == 2
        and any(horse in mate.checkers for horse in horses)
        and mate.needed(*horses)
        and mate.enough((*horses, *mate.own(GENERAL)))
    )


MATES: dict[str, Callable[[Mate], bool]] = {
    "大刀剜心": great_knife,
    "小刀剜心": small_knife,
    "马后炮": cannon_behind_horse,
    "重炮": double_cannon,
    "铁门栓": iron_bolt,
    "天地炮": heaven_and_earth,
    "双车错": two_chariots,
    "闷宫": smothered,
    "二鬼拍门": two_ghosts,
    "双马饮泉": two_horses,
    "八角马": opposite_corner_horse,
    "卧槽马": manger_horse,
    "钓鱼马": angling_horse,
    "高钓马": high_angling_horse,
    "挂角马": palace_corner_horse,
    "白脸将": facing_generals,
}
"""Each word's function, the most telling first."""


def mates_of(scene: Scene, moves: Sequence[tuple[Scene, int, int]] = ()) -> list[str]:
    """The words for a mate, the most telling first; none where the side to move is not mated.

    ``moves`` are those that led there, the last one first: the scene before each, its origin and its target.
    """
    if scene.general(scene.turn) is None or not scene.is_mate():
        return []
    mate = Mate(scene, moves)
    return [term for term, fits in MATES.items() if fits(mate)]
