cimport cython
from engines.go.stones cimport AREA, BLACK, BORDER, EMPTY, KO, LEGAL, WHITE, Stones, Undo, u64

cdef unsigned char PATTERN[65536]

@cython.final
cdef class Playout(Stones):
    cdef u64 random_state
    cdef unsigned char first[704]   # who played a point first, in the tree or the playout; EMPTY for nobody
    cdef short candidates[1024]
    cdef int candidate_count
    cdef int last, before_last      # inner points of the last two moves; 0 for none or a pass
    cdef int passes
    cdef int budget                 # positions the current ladder may still look at
    cdef int moves_played

    cdef u64 random(self) noexcept nogil
    cdef int below(self, int n) noexcept nogil
    cdef void seed(self, u64 value) noexcept nogil
    cdef int is_eye(self, int p, int c) noexcept nogil
    cdef bint self_atari(self, int p, int c) noexcept nogil
    cdef bint fits_pattern(self, int p, int c) noexcept nogil
    cdef inline void suggest(self, int p) noexcept nogil
    cdef bint escapes(self, int head, int depth) noexcept nogil
    cdef bint caught(self, int head, int depth) noexcept nogil
    cdef bint saved_by(self, int p, int c, int stone) noexcept nogil
    cdef void suggest_for_atari(self, int head, int c) noexcept nogil
    cdef void suggest_for_two_liberties(self, int head, int c) noexcept nogil
    cdef void suggest_captures_of_neighbours(self, int head, int c) noexcept nogil
    cdef void suggest_patterns(self, int p, int c) noexcept nogil
    cdef void suggest_nakade(self, int p, int c) noexcept nogil
    cdef int local_reply(self, int c) noexcept nogil
    cdef int pick(self, int c, int refuse) noexcept nogil
    cdef int random_move(self, int c) noexcept nogil
    cdef void note(self, int p, int c) noexcept nogil
    cdef int run(self, int c, int most) noexcept nogil
    cdef int area_difference(self) noexcept nogil
    cdef int owner_of(self, int p) noexcept nogil
