"""Gestures of Go: two stones in a corner pass, resign or take back."""

from __future__ import annotations

from collections.abc import Sequence

from engines.go.points import BLACK, WHITE
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.go.captures import GoCaptures
from protocols.sensor.tracker.go.rules import GoRules
from protocols.sensor.tracker.policy import Option
from protocols.sensor.tracker.tracker import Tracker

CORNER = 3
"""A gesture is two stones put into the square of this side at a corner."""

GESTURES = {
    "near-right": ("resign", "resign 认输/認輸"),
    "near-left": ("pass", "pass 弃着/棄著"),
    "far-left": ("undo", "take back 悔棋/悔棋"),
}
"""Two stones of one's own in a corner, by the corner as the near side sees it: what they ask for. Two stones in the
lower right corner resign by the tournament rules, article 9.
"""


class GoGestures:
    """What two stones in a corner wish."""

    def __init__(self, tracker: Tracker, rules: GoRules, captures: GoCaptures) -> None:
        self.tracker = tracker
        self.rules = rules
        self.captures = captures

    def options(self, state: str) -> list[Option]:
        both = {BLACK, WHITE} <= self.tracker.humans
        if both and self.tracker.sensing == "occ":
            return []  # two stones put down at once may be two moves
        target = self.rules.states[self.tracker.executed]
        pending = self.captures.pending_at(self.tracker.executed)
        added = []
        for point in guide.differing(state, target):
            if target[point] == CLEAR and pending.get(point) == state[point]:
                continue
            if target[point] != CLEAR:
                return []
            added.append(point)
        if len(added) != 2:
            return []
        color = self.tracker.wishes.person
        if self.tracker.sensing == "pol":
            colors = {self.rules.color_of(state[point], point) for point in added}
            if len(colors) != 1 or not colors <= self.tracker.humans:
                return []
            color = colors.pop()
        found = self._gesture_of(added, color)
        if not found:
            return []
        what, words = found
        text = f"{words}: take the stones away and put them there once more to confirm"
        return [
            Option(
                self.tracker.timing.gesture,
                lambda at: self.tracker.wishes.gesture(what, color, at, text, added),
                "wish",
            )
        ]

    def _gesture_of(self, points: Sequence[int], color: int) -> tuple[str, str] | None:
        """What stones of a colour put down on these points, all in one corner, ask for, and in words."""
        corner = self._corner(points)
        if corner not in GESTURES:
            return None
        what, words = GESTURES[corner]
        if what == "undo" and not self.tracker.policy.take_back:
            return None
        if what == "pass" and (color != self.rules.mover(self.rules.plies) or not self.tracker.awaiting):
            return None
        return what, words

    def may_become(self, point: int, color: int) -> bool:
        """Whether one stone that was put down may be the first of two."""
        if (
            not self.tracker.policy.gestures
            or self.tracker.over
            or (self.tracker.sensing == "occ" and {BLACK, WHITE} <= self.tracker.humans)
        ):
            return False
        return color in self.tracker.humans and self._gesture_of([point], color) is not None

    def maybe(self, option: Option, point: int, color: int) -> Option:
        """A move where a gesture begins too waits for the second stone."""
        state, expected = self.tracker.settler.stable, self.rules.states[self.rules.plies]
        taking = any(state[p] == CLEAR for p in guide.differing(state, expected))  # what is taken off makes it a move
        answering = self.tracker.discrepancy is not None and point in self.tracker.discrepancy.asked
        if taking or answering or not self.may_become(point, color):
            return option
        put = self.tracker.settler.last(point, False)
        lain = 0.0 if put is None else self.tracker.settler.since - put
        return option._replace(dwell=max(option.dwell, self.tracker.timing.corner - lain))

    def lingers(self, point: int) -> bool:
        """Whether a stone is one of those put down for the gesture that was just made."""
        return not self.tracker.wishes.armed and point in self.tracker.wishes.gestured

    def _corner(self, points: Sequence[int]) -> str:
        """The corner of the board, as the near side sees it, that all these points are in; empty for none."""
        width, height = self.tracker.geometry.width, self.tracker.geometry.height
        names = set()
        for point in points:
            y, x = divmod(point, width)
            near, left = y < CORNER, x < CORNER
            if not (near or y >= height - CORNER) or not (left or x >= width - CORNER):
                return ""
            names.add(f"{'near' if near else 'far'}-{'left' if left else 'right'}")
        return names.pop() if len(names) == 1 else ""
