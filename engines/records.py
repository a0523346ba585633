"""Records of any kind, told by their content: ``read_games`` gives the games of a file one after another.

What is read at once is one game of a collection (PGN, SGF, libraries); other formats hold one game, or are small.
``FORMATS`` has what can be told.
"""

from __future__ import annotations

import codecs
import mmap
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engines.errors import QiqiaoError
from engines.text import binary_kind, charset, decode_marked, decode_text, named_readings

if TYPE_CHECKING:
    from engines.go.records.trees import WholeGame
    from engines.stored import StoredGame
    from engines.xiangqi.records.values import Record

Bytes = bytes | mmap.mmap

FORMATS = {
    "go": ("SGF", "GIB", "NGF", "UGF", "list"),
    "xiangqi": ("PGN", "XQF", "CBR", "CBL", "CBF", "DhtmlXQ", "positions", "list"),
    "jieqi": ("PGN", "JSON", "JieqiBox"),
    "banqi": ("PGN", "JSON", "platform"),
}
"""The names of the formats that are read, by game."""

MAX_TEXT = 64 * 1024 * 1024
"""The largest file that is no collection of games told apart by their beginnings."""

MAX_GAME = 32 * 1024 * 1024
"""The largest game of a collection, in bytes."""

_SAMPLE = 1 << 20


class FormatError(QiqiaoError, ValueError):
    """Bytes that are no record of a kind known here; the text says what they are."""


@dataclass
class Found:
    """A game of a file: the name of its ``game``, of its ``format``, and what was read.

    ``at`` is how many bytes of the file have been read, ``fault`` why the game could not be read on, ``notes`` what
    else was odd, ``encoding`` what the text was taken for where that was a guess ("" else).
    """

    game: str
    format: str
    value: Record | WholeGame | StoredGame | None
    at: int = 0
    fault: str = ""
    notes: list[str] = field(default_factory=list)
    encoding: str = ""


@dataclass
class Options:
    """How to read: in which ``encoding`` (``None``: what is likeliest), and what coordinates of Xiangqi call Red's back
    rank (``rank_base``: 0, 1, or ``None`` for what the game fits).
    """

    encoding: str | None = None
    rank_base: int | None = None


def kind_of(data: bytes) -> tuple[str, str]:
    """The game and the name of a format that is neither SGF nor PGN nor lines of text; ("", "") for those."""
    from engines.go.records.whole import OTHERS
    from engines.go.records.whole import format_of as go_format
    from engines.xiangqi.records.formats import format_of

    name = format_of(data)
    if name:
        return "xiangqi", name
    if binary_kind(data[:_SAMPLE]):
        return "", ""
    name = go_format(decode_text(data[:_SAMPLE]))
    return ("go", name) if name in OTHERS else ("", "")


def encoding_name(text: str) -> str:
    """Python's name of a character set as people name it. ValueError for one that there is not."""
    name = charset(text)
    if name is None:
        raise ValueError(f"there is no character set {text!r}")
    return name


def read_games(data: Bytes, options: Options | None = None) -> Iterator[Found]:
    """The games of a file, whatever its format. ``FormatError`` for bytes that are no record of a kind known here."""
    options = options or Options()
    head = bytes(data[:_SAMPLE])
    from engines.xiangqi.records import cbr, xqf

    if not head.strip():
        raise FormatError("the file is empty")
    if xqf.is_xqf(head):
        yield from _xiangqi("XQF", data, lambda whole: iter([xqf.read_xqf(whole, options.encoding)]))
    elif cbr.is_cbr(head):
        yield from _xiangqi("CBR", data, lambda whole: iter([cbr.read_cbr(whole)]))
    elif cbr.is_cbl(head):
        empty = True
        for record in cbr.read_cbl(data):
            empty = False
            yield Found("xiangqi", "CBL", record, 0, record.fault, record.notes)
        if empty:
            raise FormatError("the library has no game in it")
    else:
        kind = binary_kind(head)
        if kind:
            raise FormatError(f"no record but {kind}")
        yield from _text(data, head, options)


def _xiangqi(name: str, data: Bytes, read) -> Iterator[Found]:  # type: ignore[no-untyped-def]
    if len(data) > MAX_TEXT:
        raise FormatError(f"the file is larger than {MAX_TEXT} bytes")
    try:
        for record in read(bytes(data)):
            yield Found("xiangqi", name, record, len(data), record.fault, record.notes, record.encoding)
    except ValueError as error:
        raise FormatError(str(error)) from None


# ---- text


