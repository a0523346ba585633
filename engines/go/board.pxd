cimport cython
from engines.go.stones cimport (
    BLACK, EMPTY, KO, LEGAL, PASS, SIDE, SUPERKO, WHITE, Stones, Undo, u64,
)

@cython.final
cdef class Board:
    cdef readonly int width, height
    cdef int points
    cdef Stones now          # the position after the last turn
    cdef int ko_rule            # index into KO_RULES
    cdef int start_color        # who moves first
    cdef bint captured_ever     # whether stones have left the board since the start
    cdef Undo *log              # one entry a turn
    cdef int log_size, log_room
    cdef u64 *keys              # the position's hash after each turn, the start included
    cdef u64 *table             # open-addressing set of what superko compares; 0 marks a free place
    cdef int table_mask

    cdef int verdict(self, int p, int c) noexcept nogil
    cdef u64 key_of(self, u64 hash, int to_move) noexcept nogil
    cdef bint seen(self, u64 key) noexcept nogil
    cdef bint table_insert(self, u64 key) noexcept nogil
    cdef void table_remove(self, u64 key) noexcept nogil
    cdef bint grow(self, int turns=*) except -1
    cdef void refill_table(self) noexcept nogil
    cdef void restart(self) noexcept nogil
    cdef void push(self, int p, int c) noexcept nogil
    cdef void pop(self) noexcept nogil
    cdef u64 count_leaves(self, int depth, int c, bint passes, bint passed) noexcept nogil
    cdef int inner_of(self, int point) except -1
