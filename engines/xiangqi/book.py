"""Opening books in the form of 兵河 (BHGUI), ``.obk``: an SQLite file with a table ``bhobk``.

A row is a move in a position: ``vkey`` (the position's key, 64 bits, signed), ``vmove`` (origin << 8 | target, squares
on a 16×16 board whose rows 3 to 12 are Black's back rank to Red's, columns 3 to 11 files a to i), ``vscore`` (how much
it is recommended), ``vwin``, ``vdraw``, ``vlost`` (games), ``vvalid`` (0: not to be played). The table of keys is in
``obk_keys``. A position may be entered as its mirror image. Some programs wrote keys from 2**63 on as the floating
point number of the same bits; those are found too.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engines.xiangqi.board import Board
from engines.xiangqi.obk_keys import KEYS, RED_TO_MOVE

if TYPE_CHECKING:
    from random import Random

_ORDER = (0, 0, 1, 2, 3, 4, 5, 6)
"""Kind, as ``geometry`` numbers it, to its place in ``KEYS``."""

_MASK = (1 << 64) - 1


class BookError(ValueError):
    """A file that is no book or can't be read; the text says which and why."""


@dataclass(frozen=True)
class BookMove:
    """A legal move that a book knows, with its ``score`` (higher is better) and the games that were played so."""

    move: int
    score: int
    wins: int = 0
    draws: int = 0
    losses: int = 0


def book_key(board: Board, mirror: bool = False) -> int:
    """The key of a position (of its mirror image), 64 bits, unsigned."""
    key = RED_TO_MOVE if board.turn == 0 else 0
    for square in range(90):
        piece = board.piece_at(square)
        if piece:
            file = 8 - square % 9 if mirror else square % 9
            row = (_ORDER[piece & 7] + 7 * (piece >> 3)) * 10 + 9 - square // 9
            key ^= int(KEYS[row * 144 + file * 16 : row * 144 + file * 16 + 16], 16)
    return key


def _square(number: int, mirror: bool) -> int | None:
    """The square that a book's number names, ``None`` when off the board."""
    rank, file = 12 - (number >> 4), (number & 15) - 3
    if not (0 <= rank < 10 and 0 <= file < 9):
        return None
    return rank * 9 + (8 - file if mirror else file)


def book_square(square: int) -> int:
    """The number that a book gives a square."""
    return 12 - square // 9 << 4 | square % 9 + 3


class Book:
    """An open book. Safe to ask from any thread."""

    def __init__(self, path: str | Path) -> None:
        """Open a file for reading. ``BookError`` when there is none, or it is no such book."""
        import sqlite3  # most games are played without a book

        self._error = sqlite3.Error
        self.path = Path(path)
        if not self.path.is_file():
            raise BookError(f"there is no file {path}")
        try:
            self._file = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
            self._file.execute("SELECT vkey, vmove, vscore, vwin, vdraw, vlost, vvalid FROM bhobk LIMIT 1").fetchall()
        except sqlite3.Error as error:
            raise BookError(f"{path} is no opening book (.obk): {error}") from None

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    def moves(self, board: Board) -> list[BookMove]:
        """The legal moves it recommends in a position, best first; none when it does not know it.

        ``BookError`` when the file can't be read any more.
        """
        found: dict[int, BookMove] = {}
        for mirror in (False, True):
            key = book_key(board, mirror)
            signed = key - (1 << 64) if key >> 63 else key
            (bits,) = struct.unpack("<d", struct.pack("<Q", key & _MASK))
            try:
                rows = self._file.execute(
                    "SELECT vmove, vscore, vwin, vdraw, vlost FROM bhobk"
                    " WHERE (vkey = ? OR vkey = ?) AND vvalid IS NOT 0",
                    (signed, bits),
                ).fetchall()
            except self._error as error:
                raise BookError(f"{self.path}: {error}") from None
            for number, *counts in rows:
                origin, target = (_square(part, mirror) for part in (int(number) >> 8, int(number) & 255))
                if origin is None or target is None or not board.is_legal(origin << 7 | target):
                    continue
                score, wins, draws, losses = (int(count or 0) for count in counts)
                known = found.get(origin << 7 | target)
                if known is None or known.score < score:
                    found[origin << 7 | target] = BookMove(origin << 7 | target, score, wins, draws, losses)
        return sorted(found.values(), key=lambda entry: (-entry.score, entry.move))


def choose(moves: list[BookMove], rng: Random) -> BookMove:
    """One of the moves (there must be some), the better scores more likely; none far below the best."""
    least = min(entry.score for entry in moves)
    best = max(entry.score for entry in moves)
    weights = [max(0, entry.score - least) + 1 for entry in moves]
    weights = [weight if 2 * weight >= best - least else 0 for weight in weights]
    return rng.choices(moves, weights)[0]
