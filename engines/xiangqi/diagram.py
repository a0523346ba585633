"""A Xiangqi board to draw positions on; see ``engines.drawing.svg``. Squares are rank · 9 + file, a0 = 0."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from engines.drawing.svg import CELL, LIGHT, Board, Theme, labels, text

Script = Literal["traditional", "simplified"]
Labels = Literal["letters", "chinese", "none"]

LETTERS = "KABNRCPkabnrcp"
"""The pieces as a FEN writes them, Red's large; they are the names of the symbols too."""

FACES: dict[Script, dict[str, str]] = {
    "traditional": dict(zip(LETTERS, "帥仕相傌俥炮兵將士象馬車砲卒", strict=True)),
    "simplified": dict(zip(LETTERS, "帅仕相马车炮兵将士象马车炮卒", strict=True)),
}
"""What is written on the pieces. In simplified script some are alike on both sides."""

RED, BLACK = "#b01818", "#1b1b1e"

_RADIUS = CELL * 0.46


@lru_cache(maxsize=16)
def xiangqi_board(
    script: Script = "traditional", coordinates: Labels = "letters", flipped: bool = False, theme: Theme = LIGHT
) -> Board:
    """A board with Red below, or above where ``flipped``.

    ``coordinates``: files a–i and ranks 0–9; or the files as Chinese notation counts them, from each player's right,
    Red's in Chinese numerals.
    """
    margin = CELL * 1.1
    wide, high = 2 * margin + 8 * CELL, 2 * margin + 9 * CELL
    upright = [(margin + (square % 9) * CELL, margin + (9 - square // 9) * CELL) for square in range(90)]
    places = tuple((wide - x, high - y) for x, y in upright) if flipped else tuple(upright)
    frame = margin - 5
    parts = [
        f'<rect width="{wide}" height="{high}" rx="4" fill="{theme.wood}"/>'
        f'<rect x="{frame}" y="{frame}" width="{wide - 2 * frame}" height="{high - 2 * frame}" fill="none" '
        f'stroke="{theme.line}" stroke-width="2.4"/>'
        f'<path d="{grid(margin)}" fill="none" stroke="{theme.line}" stroke-width="1.3" stroke-linecap="square"/>',
        text("楚河", margin + 2 * CELL, high / 2, CELL * 0.62, theme.line, weight=6),
        text(
            "漢界" if script == "traditional" else "汉界",
            margin + 6 * CELL,
            high / 2,
            CELL * 0.62,
            theme.line,
            weight=6,
        ),
    ]
    parts.append(labels(_labels(coordinates, places, wide, high), CELL * 0.3, theme.line))
    name = f"xiangqi-{script}-{coordinates}" + ("-flipped" if flipped else "")
    name += f"-{theme.name}" if theme != LIGHT else ""
    symbols = {letter: piece(face, letter.isupper()) for letter, face in FACES[script].items()}
    return Board(name, wide, high, "".join(parts), symbols, places, ring=CELL * 0.5, theme=theme)


def piece(face: str, red: bool) -> str:
    """A piece: Red's has two thin rings and Black's one thick, so that sides differ without colour too."""
    color = RED if red else BLACK
    rings = (
        f'<circle r="{_RADIUS:g}" fill="#f9edd2" stroke="{color}" stroke-width="1.2"/>'
        f'<circle r="{_RADIUS - 2.6:g}" fill="none" stroke="{color}" stroke-width=".9"/>'
        if red
        else f'<circle r="{_RADIUS - 0.7:g}" fill="#f9edd2" stroke="{color}" stroke-width="2.6"/>'
    )
    return rings + text(face, 0, 0, CELL * 0.56, color)


def standing(fen: str) -> dict[int, str]:
    """Symbols by squares, from the first field of a FEN."""
    found = {}
    for row, line in enumerate(fen.split()[0].split("/")):
        file = 0
        for letter in line:
            if letter.isdigit():
                file += int(letter)
            else:
                found[(9 - row) * 9 + file] = letter
                file += 1
    return found


def grid(margin: float) -> str:
    """The lines as a path: the river is open, the palaces have their diagonals, cannons and soldiers their corners."""

    def x(file: float) -> float:
        return margin + file * CELL

    def y(row: float) -> float:
        return margin + row * CELL

    d = "".join(f"M{x(0):g} {y(row):g}H{x(8):g}" for row in range(10))
    d += f"M{x(0):g} {y(0):g}V{y(9):g}M{x(8):g} {y(0):g}V{y(9):g}"
    d += "".join(f"M{x(file):g} {y(0):g}V{y(4):g}M{x(file):g} {y(5):g}V{y(9):g}" for file in range(1, 8))
    for row in (0, 7):
        d += f"M{x(3):g} {y(row):g}L{x(5):g} {y(row + 2):g}M{x(5):g} {y(row):g}L{x(3):g} {y(row + 2):g}"
    marked = [(file, row) for file in (1, 7) for row in (2, 7)] + [
        (file, row) for file in range(0, 9, 2) for row in (3, 6)
    ]
    near, far = 0.09, 0.26
    for file, row in marked:
        for side in (-1, 1):
            if 0 <= file + side <= 8:
                for up in (-1, 1):
                    start = f"M{x(file + side * far):g} {y(row + up * near):g}"
                    d += f"{start}H{x(file + side * near):g}V{y(row + up * far):g}"
    return d


def _labels(
    coordinates: Labels, places: tuple[tuple[float, float], ...], wide: float, high: float
) -> list[tuple[str, float, float]]:
    edge = CELL * 0.3
    if coordinates == "letters":
        found = [("abcdefghi"[file], places[file][0], y) for file in range(9) for y in (edge, high - edge)]
        return found + [(str(rank), x, places[9 * rank][1]) for rank in range(10) for x in (edge, wide - edge)]
    if coordinates == "chinese":
        red_side = high - edge if places[0][1] > high / 2 else edge
        found = []
        for file in range(9):
            found.append(("九八七六五四三二一"[file], places[file][0], red_side))
            found.append((str(file + 1), places[file][0], high - red_side))
        return found
    return []
