"""A board, its sensors and the people at it, simulated: what a tracker has to cope with, on a virtual clock.

A ``Scene`` is a board with stones or pieces on it, seen through sensors that bounce, flicker and drop out; it gives
``Reading``s. A ``Hand`` moves the stones as people do: slowly, sliding, wobbling, knocking others over, taking in any
order, forgetting captured stones, thinking with a piece in the air. Its scripts are generators of waits in seconds, so
the same scripts run on a virtual clock (thousands of games in minutes) or a real one (a simulated board on a port).

Points are those of the rules cores (A1 or a0 first, row by row upward); readings are in the board's own order.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from protocols.sensor.reading import EMPTY, FIRST, OCCUPIED, SECOND, UNSURE, Geometry, Reading, Sensing

Script = Iterator[float]
"""What a hand does: each value is how long to wait before the next thing is done."""


@dataclass(frozen=True)
class Noise:
    """How bad the sensors are.

    ``glitches``: wrong values of one scan, a second, on the whole board. ``bounce``: longest time a contact bounces.
    ``weak``: share of stones with a weak magnet; ``dropouts``: a second, of each of them, of ``dropout`` seconds
    (shortest, longest), one in ``deep`` of them lasting ``deep_dropout``. ``ghosts``: phantom points of one or two
    scans, for each time a hand touches the board. ``unsure``: share of placings during which the sensor is between its
    thresholds for a moment.
    """

    glitches: float = 0.5
    bounce: float = 0.04
    weak: float = 0.02
    dropouts: float = 0.1
    dropout: tuple[float, float] = (0.02, 0.12)
    deep: int = 20
    deep_dropout: tuple[float, float] = (0.2, 1.0)
    ghosts: float = 0.05
    unsure: float = 0.1


QUIET = Noise(0.0, 0.0, 0.0, 0.0, ghosts=0.0, unsure=0.0)
"""Perfect sensors."""


@dataclass(frozen=True)
class Habits:
    """How people move stones: shares of moves (0…1) with a mishap or a habit, and times in seconds (from, to).

    ``carry``: a stone is in the air so long. ``slide``: pieces slid instead of lifted, with ``slide_step`` a point and,
    one time in ten, ``slide_pause`` at one of them. ``wobble``: a stone set down badly and again. ``adjust``: another
    stone lifted and put back before the move. ``think``: the piece held in the air for ``think_time``. ``knock``: a
    neighbour displaced while the hand passes. ``forget``: captured stones left lying. ``first``: captured stones taken
    off before the own one is set down. ``push``: a piece pushed off its point by the one that takes it. ``second``:
    second thoughts right after a move. ``retract``: a move taken back altogether. ``hasty``: own move made together
    with the executed answer. ``blunder``: an illegal move, put right after a while.
    """

    carry: tuple[float, float] = (0.3, 0.7)
    slide: float = 0.25
    slide_step: tuple[float, float] = (0.05, 0.2)
    slide_pause: tuple[float, float] = (0.3, 0.6)
    wobble: float = 0.05
    adjust: float = 0.04
    think: float = 0.03
    think_time: tuple[float, float] = (1.0, 6.0)
    knock: float = 0.01
    forget: float = 0.05
    first: float = 0.25
    push: float = 0.15
    second: float = 0.015
    retract: float = 0.01
    hasty: float = 0.1
    blunder: float = 0.01


TIDY = Habits(
    slide=0, wobble=0, adjust=0, think=0, knock=0, forget=0, first=0, push=0, second=0, retract=0, hasty=0, blunder=0
)
"""People without mishaps."""


class Scene:
    """A board with things on it, and its sensors. Time only moves by ``run_until``.

    ``things``: what truly stands on each point: ``X`` and ``O`` for the colours' stones, or Xiangqi piece letters.
    """

    def __init__(
        self,
        geometry: Geometry,
        sensing: Sensing,
        rng: random.Random,
        noise: Noise = QUIET,
        *,
        scan: float = 0.02,
        things: str = "",
        turned: bool = False,
    ) -> None:
        """``scan``: seconds between two scans of the sensors. ``things``: what stands there first (nothing)."""
        self.geometry = geometry
        self.sensing = sensing
        self.noise = noise
        self.scan = scan
        self.turned = turned
        self.now = 0.0
        self.things = list(things or EMPTY * geometry.count)
        self.rng = rng
        self.on_reading: Callable[[Reading], None] = lambda reading: None
        self.on_time: Callable[[float], None] = lambda now: None
        self._disturbed: dict[int, tuple[str, int]] = {}
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._weak: set[int] = {p for p in range(geometry.count) if rng.random() < noise.weak}
        self._sensed = [self.sensed(thing) for thing in self.things]
        self._last = ""
        self._stale = True
        if noise.glitches > 0:
            self._later(rng.expovariate(noise.glitches), self._glitch)
        if self._weak and noise.dropouts > 0:
            self._later(self._dropout_wait(), self._dropout)

    # ------------------------------------------------------------------ time

    def _later(self, delay: float, what: Callable[[], None]) -> None:
        """Do something in ``delay`` seconds, at the next scan."""
        ticks = int((self.now + delay) / self.scan) + 1
        self._count += 1
        heapq.heappush(self._events, (ticks * self.scan, self._count, what))

    def run_until(self, when: float) -> None:
        """Let time pass, reading the board whenever its state changes."""
        self._emit()
        while self._events and self._events[0][0] <= when:
            at = self._events[0][0]
            self.now = max(self.now, at)
            while self._events and self._events[0][0] <= at:
                heapq.heappop(self._events)[2]()
            self._emit()
        self.now = max(self.now, when)
        self.on_time(self.now)

    def perform(self, script: Script) -> None:
        """Run a script to its end."""
        for wait in script:
            self.run_until(self.now + wait)
        self._emit()

    def _emit(self) -> None:
        if not self._stale:
            return
        self._stale = False
        points = self.text()
        if points != self._last:
            self._last = points
            self.on_reading(Reading(points, self.now, self.now))

    # ------------------------------------------------------------------ what the sensors see

    def sensed(self, thing: str) -> str:
        """What a good sensor shows of a thing."""
        if thing == EMPTY or self.sensing == "id":
            return thing
        if self.sensing == "occ":
            return OCCUPIED
        return FIRST if thing == FIRST or (thing != SECOND and thing.isupper()) else SECOND

    def truth(self) -> str:
        """What good sensors would show, in the rules core's order."""
        return "".join([self.sensed(thing) for thing in self.things])

    def text(self) -> str:
        """What the sensors show now, in the board's own order."""
        points = list(self._sensed)
        for point, (value, _) in self._disturbed.items():
            points[point] = value
        width = self.geometry.width
        state = "".join(points)
        rows = "".join([state[start : start + width] for start in range(len(state) - width, -1, -width)])
        return rows[::-1] if self.turned else rows

    def put(self, point: int, thing: str) -> None:
        """Something is set down on a point, or (``EMPTY``) lifted from it. The contact bounces."""
        before, self.things[point] = self.things[point], thing
        self._sensed[point] = self.sensed(thing)
        self._stale = True
        rng, noise = self.rng, self.noise
        if noise.bounce > 0 and before != thing:
            end = rng.uniform(0, noise.bounce)
            at = rng.uniform(0, 0.01)
            while at < end:
                self._disturb(point, self.sensed(before), at, rng.uniform(0.003, 0.01))
                at += rng.uniform(0.005, 0.02)
        if thing != EMPTY and rng.random() < noise.unsure:
            self._disturb(point, UNSURE, 0.0, rng.uniform(0.02, 0.08))
        if rng.random() < noise.ghosts:
            ghost = rng.randrange(self.geometry.count)
            if self.things[ghost] == EMPTY:
                self._disturb(ghost, self.sensed(thing if thing != EMPTY else before), 0.0, rng.uniform(0.01, 0.04))

    def _disturb(self, point: int, value: str, delay: float, length: float) -> None:
        """The sensor of a point shows something else for a while."""
        self._count += 1
        mark = self._count

        def begin() -> None:
            self._disturbed[point] = (value, mark)
            self._stale = True
            self._later(length, end)

        def end() -> None:
            if self._disturbed.get(point, ("", 0))[1] == mark:
                del self._disturbed[point]
                self._stale = True

        self._later(delay, begin)

    def _glitch(self) -> None:
        rng = self.rng
        point = rng.randrange(self.geometry.count)
        thing = self.things[point]
        others = {"occ": OCCUPIED, "pol": FIRST + SECOND, "id": "KABNRCPkabnrcp"}[self.sensing]
        value = rng.choice(others) if thing == EMPTY else EMPTY
        self._disturb(point, value, 0.0, 0.0)
        self._later(rng.expovariate(self.noise.glitches), self._glitch)

    def _dropout_wait(self) -> float:
        return self.rng.expovariate(self.noise.dropouts * len(self._weak))

    def _dropout(self) -> None:
        rng, noise = self.rng, self.noise
        point = rng.choice(sorted(self._weak))
        if self.things[point] != EMPTY:
            deep = rng.randrange(noise.deep) == 0
            self._disturb(point, EMPTY, 0.0, rng.uniform(*(noise.deep_dropout if deep else noise.dropout)))
        self._later(self._dropout_wait(), self._dropout)


