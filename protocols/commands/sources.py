"""What ``describe`` and ``show`` are given: a record of either game, a FEN, or standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from engines import files
from engines.go.records import Record as GoRecord
from engines.go.records import sgf
from engines.go.records.trees import WholeGame
from engines.records import MAX_TEXT, Found, read_games
from engines.stored import StoredGame
from engines.terms import Language
from engines.xiangqi.board import Board
from engines.xiangqi.records import Record as XiangqiRecord
from protocols.commands.given import read_given

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


Source = GoSource | XiangqiSource | StoredGame


def read_sources(words: list[str], tell: Callable[[str], None] = lambda text: None) -> Iterator[tuple[int, Source]]:
    """The games of the file that the words name, of a FEN with or without moves, or (``-``) of standard input, one
    after another, with their numbers from 1; ``tell`` hears what is odd, and of games that can't be read among others.

    Raises ValueError with the reason for what can't be read.
    """
    if words == ["-"]:
        data = sys.stdin.buffer.read(MAX_TEXT + 1)
        if len(data) > MAX_TEXT:
            raise ValueError(f"standard input is larger than {MAX_TEXT} bytes")
        yield from parse_sources(data, tell)
    elif len(words) == 1 and not _PLACEMENT.match(words[0]) and not _WORDS.match(words[0]):
        try:
            yield from parse_sources(files.read_bytes(words[0], MAX_TEXT), tell)
        except OSError as error:
            raise ValueError(f"cannot read {words[0]}: {error.strerror or error}") from None
        except ValueError as error:
            raise ValueError(f"{words[0]}: {error}") from None
    else:
        yield 1, _given(words)


def parse_sources(data: bytes, tell: Callable[[str], None] = lambda text: None) -> Iterator[tuple[int, Source]]:
    """As ``read_sources``, of a file in any format that ``engines.records`` tells. Raises ValueError."""
    guess, read = "", False
    bad: list[str] = []
    for number, found in enumerate(read_games(data), 1):
        if found.encoding and found.encoding != guess:
            guess = found.encoding
            tell(f"read as {guess}, which is a guess")
        fault = _fault(found)
        if fault:
            bad.append(f"game {number}: {fault}" if number > 1 or found.value is not None else fault)
        if fault and not read:
            continue  # told when there is another
        for text in bad:
            tell(text)
        bad = []
        if fault or found.value is None:
            continue
        read = True
        for note in (*found.notes, *filter(None, [found.fault])):
            tell(f"game {number}: {note}")
        value = found.value
        if isinstance(value, StoredGame):
            yield number, value
        else:
            yield number, GoSource(value.record, value.tree) if isinstance(value, WholeGame) else XiangqiSource(value)
    if not read:
        raise ValueError(bad[0] if bad else "there is no game in it")


def _fault(found: Found) -> str:
    """Why a game can't be told or shown; "" for one that can."""
    if isinstance(found.value, XiangqiRecord):
        try:
            start_board(found.value)
        except ValueError as error:
            return str(error)
        return "" if found.value.root.lines else found.fault
    return found.fault if found.value is None else ""


def _given(words: list[str]) -> XiangqiSource:
    given = read_given(words)
    record = XiangqiRecord({"FEN": given.start.fen()})
    node = record.root
    for move in given.moves:
        node = node.add(move)
    return XiangqiSource(record)


def pick(sources: Iterable[tuple[int, Source]], number: str | None) -> Iterator[tuple[int, Source]]:
    """The games asked for by ``--game``, with their numbers from 1; all of them for None. Raises ValueError."""
    if number is None:
        yield from sources
        return
    count = 0
    wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
    for count, source in sources:
        if count == wanted:
            yield count, source
            return
    raise ValueError(f"there is no game {number!r}, only 1 to {count}")


def start_board(record: XiangqiRecord) -> Board:
    """The position that a record begins from. ``FenError`` for none."""
    return Board(record.fen, strict=False)


def title_of(source: Source) -> str:
    """Who played, as far as the record tells."""
    names: tuple[str, ...]
    if isinstance(source, StoredGame):
        names = source.names
    elif isinstance(source, GoSource):
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
