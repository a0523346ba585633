"""Records of games: own JSON, PGN with the deal, and JieqiBox's JSON, written and read.

A record is either the referee's, which has the deal and every letter, or a view's, which has the moves as that side was
told them and no deal: it is safe to hand on while the game is played. Whatever is read is played through first, so a
record that comes back is one of legal moves; letters that contradict the deal or what was left unseen are an error.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from engines.errors import QiqiaoError
from engines.jieqi.board import start_points
from engines.jieqi.deal import Deal
from engines.jieqi.ends import Rules
from engines.jieqi.fen import Position, read_fen, write_fen
from engines.jieqi.forms import FORMS, HOME, form_of, home_color
from engines.jieqi.game import Game
from engines.jieqi.moves import parse
from engines.jieqi.notation import MoveNames
from engines.jieqi.view import Model, View
from engines.xiangqi.geometry import PIECE_LETTERS, square_name
from engines.xiangqi.records import RESULTS, read_result

__all__ = [
    "FORMAT",
    "Record",
    "RecordError",
    "read_jieqibox",
    "read_json",
    "read_pgn",
    "write_jieqibox",
    "write_json",
    "write_pgn",
]

FORMAT = "qiqiao-variant-game"
VERSION = 1
VIEWS: dict[str, int | None] = {"red": 0, "black": 1, "spectator": None}
"""The views that a record can be of, with the side of each; the referee's is ``referee``."""

_RULES = ("capture_view", "limit", "repetition")
_PGN_RULES = {"capture_view": "CaptureView", "limit": "Limit", "repetition": "Repetition"}


class RecordError(QiqiaoError, ValueError):
    """Text that is no record of a game; the text says what is wrong, and where."""


@dataclass
class Record:
    """One game. ``setup`` is a FEN, "" for the start; ``deal`` what lay face down there, ``None`` in a view's record.

    ``view``: whose record it is, ``referee`` or a key of ``VIEWS``. ``moves`` as that one was told them. ``result`` is
    one of ``RESULTS`` and ``reason`` a key of ``ends.REASONS`` or "". ``tags``: names, dates and so on. ``commitment``
    and ``salt``: what was published before the game, and what opens it. ``comments``: by the number of the move they
    follow, 0 before the first.
    """

    rules: Rules = field(default_factory=Rules)
    setup: str = ""
    deal: Deal | None = None
    view: str = "referee"
    moves: list[str] = field(default_factory=list)
    result: str = "*"
    reason: str = ""
    tags: dict[str, str] = field(default_factory=dict)
    commitment: str = ""
    salt: str = ""
    comments: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of_game(cls, game: Game, **tags: str) -> Record:
        """The referee's record of a game, with the deal: not for players before it is over."""
        start = game.copy()
        while start.plies:
            start.undo()
        setup = start.setup_text()
        if setup == Game(game.form.name).setup_text():
            setup = ""
        return cls(game.rules, setup, game.deal, "referee", game.moves, *_ending(game.result), dict(tags))

    @classmethod
    def of_view(cls, view: View, setup: str = "", **tags: str) -> Record:
        """A side's own record: what it was told. ``setup``: that side's FEN of the set-up, "" for the start."""
        name = next(name for name, side in VIEWS.items() if side == view.side)
        if not setup and view.side is not None and form_of(view.form).layout == "free":
            setup = _laid(view, view.side)
        return cls(view.rules, setup, None, name, list(view.told), *_ending(view.result), dict(tags))

    def game(self) -> Game:
        """The game played through. ``RecordError`` where it can't be, or where it is a view's record."""
        if self.deal is None:
            raise RecordError("a view's record has no deal to play the game by")
        try:
            game = Game(self.rules.form, self.setup or None, self.deal, rules=self.rules)
        except ValueError as error:
            raise RecordError(str(error)) from None
        for number, text in enumerate(self.moves, start=1):
            try:
                said = parse(game.board, text)
                found = game.play(said.move)
            except ValueError as error:
                raise RecordError(f"move {number}: {error}") from None
            told = game.last
            if (said.shown or told.shown, said.taken or told.taken) != (told.shown, told.taken):
                raise RecordError(f"move {number} is {text}, but by the deal it is {found}")
        return game

    def model(self) -> Model:
        """The game played through as the record's view knows it. ``RecordError`` where it can't be."""
        side = VIEWS.get(self.view)
        try:
            start = View.read(self.setup, side, self.rules) if self.setup else View.start(side, self.rules)
        except ValueError as error:
            raise RecordError(str(error)) from None
        model = start.model()
        for number, text in enumerate(self.moves, start=1):
            try:
                model.play(text)
            except ValueError as error:
                raise RecordError(f"move {number}: {error}") from None
        return model

    def completed(self) -> Record:
        """The record with every move as its owner was told it. ``RecordError`` where it can't be played."""
        self.moves = self.game().moves if self.deal is not None else list(self.model().told)
        return self


