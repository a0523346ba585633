# C declarations of mate.py.
from engines.xiangqi.board cimport Board
from engines.xiangqi.geometry cimport NO_MOVE, ZOBRIST
from engines.xiangqi.moves cimport move_in
from engines.xiangqi.pieces cimport ALL_MOVES
from engines.xiangqi.table cimport LOWER, Table
from engines.xiangqi.search_stack cimport MATE_BOUND, SearchStack

cpdef enum:
    DEEPEST_MATE = 63      # moves of the longest mate looked for
    SURE = 65535           # a proof or disproof number that nothing reaches: certain
    MOST = 60000           # the largest one of what is open
    QUIET = 8              # what a move that gives no check costs more to prove
    ANY_QUIETS = 15        # as a limit of quiet moves: none
    FIRST_TRY = 60         # numbers to which a new position is searched by checks alone

cdef class MateSearch:
    cdef readonly SearchStack stack          # its settings take effect with the next position
    cdef Board board                   # the stack's
    cdef public bint halt              # set from any thread: unwind at once
    cdef bint over                     # halted, or at the limit of nodes
    cdef public unsigned long long nodes
    cdef public unsigned long long node_limit
    cdef int root_quiets               # and with how many moves that give no check
    cdef bint near_limit               # the natural limit may come before the mate
    cdef int root_depth                # plies within which the mate is looked for
    cdef unsigned short root_moves[128]
    cdef int root_count
    cdef unsigned long long taboo[64]  # positions whose next occurrence is judged
    cdef int taboos
    cdef unsigned long long salt       # what the proofs in the table hold for
    cdef unsigned long long[::1] cells # pairs (key, data), four of them a bucket
    cdef unsigned long long buckets
    cdef Table guide                   # of the search beside this one
    cdef int generation
    cdef object memory
    # a ply of the present line each, 128 moves a ply
    cdef unsigned short moves[16384]
    cdef unsigned long long keys[16384]
    cdef unsigned short proof[16384]
    cdef unsigned short disproof[16384]
    cdef unsigned char length[16384]
    cdef unsigned char left[16384]     # quiet moves left after the move
    # what the last `look`, `visit` or `settle` found
    cdef int found_proof
    cdef int found_disproof
    cdef int found_length
    cdef unsigned short lines[16384]   # line of ply p from p*128 on

    cdef unsigned long long key_of(self, unsigned long long key, int quiets) noexcept nogil
    cdef unsigned long long data_of(self, unsigned long long key) noexcept nogil
    cdef void look(self, unsigned long long key, int depth, int first) noexcept nogil
    cdef void keep(
        self, unsigned long long key, int depth, int proof, int disproof, int length, unsigned long long work
    ) noexcept nogil
    cdef unsigned long long child_key(self, int move, bint gives, int quiets) noexcept nogil
    cdef bint barred(self, unsigned long long key) noexcept nogil
    cdef int list_attacks(self, int ply, int depth, int quiets) noexcept nogil
    cdef int list_answers(self, int ply, int depth, int quiets) noexcept nogil
    cdef void visit(self, int ply, int depth, int quiets, int most_proof, int most_disproof) noexcept nogil
    cdef int settle(self, int ply, int depth, int quiets) noexcept nogil
