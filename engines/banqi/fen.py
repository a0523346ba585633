"""FEN of banqi and luoqi: the text of a position as everybody sees it.

``RANKS r|b|- POOL STILL PLY``: ranks 8 to 1 from file a on, ``X`` for a face-down piece; the color to act; each piece's
letter with how many of it are face down (luoqi: in hand); plies without a turn-up or capture; plies played. Letters are
K G M R N C P (general, advisor, elephant, chariot, horse, cannon, soldier), Red's large. Where the first to act can't
be told from the plies (with chains of captures) ``first:r`` or ``first:b`` follows, and ``chain:b3`` where the piece on
b3 may go on taking.

Reading is lenient about what is left out at the end; letters A B and E H for advisor, elephant and horse are read too.
"""

from __future__ import annotations

from typing import NamedTuple

from engines.errors import QiqiaoError

LETTERS = ".KGMRNCPXkgmrncp"
"""The letter of each piece; 8 is a face-down one."""

SET = (1, 2, 2, 2, 2, 2, 5)
"""How many of each kind, general first, a color has."""

START_FEN = "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX - K1G2M2R2N2C2P5k1g2m2r2n2c2p5 0 0"
EMPTY_FEN = "4/4/4/4/4/4/4/4 r K1G2M2R2N2C2P5k1g2m2r2n2c2p5 0 0"
"""The start of a game of banqi, and of luoqi."""

SIDES = "rb"
_PIECES = {letter: piece for piece, letter in enumerate(LETTERS) if letter not in ".X"}
_PIECES |= {"A": 2, "a": 10, "B": 3, "b": 11, "E": 3, "e": 11, "H": 5, "h": 13}
_MOST_DIGITS = 6


class FenError(QiqiaoError, ValueError):
    """A text that is no position; it says why."""


class Fen(NamedTuple):
    """What a FEN says.

    ``pieces`` are the 32 squares from a1, ``side`` the color to act (-1: none yet), ``pool`` counts by piece, ``first``
    the color of the player who acted first (-1: none yet), ``chaining`` the square of the piece that may go on taking.
    """

    pieces: tuple[int, ...]
    side: int
    pool: tuple[int, ...]
    still: int = 0
    ply: int = 0
    first: int = -1
    chaining: int | None = None


def square_name(square: int) -> str:
    """a1 … d8."""
    return "abcd"[square & 3] + str((square >> 2) + 1)


def read_square(text: str) -> int:
    """The square of that name. ValueError for another text."""
    if len(text) == 2 and text[0].lower() in "abcd" and text[1] in "12345678":
        return "abcd".index(text[0].lower()) + 4 * int(text[1]) - 4
    raise ValueError(f"there is no square {text!r}: they are a1 to d8")


def read_piece(letter: str) -> int:
    """The piece of that letter. ValueError for another text."""
    if letter in _PIECES:
        return _PIECES[letter]
    raise ValueError(f"there is no piece {letter!r}: they are K G M R N C P, and small for Black")


def write_pool(pool: tuple[int, ...] | list[int]) -> str:
    """Counts by piece as a FEN has them."""
    return "".join(LETTERS[piece] + str(pool[piece]) for piece in range(16) if piece & 7)


def read_pool(text: str) -> tuple[int, ...]:
    """Counts by piece. ``FenError`` for another text."""
    pool = [0] * 16
    if text == "-":
        return tuple(pool)
    if len(text) % 2:
        raise FenError(f"the pool {text!r} is not letters with a digit each")
    for letter, digit in zip(text[::2], text[1::2], strict=True):
        if letter not in _PIECES or digit not in "0123456789":
            raise FenError(f"the pool {text!r} has {letter + digit!r}, which is no piece with a digit")
        pool[_PIECES[letter]] += int(digit)
    return tuple(pool)


