# C declarations of net.py.
from engines.xiangqi.board cimport Board
from engines.xiangqi.geometry cimport NOWHERE, PIECE_OF

cdef enum:  # as in net_file.py
    WIDTH = 128
    BOTH = 256            # both views
    HIDDEN = 16
    DEEP = 32
    ROWS = 1261           # in memory: one more, of zeros, for a piece that was taken
    STRIDE = 161408       # ROWS * WIDTH

cdef short ROW_OF[5824]   # ((view * 2 + mirrored) * 16 + piece) * 91 + square -> row; NOWHERE -> the row of zeros
cdef int LEAN[2912]       # (view * 16 + piece) * 91 + square -> see `lean`

cdef void shift(short* sums, Py_ssize_t at, short* rows, Py_ssize_t plus, Py_ssize_t minus) noexcept nogil
cdef void activate(short* out, Py_ssize_t to, short* sums, Py_ssize_t at) noexcept nogil
cdef int dot_both(short* a, short* b, Py_ssize_t at) noexcept nogil
cdef void dot_four(short* a, short* b, Py_ssize_t at, int* out, Py_ssize_t to) noexcept nogil
cdef int dot_hidden(short* a, short* b, Py_ssize_t at) noexcept nogil
cdef int dot_deep(short* a, short* b, Py_ssize_t at) noexcept nogil

cdef class Net:
    cdef readonly str path
    cdef readonly int scale
    cdef short[::1] store              # keep what the pointers below point to
    cdef short[::1] bias
    cdef short[::1] hidden_store
    cdef short[::1] deep_store
    cdef short[::1] last_store
    cdef int[::1] hidden_bias
    cdef int[::1] deep_bias
    cdef int[::1] last_bias
    cdef short* rows
    cdef short* hidden
    cdef short* deep
    cdef short* last

cdef class Accumulators:
    cdef readonly Net net
    cdef short sums[3072]              # [view][general's place * 2 + mirrored][sum]
    cdef unsigned char places[768]     # [the same][slot] -> the square that the sums hold it on
    cdef short active[256]
    cdef int products[16]
    cdef short hidden[16]
    cdef short deep[32]

    cdef int view(self, Board board, int color) noexcept nogil
    cdef int score(self, Board board) noexcept nogil
