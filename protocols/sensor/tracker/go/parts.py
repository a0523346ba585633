"""What a tracker holds of Go."""

from __future__ import annotations

from protocols.sensor.tracker.go.captures import GoCaptures
from protocols.sensor.tracker.go.diagnoser import GoDiagnoser
from protocols.sensor.tracker.go.gestures import GoGestures
from protocols.sensor.tracker.go.interpreter import GoInterpreter
from protocols.sensor.tracker.go.rules import GoRules, misfit
from protocols.sensor.tracker.interpreter import Diagnoser, Interpreter
from protocols.sensor.tracker.tracked_game import TrackedGame
from protocols.sensor.tracker.tracker import Tracker


def make_parts(tracker: Tracker, rules: GoRules) -> tuple[Interpreter, Diagnoser]:
    """The interpreter and the diagnoser of one tracker."""
    captures = GoCaptures(tracker, rules)
    gestures = GoGestures(tracker, rules, captures)
    return GoInterpreter(tracker, rules, captures, gestures), GoDiagnoser(tracker, rules, captures, gestures)


TRACKED = TrackedGame(GoRules, misfit, make_parts)