def _laid(view: View, side: int) -> str:
    """The FEN of the start as a side knows it that has laid its pieces."""
    board = view.board
    while board.plies:
        board.undo()
    own = {
        square: point.piece
        for square, point in enumerate(board.points())
        if point and point.dark and home_color(square) == side
    }
    kinds = form_of(view.form).points(side ^ 1)
    pool = Counter(HOME[square] + 8 * (side ^ 1) for square in kinds)
    return write_fen(Position(view.form, tuple(start_points(view.form, own)), pool=pool))


def _ending(result: Any) -> tuple[str, str]:
    if result is None:
        return "*", ""
    return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[result.winner], result.reason


# -- own JSON


def write_json(record: Record) -> str:
    """A record as own JSON; ends with a newline."""
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "game": record.rules.form}
    data["rules"] = {name: getattr(record.rules, name) for name in _RULES}
    data["view"] = record.view
    if record.setup:
        data["setup"] = record.setup
    if record.deal is not None:
        data["deal"] = {square_name(at): PIECE_LETTERS[piece] for at, piece in sorted(record.deal.hidden.items())}
    data["moves"] = record.moves
    data["result"] = record.result
    for name in ("reason", "commitment", "salt", "tags"):
        if getattr(record, name):
            data[name] = getattr(record, name)
    if record.comments:
        data["comments"] = {str(number): text for number, text in sorted(record.comments.items())}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def read_json(text: str) -> Record:
    """The record that own JSON tells. ``RecordError`` for any other text."""
    data = _load(text)
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        raise RecordError(f"this is no {FORMAT} of version {VERSION}")
    rules = _rules(str(data.get("game")), _dict(data, "rules"))
    deal = None
    if "deal" in data:
        deal = _deal(rules.form, _dict(data, "deal"))
    view = data.get("view", "referee")
    if view not in ("referee", *VIEWS) or (view == "referee") != (deal is not None):
        raise RecordError(f"the record is of {view!r} and has {'a' if deal else 'no'} deal")
    try:
        comments = {int(number): str(said) for number, said in _dict(data, "comments").items()}
    except ValueError:
        raise RecordError("comments are told by the numbers of moves") from None
    return Record(
        rules,
        str(data.get("setup", "")),
        deal,
        view,
        _moves(data.get("moves", [])),
        read_result(str(data.get("result", "*"))) or "*",
        str(data.get("reason", "")),
        {str(name): str(value) for name, value in _dict(data, "tags").items()},
        str(data.get("commitment", "")),
        str(data.get("salt", "")),
        comments,
    ).completed()


