"""What repetition rules ask of a board, for boards with face-down pieces: who threatens what, and threats of mate.

The rules are those of ``engines.xiangqi.attacks``, ``cycle`` and ``kill``, which say what each reading means; here they
are asked of a board whose pieces change what they move as. Every face-down piece counts as its point's kind, as
attacker and as victim, and in lines that are only thought of it turns up as such a piece: the verdict must not depend
on what is hidden (``judging_board``).
"""

from __future__ import annotations

import cython

from engines.jieqi.board import Board
from engines.xiangqi.cycle import ROOM, table_from

if not cython.compiled:  # compiled, threats.pxd declares or imports all of these in C
    from engines.jieqi.pieces import MOST_MOVES  # noqa: F401
    from engines.xiangqi.attacks import (
        CHASED,
        COMPUTER_ATTACKS,
        CXA_ATTACKS,
        PINNED,
        outweighs,
        worth,
    )
    from engines.xiangqi.geometry import KING, NO_SLOT, NOWHERE, PAWN
    from engines.xiangqi.kill import KILL_CHECKS


def king_attackers(board: Board, color: cython.int) -> cython.uint:
    """The enemy's slots (bits 0-15) that attack ``color``'s general; bit 0 when the generals face each other."""
    king: cython.int = board.place[color << 4]
    first: cython.int = (color ^ 1) << 4
    other: cython.int = board.place[first]
    step: cython.int = 9 if other > king else -9
    slot: cython.int
    found: cython.uint = 0
    for slot in range(1, 16):
        if board.reaches(first + slot, king, True):
            found |= 1 << slot
    if (other - king) % 9 == 0:
        king += step
        while king != other and board.squares[king] == NO_SLOT:
            king += step
        if king == other:
            found |= 1
    return found


def keeps_king(
    board: Board, color: cython.int, origin: cython.int, target: cython.int, known: cython.uint
) -> cython.bint:
    """Whether ``color`` may go there: nothing attacks its general then but what is ``known`` (slots) to do so
    already."""
    if known == 0:
        return not board.exposed(color, origin, target)
    kept: cython.bint
    board.make(origin << 7 | target)
    kept = king_attackers(board, color) & ~known == 0
    board.unmake()
    return kept


def is_victim(kind: cython.int, color: cython.int, square: cython.int) -> cython.bint:
    """Whether a piece that moves as this kind can be a victim at all where it stands."""
    if kind == PAWN:
        return square < 45 if color else square >= 45  # across the river
    return kind != KING


def exchange(
    board: Board, origin: cython.int, target: cython.int, known: cython.uint, their_known: cython.uint
) -> cython.int:
    """What the side to move wins by taking on ``target`` from ``origin`` when both go on taking there while it pays."""
    side: cython.int = board.side ^ 1
    first: cython.int = side << 4
    slot: cython.int
    best: cython.int = 0
    gain: cython.int
    won: cython.int = worth(board.kinds[board.squares[target]] & 7)
    board.make(origin << 7 | target)
    for slot in range(first, first + 16):
        if board.reaches(slot, target, True) and keeps_king(board, side, board.place[slot], target, their_known):
            gain = exchange(board, board.place[slot], target, their_known, known)
            best = max(best, gain)
    board.unmake()
    return won - best


def mates_by_checks(board: Board, checks: cython.int) -> cython.bint:
    """Whether the side to move can mate by at most so many checks in a row, whatever the answers."""
    moves = cython.declare(cython.ushort[256])
    answers = cython.declare(cython.ushort[256])
    count: cython.int = board.generate_legal(moves)
    replies: cython.int
    i: cython.int
    j: cython.int
    mate: cython.bint
    for i in range(count):
        board.make(moves[i])
        if not board.exposed(board.side, NOWHERE, NOWHERE):
            board.unmake()
            continue
        replies = board.generate_legal(answers) if checks > 1 else (0 if board.stuck() else -1)
        mate = replies >= 0
        for j in range(replies):
            board.make(answers[j])
            mate = mates_by_checks(board, checks - 1)
            board.unmake()
            if not mate:
                break
        board.unmake()
        if mate:
            return True
    return False


def _protection(
    board: Board, color: cython.int, origin: cython.int, target: cython.int, known: cython.uint
) -> cython.int:
    """Whether what ``color`` takes on ``target`` is protected: 0 no, 1 only by pieces that may not take back, 2 yes."""
    enemy: cython.int = color ^ 1
    first: cython.int = enemy << 4
    slot: cython.int
    found: cython.int = 0
    board.make(origin << 7 | target)
    for slot in range(first, first + 16):
        if board.reaches(slot, target, True):
            found = 1
            if keeps_king(board, enemy, board.place[slot], target, known):
                found = 2
                break
    board.unmake()
    return found


