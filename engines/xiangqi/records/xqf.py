"""XQF, the records of XQStudio (象棋演播室): version 1.0 read and written, the enciphered ones from 1.1 on read.

A head of 1,024 bytes (texts with their length before them, the points of the 32 pieces, the result), then the moves as
a tree. From version 1.1 on the moves are enciphered by numbers in the head, and comments have a flag; from 1.2 on the
order of the pieces is turned by one of those numbers. Points are ten times the file plus the rank, both from Red's
lower left. Texts are in the code page of the writer's system, mostly GB18030.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from engines.text import decode_marked, named_readings
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_from, move_to
from engines.xiangqi.records.steps import Step, grow, placement, points_of, position, set_up, steps_of
from engines.xiangqi.records.values import Record

HEAD = 1024
_PLAIN = 10
"""The last version whose moves are not enciphered."""

_SECRET = b"[(C) Copyright Mr. Dong Shiwei.]"
_RESULTS = {1: "1-0", 2: "0-1", 3: "1/2-1/2", 4: "1/2-1/2"}

TEXTS = {
    "Title": (0x50, 63),
    "Event": (0xD0, 63),
    "Date": (0x110, 15),
    "Site": (0x120, 15),
    "Red": (0x130, 15),
    "Black": (0x140, 15),
    "TimeControl": (0x150, 63),
    "RedTime": (0x190, 15),
    "BlackTime": (0x1A0, 15),
    "Annotator": (0x1D0, 15),
    "Author": (0x1E0, 15),
}
"""Where the texts of the tags stand in the head, and how many bytes they may have."""


def is_xqf(data: bytes) -> bool:
    """Whether these bytes begin as an XQF file does; a text with these letters first has no control characters."""
    odd = any(byte < 9 or byte > 126 for byte in data[2:64])
    return data[:2] == b"XQ" and len(data) > 16 and 0 < data[2] < 0x20 and odd


class _Keys:
    """What the bytes of an enciphered file are shifted by."""

    def __init__(self, head: bytes) -> None:
        mask, sums, pieces, origin, target = head[3], head[12], head[13], head[14], head[15]
        self.pieces = self.origin = self.target = self.comment = 0
        self.stream = bytes(32)
        if head[2] <= _PLAIN:
            return
        self.pieces = (pieces * pieces * 54 + 221) * pieces & 255
        self.origin = (origin * origin * 54 + 221) * self.pieces & 255
        self.target = (target * target * 54 + 221) * self.origin & 255
        self.comment = (sums * 256 + pieces) % 32000 + 767
        masks = [(key & mask) | fixed for key, fixed in zip((sums, pieces, origin, target), head[8:12], strict=True)]
        self.stream = bytes(letter & masks[i % 4] for i, letter in enumerate(_SECRET))

    def decipher(self, data: bytes) -> bytes:
        """The bytes behind the head as they were before."""
        if not any(self.stream):
            return data
        plain = bytearray(len(data))
        for i, key in enumerate(self.stream):  # every 32nd byte by the same key: a table each
            plain[i::32] = data[i::32].translate(bytes((byte - key) & 255 for byte in range(256)))
        return bytes(plain)


def read_xqf(data: bytes, encoding: str | None = None) -> Record:
    """The game of an XQF file, as far as it can be read. ValueError for a file without a whole head."""
    if len(data) < HEAD:
        raise ValueError("a record of XQStudio (.xqf) that is cut off within its head")
    keys = _Keys(data)
    version = data[2]
    raw = {
        name: data[at + 1 : at + 1 + min(data[at], size)].split(b"\0")[0].strip() for name, (at, size) in TEXTS.items()
    }
    steps = list(_steps(keys.decipher(data[HEAD:]), version, keys))
    texts = b"\n".join([*raw.values(), *(comment for _, comment in steps)])
    if not encoding:
        encoding = next(named_readings(texts))[0] if not texts.isascii() else "gb18030"
    record = Record({name: decode_marked(text, encoding) for name, text in raw.items() if text})
    record.encoding = "" if texts.isascii() else encoding
    record.tags["Result"] = _RESULTS.get(data[0x33], "*")
    slots: list[int | None] = [None] * 32
    for i, point in enumerate(data[16:48]):
        slot = (keys.pieces + i + 1) & 31 if version > _PLAIN + 1 else i
        point = (point - keys.pieces) & 255
        slots[slot] = point % 10 * 9 + point // 10 if point < 90 else None
    if steps:
        root, comment = steps[0]
        record.root.say(_text(comment, encoding))
        steps = steps[1:] if root.follows else []
    first = steps[0][0].origin if steps else None
    number = int.from_bytes(data[0x30:0x32], "little")
    board = set_up(record, position(placement(slots), int(data[0x32] == 1), first, number // 2 or 1))
    if board is not None:
        grow(record, board, (step._replace(comment=_text(comment, encoding)) for step, comment in steps))
    return record


def _text(comment: bytes, encoding: str) -> str:
    return decode_marked(comment, encoding).replace("\r\n", "\n").replace("\r", "\n") if comment else ""


def _steps(data: bytes, version: int, keys: _Keys) -> Iterator[tuple[Step, bytes]]:
    """The moves, the first of which is none but has the comment before the first move."""
    at = 0
    while at + 4 <= len(data):
        origin, target, flags, _ = data[at : at + 4]
        at += 4
        length = 0
        if version <= _PLAIN:
            follows, another = bool(flags & 0xF0), bool(flags & 0x0F)
            length = int.from_bytes(data[at : at + 4], "little", signed=True)
            at += 4
        else:
            follows, another = bool(flags & 0x80), bool(flags & 0x40)
            if flags & 0x20:
                length = int.from_bytes(data[at : at + 4], "little", signed=True) - keys.comment
                at += 4
        comment = data[at : at + max(0, length)]
        at += max(0, length)
        origin, target = (origin - 24 - keys.origin) & 255, (target - 32 - keys.target) & 255
        yield (
            Step(
                origin % 10 * 9 + origin // 10 if origin < 90 else 255,
                target % 10 * 9 + target // 10 if target < 90 else 255,
                "",
                follows,
                another,
            ),
            comment,
        )


def write_xqf(record: Record) -> tuple[bytes, list[str]]:
    """A game as XQF 1.0, texts in GB18030; and what of it the format has no room for.

    ValueError for a position that can't be set up.
    """
    lost: list[str] = []
    head = bytearray(HEAD)
    head[:3] = b"XQ\x0a"
    board = Board(record.fen, strict=False)
    points = points_of([board.piece_at(square) for square in range(90)])
    head[16:48] = bytes(0xFF if square is None else square % 9 * 10 + square // 9 for square in points)
    head[0x32] = board.turn
    head[0x30:0x32] = struct.pack("<H", min(board.fullmove_number * 2 if board.fullmove_number > 1 else 0, 0xFFFF))
    head[0x33] = {result: code for code, result in reversed(_RESULTS.items())}.get(record.result, 0)
    for name, (at, size) in TEXTS.items():
        text = record.tags.get(name, "").encode("gb18030", "replace")
        if len(text) > size:
            lost.append(f"{name} beyond {size} bytes")
            text = text[:size].decode("gb18030", "ignore").encode("gb18030")
        head[at] = len(text)
        head[at + 1 : at + 1 + len(text)] = text
    known = {*TEXTS, "Game", "Format", "FEN", "Result"}
    further = [name for name, value in record.tags.items() if name not in known and value]
    if further:
        lost.append("tags " + ", ".join(further))
    parts = [bytes(head), _node(24, 32, bool(record.root.lines), False, record.root.comment)]
    marked = False
    for node, follows, another in steps_of(record.root):
        origin, target = move_from(node.move), move_to(node.move)
        marked = marked or bool(node.marks)
        parts.append(
            _node(
                origin % 9 * 10 + origin // 9 + 24, target % 9 * 10 + target // 9 + 32, follows, another, node.comment
            )
        )
    if marked:
        lost.append("marks of moves")
    return b"".join(parts), lost


def _node(origin: int, target: int, follows: bool, another: bool, comment: str) -> bytes:
    text = comment.replace("\n", "\r\n").encode("gb18030", "replace")
    return bytes((origin, target, 0xF0 * follows | 0x0F * another, 0)) + struct.pack("<I", len(text)) + text
