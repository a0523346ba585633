"""The Go board as text for a terminal; see ``engines.drawing.grid``."""

from __future__ import annotations

from collections.abc import Sequence

from engines.drawing.grid import Cell, Grid
from engines.go.coordinates import file_label, rank_label
from engines.go.diagram import star_points
from engines.go.points import BLACK, EMPTY


def grid(
    stones: bytes, width: int, height: int, last: Sequence[int] = (), letters: bool = False, system: str = "gtp"
) -> Grid:
    """Stones as ● and ○, or X and O where ``letters``; labels as a system of ``engines.go.coordinates`` has them."""
    stars = {y * width + x for x, y in star_points(width, height)}
    black, white = ("X", "O") if letters else ("●", "○")
    cells = []
    for point, stone in enumerate(stones):
        if stone == EMPTY:
            cells.append(Cell("+" if point in stars else "."))
        else:
            cells.append(Cell(black, "black") if stone == BLACK else Cell(white, "white"))
    return Grid(
        width,
        height,
        tuple(cells),
        tuple(file_label(x, width, system) for x in range(width)),
        tuple(rank_label(y, height, system) for y in range(height)),
        tuple(last),
    )
