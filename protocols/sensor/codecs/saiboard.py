"""Saiboard, an open-hardware goban (github.com/miliar/saiboard): the host's side.

361 linear hall sensors, a led at every point and a touch plate, asked with JSON over TCP (port 3333). Nothing comes
unasked, and only one question may be open: the firmware takes two that arrive together for one broken one. The board
has no identity and no time stamps; a reading's time is when its answer arrived. ``docs/saiboard.md`` tells the user's
side.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

from protocols.sensor.codecs.leds import COLOURS, check_leds
from protocols.sensor.codecs.scans import Analogue, Settler
from protocols.sensor.reading import EMPTY, OFF, Event, Geometry, Hello, Note, Reading, Still

PORT = 3333
"""The board's TCP port."""

GEOMETRY = Geometry(19, 19)

POLL_EVERY = 0.04
"""Seconds between two questions for the sensors: 25 a second at most."""

SILENCE = 5.0
"""Seconds after which an unanswered question means that the board is gone."""

ON = 40.0
"""Converter steps from the empty point's value at which a stone is there (white above, black below), as the board's
own program has it.
"""

OFF_AT = 28.0
"""Steps at which it is gone again."""

HIGH = 4095
"""The largest value of the 12-bit converter."""

TOUCH = 3200
"""Steps of the touch plate that mean a hand."""

TOUCH_PER_STONE = 20
"""Steps by which every stone on the board raises the touch plate's value."""

SCANS = 4
"""Equal scans in a row that settle a point."""

BLINK = 0.5
"""Seconds a blinking led is on, and then off. The board cannot blink by itself."""

MOST_LEDS = 180
"""Leds in one command; the firmware's buffer holds 10,000 bytes."""

MAX_ANSWER = 1 << 14
"""Bytes an answer may have; a scan has about 2,000."""

QUESTION = b'{"name":"hall"}'


def colour(led: str, lit: bool) -> tuple[int, int, int, int]:
    """Red, green, blue and white of a led, now that blinking ones are lit or not."""
    if led == OFF or (led.islower() and not lit):
        return (0, 0, 0, 0)
    if led.upper() == "O":
        return (0, 0, 0, 200)
    return (*COLOURS[led.upper()], 0)


