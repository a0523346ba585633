"""Points as GTP writes them: a column letter without I and a row number counted from the bottom, or ``pass``."""

from __future__ import annotations

from engines.go.points import MAX_SIZE, PASS

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The column letters from the left: 25 of them, since GTP leaves out I."""


def parse_vertex(text: str, width: int, height: int) -> int:
    """The point (or ``PASS``) that a GTP vertex names on a ``width`` × ``height`` board, in either case.

    Raises ``ValueError`` if the text is no vertex or lies off the board.
    """
    upper = text.upper()
    if upper == "PASS":
        return PASS
    column = LETTERS.find(upper[0]) if upper else -1
    digits = upper[1:]
    if column < 0 or not (digits.isascii() and digits.isdigit()) or len(digits) > 4:
        raise ValueError(f"invalid vertex {text[:20]!r}")
    row = int(digits) - 1
    if not (column < width and 0 <= row < height):
        raise ValueError(f"vertex {upper} is off the {width}x{height} board")
    return row * width + column


def format_vertex(point: int, width: int, height: int) -> str:
    """The GTP vertex of a point in capitals, ``pass`` for ``PASS``. Raises ``ValueError`` for a point off the board."""
    if point == PASS:
        return "pass"
    if not 0 <= point < width * height or width > MAX_SIZE:
        raise ValueError(f"point {point} is off the {width}x{height} board")
    return f"{LETTERS[point % width]}{point // width + 1}"


def read_size(text: str) -> tuple[int, int]:
    """``19`` or ``19x13`` (columns, rows). Raises ValueError."""
    columns, cross, rows = text.lower().partition("x")
    try:
        size = int(columns), int(rows if cross else columns)
    except ValueError:
        raise ValueError(f"not a board size: '{text}'") from None
    if not all(1 <= side <= len(LETTERS) for side in size):
        raise ValueError(f"sides must be 1 to {len(LETTERS)}, not {text}")
    return size
