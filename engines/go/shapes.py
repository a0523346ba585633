"""What lies within three steps of a point: codes of larger neighbourhoods and what they make a move worth.

A shape is the contents of the points nearest to a move, in the order of the distance ``dx + dy + max(dx, dy)`` that is
usual for patterns in Go (Stern, Herbrich and Graepel, 2006): 20 points up to distance 5, 28 up to distance 6. Its code
has two bits a point, the nearest in the lowest bits: 0 empty, 1 the mover's, 2 the opponent's, 3 off the board. The
smaller shape's code is the lower 40 bits of the larger one's. ``scripts/learn_go_patterns.py`` finds which shapes are
worth knowing and their weights; ``engines.go.weights`` holds one of each class of rotations and reflections.
"""

import cython

from engines.go.stones import Stones

if cython.compiled:
    from cython.cimports.libc.math import exp
else:
    from math import exp

    from engines.go.stones import BORDER, EMPTY, WHITE

    LARGE_SHAPE, SHAPE_SLOTS, SHAPE_MASK = 28, 1 << 17, (1 << 17) - 1
    DX, DY = [0] * LARGE_SHAPE, [0] * LARGE_SHAPE
    TURNED = [[0] * LARGE_SHAPE for _ in range(8)]
    SHAPE_KEY, SHAPE_GAMMA = [0] * SHAPE_SLOTS, [0.0] * SHAPE_SLOTS

SIZES = (20, 28)
"""How many points the two kinds of shapes have."""

OFFSETS = sorted(
    (
        (dx, dy)
        for dx in range(-3, 4)
        for dy in range(-3, 4)
        if (dx or dy) and abs(dx) + abs(dy) + max(abs(dx), abs(dy)) <= 6
    ),
    key=lambda offset: (abs(offset[0]) + abs(offset[1]) + max(abs(offset[0]), abs(offset[1])), offset),
)
"""The points of the larger shape as steps to the right and upwards, nearest first."""

_TURNS = (
    lambda x, y: (x, y),
    lambda x, y: (-x, y),
    lambda x, y: (x, -y),
    lambda x, y: (-x, -y),
    lambda x, y: (y, x),
    lambda x, y: (-y, x),
    lambda x, y: (y, -x),
    lambda x, y: (-y, -x),
)

TURNED_PLACES = [[OFFSETS.index(turn(*offset)) for offset in OFFSETS] for turn in _TURNS]
"""For each rotation and reflection by place in a code: the place whose contents come to lie there."""


def _prepare() -> None:
    i: cython.int
    k: cython.int
    for i in range(LARGE_SHAPE):
        DX[i], DY[i] = OFFSETS[i]
        for k in range(8):
            TURNED[k][i] = TURNED_PLACES[k][i]


_prepare()


def code_around(board: Stones, p: cython.int, c: cython.int) -> cython.ulonglong:
    """The code of the larger shape around an inner point, colour c being the mover's."""
    s: cython.int = board.stride
    x: cython.int = p % s
    y: cython.int = p // s
    i: cython.int
    seen: cython.ulonglong
    code: cython.ulonglong = 0
    for i in range(LARGE_SHAPE):
        if x + DX[i] < 1 or x + DX[i] > board.width or y + DY[i] < 1 or y + DY[i] > board.height:
            seen = BORDER
        else:
            seen = board.color[p + DY[i] * s + DX[i]]
            if seen != EMPTY and c == WHITE:
                seen = 3 - seen
        code |= seen << (2 * i)
    return code


def turned(code: cython.ulonglong, size: cython.int, turn: cython.int) -> cython.ulonglong:
    """A shape's code after one of the eight rotations and reflections."""
    i: cython.int
    found: cython.ulonglong = 0
    for i in range(size):
        found |= ((code >> (2 * TURNED[turn][i])) & 3) << (2 * i)
    return found


def _place_of(key: cython.ulonglong) -> cython.int:
    """Where a key is in the table, or the free slot where it would be."""
    full: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    factor: cython.ulonglong = 0x9E3779B97F4A7C15
    at: cython.int = cython.cast(cython.int, (((key ^ (key >> 29)) * factor) & full) >> 47)
    while SHAPE_KEY[at] != 0 and SHAPE_KEY[at] != key:
        at = (at + 1) & SHAPE_MASK
    return at


def shape_gamma(code: cython.ulonglong) -> cython.float:
    """What the learned shapes, the smaller and the larger, multiply a move's weight with."""
    one: cython.ulonglong = 1
    found: cython.float = 1.0
    at: cython.int = _place_of((code & ((one << 40) - 1)) | (one << 56))
    if SHAPE_KEY[at]:
        found = SHAPE_GAMMA[at]
    at = _place_of(code | (one << 57))
    if SHAPE_KEY[at]:
        found *= SHAPE_GAMMA[at]
    return found


def load_shapes(weights: dict) -> None:
    """Make the table anew: ``weights`` has by (size, code) the logarithm of a shape's weight.

    Raises ValueError for more shapes than the table has room for (some 12,000).
    """
    code: cython.ulonglong
    other: cython.ulonglong
    mark: cython.ulonglong
    size: cython.int
    turn: cython.int
    at: cython.int
    gamma: cython.float
    if len(weights) * 8 > SHAPE_SLOTS * 3 // 4:
        raise ValueError(f"{len(weights)} shapes are too many")
    for at in range(SHAPE_SLOTS):
        SHAPE_KEY[at] = 0
    for (size, code), weight in weights.items():
        mark = 1
        mark <<= 56 if size == 20 else 57
        gamma = exp(weight)
        for turn in range(8):
            other = turned(code, size, turn) | mark
            at = _place_of(other)
            SHAPE_KEY[at] = other
            SHAPE_GAMMA[at] = gamma


def smallest_code(code: cython.ulonglong, size: cython.int) -> cython.ulonglong:
    """The code that stands for a shape and all its rotations and reflections."""
    turn: cython.int
    other: cython.ulonglong
    found: cython.ulonglong = code
    for turn in range(1, 8):
        other = turned(code, size, turn)
        if other < found:
            found = other
    return found
