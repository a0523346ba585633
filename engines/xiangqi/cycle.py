"""When a chase is a violation: what each move of a cycle attacks anew, and which side must vary. Compiled, for
arbiters and for search trees.

``find_violator`` decides, by the rows that ``fill_attack_table`` has written about each move.

A search calls, without the interpreter lock::

    int verdict_in_tree(Board board, int rules) noexcept nogil

``board`` has its history (``past_keys``, ``past_moves``) and room for ``ROOM`` more plies (``Board.reserve``); it comes
back as it was. ``rules`` is ``NO_RULES``, ``CHECK_ONLY_RULES``, ``AXF_RULES``, ``COMPUTER_RULES`` or ``CXA_RULES``. The
answer is ``NOT_REPEATED`` when the position has not been on the board since the last capture or null move; else, judged
on the moves since its last occurrence (two-fold), ``REPETITION_DRAW``, ``REPETITION_WIN`` (the side to move wins: the
other one violates) or ``REPETITION_LOSS``. It is the verdict an arbiter gives on the same cycle. Asking costs some
nanoseconds where nothing repeats, some microseconds where something does; more under ``CXA_RULES`` where all that could
make a side's moves forcing is threats of mate.

What a move attacks *anew* is read off two positions, before and after it, and per pair of attacker and victim. A pair
is

- *opened* when the attacker could not take the victim before, or when the victim's last protector has just been pinned;
- *uncovered* when the attacker could take it before, and a protector has just lost its line to it.

A victim that the opponent has left attacked was not answered: attacking it again is no new attack (a chase is a threat
that the other side resolves, and that is made again). It is so when the reply removed none of the threats on it, and
some attacker that could win it before the reply still can; or when of the threats left standing one still stands after
the present move. A second attacker's threat that is only left over for one move does not excuse the first one, which is
parried each time and made anew.
"""

from __future__ import annotations

import cython

from engines.xiangqi.board import Board

if not cython.compiled:  # compiled, cycle.pxd declares or imports all of these in C
    from engines.xiangqi.attacks import AXF_ATTACKS, CHASED, COMPUTER_ATTACKS, CXA_ATTACKS, PINNED, threats
    from engines.xiangqi.geometry import BLACK, RED, move_in
    from engines.xiangqi.kill import KILL_CHECKS, new_threat

    NO_RULES, CHECK_ONLY_RULES, AXF_RULES, COMPUTER_RULES, CXA_RULES = 0, 1, 2, 3, 4
    NOT_REPEATED, REPETITION_DRAW, REPETITION_WIN, REPETITION_LOSS = 0, 1, 2, 3
    SPAN, ROOM, KEPT, SOLDIERS = 256, 40, 96, 0xF80
    FORCE, OPENED, UNCOVERED, BY_SOLDIER, COLUMNS = 0, 1, 2, 3, 4
    GIVES_CHECK, THREATENS_MATE = 1, 2


def attack_rules_of(rules: cython.int) -> cython.int:
    """How these rules read an attack."""
    if rules == COMPUTER_RULES:
        return COMPUTER_ATTACKS
    return CXA_ATTACKS if rules == CXA_RULES else AXF_ATTACKS


def last_occurrence(board: Board) -> cython.int:
    """How many plies ago the position was last on the board, since the last capture or null move; 0 if never."""
    ply: cython.int = board.ply
    back: cython.int
    for back in range(1, min(board.clock, ply) + 1):
        if move_in(board.past_moves[ply - back]) == 0:
            break
        if back & 1 == 0 and board.past_keys[ply - back] == board.hash:
            return back
    return 0


