# C declarations of cycle.py.
from engines.xiangqi.attacks cimport AXF_ATTACKS, CHASED, COMPUTER_ATTACKS, CXA_ATTACKS, PINNED, threats
from engines.xiangqi.board cimport Board
from engines.xiangqi.geometry cimport BLACK, RED
from engines.xiangqi.kill cimport KILL_CHECKS, new_threat
from engines.xiangqi.moves cimport move_in

cpdef enum:
    NO_RULES = 0          # what `verdict_in_tree` judges by
    CHECK_ONLY_RULES = 1
    AXF_RULES = 2
    COMPUTER_RULES = 3
    CXA_RULES = 4
    NOT_REPEATED = 0      # what it answers
    REPETITION_DRAW = 1
    REPETITION_WIN = 2
    REPETITION_LOSS = 3
    SPAN = 256            # the plies a cycle may have
    ROOM = 40             # the plies of history that judging needs beyond those played
    KEPT = 96             # room for what `_add_row` takes along
    SOLDIERS = 3968       # the slots of soldiers among a side's sixteen, as bits
    FORCE = 0             # columns of a table of moves, see `fill_attack_table`
    OPENED = 1
    UNCOVERED = 2
    BY_SOLDIER = 3
    COLUMNS = 4
    GIVES_CHECK = 1       # in the column FORCE
    THREATENS_MATE = 2

cdef int attack_rules_of(int rules) noexcept nogil
cdef int last_occurrence(Board board) noexcept nogil
cdef void fill_attack_table(Board board, int length, int reading, unsigned short* table) noexcept nogil
cdef void _add_row(
    int i, int length, int mover, int reading, int soldiers, unsigned short* now, unsigned short* before,
    unsigned short* kept, unsigned short* table
) noexcept nogil
cdef void _close_round(int first, int reading, unsigned short* kept, unsigned short* table) noexcept nogil
cdef int _unanswered(int mover, unsigned short* left, int at, unsigned short* kept) noexcept nogil
cdef void _compare(
    int mover, int reading, int soldiers, unsigned short* now, unsigned short* before, unsigned short* table, int row
) noexcept nogil
cdef void _drop_unanswered(unsigned short* table, int row, int kept, int reading) noexcept nogil
cdef int find_violator(int first, int length, int rules, unsigned short* table) noexcept nogil
cdef int _common(int start, int length, unsigned short* table, int column) noexcept nogil
cdef bint _always_attacks(int start, int length, unsigned short* table, bint soldiers) noexcept nogil
cdef void mark_kills(Board board, int length, unsigned short* table) noexcept nogil
cdef int judge(Board board, int length, int rules) noexcept nogil
cdef int verdict_in_tree(Board board, int rules) noexcept nogil
