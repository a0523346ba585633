"""A Go board to draw positions on; see ``engines.drawing.svg``. Points are those of ``engines.go.points``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engines.drawing.svg import CELL, LIGHT, Board, Theme, labels
from engines.go.coordinates import file_label, rank_label
from engines.go.points import EMPTY

SYMBOLS = {1: "b", 2: "w"}
"""The names of stones as symbols, by colour."""

_SHADES = (
    '<radialGradient id="stone-b" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#6a6a6e"/>'
    '<stop offset=".45" stop-color="#26262a"/><stop offset="1" stop-color="#0c0c0e"/></radialGradient>'
    '<radialGradient id="stone-w" cx=".35" cy=".3" r=".9"><stop offset="0" stop-color="#fff"/>'
    '<stop offset=".6" stop-color="#f4f2ee"/><stop offset="1" stop-color="#c9c5bd"/></radialGradient>'
)
_RADIUS = CELL * 0.475


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


@lru_cache(maxsize=8)
def go_board(
    width: int, height: int, coordinates: bool = True, system: str = "gtp", theme: Theme = LIGHT, flipped: bool = False
) -> Board:
    """A board of so many columns and rows, row 1 below, or above where ``flipped``.

    Around it stand the labels of a system of ``engines.go.coordinates``, or none.
    """
    margin = CELL * 1.15 if coordinates else CELL * 0.65
    wide, high = 2 * margin + (width - 1) * CELL, 2 * margin + (height - 1) * CELL
    places = tuple((margin + x * CELL, high - margin - y * CELL) for y in range(height) for x in range(width))
    if flipped:
        places = tuple((wide - x, high - y) for x, y in places)
    grid = "".join(f"M{margin:g} {margin + y * CELL:g}H{wide - margin:g}" for y in range(height))
    grid += "".join(f"M{margin + x * CELL:g} {margin:g}V{high - margin:g}" for x in range(width))
    parts = [
        f'<rect width="{wide:g}" height="{high:g}" rx="4" fill="{theme.wood}"/>'
        f'<path d="{grid}" fill="none" stroke="{theme.line}" stroke-width="1.3" stroke-linecap="square"/>'
    ]
    for column, row in star_points(width, height):
        x, y = places[row * width + column]
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{theme.line}"/>')
    if coordinates:
        around = []
        for x in range(width):
            letter, at = file_label(x, width, system), places[x][0]
            around += [(letter, at, CELL * 0.33), (letter, at, high - CELL * 0.33)]
        for y in range(height):
            number, at = rank_label(y, height, system), places[y * width][1]
            around += [(number, CELL * 0.33, at), (number, wide - CELL * 0.33, at)]
        size = 0.26 if system == "chinese" else 0.34  # three characters must stand in the margin
        parts.append(labels(around, CELL * size, theme.line))
    symbols = {
        "b": f'<circle r="{_RADIUS:g}" fill="url(#stone-b)"{_rim(theme)}/>',
        "w": f'<circle r="{_RADIUS - 0.5:g}" fill="url(#stone-w)" stroke="#55504a" stroke-width="1"/>',
    }
    name = f"go{width}x{height}" + ("" if coordinates else "-plain")
    name += "".join(
        f"-{part}" for part in (system if system != "gtp" else "", theme.name if theme != LIGHT else "") if part
    )
    name += "-flipped" if flipped else ""
    return Board(name, wide, high, "".join(parts), symbols, places, _SHADES, CELL * 0.3, theme)


def _rim(theme: Theme) -> str:
    """A black stone's edge where the wood is dark."""
    return "" if theme == LIGHT else ' stroke="#9a9288" stroke-width=".9"'


def standing(stones: Sequence[int]) -> dict[int, str]:
    """Symbols by points, from a colour for each point (``engines.go.points``)."""
    return {point: SYMBOLS[color] for point, color in enumerate(stones) if color != EMPTY}
