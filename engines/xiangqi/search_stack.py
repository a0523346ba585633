"""The moves from the game to the node that a search is at, with what rules and evaluation need to know of them.

Beside the board: the sums that the evaluation starts from, who was in check when, and what counts towards the natural
limit. All of it is kept by ply since the board was set up, so that taking a move back costs nothing.
"""

from __future__ import annotations

from array import array

import cython

from engines.xiangqi.board import Board
from engines.xiangqi.net import Accumulators, Net

if not cython.compiled:  # compiled, search_stack.pxd declares or imports all of these in C
    from engines.xiangqi.cycle import AXF_RULES, CHECK_ONLY_RULES, NO_RULES, ROOM, judge
    from engines.xiangqi.evaluation import PIECE_SQUARE, evaluate, tempered
    from engines.xiangqi.geometry import NO_SLOT, PIECE_OF, ZOBRIST, ZOBRIST_TURN, move_from, move_to
    from engines.xiangqi.ordering import MAX_PLY

    MATE, MATE_BOUND, RULE_WIN, RULE_BOUND, INFINITE, UNDECIDED = 30000, 29000, 20000, 19000, 32000, 32500


@cython.final
@cython.cclass
class SearchStack:
    """A board that a search moves on, and its books.

    ``rules``: of repetition, as ``cycle`` numbers them. ``natural_limit``: plies without capture that draw, 0 for none;
    a side's checks beyond ``free_checks``, and the answers to those, don't count (-1: everything does). ``contempt``:
    what a draw costs the side that searches, centipawns. ``knowledge``: how much the evaluation looks at.

    A loss by rule counts less than a mate, for him who wins: the other may yet do otherwise. For him who loses it is
    no better. So the root's side losing by rule with its very next move counts as a mate as near, and wherever else it
    does while ``soonest`` is set (``start`` clears it): mates found then hold for this game only, not in the table.
    """

    def __init__(self) -> None:
        if not cython.compiled:
            self.seen = [0] * 4096
        self.rules = AXF_RULES
        self.natural_limit = 120
        self.free_checks = -1
        self.contempt = 0
        self.knowledge = 3
        self.judge_by(None)
        self.start(Board())

    def judge_by(self, net: Net | None) -> None:
        """Let a net evaluate, where ``knowledge`` is 3; ``None``: the terms and weights of ``evaluation``."""
        self.accumulators = Accumulators(net) if net is not None else None

    def start(self, board: Board) -> None:
        """Take over a position with its history (a copy), and the settings."""
        self.board = board.copy()
        moves = self.board.history
        size = len(moves) + MAX_PLY + 8
        self.board.reserve(MAX_PLY + ROOM)
        for _ in moves:
            self.board.undo()
        self.scores, self.counted = array("i", bytes(4 * size)), array("i", bytes(4 * size))
        self.tally, self.checks = array("i", bytes(4 * size)), array("B", bytes(size))
        for i in range(4096):
            self.seen[i] = 0
        self.base = 0 if self.knowledge else 1440
        total: cython.int = 0
        for slot in range(32):
            square = self.board.place[slot]
            if square < 90:
                total += PIECE_SQUARE[self.base + PIECE_OF[slot] * 90 + square]
        self.scores[0] = total
        self.counted[0] = self.board.clock
        self.checks[0] = self.board.checked()
        self.barrier = 0
        for move in moves:
            self.push(move, self.board.checks(move))
        self.root_ply, self.root_side = self.board.ply, self.board.side
        self.soonest = False

    def worth(self, alpha: cython.int, beta: cython.int) -> cython.int:
        """The evaluation for the side to move; rough where it is far outside of (alpha, beta)."""
        if self.accumulators is not None and self.knowledge >= 3:
            return tempered(self.board, self.accumulators.score(self.board))
        return evaluate(self.board, self.scores[self.board.ply], self.knowledge, alpha, beta)

    # -- making moves

    def push(self, move: cython.int, check: cython.bint) -> None:
        """Make a legal move, which gives check or not, and keep the books."""
        n: cython.int = self.board.ply
        base: cython.int = self.base
        origin: cython.int = move_from(move)
        target: cython.int = move_to(move)
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
        if self.free_checks >= 0 and (
            (check and (tally >> mine & 0xFFFF) > self.free_checks)
            or (self.checks[n] and (tally >> (16 - mine) & 0xFFFF) > self.free_checks)
        ):
            self.counted[n + 1] = self.counted[n]
        else:
            self.counted[n + 1] = self.counted[n] + 1

    def pass_turn(self) -> None:
        """Make a null move."""
        n: cython.int = self.board.ply
        self.scores[n + 1] = self.scores[n]
        self.counted[n + 1] = self.counted[n] + 1
        self.tally[n + 1] = self.tally[n]
        self.checks[n + 1] = 0
        self.seen[self.board.hash & 4095] += 1
        self.board.make_null()

    def take_turn_back(self) -> None:
        """Take back ``pass_turn``."""
        self.board.unmake_null()
        self.seen[self.board.hash & 4095] -= 1

    def can_pass(self) -> cython.bint:
        """Whether the side to move has enough for a pass to tell something: a chariot, or two horses or cannons."""
        first: cython.int = self.board.side << 4
        slot: cython.int
        count: cython.int = 0
        for slot in range(first + 1, first + 7):
            if self.board.place[slot] < 90:
                count += 2 if slot < first + 3 else 1
        return count >= 2

    def key_after(self, move: cython.int) -> cython.ulonglong:
        """The key of the position after a move."""
        origin: cython.int = move_from(move)
        target: cython.int = move_to(move)
        piece: cython.int = PIECE_OF[self.board.squares[origin]] * 90
        key: cython.ulonglong = self.board.hash ^ ZOBRIST_TURN[0] ^ ZOBRIST[piece + origin] ^ ZOBRIST[piece + target]
        if self.board.squares[target] != NO_SLOT:
            key ^= ZOBRIST[PIECE_OF[self.board.squares[target]] * 90 + target]
        return key

    def pop(self) -> None:
        """Take back the last ``push``."""
        self.board.unmake()
        self.seen[self.board.hash & 4095] -= 1

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
        if (self.soonest or ply == 1) and theirs == (self.board.side != self.root_side):
            # A mate of the root's side has an even number of plies, this an odd one: see ``scores.told_score``.
            return MATE - ply if theirs else ply + 1 - MATE
        return RULE_WIN - ply if theirs else ply - RULE_WIN
