"""Playing strengths by rank, from a player's first games to full strength.

A weak level is weak as people are: it reads little (few playouts), and now and then it plays what looks natural without
reading at all (a move drawn by the weights of ``engines.go.priors``, learned from games). It sees fewer such moves, and
reads more, from rank to rank. ``docs/go-search.md`` tells how the ranks fared against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """One strength.

    ``rank`` is 30…1 for 级/級 (kyu) and ``dan`` tells that it is 段 instead. ``playouts`` bounds those of a move; None:
    no bound. ``habit`` is how often (0…1) a move is played unread, and ``freedom`` how evenly such a move is drawn: 1
    as the learned weights have it, larger more evenly.
    """

    rank: int
    playouts: int | None
    habit: float = 0.0
    freedom: float = 1.0
    dan: bool = False

    @property
    def name(self) -> str:
        """The rank in both scripts: ``8级/8級``, ``1段``."""
        return f"{self.rank}段" if self.dan else f"{self.rank}级/{self.rank}級"


LEVELS: Sequence[Level] = (
    Level(30, 16, 1.0, 2.0),
    Level(27, 16, 1.0, 1.3),
    Level(24, 24, 0.8),
    Level(21, 32, 0.55),
    Level(18, 48, 0.35),
    Level(16, 70, 0.22),
    Level(14, 110, 0.12),
    Level(12, 180, 0.06),
    Level(10, 350, 0.02),
    Level(8, 700),
    Level(6, 1_500),
    Level(4, 3_500),
    Level(2, 8_000),
    Level(1, 20_000),
    Level(1, None, dan=True),
)
"""Level 1 first; the last is full strength."""

MAX_LEVEL = len(LEVELS)


def level_number(text: str) -> int:
    """The number (1…``MAX_LEVEL``) of a level told by it, or by its rank: ``8级``, ``8級``, ``8k``, ``1段`` or ``1d``.

    A rank between two levels means the weaker one. Raises ValueError, with words for the user.
    """
    word = text.strip().lower()
    if word.isascii() and word.isdigit():
        if 1 <= int(word) <= MAX_LEVEL:
            return int(word)
    elif word[:-1].isascii() and word[:-1].isdigit() and 1 <= int(word[:-1]) <= 30:
        rank = int(word[:-1])
        if word[-1] in "段d" and rank == 1:
            return MAX_LEVEL
        if word[-1] in "级級k":
            kyu = [number for number, level in enumerate(LEVELS, 1) if not level.dan and level.rank >= rank]
            return kyu[-1]
    ranks = ", ".join(f"{level.rank}{'d' if level.dan else 'k'}" for level in LEVELS)
    raise ValueError(f"a level is 1 to {MAX_LEVEL} or a rank ({ranks})")
