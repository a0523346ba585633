cimport cython
from engines.go.board cimport Board
from engines.go.reading cimport LADDER_BUDGET, LADDER_DEPTH, Reading
from engines.go.stones cimport BLACK, EMPTY, LEGAL, Stones

cdef enum:
    PLANES = 15
    GLOBALS = 8
    RECENT = 5          # moves that are shown

@cython.final
cdef class Planes(Reading):
    cdef short heads[704]       # chains of at most two liberties, and what was read of them
    cdef unsigned char fate[704]
    cdef unsigned char works[704]

    @cython.final
    cdef void read_ladders(self, int c) noexcept nogil
    @cython.final
    cdef void write(self, float *out, int c, short *recent, int count) noexcept nogil
