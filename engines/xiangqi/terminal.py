"""The Xiangqi board as text for a terminal; see ``engines.drawing.grid``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.drawing.grid import Cell, Grid
from engines.xiangqi.diagram import FACES, Script

FILES = tuple("abcdefghi")


def grid(standing: Mapping[int, str], last: Sequence[int] = (), script: Script | None = "traditional") -> Grid:
    """Pieces by square (letters of a FEN) as characters, or as letters without a ``script``."""
    cells = []
    for square in range(90):
        letter = standing.get(square)
        if letter is None:
            cells.append(Cell("．" if script else "."))
        else:
            face = FACES[script][letter] if script else letter
            cells.append(Cell(face, "red" if letter.isupper() else "black"))
    return Grid(9, 10, tuple(cells), FILES, tuple("0123456789"), tuple(last), 2 if script else 1, 4)
