"""A home-made board told in a TOML file: the codec. ``docs/described-boards.md`` is the manual of the file.

Such boards send full states. Most have no check of their own, so what can be checked is: that a frame is whole, that
every point in it is possible, and, where asked for, that several frames in a row say the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from protocols.sensor.codecs.description import Description, LedSettings, content_length
from protocols.sensor.codecs.framing import Framer, Key, check_bytes
from protocols.sensor.codecs.leds import COLOURS, LedRenderer, check_leds
from protocols.sensor.codecs.orientation import inverse
from protocols.sensor.codecs.scans import Analogue, Settler
from protocols.sensor.reading import EMPTY, OFF, Button, Event, Hello, Note, Reading, Still

ASK_AGAIN = 1.0
"""Seconds after which a board that tells events is asked again for a whole state."""

BLINK = 0.5
"""Seconds a blinking led is on, and then off."""

_NUMBER = re.compile(rb"-?\d+")


def bits_of(content: bytes, count: int, per_line: int, low_first: bool, packed: bool) -> list[int]:
    """The bits of a plane: lines of ``per_line`` bits that begin on a new byte each, unless packed."""
    bits = []
    if packed:
        per_line = count
    stride = (per_line + 7) // 8
    for start in range(0, len(content), stride):
        for number in range(per_line):
            byte = content[start + number // 8]
            bits.append(byte >> (number % 8 if low_first else 7 - number % 8) & 1)
    return bits[:count]


def bytes_of(bits: Sequence[int], per_line: int, low_first: bool) -> bytes:
    """The other way round: each line on new bytes."""
    out = bytearray()
    for start in range(0, len(bits), per_line):
        line = bytearray((per_line + 7) // 8)
        for number, bit in enumerate(bits[start : start + per_line]):
            if bit:
                line[number // 8] |= 1 << (number % 8 if low_first else 7 - number % 8)
        out += line
    return bytes(out)


class PointDecoder:
    """Content of a frame to values (or raw numbers) of the points, in our order."""

    def __init__(self, description: Description) -> None:
        self._points = description.points
        self._geometry = description.geometry
        self._along = description.along
        self._back = inverse(self._points.order)

    def decode(self, content: bytes) -> str | None:
        """The board, or None when the content cannot be one. Not for analogue values."""
        if self._points.coding != "decimal":
            content = content[self._points.skip :]
        told = self._bit_values(content) if self._points.coding == "bit" else self._table_values(content)
        if told is None or len(told) != self._geometry.count:
            return None
        return "".join(told[number] for number in self._back)

    def numbers(self, content: bytes) -> list[int] | None:
        """Analogue values of the points, or None."""
        kind, skip = self._points.numbers, self._points.skip
        if kind != "decimal":
            content = content[skip:]
        if kind == "decimal":
            told = [int(number) for number in _NUMBER.findall(content)[skip:]]
        elif kind == "u8":
            told = list(content)
        else:
            order = "little" if kind == "u16le" else "big"
            told = [int.from_bytes(content[at : at + 2], order) for at in range(0, len(content), 2)]  # type: ignore[arg-type]
        if len(told) != self._geometry.count:
            return None
        return [told[number] for number in self._back]

    def _table_values(self, content: bytes) -> list[str] | None:
        points, table = self._points, self._points.values
        keys: list[int | str]
        if points.coding == "letter":
            keys = [letter for letter in content.decode("latin-1") if letter not in points.ignore]
        elif points.coding == "decimal":
            keys = [int(number) for number in _NUMBER.findall(content)[points.skip :]]
        elif points.coding == "byte":
            keys = list(content)
        else:
            keys = []
            for byte in content:
                halves = (byte & 15, byte >> 4)
                keys += halves if points.low_first else halves[::-1]
            keys = keys[: self._geometry.count]
        values = [table.get(key, points.other) for key in keys]
        return values if all(values) else None

    def _bit_values(self, content: bytes) -> list[str] | None:
        points, count, along = self._points, self._geometry.count, self._along
        planes = len(points.planes)
        if points.by_plane:
            size = len(content) // planes
            masks = [content[number * size : (number + 1) * size] for number in range(planes)]
        else:
            # Line by line: the planes of a line follow each other.
            stride = (along + 7) // 8
            masks = [
                b"".join(content[at : at + stride] for at in range(number * stride, len(content), planes * stride))
                for number in range(planes)
            ]
        values = [EMPTY] * count
        for plane, mask in zip(points.planes, masks, strict=True):
            for number, bit in enumerate(bits_of(mask, count, along, points.low_first, points.packed)):
                if bit != points.invert:
                    if values[number] != EMPTY:
                        return None  # no point can be two things at once
                    values[number] = plane
        return values


class LedEncoder:
    """Leds to the command that shows them."""

    def __init__(self, description: Description) -> None:
        self._settings: LedSettings = description.leds
        self._order = description.points.order
        self._along = description.along

    def command(self, frame: str, lit: bool) -> bytes:
        """The command for these leds (in our order; point leds are put into the board's). ``lit``: blinking leds
        are on now.
        """
        settings = self._settings
        if settings.model == "point":
            frame = "".join(frame[point] for point in self._order)
        shown = [led if led.isupper() or (lit and led != OFF) else OFF for led in frame]
        if settings.mask:
            bits = [int(led != OFF) for led in shown]
            return self._sealed(bytes_of(bits, self._along, settings.low_first))
        items = [self._item(number, led.upper()) for number, led in enumerate(shown) if led != OFF]
        return self._sealed(settings.separator.join(items))

    def _sealed(self, content: bytes) -> bytes:
        """A command's content with all that belongs around it."""
        settings = self._settings
        body = settings.begin + content
        check = b""
        if settings.check:
            check = check_bytes(settings.check, body[settings.check_from :], settings.check_start)
        if settings.check_hex:
            check = check.hex().upper().encode("ascii")
        return body + check + settings.end

    def _item(self, number: int, led: str) -> bytes:
        red, green, blue = COLOURS[led]
        line, place = divmod(number, self._along)
        told: dict[str, int | str] = {
            "index": number,
            "line": line,
            "place": place,
            "line_place": line << 4 | place,
            "on": 1,
            "red": red,
            "green": green,
            "blue": blue,
            "lamp": led,
        }
        item = self._settings.item
        if isinstance(item, str):
            for name, value in told.items():
                item = item.replace("{" + name + "}", str(value))
            return item.encode("latin-1")
        return bytes(ord(value) if isinstance(value := told[name], str) else value & 0xFF for name in item)


class DescribedCodec:
    """The host's side of a described board (see ``reading.Codec``)."""

    name = "described"
    refusal = ""

    def __init__(
        self,
        description: Description,
        *,
        baseline: Sequence[float] | None = None,
        on_baseline: Callable[[list[float]], None] | None = None,
    ) -> None:
        """``baseline`` and ``on_baseline`` are for analogue boards that learn theirs: see ``SaiboardCodec``."""
        self.description = description
        self.tick = 0.02 if description.poll else 0.1
        points = description.points
        self._decoder = PointDecoder(description)
        self._encoder = LedEncoder(description)
        self._analogue: Analogue | None = None
        if points.coding == "analogue":
            if baseline is None and points.baseline is not None:
                baseline = [points.baseline] * description.geometry.count
            self._analogue = Analogue(
                description.geometry.count,
                description.sensing,
                on=points.on,
                off=points.off,
                first_above=points.first_above,
                baseline=baseline,
                low=-1,
                high=points.high,
            )
        self._on_baseline = on_baseline
        self._settler = Settler(description.equal_scans)
        self._framer = Framer(description.frame, self._is_content)
        self._renderer = LedRenderer(description.geometry, description.leds.model)
        self.restart(0.0)

    def _is_content(self, content: bytes) -> bool:
        """Whether a frame's content can be a board."""
        points = self.description.points
        if self._analogue is None:
            return self._decoder.decode(content[: self._natural(content)]) is not None
        numbers = self._decoder.numbers(content[: self._natural(content)])
        return numbers is not None and all(0 <= number <= points.high for number in numbers)

    def _natural(self, content: bytes) -> int:
        """Where the points end: a frame of bytes may hold more behind them, a line may not."""
        if self.description.frame.kind == "line":
            return len(content)
        points = self.description.points
        length = content_length(points, self.description.geometry)
        return points.skip + length if length else len(content)

    def restart(self, now: float, silent: bool = False) -> None:
        self._silent = silent
        self._framer.restart(now)
        self._settler.forget()
        self._hello: Hello | None = None
        self._heard: float | None = None
        self._opened = now
        self._complete = False
        self._start_due = True
        self._next_poll = now
        self._next_leds = now
        self._shown: bytes | None = None
        self._told_learning = False
        self._state: list[str] | None = None
        self._building: list[str] | None = None
        self._doubt = self.description.events is not None
        self._next_ask = now

    # --- what the connection sees

    @property
    def hello(self) -> Hello | None:
        return self._hello

    def alive(self, now: float) -> bool:
        silence = self.description.silence
        return silence == 0 or now - (self._opened if self._heard is None else self._heard) < silence

    def show(self, leds: str) -> None:
        """Wish for leds. Raises ValueError."""
        check_leds(leds, self.description.geometry)
        self._renderer.wish(leds)

    def beep(self, times: int = 1) -> None:
        """Described boards have no sounder."""

    def outgoing(self, now: float) -> bytes:
        if self._silent and self._heard is None:
            return b""
        out = b""
        description = self.description
        if self._start_due:
            self._start_due = False
            out += description.start
        if self._asks and now >= self._next_ask:
            self._next_ask = now + ASK_AGAIN
            out += self._asks
        if description.poll and now >= self._next_poll:
            self._next_poll = now + description.poll_every
            out += description.poll
        if description.leds.model != "none" and now >= self._next_leds and self._hello is not None:
            command = self._encoder.command(self._renderer.frame(now), int(now / BLINK) % 2 == 0)
            if command != self._shown:
                self._shown = command
                self._next_leds = now + description.leds.every
                out += command
        return out

    @property
    def _asks(self) -> bytes:
        """What is to be sent for a whole state, while one is wanted."""
        events = self.description.events
        return events.ask if events is not None and self._doubt else b""

    def wake(self, now: float) -> float:
        if self._silent and self._heard is None:
            return math.inf
        times = [self._next_poll] if self.description.poll else []
        if self._asks:
            times.append(self._next_ask)
        if self.description.leds.model != "none" and self._hello is not None:
            blinks = any(led.islower() for led in self._renderer.frame(now))
            if blinks:
                times.append((int(now / BLINK) + 1) * BLINK)
            times.append(max(self._next_leds, self._renderer.next_change(now)))
            if self._encoder.command(self._renderer.frame(now), int(now / BLINK) % 2 == 0) != self._shown:
                times.append(max(now, self._next_leds))
        return min(times, default=math.inf)

    # --- incoming

    def feed(self, data: bytes, now: float) -> list[Event]:
        if self.description.events is None:
            return self._portion(data, now)
        # Line by line: a damaged one among others must be known of where it stood.
        last = self.description.frame.end[-1:]
        pieces = data.split(last)
        lines = [piece + last for piece in pieces[:-1]] + pieces[-1:]
        return [event for line in lines if line for event in self._portion(line, now)]

    def _portion(self, data: bytes, now: float) -> list[Event]:
        events: list[Event] = []
        before = self._framer.bad
        contents = self._framer.feed(data, now)
        damaged = self._framer.bad != before
        if damaged:
            # A frame was lost, before or after those that have come; what it said is not known.
            self._complete = False
            self._lose(now)
            events.append(Note(f"damaged frame in: {data[-60:]!r}", now))
        for content in contents:
            events += self._content(content, now)
        if damaged:
            self._complete = False
        return events

    def _content(self, content: bytes, now: float) -> list[Event]:
        description = self.description
        if description.frame.kind == "line" or isinstance(content, Key):
            button = description.buttons.get(content)
            if button is not None:
                self._heard = now
                return [Button(button, True, now), Button(button, False, now)]
            told = self._event_line(content, now)
            if told is not None:
                return told
            if not content.startswith(description.frame.start) or description.points.coding == "events":
                return [Note(f"another line: {content[:60]!r}", now)] if content else []
            content = content[len(description.frame.start) :]
        content = content[: self._natural(content)]
        values: str | None
        events: list[Event] = []
        if self._analogue is not None:
            scan = self._decoder.numbers(content)
            if scan is None:
                return [self._unfit(content, now)]
            self._heard = now
            if self._analogue.baseline is None and not self._learn(scan, now, events):
                return events
            values = self._analogue.values(scan)
        else:
            values = self._decoder.decode(content)
            if values is None:
                return [self._unfit(content, now)]
        return events + self._whole(values, now)

    def _whole(self, values: str, now: float) -> list[Event]:
        """A whole state has come."""
        self._heard = now
        self._state, self._building, self._doubt = list(values), None, False
        events: list[Event] = []
        if self._hello is None:
            self._hello = self._make_hello(now)
            events.append(self._hello)
        return events + self._reading(values, now)

    def _lose(self, now: float) -> None:
        """A line was lost: of a board that tells events a whole state is wanted."""
        self._building = None
        if self.description.events is not None and not self._doubt:
            self._doubt, self._next_ask = True, now

    def _event_line(self, content: bytes, now: float) -> list[Event] | None:
        """What comes of a line that tells one point, or begins or ends a whole state; None for other lines."""
        settings = self.description.events
        if settings is None or not content:
            return None
        if content == settings.begin:
            self._building = [EMPTY] * self.description.geometry.count
        elif content == settings.done:
            return [] if self._building is None else self._whole("".join(self._building), now)
        elif (told := settings.read(content)) is None:
            return None
        else:
            point, value = told
            if self._building is not None:
                self._building[point] = value
            elif self._state is not None:
                return self._change(point, value, now)
        self._heard = now
        return []

    def _change(self, point: int, value: str, now: float) -> list[Event]:
        """A point is something else now. Something put on something, or lifted from nothing: a line is missing."""
        assert self._state is not None
        self._heard = now
        before, self._state[point] = self._state[point], value
        events: list[Event] = []
        if (before == EMPTY) == (value == EMPTY):
            self._lose(now)
            events.append(Note(f"a line seems to be missing: point {point} was {before}, is {value}", now))
        return events + self._reading("".join(self._state), now)

    def _unfit(self, content: bytes, now: float) -> Note:
        self._framer.bad += 1
        self._complete = False
        self._lose(now)
        return Note(f"not a board of {self.description.geometry}: {content[:60]!r}", now)

    def _learn(self, scan: list[int], now: float, events: list[Event]) -> bool:
        """Take a scan of the empty board; true when the baseline is known by it."""
        assert self._analogue is not None
        if not self._told_learning:
            self._told_learning = True
            events.append(Note("learning what the empty board looks like: it must be empty now", now, serious=True))
        if not self._analogue.learn(scan):
            return False
        if self._on_baseline is not None:
            self._on_baseline(self._analogue.baseline or [])
        return True

    def _make_hello(self, now: float) -> Hello:
        description = self.description
        return Hello(
            "described",
            description.geometry,
            description.sensing,
            description.leds.model,
            description.leds.colours,
            name=description.name,
            buttons=tuple(dict.fromkeys(description.buttons.values())),
            at=now,
        )

    def _reading(self, values: str, now: float) -> list[Event]:
        changes = self._settler.take(values, now)
        if changes is None:
            return []
        points = self._settler.points
        assert points is not None
        complete, self._complete = self._complete and not self._doubt, not self._doubt
        if not changes and complete:
            return [Still(now)]
        at = max((change.at for change in changes), default=now)
        return [Reading(points, at, now, changes, complete)]
