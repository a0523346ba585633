"""Draws without a repetition: the natural limit (自然限着/自然限著) and material that cannot win.

Natural limits count plies since the last capture, from what the FEN said on:

- ``cxa``: 120 plies (60 rounds), the associations' rule;
- ``computer``: 120 plies, not counting a side's checks beyond its tenth and the answers to those (as Pikafish counts);
- ``league``: 100 plies, counting neither checks nor answers to them (the UCCI engine league);
- ``none``: no limit.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import ADVISOR, BISHOP, BLACK, CANNON, KNIGHT, PAWN, RED, ROOK


@dataclass(frozen=True)
class NaturalLimit:
    """How long a game may go on without a capture: ``plies`` (0: for ever) that count.

    ``free_checks``: how many checks of a side count before neither its further ones nor the answers to those do;
    ``None`` when all plies count.
    """

    name: str
    plies: int
    free_checks: int | None = None


NATURAL_LIMITS: dict[str, NaturalLimit] = {
    limit.name: limit
    for limit in (
        NaturalLimit("cxa", 120),
        NaturalLimit("computer", 120, 10),
        NaturalLimit("league", 100, 0),
        NaturalLimit("none", 0),
    )
}
"""The natural limits by name."""


MOST_PLIES = 1000
"""Plies without a capture that a natural limit given as a number may have."""


def natural_limit(name: str) -> NaturalLimit:
    """The limit of this name, or of so many plies, which all count. ``ValueError`` with the names there are for any
    other."""
    if name.isascii() and name.isdecimal() and 1 <= int(name[:9]) <= MOST_PLIES:
        return NaturalLimit(name, int(name))
    try:
        return NATURAL_LIMITS[name]
    except KeyError:
        raise ValueError(
            f"unknown natural limit '{name}'; there are {', '.join(NATURAL_LIMITS)}, and numbers of plies"
        ) from None


def plies_counted(board: Board, limit: NaturalLimit) -> int:
    """How many plies since the last capture count towards a limit. Those before the FEN count all."""
    if limit.free_checks is None:
        return board.halfmove_clock
    played = min(board.halfmove_clock, len(board.history))
    counted = board.halfmove_clock - played
    if played == 0:
        return counted
    replay = board.copy()
    moves = [replay.undo() for _ in range(played)]
    checks = [0, 0]
    uncounted_check = False  # the previous move was one
    for move in reversed(moves):
        mover = replay.turn
        answers = uncounted_check
        replay.play(move)
        uncounted_check = False
        if replay.in_check():
            checks[mover] += 1
            uncounted_check = checks[mover] > limit.free_checks
        counted += not (answers or uncounted_check)
    return counted


def limit_reached(board: Board, limit: NaturalLimit) -> bool:
    """Whether the natural limit makes the game a draw now (a side that is mated or without a move has lost all the
    same)."""
    if limit.plies == 0 or board.halfmove_clock < limit.plies:
        return False
    return plies_counted(board, limit) >= limit.plies


def material_draw(board: Board) -> bool:
    """Whether nobody can win with what is left, by the list that Pikafish keeps.

    No soldiers, and: no chariot, horse or cannon at all; or one cannon of a side without advisors, against no or one
    advisor, or against two when that side has no elephant; or a cannon each and no advisors. In some of these a mate
    can stand on the board or be one move away: then it is no draw (yet).
    """
    count = {
        color: [sum(board.piece_at(square) == kind + 8 * color for square in range(90)) for kind in range(8)]
        for color in (RED, BLACK)
    }
    both = [red + black for red, black in zip(count[RED], count[BLACK], strict=True)]
    if both[PAWN] or both[ROOK] or both[KNIGHT]:
        return False
    cannons = both[CANNON]
    if cannons == 0:
        return True
    if cannons == 1:
        owner = RED if count[RED][CANNON] else BLACK
        guards, elephants = count[owner ^ 1][ADVISOR], count[owner][BISHOP]
        if count[owner][ADVISOR] or (guards == 2 and elephants):
            return False
        certain = guards == 0 or (guards == 1 and elephants == 0)
    elif count[RED][CANNON] == 1 and count[BLACK][CANNON] == 1 and both[ADVISOR] == 0:
        certain = both[BISHOP] == 0
    else:
        return False
    return certain or not _mate_is_near(board)


def _mate_is_near(board: Board) -> bool:
    """Whether the side to move has no move, or one that leaves the other side none."""
    after = board.copy()
    moves = after.legal_moves()
    for move in moves:
        after.play(move)
        stuck = not after.legal_moves()
        after.undo()
        if stuck:
            return True
    return not moves
