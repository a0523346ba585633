"""From readings to firm states: what has held long enough to be no bounce, and when it came about.

Every point is debounced by itself, so that a flicker at one end of the board does not hold up a move at the other.
What the settler gives is the *firm* state, the moment it began, and the list of firm changes since the last time the
tracker was content, from which it can tell that a piece was lifted and set down again.
"""

from __future__ import annotations

from collections import deque

from protocols.sensor.reading import EMPTY, UNSURE, Change
from protocols.sensor.tracker.guide import differing

DEBOUNCE = 0.06
"""Seconds a point must read the same before that counts: longer than contacts bounce, far shorter than a hand."""

UNSURE_HOLD = 1.0
"""Seconds a point may be between two thresholds before that is a state of its own; a piece sliding in takes less."""

BLIP = 0.15
"""Seconds for which a state may be interrupted and still count as the same one: no hand lifts and puts back so fast."""

RESTLESS = 12
"""Raw changes of one point within ``RESTLESS_SPAN`` seconds that make it suspect: a hand makes two or four a move."""

RESTLESS_SPAN = 20.0


class Settler:
    """Debounces a board of ``count`` points. Times are seconds on any one clock and must not run backwards."""

    def __init__(self, count: int, debounce: float = DEBOUNCE) -> None:
        self.debounce = debounce
        self.count = count
        self.firm = ""
        """The state that has held; empty before the first reading."""
        self.since = 0.0
        """When the firm state began (the first sight of its last change, not when it was believed)."""
        self.changes: list[Change] = []
        """Firm changes since ``forget``, in the order they happened."""
        self._raw = ""
        self._earlier = "", 0.0
        self._moving: dict[int, float] = {}
        self._flips: dict[int, deque[float]] = {}

    def see(self, points: str, at: float) -> None:
        """The board reads like this from ``at`` on. Raises ValueError for another number of points."""
        if len(points) != self.count:
            raise ValueError(f"{len(points)} points on a board of {self.count}")
        if not self.firm:
            self._raw = self.firm = points
            self.since = at
            return
        if points == self._raw:
            return
        raw, firm = self._raw, self.firm
        for point in differing(points, raw):
            if points[point] == firm[point]:
                self._moving.pop(point, None)
            else:
                self._moving[point] = at
            self._flips.setdefault(point, deque(maxlen=RESTLESS)).append(at)
        self._raw = points

    @property
    def due(self) -> float | None:
        """When the firm state changes next if nothing else is seen; None for not at all."""
        if not self._moving:
            return None
        return min(at + self._hold(point) for point, at in self._moving.items())

    @property
    def moving(self) -> float | None:
        """Until when it is open whether something is happening: a point has changed, and may be about to count.

        None while all is still; points that flicker all the time do not count.
        """
        times = [at + self._hold(point) for point, at in self._moving.items() if not self._flickers(point, at)]
        return max(times, default=None)

    def _flickers(self, point: int, now: float) -> bool:
        flips = self._flips.get(point)
        return flips is not None and len(flips) == RESTLESS and now - flips[0] <= RESTLESS_SPAN

    def _hold(self, point: int) -> float:
        return UNSURE_HOLD if self._raw[point] == UNSURE else self.debounce

    def advance(self, now: float) -> list[Change]:
        """Let time pass; gives the changes of the firm state, oldest first."""
        ripe = sorted((at, point) for point, at in self._moving.items() if at + self._hold(point) <= now + 1e-9)
        if not ripe:
            return []
        firm = list(self.firm)
        made = []
        for at, point in ripe:
            del self._moving[point]
            made.append(Change(point, firm[point], self._raw[point], at))
            firm[point] = self._raw[point]
        before, since = self.firm, self.since
        self.firm = "".join(firm)
        self.since = max(since, ripe[-1][0])
        if self.firm == self._earlier[0] and self.since - since <= BLIP:
            self.since = self._earlier[1]  # a bad contact, not a hand: the state has gone on all the while
        self._earlier = before, since
        self.changes += made
        return made

    def forget(self) -> None:
        """The tracker is content: what was lifted and put back before no longer matters."""
        self.changes.clear()

    def lifts(self, point: int, at_least: float) -> int:
        """How often what stood on the point went since ``forget``: the point was empty for ``at_least`` seconds (or
        still is), or showed another piece at once.
        """
        count = 0
        left: float | None = None
        for change in self.changes:
            if change.point != point:
                continue
            if EMPTY not in change.before + change.after:
                count += 1
            if change.after == EMPTY:
                left = change.at
            elif left is not None:
                count += change.at - left >= at_least
                left = None
        return count + (left is not None)

    def last(self, point: int, empty: bool) -> float | None:
        """When the point last became empty (or became occupied) since ``forget``; None if it did not."""
        for change in reversed(self.changes):
            if change.point == point and (change.after == EMPTY) == empty:
                return change.at
        return None

    def turn(self) -> None:
        """The board is seen from its other side from now on."""
        last = self.count - 1
        self.firm, self._raw = self.firm[::-1], self._raw[::-1]
        self._earlier = "", 0.0
        self._moving = {last - point: at for point, at in self._moving.items()}
        self._flips = {last - point: flips for point, flips in self._flips.items()}
        self.changes = [change._replace(point=last - change.point) for change in self.changes]

    def restless(self, now: float) -> list[int]:
        """Points that flicker: a weak magnet, a loose wire. For people, not for decisions."""
        return [point for point in self._flips if self._flickers(point, now)]
