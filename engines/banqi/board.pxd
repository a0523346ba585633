# C declarations of board.py.

cpdef enum:
    EMPTY = 0
    HIDDEN = 8        # a face-down piece; else kind 1..7, + 8 for Black
    NO_SIDE = -1      # before the first piece is turned up
    OFF = 32          # no square
    END = 1024        # the move that ends a chain of captures
    MAX_MOVES = 512   # more than a position can have

cdef unsigned char NEXT[264]            # direction*33 + square -> the next square, OFF beyond the edge; 0-3 straight, 4-7 diagonal
cdef unsigned long long ZOBRIST[704]    # piece*32 + square; 512 + piece*8 + pool count; 640 + side; 642 + square of a chain

cdef class Board:
    cdef unsigned char squares[33]
    cdef unsigned char pool[16]         # face-down pieces (luoqi: pieces in hand) by piece
    cdef unsigned char left[2]          # pieces of each color not taken, face down ones too
    cdef unsigned char takes[256]       # piece*16 + victim, next to each other
    cdef unsigned char slides[8]        # by kind, as in rules.py
    cdef unsigned char strides[8]
    cdef unsigned char leaps[8]
    cdef unsigned char rushes[8]
    cdef unsigned char oblique[8]
    cdef int dark
    cdef bint chain
    cdef int down                       # face-down pieces on the board
    cdef int side                       # color to act, NO_SIDE before the first turn-up
    cdef int first                      # color of the player who acts first
    cdef int chaining                   # square of the piece that may go on taking, or OFF
    cdef int still                      # plies without a turn-up or capture
    cdef int ply                        # plies since the set-up
    cdef int start_ply
    cdef unsigned long long hash
    cdef unsigned int[::1] past_moves   # move | what stood on both squares << 12, << 16 | what showed << 20
    cdef unsigned long long[::1] past_states
    cdef unsigned long long[::1] past_keys
    cdef readonly object rules          # engines.banqi.rules.Rules
    cdef readonly str start             # the set-up as FEN

    cdef void blank(self, object rules)
    cdef void reserve(self, int plies)
    cdef void put(self, int square, int piece) noexcept nogil
    cdef void draw(self, int piece, int change) noexcept nogil
    cdef void remember(self, int move, int shown) noexcept nogil
    cdef void pass_turn(self) noexcept nogil
    cdef void make(self, int move, int shown) noexcept nogil
    cdef void unmake(self) noexcept nogil
    cdef bint beats(self, int piece, int origin, int target, int victim) noexcept nogil
    cdef bint prey(self, int piece, int there) noexcept nogil
    cdef int piece_moves(self, int square, unsigned short* out, int n, bint taking) noexcept nogil
    cdef int generate(self, unsigned short* out) noexcept nogil
    cdef unsigned long long count_leaves(self, int depth, unsigned char* deal) noexcept nogil
