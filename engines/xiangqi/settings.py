"""How the built-in Xiangqi player plays: its settings, and what a level of strength means."""

from __future__ import annotations

from dataclasses import dataclass

from engines.clock import LAG
from engines.xiangqi.cycle import AXF_RULES

FULL_LEVEL = 20
"""The level at which nothing is held back."""

LOWEST_ELO, HIGHEST_ELO = 600, 2400
"""What levels 0 and 20 are called when strength is asked for in Elo. Rough: no rating list stands behind it."""


@dataclass
class Settings:
    """How the player plays. Changes hold from the next choice on.

    ``hash``: megabytes of the transposition table (``resize`` changes it). ``threads``: searching threads (0: one
    for every processor). ``lines``: how many best moves to report (MultiPV). ``level``: 0 (a beginner) to 20 (full
    strength). ``randomness``: centipawns by which a move may be worse than the best and still be chosen.
    ``pruning`` and ``knowledge``: 0 (none) to 3 (all). ``contempt``: centipawns that a draw costs. ``overhead``:
    seconds of each move that pass outside the player. ``move_time``: seconds a move when nothing limits it.
    ``rules``: of repetition, as ``engines.xiangqi.cycle`` numbers them. ``natural_limit``: plies without capture
    that draw, 0 for none; a side's checks beyond ``free_checks``, and the answers to those, don't count (-1: all
    count). ``resign``: centipawns behind at which it resigns, 0 for never. ``draws``: whether it may offer draws.
    ``pondering``: it will also think in the opponent's time, and may spend more. ``idle``: how much of the
    processor it leaves to others, 0 to 3. ``seed``: makes random choices repeatable. ``use_book``: answer from the
    books (``SearchPlayer.open_books``) while they know the position.
    """

    hash: int = 64
    threads: int = 1
    lines: int = 1
    level: int = FULL_LEVEL
    randomness: int = 0
    pruning: int = 3
    knowledge: int = 3
    contempt: int = 0
    overhead: float = LAG
    move_time: float = 2.0
    rules: int = AXF_RULES
    natural_limit: int = 120
    free_checks: int = -1
    resign: int = 0
    draws: bool = False
    pondering: bool = False
    idle: int = 0
    seed: int | None = None
    use_book: bool = False


def level_of_elo(elo: float) -> int:
    """The level that comes nearest to a rating."""
    share = (elo - LOWEST_ELO) / (HIGHEST_ELO - LOWEST_ELO)
    return max(0, min(FULL_LEVEL, round(share * FULL_LEVEL)))


def level_depth(level: int) -> int:
    """How deep a level below the full one looks: a beginner sees his own move and the next capture."""
    return 1 + level * 2 // 3


def level_error(level: int) -> float:
    """Standard deviation, in centipawns, of a level's errors in judging moves; 0 at full strength."""
    return 0.6 * (FULL_LEVEL - level) ** 2
