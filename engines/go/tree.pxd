cimport cython
from engines.go.board cimport Board
from engines.go.playout cimport Playout, Standstills
from engines.go.priors cimport Priors
from engines.go.stones cimport AREA, BLACK, BORDER, EMPTY, LEGAL, WHITE, Stones, Undo, u64

# A node stands for the move that leads to it; its figures are from the view of whoever makes that move.
cdef struct Node:
    double wins             # sum of results, 1 for a win
    double score            # sum of margins in points
    double score_squares    # sum of their squares
    float rave_wins
    float rave_visits
    float prior_wins
    float prior_visits
    long long first_child   # index of the first child, 0 for none
    int visits
    short children
    short move              # inner point; 0 is a pass
    unsigned char state     # OPEN, EXPANDING, FORBIDDEN

cdef enum:
    OPEN = 0
    EXPANDING = 1
    FORBIDDEN = 2           # superko forbids it here

cdef enum:
    MAX_PATH = 2048

@cython.final
cdef class Tree:
    cdef Node *nodes
    cdef readonly long long capacity, used, root
    cdef cython.pythread_type_lock lock
    cdef Board board                # position and history at the root; read only
    cdef Stones start               # the root position, empty points in canonical order
    cdef readonly int color         # who is to move at the root
    cdef readonly int width, height
    cdef public double komi         # what Black's area must exceed for a win
    cdef public bint territory      # whether each move in the tree costs its player a point
    cdef public bint as_it_stands   # whether two passes end the game with every stone alive
    cdef public bint pass_at_root   # whether passing is a candidate at the root
    cdef int banned[3][704]         # for a colour and a point: in how many plies from the root it must not be played
    cdef bint restricted
    cdef int favoured[704]          # visits, all won, that a root move begins with besides its own
    cdef readonly Standstills standstills   # corners that are left alone; to be filled before the workers are made
    cdef public bint stop
    cdef public long long limit     # playouts to make in all; 0 for no limit
    cdef public long long playouts
    cdef public long long deepest
    cdef int last, before_last, passes, max_moves

    cdef long long child_of(self, long long node, int move) noexcept nogil
    cpdef bint adopt(self, Tree other, list points) except -1
    cdef int copy_subtree(self, Tree source, long long index) except -1

@cython.final
cdef class Worker:
    cdef Tree tree
    cdef Playout playout
    cdef Priors priors
    cdef long long path[2048]
    cdef u64 keys[2048]             # what superko compares, along the path
    cdef int depth, key_count
    cdef long long owner[704]       # final owner, +1 for Black, summed over playouts, by outer point
    cdef readonly long long count   # playouts summed there
    cdef int *after                 # the same by root move: a row for each point and one for a pass, its playouts last
    cdef short moves[640]           # children being made
    cdef float wins[640]
    cdef float visits[640]
    cdef int made
    cdef short distance[704]
    cdef short queue[704]

    cdef bint simulate(self) noexcept nogil
    cdef long long select(self, long long node) noexcept nogil
    cdef bint repeats(self, int move, int c) noexcept nogil
    cdef void expand(self, long long node, int c) noexcept nogil
    cdef double finish(self, int c) noexcept nogil
    cdef void update(self, double margin, int c) noexcept nogil
    cdef int area_with_regions(self) noexcept nogil
