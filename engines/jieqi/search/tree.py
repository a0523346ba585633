"""The search of jieqi and fanqi: alpha-beta on what one side knows, with chance nodes where a piece turns up.

Scores are for the side to move, a chariot's worth about 900. A move that turns up a piece nobody here knows is the
average over the viewer's pool, each kind as often as it is unseen there, with the bounds of Star1 (Ballard 1983): what
an outcome is worth at most and at least is taken from a first look at it, and the rest is given up as soon as the
average can't come into the window any more. A face-down piece taken is worth the pool's average: what it was need not
be told apart. In quiescence a piece that turns up is one worth the average and moving like the commonest of its pool.

Repetitions in the tree draw, unless one side gave check all along; the rules that tell more are the player's to ask.
"""

from __future__ import annotations

import cython

from engines.xiangqi.evaluation import piece_value

if not cython.compiled:  # compiled, tree.pxd declares or imports all of these in C
    from engines.jieqi.board import Board
    from engines.jieqi.pieces import TURN_DOWN
    from engines.xiangqi.geometry import (
        ADVISOR,
        BISHOP,
        CANNON,
        FILE_OF,
        KING,
        KNIGHT,
        NO_SLOT,
        NOWHERE,
        PAWN,
        POP,
        RANK_OF,
        ROOK,
        ROOK_COL,
        ROOK_ROW,
    )
    from engines.xiangqi.table import EXACT, LOWER, UPPER, Table

    WIN, SURE, BY_RULE, MOST, DEEPEST, ROOM = 20000, 15000, 14000, 6000, 64, 160
    DARK_SHARE, TEMPO = 80, 15
    PLACES, WORTH, POOL_KEYS = [0] * 1440, [0] * 16, [0] * 256

KINDS = (0, 0, 190, 210, 430, 900, 440, 130)
"""What the kinds are worth in centipawns; advisors and elephants as they are where they go everywhere."""


def _fill() -> None:
    state, mask = 20260711, (1 << 64) - 1
    for i in range(256):  # splitmix64 from a fixed seed
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        POOL_KEYS[i] = z ^ z >> 31
    for piece in range(16):
        kind, color = piece & 7, piece >> 3
        if kind == 0:
            continue
        WORTH[piece] = KINDS[kind]
        spots = [square for square in range(90) if kind in (ROOK, KNIGHT, CANNON)]
        mean = sum(piece_value(kind, color, square)[0] for square in spots) // max(1, len(spots))
        for square in range(90):
            rank, file = square // 9, square % 9
            if color:
                rank = 9 - rank
            middle = 4 - abs(file - 4)
            bonus = 0
            if spots:
                bonus = piece_value(kind, color, square)[0] - mean
            elif kind == PAWN and rank >= 5:
                bonus = (90, 100, 110, 100, 20)[rank - 5] + 8 * middle
            elif kind == ADVISOR:
                bonus = 6 * middle + 5 * min(rank, 7)
            elif kind == BISHOP:
                bonus = 4 * middle + 6 * min(rank, 7)
            elif kind == KING:
                bonus = -12 * rank
            PLACES[piece * 90 + square] = KINDS[kind] + bonus


_fill()


