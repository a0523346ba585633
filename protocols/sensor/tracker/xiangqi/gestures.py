"""Gestures of Xiangqi: a general put at the river resigns, both offer a draw."""

from __future__ import annotations

from engines.xiangqi.geometry import piece_color, piece_kind
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.policy import Option
from protocols.sensor.tracker.tracker import Tracker
from protocols.sensor.tracker.xiangqi.rules import BLACK, RED, XiangqiRules

_KING = 1

_BANKS = {RED: 4, BLACK: 5}
"""The rank at each side's own bank of the river: a general put there resigns, both generals offer a draw."""

_BANK_FILES = (4, 3, 5, 2, 6, 1, 7, 0, 8)
"""Files in the order in which a gesture looks for a free point."""


class XiangqiGestures:
    """What generals at the river wish."""

    def __init__(self, tracker: Tracker, rules: XiangqiRules) -> None:
        self.tracker = tracker
        self.rules = rules

    def options(self, state: str) -> list[Option]:
        target = self.rules.states[self.tracker.executed]
        changed = guide.differing(state, target)
        if len(changed) not in (2, 4):
            return []
        board = self.rules.rewound(self.tracker.executed)
        kings = {
            color: square
            for square in range(90)
            if piece_kind(piece := board.piece_at(square)) == _KING
            for color in (piece_color(piece),)
        }
        gone = {}
        for color, square in kings.items():
            place = self.bank(target, color)
            if square in changed and state[square] == CLEAR and place in changed and state[place] == target[square]:
                gone[color] = place
        if 2 * len(gone) != len(changed):
            return []
        dwell = self.tracker.timing.gesture
        if len(gone) == 2:
            color, what, words = self.tracker.wishes.person, "draw", "draw 提和"
        else:
            (color,), what, words = tuple(gone), "resign", "resign 认输/認輸"
            if color not in self.tracker.humans:
                return []
            dwell = self.tracker.timing.corner  # the other general may come yet
        text = f"{words}: put the general back and do it once more to confirm"
        return [Option(dwell, lambda at: self.tracker.wishes.gesture(what, color, at, text, gone.values()), "wish")]

    def bank(self, expected: str, color: int) -> int:
        """The point at the river where this colour's general makes a gesture: the first free one from the middle."""
        for file in _BANK_FILES:
            square = _BANKS[color] * 9 + file
            if expected[square] == CLEAR:
                return square
        return _BANKS[color] * 9 + 4
