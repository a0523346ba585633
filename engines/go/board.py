"""The Go board with its history: ko and superko, undo, and what Python asks of it.

Points are ``y * width + x`` with A1, the lower left corner, at 0, x to the right and y up; ``PASS`` is −1. Colours are
those of ``engines.go.points``: EMPTY 0, BLACK 1, WHITE 2.

>>> board = Board(9)
>>> board.play(1, 40)
0
>>> board.at(40), board.liberty_count(40)
(1, 4)
"""

import cython

from engines.errors import IllegalMove
from engines.go.stones import Stones

if cython.compiled:
    from cython.cimports.libc.stdlib import calloc, free, realloc

MAX_SIZE = 25

KO_RULES = ("simple", "positional", "situational")

REASONS = ("", "occupied", "suicide", "ko", "superko")
"""What forbids a move, by verdict."""

if not cython.compiled:
    from engines.go.stones import BLACK, EMPTY, KO, LEGAL, PASS, SIDE, SUPERKO, WHITE, PlainUndo


def _has_dead_chain(width: int, height: int, stones: bytes | list[int]) -> bool:
    """Whether a chain of the position has no liberty."""
    seen = set()
    for start in range(width * height):
        if stones[start] == EMPTY or start in seen:
            continue
        todo, free_point = [start], False
        seen.add(start)
        while todo:
            p = todo.pop()
            x, y = p % width, p // width
            for n in (
                ([p - 1] if x else [])
                + ([p + 1] if x < width - 1 else [])
                + (([p - width] if y else []) + ([p + width] if y < height - 1 else []))
            ):
                if stones[n] == EMPTY:
                    free_point = True
                elif stones[n] == stones[start] and n not in seen:
                    seen.add(n)
                    todo.append(n)
        if not free_point:
            return True
    return False


