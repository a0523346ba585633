# C declarations of pieces.py.
from engines.xiangqi.geometry cimport (
    ADVISOR, BETWEEN, BISHOP, BLACK, CANNON, CANNON_COL, CANNON_ROW, FILE_OF, KING, KNIGHT, KNIGHT_LEG, LOW, NOWHERE,
    NO_SLOT, PAWN, POP, RANK_OF, RED, ROOK, ROOK_COL, ROOK_ROW, STEPS, ZOBRIST, ZOBRIST_TURN,
)

cpdef enum:
    TURN_DOWN = 16384     # in a move: the piece is turned down on landing
    MOST_MOVES = 256      # room for the moves of one position
    CHECKED = 65536       # `survey`, beside the shielding slots in bits 0-15: the king is attacked;
    HOLLOW = 131072       # an enemy cannon faces it with nothing between
    FREE_ADVISORS = 1     # flags of a form
    FREE_ELEPHANTS = 2
    DARK_ADVISORS_FREE = 4

cdef unsigned char HOMES[91]                # square -> the kind that starts there, 0 for none
cdef unsigned char MOVES[13770]             # like STEPS, own rows: see pieces.py
cdef unsigned long long DARK_KEYS[180]      # color*90 + square: a face-down piece
cdef unsigned long long KNOWN_KEYS[1440]    # piece*90 + square: what a piece turned down before all eyes is

cdef class Pieces:
    cdef unsigned char squares[91]    # square -> slot, NO_SLOT (32) where empty
    cdef unsigned char place[33]      # slot -> square, NOWHERE (90) when taken
    cdef unsigned char kinds[33]      # slot -> piece that it moves as: its own, or face down its point's; 0: no piece
    cdef unsigned char dark[33]       # slot -> 1 when face down
    cdef unsigned char shown[33]      # slot -> 1 when it was turned down, before all eyes
    cdef unsigned char truth[33]      # slot -> the piece that it is; 0 when not known here
    cdef unsigned short rows[32]      # color*16 + rank + 2 -> mask of files
    cdef unsigned short cols[32]      # color*16 + file -> mask of ranks
    cdef unsigned long long hash
    cdef int side
    cdef int clock                    # plies since the last capture
    cdef int ply
    cdef int flags                    # of the form
    cdef int turning                  # kinds that may be turned down, as bits
    cdef int[::1] past_moves          # move | taken slot << 16
    cdef int[::1] past_states         # the mover's kind | dark << 4 | shown << 5 | truth << 6
    cdef int[::1] past_clocks
    cdef unsigned long long[::1] past_keys

    cdef void clear(self)
    cdef void take_over(self, Pieces other)
    cdef unsigned long long key_of(self, int slot, int square) noexcept nogil
    cdef void add(self, int slot, int square, int piece, int dark, int shown, int truth) noexcept nogil
    cdef void reserve(self, int plies)
    cdef void make(self, int move) noexcept nogil
    cdef void unmake(self) noexcept nogil
    cdef void make_null(self) noexcept nogil
    cdef void unmake_null(self) noexcept nogil
    cdef bint exposed(self, int color, int origin, int target) noexcept nogil
    cdef unsigned int survey(self) noexcept nogil
    cdef bint legal(self, int move, unsigned int flags) noexcept nogil
    cdef int row_of(self, int slot) noexcept nogil
    cdef bint reaches(self, int slot, int target, bint taking) noexcept nogil
    cdef bint may_turn_down(self, int slot, int target) noexcept nogil
    cdef int piece_moves(self, int slot, unsigned short* out, int n) noexcept nogil
    cdef int generate_legal(self, unsigned short* out) noexcept nogil
    cdef bint stuck(self) noexcept nogil
    cdef unsigned long long count_leaves(self, int depth) noexcept nogil
    cdef unsigned long long count_public(self, int depth, int* pool) noexcept nogil
