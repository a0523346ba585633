"""A game of banqi, luoqi or sanguo as JSON or PGN, with the deal, or as one view of it was told.

JSON: one object, ``{"format": "qiqiao", "version": 1, "game": …, "options": {…}, "setup": …, "deal": …, "salt": …,
"commitment": …, "players": […], "tags": {…}, "moves": […], "result": {…}}``. A record of a view has neither deal nor
salt, and its set-up is the view's FEN; the commitment may be in both.

PGN: the same in tags (``Game``, ``Options``, ``FEN``, ``Deal``, ``Salt``, ``Commitment``, ``Player1`` …, ``Result``,
``Termination``), then the moves with a number before each round. ``Result`` has a score for each side, ``1-0``,
``1/2-1/2``, ``1-0-0``, or ``*``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from engines.banqi.referee import REASONS, Referee
from engines.errors import QiqiaoError

FORMAT, VERSION = "qiqiao", 1
GAMES = ("banqi", "luoqi", "sanguo")
"""The games that these records are for; the last two are built upon this one, and are found by name."""

LARGEST = 1 << 24
"""Characters of the longest record that is read."""


class RecordError(QiqiaoError, ValueError):
    """A text that is no record, or whose moves can't be played; it says why."""


@dataclass
class Record:
    """What a record says. ``moves`` as they are told; ``winner`` a side, None for a draw; ``reason`` a key of
    ``REASONS``, "" while the game goes on."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    setup: str = ""
    deal: str = ""
    salt: str = ""
    commitment: str = ""
    players: list[str] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    winner: int | None = None
    reason: str = ""
    scores: list[float] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Whether it has all that a referee knows: nothing was dealt, or the deal is told."""
        return bool(self.deal) or "X" not in self.setup.split(" ")[0]


def record_of(game: Referee, side: int | None = None, whole: bool = True, players: tuple[str, ...] = ()) -> Record:
    """The record of a game: all of it, or, where not ``whole``, as ``side`` (None: a spectator) was told it."""
    result = game.result
    record = Record(game.name, game.options, players=list(players), commitment=game.commitment or "")
    record.setup = game.board.start
    if whole:
        record.moves = game.moves
        if game.deal is not None:
            record.deal, record.salt = game.deal.letters, game.deal.salt
    else:
        record.moves = list(game.observe(side).told)  # type: ignore[attr-defined]
    if result is not None:
        record.winner, record.reason, record.scores = result.winner, result.reason, list(result.scores)
    return record


def referee(record: Record) -> Referee:
    """The game of a record, played to its end. ``RecordError`` for one that can't be, or isn't ``whole``."""
    if not record.whole:
        raise RecordError("the record has no deal: it is one view of a game")
    kind = import_module(f"engines.{record.game}.game").Game
    arguments: dict[str, Any] = {"setup": record.setup or None, **record.options}
    if record.deal:
        from engines.dealing import Deal

        arguments["deal"] = Deal(record.deal, record.salt or None)
    try:
        game: Referee = kind(**arguments)
        for text in record.moves:
            game.play_text(text)
    except (TypeError, ValueError) as error:
        raise RecordError(str(error)) from None
    if game.result is None and record.reason in ("resignation", "time", "forfeit") and record.winner is not None:
        game.lose(1 - record.winner, record.reason)
    if game.result is None and record.reason == "agreement" and game.sides == 2:
        game.offer_draw(game.turn)
        game.answer_offer(1 - game.turn, True)
    return game


def model(record: Record) -> Any:
    """What a record's moves lead to as they were told, for a record with or without the deal. ``RecordError`` for one
    that can't be played."""
    kind = import_module(f"engines.{record.game}.game").Game
    try:
        found = kind(setup=record.setup or None, **record.options).observe(None).model()
        for text in record.moves:
            found.play(text)
    except (TypeError, ValueError) as error:
        raise RecordError(str(error)) from None
    return found


# ---- JSON


def write_json(record: Record) -> str:
    """A record as JSON, one line a field."""
    result = {"winner": record.winner, "reason": record.reason, "scores": record.scores} if record.reason else None
    body = {
        "format": FORMAT,
        "version": VERSION,
        "game": record.game,
        "options": record.options,
        "setup": record.setup,
        "deal": record.deal,
        "salt": record.salt,
        "commitment": record.commitment,
        "players": record.players,
        "tags": record.tags,
        "moves": record.moves,
        "result": result,
    }
    kept = {name: value for name, value in body.items() if value or name in ("format", "version", "game", "moves")}
    lines = (f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in kept.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_json(text: str) -> Record:
    """The record that a JSON text is. ``RecordError`` for another text."""
    try:
        body = json.loads(_bounded(text))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"that is no JSON: {error}") from None
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise RecordError("that is no record of qiqiao's")
    if body.get("version") != VERSION:
        raise RecordError(f"the record is of version {body.get('version')!r}, and {VERSION} is read here")
    record = Record(_game(body.get("game")))
    for name in ("setup", "deal", "salt", "commitment"):
        setattr(record, name, _typed(body, name, str, ""))
    for name in ("options", "tags"):
        setattr(record, name, _typed(body, name, dict, {}))
    for name in ("players", "moves"):
        values = _typed(body, name, list, [])
        if not all(isinstance(value, str) for value in values):
            raise RecordError(f"{name} are not all texts")
        setattr(record, name, values)
    result = _typed(body, "result", dict, {})
    if result:
        record.winner, record.reason = result.get("winner"), _reason(result.get("reason"))
        record.scores = [float(score) for score in _typed(result, "scores", list, []) if isinstance(score, int | float)]
        if record.winner is not None and record.winner not in range(3):
            raise RecordError(f"there is no winner {record.winner!r}")
    return record


