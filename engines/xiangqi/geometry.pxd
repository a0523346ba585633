# C declarations of geometry.py. Index 90 of a table by square is NOWHERE, so the place of a captured piece needs no test.

cpdef enum:  # Python sees plain ints; geometry.py gives the same values for uncompiled runs
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

cdef unsigned char FILE_OF[91]        # square -> file 0..8; NOWHERE -> 15, equal to no file
cdef unsigned char RANK_OF[91]        # square -> rank 0..9; NOWHERE -> 15
cdef unsigned char PIECE_OF[33]       # slot -> piece (kind, +8 for Black); NO_SLOT -> 0
cdef unsigned char POP[1024]          # mask of a line -> how many bits it has
cdef unsigned char LOW[1024]          # mask of a line -> its lowest bit
cdef unsigned short BETWEEN[256]      # a*16 + b -> mask of the points strictly between a and b on a line
cdef unsigned short ROOK_ROW[4608]    # file*512 + occupied files of its rank -> points a rook sees, first pieces included
cdef unsigned short CANNON_ROW[4608]  # the same -> first pieces behind one screen
cdef unsigned short ROOK_COL[10240]   # rank*1024 + occupied ranks of its file, as above
cdef unsigned short CANNON_COL[10240]
cdef unsigned char KNIGHT_LEG[8190]   # target*91 + knight's square -> its leg towards the target; NOWHERE: out of reach
cdef unsigned short KNIGHT_WIDE[72]   # file*8 + (left leg taken | right leg taken << 2) -> mask of files two away it can reach
cdef unsigned char STEPS[9180]        # STEP_ROW[slot] + square*17: count, then (target, leg or eye, NOWHERE if none) pairs
cdef unsigned short STEP_ROW[33]      # slot -> where its kind's part of STEPS begins
cdef unsigned long long ZOBRIST[1440] # piece*90 + square
cdef unsigned long long ZOBRIST_TURN[1]  # in the key when Black is to move
