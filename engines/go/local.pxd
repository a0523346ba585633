cimport cython
from engines.go.reading cimport Reading
from engines.go.stones cimport AREA, BLACK, BORDER, EMPTY, LEGAL, SIDE, WHITE, ZOBRIST, Undo, u64

cdef enum:
    DEEPEST = 64            # plies that a line may have
    SLOTS = 65536           # places in the table of positions, a power of two

@cython.final
cdef class Local(Reading):
    cdef short region[704]          # inner points where moves are looked for
    cdef int region_size
    cdef short weight[704]          # what each inner point is worth to whoever ends up with it
    cdef u64 path[72]               # positions of the line that is looked at, with who is to move
    cdef int depth
    cdef int friend                 # the colour that takes kos back at once
    cdef int nearest                # the earliest position of the line that a result rests on
    cdef bint costs                 # whether each move costs its player a point
    cdef int played                 # Black's moves in the line less White's
    cdef unsigned char fixed[704]   # whose the empty points outside the region are
    cdef unsigned char within[704]  # whether a point is in the region
    cdef bint broken                # whether the bound on positions or on depth was met
    cdef readonly long long nodes   # positions looked at since ``arrange``
    cdef long long limit
    cdef u64 salt                   # told into the keys, so that older entries of the table don't count
    cdef u64 *keys
    cdef short *low
    cdef short *high
    cdef short *best
    cdef unsigned char mark[704]
    cdef short queue[704]

    cdef int order(self, int c, int first, short *moves) noexcept nogil
    cdef bint seek(self, int c, int need, int passes) noexcept nogil
    cdef int owners(self) noexcept nogil
    cdef int spoils(self, int c) noexcept nogil
    cdef int exact(self, int c, int passes) noexcept nogil
    cdef int after(self, int c, int passes, int value) noexcept nogil
    cdef bint been(self, int c) noexcept nogil
    cdef void start(self, int friend) noexcept nogil
