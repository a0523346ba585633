"""Records of jieqi and fanqi for whoever reads any record: own JSON and PGN, JieqiBox's; see ``engines.stored``."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from engines.drawing.grid import Grid
from engines.drawing.svg import Board
from engines.jieqi import records
from engines.jieqi.diagram import jieqi_board, standing
from engines.jieqi.forms import FORMS
from engines.jieqi.game import Game
from engines.jieqi.moves import parse
from engines.jieqi.notation import MoveNames
from engines.jieqi.records import VIEWS, Record
from engines.jieqi.terminal import grid
from engines.jieqi.view import View
from engines.stored import StoredGame
from engines.terms import Language

_VARIANT = re.compile(r'^\s*\[\s*Variant\s+"(\w+)"\s*\]', re.MULTILINE)
_READERS = {"JSON": records.read_json, "PGN": records.read_pgn, "JieqiBox": records.read_jieqibox}


def format_of(text: str) -> str:
    """The name of the format of a text: JSON, PGN, JieqiBox; "" for none of these."""
    head = text[:4096]
    if head.lstrip()[:1] == "{":
        if f'"{records.FORMAT}"' in head:
            return "JSON"
        return "JieqiBox" if '"initialFen"' in head else ""
    found = _VARIANT.search(head)
    return "PGN" if found and found[1].lower() in FORMS else ""


def read(text: str) -> JieqiRecord:
    """The game of a text of such a format. Raises ValueError."""
    name = format_of(text)
    return JieqiRecord(_READERS[name](text), name)


class JieqiRecord(StoredGame):
    """See ``engines.stored.StoredGame``; positions are views."""

    sides = ("Red", "Black")
    targets = ("pgn", "pgn-traditional", "pgn-coordinate", "json", "jieqibox", "moves")

    def __init__(self, record: Record, format_: str) -> None:
        self.record = record
        self.game, self.format = record.rules.form, format_
        self.names = (record.tags.get("Red", ""), record.tags.get("Black", ""))
        self.result = record.result

    def _viewed(self, view: str) -> Record:
        """The record as a viewer was told it. Raises ValueError."""
        record = self.record
        own = "all" if record.view == "referee" else record.view
        if view in ("", own):
            return record
        if record.deal is None:
            raise ValueError(f"the record is of one view, {record.view}'s; it can't tell what {view} knew")
        if view not in VIEWS:
            raise ValueError(f"there is no view {view!r}: there are all, {', '.join(VIEWS)}")
        game = record.game()
        found = Record.of_view(game.observe(VIEWS[view]), self._setup(view), **record.tags)
        found.result, found.reason, found.commitment = record.result, record.reason, record.commitment
        return found  # without comments, which may say what this viewer does not know

    def _setup(self, view: str) -> str:
        """The FEN of the set-up as a viewer knows it, "" for the start."""
        record = self.record
        if not record.setup:
            return ""
        return Game(record.rules.form, record.setup, record.deal, rules=record.rules).observe(VIEWS[view]).setup_text()

    def moves(self, view: str = "") -> list[str]:
        """See ``engines.stored.StoredGame``."""
        return list(self._viewed(view).moves)

    def positions(self, view: str = "") -> list[Any]:
        """See ``engines.stored.StoredGame``."""
        record = self._viewed(view)
        if record.deal is None:
            model, found = record.model(), []
            while model.told:
                found.append(model.model())
                model.undo()
            return [model.model(), *found[::-1]]
        game = Game(record.rules.form, record.setup or None, record.deal, rules=record.rules)
        seen = [_whole(game)]
        for text in record.moves:
            game.play(parse(game.board, text).move)
            seen.append(_whole(game))
        return seen

    def model(self) -> Any:
        """See ``engines.stored.StoredGame``."""
        return self._viewed("" if self.record.deal is None else "spectator").model()

    def write(self, target: str, view: str = "") -> str:
        """See ``engines.stored.StoredGame``."""
        record = self._viewed(view)
        if target == "json":
            return records.write_json(record)
        if target == "jieqibox":
            return records.write_jieqibox(record)
        if target == "moves":
            return " ".join([*([f"[{record.setup}]"] if record.setup else []), *record.moves]) + "\n"
        if target in ("pgn", "pgn-traditional", "pgn-coordinate"):
            return records.write_pgn(record, target.partition("-")[2] or "simplified")
        raise ValueError(f"a game of {self.game} can't be written as {target}: there are {', '.join(self.targets)}")

    def grid(self, seen: View, letters: bool = False, language: Language = "en") -> Grid:
        """See ``engines.stored.StoredGame``."""
        return grid(seen, None if letters else "simplified" if language == "zh-Hans" else "traditional", language)

    def board(self, language: Language = "en", flipped: bool = False) -> Board:
        """See ``engines.stored.StoredGame``."""
        script = "simplified" if language == "zh-Hans" else "traditional"
        return jieqi_board(script, "letters" if language == "en" else "chinese", flipped)

    def standing(self, seen: View) -> dict[int, str]:
        """See ``engines.stored.StoredGame``."""
        return standing(seen.points)

    def name_of(self, seen: View, told: str, language: Language = "en") -> str:
        """See ``engines.stored.StoredGame``."""
        if language == "en":
            return told
        said = parse(seen.board, told)
        return MoveNames(seen.board).write(
            said.move, "simplified" if language == "zh-Hans" else "traditional", said.shown
        )

    def comment(self, ply: int) -> str:
        """See ``engines.stored.StoredGame``."""
        return self.record.comments.get(ply, "")


def _whole(game: Game) -> View:
    """The referee's own position as a view: all is known."""
    return View(game.board, None, game.rules, Counter(), Counter(), game.moves, game.result)
