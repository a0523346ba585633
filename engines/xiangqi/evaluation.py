"""What a position is worth, by rule of thumb: material, where the pieces stand and what they do, the generals' safety.

Everything is in centipawns; a chariot is worth about 900. The weights stand in ``weights``, found by
``scripts/tune_xiangqi.py`` from games that the engine played against itself. Every weight has a middle-game and an
endgame value, mixed by how many attacking pieces are left. Two such values travel in one int,
``middle + (endgame << 16)``, so that one addition keeps both.

What the ``TERMS`` count, each for the side that has it (kinds are those of ``geometry``):

- ``ROOK_MOBILITY``, ``CANNON_MOBILITY``, ``KNIGHT_MOBILITY`` + n: a piece that has n points to go to (a cannon without
  taking).
- ``ATTACKS`` + 32 if its side is to move + 8 a + kind: a piece of this kind that could be taken by a chariot, cannon,
  horse or crossed soldier (a = 0 to 3); ``PROTECTS`` + 8 a + kind: one of its own that it protects so.
- ``ROOK_PIN`` + kind: the one piece, of the enemy, between a chariot and his general.
- ``HOLLOW_LINE`` + d: a cannon (空头炮/空頭砲) on the enemy general's file with nothing between, d ranks away.
  ``MIDDLE`` + n: with n = 1 to 3 pieces between; 4: with two, one of them a horse in front of the general
  (窝心马/窩心馬).
- ``BOTTOM`` + d: a cannon on the general's rank (沉底炮/沉底砲) with nothing between, d files away;
  ``BOTTOM_SCREENED`` + n: with n = 1, 2 or 3 pieces or more.
- ``KNIGHT_CHECK``: a point from which a horse will give check next (卧槽马/臥槽馬, 挂角马/掛角馬 and the like).
- ``PAWN_PAIR`` + 1: two crossed soldiers side by side; + 0: others.
- ``ADVISOR_GONE`` + 9 (m - 1) + s: the enemy lacks m advisors, against attackers of strength s (2 a chariot, 1 a horse
  or cannon, 1 two crossed soldiers, 8 at most); ``BISHOP_GONE`` the same with elephants.
  ``ADVISOR_GONE_ROOKS`` + 3 (m - 1) + r: against r chariots; ``BISHOP_GONE_CANNONS`` against cannons.
- ``DANGER`` + 16 g + n: n points of the enemy's palace that are attacked, counted by attacker, and one more for every
  attacker, 15 at most; g = 0 with all four guards, 1 with two or three, 2 with fewer.
- ``COMPANY``: two chariots, two horses, two cannons, a horse with a cannon, and no chariot against some.
"""

from __future__ import annotations

import cython

from engines.xiangqi.geometry import KING
from engines.xiangqi.weights import MATERIAL, PLACES
from engines.xiangqi.weights import TERMS as TERM_WEIGHTS

if not cython.compiled:  # compiled, evaluation.pxd declares or imports all of these in C
    from engines.xiangqi.board import Board
    from engines.xiangqi.geometry import (
        BETWEEN,
        CANNON_COL,
        CANNON_ROW,
        FILE_OF,
        KNIGHT_LEG,
        LOW,
        NO_SLOT,
        NOWHERE,
        PAWN,
        PIECE_OF,
        POP,
        RANK_OF,
        ROOK_COL,
        ROOK_ROW,
        STEP_ROW,
        STEPS,
    )

    PIECE_SQUARE, VALUE, EXCHANGE = [0] * 2880, [0] * 16, [0] * 1440
    TEMPO, MOST, PHASES, LAZY = 12, 9000, 24, 400
    ROOK_MOBILITY, CANNON_MOBILITY, KNIGHT_MOBILITY, ATTACKS, PROTECTS = 0, 18, 36, 45, 109
    ROOK_PIN, HOLLOW_LINE, MIDDLE, BOTTOM, BOTTOM_SCREENED, KNIGHT_CHECK, PAWN_PAIR = 141, 149, 159, 164, 173, 177, 179
    ADVISOR_GONE, BISHOP_GONE, ADVISOR_GONE_ROOKS, BISHOP_GONE_CANNONS = 181, 199, 217, 223
    DANGER, COMPANY, ALL_TERMS = 229, 277, 282
    TERMS = [0] * ALL_TERMS

