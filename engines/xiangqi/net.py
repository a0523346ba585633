"""The evaluation net: what a position is worth, by what was learnt from millions of them. docs/xiangqi-net.md.

A position is looked at from both sides, the mover's first. A *view* turns the board so that its own side is below, and
mirrors it left to right when the general, or else the pieces together, stand farther on the right (``lean``). Each
piece then adds a row of the first layer, chosen by the general's place, kind and owner, and square. The sums are kept
for every place of the general and corrected by what has moved since they were last used: a move, taken back or not,
is a few rows. The layers behind are small; one of eight sets of them is chosen by the heavy pieces that are left.

All is integers, so that every machine computes the same.
"""

from __future__ import annotations

from array import array

import cython

from engines.xiangqi import net_file
from engines.xiangqi.geometry import KING
from engines.xiangqi.net_file import NetError, read_net

if not cython.compiled:  # compiled, net.pxd declares or imports all of these in C
    from engines.xiangqi.board import Board
    from engines.xiangqi.geometry import NOWHERE, PIECE_OF
    from engines.xiangqi.net_file import DEEP, HIDDEN, WIDTH

    BOTH, ROWS, STRIDE = 2 * WIDTH, 1261, 1261 * WIDTH
    ROW_OF, LEAN = [0] * 5824, [0] * 2912

__all__ = ["Accumulators", "Net", "NetError", "bucket_of", "king_index", "lean", "relative_row"]

_LEANING = (0, 64, 3, 3, 6, 8, 5, 2)
"""How much each kind, a file off the middle, says about which side of the board the pieces are on."""


def relative_row(view: int, mirrored: bool, piece: int, square: int) -> int:
    """Row of the first layer for a piece (``geometry``) in a view: kind, the enemy's after its own, * 90 + square."""
    rank, file = square // 9, square % 9
    if view:
        rank = 9 - rank
    if mirrored:
        file = 8 - file
    return ((piece & 7) - 1 + (7 if piece >> 3 != view else 0)) * 90 + rank * 9 + file


def lean(view: int, piece: int, square: int) -> int:
    """How much a piece leans to the right in a view, negative to the left; where the sum is positive, it is mirrored.

    The view's own general decides alone when he is not on the middle file. Small parts of these numbers are arbitrary:
    so the sum is 0 for a symmetrical position and hardly ever for another.
    """
    rank, file = square // 9, square % 9 - 4
    if view:
        rank = 9 - rank
    own = piece >> 3 == view
    if own and piece & 7 == KING:
        size = 1 << 28
    else:
        size = _LEANING[piece & 7] * abs(file) << 12
        size += ((((piece & 7) + (0 if own else 8)) * 10 + rank) * 5 + abs(file)) * 2654435761 >> 12 & 0xFFF
    return size if file > 0 else -size if file < 0 else 0


def king_index(view: int, square: int) -> int:
    """Which of the six places a view's own general is on: rank * 2, + 1 off the middle file."""
    rank = 9 - square // 9 if view else square // 9
    return min(rank, 2) * 2 + (square % 9 != 4)


def bucket_of(heavy: int) -> int:
    """The set of layers for so many chariots, cannons and horses of both sides together."""
    return (heavy + 1) // 2 if heavy < 12 else 7


def _fill() -> None:
    for view in range(2):
        for piece in range(16):
            for mirrored in range(2):
                at = ((view * 2 + mirrored) * 16 + piece) * 91
                for square in range(90):
                    ROW_OF[at + square] = relative_row(view, bool(mirrored), piece, square) if piece & 7 else 1260
                ROW_OF[at + 90] = 1260
            for square in range(90):
                LEAN[(view * 16 + piece) * 91 + square] = lean(view, piece, square) if piece & 7 else 0
            LEAN[(view * 16 + piece) * 91 + 90] = 0


_fill()


# -- loops over numbers, which the compiler turns into vector instructions


def shift(
    sums: cython.p_short, at: cython.Py_ssize_t, rows: cython.p_short, plus: cython.Py_ssize_t, minus: cython.Py_ssize_t
) -> None:
    """Add a row to the sums from ``at`` on, and take another away."""
    i: cython.Py_ssize_t
    for i in range(WIDTH):
        sums[at + i] = sums[at + i] + rows[plus + i] - rows[minus + i]


def activate(out: cython.p_short, to: cython.Py_ssize_t, sums: cython.p_short, at: cython.Py_ssize_t) -> None:
    """Squares of the sums, clipped to 0 … 255 before and divided by 256."""
    i: cython.Py_ssize_t
    value: cython.short
    for i in range(WIDTH):
        value = sums[at + i]
        value = 0 if value < 0 else value
        value = 255 if value > 255 else value
        out[to + i] = value * value + 128 >> 8


def dot_both(a: cython.p_short, b: cython.p_short, at: cython.Py_ssize_t) -> cython.int:
    """The product of all activations with the weights from ``at`` on."""
    i: cython.Py_ssize_t
    total: cython.int = 0
    for i in range(BOTH):
        total += a[i] * b[at + i]
    return total


def dot_four(
    a: cython.p_short, b: cython.p_short, at: cython.Py_ssize_t, out: cython.p_int, to: cython.Py_ssize_t
) -> None:
    """The same for four neurons at once, which loads the activations once: half the time."""
    i: cython.Py_ssize_t
    one: cython.int = 0
    two: cython.int = 0
    three: cython.int = 0
    four: cython.int = 0
    for i in range(BOTH):
        one += a[i] * b[at + i]
        two += a[i] * b[at + BOTH + i]
        three += a[i] * b[at + 2 * BOTH + i]
        four += a[i] * b[at + 3 * BOTH + i]
    out[to], out[to + 1], out[to + 2], out[to + 3] = one, two, three, four


