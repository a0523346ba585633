"""The pieces on the board, face up and face down: make and undo, attack and check, moves, counts, Zobrist key.

This is what search, rules and perft work with: all of it is C when compiled, and runs without the interpreter lock.
``board`` adds what Python callers use. Squares, colors and pieces are those of ``engines.xiangqi.geometry``; a move is
its ``origin << 7 | target``, with ``TURN_DOWN`` (1 << 14) where the piece is turned down on landing.

A piece keeps its *slot* for life (Red's 0–15, Black's 16–31, the general first), but what it moves as can change: a
face-down piece moves as the kind whose point it lies on, and is turned up when it moves. ``kinds`` has what each moves
as now, ``truth`` what it really is, as far as the holder of the board may know: 0 is unknown. Attack, check and
legality go by ``kinds`` alone.

The key is of what everybody knows: pieces, face-down marks with the pieces turned down before all eyes, the turn.
"""

from __future__ import annotations

from array import array

import cython

from engines.jieqi.forms import HOME
from engines.xiangqi.geometry import _DIAGONAL, _neighbor, _reach

if not cython.compiled:  # compiled, pieces.pxd declares or imports all of these in C
    from engines.xiangqi.geometry import (
        ADVISOR,
        BETWEEN,
        BISHOP,
        CANNON,
        CANNON_COL,
        CANNON_ROW,
        FILE_OF,
        KING,
        KNIGHT,
        KNIGHT_LEG,
        LOW,
        NO_SLOT,
        NOWHERE,
        PAWN,
        POP,
        RANK_OF,
        ROOK,
        ROOK_COL,
        ROOK_ROW,
        STEPS,
        ZOBRIST,
        ZOBRIST_TURN,
    )

    TURN_DOWN, MOST_MOVES = 1 << 14, 256
    CHECKED, HOLLOW = 1 << 16, 1 << 17
    FREE_ADVISORS, FREE_ELEPHANTS, DARK_ADVISORS_FREE = 1, 2, 4
    HOMES, MOVES, DARK_KEYS, KNOWN_KEYS = [0] * 91, [0] * 13770, [0] * 180, [0] * 1440

_ROOM = 256  # plies of history that a new board has room for; it grows


def _fill() -> None:
    """Fill the tables. Rows of ``MOVES``, 1530 each: king, advisor, elephant, horse, Red's and Black's soldier as in
    ``STEPS``; then the free advisor and the free elephant. The ninth stays empty."""
    for i in range(9180):
        MOVES[i] = STEPS[i]
    for square in range(90):
        HOMES[square] = HOME[square]
        free = [(to, NOWHERE) for to in _reach(square, _DIAGONAL)]
        jumps = [(_neighbor(square, 2 * x, 2 * y), _neighbor(square, x, y)) for x, y in _DIAGONAL]
        for row, pairs in ((6, free), (7, [pair for pair in jumps if pair[0] != NOWHERE])):
            at = row * 1530 + square * 17
            MOVES[at] = len(pairs)
            for i, (to, eye) in enumerate(pairs):
                MOVES[at + 1 + 2 * i], MOVES[at + 2 + 2 * i] = to, eye
    state, mask = 20260102, (1 << 64) - 1
    for i in range(1620):  # splitmix64 from a fixed seed: the same keys in every build
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        z ^= z >> 31
        if i < 180:
            DARK_KEYS[i] = z
        else:
            KNOWN_KEYS[i - 180] = z


_fill()


