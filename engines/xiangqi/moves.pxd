# How a move lies in an integer, for compiled modules: origin << 7 | target, 14 bits. Uncompiled, the functions of these
# names in geometry.py serve. C macros in all but name: no call is left of them.
cdef extern from *:
    """
    static inline int qiqiao_move_of(int origin, int target) { return origin << 7 | target; }
    static inline int qiqiao_move_from(int move) { return move >> 7; }
    static inline int qiqiao_move_to(int move) { return move & 127; }
    static inline int qiqiao_move_in(unsigned long long entry) { return (int)(entry & 0x3FFF); }
    """
    int move_of "qiqiao_move_of" (int origin, int target) noexcept nogil
    int move_from "qiqiao_move_from" (int move) noexcept nogil
    int move_to "qiqiao_move_to" (int move) noexcept nogil
    int move_in "qiqiao_move_in" (unsigned long long entry) noexcept nogil   # of a history's or a table's entry
