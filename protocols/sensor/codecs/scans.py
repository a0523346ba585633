"""From raw scans to values: analogue sensors with a baseline, and points that must hold still to be believed."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median_low

from protocols.sensor.reading import EMPTY, FAULT, FIRST, OCCUPIED, SECOND, Change, Sensing

LEARNING = 20
"""Scans of the empty board a baseline is the mean of."""

DRIFT = 0.002
"""Share of the deviation by which an empty point's baseline follows each scan: temperature moves sensors in minutes,
stones in an instant.
"""


class Analogue:
    """Linear sensors (hall effect): a value far above or below that of the empty point is a stone or piece.

    ``on`` is the deviation at which something is there, ``off`` the smaller one at which it is gone again; between the
    two a point keeps what it was. ``first_above``: the first colour raises the value (else it lowers it).
    """

    def __init__(
        self,
        count: int,
        sensing: Sensing,
        *,
        on: float,
        off: float,
        first_above: bool = True,
        baseline: Sequence[float] | None = None,
        low: int = 0,
        high: int = 1 << 16,
    ) -> None:
        """``low`` and ``high`` are the ends of the converter's range: a value at one of them is a broken sensor."""
        if not 0 < off <= on:
            raise ValueError(f"thresholds must be 0 < off <= on, not off={off:g}, on={on:g}")
        if baseline is not None and len(baseline) != count:
            raise ValueError(f"a baseline of {len(baseline)} values for {count} points")
        self._count = count
        self._on, self._off = on, off
        above, below = (FIRST, SECOND) if first_above else (SECOND, FIRST)
        self._above, self._below = (OCCUPIED, OCCUPIED) if sensing == "occ" else (above, below)
        self._low, self._high = low, high
        self._baseline = None if baseline is None else [float(value) for value in baseline]
        self._sums = [0] * count
        self._scans = 0
        self._values = [EMPTY] * count

    @property
    def baseline(self) -> list[float] | None:
        """The empty board's values; None while they are being learnt."""
        return None if self._baseline is None else list(self._baseline)

    def learn(self, scan: Sequence[int]) -> bool:
        """Take a scan of the empty board; true when there were enough."""
        for point, value in enumerate(scan):
            self._sums[point] += value
        self._scans += 1
        if self._scans < LEARNING:
            return False
        self._baseline = [total / self._scans for total in self._sums]
        return True

    def suspects(self) -> list[int]:
        """Points whose learnt baseline is so far from the others' that something may have lain there. Sensors differ
        by themselves, so this is a hint.
        """
        if self._baseline is None:
            return []
        middle = median_low(self._baseline)
        spread = median_low([abs(value - middle) for value in self._baseline])
        return [
            point for point, value in enumerate(self._baseline) if abs(value - middle) > max(6 * spread, 2 * self._on)
        ]

    def values(self, scan: Sequence[int]) -> str:
        """What the points are by this scan. A baseline must be known."""
        baseline = self._baseline
        assert baseline is not None
        values = self._values
        on, off = self._on, self._off
        for point, raw in enumerate(scan):
            if raw <= self._low or raw >= self._high:
                values[point] = FAULT
                continue
            deviation = raw - baseline[point]
            if deviation >= on:
                values[point] = self._above
            elif deviation <= -on:
                values[point] = self._below
            elif -off < deviation < off:
                values[point] = EMPTY
                baseline[point] += DRIFT * deviation
            elif values[point] == FAULT or (
                self._above != self._below and (deviation > 0) != (values[point] == self._above)
            ):
                values[point] = EMPTY  # between the thresholds, but not on the side where it was
        return "".join(values)


class Settler:
    """Believes a point when it has been the same in so many scans in a row.

    Each point is counted for itself, and from nothing again when it goes back to its old value: so neither a noisy
    point elsewhere nor flickers now and then can hurry or hold up anything.
    """

    def __init__(self, scans: int = 1) -> None:
        if scans < 1:
            raise ValueError(f"the number of equal scans must be at least 1, not {scans}")
        self._scans = scans
        self._settled: str | None = None
        self._pending: dict[int, tuple[str, int, float]] = {}
        self._last: str | None = None
        self._equal = 0

    @property
    def points(self) -> str | None:
        """The settled board; None before the first one."""
        return self._settled

    def forget(self) -> None:
        """Start anew: after a gap the board may be anything."""
        self._settled = None
        self._pending.clear()
        self._last = None
        self._equal = 0

    def take(self, scan: str, at: float) -> tuple[Change, ...] | None:
        """A scan. Gives the points that have now settled on something new, with the time they first showed it; None
        while no whole board has settled yet.
        """
        settled = self._settled
        if settled is None:
            # The first board: all of it must hold still.
            self._equal = self._equal + 1 if scan == self._last else 1
            self._last = scan
            if self._equal < self._scans:
                return None
            self._settled = scan
            return ()
        if scan == settled:
            self._pending.clear()
            return ()
        changes = []
        pending: dict[int, tuple[str, int, float]] = {}
        for point, (old, new) in enumerate(zip(settled, scan, strict=True)):
            if old == new:
                continue
            value, seen, since = self._pending.get(point, (new, 0, at))
            if value != new:
                seen, since = 0, at
            if seen + 1 >= self._scans:
                changes.append(Change(point, old, new, since))
            else:
                pending[point] = (new, seen + 1, since)
        self._pending = pending
        if changes:
            points = list(settled)
            for change in changes:
                points[change.point] = change.after
            self._settled = "".join(points)
            changes.sort(key=lambda change: change.at)
        return tuple(changes)