def dot_hidden(a: cython.p_short, b: cython.p_short, at: cython.Py_ssize_t) -> cython.int:
    """The same for the second layer's."""
    i: cython.Py_ssize_t
    total: cython.int = 0
    for i in range(HIDDEN):
        total += a[i] * b[at + i]
    return total


def dot_deep(a: cython.p_short, b: cython.p_short, at: cython.Py_ssize_t) -> cython.int:
    """The same for the third layer's."""
    i: cython.Py_ssize_t
    total: cython.int = 0
    for i in range(DEEP):
        total += a[i] * b[at + i]
    return total


@cython.final
@cython.cclass
class Net:
    """A net's numbers; searching threads share one."""

    def __init__(self, path: str) -> None:
        """Read a net from a file. ``NetError``, with the reason, for one that can't be used."""
        data = read_net(path)
        self.path, self.scale = str(path), data.scale
        rows = array("h")
        size = net_file.ROWS * net_file.WIDTH
        for king in range(net_file.KINGS):
            rows += data.rows[king * size : (king + 1) * size] + array("h", bytes(2 * net_file.WIDTH))
        self.store, self.bias = rows, data.bias
        self.hidden_store, self.deep_store, self.last_store = data.hidden, data.deep, data.last
        self.hidden_bias, self.deep_bias, self.last_bias = data.hidden_bias, data.deep_bias, data.last_bias
        if cython.compiled:
            self.rows = cython.address(self.store[0])
            self.hidden = cython.address(self.hidden_store[0])
            self.deep = cython.address(self.deep_store[0])
            self.last = cython.address(self.last_store[0])
        else:
            self.rows, self.hidden, self.deep, self.last = rows, data.hidden, data.deep, data.last


@cython.final
@cython.cclass
class Accumulators:
    """The first layer's sums for one thread's board, and what the net makes of them."""

    def __init__(self, net: Net) -> None:
        if not cython.compiled:
            self.sums, self.places, self.active = [0] * 3072, [0] * 768, [0] * 256
            self.products, self.hidden, self.deep = [0] * 16, [0] * 16, [0] * 32
        self.net = net
        for state in range(24):
            for i in range(WIDTH):
                self.sums[state * WIDTH + i] = net.bias[i]
            for slot in range(32):
                self.places[state * 32 + slot] = NOWHERE

    def view(self, board: Board, color: cython.int) -> cython.int:
        """Bring a view's sums up to date; returns where they begin."""
        leaning: cython.int = 0
        slot: cython.int
        square: cython.int
        before: cython.int
        table: cython.int = color * 1456
        for slot in range(32):
            leaning += LEAN[table + PIECE_OF[slot] * 91 + board.place[slot]]
        square = board.place[color * 16]
        mirrored: cython.bint = leaning > 0
        rank: cython.int = 9 - square // 9 if color else square // 9
        king: cython.int = (rank if rank < 2 else 2) * 2 + (square % 9 != 4)
        state: cython.int = color * 12 + king * 2 + mirrored
        table = (color * 2 + mirrored) * 1456
        for slot in range(32):
            square, before = board.place[slot], self.places[state * 32 + slot]
            if square != before:
                shift(
                    self.sums,
                    state * WIDTH,
                    self.net.rows,
                    king * STRIDE + ROW_OF[table + PIECE_OF[slot] * 91 + square] * WIDTH,
                    king * STRIDE + ROW_OF[table + PIECE_OF[slot] * 91 + before] * WIDTH,
                )
                self.places[state * 32 + slot] = square
        return state * WIDTH

    def score(self, board: Board) -> cython.int:
        """Centipawns for the side to move."""
        heavy: cython.int = 0
        slot: cython.int
        bucket: cython.int
        total: cython.int
        straight: cython.longlong
        i: cython.int
        for slot in range(1, 7):
            heavy += (board.place[slot] != NOWHERE) + (board.place[16 + slot] != NOWHERE)
        bucket = (heavy + 1) // 2 if heavy < 12 else 7
        activate(self.active, 0, self.sums, self.view(board, board.side))
        activate(self.active, WIDTH, self.sums, self.view(board, board.side ^ 1))
        slot = bucket * (HIDDEN + 1)
        for i in range(0, HIDDEN, 4):
            dot_four(self.active, self.net.hidden, (slot + i) * BOTH, self.products, i)
        for i in range(HIDDEN):
            total = self.net.hidden_bias[slot + i] + self.products[i]
            total = total >> 8
            self.hidden[i] = 0 if total < 0 else 1024 if total > 1024 else total
        straight = self.net.hidden_bias[slot + HIDDEN] + dot_both(self.active, self.net.hidden, (slot + HIDDEN) * BOTH)
        slot = bucket * DEEP
        for i in range(DEEP):
            total = self.net.deep_bias[slot + i] + dot_hidden(self.hidden, self.net.deep, (slot + i) * HIDDEN)
            total = total >> 10
            self.deep[i] = 0 if total < 0 else 1024 if total > 1024 else total
        straight = straight * 4 + self.net.last_bias[bucket] + dot_deep(self.deep, self.net.last, slot)
        return straight * self.net.scale + 524288 >> 20

    # -- what Python callers use

    def value(self, board: Board) -> int:
        """What the net says of a position, centipawns for the side to move: no rule of thumb is applied to it."""
        return self.score(board)

    def view_sums(self, board: Board, color: int) -> list[int]:
        """The first layer's sums in a side's view of a position."""
        at: cython.int = self.view(board, color)
        return [self.sums[at + i] for i in range(WIDTH)]
