# C declarations of board.py.

cpdef enum:
    EMPTY = 0
    HIDDEN = 8      # a face-down piece; else kind 1..7 (K A B N R C P), + 8 for black letters
    OFF = 90        # no point
    RETIRE = 16256  # + player: a player leaves the game

cdef unsigned char SIDE[16]          # piece -> 0 generals and soldiers, 1 red, 2 black; 3 none
cdef unsigned long long ZOBRIST[1700] # piece*90 + point; 1440 + piece*8 + pool count; 1568 + player; 1571 + player*4 + side; 1590 + player out

cdef class Board:
    cdef unsigned char squares[91]
    cdef unsigned char pool[16]      # pieces nobody has seen, those aside too
    cdef unsigned char up[4]         # face-up pieces of each side
    cdef unsigned char NEXT[728]     # direction*91 + point -> the next point, OFF beyond the edge; 0-3 straight, 4-7 diagonal
    cdef unsigned char JUMPS[1440]   # point*16: knight 8, elephant 4 from point*16 + 8 on; OFF where there is none
    cdef int sides[3]                # of each player, -1 none yet
    cdef int order[3]                # players out, first out first
    cdef int lost                    # how many are out
    cdef int down                    # face-down pieces on the board
    cdef int player                  # to act
    cdef bint stuck                  # nobody can act
    cdef int still
    cdef int ply
    cdef int start_ply
    cdef readonly int points         # 45 or 90
    cdef unsigned long long hash
    cdef unsigned int[::1] past_moves   # move | what stood on both points << 14, << 18 | what showed << 22 | announced << 26
    cdef unsigned long long[::1] past_states
    cdef unsigned long long[::1] past_keys
    cdef readonly str start

    cdef void reserve(self, int plies)
    cdef void put(self, int point, int piece) noexcept nogil
    cdef void draw(self, int piece, int change) noexcept nogil
    cdef bint is_out(self, int player) noexcept nogil
    cdef void strike(self, int player) noexcept nogil
    cdef void assign(self, int player, int side) noexcept nogil
    cdef void settle(self, int side) noexcept nogil
    cdef void turn_to(self, int player) noexcept nogil
    cdef bint can_act(self, int player) noexcept nogil
    cdef void advance(self) noexcept nogil
    cdef void make(self, int move, int shown, int announced) noexcept nogil
    cdef void unmake(self) noexcept nogil
    cdef int piece_moves(self, int point, unsigned short* out, int n) noexcept nogil
    cdef int generate(self, int player, unsigned short* out) noexcept nogil
