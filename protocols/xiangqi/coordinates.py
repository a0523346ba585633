"""Moves as text, with ranks counted from 0 (UCCI, Pikafish, Chinese GUIs) or from 1 (Fairy-Stockfish's UCI)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from engines.xiangqi.geometry import move_from, move_of, move_to

_MOVE = re.compile(r"([a-i])(10|[0-9])-?([a-i])(10|[0-9])", re.IGNORECASE)


class Coordinates(NamedTuple):
    """A move as it was written: files 0-8, ranks as the figures said."""

    file: int
    rank: int
    to_file: int
    to_rank: int

    def move(self, base: int) -> int | None:
        """The board's move number when ranks are counted from ``base``; ``None`` when that is off the board."""
        rank, to_rank = self.rank - base, self.to_rank - base
        if not (0 <= rank <= 9 and 0 <= to_rank <= 9):
            return None
        return move_of(rank * 9 + self.file, to_rank * 9 + self.to_file)


@lru_cache(maxsize=1 << 14)
def read(text: str) -> Coordinates | None:
    """``h2e2``, ``h3e3``, ``b10c8``, ``H2-E2``; ``None`` for any other text."""
    match = _MOVE.fullmatch(text)
    if match is None:
        return None
    file, rank, to_file, to_rank = match.groups()
    return Coordinates(ord(file.lower()) - 97, int(rank), ord(to_file.lower()) - 97, int(to_rank))


@lru_cache(maxsize=1 << 14)  # more than there are moves; the same ones are sent again with every position
def write(move: int, base: int = 0) -> str:
    """A move with ranks counted from ``base``."""
    origin, target = move_from(move), move_to(move)
    return f"{'abcdefghi'[origin % 9]}{origin // 9 + base}{'abcdefghi'[target % 9]}{target // 9 + base}"


def write_all(moves: Iterable[int], base: int = 0) -> str:
    """Moves with blanks between."""
    return " ".join(write(move, base) for move in moves)