def read_fen(text: str, hands: bool = False) -> Fen:
    """Read a FEN; ``hands``: the pool is what the players hold, and nothing lies face down. ``FenError``, with the
    reason, where it is none or says what can't be."""
    fields = text.split()
    if not fields:
        raise FenError("the FEN is empty")
    marks = [field for field in fields[1:] if ":" in field]
    fields = [field for field in fields if ":" not in field]
    pieces = _read_ranks(fields[0])
    if len(fields) > 5:
        raise FenError(f"the FEN goes on after its counters: {' '.join(fields[5:])!r}")
    down = pieces.count(8)
    side = _read_side(fields[1] if len(fields) > 1 else ("-" if down == 32 else "r"))
    pool = read_pool(fields[2]) if len(fields) > 2 else _whole_pool(pieces, down, hands)
    still, ply = (_counter(fields[i]) if len(fields) > i else 0 for i in (3, 4))
    _check_counts(pieces, pool, down, hands)
    if side < 0 and down < 32:
        raise FenError("the side to act is - only before the first piece is turned up")
    if side >= 0 and down == 32:
        raise FenError("no piece is turned up: the side to act is -")
    first, chaining = _read_marks(marks)
    if side >= 0 and first < 0:
        first = side ^ (ply & 1)
    return Fen(tuple(pieces), side, pool, still, ply, first if side >= 0 else -1, chaining)


def write_fen(fen: Fen) -> str:
    """A position as FEN."""
    rows = []
    for rank in range(7, -1, -1):
        row = ""
        for piece in fen.pieces[4 * rank : 4 * rank + 4]:
            if piece:
                row += LETTERS[piece]
            elif row and row[-1].isdigit():
                row = row[:-1] + str(int(row[-1]) + 1)
            else:
                row += "1"
        rows.append(row)
    side = SIDES[fen.side] if fen.side >= 0 else "-"
    text = f"{'/'.join(rows)} {side} {write_pool(fen.pool)} {fen.still} {fen.ply}"
    if fen.side >= 0 and fen.first != fen.side ^ (fen.ply & 1):
        text += f" first:{SIDES[fen.first]}"
    if fen.chaining is not None:
        text += f" chain:{square_name(fen.chaining)}"
    return text


def _read_ranks(text: str) -> list[int]:
    rows = text.split("/")
    if len(rows) != 8:
        raise FenError(f"the board has {len(rows)} ranks, and not 8")
    pieces = [0] * 32
    for row, line in enumerate(rows):
        file = 0
        for letter in line:
            if letter in "1234":
                file += int(letter)
                continue
            if letter not in "Xx" and letter not in _PIECES:
                raise FenError(f"rank {8 - row} has {letter!r}, which is no piece")
            if file < 4:
                pieces[(7 - row) * 4 + file] = 8 if letter in "Xx" else _PIECES[letter]
            file += 1
        if file != 4:
            raise FenError(f"rank {8 - row} has {file} squares, and not 4")
    return pieces


def _read_side(text: str) -> int:
    if text == "-":
        return -1
    if text.lower() in ("r", "w", "b"):
        return 1 if text.lower() == "b" else 0
    raise FenError(f"the side to act is {text!r}, not r, b or -")


def _counter(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        return int(text)
    raise FenError(f"{text!r} is no number of plies")


def _whole_pool(pieces: list[int], down: int, hands: bool) -> tuple[int, ...]:
    """The pool where a FEN gives none: all that isn't on the board, if so many lie face down."""
    if hands:
        return (0,) * 16
    rest = [SET[(piece & 7) - 1] - pieces.count(piece) if piece & 7 else 0 for piece in range(16)]
    if down == 0:
        return (0,) * 16
    if sum(rest) != down or min(rest) < 0:
        raise FenError("the FEN doesn't say which pieces are face down")
    return tuple(rest)


def _check_counts(pieces: list[int], pool: tuple[int, ...], down: int, hands: bool) -> None:
    for piece in range(16):
        if piece & 7 and pieces.count(piece) + pool[piece] > SET[(piece & 7) - 1]:
            raise FenError(f"there are too many of {LETTERS[piece]}")
    if hands and down:
        raise FenError("no piece of this game is face down")
    if not hands and sum(pool) != down:
        raise FenError(f"{down} pieces are face down on the board, and {sum(pool)} by the pool")


def _read_marks(marks: list[str]) -> tuple[int, int | None]:
    first, chaining = -1, None
    for mark in marks:
        name, _, value = mark.partition(":")
        if name == "first" and value in ("r", "b"):
            first = SIDES.index(value)
        elif name == "chain":
            try:
                chaining = read_square(value)
            except ValueError as error:
                raise FenError(str(error)) from None
        else:
            raise FenError(f"the FEN has {mark!r}, which means nothing here")
    return first, chaining
