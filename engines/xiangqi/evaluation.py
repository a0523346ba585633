"""What a position is worth, by rule of thumb: material, where the pieces stand, mobility, the generals' safety.

Everything is in centipawns: a soldier that has not crossed the river is worth about 100, the other pieces what players
are taught (chariot 9, horse 4, cannon 4½, elephant and advisor 2, soldier 1 and across the river 2, on the last rank
1). The tables are this project's own. Every term has a middle-game and an endgame value, mixed by how many attacking
pieces are left. Two such values travel in one int, ``middle + (endgame << 16)``, so that one addition keeps both.
"""

from __future__ import annotations

import cython

from engines.xiangqi.geometry import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK

if not cython.compiled:  # compiled, evaluation.pxd declares or imports all of these in C
    from engines.xiangqi.board import Board
    from engines.xiangqi.geometry import BETWEEN, FILE_OF, NOWHERE, POP, RANK_OF, ROOK_COL, ROOK_ROW

    PIECE_SQUARE, VALUE, EXCHANGE = [0] * 2880, [0] * 16, [0] * 1440
    TEMPO, MOST = 12, 9000

MATERIAL = {
    KING: (0, 0),
    ADVISOR: (200, 190),
    BISHOP: (200, 190),
    KNIGHT: (400, 430),
    ROOK: (900, 960),
    CANNON: (450, 420),
    PAWN: (100, 110),
}
"""Kind: middle-game and endgame value."""

# For Red, rank 0 (Red's back rank) first; files a to e, the other four mirror them. Added to the material.
_KING = (
    (0, 0, 0, 2, 10),
    (0, 0, 0, -24, -14),
    (0, 0, 0, -44, -34),
)
_ADVISOR = (
    (0, 0, 0, 0, 0),
    (0, 0, 0, 0, 8),
    (0, 0, 0, -8, 0),
)
_BISHOP = (
    (0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0),
    (-12, 0, 0, 0, 10),
    (0, 0, 0, 0, 0),
    (0, 0, -4, 0, 0),
)
_KNIGHT = (
    (-26, -18, -14, -12, -22),
    (-18, -8, -4, -4, -48),
    (-10, 0, 8, 4, -4),
    (-6, 6, 6, 10, 8),
    (0, 10, 12, 14, 16),
    (4, 14, 18, 20, 22),
    (6, 18, 20, 28, 24),
    (4, 20, 30, 24, 16),
    (2, 8, 34, 14, -6),
    (-10, -4, 4, -4, -12),
)
_ROOK = (
    (-18, 0, -6, 8, -8),
    (-6, 2, 2, 12, -6),
    (-8, 4, 0, 10, 4),
    (0, 8, 4, 12, 12),
    (6, 12, 8, 14, 14),
    (8, 14, 10, 16, 18),
    (12, 16, 12, 18, 20),
    (8, 14, 10, 20, 24),
    (10, 18, 14, 26, 32),
    (6, 10, 8, 18, 12),
)
_CANNON_MIDDLE = (
    (0, 0, 2, 4, 4),
    (0, 2, 4, 4, 4),
    (2, 2, 6, 6, 16),
    (0, 0, 2, 2, 8),
    (0, 2, 4, 2, 12),
    (0, 2, 2, 2, 12),
    (2, 6, 2, 2, 14),
    (2, 4, 0, -6, -6),
    (4, 4, 0, -10, -12),
    (14, 12, 4, -8, -10),
)
_CANNON_END = (
    (6, 6, 8, 10, 12),
    (6, 6, 8, 10, 12),
    (4, 6, 8, 8, 14),
    (0, 0, 2, 2, 6),
    (0, 0, 2, 2, 6),
    (0, 0, 0, 0, 4),
    (0, 0, 0, 0, 4),
    (0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0),
    (2, 2, 0, 0, 0),
)
_PAWN_MIDDLE = (
    (0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0),
    (-6, 0, -2, 0, 8),
    (-2, 0, 10, 0, 10),
    (50, 66, 80, 90, 92),
    (64, 86, 106, 120, 126),
    (68, 94, 118, 150, 160),
    (56, 86, 112, 152, 168),
    (-14, -8, -2, 10, 16),
)
_PAWN_END = (
    (0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0),
    (10, 0, 10, 0, 10),
    (90, 100, 106, 110, 112),
    (96, 108, 120, 128, 132),
    (92, 112, 126, 140, 146),
    (70, 92, 108, 126, 136),
    (-10, -8, -4, 4, 10),
)

_PLACES = {
    KING: (_KING, _KING),
    ADVISOR: (_ADVISOR, _ADVISOR),
    BISHOP: (_BISHOP, _BISHOP),
    KNIGHT: (_KNIGHT, _KNIGHT),
    ROOK: (_ROOK, _ROOK),
    CANNON: (_CANNON_MIDDLE, _CANNON_END),
    PAWN: (_PAWN_MIDDLE, _PAWN_END),
}


def piece_value(kind: int, color: int, square: int) -> tuple[int, int]:
    """Middle-game and endgame value of a piece of ``color`` on a square, from its owner's view."""
    rank, file = square // 9, square % 9
    if color:
        rank = 9 - rank
    file = min(file, 8 - file)
    middle, end = _PLACES[kind]
    base = MATERIAL[kind]
    return (
        base[0] + (middle[rank][file] if rank < len(middle) else 0),
        base[1] + (end[rank][file] if rank < len(end) else 0),
    )


