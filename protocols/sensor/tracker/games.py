"""The games that can be played on a sensor board: one table, by name.

A game is added by a module with a ``TRACKED`` of its own and a line here: its rules (positions as states, moves,
words), its interpreter (what a state may mean) and its diagnoser (what is wrong with one that means nothing).
"""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module
from typing import Any

from protocols.sensor.reading import Sensing
from protocols.sensor.tracker.arbiter import Arbiter
from protocols.sensor.tracker.policy import Policy, Timing
from protocols.sensor.tracker.settle import DEBOUNCE
from protocols.sensor.tracker.tracked_game import TrackedGame
from protocols.sensor.tracker.tracker import Tracker

MODULES = {
    "go": "protocols.sensor.tracker.go.parts",
    "xiangqi": "protocols.sensor.tracker.xiangqi.parts",
}
"""Where each game's ``TRACKED`` is; imported when the game is named."""


def tracked_game(name: str) -> TrackedGame:
    """The game of this name. Raises ValueError for one that has no tracker."""
    if name not in MODULES:
        raise ValueError(f"no sensor board can be followed in '{name}': {', '.join(MODULES)} can")
    found: TrackedGame = import_module(MODULES[name]).TRACKED
    return found


def make_tracker(
    name: str,
    game: Any = None,
    sensing: Sensing = "occ",
    humans: Collection[int] | None = None,
    *,
    timing: Timing | None = None,
    policy: Policy | None = None,
    arbiter: Arbiter | None = None,
    turned: bool = False,
    debounce: float = DEBOUNCE,
) -> Tracker:
    """A tracker of the game of this name, from the referee's ``game`` as it stands (its own copy of it is kept).

    ``humans``: the colours played on the board; None for all. ``turned``: the far side's player sees the board as the
    near side does. ``debounce``: seconds a point must read the same. Raises ValueError for a sensing that the game has
    no use for.
    """
    tracked = tracked_game(name)
    rules = tracked.rules(game, sensing)
    return Tracker(
        rules,
        lambda tracker: tracked.parts(tracker, rules),
        (rules.first_color, rules.second_color) if humans is None else humans,
        arbiter or Arbiter(name),
        timing=timing,
        policy=policy,
        turned=turned,
        debounce=debounce,
    )
