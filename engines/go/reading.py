"""Reading on the board: eyes, self-atari, killing shapes and ladders.

``Reading`` is a ``Stones`` board that can look a few moves ahead; playouts and the knowledge behind the tree's priors
stand on it. Everything runs without the interpreter lock; coordinates are inner points.
"""

import cython

from engines.go.stones import Stones

if not cython.compiled:
    from engines.go.stones import BORDER, EMPTY, LEGAL, PlainUndo, popcount

    LADDER_DEPTH, LADDER_BUDGET = 80, 120


class Reading(Stones):
    """A position with what can be read on it. ``budget`` is to be set before ``caught`` or ``escapes`` is asked."""

    def __cinit__(self, width: cython.int, height: cython.int):
        self.budget = 0
        if not cython.compiled:
            self.shape = [0] * 8

    if not cython.compiled:

        def __init__(self, width, height):
            Stones.__init__(self, width, height)
            Reading.__cinit__(self, width, height)

    # ------------------------------------------------------------------ shapes

    @cython.final
    def is_eye(self, p: cython.int, c: cython.int) -> cython.int:
        """2 for a real eye of colour c by its diagonals, 1 for a false one, 0 where other points are next to it."""
        i: cython.int
        color: cython.int
        enemy: cython.int = 0
        edge: cython.int = 0
        s: cython.int = self.stride
        for i in range(4):
            color = self.color[p + self.around[i]]
            if color != c and color != BORDER:
                return 0
        color = self.color[p + s + 1]
        enemy += color == 3 - c
        edge |= color == BORDER
        color = self.color[p + s - 1]
        enemy += color == 3 - c
        edge |= color == BORDER
        color = self.color[p - s + 1]
        enemy += color == 3 - c
        edge |= color == BORDER
        color = self.color[p - s - 1]
        enemy += color == 3 - c
        edge |= color == BORDER
        return 1 if enemy + edge >= 2 else 2

    @cython.final
    def neighbourhood(self, p: cython.int) -> cython.int:
        """The code of the eight points around p, as ``engines.go.patterns`` has it with Black for the mover."""
        s: cython.int = self.stride
        return (
            self.color[p + s - 1]
            | (self.color[p + s] << 2)
            | (self.color[p + s + 1] << 4)
            | (self.color[p - 1] << 6)
            | (self.color[p + 1] << 8)
            | (self.color[p - s - 1] << 10)
            | (self.color[p - s] << 12)
            | (self.color[p - s + 1] << 14)
        )

    @cython.final
    def takes(self, p: cython.int, c: cython.int) -> cython.bint:
        """Whether colour c's move p takes something."""
        i: cython.int
        n: cython.int
        for i in range(4):
            n = p + self.around[i]
            if self.color[n] == 3 - c and self.libs[self.head[n]] == 1:
                return True
        return False

    @cython.final
    def liberties_after(self, p: cython.int, c: cython.int) -> cython.int:
        """Liberties of the chain that a stone of colour c on the empty point p would be part of, captures aside."""
        i: cython.int
        k: cython.int
        n: cython.int
        h: cython.int
        color: cython.int
        w: cython.int = self.words
        count: cython.int = 0
        total: cython.ulonglong[11]
        if not cython.compiled:
            total = [0] * 11
        for k in range(w):
            total[k] = 0
        for i in range(4):
            n = p + self.around[i]
            color = self.color[n]
            if color == EMPTY:
                total[n >> 6] |= cython.cast(cython.ulonglong, 1) << (n & 63)
            elif color == c:
                h = self.head[n] * w
                for k in range(w):
                    total[k] |= self.lib_words[h + k]
        for k in range(w):
            if total[k]:
                count += popcount(total[k])
        # p itself is a liberty of the chains beside it.
        if (total[p >> 6] >> (p & 63)) & 1:
            count -= 1
        return count

    @cython.final
    def self_atari(self, p: cython.int, c: cython.int) -> cython.bint:
        """Whether a stone of colour c on p would leave its own chain with a single liberty."""
        i: cython.int
        n: cython.int
        color: cython.int
        free: cython.int = 0
        taken: cython.int = 0
        for i in range(4):
            n = p + self.around[i]
            color = self.color[n]
            if color == EMPTY:
                free += 1
                if free == 2:
                    return False
            elif color == c:
                if self.libs[self.head[n]] > 2:
                    return False
            elif color == 3 - c and self.libs[self.head[n]] == 1:
                taken += self.stones_in[self.head[n]]
        if taken > 1:
            return False
        return self.liberties_after(p, c) + taken < 2

    @cython.final
    def bad_self_atari(self, p: cython.int, c: cython.int) -> cython.int:
        """How a self-atari on p would look: 0 it is none, 1 a single stone thrown in, 2 stones given away, 3 stones in
        a shape that leaves no room for two eyes when it is taken.
        """
        i: cython.int
        k: cython.int
        n: cython.int
        q: cython.int
        size: cython.int = 1
        known: cython.bint
        if not self.self_atari(p, c):
            return 0
        self.shape[0] = p
        for i in range(4):
            n = p + self.around[i]
            if self.color[n] != c:
                continue
            known = False
            for k in range(size):
                known = known or self.shape[k] == n
            if known:
                continue
            if size + self.stones_in[self.head[n]] > 6:
                return 2
            q = n
            while True:
                self.shape[size] = q
                size += 1
                q = self.nxt[q]
                if q == n:
                    break
        if size == 1:
            return 1
        return 3 if self.killing_shape(size) else 2

    @cython.final
    def killing_shape(self, size: cython.int) -> cython.bint:
        """Whether an eye of the form of the first ``size`` points of ``shape`` makes no two eyes even if its owner
        moves first (three points excepted: the attacker's move after the capture is needed there).
        """
        i: cython.int
        k: cython.int
        d: cython.int
        degree: cython.int
        most: cython.int = 0
        edges: cython.int = 0
        for i in range(size):
            degree = 0
            for k in range(size):
                d = self.shape[i] - self.shape[k]
                degree += d == 1 or d == -1 or d == self.stride or d == -self.stride
            edges += degree
            if degree > most:
                most = degree
        edges //= 2
        if size == 3:
            return True
        if size == 4:
            return most == 3 or edges == 4  # pyramid, square
        if size == 5:
            return most == 4 or edges == 5  # cross, bulky five
        if size == 6:
            return most == 4 and edges == 6  # rabbity six
        return False

    # ------------------------------------------------------------------ ladders

    @cython.final
    def caught(self, head: cython.int, depth: cython.int) -> cython.bint:
        """Whether the opponent of a chain with at most two liberties, to move, can take it by ataris throughout."""
        owner: cython.int = self.color[head]
        i: cython.int
        p: cython.int
        other: cython.int
        result: cython.bint = False
        two: cython.short[2]
        undo: Undo
        if not cython.compiled:
            two = [0, 0]
            undo = PlainUndo()
        if self.libs[self.head[head]] <= 1:
            return True
        if self.libs[self.head[head]] > 2 or depth <= 0 or self.budget <= 0:
            return False
        self.liberties_into(self.head[head], cython.address(two[0]) if cython.compiled else two, 2)
        for i in range(2):
            p = two[i]
            other = two[1 - i]
            # Running out to where there is room needs no reading, unless the atari takes something.
            if self.liberties_after(other, owner) > 3 and not self.takes(p, 3 - owner):
                continue
            if self.verdict(p, 3 - owner) != LEGAL:
                continue
            self.budget -= 1
            self.place(p, 3 - owner, cython.address(undo) if cython.compiled else undo)
            # An atari with a stone that can itself be taken at once gains nothing, unless it takes along the way.
            result = not self.escapes(self.head[head], depth - 1)
            self.take_back(cython.address(undo) if cython.compiled else undo)
            if result:
                return True
        return False

    @cython.final
    def escapes(self, head: cython.int, depth: cython.int) -> cython.bint:
        """Whether the owner of a chain in atari, to move, can save it from the ladder."""
        owner: cython.int = self.color[head]
        i: cython.int
        q: cython.int
        n: cython.int
        if self.libs[self.head[head]] > 1:
            return self.libs[self.head[head]] > 2 or not self.caught(self.head[head], depth - 1)
        if depth <= 0 or self.budget <= 0:
            return True
        # Take one of the attackers that is in atari itself.
        q = head
        while True:
            for i in range(4):
                n = q + self.around[i]
                if (
                    self.color[n] == 3 - owner
                    and self.libs[self.head[n]] == 1
                    and self.safe_after(self.first_liberty(self.head[n]), owner, head, depth)
                ):
                    return True
            q = self.nxt[q]
            if q == head:
                break
        return self.safe_after(self.first_liberty(self.head[head]), owner, head, depth)

    @cython.final
    def safe_after(self, p: cython.int, c: cython.int, stone: cython.int, depth: cython.int) -> cython.bint:
        """Whether colour c's move p, if legal, leaves the chain at ``stone`` safe from being taken in a ladder."""
        i: cython.int
        n: cython.int
        free: cython.int
        joins: cython.bint = False
        safe: cython.bint
        undo: Undo
        if not cython.compiled:
            undo = PlainUndo()
        if not self.takes(p, c):
            for i in range(4):
                n = p + self.around[i]
                joins = joins or (self.color[n] == c and self.head[n] == self.head[stone])
            if joins:
                free = self.liberties_after(p, c)
                if free > 2:
                    return p != self.ko or c != self.ko_color
                if free < 2:
                    return False
        if self.verdict(p, c) != LEGAL:
            return False
        self.budget -= 1
        self.place(p, c, cython.address(undo) if cython.compiled else undo)
        safe = self.libs[self.head[stone]] > 2 or (
            self.libs[self.head[stone]] == 2 and not self.caught(self.head[stone], depth - 1)
        )
        self.take_back(cython.address(undo) if cython.compiled else undo)
        return safe

    @cython.final
    def saved_by(self, p: cython.int, c: cython.int, stone: cython.int) -> cython.bint:
        """As ``safe_after``, with a fresh budget."""
        self.budget = LADDER_BUDGET
        return self.safe_after(p, c, stone, LADDER_DEPTH)

    @cython.final
    def caught_by(self, p: cython.int, c: cython.int, stone: cython.int) -> cython.bint:
        """Whether colour c's atari p catches the enemy chain at ``stone``, which has two liberties."""
        works: cython.bint
        undo: Undo
        if not cython.compiled:
            undo = PlainUndo()
        if self.verdict(p, c) != LEGAL:
            return False
        self.budget = LADDER_BUDGET
        self.place(p, c, cython.address(undo) if cython.compiled else undo)
        works = not self.escapes(self.head[stone], LADDER_DEPTH)
        self.take_back(cython.address(undo) if cython.compiled else undo)
        return works
