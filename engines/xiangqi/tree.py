"""The tree search: principal-variation alpha-beta below the root, compiled and without the interpreter lock.

A ``Tree`` owns a copy of the board and everything one thread needs; several of them may share a transposition table.
``search`` adds the root and the iterations. ``halt`` may be set from another thread at any time.

Scores are centipawns for the side to move. A mate in n plies is ``MATE - n``; a game won because the other side repeats
what the rules forbid is ``RULE_WIN - n``, less than any mate and more than any material. Having no move loses, in check
or not. The numbers are in ``tree.pxd``; docs/xiangqi-search.md tells what each rule was worth.
"""

from __future__ import annotations

from math import log
from time import sleep

import cython

from engines.xiangqi.ordering import Ordering
from engines.xiangqi.search_stack import SearchStack

if not cython.compiled:  # compiled, tree.pxd declares or imports all of these in C
    from engines.xiangqi.evaluation import EXCHANGE
    from engines.xiangqi.geometry import NO_SLOT, PIECE_OF, move_from, move_in, move_to
    from engines.xiangqi.ordering import ALL_KINDS, FORCING, MAX_PLY, TAKE_BAD, WINNING, exchange
    from engines.xiangqi.search_stack import INFINITE, MATE, MATE_BOUND, RULE_BOUND, UNDECIDED
    from engines.xiangqi.table import EXACT, LOWER, UPPER, Table

    QUIET_CHECK_PLIES, REVERSE_FUTILITY_DEPTH, REVERSE_FUTILITY_STEP, HOPELESS, PROBCUT_MARGIN = 3, 7, 80, 1000, 150
    FUTILITY_MARGIN, FUTILITY_STEP, HISTORY_PLY, BAD_HISTORY = 90, 90, 7000, 3000


def score_from(data: cython.ulonglong, ply: cython.int) -> cython.int:
    """The score in a table's cell, mates counted from the root instead of from the position at ``ply``."""
    score: cython.int = cython.cast(cython.int, data >> 32 & 0xFFFF) - 32768
    if score > MATE_BOUND:
        return score - ply
    return score + ply if score < -MATE_BOUND else score


def score_to(score: cython.int, ply: cython.int) -> cython.int:
    """The other way round."""
    if score > MATE_BOUND:
        return score + ply
    return score - ply if score < -MATE_BOUND else score