class SaiboardCodec:
    """The host's side of Saiboard's protocol (see ``reading.Codec``)."""

    name = "saiboard"
    tick = 0.02
    refusal = ""

    def __init__(
        self,
        *,
        baseline: Sequence[float] | None = None,
        on_baseline: Callable[[list[float]], None] | None = None,
        scans: int = SCANS,
    ) -> None:
        """``baseline`` holds the empty board's values from an earlier time. Without it they are learnt at the start,
        when the board must be empty, and given to ``on_baseline``.
        """
        self._analogue = Analogue(
            GEOMETRY.count, "pol", on=ON, off=OFF_AT, first_above=False, baseline=baseline, low=-1, high=HIGH
        )
        self._on_baseline = on_baseline
        self._settler = Settler(scans)
        self._touch_empty: float | None = None
        self._wish = OFF * GEOMETRY.count
        self.restart(0.0)

    def restart(self, now: float, silent: bool = False) -> None:
        self._silent = silent  # nothing to listen for: this board never speaks first
        self._buffer = bytearray()
        self._hello: Hello | None = None
        self._waiting: str = ""
        self._sent_at = now
        self._next_poll = now
        self._shown: list[tuple[int, int, int, int] | None] = [None] * GEOMETRY.count
        self._sending: dict[int, tuple[int, int, int, int]] = {}
        self._settler.forget()
        self._hand: bool | None = None
        self._complete = False
        self._told_learning = False

    # --- what the connection sees

    @property
    def hello(self) -> Hello | None:
        return self._hello

    @property
    def baseline(self) -> list[float] | None:
        """The empty board's values; None while they are being learnt."""
        return self._analogue.baseline

    def alive(self, now: float) -> bool:
        return not self._waiting or now - self._sent_at < SILENCE

    def show(self, leds: str) -> None:
        """Wish for leds. Raises ValueError."""
        check_leds(leds, GEOMETRY)
        self._wish = leds

    def beep(self, times: int = 1) -> None:
        """The board has no sounder."""

    def outgoing(self, now: float) -> bytes:
        if self._waiting or self._silent:
            return b""
        leds = self._led_command(now)
        # Sensors and leds take turns, so that neither can starve the other.
        if now >= self._next_poll:
            self._next_poll = now + POLL_EVERY
            self._waiting, self._sent_at = "hall", now
            return QUESTION
        if leds and self._hello is not None:
            self._waiting, self._sent_at = "led", now
            return leds
        return b""

    def wake(self, now: float) -> float:
        if self._silent:
            return math.inf
        return self._sent_at + SILENCE if self._waiting else self._next_poll

    def _led_command(self, now: float) -> bytes:
        """The command for the leds that show something else than wished for; empty when none does."""
        lit = int(now / BLINK) % 2 == 0
        self._sending = {}
        for point, led in enumerate(self._wish):
            wanted = colour(led, lit)
            if self._shown[point] != wanted:
                self._sending[point] = wanted
                if len(self._sending) >= MOST_LEDS:
                    break
        if not self._sending:
            return b""
        leds = [[GEOMETRY.row(point), GEOMETRY.column(point), *rgbw] for point, rgbw in self._sending.items()]
        return json.dumps({"name": "led", "leds": leds}, separators=(",", ":")).encode("ascii")

    # --- incoming

    def feed(self, data: bytes, now: float) -> list[Event]:
        events: list[Event] = []
        self._buffer += data
        while (end := self._buffer.find(0)) >= 0:
            answer = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._waiting = ""
            events += self._answer(answer, now)
        if len(self._buffer) > MAX_ANSWER:
            self._buffer.clear()
        return events

    def _answer(self, answer: bytes, now: float) -> list[Event]:
        try:
            content = json.loads(answer)
        except ValueError:
            return [Note(f"not JSON: {answer[:80]!r}", now)]
        if not isinstance(content, dict):
            return [Note(f"not an answer: {answer[:80]!r}", now)]
        if "hall" in content:
            scan = _scan(content["hall"])
            if scan is None:
                return [Note("a scan that is not 19 rows of 19 whole numbers", now)]
            touch = content.get("touch")
            return self._take_scan(scan, touch if isinstance(touch, int) else None, now)
        if content.get("status") == "OK":
            for point, rgbw in self._sending.items():
                self._shown[point] = rgbw
            self._sending = {}
            return []
        return [Note(f"unknown answer: {answer[:80]!r}", now)]

    def _take_scan(self, scan: list[int], touch: int | None, now: float) -> list[Event]:
        events: list[Event] = []
        if self._analogue.baseline is None:
            if not self._told_learning:
                self._told_learning = True
                events.append(Note("learning what the empty board looks like: it must be empty now", now, serious=True))
            if not self._analogue.learn(scan):
                return events
            suspects = self._analogue.suspects()
            if suspects:
                names = ", ".join(f"column {GEOMETRY.column(p) + 1} row {GEOMETRY.row(p) + 1}" for p in suspects[:5])
                text = f"is there a stone at {names}? Take it off and calibrate again"
                events.append(Note(text, now, serious=True))
            if self._on_baseline is not None:
                self._on_baseline(self._analogue.baseline or [])
        if self._hello is None:
            self._hello = Hello(
                "saiboard", GEOMETRY, "pol", "point", 3, name="saiboard", hand=touch is not None, at=now
            )
            events.append(self._hello)
        changes = self._settler.take(self._analogue.values(scan), now)
        if changes is None:
            return events
        points = self._settler.points
        assert points is not None
        hand = self._hand_present(touch, points)
        complete, self._complete = self._complete, True
        if changes or not complete or hand != self._hand:
            self._hand = hand
            at = max((change.at for change in changes), default=now)
            events.append(Reading(points, at, now, changes, complete, hand))
        else:
            events.append(Still(now))
        return events

    def _hand_present(self, touch: int | None, points: str) -> bool | None:
        if touch is None:
            return None
        plain = touch - TOUCH_PER_STONE * (len(points) - points.count(EMPTY))
        if self._touch_empty is None:
            self._touch_empty = plain
        # A hand that was there at the start would be taken for the empty plate: the least value ever is the truth.
        self._touch_empty = min(plain, self._touch_empty + (plain - self._touch_empty) * 0.001)
        return plain - self._touch_empty >= TOUCH


def _scan(rows: Any) -> list[int] | None:
    """The rows as one list, or None when they are not what they should be."""
    if not isinstance(rows, list) or len(rows) != GEOMETRY.height:
        return None
    scan: list[int] = []
    for row in rows:
        if not isinstance(row, list) or len(row) != GEOMETRY.width:
            return None
        if not all(isinstance(value, int) and not isinstance(value, bool) for value in row):
            return None
        scan += row
    return scan
