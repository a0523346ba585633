"""Playouts: games played to the end by quick, mostly local replies and chance.

One side's move is looked for in this order, and the first idea that stands is played: chains in atari beside the last
moves (take, or save if that can be), the vital point of an eye space just opened, chains with two liberties beside the
last move (read as a ladder), 3×3 patterns around the last two moves, and any point at random. Own eyes are never
filled, and moves that put the mover's own chain in atari are mostly refused. Both sides go on until neither has a move.

Everything runs on a ``Stones`` board without the interpreter lock. Coordinates are its inner points.
"""

import cython

from engines.go.board import Board
from engines.go.patterns import build_table
from engines.go.reading import Reading

if not cython.compiled:
    from engines.go.reading import LADDER_BUDGET, LADDER_DEPTH
    from engines.go.stones import AREA, BLACK, BORDER, EMPTY, LEGAL, WHITE

    PATTERN = [0] * 65536

# In parts of 256: how often each kind of idea is looked for, and how often a move into self-atari is refused.
ATARI_CHANCE = cython.declare(cython.int, 240)
TWO_LIBERTY_CHANCE = cython.declare(cython.int, 160)
PATTERN_CHANCE = cython.declare(cython.int, 240)
NAKADE_CHANCE = cython.declare(cython.int, 200)
ATARI_TWO_CHANCE = cython.declare(cython.int, 128)
REFUSE_THROW_IN = cython.declare(cython.int, 200)
REFUSE_GIFT = cython.declare(cython.int, 250)


def _fill_patterns() -> None:
    code: cython.int
    table = build_table()
    for code in range(65536):
        PATTERN[code] = table[code]


_fill_patterns()


class Standstills:
    """Corners in which a move loses stones, for the colours and at the points named, as long as all there stands as it
    stood and the chains around have liberties enough. Full tables leave further corners out.
    """

    def __cinit__(self):
        self.count = 0
        if not cython.compiled:
            self.corner, self.first = [[0] * AREA for _ in range(3)], [0] * 257
            self.point, self.color, self.need = [0] * 4096, [0] * 4096, [0] * 4096

    if not cython.compiled:

        def __init__(self):
            self.__cinit__()

    def add(self, board: Board, points: list, walls: list, losing: tuple) -> None:
        """Add a corner: its points, a point of each chain around with the liberties that chain must have, and by colour
        the points where a move loses. All are plain points of ``board``.
        """
        at: cython.int = self.first[self.count]
        if self.count >= 255 or at + len(points) + len(walls) > 4096:
            return
        for point, need in [*((point, 0) for point in points), *walls]:
            self.point[at] = board.now.inner[point]
            self.color[at] = board.now.color[self.point[at]]
            self.need[at] = need
            at += 1
        self.count += 1
        self.first[self.count] = at
        for color in (1, 2):
            for point in losing[color]:
                self.corner[color][board.now.inner[point]] = self.count


