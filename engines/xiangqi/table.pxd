# C declarations of table.py.
from engines.xiangqi.moves cimport move_in

cpdef enum:  # what a stored score says about the true one
    NO_BOUND = 0
    UPPER = 1
    LOWER = 2
    EXACT = 3
    PAGE = 512  # words in the smallest page that a system has

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define qiqiao_near(place) __builtin_prefetch(place)
    #else
    #define qiqiao_near(place) ((void)(place))
    #endif
    """
    void near "qiqiao_near"(void* place) noexcept nogil

cdef class Table:
    cdef unsigned long long[::1] cells   # pairs (key ^ data, data), BUCKET of them a bucket
    cdef unsigned long long buckets
    cdef int generation
    cdef unsigned long long nothing      # 0, which a compiler can't know
    cdef object memory

    cdef void fetch(self, unsigned long long key) noexcept nogil
    cdef unsigned long long find(self, unsigned long long key) noexcept nogil
    cdef void store(self, unsigned long long key, int move, int score, int static, int depth, int bound) noexcept nogil
