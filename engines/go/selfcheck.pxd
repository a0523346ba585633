from engines.go.board cimport Board
from engines.go.playout cimport Playout
from engines.go.stones cimport BLACK, BORDER, EMPTY, LEGAL, SUICIDE, WHITE, ZOBRIST, Stones, u64

cdef int first_fault(Stones stones) noexcept nogil
