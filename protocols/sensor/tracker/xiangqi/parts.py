"""What a tracker holds of Xiangqi."""

from __future__ import annotations

from protocols.sensor.tracker.interpreter import Diagnoser, Interpreter
from protocols.sensor.tracker.tracked_game import TrackedGame
from protocols.sensor.tracker.tracker import Tracker
from protocols.sensor.tracker.xiangqi.captures import XiangqiCaptures
from protocols.sensor.tracker.xiangqi.diagnoser import XiangqiDiagnoser
from protocols.sensor.tracker.xiangqi.gestures import XiangqiGestures
from protocols.sensor.tracker.xiangqi.interpreter import XiangqiInterpreter
from protocols.sensor.tracker.xiangqi.rules import XiangqiRules, misfit
from protocols.sensor.tracker.xiangqi.touch import TouchedPiece


def make_parts(tracker: Tracker, rules: XiangqiRules) -> tuple[Interpreter, Diagnoser]:
    """The interpreter and the diagnoser of one tracker."""
    captures = XiangqiCaptures(tracker, rules)
    touch = TouchedPiece(tracker, rules)
    gestures = XiangqiGestures(tracker, rules)
    return (
        XiangqiInterpreter(tracker, rules, captures, touch, gestures),
        XiangqiDiagnoser(tracker, rules, captures, touch),
    )


TRACKED = TrackedGame(XiangqiRules, misfit, make_parts)
