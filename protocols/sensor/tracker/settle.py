"""From readings to stable states: what has held long enough to be no bounce, and when it came about.

Every point is debounced by itself, so that a flicker at one end of the board does not hold up a move at the other.
What the settler gives is the *stable* state, the moment it began, and the list of its changes since the last time the
tracker was content, from which it can tell that a piece was lifted and set down again.
"""

from __future__ import annotations

from protocols.sensor.reading import EMPTY, FAULT, UNSURE, Change
from protocols.sensor.tracker.guide import changed
from protocols.sensor.tracker.trust import Trust, Visit

DEBOUNCE = 0.06
"""Seconds a point must read the same before that counts: longer than contacts bounce, far shorter than a hand."""

UNSURE_HOLD = 1.0
"""Seconds a point may be between two thresholds before that is a state of its own; a piece sliding in takes less."""

BLIP = 0.15
"""Seconds for which a state may be interrupted and still count as the same one: no hand lifts and puts back so fast."""

STEADY = 1.0
"""Seconds for which a point must have been the same before such an interruption: one that flickers has not been."""


class Settler:
    """Debounces a board of ``count`` points. Times are seconds on any one clock and must not run backwards."""

    def __init__(self, count: int, debounce: float = DEBOUNCE) -> None:
        self.debounce = debounce
        self.count = count
        self.stable = ""
        """The state that has held; empty before the first reading."""
        self.since = 0.0
        """When the stable state began (the first sight of its last change, not when it was believed)."""
        self.changes: list[Change] = []
        """Firm changes since ``forget``, in the order they happened."""
        self.trust = Trust()
        """What is known of the sensors. Points that are not read show as ``FAULT`` in the stable state."""
        self._raw = self._held = ""
        self._earlier = "", 0.0
        self._moving: dict[int, float] = {}
        self._blind: set[int] = set()
        self._turned: dict[int, tuple[str, float, float]] = {}
        """Of each point that has changed: what it held before, when it changed, and when it had before that."""

    def see(self, points: str, at: float) -> None:
        """The board reads like this from ``at`` on. Raises ValueError for another number of points."""
        if len(points) != self.count:
            raise ValueError(f"{len(points)} points on a board of {self.count}")
        if not self._held:
            self._raw = self._held = points
            self.since = at
            self.look(at)
            return
        if points == self._raw:
            return
        raw, held = self._raw, self._held
        for point in changed(points, raw):
            if points[point] == held[point]:
                self._moving.pop(point, None)
            else:
                self._moving[point] = at
            self.trust.flip(point, at)
        self._raw = points
        self.look(at)

    def look(self, now: float) -> None:
        """Show what is read, and ``FAULT`` where nothing is. A point that is read again begins anew."""
        blind = self.trust.blind
        if blind == self._blind and self.stable:
            return
        if self._blind - blind:
            self.since = max(self.since, now)
        for point in blind - self._blind:
            self.changes = [change for change in self.changes if change.point != point]
        self._blind = blind
        self._show()

    def _show(self) -> None:
        if self._blind:
            self.stable = "".join([FAULT if i in self._blind else value for i, value in enumerate(self._held)])
        else:
            self.stable = self._held

    @property
    def due(self) -> float | None:
        """When the stable state changes next if nothing else is seen; None for not at all."""
        times = [at + self._hold(point) for point, at in self._moving.items()]
        calm = self.trust.due
        return min(times if calm is None else [*times, calm], default=None)

    @property
    def moving(self) -> float | None:
        """Until when it is open whether something is happening: a point has changed, and may be about to count.

        None while all is still; points that are not read do not count.
        """
        times = [at + self._hold(point) for point, at in self._moving.items() if point not in self._blind]
        return max(times, default=None)

    def _hold(self, point: int) -> float:
        return UNSURE_HOLD if self._raw[point] == UNSURE else self.debounce

    def advance(self, now: float) -> list[Change]:
        """Let time pass; gives the changes of the stable state, oldest first."""
        self.trust.calm(now)
        self.look(now)
        ripe = sorted((at, point) for point, at in self._moving.items() if at + self._hold(point) <= now + 1e-9)
        if not ripe:
            return []
        held = list(self._held)
        made = []
        steady = True
        for at, point in ripe:
            del self._moving[point]
            before, after = held[point], self._raw[point]
            held[point] = after
            old, turned, earlier = self._turned.get(point, ("", float("-inf"), float("-inf")))
            if after == old:
                self.trust.visit(point, Visit(before, at - turned, at))
            self._turned[point] = before, at, turned
            if point not in self._blind:
                made.append(Change(point, before, after, at))
                steady = steady and turned - earlier >= STEADY
        state, since = self.stable, self.since
        self._held = "".join(held)
        self._show()
        if not made:
            return []
        self.since = max(since, made[-1].at)
        if self.stable == self._earlier[0] and self.since - since <= BLIP and steady:
            self.since = self._earlier[1]  # a bad contact, not a hand: the state has gone on all the while
        self._earlier = state, since
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
        self._held, self._raw = self._held[::-1], self._raw[::-1]
        self.trust.turn(self.count)
        self._blind = self.trust.blind
        self._show()
        self._earlier = "", 0.0
        self._moving = {last - point: at for point, at in self._moving.items()}
        self._turned = {last - point: turned for point, turned in self._turned.items()}
        self.changes = [change._replace(point=last - change.point) for change in self.changes]