def _fill() -> None:
    for piece in range(1, 16):
        kind, color = piece & 7, piece >> 3
        if kind == 0:
            continue
        VALUE[piece] = 9999 if kind == KING else MATERIAL[kind][0]
        sign = -1 if color else 1
        for square in range(90):
            middle, end = piece_value(kind, color, square)
            PIECE_SQUARE[piece * 90 + square] = sign * (middle + (end << 16))
            crossed = kind == PAWN and (square >= 45) != bool(color)
            plain = MATERIAL[kind][0] + (100 if crossed else 0)
            PIECE_SQUARE[1440 + piece * 90 + square] = sign * (plain + (plain << 16))
            EXCHANGE[piece * 90 + square] = 190 if crossed else VALUE[piece]


_fill()


def evaluate(board: Board, packed: cython.int, knowledge: cython.int) -> cython.int:
    """The worth of the position for the side to move.

    ``packed`` is the sum of ``PIECE_SQUARE`` over the pieces. ``knowledge``: 0 and 1 look at that sum alone, 2 at
    mobility too, 3 also at the generals' safety; all know when a side can't win.
    """
    middle: cython.int = ((packed & 0xFFFF) ^ 0x8000) - 0x8000
    end: cython.int = (packed - middle) >> 16
    phase: cython.int = 0
    force = cython.declare(cython.int[2])
    guards = cython.declare(cython.int[2])
    color: cython.int
    own: cython.int
    enemy: cython.int
    sign: cython.int
    slot: cython.int
    square: cython.int
    file: cython.int
    rank: cython.int
    mine: cython.int
    line: cython.int
    count: cython.int
    king_file: cython.int
    king_rank: cython.int
    rooks: cython.int
    cannons: cython.int
    knights: cython.int
    pawns: cython.int
    advisors: cython.int
    bishops: cython.int
    threat: cython.int
    side_middle: cython.int
    side_end: cython.int
    score: cython.int
    for color in range(2):
        own = color << 4
        enemy = own ^ 16
        sign = 1 - 2 * color
        king_file, king_rank = FILE_OF[board.place[enemy]], RANK_OF[board.place[enemy]]
        rooks = cannons = knights = pawns = side_middle = side_end = threat = 0
        for slot in range(own + 1, own + 3):
            square = board.place[slot]
            if square == NOWHERE:
                continue
            rooks += 1
            if knowledge < 2:
                continue
            file, rank = FILE_OF[square], RANK_OF[square]
            mine = board.rows[own + rank + 2]
            count = POP[ROOK_ROW[file * 512 + (mine | board.rows[enemy + rank + 2])] & ~mine]
            mine = board.cols[own + file]
            count += POP[ROOK_COL[rank * 1024 + (mine | board.cols[enemy + file])] & ~mine]
            side_middle += 4 * count - 30
            side_end += 4 * count - 34
        for slot in range(own + 3, own + 5):
            square = board.place[slot]
            if square == NOWHERE:
                continue
            cannons += 1
            if knowledge < 3:
                continue
            file, rank = FILE_OF[square], RANK_OF[square]
            if file == king_file:
                line = board.cols[own + file] | board.cols[enemy + file]
                count = POP[line & BETWEEN[rank * 16 + king_rank]]
                if count == 0:  # nothing but the hollow line: every move behind it is dangerous
                    threat += 5
                elif count == 2:
                    threat += 1
            elif rank == king_rank:
                line = board.rows[own + rank + 2] | board.rows[enemy + rank + 2]
                if POP[line & BETWEEN[file * 16 + king_file]] != 1:
                    threat += 1
        for slot in range(own + 5, own + 7):
            square = board.place[slot]
            if square == NOWHERE:
                continue
            knights += 1
            if knowledge < 2:
                continue
            file, rank = FILE_OF[square], RANK_OF[square]
            line = (board.rows[own + rank + 2] | board.rows[enemy + rank + 2]) << 1 | 1 | 1 << 10
            count = POP[line >> file & 5]
            line = (board.cols[own + file] | board.cols[enemy + file]) << 1 | 1 | 1 << 11
            count += POP[line >> rank & 5]
            side_middle -= 9 * count
            side_end -= 7 * count
        for slot in range(own + 7, own + 12):
            square = board.place[slot]
            if square != NOWHERE:
                pawns += 1
                if (square >= 45) != (color == 1):
                    threat += 1
        advisors = (board.place[enemy + 12] != NOWHERE) + (board.place[enemy + 13] != NOWHERE)
        bishops = (board.place[enemy + 14] != NOWHERE) + (board.place[enemy + 15] != NOWHERE)
        if knowledge >= 3:
            count = 3 * rooks + 2 * knights + 2 * cannons + threat
            side_middle += threat * (rooks + knights + cannons) * 4
            side_middle += (2 - advisors) * (2 * count + 6 * rooks) + (2 - bishops) * (count + 5 * cannons)
            side_end += (2 - advisors) * (count + 3 * rooks) + (2 - bishops) * (count + 2 * cannons)
        middle += sign * side_middle
        end += sign * side_end
        phase += 3 * rooks + 2 * (cannons + knights)
        force[color] = 32 * rooks + 16 * (knights + cannons) + pawns
        guards[color ^ 1] = advisors + bishops
    if phase > 24:
        phase = 24
    score = (middle * phase + end * (24 - phase)) // 24
    color = score < 0  # who is ahead
    count = force[color]
    if count < 33:
        if count == 0:
            score = 0
        elif count in (1, 16):  # a soldier, a horse or a cannon alone
            score = score // 8 if guards[color ^ 1] > 1 else score // 2
        elif count == 32 and guards[color ^ 1] == 4:  # two of them, or a chariot, against all guards
            score = score // 2
    if board.side:
        score = -score
    score += TEMPO
    if score > MOST:
        return MOST
    return score if score > -MOST else -MOST
