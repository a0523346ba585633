"""The journal of a match: one line of JSON for its settings and one for each game, and nothing else is true.

Lines are appended whole and flushed to the disk before the next game counts. Being killed can leave a torn last line:
it is cut off when the journal is opened again, and its game is played anew. Two matches can't write one journal: it is
locked while it is open.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

from engines import games
from engines.arena.pairings import Schedule
from engines.arena.settings import Settings
from engines.errors import QiqiaoError
from engines.gametype import REASONS, Ending, Opening, Turn
from engines.plain import build

VERSION = 1
"""The form of journals. A later form gets a higher number, and an older program refuses it."""

NAME = "match.jsonl"
"""The journal's file in the folder of a match."""


LOCK_TIME = 1.0
"""Seconds that a lock is waited for: what a killed match leaves behind may take a moment to go."""


class JournalError(QiqiaoError, ValueError):
    """A journal that can't be used; the text says why."""


@dataclass(frozen=True)
class GameRow:
    """A game that has been played.

    ``game`` is its number (``engines.arena.pairings``), ``seats`` the entrants by side, ``turns`` the moves after the
    opening's, ``first`` the side that makes the first of them. ``said``: what each side would make the result (Go: by
    its own word on dead stones), "" where it was not asked or did not say. ``error`` tells what went wrong, "" where
    nothing did. ``start`` is the time in UTC (ISO 8601), ``seconds`` how long it took, ``host`` where.
    """

    game: int
    seats: tuple[int, ...]
    opening: Opening
    turns: tuple[Turn, ...]
    ending: Ending
    first: int = 0
    said: tuple[str, ...] = ("", "")
    error: str = ""
    start: str = ""
    seconds: float = 0.0
    host: str = ""

    def score_of(self, entrant: int) -> float:
        """The entrant's points: 1 for a win, ½ for a draw of two, 0 for a loss."""
        return self.ending.score_of(self.seats.index(entrant), len(self.seats))

    def score_against(self, entrant: int, other: int) -> float:
        """1 where this entrant has more points than the other, ½ where both have the same, 0 where it has fewer."""
        mine, its = self.score_of(entrant), self.score_of(other)
        return 0.5 if mine == its else float(mine > its)

    def side_of(self, index: int) -> int:
        """Whose turn one is, by its index."""
        return (self.first + index) % len(self.seats)

    def turns_of(self, side: int) -> list[Turn]:
        """The turns of a side, in their order."""
        return [turn for index, turn in enumerate(self.turns) if self.side_of(index) == side]

    def to_json(self) -> dict[str, Any]:
        """As a value of plain tables, lists, numbers and texts."""
        return {
            "game": self.game,
            "seats": list(self.seats),
            "opening": self.opening.to_json(),
            "turns": [turn.to_row() for turn in self.turns],
            "ending": self.ending.to_json(),
            "first": self.first,
            "said": list(self.said),
            "error": self.error,
            "start": self.start,
            "seconds": round(self.seconds, 3),
            "host": self.host,
        }

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> GameRow:
        """From what ``to_json`` makes. Raises ValueError for what it never makes."""
        row: GameRow = build(GameRow, dict(value), "a game")
        sides = len(row.seats)
        if sides < 2:
            raise ValueError("seats must be a list of 2 values or more")
        if row.game < 0 or min(row.seats) < 0 or len(set(row.seats)) < sides:
            raise ValueError("there is no such game")
        if row.first not in range(sides) or row.ending.winner not in (None, *range(sides)):
            raise ValueError("there are two seats, 0 and 1" if sides == 2 else f"there are {sides} seats, from 0 on")
        if row.ending.scores and (len(row.ending.scores) != sides or not all(0 <= x <= 1 for x in row.ending.scores)):
            raise ValueError("each side has a score from 0 to 1")
        return row


@dataclass
class Contents:
    """What a journal says: the settings, and the games by number. ``programs``: what the entrants call themselves.
    ``length``: bytes up to the end of the last whole line; ``lines``: the line of each game, counted from 1."""

    settings: Settings
    games: dict[int, GameRow] = field(default_factory=dict)
    programs: dict[str, str] = field(default_factory=dict)
    length: int = 0
    lines: dict[int, int] = field(default_factory=dict, compare=False)


def read(path: str) -> Contents:
    """Read a journal. A torn last line is left out. Raises JournalError, also for damage anywhere else."""
    try:
        with open(path, "rb") as file:
            return _read(file, path)
    except OSError as error:
        raise JournalError(f"cannot read {path}: {error.strerror}") from None


