cimport cython
from engines.go.board cimport Board
from engines.go.net.planes cimport PLANES, RECENT, Planes
from engines.go.playout cimport Standstills
from engines.go.stones cimport BLACK, BORDER, EMPTY, LEGAL, WHITE, Stones, u64

# A node stands for the move that leads to it; its figures are from the view of whoever makes that move.
cdef struct NetNode:
    double wins             # sum of winning chances
    double value            # sum of what is searched for: chances with a little of the lead
    double score            # sum of leads in points
    double score_squares    # sum of their squares
    float prior             # the net's share for the move
    long long first_child   # index of the first child, 0 for none
    int visits
    int away                # visits whose result is still to come
    short children
    short move              # inner point; 0 is a pass
    unsigned char state     # OPEN, EXPANDING, FORBIDDEN

cdef enum:
    OPEN = 0
    EXPANDING = 1       # a worker asks the net about it
    FORBIDDEN = 2       # superko forbids it here

cdef enum:
    MAX_PATH = 2048

@cython.final
cdef class NetTree:
    cdef NetNode *nodes
    cdef readonly long long capacity, used, root
    cdef readonly object evaluator
    cdef object lock
    cdef Board board                # position and history at the root; read only
    cdef Stones start
    cdef readonly int color         # who is to move at the root
    cdef readonly int width, height
    cdef public double komi         # what Black's area must exceed for a win
    cdef public bint territory      # whether each move in the tree costs its player a point
    cdef public bint as_it_stands   # whether two passes end the game with every stone alive
    cdef public bint pass_at_root   # whether passing is a candidate at the root
    cdef public bint all_symmetries # whether the root is looked at in all eight symmetries
    cdef int banned[3][704]         # for a colour and a point: in how many plies from the root it must not be played
    cdef bint restricted
    cdef bint favoured[704]
    cdef readonly Standstills standstills   # corners whose losing moves are not looked at, at the root
    cdef public bint stop
    cdef public long long limit     # evaluations to make in all; 0 for no limit
    cdef public long long playouts
    cdef public long long deepest
    cdef public double center       # the lead, for Black, around which leads count; the root's own
    cdef bint centered
    cdef short recent[5]
    cdef int recent_count, passes

    cdef long long child_of(self, long long node, int move)
    cpdef bint adopt(self, NetTree other, list points) except -1
    cdef int copy_subtree(self, NetTree source, long long index) except -1

@cython.final
cdef class NetWorker:
    cdef NetTree tree
    cdef Planes board
    cdef long long path[2048]
    cdef u64 keys[2048]             # what superko compares, along the path
    cdef int depth, key_count, passes, recent_count
    cdef short recent[5]
    cdef u64 seed
    cdef object planes              # room for the planes
    cdef object error
    cdef double owner[704]          # ownership for Black, summed over evaluations, by outer point
    cdef readonly long long count   # evaluations summed there
    cdef float *after               # the same by root move: a row for each point and one for a pass, their number last
    cdef short moves[704]           # children being made
    cdef float shares[704]
    cdef int made
    cdef short distance[704]
    cdef short queue[704]

    cdef bint simulate(self) except -1
    cdef long long select(self, long long node)
    cdef bint repeats(self, int move, int c)
    cdef void play(self, int move, int c)
    cdef void withdraw(self)
    cdef int expand(self, long long node, int c, object policy) except -1
    cdef int count_area(self, object owned, int c) except? -1
    cdef int area_with_regions(self)
    cdef void update(self, double black, double margin, int c)
    cdef void add_owner(self, object owned, int c)
