"""In which order the search tries moves, and what exchanges on a square are worth.

The better the first moves, the smaller the tree: the table's move first, then captures that don't lose material (the
biggest victim first), moves that refuted neighbouring positions (killers, and the answer to the move just made), the
other moves by how often they were good before, and losing captures last. Moves come one at a time, so that lists are
made and sorted only as far as they are needed.
"""

from __future__ import annotations

from array import array

import cython

from engines.errors import IllegalMove
from engines.xiangqi.board import Board

if not cython.compiled:  # compiled, ordering.pxd declares or imports all of these in C
    from engines.xiangqi.evaluation import EXCHANGE
    from engines.xiangqi.geometry import (
        BETWEEN,
        FILE_OF,
        KNIGHT_LEG,
        NO_SLOT,
        NOWHERE,
        PIECE_OF,
        POP,
        RANK_OF,
        move_from,
        move_to,
    )
    from engines.xiangqi.pieces import ALL_MOVES, CAPTURES, QUIETS

    MAX_PLY, WIDTH = 128, 128
    ALL_KINDS, WINNING, FORCING = 0, 1, 2
    HASH, MAKE_CAPTURES, TAKE_CAPTURES, FIRST_KILLER, SECOND_KILLER, COUNTER = range(6)
    MAKE_QUIETS, TAKE_QUIETS, TAKE_BAD, MAKE_EVASIONS, TAKE_EVASIONS, DONE = range(6, 12)

    CHEAPEST = [0] * 16

for _i, _slot in enumerate((7, 8, 9, 10, 11, 12, 13, 14, 15, 5, 6, 3, 4, 1, 2, 0)):
    CHEAPEST[_i] = _slot


def exchange(board: Board, move: cython.int) -> cython.int:
    """Centipawns the mover wins or loses by the move when both then take on its target as long as it pays.

    Cheapest takers first. Pins are not seen, nor pieces that would open a leg or an eye for an elephant.
    """
    gains = cython.declare(cython.int[33])
    origin: cython.int = move_from(move)
    target: cython.int = move_to(move)
    file: cython.int = FILE_OF[target]
    rank: cython.int = RANK_OF[target]
    row: cython.int = board.rows[rank + 2] | board.rows[18 + rank]
    col: cython.int = board.cols[file] | board.cols[16 + file]
    slot: cython.int = board.squares[origin]
    gone: cython.uint = 0
    standing: cython.int  # worth of the piece now on the target
    side: cython.int = slot & 16
    depth: cython.int = 0
    found: cython.int
    i: cython.int
    square: cython.int
    count: cython.int
    leg: cython.int
    gains[0] = EXCHANGE[PIECE_OF[board.squares[target]] * 90 + target]
    while True:
        standing = EXCHANGE[PIECE_OF[slot] * 90 + target]
        gone |= cython.cast(cython.uint, 1) << slot
        square = board.place[slot]
        if FILE_OF[square] == file:
            col &= ~(1 << RANK_OF[square])
        if RANK_OF[square] == rank:
            row &= ~(1 << FILE_OF[square])
        side ^= 16
        found = -1
        for i in range(16):
            slot = side | CHEAPEST[i]
            square = board.place[slot]
            if square in (NOWHERE, target) or gone >> slot & 1:
                continue
            if 1 <= slot & 15 <= 4:
                if FILE_OF[square] == file:
                    count = POP[col & BETWEEN[rank * 16 + RANK_OF[square]]]
                elif RANK_OF[square] == rank:
                    count = POP[row & BETWEEN[file * 16 + FILE_OF[square]]]
                else:
                    continue
                if count != (slot & 15 > 2):
                    continue
            elif 5 <= slot & 15 <= 6:
                leg = KNIGHT_LEG[target * 91 + square]
                if leg == NOWHERE:
                    continue
                leg = board.squares[leg]
                if leg != NO_SLOT and not gone >> leg & 1:
                    continue
            else:
                count = square - target if square > target else target - square
                if slot & 15 < 12:  # general, soldiers
                    if count != 1 and count != 9:
                        continue
                elif slot & 15 < 14:
                    if count != 8 and count != 10:
                        continue
                elif count != 16 and count != 20:
                    continue
                if not board.reaches(slot, target, True):
                    continue
            found = slot
            break
        if found < 0:
            break
        depth += 1
        gains[depth] = standing - gains[depth - 1]
        slot = found
    while depth > 0:  # each side may also stop
        if -gains[depth] < gains[depth - 1]:
            gains[depth - 1] = -gains[depth]
        depth -= 1
    return gains[0]