class Playout(Reading):
    """One thread's board and chance."""

    def __cinit__(self, width: cython.int, height: cython.int):
        self.random_state = 1
        self.holding = False
        if not cython.compiled:
            self.first, self.when = [0] * AREA, [0] * AREA
            self.last = self.before_last = self.passes = self.moves_played = 0
            self.candidates = [0] * 1024

    if not cython.compiled:

        def __init__(self, width, height):
            Reading.__init__(self, width, height)
            Playout.__cinit__(self, width, height)

    # ------------------------------------------------------------------ chance

    def random(self) -> cython.ulonglong:
        """xorshift64*: 64 bits, the high ones better than the low."""
        full: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        factor: cython.ulonglong = 0x2545F4914F6CDD1D
        x: cython.ulonglong = self.random_state
        x ^= x >> 12
        x ^= (x << 25) & full
        x ^= x >> 27
        self.random_state = x
        return (x * factor) & full

    def below(self, n: cython.int) -> cython.int:
        """A number from 0 to n − 1."""
        return cython.cast(cython.int, ((self.random() >> 32) * cython.cast(cython.ulonglong, n)) >> 32)

    def seed(self, value: cython.ulonglong) -> None:
        """Start the sequence anew; equal seeds, equal sequences."""
        full: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
        step: cython.ulonglong = 0x9E3779B97F4A7C15
        i: cython.int
        self.random_state = (value ^ step) & full
        if self.random_state == 0:
            self.random_state = step
        for i in range(4):
            self.random()

    def hold(self, standstills: Standstills) -> None:
        """Leave corners alone where a move loses."""
        self.standstills = standstills
        self.holding = standstills.count > 0

    # ------------------------------------------------------------------ ideas

    def suggest(self, p: cython.int) -> None:
        if self.candidate_count < 1000:
            self.candidates[self.candidate_count] = p
            self.candidate_count += 1

    def suggest_captures_of_neighbours(self, head: cython.int, c: cython.int) -> None:
        """Captures of enemy chains in atari beside a chain of colour c."""
        q: cython.int = head
        i: cython.int
        n: cython.int
        while True:
            for i in range(4):
                n = q + self.around[i]
                if self.color[n] == 3 - c and self.libs[self.head[n]] == 1:
                    self.suggest(self.first_liberty(self.head[n]))
            q = self.nxt[q]
            if q == head:
                break

    def suggest_for_atari(self, head: cython.int, c: cython.int) -> None:
        """A chain is in atari: take it, or if it is c's own save it where that can be done."""
        p: cython.int = self.first_liberty(head)
        if self.color[head] != c:
            self.suggest(p)
            return
        self.suggest_captures_of_neighbours(head, c)
        if self.saved_by(p, c, head):
            self.suggest(p)

    def suggest_for_two_liberties(self, head: cython.int, c: cython.int, atari: cython.bint) -> None:
        """A chain has two liberties: start the ladder that takes it, or save it from one if it is c's own.

        With ``atari`` any sound atari on the enemy will do where no ladder works.
        """
        i: cython.int
        before: cython.int = self.candidate_count
        two: cython.short[2]
        if not cython.compiled:
            two = [0, 0]
        self.liberties_into(head, cython.address(two[0]) if cython.compiled else two, 2)
        if self.color[head] != c:
            for i in range(2):
                if not self.self_atari(two[i], c) and self.caught_by(two[i], c, head):
                    self.suggest(two[i])
            if atari and self.candidate_count == before:
                for i in range(2):
                    if not self.self_atari(two[i], c):
                        self.suggest(two[i])
            return
        self.budget = LADDER_BUDGET
        if self.caught(head, LADDER_DEPTH):
            self.suggest_captures_of_neighbours(head, c)
            for i in range(2):
                if self.saved_by(two[i], c, head):
                    self.suggest(two[i])

    def suggest_patterns(self, p: cython.int) -> None:
        """Points around p where a 3×3 pattern fits; the table does not depend on who moves."""
        s: cython.int = self.stride
        self.suggest_if_pattern(p + s, s)
        self.suggest_if_pattern(p + 1, s)
        self.suggest_if_pattern(p - 1, s)
        self.suggest_if_pattern(p - s, s)
        self.suggest_if_pattern(p + s + 1, s)
        self.suggest_if_pattern(p + s - 1, s)
        self.suggest_if_pattern(p - s + 1, s)
        self.suggest_if_pattern(p - s - 1, s)

    def suggest_if_pattern(self, p: cython.int, s: cython.int) -> None:
        code: cython.int
        if self.color[p] != EMPTY:
            return
        # As Reading.neighbourhood, here for speed.
        code = (
            self.color[p + s - 1]
            | (self.color[p + s] << 2)
            | (self.color[p + s + 1] << 4)
            | (self.color[p - 1] << 6)
            | (self.color[p + 1] << 8)
            | (self.color[p - s - 1] << 10)
            | (self.color[p - s] << 12)
            | (self.color[p - s + 1] << 14)
        )
        if PATTERN[code]:
            self.suggest(p)

    def suggest_nakade(self, p: cython.int, c: cython.int) -> None:
        """The middle of an eye space of three to six points beside p: where its owner would make two eyes."""
        found: cython.short[8]
        i: cython.int
        k: cython.int
        n: cython.int
        q: cython.int
        start: cython.int
        size: cython.int
        known: cython.bint
        around: cython.int
        degree: cython.int
        best: cython.int
        best_degree: cython.int
        seconds: cython.int
        if not cython.compiled:
            found = [0] * 8
        for k in range(4):
            start = p + self.around[k]
            if self.color[start] != EMPTY:
                continue
            # Of no shape in question does a point see six others around it.
            n = self.stride
            if (
                self.color[start + 1] == c
                or self.color[start - 1] == c
                or self.color[start + n] == c
                or self.color[start - n] == c
            ):
                continue
            around = (self.color[start + 1] == EMPTY) + (self.color[start - 1] == EMPTY)
            around += (self.color[start + n] == EMPTY) + (self.color[start - n] == EMPTY)
            around += (self.color[start + n + 1] == EMPTY) + (self.color[start + n - 1] == EMPTY)
            around += (self.color[start - n + 1] == EMPTY) + (self.color[start - n - 1] == EMPTY)
            if around > 5:
                continue
            found[0] = start
            size = 1
            i = 0
            while i < size and size <= 6:
                for n in range(4):
                    q = found[i] + self.around[n]
                    if self.color[q] == c:
                        size = 7
                        break
                    if self.color[q] == EMPTY:
                        known = False
                        for degree in range(size):
                            if found[degree] == q:
                                known = True
                                break
                        if not known:
                            if size >= 6:
                                size = 7
                                break
                            found[size] = q
                            size += 1
                i += 1
            if size < 3 or size > 6:
                continue
            best = 0
            best_degree = 0
            seconds = 0
            for i in range(size):
                degree = 0
                for n in range(size):
                    q = found[i] - found[n]
                    if q == 1 or q == -1 or q == self.stride or q == -self.stride:
                        degree += 1
                if degree > best_degree:
                    seconds = 0
                    best = found[i]
                    best_degree = degree
                elif degree == best_degree:
                    seconds += 1
            if seconds == 0 and best:
                self.suggest(best)

    # ------------------------------------------------------------------ a move

    def refused(self, p: cython.int, c: cython.int) -> cython.bint:
        """Whether a move by colour c into self-atari is not to be made this time."""
        kind: cython.int = self.bad_self_atari(p, c)
        if kind == 0 or kind == 3:
            return False
        return self.below(256) < (REFUSE_THROW_IN if kind == 1 else REFUSE_GIFT)

    def barred(self, p: cython.int, c: cython.int) -> cython.bint:
        """Whether a move by colour c would break a standstill to its own loss."""
        return self.standstills.corner[c][p] != 0 and self.intact(self.standstills.corner[c][p])

    def intact(self, corner: cython.int) -> cython.bint:
        """Whether a corner and the chains around are as they were when it was read."""
        i: cython.int
        p: cython.int
        for i in range(self.standstills.first[corner - 1], self.standstills.first[corner]):
            p = self.standstills.point[i]
            if self.color[p] != self.standstills.color[i]:
                return False
            if self.standstills.need[i] and self.libs[self.head[p]] < self.standstills.need[i]:
                return False
        return True

    def pick(self, c: cython.int) -> cython.int:
        """One of the suggested points at random, legal and no self-atari to be refused; 0 for none."""
        i: cython.int
        p: cython.int
        while self.candidate_count:
            i = self.below(self.candidate_count)
            p = self.candidates[i]
            self.candidate_count -= 1
            self.candidates[i] = self.candidates[self.candidate_count]
            if self.verdict(p, c) != LEGAL or self.is_eye(p, c) == 2 or self.refused(p, c):
                continue
            if self.holding and self.barred(p, c):
                continue
            return p
        return 0

    def local_reply(self, c: cython.int) -> cython.int:
        """A move suggested by what stands around the last moves; 0 for none."""
        i: cython.int
        k: cython.int
        n: cython.int
        p: cython.int
        h: cython.int
        heads: cython.int[4]
        known: cython.int = 0
        any_atari: cython.bint
        if not cython.compiled:
            heads = [0] * 4
        if self.last == 0:
            return 0
        if self.below(256) < ATARI_CHANCE:
            if self.color[self.last] != EMPTY and self.libs[self.head[self.last]] == 1:
                self.suggest_for_atari(self.head[self.last], c)
            for i in range(4):
                n = self.last + self.around[i]
                if self.color[n] != c:
                    continue
                h = self.head[n]
                for k in range(known):
                    if heads[k] == h:
                        h = 0
                        break
                if h:
                    heads[known] = h
                    known += 1
                    if self.libs[h] == 1:
                        self.suggest_for_atari(h, c)
            p = self.pick(c)
            if p:
                return p
        if self.below(256) < NAKADE_CHANCE:
            self.suggest_nakade(self.last, c)
            p = self.pick(c)
            if p:
                return p
        if self.below(256) < TWO_LIBERTY_CHANCE:
            any_atari = self.below(256) < ATARI_TWO_CHANCE
            if self.color[self.last] != EMPTY and self.libs[self.head[self.last]] == 2:
                self.suggest_for_two_liberties(self.head[self.last], c, any_atari)
            for k in range(known):
                if self.libs[heads[k]] == 2 and self.stones_in[heads[k]] > 1:
                    self.suggest_for_two_liberties(heads[k], c, False)
            p = self.pick(c)
            if p:
                return p
        if self.below(256) < PATTERN_CHANCE:
            self.suggest_patterns(self.last)
            if self.before_last:
                self.suggest_patterns(self.before_last)
            p = self.pick(c)
            if p:
                return p
        return 0

    def set_aside(self, i: cython.int, n: cython.int) -> None:
        """Take the empty point at place i out of the running: to place n, the first behind those left to draw from."""
        p: cython.int = self.empties[i]
        self.empties[i] = self.empties[n]
        self.empty_at[self.empties[i]] = i
        self.empties[n] = p
        self.empty_at[p] = n

    def random_move(self, c: cython.int) -> cython.int:
        """Any sensible point, each equally likely; 0 if there is none, and the side passes."""
        n: cython.int = self.empty_count
        i: cython.int
        p: cython.int
        free: cython.int
        s: cython.int = self.stride
        while n > 0:
            i = self.below(n)
            p = self.empties[i]
            n -= 1
            self.set_aside(i, n)
            if self.holding and self.barred(p, c):
                continue
            # With an empty point beside it a move is legal and fills no eye; with two it is no self-atari either.
            free = (
                (self.color[p + 1] == EMPTY)
                + (self.color[p - 1] == EMPTY)
                + (self.color[p + s] == EMPTY)
                + (self.color[p - s] == EMPTY)
            )
            if free > 1:
                return p
            if free == 0 and (self.is_eye(p, c) == 2 or self.verdict(p, c) != LEGAL):
                continue
            if self.refused(p, c):
                continue
            return p
        return 0

    def note(self, p: cython.int, c: cython.int) -> None:
        """Play p (0 is a pass) and remember it for the next replies and for the all-moves-as-first count."""
        if p:
            self.place(p, c, cython.NULL if cython.compiled else None)
            if self.first[p] == EMPTY:
                self.first[p] = c
                self.when[p] = self.moves_played
            self.passes = 0
        else:
            self.ko = 0
            self.passes += 1
        self.moves_played += 1
        self.before_last = self.last
        self.last = p

    def move(self, c: cython.int) -> cython.int:
        """The next move of colour c; 0 passes."""
        p: cython.int
        self.candidate_count = 0
        p = self.local_reply(c)
        if p == 0:
            self.candidate_count = 0
            p = self.random_move(c)
        return p

    def run(self, c: cython.int, most: cython.int) -> cython.int:
        """Play on from here, c to move, until both pass or ``most`` moves are made; return ``area_difference``."""
        n: cython.int = 0
        while self.passes < 2 and n < most:
            self.note(self.move(c), c)
            c = 3 - c
            n += 1
        return self.area_difference()

    # ------------------------------------------------------------------ by chance alone

    def run_light(self, c: cython.int, most: cython.int) -> cython.int:
        """Play on with any legal moves that fill no own eye; return how many were made, passes included.

        What programs' boards are compared by: no move is thought about.
        """
        i: cython.int
        n: cython.int
        p: cython.int
        made: cython.int = 0
        self.passes = 0
        while self.passes < 2 and made < most:
            p = 0
            n = self.empty_count
            while n > 0:
                i = self.below(n)
                p = self.empties[i]
                n -= 1
                if self.is_eye(p, c) != 2 and self.verdict(p, c) == LEGAL:
                    break
                self.set_aside(i, n)
                p = 0
            if p:
                self.place(p, c, cython.NULL if cython.compiled else None)
                self.passes = 0
            else:
                self.ko = 0
                self.passes += 1
            made += 1
            c = 3 - c
        return made

    def light_playouts(self, board: Board, count: cython.int, seed: cython.ulonglong) -> tuple:
        """Light playouts from a board's position: how many moves they had in all, and Black's mean lead in area."""
        i: cython.int
        moves: cython.longlong = 0
        lead: cython.longlong = 0
        self.seed(seed)
        for i in range(count):
            self.copy_position(board.now)
            moves += self.run_light(board.to_move, 3 * self.points)
            lead += self.area_difference()
        return moves, cython.cast(cython.double, lead) / count

    # ------------------------------------------------------------------ the count

    def owner_of(self, p: cython.int) -> cython.int:
        """Whose point p is at the end of a playout: the colour on it, or the only one next to it; EMPTY for nobody."""
        i: cython.int
        seen: cython.int = 0
        if self.color[p] != EMPTY:
            return self.color[p]
        for i in range(4):
            seen |= self.color[p + self.around[i]] & 3 if self.color[p + self.around[i]] != BORDER else 0
        return seen if seen != 3 else EMPTY

    def area_difference(self) -> cython.int:
        """Black's area less White's on the final board of a playout, where every empty region is a single point."""
        i: cython.int
        owner: cython.int
        result: cython.int = 0
        for i in range(self.points):
            owner = self.owner_of(self.inner[i])
            if owner == BLACK:
                result += 1
            elif owner == WHITE:
                result -= 1
        return result
