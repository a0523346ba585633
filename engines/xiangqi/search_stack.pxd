# C declarations of search_stack.py.
from engines.xiangqi.board cimport Board
from engines.xiangqi.cycle cimport AXF_RULES, CHECK_ONLY_RULES, NO_RULES, ROOM, judge
from engines.xiangqi.evaluation cimport PIECE_SQUARE, evaluate, tempered
from engines.xiangqi.geometry cimport NO_SLOT, PIECE_OF, ZOBRIST, ZOBRIST_TURN
from engines.xiangqi.moves cimport move_from, move_to
from engines.xiangqi.net cimport Accumulators
from engines.xiangqi.ordering cimport MAX_PLY

cpdef enum:
    MATE = 30000          # mated in n plies is -(MATE - n)
    MATE_BOUND = 29000    # beyond it a score is a mate
    RULE_WIN = 20000      # the same for a game decided by the rules of repetition
    RULE_BOUND = 19000
    INFINITE = 32000
    UNDECIDED = 32500

cdef class SearchStack:
    cdef Board board
    cdef public int rules
    cdef public int natural_limit
    cdef public int free_checks
    cdef public int contempt
    cdef public int knowledge
    cdef Accumulators accumulators     # None: the evaluation of `evaluation`
    cdef int base                      # in PIECE_SQUARE
    # by ply since the board was set up
    cdef int[::1] scores               # packed piece-square sums
    cdef int[::1] counted              # plies without capture as the natural limit counts them
    cdef int[::1] tally                # checks since the last capture: Red's + (Black's << 16)
    cdef unsigned char[::1] checks     # the side to move is in check
    cdef unsigned short seen[4096]     # how often a key with these low bits occurred
    cdef int root_ply
    cdef int root_side
    cdef bint soonest                  # the root's side loses by rule as soon as by mate
    cdef int barrier                   # repetitions are not looked for before this ply (a null move)

    cdef int worth(self, int alpha, int beta) noexcept nogil
    cdef bint can_pass(self) noexcept nogil
    cdef unsigned long long key_after(self, int move) noexcept nogil
    cdef void push(self, int move, bint check) noexcept nogil
    cdef void pop(self) noexcept nogil
    cdef void pass_turn(self) noexcept nogil
    cdef void take_turn_back(self) noexcept nogil
    cdef void count_ply(self, int n, bint capture, bint check) noexcept nogil
    cdef int verdict(self, int ply) noexcept nogil
    cdef int judge_cycle(self, int length, int ply) noexcept nogil
    cdef int draw(self) noexcept nogil