@cython.cclass
class Tree:
    """One thread's tree."""

    def __init__(self, table: Table) -> None:
        """A tree on a board of its own, which ``stack.start`` sets up."""
        if not cython.compiled:
            self.static_evals, self.reductions = [0] * 130, [0] * 4096
            self.lines, self.line_length = [0] * 16384, [0] * 130
        self.stack = SearchStack()
        self.board = self.stack.board
        self.order = Ordering(self.board)
        self.table = table
        self.pruning = 3
        self.idle = 0
        for depth in range(1, 64):
            for count in range(1, 64):
                self.reductions[depth * 64 + count] = int(0.6 + log(depth) * log(count) / 2.1)
        self.nodes = self.node_limit = 0
        self.root_depth = self.seldepth = 0
        self.halt = False

    def rest(self) -> None:
        """Leave the processor to others for a while."""
        with cython.gil:
            sleep(0.0005 * self.idle * self.idle)

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

    def enter(self, ply: cython.int) -> cython.bint:
        """Begin a node; False when the search has been halted, and the node's score means nothing."""
        self.line_length[ply] = 0
        if self.halt:
            return False
        self.nodes += 1
        if self.nodes >= self.node_limit:
            self.halt = True
        if self.idle and self.nodes & 1023 == 0:
            self.rest()
        if self.halt:
            return False
        if ply > self.seldepth:
            self.seldepth = ply
        return True

    def lasting(self, score: cython.int) -> cython.bint:
        """Whether a score holds however the position came about, as far as can be told: what the rules of repetition
        decide does not."""
        size: cython.int = score if score > 0 else -score
        return size <= RULE_BOUND or (size >= MATE_BOUND and not self.stack.soonest)

    def try_null_move(
        self, depth: cython.int, beta: cython.int, static: cython.int, ply: cython.int, cut_node: cython.bint
    ) -> cython.int:
        """A score of at least beta where even passing is good enough, since then a move is too; else ``UNDECIDED``.

        Where few pieces are left, passing may be best: a deep node is searched once more without it.
        """
        score: cython.int
        barrier: cython.int = self.stack.barrier
        more: cython.int = (static - beta) // 200
        shallow: cython.int = depth - 3 - depth // 4 - (more if more < 3 else 3)
        self.stack.pass_turn()
        self.stack.barrier = self.board.ply
        self.order.context[ply + 2] = 0
        score = -self.node(shallow, -beta, 1 - beta, ply + 1, not cut_node, 0)
        self.stack.take_turn_back()
        self.stack.barrier = barrier
        if self.halt:
            return 0
        if score < beta:
            return UNDECIDED
        if score > RULE_BOUND:
            score = beta
        if depth < 10 or self.node(shallow, beta - 1, beta, ply, False, -1) >= beta:
            return score
        return 0 if self.halt else UNDECIDED

    def try_winning_captures(
        self,
        depth: cython.int,
        beta: cython.int,
        static: cython.int,
        ply: cython.int,
        cut_node: cython.bint,
        flags: cython.uint,
    ) -> cython.int:
        """The score of a capture that wins so much that a shallow search stays well above beta; else ``UNDECIDED``."""
        goal: cython.int = beta + PROBCUT_MARGIN
        score: cython.int
        move: cython.int
        tried: cython.int = 0
        self.order.begin(ply, 0, False, WINNING)
        while tried < 3:
            move = self.order.next(ply)
            if move == 0:
                break
            if exchange(self.board, move) < goal - static or not self.board.legal(move, flags):
                continue
            tried += 1
            self.table.fetch(self.stack.key_after(move))
            self.order.context[ply + 2] = PIECE_OF[self.board.squares[move_from(move)]] * 90 + move_to(move)
            self.stack.push(move, self.board.checks(move))
            score = -self.quiesce(-goal, 1 - goal, ply + 1, 0)
            if score >= goal:
                score = -self.node(depth - 4, -goal, 1 - goal, ply + 1, not cut_node, 0)
            self.stack.pop()
            if self.halt:
                return 0
            if score >= goal:
                return score
        return UNDECIDED

    def quiesce(self, alpha: cython.int, beta: cython.int, ply: cython.int, depth: cython.int) -> cython.int:
        """Search captures (in check: everything) until the position is quiet; at depth 0 also quiet checks."""
        best: cython.int
        score: cython.int
        static: cython.int = 0
        move: cython.int
        hash_move: cython.int = 0
        data: cython.ulonglong
        bound: cython.int
        flags: cython.uint
        check: cython.bint = self.stack.checks[self.board.ply]
        count: cython.int = 0
        start: cython.int = alpha
        best_move: cython.int = 0
        gain: cython.int
        if not self.enter(ply):
            return 0
        score = self.stack.verdict(ply)
        if score != UNDECIDED:
            return score
        if ply >= MAX_PLY - 1:
            return self.stack.worth(alpha, beta)
        data = self.table.find(self.board.hash)
        if data:
            score = score_from(data, ply)
            bound = data >> 14 & 3
            if beta - alpha == 1 and (bound == EXACT or bound == (LOWER if score >= beta else UPPER)):
                return score
            hash_move = move_in(data)
            if hash_move and not check and self.board.squares[move_to(hash_move)] == NO_SLOT:
                hash_move = 0
            static = cython.cast(cython.int, data >> 48) - 32768
        if check:
            best = ply - MATE
        else:
            if not data:
                static = self.stack.worth(alpha, beta)
            best = static
            if best >= beta:
                return best
            if best > alpha:
                alpha = best
        flags = self.board.survey()
        if hash_move and not (self.board.pseudo_legal(hash_move) and self.board.legal(hash_move, flags)):
            hash_move = 0
        self.order.begin(ply, hash_move, check, FORCING if depth > -QUIET_CHECK_PLIES else WINNING)
        while True:
            move = self.order.next(ply)
            if move == 0:
                break
            if not self.board.legal(move, flags):
                continue
            count += 1
            if self.board.squares[move_to(move)] == NO_SLOT:
                if not check and exchange(self.board, move) < 0:
                    continue
            elif not check:
                gain = EXCHANGE[PIECE_OF[self.board.squares[move_to(move)]] * 90 + move_to(move)]
                if static + gain + 150 <= alpha and beta - alpha == 1:
                    if static + gain + 150 > best:
                        best = static + gain + 150
                    continue
            self.table.fetch(self.stack.key_after(move))
            self.order.context[ply + 2] = PIECE_OF[self.board.squares[move_from(move)]] * 90 + move_to(move)
            self.stack.push(move, self.board.checks(move))
            score = -self.quiesce(-beta, -alpha, ply + 1, depth - 1)
            self.stack.pop()
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
        if self.lasting(best):
            self.table.store(
                self.board.hash,
                best_move,
                score_to(best, ply),
                static,
                0,
                LOWER if best >= beta else (EXACT if best > start else UPPER),
            )
        return best

    def node(
        self,
        depth: cython.int,
        alpha: cython.int,
        beta: cython.int,
        ply: cython.int,
        cut_node: cython.bint,
        excluded: cython.int,
    ) -> cython.int:
        """Search a position ``depth`` plies deep within (alpha, beta).

        ``cut_node``: a move better than beta is expected. ``excluded`` is a move left out, to see whether it is the
        only good one.
        """
        if depth <= 0:
            return self.quiesce(alpha, beta, ply, 0)
        pv_node: cython.bint = beta - alpha > 1
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
        check: cython.bint = self.stack.checks[self.board.ply]
        improving: cython.bint
        quiet: cython.bint
        gives_check: cython.bint
        count: cython.int = 0
        tried: cython.int = 0
        reduction: cython.int
        extension: cython.int
        new_depth: cython.int
        i: cython.int
        quiets = cython.declare(cython.int[64])
        if not self.enter(ply):
            return 0
        if not excluded:
            score = self.stack.verdict(ply)
            if score != UNDECIDED:
                return score
            if ply >= MAX_PLY - 1:
                return self.stack.worth(alpha, beta)
            if alpha < ply - MATE:  # no mate can be nearer than this
                alpha = ply - MATE
            if beta > MATE - ply - 1:
                beta = MATE - ply - 1
            if alpha >= beta:
                return alpha
            data = self.table.find(self.board.hash)
        if data:
            hash_score = score_from(data, ply)
            bound = data >> 14 & 3
            hash_depth = data >> 16 & 255
            if (
                not pv_node
                and hash_depth >= depth
                and (bound == EXACT or bound == (LOWER if hash_score >= beta else UPPER))
                and (
                    self.stack.natural_limit == 0 or self.stack.counted[self.board.ply] < self.stack.natural_limit - 20
                )
            ):
                return hash_score
            hash_move = move_in(data)
            static = cython.cast(cython.int, data >> 48) - 32768
        flags = self.board.survey()
        if hash_move and not (self.board.pseudo_legal(hash_move) and self.board.legal(hash_move, flags)):
            hash_move = 0
        if check:
            static = self.static_evals[ply - 2] if ply > 1 else 0
        elif not data:
            static = self.stack.worth(alpha, beta)
        self.static_evals[ply] = static
        improving = not check and ply > 1 and static > self.static_evals[ply - 2]

        if not pv_node and not check and not excluded and beta > -RULE_BOUND and beta < RULE_BOUND:
            # Far enough above beta, a shallow search won't fall below it.
            if (
                self.pruning >= 3
                and depth <= REVERSE_FUTILITY_DEPTH
                and beta > -HOPELESS
                and static - REVERSE_FUTILITY_STEP * (depth - improving) >= beta
            ):
                return static
            if self.pruning >= 3 and depth <= 2 and static + 250 * depth <= alpha:
                score = self.quiesce(alpha, beta, ply, 0)
                if score <= alpha or self.halt:
                    return score
            if (
                self.pruning >= 1
                and depth >= 2
                and static >= beta
                and self.stack.barrier != self.board.ply
                and self.stack.can_pass()
            ):
                score = self.try_null_move(depth, beta, static, ply, cut_node)
                if score != UNDECIDED:
                    return score
            if depth >= 5 and self.pruning >= 3:
                score = self.try_winning_captures(depth, beta, static, ply, cut_node, flags)
                if score != UNDECIDED:
                    return score
        if hash_move == 0 and depth >= 4 and (pv_node or cut_node) and not excluded:
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
            score = self.node((depth - 1) // 2, i - 1, i, ply, cut_node, hash_move)
            if self.halt:
                return 0
            if score < i:
                extension = 1
            elif i >= beta:
                return i
        self.order.begin(ply, hash_move, check, ALL_KINDS)
        while True:
            move = self.order.next(ply)
            if move == 0:
                break
            if move == excluded or not self.board.legal(move, flags):
                continue
            count += 1
            quiet = self.board.squares[move_to(move)] == NO_SLOT
            gives_check = self.board.checks(move)
            new_depth = depth - 1
            if (move == hash_move and extension) or (
                gives_check
                and ply < 2 * self.root_depth
                and (depth < 4 or not self.pruning or exchange(self.board, move) >= 0)
            ):
                new_depth += 1
            elif best > -RULE_BOUND and not check and not gives_check and not pv_node and self.pruning >= 3:
                # Near the leaves, moves late in the order don't change much.
                if quiet:
                    if depth <= 5 and count > (3 + depth * depth) // (2 - improving):
                        self.order.skip_quiets[ply] = True
                        continue
                    if depth <= 6 and static + FUTILITY_MARGIN + FUTILITY_STEP * depth <= alpha:
                        self.order.skip_quiets[ply] = True
                        continue
                    if depth <= 4 and self.order.history_score(ply, move) < -BAD_HISTORY * depth:
                        continue
                    if depth <= 6 and exchange(self.board, move) < -40 * depth:
                        continue
                elif depth <= 5 and self.order.stage[ply] == TAKE_BAD and exchange(self.board, move) < -100 * depth:
                    continue
            reduction = 0
            if (
                depth >= 3
                and count > 1 + pv_node
                and self.pruning >= 2
                and not check
                and (quiet or self.order.stage[ply] == TAKE_BAD)
            ):
                reduction = self.reductions[(depth if depth < 63 else 63) * 64 + (count if count < 63 else 63)]
                if gives_check or pv_node:
                    reduction -= 1
                if cut_node:
                    reduction += 1
                if not improving:
                    reduction += 1
                if quiet:
                    reduction -= self.order.history_score(ply, move) // HISTORY_PLY
                if reduction < 0:
                    reduction = 0
                elif reduction > new_depth - 1:
                    reduction = new_depth - 1 if new_depth > 1 else 0
            self.table.fetch(self.stack.key_after(move))
            self.order.context[ply + 2] = PIECE_OF[self.board.squares[move_from(move)]] * 90 + move_to(move)
            self.stack.push(move, gives_check)
            if count == 1 and pv_node:
                score = -self.node(new_depth, -beta, -alpha, ply + 1, False, 0)
            else:
                score = -self.node(
                    new_depth - reduction, -alpha - 1, -alpha, ply + 1, True if reduction else not cut_node, 0
                )
                if score > alpha and reduction:
                    score = -self.node(new_depth, -alpha - 1, -alpha, ply + 1, not cut_node, 0)
                if score > alpha and pv_node:
                    score = -self.node(new_depth, -beta, -alpha, ply + 1, False, 0)
            self.stack.pop()
            if self.halt:
                return 0
            if score > best:
                best = score
                if score > alpha:
                    best_move = move
                    if pv_node:
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
        if not excluded and self.lasting(best):
            self.table.store(
                self.board.hash,
                best_move,
                score_to(best, ply),
                static,
                depth,
                LOWER if best >= beta else (EXACT if best > start and pv_node else UPPER),
            )
        return best
