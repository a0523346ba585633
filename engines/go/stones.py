"""The stones on a Go board: chains, liberties, placing and taking back, without history.

``Stones`` is the compiled ground under ``engines.go.board.Board`` (which adds history, superko and the Python
interface) and under the search's playouts. Coordinates here are inner points: the board has a border, and the point
(x, y) counted from the lower left is ``(y + 1) * stride + x + 1`` with ``stride = width + 1``, so that the right border
of a row is the left border of the next and the four neighbours of a point are always there to look at.

Every chain has a head, one of its stones; the stones of a chain form a circle through ``nxt``. A chain's liberties are
a set of bits over the inner points, with their number beside it: exact at any time, joined by a bitwise or when chains
merge, and put back as they were when a move is taken back.

The C types are in the .pxd; a function that is declared there is a C function that runs without the interpreter lock.
"""

import cython

if cython.compiled:
    from cython.cimports.libc.string import memcpy

MAX_SIZE = 25

if not cython.compiled:
    # The compiled module has these from its .pxd; Python code takes the colours from engines.go.points.
    EMPTY, BLACK, WHITE, BORDER = 0, 1, 2, 3
    PASS = -1
    LEGAL, OCCUPIED, SUICIDE, KO, SUPERKO = 0, 1, 2, 3, 4
    AREA = 704
    WORDS = 11
    LIBERTY_WORDS = AREA * WORDS
    ZOBRIST = [[0] * AREA, [0] * AREA]
    SIDE = [0] * 4


class PlainUndo:
    """Stands in for the C structure ``Undo`` when this runs uncompiled."""

    def __init__(self) -> None:
        self.captured = [0] * 4
        self.merged = [0] * 4
        self.base_words = [0] * 11
        self.suicide = 0
        self.entered = 0


if not cython.compiled:
    globals()["Undo"] = PlainUndo


