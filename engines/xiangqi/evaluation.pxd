# C declarations of evaluation.py.
from engines.xiangqi.board cimport Board
from engines.xiangqi.geometry cimport BETWEEN, FILE_OF, NOWHERE, POP, RANK_OF, ROOK_COL, ROOK_ROW

cpdef enum:
    TEMPO = 12   # for being to move
    MOST = 9000  # no evaluation is larger: far from the scores of mates and of games won by rule

cdef int PIECE_SQUARE[2880]  # packed middle + (endgame << 16), Red's view, by piece*90 + square; from 1440 on material alone
cdef int VALUE[16]           # piece -> worth in an exchange, centipawns; a soldier's before the river
cdef int EXCHANGE[1440]      # piece*90 + square -> the same, the river counted

cdef int evaluate(Board board, int packed, int knowledge) noexcept nogil
