"""SGF text to ``Record``: the main line (the first of all variations) with its setup stones and passes.

What concerns the position (size, stones, moves) must be right, or the record is refused. Of the rest, what cannot be
read is left out; what is broken in the text itself is mended and told in ``Record.notes``.
"""

from __future__ import annotations

import math
import os
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from engines import files
from engines.go.handicap import fixed_handicap
from engines.go.points import BLACK, EMPTY, MAX_SIZE, PASS, WHITE
from engines.go.records import sgf
from engines.go.records.komi import by_us, read_komi
from engines.go.records.values import COLORS, INFO, LETTERS, NAMES, Move, Record, RecordError, Setup
from engines.go.vertex import parse_vertex
from engines.text import binary_kind, charset, decode_text, named_readings

if TYPE_CHECKING:
    from engines.go.records.trees import WholeGame

MAX_BYTES = 8 * 1024 * 1024
"""The largest file that is read."""

MAX_SETUPS = 10_000
"""The most setups of a record: with each of them a board is set up anew."""

MAX_SETUP_POINTS = 500_000
"""The most points that all setups of a record may name together, rectangles spread out."""

HANDICAP_LOOK = 20
"""Moves looked at to see whether handicap stones that are told by their number alone can stand on the fixed points."""

_SGF_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*\(\s*;")
_DECLARED = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([^\]\[\\;()]{1,40}?)\s*\]")


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read the first game of a file: SGF, or another format of Go that its content tells. Raises ``RecordError`` if it
    cannot be opened or is no record of a game of Go.
    """
    data = read_bytes(path)
    other = read_foreign(data, lists=True)
    return parse_record(data) if other is None else other.record


def read_foreign(data: bytes, lists: bool = False) -> WholeGame | None:
    """The game of a file in GIB, NGF or UGF, with ``lists`` also the first one of a list of moves; ``None`` for any
    other text. Raises ``RecordError``.
    """
    from engines.go.records import whole  # which reads SGF with what is here

    if _SGF_BEGINS.match(data) or binary_kind(data[:4096]):
        return None
    text = decode_text(data)
    name = whole.format_of(text)
    if lists and not name and whole.looks_like_list(text):
        return next(whole.read_lists(text), None)
    return whole.read_other(text, name) if name in whole.OTHERS else None


def is_record(data: bytes) -> bool:
    """Whether a file is one record, SGF or another format that its content tells, and no lines of text."""
    return _SGF_BEGINS.match(data) is not None or read_foreign(data) is not None


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """What is in a file. Raises ``RecordError`` if it cannot be opened, is too large or no regular file."""
    try:
        return files.read_bytes(path, MAX_BYTES)
    except OSError as error:
        raise RecordError(f"cannot open {os.fspath(path)}: {error.strerror or error}") from error


def parse_record(text: str | bytes) -> Record:
    """Read the first game of an SGF text. Raises ``RecordError``, and nothing else, whatever the text is.

    Bytes are decoded as ``parse`` says.
    """
    source, game = parse(text)
    return read_game(source, game)


def parse(text: str | bytes) -> tuple[sgf.Text, sgf.Game]:
    """The text of an SGF file and its first game. Raises ``RecordError``.

    Bytes are decoded by a byte-order mark, else by the CA property if that names a charset and fits, else as
    ``engines.text`` guesses; of several readings the likeliest is taken that makes a whole game.
    """
    if isinstance(text, str):
        return _parse_text(text.removeprefix("\ufeff"))
    kind = binary_kind(text)
    if kind:
        raise RecordError(f"not an SGF record but {kind}")
    declared = _DECLARED.search(text)
    name = declared[1].decode("latin-1") if declared else ""
    codec = charset(name) if name else None
    best: tuple[sgf.Text, sgf.Game] | None = None
    refused: RecordError | None = None
    for encoding, reading in named_readings(text, codec):
        try:
            found = _parse_text(reading)
            found[0].encoding = "" if encoding in ("ascii", "utf-8", codec) else encoding
        except RecordError as error:
            refused = refused or error
            continue
        if best is None or len(found[0].faults) < len(best[0].faults):
            best = found
        if not found[0].faults:
            break
    if best is None:
        assert refused is not None  # there is one reading at least
        raise refused
    if declared and codec is None:
        # Its place in the text is that in the bytes, as far as lines go.
        before = text[: declared.start()]
        best[0].faults.insert(
            0,
            sgf.Fault(
                before.count(b"\n") + 1,
                declared.start() - before.rfind(b"\n"),
                f"CA names '{name[:20]}', which is no character set: not heeded",
            ),
        )
    return best


def _parse_text(text: str) -> tuple[sgf.Text, sgf.Game]:
    try:
        source = sgf.Text(text)
        return source, source.game()
    except sgf.SgfError as error:
        raise RecordError(f"not an SGF record: {error}") from error


class Node:
    """One SGF node: raw property values, read as text, numbers and points."""

    def __init__(self, properties: dict[str, list[str]]) -> None:
        self.properties = properties

    def text(self, name: str) -> str:
        """The value of a property of many lines; "" if it is not there."""
        values = self.properties.get(name)
        return clean(sgf.plain_text(values[0])) if values else ""

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
        return COLORS.get(self.line(name)[:1].upper(), EMPTY)


def read_game(source: sgf.Text, game: sgf.Game) -> Record:
    """The record of a parsed game. Raises ``RecordError``, with line and character where a node is to blame."""
    nodes = list(game.tree.main_line())
    facts = Node(_facts(nodes))
    kind = facts.whole("GM")
    if kind not in (None, 1):
        raise RecordError(f"not a game of Go (GM[{kind}])")
    width, height = _read_size(facts.line("SZ"))
    setup = Setup()
    steps: list[Move | Setup] = []
    placed = setups = 0
    for node in nodes:
        try:
            for step in read_steps(Node(node.properties), width, height):
                if isinstance(step, Setup):
                    placed += len(step.black) + len(step.white) + len(step.empty)
                    setups += 1
                if placed > MAX_SETUP_POINTS or setups > MAX_SETUPS:
                    raise RecordError(f"more than {MAX_SETUPS} setups, or {MAX_SETUP_POINTS} points in them")
                if node is nodes[0] and isinstance(step, Setup):
                    setup = step
                else:
                    steps.append(step)
        except RecordError as error:
            line, character = source.place(node.at)
            raise RecordError(f"line {line}, character {character}: {error}") from None
    info = {name: facts.text(name) for name in INFO}
    rules = facts.line("RU")
    programs = [sgf.plain_text(value) for value in facts.properties.get("AP", [])]
    record = Record(
        width=width,
        height=height,
        komi=read_komi(facts.line("KM"), programs, rules),
        rules=rules,
        handicap=facts.whole("HA") or 0,
        setup=setup,
        steps=tuple(steps),
        black_name=facts.line("PB"),
        white_name=facts.line("PW"),
        result=facts.line("RE"),
        date=facts.line("DT"),
        main_time=facts.number("TM"),
        overtime=facts.line("OT"),
        info={name: value for name, value in info.items() if value},
        notes=source.notes(),
    )
    return record if by_us(programs) else _with_handicap(record)


_FACTS = frozenset((*INFO, *["GM", "SZ", "KM", "RU", "HA", "PB", "PW", "RE", "DT", "TM", "OT", "AP"]))


def _facts(nodes: list[sgf.Node]) -> dict[str, list[str]]:
    """The facts of the game: the root's, or, where a root has none, those of the first nodes without a move."""
    found: dict[str, list[str]] = {}
    for node in nodes:
        if node is not nodes[0] and ("B" in node.properties or "W" in node.properties):
            break
        for name, values in node.properties.items():
            if name in _FACTS:
                found.setdefault(name, values)
    return found


