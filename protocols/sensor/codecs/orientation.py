"""In which order a board counts its points: one table for its sensors and its leds alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from protocols.sensor.reading import Geometry

Corner = Literal["far-left", "far-right", "near-left", "near-right"]
"""A corner as the person at the near side sees it."""

Along = Literal["rows", "columns"]
"""Whether the second point a board counts lies beside the first one (rows) or before or behind it (columns)."""

CORNERS: tuple[str, ...] = get_args(Corner)


def point_order(
    geometry: Geometry, first: Corner = "far-left", along: Along = "rows", snake: bool = False
) -> tuple[int, ...]:
    """The points in the order a board counts them: element k is the point (in our numbering) it counts as its k-th.

    ``first`` is the corner it begins in, ``along`` the way it goes from there; with ``snake`` every second row (or
    column) runs backwards, as one long strip of leds does.
    """
    far, left = first.startswith("far"), first.endswith("left")
    rows = range(geometry.height) if far else range(geometry.height - 1, -1, -1)
    columns = range(geometry.width) if left else range(geometry.width - 1, -1, -1)
    outer, inner = (rows, columns) if along == "rows" else (columns, rows)
    order = []
    for number, major in enumerate(outer):
        for minor in reversed(inner) if snake and number % 2 else inner:
            column, row = (minor, major) if along == "rows" else (major, minor)
            order.append(geometry.index(column, row))
    return tuple(order)


def inverse(order: Sequence[int]) -> tuple[int, ...]:
    """For every point of ours, the number the board has for it. Raises ValueError unless each point is there once."""
    back = [-1] * len(order)
    for number, point in enumerate(order):
        if not 0 <= point < len(order) or back[point] >= 0:
            raise ValueError(f"not an order of {len(order)} points: {point} is out of range or there twice")
        back[point] = number
    return tuple(back)