@cython.cclass
class Pieces:
    """A position with the moves that led to it. It is made by ``clear`` or ``take_over``, not by its constructor."""

    @cython.final
    def clear(self) -> None:
        """An empty board without history, Red to move."""
        if not cython.compiled:
            self.squares, self.place, self.kinds = [0] * 91, [0] * 33, [0] * 33
            self.dark, self.shown, self.truth = [0] * 33, [0] * 33, [0] * 33
            self.rows, self.cols = [0] * 32, [0] * 32
        self.past_moves = array("i", bytes(4 * _ROOM))
        self.past_states = array("i", bytes(4 * _ROOM))
        self.past_clocks = array("i", bytes(4 * _ROOM))
        self.past_keys = array("Q", bytes(8 * _ROOM))
        self.hash = 0
        self.ply = self.side = self.clock = self.flags = self.turning = 0
        i: cython.int
        for i in range(91):
            self.squares[i] = NO_SLOT
        for i in range(33):
            self.place[i] = NOWHERE
            self.kinds[i] = self.dark[i] = self.shown[i] = self.truth[i] = 0
        for i in range(32):
            self.rows[i] = self.cols[i] = 0

    @cython.final
    def take_over(self, other: Pieces) -> None:
        """The position and history of another."""
        self.clear()
        i: cython.int
        for i in range(91):
            self.squares[i] = other.squares[i]
        for i in range(33):
            self.place[i], self.kinds[i] = other.place[i], other.kinds[i]
            self.dark[i], self.shown[i], self.truth[i] = other.dark[i], other.shown[i], other.truth[i]
        for i in range(32):
            self.rows[i], self.cols[i] = other.rows[i], other.cols[i]
        self.hash, self.side, self.clock, self.ply = other.hash, other.side, other.clock, other.ply
        self.flags, self.turning = other.flags, other.turning
        self.past_moves = array("i", bytes(other.past_moves))
        self.past_states = array("i", bytes(other.past_states))
        self.past_clocks = array("i", bytes(other.past_clocks))
        self.past_keys = array("Q", bytes(other.past_keys))

    @cython.final
    def key_of(self, slot: cython.int, square: cython.int) -> cython.ulonglong:
        """What a piece adds to the key where it stands, or would stand."""
        if not self.dark[slot]:
            return ZOBRIST[self.kinds[slot] * 90 + square]
        if self.shown[slot]:
            return DARK_KEYS[(slot >> 4) * 90 + square] ^ KNOWN_KEYS[self.truth[slot] * 90 + square]
        return DARK_KEYS[(slot >> 4) * 90 + square]

    @cython.final
    def add(
        self,
        slot: cython.int,
        square: cython.int,
        piece: cython.int,
        dark: cython.int,
        shown: cython.int,
        truth: cython.int,
    ) -> None:
        """Put a piece on an empty square: what it moves as, whether face down, whether known to all, what it is."""
        color: cython.int = slot >> 4
        self.squares[square] = slot
        self.place[slot] = square
        self.kinds[slot], self.dark[slot], self.shown[slot], self.truth[slot] = piece, dark, shown, truth
        self.rows[color * 16 + RANK_OF[square] + 2] |= 1 << FILE_OF[square]
        self.cols[color * 16 + FILE_OF[square]] |= 1 << RANK_OF[square]
        self.hash ^= self.key_of(slot, square)

    # -- making and unmaking: no test, no room check; ``reserve`` first

    @cython.final
    def reserve(self, plies: cython.int) -> None:
        """Make room for so many more plies; ``make`` itself never checks."""
        room: cython.int = len(self.past_keys)
        if self.ply + plies < room:
            return
        more = bytes(8 * (self.ply + plies + _ROOM - room))
        self.past_moves = array("i", bytes(self.past_moves) + more[::2])
        self.past_states = array("i", bytes(self.past_states) + more[::2])
        self.past_clocks = array("i", bytes(self.past_clocks) + more[::2])
        self.past_keys = array("Q", bytes(self.past_keys) + more)

    @cython.final
    def make(self, move: cython.int) -> None:
        """Make a pseudo-legal move. What shows is the mover's ``truth``, which must be known."""
        origin: cython.int = move >> 7 & 127
        target: cython.int = move & 127
        slot: cython.int = self.squares[origin]
        taken: cython.int = self.squares[target]
        mine: cython.int = slot & 16
        ply: cython.int = self.ply
        file: cython.int = FILE_OF[target]
        rank: cython.int = RANK_OF[target]
        self.past_moves[ply] = move | taken << 16
        self.past_states[ply] = self.kinds[slot] | self.dark[slot] << 4 | self.shown[slot] << 5 | self.truth[slot] << 6
        self.past_clocks[ply] = self.clock
        self.past_keys[ply] = self.hash
        self.ply = ply + 1
        self.clock += 1
        if taken != NO_SLOT:
            self.hash ^= self.key_of(taken, target)
            self.place[taken] = NOWHERE
            self.rows[(mine ^ 16) + rank + 2] ^= 1 << file
            self.cols[(mine ^ 16) + file] ^= 1 << rank
            self.clock = 0
        self.hash ^= self.key_of(slot, origin) ^ ZOBRIST_TURN[0]
        if self.dark[slot]:
            self.kinds[slot] = self.truth[slot]
            self.dark[slot] = self.shown[slot] = 0
        elif move & TURN_DOWN:
            self.truth[slot] = self.kinds[slot]
            self.kinds[slot] = HOMES[target] + (mine >> 1)
            self.dark[slot] = self.shown[slot] = 1
        self.hash ^= self.key_of(slot, target)
        self.squares[origin] = NO_SLOT
        self.squares[target] = slot
        self.place[slot] = target
        self.rows[mine + rank + 2] ^= 1 << file
        self.cols[mine + file] ^= 1 << rank
        self.rows[mine + RANK_OF[origin] + 2] ^= 1 << FILE_OF[origin]
        self.cols[mine + FILE_OF[origin]] ^= 1 << RANK_OF[origin]
        self.side ^= 1

    @cython.final
    def unmake(self) -> None:
        """Take back the last ``make``."""
        ply: cython.int = self.ply - 1
        made: cython.int = self.past_moves[ply]
        state: cython.int = self.past_states[ply]
        origin: cython.int = made >> 7 & 127
        target: cython.int = made & 127
        taken: cython.int = made >> 16
        slot: cython.int = self.squares[target]
        mine: cython.int = slot & 16
        file: cython.int = FILE_OF[target]
        rank: cython.int = RANK_OF[target]
        self.ply = ply
        self.side ^= 1
        self.clock = self.past_clocks[ply]
        self.hash = self.past_keys[ply]
        self.kinds[slot] = state & 15
        self.dark[slot] = state >> 4 & 1
        self.shown[slot] = state >> 5 & 1
        self.truth[slot] = state >> 6
        self.squares[target] = taken
        self.squares[origin] = slot
        self.place[slot] = origin
        self.rows[mine + rank + 2] ^= 1 << file
        self.cols[mine + file] ^= 1 << rank
        self.rows[mine + RANK_OF[origin] + 2] ^= 1 << FILE_OF[origin]
        self.cols[mine + FILE_OF[origin]] ^= 1 << RANK_OF[origin]
        if taken != NO_SLOT:
            self.place[taken] = target
            self.rows[(mine ^ 16) + rank + 2] ^= 1 << file
            self.cols[(mine ^ 16) + file] ^= 1 << rank

    @cython.final
    def make_null(self) -> None:
        """Pass the turn; the clock runs on."""
        self.past_moves[self.ply] = NO_SLOT << 16
        self.past_clocks[self.ply] = self.clock
        self.past_keys[self.ply] = self.hash
        self.ply += 1
        self.clock += 1
        self.hash ^= ZOBRIST_TURN[0]
        self.side ^= 1

    @cython.final
    def unmake_null(self) -> None:
        """Take back ``make_null``."""
        self.ply -= 1
        self.side ^= 1
        self.clock = self.past_clocks[self.ply]
        self.hash = self.past_keys[self.ply]

    # -- attack

    @cython.final
    def exposed(self, color: cython.int, origin: cython.int, target: cython.int) -> cython.bint:
        """Whether ``color``'s king would stand attacked once the piece on ``origin`` had gone to ``target``.

        ``NOWHERE`` for both asks about the position as it is. Facing kings attack. Advisors and elephants attack
        wherever they stand: those that are bound never stand where they could reach the enemy's king.
        """
        enemy: cython.int = (color ^ 1) << 4
        king: cython.int = self.place[color << 4]
        slot: cython.int
        square: cython.int
        count: cython.int
        leg: cython.int
        kind: cython.int
        if king == origin:
            king = target
        file: cython.int = FILE_OF[king]
        rank: cython.int = RANK_OF[king]
        col: cython.int = self.cols[file] | self.cols[16 + file]
        row: cython.int = self.rows[rank + 2] | self.rows[18 + rank]
        if FILE_OF[origin] == file:
            col &= ~(1 << RANK_OF[origin])
        if RANK_OF[origin] == rank:
            row &= ~(1 << FILE_OF[origin])
        if FILE_OF[target] == file:
            col |= 1 << RANK_OF[target]
        if RANK_OF[target] == rank:
            row |= 1 << FILE_OF[target]
        for slot in range(enemy, enemy + 16):
            square = self.place[slot]
            if square in (NOWHERE, target):  # taken
                continue
            if square == origin:
                square = target
            kind = self.kinds[slot] & 7
            if kind in (ROOK, CANNON, KING):
                if FILE_OF[square] == file:
                    count = POP[col & BETWEEN[rank * 16 + RANK_OF[square]]]
                elif RANK_OF[square] == rank:
                    count = POP[row & BETWEEN[file * 16 + FILE_OF[square]]]
                else:
                    continue
                if count == (kind == CANNON):
                    return True
            elif kind == KNIGHT:
                leg = KNIGHT_LEG[king * 91 + square]
                if leg != NOWHERE and leg != target and (leg == origin or self.squares[leg] == NO_SLOT):
                    return True
            elif kind == PAWN:
                if square == king + (9 if enemy else -9):
                    return True
                if RANK_OF[square] == rank and (square == king - 1 or square == king + 1):
                    return True
            elif kind == ADVISOR:
                count = FILE_OF[square] - file
                leg = RANK_OF[square] - rank
                if count * count == 1 and leg * leg == 1:
                    return True
            else:  # an elephant
                count = FILE_OF[square] - file
                leg = RANK_OF[square] - rank
                if count * count == 4 and leg * leg == 4:
                    leg = (square + king) >> 1
                    if leg != target and (leg == origin or self.squares[leg] == NO_SLOT):
                        return True
        return False

    @cython.final
    def survey(self) -> cython.uint:
        """What endangers the king of the side to move: ``CHECKED``, ``HOLLOW``, and in bits 0-15 its shielding slots.

        Where neither flag is set, a move of any piece but the king and the shielding ones is legal.
        """
        mine: cython.int = self.side << 4
        enemy: cython.int = mine ^ 16
        king: cython.int = self.place[mine]
        file: cython.int = FILE_OF[king]
        rank: cython.int = RANK_OF[king]
        flags: cython.uint = 0
        slot: cython.int
        square: cython.int
        between: cython.int
        count: cython.int
        other: cython.int
        kind: cython.int
        col: cython.int = self.cols[file] | self.cols[16 + file]
        row: cython.int = self.rows[rank + 2] | self.rows[18 + rank]
        for slot in range(enemy, enemy + 16):
            square = self.place[slot]
            if square == NOWHERE:
                continue
            kind = self.kinds[slot] & 7
            if kind in (ROOK, CANNON, KING):
                if FILE_OF[square] == file:
                    between = col & BETWEEN[rank * 16 + RANK_OF[square]]
                elif RANK_OF[square] == rank:
                    between = row & BETWEEN[file * 16 + FILE_OF[square]]
                else:
                    continue
                count = POP[between]
                if kind == CANNON:
                    if count == 0:
                        flags |= HOLLOW
                        continue
                    count -= 1
                if count == 0:
                    flags |= CHECKED
                elif count == 1:
                    while between:
                        other = LOW[between]
                        between &= between - 1
                        if FILE_OF[square] == file:
                            other = self.squares[other * 9 + file]
                        else:
                            other = self.squares[rank * 9 + other]
                        if other & 16 == mine:
                            flags |= 1 << (other & 15)
                continue
            other = NOWHERE  # where a piece would stand in the way
            if kind == KNIGHT:
                other = KNIGHT_LEG[king * 91 + square]
            elif kind == PAWN:
                if square == king + (9 if enemy else -9) or (
                    RANK_OF[square] == rank and (square == king - 1 or square == king + 1)
                ):
                    flags |= CHECKED
            else:
                count = FILE_OF[square] - file
                between = RANK_OF[square] - rank
                if kind == ADVISOR:
                    if count * count == 1 and between * between == 1:
                        flags |= CHECKED
                elif count * count == 4 and between * between == 4:
                    other = (square + king) >> 1
            if other != NOWHERE:
                other = self.squares[other]
                if other == NO_SLOT:
                    flags |= CHECKED
                elif other & 16 == mine:
                    flags |= 1 << (other & 15)
        return flags

    @cython.final
    def legal(self, move: cython.int, flags: cython.uint) -> cython.bint:
        """Whether a pseudo-legal move is legal, given what ``survey`` told."""
        origin: cython.int = move >> 7 & 127
        slot: cython.int = self.squares[origin]
        if slot & 15 and not flags & (CHECKED | HOLLOW | 1 << (slot & 15)):
            return True
        return not self.exposed(self.side, origin, move & 127)

    @cython.final
    def row_of(self, slot: cython.int) -> cython.int:
        """The row of ``MOVES`` that a piece which steps goes by."""
        kind: cython.int = self.kinds[slot] & 7
        if kind == KING:
            return 0
        if kind == ADVISOR:
            return 6 if self.flags & (DARK_ADVISORS_FREE if self.dark[slot] else FREE_ADVISORS) else 1
        if kind == BISHOP:
            return 7 if self.flags & FREE_ELEPHANTS else 2
        if kind == KNIGHT:
            return 3
        return 4 + (slot >> 4)

    @cython.final
    def reaches(self, slot: cython.int, target: cython.int, taking: cython.bint) -> cython.bint:
        """Whether the piece in ``slot`` can go to ``target`` by its movement; ``taking`` tells a cannon to leap."""
        square: cython.int = self.place[slot]
        kind: cython.int = self.kinds[slot] & 7
        file: cython.int
        i: cython.int
        if square in (NOWHERE, target):
            return False
        if kind in (ROOK, CANNON):
            if FILE_OF[square] == FILE_OF[target]:
                file = FILE_OF[square]
                i = POP[(self.cols[file] | self.cols[16 + file]) & BETWEEN[RANK_OF[square] * 16 + RANK_OF[target]]]
            elif RANK_OF[square] == RANK_OF[target]:
                i = RANK_OF[square] + 2
                i = POP[(self.rows[i] | self.rows[16 + i]) & BETWEEN[FILE_OF[square] * 16 + FILE_OF[target]]]
            else:
                return False
            return i == (kind == CANNON and taking)
        square = self.row_of(slot) * 1530 + square * 17
        for i in range(square + 1, square + 1 + 2 * MOVES[square], 2):
            if MOVES[i] == target:
                return self.squares[MOVES[i + 1]] == NO_SLOT
        return False

    @cython.final
    def may_turn_down(self, slot: cython.int, target: cython.int) -> cython.bint:
        """Whether a piece that lands there may be turned down by the same move."""
        if self.dark[slot] or not self.turning >> (self.kinds[slot] & 7) & 1:
            return False
        return HOMES[target] > KING and (target >= 45) == (slot >> 4)

    # -- generation: moves are written to ``out`` (room for ``MOST_MOVES``) from index n on; the new n is returned

    @cython.final
    def piece_moves(self, slot: cython.int, out: cython.p_ushort, n: cython.int) -> cython.int:
        """Pseudo-legal moves of one piece; a move that may turn down stands there twice, plain first."""
        square: cython.int = self.place[slot]
        if square == NOWHERE:
            return n
        mine: cython.int = slot & 16
        kind: cython.int = self.kinds[slot] & 7
        start: cython.int = square << 7
        file: cython.int = FILE_OF[square]
        rank: cython.int = RANK_OF[square]
        begin: cython.int = n
        i: cython.int
        to: cython.int
        seen: cython.int
        enemy: cython.int
        occupied: cython.int
        if kind in (ROOK, CANNON):
            enemy = self.rows[(mine ^ 16) + rank + 2]
            occupied = self.rows[mine + rank + 2] | enemy
            seen = ROOK_ROW[file * 512 + occupied]
            if kind == ROOK:
                seen &= ~occupied | enemy
            else:
                seen = seen & ~occupied | CANNON_ROW[file * 512 + occupied] & enemy
            while seen:
                out[n] = start | (square - file + LOW[seen])
                n += 1
                seen &= seen - 1
            enemy = self.cols[(mine ^ 16) + file]
            occupied = self.cols[mine + file] | enemy
            seen = ROOK_COL[rank * 1024 + occupied]
            if kind == ROOK:
                seen &= ~occupied | enemy
            else:
                seen = seen & ~occupied | CANNON_COL[rank * 1024 + occupied] & enemy
            while seen:
                out[n] = start | (LOW[seen] * 9 + file)
                n += 1
                seen &= seen - 1
        else:  # a leg or eye that there is not is NOWHERE, always empty
            square = self.row_of(slot) * 1530 + square * 17
            for i in range(square + 1, square + 1 + 2 * MOVES[square], 2):
                to = MOVES[i]
                if (self.squares[to] ^ mine) & 48 and self.squares[MOVES[i + 1]] == NO_SLOT:
                    out[n] = start | to
                    n += 1
        if self.turning:
            occupied = n
            for i in range(begin, occupied):
                if self.may_turn_down(slot, out[i] & 127):
                    out[n] = out[i] | TURN_DOWN
                    n += 1
        return n

    @cython.final
    def generate_legal(self, out: cython.p_ushort) -> cython.int:
        """Legal moves of the side to move into ``out`` (room for ``MOST_MOVES``); returns how many."""
        flags: cython.uint = self.survey()
        n: cython.int = 0
        end: cython.int
        slot: cython.int
        first: cython.int = self.side << 4
        i: cython.int
        for slot in range(first, first + 16):
            end = self.piece_moves(slot, out, n)
            if slot & 15 and not flags & (CHECKED | HOLLOW | 1 << (slot & 15)):
                n = end
                continue
            for i in range(n, end):
                if not self.exposed(self.side, out[i] >> 7 & 127, out[i] & 127):
                    out[n] = out[i]
                    n += 1
        return n

    @cython.final
    def stuck(self) -> cython.bint:
        """Whether the side to move has no legal move."""
        moves = cython.declare(cython.ushort[256])
        flags: cython.uint = self.survey()
        slot: cython.int
        first: cython.int = self.side << 4
        i: cython.int
        for slot in range(first, first + 16):
            for i in range(self.piece_moves(slot, moves, 0)):
                if self.legal(moves[i], flags):
                    return False
        return True

    @cython.final
    def count_leaves(self, depth: cython.int) -> cython.ulonglong:
        """Leaf nodes of the legal-move tree, depth at least 1; all pieces must be known; ``reserve`` before."""
        moves = cython.declare(cython.ushort[256])
        count: cython.int = self.generate_legal(moves)
        if depth <= 1:
            return count
        total: cython.ulonglong = 0
        i: cython.int
        for i in range(count):
            self.make(moves[i])
            total += self.count_leaves(depth - 1)
            self.unmake()
        return total

    @cython.final
    def count_public(self, depth: cython.int, pool: cython.p_int) -> cython.ulonglong:
        """Leaf nodes as a spectator counts them: a move that shows something once for each kind in ``pool``.

        ``pool`` has how many of each piece (kind + 8 for Black) nobody has seen; pieces taken face down stay in it.
        """
        moves = cython.declare(cython.ushort[256])
        count: cython.int = self.generate_legal(moves)
        total: cython.ulonglong = 0
        i: cython.int
        piece: cython.int
        slot: cython.int
        truth: cython.int
        for i in range(count):
            slot = self.squares[moves[i] >> 7 & 127]
            if not self.dark[slot] or self.shown[slot]:
                if depth <= 1:
                    total += 1
                    continue
                self.make(moves[i])
                total += self.count_public(depth - 1, pool)
                self.unmake()
                continue
            truth = self.truth[slot]
            for piece in range((slot >> 1 & 8) + ADVISOR, (slot >> 1 & 8) + PAWN + 1):
                if pool[piece] == 0:
                    continue
                if depth <= 1:
                    total += 1
                    continue
                self.truth[slot] = piece
                pool[piece] -= 1
                self.make(moves[i])
                total += self.count_public(depth - 1, pool)
                self.unmake()
                pool[piece] += 1
            self.truth[slot] = truth
        return total