@cython.final
@cython.cclass
class Tree:
    """A search on a board of its own."""

    def __init__(self, table: Table, limit: int = 80) -> None:
        """``limit``: plies without a capture that draw, 0 for none."""
        if not cython.compiled:
            self.pool, self.hidden, self.common = [0] * 16, [0] * 2, [0] * 2
            self.guessed, self.checked, self.history, self.killers = [0] * 33, [0] * 2048, [0] * 32768, [0] * 512
        self.table = table
        self.limit = limit
        self.node_limit = (1 << 63) - 1
        self.forget()

    def forget(self) -> None:
        """Forget what earlier searches taught, but for the table."""
        i: cython.int
        for i in range(32768):
            self.history[i] = 0
        for i in range(512):
            self.killers[i] = 0

    def start(self, board: Board, pool: dict[int, int]) -> None:
        """Search from this position: ``pool`` counts the pieces (kind + 8 for Black) that the viewer has not seen."""
        i: cython.int
        self.board = board.copy()
        self.board.reserve(ROOM + 8)
        self.base = self.board.ply
        self.halt = False
        self.nodes = 0
        self.seldepth = 0
        self.pool_key = 0
        self.turned = 0
        for i in range(33):
            self.guessed[i] = 0
        for i in range(32768):
            self.history[i] >>= 3
        for i in range(2048):
            self.checked[i] = 0
        for piece in range(16):
            self.pool[piece] = pool.get(piece, 0)
            self.pool_key ^= POOL_KEYS[piece * 16 + self.pool[piece]]
        self.settle(0)
        self.settle(1)

    def static(self) -> int:
        """The position as it stands, without a search."""
        return self.evaluate()

    def score_of(self, move: int, depth: int, alpha: int, beta: int) -> int:
        """What a legal move of the root is worth at a depth of at least 1, in a window."""
        found: cython.int
        made: cython.int = move
        plies: cython.int = depth - 1
        low: cython.int = alpha
        high: cython.int = beta
        self.checked[self.board.ply & 2047] = self.board.exposed(self.board.side, NOWHERE, NOWHERE)
        with cython.nogil:
            found = self.child(plies, low, high, made)
        return found

    def expected(self, move: int) -> int | None:
        """The reply to a move of the root that the table knows; None where it turns something up or none is known."""
        if self.unseen(move):
            return None
        self.board.make(move)
        known = self.table.lookup(self.board.hash ^ self.pool_key)
        reply = known[0] if known and known[0] and self.board.is_legal(known[0]) else None
        self.board.unmake()
        return reply

    def settle(self, color: cython.int) -> None:
        """What a side's face-down pieces are worth by what is left unseen."""
        kind: cython.int
        count: cython.int = 0
        total: cython.int = 0
        most: cython.int = 0
        first: cython.int = color << 3
        self.common[color] = first + PAWN
        for kind in range(ADVISOR, PAWN + 1):
            count += self.pool[first + kind]
            total += self.pool[first + kind] * WORTH[first + kind]
            if self.pool[first + kind] > most:
                most = self.pool[first + kind]
                self.common[color] = first + kind
        self.hidden[color] = total // count if count else 0

    def worth(self, slot: cython.int) -> cython.int:
        """What is lost with the piece of a slot, roughly."""
        if self.guessed[slot]:
            return self.hidden[slot >> 4]
        if self.board.dark[slot]:
            if self.board.truth[slot]:
                return WORTH[self.board.truth[slot]]
            return self.hidden[slot >> 4]
        return WORTH[self.board.kinds[slot]]

    def evaluate(self) -> cython.int:
        """The position as it stands, for the side to move."""
        score: cython.int = 0
        slot: cython.int
        square: cython.int
        kind: cython.int
        value: cython.int
        color: cython.int
        king: cython.int
        file: cython.int
        rank: cython.int
        x: cython.int
        y: cython.int
        row: cython.int
        col: cython.int
        for slot in range(32):
            square = self.board.place[slot]
            if square == NOWHERE:
                continue
            color = slot >> 4
            if self.board.dark[slot]:
                value = WORTH[self.board.truth[slot]] if self.board.truth[slot] else self.hidden[color]
                value = value * DARK_SHARE // 100
                kind = self.board.kinds[slot] & 7
                if kind == CANNON:
                    value += 10
            elif self.guessed[slot]:
                value = self.hidden[color]
            else:
                kind = self.board.kinds[slot] & 7
                value = PLACES[self.board.kinds[slot] * 90 + square]
                file = FILE_OF[square]
                rank = RANK_OF[square]
                if kind in (ROOK, CANNON):
                    row = self.board.rows[rank + 2] | self.board.rows[18 + rank]
                    col = self.board.cols[file] | self.board.cols[16 + file]
                    x = POP[ROOK_ROW[file * 512 + row] & 511] + POP[ROOK_COL[rank * 1024 + col] & 1023]
                    value += x * 5 if kind == ROOK else x * 2
                if kind != KING:
                    king = self.board.place[(color ^ 1) << 4]
                    x = FILE_OF[king] - file
                    y = RANK_OF[king] - rank
                    if x < 0:
                        x = -x
                    if y < 0:
                        y = -y
                    if kind in (ROOK, CANNON):
                        if x == 0 or y == 0:
                            value += 25
                        elif x == 1 or y == 1:
                            value += 8
                    elif kind == KNIGHT:
                        if x + y <= 4:
                            value += 30
                    elif x + y <= 3:
                        value += 20
            score += value if color == self.board.side else -value
        return score + TEMPO

    def repeated(self) -> cython.int:
        """0 where the position is new since the last capture; else 1 + the verdict: 1 a draw, 2 the side to move gave
        check all along, 3 the other did."""
        i: cython.int
        j: cython.int
        mine: cython.bint = True
        theirs: cython.bint = True
        least: cython.int = self.board.ply - self.board.clock
        if least < 0:
            least = 0
        i = self.board.ply - 4
        while i >= least:
            if self.board.past_keys[i] == self.board.hash:
                if i < self.base and self.board.ply - self.base > 0 and i + 8 < self.base:
                    return 1
                j = i + 1
                while j < self.board.ply:
                    if not self.checked[j & 2047]:
                        mine = False
                    j += 2
                j = i + 2
                while j <= self.board.ply:
                    if not self.checked[j & 2047]:
                        theirs = False
                    j += 2
                if mine != theirs:
                    return 2 if mine else 3
                return 1
            i -= 2
        return 0

    def unseen(self, move: cython.int) -> cython.bint:
        """Whether a move turns up a piece that is not known here."""
        return self.board.truth[self.board.squares[move >> 7 & 127]] == 0

    def make_guessed(self, move: cython.int) -> None:
        """Make a move; what turns up unseen is taken for the commonest of its pool, worth the average."""
        slot: cython.int = self.board.squares[move >> 7 & 127]
        if self.board.truth[slot] == 0:
            self.board.truth[slot] = self.common[slot >> 4]
            self.guessed[slot] = 1
            self.board.make(move)
            self.board.past_states[self.board.ply - 1] &= 63  # it will not be known when this is taken back
        else:
            self.board.make(move)

    def unmake_guessed(self) -> None:
        """Take back ``make_guessed``."""
        slot: cython.int = self.board.squares[self.board.past_moves[self.board.ply - 1] & 127]
        self.board.unmake()
        if self.board.truth[slot] == 0:
            self.guessed[slot] = 0

    def order(
        self, moves: cython.p_ushort, keys: cython.p_int, n: cython.int, first: cython.int, ply: cython.int
    ) -> None:
        """Give each move a key, the best highest."""
        i: cython.int
        move: cython.int
        slot: cython.int
        taken: cython.int
        for i in range(n):
            move = moves[i]
            slot = self.board.squares[move >> 7 & 127]
            taken = self.board.squares[move & 127]
            if move == first:
                keys[i] = 1 << 30
            elif taken != NO_SLOT:
                keys[i] = (1 << 24) + self.worth(taken) * 16 - self.worth(slot)
                if self.board.dark[slot]:
                    keys[i] += 200
            elif move == self.killers[ply * 2]:
                keys[i] = 1 << 22
            elif move == self.killers[ply * 2 + 1]:
                keys[i] = (1 << 22) - 1
            else:
                keys[i] = self.history[(self.board.side << 14) + (move & 16383)]
                if self.board.dark[slot]:
                    keys[i] -= 50
                if move & TURN_DOWN:
                    keys[i] -= 400

    def quiesce(self, depth: cython.int, alpha: cython.int, beta: cython.int) -> cython.int:
        """Captures until it is quiet; out of check every move, for some plies."""
        ply: cython.int = self.board.ply - self.base
        moves = cython.declare(cython.ushort[256])
        keys = cython.declare(cython.int[256])
        if not cython.compiled:
            moves, keys = [0] * 256, [0] * 256
        n: cython.int
        i: cython.int
        j: cython.int
        at: cython.int
        score: cython.int
        best: cython.int = -WIN + ply
        taken: cython.int
        static: cython.int = 0
        move: cython.int
        self.nodes += 1
        if ply > self.seldepth:
            self.seldepth = ply
        if self.nodes & 1023 == 0 and self.nodes >= self.node_limit:
            self.halt = True
        if self.halt or ply >= ROOM - 4:
            return self.evaluate()
        check: cython.bint = self.board.exposed(self.board.side, NOWHERE, NOWHERE)
        all_moves: cython.bint = check and depth > -3
        if not all_moves:
            static = self.evaluate()
            best = static
            if best >= beta:
                return best
            if best > alpha:
                alpha = best
        n = self.board.generate_legal(moves)
        if n == 0:
            return -WIN + ply
        if not all_moves:
            j = 0
            for i in range(n):
                taken = self.board.squares[moves[i] & 127]
                if taken == NO_SLOT or moves[i] & TURN_DOWN:
                    continue
                if static + self.worth(taken) + 150 <= alpha:
                    continue
                if depth < -1 and self.worth(taken) < self.worth(self.board.squares[moves[i] >> 7 & 127]):
                    continue
                moves[j] = moves[i]
                j += 1
            n = j
        self.order(moves, keys, n, 0, ply)
        for i in range(n):
            at = i
            for j in range(i + 1, n):
                if keys[j] > keys[at]:
                    at = j
            move = moves[at]
            moves[at], keys[at] = moves[i], keys[i]
            self.make_guessed(move)
            score = -self.quiesce(depth - 1, -beta, -alpha)
            self.unmake_guessed()
            if score > best:
                best = score
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        break
        return best

    def node(self, depth: cython.int, alpha: cython.int, beta: cython.int, may_pass: cython.bint) -> cython.int:
        """The value of the position for its side to move, searched so deep; fail-soft."""
        ply: cython.int = self.board.ply - self.base
        moves = cython.declare(cython.ushort[256])
        keys = cython.declare(cython.int[256])
        if not cython.compiled:
            moves, keys = [0] * 256, [0] * 256
        n: cython.int
        i: cython.int
        j: cython.int
        at: cython.int
        move: cython.int
        first: cython.int = 0
        score: cython.int
        less: cython.int
        bound: cython.int = UPPER
        chosen: cython.int = 0
        static: cython.int
        best: cython.int = -WIN
        data: cython.ulonglong
        key: cython.ulonglong
        quiet: cython.bint
        late: cython.bint
        check: cython.bint = self.board.exposed(self.board.side, NOWHERE, NOWHERE)
        self.checked[self.board.ply & 2047] = check
        if ply > 0:
            at = self.repeated()
            if at:
                return self.verdict(at, ply)
            if self.limit and self.board.clock >= self.limit and not check:
                return 0
        if check and depth < DEEPEST:
            depth += 1
        if depth <= 0:
            return self.quiesce(0, alpha, beta)
        self.nodes += 1
        if self.nodes & 1023 == 0 and self.nodes >= self.node_limit:
            self.halt = True
        if self.halt or ply >= ROOM - 60:
            return self.evaluate()
        key = self.board.hash ^ self.pool_key
        data = self.table.find(key)
        if data != 0:
            first = data & 16383
            score = cython.cast(cython.int, data >> 32 & 0xFFFF) - 32768
            if score > SURE:
                score -= ply
            elif score < -SURE:
                score += ply
            if cython.cast(cython.int, data >> 16 & 255) >= depth and beta - alpha == 1:
                at = data >> 14 & 3
                if at == EXACT or (at == LOWER and score >= beta) or (at == UPPER and score <= alpha):
                    return score
        static = self.evaluate()
        if not check and beta - alpha == 1 and -SURE < beta < SURE:
            if depth <= 3 and static - 110 * depth >= beta:
                return static
            if may_pass and depth >= 3 and static >= beta:
                self.board.make_null()
                score = -self.node(depth - 3 - depth // 4, -beta, -beta + 1, False)
                self.board.unmake_null()
                if self.halt:
                    return static
                if score >= beta:
                    return beta if score > SURE else score
        n = self.board.generate_legal(moves)
        if n == 0:
            return -WIN + ply
        at = ply if ply < 250 else 250
        self.order(moves, keys, n, first, at)
        for i in range(n):
            at = i
            for j in range(i + 1, n):
                if keys[j] > keys[at]:
                    at = j
            move = moves[at]
            score = keys[at]
            moves[at], keys[at] = moves[i], keys[i]
            keys[i] = score
            moves[i] = move
            quiet = self.board.squares[move & 127] == NO_SLOT
            late = quiet and not check and depth <= 2 and best > -SURE and i > 3
            if late and (static + 90 + 110 * depth <= alpha or i > 10 + 8 * depth):
                continue
            less = 0
            if quiet and not check and depth >= 3 and i >= 3:
                less = 1 + (i >= 8) + (i >= 20 and depth >= 5)
                if less > depth - 2:
                    less = depth - 2
            if i == 0:
                score = self.child(depth - 1, alpha, beta, move)
            else:
                score = self.child(depth - 1 - less, alpha, alpha + 1, move)
                if score > alpha and less:
                    score = self.child(depth - 1, alpha, alpha + 1, move)
                if alpha < score < beta:
                    score = self.child(depth - 1, alpha, beta, move)
            if self.halt:
                return best if best > -WIN else static
            if score > best:
                best = score
                chosen = move
                if score > alpha:
                    alpha = score
                    bound = EXACT
                    if score >= beta:
                        bound = LOWER
                        if quiet:
                            at = ply if ply < 250 else 250
                            if self.killers[at * 2] != move:
                                self.killers[at * 2 + 1] = self.killers[at * 2]
                                self.killers[at * 2] = move
                            at = (self.board.side << 14) + (move & 16383)
                            self.history[at] += depth * depth
                            if self.history[at] > 1 << 20:
                                self.history[at] >>= 1
                            for j in range(i):
                                if self.board.squares[moves[j] & 127] == NO_SLOT:
                                    self.history[(self.board.side << 14) + (moves[j] & 16383)] -= depth
                        break
        score = best
        if score > SURE:
            score += ply
        elif score < -SURE:
            score -= ply
        self.table.store(key, chosen & 16383, score, static, depth, bound)
        return best

    def verdict(self, found: cython.int, ply: cython.int) -> cython.int:
        """The score of a repetition, see ``repeated``."""
        if found == 1:
            return 0
        return ply - BY_RULE if found == 2 else BY_RULE - ply

    def child(self, depth: cython.int, alpha: cython.int, beta: cython.int, move: cython.int) -> cython.int:
        """What a move is worth to who makes it; ``depth`` is what is left after it."""
        score: cython.int
        if self.unseen(move):
            return self.chance(depth, alpha, beta, move)
        self.board.make(move)
        self.table.fetch(self.board.hash ^ self.pool_key)
        score = -self.node(depth, -beta, -alpha, True)
        self.board.unmake()
        return score

    def chance(self, depth: cython.int, alpha: cython.int, beta: cython.int, move: cython.int) -> cython.int:
        """What a move that turns up a piece is worth: the average over its pool."""
        slot: cython.int = self.board.squares[move >> 7 & 127]
        color: cython.int = slot >> 4
        first: cython.int = color << 3
        looks = cython.declare(cython.int[8])
        if not cython.compiled:
            looks = [0] * 8
        kind: cython.int
        piece: cython.int
        weight: cython.int = 0
        count: cython.int
        low: cython.int
        high: cython.int
        score: cython.int
        margin: cython.int
        upper: cython.int = 0  # what the outcomes not searched yet can bring, times their weights
        lower: cython.int = 0
        total: cython.int = 0
        step: cython.int
        worst: cython.int = WIN
        for kind in range(ADVISOR, PAWN + 1):
            weight += self.pool[first + kind]
        if weight == 0 or depth < 2 + 4 * self.turned:
            # Nothing to average over, or not worth it: the common piece stands for all.
            self.make_guessed(move)
            score = -self.node(depth, -beta, -alpha, True)
            self.unmake_guessed()
            return score
        if beta - alpha == 1:  # so bad with an average piece that no outcome is worth a look
            self.make_guessed(move)
            score = -self.node(depth - 2, -alpha + 120, -alpha + 121, True)
            self.unmake_guessed()
            if self.halt or score <= alpha - 121:
                return score
        margin = 100 + 40 * depth
        low = alpha - 3 * margin
        high = beta + 3 * margin
        for step in range(6):
            kind = PAWN - step
            piece = first + kind
            count = self.pool[piece]
            looks[kind] = 0
            if count == 0:
                continue
            self.turn(slot, piece, move)
            score = -self.quiesce(0, -high, -low)
            self.turn_back(slot, piece)
            if self.halt:
                return alpha
            looks[kind] = max(-MOST, min(MOST, score))
            upper += count * min(MOST, looks[kind] + margin)
            lower += count * max(-MOST, looks[kind] - margin)
        if upper <= alpha * weight:
            return upper // weight
        if lower >= beta * weight:
            return lower // weight
        for step in range(6):
            kind = PAWN - step
            piece = first + kind
            count = self.pool[piece]
            if count == 0:
                continue
            upper -= count * min(MOST, looks[kind] + margin)
            lower -= count * max(-MOST, looks[kind] - margin)
            low = (alpha * weight - total - upper) // count - 1
            high = (beta * weight - total - lower) // count + 1
            low = max(-WIN, min(WIN - 1, low))
            high = max(low + 1, min(WIN, high))
            self.turn(slot, piece, move)
            score = -self.node(depth, -high, -low, True)
            self.turn_back(slot, piece)
            if self.halt:
                return alpha
            if score < worst:
                worst = score
            if score <= low and low > -WIN:
                return (total + count * max(-MOST, score) + upper) // weight
            if score >= high and high < WIN:
                return (total + count * min(MOST, score) + lower) // weight
            total += count * max(-MOST, min(MOST, score))
        if worst > SURE:
            return worst
        return total // weight

    def turn(self, slot: cython.int, piece: cython.int, move: cython.int) -> None:
        """Make a move by which the unseen piece of a slot turns out to be this one."""
        self.pool_key ^= POOL_KEYS[piece * 16 + self.pool[piece]]
        self.pool[piece] -= 1
        self.pool_key ^= POOL_KEYS[piece * 16 + self.pool[piece]]
        self.settle(slot >> 4)
        self.board.truth[slot] = piece
        self.turned += 1
        self.board.make(move)

    def turn_back(self, slot: cython.int, piece: cython.int) -> None:
        """Take back ``turn``."""
        self.turned -= 1
        self.board.unmake()
        self.board.truth[slot] = 0
        self.pool_key ^= POOL_KEYS[piece * 16 + self.pool[piece]]
        self.pool[piece] += 1
        self.pool_key ^= POOL_KEYS[piece * 16 + self.pool[piece]]
        self.settle(slot >> 4)
