"""A simulated home-made board: the device's side of any description."""

from __future__ import annotations

import math
import random

from protocols.sensor.codecs.described import bytes_of
from protocols.sensor.codecs.description import Description
from protocols.sensor.codecs.leds import led_count
from protocols.sensor.reading import EMPTY, FIRST, OCCUPIED, OFF, SECOND
from protocols.sensor.simulation.sensors import Sensors

STRENGTH = 4.0
"""How many times the threshold a thing moves an analogue point."""


class DescribedDevice:
    """A board as a description tells it (see ``device.Device``): answers the poll, or sends on every change.

    ``every`` makes a board that is not polled repeat its state; without it it speaks on change only.
    """

    def __init__(self, sensors: Sensors, description: Description, *, every: float = 0.0, seed: int = 0) -> None:
        self.sensors = sensors
        self.description = description
        self.led_commands: list[bytes] = []
        self._every = every
        self._random = random.Random(seed)
        points = description.points
        self._keys: dict[str, int | str] = {}
        for key, value in points.values.items():
            self._keys.setdefault(value, key)
        resting = round(points.baseline) if points.baseline is not None else 500
        spread = 0 if points.baseline is not None else 40
        self._empty = [resting + self._random.randint(-spread, spread) for _ in range(description.geometry.count)]
        self._out = bytearray()
        self._in = bytearray()
        self._sent = ""
        self._next = 0.0
        self.reset(0.0)

    @property
    def leds(self) -> str:
        """Whether the last command lit anything is all that can be said in general."""
        count = led_count(self.description.geometry, self.description.leds.model)
        lit = bool(self.led_commands) and self.led_commands[-1] != self._dark
        return ("W" if lit else OFF) * count

    @property
    def _dark(self) -> bytes:
        leds = self.description.leds
        return leds.begin + leds.end

    def reset(self, now: float) -> None:
        self._out.clear()
        self._in.clear()
        self._sent = ""
        self._next = now

    def connected(self, now: float) -> None:
        self._out.clear()
        self._sent = ""

    def put(self, point: int, thing: str, now: float) -> None:
        self.outgoing_update(now)
        self.sensors.put(point, thing, now)

    def press(self, name: str, now: float) -> None:
        for said, button in self.description.buttons.items():
            if button == name:
                self._out += said + (self.description.frame.end if self.description.frame.kind == "line" else b"")
                return

    def set_hand(self, present: bool, now: float) -> None:
        """It cannot tell."""

    def feed(self, data: bytes, now: float) -> None:
        self._in += data
        poll, leds = self.description.poll, self.description.leds
        if poll and poll in self._in:
            self._in = bytearray(self._in.replace(poll, b"", 1))
            self.sensors.advance(now)
            self._out += self._frame()
        events = self.description.events
        if events is not None and events.ask and events.ask in self._in:
            self._in = bytearray(self._in.replace(events.ask, b"", 1))
            self.outgoing_update(now)
            self._out += self._told()
        if leds.begin and leds.end:
            while (start := self._in.find(leds.begin)) >= 0:
                end = self._in.find(leds.end, start + len(leds.begin))
                if end < 0:
                    break
                self.led_commands.append(bytes(self._in[start : end + len(leds.end)]))
                del self._in[: end + len(leds.end)]
        del self._in[:-4096]

    def outgoing_update(self, now: float) -> None:
        """Bring the sensors up to the time; say what changed."""
        self.sensors.advance(now)
        if self.description.poll:
            return
        state = "".join(self.sensors.points)
        if state != self._sent or (self._every and now >= self._next):
            before, self._sent = self._sent, state
            self._next = now + self._every
            self._out += self._told() if self.description.events is None or not before else self._events(before, state)

    def outgoing(self, now: float) -> bytes:
        self.outgoing_update(now)
        data = bytes(self._out)
        self._out.clear()
        return data

    def wake(self, now: float) -> float:
        if self._out:
            return now
        times = [self.sensors.next_time()]
        if not self.description.poll:
            times.append(now if "".join(self.sensors.points) != self._sent else math.inf)
            times.append(self._next if self._every else math.inf)
        return min(times)

    def _events(self, before: str, after: str) -> bytes:
        """What changed, a line each: what was there is lifted first."""
        events = self.description.events
        assert events is not None
        lines = []
        for point, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new and old != EMPTY:
                lines.append(events.write(point, EMPTY))
            if old != new and new != EMPTY:
                lines.append(events.write(point, new))
        return b"".join(map(self._sealed_line, lines))

    def _told(self) -> bytes:
        """The whole state: a frame, or lines of points."""
        events = self.description.events
        if events is None or not events.begin:
            return self._frame()
        state = "".join(self.sensors.points)
        lines = self._events(EMPTY * len(state), state)
        return self._sealed_line(events.begin) + lines + self._sealed_line(events.done)

    def _sealed_line(self, body: bytes) -> bytes:
        settings = self.description.frame
        if settings.check:
            body += settings.check_mark + settings.check_of(body).hex().upper().encode("ascii")
        return body + settings.end

    def _frame(self) -> bytes:
        """The state as a frame."""
        settings = self.description.frame
        body = settings.start + self._skipped() + self._content()
        if settings.kind == "bytes":
            body += bytes(len(settings.start) + settings.length - len(body))
            return body + (settings.check_of(body) if settings.check else b"") + settings.end
        if settings.check:
            body += settings.check_mark + settings.check_of(body).hex().upper().encode("ascii")
        return body + settings.end

    def _skipped(self) -> bytes:
        """What stands before the points: something else every time."""
        points = self.description.points
        if points.coding == "decimal" or (points.coding == "analogue" and points.numbers == "decimal"):
            return b"".join(b"%d " % self._random.randrange(1000) for _ in range(points.skip))
        return bytes(self._random.choice(b"abcdefgh") for _ in range(points.skip))

    def _content(self) -> bytes:
        points = self.description.points
        told = [self.sensors.points[point] for point in points.order]
        if points.coding == "analogue":
            numbers = [self._analogue(point) for point in points.order]
            if points.numbers == "decimal":
                return " ".join(map(str, numbers)).encode("ascii")
            size = 1 if points.numbers == "u8" else 2
            return b"".join(
                number.to_bytes(size, "big" if points.numbers == "u16be" else "little") for number in numbers
            )
        if points.coding == "bit":
            return self._bits(told)
        keys = [self._keys[value] for value in told]
        if points.coding == "letter":
            return "".join(map(str, keys)).encode("latin-1")
        if points.coding == "decimal":
            return " ".join(map(str, keys)).encode("ascii")
        codes = [int(key) for key in keys]
        if points.coding == "byte":
            return bytes(codes)
        codes += [0] * (len(codes) % 2)
        pairs = zip(codes[::2], codes[1::2], strict=True)
        return bytes(one | other << 4 if points.low_first else one << 4 | other for one, other in pairs)

    def _bits(self, told: list[str]) -> bytes:
        points, along = self.description.points, self.description.along
        masks = [[int((value == plane) != points.invert) for value in told] for plane in points.planes]
        if points.by_plane:
            per_line = len(told) if points.packed else along
            return b"".join(bytes_of(mask, per_line, points.low_first) for mask in masks)
        lines = range(0, len(told), along)
        return b"".join(
            bytes_of(mask[start : start + along], along, points.low_first) for start in lines for mask in masks
        )

    def _analogue(self, point: int) -> int:
        points, thing = self.description.points, self.sensors.points[point]
        pull = round(points.on * STRENGTH)
        if (thing == SECOND) == points.first_above and thing in (FIRST, SECOND):
            pull = -pull
        if thing == EMPTY:
            pull = 0
        noise = round(points.off * 0.3)
        assert thing in (EMPTY, FIRST, SECOND, OCCUPIED)
        return max(0, self._empty[point] + pull + self._random.randint(-noise, noise))
