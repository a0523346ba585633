"""The search for a mate: depth-first proof-number search, compiled and without the interpreter lock.

A position is *proven* within so many plies when the side that looks for the mate wins by then, whatever the other side
does; it is *disproven* within them when it can't. Every open node has two numbers, how much is still to be proven and
to be disproven; the search follows the moves with the least of them. A node's numbers are its easiest child's and its
hardest child's plus one for each further open one (weak proof numbers: lines that join again are not counted twice). A
new position after a move is as hard to prove as it has answers, so that checks that leave few come first by themselves.

Every question has its number of plies ("within 13 plies?"), which makes answers independent of the way to a position:
who can mate within them never has to repeat one, so that repetitions need no care but those with the game before
(``barred``), and a disproof is exact: no shorter mate exists. The natural limit is part of the key where it may matter.
The rules of repetition never give a mate here: a side that may only escape by breaking them is not counted as mated.

A side without a move has lost, in check or not. Moves of the mating side that give no check are limited in number
(``quiets``): first none, then one, and so on. While they are, each must threaten mate by checks alone, which a pass of
the other side shows. Without that limit the answer is exact. ``MateHunt`` asks all this in turn, and for shorter mates
than the one it has found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

import cython

from engines.xiangqi.board import Board
from engines.xiangqi.search_stack import SearchStack
from engines.xiangqi.table import CELL_BYTES, Table, allocate

if not cython.compiled:  # compiled, mate.pxd declares or imports all of these in C
    from engines.xiangqi.geometry import NO_MOVE, ZOBRIST, move_in
    from engines.xiangqi.pieces import ALL_MOVES
    from engines.xiangqi.search_stack import MATE_BOUND
    from engines.xiangqi.table import LOWER

    DEEPEST_MATE, SURE, MOST, QUIET, ANY_QUIETS, FIRST_TRY = 63, 65535, 60000, 8, 15, 60

BUCKET = 4
"""Cells that a key may be in: one cache line."""

_GOLDEN = 0x9E3779B97F4A7C15
_WORD = (1 << 64) - 1


@cython.final
@cython.cclass
class MateSearch:
    """Proof-number search on a board of its own, with a table of its own."""

    def __init__(self, guide: Table, megabytes: float = 16) -> None:
        """``guide``: the hash table of a search that may know mates. ``MemoryError`` when there is not so much memory
        for the table of its own."""
        if not cython.compiled:
            self.moves, self.keys = [0] * 16384, [0] * 16384
            self.proof, self.disproof, self.length, self.left = ([0] * 16384 for _ in range(4))
            self.lines, self.root_moves, self.taboo = [0] * 16384, [0] * 128, [0] * 64
        self.buckets = max(1, int(megabytes * (1 << 20)) // (CELL_BYTES * BUCKET))
        self.memory = allocate(self.buckets * CELL_BYTES * BUCKET)
        self.cells = memoryview(self.memory).cast("Q")
        self.guide = guide
        self.generation = 0
        self.stack = SearchStack()
        self.board = self.stack.board
        self.nodes = self.node_limit = 0
        self.root_count = self.taboos = self.root_depth = self.root_quiets = 0
        self.found_proof = self.found_disproof = self.found_length = 0
        self.salt = 0
        self.near_limit = self.halt = self.over = False

    def start(self, board: Board) -> None:
        """Take over a position with its history; settings of ``stack`` take effect here."""
        self.stack.start(board)
        self.board = self.stack.board
        self.generation = (self.generation + 1) & 255
        legal = self.board.legal_moves()
        self.root_count = len(legal)
        for i, move in enumerate(legal):
            self.root_moves[i] = move
        keys = self.board.keys[-1 - min(self.board.clock, self.board.ply) :]
        # A position that has been there twice is judged when it comes again.
        barred = [key for key, count in Counter(keys).items() if count > 1][:64]
        self.taboos = len(barred)
        for i, key in enumerate(barred):
            self.taboo[i] = key
        self.nodes = 0
        self.halt = False

    def restrict(self, moves: Container[int], allow: bool) -> None:
        """Leave these moves out at the root, or with ``allow`` all others."""
        kept = [self.root_moves[i] for i in range(self.root_count) if (self.root_moves[i] in moves) == allow]
        self.root_count = len(kept)
        for i, move in enumerate(kept):
            self.root_moves[i] = move

    # -- the table: proof number (16 bits), disproof number (16), plies within which it is proven (8, 0: not) and, plus
    # one, disproven (8, 0: not), bits of the work behind it (8), generation (8)

    def key_of(self, key: cython.ulonglong, quiets: cython.int) -> cython.ulonglong:
        """What a position is stored under, from the board's key and how many quiet moves are left."""
        key ^= self.salt ^ ZOBRIST[quiets] >> 4
        if self.near_limit:
            tally: cython.int = self.stack.tally[self.board.ply]
            # Shifted, these numbers are no more those of pieces.
            key ^= ZOBRIST[self.stack.counted[self.board.ply] % 1440] >> 1
            key ^= ZOBRIST[(tally & 0xFFFF) % 1440] >> 2 ^ ZOBRIST[(tally >> 16 & 0xFFFF) % 1440] >> 3
        return key

    def data_of(self, key: cython.ulonglong) -> cython.ulonglong:
        """The data stored for a key, 0 when there is none."""
        i: cython.ulonglong = ((key >> 32) * self.buckets >> 32) * 8
        end: cython.ulonglong = i + 8
        while i < end:
            if self.cells[i] == key:
                return self.cells[i + 1]
            i += 2
        return 0

    def look(self, key: cython.ulonglong, depth: cython.int, first: cython.int) -> None:
        """Find what is known of a position within ``depth`` plies; ``first`` is the proof number of a new one."""
        data: cython.ulonglong = self.data_of(key)
        proven: cython.int = data >> 32 & 255
        self.found_length = 0
        self.found_proof = first
        self.found_disproof = 1
        if proven and proven <= depth:
            self.found_proof, self.found_disproof, self.found_length = 0, SURE, proven
        elif cython.cast(cython.int, data >> 40 & 255) > depth:
            self.found_proof, self.found_disproof = SURE, 0
        elif data & 0xFFFF:
            self.found_proof, self.found_disproof = data & 0xFFFF, data >> 16 & 0xFFFF

    def keep(
        self,
        key: cython.ulonglong,
        depth: cython.int,
        proof: cython.int,
        disproof: cython.int,
        length: cython.int,
        work: cython.ulonglong,
    ) -> None:
        """Store what was found of a position within ``depth`` plies."""
        i: cython.ulonglong = ((key >> 32) * self.buckets >> 32) * 8
        end: cython.ulonglong = i + 8
        best: cython.ulonglong = i
        data: cython.ulonglong
        bits: cython.int = 0
        worth: cython.int
        least: cython.int = 1 << 30
        proven: cython.int = 0
        failed: cython.int = 0
        while work:
            bits += 1
            work >>= 1
        while i < end:
            data = self.cells[i + 1]
            if self.cells[i] == key or data == 0:
                best = i
                proven, failed = data >> 32 & 255, data >> 40 & 255
                break
            worth = data >> 48 & 255
            if cython.cast(cython.int, data >> 56) != self.generation:
                worth -= 256
            if worth < least:
                least, best = worth, i
            i += 2
        if proof == 0:
            if proven == 0 or length < proven:
                proven = length
            proof = disproof = 0
        elif disproof == 0:
            if depth >= failed:
                failed = depth + 1
            proof = disproof = 0
        data = cython.cast(cython.ulonglong, proof) | cython.cast(cython.ulonglong, disproof) << 16
        data |= cython.cast(cython.ulonglong, proven) << 32 | cython.cast(cython.ulonglong, failed) << 40
        data |= cython.cast(cython.ulonglong, bits) << 48 | cython.cast(cython.ulonglong, self.generation) << 56
        self.cells[best] = key
        self.cells[best + 1] = data

    # -- the tree

    def barred(self, key: cython.ulonglong) -> cython.bint:
        """Whether a position has been in the game so often that the next time is judged."""
        i: cython.int
        found: cython.bint = False
        for i in range(self.taboos):
            found = found or self.taboo[i] == key
        return found

    def child_key(self, move: cython.int, gives: cython.bint, quiets: cython.int) -> cython.ulonglong:
        """What the position after a move is stored under."""
        key: cython.ulonglong
        if not self.near_limit:
            return self.key_of(self.stack.key_after(move), quiets)
        self.stack.push(move, gives)
        key = self.key_of(self.board.hash, quiets)
        self.stack.pop()
        return key

    def list_attacks(self, ply: cython.int, depth: cython.int, quiets: cython.int) -> cython.int:
        """The moves of the side that mates that need a look, into the ply's lists; -1 when the first of them mates."""
        base: cython.int = ply * 128
        moves = cython.declare(cython.ushort[128])
        count: cython.int
        n: cython.int = 0
        i: cython.int
        move: cython.int
        answers: cython.int
        left: cython.int
        gives: cython.bint
        hint: cython.int = 0
        data: cython.ulonglong
        if quiets:
            # Where the search has seen a mate, its move is the one to prove.
            data = self.guide.find(self.board.hash)
            if cython.cast(cython.int, data >> 32 & 0xFFFF) - 32768 > MATE_BOUND and data >> 14 & LOWER:
                hint = move_in(data)
        if ply:
            count = self.board.generate_legal(moves, ALL_MOVES)
        else:
            count = self.root_count
            for i in range(count):
                moves[i] = self.root_moves[i]
        for i in range(count):
            move = moves[i]
            gives = self.board.checks(move)
            if quiets == 0 and not gives:
                continue
            if self.taboos and self.barred(self.stack.key_after(move)):
                continue
            self.board.make(move)
            if depth == 1:
                answers = 0 if self.board.stuck() else 1
            else:
                answers = self.board.count_legal()
            self.board.unmake()
            if answers == 0:
                self.moves[base] = move
                return -1
            if depth == 1:
                continue
            self.moves[base + n] = move
            left = quiets if gives or quiets == ANY_QUIETS else quiets - 1
            self.left[base + n] = left
            self.keys[base + n] = self.child_key(move, gives, left)
            if move == hint:
                answers = 1
            elif not gives:
                answers += QUIET
            self.look(self.keys[base + n], depth - 1, answers)
            self.proof[base + n], self.disproof[base + n] = self.found_proof, self.found_disproof
            self.length[base + n] = self.found_length
            n += 1
        return n

    def list_answers(self, ply: cython.int, depth: cython.int, quiets: cython.int) -> cython.int:
        """The moves of the side to be mated, into the ply's lists; -1 when the first of them is an escape by the
        rules."""
        base: cython.int = ply * 128
        moves = cython.declare(cython.ushort[128])
        count: cython.int = self.board.generate_legal(moves, ALL_MOVES)
        i: cython.int
        if quiets != ANY_QUIETS and not self.stack.checks[self.board.ply]:
            # A quiet move has to threaten mate by checks alone: the answer tried first is to pass.
            self.stack.pass_turn()
            self.keys[base] = self.key_of(self.board.hash, 0)
            self.stack.take_turn_back()
            self.moves[base] = NO_MOVE
            self.left[base] = 0
            self.look(self.keys[base], depth - 1, 1)
            self.proof[base], self.disproof[base] = self.found_proof, self.found_disproof
            self.length[base] = 0
            base += 1
        for i in range(count):
            if self.taboos and self.barred(self.stack.key_after(moves[i])):
                return -1
            self.moves[base + i] = moves[i]
            self.left[base + i] = quiets
            self.keys[base + i] = self.child_key(moves[i], self.near_limit and self.board.checks(moves[i]), quiets)
            self.look(self.keys[base + i], depth - 1, 1)
            self.proof[base + i], self.disproof[base + i] = self.found_proof, self.found_disproof
            self.length[base + i] = self.found_length
        return count + base - ply * 128

    def visit(
        self,
        ply: cython.int,
        depth: cython.int,
        quiets: cython.int,
        most_proof: cython.int,
        most_disproof: cython.int,
    ) -> None:
        """Search a position within ``depth`` plies until one of its numbers reaches a limit.

        The side that mates is to move at odd depths. The numbers, and the length of a proven mate, are left in
        ``found_proof``, ``found_disproof`` and ``found_length``.
        """
        base: cython.int = ply * 128
        attack: cython.bint = depth & 1
        key: cython.ulonglong = self.key_of(self.board.hash, quiets)
        begin: cython.ulonglong = self.nodes
        count: cython.int
        i: cython.int
        best: cython.int
        easy: cython.int
        second: cython.int
        hard: cython.int
        unsure: cython.int
        proof: cython.int = 1
        disproof: cython.int = 1
        length: cython.int = 0
        one: cython.int
        other: cython.int
        move: cython.int
        self.nodes += 1
        if self.halt or self.nodes >= self.node_limit:
            self.over = True
        if self.near_limit and self.stack.counted[self.board.ply] >= self.stack.natural_limit:
            count = -1
            attack = False  # a draw
        else:
            if attack and quiets and self.data_of(key) == 0:
                self.visit(ply, depth, 0, FIRST_TRY, FIRST_TRY)  # by checks alone it may be easy
                if self.found_proof == 0:
                    self.keep(key, depth, 0, SURE, self.found_length, 1)
                    return
            count = self.list_attacks(ply, depth, quiets) if attack else self.list_answers(ply, depth, quiets)
        if count < 0:
            if attack:
                proof, disproof, length = 0, SURE, 1
            else:
                proof, disproof = SURE, 0
            self.keep(key, depth, proof, disproof, length, 1)
            self.found_proof, self.found_disproof, self.found_length = proof, disproof, length
            return
        while True:
            # The easiest child decides, the hardest and all other open ones add up.
            easy = second = SURE
            hard = unsure = 0
            best = 0
            length = 0
            for i in range(base, base + count):
                one, other = self.proof[i], self.disproof[i]
                if not attack:
                    one, other = other, one
                if one < easy:
                    second, easy, best = easy, one, i
                elif one < second:
                    second = one
                if other:
                    unsure += 1
                    if other > hard:
                        hard = other
                if attack:
                    if one == 0 and (length == 0 or self.length[i] + 1 < length):
                        length = self.length[i] + 1
                elif self.length[i] >= length and self.moves[i]:
                    length = self.length[i] + 1
            if unsure:
                hard += unsure - 1
                if hard > MOST:
                    hard = MOST
            if easy == 0:
                hard = SURE
            elif unsure == 0:
                easy = SURE
            elif easy > MOST:
                easy = MOST
            proof, disproof = (easy, hard) if attack else (hard, easy)
            if self.over or proof >= most_proof or disproof >= most_disproof or proof == 0 or disproof == 0:
                break
            second += second // 4 + 1
            if attack:
                one = second if second < most_proof else most_proof
                other = most_disproof - unsure + 1
            else:
                one = most_proof - unsure + 1
                other = second if second < most_disproof else most_disproof
            move = self.moves[best]
            if move:
                self.stack.push(move, self.board.checks(move))
            else:
                self.stack.pass_turn()
            self.visit(ply + 1, depth - 1, self.left[best], one, other)
            if move:
                self.stack.pop()
            else:
                self.stack.take_turn_back()
            self.proof[best], self.disproof[best] = self.found_proof, self.found_disproof
            self.length[best] = self.found_length
        if proof:
            length = 0
        self.keep(key, depth, proof, disproof, length, self.nodes - begin)
        self.found_proof, self.found_disproof, self.found_length = proof, disproof, length

    def settle(self, ply: cython.int, depth: cython.int, quiets: cython.int) -> cython.int:
        """The line of a position proven within ``depth`` plies, into ``lines``; returns its length, -1 when halted.

        What the table says of a proof is a bound, and may have been lost from it: what the line depends on is looked
        at again, so that the length is what the best defence holds out against these very moves.
        """
        base: cython.int = ply * 128
        attack: cython.bint = depth & 1
        key: cython.ulonglong = self.key_of(self.board.hash, quiets)
        count: cython.int = -1
        i: cython.int
        j: cython.int
        n: cython.int
        best: cython.int
        length: cython.int = 0
        again: cython.int
        self.nodes += 1
        for again in range(2):
            best = -1
            if attack:
                count = self.list_attacks(ply, depth, quiets)
                if count < 0:
                    self.lines[base] = self.moves[base]
                    return 1
                for i in range(base, base + count):
                    if self.proof[i] == 0 and (best < 0 or self.length[i] < self.length[best]):
                        best = i
                if best >= 0:
                    break
                # It may be known from checks alone.
                self.look(self.key_of(self.board.hash, 0), depth, 1)
                if self.found_proof == 0 and quiets:
                    return self.settle(ply, self.found_length, 0)
                self.visit(ply, depth, quiets, SURE, SURE)
                if self.found_proof:
                    return -1
            elif again == 0:
                count = self.list_answers(ply, depth, quiets)
                for i in range(base, base + count):
                    if self.moves[i] == NO_MOVE:
                        self.proof[i] = 1
                    elif self.proof[i]:
                        self.stack.push(self.moves[i], self.board.checks(self.moves[i]))
                        self.visit(ply + 1, depth - 1, quiets, SURE, SURE)
                        self.stack.pop()
                        if self.found_proof:
                            return -1
                        self.proof[i], self.length[i] = 0, self.found_length
        while True:
            if not attack:
                best = -1
                for i in range(base, base + count):
                    if (
                        self.proof[i] == 0
                        and self.length[i] > length
                        and (best < 0 or self.length[i] > self.length[best])
                    ):
                        best = i
            if best < 0:
                break
            self.stack.push(self.moves[best], self.board.checks(self.moves[best]))
            n = self.settle(ply + 1, self.length[best], self.left[best])
            self.stack.pop()
            if n < 0:
                return -1
            self.proof[best] = 1  # settled
            if n > length or attack:
                length = n
                self.lines[base] = self.moves[best]
                for j in range(n):
                    self.lines[base + 1 + j] = self.lines[base + 128 + j]
            if attack:
                break
        self.keep(key, depth, 0, SURE, length + 1, 1)
        return length + 1

    # -- what Python callers use

    def ask(self, plies: int, quiets: int, nodes: int) -> bool | None:
        """Whether the side to move mates within so many plies (an odd number to 125) with no more than so many moves
        that give no check (``ANY_QUIETS``: without such a limit); ``None`` when that is not known after ``nodes`` more
        positions, or ``halt`` was set.

        Ask again to go on. Runs without the interpreter lock.
        """
        depth: cython.int = plies
        calm: cython.int = min(quiets, ANY_QUIETS)
        if self.root_count == 0:
            return False
        limit = self.stack.natural_limit
        self._set(depth, calm, bool(limit and self.stack.counted[self.board.ply] + depth >= limit))
        self.node_limit = self.nodes + nodes
        self.over = False
        with cython.nogil:
            self.look(self.key_of(self.board.hash, calm), depth, 1)
            if self.found_proof and self.found_disproof:
                self.visit(0, depth, calm, SURE, SURE)
        if self.found_proof == 0:
            return True
        return False if self.found_disproof == 0 else None

    def line(self, nodes: int) -> list[int] | None:
        """The moves to the mate that the last ``ask`` proved; ``None`` when it takes more than so many positions."""
        length: cython.int = -1
        self.node_limit = self.nodes + nodes
        self.over = False
        with cython.nogil:
            self.look(self.key_of(self.board.hash, self.root_quiets), self.root_depth, 1)
            if self.found_proof == 0:
                length = self.settle(0, self.found_length, self.root_quiets)
        return None if length < 0 else [self.lines[i] for i in range(length)]

    def _set(self, depth: int, quiets: int, near_limit: bool) -> None:
        """Everything that an answer depends on beside the position becomes part of its key."""
        self.root_depth, self.root_quiets, self.near_limit = depth, quiets, near_limit
        salt = self.board.turn * 2 + near_limit + 1
        for i in range(self.taboos):
            salt = salt * _GOLDEN + self.taboo[i] & _WORD
        salt = salt * _GOLDEN + self.stack.natural_limit + 1000 * (self.stack.free_checks + 2) if near_limit else salt
        self.salt = salt * _GOLDEN & _WORD


