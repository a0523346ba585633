# C declarations of tree.py.
cimport cython
from engines.xiangqi.board cimport Board
from engines.xiangqi.evaluation cimport EXCHANGE
from engines.xiangqi.geometry cimport NO_SLOT, PIECE_OF
from engines.xiangqi.moves cimport move_from, move_in, move_to
from engines.xiangqi.ordering cimport ALL_KINDS, FORCING, MAX_PLY, TAKE_BAD, WINNING, Ordering, exchange
from engines.xiangqi.table cimport EXACT, LOWER, UPPER, Table
from engines.xiangqi.search_stack cimport INFINITE, MATE, MATE_BOUND, RULE_BOUND, UNDECIDED, SearchStack

cpdef enum:
    QUIET_CHECK_PLIES = 3          # quiet checks are tried in the first so many plies of quiescence
    REVERSE_FUTILITY_DEPTH = 7        # up to this depth, a side REVERSE_FUTILITY_STEP a ply above beta is taken to stay there,
    REVERSE_FUTILITY_STEP = 80
    HOPELESS = 1000       # but not the winner of a game that is decided: he should see the mate
    PROBCUT_MARGIN = 150         # a capture that stays so far above beta in a search 4 plies shallower will do
    FUTILITY_MARGIN = 90           # quiet moves can't lift a position by more than this
    FUTILITY_STEP = 90      # and this a ply, near the leaves
    HISTORY_PLY = 7000   # standing that is worth a ply of late-move reduction
    BAD_HISTORY = 3000   # below minus this a ply, a quiet move near the leaves is left out

cdef int score_from(unsigned long long data, int ply) noexcept nogil
cdef int score_to(int score, int ply) noexcept nogil

cdef class Tree:
    cdef readonly SearchStack stack          # its settings take effect with the next position
    cdef Board board                   # the stack's
    cdef Table table
    cdef Ordering order
    cdef public bint halt              # set from any thread: unwind at once
    cdef public unsigned long long nodes
    cdef public unsigned long long node_limit
    cdef public int seldepth
    cdef public int root_depth
    # how to play, set before a search
    cdef public int pruning            # 0 none, 1 null move, 2 late moves too, 3 everything
    cdef public int idle               # how long to rest now and then, 0 (not at all) to 3
    cdef int static_evals[130]
    cdef unsigned char reductions[4096]
    cdef unsigned short lines[16384]   # line of ply p from p*MAX_PLY on
    cdef int line_length[130]

    cdef void rest(self) noexcept nogil
    cdef bint lasting(self, int score) noexcept nogil
    @cython.final
    cdef bint enter(self, int ply) noexcept nogil
    cdef int node(self, int depth, int alpha, int beta, int ply, bint cut_node, int excluded) noexcept nogil
    @cython.final
    cdef int try_null_move(self, int depth, int beta, int static, int ply, bint cut_node) noexcept nogil
    @cython.final
    cdef int try_winning_captures(
        self, int depth, int beta, int static, int ply, bint cut_node, unsigned int flags
    ) noexcept nogil
    cdef int quiesce(self, int alpha, int beta, int ply, int depth) noexcept nogil
    cdef void extend_line(self, int ply, int move) noexcept nogil
