"""Reading a small region to the end: who ends up with its points, whatever is played there.

``Local`` is a board on which moves are looked for in a region only; all else stands as it is. A line ends with two
passes, and then every stone that stands is alive: what is dead must have been taken. The points of the region have
weights, and the value of an end is the sum over Black's points less that over White's. The search is alpha-beta with a
window of one point and a table of positions; it is exact but for three things:

- A ko is decided by saying who wins it: the *friend* may take back at once, the other side once only.
- Where at least ``SPOILS`` stones are taken at a time, the taker lives in the room that leaves, and the line ends.
- A region too large for the bound on positions is not read: the answer is then that nothing is known.
"""

import cython

from engines.go.reading import Reading

if cython.compiled:
    from cython.cimports.libc.stdlib import calloc, free
else:
    from engines.go.stones import AREA, BLACK, BORDER, EMPTY, LEGAL, SIDE, WHITE, ZOBRIST, PlainUndo

    DEEPEST, SLOTS = 64, 65536

SPOILS = cython.declare(cython.int, 7)
"""An eye of seven points makes two, whoever moves first."""

NOWHERE = cython.declare(cython.int, 1000)
MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
PASSED = cython.declare(cython.ulonglong, 0xD1B54A32D192ED03)


class Local(Reading):
    """A board of ``width`` × ``height`` with a region to be read; call ``arrange`` before anything is asked.

    Raises MemoryError.
    """

    def __cinit__(self, width: cython.int, height: cython.int):
        self.region_size = 0
        self.salt = 0
        self.nodes = 0
        if cython.compiled:
            self.keys = cython.cast(cython.pointer(cython.ulonglong), calloc(SLOTS, 8))
            self.low = cython.cast(cython.p_short, calloc(SLOTS, 2))
            self.high = cython.cast(cython.p_short, calloc(SLOTS, 2))
            self.best = cython.cast(cython.p_short, calloc(SLOTS, 2))
            if not (self.keys and self.low and self.high and self.best):
                raise MemoryError("no memory for local reading")
        else:
            self.keys, self.low, self.high, self.best = {}, {}, {}, {}
            self.region, self.weight, self.path = [0] * AREA, [0] * AREA, [0] * 72
            self.mark, self.queue, self.fixed, self.within = ([0] * AREA for _ in range(4))

    if not cython.compiled:

        def __init__(self, width, height):
            Reading.__init__(self, width, height)
            Local.__cinit__(self, width, height)

    def __dealloc__(self):
        if cython.compiled:
            free(self.keys)
            free(self.low)
            free(self.high)
            free(self.best)

    # ------------------------------------------------------------------ asking

    def arrange(
        self, stones: bytes, region: list, weights: list, limit: int, costs: bool = False, outside: bytes = b""
    ) -> None:
        """Put up a position (plain points, every chain with a liberty) and what of it is to be read.

        ``region`` has the points where moves may be played, ``weights`` what each of them is worth; all questions
        together may look at ``limit`` positions. With ``costs`` each move takes a point from its player: with weights
        of 1 values are then those of territory scoring. ``outside`` has the owners of empty points, for the ends of
        lines where they lie beside the region; in the region nobody plays on the other's but to take something.
        """
        i: cython.int
        p: cython.int
        self.reset()
        for i in range(self.points):
            if stones[i] != EMPTY:
                self.place(self.inner[i], stones[i], cython.NULL if cython.compiled else None)
        self.ko = 0
        self.costs = costs
        self.played = 0
        for i in range(self.points):
            self.within[self.inner[i]] = 0
            self.fixed[self.inner[i]] = outside[i] if outside else EMPTY
        self.region_size = len(region)
        for i in range(self.region_size):
            p = self.inner[region[i]]
            self.region[i] = p
            self.weight[p] = weights[i]
            self.within[p] = 1
        self.limit = limit
        self.nodes = 0
        self.salt = (self.salt + MIX) & 0xFFFFFFFFFFFFFFFF

    def start(self, friend: cython.int) -> None:
        """Begin a question; ``friend`` is the colour that wins kos."""
        # What is known of positions holds for one winner of kos only.
        self.friend = friend
        self.depth = 0
        self.played = 0
        self.nearest = NOWHERE
        self.broken = False

    def reaches(self, first: int, need: int, friend: int, move: int = -1) -> bool | None:
        """Whether Black comes to a value of ``need`` or more when ``first`` moves first and ``friend`` wins kos.

        ``move`` is a point that ``first`` has to begin with, −1 for any move. None where it is too much to read, or
        where that point may not be played.
        """
        result: cython.bint
        undo: Undo
        if not cython.compiled:
            undo = PlainUndo()
        self.start(friend)
        if move < 0:
            result = self.seek(first, need, 0)
            return None if self.broken else bool(result)
        p: cython.int = self.inner[move]
        if self.verdict(p, first) != LEGAL:
            return None
        self.path[0] = self.hash ^ SIDE[first]
        self.depth = 1
        self.played = 1 if first == BLACK else -1
        if self.place(p, first, cython.address(undo) if cython.compiled else undo) >= SPOILS:
            result = self.spoils(first) >= need
        else:
            result = self.seek(3 - first, need, 0)
        self.take_back(cython.address(undo) if cython.compiled else undo)
        self.depth = 0
        self.played = 0
        return None if self.broken else bool(result)

    def standing(self) -> int:
        """The value of the position as it stands."""
        return self.owners()

    def value(self, first: int, friend: int) -> int | None:
        """What the best play of both sides comes to; None where it is too much to read."""
        result: cython.int
        self.start(friend)
        result = self.exact(first, 0)
        return None if self.broken else result

    def outcome(self, first: int, friend: int) -> tuple | None:
        """What the best play of both sides comes to: the value, the owners of the region's points in the end, and
        the points played (−1 for a pass). None where it is too much to read, or where a ko goes round in circles.
        """
        c: cython.int = first
        n: cython.int
        i: cython.int
        value: cython.int
        passes: cython.int = 0
        count: cython.int
        found: cython.bint
        taken: cython.int = 0
        after: cython.int
        ko: cython.int
        ko_color: cython.int
        moves: cython.short[704]
        undo: Undo
        if not cython.compiled:
            moves = [0] * 704
            undo = PlainUndo()
        self.start(friend)
        value = self.exact(c, 0)
        if self.broken:
            return None
        before = [self.color[self.inner[i]] for i in range(self.points)]
        played = []
        ended = True
        while passes < 2 and self.depth < DEEPEST - 2:
            count = self.order(c, 0, cython.address(moves[0]) if cython.compiled else moves)
            found = False
            for n in range(count + 1):
                ko = self.ko
                ko_color = self.ko_color
                self.path[self.depth] = self.hash ^ SIDE[c]
                self.depth += 1
                taken = 0
                if n < count:
                    taken = self.place(moves[n], c, cython.address(undo) if cython.compiled else undo)
                    self.played += 1 if c == BLACK else -1
                    if c != self.friend and self.been(c):
                        self.take_back(cython.address(undo) if cython.compiled else undo)
                        self.played -= 1 if c == BLACK else -1
                        self.depth -= 1
                        continue
                    after = self.spoils(c) if taken >= SPOILS else self.after(3 - c, 0, value)
                else:
                    self.ko = 0
                    after = self.owners() if passes else self.after(3 - c, 1, value)
                if self.broken:
                    ended = False
                    break
                if after == value:
                    found = True
                    break
                if n < count:
                    self.take_back(cython.address(undo) if cython.compiled else undo)
                    self.played -= 1 if c == BLACK else -1
                self.ko = ko
                self.ko_color = ko_color
                self.depth -= 1
            if not found or not ended:
                ended = False
                break
            played.append(self.outer[moves[n]] if n < count else -1)
            passes = 0 if n < count else passes + 1
            if taken >= SPOILS:
                break
            c = 3 - c
        if ended and passes < 2 and taken < SPOILS:
            ended = False
        if taken >= SPOILS:
            self.spoils(c)
        else:
            self.owners()
        owned = [self.mark[self.region[i]] for i in range(self.region_size)]
        self.played = 0
        # Back to where it began: the line was not written down.
        self.reset()
        for i in range(self.points):
            if before[i] != EMPTY:
                self.place(self.inner[i], before[i], cython.NULL if cython.compiled else None)
        self.ko = 0
        return (value, owned, played) if ended else None

    def after(self, c: cython.int, passes: cython.int, value: cython.int) -> cython.int:
        """``value`` if that is what c to move makes of it, else something else."""
        if self.seek(c, value, passes) and not self.seek(c, value + 1, passes):
            return value
        return -NOWHERE

    def been(self, c: cython.int) -> cython.bint:
        """Whether the position, c having moved, stood in this line before."""
        i: cython.int
        key: cython.ulonglong = self.hash ^ SIDE[3 - c]
        for i in range(self.depth):
            if self.path[i] == key:
                if i < self.nearest:
                    self.nearest = i
                return True
        return False

    # ------------------------------------------------------------------ searching

    def exact(self, c: cython.int, passes: cython.int) -> cython.int:
        """The value when c moves, by halving what it can be."""
        i: cython.int
        least: cython.int = 0
        most: cython.int
        middle: cython.int
        for i in range(self.region_size):
            least -= self.weight[self.region[i]]
        most = -least
        if self.costs:
            most += DEEPEST
            least -= DEEPEST
        while least < most and not self.broken:
            middle = least + (most - least + 1) // 2
            if self.seek(c, middle, passes):
                least = middle
            else:
                most = middle - 1
        return least

    def order(self, c: cython.int, first: cython.int, moves: cython.p_short) -> cython.int:
        """Write down c's moves in the region, those to be tried early first; return how many there are.

        Left out are own eyes with nothing in atari beside them.
        """
        i: cython.int
        k: cython.int
        n: cython.int
        p: cython.int
        rank: cython.int
        urgent: cython.bint
        count: cython.int = 0
        early: cython.int = 0
        for i in range(self.region_size):
            p = self.region[i]
            if self.color[p] != EMPTY or self.suicidal(p, c):
                continue
            if p == self.ko and c == self.ko_color and c != self.friend:
                continue
            rank = 0
            urgent = False
            for k in range(4):
                n = p + self.around[k]
                if self.color[n] == c:
                    urgent = urgent or self.libs[self.head[n]] == 1
                elif self.color[n] == 3 - c and self.libs[self.head[n]] == 1:
                    rank = 2
            if not urgent and rank == 0 and self.is_eye(p, c) == 2:
                continue
            # What is only thrown into territory is taken off in the end for nothing.
            if rank == 0 and self.fixed[p] == 3 - c:
                continue
            if urgent and rank == 0:
                rank = 1
            if p == first:
                rank = 3
            moves[count] = p
            if rank:
                # The urgent ones in front, the most urgent first of all.
                moves[count] = moves[early]
                moves[early] = p
                if rank >= 2 and early > 0:
                    moves[early] = moves[0]
                    moves[0] = p
                early += 1
            count += 1
        # What the table calls best goes before all others.
        for i in range(count):
            if moves[i] == first:
                moves[i] = moves[0]
                moves[0] = first
                break
        return count

    def seek(self, c: cython.int, need: cython.int, passes: cython.int) -> cython.bint:
        """Whether Black comes to ``need`` or more with c to move after so many passes."""
        i: cython.int
        n: cython.int
        p: cython.int
        count: cython.int
        taken: cython.int
        ko: cython.int
        ko_color: cython.int
        at: cython.int = self.depth
        outer: cython.int
        best: cython.int = 0
        known: cython.bint
        wanted: cython.bint = c == BLACK
        result: cython.bint
        reply: cython.bint = False
        key: cython.ulonglong
        slot: cython.ulonglong
        mask: cython.ulonglong = SLOTS - 1
        moves: cython.short[704]
        undo: Undo
        if not cython.compiled:
            moves = [0] * 704
            undo = PlainUndo()
        self.nodes += 1
        if self.nodes > self.limit or at >= DEEPEST:
            self.broken = True
            return False
        key = self.hash ^ SIDE[c] ^ self.salt
        if passes:
            key ^= PASSED
        if self.friend == BLACK:
            key = key ^ MIX
        if self.ko:
            key ^= ZOBRIST[0][self.ko] >> 7
        if self.costs:
            key ^= ZOBRIST[1][self.played + DEEPEST] >> 9
        slot = (key ^ (key >> 32)) & mask
        known = self.keys[slot] == key if cython.compiled else self.keys.get(slot) == key
        if known:
            if self.low[slot] >= need:
                return True
            if self.high[slot] < need:
                return False
            best = self.best[slot]
        self.path[at] = self.hash ^ SIDE[c]
        outer = self.nearest
        self.nearest = NOWHERE
        result = not wanted
        count = self.order(c, best, cython.address(moves[0]) if cython.compiled else moves)
        ko = self.ko
        ko_color = self.ko_color
        for i in range(count + 1):
            self.depth = at + 1
            if i < count:
                p = moves[i]
                taken = self.place(p, c, cython.address(undo) if cython.compiled else undo)
                if c != self.friend and self.been(c):
                    self.take_back(cython.address(undo) if cython.compiled else undo)
                    continue
                self.played += wanted + wanted - 1
                reply = self.spoils(c) >= need if taken >= SPOILS else self.seek(3 - c, need, 0)
                self.played -= wanted + wanted - 1
                self.take_back(cython.address(undo) if cython.compiled else undo)
            else:
                p = 0
                self.ko = 0
                reply = self.owners() >= need if passes else self.seek(3 - c, need, 1)
                self.ko = ko
                self.ko_color = ko_color
            if self.broken:
                break
            if reply == wanted:
                result = wanted
                best = p
                break
        self.depth = at
        if self.broken:
            return False
        # What rests on a position further up the line holds in this line only.
        if self.nearest >= at:
            known = self.keys[slot] == key if cython.compiled else self.keys.get(slot) == key
            if not known:
                self.keys[slot] = key
                self.low[slot] = -NOWHERE
                self.high[slot] = NOWHERE
            if result:
                self.low[slot] = need
            else:
                self.high[slot] = need - 1
            self.best[slot] = best
        if outer < self.nearest:
            self.nearest = outer
        return result

    # ------------------------------------------------------------------ ends

    def owners(self) -> cython.int:
        """Mark whose each point of the region is, every stone that stands being alive; return the value."""
        i: cython.int
        k: cython.int
        n: cython.int
        p: cython.int
        done: cython.int
        size: cython.int
        reached: cython.int
        value: cython.int = -self.played if self.costs else 0
        for i in range(self.region_size):
            p = self.region[i]
            self.mark[p] = self.color[p] if self.color[p] != EMPTY else BORDER
        for i in range(self.region_size):
            p = self.region[i]
            if self.color[p] == EMPTY and self.mark[p] == BORDER:
                self.queue[0] = p
                self.mark[p] = EMPTY
                size = 1
                done = 0
                reached = 0
                while done < size:
                    for k in range(4):
                        n = self.queue[done] + self.around[k]
                        if self.color[n] == EMPTY and not self.within[n]:
                            reached |= self.fixed[n]
                        elif self.color[n] == EMPTY:
                            if self.mark[n] == BORDER:
                                self.mark[n] = EMPTY
                                self.queue[size] = n
                                size += 1
                        elif self.color[n] != BORDER:
                            reached |= self.color[n]
                    done += 1
                if reached and reached != 3:
                    for k in range(size):
                        self.mark[self.queue[k]] = reached
            if self.mark[p] == BLACK:
                value += self.weight[p]
            elif self.mark[p] == WHITE:
                value -= self.weight[p]
        return value

    def spoils(self, c: cython.int) -> cython.int:
        """The same after c has taken much: all but the stones the opponent has left is c's."""
        i: cython.int
        p: cython.int
        value: cython.int = -self.played if self.costs else 0
        for i in range(self.region_size):
            p = self.region[i]
            self.mark[p] = 3 - c if self.color[p] == 3 - c else c
            value += self.weight[p] if self.mark[p] == BLACK else -self.weight[p]
        return value