GROUPS: dict[str, int] = {
    "ROOK_MOBILITY": ROOK_MOBILITY,
    "CANNON_MOBILITY": CANNON_MOBILITY,
    "KNIGHT_MOBILITY": KNIGHT_MOBILITY,
    "ATTACKS": ATTACKS,
    "PROTECTS": PROTECTS,
    "ROOK_PIN": ROOK_PIN,
    "HOLLOW_LINE": HOLLOW_LINE,
    "MIDDLE": MIDDLE,
    "BOTTOM": BOTTOM,
    "BOTTOM_SCREENED": BOTTOM_SCREENED,
    "KNIGHT_CHECK": KNIGHT_CHECK,
    "PAWN_PAIR": PAWN_PAIR,
    "ADVISOR_GONE": ADVISOR_GONE,
    "BISHOP_GONE": BISHOP_GONE,
    "ADVISOR_GONE_ROOKS": ADVISOR_GONE_ROOKS,
    "BISHOP_GONE_CANNONS": BISHOP_GONE_CANNONS,
    "DANGER": DANGER,
    "COMPANY": COMPANY,
}
"""Where each group of terms begins."""

EXCHANGE_VALUES = (0, 9999, 200, 200, 400, 900, 450, 100)
"""Worth of each kind in an exchange: what players are taught. A soldier across the river counts 190."""


def piece_value(kind: int, color: int, square: int) -> tuple[int, int]:
    """Middle-game and endgame value of a piece of ``color`` on a square, from its owner's view."""
    rank, file = square // 9, square % 9
    if color:
        rank = 9 - rank
    file = min(file, 8 - file)
    middle, end = MATERIAL[kind]
    rows = PLACES[kind]
    if rank < len(rows):
        middle, end = middle + rows[rank][file][0], end + rows[rank][file][1]
    return middle, end


def _fill() -> None:
    for piece in range(1, 16):
        kind, color = piece & 7, piece >> 3
        if kind == 0:
            continue
        VALUE[piece] = EXCHANGE_VALUES[kind]
        sign = -1 if color else 1
        for square in range(90):
            middle, end = piece_value(kind, color, square)
            PIECE_SQUARE[piece * 90 + square] = sign * (middle + (end << 16))
            crossed = kind == PAWN and (square >= 45) != bool(color)
            EXCHANGE[piece * 90 + square] = plain = 190 if crossed else VALUE[piece]
            if kind == KING:
                plain = 0
            PIECE_SQUARE[1440 + piece * 90 + square] = sign * (plain + (plain << 16))
    for name, first in GROUPS.items():
        for i, (middle, end) in enumerate(TERM_WEIGHTS[name]):
            TERMS[first + i] = middle + (end << 16)


_fill()


def contacts(
    board: Board,
    seen: cython.int,
    start: cython.int,
    step: cython.int,
    own: cython.int,
    terms: cython.p_int,
    attacks: cython.int,
    protects: cython.int,
) -> cython.int:
    """The terms for the pieces on the points ``seen`` of a line, whose point i is the square ``start`` + i ``step``."""
    total: cython.int = 0
    other: cython.int
    while seen:
        other = board.squares[start + LOW[seen] * step]
        seen &= seen - 1
        if other & 16 == own:
            total += terms[protects + (PIECE_OF[other] & 7)]
        else:
            total += terms[attacks + (PIECE_OF[other] & 7)]
    return total


