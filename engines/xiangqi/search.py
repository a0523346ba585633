"""The tree search: principal-variation alpha-beta over the moves of a position, compiled and without the interpreter lock.

``Searcher`` owns a copy of the board and everything one thread needs; several of them may share a transposition table.
It goes one iteration deeper each time ``iterate`` is called and knows no clock: whoever drives it (``player``) decides
when to stop, and may set ``halt`` from another thread at any time.

Scores are centipawns for the side to move. A mate in n plies is ``MATE - n``; a game won because the other side repeats what
the rules forbid is ``RULE_WIN - n``, less than any mate and more than any material. Having no move loses, in check or not.
"""

from __future__ import annotations

from array import array
from collections.abc import Container
from math import log
from time import sleep

import cython

from engines.xiangqi.ordering import Ordering

if not cython.compiled:  # compiled, search.pxd declares or imports all of these in C
    from engines.xiangqi.board import CHECKED, Board
    from engines.xiangqi.cycle import AXF_RULES, CHECK_ONLY_RULES, NO_RULES, ROOM, judge
    from engines.xiangqi.evaluation import EXCHANGE, PIECE_SQUARE, evaluate
    from engines.xiangqi.geometry import NO_SLOT, PIECE_OF
    from engines.xiangqi.ordering import MAX_PLY, TAKE_BAD, exchange
    from engines.xiangqi.table import EXACT, LOWER, UPPER, Table

    MATE, MATE_BOUND, RULE_WIN, RULE_BOUND, INFINITE, UNDECIDED = 30000, 29000, 20000, 19000, 32000, 32500
    CHECK_TALLY = 10


