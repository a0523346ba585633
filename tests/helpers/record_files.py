"""Records in the formats that are read and not written: made from the formats' descriptions, for tests and fuzzing."""

from __future__ import annotations

import struct

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_from, move_to
from engines.xiangqi.records import Record
from engines.xiangqi.records.steps import points_of, steps_of
from engines.xiangqi.records.xqf import TEXTS

SECRET = b"[(C) Copyright Mr. Dong Shiwei.]"


def xqf_enciphered(record: Record, version: int, seed: bytes = bytes(range(3, 16)), encoding: str = "gb18030") -> bytes:
    """A game as XQF of a version from 11 on; ``seed`` has the bytes 3 to 15 of the head: mask, product, keys."""
    head = bytearray(1024)
    head[:3] = b"XQ" + bytes([version])
    head[3:16] = seed
    mask, sums, b, f, t = head[3], head[12], head[13], head[14], head[15]
    pieces_key = (b * b * 54 + 221) * b & 255
    from_key = (f * f * 54 + 221) * pieces_key & 255
    to_key = (t * t * 54 + 221) * from_key & 255
    comment_key = (sums * 256 + b) % 32000 + 767
    keys = [(key & mask) | head[8 + i] for i, key in enumerate((sums, b, f, t))]
    stream = bytes(letter & keys[i % 4] for i, letter in enumerate(SECRET))
    board = Board(record.fen, strict=False)
    for i, home in enumerate(points_of([board.piece_at(square) for square in range(90)])):
        place = (i - pieces_key - 1) % 32 if version > 11 else i
        head[16 + place] = ((0xA0 if home is None else home % 9 * 10 + home // 9) + pieces_key) & 255
    head[0x32] = board.turn
    head[0x33] = {"1-0": 1, "0-1": 2, "1/2-1/2": 3}.get(record.result, 0)
    for name, (at, size) in TEXTS.items():
        text = record.tags.get(name, "").encode(encoding)[:size]
        head[at] = len(text)
        head[at + 1 : at + 1 + len(text)] = text

    def node(origin: int, target: int, follows: bool, another: bool, comment: str) -> bytes:
        text = comment.replace("\n", "\r\n").encode(encoding)
        flags = 0x80 * follows | 0x40 * another | 0x20 * bool(text)
        size = struct.pack("<I", len(text) + comment_key) if text else b""
        return bytes(((origin + 24 + from_key) & 255, (target + 32 + to_key) & 255, flags, 0)) + size + text

    def point(square: int) -> int:
        return square % 9 * 10 + square // 9

    parts = [node(0, 0, bool(record.root.lines), False, record.root.comment)]
    for one, follows, another in steps_of(record.root):
        parts.append(node(point(move_from(one.move)), point(move_to(one.move)), follows, another, one.comment))
    body = b"".join(parts)
    return bytes(head) + bytes((byte + stream[i % 32]) & 255 for i, byte in enumerate(body))


def cbr(record: Record, version: int = 2) -> bytes:
    """A game as a record of CCBridge."""
    shift, begin = (0, 2112) if version == 2 else (128, 1856)
    head = bytearray(begin + 102)
    head[:15] = b"CCBridge Record"
    head[19] = version
    for name, at, size in (("Title", 180, 128), ("Event", 692, 64), ("Red", 1076, 64), ("Black", 1300, 64)):
        text = record.tags.get(name, "").encode("utf-16-le")[: size - 2]
        head[at - shift : at - shift + len(text)] = text
    head[begin - 36] = {"1-0": 1, "0-1": 2, "1/2-1/2": 3}.get(record.result, 0)
    board = Board(record.fen, strict=False)
    head[begin] = board.turn + 1
    head[begin + 4 : begin + 6] = struct.pack("<H", board.fullmove_number)
    codes = {".": 0} | {letter: 0x11 + i for i, letter in enumerate("RNBAKCP")}
    codes |= {letter: 0x21 + i for i, letter in enumerate("rnbakcp")}
    letters = ".KABNRCP.kabnrcp"
    for at in range(90):
        head[begin + 8 + at] = codes[letters[board.piece_at((9 - at // 9) * 9 + at % 9)]]

    def point(square: int) -> int:
        if version == 1:
            return square % 9 * 16 + 9 - square // 9
        return (9 - square // 9) * 9 + square % 9

    def step(origin: int, target: int, follows: bool, another: bool, comment: str) -> bytes:
        text = comment.encode("utf-16-le")
        size = struct.pack("<I", len(text)) if text else b""
        return bytes((int(not follows) | 2 * another | 4 * bool(text), 0, origin, target)) + size + text

    parts = [step(0, 0, bool(record.root.lines), False, record.root.comment)]
    for one, follows, another in steps_of(record.root):
        parts.append(step(point(move_from(one.move)), point(move_to(one.move)), follows, another, one.comment))
    return bytes(head) + b"".join(parts)


def cbl(records: list[Record]) -> bytes:
    """Games as a library of CCBridge."""
    head = bytearray(576)
    head[:15] = b"CCBridgeLibrary"
    head[60:64] = struct.pack("<I", len(records))
    data = bytes(head).ljust(101952, b"\0")
    for record in records:
        data += cbr(record)
        data = data.ljust(101952 + -(-(len(data) - 101952) // 4096) * 4096, b"\0")
    return data


GIB = r"""\HS
\[GIBOKIND=Global\]
\[GAMEWHITENAME=白 (3D)\]
\[GAMEBLACKNAME=kim (2K)\]
\[GAMEDATE=2016- 3-26-17-29-25\]
\[GAMEPLACE=Tygem Baduk\]
\[GAMEINFOMAIN=GBKIND:3,GTYPE:1,GCDT:3,GTIME:1200-30-3,GRLT:1,ZIPSU:35,DUM:0,GONGJE:65,TCNT:4\]
\HE
\GS
2 1 0
5 0 &4
INI 0 1 0 &4
STO 0 2 1 16 2
STO 0 3 2 3 15
STO 0 4 1 16 14
SKI 0 5
STO 0 6 1 2 2
\GE
"""

NGF = """Rated game
19
LQC         9DP
CYY         8K
www.cyberoro.com
{handicap}
0
7
20170316 [09:37]
5
Black wins by 0.5!
4
PMABBREER
PMACWEEEE
PMADBQRRQ
PMAEWAAAA
"""

UGF = """[Header]
Ver=REVIEW1,200
Lang=SJIS
Title=棋譜,PANDA-NET
Date=2019/03/08,22:09:00,2019/03/09,07:16:59
Rule=JPN
Size=19
Hdcp=2,0.50
Winner=W,R
CoordinateType=IGS
PlayerB=kaziwami,7d,,
PlayerW=本因坊,8d,,
[Data]
DD,B1,0,0
PP,B1,0,0
QC,W1,1,12
CQ,B1,2,30
YA,W1,3,0
[ReviewNode]
NODE,1,0,0,0
NODE,2,2,17,3
  VARIATION,
    NODE,5,1,3,3
    NODE,6,2,4,3
NODE,3,1,3,17
[ReviewComment]
.Comment,2
最初の手
[second line]
"""