class Surface(Protocol):
    """What a hand needs of a board: a ``Scene`` is one."""

    @property
    def geometry(self) -> Geometry: ...

    @property
    def things(self) -> list[str]:
        """What stands on each point."""

    @property
    def rng(self) -> random.Random: ...

    def put(self, point: int, thing: str) -> None:
        """Set something down, or (``EMPTY``) take it off."""


class Hand:
    """Moves things on a board as people do."""

    def __init__(self, scene: Surface, habits: Habits = TIDY) -> None:
        self.scene = scene
        self.habits = habits
        self.rng = scene.rng
        self.displaced: list[tuple[int, int]] = []
        """Things knocked over: where they belong, where they are."""
        self.forgotten: list[int] = []
        """Points with captured stones left lying."""

    def _time(self, span: tuple[float, float]) -> float:
        return self.rng.uniform(*span)

    def chance(self, share: float) -> bool:
        """Whether something that happens so often happens now."""
        return self.rng.random() < share

    # ------------------------------------------------------------------ parts of a move

    def set_down(self, point: int, thing: str) -> Script:
        """Put a thing on a point, perhaps not well at first."""
        self.scene.put(point, thing)
        if self.chance(self.habits.wobble):
            yield self.rng.uniform(0.08, 0.2)
            self.scene.put(point, EMPTY)
            yield self.rng.uniform(0.08, 0.14)
            self.scene.put(point, thing)

    def lift(self, point: int) -> str:
        """Take what stands on a point; gives it."""
        thing = self.scene.things[point]
        self.scene.put(point, EMPTY)
        return thing

    def adjust(self) -> Script:
        """Straighten some stone: lift it and put it back."""
        points = [point for point, thing in enumerate(self.scene.things) if thing != EMPTY]
        if points:
            point = self.rng.choice(points)
            thing = self.lift(point)
            yield self.rng.uniform(0.2, 1.2)
            self.scene.put(point, thing)
            yield self.rng.uniform(0.2, 0.8)

    def knock(self, near: int, spare: Sequence[int]) -> None:
        """Displace a neighbour of a point to a free point beside it; ``spare``: points it must not be or go to."""
        geometry = self.scene.geometry
        width = geometry.width
        things = self.scene.things
        places = [p for p in range(geometry.count) if _close(near, p, width) and p not in spare and things[p] != EMPTY]
        self.rng.shuffle(places)
        for place in places:
            free = [
                p
                for p in range(geometry.count)
                if _close(place, p, width) == 1 and p not in spare and things[p] == EMPTY
            ]
            if free:
                to = self.rng.choice(free)
                thing = self.lift(place)
                self.scene.put(to, thing)
                self.displaced.append((place, to))
                return

    def mend(self) -> Script:
        """Put back what was knocked over."""
        while self.displaced:
            home, away = self.displaced.pop()
            thing = self.lift(away)
            yield self._time(self.habits.carry)
            self.scene.put(home, thing)
            yield self.rng.uniform(0.1, 0.4)

    def tidy(self) -> Script:
        """Take the forgotten stones off."""
        while self.forgotten:
            self.lift(self.forgotten.pop())
            yield self.rng.uniform(0.15, 0.4)

    # ------------------------------------------------------------------ Go

    def play_stone(self, point: int, thing: str, captured: Sequence[int]) -> Script:
        """Put a stone down and take the captured ones off, in some order."""
        rng, habits = self.rng, self.habits
        if point in self.forgotten:
            yield from self.tidy()
            yield self._time(habits.carry)
        if self.chance(habits.adjust):
            yield from self.adjust()
        captured = list(captured)
        rng.shuffle(captured)
        if captured and self.chance(habits.first):
            yield from self._take_off(captured, [])
            yield rng.uniform(0.3, 0.8)
            captured = []
        if self.chance(habits.knock):
            self.knock(point, [point, *captured, *self.forgotten])
            yield rng.uniform(0.0, 0.1)
        yield from self.set_down(point, thing)
        left: list[int] = []
        if captured and self.chance(habits.forget):
            left = captured[rng.randrange(len(captured)) :]
            captured = captured[: len(captured) - len(left)]
        yield from self._take_off(captured, left)

    def _take_off(self, captured: Sequence[int], left: list[int]) -> Script:
        for point in captured:
            yield self.rng.uniform(0.1, 0.4)
            self.lift(point)
        self.forgotten += left

    def move_stone(self, origin: int, target: int) -> Script:
        """Lift a stone and put it elsewhere."""
        thing = self.lift(origin)
        yield self._time(self.habits.carry)
        yield from self.set_down(target, thing)

    # ------------------------------------------------------------------ Xiangqi

    def move_piece(self, origin: int, target: int) -> Script:
        """Move a piece, taking what stands on its target, in some order of hands."""
        habits, things = self.habits, self.scene.things
        if self.chance(habits.adjust):
            yield from self.adjust()
        taking = things[target] != EMPTY
        path = _straight(origin, target, self.scene.geometry.width)
        free = all(things[point] == EMPTY for point in path)
        if free and not taking and self.chance(habits.slide):
            yield from self._slide(origin, target, path)
            return
        if taking and self.chance(habits.first):
            self.lift(target)
            yield self._time(habits.carry)
            thing = self.lift(origin)
            yield self._time(habits.carry)
            yield from self.set_down(target, thing)
            return
        thing = self.lift(origin)
        if self.chance(habits.think):
            yield self._time(habits.think_time)
        if self.chance(habits.knock):
            self.knock(target, [origin, target])
        if taking and self.chance(habits.push):
            yield self._time(habits.carry)
            self.scene.put(target, thing)  # the taken piece goes off sideways as this one lands
            return
        if taking:
            yield self._time(habits.carry)
            self.lift(target)
        yield self._time(habits.carry)
        yield from self.set_down(target, thing)

    def _slide(self, origin: int, target: int, path: Sequence[int]) -> Script:
        """Slide a piece over the points between."""
        rng, habits = self.rng, self.habits
        pause = rng.choice(path) if path and rng.random() < 0.1 else -1
        here = origin
        for point in [*path, target]:
            thing = self.lift(here)
            yield rng.uniform(0.0, 0.1)
            self.scene.put(point, thing)
            here = point
            if point != target:
                yield self._time(habits.slide_pause if point == pause else habits.slide_step)

    def set_again(self, point: int) -> Script:
        """Lift what stands on a point and set it down there: the answer to a question."""
        thing = self.lift(point)
        yield self._time(self.habits.carry)
        self.scene.put(point, thing)

    # ------------------------------------------------------------------ setting a board up

    def arrange(self, wanted: str) -> Script:
        """Make the board show ``wanted`` (things, as ``Scene.things``), one thing at a time."""
        things = self.scene.things
        for point, thing in enumerate(wanted):
            if things[point] not in (EMPTY, thing):
                self.lift(point)
                yield self.rng.uniform(0.1, 0.3)
        for point, thing in enumerate(wanted):
            if things[point] != thing:
                self.scene.put(point, thing)
                yield self.rng.uniform(0.1, 0.3)


def _close(a: int, b: int, width: int) -> int:
    """1 for neighbours on a row or column, 2 for diagonal ones, else 0."""
    x, y = abs(a % width - b % width), abs(a // width - b // width)
    return x + y if max(x, y) == 1 else 0


def _straight(origin: int, target: int, width: int) -> list[int]:
    """The points between two on one row or column, in order; empty for any other two, too."""
    x, y = target % width - origin % width, target // width - origin // width
    if (x and y) or abs(x) + abs(y) < 2:
        return []
    length = abs(x) + abs(y)
    step = (x + y * width) // length
    return [origin + step * i for i in range(1, length)]
