# C declarations of tree.py.
from engines.banqi.board cimport EMPTY, END, HIDDEN, NO_SIDE, OFF, ZOBRIST, Board
from engines.xiangqi.table cimport EXACT, LOWER, UPPER, Table

cpdef enum:
    WIN = 20000        # a game won in n plies is WIN - n
    SURE = 15000       # beyond this a score is a game won or lost
    SPREAD = 1500      # no turn-up changes a score by more, as Star1 takes it
    DEEPEST = 60

cdef unsigned char DISTANCE[1024]      # square*32 + square -> steps

cdef class Tree:
    cdef Board board
    cdef Table table
    cdef readonly bint hands            # luoqi: the pool is in hand
    cdef public bint halt
    cdef public unsigned long long nodes
    cdef public unsigned long long node_limit
    cdef public int still_limit
    cdef int values[16]
    cdef int history[8192]              # color*4096 + move
    cdef int base_ply

    cdef int evaluate(self) noexcept nogil
    cdef bint drawn(self) noexcept nogil
    cdef int order(self, unsigned short* moves, int n, int first) noexcept nogil
    cdef int quiesce(self, int alpha, int beta) noexcept nogil
    cdef int node(self, int depth, int alpha, int beta, bint may_pass) noexcept nogil
    cdef int after(self, int move, int shown, int depth, int alpha, int beta) noexcept nogil
    cdef int chance(self, int move, int depth, int alpha, int beta) noexcept nogil
