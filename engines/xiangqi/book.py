"""Opening books in the form of 兵河 (BHGUI), ``.obk``: an SQLite file with a table ``bhobk``.

A row is a move in a position: ``vkey`` (the position's key, 64 bits, signed), ``vmove`` (origin << 8 | target, squares
on a 16×16 board whose rows 3 to 12 are Black's back rank to Red's, columns 3 to 11 files a to i), ``vscore`` (how much
it is recommended), ``vwin``, ``vdraw``, ``vlost`` (games), ``vvalid`` (0: not to be played). The table of keys is in
``obk_keys``. A position may be entered as its mirror image. Some programs wrote keys from 2**63 on as the floating
point number of the same bits; those are found too.

A book comes from anywhere, and an SQLite file can hold what runs for ever. So: ``bhobk`` must be a plain table (no
view, no virtual table, no column that is computed), opened read-only; a question takes ``MAX_STEPS`` steps of SQLite's
machine and ``MAX_ROWS`` rows at most; rows whose move or score is no whole number from 0 on are left out.
"""

from __future__ import annotations

import struct
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.errors import QiqiaoError
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_of
from engines.xiangqi.obk_keys import KEYS, RED_TO_MOVE

if TYPE_CHECKING:
    from random import Random

_ORDER = (0, 0, 1, 2, 3, 4, 5, 6)
"""Kind, as ``geometry`` numbers it, to its place in ``KEYS``."""

_MASK = (1 << 64) - 1

MAX_STEPS = 5_000_000
"""Steps of SQLite's machine a question may take, well under a second: half a million rows without an index."""

MAX_ROWS = 1000
"""Rows read for a position; there are about a hundred legal moves at most."""

MAX_VALUE = 1_000_000
"""Bytes of the longest value or statement that SQLite may make of a book's."""

_STEPS_AT_ONCE = 10_000

_COLUMNS = ("vmove", "vscore", "vwin", "vdraw", "vlost")
# Of any other type than a whole number a value is not even read: a text may be as long as the file.
_QUESTION = (
    "SELECT "
    + ", ".join(f"CASE typeof({column}) WHEN 'integer' THEN {column} END" for column in _COLUMNS)
    + " FROM main.bhobk WHERE (vkey = ? OR vkey = ?) AND vvalid IS NOT 0 LIMIT ?"
)


class BookError(QiqiaoError, ValueError):
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
    """An open book. Safe to ask from any thread.

    ``faults`` are texts for the user, each there once: what was wrong with rows that were left out.
    """

    def __init__(self, path: str | Path) -> None:
        """Open a file for reading. ``BookError`` when there is none, or it is no such book."""
        import sqlite3  # most games are played without a book

        self._error = sqlite3.Error
        self._lock = threading.Lock()
        self._steps = 0
        self.path = Path(path)
        self.faults: list[str] = []
        try:
            there = self.path.is_file()
        except (OSError, ValueError):
            there = False
        if not there:
            raise BookError(f"there is no file {path}")
        try:
            self._file = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        except (sqlite3.Error, ValueError) as error:
            raise BookError(f"{path} is no opening book (.obk): {error}") from None
        try:
            self._guard(sqlite3)
            why = self._unfit()
        except (sqlite3.Error, ValueError) as error:
            why = str(error)
        if why:
            self._file.close()
            raise BookError(f"{path} is no opening book (.obk): {why}")

    def _guard(self, sqlite3: Any) -> None:
        """Bounds on what the file can make SQLite do."""
        file = self._file
        file.set_progress_handler(self._step, _STEPS_AT_ONCE)
        if hasattr(file, "setlimit"):  # Python 3.11
            for limit in ("SQLITE_LIMIT_LENGTH", "SQLITE_LIMIT_SQL_LENGTH"):
                file.setlimit(getattr(sqlite3, limit), MAX_VALUE)
        file.execute("PRAGMA trusted_schema = OFF")
        file.execute("PRAGMA query_only = ON")
        file.execute("PRAGMA cell_size_check = ON")
        file.execute("PRAGMA mmap_size = 0")  # a file cut short meanwhile is an error, not the end of the process

    def _unfit(self) -> str:
        """Why the file is no book; "" for one."""
        rows = self._ask("SELECT type, sql FROM main.sqlite_master WHERE lower(name) = 'bhobk' LIMIT 2")
        if not rows:
            return "no such table: bhobk"
        kind, sql = rows[0]
        if len(rows) > 1 or kind != "table" or not isinstance(sql, str):
            return f"bhobk is a {kind}, not a table"
        if "".join(sql.split())[:18].upper().startswith("CREATEVIRTUALTABLE"):
            return "bhobk is a virtual table"
        columns = {str(row[1]).lower(): row[6] for row in self._ask("PRAGMA main.table_xinfo(bhobk)")}
        missing = [column for column in ("vkey", *_COLUMNS, "vvalid") if column not in columns]
        if missing:
            return f"no such column: {missing[0]}"
        if any(columns.values()):
            return "bhobk has columns that are computed"
        self._ask(_QUESTION, (0, 0.0, 0))
        return ""

    def _step(self) -> int:
        """SQLite has made so many steps more; any other answer than 0 ends the question."""
        self._steps += _STEPS_AT_ONCE
        return int(self._steps > MAX_STEPS)

    def _ask(self, question: str, values: tuple[object, ...] = ()) -> list[Any]:
        """The rows of an answer. Raises ``sqlite3.Error``, also for one that takes too long."""
        with self._lock:
            self._steps = 0
            try:
                return self._file.execute(question, values).fetchall()
            except self._error as error:
                if self._steps > MAX_STEPS:
                    raise self._error("it takes too long to find a position in it") from error
                raise

    def close(self) -> None:
        """Give the file back."""
        with self._lock, suppress(self._error):
            self._file.close()

    def _blame(self, fault: str) -> None:
        if fault not in self.faults:
            self.faults.append(fault)

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
                rows = self._ask(_QUESTION, (signed, bits, MAX_ROWS + 1))
            except (self._error, ValueError) as error:
                raise BookError(f"{self.path}: {error}") from None
            if len(rows) > MAX_ROWS:
                self._blame(f"{self.path} has more than {MAX_ROWS} rows for a position: the rest is left out")
            for number, score, *games in rows[:MAX_ROWS]:
                if number is None or number < 0 or score is None or score < 0:
                    self._blame(
                        f"{self.path} has rows whose move or score is no whole number from 0 on: they are left out"
                    )
                    continue
                origin, target = (_square(part, mirror) for part in (number >> 8, number & 255))
                if origin is None or target is None or not board.is_legal(move_of(origin, target)):
                    continue
                wins, draws, losses = (max(0, count or 0) for count in games)
                known = found.get(move_of(origin, target))
                if known is None or known.score < score:
                    found[move_of(origin, target)] = BookMove(move_of(origin, target), score, wins, draws, losses)
        return sorted(found.values(), key=lambda entry: (-entry.score, entry.move))


def choose(moves: list[BookMove], rng: Random) -> BookMove:
    """One of the moves (there must be some), the better scores more likely; none far below the best."""
    least = min(entry.score for entry in moves)
    best = max(entry.score for entry in moves)
    weights = [max(0, entry.score - least) + 1 for entry in moves]
    weights = [weight if 2 * weight >= best - least else 0 for weight in weights]
    return rng.choices(moves, weights)[0]
