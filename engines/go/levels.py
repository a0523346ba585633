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
    no bound. ``habit`` is how often (0…1) a move is played unread, and ``freedom`` how evenly such a move is drawn: its
    chance is as the ``freedom``-th root of its share by the learned weights.
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
    Level(30, 16, 1.0, 8.0),
    Level(29, 16, 1.0, 6.6),
    Level(28, 16, 1.0, 5.5),
    Level(27, 16, 1.0, 4.5),
    Level(26, 16, 1.0, 3.7),
    Level(25, 16, 1.0, 3.0),
    Level(24, 16, 1.0, 2.4),
    Level(23, 16, 1.0, 2.05),
    Level(22, 16, 1.0, 1.75),
    Level(21, 16, 1.0, 1.5),
    Level(20, 16, 1.0, 1.3),
    Level(19, 16, 1.0, 1.1),
    Level(18, 16, 0.9),
    Level(17, 16, 0.74),
    Level(16, 16, 0.63),
    Level(15, 18, 0.5),
    Level(14, 27, 0.4),
    Level(13, 35, 0.3),
    Level(12, 42, 0.2),
    Level(11, 52, 0.12),
    Level(10, 71, 0.07),
    Level(9, 100, 0.04),
    Level(8, 145, 0.02),
    Level(7, 220, 0.01),
    Level(6, 400),
    Level(5, 740),
    Level(4, 1_400),
    Level(3, 2_700),
    Level(2, 5_600),
    Level(1, 12_000),
    Level(1, None, dan=True),
)
"""Level 1 first; the last is full strength."""

MAX_LEVEL = len(LEVELS)


def level_number(text: str) -> int:
    """The number (1…``MAX_LEVEL``) of a level told by it, or by its rank: ``8级``, ``8級``, ``8k``, ``1段`` or ``1d``.

    Raises ValueError, with words for the user.
    """
    word = text.strip().lower()
    if word.isascii() and word.isdigit():
        if 1 <= int(word) <= MAX_LEVEL:
            return int(word)
    elif word[:-1].isascii() and word[:-1].isdigit():
        for number, level in enumerate(LEVELS, 1):
            if level.rank == int(word[:-1]) and word[-1] in ("段d" if level.dan else "级級k"):
                return number
    raise ValueError(f"a level is a rank, 30k (30级/30級) to 1k or 1d (1段), or a number, 1 to {MAX_LEVEL}")
