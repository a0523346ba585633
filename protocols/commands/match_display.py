"""How a match shows on the screen while it is played: a live display where rich is installed, else a line a game."""

from __future__ import annotations

import sys
import time
from typing import Any

from engines.arena.journal import GameRow
from engines.arena.match import Match
from engines.arena.records import reason_word
from engines.arena.report import number, ratings_of
from engines.arena.statistics import estimate
from engines.arena.table import Table
from engines.gametype import REASONS

REFRESH = 1.0
"""Seconds between two pictures: each costs processor time that the engines could have."""


class Lines:
    """One line a game, with the score so far."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._names = [entrant.name for entrant in match.settings.entrants]

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def game(self, row: GameRow) -> None:
        """A game has ended."""
        players = " - ".join(self._names[entrant] for entrant in row.seats)
        reason = reason_word(row, self._match.game)
        done, total = len(self._match.journal.contents.games), len(self._match.schedule)
        text = f"[{done}/{total}] game {row.game}: {players} {row.ending.result} ({reason})"
        if len(self._names) == 2:
            text += "  " + _words(self._match)
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def _words(match: Match) -> str:
    """The score of a match between two in a few words."""
    result = Table(match.settings, match.journal.contents.games.values()).between(0, 1)
    found = estimate(result)
    text = (
        f"+{result.wins} ={result.draws} -{result.losses}, "
        f"{number(found.elo, sign=True)} ± {number(found.error)} Elo apart, LOS {100 * found.superiority:.1f} %"
    )
    test = match.settings.sprt
    if test is not None:
        text += f", SPRT {test.ratio(result.pairs):.2f} in [{test.lower:.2f}, {test.upper:.2f}]"
    return text


class Live:
    """A table and a bar that are drawn anew as games end."""

    def __init__(self, match: Match) -> None:
        """Raises ImportError where rich is not installed."""
        from rich.console import Console
        from rich.live import Live as RichLive
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._match = match
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        )
        self._task = self._progress.add_task("games", total=len(match.schedule))
        self._last = ""
        self._drawn = 0.0
        # Drawn by us when something has changed, not by a thread of its own.
        self._live = RichLive(console=Console(), auto_refresh=False)

    def __enter__(self) -> Live:
        self._live.__enter__()
        self._draw()
        return self

    def __exit__(self, *error: object) -> None:
        self._draw()
        self._live.__exit__(None, None, None)

    def game(self, row: GameRow) -> None:
        """A game has ended."""
        players = " – ".join(self._match.settings.entrants[entrant].name for entrant in row.seats)
        self._last = f"game {row.game}: {players} {row.ending.result} ({reason_word(row, self._match.game)})"
        if time.monotonic() - self._drawn >= REFRESH:
            self._draw()

    def _draw(self) -> None:
        self._drawn = time.monotonic()
        self._progress.update(self._task, completed=len(self._match.journal.contents.games))
        self._live.update(self._picture(), refresh=True)

    def _picture(self) -> Any:
        from rich.console import Group
        from rich.table import Table as RichTable
        from rich.text import Text

        match = self._match
        table = Table(match.settings, match.journal.contents.games.values())
        ratings = ratings_of(table)
        shown = RichTable()
        for column in ("", "Engine", "Elo", "±", "Games", "Won", "Drawn", "Lost", "Score", "Faults"):
            shown.add_column(column, justify="left" if column in ("Engine", "Faults") else "right")
        for place, line in enumerate(table.standings(), 1):
            result, rating = line.result, ratings[line.entrant]
            faults = ", ".join(f"{count} {REASONS[reason]}" for reason, count in line.faults.items())
            cells = [str(place), line.name, number(rating.elo, sign=True), number(rating.error), str(result.games)]
            cells += [str(result.wins), str(result.draws), str(result.losses), f"{100 * result.score:.1f} %", faults]
            shown.add_row(*map(Text, cells))
        parts: list[Any] = [shown]
        if len(match.settings.entrants) == 2:
            result = table.between(0, 1)
            parts.append(Text(f"{match.settings.entrants[0].name}: {_words(match)}"))
            parts.append(Text(f"pairs 0, ½, 1, 1½, 2: {', '.join(map(str, result.pairs))}"))
        return Group(*parts, self._progress, Text(self._last))


class Silent(Lines):
    """Nothing at all."""

    def game(self, row: GameRow) -> None:
        """See ``Lines``."""


def display(match: Match, quiet: bool) -> Lines | Live:
    """The display that fits where standard output goes."""
    if quiet:
        return Silent(match)
    if sys.stdout.isatty():
        try:
            return Live(match)
        except ImportError:
            pass
    return Lines(match)
