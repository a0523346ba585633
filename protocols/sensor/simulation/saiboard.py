"""A simulated Saiboard: raw values of 361 hall sensors and a touch plate, over its JSON protocol."""

from __future__ import annotations

import json
import random

from protocols.sensor.codecs.saiboard import GEOMETRY
from protocols.sensor.reading import EMPTY, FIRST, OFF, SECOND
from protocols.sensor.simulation.sensors import Sensors

STRENGTH = 150
"""Converter steps a stone moves its point's value; white up, black down."""

WEAK_STRENGTH = 55
"""The same of a weak magnet."""

SCAN_S = 0.025
"""Seconds a scan takes."""


class SaiboardDevice:
    """The board's side of Saiboard's protocol (see ``device.Device``).

    ``noise`` is how many steps a value may be off, ``neighbour`` the share of a stone's strength that the points beside
    it see.
    """

    def __init__(self, sensors: Sensors, *, noise: int = 8, neighbour: float = 0.05, seed: int = 0) -> None:
        self.sensors = sensors
        self.leds = OFF * GEOMETRY.count
        self.garbage_answers = 0
        """How many answers to spoil."""
        self.silent = False
        self._random = random.Random(seed)
        self._noise = noise
        self._neighbour = neighbour
        self._empty = [1900 + self._random.randint(-150, 150) for _ in range(GEOMETRY.count)]
        self._hand = False
        self.reset(0.0)

    def reset(self, now: float) -> None:
        self._in = bytearray()
        self._out = bytearray()
        self._ready_at = now
        self.leds = OFF * GEOMETRY.count

    def connected(self, now: float) -> None:
        self._in.clear()
        self._out.clear()

    def put(self, point: int, thing: str, now: float) -> None:
        self.sensors.advance(now)
        self.sensors.put(point, thing, now)

    def press(self, name: str, now: float) -> None:
        """There are no keys."""

    def set_hand(self, present: bool, now: float) -> None:
        self._hand = present

    def feed(self, data: bytes, now: float) -> None:
        self._in += data
        # As the firmware: what ends in a brace is one question.
        if self._in.endswith(b"}"):
            question, self._in = bytes(self._in), bytearray()
            self.sensors.advance(now)
            self._out += self._answer(question)
            self._ready_at = now + SCAN_S

    def outgoing(self, now: float) -> bytes:
        self.sensors.advance(now)
        if now < self._ready_at or self.silent:
            return b""
        data = bytes(self._out)
        self._out.clear()
        return data

    def wake(self, now: float) -> float:
        return self._ready_at if self._out and not self.silent else self.sensors.next_time()

    def _answer(self, question: bytes) -> bytes:
        try:
            asked = json.loads(question)
        except ValueError:
            asked = {}
        if asked.get("name") == "led":
            self._light(asked.get("leds", []))
            answer = json.dumps({"status": "OK"})
        else:
            answer = json.dumps({"hall": self._hall(), "touch": self._touch()}, separators=(",", ":"))
        if self.garbage_answers > 0:
            self.garbage_answers -= 1
            answer = answer[: len(answer) // 2]
        return answer.encode("ascii") + b"\0"

    def _hall(self) -> list[list[int]]:
        values = [value + self._random.randint(-self._noise, self._noise) for value in self._empty]
        width = GEOMETRY.width
        for point, thing in enumerate(self.sensors.raw):
            if thing == EMPTY:
                continue
            strength = WEAK_STRENGTH if point in self.sensors.noise.weak else STRENGTH
            pull = -strength if thing == FIRST else strength if thing == SECOND else 0
            values[point] += pull
            column = GEOMETRY.column(point)
            for beside in (point - width, point + width, point - 1 if column else -1, point + 1):
                if 0 <= beside < len(values) and (beside != point + 1 or column < width - 1):
                    values[beside] += round(pull * self._neighbour)
        return [values[start : start + width] for start in range(0, len(values), width)]

    def _touch(self) -> int:
        stones = sum(thing != EMPTY for thing in self.sensors.raw)
        return 20000 + 20 * stones + (5000 if self._hand else 0) + self._random.randint(-50, 50)

    def _light(self, commands: list[list[int]]) -> None:
        leds = list(self.leds)
        for row, column, *rgbw in commands:
            leds[GEOMETRY.index(column, row)] = "W" if any(rgbw) else OFF
        self.leds = "".join(leds)