def _fill_zobrist() -> None:
    """Fixed pseudo-random keys (splitmix64), the same in every process, so that hashes can be compared."""
    mask = 0xFFFFFFFFFFFFFFFF
    state = 0x9E3779B97F4A7C15
    for i in range(2 * 704 + 4):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        z = z ^ (z >> 31)
        if i < 2 * 704:
            ZOBRIST[i // 704][i % 704] = z
        else:
            SIDE[i - 2 * 704] = z


_fill_zobrist()


if not cython.compiled:

    def popcount(x):
        """Number of bits set; in C it is in the .pxd."""
        return x.bit_count()

    def lowest(x):
        """Index of the lowest set bit of a number that is not 0."""
        return (x & -x).bit_length() - 1


class Stones:
    """A position. ``width`` and ``height`` are 1…25; ``suicide`` allows taking two or more of one's own stones off."""

    def __cinit__(self, width: cython.int, height: cython.int, suicide: cython.bint = False):
        x: cython.int
        y: cython.int
        if not cython.compiled:
            self._make_arrays()
        self.width = width
        self.height = height
        self.points = width * height
        self.stride = width + 1
        self.inner_size = (height + 2) * self.stride + 1
        self.words = (self.inner_size + 63) // 64
        self.suicide = suicide
        self.around[0] = self.stride
        self.around[1] = 1
        self.around[2] = -1
        self.around[3] = -self.stride
        for y in range(height):
            for x in range(width):
                self.inner[y * width + x] = (y + 1) * self.stride + x + 1
                self.outer[(y + 1) * self.stride + x + 1] = y * width + x
        self.reset()

    if not cython.compiled:

        def __init__(self, width, height, suicide=False):
            Stones.__cinit__(self, width, height, suicide)

        def _make_arrays(self):
            self.color, self.head, self.nxt = [0] * AREA, [0] * AREA, [0] * AREA
            self.stones_in, self.libs, self.lib_words = [0] * AREA, [0] * AREA, [0] * LIBERTY_WORDS
            self.inner, self.outer = [0] * AREA, [0] * AREA
            self.empties, self.empty_at = [0] * AREA, [0] * AREA
            self.around, self.prisoners = [0] * 4, [0] * 3

    # ------------------------------------------------------------------ liberties

    def lib_set(self, head: cython.int, p: cython.int) -> None:
        at: cython.int = head * self.words + (p >> 6)
        bit: cython.ulonglong = cython.cast(cython.ulonglong, 1) << (p & 63)
        if not self.lib_words[at] & bit:
            self.lib_words[at] |= bit
            self.libs[head] += 1

    def lib_clear(self, head: cython.int, p: cython.int) -> None:
        at: cython.int = head * self.words + (p >> 6)
        bit: cython.ulonglong = cython.cast(cython.ulonglong, 1) << (p & 63)
        if self.lib_words[at] & bit:
            self.lib_words[at] ^= bit
            self.libs[head] -= 1

    @cython.final
    def first_liberty(self, head: cython.int) -> cython.int:
        """The lowest liberty of a chain (inner point), 0 if it has none."""
        i: cython.int
        for i in range(self.words):
            if self.lib_words[head * self.words + i]:
                return i * 64 + lowest(self.lib_words[head * self.words + i])
        return 0

    @cython.final
    def liberties_into(self, head: cython.int, out: cython.p_short, most: cython.int) -> cython.int:
        """Write up to ``most`` liberties (inner points, ascending) and return how many were written."""
        i: cython.int
        n: cython.int = 0
        word: cython.ulonglong
        for i in range(self.words):
            word = self.lib_words[head * self.words + i]
            while word:
                if n == most:
                    return n
                out[n] = i * 64 + lowest(word)
                n += 1
                word &= word - 1
        return n

    # ------------------------------------------------------------------ the list of empty points

    def empty_add(self, p: cython.int) -> None:
        self.empties[self.empty_count] = p
        self.empty_at[p] = self.empty_count
        self.empty_count += 1

    def empty_remove(self, p: cython.int) -> None:
        last: cython.int
        self.empty_count -= 1
        last = self.empties[self.empty_count]
        self.empties[self.empty_at[p]] = last
        self.empty_at[last] = self.empty_at[p]

    @cython.final
    def list_empties(self) -> None:
        """Put the empty points in ascending order, so that what is drawn from them does not depend on the past."""
        i: cython.int
        self.empty_count = 0
        for i in range(self.points):
            if self.color[self.inner[i]] == EMPTY:
                self.empty_add(self.inner[i])

    # ------------------------------------------------------------------ position

    @cython.final
    def reset(self) -> None:
        """The empty board."""
        i: cython.int
        for i in range(AREA):
            self.color[i] = BORDER
            self.head[i] = 0
            self.nxt[i] = 0
            self.stones_in[i] = 0
            self.libs[i] = 0
        for i in range(self.inner_size * self.words):
            self.lib_words[i] = 0
        for i in range(self.points):
            self.color[self.inner[i]] = EMPTY
        self.list_empties()
        self.ko = 0
        self.ko_color = 0
        self.prisoners[BLACK] = 0
        self.prisoners[WHITE] = 0
        self.hash = 0

    @cython.final
    def copy_position(self, other) -> None:
        """Take over the other board's position (same size), not its history."""
        n: cython.int = other.inner_size
        if cython.compiled:
            memcpy(self.color, other.color, n)
            memcpy(self.head, other.head, n * 2)
            memcpy(self.nxt, other.nxt, n * 2)
            memcpy(self.stones_in, other.stones_in, n * 2)
            memcpy(self.libs, other.libs, n * 2)
            memcpy(self.empties, other.empties, n * 2)
            memcpy(self.empty_at, other.empty_at, n * 2)
            memcpy(self.lib_words, other.lib_words, n * other.words * 8)
        else:
            self.color = other.color[:]
            self.head = other.head[:]
            self.nxt = other.nxt[:]
            self.stones_in = other.stones_in[:]
            self.libs = other.libs[:]
            self.empties = other.empties[:]
            self.empty_at = other.empty_at[:]
            self.lib_words = other.lib_words[:]
        self.empty_count = other.empty_count
        self.ko = other.ko
        self.ko_color = other.ko_color
        self.prisoners[BLACK] = other.prisoners[BLACK]
        self.prisoners[WHITE] = other.prisoners[WHITE]
        self.hash = other.hash
        self.suicide = other.suicide

    @cython.final
    def place(self, p: cython.int, c: cython.int, undo: cython.pointer(Undo)) -> cython.int:
        """Put a stone of colour c on the empty inner point p, without asking whether it may; return the captures.

        A chain that ends up without liberties is taken off (suicide); the count of captures is then 0. With ``undo``
        (which may be NULL) all that is needed to take the move back is written down.
        """
        enemy: cython.int = 3 - c
        logging: cython.bint = undo != cython.NULL
        captured: cython.int = 0
        last_taken: cython.int = 0
        i: cython.int
        n: cython.int
        q: cython.int
        m: cython.int
        j: cython.int
        k: cython.int
        head: cython.int
        base: cython.int = 0
        at: cython.int
        bit: cython.ulonglong = cython.cast(cython.ulonglong, 1) << (p & 63)
        color: cython.int
        free: cython.int[4]
        frees: cython.int = 0
        friend: cython.int[4]
        friends: cython.int = 0
        dead: cython.int[4]
        deaths: cython.int = 0
        words: cython.int = self.words
        if not cython.compiled:
            logging = undo is not None
            free, friend, dead = [0] * 4, [0] * 4, [0] * 4
        if logging:
            undo.point = p
            undo.color = c
            undo.suicide = 0
            undo.ko = self.ko
            undo.ko_color = self.ko_color
            undo.captured_count = 0
            undo.merged_count = 0
            undo.base = 0
            undo.old_next = self.nxt[p]
            undo.old_head = self.head[p]
            undo.hash = self.hash
        self.empty_remove(p)
        self.color[p] = c
        self.hash ^= ZOBRIST[c - 1][p]
        self.ko = 0
        for i in range(4):
            n = p + self.around[i]
            color = self.color[n]
            if color == EMPTY:
                free[frees] = n
                frees += 1
            elif color == enemy:
                head = self.head[n]
                at = head * words + (p >> 6)
                # A chain that touches p twice loses its liberty once.
                if self.lib_words[at] & bit:
                    self.lib_words[at] ^= bit
                    self.libs[head] -= 1
                    if self.libs[head] == 0:
                        dead[deaths] = head
                        deaths += 1
            elif color == c:
                head = self.head[n]
                for k in range(friends):
                    if friend[k] == head:
                        head = 0
                        break
                if head:
                    friend[friends] = head
                    friends += 1
                    if base == 0 or self.stones_in[head] > self.stones_in[base]:
                        base = head
        if base == 0:
            base = p
            self.nxt[p] = p
            self.head[p] = p
            self.stones_in[p] = 1
            self.libs[p] = frees
            for k in range(words):
                self.lib_words[p * words + k] = 0
            for k in range(frees):
                n = free[k]
                self.lib_words[p * words + (n >> 6)] |= cython.cast(cython.ulonglong, 1) << (n & 63)
        else:
            if logging:
                undo.base = base
                undo.base_libs = self.libs[base]
                undo.base_stones = self.stones_in[base]
                for k in range(words):
                    undo.base_words[k] = self.lib_words[base * words + k]
            self.head[p] = base
            self.nxt[p] = self.nxt[base]
            self.nxt[base] = p
            self.stones_in[base] += 1
            self.lib_clear(base, p)
            for i in range(friends):
                if friend[i] != base:
                    self.merge(base, friend[i], p)
                    if logging:
                        undo.merged[undo.merged_count] = friend[i]
                        undo.merged_count += 1
            for k in range(frees):
                self.lib_set(base, free[k])
        for i in range(deaths):
            head = dead[i]
            if logging:
                undo.captured[undo.captured_count] = head
                undo.captured_count += 1
            q = head
            while True:
                self.color[q] = EMPTY
                self.hash ^= ZOBRIST[enemy - 1][q]
                self.empty_add(q)
                for j in range(4):
                    m = q + self.around[j]
                    if self.color[m] == c:
                        self.lib_set(self.head[m], q)
                captured += 1
                last_taken = q
                q = self.nxt[q]
                if q == head:
                    break
        self.prisoners[c] += captured
        if logging:
            undo.taken = captured
        if captured:
            if captured == 1 and self.stones_in[base] == 1 and self.libs[base] == 1:
                self.ko = last_taken
                self.ko_color = enemy
        elif self.libs[base] == 0:
            if logging:
                undo.suicide = 1
            q = base
            while True:
                self.color[q] = EMPTY
                self.hash ^= ZOBRIST[c - 1][q]
                self.empty_add(q)
                for j in range(4):
                    m = q + self.around[j]
                    if self.color[m] == enemy:
                        self.lib_set(self.head[m], q)
                self.prisoners[enemy] += 1
                q = self.nxt[q]
                if q == base:
                    break
        return captured

    @cython.final
    def merge(self, base: cython.int, h: cython.int, p: cython.int) -> None:
        """Make the chain with head h part of the one with head ``base``; p, just filled, is a liberty no more."""
        k: cython.int
        q: cython.int = h
        count: cython.int = 0
        word: cython.ulonglong
        words: cython.int = self.words
        self.lib_clear(h, p)
        while True:
            self.head[q] = base
            q = self.nxt[q]
            if q == h:
                break
        q = self.nxt[h]
        self.nxt[h] = self.nxt[base]
        self.nxt[base] = q
        self.stones_in[base] += self.stones_in[h]
        for k in range(words):
            word = self.lib_words[base * words + k] | self.lib_words[h * words + k]
            if word:
                self.lib_words[base * words + k] = word
                count += popcount(word)
        self.libs[base] = count

    @cython.final
    def take_back(self, undo: cython.pointer(Undo)) -> None:
        """Undo the move that ``place`` wrote down last; moves must be taken back in reverse order."""
        p: cython.int = undo.point
        c: cython.int = undo.color
        enemy: cython.int = 3 - c
        i: cython.int
        j: cython.int
        k: cython.int
        q: cython.int
        m: cython.int
        h: cython.int
        count: cython.int
        base: cython.int = undo.base if undo.base else p
        if undo.suicide:
            q = base
            while True:
                self.color[q] = c
                self.empty_remove(q)
                for j in range(4):
                    m = q + self.around[j]
                    if self.color[m] == enemy:
                        self.lib_clear(self.head[m], q)
                self.prisoners[enemy] -= 1
                q = self.nxt[q]
                if q == base:
                    break
        for i in range(undo.merged_count - 1, -1, -1):
            h = undo.merged[i]
            q = self.nxt[h]
            self.nxt[h] = self.nxt[base]
            self.nxt[base] = q
            # What stood at the chain's head may have been overwritten since: count its stones and liberties anew.
            for k in range(self.words):
                self.lib_words[h * self.words + k] = 0
            self.libs[h] = 0
            count = 0
            q = h
            while True:
                self.head[q] = h
                count += 1
                for j in range(4):
                    m = q + self.around[j]
                    if self.color[m] == EMPTY:
                        self.lib_set(h, m)
                q = self.nxt[q]
                if q == h:
                    break
            self.stones_in[h] = count
        if undo.base:
            self.nxt[base] = self.nxt[p]
            self.stones_in[base] = undo.base_stones
            self.libs[base] = undo.base_libs
            for k in range(self.words):
                self.lib_words[base * self.words + k] = undo.base_words[k]
        self.color[p] = EMPTY
        self.empty_add(p)
        for i in range(undo.captured_count - 1, -1, -1):
            h = undo.captured[i]
            for k in range(self.words):
                self.lib_words[h * self.words + k] = 0
            self.libs[h] = 0
            count = 0
            q = h
            while True:
                self.color[q] = enemy
                self.empty_remove(q)
                count += 1
                for j in range(4):
                    m = q + self.around[j]
                    if self.color[m] == c:
                        self.lib_clear(self.head[m], q)
                q = self.nxt[q]
                if q == h:
                    break
            self.stones_in[h] = count
        for i in range(4):
            m = p + self.around[i]
            if self.color[m] == BLACK or self.color[m] == WHITE:
                self.lib_set(self.head[m], p)
        self.nxt[p] = undo.old_next
        self.head[p] = undo.old_head
        self.prisoners[c] -= undo.taken
        self.ko = undo.ko
        self.ko_color = undo.ko_color
        self.hash = undo.hash

    # ------------------------------------------------------------------ legality

    @cython.final
    def suicidal(self, p: cython.int, c: cython.int) -> cython.bint:
        """Whether a stone of colour c on the empty inner point p would be left without a liberty."""
        i: cython.int
        n: cython.int
        color: cython.int
        for i in range(4):
            n = p + self.around[i]
            color = self.color[n]
            if color == EMPTY:
                return False
            if color == c:
                if self.libs[self.head[n]] > 1:
                    return False
            elif color != BORDER and self.libs[self.head[n]] == 1:
                return False
        return True

    @cython.final
    def hash_after(self, p: cython.int, c: cython.int) -> cython.ulonglong:
        """The position's hash after a stone of colour c on inner point p, captures and suicide included."""
        result: cython.ulonglong = self.hash ^ ZOBRIST[c - 1][p]
        enemy: cython.int = 3 - c
        i: cython.int
        k: cython.int
        n: cython.int
        q: cython.int
        h: cython.int
        done: cython.int = 0
        heads: cython.int[4]
        removes: cython.int = enemy
        if not cython.compiled:
            heads = [0] * 4
        if self.suicidal(p, c):
            removes = c
            result ^= ZOBRIST[c - 1][p]
        for i in range(4):
            n = p + self.around[i]
            if self.color[n] != removes:
                continue
            h = self.head[n]
            if self.libs[h] != 1:
                continue
            for k in range(done):
                if heads[k] == h:
                    h = 0
                    break
            if h == 0:
                continue
            heads[done] = h
            done += 1
            q = h
            while True:
                result ^= ZOBRIST[removes - 1][q]
                q = self.nxt[q]
                if q == h:
                    break
        return result

    @cython.final
    def verdict(self, p: cython.int, c: cython.int) -> cython.int:
        """LEGAL, or what forbids colour c the inner point p, superko aside."""
        if self.color[p] != EMPTY:
            return OCCUPIED
        if self.suicidal(p, c):
            if not self.suicide:
                return SUICIDE
            # A single stone would be taken off at once and change nothing: forbidden under every rule set.
            if (
                self.color[p + 1] != c
                and self.color[p - 1] != c
                and self.color[p + self.stride] != c
                and self.color[p - self.stride] != c
            ):
                return SUICIDE
        if p == self.ko and c == self.ko_color:
            return KO
        return LEGAL

    @cython.final
    def may_remove(self, p: cython.int, c: cython.int) -> cython.bint:
        """Whether the move could take stones off the board at all; until one has, no position can come back."""
        return (
            (self.color[p + 1] != BORDER and self.color[p + 1] != EMPTY and self.libs[self.head[p + 1]] == 1)
            or (self.color[p - 1] != BORDER and self.color[p - 1] != EMPTY and self.libs[self.head[p - 1]] == 1)
            or (
                self.color[p + self.stride] != BORDER
                and self.color[p + self.stride] != EMPTY
                and self.libs[self.head[p + self.stride]] == 1
            )
            or (
                self.color[p - self.stride] != BORDER
                and self.color[p - self.stride] != EMPTY
                and self.libs[self.head[p - self.stride]] == 1
            )
        )
