"""How a game of banqi or luoqi ends: all taken, nothing to do, too long without progress, repeated, chased too long."""

from __future__ import annotations

from dataclasses import dataclass

from engines.banqi.board import Board
from engines.banqi.referee import Result, outcome

CYCLES = ("cycle", "position", "none")


@dataclass(frozen=True)
class Limits:
    """When a game without progress ends.

    ``still``: so many plies without a turn-up or capture (luoqi: without a placing or capture) draw; 0 never.
    ``repetition``: "cycle", the last plies are three times the same moves; "position", the third occurrence of the
    position with the same player to act; "none". ``chase``: who attacks the same piece with its moves so many times
    running loses; 0 never.
    """

    still: int = 60
    repetition: str = "cycle"
    chase: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.still <= 10000:
            raise ValueError(f"still is 0 (no limit) to 10000 plies, not {self.still}")
        if self.repetition not in CYCLES:
            raise ValueError(f"repetition is one of {', '.join(CYCLES)}, not {self.repetition!r}")
        if not (self.chase == 0 or 3 <= self.chase <= 1000):
            raise ValueError(f"chase is 0 (off) or 3 to 1000, not {self.chase}")


def judge(board: Board, limits: Limits) -> Result | None:
    """How the position ends the game; sides are the players in order of play. None while it goes on."""
    if board.color < 0:
        return None
    mover = board.turn
    colors = board.colors
    for side in (mover, 1 - mover):
        if board.remaining(colors[side]) == 0:
            return outcome(1 - side, "no-pieces")
    if not board.legal_moves():
        return outcome(1 - mover, "no-move")
    if limits.still and board.quiet >= limits.still:
        return outcome(None, "no-progress")
    if limits.chase and board.quiet >= limits.chase and chases(board) >= limits.chase:
        return outcome(mover, "chase")
    if limits.repetition == "cycle" and board.quiet >= 6 and board.repeated():
        return outcome(None, "repetition")
    if limits.repetition == "position" and board.quiet >= 4 and board.occurrences() >= 3:
        return outcome(None, "repetition")
    return None


def chases(board: Board) -> int:
    """How many times running the side that moved last has attacked the same piece with the piece it moved."""
    past = board.copy()
    count = 0
    victims: set[int] | None = None
    while past.plies and past.quiet > 0:
        move = past.history[-1][0]
        attacked = set(past.attacks(move & 31))
        victims = attacked if victims is None else victims & attacked
        if not victims:
            break
        count += 1
        past.undo()
        if not past.plies or past.quiet == 0:
            break
        reply = past.undo()
        victims = {reply >> 5 & 31 if square == reply & 31 else square for square in victims}
    return count
