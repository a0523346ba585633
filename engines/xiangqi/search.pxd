# C declarations of search.py.
from engines.xiangqi.board cimport Board
from engines.xiangqi.evaluation cimport EXCHANGE
from engines.xiangqi.geometry cimport NO_SLOT, PIECE_OF
from engines.xiangqi.ordering cimport MAX_PLY, TAKE_BAD, Ordering, exchange
from engines.xiangqi.table cimport EXACT, LOWER, UPPER, Table
from engines.xiangqi.track cimport INFINITE, MATE, MATE_BOUND, RULE_BOUND, UNDECIDED, Track

cdef int score_from(unsigned long long data, int ply) noexcept nogil
cdef int score_to(int score, int ply) noexcept nogil

cdef class Searcher:
    cdef readonly Track track          # its settings take effect with the next position
    cdef Board board                   # the track's
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
    cdef int node(self, int depth, int alpha, int beta, int ply, bint cut, int excluded) noexcept nogil
    cdef int quiesce(self, int alpha, int beta, int ply) noexcept nogil
    cdef void extend_line(self, int ply, int move) noexcept nogil
    cdef void raise_root(self, int at, int to) noexcept nogil
    cdef int root(self, int depth, int alpha, int beta) noexcept nogil
    cdef bint deepen(self, int depth, int lines) noexcept nogil
