"""FEN: the text of a position.

Clients vary the text, so reading is lenient about its form: the side to move may be ``w``, ``r`` or ``b`` in either
case, horses and elephants may be N and B or H and E, and anything after the placement may be missing, one of the two
dashes too (then Red is to move, with both counters at their start). It is strict about what the text says: see
``read_fen``. A side of another name is refused, although some programs take it for Red: it may as well mean Black.
"""

from __future__ import annotations

from typing import NamedTuple

from engines.errors import QiqiaoError
from engines.xiangqi.geometry import KIND_NAMES, PIECE_LETTERS, SIDE_NAMES, SLOT_KINDS, is_home, square_name

START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
"""The start of a game, in the form that ``write_fen`` gives every position."""

QUOTES = "\"'`,;“”‘’「」『』"
"""Marks around the words of a FEN that was copied out of a text or a program; no part of it."""

_LETTERS = {letter: piece for piece, letter in enumerate(PIECE_LETTERS) if letter != "."}
_LETTERS |= {"H": _LETTERS["N"], "h": _LETTERS["n"], "E": _LETTERS["B"], "e": _LETTERS["b"]}
_SIDES = {"w": 0, "r": 0, "b": 1}
_MOST_DIGITS = 5


class FenError(QiqiaoError, ValueError):
    """A FEN that is no Xiangqi position; its text says why."""


class Fen(NamedTuple):
    """What a FEN says.

    ``pieces`` are the 90 points from a0 to i9, ``turn`` the color to move, ``clock`` the plies since the last capture,
    ``number`` the number of the round, from 1.
    """

    pieces: tuple[int, ...]
    turn: int
    clock: int
    number: int


def read_fen(text: str, strict: bool = True) -> Fen:
    """Read a FEN. ``FenError``, with the reason, when it is none or says what can't be.

    Refused are wrong ranks, files, letters and counters, a side without its one general or with more of a kind than it
    begins with, and a piece on a point that its kind can't reach; but when not ``strict`` a soldier may stand anywhere
    (published studies sometimes place one behind its own line). Whether the side to move could take the general is the
    board's to see.
    """
    fields = text.split()
    if not fields:
        raise FenError("the FEN is empty")
    pieces = _read_placement(fields[0])
    rest = fields[1:]
    side = rest.pop(0) if rest and not _follows_side(rest[0]) else "w"
    if side.lower() not in _SIDES:
        raise FenError(f"the side to move is {side!r}, not w, r or b")
    for _ in range(2):  # two dashes, which some leave out
        if rest and not _follows_side(rest[0]):
            raise FenError(f"the FEN has {rest[0]!r} after the side to move, where it should have -")
        if rest[:1] == ["-"]:
            del rest[0]
    if len(rest) > 2:
        raise FenError(f"the FEN goes on after its counters: {' '.join(rest[2:])!r}")
    clock = _read_counter("plies since a capture", rest[0]) if rest else 0
    number = _read_counter("number of the round", rest[1]) if len(rest) > 1 else 1
    _check_pieces(pieces, strict)
    return Fen(tuple(pieces), _SIDES[side.lower()], clock, max(number, 1))


def tidy_fen(text: str) -> tuple[str, list[str]]:
    """A FEN as others pass it on, with what a FEN has no place for left out, and the words left out.

    Only what follows the placement and the side can be left out: what these say is for ``read_fen`` to judge. Behind
    them count a plain number each for the plies since the last capture and for the round; they come after the two
    dashes if these are there. A word where a counter should be stands for a counter not known.
    """
    words = [word.strip(QUOTES) for word in text.split()]
    skipped = [mark for mark in QUOTES if mark in text and any(mark in word[:1] + word[-1:] for word in text.split())]
    words = [word for word in words if word]
    if not words:
        return "", skipped
    at = 1 if len(words) > 1 and (words[1] == "-" * len(words[1]) or words[1].isdigit()) else 2
    kept, tail = words[:at], words[at:]
    dashes = 0
    counters: list[str] = []
    for i, word in enumerate(tail):
        number = word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS
        if number and len(counters) < 2:
            counters.append(word)
        elif word == "-" and dashes < 2 and not counters:
            dashes += 1
        else:
            skipped.append(word)
            if dashes and not counters and len(tail) - i <= 2:
                counters.append("0")
    if at == 1:
        kept.append("w")
    return " ".join([*kept, "-", "-", *counters] if tail else kept), skipped


def write_fen(fen: Fen, letters: str = PIECE_LETTERS, red: str = "w") -> str:
    """The text of a position, with all six fields.

    ``letters`` has the letter of every piece (``.KAEHRCP.kaehrcp`` for peers that want E and H), ``red`` the word for
    Red to move.
    """
    ranks = []
    for rank in range(9, -1, -1):
        row = "".join(letters[piece] for piece in fen.pieces[rank * 9 : rank * 9 + 9])
        for run in range(9, 0, -1):
            row = row.replace("." * run, str(run))
        ranks.append(row)
    return f"{'/'.join(ranks)} {'b' if fen.turn else red} - - {fen.clock} {fen.number}"


def _read_placement(text: str) -> list[int]:
    rows = text.split("/")
    if len(rows) != 10:
        raise FenError(f"the FEN has {len(rows)} ranks, not 10")
    pieces: list[int] = []
    for rank, row in enumerate(reversed(rows)):
        start = len(pieces)
        for letter in row:
            if letter in "123456789":
                pieces += [0] * int(letter)
            elif letter in _LETTERS:
                pieces.append(_LETTERS[letter])
            else:
                raise FenError(f"{letter!r} on rank {rank} of the FEN is no piece")
        if len(pieces) - start != 9:
            raise FenError(f"rank {rank} of the FEN has {len(pieces) - start} files, not 9")
    return pieces


def _follows_side(field: str) -> bool:
    """Whether a field is one of those behind the side to move: a dash or a counter."""
    return field == "-" or field.isdigit()


def _read_counter(name: str, text: str) -> int:
    if text == "-":
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise FenError(f"the FEN's {name} is {text!r}, not a number of at most {_MOST_DIGITS} digits")
    return int(text)


def _check_pieces(pieces: list[int], strict: bool) -> None:
    """Refuse pieces too many, generals missing, and pieces where they can't be."""
    for color in (0, 1):
        for kind in range(1, 8):
            count, most = pieces.count(color * 8 + kind), SLOT_KINDS.count(kind)
            name = f"{SIDE_NAMES[color]} has {count} {KIND_NAMES[kind]}{'' if count == 1 else 's'}"
            if count > most:
                raise FenError(f"{name}, more than {most}")
            if kind == 1 and count == 0:
                raise FenError(f"{SIDE_NAMES[color]} has no general")
    for square, piece in enumerate(pieces):
        color, kind = piece >> 3, piece & 7
        if piece and (strict or kind != 7) and not is_home(color, square, kind):
            raise FenError(f"{SIDE_NAMES[color]}'s {KIND_NAMES[kind]} can't stand on {square_name(square)}")
