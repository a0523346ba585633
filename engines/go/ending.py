"""The end of a game: neutral points to be filled, and own points where one must connect. Nothing here searches."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from statistics import NormalDist

from engines.go.game import Game
from engines.go.life import areas, liberties
from engines.go.points import BLACK, EMPTY, WHITE, border, chains, neighbors, opponent
from engines.go.scoring import Score, score
from engines.go.territory import find_territory

MOST_TRIED = 12
"""Points for which the count after filling them is made, at most."""


def finishing_move(game: Game, color: int, dead: Collection[int]) -> int | None:
    """A point that ``color`` may as well fill before it passes, None if there is none.

    First come own points that save a chain from atari (手入れ), then neutral points (单官/單官), then further points of
    its own that must be filled in the end. None costs a point in the count. Points in seki and beside it are left
    alone. ``dead`` are the dead stones of the position.
    """
    width, height, stones = game.width, game.height, game.board.stones()
    living = bytes(EMPTY if point in dead else stone for point, stone in enumerate(stones))
    area = areas(width, height, living)
    before = game.score(dead)
    seki = find_territory(width, height, stones, dead).seki
    left_alone = seki | border(width, height, seki)
    saving = {
        game.board.liberties(chain[0])[0]
        for chain in chains(width, height, stones, color)
        if chain[0] not in dead and game.board.liberty_count(chain[0]) == 1
    }
    order = {color: 2, EMPTY: 1}
    fillable = [
        point
        for point in range(game.points)
        if stones[point] == EMPTY
        and (before.owner[point] == EMPTY or point in saving)
        and area[point] in order
        and point not in left_alone
        and game.is_legal(color, point)
    ]
    fillable.sort(key=lambda point: (0 if point in saving and area[point] == color else order[area[point]], point))
    for point in fillable[:MOST_TRIED]:
        if _changes_nothing(game, color, point, dead, before):
            return point
    return None


def _changes_nothing(game: Game, color: int, point: int, dead: Collection[int], before: Score) -> bool:
    """Whether a stone there is safe, takes nothing, and leaves the mover no worse off in the count."""
    width, height, board = game.width, game.height, game.board
    near = neighbors(width, height)[point]
    if any(board.at(p) == opponent(color) and board.liberty_count(p) == 1 for p in near):
        return False
    stones = bytearray(board.stones())
    stones[point] = color
    joined = next(chain for chain in chains(width, height, stones, color) if point in chain)
    if len(liberties(width, height, stones, joined)) < 2:
        return False
    after = score(
        width,
        height,
        stones,
        game.rules,
        komi=game.komi,
        dead=dead,
        black_captured=board.prisoners_of(WHITE),
        white_captured=board.prisoners_of(BLACK),
        handicap_stones=game.handicap,
        button=game.button_holder,
    )
    gain = after.margin - before.margin
    return (gain if color == BLACK else -gain) >= 0


@dataclass(frozen=True)
class Decided:
    """What a search found of a decided game: mean result (0…1), mean margin and its standard deviation in points."""

    winrate: float
    margin: float
    spread: float

    def at(self, margin: float) -> float:
        """The winning chance of a move with that mean margin, as if margins were normally distributed."""
        known = NormalDist().inv_cdf(min(0.999, max(0.001, self.winrate)))
        return NormalDist().cdf(known + (margin - self.margin) / max(self.spread, 1.0))
