"""Positions of Go as a line of text, as match files and journals have them: ``B D4 Q16 W C3 to W handicap 2``.

Colours are followed by the vertices of their stones; ``to`` names who moves first where that is not Black (or where
there are stones), ``handicap`` says how many of Black's stones are handicap stones. The text has no board size.

>>> format_setup(9, 9, bytes(81), BLACK)
''
>>> stones, to_move, handicap = parse_setup("B C3 G7 to W handicap 2", 9, 9)
>>> format_setup(9, 9, stones, to_move, handicap)
'B C3 G7 to W handicap 2'
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.go.points import BLACK, EMPTY, PASS, WHITE
from engines.go.vertex import format_vertex, parse_vertex

_COLORS = {"B": BLACK, "W": WHITE}
_LETTERS = {BLACK: "B", WHITE: "W"}


def format_setup(width: int, height: int, stones: Sequence[int], to_move: int, handicap: int = 0) -> str:
    """The text of a position; "" for the empty board with Black to move."""
    words = []
    for color, letter in _LETTERS.items():
        points = [point for point, stone in enumerate(stones) if stone == color]
        if points:
            words += [letter, *(format_vertex(point, width, height) for point in points)]
    if words or to_move != BLACK:
        words += ["to", _LETTERS[to_move]]
    if handicap:
        words += ["handicap", str(handicap)]
    return " ".join(words)


def parse_setup(text: str, width: int, height: int) -> tuple[bytes, int, int]:
    """Stones (one colour a point), who is to move, and how many handicap stones there are.

    Raises ``ValueError`` for a word that has no place there, a vertex off the board or named twice.
    """
    stones = bytearray(width * height)
    color, to_move, handicap = EMPTY, BLACK, 0
    words = iter(text.split())
    for word in words:
        if word == "to":
            name = next(words, "")
            if name not in _COLORS:
                raise ValueError(f"{name[:20]!r} is to move, not B or W")
            to_move = _COLORS[name]
        elif word == "handicap":
            number = next(words, "")
            if not (number.isascii() and number.isdigit() and len(number) < 4):
                raise ValueError(f"{number[:20]!r} is no number of handicap stones")
            handicap = int(number)
        elif word in _COLORS:
            color = _COLORS[word]
        elif color == EMPTY:
            raise ValueError(f"{word[:20]!r} comes before a colour, B or W")
        else:
            point = parse_vertex(word, width, height)
            if point == PASS or stones[point] != EMPTY:
                raise ValueError(f"no stone can be set up at {word[:20]}" if point == PASS else f"two stones at {word}")
            stones[point] = color
    if handicap and handicap != stones.count(BLACK):
        raise ValueError(f"{handicap} handicap stones, but {stones.count(BLACK)} black ones are set up")
    return bytes(stones), to_move, handicap
