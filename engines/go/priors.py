"""What a move is worth before it is searched: features with learned weights.

A move's weight is the product of the weights (gammas) of its features, and its share is that by the sum over all moves:
the model of Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007). Features are tactical (captures,
ladders, self-atari), geometrical (nearness to the last two moves, line on the board), the 3×3 pattern, the shape of
what lies within three steps (``engines.go.shapes``), and who ended up with the point in the playouts made so far.
``scripts/learn_go_patterns.py`` learns the weights, ``engines.go.weights`` holds them.
"""

import cython

from engines.go.board import Board
from engines.go.patterns import symmetric_codes
from engines.go.playout import Playout
from engines.go.shapes import load_shapes
from engines.go.weights import FEATURE_WEIGHTS, pattern_weights, shape_weights

if cython.compiled:
    from cython.cimports.libc.math import exp
else:
    from math import exp

    from engines.go.reading import LADDER_BUDGET, LADDER_DEPTH
    from engines.go.shapes import code_around, shape_gamma
    from engines.go.stones import AREA, BLACK, BORDER, EMPTY, LEGAL, WHITE

    FEATURES, SLOTS = 160, 12
    GAMMA, PATTERN_GAMMA = [1.0] * FEATURES, [1.0] * 65536

# Where each group of features begins; a move has at most one of a group. 0 is no feature.
CAPTURE = cython.declare(cython.int, 1)
RESCUE = cython.declare(cython.int, 10)
ATTACK = cython.declare(cython.int, 15)
DEFEND = cython.declare(cython.int, 22)
SELF_ATARI = cython.declare(cython.int, 28)
EYE = cython.declare(cython.int, 32)
LAST = cython.declare(cython.int, 34)
BEFORE_LAST = cython.declare(cython.int, 54)
FATE = cython.declare(cython.int, 74)
LINE = cython.declare(cython.int, 80)
OWNER = cython.declare(cython.int, 104)
LARGE_LAST = cython.declare(cython.int, 112)
LARGE_BEFORE_LAST = cython.declare(cython.int, 132)
LARGE_FATE = cython.declare(cython.int, 152)

NAMES: dict[int, str] = {
    1: "takes one stone that could not run",
    2: "takes stones that could not run",
    3: "takes one stone",
    4: "takes two stones",
    5: "takes three or more",
    6: "takes the last move's chain",
    7: "takes and saves an own chain",
    10: "runs in vain",
    11: "saves one stone in atari",
    12: "saves two or more in atari",
    15: "takes a third liberty",
    16: "atari on one stone",
    17: "atari on more",
    18: "ladder on one stone",
    19: "ladder on more",
    22: "adds to three liberties",
    23: "saves one stone from a ladder",
    24: "saves more from a ladder",
    28: "throws a stone in",
    29: "gives stones away",
    30: "nakade",
    32: "fills a false eye",
    33: "fills an eye",
}
for _first, _board in ((34, ""), (112, ", large board")):
    NAMES |= {_first + d: f"distance {d} from the last move{_board}" for d in range(20)}
    NAMES |= {_first + 20 + d: f"distance {d} from the move before{_board}" for d in range(20)}
    NAMES |= {_first + 40 + d: f"{d} steps along chains from the last move{_board}" for d in range(5)}
NAMES |= {
    80 + 12 * large + 6 * far + line: f"line {line + 1}{' with no stone near' if far else ''}"
    f"{', large board' if large else ''}"
    for large in range(2)
    for far in range(2)
    for line in range(6)
}
NAMES |= {104 + k: f"owned by the mover at {k / 4 - 1:+.2f} or more" for k in range(8)}

GEOMETRY: frozenset[int] = frozenset((*range(LAST, OWNER), *range(LARGE_LAST, FEATURES)))
"""The features that only tell where a point is: from the last two moves, from the edge, from stones."""

EMPTY_CORNER_WEIGHT = cython.declare(cython.float, 33.0)
"""For the points where a corner is taken: every player knows them, but a few games on large boards don't teach it."""

PASS_WEIGHT = cython.declare(cython.float, 1.0)

