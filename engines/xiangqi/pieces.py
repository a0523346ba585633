"""The pieces on the board: where they stand, make and undo, attack and check, the moves they have, Zobrist key.

This is the part of the board that search, rules and perft work with: all of it is C when compiled, and runs without
the interpreter lock. ``board`` adds what Python callers use.

Squares, moves, pieces and slots are those of ``geometry``. ``place`` leads from slot to square and ``squares`` back;
each color's pieces also stand in a mask of every rank and file, so that a table says what a rook or cannon sees.

Legality without trying every move: ``survey`` finds, once a position, whether the king is attacked, whether a cannon
faces it with nothing between, and which own pieces shield it. Only those pieces' moves and the king's are then tested
one by one.
"""

from __future__ import annotations

from array import array

import cython

if not cython.compiled:  # compiled, pieces.pxd declares or imports all of these in C
    from engines.xiangqi.geometry import (
        BETWEEN,
        CANNON,
        CANNON_COL,
        CANNON_ROW,
        FILE_OF,
        KNIGHT,
        KNIGHT_LEG,
        KNIGHT_WIDE,
        LOW,
        NO_SLOT,
        NOWHERE,
        PIECE_OF,
        POP,
        RANK_OF,
        ROOK,
        ROOK_COL,
        ROOK_ROW,
        STEP_ROW,
        STEPS,
        ZOBRIST,
        ZOBRIST_TURN,
        move_from,
        move_in,
        move_of,
        move_to,
    )

    CAPTURES, QUIETS, ALL_MOVES = 1, 2, 3
    CHECKED, HOLLOW = 1 << 16, 1 << 17

_ROOM = 256  # plies of history that a new board has room for; it grows


