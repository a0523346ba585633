# C declarations of table.py.

cpdef enum:  # what a stored score says about the true one
    NO_BOUND = 0
    UPPER = 1
    LOWER = 2
    EXACT = 3

cdef class Table:
    cdef unsigned long long[::1] cells   # pairs (key ^ data, data), BUCKET of them a bucket
    cdef unsigned long long buckets
    cdef int generation
    cdef object memory

    cdef unsigned long long find(self, unsigned long long key) noexcept nogil
    cdef void store(self, unsigned long long key, int move, int score, int static, int depth, int bound) noexcept nogil
