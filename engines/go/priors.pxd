cimport cython
from engines.go.board cimport Board
from engines.go.playout cimport Playout
from engines.go.reading cimport LADDER_BUDGET, LADDER_DEPTH
from engines.go.shapes cimport code_around, shape_gamma
from engines.go.stones cimport BLACK, BORDER, EMPTY, LEGAL, WHITE

cdef enum:
    FEATURES = 160
    SLOTS = 12              # features that one move can have at most, its 3x3 pattern aside

cdef float GAMMA[160]
cdef float PATTERN_GAMMA[65536]

@cython.final
cdef class Priors:
    cdef short moves[640]           # inner points
    cdef float weights[640]         # their shares, 1 in all
    cdef short slots[640][12]       # their features, 0 at the end
    cdef int codes[640]             # their 3x3 neighbourhoods, Black standing for the mover
    cdef int count
    cdef unsigned char capture[704], rescue[704], attack[704], defend[704]
    cdef short distance[704]
    cdef short queue[704]

    cdef void rate(self, Playout board, int c, long long *owner, long long playouts) noexcept nogil
    cdef void read_chains(self, Playout board, int c) noexcept nogil
    cdef void describe(self, Playout board, int p, int c, long long *owner, long long playouts) noexcept nogil
    cdef void measure_distance(self, Playout board, int origin) noexcept nogil
    cdef bint in_empty_corner(self, Playout board, int x, int y) noexcept nogil
    cdef bint far_from_stones(self, Playout board, int p) noexcept nogil
