"""Random games in which everything the board keeps incrementally is recomputed after each move.

For tests and for whoever changes ``stones.py``; nothing else uses it.
"""

import cython

from engines.go.board import Board
from engines.go.playout import Playout
from engines.go.stones import Stones

if not cython.compiled:
    from engines.go.stones import AREA, EMPTY, LEGAL, ZOBRIST

FAULTS = ("", "chain", "stone count", "liberty count", "liberties", "hash", "empty points")


def first_fault(stones: Stones) -> cython.int:
    """Index into FAULTS of the first thing that differs from a recount of the stones, 0 if all agrees."""
    seen: cython.uchar[704]
    wet: cython.short[704]
    todo: cython.short[704]
    i: cython.int
    k: cython.int
    p: cython.int
    q: cython.int
    n: cython.int
    size: cython.int
    done: cython.int
    libs: cython.int
    empty: cython.int = 0
    hash: cython.ulonglong = 0
    if not cython.compiled:
        seen, wet, todo = [0] * AREA, [0] * AREA, [0] * AREA
    for i in range(704):
        seen[i] = 0
        wet[i] = 0
    for i in range(stones.points):
        p = stones.inner[i]
        if stones.color[p] == EMPTY:
            empty += 1
            if stones.empties[stones.empty_at[p]] != p:
                return 6
            continue
        hash ^= ZOBRIST[stones.color[p] - 1][p]
        if seen[p]:
            continue
        seen[p] = 1
        todo[0] = p
        size = 1
        done = 0
        libs = 0
        while done < size:
            q = todo[done]
            done += 1
            if stones.head[q] != stones.head[p]:
                return 1
            for k in range(4):
                n = q + stones.around[k]
                if stones.color[n] == EMPTY:
                    if wet[n] != p:
                        wet[n] = p
                        libs += 1
                        if (
                            not (
                                stones.lib_words[stones.head[p] * stones.words + (n >> 6)]
                                >> cython.cast(cython.int, n & 63)
                            )
                            & 1
                        ):
                            return 4
                elif stones.color[n] == stones.color[p] and not seen[n]:
                    seen[n] = 1
                    todo[size] = n
                    size += 1
        if stones.stones_in[stones.head[p]] != size:
            return 2
        if stones.libs[stones.head[p]] != libs:
            return 3
        q = p
        for k in range(size):
            q = stones.nxt[q]
            if stones.head[q] != stones.head[p]:
                return 1
        if q != p:
            return 1
    if hash != stones.hash:
        return 5
    return 0 if empty == stones.empty_count else 6


def play_random_game(board: Board, seed: cython.ulonglong, turns: cython.int) -> cython.int:
    """Play random legal moves, or passes where there are none, on from the present position.

    The same ``seed`` (not 0) plays the same game. Returns the number of moves checked. Raises AssertionError that names
    what is wrong after a move.
    """
    state: cython.ulonglong = seed
    full: cython.ulonglong = 0xFFFFFFFFFFFFFFFF
    turn: cython.int
    tries: cython.int
    p: cython.int
    c: cython.int = board.to_move
    fault: cython.int
    board.grow(turns)
    for turn in range(turns):
        p = 0
        for tries in range(20):
            state ^= (state << 13) & full
            state ^= state >> 7
            state ^= (state << 17) & full
            p = board.now.inner[cython.cast(cython.int, (state >> 16) % cython.cast(cython.ulonglong, board.points))]
            if board.verdict(p, c) == LEGAL:
                break
            p = 0
        board.push(p, c)
        fault = first_fault(board.now)
        if fault:
            raise AssertionError(f"{FAULTS[fault]} wrong after turn {turn + 1}")
        # Now and then one side moves twice, as a client that sets a position up by moves does.
        if (state >> 40) % 16 != 0:
            c = 3 - c
    return turns


def check_playout(board: Board, seed: cython.ulonglong, most: cython.int) -> cython.int:
    """Play a playout of at most ``most`` moves from the present position, checking the board after each move with all
    the reading that went before it. Returns the number of moves. Raises AssertionError that names what is wrong.
    """
    playout = Playout(board.width, board.height)
    c: cython.int = board.to_move
    p: cython.int
    fault: cython.int
    playout.copy_position(board.now)
    playout.list_empties()
    playout.seed(seed)
    playout.last = 0
    playout.before_last = 0
    playout.passes = 0
    playout.moves_played = 0
    while playout.passes < 2 and playout.moves_played < most:
        p = playout.move(c)
        if p and playout.verdict(p, c) != LEGAL:
            raise AssertionError(f"illegal after {playout.moves_played} moves")
        playout.note(p, c)
        fault = first_fault(playout)
        if fault:
            raise AssertionError(f"{FAULTS[fault]} wrong after {playout.moves_played} moves")
        c = 3 - c
    return playout.moves_played
