"""``Record`` to SGF text: complete, valid FF[4]."""

from __future__ import annotations

import os
from collections.abc import Iterable

from engines import __version__, files
from engines.go.points import MAX_SIZE, PASS
from engines.go.records import sgf
from engines.go.records.reading import clean
from engines.go.records.values import INFO, LETTERS, NAMES, Move, Record, RecordError, Setup

Properties = dict[str, list[str]]


def write_record(path: str | os.PathLike[str], record: Record) -> None:
    """Write an SGF file so that at each moment the old or the new one is there whole. Raises ``RecordError``."""
    write_text(path, format_record(record))


def write_text(path: str | os.PathLike[str], text: str, new: bool = False) -> None:
    """Write SGF text so that at each moment the old or the new file is there whole. Raises ``RecordError``.

    ``new``: the file must not be there yet; else FileExistsError is raised.
    """
    try:
        (files.create_file if new else files.replace_file)(path, text)
    except FileExistsError:
        raise
    except OSError as error:
        raise RecordError(f"cannot write {os.fspath(path)}: {error.strerror or error}") from error


def format_record(record: Record) -> str:
    """The SGF text of a record, ending with a newline and without empty lines.

    Raises ``RecordError`` for points off the board, impossible sizes and unknown ``info``.
    """
    nodes = [root_properties(record), *(step_properties(record, step) for step in record.steps)]
    return sgf.format_tree(sgf.Tree([sgf.Node(properties) for properties in nodes]))


def _texts(texts: dict[str, str]) -> Properties:
    """Text properties, those that are empty left out."""
    cleaned = {name: clean(text) for name, text in texts.items()}
    return {name: [sgf.escaped(text)] for name, text in cleaned.items() if text}


def _number(value: float) -> list[str]:
    """The value of a number property, without an exponent or needless digits."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return ["0" if text == "-0" else text]


def _point(record: Record, point: int) -> str:
    if point == PASS:
        return ""
    if not 0 <= point < record.width * record.height:
        raise RecordError(f"point {point} is off the {record.width}x{record.height} board")
    y, x = divmod(point, record.width)
    return LETTERS[x] + LETTERS[record.height - 1 - y]


def root_properties(record: Record) -> Properties:
    """The properties of a record's root, the setup before the first move among them."""
    if not (1 <= record.width <= MAX_SIZE and 1 <= record.height <= MAX_SIZE):
        raise RecordError(f"board size {record.width}x{record.height} is beyond {MAX_SIZE}x{MAX_SIZE}")
    unknown = [name for name in record.info if name not in INFO]
    if unknown:
        raise RecordError(f"{unknown[0]} is not among the facts a record keeps")
    square = record.width == record.height
    properties: Properties = {
        "GM": ["1"],
        "FF": ["4"],
        "CA": ["UTF-8"],
        "AP": [f"qiqiao:{__version__}"],
        "SZ": [f"{record.width}" if square else f"{record.width}:{record.height}"],
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
    properties |= _texts({name: clean(text).replace("\n", " ") for name, text in lines.items()} | record.info)
    return properties | _setup_properties(record, record.setup)


def _setup_properties(record: Record, setup: Setup) -> Properties:
    groups: list[tuple[str, Iterable[int]]] = [("AB", setup.black), ("AW", setup.white), ("AE", setup.empty)]
    properties = {name: [_point(record, point) for point in sorted(points)] for name, points in groups if points}
    if setup.to_play:
        properties["PL"] = [NAMES[setup.to_play]]
    return properties | _texts({"C": setup.comment})


def step_properties(record: Record, step: Move | Setup) -> Properties:
    """The SGF properties of a step of a record."""
    if isinstance(step, Setup):
        return _setup_properties(record, step)
    name = NAMES[step.color]
    properties = {name: [_point(record, step.point)]}
    if step.seconds_left is not None:
        properties[f"{name}L"] = _number(step.seconds_left)
    if step.stones_left is not None:
        properties[f"O{name}"] = [f"{step.stones_left}"]
    return properties | _texts({"C": step.comment})
