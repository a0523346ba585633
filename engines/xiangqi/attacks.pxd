# C declarations of attacks.py.
from engines.xiangqi.board cimport Board
from engines.xiangqi.geometry cimport (
    ADVISOR, BISHOP, CANNON, KING, KNIGHT, NO_SLOT, NOWHERE, PAWN, PIECE_OF, ROOK,
)
from engines.xiangqi.moves cimport move_of
from engines.xiangqi.pieces cimport ALL_MOVES

cpdef enum:
    AXF_ATTACKS = 0       # how `threats` reads an attack
    COMPUTER_ATTACKS = 1
    CXA_ATTACKS = 2
    CHASED = 16           # see `threats`
    PINNED = 32
    THREATS = 48

cdef unsigned int king_attackers(Board board, int color) noexcept nogil
cdef bint keeps_king(Board board, int color, int origin, int target, unsigned int known) noexcept nogil
cdef bint is_victim(int slot, int square) noexcept nogil
cdef bint outweighs(int victim, int attacker) noexcept nogil
cdef int worth(int kind) noexcept nogil
cdef int _protection(Board board, int color, int origin, int target, unsigned int known) noexcept nogil
cdef int exchange(Board board, int origin, int target, unsigned int known, unsigned int their_known) noexcept nogil
cdef bint mates_at_once(Board board) noexcept nogil
cdef void threats(Board board, int color, int reading, unsigned short* found) noexcept nogil
