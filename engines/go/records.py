"""Game records: SGF text to and from a plain value.

Reading takes the main line (the first of all variations) with its setup stones and passes; writing makes a complete,
valid FF[4] file. The grammar is sgfmill's, imported when a record is read or written; board sizes, encodings and points
are done here, since sgfmill's own game class knows square boards only and does not guess encodings.

What concerns the position (size, stones, moves) must be right, or the record is refused. Of the rest, what cannot be
read is left out.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engines import __version__
from engines.go.points import BLACK, EMPTY, MAX_SIZE, PASS, WHITE, opponent

MAX_BYTES = 8 * 1024 * 1024
"""The largest file that is read."""

MAX_PARTS = 500_000
"""The most variations, nodes and values in a text, which bounds the memory that reading it takes."""

INFO = ("AN", "BR", "BT", "CP", "EV", "GC", "GN", "ON", "PC", "RO", "SO", "US", "WR", "WT")
"""The properties of ``Record.info``: annotator, ranks, teams, event, place and so on, by their SGF names."""

_LETTERS = "abcdefghijklmnopqrstuvwxy"
_COLORS = {"B": BLACK, "W": WHITE}
_NAMES = {BLACK: "B", WHITE: "W"}


class RecordError(ValueError):
    """A record that cannot be read or written; the text says why."""


@dataclass(frozen=True)
class Setup:
    """Stones put down or lifted without a move: points that become black, white and empty, in that order.

    ``to_play`` is the colour said to move next, ``EMPTY`` if nothing is said.
    """

    black: tuple[int, ...] = ()
    white: tuple[int, ...] = ()
    empty: tuple[int, ...] = ()
    to_play: int = EMPTY
    comment: str = ""

    def __bool__(self) -> bool:
        return bool(self.black or self.white or self.empty or self.to_play or self.comment)


@dataclass(frozen=True)
class Move:
    """One move: colour and point (or ``PASS``), and what the clock said afterwards.

    ``seconds_left`` of the mover; ``stones_left`` to play in them, where overtime counts stones or periods.
    """

    color: int
    point: int
    seconds_left: float | None = None
    stones_left: int | None = None
    comment: str = ""


@dataclass(frozen=True)
class Record:
    """A game as a value. Points count from the lower left as in ``engines.go.points``.

    ``komi`` is ``None`` where the record names none; ``rules`` is the RU text (``engines.go.rules.find_rules`` reads
    it); ``handicap`` the HA number, which the stones of ``setup`` need not agree with; ``steps`` the moves and later
    setups in order; ``result`` the RE text (``B+7.5``, ``W+R``, ``0``, ``Void``); ``date`` the DT text, ``YYYY-MM-DD``;
    ``main_time`` seconds and ``overtime`` a text; ``info`` further facts by SGF name, see ``INFO``.

    Texts are kept as SGF can hold them: those of one line without newlines, all without control characters and blanks
    at the ends, and no line of a comment is empty. Reading gives them so, writing makes them so.
    """

    width: int = 19
    height: int = 19
    komi: float | None = None
    rules: str = ""
    handicap: int = 0
    setup: Setup = Setup()
    steps: tuple[Move | Setup, ...] = ()
    black_name: str = ""
    white_name: str = ""
    result: str = ""
    date: str = ""
    main_time: float | None = None
    overtime: str = ""
    info: dict[str, str] = field(default_factory=dict)

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """The moves alone, as pairs of colour and point."""
        return tuple((step.color, step.point) for step in self.steps if isinstance(step, Move))

    @property
    def handicap_stones(self) -> int:
        """How many stones Black begins with: two or more set up before any move, and none for White; else 0."""
        black = 0
        for step in (self.setup, *self.steps):
            if isinstance(step, Move):
                break
            if step.white or step.empty:
                return 0
            black += len(step.black)
        return black if black > 1 else 0

    @property
    def to_play(self) -> int:
        """Who is to move at the end of the record."""
        for step in reversed((self.setup, *self.steps)):
            if isinstance(step, Move):
                return opponent(step.color)
            if step.to_play:
                return step.to_play
        return WHITE if self.handicap_stones else BLACK

    def before(self, number: int) -> Record:
        """The record up to the position in which move ``number`` (from 1) is played; all of it if it is shorter.

        Raises ``RecordError`` for a number below 1.
        """
        if number < 1:
            raise RecordError(f"there is no move {number}")
        kept: list[Move | Setup] = []
        for step in self.steps:
            number -= isinstance(step, Move)
            if number == 0:
                break
            kept.append(step)
        return replace(self, steps=tuple(kept))


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read an SGF file. Raises ``RecordError`` if it cannot be opened or is no record of a game of Go."""
    return parse_record(read_bytes(path))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """What is in a file. Raises ``RecordError`` if it cannot be opened or is too large."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise RecordError(f"cannot open {os.fspath(path)}: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > MAX_BYTES:
        raise RecordError(f"{os.fspath(path)} is larger than {MAX_BYTES} bytes")
    return data


def write_record(path: str | os.PathLike[str], record: Record) -> None:
    """Write an SGF file so that at each moment the old or the new one is there whole. Raises ``RecordError``."""
    write_text(path, format_record(record))


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write SGF text so that at each moment the old or the new file is there whole. Raises ``RecordError``."""
    target = Path(path)
    unfinished = Path(f"{target}.part")
    try:
        with open(unfinished, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, target)
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):
            unfinished.unlink()
        raise RecordError(f"cannot write {target}: {getattr(error, 'strerror', None) or error}") from error


