cimport cython

ctypedef unsigned long long u64

cdef enum:
    PASS = -1
    EMPTY = 0
    BLACK = 1
    WHITE = 2
    BORDER = 3

cdef enum:              # verdicts
    LEGAL = 0
    OCCUPIED = 1
    SUICIDE = 2
    KO = 3
    SUPERKO = 4

cdef enum:
    AREA = 704          # (25 + 1) * (25 + 2) + 1, rounded up
    WORDS = 11          # 64-bit words that hold AREA bits
    LIBERTY_WORDS = 7744  # AREA * WORDS

# What a move changed, enough to take it back.
cdef struct Undo:
    short point         # inner point; 0 for a pass
    unsigned char color
    unsigned char suicide
    short ko
    unsigned char ko_color
    unsigned char captured_count
    unsigned char merged_count
    unsigned char entered   # whether the turn made an entry in the board's table of positions
    short captured[4]   # heads of the captured chains
    short merged[4]     # heads of the chains merged into base
    short base          # head of the chain the stone joined; 0 if it became a chain of its own
    short base_libs
    short base_stones
    short old_next
    short old_head
    short taken
    u64 hash
    u64 base_words[11]

cdef u64 ZOBRIST[2][704]
cdef u64 SIDE[4]

cdef extern from *:
    """
    /* Number of bits set, and index of the lowest one (of 0 it may be anything): short enough to want no call. */
    static inline int qiqiao_popcount(unsigned long long x) {
        x = x - ((x >> 1) & 0x5555555555555555ULL);
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (int)((x * 0x0101010101010101ULL) >> 56);
    }
    static inline int qiqiao_lowest(unsigned long long x) {
    #if defined(__GNUC__)
        return __builtin_ctzll(x);
    #else
        return qiqiao_popcount((x ^ (x - 1)) >> 1);
    #endif
    }
    """
    int popcount "qiqiao_popcount" (u64 x) noexcept nogil
    int lowest "qiqiao_lowest" (u64 x) noexcept nogil

cdef class Stones:
    cdef int width, height, points, stride, inner_size, words
    cdef bint suicide
    cdef int around[4]
    cdef unsigned char color[704]
    cdef short head[704]
    cdef short nxt[704]
    cdef short stones_in[704]
    cdef short libs[704]
    cdef u64 lib_words[7744]
    cdef short inner[704]       # outer point to inner point
    cdef short outer[704]       # and back
    cdef short empties[704]
    cdef short empty_at[704]
    cdef int empty_count
    cdef int ko                 # inner point that ko_color may not play; 0 for none
    cdef int ko_color
    cdef int prisoners[3]       # stones taken by a colour
    cdef u64 hash

    @cython.final
    cdef inline void lib_set(self, int head, int p) noexcept nogil
    @cython.final
    cdef inline void lib_clear(self, int head, int p) noexcept nogil
    @cython.final
    cdef int first_liberty(self, int head) noexcept nogil
    @cython.final
    cdef int liberties_into(self, int head, short *out, int most) noexcept nogil
    @cython.final
    cdef inline void empty_add(self, int p) noexcept nogil
    @cython.final
    cdef inline void empty_remove(self, int p) noexcept nogil
    @cython.final
    cdef void list_empties(self) noexcept nogil
    @cython.final
    cdef void reset(self) noexcept nogil
    @cython.final
    cdef void copy_position(self, Stones other) noexcept nogil
    @cython.final
    cdef int place(self, int p, int c, Undo *undo) noexcept nogil
    @cython.final
    cdef void merge(self, int base, int h, int p) noexcept nogil
    @cython.final
    cdef void take_back(self, Undo *undo) noexcept nogil
    @cython.final
    cdef bint suicidal(self, int p, int c) noexcept nogil
    @cython.final
    cdef u64 hash_after(self, int p, int c) noexcept nogil
    @cython.final
    cdef int verdict(self, int p, int c) noexcept nogil
    @cython.final
    cdef bint may_remove(self, int p, int c) noexcept nogil
