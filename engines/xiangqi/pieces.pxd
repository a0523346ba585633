# C declarations of pieces.py: what the search, the repetition rules and the notation reach without Python in between.
from engines.xiangqi.geometry cimport (
    BETWEEN, CANNON, CANNON_COL, CANNON_ROW, FILE_OF, KNIGHT, KNIGHT_LEG, KNIGHT_WIDE, LOW, NO_SLOT, NOWHERE, PIECE_OF,
    POP, RANK_OF, ROOK, ROOK_COL, ROOK_ROW, STEP_ROW, STEPS, ZOBRIST, ZOBRIST_TURN,
)
from engines.xiangqi.moves cimport move_from, move_in, move_of, move_to

cpdef enum:
    CAPTURES = 1      # what a generator is asked for
    QUIETS = 2
    ALL_MOVES = 3
    CHECKED = 65536   # `survey`, beside the shielding slots in bits 0-15: the king is attacked;
    HOLLOW = 131072   # an enemy cannon faces it with nothing between


cdef class Pieces:
    # Plain state, open to compiled callers for reading.
    cdef unsigned char squares[91]    # square -> slot, NO_SLOT (32) where empty
    cdef unsigned char place[33]      # slot -> square, NOWHERE (90) when captured; see the layout in pieces.py
    cdef unsigned short rows[32]      # color*16 + rank + 2 -> mask of files (two full rows on either side of the board)
    cdef unsigned short cols[32]      # color*16 + file -> mask of ranks
    cdef unsigned long long hash      # Zobrist key
    cdef int side                     # RED or BLACK, to move
    cdef int clock                    # plies since the last capture
    cdef int ply                      # moves made since it was set up
    cdef int[::1] past_moves          # move | captured slot << 14
    cdef int[::1] past_clocks         # clock before the move
    cdef unsigned long long[::1] past_keys  # key before the move

    cdef void clear(self)
    cdef void take_over(self, Pieces other)
    cdef void add(self, int slot, int square) noexcept nogil
    cdef void reserve(self, int plies)
    cdef void make(self, int move) noexcept nogil
    cdef void unmake(self) noexcept nogil
    cdef void make_null(self) noexcept nogil
    cdef void unmake_null(self) noexcept nogil
    cdef bint exposed(self, int color, int origin, int target) noexcept nogil
    cdef bint checked(self) noexcept nogil
    cdef bint checks(self, int move) noexcept nogil
    cdef unsigned int survey(self) noexcept nogil
    cdef bint legal(self, int move, unsigned int flags) noexcept nogil
    cdef bint reaches(self, int slot, int target, bint taking) noexcept nogil
    cdef bint pseudo_legal(self, int move) noexcept nogil
    cdef unsigned int attackers(self, int square, int color) noexcept nogil
    cdef int piece_moves(self, int slot, unsigned short* out, int n, int wanted) noexcept nogil
    cdef int generate(self, unsigned short* out, int wanted) noexcept nogil
    cdef int generate_legal(self, unsigned short* out, int wanted) noexcept nogil
    cdef int count_legal(self) noexcept nogil
    cdef bint stuck(self) noexcept nogil
    cdef unsigned long long count_leaves(self, int depth) noexcept nogil