def parse_record(text: str | bytes) -> Record:
    """Read the first game of an SGF text. Raises ``RecordError``, and nothing else, whatever the text is.

    Bytes are decoded by a byte order mark, else the CA property if it fits, else as UTF-8, else as GB18030 if that
    makes common Chinese characters, else as Latin-1.
    """
    from sgfmill import sgf_grammar

    decoded = text if isinstance(text, str) else decode(text)
    if sum(decoded.count(mark) for mark in "(;[") > MAX_PARTS:
        raise RecordError("the record is too long")
    try:
        game = sgf_grammar.parse_sgf_game(decoded.encode("utf-8", "replace"))
    except ValueError as error:
        raise RecordError(f"not an SGF record: {error}") from error
    nodes = [Node(properties) for properties in sgf_grammar.main_sequence_iter(game)]
    return _read_game(nodes)


def format_record(record: Record) -> str:
    """The SGF text of a record, ending with a newline and without empty lines.

    Raises ``RecordError`` for points off the board, impossible sizes and unknown ``info``.
    """
    from sgfmill import sgf_grammar

    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = [_root_properties(record), *(step_properties(record, step) for step in record.steps)]
    return format_tree(tree)


def format_tree(tree: Any) -> str:
    """The SGF text of one game tree of sgfmill's grammar."""
    from sgfmill import sgf_grammar

    return str(sgf_grammar.serialise_game_tree(tree).decode()).rstrip("\n") + "\n"


# --- reading ---


class Node:
    """One SGF node: raw property values, read as text, numbers and points."""

    def __init__(self, properties: dict[str, list[bytes]]) -> None:
        self.properties = properties

    def text(self, name: str) -> str:
        """The value of a property of many lines; "" if it is not there."""
        from sgfmill import sgf_grammar

        values = self.properties.get(name)
        return _clean(sgf_grammar.text_value(values[0]).decode()) if values else ""

    def line(self, name: str) -> str:
        """The value of a property of one line; "" if it is not there."""
        return self.text(name).replace("\n", " ")

    def number(self, name: str) -> float | None:
        """The value of a property that is a finite number; ``None`` if there is none or it can't be read."""
        with suppress(ValueError):
            value = float(self.line(name).replace(",", "."))
            if math.isfinite(value):
                return value
        return None

    def whole(self, name: str) -> int | None:
        """The value of a property that is a whole number from 0 on; ``None`` if there is none or it can't be read."""
        value = self.number(name)
        return int(value) if value is not None and 0 <= value < 2**31 and value == int(value) else None

    def color(self, name: str) -> int:
        """The colour a property names; ``EMPTY`` if it names none."""
        return _COLORS.get(self.line(name)[:1].upper(), EMPTY)


def _read_game(nodes: list[Node]) -> Record:
    root = nodes[0]
    kind = root.whole("GM")
    if kind not in (None, 1):
        raise RecordError(f"not a game of Go (GM[{kind}])")
    width, height = _read_size(root.line("SZ"))
    setup = Setup()
    steps: list[Move | Setup] = []
    for node in nodes:
        for step in read_steps(node, width, height):
            if node is root and isinstance(step, Setup):
                setup = step
            else:
                steps.append(step)
    info = {name: root.text(name) for name in INFO}
    return Record(
        width=width,
        height=height,
        komi=_read_komi(root),
        rules=root.line("RU"),
        handicap=root.whole("HA") or 0,
        setup=setup,
        steps=tuple(steps),
        black_name=root.line("PB"),
        white_name=root.line("PW"),
        result=root.line("RE"),
        date=root.line("DT"),
        main_time=root.number("TM"),
        overtime=root.line("OT"),
        info={name: value for name, value in info.items() if value},
    )


