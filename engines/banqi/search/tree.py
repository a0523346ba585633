"""The search of banqi and luoqi: alpha-beta with a table below the root, turn-ups as chance nodes at it.

Scores are for the side to act, a soldier's worth about 30. A turn-up at the root is the average over the pieces that
may show, with Star1's bounds (Ballard 1983): it is given up as soon as even the best outcomes left can't lift it above
the best action known. Below the root a turn-up counts as passing the turn: one is always possible while pieces lie face
down, and what it shows is as likely to help as to hurt.

Pieces are worth what they can still take: ``weigh`` counts, before each search, how many enemy pieces left each kind
takes, and how many take it.
"""

from __future__ import annotations

import cython

from engines.banqi.rules import CANNON

if not cython.compiled:  # compiled, tree.pxd declares or imports all of these in C
    from engines.banqi.board import EMPTY, END, HIDDEN, NO_SIDE, OFF, ZOBRIST, Board
    from engines.xiangqi.table import EXACT, LOWER, UPPER, Table

    WIN, SURE, SPREAD, DEEPEST = 20000, 15000, 1500, 60
    DISTANCE = [0] * 1024

BY_RANK = (300, 200, 130, 90, 55, 40, 15)
"""What the kinds of an order are worth by themselves, highest first; a leaping cannon is worth ``LEAPER``."""

LEAPER = 150
PREY, FOE = 8, 4
"""Added for each enemy piece left that a piece may take, and taken off for each that may take it."""


