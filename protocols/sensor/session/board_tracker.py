"""A tracker of a game for the board that has said what it is, as the settings have it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from protocols.sensor.reading import Hello
from protocols.sensor.settings import BoardSettings
from protocols.sensor.tracker.arbiter import Arbiter
from protocols.sensor.tracker.games import make_tracker, tracked_game
from protocols.sensor.tracker.policy import Policy, Timing
from protocols.sensor.tracker.tracker import Tracker


def board_tracker(
    name: str,
    game: Any,
    hello: Hello,
    settings: BoardSettings,
    *,
    humans: Collection[int] | None = None,
    policy: Policy | None = None,
    system: str = "",
) -> Tracker:
    """A tracker of the game of this name (``protocols.sensor.tracker.games``) on this board, from ``game`` as it is.

    ``humans``: the colours played on the board; None for all. ``system``: how points are named, "" for the game's own
    way. Raises ValueError, with a text for the user, for a board that does not fit the game.
    """
    misfit = tracked_game(name).misfit(game, hello.geometry)
    if misfit:
        raise ValueError(misfit)
    tracker = make_tracker(
        name,
        game,
        hello.sensing,
        humans,
        timing=Timing(settle=settings.settle),
        policy=policy,
        arbiter=Arbiter(name, settings.referee),
        turned=settings.turned,
    )
    if system:
        tracker.rules.system = system
    return tracker