def _read(file: BinaryIO, path: str) -> Contents:
    contents: Contents | None = None
    data = file.read()
    end = data.rfind(b"\n") + 1
    for number, line in enumerate(data[:end].splitlines(), 1):
        try:
            value = json.loads(line)
            if not isinstance(value, dict):
                raise ValueError("no table")
            if contents is None:
                contents = _header(value, path)
            elif "programs" in value:
                contents.programs.update(build(dict[str, str], value["programs"], "programs"))
            elif "settings" in value:  # the match was made longer
                contents.settings = Settings.from_json(value["settings"])
            else:
                row = GameRow.from_json(value)
                _find(row, contents.settings)
                if row.game in contents.games:
                    raise ValueError(f"game {row.game} is there twice")
                contents.games[row.game] = row
                contents.lines[row.game] = number
        except JournalError:
            raise
        except RecursionError:
            raise JournalError(f"{path}: line {number} is damaged: it is nested too deeply") from None
        except ValueError as error:
            raise JournalError(f"{path}: line {number} is damaged: {error}") from None
    if contents is None:
        raise JournalError(f"{path} is not the journal of a match: it does not begin with settings")
    contents.length = end
    return contents


def _find(row: GameRow, settings: Settings) -> None:
    """Look whether the match has the game. Raises ValueError."""
    schedule = Schedule(settings)
    if row.game >= len(schedule):
        raise ValueError(f"the match has no game {row.game}")
    if len(row.said) != len(row.seats) or set(schedule[row.game].seats) != set(row.seats):
        raise ValueError(f"others play game {row.game}")
    if row.ending.reason not in {**REASONS, **games.find(settings.game).reasons}:
        raise ValueError(f"no game ends by '{row.ending.reason[:40]}'")


def _header(value: Mapping[str, Any], path: str) -> Contents:
    if value.get("qiqiao-match") != VERSION:
        raise JournalError(f"{path} is not the journal of a match, or of another version of this program")
    return Contents(Settings.from_json(value.get("settings")))


def fits(path: str, settings: Settings, resume: bool) -> bool:
    """Whether a match has begun there, with which these settings can go on. Nothing is changed.

    Raises JournalError where one has that is damaged or another, or that is not to be resumed.
    """
    if not os.path.exists(path):
        return False
    with open(path, "rb") as file:
        if b"\n" not in file.read():  # nothing, or a torn first line: no game can have been played
            return False
    if not resume:
        raise JournalError(f"{path} is there already; --resume goes on with it")
    differing = settings.differences(read(path).settings)
    if differing:
        raise JournalError(f"{path} is of another match: it differs in {', '.join(differing)}")
    return True


class Journal:
    """A journal that is open for writing. Its ``contents`` keep the games without their turns, of which a long match
    has too many to have them all in memory; ``read`` gives them whole."""

    def __init__(self, path: str, settings: Settings, resume: bool = False) -> None:
        """Begin a journal, or go on with one that is there if ``resume``.

        Raises JournalError: when there is one and ``resume`` is off, when it is of another match, is damaged or in use,
        and when it can't be written.
        """
        self.path = path
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            # Never emptied, and never written anywhere but at its end.
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise JournalError(f"cannot write {path}: {error.strerror}") from None
        try:
            _lock(self._fd, path)
            self.contents = self._begin(settings, resume)
        except BaseException:
            os.close(self._fd)
            raise

    def _begin(self, settings: Settings, resume: bool) -> Contents:
        if not fits(self.path, settings, resume):
            os.ftruncate(self._fd, 0)
            self._append({"qiqiao-match": VERSION, "settings": settings.to_json()})
            return Contents(settings)
        contents = read(self.path)
        os.ftruncate(self._fd, contents.length)
        contents.games = {number: replace(row, turns=()) for number, row in contents.games.items()}
        if settings != contents.settings:
            self._append({"settings": settings.to_json()})
            contents.settings = settings
        return contents

    def _append(self, value: dict[str, Any]) -> None:
        data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        while data:
            data = data[os.write(self._fd, data) :]
        os.fsync(self._fd)

    def add(self, row: GameRow) -> bool:
        """Keep a game; when this returns it is on the disk. False, and nothing is kept, where it was there already."""
        if row.game in self.contents.games:
            return False
        self._append(row.to_json())
        self.contents.games[row.game] = replace(row, turns=())
        return True

    def add_programs(self, programs: Mapping[str, str]) -> None:
        """Keep what entrants call themselves, where that is new."""
        new = {name: text for name, text in programs.items() if self.contents.programs.get(name) != text}
        if new:
            self._append({"programs": new})
            self.contents.programs.update(new)

    def close(self) -> None:
        """Give the journal back. Harmless when that has been done."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)


def _lock(fd: int, path: str) -> None:
    """Lock a file until it is closed, by whatever way. Raises JournalError when another program has done so."""
    deadline = time.monotonic() + LOCK_TIME
    while not _try_lock(fd):
        if time.monotonic() > deadline:
            raise JournalError(f"{path} is in use: another match writes to it")
        time.sleep(0.05)


def _try_lock(fd: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            # A byte far beyond the end, so that others can still read the file.
            os.lseek(fd, 1 << 40, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
