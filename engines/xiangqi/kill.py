"""Threats of mate (杀/殺): at the next move, or by checks throughout.

The search is complete within its bound: at most ``KILL_CHECKS`` checks in a row, the mating one included, each answered
in every legal way.
"""

from __future__ import annotations

import cython

from engines.xiangqi.board import Board

if not cython.compiled:  # compiled, kill.pxd declares or imports all of these in C
    from engines.xiangqi.geometry import move_in
    from engines.xiangqi.pieces import ALL_MOVES

    KILL_CHECKS = 4


def mates_by_checks(board: Board, checks: cython.int) -> cython.bint:
    """Whether the side to move can mate by at most so many checks in a row, whatever the answers.

    The board needs room for twice as many plies.
    """
    moves = cython.declare(cython.ushort[128])
    answers = cython.declare(cython.ushort[128])
    count: cython.int = board.generate_legal(moves, ALL_MOVES)
    replies: cython.int
    i: cython.int
    j: cython.int
    mate: cython.bint
    for i in range(count):
        if not board.checks(moves[i]):
            continue
        board.make(moves[i])
        replies = board.generate_legal(answers, ALL_MOVES) if checks > 1 else (0 if board.stuck() else -1)
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


def threatens_mate(board: Board, checks: cython.int) -> cython.bint:
    """Whether the side that has just moved would mate by checks if the other one, not in check, passed now."""
    mate: cython.bint
    board.make_null()
    mate = mates_by_checks(board, checks)
    board.unmake_null()
    return mate


def new_threat(board: Board, checks: cython.int) -> cython.bint:
    """Whether mate by checks threatens since the last move, which gave no check, and did not before it."""
    move: cython.int
    had: cython.bint
    if not threatens_mate(board, checks):
        return False
    move = move_in(board.past_moves[board.ply - 1])
    board.unmake()
    had = mates_by_checks(board, checks)
    board.make(move)
    return not had


def can_mate(board: Board, checks: int = KILL_CHECKS) -> bool:
    """``mates_by_checks`` for Python callers. ``ValueError`` when ``checks`` is not 1 to 9."""
    if not 1 <= checks <= 9:
        raise ValueError(f"a mate by {checks} checks can't be looked for, only by 1 to 9")
    board.reserve(2 * checks + 1)
    return mates_by_checks(board, checks)


def is_kill(board: Board, checks: int = KILL_CHECKS) -> bool:
    """Whether the last move made a threat of mate: it gives no check, mate by checks threatens now, and did not before
    it.

    ``ValueError`` when ``checks`` is not 1 to 9, ``IndexError`` when no move has been played.
    """
    if not 1 <= checks <= 9:
        raise ValueError(f"a mate by {checks} checks can't be looked for, only by 1 to 9")
    if board.in_check():
        return False
    board.reserve(2 * checks + 2)
    if not board.ply:
        raise IndexError("no move has been played")
    return new_threat(board, checks)
