"""``go mate``: the proof search and the ordinary search by turns, one helping the other.

Mates by checks, and with a quiet move or two among them, are the proof search's (``mate``); where several quiet moves
have to prepare it the ordinary search (``search``) is often the first to see one. What that sees, the proof search
proves and makes whole: the line to the mate, and its length, are always those of a proof where there is one.
"""

from __future__ import annotations

from collections.abc import Callable

from engines.xiangqi.mate import MateHunt
from engines.xiangqi.search import Searcher
from engines.xiangqi.search_stack import MATE, MATE_BOUND

FIRST_SLICE, LAST_SLICE = 4000, 200_000
"""Positions that the proof search looks at in a turn: at first, and at most; each turn takes a quarter more."""

SHARE = 8
"""Positions of the ordinary search for each of the proof search's."""

PATIENCE = 80_000
"""Positions that the proof search looks at for a shorter mate, or for the proof of one that was seen, and at least as
many as the last mate took."""

LAST_DEPTH = 126
SURE_DEPTH = 10
"""How deep, at most, the ordinary search goes on for a move to play when it is certain that there is no mate."""


def seek_mate(
    hunt: MateHunt, main: Searcher, lines: int, moves: int, go_on: Callable[[int], int], report: Callable[[int], None]
) -> None:
    """Look for the shortest mate in at most ``moves`` moves until it is proven, unlikely or enough.

    The answer is left at the front of ``main``'s ranking; its first iteration must be done. ``go_on`` is called before
    each turn with the positions that the ordinary search may look at, and tells how many are left in all, 0 when it is
    over. ``report`` is
    called with a depth when there is something new to tell.
    """
    seen: tuple[int, list[int]] | None = None  # the best that the ordinary search claims: score and line
    depth, piece, before = 1, FIRST_SLICE, 0
    while left := go_on(0):
        if not hunt.exhausted:
            if hunt.advance(min(piece, left // 3)):
                before = hunt.search.nodes
                main.adopt(hunt.line, MATE - len(hunt.line))
                report(len(hunt.line))
        elif not hunt.line and depth >= min(2 * moves + 2, SURE_DEPTH):
            break
        if hunt.line and (hunt.exhausted or hunt.spent >= max(PATIENCE, before)):
            break
        if seen and not hunt.line and hunt.spent >= max(4 * PATIENCE, before):
            break
        if not go_on(SHARE * piece):
            break
        if depth < LAST_DEPTH and main.iterate(depth + 1, lines):
            depth += 1
            if not hunt.line:
                report(depth)
        _, score, line = main.ranking(1)[0]
        if score > MATE_BOUND and (MATE - score + 1) // 2 <= moves and (seen is None or score > seen[0]):
            seen, before = (score, line), hunt.search.nodes
            hunt.expect((MATE - score + 1) // 2)
        if not hunt.line and seen is None and depth >= 2 * moves + 2:
            break
        piece = min(piece * 5 // 4, LAST_SLICE)
    if hunt.line:
        main.adopt(hunt.line, MATE - len(hunt.line))
    elif seen is not None:
        main.adopt(seen[1], seen[0])