class MateHunt:
    """Questions to a ``MateSearch``, in turn: is there a mate in so many moves, and then, is there a shorter one."""

    def __init__(self, search: MateSearch, moves: int) -> None:
        """Look for a mate in at most so many moves (1 to ``DEEPEST_MATE``; more are looked for as so many)."""
        self.search = search
        self.line: list[int] = []
        """The moves to the shortest mate found so far, the mating one last; empty while there is none."""
        self._expected = DEEPEST_MATE + 1
        self._aim(min(moves, DEEPEST_MATE))

    def _aim(self, moves: int) -> None:
        self._target = moves
        self._open = [*_LEVELS] if moves else []
        self.spent = 0
        """Positions looked at since the last success."""

    @property
    def exhausted(self) -> bool:
        """Whether it is certain that there is no (shorter) mate within the limit."""
        return not self._open

    def expect(self, moves: int) -> None:
        """The search that guides this one has seen a mate in so many moves."""
        if moves < self._expected and moves <= self._target:
            self._expected = moves
            self._aim(moves)
            self._open.reverse()  # with the other's table for a guide the last question is the one to ask

    def advance(self, nodes: int) -> bool:
        """Look at some ``nodes`` more positions; whether a mate, or a shorter one, was found."""
        search = self.search
        before = search.nodes
        for level in list(self._open):
            answer = search.ask(2 * self._target - 1, level, max(1, nodes))
            if answer:
                line = search.line(_TO_SETTLE)
                if line is None:
                    break
                self.line = line
                self._aim(len(line) // 2)
                return True
            if answer is False:
                self._open.remove(level)
                if level == ANY_QUIETS:
                    self._open = []
                    break
            if search.halt:
                break
            nodes = nodes * 2 // 3
        self.spent += search.nodes - before
        return False


_LEVELS = (0, 1, 2, 4, ANY_QUIETS)
"""Quiet moves allowed, in the order in which they are tried."""

_TO_SETTLE = 2_000_000
"""Positions that finding the line of a proven mate may take."""
