#!/usr/bin/env python3
"""Random games of a variant, to try the rules: what is kept along equals what is computed anew, undo restores all.

    random_variant_games.py --game jieqi --games 10000 [--seed N] [--every N]

Any game can be played whose ``engines.<folder>.game.Game`` has ``legal_moves``, ``play``, ``undo``, ``observe``,
``move_text``, ``read_move``, ``setup_text`` and ``copy``. Every ``--every`` plies, and at the end, it is checked that
the sides' legal moves are the referee's and that each move's text names it; at the end that undoing leads back through
a copied middle to the start. A game may have more to check, ``check(game)`` in ``scripts/variant_rows/<folder>.py``.

Prints what was played and how the games ended; the first fault ends it, with the moves that lead to it.
"""

from __future__ import annotations

import argparse
import collections
import importlib
import random
import re
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

FOLDERS = ("jieqi", "banqi", "luoqi", "sanguo")


def folder_of(game: str) -> str:
    """The folder under ``engines`` of a game: jieqi's has fanqi's forms too."""
    return "jieqi" if re.match("jieqi|fanqi", game) else game.split("-")[0]


def state(game: Any) -> tuple[Any, ...]:
    """What of a game may be compared."""
    views = tuple(game.observe(side).setup_text() for side in (None, *range(sides_of(game))))
    return game.turn, game.plies, game.setup_text(), views


def sides_of(game: Any) -> int:
    """How many sides play; two unless the game says otherwise."""
    return int(getattr(game, "sides", 2) if not callable(getattr(game, "sides", 2)) else 2)


def check(game: Any, more: Any) -> None:
    """Everything that must hold in a position. AssertionError where it doesn't."""
    moves = game.legal_moves()
    names = [game.move_text(move) for move in moves]
    assert len(set(names)) == len(names), "two moves have one name"
    for move, name in zip(moves, names, strict=True):
        assert game.read_move(name) == move, f"{name} is not read as it was written"
    for side in (None, *range(sides_of(game))):
        view = game.observe(side)
        assert view.legal_moves() == moves, f"the legal moves of view {side} are others"
        assert view.turn == game.turn and view.plies == game.plies
    if more is not None:
        more(game)


def play(begin: Any, rng: random.Random, every: int, more: Any) -> tuple[str, int]:
    """Play a game to its end, or 1,000 plies; why it ended and its plies."""
    game = begin(rng)
    start = state(game)
    told: list[str] = []
    keep = rng.randrange(60)
    try:
        middle = None
        while game.result is None and game.plies < 1000:
            if game.plies % every == 0:
                check(game, more)
            if game.plies == keep:
                middle = state(game), game.copy()
            told.append(str(game.play(rng.choice(game.legal_moves()))))
        check(game, more)
        ended, plies = game.result.reason if game.result else "unfinished", game.plies
        while game.plies > keep and middle:
            game.undo()
        if middle:
            assert state(game) == middle[0] == state(middle[1]), "undo or copy differ from what was"
        while game.plies:
            game.undo()
        assert state(game) == start, "undo does not lead back to the start"
    except Exception as error:
        raise SystemExit(f"{type(error).__name__}: {error}\nafter {' '.join(told)}") from error
    return ended, plies


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", required=True, help="jieqi, jieqi2, fanqi1 … fanqi10, banqi, luoqi, sanguo")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=10, help="check every so many plies")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the rules")
    chosen = parser.parse_args()
    folder = folder_of(chosen.game)
    if folder not in FOLDERS:
        parser.error(f"there is no game {chosen.game!r}")
    rules = dict(option.split("=", 1) for option in chosen.option)
    try:
        rows = importlib.import_module(f"variant_rows.{folder}")
    except ModuleNotFoundError:
        rows = None
    more = getattr(rows, "check", None)
    begin = getattr(rows, "begin", None)
    if begin is None:
        made = importlib.import_module(f"engines.{folder}.game").Game

        def begin(game: str, rules: dict[str, str], rng: random.Random) -> Any:
            return made(seed=rng.randrange(1 << 30), **rules)

    ends: collections.Counter[str] = collections.Counter()
    total, since = 0, time.perf_counter()
    for number in range(chosen.games):
        rng = random.Random(f"{chosen.game} {chosen.seed} {number}")
        ended, plies = play(lambda rng: begin(chosen.game, rules, rng), rng, chosen.every, more)
        ends[ended] += 1
        total += plies
    told = ", ".join(f"{reason} {count}" for reason, count in sorted(ends.items()))
    print(f"{chosen.game}: {chosen.games} games, {total} plies, {time.perf_counter() - since:.0f} s: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
