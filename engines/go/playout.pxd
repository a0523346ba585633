cimport cython
from engines.go.board cimport Board
from engines.go.reading cimport LADDER_BUDGET, LADDER_DEPTH, Reading
from engines.go.stones cimport AREA, BLACK, BORDER, EMPTY, KO, LEGAL, WHITE, u64

cdef unsigned char PATTERN[65536]

# Corners of the position at the root in which neither side may move: see engines.go.fates.
@cython.final
cdef class Standstills:
    cdef readonly int count
    cdef unsigned char corner[3][704]   # by colour and inner point: the corner where a move there loses stones, 0 for none
    cdef short first[257]           # where a corner's entries begin
    cdef short point[4096]          # inner points: first those of the corner, then one of each chain around
    cdef unsigned char color[4096]  # what stands there
    cdef short need[4096]           # for the chains around: liberties they must have; 0 for the corner's own points

@cython.final
cdef class Playout(Reading):
    cdef u64 random_state
    cdef unsigned char first[704]   # who played a point first, in the tree or the playout; EMPTY for nobody
    cdef short when[704]            # after how many moves of tree and playout together that was
    cdef short candidates[1024]
    cdef int candidate_count
    cdef int last, before_last      # inner points of the last two moves; 0 for none or a pass
    cdef int passes
    cdef int moves_played           # in tree and playout
    cdef Standstills standstills
    cdef bint holding               # whether there are any

    cdef u64 random(self) noexcept nogil
    cdef int below(self, int n) noexcept nogil
    cdef void seed(self, u64 value) noexcept nogil
    cdef inline void suggest(self, int p) noexcept nogil
    cdef void suggest_for_atari(self, int head, int c) noexcept nogil
    cdef void suggest_for_two_liberties(self, int head, int c, bint atari) noexcept nogil
    cdef void suggest_captures_of_neighbours(self, int head, int c) noexcept nogil
    cdef void suggest_patterns(self, int p) noexcept nogil
    cdef inline void suggest_if_pattern(self, int p, int s) noexcept nogil
    cdef void suggest_nakade(self, int p, int c) noexcept nogil
    cdef int local_reply(self, int c) noexcept nogil
    cdef bint refused(self, int p, int c) noexcept nogil
    cdef bint barred(self, int p, int c) noexcept nogil
    cdef bint intact(self, int corner) noexcept nogil
    cdef int pick(self, int c) noexcept nogil
    cdef inline void set_aside(self, int i, int n) noexcept nogil
    cdef int random_move(self, int c) noexcept nogil
    cdef void note(self, int p, int c) noexcept nogil
    cdef int move(self, int c) noexcept nogil
    cdef int run(self, int c, int most) noexcept nogil
    cdef int run_light(self, int c, int most) noexcept nogil
    cdef int area_difference(self) noexcept nogil
    cdef int owner_of(self, int p) noexcept nogil