def gather_side(board: Board, color: cython.int, knowledge: cython.int, terms: cython.p_int) -> cython.int:
    """The sum of the terms that a side has."""
    own: cython.int = color << 4
    enemy: cython.int = own ^ 16
    king: cython.int = board.place[enemy]
    king_file: cython.int = FILE_OF[king]
    king_rank: cython.int = RANK_OF[king]
    attacks: cython.int = ATTACKS + (32 if board.side == color else 0)
    palace: cython.int = 7 if color else 0x380  # ranks of the enemy's
    total: cython.int = 0
    hits: cython.int = 0
    rooks: cython.int = 0
    cannons: cython.int = 0
    knights: cython.int = 0
    crossed: cython.int = 0
    advisors: cython.int
    bishops: cython.int
    slot: cython.int
    other: cython.int
    square: cython.int
    to: cython.int
    leg: cython.int
    file: cython.int
    rank: cython.int
    mine: cython.int
    row: cython.int
    col: cython.int
    seen: cython.int
    line: cython.int
    count: cython.int
    steps: cython.int
    i: cython.int
    for slot in range(own + 1, own + 3):
        square = board.place[slot]
        if square == NOWHERE:
            continue
        rooks += 1
        file, rank = FILE_OF[square], RANK_OF[square]
        mine = board.rows[own + rank + 2]
        row = mine | board.rows[enemy + rank + 2]
        seen = ROOK_ROW[file * 512 + row]
        count = POP[seen & ~mine]
        if knowledge >= 3:
            total += contacts(board, seen & row, square - file, 1, own, terms, attacks, PROTECTS)
        line = POP[seen & 0x38] if palace >> rank & 1 else 0
        mine = board.cols[own + file]
        col = mine | board.cols[enemy + file]
        seen = ROOK_COL[rank * 1024 + col]
        count += POP[seen & ~mine]
        total += terms[ROOK_MOBILITY + count]
        if knowledge < 3:
            continue
        total += contacts(board, seen & col, file, 9, own, terms, attacks, PROTECTS)
        if 3 <= file <= 5:
            line += POP[seen & palace]
        if line:
            hits += line + 1
        line = 0
        if file == king_file:
            line = col & BETWEEN[rank * 16 + king_rank]
            if POP[line] == 1:
                other = board.squares[LOW[line] * 9 + file]
                if other & 16 != own:
                    total += terms[ROOK_PIN + (PIECE_OF[other] & 7)]
        elif rank == king_rank:
            line = row & BETWEEN[file * 16 + king_file]
            if POP[line] == 1:
                other = board.squares[rank * 9 + LOW[line]]
                if other & 16 != own:
                    total += terms[ROOK_PIN + (PIECE_OF[other] & 7)]
    for slot in range(own + 3, own + 5):
        square = board.place[slot]
        if square == NOWHERE:
            continue
        cannons += 1
        file, rank = FILE_OF[square], RANK_OF[square]
        row = board.rows[own + rank + 2] | board.rows[enemy + rank + 2]
        col = board.cols[own + file] | board.cols[enemy + file]
        count = POP[ROOK_ROW[file * 512 + row] & ~row] + POP[ROOK_COL[rank * 1024 + col] & ~col]
        total += terms[CANNON_MOBILITY + count]
        if knowledge < 3:
            continue
        seen = CANNON_ROW[file * 512 + row] & row
        if seen:
            total += contacts(board, seen, square - file, 1, own, terms, attacks + 8, PROTECTS + 8)
        seen = CANNON_COL[rank * 1024 + col] & col
        if seen:
            total += contacts(board, seen, file, 9, own, terms, attacks + 8, PROTECTS + 8)
        if file == king_file:
            count = POP[col & BETWEEN[rank * 16 + king_rank]]
            hits += 2
            if count == 0:
                total += terms[HOLLOW_LINE + (rank - king_rank if rank > king_rank else king_rank - rank)]
                hits += 1
            elif count == 2:
                other = board.squares[king + (9 if enemy == 0 else -9)]
                total += terms[MIDDLE + (4 if other == enemy + 5 or other == enemy + 6 else 2)]
            elif count < 4:
                total += terms[MIDDLE + count]
        elif rank == king_rank:
            count = POP[row & BETWEEN[file * 16 + king_file]]
            hits += 2
            if count == 0:
                total += terms[BOTTOM + (file - king_file if file > king_file else king_file - file)]
            else:
                total += terms[BOTTOM_SCREENED + (count if count < 3 else 3)]
    for slot in range(own + 5, own + 7):
        square = board.place[slot]
        if square == NOWHERE:
            continue
        knights += 1
        count = line = 0
        steps = STEP_ROW[slot] + square * 17
        for i in range(steps + 1, steps + 1 + 2 * STEPS[steps], 2):
            if board.squares[STEPS[i + 1]] != NO_SLOT:
                continue
            to = STEPS[i]
            other = board.squares[to]
            if other != NO_SLOT:
                if other & 16 == own:
                    if knowledge >= 3:
                        total += terms[PROTECTS + 16 + (PIECE_OF[other] & 7)]
                    continue
                if knowledge >= 3:
                    total += terms[attacks + 16 + (PIECE_OF[other] & 7)]
            count += 1
            if palace >> RANK_OF[to] & 1 and 3 <= FILE_OF[to] <= 5:
                line += 1
            leg = KNIGHT_LEG[king * 91 + to]
            if leg != NOWHERE and board.squares[leg] == NO_SLOT and knowledge >= 3:
                total += terms[KNIGHT_CHECK]
        total += terms[KNIGHT_MOBILITY + count]
        if line:
            hits += line + 1
    if knowledge < 3:
        return total
    for slot in range(own + 7, own + 12):
        square = board.place[slot]
        if square == NOWHERE or (square >= 45) == (color == 1):
            continue
        crossed += 1
        steps = STEP_ROW[slot] + square * 17
        for i in range(steps + 1, steps + 1 + 2 * STEPS[steps], 2):
            other = board.squares[STEPS[i]]
            if other != NO_SLOT:
                if other & 16 != own:
                    total += terms[attacks + 24 + (PIECE_OF[other] & 7)]
                else:
                    total += terms[PROTECTS + 24 + (PIECE_OF[other] & 7)]
                    if STEPS[i] == square + 1 and own + 7 <= other <= own + 11:
                        total += terms[PAWN_PAIR + 1]
        file, rank = FILE_OF[square], RANK_OF[square]
        if palace >> rank & 1 and 2 <= file <= 6 and rank != (0 if color else 9):
            hits += 2
    advisors = (board.place[enemy + 12] != NOWHERE) + (board.place[enemy + 13] != NOWHERE)
    bishops = (board.place[enemy + 14] != NOWHERE) + (board.place[enemy + 15] != NOWHERE)
    count = 2 * rooks + knights + cannons + crossed // 2
    if count > 8:
        count = 8
    if advisors < 2:
        total += terms[ADVISOR_GONE + 9 * (1 - advisors) + count]
        total += terms[ADVISOR_GONE_ROOKS + 3 * (1 - advisors) + rooks]
    if bishops < 2:
        total += terms[BISHOP_GONE + 9 * (1 - bishops) + count]
        total += terms[BISHOP_GONE_CANNONS + 3 * (1 - bishops) + cannons]
    count = advisors + bishops
    total += terms[DANGER + (0 if count == 4 else 16 if count > 1 else 32) + (hits if hits < 15 else 15)]
    if rooks == 2:
        total += terms[COMPANY]
    if knights == 2:
        total += terms[COMPANY + 1]
    if cannons == 2:
        total += terms[COMPANY + 2]
    if knights and cannons:
        total += terms[COMPANY + 3]
    if rooks == 0 and (board.place[enemy + 1] != NOWHERE or board.place[enemy + 2] != NOWHERE):
        total += terms[COMPANY + 4]
    return total


