# C declarations of search.py.
from engines.xiangqi.board cimport Board
from engines.xiangqi.geometry cimport NO_SLOT, PIECE_OF
from engines.xiangqi.moves cimport move_from, move_to
from engines.xiangqi.ordering cimport MAX_PLY
from engines.xiangqi.table cimport Table
from engines.xiangqi.search_stack cimport INFINITE, MATE_BOUND, RULE_BOUND
from engines.xiangqi.tree cimport Tree

cdef class Searcher(Tree):
    # the root moves, best first
    cdef unsigned short root_moves[128]
    cdef int root_scores[128]
    cdef int root_exact[128]           # the depth that a score is exact at, 0 where it is a bound or older
    cdef int root_whole                # lines that the last iteration has finished
    cdef int root_count
    cdef int root_first                # those before belong to better lines already found
    cdef unsigned short root_lines[16384]
    cdef int root_lengths[128]

    cdef void raise_root(self, int at, int to) noexcept nogil
    cdef int root(self, int depth, int alpha, int beta) noexcept nogil
    cdef bint deepen(self, int depth, int lines) noexcept nogil
