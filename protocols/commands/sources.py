"""What ``describe`` and ``show`` are given: a record of either game, a FEN, or standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from engines import files
from engines.go.records import MAX_BYTES as GO_BYTES
from engines.go.records import Record as GoRecord
from engines.go.records import RecordError as GoRecordError
from engines.go.records import sgf
from engines.go.records.reading import parse, read_game
from engines.terms import Language
from engines.text import decode_text
from engines.xiangqi.board import Board
from engines.xiangqi.epd import read_epd
from engines.xiangqi.records import MAX_BYTES as XIANGQI_BYTES
from engines.xiangqi.records import Record as XiangqiRecord
from engines.xiangqi.records import RecordError, read_games
from protocols.commands.given import read_given

MAX_BYTES = max(GO_BYTES, XIANGQI_BYTES)

_SGF = re.compile(r"[^\[\]]{0,2000}?\(\s*;")
_PLACEMENT = re.compile(r"\s*(?:position\s+)?(?:fen\s+)?[\"']?[A-Za-z1-9]+(?:/[A-Za-z1-9]+){9}")
_WORDS = re.compile(r"\s*(?:position\s+)?(?:startpos\b|fen\s)", re.IGNORECASE)


@dataclass(frozen=True)
class GoSource:
    """A game of Go: its main line as a record, and the whole of its tree."""

    record: GoRecord
    tree: sgf.Tree


@dataclass(frozen=True)
class XiangqiSource:
    """A game of Xiangqi; a position alone is one without moves."""

    record: XiangqiRecord


Source = GoSource | XiangqiSource


def read_sources(words: list[str]) -> list[Source]:
    """All games of the file that the words name, of a FEN with or without moves, or (``-``) of standard input.

    Raises ValueError with the reason for what can't be read.
    """
    if words == ["-"]:
        data = sys.stdin.buffer.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ValueError(f"standard input is larger than {MAX_BYTES} bytes")
        return parse_sources(data)
    if len(words) == 1 and not _PLACEMENT.match(words[0]) and not _WORDS.match(words[0]):
        try:
            return parse_sources(files.read_bytes(words[0], MAX_BYTES))
        except OSError as error:
            raise ValueError(f"cannot read {words[0]}: {error.strerror or error}") from None
        except ValueError as error:
            raise ValueError(f"{words[0]}: {error}") from None
    return [_given(words)]


def parse_sources(data: bytes) -> list[Source]:
    """All games of a text, of whichever game its content is. Raises ValueError."""
    text = decode_text(data)
    if _SGF.match(text):
        return _go_sources(data)
    if not text.strip():
        raise ValueError("there is nothing in it")
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if lines and (_PLACEMENT.match(lines[0]) or _WORDS.match(lines[0])):
        found: list[Source] = []
        for number, line in enumerate(lines, 1):
            try:
                found.append(_position(line))
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from None
        return found
    try:
        records = read_games(data)
    except RecordError as error:
        raise ValueError(str(error)) from None
    if not any(record.root.lines or record.tags for record in records):
        raise ValueError("no record of Go or Xiangqi that is known here")
    for number, record in enumerate(records, 1):
        if record.fault and not record.root.lines:
            raise ValueError(f"game {number}: {record.fault}")
    return [XiangqiSource(record) for record in records]


def _go_sources(data: bytes) -> list[Source]:
    try:
        source, game = parse(data)
        found: list[Source] = []
        while True:
            found.append(GoSource(read_game(source, game), game.tree))
            try:
                game = source.game(game.end)
            except sgf.SgfError:
                return found
    except GoRecordError as error:
        raise ValueError(str(error)) from None


def _position(line: str) -> XiangqiSource:
    """A position of a line of FEN, with moves or EPD operations behind it or without."""
    epd = read_epd(line)
    if epd is not None and " moves " not in line:
        record = XiangqiRecord({"FEN": Board(epd.fen, strict=False).fen()})
        if epd.name:
            record.root.comment = epd.name
        return XiangqiSource(record)
    return _given([line.strip()])


def _given(words: list[str]) -> XiangqiSource:
    given = read_given(words)
    record = XiangqiRecord({"FEN": given.start.fen()})
    node = record.root
    for move in given.moves:
        node = node.add(move)
    return XiangqiSource(record)


def pick(sources: list[Source], number: str | None) -> list[tuple[int, Source]]:
    """The games asked for by ``--game``, with their numbers from 1; all of them for None. Raises ValueError."""
    if number is None:
        return list(enumerate(sources, 1))
    if not (number.isascii() and number.isdigit() and 1 <= int(number) <= len(sources)):
        raise ValueError(f"there is no game {number!r}, only 1 to {len(sources)}")
    return [(int(number), sources[int(number) - 1])]


def start_board(record: XiangqiRecord) -> Board:
    """The position that a record begins from. ``FenError`` for none."""
    return Board(record.fen, strict=False)


def title_of(source: Source) -> str:
    """Who played, as far as the record tells."""
    if isinstance(source, GoSource):
        names = source.record.black_name, source.record.white_name
    else:
        tags = source.record.tags
        names = tags.get("Red", ""), tags.get("Black", "")
    return " – ".join(names) if any(names) else ""


def locale_language(environment: Mapping[str, str] = os.environ) -> Language:
    """The language that the locale asks for: traditional Chinese, simplified, else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environment.get(name, "").replace("_", "-").lower()
        if value:
            if not value.startswith("zh"):
                return "en"
            return "zh-Hant" if any(part in value for part in ("hant", "-tw", "-hk", "-mo")) else "zh-Hans"
    return "en"


__all__ = [
    "GoSource",
    "Source",
    "XiangqiSource",
    "locale_language",
    "parse_sources",
    "pick",
    "read_sources",
    "start_board",
    "title_of",
]
