# C declarations of tree.py.
from engines.jieqi.board cimport Board
from engines.jieqi.pieces cimport TURN_DOWN
from engines.xiangqi.geometry cimport (
    ADVISOR, BISHOP, CANNON, FILE_OF, KING, KNIGHT, NOWHERE, NO_SLOT, PAWN, POP, RANK_OF, ROOK, ROOK_COL, ROOK_ROW,
)
from engines.xiangqi.table cimport EXACT, LOWER, UPPER, Table

cpdef enum:
    WIN = 20000        # a game won in n plies is WIN - n
    SURE = 15000       # beyond this a score is a game won or lost
    BY_RULE = 14000    # a repetition that the rules forbid the other side
    MOST = 6000        # what an outcome of chance counts at most
    DEEPEST = 64
    DARK_SHARE = 80    # hundredths of its pool's average that a face-down piece is worth: it has yet to move
    TEMPO = 15
    ROOM = 160         # plies of a line, quiescence included

cdef int PLACES[1440]                  # piece*90 + square: worth there, for its owner
cdef int WORTH[16]                     # piece: worth at large
cdef unsigned long long POOL_KEYS[256] # piece*16 + how many are unseen

cdef class Tree:
    cdef Board board
    cdef Table table
    cdef public bint halt
    cdef public unsigned long long nodes
    cdef public unsigned long long node_limit
    cdef public int limit               # plies without a capture that draw, 0 for none
    cdef public int seldepth
    cdef int base
    cdef int turned                     # outcomes of chance between the root and here
    cdef int pool[16]                   # pieces that the viewer has not seen
    cdef unsigned long long pool_key
    cdef int hidden[2]                  # by color: what a face-down piece not known is worth
    cdef int common[2]                  # by color: the piece it is taken for where the outcomes are not told apart
    cdef unsigned char guessed[33]      # slot -> 1 when taken for `common`
    cdef unsigned char checked[2048]    # ply -> whether its side to move was in check
    cdef int history[32768]             # color*16384 + move
    cdef int killers[512]               # ply*2 + n

    cdef void settle(self, int color) noexcept nogil
    cdef int worth(self, int slot) noexcept nogil
    cdef int evaluate(self) noexcept nogil
    cdef int repeated(self) noexcept nogil
    cdef void order(self, unsigned short* moves, int* keys, int n, int first, int ply) noexcept nogil
    cdef void make_guessed(self, int move) noexcept nogil
    cdef void unmake_guessed(self) noexcept nogil
    cdef bint unseen(self, int move) noexcept nogil
    cdef int quiesce(self, int depth, int alpha, int beta) noexcept nogil
    cdef int node(self, int depth, int alpha, int beta, bint may_pass) noexcept nogil
    cdef int child(self, int depth, int alpha, int beta, int move) noexcept nogil
    cdef int chance(self, int depth, int alpha, int beta, int move) noexcept nogil
    cdef int verdict(self, int found, int ply) noexcept nogil
    cdef void turn(self, int slot, int piece, int move) noexcept nogil
    cdef void turn_back(self, int slot, int piece) noexcept nogil
