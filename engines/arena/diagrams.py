"""Positions as SVG texts that need nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from engines.go.points import BLACK, EMPTY

CELL = 20
"""Pixels between two lines of a diagram, before the page scales it."""

PIECES = dict(zip("KABNRCPkabnrcp", "帅仕相马车炮兵将士象马车砲卒", strict=True))
"""Xiangqi pieces by their letters in a FEN, as they are written on the pieces (simplified)."""


def star_points(width: int, height: int) -> list[tuple[int, int]]:
    """Column and row (from 0, the row from the bottom) of the points that a Go board marks."""

    def marks(side: int) -> list[int]:
        if side < 7:
            return [side // 2] if side % 2 else []
        edge = 3 if side >= 13 else 2
        middle = [side // 2] if side % 2 else []
        return sorted({edge, side - 1 - edge, *middle})

    columns, rows = marks(width), marks(height)
    small = min(width, height) < 13
    centre = (width // 2, height // 2)
    return [
        (x, y) for x in columns for y in rows if not small or (x, y) == centre or (x != centre[0] and y != centre[1])
    ]


def go_diagram(width: int, height: int, stones: Sequence[int], last: int = -1) -> str:
    """A Go board with its stones; points as in ``engines.go.points``, ``last`` the point to be marked (−1: none)."""
    wide, high = width * CELL, height * CELL

    def place(point: int) -> tuple[float, float]:
        y, x = divmod(point, width)
        return (x + 0.5) * CELL, (height - 0.5 - y) * CELL

    half = CELL / 2
    grid = "".join(f"M{half} {(y + 0.5) * CELL}H{wide - half}" for y in range(height))
    grid += "".join(f"M{(x + 0.5) * CELL} {half}V{high - half}" for x in range(width))
    parts = [f'<rect class="wood" width="{wide}" height="{high}"/><path class="grid-line" d="{grid}"/>']
    for column, row in star_points(width, height):
        parts.append(f'<circle cx="{(column + 0.5) * CELL}" cy="{(height - 0.5 - row) * CELL}" r="2"/>')
    for point, color in enumerate(stones):
        if color != EMPTY:
            x, y = place(point)
            kind = "black" if color == BLACK else "white"
            parts.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="{CELL * 0.46:.1f}"/>')
    if last >= 0:
        x, y = place(last)
        parts.append(f'<circle class="last" cx="{x}" cy="{y}" r="{CELL * 0.2:.1f}"/>')
    return f'<svg class="board" viewBox="0 0 {wide} {high}" role="img">{"".join(parts)}</svg>'


def xiangqi_diagram(fen: str, last: tuple[int, int] | None = None) -> str:
    """A Xiangqi board from a FEN, Red below; ``last`` is the move to be marked, as squares rank · 9 + file."""
    wide, high = 9 * CELL, 10 * CELL
    parts = [f'<rect class="wood" width="{wide}" height="{high}"/><path class="grid-line" d="{xiangqi_grid()}"/>']
    for row, text in enumerate(fen.split()[0].split("/")):
        column = 0
        for letter in text:
            if letter.isdigit():
                column += int(letter)
                continue
            x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
            side = "red" if letter.isupper() else "ink"
            parts.append(f'<circle class="piece {side}" cx="{x}" cy="{y}" r="{CELL * 0.45:.1f}"/>')
            parts.append(f'<text class="piece {side}" x="{x}" y="{y}">{escape(PIECES.get(letter, letter))}</text>')
            column += 1
    for square in last or ():
        rank, file = divmod(square, 9)
        x, y = (file + 0.5) * CELL, (9.5 - rank) * CELL
        parts.append(f'<circle class="last" cx="{x}" cy="{y}" r="{CELL * 0.5:.1f}"/>')
    return f'<svg class="board" viewBox="0 0 {wide} {high}" role="img">{"".join(parts)}</svg>'


def xiangqi_grid() -> str:
    """The lines of a Xiangqi board as a path: the river is open, the palaces have their diagonals."""
    half = CELL / 2
    left, right, top, bottom = half, 8.5 * CELL, half, 9.5 * CELL
    grid = "".join(f"M{left} {(rank + 0.5) * CELL}H{right}" for rank in range(10))
    grid += f"M{left} {top}V{bottom}M{right} {top}V{bottom}"
    for file in range(1, 8):
        x = (file + 0.5) * CELL
        grid += f"M{x} {top}V{4.5 * CELL}M{x} {5.5 * CELL}V{bottom}"
    for rank in (0, 7):
        high, low = (rank + 0.5) * CELL, (rank + 2.5) * CELL
        grid += f"M{3.5 * CELL} {high}L{5.5 * CELL} {low}M{5.5 * CELL} {high}L{3.5 * CELL} {low}"
    return grid
