"""CBR and CBL, the records and libraries of CCBridge (象棋桥), read.

Strings are UTF-16LE of fixed sizes; version 2 of a record has its texts 128 bytes further on than version 1 (and its
board 256). The board is 90 bytes from the upper left, row by row: 0x11 to 0x17 Red's R N B A K C P, 0x21 to 0x27
Black's. A step is four bytes (flags 1 last of its line, 2 another in its place, 4 comment; 0; from; to), points as on
that board. The first step goes from a point to itself and has the comment before the first move. A library is a head,
an index and records, each beginning at its magic word.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from typing import NamedTuple

from engines.xiangqi.records.steps import Step, grow, position, set_up
from engines.xiangqi.records.values import Record

MAGIC = b"CCBridge Record\0"
LIBRARY = b"CCBridgeLibrary\0"

_KINDS = {0x10 + i: piece for i, piece in enumerate((5, 4, 3, 2, 1, 6, 7), 1)}
_KINDS |= {code + 0x10: piece + 8 for code, piece in list(_KINDS.items())}
_RESULTS = {1: "1-0", 2: "0-1", 3: "1/2-1/2", 4: "1/2-1/2"}


class _Layout(NamedTuple):
    """Where things stand in a version of the format: the texts of the tags with their sizes, the result, the side to
    move (the round's number 4 and the board 8 bytes behind it).
    """

    texts: dict[str, tuple[int, int]]
    result: int
    board: int


_TEXTS = {
    "Title": (180, 128),
    "Event": (692, 64),
    "Round": (756, 64),
    "Group": (820, 32),
    "Board": (852, 32),
    "Date": (884, 64),
    "Site": (948, 64),
    "TimeControl": (1012, 64),
    "Red": (1076, 64),
    "RedTeam": (1140, 64),
    "RedTime": (1204, 64),
    "RedElo": (1268, 32),
    "Black": (1300, 64),
    "BlackTeam": (1364, 64),
    "BlackTime": (1428, 64),
    "BlackElo": (1492, 32),
}
_LAYOUTS = {
    1: _Layout(
        {name: (at - 128, size) for name, (at, size) in _TEXTS.items()}
        | {"Annotator": (1396, 64), "Author": (1524, 64)},
        1820,
        1856,
    ),
    2: _Layout(
        _TEXTS | {"Referee": (1524, 64), "Recorder": (1588, 64), "Annotator": (1652, 64), "Author": (1780, 64)},
        2076,
        2112,
    ),
}


def is_cbr(data: bytes) -> bool:
    """Whether these bytes begin as a record of CCBridge."""
    return data[: len(MAGIC) - 1] == MAGIC[:-1]


def is_cbl(data: bytes) -> bool:
    """Whether these bytes begin as a library of CCBridge."""
    return data[: len(LIBRARY) - 1] == LIBRARY[:-1]


def read_cbl(data: bytes | mmap.mmap) -> Iterator[Record]:
    """The games of a library, one after another. ``data`` may be anything that is cut and searched as bytes are."""
    at = data.find(MAGIC)
    while at >= 0:
        following = data.find(MAGIC, at + len(MAGIC))
        block = bytes(data[at : following if following >= 0 else len(data)])
        try:
            yield read_cbr(block)
        except ValueError as error:
            yield Record(fault=str(error))
        at = following


def read_cbr(data: bytes) -> Record:
    """The game of a record, as far as it can be read. ValueError for one without a whole head."""
    version = data[19] if len(data) > 19 else 0
    layout = _LAYOUTS.get(version)
    if layout is None:
        raise ValueError(f"a record of CCBridge of version {version}, which is not known")
    if len(data) < layout.board + 98:
        raise ValueError("the record of CCBridge is cut off within its head")
    record = Record({name: text for name, place in layout.texts.items() if (text := _string(data, *place))})
    record.tags["Result"] = _RESULTS.get(data[layout.result], "*")
    # The upper left is a9.
    pieces = [0] * 90
    for at, code in enumerate(data[layout.board + 8 : layout.board + 98]):
        pieces[(9 - at // 9) * 9 + at % 9] = _KINDS.get(code, 0)
    steps = list(_steps(data, layout.board + 102, version))
    if steps and steps[0].origin == steps[0].target:
        record.root.say(steps[0].comment)
        steps = steps[1:] if steps[0].follows else []
    first = steps[0].origin if steps else None
    if not any(pieces) and not steps:  # a page of a library that has words alone
        record.notes.append("a page of text, without a position")
        record.tags["FEN"] = position(pieces, 0, None)
        return record
    number = int.from_bytes(data[layout.board + 4 : layout.board + 6], "little")
    board = set_up(record, position(pieces, int(data[layout.board] == 2), first, number))
    if board is not None:
        grow(record, board, steps)
    return record


def _string(data: bytes, at: int, size: int) -> str:
    text = data[at : at + size].decode("utf-16-le", "replace")
    return text.split("\0")[0].strip()


def _steps(data: bytes, at: int, version: int) -> Iterator[Step]:
    begin = at
    while at + 4 <= len(data):
        flags, _, origin, target = data[at : at + 4]
        if flags > 7 or (origin == target and at > begin):
            return
        at += 4
        comment = ""
        if flags & 4:
            length = int.from_bytes(data[at : at + 4], "little", signed=True)
            at += 4
            length = max(0, min(length, len(data) - at))
            comment = _string(data, at, length).replace("\r\n", "\n").replace("\r", "\n")
            at += length
        squares = (_square(origin, version), _square(target, version))
        yield Step(*squares, comment, not flags & 1, bool(flags & 2))


def _square(code: int, version: int) -> int:
    """The square of a point: version 2 counts from the upper left, version 1 has 16 times the file from the left plus
    the rank from the top.
    """
    if version == 1:
        file, row = divmod(code, 16)
        return (9 - row) * 9 + file if file < 9 and row < 10 else 255
    return (9 - code // 9) * 9 + code % 9 if code < 90 else 255
