# C declarations of board.py: what the search, the repetition rules and the notation reach without Python in between.
#
cpdef enum:  # Python sees them as plain ints; board.py gives the same values for uncompiled runs
    RED = 0
    BLACK = 1
    KING = 1
    ADVISOR = 2
    BISHOP = 3
    KNIGHT = 4
    ROOK = 5
    CANNON = 6
    PAWN = 7
    NO_MOVE = 0
    NOWHERE = 90
    NO_SLOT = 32
    CAPTURES = 1
    QUIETS = 2
    ALL_MOVES = 3
    CHECKED = 65536
    HOLLOW = 131072

# Tables, filled once at import. Index `90` in a square table is NOWHERE, so a captured piece's place needs no test.
cdef unsigned char FILE_OF[91]        # square -> file 0..8; NOWHERE -> 15, equal to no file
cdef unsigned char RANK_OF[91]        # square -> rank 0..9; NOWHERE -> 15
cdef unsigned char PIECE_OF[33]       # slot -> piece (kind, +8 for Black); NO_SLOT -> 0
cdef unsigned char POP[1024]          # how many bits a line mask has
cdef unsigned char LOW[1024]          # its lowest bit
cdef unsigned short BETWEEN[256]      # a*16+b -> mask of the points strictly between a and b on a line
cdef unsigned short ROOK_ROW[4608]    # file*512 + row occupancy -> points a rook sees, first pieces included
cdef unsigned short CANNON_ROW[4608]  # the same -> first pieces behind one screen
cdef unsigned short ROOK_COL[10240]   # rank*1024 + column occupancy
cdef unsigned short CANNON_COL[10240]
cdef unsigned char KNIGHT_LEG[8190]   # target*91 + knight's square -> its leg towards the target; NOWHERE: out of reach
cdef unsigned short KNIGHT_WIDE[72]   # file*8 + (left leg taken | right leg taken << 2) -> files it reaches one rank away
cdef unsigned char KNIGHT_STEPS[1530] # 17 a square: count, then (target, leg) pairs
cdef unsigned char BISHOP_STEPS[810]  # 9 a square: count, then (target, eye) pairs
cdef unsigned char ADVISOR_STEPS[450] # 5 a square: count, then targets
cdef unsigned char KING_STEPS[450]    # 5 a square: count, then targets
cdef unsigned char PAWN_STEPS[720]    # 4 a square, Red's 90 first: count, then targets
cdef unsigned long long ZOBRIST[1440] # piece*90 + square
cdef unsigned long long ZOBRIST_TURN  # in the key when Black is to move


cdef class Board:
    # Plain state, open to compiled callers for reading.
    cdef unsigned char squares[91]    # square -> slot, NO_SLOT (32) where empty
    cdef unsigned char place[33]      # slot -> square, NOWHERE (90) when captured; see the layout in board.py
    cdef unsigned short rows[32]      # color*16 + rank + 2 -> mask of files (two full rows on either side of the board)
    cdef unsigned short cols[32]      # color*16 + file -> mask of ranks
    cdef unsigned long long hash      # Zobrist key
    cdef int side                     # RED or BLACK, to move
    cdef int clock                    # plies since the last capture
    cdef int start_number             # the move number of the position it began with
    cdef int start_side
    cdef int ply                      # moves made since then
    cdef int[::1] past_moves          # move | captured slot << 14
    cdef int[::1] past_clocks         # clock before the move
    cdef unsigned long long[::1] past_keys  # key before the move

    cdef void _add(self, int slot, int square) noexcept nogil
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
