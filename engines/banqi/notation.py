"""Moves as text: ``a3(P)`` turns a3 up, ``a3-b3`` moves or takes, ``a3-b3(n)`` attacks a face-down piece, ``end`` ends
a chain of captures. A player sends them without what shows."""

from __future__ import annotations

import re

from engines.banqi.board import END
from engines.banqi.fen import LETTERS, read_piece, read_square, square_name

_MOVE = re.compile(r"([A-Da-d][1-8])(?:[-\s]?([A-Da-d][1-8]))?(?:\(([A-Za-z])\))?")


def move_text(move: int, shown: int = 0) -> str:
    """A move as text, with the piece that it turned up where that is given."""
    if move == END:
        return "end"
    origin, target = move >> 5 & 31, move & 31
    text = square_name(origin) if origin == target else f"{square_name(origin)}-{square_name(target)}"
    return f"{text}({LETTERS[shown]})" if shown else text


def read_move(text: str) -> tuple[int, int | None]:
    """A move and the piece that the text says it turned up. ValueError for a text that is no move.

    ``a3-a3`` and ``a3 a3`` turn a3 up too.
    """
    if text.strip().lower() == "end":
        return END, None
    found = _MOVE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no move: a3 turns a piece up, a3-b3 moves one")
    origin = read_square(found[1])
    target = read_square(found[2] or found[1])
    return origin << 5 | target, read_piece(found[3]) if found[3] else None