@cython.final
@cython.cclass
class Ordering:
    """The pickers of all plies of one search tree, and its memory of good moves."""

    def __init__(self, board: Board) -> None:
        if not cython.compiled:
            self.moves, self.values = [0] * 16384, [0] * 16384
            self.stage, self.hash_move, self.at, self.end, self.bad = ([0] * 128 for _ in range(5))
            self.wanted, self.skip_quiets, self.context = [0] * 128, [False] * 128, [0] * 130
            self.killers, self.counters, self.history = [0] * 256, [0] * 1440, [0] * 1440
        self.board = board
        self.follow = array("h", [0]) * (1440 * 1440)
        self.forget()

    def forget(self) -> None:
        """A new game: nothing is known."""
        i: cython.int
        for i in range(256):
            self.killers[i] = 0
        for i in range(1440):
            self.counters[i] = 0
            self.history[i] = 0
        if cython.compiled:
            for i in range(1440 * 1440):
                self.follow[i] = 0
        else:
            self.follow = array("h", [0]) * (1440 * 1440)
        for i in range(130):
            self.context[i] = 0

    def relax(self) -> None:
        """A new search: old habits count for half, killers for nothing."""
        i: cython.int
        for i in range(256):
            self.killers[i] = 0
        for i in range(1440):
            self.history[i] = self.history[i] // 2

    def begin(self, ply: cython.int, hash_move: cython.int, check: cython.bint, wanted: cython.int) -> None:
        """Start picking at a ply. ``hash_move`` (0: none) must be legal; in check all moves come in one list.

        ``wanted``: ``ALL_KINDS`` of moves, ``WINNING`` captures alone, or ``FORCING``: those and quiet checks.
        """
        self.hash_move[ply] = hash_move
        self.wanted[ply] = wanted
        self.skip_quiets[ply] = False
        if hash_move:
            self.stage[ply] = HASH
        else:
            self.stage[ply] = MAKE_EVASIONS if check else MAKE_CAPTURES
        self.end[ply] = check

    def next(self, ply: cython.int) -> cython.int:
        """The next pseudo-legal move, 0 at the end. None comes twice."""
        stage: cython.int
        move: cython.int
        while True:
            stage = self.stage[ply]
            if stage == HASH:
                self.stage[ply] = MAKE_EVASIONS if self.end[ply] else MAKE_CAPTURES
                return self.hash_move[ply]
            if stage == MAKE_CAPTURES:
                self.list_captures(ply)
                self.stage[ply] = TAKE_CAPTURES
            elif stage == TAKE_CAPTURES:
                move = self.best(ply)
                if move == 0:
                    if self.wanted[ply] == FORCING:
                        self.list_quiets(ply)
                        self.keep_checks(ply)
                        self.stage[ply] = TAKE_EVASIONS
                    else:
                        self.stage[ply] = DONE if self.wanted[ply] == WINNING else FIRST_KILLER
                elif move != self.hash_move[ply]:
                    if self.values[self.at[ply] - 1] >= 0 or exchange(self.board, move) >= 0:
                        return move
                    if self.wanted[ply] == ALL_KINDS:
                        self.moves[self.bad[ply]] = move
                        self.bad[ply] += 1
            elif stage in (FIRST_KILLER, SECOND_KILLER, COUNTER):
                self.stage[ply] = stage + 1
                if self.skip_quiets[ply]:
                    continue
                if stage == COUNTER:
                    move = self.counters[self.context[ply + 1]]
                    if move == self.killers[2 * ply] or move == self.killers[2 * ply + 1]:
                        continue
                else:
                    move = self.killers[2 * ply + stage - FIRST_KILLER]
                if (
                    move
                    and move != self.hash_move[ply]
                    and self.board.squares[move_to(move)] == NO_SLOT
                    and self.board.pseudo_legal(move)
                ):
                    return move
            elif stage == MAKE_QUIETS:
                if not self.skip_quiets[ply]:
                    self.list_quiets(ply)
                self.stage[ply] = TAKE_QUIETS
            elif stage == TAKE_QUIETS:
                move = 0 if self.skip_quiets[ply] else self.best(ply)
                if move == 0:
                    self.stage[ply] = TAKE_BAD
                    self.at[ply] = ply * WIDTH
                elif not (
                    move == self.hash_move[ply]
                    or move == self.killers[2 * ply]
                    or move == self.killers[2 * ply + 1]
                    or move == self.counters[self.context[ply + 1]]
                ):
                    return move
            elif stage == TAKE_BAD:
                if self.at[ply] < self.bad[ply]:
                    self.at[ply] += 1
                    return self.moves[self.at[ply] - 1]
                self.stage[ply] = DONE
            elif stage == MAKE_EVASIONS:
                self.list_evasions(ply)
                self.stage[ply] = TAKE_EVASIONS
            elif stage == TAKE_EVASIONS:
                move = self.best(ply)
                if move == 0:
                    self.stage[ply] = DONE
                elif move != self.hash_move[ply]:
                    return move
            else:
                return 0

    def best(self, ply: cython.int) -> cython.int:
        """Take the move of the highest value out of the list; 0 when it is empty."""
        at: cython.int = self.at[ply]
        end: cython.int = self.end[ply]
        i: cython.int
        top: cython.int = at
        move: cython.int
        value: cython.int
        if at >= end:
            return 0
        for i in range(at + 1, end):
            if self.values[i] > self.values[top]:
                top = i
        move, value = self.moves[top], self.values[top]
        self.moves[top], self.values[top] = self.moves[at], self.values[at]
        self.moves[at], self.values[at] = move, value
        self.at[ply] = at + 1
        return move

    def list_captures(self, ply: cython.int) -> None:
        """List and value the captures; those that may lose material get a value below 0."""
        n: cython.int = ply * WIDTH
        first: cython.int = self.board.side << 4
        slot: cython.int
        i: cython.int
        move: cython.int
        victim: cython.int
        taker: cython.int
        self.at[ply] = self.bad[ply] = n
        for slot in range(first, first + 16):
            n = self.board.piece_moves(slot, self.moves, n, CAPTURES)
        self.end[ply] = n
        for i in range(ply * WIDTH, n):
            move = self.moves[i]
            victim = EXCHANGE[PIECE_OF[self.board.squares[move_to(move)]] * 90 + move_to(move)]
            taker = EXCHANGE[PIECE_OF[self.board.squares[move_from(move)]] * 90 + (move_from(move))]
            # Taking something as dear can't lose; of the others, what is taken back is seen when their turn comes.
            self.values[i] = 10 * victim - (taker >> 4) + (1000 if taker <= victim + 60 else -30000)

    def history_score(self, ply: cython.int, move: cython.int) -> cython.int:
        """How good a quiet move was so far."""
        index: cython.int = PIECE_OF[self.board.squares[move_from(move)]] * 90 + move_to(move)
        return (
            self.history[index]
            + self.follow[self.context[ply + 1] * 1440 + index]
            + self.follow[self.context[ply] * 1440 + index]
        )

    def list_quiets(self, ply: cython.int) -> None:
        """List the quiet moves behind the losing captures, and value them."""
        n: cython.int = self.bad[ply]
        first: cython.int = self.board.side << 4
        slot: cython.int
        i: cython.int
        self.at[ply] = n
        for slot in range(first, first + 16):
            n = self.board.piece_moves(slot, self.moves, n, QUIETS)
        self.end[ply] = n
        for i in range(self.at[ply], n):
            self.values[i] = self.history_score(ply, self.moves[i])

    def keep_checks(self, ply: cython.int) -> None:
        """Of the moves listed, keep those that give check."""
        n: cython.int = self.at[ply]
        i: cython.int
        for i in range(n, self.end[ply]):
            if self.board.checks(self.moves[i]):
                self.moves[n], self.values[n] = self.moves[i], self.values[i]
                n += 1
        self.end[ply] = n

    def list_evasions(self, ply: cython.int) -> None:
        """List and value all moves, for a side in check: most of them will be illegal."""
        n: cython.int = ply * WIDTH
        first: cython.int = self.board.side << 4
        slot: cython.int
        i: cython.int
        move: cython.int
        self.at[ply] = self.bad[ply] = n
        for slot in range(first, first + 16):
            n = self.board.piece_moves(slot, self.moves, n, ALL_MOVES)
        self.end[ply] = n
        for i in range(ply * WIDTH, n):
            move = self.moves[i]
            if self.board.squares[move_to(move)] != NO_SLOT:
                self.values[i] = (
                    100000
                    + 10 * EXCHANGE[PIECE_OF[self.board.squares[move_to(move)]] * 90 + move_to(move)]
                    - EXCHANGE[PIECE_OF[self.board.squares[move_from(move)]] * 90 + (move_from(move))]
                )
            elif move == self.killers[2 * ply]:
                self.values[i] = 50000
            else:
                self.values[i] = self.history_score(ply, move)

    def adjust(self, ply: cython.int, move: cython.int, bonus: cython.int) -> None:
        """Move the standing of a quiet move towards ±12000 by ``bonus``."""
        index: cython.int = PIECE_OF[self.board.squares[move_from(move)]] * 90 + move_to(move)
        size: cython.int = bonus if bonus > 0 else -bonus
        value: cython.int = self.history[index]
        at: cython.int
        follow: cython.int
        self.history[index] = value + bonus - value * size // 12000
        for at in range(ply, ply + 2):
            follow = self.context[at] * 1440 + index
            value = self.follow[follow]
            self.follow[follow] = value + bonus - value * size // 12000

    def reward(self, ply: cython.int, move: cython.int, depth: cython.int) -> None:
        """A quiet move caused a cut-off: remember it as killer, as answer, and in the histories."""
        bonus: cython.int = 16 * depth * depth + 32 * depth
        if bonus > 1600:
            bonus = 1600
        if self.killers[2 * ply] != move:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = move
        self.counters[self.context[ply + 1]] = move
        self.adjust(ply, move, bonus)


def exchange_value(board: Board, move: int) -> int:
    """``exchange`` for Python callers. ``IllegalMove`` for a move that is not legal."""
    reason = board.why_illegal(move)
    if reason is not None:
        raise IllegalMove(reason)
    return exchange(board, move)
