from engines.go.stones cimport BORDER, EMPTY, WHITE, Stones

cdef enum:
    LARGE_SHAPE = 28            # points of the larger shape
    SHAPE_SLOTS = 131072        # room of the table: eight entries a shape
    SHAPE_MASK = 131071

cdef int DX[28]
cdef int DY[28]
cdef int TURNED[8][28]
cdef unsigned long long SHAPE_KEY[131072]   # 0 where a slot is free
cdef float SHAPE_GAMMA[131072]

cdef unsigned long long code_around(Stones board, int p, int c) noexcept nogil
cpdef unsigned long long turned(unsigned long long code, int size, int turn) noexcept nogil
cdef int _place_of(unsigned long long key) noexcept nogil
cdef float shape_gamma(unsigned long long code) noexcept nogil
cpdef unsigned long long smallest_code(unsigned long long code, int size) noexcept nogil
