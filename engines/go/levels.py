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
    no bound. ``habit`` is how often (0…1) a move is played unread, and ``evenness`` (1 or more) how evenly such a move
    is drawn, see ``engines.go.policy_sampling``.
    """

    rank: int
    playouts: int | None
    habit: float = 0.0
    evenness: float = 1.0
    dan: bool = False

    @property
    def name(self) -> str:
        """The rank in both scripts: ``8级/8級``, ``1段``."""
        return f"{self.rank}段" if self.dan else f"{self.rank}级/{self.rank}級"


LEVELS: Sequence[Level] = (
    Level(30, 16, 1.0, 9.0),
    Level(28, 16, 1.0, 5.3),
    Level(26, 16, 1.0, 3.7),
    Level(24, 16, 1.0, 2.7),
    Level(22, 16, 1.0, 2.1),
    Level(20, 16, 1.0, 1.7),
    Level(18, 16, 1.0, 1.36),
    Level(16, 16, 1.0, 1.07),
    Level(15, 16, 0.75),
    Level(14, 21, 0.44),
    Level(13, 34, 0.25),
    Level(12, 49, 0.15),
    Level(11, 72, 0.09),
    Level(10, 106, 0.045),
    Level(9, 160, 0.015),
    Level(8, 250),
    Level(7, 410),
    Level(6, 710),
    Level(5, 1_250),
    Level(4, 2_200),
    Level(3, 3_800),
    Level(2, 6_600),
    Level(1, 11_500),
    Level(1, None, dan=True),
)
"""Level 1 first; the last is full strength. Each beats the one below in about two games of three on 9×9. Thirty such
steps don't fit between a beginner and the full search, which is why low ranks come in pairs."""

MAX_LEVEL = len(LEVELS)


def level_number(text: str) -> int:
    """The number (1…``MAX_LEVEL``) of a level told by it, or by a rank: ``8级``, ``8級``, ``8k``, ``1段`` or ``1d``.

    A rank that no level has, such as 29k, is the next weaker one's. Raises ValueError, with words for the user.
    """
    word = text.strip().lower()
    if word.isascii() and word.isdigit():
        if 1 <= int(word) <= MAX_LEVEL:
            return int(word)
    elif word[:-1].isascii() and word[:-1].isdigit():
        rank = int(word[:-1])
        if word[-1] in "段d" and rank == 1:
            return MAX_LEVEL
        if word[-1] in "级級k" and 1 <= rank <= LEVELS[0].rank:
            return sum(level.rank >= rank for level in LEVELS if not level.dan)
    raise ValueError(f"a level is a rank, 30k (30级/30級) to 1k or 1d (1段), or a number, 1 to {MAX_LEVEL}")