class _Decoder:
    """Decodes the games of a file: by the encoding that is named, else as UTF-8, else by what the whole was guessed."""

    def __init__(self, head: bytes, encoding: str | None) -> None:
        self.named = encoding
        self.guess = encoding or next(named_readings(head))[0]
        marks = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        self.wide = self.guess.startswith(("utf-16", "utf-32")) or head.startswith(marks)

    @property
    def told(self) -> str:
        """The guess, where there is something to tell."""
        return "" if self.named or self.guess in ("ascii", "utf-8") else self.guess

    def text(self, data: bytes) -> str:
        """The text of a part."""
        if self.named:
            return decode_marked(data, self.named)
        if data.isascii() and not self.wide:
            return data.decode("ascii").replace("\0", " ")
        if self.wide:
            return decode_marked(data, self.guess)
        try:
            return data.decode("utf-8").removeprefix("\ufeff")
        except UnicodeDecodeError:
            return decode_marked(data, self.guess if self.guess != "ascii" else next(named_readings(data))[0])


def _text(data: Bytes, head: bytes, options: Options) -> Iterator[Found]:
    """The games of a file of text."""
    from engines.go.records import whole as go
    from engines.go.records.lists import words_in
    from engines.xiangqi.records import cbf, dhtmlxq, lists

    decoder = _Decoder(head, options.encoding)
    sample = decoder.text(head)
    sniffed = sample if len(data) <= _SAMPLE else sample[: len(sample) - 8]
    if _MAYBE_STORED.search(sniffed[:4096]) and (name := _stored_format(sniffed)):
        yield from _stored(name, data, decoder)
    elif dhtmlxq.is_dhtmlxq(sniffed):
        yield from _whole_xiangqi("DhtmlXQ", data, decoder, dhtmlxq.read_dhtmlxq)
    elif cbf.is_cbf(sniffed):
        yield from _whole_xiangqi("CBF", data, decoder, cbf.read_cbf)
    elif (name := go.format_of(sniffed)) in ("GIB", "NGF", "UGF"):
        yield from _go_other(name, data, decoder)
    elif lists.has_tags(sniffed):
        yield from _pgn(data, decoder, options)
    elif name == "SGF":
        yield from _sgf(data, decoder, options)
    elif lists.has_positions(sniffed):
        for line, at in _lines(data, decoder):
            for record in lists.read_positions([line], options.rank_base):
                yield Found("xiangqi", "positions", record, at, record.fault, record.notes, decoder.told)
    else:
        moves, others = lists.moves_in(sniffed[:20000])
        points = words_in(sniffed[:20000])
        if go.looks_like_list(sniffed) and points[0] * (moves + others) >= moves * sum(points):
            yield from _go_list(data, decoder)
        elif moves or lists.read_digits(sniffed) is not None:
            yield from _whole_xiangqi("list", data, decoder, lambda text: lists.read_list(text, options.rank_base))
        else:
            raise FormatError("no record of a kind that is known here")


_MAYBE_STORED = re.compile(
    r'"format"|"initialFen"|^\s*\[\s*(?:Variant|Game)\s+"|^\s*INITIAL\s*$|^\s*\*\s*1 2 2 2 2 2 5 ', re.MULTILINE
)
"""What a record that ``engines.stored`` reads has in its head; others need not wait for its modules."""


def _stored_format(text: str) -> str:
    from engines.stored_formats import format_of

    return format_of(text)


def _stored(name: str, data: Bytes, decoder: _Decoder) -> Iterator[Found]:
    """The games with hidden or placed pieces of a file."""
    from engines.stored_formats import read

    chunks = _pgn_chunks(data) if name == "PGN" and not decoder.wide else iter([(data, len(data))])
    for chunk, at in chunks:
        text = _decoded(chunk, decoder)
        if not text.strip():
            continue
        try:
            game = read(text)
        except ValueError as error:
            yield Found("", name, None, at, str(error))
        else:
            yield Found(game.game, game.format, game, at, "", [], decoder.told)


def _decoded(data: Bytes, decoder: _Decoder) -> str:
    if len(data) > MAX_TEXT:
        raise FormatError(f"the file is larger than {MAX_TEXT} bytes")
    return decoder.text(bytes(data))


def _whole_xiangqi(name: str, data: Bytes, decoder: _Decoder, read) -> Iterator[Found]:  # type: ignore[no-untyped-def]
    empty = True
    for record in read(_decoded(data, decoder)):
        empty = False
        yield Found("xiangqi", name, record, len(data), record.fault, record.notes, decoder.told)
    if empty:
        raise FormatError("there is no game in it")


def _go_other(name: str, data: Bytes, decoder: _Decoder) -> Iterator[Found]:
    from engines.go.records.values import RecordError
    from engines.go.records.whole import read_other

    text = _decoded(data, decoder)
    try:
        game = read_other(text, name)
    except RecordError as error:
        raise FormatError(str(error)) from None
    yield Found("go", name, game, len(data), "", game.notes, decoder.told)


