cimport cython
from engines.go.stones cimport AREA, BLACK, BORDER, EMPTY, LEGAL, WHITE, Stones, Undo, lowest, popcount, u64

cdef enum:
    LADDER_DEPTH = 80   # moves deep, and positions in all, that one question about a ladder may take
    LADDER_BUDGET = 120

cdef class Reading(Stones):
    cdef int budget                 # positions the current ladder may still look at
    cdef short shape[8]             # stones of the chain that nakade_shape looks at

    @cython.final
    cdef int is_eye(self, int p, int c) noexcept nogil
    @cython.final
    cdef int liberties_after(self, int p, int c) noexcept nogil
    @cython.final
    cdef bint takes(self, int p, int c) noexcept nogil
    @cython.final
    cdef bint self_atari(self, int p, int c) noexcept nogil
    @cython.final
    cdef int bad_self_atari(self, int p, int c) noexcept nogil
    @cython.final
    cdef bint killing_shape(self, int size) noexcept nogil
    @cython.final
    cdef int neighbourhood(self, int p) noexcept nogil
    @cython.final
    cdef bint escapes(self, int head, int depth) noexcept nogil
    @cython.final
    cdef bint caught(self, int head, int depth) noexcept nogil
    @cython.final
    cdef bint safe_after(self, int p, int c, int stone, int depth) noexcept nogil
    @cython.final
    cdef bint saved_by(self, int p, int c, int stone) noexcept nogil
    @cython.final
    cdef bint caught_by(self, int p, int c, int stone) noexcept nogil
