# C declarations of evaluation.py.
from engines.xiangqi.board cimport Board
from engines.xiangqi.geometry cimport (
    BETWEEN, CANNON_COL, CANNON_ROW, FILE_OF, KNIGHT_LEG, NO_SLOT, NOWHERE, PAWN, PIECE_OF, POP, LOW, RANK_OF,
    ROOK_COL, ROOK_ROW, STEP_ROW, STEPS,
)

cpdef enum:
    TEMPO = 12   # for being to move
    MOST = 9000  # no evaluation is larger: far from the scores of mates and of games won by rule
    PHASES = 24  # two chariots and two other pieces a side are the middle game
    LAZY = 400   # all TERMS together are seldom worth more
    # where each group of TERMS begins; what they count is told in evaluation.py
    ROOK_MOBILITY = 0
    CANNON_MOBILITY = 18
    KNIGHT_MOBILITY = 36
    ATTACKS = 45
    PROTECTS = 109
    ROOK_PIN = 141
    HOLLOW_LINE = 149
    MIDDLE = 159
    BOTTOM = 164
    BOTTOM_SCREENED = 173
    KNIGHT_CHECK = 177
    PAWN_PAIR = 179
    ADVISOR_GONE = 181
    BISHOP_GONE = 199
    ADVISOR_GONE_ROOKS = 217
    BISHOP_GONE_CANNONS = 223
    DANGER = 229
    COMPANY = 277
    ALL_TERMS = 282

cdef int PIECE_SQUARE[2880]  # packed middle + (endgame << 16), Red's view, by piece*90 + square; from 1440 on material alone
cdef int VALUE[16]           # piece -> worth in an exchange, centipawns; a soldier's before the river
cdef int EXCHANGE[1440]      # piece*90 + square -> the same, the river counted
cdef int TERMS[282]          # packed as PIECE_SQUARE, for the side that has what is counted

cdef int contacts(Board board, int seen, int start, int step, int own, int* terms, int attacks, int protects) noexcept nogil
cdef int gather(Board board, int knowledge, int* terms) noexcept nogil
cdef int gather_side(Board board, int color, int knowledge, int* terms) noexcept nogil
cdef int mixed(int packed, int phase) noexcept nogil
cdef int winning_share(Board board, int color, int force, int guards) noexcept nogil
cdef int tempered(Board board, int score) noexcept nogil
cdef int evaluate(Board board, int packed, int knowledge, int alpha, int beta) noexcept nogil
