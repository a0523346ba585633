"""The physical side of a simulated board: what lies on it, what its sensors make of that, and how it settles."""

from __future__ import annotations

import heapq
import math
import random
from dataclasses import dataclass
from itertools import count

from protocols.sensor.reading import ALPHABET, EMPTY, FIRST, OCCUPIED, PIECES, SECOND, UNSURE, Geometry, Sensing


def sensed(thing: str, sensing: Sensing) -> str:
    """What a sensor of this kind sees of a thing: nothing, a stone of a colour, a piece by its letter, or something
    that cannot be told (face down).
    """
    if thing in ALPHABET[sensing]:
        return thing
    if sensing == "occ":
        return OCCUPIED
    if sensing == "pol" and thing in PIECES:
        return FIRST if thing.isupper() else SECOND
    return OCCUPIED


@dataclass(frozen=True)
class Noise:
    """How badly the sensors see. The default is a perfect board."""

    bounce_ms: float = 0.0
    """Milliseconds a point chatters after something was put on it or taken off."""
    bounces: int = 3
    """How often it chatters in that time, at most."""
    flickers_per_s: float = 0.0
    """Short errors a second, anywhere on the board."""
    flicker_ms: float = 15.0
    """How long such an error lasts at most. Longer than the settling time, and it will be reported."""
    ghosting: bool = False
    """A matrix without diodes: three occupied corners of a rectangle make the fourth look occupied."""
    weak: tuple[int, ...] = ()
    """Points with a weak magnet: what lies there drops out now and then."""
    drop_outs_per_s: float = 2.0
    """How often that happens, for each of them that is occupied."""
    unsure: bool = False
    """Errors show as "unsure" instead of a wrong value."""


PERFECT = Noise()


