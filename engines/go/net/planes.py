"""What the Go net sees of a position: planes of one number a point, and a few numbers about the whole game.

Planes, each row by row from the top left, all from the side of who is to move ("own"):

    0       1 everywhere: tells the board from what lies beyond its edge
    1  2    own stones, the opponent's
    3  4  5 stones of chains with one, two, three liberties
    6       empty points where the side to move may not play (ko, superko at the root, suicide)
    7 … 11  the last five moves, the latest first; a pass shows nothing
    12      stones that a ladder takes once their enemy begins (chains of two liberties)
    13      stones in atari that can't get away though it is their turn or would be
    14      moves that begin such a ladder, or take the last liberty of an enemy chain that can't get away

Ladders are read by ``engines.go.reading``, as playouts do. The numbers about the game are made by ``globals_of``.
"""

from __future__ import annotations

import cython

from engines.go.reading import Reading

if not cython.compiled:
    from engines.go.reading import LADDER_BUDGET, LADDER_DEPTH
    from engines.go.stones import EMPTY, LEGAL

    PLANES, GLOBALS, RECENT = 15, 8, 5

NUMBER_OF_PLANES = 15
NUMBER_OF_GLOBALS = 8
RECENT_MOVES = 5

KOMI_UNIT = 20.0
"""Points of lead that are 1 to the net."""


def globals_of(
    lead: float, area: int, territory: bool, last_passed: bool, before_passed: bool, suicide: bool
) -> list[float]:
    """The numbers about the game.

    ``lead``: points that the side to move has before a point on the board is counted (White's komi; handicap points;
    under territory rules also stones taken, fewer its own that were). ``area``: points of the board. ``territory``:
    whether stones don't count. ``last_passed`` and ``before_passed`` tell of the two turns before. The last two numbers
    tell which margins can't be: whether a whole or a half lead is needed, and the side it falls to.
    """
    parity = (lead + area) % 2.0
    return [
        max(-10.0, min(10.0, lead / KOMI_UNIT)),
        float(territory),
        float(last_passed),
        float(before_passed),
        (area**0.5 - 14.0) / 10.0,
        float(suicide),
        0.0 if territory else 1.0 - abs(1.0 - parity),
        0.0 if territory else (0.5 - abs(0.5 - parity % 1.0)) * 2.0,
    ]


class Planes(Reading):
    """A position that can be written as planes. ``width`` and ``height`` are 1 to 25."""

    if not cython.compiled:

        def __init__(self, width, height):
            Reading.__init__(self, width, height)
            self.heads = [0] * 704
            self.fate = [0] * 704
            self.works = [0] * 704

    @cython.final
    def read_ladders(self, c: cython.int) -> None:
        """Fill ``fate`` by outer point of a chain's head (1: taken if the enemy begins, 2: in atari for good) and
        ``works`` by point (moves of colour c that begin a ladder which works, or end one)."""
        p: cython.int
        i: cython.int
        k: cython.int
        h: cython.int
        n: cython.int = 0
        two: cython.short[2]
        if not cython.compiled:
            two = [0, 0]
        for i in range(self.points):
            p = self.inner[i]
            self.works[p] = 0
            self.fate[p] = 0
            if self.color[p] != EMPTY and self.head[p] == p and self.libs[p] <= 2:
                self.heads[n] = p
                n += 1
        for i in range(n):
            h = self.heads[i]
            # The head may be another after moves were tried and taken back; the stone stays.
            if self.libs[self.head[h]] == 1:
                self.budget = LADDER_BUDGET
                if not self.escapes(self.head[h], LADDER_DEPTH):
                    self.fate[h] = 2
            else:
                for k in range(
                    self.liberties_into(self.head[h], cython.address(two[0]) if cython.compiled else two, 2)
                ):
                    if self.caught_by(two[k], 3 - self.color[h], h):
                        self.fate[h] = 1
                        if self.color[h] != c:
                            self.works[two[k]] = 1
        for i in range(n):
            h = self.heads[i]
            if self.fate[h] == 2 and self.color[h] != c:
                self.works[self.first_liberty(self.head[h])] = 1

    @cython.final
    def write(self, out: cython.p_float, c: cython.int, recent: cython.p_short, count: cython.int) -> None:
        """Write the planes of the position with colour c to move. ``recent`` holds inner points, the latest first,
        0 for a pass; ``out`` has room for PLANES × points."""
        i: cython.int
        k: cython.int
        p: cython.int
        q: cython.int
        h: cython.int
        x: cython.int
        y: cython.int
        at: cython.int
        n: cython.int = self.points
        for i in range(PLANES * n):
            out[i] = 0
        self.read_ladders(c)
        for y in range(self.height):
            for x in range(self.width):
                p = (self.height - y) * self.stride + x + 1
                at = y * self.width + x
                out[at] = 1
                if self.color[p] == EMPTY:
                    if self.verdict(p, c) != LEGAL:
                        out[6 * n + at] = 1
                    if self.works[p]:
                        out[14 * n + at] = 1
                    continue
                out[(1 if self.color[p] == c else 2) * n + at] = 1
                h = self.head[p]
                if self.libs[h] <= 3:
                    out[(2 + self.libs[h]) * n + at] = 1
        for i in range(n):
            p = self.inner[i]
            if self.fate[p]:
                q = p
                while True:
                    y = self.height - q // self.stride
                    x = q % self.stride - 1
                    out[(11 + self.fate[p]) * n + y * self.width + x] = 1
                    q = self.nxt[q]
                    if q == p:
                        break
        for k in range(count):
            if k < RECENT and recent[k] > 0:
                y = self.height - recent[k] // self.stride
                x = recent[k] % self.stride - 1
                out[(7 + k) * n + y * self.width + x] = 1

    def of(self, board, color: int, out) -> None:
        """Write the planes of a ``Board`` with a colour to move into a writable buffer of floats
        (``NUMBER_OF_PLANES`` × points of them; see the module). Points that superko forbids are shown too.

        Raises ValueError for a board of another size or a buffer too small.
        """
        source: Board
        view: cython.float[::1]
        recent: cython.short[5]
        i: cython.int
        p: cython.int
        count: cython.int = 0
        c: cython.int = color
        if not cython.compiled:
            recent = [0] * 5
        source = board
        if source.width != self.width or source.height != self.height:
            raise ValueError("a board of another size")
        self.copy_position(source.now)
        view = out
        if len(out) < PLANES * self.points:
            raise ValueError("the buffer is too small")
        for i in range(source.log_size - 1, -1, -1):
            if count == RECENT:
                break
            recent[count] = source.log[i].point
            count += 1
        self.write(
            cython.address(view[0]) if cython.compiled else out,
            c,
            cython.address(recent[0]) if cython.compiled else recent,
            count,
        )
        for i in range(self.points):
            p = self.inner[i]
            if self.color[p] == EMPTY and source.verdict(p, c) != LEGAL:
                view[6 * self.points + (self.height - p // self.stride) * self.width + p % self.stride - 1] = 1
