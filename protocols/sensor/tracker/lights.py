"""What a board's leds should show: what is to be put right, a move that waits, sensors that are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocols.sensor.reading import LIFT, PLACE, PLACE_FIRST, PLACE_SECOND, WRONG, leds

if TYPE_CHECKING:
    from protocols.sensor.tracker.tracker import Tracker


class Lights:
    """The leds, whatever the game."""

    def __init__(self, tracker: Tracker) -> None:
        self.tracker = tracker

    def leds(self) -> str:
        """What the board should show now, one character a point in the board's own order."""
        state = self.tracker.settler.stable
        lit: dict[int, str] = {}
        if state and not self.tracker.setting_up:
            lit = self.tracker.sensors.lit() | self.tracker.interpreter.lit(state)
        return leds(self.tracker.geometry, {self.tracker.outside(point): led for point, led in lit.items()})

    def lit(self, state: str) -> dict[int, str]:
        """The leds of a state, by point."""
        discrepancy = self.tracker.discrepancy
        if discrepancy is not None and discrepancy.remedies:
            return self.lit_pair(state, discrepancy.remedies[0].target)
        if self.tracker.executed < self.tracker.rules.plies:
            return self.tracker.interpreter.lit_move(state)
        return {}

    def lit_pair(self, state: str, target: str) -> dict[int, str]:
        """The first thing to do to get to a state: what is wrong blinks, its place is steady."""
        state, target, found = self.tracker.interpreter.pairs(state, target)
        for extra, missing in found[:1]:
            lit = {}
            if missing is not None:
                lit[missing] = self._place_led(target[missing], missing)
            if extra is not None:
                lit[extra] = (LIFT if missing is None else WRONG).lower()
            return lit
        return {}

    def _place_led(self, value: str, point: int) -> str:
        color = self.tracker.rules.color_of(value, point)
        return {self.tracker.rules.first_color: PLACE_FIRST, self.tracker.rules.second_color: PLACE_SECOND}.get(
            color, PLACE
        )
