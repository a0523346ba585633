"""What a game gives to the tracker that follows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from protocols.sensor.reading import Geometry, Sensing
from protocols.sensor.tracker.interpreter import Diagnoser, Interpreter
from protocols.sensor.tracker.rules import GameRules
from protocols.sensor.tracker.tracker import Tracker


class TrackedGame(NamedTuple):
    """What a tracker holds of a game."""

    rules: Callable[[Any, Sensing], GameRules]
    """Makes the rules from the referee's game (None: the start). Raises ValueError for a sensing of no use."""
    misfit: Callable[[Any, Geometry], str]
    """Why a board of this size does not fit the referee's game, in words; empty where it does."""
    parts: Callable[[Tracker, Any], tuple[Interpreter, Diagnoser]]
    """Makes the interpreter and the diagnoser for a tracker and its rules."""
