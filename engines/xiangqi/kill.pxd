# C declarations of kill.py.
from engines.xiangqi.board cimport Board
from engines.xiangqi.moves cimport move_in
from engines.xiangqi.pieces cimport ALL_MOVES

cpdef enum:
    KILL_CHECKS = 4  # how many checks in a row a threat of mate may need, the mating one included

cdef bint mates_by_checks(Board board, int checks) noexcept nogil
cdef bint threatens_mate(Board board, int checks) noexcept nogil
cdef bint new_threat(Board board, int checks) noexcept nogil