def _typed(body: dict[str, Any], name: str, kind: type, default: Any) -> Any:
    value = body.get(name, default)
    if value is None:
        return default
    if not isinstance(value, kind):
        raise RecordError(f"{name} is no {kind.__name__}")
    return value


def _game(name: object) -> str:
    if name not in GAMES:
        raise RecordError(f"the record is of {name!r}, not of one of {', '.join(GAMES)}")
    return str(name)


def _reason(reason: object) -> str:
    if reason not in REASONS:
        raise RecordError(f"no game ends by {reason!r}")
    return str(reason)


def _bounded(text: str) -> str:
    if len(text) > LARGEST:
        raise RecordError("the record is too long")
    return text


# ---- PGN

_TAG = re.compile(r'\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]')
_TOKEN = re.compile(r"\{[^}]*\}|\d+\.+(?!\d)|\*|[^\s{}]+")
_OWN = ("Game", "Options", "FEN", "Deal", "Salt", "Commitment", "Result", "Termination", "SetUp")


def write_pgn(record: Record) -> str:
    """A record as PGN."""
    tags = {"Game": record.game}
    tags |= {f"Player{number}": name for number, name in enumerate(record.players, 1)}
    tags |= record.tags
    tags["Options"] = " ".join(f"{name}={_option(value)}" for name, value in record.options.items())
    if record.setup:
        tags |= {"SetUp": "1", "FEN": record.setup}
    tags |= {"Deal": record.deal, "Salt": record.salt, "Commitment": record.commitment}
    result = score_text(record)
    tags |= {"Result": result, "Termination": record.reason}
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items() if value]
    sides = 3 if record.game == "sanguo" else 2
    words = []
    for number, move in enumerate(record.moves):
        if number % sides == 0:
            words.append(f"{number // sides + 1}.")
        words.append(move.replace(" ", "_"))
    words.append(result)
    return "\n".join(lines) + "\n\n" + "\n".join(_folded(words)) + "\n"


def read_pgn(text: str) -> Record:
    """The record that a PGN text is. ``RecordError`` for another text."""
    text = _bounded(text)
    tags = {match[1]: re.sub(r"\\(.)", r"\1", match[2]) for match in _TAG.finditer(text)}
    record = Record(_game(tags.get("Game")))
    record.setup, record.deal = tags.get("FEN", ""), tags.get("Deal", "")
    record.salt, record.commitment = tags.get("Salt", ""), tags.get("Commitment", "")
    for word in tags.get("Options", "").split():
        name, _, value = word.partition("=")
        record.options[name] = _read_option(value)
    for number in range(1, 4):
        if f"Player{number}" in tags:
            record.players.append(tags[f"Player{number}"])
    known = {*_OWN, *(f"Player{number}" for number in range(1, 4))}
    record.tags = {name: value for name, value in tags.items() if name not in known}
    result = tags.get("Result", "*")
    for token in _TOKEN.findall(_TAG.sub("", text)):
        if token[0] == "{" or re.fullmatch(r"\d+\.+", token) or token == result:
            continue
        record.moves.append(token.replace("_", " "))
    if result != "*":
        try:
            record.scores = [0.5 if part == "1/2" else float(part) for part in re.split(r"(?<=\d)-", result)]
        except ValueError:
            raise RecordError(f"{result!r} is no result") from None
        record.reason = _reason(tags.get("Termination", "forfeit"))
        best = max(record.scores)
        record.winner = record.scores.index(best) if record.scores.count(best) == 1 else None
    return record


def score_text(record: Record) -> str:
    """The result as PGN has it: a score for each side, ``*`` without one."""
    if not record.reason:
        return "*"
    return "-".join("1/2" if score == 0.5 else f"{score:.6g}" for score in record.scores)


def _option(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_option(value: str) -> object:
    if value in ("true", "false"):
        return value == "true"
    return int(value) if value.lstrip("-").isdigit() else value


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def _folded(words: list[str], width: int = 79) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines
