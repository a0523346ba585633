"""Which pieces a side threatens to win: attackers, victims, protectors true and false.

An attack is read as if its side were to move. A piece that may not go is no attacker, one that may not take back no
protector (假根, a false root): going must not lay the own general open. What it means to win a piece differs between
the rules, in the ``reading``:

- ``AXF_ATTACKS`` (Asian and World federations): the victim is not protected, or is a chariot attacked by a horse or
  cannon, or a chariot, horse or cannon attacked by an advisor or elephant.
- ``CXA_ATTACKS`` (Chinese association): taking, with all that follows on that point, wins material, which is a free
  piece, a dearer one, or one with fewer protectors than attackers (少根); and the taker is not mated for it at once.
- ``COMPUTER_ATTACKS``: as the federations' reading, but every capture must be legal on the board as it stands, checks
  and all. In the other two a check that is on stops nobody: it must be answered either way, and once answered the
  attack or the protection is there, nothing new.

In all of them a soldier that has not crossed the river is no victim, nor is the general (attacking it is check); a
general is no attacker, and soldiers are none but under ``CXA_ATTACKS``, whose caller leaves them in or out. Two pieces
of a kind that can take each other offer an exchange, and neither is attacked.

All of this moves pieces on the board it is given and puts them back; the board needs room for some 20 plies
(``Board.reserve``).
"""

from __future__ import annotations

import cython

from engines.xiangqi.board import Board

if not cython.compiled:  # compiled, attacks.pxd declares or imports all of these in C
    from engines.xiangqi.geometry import (
        ADVISOR,
        BISHOP,
        CANNON,
        KING,
        KNIGHT,
        NO_SLOT,
        NOWHERE,
        PAWN,
        PIECE_OF,
        ROOK,
        move_of,
    )
    from engines.xiangqi.pieces import ALL_MOVES

    AXF_ATTACKS, COMPUTER_ATTACKS, CXA_ATTACKS = 0, 1, 2
    CHASED, PINNED, THREATS = 16, 32, 48


def king_attackers(board: Board, color: cython.int) -> cython.uint:
    """The enemy's slots (bits 0-15) that attack ``color``'s general; bit 0 when the generals face each other."""
    king: cython.int = board.place[color << 4]
    other: cython.int = board.place[(color ^ 1) << 4]
    found: cython.uint = board.attackers(king, color ^ 1)
    step: cython.int = 9 if other > king else -9
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
    board.make(move_of(origin, target))
    kept = king_attackers(board, color) & ~known == 0
    board.unmake()
    return kept


def is_victim(slot: cython.int, square: cython.int) -> cython.bint:
    """Whether the piece can be a victim at all where it stands."""
    kind: cython.int = PIECE_OF[slot] & 7
    if kind == PAWN:
        return square >= 45 if slot < 16 else square < 45  # across the river
    return kind != KING


def outweighs(victim: cython.int, attacker: cython.int) -> cython.bint:
    """Whether a piece of kind ``victim`` is dearer than its attacker, so that protecting it helps nothing."""
    if attacker in (KNIGHT, CANNON):
        return victim == ROOK
    if attacker in (ADVISOR, BISHOP):
        return victim in (ROOK, CANNON, KNIGHT)
    return False


def worth(kind: cython.int) -> cython.int:
    """What a piece counts in an exchange under the Chinese rules (1999 text, 25.3).

    A chariot is two horses or cannons; advisors and elephants are equal, and half a horse here; a crossed soldier,
    whose value "floats", is never more than the least piece, so that giving one or taking one for a piece gains
    nothing.
    """
    if kind == ROOK:
        return 4
    if kind in (KNIGHT, CANNON):
        return 2
    return 1


def exchange(
    board: Board, origin: cython.int, target: cython.int, known: cython.uint, their_known: cython.uint
) -> cython.int:
    """What the side to move wins by taking on ``target`` from ``origin`` when both go on taking there while it pays.

    In the unit of ``worth``. Every capture must be one that a side may make; ``known``, of the side to move, and
    ``their_known`` are those of ``keeps_king``.
    """
    side: cython.int = board.side ^ 1
    first: cython.int = side << 4
    slot: cython.int
    best: cython.int = 0
    gain: cython.int
    won: cython.int = worth(PIECE_OF[board.squares[target]] & 7)
    board.make(move_of(origin, target))
    for slot in range(first, first + 16):
        if board.reaches(slot, target, True) and keeps_king(board, side, board.place[slot], target, their_known):
            gain = exchange(board, board.place[slot], target, their_known, known)
            best = max(best, gain)
    board.unmake()
    return won - best


def mates_at_once(board: Board) -> cython.bint:
    """Whether the side to move has a move that mates."""
    moves = cython.declare(cython.ushort[128])
    count: cython.int = board.generate_legal(moves, ALL_MOVES)
    i: cython.int
    mate: cython.bint
    for i in range(count):
        if board.checks(moves[i]):
            board.make(moves[i])
            mate = board.stuck()
            board.unmake()
            if mate:
                return True
    return False


def _protection(
    board: Board, color: cython.int, origin: cython.int, target: cython.int, known: cython.uint
) -> cython.int:
    """Whether what ``color`` takes on ``target`` is protected: 0 no, 1 only by pieces that may not take back, 2 yes.

    Asked as the rules define a root: after the capture, by what can then take back. ``known``: see ``keeps_king``, of
    the side that takes back.
    """
    enemy: cython.int = color ^ 1
    first: cython.int = enemy << 4
    slot: cython.int
    found: cython.int = 0
    board.make(move_of(origin, target))
    for slot in range(first, first + 16):
        if board.reaches(slot, target, True):
            found = 1
            if keeps_king(board, enemy, board.place[slot], target, known):
                found = 2
                break
    board.unmake()
    return found


def threats(board: Board, color: cython.int, reading: cython.int, found: cython.p_ushort) -> None:
    """Fill ``found`` (room for ``THREATS``) with what ``color`` attacks in the position, whoever is to move.

    At index a stands, for the attacker in slot a of its side, the mask of the enemy's slots that it can take; at
    ``CHASED + a`` of those whose taking wins something; at ``PINNED + a`` of those among them that are protected, but
    only by pieces that may not take back.
    """
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
    mutual: cython.bint
    if reading != COMPUTER_ATTACKS:
        own_checks = king_attackers(board, color)
        their_checks = king_attackers(board, enemy)
    if passing:
        board.make_null()
    for attacker in range(16):
        found[attacker] = found[CHASED + attacker] = found[PINNED + attacker] = 0
        slot = color << 4 | attacker
        square = board.place[slot]
        kind = PIECE_OF[slot] & 7
        if square == NOWHERE or kind == KING or (kind == PAWN and reading != CXA_ATTACKS):
            continue
        for victim in range(1, 16):
            prey = enemy << 4 | victim
            target = board.place[prey]
            if target == NOWHERE or not is_victim(prey, target) or not board.reaches(slot, target, True):
                continue
            if not keeps_king(board, color, square, target, own_checks):
                continue
            found[attacker] |= 1 << victim
            hunted = PIECE_OF[prey] & 7
            mutual = kind == hunted and board.reaches(prey, square, True)
            if mutual and keeps_king(board, enemy, target, square, their_checks):
                continue  # an offer to exchange
            root = 0
            if reading == CXA_ATTACKS:
                won = exchange(board, square, target, own_checks, their_checks) > 0
                if won and own_checks == 0:
                    board.make(move_of(square, target))
                    won = not mates_at_once(board)
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
