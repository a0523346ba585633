"""Diagrams of jieqi and fanqi, as SVG (``engines.drawing.svg``) and for the terminal.

A face-down piece is drawn as the back of one in its owner's colour, with the name of its point's kind small upon it;
one that the viewer knows has its own name there too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from engines.drawing.svg import CELL, Board, text
from engines.jieqi.view import View
from engines.xiangqi.diagram import BLACK, FACES, LETTERS, RED, Labels, Script, xiangqi_board

_RADIUS = CELL * 0.46
_BACK = {True: "#d9a58f", False: "#a9a9b4"}
_HIDDEN = "KABNRCP"


@lru_cache(maxsize=16)
def jieqi_board(script: Script = "traditional", coordinates: Labels = "letters", flipped: bool = False) -> Board:
    """A board to draw positions on: Xiangqi's, with symbols for face-down pieces besides.

    ``x-N`` is Black's face-down piece on a horse's point, ``X-N`` Red's; ``x-N-r`` the same where it is known to be a
    chariot. (A symbol's name must do as an identifier, so it has no ``?`` or ``=``.)
    """
    plain = xiangqi_board(script, coordinates, flipped)
    symbols = dict(plain.symbols)
    faces = FACES[script]
    for letter in LETTERS:
        if letter in "Kk":
            continue
        red = letter.isupper()
        name = ("X-" if red else "x-") + letter
        symbols[name] = back(faces[letter], red)
        for other in _HIDDEN[1:]:
            known = other if red else other.lower()
            symbols[f"{name}-{known}"] = back(faces[letter], red, faces[known])
    return Board(
        plain.name.replace("xiangqi", "jieqi"),
        plain.width,
        plain.height,
        plain.base,
        symbols,
        plain.places,
        plain.shared,
        plain.ring,
    )


def back(point: str, red: bool, known: str = "") -> str:
    """A face-down piece: filled, with a broken ring; the kind of its point above, what it is known to be below."""
    color = RED if red else BLACK
    drawn = (
        f'<circle r="{_RADIUS - 0.7:g}" fill="{_BACK[red]}" stroke="{color}" stroke-width="{1.4 if red else 2.6}"/>'
        f'<circle r="{_RADIUS - 3.6:g}" fill="none" stroke="{color}" stroke-width=".9" stroke-dasharray="3 2.2"/>'
    )
    if known:
        return drawn + text(point, 0, -7, CELL * 0.25, color) + text(known, 0, 6, CELL * 0.38, color)
    return drawn + text(point, 0, 0, CELL * 0.34, color)


def standing(points: Mapping[str, str]) -> dict[int, str]:
    """Symbols by squares, from what a view says of its points (``View.points``)."""
    found = {}
    for name, what in points.items():
        square = int(name[1]) * 9 + "abcdefghi".index(name[0])
        if what.startswith("?"):
            kind, _, known = what[1:].partition("=")
            found[square] = ("X-" if kind.isupper() else "x-") + kind + (f"-{known}" if known else "")
        else:
            found[square] = what
    return found


def picture(
    view: View,
    script: Script = "traditional",
    coordinates: Labels = "letters",
    flipped: bool = False,
    title: str = "",
) -> str:
    """A view as an SVG file, the last move marked."""
    last: Iterable[int] = ()
    if view.told:
        told = view.told[-1]
        last = [int(told[at + 1]) * 9 + "abcdefghi".index(told[at]) for at in (0, 2)]
    return jieqi_board(script, coordinates, flipped).picture(standing(view.points), last, title)


def terminal(view: View, script: Script | None = None, flipped: bool = False, color: bool = False) -> str:
    """A view as lines of text: letters, or Chinese characters of a ``script``, two columns wide.

    A face-down piece is in brackets, ``[N]`` Red's and ``(n)`` Black's, with its point's kind; with ``=`` in place of
    the first bracket and what it is, where the viewer knows that. Red's face-up pieces in Chinese have their own
    characters where the scripts have them, and ``color`` paints Red's red.
    """
    points = standing(view.points)
    files = "abcdefghi"[::-1] if flipped else "abcdefghi"
    wide = script is not None
    cell = 4 if wide else 3
    lines = ["   " + "".join(file.center(cell) for file in files).rstrip()]
    for rank in range(10) if flipped else range(9, -1, -1):
        row = ""
        for file in files:
            symbol = points.get(rank * 9 + "abcdefghi".index(file), "")
            row += _cell(symbol, script, color)
        lines.append(f"{rank}  {row.rstrip()}")
        if rank == (4 if flipped else 5):
            lines.append("")
    pools = [
        f"{name} unseen: " + (" ".join(f"{letter}{count}" for letter, count in pool.items()) or "none")
        for name, pool in zip(("Red", "Black"), view.pools, strict=True)
    ]
    return "\n".join([*lines, *pools]) + "\n"


def _cell(symbol: str, script: Script | None, color: bool) -> str:
    if not symbol:
        return " ·  " if script else " · "
    dark, known = symbol[0] in "Xx" and len(symbol) > 1, symbol.count("-") == 2
    letter = symbol.split("-")[-1]
    face = FACES[script][letter] if script else letter
    if dark:
        opening, closing = "[]" if letter.isupper() else "()"
        drawn = ("=" if known else opening) + face + closing
    else:
        drawn = f" {face} "
    if color and letter.isupper():
        drawn = f"\x1b[31m{drawn}\x1b[0m"
    return drawn