@cython.cclass
class Pieces:
    """A position with the moves that led to it. It is made by ``clear`` or ``take_over``, not by its constructor.

    Every method is final, so that they call each other directly although ``Board`` extends the class. It has to be said
    here: Cython overlooks it in the .pxd of a .py.
    """

    @cython.final
    def clear(self) -> None:
        """An empty board without history, Red to move."""
        if not cython.compiled:
            self.squares, self.place = [0] * 91, [0] * 33
            self.rows, self.cols = [0] * 32, [0] * 32
        self.past_moves = array("i", bytes(4 * _ROOM))
        self.past_clocks = array("i", bytes(4 * _ROOM))
        self.past_keys = array("Q", bytes(8 * _ROOM))
        self.hash = 0
        self.ply = self.side = self.clock = 0
        for i in range(91):
            self.squares[i] = NO_SLOT
        for i in range(33):
            self.place[i] = NOWHERE
        for i in range(32):
            self.rows[i] = self.cols[i] = 0
        for rank in (0, 1, 12, 13):  # beyond the board every point is one's own: nothing moves there
            self.rows[rank] = self.rows[16 + rank] = 0x1FF

    @cython.final
    def take_over(self, other: Pieces) -> None:
        """The position and history of another."""
        if not cython.compiled:
            self.squares, self.place = [0] * 91, [0] * 33
            self.rows, self.cols = [0] * 32, [0] * 32
        i: cython.int
        for i in range(91):
            self.squares[i] = other.squares[i]
        for i in range(33):
            self.place[i] = other.place[i]
        for i in range(32):
            self.rows[i], self.cols[i] = other.rows[i], other.cols[i]
        self.hash, self.side, self.clock, self.ply = other.hash, other.side, other.clock, other.ply
        self.past_moves = array("i", bytes(other.past_moves))
        self.past_clocks = array("i", bytes(other.past_clocks))
        self.past_keys = array("Q", bytes(other.past_keys))

    @cython.final
    def add(self, slot: cython.int, square: cython.int) -> None:
        """Put a piece that is off the board on an empty square."""
        color: cython.int = slot >> 4
        self.squares[square] = slot
        self.place[slot] = square
        self.rows[color * 16 + RANK_OF[square] + 2] |= 1 << FILE_OF[square]
        self.cols[color * 16 + FILE_OF[square]] |= 1 << RANK_OF[square]
        self.hash ^= ZOBRIST[PIECE_OF[slot] * 90 + square]

    # -- making and unmaking: no test, no room check; ``reserve`` first

    @cython.final
    def reserve(self, plies: cython.int) -> None:
        """Make room for so many more plies; ``make`` itself never checks."""
        room: cython.int = len(self.past_keys)
        if self.ply + plies < room:
            return
        more = bytes(8 * (self.ply + plies + _ROOM - room))
        self.past_moves = array("i", bytes(self.past_moves) + more[::2])
        self.past_clocks = array("i", bytes(self.past_clocks) + more[::2])
        self.past_keys = array("Q", bytes(self.past_keys) + more)

    @cython.final
    def make(self, move: cython.int) -> None:
        """Make a pseudo-legal move."""
        origin: cython.int = move_from(move)
        target: cython.int = move_to(move)
        slot: cython.int = self.squares[origin]
        taken: cython.int = self.squares[target]
        mine: cython.int = slot & 16
        base: cython.int = PIECE_OF[slot] * 90
        ply: cython.int = self.ply
        file: cython.int = FILE_OF[target]
        rank: cython.int = RANK_OF[target]
        self.past_moves[ply] = move | taken << 14
        self.past_clocks[ply] = self.clock
        self.past_keys[ply] = self.hash
        self.ply = ply + 1
        self.clock += 1
        if taken != NO_SLOT:
            self.place[taken] = NOWHERE
            self.rows[(mine ^ 16) + rank + 2] ^= 1 << file
            self.cols[(mine ^ 16) + file] ^= 1 << rank
            self.hash ^= ZOBRIST[PIECE_OF[taken] * 90 + target]
            self.clock = 0
        self.squares[origin] = NO_SLOT
        self.squares[target] = slot
        self.place[slot] = target
        self.rows[mine + rank + 2] ^= 1 << file
        self.cols[mine + file] ^= 1 << rank
        self.rows[mine + RANK_OF[origin] + 2] ^= 1 << FILE_OF[origin]
        self.cols[mine + FILE_OF[origin]] ^= 1 << RANK_OF[origin]
        self.hash ^= ZOBRIST[base + origin] ^ ZOBRIST[base + target] ^ ZOBRIST_TURN[0]
        self.side ^= 1

    @cython.final
    def unmake(self) -> None:
        """Take back the last ``make``."""
        ply: cython.int = self.ply - 1
        made: cython.int = self.past_moves[ply]
        origin: cython.int = move_from(move_in(made))
        target: cython.int = move_to(made)
        taken: cython.int = made >> 14
        slot: cython.int = self.squares[target]
        mine: cython.int = slot & 16
        file: cython.int = FILE_OF[target]
        rank: cython.int = RANK_OF[target]
        self.ply = ply
        self.side ^= 1
        self.clock = self.past_clocks[ply]
        self.hash = self.past_keys[ply]
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
        """Pass the turn (for a search); the clock runs on."""
        self.past_moves[self.ply] = NO_SLOT << 14
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

        Either side's move may be asked about; ``NOWHERE`` for both asks about the position as it is. Facing kings
        attack.
        """
        enemy: cython.int = (color ^ 1) << 4
        king: cython.int = self.place[color << 4]
        slot: cython.int
        square: cython.int
        count: cython.int
        leg: cython.int
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
        for slot in range(enemy, enemy + 5):  # king and rooks with nothing between, cannons with one piece
            square = self.place[slot]
            if square == target:  # taken
                continue
            if square == origin:
                square = target
            if FILE_OF[square] == file:
                count = POP[col & BETWEEN[rank * 16 + RANK_OF[square]]]
            elif RANK_OF[square] == rank:
                count = POP[row & BETWEEN[file * 16 + FILE_OF[square]]]
            else:
                continue
            if count == (slot > enemy + 2):
                return True
        for slot in range(enemy + 5, enemy + 7):
            square = self.place[slot]
            if square == target:
                continue
            if square == origin:
                square = target
            leg = KNIGHT_LEG[king * 91 + square]
            if leg != NOWHERE and leg != target and (leg == origin or self.squares[leg] == NO_SLOT):
                return True
        for slot in range(enemy + 7, enemy + 12):
            square = self.place[slot]
            if square == target:
                continue
            if square == origin:
                square = target
            if square == king - 1 or square == king + 1 or square == king + (9 if enemy else -9):
                return True
        return False

    @cython.final
    def checked(self) -> cython.bint:
        """Whether the side to move is in check."""
        return self.exposed(self.side, NOWHERE, NOWHERE)

    @cython.final
    def checks(self, move: cython.int) -> cython.bint:
        """Whether a pseudo-legal move gives check."""
        origin: cython.int = move_from(move)
        target: cython.int = move_to(move)
        king: cython.int = self.place[(self.side ^ 1) << 4]
        file: cython.int = FILE_OF[king]
        rank: cython.int = RANK_OF[king]
        if (
            FILE_OF[origin] != file
            and RANK_OF[origin] != rank
            and FILE_OF[target] != file
            and RANK_OF[target] != rank
            and (KNIGHT_LEG[king * 91 + target] == NOWHERE or PIECE_OF[self.squares[origin]] & 7 != KNIGHT)
        ):
            # Off the king's lines only a horse attacks, by arriving, or when the piece on its leg has gone.
            file -= FILE_OF[origin]
            rank -= RANK_OF[origin]
            if file * file != 1 or rank * rank != 1:
                return False
        return self.exposed(self.side ^ 1, origin, target)

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
        col: cython.int = self.cols[file] | self.cols[16 + file]
        row: cython.int = self.rows[rank + 2] | self.rows[18 + rank]
        for slot in range(enemy, enemy + 5):
            square = self.place[slot]
            if FILE_OF[square] == file:
                between = col & BETWEEN[rank * 16 + RANK_OF[square]]
                count = POP[between]
            elif RANK_OF[square] == rank:
                between = row & BETWEEN[file * 16 + FILE_OF[square]]
                count = POP[between]
            else:
                continue
            if slot > enemy + 2:  # a cannon
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
        for slot in range(enemy + 5, enemy + 7):
            square = KNIGHT_LEG[king * 91 + self.place[slot]]
            if square != NOWHERE:
                other = self.squares[square]
                if other == NO_SLOT:
                    flags |= CHECKED
                elif other & 16 == mine:
                    flags |= 1 << (other & 15)
        for slot in range(enemy + 7, enemy + 12):
            square = self.place[slot]
            if square == king - 1 or square == king + 1 or square == king + (9 if enemy else -9):
                flags |= CHECKED
        return flags

    @cython.final
    def legal(self, move: cython.int, flags: cython.uint) -> cython.bint:
        """Whether a pseudo-legal move is legal, given what ``survey`` told."""
        slot: cython.int = self.squares[move_from(move)]
        if slot & 15 and not flags & (CHECKED | HOLLOW | 1 << (slot & 15)):
            return True
        return not self.exposed(self.side, move_from(move), move_to(move))

    @cython.final
    def reaches(self, slot: cython.int, target: cython.int, taking: cython.bint) -> cython.bint:
        """Whether the piece in ``slot`` can go to ``target`` by its own movement.

        Who stands there, and what becomes of the king, is not asked. ``taking``
        tells a cannon to look for its screen; for all others it makes no difference.
        """
        square: cython.int = self.place[slot]
        kind: cython.int = PIECE_OF[slot] & 7
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
        if kind == KNIGHT:
            i = KNIGHT_LEG[target * 91 + square]
            return i != NOWHERE and self.squares[i] == NO_SLOT
        square = STEP_ROW[slot] + square * 17
        for i in range(square + 1, square + 1 + 2 * STEPS[square], 2):
            if STEPS[i] == target:
                return self.squares[STEPS[i + 1]] == NO_SLOT
        return False

    @cython.final
    def pseudo_legal(self, move: cython.int) -> cython.bint:
        """Whether the move is one of a piece of the side to move, leaving aside the king's safety. Any int will do."""
        origin: cython.int = move_from(move)
        target: cython.int = move_to(move)
        if move <= 0 or origin >= 90 or target >= 90:
            return False
        slot: cython.int = self.squares[origin]
        taken: cython.int = self.squares[target]
        if slot >> 4 != self.side or taken >> 4 == self.side:
            return False
        return self.reaches(slot, target, taken != NO_SLOT)

    @cython.final
    def attackers(self, square: cython.int, color: cython.int) -> cython.uint:
        """The slots of ``color`` that could take something on ``square``, as bits 0-15.

        By movement alone: a friend may stand there (it is protected), and the takers' own king is not asked after.
        """
        found: cython.uint = 0
        slot: cython.int
        for slot in range(16):
            if self.reaches((color << 4) + slot, square, True):
                found |= 1 << slot
        return found

    # -- generation: pseudo-legal moves are written to ``out`` (room for 128) from index n on; the new n is returned

    @cython.final
    def piece_moves(self, slot: cython.int, out: cython.p_ushort, n: cython.int, wanted: cython.int) -> cython.int:
        """Pseudo-legal moves of one piece: ``CAPTURES``, ``QUIETS`` or ``ALL_MOVES``."""
        square: cython.int = self.place[slot]
        if square == NOWHERE:
            return n
        mine: cython.int = slot & 16
        kind: cython.int = PIECE_OF[slot] & 7
        start: cython.int = move_of(square, 0)
        file: cython.int = FILE_OF[square]
        rank: cython.int = RANK_OF[square]
        i: cython.int
        to: cython.int
        seen: cython.int
        enemy: cython.int
        occupied: cython.int
        allowed: cython.int = 4 if wanted & QUIETS else 0  # bit 0: Red's, 1: Black's, 2: an empty point may be gone to
        if wanted & CAPTURES:
            allowed |= 1 if mine else 2
        if kind in (ROOK, CANNON):
            enemy = self.rows[(mine ^ 16) + rank + 2]
            occupied = self.rows[mine + rank + 2] | enemy
            seen = ROOK_ROW[file * 512 + occupied] & ~occupied if wanted & QUIETS else 0
            if wanted & CAPTURES:
                if kind == ROOK:
                    seen |= ROOK_ROW[file * 512 + occupied] & enemy
                else:
                    seen |= CANNON_ROW[file * 512 + occupied] & enemy
            while seen:
                out[n] = start | (square - file + LOW[seen])
                n += 1
                seen &= seen - 1
            enemy = self.cols[(mine ^ 16) + file]
            occupied = self.cols[mine + file] | enemy
            seen = ROOK_COL[rank * 1024 + occupied] & ~occupied if wanted & QUIETS else 0
            if wanted & CAPTURES:
                if kind == ROOK:
                    seen |= ROOK_COL[rank * 1024 + occupied] & enemy
                else:
                    seen |= CANNON_COL[rank * 1024 + occupied] & enemy
            while seen:
                out[n] = start | (LOW[seen] * 9 + file)
                n += 1
                seen &= seen - 1
        else:  # a leg or eye that there is not is NOWHERE, always empty
            square = STEP_ROW[slot] + square * 17
            for i in range(square + 1, square + 1 + 2 * STEPS[square], 2):
                to = STEPS[i]
                if allowed >> (self.squares[to] >> 4) & 1 and self.squares[STEPS[i + 1]] == NO_SLOT:
                    out[n] = start | to
                    n += 1
        return n

    @cython.final
    def generate(self, out: cython.p_ushort, wanted: cython.int) -> cython.int:
        """Pseudo-legal moves of the side to move into ``out`` (room for 128); returns how many."""
        n: cython.int = 0
        slot: cython.int
        first: cython.int = self.side << 4
        for slot in range(first, first + 16):
            n = self.piece_moves(slot, out, n, wanted)
        return n

    @cython.final
    def generate_legal(self, out: cython.p_ushort, wanted: cython.int) -> cython.int:
        """Legal moves of the side to move into ``out`` (room for 128); returns how many."""
        flags: cython.uint = self.survey()
        count: cython.int = self.generate(out, wanted)
        n: cython.int = 0
        i: cython.int
        for i in range(count):
            if self.legal(out[i], flags):
                out[n] = out[i]
                n += 1
        return n

    @cython.final
    def stuck(self) -> cython.bint:
        """Whether the side to move has no legal move."""
        moves = cython.declare(cython.ushort[128])
        flags: cython.uint = self.survey()
        slot: cython.int
        first: cython.int = self.side << 4
        i: cython.int
        for slot in range(first, first + 16):
            for i in range(self.piece_moves(slot, moves, 0, ALL_MOVES)):
                if self.legal(moves[i], flags):
                    return False
        return True

    @cython.final
    def count_legal(self) -> cython.int:
        """How many legal moves there are, mostly by counting bits instead of listing moves."""
        moves = cython.declare(cython.ushort[128])
        flags: cython.uint = self.survey()
        if flags & (CHECKED | HOLLOW):
            return self.generate_legal(moves, ALL_MOVES)
        mine: cython.int = self.side << 4
        total: cython.int = 0
        slot: cython.int
        square: cython.int
        file: cython.int
        rank: cython.int
        own: cython.int
        enemy: cython.int
        near: cython.int
        free: cython.int
        i: cython.int
        flags |= 1  # the king's own moves are tested one by one
        for slot in range(mine, mine + 16):
            square = self.place[slot]
            if square == NOWHERE:
                continue
            if flags >> (slot & 15) & 1:
                for i in range(self.piece_moves(slot, moves, 0, ALL_MOVES)):
                    total += not self.exposed(self.side, square, move_to(moves[i]))
            elif slot & 15 <= 4:  # rook or cannon
                file, rank = FILE_OF[square], RANK_OF[square]
                own = self.rows[mine + rank + 2]
                enemy = self.rows[(mine ^ 16) + rank + 2]
                i = file * 512 + (own | enemy)
                if slot & 15 <= 2:
                    total += POP[ROOK_ROW[i] & ~own]
                else:
                    total += POP[ROOK_ROW[i] & ~(own | enemy) | CANNON_ROW[i] & enemy]
                own = self.cols[mine + file]
                enemy = self.cols[(mine ^ 16) + file]
                i = rank * 1024 + (own | enemy)
                if slot & 15 <= 2:
                    total += POP[ROOK_COL[i] & ~own]
                else:
                    total += POP[ROOK_COL[i] & ~(own | enemy) | CANNON_COL[i] & enemy]
            elif slot & 15 <= 6:  # knight
                file, rank = FILE_OF[square], RANK_OF[square]
                i = mine + rank + 2
                near = (self.rows[i] | self.rows[i ^ 16]) << 1 >> file & 5
                near = KNIGHT_WIDE[file * 8 + near]
                total += POP[near & ~self.rows[i + 1]] + POP[near & ~self.rows[i - 1]]
                near = 5 << file >> 1 & 0x1FF
                free = ~((self.cols[file] | self.cols[16 + file]) << 1 >> rank)
                if free & 4:
                    total += POP[near & ~self.rows[i + 2]]
                if free & 1:
                    total += POP[near & ~self.rows[i - 2]]
            else:
                total = self.piece_moves(slot, moves, total, ALL_MOVES)
        return total

    @cython.final
    def count_leaves(self, depth: cython.int) -> cython.ulonglong:
        """Leaf nodes of the legal-move tree, depth at least 1; ``reserve`` before."""
        if depth <= 1:
            return self.count_legal()
        moves = cython.declare(cython.ushort[128])
        count: cython.int = self.generate_legal(moves, ALL_MOVES)
        total: cython.ulonglong = 0
        i: cython.int
        for i in range(count):
            self.make(moves[i])
            total += self.count_leaves(depth - 1)
            self.unmake()
        return total