def threats(board: Board, color: cython.int, reading: cython.int, found: cython.p_ushort) -> None:
    """``engines.xiangqi.attacks.threats`` on this kind of board."""
    enemy: cython.int = color ^ 1
    passing: cython.bint = board.side != color
    own_checks: cython.uint = 0
    their_checks: cython.uint = 0
    attacker: cython.int
    victim: cython.int
    slot: cython.int
    prey: cython.int
    square: cython.int
    target: cython.int
    kind: cython.int
    hunted: cython.int
    root: cython.int
    won: cython.bint
    if reading != COMPUTER_ATTACKS:
        own_checks = king_attackers(board, color)
        their_checks = king_attackers(board, enemy)
    if passing:
        board.make_null()
    for attacker in range(16):
        found[attacker] = found[CHASED + attacker] = found[PINNED + attacker] = 0
        slot = color << 4 | attacker
        square = board.place[slot]
        kind = board.kinds[slot] & 7
        if square == NOWHERE or kind == KING or (kind == PAWN and reading != CXA_ATTACKS):
            continue
        for victim in range(1, 16):
            prey = enemy << 4 | victim
            target = board.place[prey]
            hunted = board.kinds[prey] & 7
            if target == NOWHERE or not is_victim(hunted, enemy, target) or not board.reaches(slot, target, True):
                continue
            if not keeps_king(board, color, square, target, own_checks):
                continue
            found[attacker] |= 1 << victim
            if (
                kind == hunted
                and board.reaches(prey, square, True)
                and keeps_king(board, enemy, target, square, their_checks)
            ):
                continue  # an offer to exchange
            root = 0
            if reading == CXA_ATTACKS:
                won = exchange(board, square, target, own_checks, their_checks) > 0
                if won and own_checks == 0:
                    board.make(square << 7 | target)
                    won = not mates_by_checks(board, 1)
                    board.unmake()
            else:
                won = outweighs(hunted, kind)
                if not won:
                    root = _protection(board, color, square, target, their_checks)
                    won = root < 2
            if won:
                found[CHASED + attacker] |= 1 << victim
                if root == 1:
                    found[PINNED + attacker] |= 1 << victim
    if passing:
        board.unmake_null()


# -- for Python callers


def judging_board(board: Board) -> Board:
    """A copy on which every face-down piece that not all know turns up as its point's kind."""
    twin: Board = board.copy()
    slot: cython.int
    for slot in range(32):
        if twin.dark[slot] and not twin.shown[slot]:
            twin.truth[slot] = twin.kinds[slot]
    return twin


def threats_of(board: Board, color: int, reading: int) -> list[int]:
    """``threats`` as a list; the board must be a ``judging_board``."""
    found = cython.declare(cython.ushort[48])
    board.reserve(ROOM)
    threats(board, color, reading, found)
    return [found[i] for i in range(48)]


def attack_table(board: Board, length: int, reading: int) -> list[list[int]]:
    """``engines.xiangqi.cycle.walk`` of the last ``length`` moves of a ``judging_board``, as a list of rows.

    ``ValueError`` when the length is none that a cycle has, or more than was played.
    """
    if length < 4 or length > board.plies or length % 2:
        raise ValueError(f"a cycle can't have {length} moves")
    moves = board.history[-length:]
    first = board.turn
    now, before, checks, soldiers = [], [], [], []
    for _ in moves:
        mover = board.turn ^ 1
        checks.append(board.in_check())
        now.append(threats_of(board, mover, reading))
        soldiers.append(sum(1 << slot for slot in range(16) if board.slot(mover * 16 + slot)[1] & 7 == 7))
        board.undo()
        before.append(threats_of(board, mover, reading))
    for move in moves:
        board.play(move)
    return table_from(now[::-1], before[::-1], checks[::-1], soldiers[::-1], first, reading)


def is_kill(board: Board, checks: int = 0) -> bool:
    """Whether the last move on a ``judging_board`` made a threat of mate: it gives no check, mate by checks threatens
    now, and did not before it. ``IndexError`` when no move has been played."""
    depth: cython.int = checks or KILL_CHECKS
    had: cython.bint
    if board.in_check():
        return False
    board.reserve(2 * depth + 2)
    if not board.plies:
        raise IndexError("no move has been played")
    board.make_null()
    had = mates_by_checks(board, depth)
    board.unmake_null()
    if not had:
        return False
    move = board.undo()
    board.reserve(2 * depth + 2)
    had = mates_by_checks(board, depth)
    board.play(move)
    return not had