def _go_list(data: Bytes, decoder: _Decoder) -> Iterator[Found]:
    from engines.go.records.values import RecordError
    from engines.go.records.whole import read_lists

    try:
        for game in read_lists(_decoded(data, decoder)):
            yield Found("go", "list", game, len(data), "", game.notes, decoder.told)
    except RecordError as error:
        raise FormatError(str(error)) from None


def _lines(data: Bytes, decoder: _Decoder) -> Iterator[tuple[str, int]]:
    """The lines of a file, each with how far it has been read."""
    for chunk, at in _cut(data, decoder, re.compile(rb"(?<=\n)")):
        yield decoder.text(chunk) if not decoder.wide else chunk.decode("utf-8"), at


_TAG_LINE = re.compile(rb'[ \t]*\[[ \t]*[A-Za-z]\w*[ \t]+"[^\n]*"[ \t]*\]')
_FIRST_TAGS = re.compile(rb'[ \t]*\[[ \t]*(?:Game|Event)[ \t]+"')


def _pgn_chunks(data: Bytes) -> Iterator[tuple[bytes, int]]:
    """The parts of a PGN file that begin with tags behind movetext, each with where it ends."""
    start = at = depth = 0
    movetext = False
    end = len(data)
    while at < end:
        stop = data.find(b"\n", at)
        stop = end if stop < 0 else stop + 1
        line = bytes(data[at : min(stop, at + 4096)])
        if line.strip():
            if line.lstrip()[:1] == b"[" and _TAG_LINE.match(line):
                if movetext and (depth == 0 or _FIRST_TAGS.match(line)):
                    yield bytes(data[start:at]), at
                    start, movetext, depth = at, False, 0
            elif not line.startswith(b"%"):
                movetext = True
                depth = max(0, depth + line.count(b"{") - line.count(b"}"))
        if stop - start > MAX_GAME:
            raise FormatError(f"a game is larger than {MAX_GAME} bytes")
        at = stop
    yield bytes(data[start:end]), end


def _cut(data: Bytes, decoder: _Decoder, pattern: re.Pattern[bytes]) -> Iterator[tuple[bytes, int]]:
    """The parts of a file between the places of a pattern. Wide text is read whole, and given as UTF-8."""
    if decoder.wide:
        data = _decoded(data, decoder).encode("utf-8", "replace")
    start = 0
    for match in pattern.finditer(data):
        if match.start() > start:
            yield bytes(data[start : match.start()]), match.start()
            start = match.start()
    if start < len(data):
        yield bytes(data[start : len(data)]), len(data)


def _pgn(data: Bytes, decoder: _Decoder, options: Options) -> Iterator[Found]:
    """The games of a PGN file, each decoded for itself."""
    from engines.xiangqi.records.reading import decode_named, read_text

    wide = decoder.wide
    if wide:
        data = _decoded(data, decoder).encode("utf-8", "replace")
    if len(data) <= _SAMPLE and not options.encoding and not wide:
        whole, decoder.guess = decode_named(bytes(data))
        yield from _pgn_text(whole, decoder, options, len(data))
        return
    for chunk, at in _pgn_chunks(data):
        text = chunk.decode("utf-8") if wide else decoder.text(chunk)
        text = "\n".join(line for line in text.replace("\r\n", "\n").split("\n") if not line.startswith("%"))
        for record in read_text(text, options.rank_base):
            yield Found("xiangqi", "PGN", record, at, record.fault, record.notes, decoder.told)


def _pgn_text(text: str, decoder: _Decoder, options: Options, size: int) -> Iterator[Found]:
    from engines.xiangqi.records.reading import read_text

    empty = True
    for record in read_text(text, options.rank_base):
        empty = False
        yield Found("xiangqi", "PGN", record, size, record.fault, record.notes, decoder.told)
    if empty:
        raise FormatError("there is no game in it")


_SGF_GAME = re.compile(rb"(?:(?<=\))|(?<=\n)|^)\s*\(\s*;(?=[^()]{0,300}?(?<![A-Za-z])(?:GM|FF|SZ|GaMe|SiZe)\s*\[)")


def _sgf(data: Bytes, decoder: _Decoder, options: Options) -> Iterator[Found]:
    """The games of an SGF collection; each may name an encoding of its own."""
    from engines.go.records.values import RecordError
    from engines.go.records.whole import read_sgf

    small = len(data) <= _SAMPLE
    read = 0
    first: str = ""
    for chunk, at in [(bytes(data), len(data))] if small else _cut(data, decoder, _SGF_GAME):
        if len(chunk) > MAX_GAME:
            raise FormatError(f"a game is larger than {MAX_GAME} bytes")
        try:
            for game in read_sgf(
                chunk.decode("utf-8", "replace") if decoder.wide and not small else chunk, options.encoding
            ):
                read += 1
                yield Found("go", "SGF", game, at, "", game.notes, "" if options.encoding else game.encoding)
        except RecordError as error:
            first = first or str(error)
            yield Found("go", "SGF", None, at, str(error))