FEWEST_FOR_OWNERS = cython.declare(cython.int, 24)
"""Playouts from which on who owns a point is a feature."""


def _load() -> None:
    code: cython.int
    index: cython.int
    for index in range(FEATURES):
        GAMMA[index] = exp(FEATURE_WEIGHTS.get(index, 0.0))
    for code in range(65536):
        PATTERN_GAMMA[code] = 1.0
    for first, weight in pattern_weights().items():
        for code in symmetric_codes(first):
            PATTERN_GAMMA[code] = exp(weight)
    load_shapes(shape_weights())


_load()


class Priors:
    """Rates the moves of one position after another; one for each thread."""

    def __cinit__(self):
        self.count = 0
        if not cython.compiled:
            self.moves, self.weights, self.codes = [0] * 640, [0.0] * 640, [0] * 640
            self.slots = [[0] * SLOTS for _ in range(640)]
            self.capture, self.rescue, self.attack, self.defend = ([0] * AREA for _ in range(4))
            self.distance, self.queue = [0] * AREA, [0] * AREA

    if not cython.compiled:

        def __init__(self):
            self.__cinit__()

    def features(self, board: Board, color: cython.int, owners: list | None = None) -> list:
        """For learning: per move that is rated its point, its features, the codes of its 3×3 pattern and of its shape,
        then its share.

        ``owners`` has by point the mean (−1…1) of playouts' ends, positive for Black; None where none were made.
        """
        playout = Playout(board.width, board.height)
        sums: cython.longlong[704]
        i: cython.int
        k: cython.int
        if not cython.compiled:
            sums = [0] * AREA
        playout.copy_position(board.now)
        playout.list_empties()
        turn: cython.int
        for turn in range(max(0, board.turns - 2), board.turns):
            playout.before_last = playout.last
            playout.last = playout.inner[board.turn(turn)[1]] if board.turn(turn)[1] >= 0 else 0
        for i in range(playout.points):
            sums[i] = int(1000 * owners[i]) if owners is not None else 0
        self.rate(
            playout, color, cython.address(sums[0]) if cython.compiled else sums, 1000 if owners is not None else 0
        )
        found = []
        for i in range(self.count):
            slots = []
            for k in range(SLOTS):
                if self.slots[i][k]:
                    slots.append(self.slots[i][k])
            shape = code_around(playout, self.moves[i], color)
            found.append((playout.outer[self.moves[i]], slots, self.codes[i], shape, self.weights[i]))
        return found

    def rate(
        self, board: Playout, c: cython.int, owner: cython.pointer(cython.longlong), playouts: cython.longlong
    ) -> None:
        """Fill ``moves`` and ``weights`` with the legal moves of colour c, superko aside, and their shares.

        Suicide is left out, and own eyes unless something beside them is in atari. ``owner`` has by outer point the sum
        over ``playouts`` playouts of +1 where Black ended up and −1 where White did.
        """
        i: cython.int
        p: cython.int
        total: cython.float
        self.count = 0
        self.read_chains(board, c)
        self.measure_distance(board, board.last)
        for i in range(board.points):
            p = board.inner[i]
            if board.color[p] == EMPTY and board.verdict(p, c) == LEGAL and not board.suicidal(p, c):
                self.describe(board, p, c, owner, playouts)
        # Something for passing, so that the last few moves of a game are not thought certain.
        total = PASS_WEIGHT
        for i in range(self.count):
            total += self.weights[i]
        for i in range(self.count):
            self.weights[i] /= total

    def read_chains(self, board: Playout, c: cython.int) -> None:
        """Note by point what a move there would do to the chains with few liberties."""
        i: cython.int
        k: cython.int
        m: cython.int
        n: cython.int
        p: cython.int
        q: cython.int
        h: cython.int
        free: cython.int
        size: cython.int
        kind: cython.int
        three: cython.short[3]
        if not cython.compiled:
            three = [0, 0, 0]
        for i in range(board.inner_size):
            self.capture[i] = 0
            self.rescue[i] = 0
            self.attack[i] = 0
            self.defend[i] = 0
        for i in range(board.points):
            h = board.inner[i]
            if board.color[h] == EMPTY or board.head[h] != h:
                continue
            free = board.libs[h]
            size = board.stones_in[h]
            if free > 3:
                continue
            board.liberties_into(h, cython.address(three[0]) if cython.compiled else three, 3)
            p = three[0]
            if free == 1 and board.color[h] != c:
                kind = 3 if size == 1 else (4 if size == 2 else 5)
                board.budget = LADDER_BUDGET
                if not board.escapes(h, LADDER_DEPTH):
                    kind = 1 if size == 1 else 2
                q = h
                while True:
                    if q == board.last and kind < 6:
                        kind = 6
                    for k in range(4):
                        n = q + board.around[k]
                        if board.color[n] == c and board.libs[board.head[n]] == 1:
                            kind = 7
                    q = board.nxt[q]
                    if q == h:
                        break
                if kind > self.capture[p]:
                    self.capture[p] = kind
            elif free == 1:
                kind = 0
                if board.saved_by(p, c, h):
                    kind = 1 if size == 1 else 2
                # One more than the kind, so that 0 is none.
                if kind + 1 > self.rescue[p]:
                    self.rescue[p] = kind + 1
            elif board.color[h] != c:
                for k in range(free):
                    p = three[k]
                    if free == 3:
                        kind = 1 if size > 1 else 0
                    elif board.self_atari(p, c):
                        kind = 0
                    elif board.caught_by(p, c, h):
                        kind = 4 if size == 1 else 5
                    else:
                        kind = 2 if size == 1 else 3
                    if kind > self.attack[p]:
                        self.attack[p] = kind
            elif free == 3:
                for k in range(3):
                    if size > 1 and self.defend[three[k]] == 0 and board.liberties_after(three[k], c) > 3:
                        self.defend[three[k]] = 1
            else:
                board.budget = LADDER_BUDGET
                if not board.caught(h, LADDER_DEPTH):
                    continue
                kind = 2 if size == 1 else 3
                for k in range(2):
                    if kind > self.defend[three[k]] and board.saved_by(three[k], c, h):
                        self.defend[three[k]] = kind
                q = h
                while True:
                    for k in range(4):
                        n = q + board.around[k]
                        if board.color[n] == 3 - c and board.libs[board.head[n]] == 1:
                            m = board.first_liberty(board.head[n])
                            if kind > self.defend[m] and board.saved_by(m, c, h):
                                self.defend[m] = kind
                    q = board.nxt[q]
                    if q == h:
                        break

    def describe(
        self,
        board: Playout,
        p: cython.int,
        c: cython.int,
        owner: cython.pointer(cython.longlong),
        playouts: cython.longlong,
    ) -> None:
        """Add the legal move p with its features and its weight."""
        slots: cython.pointer(cython.short)
        n: cython.int = 0
        s: cython.int = board.stride
        x: cython.int = p % s
        y: cython.int = p // s
        dx: cython.int
        dy: cython.int
        line: cython.int
        code: cython.int
        kind: cython.int
        weight: cython.float
        share: cython.double
        large: cython.bint = min(board.width, board.height) > 11
        eye: cython.int = board.is_eye(p, c)
        if eye == 2 and self.capture[p] == 0 and self.rescue[p] == 0:
            return
        slots = self.slots[self.count]
        if self.capture[p]:
            slots[n] = CAPTURE + self.capture[p] - 1
            n += 1
        if self.rescue[p]:
            slots[n] = RESCUE + self.rescue[p] - 1
            n += 1
        if self.attack[p]:
            slots[n] = ATTACK + self.attack[p] - 1
            n += 1
        if self.defend[p]:
            slots[n] = DEFEND + self.defend[p] - 1
            n += 1
        kind = board.bad_self_atari(p, c)
        if kind:
            slots[n] = SELF_ATARI + kind - 1
            n += 1
        if eye:
            slots[n] = EYE + eye - 1
            n += 1
        if board.last:
            dx = abs(board.last % s - x)
            dy = abs(board.last // s - y)
            slots[n] = (LARGE_LAST if large else LAST) + min(19, dx + dy + max(dx, dy))
            n += 1
            if self.distance[p] <= 4:
                slots[n] = (LARGE_FATE if large else FATE) + self.distance[p]
                n += 1
        if board.before_last:
            dx = abs(board.before_last % s - x)
            dy = abs(board.before_last // s - y)
            slots[n] = (LARGE_BEFORE_LAST if large else BEFORE_LAST) + min(19, dx + dy + max(dx, dy))
            n += 1
        line = min(5, min(min(x, board.width + 1 - x), min(y, board.height + 1 - y)) - 1)
        if large:
            line += 12
        if self.far_from_stones(board, p):
            line += 6
        slots[n] = LINE + line
        n += 1
        if playouts >= FEWEST_FOR_OWNERS:
            share = owner[board.outer[p]] / cython.cast(cython.double, playouts)
            line = cython.cast(cython.int, 4.0 * (1.0 + share if c == BLACK else 1.0 - share))
            slots[n] = OWNER + min(7, max(0, line))
            n += 1
        if n < SLOTS:
            slots[n] = 0
        code = board.neighbourhood(p)
        if c == WHITE:
            code = ((code & 0x5555) << 1) | ((code >> 1) & 0x5555)
        weight = PATTERN_GAMMA[code] * shape_gamma(code_around(board, p, c))
        if large and self.in_empty_corner(board, x, y):
            weight *= EMPTY_CORNER_WEIGHT
        for kind in range(n):
            weight *= GAMMA[slots[kind]]
        self.moves[self.count] = p
        self.codes[self.count] = code
        self.weights[self.count] = weight
        self.count += 1

    def measure_distance(self, board: Playout, origin: cython.int) -> None:
        """Steps from a point to all others up to 4, where going along a chain costs nothing (common fate graph)."""
        i: cython.int
        n: cython.int
        p: cython.int
        q: cython.int
        d: cython.int
        done: cython.int = 0
        size: cython.int = 0
        for i in range(board.inner_size):
            self.distance[i] = 99
        if origin == 0:
            return
        self.distance[origin] = 0
        self.queue[0] = origin
        size = 1
        while done < size:
            p = self.queue[done]
            done += 1
            d = self.distance[p]
            if d >= 4:
                break
            # A chain is as near as its first stone reached: walk all its stones' neighbours now.
            q = p
            while True:
                self.distance[q] = d
                for i in range(4):
                    n = q + board.around[i]
                    if (
                        board.color[n] != BORDER
                        and self.distance[n] > d + 1
                        and not (
                            board.color[p] != EMPTY
                            and board.color[n] == board.color[p]
                            and board.head[n] == board.head[p]
                        )
                    ):
                        self.distance[n] = d + 1
                        self.queue[size] = n
                        size += 1
                if board.color[p] == EMPTY:
                    break
                q = board.nxt[q]
                if q == p:
                    break

    def in_empty_corner(self, board: Playout, x: cython.int, y: cython.int) -> cython.bint:
        """Whether (x, y), counted from 1, is a 4-4 or 3-4 point of a corner without a stone."""
        dx: cython.int = min(x, board.width + 1 - x)
        dy: cython.int = min(y, board.height + 1 - y)
        column: cython.int
        row: cython.int
        if min(dx, dy) < 3 or max(dx, dy) != 4:
            return False
        for row in range(1, 7):
            for column in range(1, 7):
                if (
                    board.color[
                        (row if y == dy else board.height + 1 - row) * board.stride
                        + (column if x == dx else board.width + 1 - column)
                    ]
                    != EMPTY
                ):
                    return False
        return True

    def far_from_stones(self, board: Playout, p: cython.int) -> cython.bint:
        """Whether no stone lies within three steps of p."""
        s: cython.int = board.stride
        x: cython.int = p % s
        y: cython.int = p // s
        dx: cython.int
        dy: cython.int
        q: cython.int
        for dy in range(-3, 4):
            if y + dy < 1 or y + dy > board.height:
                continue
            for dx in range(-3, 4):
                if x + dx < 1 or x + dx > board.width or abs(dx) + abs(dy) > 3:
                    continue
                q = (y + dy) * s + x + dx
                if board.color[q] != EMPTY:
                    return False
        return True
