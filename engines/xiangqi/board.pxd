# C declarations of board.py.
from engines.xiangqi.geometry cimport (
    BLACK, FILE_OF, NO_SLOT, NOWHERE, PIECE_OF, POP, RANK_OF, ZOBRIST, ZOBRIST_TURN,
)
from engines.xiangqi.moves cimport move_from, move_in, move_to
from engines.xiangqi.pieces cimport Pieces


cdef class Board(Pieces):
    cdef int start_number             # the move number of the position it began with
    cdef int start_side
