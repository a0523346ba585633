"""FEN of sanguo: ``RANKS PLAYER SIDES POOL STILL PLY``.

Ranks from the top, ``X`` for a face-down piece; five ranks are the half board, ten the whole; the player to act, 1 to
3; the sides of players 1 to 3 (``g`` generals and soldiers, ``r`` red, ``b`` black, ``-`` none yet); each piece's
letter with how many of it nobody has seen; turns without a turn-up or capture; turns played. Where pieces lie aside
the pool of a view counts these too. ``out:31`` follows where players are out that the rest doesn't tell: 3, then 1.

Points are rank · 9 + file, a0 = 0. Letters are Xiangqi's, K A B N R C P; A B N R C are red, the small ones black, and
K k P p belong together.
"""

from __future__ import annotations

from typing import NamedTuple

from engines.banqi.fen import FenError

__all__ = [
    "LETTERS",
    "SET",
    "SIDES",
    "Fen",
    "FenError",
    "point_name",
    "read_fen",
    "read_piece",
    "read_point",
    "side_of",
]

LETTERS = ".KABNRCPXkabnrcp"
SET = (1, 2, 2, 2, 2, 2, 5)
SIDES = "grb"

_PIECES = {letter: piece for piece, letter in enumerate(LETTERS) if letter not in ".X"}
_PIECES |= {"H": 4, "h": 12, "E": 3, "e": 11}
_MOST_DIGITS = 6


class Fen(NamedTuple):
    """What a FEN says: pieces by point, the player to act (0 to 2), its sides (0 g, 1 r, 2 b, -1 none), counts by
    piece, players out in their order."""

    pieces: tuple[int, ...]
    player: int
    sides: tuple[int, int, int]
    pool: tuple[int, ...]
    still: int
    ply: int
    out: tuple[int, ...]


def side_of(piece: int) -> int:
    """The side that a piece belongs to: 0 generals and soldiers, 1 red, 2 black."""
    return 0 if piece & 7 in (1, 7) else 1 + (piece >> 3)


