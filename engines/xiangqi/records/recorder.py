"""Keeps a game of Xiangqi in a file while it is played."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable
from pathlib import Path

from engines.xiangqi.fen import START_FEN
from engines.xiangqi.records.values import RESULTS, Record
from engines.xiangqi.records.writing import save


class Recorder:
    """Keeps one game in a file of its own, complete after every change. The file is made with the first move."""

    def __init__(
        self,
        directory: str | Path,
        tags: dict[str, str] | None = None,
        fen: str = START_FEN,
        notation: str = "simplified",
        encoding: str = "utf-8",
    ) -> None:
        """Keep a game in ``directory``, which is made where missing. ``Date`` is today's unless the tags have one."""
        self.record = Record({"Date": time.strftime("%Y.%m.%d"), **(tags or {})})
        if fen != START_FEN:
            self.record.tags["FEN"] = fen
        self.path: Path | None = None
        self._followed: list[int] = []
        self._written = True
        self._directory = Path(directory)
        self._notation = notation
        self._encoding = encoding

    def follow(self, moves: Iterable[int]) -> None:
        """Record the moves played from the start; those that were taken back stay as a variation. Raises OSError.

        What could not be written is written with the next call, whatever that has to tell.
        """
        moves = list(moves)
        if moves != self._followed:
            self.record.follow(moves)
            self._followed = moves
            self._written = False
        self._save()

    def finish(self, result: str, termination: str = "") -> None:
        """Record the result, one of ``RESULTS``, and in words how it came about. Raises OSError."""
        if result not in RESULTS:
            raise ValueError(f"no result {result!r}: there are {', '.join(RESULTS)}")
        self.record.tags["Result"] = result
        if termination:
            self.record.tags["Termination"] = termination
        self._written = False
        self._save()

    def _save(self) -> None:
        if self._written:
            return
        if self.path is None:
            self.path = self._save_new()
        else:
            save(self.record, self.path, self._notation, self._encoding)
        self._written = True

    def _save_new(self) -> Path:
        """Save under a name of the time that no other game has; gives it."""
        self._directory.mkdir(parents=True, exist_ok=True)
        stem = time.strftime("%Y%m%d-%H%M%S")
        for count in itertools.count(1):
            path = self._directory / f"{stem}-{count}.pgn"
            if not path.exists():
                try:
                    save(self.record, path, self._notation, self._encoding, new=True)
                except FileExistsError:
                    continue
                return path
        raise AssertionError