def gather(board: Board, knowledge: cython.int, terms: cython.p_int) -> cython.int:
    """The sum of the terms, Red's view."""
    return gather_side(board, 0, knowledge, terms) - gather_side(board, 1, knowledge, terms)


def mixed(packed: cython.int, phase: cython.int) -> cython.int:
    """The middle-game and endgame values of a sum, mixed by the phase: ``PHASES`` (all is there) to 0."""
    middle: cython.int = ((packed & 0xFFFF) ^ 0x8000) - 0x8000
    return (middle * phase + (packed - middle >> 16) * (PHASES - phase)) // PHASES


def winning_share(board: Board, color: cython.int, force: cython.int, guards: cython.int) -> cython.int:
    """How much of its lead a side keeps that has no more than this to attack with, in eighths.

    ``force``: a chariot 32, a horse or cannon 16, a soldier 1, less than 33 together. ``guards``: the advisors and
    elephants against it. What endgame books call won, drawn or hard: a chariot does not beat all four guards, two
    horses or horse and cannon do, two cannons seldom; a horse or cannon with one soldier, or two soldiers, seldom beat
    them; one piece alone hardly beats two guards.
    """
    knights: cython.int
    if force == 0:
        return 0
    if force in (1, 16):
        return 1 if guards > 1 else 4
    if guards < 4:
        return 8
    if force in (2, 17):
        return 4
    if force == 32:
        if board.place[color * 16 + 1] != NOWHERE or board.place[color * 16 + 2] != NOWHERE:
            return 3
        knights = (board.place[color * 16 + 5] != NOWHERE) + (board.place[color * 16 + 6] != NOWHERE)
        return 7 if knights else 4
    return 8


