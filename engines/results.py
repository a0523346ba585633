"""How a game has ended, in the same terms for every game, and texts in the languages that users read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Words(NamedTuple):
    """A text for users in English and in both Chinese scripts."""

    english: str
    simplified: str
    traditional: str

    @property
    def chinese(self) -> str:
        """Both scripts, ``围棋/圍棋``; once where they write the same."""
        same = self.simplified == self.traditional
        return self.simplified if same else f"{self.simplified}/{self.traditional}"


@dataclass(frozen=True)
class Result:
    """The end of a game.

    ``winner`` is the index of a side in order of play, ``None`` where nobody has won. ``reason`` is a key of the
    game's own ``REASONS``; ``words`` say more where there is more to say: which side repeats what, by how much who
    has won. ``scores`` has one number a side: 1 for a win, 0.5 for a draw, 0 for a loss, and 0 all round for a game
    without a result, which is played again.
    """

    winner: int | None
    reason: str
    words: Words
    scores: tuple[float, ...]


def won_by(winner: int | None, reason: str, words: Words) -> Result:
    """The result of a game of two sides that ``winner`` has won, or that is a draw where this is ``None``."""
    scores = (0.5, 0.5) if winner is None else (1.0 - winner, float(winner))
    return Result(winner, reason, words, scores)
