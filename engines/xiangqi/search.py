"""The search from the root: its moves, the iterations, and what Python callers use.

``Searcher`` goes one iteration deeper each time ``iterate`` is called and knows no clock: whoever drives it
(``player``) decides when to stop, and may set ``halt`` from another thread at any time. ``tree`` does the rest.
"""

from __future__ import annotations

from collections.abc import Container

import cython

from engines.xiangqi.scores import told_score
from engines.xiangqi.tree import Tree

if not cython.compiled:  # compiled, search.pxd declares or imports all of these in C
    from engines.xiangqi.board import Board
    from engines.xiangqi.geometry import NO_SLOT, PIECE_OF, move_from, move_to
    from engines.xiangqi.ordering import MAX_PLY
    from engines.xiangqi.search_stack import INFINITE, MATE_BOUND, RULE_BOUND
    from engines.xiangqi.table import Table


@cython.final
@cython.cclass
class Searcher(Tree):
    """One thread's search."""

    def __init__(self, board: Board, table: Table) -> None:
        """Search positions of the game on ``board``, which is copied."""
        if not cython.compiled:
            self.root_moves, self.root_scores, self.root_exact = [0] * 128, [0] * 128, [0] * 128
            self.root_lines, self.root_lengths = [0] * 16384, [0] * 128
        Tree.__init__(self, table)
        self.set_position(board)

    def set_position(self, board: Board) -> None:
        """Take over a position with its history; settings of ``stack`` take effect here."""
        self.stack.start(board)
        self.board = self.order.board = self.stack.board
        legal = self.board.legal_moves()
        self.root_count = len(legal)
        for i, move in enumerate(legal):
            self.root_moves[i] = move
            self.root_scores[i] = -INFINITE
            self.root_exact[i] = 0
            self.root_lines[i * 128] = move
            self.root_lengths[i] = 1
        self.root_depth = self.seldepth = self.root_whole = 0
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

    def root(self, depth: cython.int, alpha: cython.int, beta: cython.int) -> cython.int:
        """Search the root moves from ``root_first`` on; the best comes to the front of them."""
        first: cython.int = self.root_first
        best: cython.int = -INFINITE
        score: cython.int = 0
        move: cython.int
        gives_check: cython.bint
        new_depth: cython.int
        reduction: cython.int
        length: cython.int
        i: cython.int
        j: cython.int
        self.static_evals[0] = self.stack.worth(-INFINITE, INFINITE)
        for i in range(first, self.root_count):
            move = self.root_moves[i]
            gives_check = self.board.checks(move)
            new_depth = depth if gives_check else depth - 1
            reduction = 0
            if (
                depth >= 4
                and i > first + 3
                and not gives_check
                and self.pruning >= 2
                and self.board.squares[move_to(move)] == NO_SLOT
            ):
                reduction = self.reductions[(depth if depth < 63 else 63) * 64 + (i - first)] * 2 // 3
            self.order.context[2] = PIECE_OF[self.board.squares[move_from(move)]] * 90 + move_to(move)
            self.stack.push(move, gives_check)
            if i == first:
                score = -self.node(new_depth, -beta, -alpha, 1, False, 0)
            else:
                score = -self.node(new_depth - reduction, -alpha - 1, -alpha, 1, True, 0)
                if score > alpha and reduction:
                    score = -self.node(new_depth, -alpha - 1, -alpha, 1, True, 0)
                if score > alpha:
                    score = -self.node(new_depth, -beta, -alpha, 1, False, 0)
            self.stack.pop()
            if self.halt:
                break
            if i == first or score > alpha:
                self.root_scores[i] = score
                self.root_exact[i] = depth if alpha < score < beta else 0
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
                self.root_exact[i] = 0
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
            self.root_exact[i], self.root_exact[at] = self.root_exact[at], self.root_exact[i]
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
        self.root_whole = 0
        for first in range(lines):
            if self.halt:
                return False
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
                if -MATE_BOUND < score < -RULE_BOUND and not self.stack.soonest:
                    # Lost by rule at best, it seems: look again for a move that only loses later.
                    self.stack.soonest = True
                    alpha, beta = -INFINITE, INFINITE
                    continue
                if alpha == -INFINITE and beta == INFINITE:
                    break
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
            while i > 0 and self.root_scores[i - 1] < self.root_scores[first]:
                i -= 1
            self.raise_root(first, i)
            self.root_whole = first + 1
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
                told_score(self.root_scores[i]),
                [self.root_lines[i * 128 + j] for j in range(self.root_lengths[i])],
            )
            for i in range(min(lines, self.root_count))
        ]

    def adopt(self, line: list[int], score: int) -> None:
        """Put a line found elsewhere, with its score, at the front of the ranking. Its first move must be in it."""
        for i in range(self.root_count):
            if self.root_moves[i] == line[0]:
                self.root_scores[i] = score
                self.root_lengths[i] = min(len(line), MAX_PLY)
                for j in range(self.root_lengths[i]):
                    self.root_lines[i * 128 + j] = line[j]
                self.raise_root(i, 0)
                break

    @property
    def whole_lines(self) -> int:
        """How many lines of play of the last iteration are whole, with exact scores: all that were asked for unless it
        was halted; then one at least, the best so far, unless that is a bound or left over from the iteration before.
        """
        if self.root_whole > 0:
            return self.root_whole
        return 1 if self.root_count > 0 and self.root_exact[0] == self.root_depth > 0 else 0

    @property
    def root_size(self) -> int:
        """How many moves there are to choose from."""
        return self.root_count

    def new_search(self) -> None:
        """Age what earlier searches learnt."""
        self.order.relax()

    def static(self) -> int:
        """The evaluation of the root position for the side to move."""
        return self.stack.worth(-INFINITE, INFINITE)
