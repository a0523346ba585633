"""What is drawn on top of a position: numbers, letters, rings, squares, triangles, crosses, arrows.

Places are those of ``engines.drawing.svg.Board.places``; colours are SVG's.
"""

from __future__ import annotations

import math

from engines.drawing import glyphs
from engines.drawing.svg import CELL, text

WIDTH = 2.6
"""The width of a mark's line."""

Place = tuple[float, float]


def label(words: str, place: Place, color: str, ground: str = "") -> str:
    """A number or a short text at a place, as large as fits a stone; with a disc of ``ground`` behind it."""
    words = "".join(letter for letter in words[:4] if glyphs.known(letter))
    if not words:
        return ""
    size = CELL * {1: 0.5, 2: 0.42, 3: 0.34}.get(len(words), 0.27)
    disc = f'<circle cx="{place[0]:g}" cy="{place[1]:g}" r="{CELL * 0.4:g}" fill="{ground}"/>' if ground else ""
    return disc + text(words, place[0], place[1], size, color, 10)


def ring(place: Place, color: str) -> str:
    """A ring."""
    x, y = place
    return f'<circle cx="{x:g}" cy="{y:g}" r="{CELL * 0.24:g}" {_line(color)}/>'


def square(place: Place, color: str) -> str:
    """A square."""
    x, y, half = place[0], place[1], CELL * 0.2
    return f'<path d="M{x - half:g} {y - half:g}h{2 * half:g}v{2 * half:g}h{-2 * half:g}z" {_line(color)}/>'


def triangle(place: Place, color: str) -> str:
    """A triangle, one corner up."""
    x, y, reach = place[0], place[1], CELL * 0.28
    return (
        f'<path d="M{x:g} {y - reach:g}L{x + reach * 0.87:g} {y + reach / 2:g}L{x - reach * 0.87:g} {y + reach / 2:g}z"'
        f" {_line(color)}/>"
    )


def cross(place: Place, color: str) -> str:
    """A slanting cross."""
    x, y, half = place[0], place[1], CELL * 0.19
    d = f"M{x - half:g} {y - half:g}L{x + half:g} {y + half:g}M{x + half:g} {y - half:g}L{x - half:g} {y + half:g}"
    return f'<path d="{d}" {_line(color)}/>'


def arrow(start: Place, end: Place, color: str) -> str:
    """An arrow from one place to another, which leaves both visible; nothing where they are one."""
    length = math.dist(start, end)
    if length < 1:
        return ""
    x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    tail, tip = CELL * 0.2, CELL * 0.5
    head = CELL * 0.32
    tx, ty = end[0] - x * tip, end[1] - y * tip
    bx, by = tx - x * head, ty - y * head
    sx, sy = start[0] + x * tail, start[1] + y * tail
    wing = head * 0.55
    return (
        f'<path d="M{sx:.1f} {sy:.1f}L{bx:.1f} {by:.1f}" fill="none" stroke="{color}" stroke-width="5" opacity=".8"/>'
        f'<path d="M{tx:.1f} {ty:.1f}L{bx - y * wing:.1f} {by + x * wing:.1f}'
        f'L{bx + y * wing:.1f} {by - x * wing:.1f}z" fill="{color}" opacity=".8"/>'
    )


MARKS = {"CR": ring, "SQ": square, "TR": triangle, "MA": cross}
"""Marks by their SGF property."""


def _line(color: str) -> str:
    return f'fill="none" stroke="{color}" stroke-width="{WIDTH}" stroke-linejoin="round"'
