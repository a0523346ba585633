"""Points, colours and small boards as plain values: what every other Go module counts in.

A point is ``y * width + x``; A1, the lower left corner, is 0, x grows to the right, y upwards. A position is a width, a
height and one colour a point. These are values for rules, records and tests; the playing board is ``engines.go.board``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

EMPTY = 0
BLACK = 1
WHITE = 2

PASS = -1
"""The move that places no stone."""

MAX_SIZE = 25
"""The largest side: GTP has letters for 25 columns."""

COLOR_NAMES = ("empty", "black", "white")

_SYMBOLS = {".": EMPTY, "+": EMPTY, ",": EMPTY, "X": BLACK, "B": BLACK, "#": BLACK, "O": WHITE, "W": WHITE}
_SHOWN = ".XO"


def opponent(color: int) -> int:
    """The other colour of ``BLACK`` and ``WHITE``."""
    return 3 - color


@lru_cache(maxsize=64)
def neighbors(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """For each point of a ``width`` × ``height`` board the points left, right, below and above it that exist."""
    return tuple(
        tuple(
            (y + dy) * width + x + dx
            for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))
            if 0 <= x + dx < width and 0 <= y + dy < height
        )
        for y in range(height)
        for x in range(width)
    )


def components(width: int, height: int, members: Iterable[int]) -> list[list[int]]:
    """Split a set of points into its maximal connected parts.

    Parts come in order of their lowest point, and the points of a part in increasing order.
    """
    table = neighbors(width, height)
    waiting = set(members)
    parts = []
    for start in sorted(waiting):
        if start not in waiting:
            continue
        waiting.remove(start)
        part = [start]
        for point in part:  # grows while it is walked
            for near in table[point]:
                if near in waiting:
                    waiting.remove(near)
                    part.append(near)
        parts.append(sorted(part))
    return parts


def chains(width: int, height: int, stones: Sequence[int], color: int) -> list[list[int]]:
    """The chains of one colour (for ``EMPTY``: the empty regions), in order of their lowest point."""
    return components(width, height, (point for point, stone in enumerate(stones) if stone == color))


def border(width: int, height: int, part: Iterable[int]) -> set[int]:
    """The points that lie next to ``part`` but not in it."""
    table = neighbors(width, height)
    inside = set(part)
    return {near for point in inside for near in table[point]} - inside


def check_position(width: int, height: int, stones: Sequence[int]) -> None:
    """Raise ``ValueError`` unless ``stones`` is one colour for each point of a board of 1…25 by 1…25."""
    if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE):
        raise ValueError(f"board of {width}x{height}: sides must be 1 to {MAX_SIZE}")
    if len(stones) != width * height:
        raise ValueError(f"{len(stones)} colours given for {width * height} points")
    if not set(stones) <= {EMPTY, BLACK, WHITE}:
        raise ValueError("a colour is 0 (empty), 1 (black) or 2 (white)")


def parse_diagram(text: str) -> tuple[int, int, bytes]:
    """Read a text diagram: rows top to bottom, ``.`` empty, ``X`` or ``B`` black, ``O`` or ``W`` white.

    Blanks within a row, empty lines and the case of letters do not matter. Returns width, height and stones.
    Raises ``ValueError`` for other characters, rows of unequal length, and sizes outside 1…25.
    """
    rows = [row for row in ("".join(line.split()).upper() for line in text.splitlines()) if row]
    if not rows:
        raise ValueError("empty diagram")
    width, height = len(rows[0]), len(rows)
    if any(len(row) != width for row in rows):
        raise ValueError("the rows of the diagram differ in length")
    bad = sorted(set("".join(rows)) - set(_SYMBOLS))
    if bad:
        raise ValueError(f"unknown character {bad[0]!r} in the diagram")
    stones = bytes(_SYMBOLS[symbol] for row in reversed(rows) for symbol in row)
    check_position(width, height, stones)
    return width, height, stones


def show_diagram(width: int, height: int, stones: Sequence[int]) -> str:
    """The diagram that ``parse_diagram`` reads: one row a line from the top, without a final newline."""
    return "\n".join("".join(_SHOWN[stones[y * width + x]] for x in range(width)) for y in reversed(range(height)))
