"""The net's raw word on a position, before any search."""

from __future__ import annotations

from dataclasses import dataclass

from engines.go.game import Game
from engines.go.net.evaluator import Evaluator
from engines.go.net.planes import Planes, globals_of
from engines.go.points import BLACK, EMPTY, PASS, WHITE


@dataclass(frozen=True)
class Glance:
    """``policy``: each legal point's share, those and ``passing`` 1 in all. ``winrate`` (0…1) and ``lead`` (points) are
    of the side to move; ``ownership`` is from its view too, by point (−1…1).
    """

    policy: dict[int, float]
    passing: float
    winrate: float
    lead: float
    ownership: tuple[float, ...]


def glance(evaluator: Evaluator, game: Game, color: int, symmetry: int) -> Glance:
    """Ask the net about a game with ``color`` to move, in one of the eight symmetries. Raises PlayerError."""
    import math

    width, height = game.width, game.height
    planes = evaluator.buffer(game.points)
    Planes(width, height).of(game.board, color, planes)
    territory = game.rules.scoring == "territory"
    lead = game.komi + game.rules.handicap_points(game.handicap)
    if territory:
        lead += game.board.prisoners_of(WHITE) - game.board.prisoners_of(BLACK)
    turns = game.board.turns
    passed = [turns > back and game.board.turn(turns - 1 - back)[1] == PASS for back in (0, 1)]
    numbers = globals_of(
        -lead if color == BLACK else lead, game.points, territory, passed[0], passed[1], game.rules.suicide
    )
    logits, winrate, score, owned = evaluator.evaluate(planes, numbers, width, height, symmetry)

    def at(point: int) -> int:
        return (height - 1 - point // width) * width + point % width

    stones = game.board.stones()
    legal = [point for point in range(game.points) if stones[point] == EMPTY and game.is_legal(color, point)]
    highest = max(float(logits[game.points]), *(float(logits[at(point)]) for point in legal)) if legal else 0.0
    weights = {point: math.exp(float(logits[at(point)]) - highest) for point in legal}
    passing = math.exp(float(logits[game.points]) - highest) if legal else 1.0
    total = sum(weights.values()) + passing
    return Glance(
        {point: weight / total for point, weight in weights.items()},
        passing / total,
        winrate,
        score,
        tuple(float(owned[at(point)]) for point in range(game.points)),
    )