def point_name(point: int) -> str:
    """a0 … i9."""
    return "abcdefghi"[point % 9] + str(point // 9)


def read_point(text: str, points: int = 90) -> int:
    """The point of that name on a board of so many. ValueError for another text."""
    if len(text) == 2 and text[0].lower() in "abcdefghi" and text[1] in "0123456789":
        point = "abcdefghi".index(text[0].lower()) + 9 * int(text[1])
        if point < points:
            return point
    raise ValueError(f"there is no point {text!r}: they are a0 to i{points // 9 - 1}")


def read_piece(letter: str) -> int:
    """The piece of that letter. ValueError for another text."""
    if letter in _PIECES:
        return _PIECES[letter]
    raise ValueError(f"there is no piece {letter!r}: they are K A B N R C P, large and small")


def blocks(points: int, corners: int) -> list[int]:
    """The points that are dealt on, in the order of a deal: near left, near right, far left, far right; of each block
    the lower rank first, file by file."""
    top = points // 9 - 2
    places = ((0, 0), (0, 5), (top, 0), (top, 5))[:corners]
    return [(rank + up) * 9 + file + i for rank, file in places for up in (0, 1) for i in range(4)]


def start_fen(points: int, corners: int) -> str:
    """The start of a game."""
    pieces = [0] * points
    for point in blocks(points, corners):
        pieces[point] = 8
    pool = [SET[(piece & 7) - 1] if piece & 7 else 0 for piece in range(16)]
    return write_fen(Fen(tuple(pieces), 0, (-1, -1, -1), tuple(pool), 0, 0, ()))


def gone(fen: Fen, player: int) -> bool:
    """Whether counting shows that a player has no piece left."""
    side = fen.sides[player]
    if side < 0:
        return False
    standing = any(piece & 7 and side_of(piece) == side for piece in fen.pieces)
    return not standing and not any(fen.pool[p] for p in range(16) if p & 7 and side_of(p) == side)


def write_fen(fen: Fen) -> str:
    """A position as FEN."""
    rows = []
    for rank in range(len(fen.pieces) // 9 - 1, -1, -1):
        row = ""
        for piece in fen.pieces[9 * rank : 9 * rank + 9]:
            if piece:
                row += LETTERS[piece]
            elif row and row[-1].isdigit():
                row = row[:-1] + str(int(row[-1]) + 1)
            else:
                row += "1"
        rows.append(row)
    sides = "".join("-" if side < 0 else SIDES[side] for side in fen.sides)
    pool = "".join(LETTERS[piece] + str(fen.pool[piece]) for piece in range(16) if piece & 7)
    text = f"{'/'.join(rows)} {fen.player + 1} {sides} {pool} {fen.still} {fen.ply}"
    if len(fen.out) > 1 or any(not gone(fen, player) for player in fen.out):
        text += " out:" + "".join(str(player + 1) for player in fen.out)
    return text


def read_fen(text: str) -> Fen:
    """Read a FEN. ``FenError``, with the reason, where it is none or says what can't be."""
    fields = text.split()
    marks = [field for field in fields[1:] if ":" in field]
    fields = [field for field in fields if ":" not in field]
    if len(fields) < 4 or len(fields) > 6:
        raise FenError("the FEN is not RANKS PLAYER SIDES POOL STILL PLY")
    pieces = _read_ranks(fields[0])
    if fields[1] not in ("1", "2", "3"):
        raise FenError(f"the player to act is {fields[1]!r}, not 1, 2 or 3")
    if len(fields[2]) != 3 or any(letter not in "grb-" for letter in fields[2]):
        raise FenError(f"the sides are {fields[2]!r}, not three of g r b -")
    sides = tuple(-1 if letter == "-" else SIDES.index(letter) for letter in fields[2])
    given = [side for side in sides if side >= 0]
    if len(set(given)) != len(given) or len(given) == 2:
        raise FenError(f"the sides {fields[2]!r} can't be: each is one player's, and the last has what remains")
    pool = _read_pool(fields[3])
    still, ply = (_counter(field) for field in (*fields[4:], "0", "0")[:2])
    for piece in range(16):
        if piece & 7 and pieces.count(piece) + pool[piece] > SET[(piece & 7) - 1]:
            raise FenError(f"there are too many of {LETTERS[piece]}")
    if sum(pool) < pieces.count(8):
        raise FenError(f"{pieces.count(8)} pieces are face down on the board, and {sum(pool)} by the pool")
    if len(given) < 3 and pieces.count(8) == 0:
        raise FenError("all pieces are turned up, and a player has no side")
    fen = Fen(tuple(pieces), int(fields[1]) - 1, (sides[0], sides[1], sides[2]), pool, still, ply, ())
    return fen._replace(out=_read_out(marks, fen))


def _read_out(marks: list[str], fen: Fen) -> tuple[int, ...]:
    out = [player for player in range(3) if gone(fen, player)]
    for mark in marks:
        name, _, value = mark.partition(":")
        if name != "out" or len(set(value)) != len(value) or any(letter not in "123" for letter in value):
            raise FenError(f"the FEN has {mark!r}, which means nothing here")
        named = [int(letter) - 1 for letter in value]
        out = named + [player for player in out if player not in named]
    return tuple(out)


def _read_ranks(text: str) -> list[int]:
    rows = text.split("/")
    if len(rows) not in (5, 10):
        raise FenError(f"the board has {len(rows)} ranks, and not 5 or 10")
    pieces = [0] * (9 * len(rows))
    for row, line in enumerate(rows):
        file, rank = 0, len(rows) - 1 - row
        for letter in line:
            if letter in "123456789":
                file += int(letter)
                continue
            if letter not in "Xx" and letter not in _PIECES:
                raise FenError(f"rank {rank} has {letter!r}, which is no piece")
            if file < 9:
                pieces[rank * 9 + file] = 8 if letter in "Xx" else _PIECES[letter]
            file += 1
        if file != 9:
            raise FenError(f"rank {rank} has {file} points, and not 9")
    return pieces


def _read_pool(text: str) -> tuple[int, ...]:
    pool = [0] * 16
    if text != "-":
        if len(text) % 2:
            raise FenError(f"the pool {text!r} is not letters with a digit each")
        for letter, digit in zip(text[::2], text[1::2], strict=True):
            if letter not in _PIECES or digit not in "0123456789":
                raise FenError(f"the pool {text!r} has {letter + digit!r}, which is no piece with a digit")
            pool[_PIECES[letter]] += int(digit)
    return tuple(pool)


def _counter(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        return int(text)
    raise FenError(f"{text!r} is no number of turns")
