# C declarations of threats.py.
from engines.jieqi.board cimport Board
from engines.jieqi.pieces cimport MOST_MOVES
from engines.xiangqi.attacks cimport (
    AXF_ATTACKS, CHASED, COMPUTER_ATTACKS, CXA_ATTACKS, PINNED, THREATS, outweighs, worth,
)
from engines.xiangqi.geometry cimport KING, NOWHERE, NO_SLOT, PAWN
from engines.xiangqi.kill cimport KILL_CHECKS

cdef unsigned int king_attackers(Board board, int color) noexcept nogil
cdef bint keeps_king(Board board, int color, int origin, int target, unsigned int known) noexcept nogil
cdef bint is_victim(int kind, int color, int square) noexcept nogil
cdef int exchange(Board board, int origin, int target, unsigned int known, unsigned int their_known) noexcept nogil
cdef bint mates_by_checks(Board board, int checks) noexcept nogil
cdef int _protection(Board board, int color, int origin, int target, unsigned int known) noexcept nogil
cdef void threats(Board board, int color, int reading, unsigned short* found) noexcept nogil