def _read_size(text: str) -> tuple[int, int]:
    parts = re.fullmatch(r"\s*([0-9]{1,4})\s*(?:[:xX]\s*([0-9]{1,4})\s*)?", text or "19")
    if not parts:
        raise RecordError(f"cannot read the board size {text[:20]!r}")
    width = int(parts[1])
    height = int(parts[2] or width)
    if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE):
        raise RecordError(f"board size {width}x{height} is beyond {MAX_SIZE}x{MAX_SIZE}")
    return width, height


def _read_komi(root: Node) -> float | None:
    komi = root.number("KM")
    if komi is not None and komi >= 100 and "foxwq" in root.line("AP").lower():
        # This server writes komi in hundredths, of zi under Chinese rules: 375 is 3¾ zi, 650 six and a half points.
        return komi / 50 if komi < 400 else komi / 100
    return komi


def read_steps(node: Node, width: int, height: int) -> Iterator[Move | Setup]:
    """A node's setup, if it has one, then its moves; several in one node, as old files have them, in their order."""
    moves = [
        (color, value)
        for name, values in node.properties.items()
        for color in [_COLORS.get(name, EMPTY)]
        if color
        for value in values
    ]
    comment = node.text("C")
    setup = Setup(
        black=_read_points(node, "AB", width, height),
        white=_read_points(node, "AW", width, height),
        empty=_read_points(node, "AE", width, height),
        to_play=node.color("PL"),
        comment="" if moves else comment,
    )
    claimed = [*setup.black, *setup.white, *setup.empty]
    if len(claimed) != len(set(claimed)):
        raise RecordError("a setup gives one point two colours")
    if setup:
        yield setup
    for color, value in moves:
        name = _NAMES[color]
        yield Move(
            color=color,
            point=_read_point(value, width, height, may_pass=True),
            seconds_left=node.number(f"{name}L"),
            stones_left=node.whole(f"O{name}"),
            comment=comment,
        )
        comment = ""