def fill_attack_table(board: Board, length: cython.int, reading: cython.int, table: cython.p_ushort) -> None:
    """Fill ``table`` with the last ``length`` moves (4 to ``SPAN``, an even number that makes a cycle), oldest first.

    A move's row has ``COLUMNS`` entries: ``FORCE`` is ``GIVES_CHECK`` or 0; ``OPENED`` and ``UNCOVERED`` are masks of
    the enemy's slots that it attacks anew in that way; ``BY_SOLDIER`` those that a soldier does (Chinese rules only).
    The computer rules don't ask how, or by which attacker: what is attacked now and was not before is ``OPENED``.
    """
    moves = cython.declare(cython.int[256])
    now = cython.declare(cython.ushort[48])
    before = cython.declare(cython.ushort[48])
    kept = cython.declare(cython.ushort[96])
    i: cython.int
    mover: cython.int
    for i in range(length - 1, -1, -1):
        moves[i] = move_in(board.past_moves[board.ply - 1])
        mover = board.side ^ 1
        table[i * COLUMNS] = GIVES_CHECK if board.checked() else 0
        threats(board, mover, reading, now)
        board.unmake()
        threats(board, mover, reading, before)
        _add_row(i, length, mover, reading, SOLDIERS, now, before, kept, table)
    _close_round(board.side, reading, kept, table)
    for i in range(length):
        board.make(moves[i])


def _add_row(
    i: cython.int,
    length: cython.int,
    mover: cython.int,
    reading: cython.int,
    soldiers: cython.int,
    now: cython.p_ushort,
    before: cython.p_ushort,
    kept: cython.p_ushort,
    table: cython.p_ushort,
) -> None:
    """Fill the row of a move but for ``FORCE``, from the mover's threats after and before it, and settle the row of its
    side's next move, which was added before: rows are added from the newest to the oldest.

    ``soldiers``: the mover's slots that hold soldiers. ``kept`` (room for ``KEPT``) goes along: by side, what its last
    move of the cycle left attacked, what it could win just before its move after the present one, and just after that.
    """
    a: cython.int
    _compare(mover, reading, soldiers, now, before, table, i * COLUMNS)
    if i + 2 < length:
        _drop_unanswered(table, (i + 2) * COLUMNS, _unanswered(mover, now, CHASED, kept), reading)
    else:
        for a in range(16):
            kept[mover * 16 + a] = now[CHASED + a]
    for a in range(16):
        kept[32 + mover * 16 + a] = before[CHASED + a]
        kept[64 + mover * 16 + a] = now[CHASED + a]


def _close_round(first: cython.int, reading: cython.int, kept: cython.p_ushort, table: cython.p_ushort) -> None:
    """Settle the oldest row of each side: before it came, round the cycle, that side's newest move."""
    i: cython.int
    mover: cython.int
    for i in range(2):
        mover = first ^ i
        _drop_unanswered(table, i * COLUMNS, _unanswered(mover, kept, mover * 16, kept), reading)


def _unanswered(mover: cython.int, left: cython.p_ushort, at: cython.int, kept: cython.p_ushort) -> cython.int:
    """The victims that a reply did not answer.

    By what each attacker of the mover's could win before the reply (``left`` from index ``at`` on), after it and after
    the mover's next move (``kept``, see ``_add_row``).
    """
    a: cython.int
    threat: cython.int
    removed: cython.int = 0
    standing: cython.int = 0
    lasting: cython.int = 0
    for a in range(16):
        threat = left[at + a]
        removed |= threat & ~kept[32 + mover * 16 + a]
        threat &= kept[32 + mover * 16 + a]
        standing |= threat
        lasting |= threat & kept[64 + mover * 16 + a]
    return standing & ~removed | lasting


def _compare(
    mover: cython.int,
    reading: cython.int,
    soldiers: cython.int,
    now: cython.p_ushort,
    before: cython.p_ushort,
    table: cython.p_ushort,
    row: cython.int,
) -> None:
    """Fill the rest of a move's row from what its side attacked before and after it."""
    a: cython.int
    opened: cython.int = 0
    uncovered: cython.int = 0
    by_soldier: cython.int = 0
    had: cython.int = 0
    gained: cython.int
    for a in range(16):
        gained = now[CHASED + a] & ~before[CHASED + a]
        had |= before[CHASED + a]
        if soldiers >> a & 1:
            by_soldier |= gained
        elif reading == COMPUTER_ATTACKS:
            opened |= now[CHASED + a]
        else:
            opened |= gained & (~before[a] | now[PINNED + a])
            uncovered |= gained & before[a]
    if reading == COMPUTER_ATTACKS:
        opened &= ~had
    table[row + OPENED] = opened
    table[row + UNCOVERED] = uncovered
    table[row + BY_SOLDIER] = by_soldier