def _load(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"this is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise RecordError("the JSON is no object")
    return data


def _dict(data: dict[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name) or {}
    if not isinstance(found, dict):
        raise RecordError(f"{name!r} is no object")
    return found


def _moves(found: Any) -> list[str]:
    if not isinstance(found, list) or not all(isinstance(move, str) for move in found):
        raise RecordError("the moves are no list of texts")
    return list(found)


def _rules(form: str, said: dict[str, Any]) -> Rules:
    if form not in FORMS:
        raise RecordError(f"the record is of a game {form!r}, which is none of {', '.join(FORMS)}")
    try:
        return Rules(form).but(**{name: str(said[name]) for name in _RULES if name in said})
    except ValueError as error:
        raise RecordError(str(error)) from None


def _deal(form: str, said: dict[str, Any]) -> Deal:
    hidden = {}
    for name, letter in said.items():
        if not re.fullmatch("[a-i][0-9]", name) or letter not in list("RACPNBracpnb"):
            raise RecordError(f"the deal has {letter!r} on {name!r}")
        square = int(name[1]) * 9 + "abcdefghi".index(name[0])
        hidden[square] = PIECE_LETTERS.index(letter)
        if hidden[square] >> 3 != home_color(square):
            raise RecordError(f"the deal has {letter!r} on {name!r}, which is the other side's")
    return Deal(form, hidden)


# -- PGN


def write_pgn(record: Record, notation: str = "simplified") -> str:
    """A record as PGN; its moves in coordinates as they were told, or in Chinese (``simplified``, ``traditional``).

    A view's record is always in coordinates: Chinese names don't tell what was taken face down, and there is no deal
    to tell it by.
    """
    if notation not in ("coordinate", "simplified", "traditional"):
        raise ValueError(f"no record is written in {notation!r}: there are coordinate, simplified, traditional")
    if record.deal is None:
        notation = "coordinate"
    tags = {name: record.tags.get(name, "") for name in ("Event", "Site", "Date", "Round", "Red", "Black")}
    tags = {"Game": "Chinese Chess", "Variant": record.rules.form, **tags, "Result": record.result}
    tags |= {_PGN_RULES[name]: getattr(record.rules, name) for name in _RULES}
    tags["View"] = record.view
    if record.deal is not None:
        tags["Deal"] = " ".join(
            f"{square_name(at)}{PIECE_LETTERS[piece]}" for at, piece in sorted(record.deal.hidden.items())
        )
    optional = {"FEN": record.setup, "Termination": record.reason}
    optional |= {"Commitment": record.commitment, "Salt": record.salt}
    tags |= {name: value for name, value in optional.items() if value}
    tags |= {name: value for name, value in record.tags.items() if name not in tags}
    tags["Format"] = "ICCS" if notation == "coordinate" else "Chinese"
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *_wrap([*_words(record, notation), record.result]), ""])


def _escape(value: str) -> str:
    return " ".join(value.replace("\\", "\\\\").replace('"', '\\"').split())


def _words(record: Record, notation: str) -> list[str]:
    words: list[str] = []
    game = Game(record.rules.form, record.setup or None, record.deal, rules=record.rules) if record.deal else None
    first = game.turn if game else (View.read(record.setup, None, record.rules).turn if record.setup else 0)
    for number, text in enumerate(["", *record.moves]):
        if number:
            ply = number - 1 + first
            if ply % 2 == 0 or number == 1:
                words.append(f"{ply // 2 + 1}." + (" ..." if ply % 2 else ""))
            if game is not None and notation != "coordinate":
                names = MoveNames(game.board)
                game.play(parse(game.board, text).move)
                text = names.write(game.last.move, notation, game.last.shown)
            words.append(text)
        if record.comments.get(number):
            words.append("{" + record.comments[number].replace("}", "｝") + "}")
    return words


def _wrap(words: list[str], width: int = 78) -> list[str]:
    lines = [""]
    for word in words:
        taken = sum(2 if character > "\u2e80" else 1 for character in lines[-1] + word)
        if lines[-1] and taken + 1 > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


_TAG = re.compile(r'\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]')
_TOKEN = re.compile(r"\{([^}]*)\}|([^\s{]+)")


