# C declarations of search.py.
from engines.xiangqi.board cimport CHECKED, Board
from engines.xiangqi.cycle cimport AXF_RULES, CHECK_ONLY_RULES, NO_RULES, ROOM, judge
from engines.xiangqi.evaluation cimport EXCHANGE, PIECE_SQUARE, evaluate
from engines.xiangqi.geometry cimport NO_SLOT, PIECE_OF
from engines.xiangqi.ordering cimport MAX_PLY, TAKE_BAD, Ordering, exchange
from engines.xiangqi.table cimport EXACT, LOWER, UPPER, Table

cpdef enum:
    MATE = 30000          # mated in n plies is -(MATE - n)
    MATE_BOUND = 29000    # beyond it a score is a mate
    RULE_WIN = 20000      # the same for a game decided by the rules of repetition
    RULE_BOUND = 19000
    INFINITE = 32000
    UNDECIDED = 32500
    CHECK_TALLY = 10      # checks of one side that count towards the natural limit when checks are discounted

cdef class Searcher:
    cdef Board board
    cdef Table table
    cdef Ordering order
    cdef public bint halt              # set from any thread: unwind at once
    cdef public unsigned long long nodes
    cdef public unsigned long long node_limit
    cdef public int seldepth
    cdef public int root_depth
    # how to play, set before a search
    cdef public int pruning            # 0 none, 1 null move, 2 late moves too, 3 everything
    cdef public int knowledge
    cdef public int contempt           # what a draw costs the side that searches, centipawns
    cdef public int natural_limit      # plies without capture that draw, 0 for no limit
    cdef public bint discount          # checks beyond a side's tenth, and their evasions, don't count towards it
    cdef public int idle               # how long to rest now and then, 0 (not at all) to 3
    cdef public int rules              # of repetition, as cycle.py numbers them
    # by ply since the board was set up
    cdef int[::1] scores               # packed piece-square sums
    cdef int[::1] counted              # plies without capture as the natural limit counts them
    cdef int[::1] tally                # checks since the last capture: Red's + (Black's << 16)
    cdef unsigned char[::1] checks     # the side to move is in check
    cdef unsigned char seen[4096]      # how often a key with these low bits occurred
    cdef int root_ply
    cdef int root_side
    cdef int barrier                   # repetitions are not looked for before this ply (a null move)
    cdef int statics[130]
    cdef unsigned char reductions[4096]
    # the root moves, best first
    cdef unsigned short root_moves[128]
    cdef int root_scores[128]
    cdef int root_count
    cdef int root_first                # those before belong to better lines already found
    cdef unsigned short lines[16384]   # line of ply p from p*MAX_PLY on
    cdef int line_length[130]
    cdef unsigned short root_lines[16384]
    cdef int root_lengths[128]

    cdef void rest(self) noexcept nogil
    cdef void push(self, int move, bint check) noexcept nogil
    cdef void pop(self) noexcept nogil
    cdef void count_ply(self, int n, bint capture, bint check) noexcept nogil
    cdef int verdict(self, int ply) noexcept nogil
    cdef int judge_cycle(self, int length, int ply) noexcept nogil
    cdef int draw(self) noexcept nogil
    cdef int node(self, int depth, int alpha, int beta, int ply, bint cut, int excluded) noexcept nogil
    cdef int quiesce(self, int alpha, int beta, int ply) noexcept nogil
    cdef void extend_line(self, int ply, int move) noexcept nogil
    cdef bint can_pass(self, int side) noexcept nogil
    cdef void raise_root(self, int at, int to) noexcept nogil
    cdef int root(self, int depth, int alpha, int beta) noexcept nogil
    cdef bint deepen(self, int depth, int lines) noexcept nogil
