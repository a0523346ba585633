#!/usr/bin/env python3
"""Random games of banqi by Taiwan rules, compared at every step with OpenSpiel's ``banqi`` (package ``open_spiel``).

    scripts/compare_banqi.py [GAMES] [--seed N]

Compared are the actions, the side to act, what shows, the board and the end. One end differs by rule: here a side loses
with its last piece, there it goes on by turning up the enemy's while some lie face down.
Prints ``N games, M positions: equal``, or the first difference and exits with 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engines.banqi.fen import LETTERS
from engines.banqi.game import Game

NO_PROGRESS = 50
THEIRS = "?GAERHCS?gaerhcs"
"""OpenSpiel's letter of each of our pieces; its order of outcomes is Red's then Black's, general first."""


def square(index: int) -> int:
    """Our square of OpenSpiel's cell: its rows are our files."""
    return index // 8 + 4 * (index % 8)


def actions(state) -> set[int]:  # type: ignore[no-untyped-def]
    """OpenSpiel's legal actions as our moves."""
    found = set()
    for action in state.legal_actions():
        origin, target = (action, action) if action < 32 else divmod(action - 32, 32)
        found.add(square(origin) << 5 | square(target))
    return found


def cells(state) -> list[str]:  # type: ignore[no-untyped-def]
    """OpenSpiel's board in our letters by our squares."""
    rows = [line.split() for line in str(state).splitlines()[:4]]
    found = [""] * 32
    for index in range(32):
        mark = rows[index // 8][index % 8]
        found[square(index)] = "?" if mark == "?" else LETTERS[THEIRS.index(mark)] if mark in THEIRS else ""
    return found


def compare(peer, seed: int) -> int:  # type: ignore[no-untyped-def]
    """Play one game on both sides; the positions compared. AssertionError where they differ."""
    below = random.Random(seed)
    game = Game(seed=seed, still=NO_PROGRESS, repetition="none")
    state = peer.new_initial_state()
    count = 0
    while game.result is None:
        assert not state.is_terminal(), "OpenSpiel's game is over"
        legal = set(game.legal_moves())
        theirs = actions(state)
        assert legal == theirs, f"actions {sorted(legal ^ theirs)} differ"
        assert state.current_player() == game.turn, "another side acts"
        assert cells(state) == list(game.observe(None).contents), "the boards differ"
        count += 1
        takes = sorted(move for move in legal if game.board.takes_piece(move))
        move = below.choice(takes if takes and below.random() < 0.4 else sorted(legal))
        shown = game.play(move)
        origin, target = move >> 5, move & 31
        ours = [(place & 3) * 8 + (place >> 2) for place in (origin, target)]
        state.apply_action(ours[0] if origin == target else 32 + 32 * ours[0] + ours[1])
        if state.is_chance_node():
            piece = LETTERS.index(shown[3])
            state.apply_action((piece & 7) - 1 + 7 * (piece >> 3))
    if game.result.reason == "no-pieces" and game.observe(None).contents.count("?"):
        return count
    assert state.is_terminal(), f"OpenSpiel's game goes on, ours has ended by {game.result.reason}"
    returns = state.returns()
    winner = None if returns[0] == returns[1] else int(returns[1] > returns[0])
    assert winner == game.result.winner, f"OpenSpiel's winner is {winner}, ours {game.result.winner}"
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed: pip install open_spiel", file=sys.stderr)
        return 2
    peer = pyspiel.load_game("banqi", {"max_no_progress": NO_PROGRESS})
    positions = 0
    for number in range(options.games):
        try:
            positions += compare(peer, options.seed + number)
        except AssertionError as error:
            print(f"game {options.seed + number}: {error}")
            return 1
    print(f"{options.games} games, {positions} positions: equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
