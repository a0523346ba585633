# C declarations of ordering.py.
from engines.xiangqi.board cimport Board
from engines.xiangqi.evaluation cimport EXCHANGE
from engines.xiangqi.geometry cimport BETWEEN, FILE_OF, KNIGHT_LEG, NO_SLOT, NOWHERE, PIECE_OF, POP, RANK_OF
from engines.xiangqi.moves cimport move_from, move_to
from engines.xiangqi.pieces cimport ALL_MOVES, CAPTURES, QUIETS

cpdef enum:
    MAX_PLY = 128      # the search goes no deeper
    WIDTH = 128        # room for the moves of a position
    ALL_KINDS = 0      # what to pick: all moves,
    WINNING = 1        # captures that don't lose material,
    FORCING = 2        # and quiet checks
    HASH = 0           # stages of picking
    MAKE_CAPTURES = 1
    TAKE_CAPTURES = 2
    FIRST_KILLER = 3
    SECOND_KILLER = 4
    COUNTER = 5
    MAKE_QUIETS = 6
    TAKE_QUIETS = 7
    TAKE_BAD = 8
    MAKE_EVASIONS = 9
    TAKE_EVASIONS = 10
    DONE = 11

cdef unsigned char CHEAPEST[16]  # a side's slots, those worth least first

cdef int exchange(Board board, int move) noexcept nogil

cdef class Ordering:
    cdef Board board
    # the pickers, one a ply; the moves of ply p lie from p*WIDTH on
    cdef unsigned short moves[16384]
    cdef int values[16384]
    cdef int stage[128]
    cdef int hash_move[128]
    cdef int at[128]                  # next move to look at
    cdef int end[128]
    cdef int bad[128]                 # behind the captures that lose material
    cdef int wanted[128]
    cdef bint skip_quiets[128]
    cdef int context[130]             # at ply + 1: piece*90 + target of the move that led to the ply, 0 for none
    # what earlier positions taught
    cdef unsigned short killers[256]
    cdef unsigned short counters[1440]
    cdef short history[1440]          # piece*90 + target
    cdef short[::1] follow            # (piece*90 + target of the move before)*1440 + piece*90 + target

    cdef void forget(self) noexcept
    cdef void relax(self) noexcept nogil
    cdef void begin(self, int ply, int hash_move, bint check, int wanted) noexcept nogil
    cdef int next(self, int ply) noexcept nogil
    cdef int best(self, int ply) noexcept nogil
    cdef void list_captures(self, int ply) noexcept nogil
    cdef void list_quiets(self, int ply) noexcept nogil
    cdef void keep_checks(self, int ply) noexcept nogil
    cdef void list_evasions(self, int ply) noexcept nogil
    cdef int history_score(self, int ply, int move) noexcept nogil
    cdef void adjust(self, int ply, int move, int bonus) noexcept nogil
    cdef void reward(self, int ply, int move, int depth) noexcept nogil
