"""Which points can be believed: those that flicker cannot, nor those that the people at the board leave out.

A point that changes again and again in a short time is *restless*: it is not read until it has been still. One that
changes more slowly is read, but what has shown there before and come to nothing must stay longer than it ever did.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

BURST = 0.1
"""Seconds within which changes of one point are one: contacts bounce."""

RESTLESS = 6
"""Changes within ``SPAN`` that make a point restless: a hand that wobbles makes three."""

SPAN = 10.0
"""Seconds; see ``RESTLESS``."""

CALM = 2.0, 10.0
"""Least and most seconds for which a restless point must be still to be read again; between, ``DOUBT`` times the
longest it was still while it flickered."""

VISIT = 6.0
"""Seconds; what showed for longer and went again was no flicker but a change of mind."""

MEMORY = 25.0
"""Seconds for which a visit is remembered: more than two periods of a point that comes and goes at 0.1 Hz."""

WOBBLE = 0.25
"""Seconds; what showed no longer, and was gone no longer, was a stone not set down well at first."""

AGAIN = 0.0, 1.5, 2.5, 4.0, 6.0
"""Seconds for which something must show at least, by how often it has shown before and come to nothing. A board that
settles its points misses most of a quick flicker, and what it tells of the rest lasts longer than anything did.
"""

PERIOD = 10.0
"""Seconds; most that what keeps coming and going must show because of the time between its comings."""

DOUBT = 2.0
"""How many times longer than before a value must show to be believed, once it has come to nothing."""


class Visit(NamedTuple):
    """A value showed on a point for ``length`` seconds, until ``end``, and then what was there before did again."""

    value: str
    length: float
    end: float


class Trust:
    """What is known of the points' sensors. ``ignored``: points that are left out on purpose."""

    def __init__(self) -> None:
        self.ignored: set[int] = set()
        self.restless: set[int] = set()
        self._bursts: dict[int, deque[float]] = {}
        self._last: dict[int, float] = {}
        self._visits: dict[int, list[Visit]] = {}

    @property
    def blind(self) -> set[int]:
        """Points that are not read now."""
        return self.ignored | self.restless

    def flip(self, point: int, at: float) -> None:
        """A point has changed, for however short a time."""
        bursts = self._bursts.setdefault(point, deque(maxlen=RESTLESS))
        self._last[point] = at
        if bursts and at - bursts[-1] < BURST:
            return
        bursts.append(at)
        if len(bursts) == RESTLESS and at - bursts[0] <= SPAN:
            self.restless.add(point)

    def last(self, point: int) -> float:
        """When a point last changed, even for a moment."""
        return self._last.get(point, float("-inf"))

    def _calm_at(self, point: int) -> float:
        times = [*self._bursts.get(point, ()), self._last.get(point, 0.0)]
        longest = max((b - a for a, b in pairwise(times)), default=0.0)
        least, most = CALM
        return times[-1] + min(most, max(least, DOUBT * longest))

    @property
    def due(self) -> float | None:
        """When the next restless point is read again if it stays still."""
        return min(map(self._calm_at, self.restless), default=None)

    def calm(self, now: float) -> None:
        """Time has come to ``now``: what has been still for long is read again."""
        for point in [point for point in self.restless if self._calm_at(point) <= now + 1e-9]:
            self.restless.discard(point)
            self._bursts.pop(point, None)
            self._visits[point] = self._visits.get(point, [])[-2:]  # being still so long makes up for some of it

    def visit(self, point: int, visit: Visit) -> None:
        """Something showed on a point and went again."""
        kept = [old for old in self._visits.get(point, ()) if visit.end - old.end <= MEMORY]
        self._visits[point] = [*kept, visit]

    def visits_of(self, point: int, now: float) -> list[Visit]:
        """Whatever showed on a point lately and came to nothing, oldest first."""
        return [v for v in self._visits.get(point, ()) if now - v.end <= MEMORY]

    def visits(self, point: int, value: str, now: float) -> list[Visit]:
        """What showed this value on a point lately and came to nothing, oldest first."""
        return [v for v in self._visits.get(point, ()) if v.value == value and now - v.end <= MEMORY]

    def patience(self, point: int, value: str, now: float) -> float:
        """Seconds for which a point must show a value to be believed, because of what it did before; 0 for no more."""
        visits = [v for v in self.visits(point, value, now) if v.length <= VISIT]
        if not visits:
            return 0.0
        last = visits[-1]
        wobbled = last.length <= WOBBLE and self.last(point) - last.end <= WOBBLE
        times = len(visits) - wobbled
        least = AGAIN[min(times, len(AGAIN) - 1)]
        begun = [v.end - v.length for v in visits]
        period = max((b - a for a, b in pairwise(begun)), default=0.0)
        return max(DOUBT * max(v.length for v in visits), least, min(period, PERIOD))

    def forgive(self, points: Iterable[int]) -> None:
        """What these points did was a move: it is not held against them."""
        for point in points:
            self._visits.pop(point, None)
            if point not in self.restless:
                self._bursts.pop(point, None)

    def turn(self, count: int) -> None:
        """The board of ``count`` points is seen from its other side from now on."""
        last = count - 1
        self.ignored = {last - point for point in self.ignored}
        self.restless = {last - point for point in self.restless}
        self._bursts = {last - point: bursts for point, bursts in self._bursts.items()}
        self._last = {last - point: at for point, at in self._last.items()}
        self._visits = {last - point: visits for point, visits in self._visits.items()}