def _read_points(node: Node, name: str, width: int, height: int) -> tuple[int, ...]:
    """The points of a list, rectangles such as ``aa:cc`` spread out, in increasing order."""
    points: set[int] = set()
    for value in node.properties.get(name, []):
        if not value.strip():
            continue
        first, colon, second = value.partition(b":")
        one = _read_point(first, width, height)
        two = _read_point(second, width, height) if colon else one
        columns = sorted((one % width, two % width))
        rows = sorted((one // width, two // width))
        points.update(y * width + x for y in range(rows[0], rows[1] + 1) for x in range(columns[0], columns[1] + 1))
    return tuple(sorted(points))


def _read_point(value: bytes, width: int, height: int, may_pass: bool = False) -> int:
    """The point of two letters, column from the left and row from the top; empty or ``tt`` is a pass."""
    text = value.decode().strip().lower()
    if may_pass and (not text or (text == "tt" and width <= 19 and height <= 19)):
        return PASS
    x, y = (_LETTERS.find(letter) for letter in text) if len(text) == 2 else (-1, -1)
    if not (0 <= x < width and 0 <= y < height):
        raise RecordError(f"{text[:20]!r} is no point of a {width}x{height} board")
    return (height - 1 - y) * width + x


def decode(data: bytes) -> str:
    """The text of a file; see ``parse_record``."""
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8-sig"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    declared = re.search(rb"(?<![A-Za-z])CA\s*\[\s*([A-Za-z0-9._:-]+)\s*\]", data)
    for encoding in ([_codec(declared[1].decode())] if declared else []) + ["utf-8"]:
        with suppress(LookupError, ValueError):
            if _is_ascii_like(encoding):
                return data.decode(encoding)
    return _chinese(data) or data.decode("latin-1")


def _codec(name: str) -> str:
    """The declared encoding, or the one it is part of: files said to be GB2312 use characters beyond it."""
    return "gb18030" if name.lower() in ("gb2312", "gbk", "gb_2312-80", "cp936", "euc-cn") else name


def _is_ascii_like(encoding: str) -> bool:
    """Whether the characters SGF is made of are in this encoding what they are in ASCII. Raises ``LookupError``."""
    plain = "()[];:\\+ABCXYZabcxyz0189\n"
    return plain.encode("ascii").decode(encoding) == plain


def _chinese(data: bytes) -> str | None:
    """The text by GB18030, if most of its wide characters are the common ones of GB2312; ``None`` otherwise."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    wide = [character.encode("gb18030") for character in text if character > "\x7f"]
    common = sum(len(code) == 2 and 0xA1 <= code[0] <= 0xF7 and code[1] >= 0xA1 for code in wide)
    return text if 2 * common >= len(wide) else None


# --- writing ---


def _clean(text: str) -> str:
    """A text as SGF can hold it: newlines as ``\\n``, no control characters, no empty lines, no lone surrogates."""
    text = re.sub(r"\r\n|\n\r|\r", "\n", text).encode("utf-8", "replace").decode()
    text = re.sub(r"[\t\v\f]", " ", text)
    text = re.sub(r"[\x00-\x09\x0b-\x1f\x7f]", "", text)
    return re.sub(r"\n(?=\n)", "\n ", text).strip("\n ")


def _texts(texts: dict[str, str]) -> dict[str, list[bytes]]:
    """Text properties, those that are empty left out."""
    from sgfmill import sgf_grammar

    cleaned = {name: _clean(text) for name, text in texts.items()}
    return {name: [sgf_grammar.escape_text(text.encode())] for name, text in cleaned.items() if text}


def _number(value: float) -> list[bytes]:
    """The value of a number property, without an exponent or needless digits."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return [b"0" if text == "-0" else text.encode()]


def _point(record: Record, point: int) -> bytes:
    if point == PASS:
        return b""
    if not 0 <= point < record.width * record.height:
        raise RecordError(f"point {point} is off the {record.width}x{record.height} board")
    y, x = divmod(point, record.width)
    return (_LETTERS[x] + _LETTERS[record.height - 1 - y]).encode()


def _root_properties(record: Record) -> dict[str, list[bytes]]:
    if not (1 <= record.width <= MAX_SIZE and 1 <= record.height <= MAX_SIZE):
        raise RecordError(f"board size {record.width}x{record.height} is beyond {MAX_SIZE}x{MAX_SIZE}")
    unknown = [name for name in record.info if name not in INFO]
    if unknown:
        raise RecordError(f"{unknown[0]} is not among the facts a record keeps")
    square = record.width == record.height
    properties: dict[str, list[bytes]] = {
        "GM": [b"1"],
        "FF": [b"4"],
        "CA": [b"UTF-8"],
        "AP": [b"qiqiao:" + __version__.encode()],
        "SZ": [b"%d" % record.width if square else b"%d:%d" % (record.width, record.height)],
    }
    numbers = {"KM": record.komi, "HA": record.handicap or None, "TM": record.main_time}
    properties |= {name: _number(value) for name, value in numbers.items() if value is not None}
    lines = {
        "RU": record.rules,
        "PB": record.black_name,
        "PW": record.white_name,
        "RE": record.result,
        "DT": record.date,
        "OT": record.overtime,
    }
    properties |= _texts({name: _clean(text).replace("\n", " ") for name, text in lines.items()} | record.info)
    return properties | _setup_properties(record, record.setup)


def _setup_properties(record: Record, setup: Setup) -> dict[str, list[bytes]]:
    groups: list[tuple[str, Iterable[int]]] = [("AB", setup.black), ("AW", setup.white), ("AE", setup.empty)]
    properties = {name: [_point(record, point) for point in sorted(points)] for name, points in groups if points}
    if setup.to_play:
        properties["PL"] = [_NAMES[setup.to_play].encode()]
    return properties | _texts({"C": setup.comment})


def step_properties(record: Record, step: Move | Setup) -> dict[str, list[bytes]]:
    """The SGF properties of a step of a record."""
    if isinstance(step, Setup):
        return _setup_properties(record, step)
    name = _NAMES[step.color]
    properties = {name: [_point(record, step.point)]}
    if step.seconds_left is not None:
        properties[f"{name}L"] = _number(step.seconds_left)
    if step.stones_left is not None:
        properties[f"O{name}"] = [b"%d" % step.stones_left]
    return properties | _texts({"C": step.comment})
