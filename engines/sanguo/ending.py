"""How a game of sanguo ends, and what each player scores."""

from __future__ import annotations

from dataclasses import dataclass

from engines.banqi.referee import REASONS, Result
from engines.sanguo.board import RETIRE, Board

SCORINGS = ("win", "points", "wiki200")
STARTED = (12, 10, 10)
"""Pieces of each side; ``points`` subtracts them from what was taken."""

POINTS = {1: 2, 5: 2}
"""What a taken piece is worth by kind in ``points``, 1 where it isn't named."""

WIKI = {1: 50, 5: 50, 4: 35, 6: 35, 7: 20, 2: 15, 3: 15}
"""The same in ``wiki200``."""

WIKI_GOAL = 200


@dataclass(frozen=True)
class Limits:
    """When a game ends without a winner on the board, and by what it is scored.

    ``still``: so many turns, of all players together, without a turn-up or capture draw; 0 never. ``repetition``: the
    third occurrence of the position with the same player to act draws. ``scoring``: "win" gives the winner 1, a draw
    shared among those who are not out; "points" what was taken less what one started with; "wiki200" the value of what
    was taken, and who first has 200 wins.
    """

    still: int = 60
    repetition: bool = True
    scoring: str = "win"

    def __post_init__(self) -> None:
        if not 0 <= self.still <= 10000:
            raise ValueError(f"still is 0 (no limit) to 10000 turns, not {self.still}")
        if self.scoring not in SCORINGS:
            raise ValueError(f"scoring is one of {', '.join(SCORINGS)}, not {self.scoring!r}")


def taken(board: Board, worth: dict[int, int]) -> list[int]:
    """What each player has taken since the set-up, each piece for its worth by kind (1 where it has none)."""
    past = board.copy()
    sums = [0, 0, 0]
    for move, _, _ in reversed(board.history):
        past.undo()
        if move < RETIRE and past.takes_piece(move):
            sums[past.turn] += worth.get(past.piece_at(move & 127) & 7, 1)
    return sums


def judge(board: Board, limits: Limits, retired: str | None = None) -> Result | None:
    """How the position ends the game; ``retired`` is by what the last player who left it did. None while it goes on."""
    if limits.scoring == "wiki200":
        for player, points in enumerate(taken(board, WIKI)):
            if points >= WIKI_GOAL:
                return finished(board, limits, player, "points")
    out = board.out
    if len(out) >= 2:
        winner = next(player for player in range(3) if player not in out[:2])
        last = board.history[-1][0] if board.plies else 0
        return finished(board, limits, winner, retired if last >= RETIRE and retired else "annihilation")
    if board.blocked:
        return finished(board, limits, None, "no-move")
    if limits.still and board.quiet >= limits.still:
        return finished(board, limits, None, "no-progress")
    if limits.repetition and board.quiet >= 4 and board.occurrences() >= 3:
        return finished(board, limits, None, "repetition")
    return None


def finished(board: Board, limits: Limits, winner: int | None, reason: str) -> Result:
    """The result with everybody's score."""
    if limits.scoring == "points":
        sums = taken(board, POINTS)
        started = [0 if side < 0 else STARTED[side] for side in board.kingdoms]
        scores = tuple(float(sums[player] - started[player]) for player in range(3))
    elif limits.scoring == "wiki200":
        scores = tuple(float(points) for points in taken(board, WIKI))
    elif winner is None:
        left = [player for player in range(3) if player not in board.out]
        scores = tuple(1.0 / len(left) if player in left else 0.0 for player in range(3))
    else:
        scores = tuple(float(player == winner) for player in range(3))
    return Result(winner, reason, REASONS[reason], scores)
