# C declarations of board.py.
from engines.jieqi.pieces cimport DARK_ADVISORS_FREE, FREE_ADVISORS, FREE_ELEPHANTS, MOST_MOVES, Pieces, TURN_DOWN
from engines.xiangqi.geometry cimport BLACK, FILE_OF, NO_SLOT, NOWHERE, POP, RANK_OF, ZOBRIST_TURN


cdef class Board(Pieces):
    cdef readonly str form            # the name of the form
    cdef int start_number
    cdef int start_side