class Sensors:
    """A board's points: ``put`` things on them, and ``advance`` the time to learn what the firmware reports.

    A point is reported when it has been the same for the settling time, with the time at which it became so. Nothing
    is scanned in vain: only points on which something happens cost anything.
    """

    def __init__(
        self,
        geometry: Geometry,
        sensing: Sensing,
        *,
        settle_ms: float = 60.0,
        noise: Noise = PERFECT,
        seed: int = 0,
    ) -> None:
        self.geometry = geometry
        self.sensing = sensing
        self.settle = settle_ms / 1000
        self.noise = noise
        self.things = [EMPTY] * geometry.count
        """What really lies on the points."""
        self.points = [EMPTY] * geometry.count
        """What the firmware reports."""
        self.raw = [EMPTY] * geometry.count
        """What the sensors show at this moment, unsettled."""
        self._since = [0.0] * geometry.count
        self._unsettled: set[int] = set()
        self._coming: list[tuple[float, int, int, str | None]] = []
        """Raw values to come: time, order, point, value (None: what really lies there)."""
        self._order = count()
        self._random = random.Random(seed)
        self._now: float = -math.inf
        self._next_flicker = self._next_drop_out = math.inf

    def _wait(self, rate: float) -> float:
        return self._now + self._random.expovariate(rate) if rate > 0 else math.inf

    def _start(self, now: float) -> None:
        """Time begins with the first call."""
        if self._now == -math.inf:
            self._now = now
            self._next_flicker = self._wait(self.noise.flickers_per_s)
            self._next_drop_out = self._wait(self.noise.drop_outs_per_s * len(self.noise.weak))

    def put(self, point: int, thing: str, now: float) -> None:
        """Put a thing on a point, or take it off (``EMPTY``). Call ``advance`` first: time does not run backwards."""
        self._start(now)
        self._now = max(self._now, now)
        if self.things[point] == thing:
            return
        before = self._seen(point)
        self.things[point] = thing
        length = self.noise.bounce_ms / 1000
        if length > 0:
            for _ in range(self._random.randint(0, self.noise.bounces)):
                self._later(self._now + self._random.uniform(0, length), point, before)
                self._later(self._now + self._random.uniform(0, length), point, None)
            self._later(self._now + length, point, None)
        self._sense(point, self._now)
        if self.noise.ghosting:
            self._sense_all(self._now)

    def fill(self, things: str) -> None:
        """Start with these things, settled and reported."""
        self.things = list(things)
        for point in range(self.geometry.count):
            self.raw[point] = self.points[point] = self._seen(point)
        self._unsettled.clear()
        self._coming.clear()

    def restart(self) -> None:
        """The firmware starts anew: it reports what it sees now."""
        self.points = list(self.raw)
        self._unsettled.clear()

    def next_time(self) -> float:
        """When something will happen by itself; infinity when nothing will."""
        times = [self._next_flicker, self._next_drop_out]
        if self._coming:
            times.append(self._coming[0][0])
        times += [self._since[point] + self.settle for point in self._unsettled]
        return min(times)

    def advance(self, now: float) -> list[tuple[float, int, str]]:
        """Let time pass. Gives what is newly reported, in order: since when, point, value."""
        self._start(now)
        reported: list[tuple[float, int, str]] = []
        while (at := self.next_time()) <= now:
            self._now = max(self._now, at)
            self._happen(at)
            self._report(at, reported)
        self._now = max(self._now, now)
        return reported

    def _happen(self, at: float) -> None:
        while self._coming and self._coming[0][0] <= at:
            _, _, point, value = heapq.heappop(self._coming)
            self._sense(point, at, value)
        if self._next_flicker <= at:
            self._disturb(self._random.randrange(self.geometry.count), at)
            self._next_flicker = self._wait(self.noise.flickers_per_s)
        if self._next_drop_out <= at:
            point = self._random.choice(self.noise.weak)
            if self.things[point] != EMPTY:
                self._sense(point, at, UNSURE if self.noise.unsure else EMPTY)
                self._later(at + self._random.uniform(0.2, 2.0) * self.noise.flicker_ms / 1000, point, None)
            self._next_drop_out = self._wait(self.noise.drop_outs_per_s * len(self.noise.weak))

    def _report(self, at: float, reported: list[tuple[float, int, str]]) -> None:
        # The comparison must be the very sum that next_time gives, or rounding could make it wait for ever.
        for point in sorted(self._unsettled):
            if self._since[point] + self.settle <= at:
                self._unsettled.discard(point)
                self.points[point] = self.raw[point]
                reported.append((self._since[point], point, self.raw[point]))

    def _disturb(self, point: int, at: float) -> None:
        """A short error at a point."""
        if self.noise.unsure:
            wrong = UNSURE
        else:
            wrong = OCCUPIED if self.sensing == "occ" else FIRST if self.sensing == "pol" else "P"
            if self._seen(point) != EMPTY:
                wrong = EMPTY
        self._sense(point, at, wrong)
        self._later(at + self._random.uniform(0.1, 1.0) * self.noise.flicker_ms / 1000, point, None)

    def _later(self, at: float, point: int, value: str | None) -> None:
        heapq.heappush(self._coming, (at, next(self._order), point, value))

    def _seen(self, point: int) -> str:
        value = sensed(self.things[point], self.sensing)
        if value == EMPTY and self.noise.ghosting and self._is_ghost(point):
            return OCCUPIED if self.sensing == "occ" else UNSURE
        return value

    def _is_ghost(self, point: int) -> bool:
        across = self.geometry.width
        row, column = divmod(point, across)
        columns = [x for x in range(across) if self.things[row * across + x] != EMPTY]
        rows = [y for y in range(self.geometry.height) if self.things[y * across + column] != EMPTY]
        return any(self.things[y * across + x] != EMPTY for x in columns for y in rows)

    def _sense(self, point: int, at: float, value: str | None = None) -> None:
        """The raw value of a point changes."""
        if value is None:
            value = self._seen(point)
        if value == self.raw[point]:
            return
        self.raw[point] = value
        self._since[point] = at
        if value == self.points[point]:
            self._unsettled.discard(point)
        else:
            self._unsettled.add(point)

    def _sense_all(self, at: float) -> None:
        for point in range(self.geometry.count):
            self._sense(point, at)