def evaluate(
    board: Board, packed: cython.int, knowledge: cython.int, alpha: cython.int, beta: cython.int
) -> cython.int:
    """The worth of the position for the side to move.

    ``packed`` is the sum of ``PIECE_SQUARE`` over the pieces. ``knowledge``: 0 and 1 look at that sum alone, 2 at
    mobility too, 3 at everything; all know when a side can't win. Where that sum is farther than ``LAZY`` from the
    interval (alpha, beta), nothing else is looked at.
    """
    phase: cython.int = 0
    force = cython.declare(cython.int[2])
    color: cython.int
    own: cython.int
    count: cython.int
    pieces: cython.int
    guards: cython.int
    slot: cython.int
    score: cython.int
    for color in range(2):
        own = color << 4
        count = (board.place[own + 1] != NOWHERE) + (board.place[own + 2] != NOWHERE)
        pieces = 0
        for slot in range(own + 3, own + 7):
            pieces += board.place[slot] != NOWHERE
        phase += 3 * count + 2 * pieces
        force[color] = 32 * count + 16 * pieces
        if force[color] < 33:
            for slot in range(own + 7, own + 12):
                force[color] += board.place[slot] != NOWHERE
    if phase > PHASES:
        phase = PHASES
    score = mixed(packed, phase)
    if knowledge >= 2:
        count = -score if board.side else score
        if count - LAZY < beta and count + LAZY > alpha:
            score = mixed(packed + gather(board, knowledge, TERMS), phase)
    color = score < 0  # who is ahead
    count = force[color]
    if count < 33:
        guards = 0
        own = 16 - (color << 4)
        for slot in range(own + 12, own + 16):
            guards += board.place[slot] != NOWHERE
        score = score * winning_share(board, color, count, guards) // 8
    if board.side:
        score = -score
    score += TEMPO
    if score > MOST:
        return MOST
    return score if score > -MOST else -MOST


def tempered(board: Board, score: cython.int) -> cython.int:
    """What a net says, for the side to move, less what a leader can't win with so little; within ``MOST``."""
    color: cython.int = board.side if score >= 0 else board.side ^ 1  # who is ahead
    own: cython.int = color << 4
    force: cython.int = 32 * ((board.place[own + 1] != NOWHERE) + (board.place[own + 2] != NOWHERE))
    guards: cython.int = 0
    slot: cython.int
    for slot in range(own + 3, own + 7):
        force += 16 * (board.place[slot] != NOWHERE)
    if force < 33:
        for slot in range(own + 7, own + 12):
            force += board.place[slot] != NOWHERE
        own ^= 16
        for slot in range(own + 12, own + 16):
            guards += board.place[slot] != NOWHERE
        if force < 33:
            score = score * winning_share(board, color, force, guards) // 8
    if score > MOST:
        return MOST
    return score if score > -MOST else -MOST


def count_terms(board: Board) -> list[int]:
    """How often each of the ``TERMS`` occurs, Red's less Black's: what the tuning starts from."""
    terms = cython.declare(cython.int[282])
    if not cython.compiled:
        terms = [0] * ALL_TERMS
    i: cython.int
    counts = []
    for i in range(ALL_TERMS):
        terms[i] = 0
    for i in range(ALL_TERMS):
        terms[i] = 1
        counts.append(gather(board, 3, terms))
        terms[i] = 0
    return counts