@cython.final
@cython.cclass
class Tree:
    """A search on a board of its own."""

    def __init__(self, table: Table, still_limit: int = 60, hands: bool = False) -> None:
        """``still_limit``: plies without progress that draw, 0 none. ``hands``: it is luoqi."""
        if not cython.compiled:
            self.values, self.history = [0] * 16, [0] * 8192
        self.table = table
        self.still_limit = still_limit
        self.hands = hands
        self.halt = False
        self.nodes = 0
        self.node_limit = (1 << 63) - 1
        for i in range(8192):
            self.history[i] = 0

    def start(self, board: Board) -> None:
        """Search on a copy of this board from now on."""
        self.board = board.copy()
        self.board.reserve(4 * DEEPEST + 64)
        self.base_ply = self.board.ply
        self.halt = False
        self.nodes = 0
        for i in range(8192):
            self.history[i] >>= 2
        self.weigh()

    def weigh(self) -> None:
        """Find out what pieces are worth by what is left of the other side."""
        rules = self.board.rules
        left = [0] * 16
        for square in range(32):
            left[self.board.squares[square]] += 1
        for piece in range(16):
            left[piece] = left[piece] + self.board.pool[piece] if piece & 7 else 0
        for piece in range(16):
            kind = piece & 7
            self.values[piece] = 0
            if not kind:
                continue
            prey = foes = 0
            for other in range(16):
                if left[other] and other >> 3 != piece >> 3:
                    if kind in rules.leaps or rules.takes(kind, other & 7):
                        prey += left[other]
                    if other & 7 in rules.leaps or rules.takes(other & 7, kind):
                        foes += left[other]
            leaper = kind == CANNON and kind in rules.leaps
            own = LEAPER if leaper else BY_RANK[rules.order.index(kind)]
            if leaper:
                prey = prey * 2 // 3
            self.values[piece] = max(10, own + PREY * prey - FOE * foes)

    def evaluate(self) -> cython.int:
        """The position as it stands, for the side to act."""
        score: cython.int = 0
        square: cython.int
        piece: cython.int
        i: cython.int
        j: cython.int
        near: cython.int
        steps: cython.int
        n: cython.int = 0
        places = cython.declare(cython.uchar[32])
        if not cython.compiled:
            places = [0] * 32
        for piece in range(16):
            if self.board.pool[piece]:
                steps = self.board.pool[piece] * self.values[piece]
                score += steps if piece >> 3 == self.board.side else -steps
        for square in range(32):
            piece = self.board.squares[square]
            if piece & 7:
                places[n] = square
                n += 1
                score += self.values[piece] if piece >> 3 == self.board.side else -self.values[piece]
        for i in range(n):  # near what it can take
            square = places[i]
            piece = self.board.squares[square]
            near = 0
            for j in range(n):
                if self.board.takes[piece * 16 + self.board.squares[places[j]]]:
                    steps = 12 - DISTANCE[square * 32 + places[j]]
                    steps = steps * (24 + self.values[self.board.squares[places[j]]] // 8) // 24
                    if steps > near:
                        near = steps
            score += near if piece >> 3 == self.board.side else -near
        return score

    def drawn(self) -> cython.bint:
        """Whether the game is drawn, or the position has stood before since the last progress."""
        i: cython.int
        least: cython.int
        if self.still_limit and self.board.still >= self.still_limit:
            return True
        least = self.board.ply - self.board.still
        if least < 0:
            least = 0
        i = self.board.ply - 4
        while i >= least:
            if self.board.past_keys[i] == self.board.hash:
                return True
            i -= 2
        return False

    def order(self, moves: cython.p_ushort, n: cython.int, first: cython.int) -> cython.int:
        """Sort moves, the likely best first, and leave out turn-ups and attacks on face-down pieces; their number."""
        worth = cython.declare(cython.int[512])
        if not cython.compiled:
            worth = [0] * 512
        i: cython.int
        j: cython.int
        kept: cython.int = 0
        move: cython.int
        value: cython.int
        victim: cython.int
        for i in range(n):
            move = moves[i]
            if move < END:
                victim = self.board.squares[move & 31]
                if victim == HIDDEN:
                    continue
                if move == first:
                    value = 1 << 30
                elif victim:
                    value = (1 << 24) + 16 * self.values[victim] - self.values[self.board.squares[move >> 5]]
                else:
                    value = self.history[(self.board.side << 12) + move]
            else:
                value = 1 << 30 if move == first else self.history[(self.board.side << 12) + (move & 4095)]
            j = kept
            while j > 0 and worth[j - 1] < value:
                worth[j] = worth[j - 1]
                moves[j] = moves[j - 1]
                j -= 1
            worth[j] = value
            moves[j] = move
            kept += 1
        return kept

    def quiesce(self, alpha: cython.int, beta: cython.int) -> cython.int:
        """The score when only captures are searched."""
        moves = cython.declare(cython.ushort[512])
        if not cython.compiled:
            moves = [0] * 512
        n: cython.int
        i: cython.int
        kept: cython.int = 0
        score: cython.int
        best: cython.int
        side: cython.int = self.board.side
        square: cython.int
        piece: cython.int
        self.nodes += 1
        if self.nodes >= self.node_limit:
            self.halt = True
        if self.halt:
            return 0
        if self.board.left[side] == 0:
            return -WIN + self.board.ply - self.base_ply
        best = self.evaluate()
        if best >= beta or self.board.ply - self.base_ply > 2 * DEEPEST:
            return best
        if best > alpha:
            alpha = best
        n = 0
        if self.board.chaining != OFF:
            n = self.board.piece_moves(self.board.chaining, moves, 0, True)
        else:
            for square in range(32):
                piece = self.board.squares[square]
                if piece & 7 and piece >> 3 == side:
                    n = self.board.piece_moves(square, moves, n, True)
        kept = self.order(moves, n, 0)
        for i in range(kept):
            score = self.after(moves[i], 0, 0, alpha, beta)
            if self.halt:
                return 0
            if score > best:
                best = score
                if best > alpha:
                    alpha = best
                if best >= beta:
                    break
        return best

    def after(
        self, move: cython.int, shown: cython.int, depth: cython.int, alpha: cython.int, beta: cython.int
    ) -> cython.int:
        """The score of a move for who makes it."""
        side: cython.int = self.board.side
        score: cython.int
        self.board.make(move, shown)
        if self.board.side == side:  # a chain goes on
            score = self.node(depth, alpha, beta, True) if depth > 0 else self.quiesce(alpha, beta)
        else:
            score = -self.node(depth, -beta, -alpha, True) if depth > 0 else -self.quiesce(-beta, -alpha)
        self.board.unmake()
        return score

    def node(self, depth: cython.int, alpha: cython.int, beta: cython.int, may_pass: cython.bint) -> cython.int:
        """The score of the position searched so deep."""
        moves = cython.declare(cython.ushort[512])
        if not cython.compiled:
            moves = [0] * 512
        n: cython.int
        i: cython.int
        score: cython.int
        best: cython.int = -WIN
        best_move: cython.int = 0
        first: cython.int = 0
        start: cython.int = alpha
        ply: cython.int = self.board.ply - self.base_ply
        key: cython.ulonglong
        data: cython.ulonglong
        reduced: cython.int
        side: cython.int = self.board.side
        quiet: cython.bint
        if self.board.left[side] == 0:
            return -WIN + ply
        if self.drawn():
            return 0
        if depth <= 0 or ply > DEEPEST:
            return self.quiesce(alpha, beta)
        self.nodes += 1
        if self.nodes >= self.node_limit:
            self.halt = True
        if self.halt:
            return 0
        key = self.board.hash
        if self.board.still > 30:
            key ^= ZOBRIST[self.board.still & 31]  # those of no piece: free for this
        data = self.table.find(key)
        if data != 0:
            first = data & 0x3FFF
            score = cython.cast(cython.int, data >> 32 & 0xFFFF) - 32768
            if cython.cast(cython.int, data >> 16 & 255) >= depth and -SURE < score < SURE:
                i = data >> 14 & 3
                if i == EXACT or (i == LOWER and score >= beta) or (i == UPPER and score <= alpha):
                    return score
        if self.board.down and may_pass and self.board.chaining == OFF and ply > 0:
            # A turn-up is always possible: about as good as passing.
            self.board.remember(END, 0)
            self.board.pass_turn()
            score = -self.node(depth - 2, -beta, -alpha, False) if depth > 2 else -self.quiesce(-beta, -alpha)
            self.board.unmake()
            if self.halt:
                return 0
            best = score
            if best > alpha:
                alpha = best
            if best >= beta:
                return best
        n = self.board.generate(moves)
        if n == 0:
            return -WIN + ply
        n = self.order(moves, n, first)
        if self.hands and depth < 3 and n > 60:
            n = 60
        for i in range(n):
            quiet = moves[i] >= END or self.board.squares[moves[i] & 31] == EMPTY
            reduced = 1 if quiet and i > 5 and depth > 2 else 0
            if i == 0:
                score = self.after(moves[i], 0, depth - 1, alpha, beta)
            else:
                score = self.after(moves[i], 0, depth - 1 - reduced, alpha, alpha + 1)
                if score > alpha and (reduced or score < beta):
                    score = self.after(moves[i], 0, depth - 1, alpha, beta)
            if self.halt:
                return 0
            if score > best:
                best = score
                best_move = moves[i]
                if best > alpha:
                    alpha = best
                if best >= beta:
                    if quiet:
                        self.history[(side << 12) + (moves[i] & 4095)] += depth * depth
                    break
        i = LOWER if best >= beta else (EXACT if best > start else UPPER)
        self.table.store(key, best_move, best, 0, depth, i)
        return best

    def chance(self, move: cython.int, depth: cython.int, alpha: cython.int, beta: cython.int) -> cython.int:
        """The score of a move that turns a piece up, averaged over what may show; below ``alpha`` only a bound."""
        piece: cython.int
        total: cython.int = self.board.down
        left: cython.int = self.board.down
        score: cython.int
        count: cython.int
        least: cython.int = -SPREAD
        most: cython.int = SPREAD
        total_score: cython.longlong = 0
        static: cython.int = self.evaluate()
        least += static
        most += static
        for piece in range(16):
            count = self.board.pool[piece]
            if not count:
                continue
            score = self.after(move, piece, depth, least, most)
            if self.halt:
                return 0
            if score < least:
                score = least
            if score > most:
                score = most
            total_score += cython.cast(cython.longlong, score) * count
            left -= count
            if total_score + cython.cast(cython.longlong, most) * left <= cython.cast(cython.longlong, alpha) * total:
                return cython.cast(cython.int, (total_score + cython.cast(cython.longlong, most) * left) // total)
        return cython.cast(cython.int, total_score // total)

    # -- the root, as Python callers use it

    def score_of(self, move: int, depth: int, alpha: int, beta: int) -> int:
        """The score of a legal move of the position, for the side to act; meaningless once ``halt`` is set."""
        at: cython.int = move
        plies: cython.int = depth
        low: cython.int = alpha
        high: cython.int = beta
        score: cython.int
        hidden: cython.bint = at < END and self.board.squares[at & 31] == HIDDEN
        with cython.nogil:
            if hidden:
                score = self.chance(at, plies - 2 if plies > 2 else 0, low, high)
            else:
                score = self.after(at, 0, plies - 1, low, high)
        return score

    def static(self) -> int:
        """The position as it stands, for the side to act."""
        return self.evaluate() if self.board.side != NO_SIDE else 0


def _fill() -> None:
    for i in range(1024):
        a, b = i >> 5, i & 31
        DISTANCE[i] = abs((a & 3) - (b & 3)) + abs((a >> 2) - (b >> 2))


_fill()
