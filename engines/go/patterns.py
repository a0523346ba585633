"""3×3 patterns for playouts: which empty points are worth a reply, seen from their eight neighbours.

A pattern is written as three rows around the point in question. ``X`` is a stone of one side, ``O`` of the other, ``.``
empty, ``*`` the edge; ``x`` is anything but ``X``, ``o`` anything but ``O``, ``?`` anything at all, ``,`` the point
itself. Each stands for its rotations, reflections and the exchange of colours. The shapes are those that computer Go
has used since MoGo (Gelly, Wang, Munos, Teytaud, "Modification of UCT with patterns in Monte-Carlo Go", 2006): hane,
cuts, and moves at the edge.

The code of a neighbourhood has two bits a neighbour, 0 empty, 1 the mover's, 2 the opponent's, 3 the edge, in the order
left above, above, right above, left, right, left below, below, right below, the first in the lowest bits.
"""

from __future__ import annotations

from itertools import product

SHAPES = (
    # hane
    "XOX .,. ???",
    "XO. .,. ?.?",
    "XO? X,. x.?",
    # a cut that is not protected by a stone beside it
    "XO? O,o ?o?",
    "XO? O,X ???",
    # the same with support
    "?X? O,O ooo",
    "OX? o,O ???",
    # between an edge and stones
    "X.? O,? ***",
    "OX? X,O ***",
    "?X? x,O ***",
    "?XO x,x ***",
    "?OX X,O ***",
)

_MEANING = {
    ".": (0,),
    "X": (1,),
    "O": (2,),
    "*": (3,),
    "x": (0, 2, 3),
    "o": (0, 1, 3),
    "?": (0, 1, 2, 3),
}

_SWAP = (0, 2, 1, 3)


def _rotate(shape: str) -> str:
    """A quarter turn; the nine characters are three rows."""
    return "".join(shape[(2 - column) * 3 + row] for row in range(3) for column in range(3))


def _mirror(shape: str) -> str:
    return shape[2::-1] + shape[5:2:-1] + shape[8:5:-1]


def _symmetries(shape: str) -> set[str]:
    found = set()
    for start in (shape, _mirror(shape)):
        for _ in range(4):
            found.add(start)
            start = _rotate(start)
    return found


def _possible(colors: tuple[int, ...]) -> bool:
    """Whether the edge lies as it can: as a whole row or column of the neighbourhood."""
    edge = [color == 3 for color in colors]
    above, left, right, below = (
        all(edge[0:3]),
        edge[0] and edge[3] and edge[5],
        edge[2] and edge[4] and edge[7],
        all(edge[5:]),
    )
    sides = (
        (0, above or left),
        (1, above),
        (2, above or right),
        (3, left),
        (4, right),
        (5, below or left),
        (6, below),
        (7, below or right),
    )
    return all(edge[index] == on for index, on in sides)


def build_table() -> bytearray:
    """One byte a code: 1 if a pattern fits, else 0. The table is the same for either side to move."""
    table = bytearray(65536)
    for text in SHAPES:
        for shape in _symmetries(text.replace(" ", "")):
            around = shape[:4] + shape[5:]
            for colors in product(*(_MEANING[symbol] for symbol in around)):
                if not _possible(colors):
                    continue
                table[_code(colors)] = 1
                table[_code(tuple(_SWAP[color] for color in colors))] = 1
    return table


def _code(colors: tuple[int, ...]) -> int:
    return sum(color << (2 * index) for index, color in enumerate(colors))


def symmetric_codes(code: int) -> list[int]:
    """The codes of a neighbourhood's rotations and reflections, itself first, each once."""
    colors = [code >> (2 * index) & 3 for index in range(8)]
    shape = "".join(str(color) for color in (*colors[:4], 0, *colors[4:]))
    found = dict.fromkeys([code])
    for other in _symmetries(shape):
        found[_code(tuple(int(digit) for digit in other[:4] + other[5:]))] = None
    return list(found)