def _read_size(text: str) -> tuple[int, int]:
    parts = re.fullmatch(
        r"\s*([0-9]{1,4})\s*(?:[:xX*×]\s*([0-9]{1,4})\s*)?", unicodedata.normalize("NFKC", text) or "19"
    )
    if not parts:
        raise RecordError(f"cannot read the board size {text[:20]!r}")
    width = int(parts[1])
    height = int(parts[2] or width)
    if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE):
        raise RecordError(f"board size {width}x{height} is beyond {MAX_SIZE}x{MAX_SIZE}")
    return width, height


def read_steps(node: Node, width: int, height: int) -> Iterator[Move | Setup]:
    """A node's setup, if it has one, then its moves; several in one node, as old files have them, in their order."""
    if len(node.properties) == 1 and not node.properties.keys().isdisjoint(COLORS):
        for name, values in node.properties.items():  # most nodes are a move and nothing else
            for value in values:
                yield Move(COLORS[name], _read_point(value, width, height, may_pass=True))
        return
    moves = [
        (color, value)
        for name, values in node.properties.items()
        for color in [COLORS.get(name, EMPTY)]
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
        name = NAMES[color]
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
    for value in dict.fromkeys(node.properties.get(name, [])):  # what is said again is looked at once
        if not value.strip():
            continue
        first, colon, second = value.partition(":")
        one = _read_point(first, width, height)
        two = _read_point(second, width, height) if colon else one
        columns = sorted((one % width, two % width))
        rows = sorted((one // width, two // width))
        points.update(y * width + x for y in range(rows[0], rows[1] + 1) for x in range(columns[0], columns[1] + 1))
    return tuple(sorted(points))


def _read_point(value: str, width: int, height: int, may_pass: bool = False) -> int:
    """The point of two letters, column from the left and row from the top; empty or ``tt`` is a pass. Also a point as
    people write it (``B[Q16]``, ``W[pass]``), which some programs put there.
    """
    text = value[:40].strip().lower()
    if may_pass and (text in ("", "pass") or (text == "tt" and width <= 19 and height <= 19)):
        return PASS
    if text[1:].isdigit() and text.isascii():
        with suppress(ValueError):
            return parse_vertex(text, width, height)
    x, y = (LETTERS.find(letter) for letter in text) if len(text) == 2 else (-1, -1)
    if not (0 <= x < width and 0 <= y < height):
        raise RecordError(f"{text[:20]!r} is no point of a {width}x{height} board")
    return (height - 1 - y) * width + x


def clean(text: str) -> str:
    """A text as SGF can hold it: newlines as ``\\n``, no control characters, no empty lines, no lone surrogates."""
    text = re.sub(r"\r\n|\n\r|\r", "\n", text).encode("utf-8", "replace").decode()
    text = re.sub(r"[\t\v\f]", " ", text)
    text = re.sub(r"[\x00-\x09\x0b-\x1f\x7f]", "", text)
    return re.sub(r"\n(?=\n)", "\n ", text).strip("\n ")


# ---- handicap that HA tells and no setup has


def _with_handicap(record: Record) -> Record:
    """The record with its handicap stones as setup, where HA names them and none are set up.

    Black's moves before White's first are the stones, if they are as many as HA says; passes of White between them
    do not count. Where White moves first, they stand on the fixed points of their number, if the moves leave them free.
    """
    if record.handicap < 2 or record.setup.black or record.setup.white or record.setup.empty:
        return record
    played: list[int] = []
    begin = len(record.steps)
    for number, step in enumerate(record.steps):
        if isinstance(step, Setup):
            if step.black or step.white or step.empty:
                return record
        elif step.color == BLACK and step.point != PASS and len(played) < record.handicap:
            played.append(step.point)
        elif not (step.color == WHITE and step.point == PASS and 0 < len(played) < record.handicap):
            begin = number
            break
    after = record.steps[begin:]
    first = next((step.color for step in after if isinstance(step, Move)), EMPTY)
    if len(played) == len(set(played)) == record.handicap and first != BLACK:
        stones, how, steps = tuple(sorted(played)), "the first moves are the stones", after
    elif not played and WHITE in (first, record.setup.to_play):
        fixed = _fixed_stones(record)
        if not fixed:
            return record
        stones, how, steps = fixed, "they stand on the fixed points", record.steps
    else:
        return record
    comments = [record.setup.comment]
    if steps is after:
        comments += [step.comment for step in record.steps[:begin]]
    setup = replace(record.setup, black=stones, comment="\n".join(filter(None, comments)))
    note = f"HA tells {record.handicap} handicap stones and none are set up: {how}"
    return replace(record, setup=setup, steps=steps, played_handicap=tuple(played), notes=(*record.notes, note))


def _fixed_stones(record: Record) -> tuple[int, ...]:
    """The fixed points of the handicap; none where the board has none, or a move is made on one of them."""
    try:
        stones = tuple(sorted(fixed_handicap(record.width, record.height, record.handicap)))
    except ValueError:
        return ()
    early = {step.point for step in record.steps[:HANDICAP_LOOK] if isinstance(step, Move)}
    return () if early & set(stones) else stones
