"""Records of banqi and luoqi for whoever reads any record; see ``engines.stored``. ``engines.sanguo.stored`` has its
own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from engines.banqi import diagram, terminal
from engines.banqi.records import own, platform
from engines.banqi.records.own import Record
from engines.drawing.grid import Grid
from engines.drawing.svg import Board
from engines.stored import StoredGame
from engines.terms import Language

_OWN = re.compile(r'"format"\s*:\s*"(\w+)"')
_NAME = re.compile(r'"game"\s*:\s*"(\w+)"')
_GAME = re.compile(r'^\s*\[\s*Game\s+"(\w+)"\s*\]', re.MULTILINE)
_PLATFORM = re.compile(r"^\s*(INITIAL\s*$|\*\s*1 2 2 2 2 2 5 1 2 2 2 2 2 5\s*$)", re.MULTILINE)


def format_of(text: str, games: tuple[str, ...] = ("banqi", "luoqi")) -> str:
    """The name of the format of a text that is a record of one of these games: JSON, PGN, platform; "" for none."""
    head = text[:4096]
    if head.lstrip()[:1] == "{":
        found, game = _OWN.search(head), _NAME.search(head)
        return "JSON" if found and found[1] == own.FORMAT and game and game[1] in games else ""
    found = _GAME.search(head)
    if found and found[1] in games:
        return "PGN"
    return "platform" if "banqi" in games and _PLATFORM.search(head) else ""


def read(text: str) -> StoredGame:
    """The game of a text of such a format. Raises ValueError."""
    name = format_of(text)
    return HalfRecord(READERS[name](text), name)


def _platform(text: str) -> Record:
    return platform.read_platform(text).record()


READERS: dict[str, Callable[[str], Record]] = {"JSON": own.read_json, "PGN": own.read_pgn, "platform": _platform}
"""Who reads a format."""


class HalfRecord(StoredGame):
    """A game of banqi or luoqi; positions are views. See ``engines.stored.StoredGame``."""

    sides: tuple[str, ...] = ("First", "Second")
    targets: ClassVar[tuple[str, ...]] = ("pgn", "json", "platform", "moves")

    def __init__(self, record: Record, format_: str) -> None:
        self.record = record
        self.game, self.format = record.game, format_
        self.names = tuple(record.players)
        self.result = own.score_text(record)
        own.model(record)  # what can't be played is told at once

    def _viewed(self, view: str) -> Record:
        record = self.record
        if view in ("", "all") and (not view or record.whole):
            return record
        if view == "all":
            raise ValueError("the record is one view of a game: it has no deal")
        return self._told(self._side(view))

    def _side(self, view: str) -> int | None:
        """The side of a view. Raises ValueError."""
        if view == "spectator":
            return None
        names = ("red", "black", "third")[: len(self.sides)]
        numbers = tuple(str(number + 1) for number in range(len(self.sides)))
        for known in (names, numbers):
            if view in known:
                return known.index(view)
        raise ValueError(f"there is no view {view!r}: there are all, {', '.join(numbers)}, spectator")

    def _told(self, side: int | None) -> Record:
        """The record as a side was told it."""
        record = self.record
        if not record.whole:
            return record
        game = own.referee(record)
        found = own.record_of(game, side, False, tuple(record.players))
        found.tags = dict(record.tags)
        found.winner, found.reason, found.scores = record.winner, record.reason, list(record.scores)
        return found

    def moves(self, view: str = "") -> list[str]:
        """See ``engines.stored.StoredGame``."""
        return list(self._viewed(view).moves)

    def positions(self, view: str = "") -> list[Any]:
        """See ``engines.stored.StoredGame``."""
        model, found = own.model(self._viewed(view)), []
        while model.told:
            found.append(model.model())
            model.undo()
        return [model.model(), *found[::-1]]

    def model(self) -> Any:
        """See ``engines.stored.StoredGame``."""
        return own.model(self.record)

    def write(self, target: str, view: str = "") -> str:
        """See ``engines.stored.StoredGame``."""
        record = self._viewed(view)
        if target == "json":
            return own.write_json(record)
        if target == "pgn":
            return own.write_pgn(record)
        if target == "moves":
            return " ".join([*([f"[{record.setup}]"] if record.setup else []), *record.moves]) + "\n"
        if target == "platform":
            names = [*record.players, "", ""]
            return platform.write_platform(own.referee(self.record), (names[0] or "ann", names[1] or "bob"))
        raise ValueError(f"a game of {self.game} can't be written as {target}: there are {', '.join(self.targets)}")

    def grid(self, seen: Any, letters: bool = False, language: Language = "en") -> Grid:
        """See ``engines.stored.StoredGame``."""
        return terminal.grid(seen, letters, language)

    def board(self, language: Language = "en", flipped: bool = False) -> Board:
        """See ``engines.stored.StoredGame``."""
        return diagram.half_board(terminal.script_of(language))

    def standing(self, seen: Any) -> dict[int, str]:
        """See ``engines.stored.StoredGame``."""
        return {at: "X" if what == "?" else what for at, what in enumerate(seen.contents) if what}