class Board:
    """A position with its history.

    ``width`` and ``height`` are 1…25. ``ko`` is "simple" (no recapture that recreates the position before the
    opponent's last move), "positional" (a placement may not recreate any earlier position) or "situational" (… any
    earlier position with the same player to move). ``suicide`` allows taking two or more of one's own stones off; a
    single stone never.
    Either colour may move at any time: the player to move is the opponent of whoever moved last.
    """

    def __cinit__(
        self, width: cython.int = 19, height: cython.int = 0, ko: str = "simple", suicide: cython.bint = False
    ):
        if height == 0:
            height = width
        if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE):
            raise ValueError(f"board size must be 1 to {MAX_SIZE}, not {width}x{height}")
        self.now = Stones(width, height, suicide)
        self.width = width
        self.height = height
        self.points = width * height
        self.start_color = BLACK
        self.log_size = 0
        self.log_room = 0
        self.captured_ever = False
        if not cython.compiled:
            self.log, self.keys, self.table = [], [0], [0]
        self.set_ko_rule(ko)
        self.grow()
        self.restart()

    if not cython.compiled:

        def __init__(self, width=19, height=0, ko="simple", suicide=False):
            self.__cinit__(width, height, ko, suicide)

    def __dealloc__(self):
        if cython.compiled:
            free(self.log)
            free(self.keys)
            free(self.table)

    def verdict(self, p: cython.int, c: cython.int) -> cython.int:
        """LEGAL, or what forbids colour c the inner point p under the rules in force."""
        why: cython.int = self.now.verdict(p, c)
        if why != LEGAL or self.ko_rule == 0:
            return why
        # Until a stone has been taken off the board no position can come back.
        if (self.captured_ever or self.now.may_remove(p, c)) and self.seen(
            self.key_of(self.now.hash_after(p, c), 3 - c)
        ):
            return SUPERKO
        return LEGAL

    # ------------------------------------------------------------------ history

    def key_of(self, hash: cython.ulonglong, to_move: cython.int) -> cython.ulonglong:
        """What superko compares: the position, under situational superko with the player to move."""
        key: cython.ulonglong = hash
        if self.ko_rule == 2:
            key ^= SIDE[to_move]
        # 0 marks a free place in the table.
        return key if key != 0 else SIDE[3]

    def seen(self, key: cython.ulonglong) -> cython.bint:
        at: cython.int = cython.cast(cython.int, key & cython.cast(cython.ulonglong, self.table_mask))
        while self.table[at] != 0:
            if self.table[at] == key:
                return True
            at = (at + 1) & self.table_mask
        return False

    def table_insert(self, key: cython.ulonglong) -> cython.bint:
        """Enter a key; False when it is there already, as after most passes."""
        at: cython.int = cython.cast(cython.int, key & cython.cast(cython.ulonglong, self.table_mask))
        while self.table[at] != 0:
            if self.table[at] == key:
                return False
            at = (at + 1) & self.table_mask
        self.table[at] = key
        return True

    def table_remove(self, key: cython.ulonglong) -> None:
        """Remove the entry made last: no other can have been placed behind it, so no gap arises."""
        at: cython.int = cython.cast(cython.int, key & cython.cast(cython.ulonglong, self.table_mask))
        while self.table[at] != 0:
            if self.table[at] == key:
                self.table[at] = 0
                return
            at = (at + 1) & self.table_mask

    def grow(self, turns: cython.int = 1) -> cython.bint:
        """Make room for more turns; the table stays at most a quarter full. Raises MemoryError."""
        room: cython.int
        size: cython.int
        if self.log_size + turns < self.log_room:
            return False
        room = 256
        while room <= self.log_size + turns:
            room *= 2
        size = room * 4
        if cython.compiled:
            log: cython.pointer(Undo) = cython.cast(cython.pointer(Undo), realloc(self.log, room * cython.sizeof(Undo)))
            if log == cython.NULL:
                raise MemoryError("no memory for the move history")
            self.log = log
            keys: cython.pointer(cython.ulonglong) = cython.cast(
                cython.pointer(cython.ulonglong), realloc(self.keys, (room + 1) * 8)
            )
            if keys == cython.NULL:
                raise MemoryError("no memory for the move history")
            self.keys = keys
            table: cython.pointer(cython.ulonglong) = cython.cast(cython.pointer(cython.ulonglong), calloc(size, 8))
            if table == cython.NULL:
                raise MemoryError("no memory for the move history")
            free(self.table)
            self.table = table
        else:
            self.log.extend(PlainUndo() for i in range(room - len(self.log)))
            self.keys.extend(0 for i in range(room + 1 - len(self.keys)))
            self.table = [0] * size
        self.table_mask = size - 1
        self.log_room = room
        self.refill_table()
        return True

    def refill_table(self) -> None:
        i: cython.int
        to_move: cython.int = self.start_color
        for i in range(self.table_mask + 1):
            self.table[i] = 0
        self.table_insert(self.key_of(self.keys[0], to_move))
        for i in range(self.log_size):
            self.log[i].entered = self.table_insert(self.key_of(self.keys[i + 1], 3 - self.log[i].color))

    def restart(self) -> None:
        """Forget the history; what stands on the board is the start."""
        self.log_size = 0
        self.captured_ever = False
        self.keys[0] = self.now.hash
        self.refill_table()

    def push(self, p: cython.int, c: cython.int) -> None:
        """Play on inner point p, or pass (p = 0), and remember it; ``grow`` must have made room."""
        if p == 0:
            self.log[self.log_size].point = 0
            self.log[self.log_size].color = c
            self.log[self.log_size].ko = self.now.ko
            self.log[self.log_size].ko_color = self.now.ko_color
            self.log[self.log_size].taken = 0
            self.log[self.log_size].suicide = 0
            self.now.ko = 0
        else:
            if cython.compiled:
                self.now.place(p, c, cython.address(self.log[self.log_size]))
            else:
                self.now.place(p, c, self.log[self.log_size])
            if self.log[self.log_size].taken or self.log[self.log_size].suicide:
                self.captured_ever = True
        self.log[self.log_size].entered = self.table_insert(self.key_of(self.now.hash, 3 - c))
        self.log_size += 1
        self.keys[self.log_size] = self.now.hash

    def pop(self) -> None:
        """Take the last turn back."""
        c: cython.int
        self.log_size -= 1
        c = self.log[self.log_size].color
        if self.log[self.log_size].entered:
            self.table_remove(self.key_of(self.now.hash, 3 - c))
        if self.log[self.log_size].point == 0:
            self.now.ko = self.log[self.log_size].ko
            self.now.ko_color = self.log[self.log_size].ko_color
        elif cython.compiled:
            self.now.take_back(cython.address(self.log[self.log_size]))
        else:
            self.now.take_back(self.log[self.log_size])

    # ------------------------------------------------------------------ for Python

    def inner_of(self, point: cython.int) -> cython.int:
        if not 0 <= point < self.points:
            raise ValueError(f"point {point} is not on a {self.width}x{self.height} board")
        return self.now.inner[point]

    def set_ko_rule(self, ko: str) -> None:
        """Change the ko rule; the whole history counts under the new one. Raises ValueError for an unknown name."""
        if ko not in KO_RULES:
            raise ValueError(f"unknown ko rule {ko!r}, expected one of {', '.join(KO_RULES)}")
        self.ko_rule = KO_RULES.index(ko)
        if self.log_room > 0:
            self.refill_table()

    def set_suicide(self, allowed: bool) -> None:
        """Allow or forbid taking two or more of one's own stones off."""
        self.now.suicide = allowed

    @property
    def suicide_allowed(self) -> bool:
        return bool(self.now.suicide)

    @property
    def hash_value(self) -> int:
        """Zobrist hash of the stones, 64 bits; 0 for the empty board."""
        return self.now.hash

    @property
    def to_move(self) -> int:
        """The opponent of whoever moved last; at the start Black, or who ``set_position`` said."""
        return 3 - self.log[self.log_size - 1].color if self.log_size > 0 else self.start_color

    @property
    def first_player(self) -> int:
        """Who moves first from the start position."""
        return self.start_color

    def hash_at(self, turn: int) -> int:
        """``hash_value`` as it was after that many turns, 0 being the start. Raises IndexError."""
        if not 0 <= turn <= self.log_size:
            raise IndexError("no such turn")
        return self.keys[turn]

    @property
    def turns(self) -> int:
        """Moves and passes since the start or ``set_position``."""
        return self.log_size

    @property
    def ko_point(self) -> int:
        """The point that the simple ko rule forbids to the opponent of whoever moved last, or PASS for none."""
        return self.now.outer[self.now.ko] if self.now.ko else PASS

    def at(self, point: int) -> int:
        """EMPTY, BLACK or WHITE."""
        return self.now.color[self.inner_of(point)]

    def stones(self) -> bytes:
        """All points in order from A1, row by row upward, one byte each: EMPTY, BLACK or WHITE."""
        i: cython.int
        return bytes([self.now.color[self.now.inner[i]] for i in range(self.points)])

    def prisoners_of(self, color: int) -> int:
        """How many stones ``color`` has taken (the opponent's suicides included)."""
        if color not in (BLACK, WHITE):
            raise ValueError("colour must be BLACK or WHITE")
        return self.now.prisoners[color]

    def last_move(self) -> tuple[int, int] | None:
        """Colour and point (or PASS) of the last turn, None at the start."""
        return self.turn(self.log_size - 1) if self.log_size else None

    def turn(self, index: int) -> tuple[int, int]:
        """Colour and point (or PASS) of a turn, counted from 0. Raises IndexError."""
        if not 0 <= index < self.log_size:
            raise IndexError("no such turn")
        p: cython.int = self.log[index].point
        return self.log[index].color, self.now.outer[p] if p else PASS

    def chain(self, point: int) -> list[int]:
        """The stones of the chain at a point, ascending; empty for an empty point."""
        p: cython.int = self.inner_of(point)
        q: cython.int = p
        if self.now.color[p] == EMPTY:
            return []
        found = []
        while True:
            found.append(self.now.outer[q])
            q = self.now.nxt[q]
            if q == p:
                return sorted(found)

    def liberty_count(self, point: int) -> int:
        """How many liberties the chain at a point has; 0 for an empty point."""
        p: cython.int = self.inner_of(point)
        return 0 if self.now.color[p] == EMPTY else self.now.libs[self.now.head[p]]

    def liberties(self, point: int) -> list[int]:
        """The liberties of the chain at a point, ascending; empty for an empty point."""
        p: cython.int = self.inner_of(point)
        if self.now.color[p] == EMPTY:
            return []
        h: cython.int = self.now.head[p]
        return [
            self.now.outer[i]
            for i in range(self.now.inner_size)
            if (self.now.lib_words[h * self.now.words + (i >> 6)] >> (i & 63)) & 1
        ]

    def is_legal(self, color: cython.int, point: cython.int) -> cython.bint:
        """Whether ``color`` may play ``point`` (or PASS, which is always legal) under the rules in force."""
        if point == PASS:
            return True
        return 0 <= point < self.points and self.verdict(self.now.inner[point], color) == LEGAL

    def why_illegal(self, color: int, point: int) -> str:
        """What forbids the move, one of ``REASONS``; empty if it is legal."""
        if point == PASS:
            return ""
        return REASONS[self.verdict(self.inner_of(point), color)]

    def legal_points(self, color: int) -> list[int]:
        """All points ``color`` may play, ascending; PASS is not among them."""
        i: cython.int
        return [i for i in range(self.points) if self.verdict(self.now.inner[i], color) == LEGAL]

    def play(self, color: cython.int, point: cython.int, forced: cython.bint = False) -> cython.int:
        """Play a move or PASS and return the number of stones captured.

        Raises IllegalMove (and changes nothing) where the rules in force forbid it, ValueError for a bad colour or
        point. ``forced`` lets moves pass that only ko or superko forbids, for records of games under other rules.
        """
        if color != BLACK and color != WHITE:
            raise ValueError("colour must be BLACK or WHITE")
        p: cython.int = 0
        if point != PASS:
            p = self.inner_of(point)
            why: cython.int = self.verdict(p, color)
            if why != LEGAL and not (forced and why >= KO):
                raise IllegalMove(f"illegal move ({REASONS[why]})", REASONS[why])
        self.grow()
        self.push(p, color)
        return self.log[self.log_size - 1].taken

    def undo(self) -> None:
        """Take the last turn back. Raises IndexError at the start."""
        if self.log_size == 0:
            raise IndexError("nothing to undo")
        self.pop()
        if self.log_size == 0:
            self.captured_ever = False

    def clear(self) -> None:
        """The empty board, Black to move, without history."""
        self.start_color = BLACK
        self.now.reset()
        self.restart()

    def set_position(self, stones: bytes | list[int], to_move: int = BLACK) -> None:
        """Put stones (as ``stones()`` gives them) on the board, without history: nothing before it can be undone.

        Raises ValueError, and changes nothing, if a chain would be without liberties or the length is wrong.
        """
        if len(stones) != self.points or any(s not in (EMPTY, BLACK, WHITE) for s in stones):
            raise ValueError("not a position of this board")
        if to_move not in (BLACK, WHITE):
            raise ValueError("colour must be BLACK or WHITE")
        if _has_dead_chain(self.width, self.height, stones):
            raise ValueError("a chain has no liberty")
        i: cython.int
        self.now.reset()
        for i in range(self.points):
            if stones[i] != EMPTY:
                if cython.compiled:
                    self.now.place(self.now.inner[i], stones[i], cython.NULL)
                else:
                    self.now.place(self.now.inner[i], stones[i], None)
        self.now.ko = 0
        self.now.prisoners[BLACK] = 0
        self.now.prisoners[WHITE] = 0
        self.start_color = to_move
        self.restart()

    def copy(self) -> object:
        """A board of its own with the same position, rules and history."""
        other = Board(self.width, self.height, KO_RULES[self.ko_rule], bool(self.now.suicide))
        if self.log_size == 0:
            other.set_position(self.stones(), self.start_color)
            return other
        turns = [self.turn(i) for i in range(self.log_size)]
        for _ in turns:
            self.pop()
        try:
            other.set_position(self.stones(), self.start_color)
        finally:
            for color, point in turns:
                self.push(self.now.inner[point] if point != PASS else 0, color)
        for color, point in turns:
            other.grow()
            other.push(other.now.inner[point] if point != PASS else 0, color)
        return other

    def count_leaves(
        self, depth: cython.int, c: cython.int, passes: cython.bint, passed: cython.bint
    ) -> cython.ulonglong:
        n: cython.ulonglong = 0
        i: cython.int
        p: cython.int
        if depth == 0:
            return 1
        if depth == 1:
            for i in range(self.points):
                if self.verdict(self.now.inner[i], c) == LEGAL:
                    n += 1
            return n + 1 if passes else n
        for i in range(self.points):
            p = self.now.inner[i]
            if self.verdict(p, c) == LEGAL:
                self.push(p, c)
                n += self.count_leaves(depth - 1, 3 - c, passes, False)
                self.pop()
        if passes and not passed:
            self.push(0, c)
            n += self.count_leaves(depth - 1, 3 - c, passes, True)
            self.pop()
        return n

    def perft(self, depth: int, passes: bool = False) -> int:
        """Number of sequences of exactly ``depth`` turns from here, colours alternating, the player to move first.

        With ``passes`` they count as turns, and two in a row end a line; without, a side that can't place has no turn.
        """
        if depth < 0:
            raise ValueError("depth must not be negative")
        self.grow(depth)
        c: cython.int = self.to_move
        d: cython.int = depth
        with_passes: cython.bint = passes
        n: cython.ulonglong
        with cython.nogil:
            n = self.count_leaves(d, c, with_passes, False)
        return n
