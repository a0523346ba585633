"""Watching a board: when a state of it is believed, whatever the game.

A state that is firm (``settle``) has a *plan*: what it may mean, each reading of it with the time the board must have
been still before it is believed. The hand, a board that is away and anything that moves put it off.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from protocols.sensor.reading import Change, Geometry, Reading, Sensing
from protocols.sensor.tracker.events import Event, Turned
from protocols.sensor.tracker.policy import Option, Timing
from protocols.sensor.tracker.settle import Settler

HAND_STUCK = 20.0
"""Seconds after which a hand that has neither moved anything nor left is taken for a sensor that is stuck."""


class Watch(ABC):
    """Time, readings and the side the board is seen from. Subclasses make the plans."""

    def __init__(self, geometry: Geometry, sensing: Sensing, timing: Timing, turned: bool, debounce: float) -> None:
        self.geometry = geometry
        self.sensing: Sensing = sensing
        self.timing = timing
        self.turned = turned
        self._settler = Settler(geometry.count, debounce)
        self._plan: list[Option] | None = None
        self._next = 0
        self._hand = False
        self._hand_ignored = False
        self._gap = False
        self._away = False
        self._still_since = 0.0
        self._now = 0.0

    # ------------------------------------------------------------------ what is to be told

    @abstractmethod
    def _make_plan(self) -> list[Option]:
        """What the firm state may mean, the reading that is believed first in front."""

    @abstractmethod
    def _first_sight(self, firm: str) -> None:
        """The board is seen for the first time."""

    @property
    @abstractmethod
    def _lapse(self) -> float | None:
        """When an open question lapses; None where nothing is asked."""

    @abstractmethod
    def _drop(self) -> list[Event]:
        """The open question has lapsed or was denied."""

    # ------------------------------------------------------------------ input

    def read(self, reading: Reading) -> list[Event]:
        """The board reads so. Gives what has become clear up to the reading's time.

        Raises ValueError for a reading of a board of another size.
        """
        at = max(reading.at, self._now)
        events = self.wait(at)
        first = not self._settler.firm
        if first or self._away:
            self._gap = not first
            self._away = False
            self._still_since = at
            self._replan()
        before = self._settler.firm
        self._settler.see(self._inward(reading.points), at)
        if first:
            self._first_sight(self._settler.firm)
        elif self._settler.firm != before:
            self._replan()  # a point is not read any more
        if reading.hand is not None and reading.hand != self._hand:
            self._hand = reading.hand
            self._still_since = at
        return events + self._look_at_sensors((), at) + self.wait(at)

    def leave(self, at: float) -> list[Event]:
        """The board is away until it is read again: what it showed last proves nothing about the time between."""
        events = self.wait(at)
        self._away = True
        return events

    def wait(self, now: float) -> list[Event]:
        """Time has come to ``now``. Gives what has become clear since."""
        events: list[Event] = []
        while True:
            due = self.due
            if due is None or due > now:
                break
            events += self._step(max(due, self._now))
        self._now = max(self._now, now)
        return events

    @property
    def due(self) -> float | None:
        """When ``wait`` has something to do if nothing is read before; None for never."""
        times = []
        if self._settler.due is not None:
            times.append(self._settler.due)
        option = self._option()
        if option is not None and not self._away:
            times.append(self._believed(option))
        warning = self._warning
        if warning is not None:
            times.append(warning)
        if self._lapse is not None:
            times.append(self._lapse)
        return min(times) if times else None

    def _believed(self, option: Option) -> float:
        """When an option is believed if nothing more happens: not while something may be about to count."""
        at = self._since + option.dwell
        if option.points:
            # What only just shows there has not been still, though too short a flicker for a change.
            last = max(self._settler.trust.last(point) for point in option.points)
            at = max(at, last + min(option.dwell, self.timing.settle))
        if self._covered:
            at = max(at, self._still_since + HAND_STUCK)
        moving = self._settler.moving
        return at if moving is None else max(at, moving)

    @property
    def _covered(self) -> bool:
        """Whether a hand is over the board, as far as its sensor is believed."""
        return self._hand and not self._hand_ignored

    @property
    def firm(self) -> str:
        """The state that has held, in the rules core's order; empty before the first reading."""
        return self._settler.firm

    @property
    def restless(self) -> list[int]:
        """Points whose readings flicker."""
        return sorted(self._settler.trust.restless)

    @property
    def _since(self) -> float:
        """Since when nothing has moved, the hand included."""
        return max(self._settler.since, self._still_since)

    def _option(self) -> Option | None:
        if self._plan is None:
            self._plan = self._make_plan()
            self._next = 0
        return self._plan[self._next] if self._next < len(self._plan) else None

    def _replan(self) -> None:
        """The game or what may be done to it has changed: read the board anew."""
        self._plan = None

    def _step(self, when: float) -> list[Event]:
        if self._settler.due is not None and self._settler.due <= when:
            before = self._settler.firm
            changes = self._settler.advance(when)
            if changes:
                self._on_change(changes)
            if changes or self._settler.firm != before:
                self._replan()
            return self._look_at_sensors(changes, when)
        option = self._option()
        if option is not None and not self._away and self._believed(option) <= when:
            self._next += 1
            return option.act(when)
        warning = self._warning
        if warning is not None and warning <= when:
            return self._warn(when)
        if self._lapse is not None and self._lapse <= when:
            return self._drop()
        return []

    @property
    @abstractmethod
    def _warning(self) -> float | None:
        """When a hand that does not leave the board is to be told of; None for never."""

    @abstractmethod
    def _warn(self, at: float) -> list[Event]:
        """A hand does not leave the board."""

    @abstractmethod
    def _look_at_sensors(self, changes: Sequence[Change], at: float) -> list[Event]:
        """Tell what is new of the sensors. ``changes``: those of the firm state since."""

    def _on_change(self, changes: Sequence[Change]) -> None:  # noqa: B027
        """Firm changes have come in; a game may want to take notes."""

    def lever(self, at: float) -> list[Event]:
        """The clock was pressed: what stands on the board is meant."""
        events = self.wait(at)
        # What the hand has just done counts although it has not been still for long.
        if self._settler.due is not None:
            events += self.wait(self._settler.due)
        option = self._option()
        if option is not None and option.kind == "move":
            self._next += 1
            events += option.act(max(at, self._now))
        return events

    # ------------------------------------------------------------------ orientation

    def _inward(self, points: str) -> str:
        """From the board's order (far left first) to the rules core's (near left first, rows upward)."""
        if self.turned:
            points = points[::-1]
        width = self.geometry.width
        return "".join([points[start : start + width] for start in range(len(points) - width, -1, -width)])

    def outside(self, point: int) -> int:
        """A point of the rules core as the board counts it: its far left point is 0."""
        row, column = divmod(point, self.geometry.width)
        outside = (self.geometry.height - 1 - row) * self.geometry.width + column
        return self.geometry.count - 1 - outside if self.turned else outside

    def turn_round(self, at: float) -> list[Event]:
        """From now on the board is seen from its other side."""
        self.turned = not self.turned
        if self._settler.firm:
            self._settler.turn()
        self._replan()
        return [Turned(at, self.turned)]