def read_pgn(text: str) -> Record:
    """The record that a PGN of this program tells; moves in any notation. ``RecordError`` for any other text."""
    tags: dict[str, str] = {}
    at = 0
    while match := _TAG.match(text, at):
        tags[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
        at = match.end()
    said_rules = {name: tags.pop(tag) for name, tag in _PGN_RULES.items() if tag in tags}
    rules = _rules(tags.pop("Variant", ""), said_rules)
    view, said = tags.pop("View", "referee"), tags.pop("Deal", None)
    if view not in ("referee", *VIEWS) or (view == "referee") != (said is not None):
        raise RecordError(f"the record is of {view!r} and has {'no' if said is None else 'a'} deal")
    deal = None if said is None else _deal(rules.form, {word[:2]: word[2:] for word in said.split()})
    record = Record(rules, tags.pop("FEN", ""), deal, view)
    record.result = read_result(tags.pop("Result", "*")) or "*"
    record.reason = tags.pop("Termination", "")
    record.commitment, record.salt = tags.pop("Commitment", ""), tags.pop("Salt", "")
    record.tags = {name: value for name, value in tags.items() if value and name not in ("Game", "Format")}
    names = _Reader(record)
    for comment, word in _TOKEN.findall(text[at:]):
        if comment:
            record.comments[len(record.moves)] = comment.strip()
        elif word and not re.fullmatch(r"\d+\.*|\.+", word) and word not in RESULTS:
            names.add(re.sub(r"^\d+\.+", "", word))
    return record


class _Reader:
    """Adds moves to a record while it plays them."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = record.game() if record.deal is not None else None
        self.model = record.model() if record.deal is None else None

    def add(self, word: str) -> None:
        """A move in any notation. ``RecordError`` when it can't be made."""
        number = len(self.record.moves) + 1
        try:
            if self.game is not None:
                told = MoveNames(self.game.board).read(word)
                text = self.game.play(told.move)
                last = self.game.last
                if told.shown not in (0, last.shown) or told.taken not in (0, last.taken):
                    raise ValueError(f"{word}, but by the deal it is {text}")
            else:
                assert self.model is not None
                text = self.model.play(word)
        except ValueError as error:
            raise RecordError(f"move {number}: {error}") from None
        self.record.moves.append(text)


# -- JieqiBox


def write_jieqibox(record: Record) -> str:
    """A record as JieqiBox saves games; positions and letters are those of the record's view.

    The referee's record has no deal there: JieqiBox knows of a piece only what has shown.
    """
    if record.rules.form not in ("jieqi",):
        raise RecordError(f"JieqiBox plays jieqi, not {record.rules.form}")
    fens: list[str] = []
    if record.deal is not None:
        game = Game(record.rules.form, record.setup or None, record.deal, rules=record.rules)
        fens.append(game.setup_text())
        for text in record.moves:
            game.play(parse(game.board, text).move)
            fens.append(game.setup_text())
    else:
        side = VIEWS[record.view]
        start = View.read(record.setup, side, record.rules) if record.setup else View.start(side, record.rules)
        model = start.model()
        fens.append(model.setup_text())
        for text in record.moves:
            model.play(text)
            fens.append(model.setup_text())
    moves = [
        {"type": "move", "data": text, "fen": fen, "comment": record.comments.get(number, "")}
        for number, (text, fen) in enumerate(zip(record.moves, fens[1:], strict=True), start=1)
    ]
    metadata = {
        **{name.lower(): value for name, value in record.tags.items()},
        "initialFen": fens[0],
        "currentFen": fens[-1],
        "flipMode": "random",
        "result": record.result,
    }
    return json.dumps({"metadata": metadata, "moves": moves}, ensure_ascii=False, indent=2) + "\n"


def read_jieqibox(text: str) -> Record:
    """The game that a file of JieqiBox's tells, as a spectator's record: it has no deal.

    A position set by hand in the middle (``adjust``) begins the record anew, since what leads to it is no game.
    ``RecordError`` for any other text.
    """
    data = _load(text)
    metadata = _dict(data, "metadata")
    entries = data.get("moves", [])
    if "initialFen" not in metadata or not isinstance(entries, list):
        raise RecordError("this is no game of JieqiBox's: it has no metadata.initialFen, or no list of moves")
    rules = Rules("jieqi", capture_view="captor")
    record = Record(rules, _start(str(metadata["initialFen"])), None, "spectator")
    for entry in entries:
        if not isinstance(entry, dict):
            raise RecordError("a move of the file is no object")
        if entry.get("type") == "adjust":
            record.setup, record.moves, record.comments = _start(str(entry.get("fen", ""))), [], {}
        elif entry.get("type", "move") == "move":
            record.moves.append(str(entry.get("data", "")))
            if entry.get("comment"):
                record.comments[len(record.moves)] = str(entry["comment"])
    record.result = read_result(str(metadata.get("result") or "*")) or "*"
    record.tags = {
        name.capitalize(): str(value)
        for name, value in metadata.items()
        if name in ("event", "site", "date", "round", "red", "black") and value
    }
    return record.completed()


def _start(fen: str) -> str:
    """The FEN of a set-up in own form, "" for the start of a game."""
    try:
        text = write_fen(read_fen(fen, "jieqi"))
    except ValueError as error:
        raise RecordError(str(error)) from None
    return "" if text == View.start(None, Rules("jieqi")).setup_text() else text
