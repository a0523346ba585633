"""What a match writes beside its journal: records, tables and the report, all of them told from the journal."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from engines.arena import journal
from engines.arena.records import file_name, record_text
from engines.files import replace_file

if TYPE_CHECKING:
    from engines.arena.journal import GameRow
    from engines.arena.match import Match

REPORT, TABLE, TWOGTP, COLLECTED = "report.html", "table.txt", "match.dat", "match."
"""The files' names; that of all records in one ends as records of the game do."""


class Files:
    """The files in a match's folder."""

    def __init__(self, folder: str, match: Match, notation: str) -> None:
        self._folder = folder
        self._match = match
        self._notation = notation
        self._names = {number: entrant.name for number, entrant in enumerate(match.settings.entrants)}

    def _path(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def game(self, row: GameRow) -> None:
        """The record of a game. Raises OSError."""
        replace_file(self._path(file_name(row, self._match.game)), self._text(row))

    def _text(self, row: GameRow) -> str:
        return record_text(self._match.settings, self._match.game, row, self._names, self._notation)

    def _blame(self, contents: journal.Contents) -> None:
        """Tell which game of the journal can't be played. Raises JournalError where there is one."""
        for number, row in contents.games.items():
            try:
                self._text(row)
            except ValueError as error:
                where = f"{self._match.journal.path}: line {contents.lines[number]}"
                raise journal.JournalError(f"{where} is damaged: {error}") from None

    def complete(self) -> None:
        """The records that are missing: a match that was killed had no time for the last ones. Raises OSError, and
        JournalError for a game of the journal whose moves can't be played.
        """
        waiting = [
            number
            for number, row in self._match.journal.contents.games.items()
            if not os.path.exists(self._path(file_name(row, self._match.game)))
        ]
        if waiting:
            contents = journal.read(self._match.journal.path)
            try:
                for number in waiting:
                    self.game(contents.games[number])
            except ValueError:
                self._blame(contents)
                raise

    def finish(self, verdict: str) -> str:
        """Table, report and what other programs read; gives the table. Raises OSError, and JournalError as above."""
        from engines.arena.report import report, table_text
        from engines.arena.table import Table
        from engines.arena.twogtp import twogtp_table

        match = self._match
        contents = journal.read(match.journal.path)
        games = Table(match.settings, contents.games.values()).games
        text = table_text(match.settings, games, verdict)
        replace_file(self._path(TABLE), text)
        try:
            page = report(match.settings, match.game, games, contents.programs, verdict)
        except ValueError:
            self._blame(contents)
            raise
        replace_file(self._path(REPORT), page)
        if match.game.collected:
            names = [file_name(row, match.game) for row in games]
            texts = [Path(self._path(name)).read_text("utf-8") for name in names]
            replace_file(self._path(COLLECTED + match.game.suffix), "\n".join(texts))
        if match.game.twogtp_facts() is not None and len(match.settings.entrants) == 2:
            table = twogtp_table(match.settings, match.game, games, contents.programs, "qiqiao")
            replace_file(self._path(TWOGTP), table)
        return text