def _drop_unanswered(table: cython.p_ushort, row: cython.int, kept: cython.int, reading: cython.int) -> None:
    """Take out of a row the victims that the opponent had left attacked."""
    column: cython.int
    if reading != COMPUTER_ATTACKS:
        for column in range(OPENED, COLUMNS):
            table[row + column] &= ~kept


def find_violator(first: cython.int, length: cython.int, rules: cython.int, table: cython.p_ushort) -> cython.int:
    """The side that must vary, ``RED`` or ``BLACK``, by a table of moves of which color ``first`` made the oldest; -1
    for a draw.

    Who gives check with every move must vary, unless both sides do. Beyond that it depends on ``rules``:

    - ``CHECK_ONLY_RULES``: nothing else is a violation.
    - ``COMPUTER_RULES``: where nobody checks, a side whose moves all open an attack on one and the same piece.
    - ``AXF_RULES``: such a side too; and, as the lesser violation, one whose moves all uncover one and the same piece.
    - ``CXA_RULES``: a side each of whose moves checks, threatens mate or attacks anything, unless the other side does
      likewise when what soldiers attack counts.

    Where both sides violate alike nobody must vary.
    """
    force = cython.declare(cython.int[2])
    level = cython.declare(cython.int[2])
    side: cython.int
    checks: cython.int = 0
    i: cython.int
    if rules == NO_RULES:
        return -1
    for i in range(length):
        checks |= table[i * COLUMNS] & GIVES_CHECK
    for side in range(2):
        force[side] = GIVES_CHECK
        for i in range(side ^ first, length, 2):
            force[side] &= table[i * COLUMNS]
    if force[RED] != force[BLACK]:
        return RED if force[RED] else BLACK
    if force[RED] or rules == CHECK_ONLY_RULES or (rules == COMPUTER_RULES and checks):
        return -1
    for side in range(2):
        if rules == CXA_RULES:
            level[side] = _always_attacks(side ^ first, length, table, False)
        else:
            level[side] = 2 * (_common(side ^ first, length, table, OPENED) != 0)
            if rules == AXF_RULES and level[side] == 0:
                level[side] = _common(side ^ first, length, table, UNCOVERED) != 0
    if level[RED] == level[BLACK]:
        return -1
    side = RED if level[RED] > level[BLACK] else BLACK
    if rules == CXA_RULES and _always_attacks(side ^ 1 ^ first, length, table, True):
        return -1  # soldiers' attacks count when both sides attack for ever
    return side


def _common(start: cython.int, length: cython.int, table: cython.p_ushort, column: cython.int) -> cython.int:
    """The victims (slots) that every move of a side has in a column; ``start`` is 0 for who moved first, else 1."""
    victims: cython.int = 0xFFFF
    i: cython.int
    for i in range(start, length, 2):
        victims &= table[i * COLUMNS + column]
    return victims


def _always_attacks(
    start: cython.int, length: cython.int, table: cython.p_ushort, soldiers: cython.bint
) -> cython.bint:
    """Whether every move of a side gives check, threatens mate or attacks something anew (打)."""
    i: cython.int
    row: cython.int
    for i in range(start, length, 2):
        row = i * COLUMNS
        if table[row] or table[row + OPENED] or table[row + UNCOVERED]:
            continue
        if not (soldiers and table[row + BY_SOLDIER]):
            return False
    return True


def mark_kills(board: Board, length: cython.int, table: cython.p_ushort) -> None:
    """Write ``THREATENS_MATE`` into the rows of moves that are nothing else, where that can make a difference under the
    Chinese rules: a side with a move that is no attack of any kind does not attack for ever.
    """
    moves = cython.declare(cython.int[256])
    over = cython.declare(cython.int[2])
    i: cython.int
    mover: cython.int
    row: cython.int
    undone: cython.int = length
    over[0] = over[1] = 0
    for i in range(length - 1, -1, -1):
        if over[0] and over[1]:
            break
        row = i * COLUMNS
        mover = board.side ^ 1
        moves[i] = move_in(board.past_moves[board.ply - 1])
        undone = i
        if not (over[mover] or table[row] or table[row + OPENED] or table[row + UNCOVERED]):
            if new_threat(board, KILL_CHECKS):
                table[row] = THREATENS_MATE
            elif not table[row + BY_SOLDIER]:
                over[mover] = 1
        board.unmake()
    for i in range(undone, length):
        board.make(moves[i])


