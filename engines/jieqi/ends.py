"""How a game ends on the board: mate, no move, repetition, the limit of plies without a capture.

All of it follows from what everybody knows, so that referee and views say the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engines.jieqi.board import Board
from engines.jieqi.forms import CAPTURE_VIEWS, form_of, plies_of
from engines.jieqi.repetition import judge
from engines.results import Result, Words, won_by
from engines.xiangqi.game import REASONS
from engines.xiangqi.repetition import OCCURRENCES, rule_set

__all__ = ["REASONS", "Result", "Rules", "outcome"]


def result_of(winner: int | None, reason: str, words: Words | None = None) -> Result:
    """The result of a game that ``winner`` has won (``None``: a draw), by a key of ``REASONS``."""
    return won_by(winner, reason, words or REASONS[reason])


@dataclass(frozen=True)
class Rules:
    """What a game is played by.

    ``capture_view``: who learns what a piece taken face down was (``CAPTURE_VIEWS``). ``limit``: plies without a
    capture that draw, a name in ``forms.LIMITS`` or a number. ``repetition``: a rule set of
    ``engines.xiangqi.repetition``. ``times``: how often a position stands before the repetition is judged.
    """

    form: str = "jieqi"
    capture_view: str = "captor"
    limit: str = ""
    repetition: str = ""
    times: int = OCCURRENCES

    def __post_init__(self) -> None:
        """Fill in what the form usually has. ``ValueError`` for a value that there is not."""
        table = form_of(self.form)
        object.__setattr__(self, "limit", self.limit or table.limit)
        object.__setattr__(self, "repetition", self.repetition or table.rules)
        plies_of(self.limit)
        rule_set(self.repetition)
        if self.capture_view not in CAPTURE_VIEWS:
            raise ValueError(f"unknown capture view {self.capture_view!r}; there are {', '.join(CAPTURE_VIEWS)}")
        if self.times not in (2, 3, 4):
            raise ValueError(f"a repetition is judged when a position has occurred 2, 3 or 4 times, not {self.times}")

    def but(self, **changes: str | int) -> Rules:
        """The same with changes."""
        return replace(self, **changes)  # type: ignore[arg-type]


def outcome(board: Board, rules: Rules) -> Result | None:
    """The result that the rules give the position, ``None`` when the game goes on."""
    if not board.can_move():
        return result_of(board.turn ^ 1, "mate" if board.in_check() else "stalemate")
    if len(board.occurrences()) >= rules.times:
        verdict = judge(board, rules.repetition, rules.times)
        return result_of(None if verdict.violator is None else verdict.violator ^ 1, "repetition", verdict.reason)
    plies = plies_of(rules.limit)
    if plies and board.halfmove_clock >= plies:
        return result_of(None, "natural-limit")
    return None
