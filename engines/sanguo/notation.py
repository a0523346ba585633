"""Moves as text: ``f1(R)`` turns f1 up, ``f1-f8`` moves or takes, ``retire2`` is player 2 leaving the game."""

from __future__ import annotations

import re

from engines.sanguo.board import RETIRE
from engines.sanguo.fen import LETTERS, point_name, read_piece, read_point

_MOVE = re.compile(r"([A-Ia-i]\d)(?:[-\s]?([A-Ia-i]\d))?(?:\(([A-Za-z])\))?(?:\s+out:([1-3]+))?")


def move_text(move: int, shown: int = 0, announced: int = 0) -> str:
    """A move as text, with the piece that it turned up and, where the referee called players out, ``out:2``."""
    if move >= RETIRE:
        return f"retire{move - RETIRE + 1}"
    origin, target = move >> 7, move & 127
    text = point_name(origin) if origin == target else f"{point_name(origin)}-{point_name(target)}"
    text += f"({LETTERS[shown]})" if shown else ""
    return text + (" out:" + "".join(str(i + 1) for i in range(3) if announced >> i & 1) if announced else "")


def read_move(text: str, points: int = 90) -> tuple[int, int | None, int]:
    """A move, the piece that the text says it turned up, and the players it says were called out, as bits.
    ValueError for a text that is no move."""
    words = text.strip().lower()
    if words in ("retire1", "retire2", "retire3"):
        return RETIRE + int(words[-1]) - 1, None, 0
    found = _MOVE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no move: f1 turns a piece up, f1-f8 moves one")
    origin = read_point(found[1], points)
    target = read_point(found[2] or found[1], points)
    announced = sum({1 << int(digit) - 1 for digit in found[4] or ""})
    return origin << 7 | target, read_piece(found[3]) if found[3] else None, announced