def judge(board: Board, length: cython.int, rules: cython.int) -> cython.int:
    """The side that must vary after a cycle of the last ``length`` moves, -1 for none."""
    table = cython.declare(cython.ushort[1024])
    if rules == NO_RULES or length < 4 or length > SPAN:
        return -1
    fill_attack_table(board, length, attack_rules_of(rules), table)
    if rules == CXA_RULES:
        mark_kills(board, length, table)
    return find_violator(board.side, length, rules, table)


def verdict_in_tree(board: Board, rules: cython.int) -> cython.int:
    """The verdict on the position at a node of a search; see the top of this file."""
    length: cython.int = last_occurrence(board)
    violator: cython.int
    if length == 0:
        return NOT_REPEATED
    violator = judge(board, length, rules)
    if violator < 0:
        return REPETITION_DRAW
    return REPETITION_LOSS if violator == board.side else REPETITION_WIN


# -- for Python callers


def attack_table(board: Board, length: int, reading: int) -> list[list[int]]:
    """``fill_attack_table`` as a list of rows. ``ValueError`` when the length is none that it takes or more than was
    played.
    """
    if length < 4 or length > min(SPAN, board.ply) or length % 2:
        raise ValueError(f"a cycle can't have {length} moves")
    table = cython.declare(cython.ushort[1024])
    board.reserve(ROOM)
    fill_attack_table(board, length, reading, table)
    return [[table[i * COLUMNS + column] for column in range(COLUMNS)] for i in range(length)]


def table_from(
    now: list[list[int]], before: list[list[int]], checks: list[bool], soldiers: list[int], first: int, reading: int
) -> list[list[int]]:
    """The table for a board of another kind: rows from what its own ``threats`` found after and before each move.

    Oldest first: ``now`` and ``before`` have ``THREATS`` numbers a move, ``checks`` whether it gives check,
    ``soldiers`` the mover's slots that move as soldiers, as bits; ``first`` is the color that made the oldest move.
    """
    length: cython.int = len(now)
    if length < 4 or length > SPAN or length % 2:
        raise ValueError(f"a cycle can't have {length} moves")
    table = cython.declare(cython.ushort[1024])
    kept = cython.declare(cython.ushort[96])
    after = cython.declare(cython.ushort[48])
    earlier = cython.declare(cython.ushort[48])
    i: cython.int
    a: cython.int
    for i in range(length - 1, -1, -1):
        for a in range(48):
            after[a], earlier[a] = now[i][a], before[i][a]
        table[i * COLUMNS] = GIVES_CHECK if checks[i] else 0
        _add_row(i, length, first ^ i & 1, reading, soldiers[i], after, earlier, kept, table)
    _close_round(first, reading, kept, table)
    return [[table[i * COLUMNS + column] for column in range(COLUMNS)] for i in range(length)]


def violator_of(rows: list[list[int]], first: int, rules: int) -> int | None:
    """``find_violator`` for a list of rows: ``RED``, ``BLACK`` or ``None``."""
    table = cython.declare(cython.ushort[1024])
    i: cython.int
    for i in range(len(rows) * COLUMNS):
        table[i] = rows[i // COLUMNS][i % COLUMNS]
    side: cython.int = find_violator(first, len(rows), rules, table)
    return None if side < 0 else side


def in_tree(board: Board, rules: int) -> int:
    """``verdict_in_tree``, for tests and for Python code."""
    board.reserve(ROOM)
    return verdict_in_tree(board, rules)


def occurrences(board: Board) -> list[int]:
    """How many plies ago the present position was on the board, nearest first, 0 (now) included."""
    ply = board.ply
    # Nothing from before a capture can come again.
    oldest = max(0, ply - board.clock)
    return [0] + [ply - i for i in range(ply - 1, oldest - 1, -1) if board.past_keys[i] == board.hash]
