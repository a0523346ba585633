"""Small questions about a game and the tree over it: the margin to beat, how settled the choice and the board are."""

from __future__ import annotations

from engines.go.game import Game
from engines.go.points import BLACK, EMPTY, WHITE
from engines.go.tree import Tree, Worker

HANDICAP_STONE = 8.0
"""Points that a handicap stone is taken to be worth at the beginning …"""

HANDICAP_FADES = 0.42
"""… and the part of the board's points after as many moves of which it is not counted any more."""


def margin_to_beat(game: Game) -> tuple[float, bool, bool]:
    """What Black's area in the end must exceed; whether moves cost a point; whether the board counts as it stands.

    Under territory scoring the area is turned into territory by taking off the stones each side has played: see
    docs/go-search.md.
    """
    komi = game.komi + game.rules.handicap_points(game.handicap)
    if game.rules.scoring == "territory":
        stones = game.board.stones()
        placed = stones.count(BLACK) + game.board.prisoners_of(WHITE)
        placed -= stones.count(WHITE) + game.board.prisoners_of(BLACK)
        return komi + placed, True, False
    return komi, False, not game.rules.removes_dead


def handicap_allowance(game: Game) -> float:
    """Dynamic komi: what White gets on top in a handicap game, so that the game looks open and both sides play for
    points rather than to and fro in a game that seems won or lost. It fades as the game goes on.
    """
    if game.handicap < 2:
        return 0.0
    left = 1.0 - game.board.turns / (HANDICAP_FADES * game.points)
    return float(round(max(0.0, left) * HANDICAP_STONE * game.handicap))


def moves_to_go(game: Game) -> float:
    """Moves of one's own that the game may still last: a share of the empty points, never fewer than a few."""
    empty = game.board.stones().count(EMPTY)
    return max(6.0, min(0.3 * empty, 0.2 * empty + 12))


def unclear(tree: Tree) -> bool:
    """Whether the two most visited moves are near each other."""
    top = tree.candidates()[:2]
    return len(top) == 2 and top[1][1] > 0.6 * top[0][1]


def decided(tree: Tree, spent: float, target: float) -> bool:
    """Whether the second move cannot catch up with the first in the time that is left."""
    top = tree.candidates()[:2]
    if not top or spent <= 0:
        return False
    to_come = tree.playouts * (target - spent) / spent
    return len(top) == 1 or top[0][1] - top[1][1] > to_come


def mean_ownership(workers: list[Worker]) -> list[float]:
    """By point, −1…1, positive for Black."""
    total = max(1, sum(worker.count for worker in workers))
    sums = [worker.ownership() for worker in workers]
    return [sum(values) / total for values in zip(*sums, strict=True)]


def ownership_after(workers: list[Worker], point: int, width: int, color: int) -> tuple[float, ...]:
    """Who ends up with each point after a root move, row by row from the top, from ``color``'s view; what all playouts
    say where none has begun with that move.
    """
    sums = [sum(values) for values in zip(*(worker.ownership_after(point) for worker in workers), strict=True)]
    count = sums.pop()
    means = [value / count for value in sums] if count else mean_ownership(workers)
    return from_top_left(means, width, color)


def from_top_left(ownership: list[float], width: int, color: int) -> tuple[float, ...]:
    """The same row by row from the top, from ``color``'s view."""
    sign = 1.0 if color == BLACK else -1.0
    rows = [ownership[start : start + width] for start in range(0, len(ownership), width)]
    return tuple(sign * value for row in reversed(rows) for value in row)


def top_left(point: int, game: Game) -> int:
    """A point's place when points are counted row by row from the top left."""
    y, x = divmod(point, game.width)
    return (game.height - 1 - y) * game.width + x


def certain(game: Game, ownership: tuple[float, ...]) -> bool:
    """Whether every chain's fate is clear enough to stop."""
    stones = game.board.stones()
    return all(abs(ownership[p]) > 0.5 for p in range(game.points) if stones[p] != EMPTY)