@cython.final
@cython.cclass
class Searcher:
    """One thread's search."""

    def __init__(self, board: Board, table: Table) -> None:
        """Search positions of the game on ``board``, which is copied."""
        if not cython.compiled:
            self.seen, self.statics, self.reductions = [0] * 4096, [0] * 130, [0] * 4096
            self.root_moves, self.root_scores = [0] * 128, [0] * 128
            self.lines, self.line_length = [0] * 16384, [0] * 130
            self.root_lines, self.root_lengths = [0] * 16384, [0] * 128
        self.board = board.copy()
        self.table = table
        self.order = Ordering(self.board)
        self.pruning = self.knowledge = 3
        self.contempt = 0
        self.natural_limit = 120
        self.discount = False
        self.rules = AXF_RULES
        self.idle = 0
        for depth in range(1, 64):
            for count in range(1, 64):
                self.reductions[depth * 64 + count] = int(0.6 + log(depth) * log(count) / 2.1)
        self.nodes = self.node_limit = 0
        self.halt = False
        self.set_position(board)

    def set_position(self, board: Board) -> None:
        """Take over a position with its history."""
        self.board = board.copy()
        self.order.board = self.board
        moves = self.board.history
        size = len(moves) + MAX_PLY + 8
        self.board.reserve(MAX_PLY + ROOM)
        for _ in moves:
            self.board.undo()
        self.scores, self.counted = array("i", bytes(4 * size)), array("i", bytes(4 * size))
        self.tally, self.checks = array("i", bytes(4 * size)), array("B", bytes(size))
        for i in range(4096):
            self.seen[i] = 0
        base: cython.int = 0 if self.knowledge else 1440
        total: cython.int = 0
        for slot in range(32):
            square = self.board.place[slot]
            if square < 90:
                total += PIECE_SQUARE[base + PIECE_OF[slot] * 90 + square]
        self.scores[0] = total
        self.counted[0] = self.board.clock
        self.checks[0] = self.board.checked()
        self.barrier = 0
        for move in moves:
            self.push(move, self.board.checks(move))
        self.root_ply, self.root_side = self.board.ply, self.board.side
        legal = self.board.legal_moves()
        self.root_count = len(legal)
        for i, move in enumerate(legal):
            self.root_moves[i] = move
            self.root_scores[i] = -INFINITE
            self.root_lines[i * 128] = move
            self.root_lengths[i] = 1
        self.root_depth = self.seldepth = 0
        self.nodes = 0
        self.halt = False

    def restrict(self, moves: Container[int], allow: bool) -> None:
        """Leave these moves out at the root, or with ``allow`` all others."""
        kept = [self.root_moves[i] for i in range(self.root_count) if (self.root_moves[i] in moves) == allow]
        self.root_count = len(kept)
        for i, move in enumerate(kept):
            self.root_moves[i] = self.root_lines[i * 128] = move

    def forget(self) -> None:
        """A new game begins."""
        self.order.forget()

    # -- making moves

    def push(self, move: cython.int, check: cython.bint) -> None:
        """Make a legal move, which gives check or not, and keep the books."""
        n: cython.int = self.board.ply
        base: cython.int = 0 if self.knowledge else 1440
        origin: cython.int = move >> 7
        target: cython.int = move & 127
        piece: cython.int = PIECE_OF[self.board.squares[origin]] * 90 + base
        taken: cython.int = self.board.squares[target]
        score: cython.int = self.scores[n] + PIECE_SQUARE[piece + target] - PIECE_SQUARE[piece + origin]
        if taken != NO_SLOT:
            score -= PIECE_SQUARE[base + PIECE_OF[taken] * 90 + target]
        self.scores[n + 1] = score
        self.seen[self.board.hash & 4095] += 1
        self.count_ply(n, taken != NO_SLOT, check)
        self.board.make(move)
        self.checks[n + 1] = check

    def count_ply(self, n: cython.int, capture: cython.bint, check: cython.bint) -> None:
        """The natural limit's count after the move at ply n."""
        tally: cython.int = self.tally[n]
        mine: cython.int = 16 * self.board.side
        if capture:
            self.counted[n + 1] = self.tally[n + 1] = 0
            return
        if check:
            tally += 1 << mine
        self.tally[n + 1] = tally
        if self.discount and (
            (check and (tally >> mine & 0xFFFF) > CHECK_TALLY)
            or (self.checks[n] and (tally >> (16 - mine) & 0xFFFF) > CHECK_TALLY)
        ):
            self.counted[n + 1] = self.counted[n]
        else:
            self.counted[n + 1] = self.counted[n] + 1

    def pop(self) -> None:
        """Take back the last ``push``."""
        self.board.unmake()
        self.seen[self.board.hash & 4095] -= 1

    def rest(self) -> None:
        """Leave the processor to others for a while."""
        with cython.gil:
            sleep(0.0005 * self.idle * self.idle)

    # -- rules

    def draw(self) -> cython.int:
        """The worth of a draw for the side to move."""
        return -self.contempt if self.board.side == self.root_side else self.contempt

    def verdict(self, ply: cython.int) -> cython.int:
        """The score when the rules end the game here, or ``UNDECIDED``."""
        n: cython.int = self.board.ply
        i: cython.int
        first: cython.int
        latest: cython.int = -1
        if self.natural_limit and self.counted[n] >= self.natural_limit:
            if self.checks[n] and self.board.stuck():
                return ply - MATE
            return self.draw()
        if self.seen[self.board.hash & 4095] == 0:
            return UNDECIDED
        first = n - self.board.clock
        if first < self.barrier:
            first = self.barrier
        i = n - 4
        while i >= first:
            if self.board.past_keys[i] == self.board.hash:
                # Once more within the search is as good as for ever; before it the game has to reach the third time.
                if latest >= 0 or i > self.root_ply:
                    return self.judge_cycle(n - (latest if latest >= 0 else i), ply)
                latest = i
            i -= 2
        return UNDECIDED

    def judge_cycle(self, length: cython.int, ply: cython.int) -> cython.int:
        """The score when the last ``length`` plies are a cycle that would go on."""
        n: cython.int = self.board.ply
        theirs: cython.bint = True
        mine: cython.bint = True
        i: cython.int
        if self.rules == NO_RULES:
            return self.draw()
        for i in range(n - length + 2, n + 1, 2):
            theirs = theirs and self.checks[i]  # positions that the other side moved to
            mine = mine and self.checks[i - 1]
        if theirs == mine and not mine and self.rules != CHECK_ONLY_RULES:
            i = judge(self.board, length, self.rules)
            theirs, mine = i == self.board.side ^ 1, i == self.board.side
        if theirs == mine:
            return self.draw()
        return RULE_WIN - ply if theirs else ply - RULE_WIN

    # -- the tree

    def extend_line(self, ply: cython.int, move: cython.int) -> None:
        """The best line from a ply is the move and the best line from the next."""
        i: cython.int
        n: cython.int = self.line_length[ply + 1]
        if n > MAX_PLY - 1:
            n = MAX_PLY - 1
        self.lines[ply * 128] = move
        for i in range(n):
            self.lines[ply * 128 + 1 + i] = self.lines[ply * 128 + 128 + i]
        self.line_length[ply] = n + 1

    def quiesce(self, alpha: cython.int, beta: cython.int, ply: cython.int) -> cython.int:
        """Search captures (in check: everything) until the position is quiet."""
        best: cython.int
        score: cython.int
        static: cython.int = 0
        move: cython.int
        hash_move: cython.int = 0
        data: cython.ulonglong
        bound: cython.int
        flags: cython.uint
        check: cython.bint = self.checks[self.board.ply]
        count: cython.int = 0
        start: cython.int = alpha
        best_move: cython.int = 0
        gain: cython.int
        self.nodes += 1
        self.line_length[ply] = 0
        if self.nodes >= self.node_limit:
            self.halt = True
        if self.idle and self.nodes & 1023 == 0:
            self.rest()
        if self.halt:
            return 0
        if ply > self.seldepth:
            self.seldepth = ply
        score = self.verdict(ply)
        if score != UNDECIDED:
            return score
        if ply >= MAX_PLY - 1:
            return evaluate(self.board, self.scores[self.board.ply], self.knowledge)
        data = self.table.find(self.board.hash)
        if data:
            score = cython.cast(cython.int, data >> 32 & 0xFFFF) - 32768
            if score > MATE_BOUND:
                score -= ply
            elif score < -MATE_BOUND:
                score += ply
            bound = data >> 14 & 3
            if beta - alpha == 1 and (bound == EXACT or bound == (LOWER if score >= beta else UPPER)):
                return score
            hash_move = data & 0x3FFF
            if hash_move and not check and self.board.squares[hash_move & 127] == NO_SLOT:
                hash_move = 0
            static = cython.cast(cython.int, data >> 48) - 32768
        if check:
            best = ply - MATE
        else:
            if not data:
                static = evaluate(self.board, self.scores[self.board.ply], self.knowledge)
            best = static
            if best >= beta:
                return best
            if best > alpha:
                alpha = best
        flags = self.board.survey()
        if hash_move and not (self.board.pseudo_legal(hash_move) and self.board.legal(hash_move, flags)):
            hash_move = 0
        self.order.begin(ply, hash_move, check, not check)
        while True:
            move = self.order.next(ply)
            if move == 0:
                break
            if not self.board.legal(move, flags):
                continue
            count += 1
            if not check:
                gain = EXCHANGE[PIECE_OF[self.board.squares[move & 127]] * 90 + (move & 127)]
                if static + gain + 150 <= alpha and beta - alpha == 1:
                    if static + gain + 150 > best:
                        best = static + gain + 150
                    continue
            self.push(move, self.board.checks(move))
            score = -self.quiesce(-beta, -alpha, ply + 1)
            self.pop()
            if self.halt:
                return 0
            if score > best:
                best = score
                if score > alpha:
                    best_move = move
                    if beta - start > 1:
                        self.extend_line(ply, move)
                    if score >= beta:
                        break
                    alpha = score
        if not RULE_BOUND < (best if best > 0 else -best) < MATE_BOUND:
            score = best
            if score > MATE_BOUND:
                score += ply
            elif score < -MATE_BOUND:
                score -= ply
            self.table.store(
                self.board.hash, best_move, score, static, 0, LOWER if best >= beta else (EXACT if best > start else UPPER)
            )
        return best

    def node(
        self,
        depth: cython.int,
        alpha: cython.int,
        beta: cython.int,
        ply: cython.int,
        cut: cython.bint,
        excluded: cython.int,
    ) -> cython.int:
        """Search a position ``depth`` plies deep within (alpha, beta). ``cut``: a move better than beta is expected.

        ``excluded`` is a move left out, to see whether it is the only good one.
        """
        if depth <= 0:
            return self.quiesce(alpha, beta, ply)
        wide: cython.bint = beta - alpha > 1
        start: cython.int = alpha
        best: cython.int = -INFINITE
        score: cython.int
        static: cython.int = 0
        move: cython.int
        best_move: cython.int = 0
        hash_move: cython.int = 0
        hash_score: cython.int = 0
        hash_depth: cython.int = 0
        data: cython.ulonglong = 0
        bound: cython.int = 0
        flags: cython.uint
        check: cython.bint = self.checks[self.board.ply]
        improving: cython.bint
        quiet: cython.bint
        gives: cython.bint
        count: cython.int = 0
        tried: cython.int = 0
        reduction: cython.int
        extension: cython.int
        new_depth: cython.int
        barrier: cython.int
        i: cython.int
        quiets = cython.declare(cython.int[64])
        self.nodes += 1
        self.line_length[ply] = 0
        if self.nodes >= self.node_limit:
            self.halt = True
        if self.idle and self.nodes & 1023 == 0:
            self.rest()
        if self.halt:
            return 0
        if ply > self.seldepth:
            self.seldepth = ply
        if not excluded:
            score = self.verdict(ply)
            if score != UNDECIDED:
                return score
            if ply >= MAX_PLY - 1:
                return evaluate(self.board, self.scores[self.board.ply], self.knowledge)
            if alpha < ply - MATE:  # no mate can be nearer than this
                alpha = ply - MATE
            if beta > MATE - ply - 1:
                beta = MATE - ply - 1
            if alpha >= beta:
                return alpha
            data = self.table.find(self.board.hash)
        if data:
            hash_score = cython.cast(cython.int, data >> 32 & 0xFFFF) - 32768
            if hash_score > MATE_BOUND:
                hash_score -= ply
            elif hash_score < -MATE_BOUND:
                hash_score += ply
            bound = data >> 14 & 3
            hash_depth = data >> 16 & 255
            if (
                not wide
                and hash_depth >= depth
                and (bound == EXACT or bound == (LOWER if hash_score >= beta else UPPER))
                and (self.natural_limit == 0 or self.counted[self.board.ply] < self.natural_limit - 20)
            ):
                return hash_score
            hash_move = data & 0x3FFF
            static = cython.cast(cython.int, data >> 48) - 32768
        flags = self.board.survey()
        if hash_move and not (self.board.pseudo_legal(hash_move) and self.board.legal(hash_move, flags)):
            hash_move = 0
        if check:
            static = self.statics[ply - 2] if ply > 1 else 0
        elif not data:
            static = evaluate(self.board, self.scores[self.board.ply], self.knowledge)
        self.statics[ply] = static
        improving = not check and ply > 1 and static > self.statics[ply - 2]

        if not wide and not check and not excluded and beta > -RULE_BOUND and beta < RULE_BOUND:
            # Far enough above beta, a shallow search won't fall below it.
            if self.pruning >= 3 and depth <= 7 and static - 80 * (depth - improving) >= beta:
                return static
            if self.pruning >= 3 and depth <= 2 and static + 250 * depth <= alpha:
                score = self.quiesce(alpha, beta, ply)
                if score <= alpha:
                    return score
            # If even passing is good enough, so is a move; but where few pieces are left, passing may be best.
            if (
                self.pruning >= 1
                and depth >= 2
                and static >= beta
                and self.barrier != self.board.ply
                and self.can_pass(self.board.side)
            ):
                reduction = 3 + depth // 4
                i = (static - beta) // 200
                reduction += i if i < 3 else 3
                barrier = self.barrier
                self.scores[self.board.ply + 1] = self.scores[self.board.ply]
                self.counted[self.board.ply + 1] = self.counted[self.board.ply] + 1
                self.tally[self.board.ply + 1] = self.tally[self.board.ply]
                self.checks[self.board.ply + 1] = 0
                self.seen[self.board.hash & 4095] += 1
                self.board.make_null()
                self.barrier = self.board.ply
                self.order.context[ply + 1] = 0
                score = -self.node(depth - reduction, -beta, 1 - beta, ply + 1, not cut, 0)
                self.board.unmake_null()
                self.seen[self.board.hash & 4095] -= 1
                self.barrier = barrier
                if self.halt:
                    return 0
                if score >= beta:
                    if score > RULE_BOUND:
                        score = beta
                    if depth < 10 or self.node(depth - reduction, beta - 1, beta, ply, False, -1) >= beta:
                        return score
                    if self.halt:
                        return 0
        if hash_move == 0 and depth >= 4 and (wide or cut) and not excluded:
            depth -= 1  # an unordered node is cheaper searched less deep first

        extension = 0
        if (
            hash_move
            and self.pruning >= 2
            and depth >= 7
            and not excluded
            and bound & LOWER
            and hash_depth >= depth - 3
            and -RULE_BOUND < hash_score < RULE_BOUND
            and ply < 2 * self.root_depth
        ):
            # If all others are clearly worse than the table's move, it is searched deeper.
            i = hash_score - 2 * depth
            score = self.node((depth - 1) // 2, i - 1, i, ply, cut, hash_move)
            if self.halt:
                return 0
            if score < i:
                extension = 1
            elif i >= beta:
                return i
        self.order.begin(ply, hash_move, check, False)
        while True:
            move = self.order.next(ply)
            if move == 0:
                break
            if move == excluded or not self.board.legal(move, flags):
                continue
            count += 1
            quiet = self.board.squares[move & 127] == NO_SLOT
            gives = self.board.checks(move)
            new_depth = depth - 1
            if move == hash_move and extension:
                new_depth += 1
            elif gives and ply < 2 * self.root_depth and (depth < 4 or not self.pruning or exchange(self.board, move) >= 0):
                new_depth += 1
            elif best > -RULE_BOUND and not check and not gives and not wide and self.pruning >= 3:
                # Near the leaves, moves late in the order don't change much.
                if quiet:
                    if depth <= 5 and count > (3 + depth * depth) // (2 - improving):
                        self.order.skip_quiets[ply] = True
                        continue
                    if depth <= 6 and static + 90 + 90 * depth <= alpha:
                        self.order.skip_quiets[ply] = True
                        continue
                    if depth <= 6 and exchange(self.board, move) < -40 * depth:
                        continue
                elif depth <= 5 and self.order.stage[ply] == TAKE_BAD and exchange(self.board, move) < -100 * depth:
                    continue
            reduction = 0
            if depth >= 3 and count > 1 + wide and self.pruning >= 2 and not check and (quiet or self.order.stage[ply] == TAKE_BAD):
                reduction = self.reductions[(depth if depth < 63 else 63) * 64 + (count if count < 63 else 63)]
                if gives or wide:
                    reduction -= 1
                if cut:
                    reduction += 1
                if not improving:
                    reduction += 1
                if quiet:
                    reduction -= self.order.standing(ply, move) // 7000
                if reduction < 0:
                    reduction = 0
                elif reduction > new_depth - 1:
                    reduction = new_depth - 1 if new_depth > 1 else 0
            self.order.context[ply + 1] = PIECE_OF[self.board.squares[move >> 7]] * 90 + (move & 127)
            self.push(move, gives)
            if count == 1 and wide:
                score = -self.node(new_depth, -beta, -alpha, ply + 1, False, 0)
            else:
                score = -self.node(new_depth - reduction, -alpha - 1, -alpha, ply + 1, True if reduction else not cut, 0)
                if score > alpha and reduction:
                    score = -self.node(new_depth, -alpha - 1, -alpha, ply + 1, not cut, 0)
                if score > alpha and wide:
                    score = -self.node(new_depth, -beta, -alpha, ply + 1, False, 0)
            self.pop()
            if self.halt:
                return 0
            if score > best:
                best = score
                if score > alpha:
                    best_move = move
                    if wide:
                        self.extend_line(ply, move)
                    if score >= beta:
                        if quiet:
                            self.order.reward(ply, move, depth)
                            for i in range(tried):
                                self.order.adjust(ply, quiets[i], -(16 * depth * depth) if depth < 10 else -1600)
                        break
                    alpha = score
            if quiet and tried < 64:
                quiets[tried] = move
                tried += 1
        if count == 0:
            return alpha if excluded else ply - MATE
        if not excluded and not RULE_BOUND < (best if best > 0 else -best) < MATE_BOUND:
            score = best
            if score > MATE_BOUND:
                score += ply
            elif score < -MATE_BOUND:
                score -= ply
            self.table.store(
                self.board.hash,
                best_move,
                score,
                static,
                depth,
                LOWER if best >= beta else (EXACT if best > start and wide else UPPER),
            )
        return best

    def can_pass(self, side: cython.int) -> cython.bint:
        """Whether the side has pieces enough that a pass tells something: a chariot, or two horses or cannons."""
        first: cython.int = side << 4
        slot: cython.int
        count: cython.int = 0
        for slot in range(first + 1, first + 7):
            if self.board.place[slot] < 90:
                count += 2 if slot < first + 3 else 1
        return count >= 2

    def root(self, depth: cython.int, alpha: cython.int, beta: cython.int) -> cython.int:
        """Search the root moves from ``root_first`` on; the best comes to the front of them."""
        first: cython.int = self.root_first
        best: cython.int = -INFINITE
        score: cython.int = 0
        move: cython.int
        gives: cython.bint
        new_depth: cython.int
        reduction: cython.int
        length: cython.int
        i: cython.int
        j: cython.int
        self.statics[0] = evaluate(self.board, self.scores[self.board.ply], self.knowledge)
        for i in range(first, self.root_count):
            move = self.root_moves[i]
            gives = self.board.checks(move)
            new_depth = depth if gives else depth - 1
            reduction = 0
            if depth >= 4 and i > first + 3 and not gives and self.pruning >= 2 and self.board.squares[move & 127] == NO_SLOT:
                reduction = self.reductions[(depth if depth < 63 else 63) * 64 + (i - first)] * 2 // 3
            self.order.context[1] = PIECE_OF[self.board.squares[move >> 7]] * 90 + (move & 127)
            self.push(move, gives)
            if i == first:
                score = -self.node(new_depth, -beta, -alpha, 1, False, 0)
            else:
                score = -self.node(new_depth - reduction, -alpha - 1, -alpha, 1, True, 0)
                if score > alpha and reduction:
                    score = -self.node(new_depth, -alpha - 1, -alpha, 1, True, 0)
                if score > alpha:
                    score = -self.node(new_depth, -beta, -alpha, 1, False, 0)
            self.pop()
            if self.halt:
                break
            if i == first or score > alpha:
                self.root_scores[i] = score
                length = self.line_length[1]
                if length > MAX_PLY - 2:
                    length = MAX_PLY - 2
                self.root_lengths[i] = length + 1
                self.root_lines[i * 128] = move
                for j in range(length):
                    self.root_lines[i * 128 + 1 + j] = self.lines[128 + j]
                self.raise_root(i, first)
            else:
                self.root_scores[i] = -INFINITE
            if score > best:
                best = score
            if score > alpha:
                if score >= beta:
                    break
                alpha = score
        return best

    def raise_root(self, at: cython.int, to: cython.int) -> None:
        """Move a root move, with what belongs to it, up the list."""
        i: cython.int
        j: cython.int
        while at > to:
            i = at - 1
            self.root_moves[i], self.root_moves[at] = self.root_moves[at], self.root_moves[i]
            self.root_scores[i], self.root_scores[at] = self.root_scores[at], self.root_scores[i]
            self.root_lengths[i], self.root_lengths[at] = self.root_lengths[at], self.root_lengths[i]
            for j in range(128):
                self.root_lines[i * 128 + j], self.root_lines[at * 128 + j] = (
                    self.root_lines[at * 128 + j],
                    self.root_lines[i * 128 + j],
                )
            at = i

    def deepen(self, depth: cython.int, lines: cython.int) -> cython.bint:
        """One iteration for the best ``lines`` root moves; false when it was halted before its end."""
        alpha: cython.int
        beta: cython.int
        window: cython.int
        score: cython.int
        before: cython.int
        first: cython.int
        i: cython.int
        self.root_depth = depth
        for first in range(lines):
            self.root_first = first
            before = self.root_scores[first]
            window = 18
            alpha, beta = -INFINITE, INFINITE
            if depth >= 5 and -RULE_BOUND < before < RULE_BOUND:
                alpha, beta = before - window, before + window
            while True:
                score = self.root(depth, alpha, beta)
                if self.halt:
                    return False
                if score <= alpha:
                    beta = (alpha + beta) // 2
                    alpha = score - window
                elif score >= beta:
                    beta = score + window
                else:
                    break
                window *= 3
                if window > 500 or alpha < -RULE_BOUND or beta > RULE_BOUND:
                    alpha, beta = -INFINITE, INFINITE
            # A later line can come out above an earlier one.
            i = first
            while i > 0 and self.root_scores[i - 1] < self.root_scores[i]:
                i -= 1
            self.raise_root(first, i)
        return True

    # -- what Python callers use

    def iterate(self, depth: int, lines: int) -> bool:
        """Search ``depth`` plies deep, for the best ``lines`` moves; false when ``halt`` ended it early.

        Call with depths 1, 2, 3, …: each iteration orders the moves for the next. Runs without the interpreter lock.
        """
        plies: cython.int = min(depth, MAX_PLY - 1)
        count: cython.int = min(lines, self.root_count)
        done: cython.bint
        if self.root_count == 0:
            return True
        with cython.nogil:
            done = self.deepen(plies, count)
        return done

    def ranking(self, lines: int) -> list[tuple[int, int, list[int]]]:
        """The best ``lines`` root moves found so far: move, score (``-INFINITE``: not known) and line."""
        return [
            (
                self.root_moves[i],
                self.root_scores[i],
                [self.root_lines[i * 128 + j] for j in range(self.root_lengths[i])],
            )
            for i in range(min(lines, self.root_count))
        ]

    @property
    def root_size(self) -> int:
        """How many moves there are to choose from."""
        return self.root_count

    def new_search(self) -> None:
        """Age what earlier searches learnt."""
        self.order.relax()

    def static(self) -> int:
        """The evaluation of the root position for the side to move."""
        return evaluate(self.board, self.scores[self.board.ply], self.knowledge)
