# C declarations of board.py.
from engines.banqi.board cimport EMPTY, OFF, ZOBRIST, Board as HalfBoard

cpdef enum:
    PLACE = 2048   # a move that puts a piece of kind (move >> 5 & 7) on a square

cdef class Board(HalfBoard):
    cdef void make(self, int move, int shown) noexcept nogil
    cdef int generate(self, unsigned short* out) noexcept nogil
