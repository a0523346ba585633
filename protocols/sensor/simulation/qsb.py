"""A simulated board that speaks qsb (``docs/qsb.md``), with the faults real ones have."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from protocols.sensor.codecs.leds import led_count
from protocols.sensor.codecs.qsb_wire import BAUD, MAX_ID, MAX_LINE, SEQUENCES, seal, state_hash, unseal
from protocols.sensor.reading import EMPTY, FIRST, LEDS, OFF, SECOND, LedModel
from protocols.sensor.simulation.sensors import Sensors

HEARTBEAT = 1.5
"""Seconds between two heartbeats."""

SOON = 0.15
"""Seconds after a change at which a heartbeat confirms the state."""

RAW = {EMPTY: 512, FIRST: 812, SECOND: 212}
"""Values of a point in R lines."""


@dataclass
class QsbSettings:
    """What the simulated board is like."""

    name: str = "simulated"
    uid: str = "51AB0001"
    leds: LedModel = "point"
    rgb: bool = True
    buttons: tuple[str, ...] = ("pass", "undo", "resign")
    lever: bool = True
    battery: bool = True
    hand: bool = False
    input: int = 64
    """Bytes of a command it can take."""
    boot_s: float = 0.0
    """Seconds from a reset to the first line."""
    snapshot_every: float = 0.0
    """Seconds between two unasked snapshots; 0 for deltas and heartbeats."""
    version: int = 1
    analogue: bool = False
    """Whether it has raw values to tell."""


class QsbDevice:
    """The board's side of qsb (see ``device.Device``).

    Faults to be switched on by a test: ``mute_until`` (silence), ``skip`` and ``repeat`` (sequence numbers),
    ``stale_snapshots``, ``drop_answers`` (how many acknowledgements to swallow), ``busy`` (how many commands to refuse
    for the moment).
    """

    def __init__(self, sensors: Sensors, settings: QsbSettings | None = None, *, seed: int = 0) -> None:
        self.sensors = sensors
        self.settings = settings or QsbSettings()
        self.leds = ""
        self.beeps = 0
        self.commands: list[str] = []
        """Commands understood, for tests."""
        self.bad = 0
        self.mute_until = 0.0
        self.drop_answers = 0
        self.busy = 0
        self._random = random.Random(seed)
        self._hand = False
        self._ms_base = 0.0
        self.reset(0.0)

    def reset(self, now: float) -> None:
        """Lose everything but what lies on the board; the boot number changes."""
        self.sensors.advance(now)
        self.sensors.restart()
        self.leds = OFF * led_count(self.sensors.geometry, self.settings.leds)
        self._out = bytearray()
        self._in = bytearray()
        self._boot = f"{self._random.randrange(1 << 16):04X}"
        self._seq = self._random.randrange(SEQUENCES)
        self._ms_base = now - self._random.randrange(1 << 20) / 1000
        self._last_line = ""
        self._last_answer = ""
        self._raw_at = math.inf
        self.mute_until = max(self.mute_until, now + self.settings.boot_s)
        self._scan = 20
        self._hello_due = True
        self._beat_at = now
        self._snapshot_at = now

    def connected(self, now: float) -> None:
        """Nothing changes: the board does not notice."""

    # --- the hand

    def put(self, point: int, thing: str, now: float) -> None:
        self._catch_up(now)
        self.sensors.put(point, thing, now)

    def press(self, name: str, now: float) -> None:
        self._catch_up(now)
        if name.startswith("lever-"):
            self._say(f"B {self._next()} {self._ms(now)} lever {name.removeprefix('lever-')}")
            return
        self._say(f"B {self._next()} {self._ms(now)} {name} down")
        self._say(f"B {self._next()} {self._ms(now + 0.08)} {name} up")

    def set_hand(self, present: bool, now: float) -> None:
        self._catch_up(now)
        if self.settings.hand and present != self._hand:
            self._say(f"B {self._next()} {self._ms(now)} hand {'on' if present else 'off'}")
        self._hand = present

    # --- faults

    def skip(self, numbers: int = 1) -> None:
        """The sequence number jumps (what was between is lost)."""
        self._seq = (self._seq + numbers) % SEQUENCES

    def repeat(self) -> None:
        """The next line has the last one's number."""
        self._seq = (self._seq - 1) % SEQUENCES

    def lose_change(self, point: int, thing: str, now: float) -> None:
        """Something changes and no delta says so: only heartbeats can tell."""
        self._catch_up(now)
        self.sensors.put(point, thing, now)
        self.sensors.advance(now + self.sensors.settle)

    # --- the wire

    def feed(self, data: bytes, now: float) -> None:
        self._in += data
        while (end := self._in.find(b"\n")) >= 0:
            line = bytes(self._in[:end])
            del self._in[: end + 1]
            text = unseal(line)
            # A small controller's buffer: what is too long is lost.
            if text is None or len(line) >= self.settings.input:
                self.bad += 1
            elif now >= self.mute_until:
                self._catch_up(now)
                self._command(text, now)
        if len(self._in) > MAX_LINE:
            self._in.clear()

    def outgoing(self, now: float) -> bytes:
        if now < self.mute_until:
            self._out.clear()
            return b""
        self._catch_up(now)
        if now >= self._beat_at:
            self._heartbeat(now)
        if now >= self._raw_at:
            self._say_raw(now)
        if self.settings.snapshot_every and now >= self._snapshot_at:
            self._snapshot_at = now + self.settings.snapshot_every
            self._snapshot(now)
        data = bytes(self._out)
        self._out.clear()
        return data

    def wake(self, now: float) -> float:
        if self._out and now >= self.mute_until:
            return now
        times = [self.sensors.next_time(), self._beat_at, self._raw_at]
        if self.settings.snapshot_every:
            times.append(self._snapshot_at)
        return max(min(times), self.mute_until)

    def _catch_up(self, now: float) -> None:
        """Bring the sensors up to the time and say what they report."""
        if now < self.mute_until:
            self.sensors.advance(now)
            return
        if self._hello_due:
            self._hello_due = False
            self.sensors.advance(now)
            self._hello(now)
        by_time: dict[float, list[str]] = {}
        for since, point, value in self.sensors.advance(now):
            by_time.setdefault(since, []).append(f"{point}{value}")
        for since, changes in by_time.items():
            for start in range(0, len(changes), 60):
                words = " ".join(changes[start : start + 60])
                self._say(f"D {self._next()} {self._ms(since)} {words}")
            self._beat_at = min(self._beat_at, now + SOON)

    def _say(self, text: str) -> None:
        self._out += seal(text)

    def _next(self) -> int:
        self._seq = (self._seq + 1) % SEQUENCES
        return self._seq

    def _ms(self, at: float) -> int:
        return int((at - self._ms_base) * 1000) % (1 << 32)

    def _hello(self, now: float) -> None:
        settings, geometry = self.settings, self.sensors.geometry
        led = settings.leds + (":rgb" if settings.rgb and settings.leds != "none" else "")
        self._say(
            f"H v={settings.version} fw=0.1 name={settings.name} uid={settings.uid} boot={self._boot} geo={geometry} "
            f"kind={self.sensors.sensing} led={led} in={settings.input} btn={','.join(settings.buttons) or 0} "
            f"lever={int(settings.lever)} bat={int(settings.battery)} hand={int(settings.hand)} beep=1 "
            f"scan={self._scan} settle={round(self.sensors.settle * 1000)}"
        )
        self._snapshot(now)

    def _snapshot(self, now: float) -> None:
        self._say(f"S {self._next()} {self._ms(now)} {''.join(self.sensors.points)}")

    def _heartbeat(self, now: float) -> None:
        self._beat_at = now + HEARTBEAT
        words = f"uid={self.settings.uid} boot={self._boot} h={state_hash(''.join(self.sensors.points))} bad={self.bad}"
        if self.settings.battery:
            words += " bat=87 chg=0"
        if self.settings.hand:
            words += f" hand={int(self._hand)}"
        self._say(f"P {self._next()} {self._ms(now)} {words}")

    # --- commands

    def _command(self, text: str, now: float) -> None:
        words = text.split(" ")
        kind, number, arguments = words[0], words[1] if len(words) > 1 else "", words[2:]
        if not number.isdecimal() or not 1 <= int(number) <= MAX_ID:
            self.bad += 1
            return
        if text == self._last_line and kind not in "?S":
            self._say(self._last_answer)  # said again: it was done already
            return
        if self.busy > 0:
            self.busy -= 1
            self._say(f"N {number} busy")
            return
        self.commands.append(text)
        refusal = self._do(kind, arguments, now)
        answer = f"N {number} {refusal}" if refusal else f"K {number}"
        self._last_line, self._last_answer = text, answer
        if self.drop_answers > 0:
            self.drop_answers -= 1
            return
        self._say(answer)

    def _do(self, kind: str, arguments: list[str], now: float) -> str:
        """Do a command; gives why not, or nothing."""
        if kind == "?":
            self._hello(now)
        elif kind == "S":
            self._snapshot(now)
        elif kind == "L":
            return self._light(arguments)
        elif kind == "T":
            if len(arguments) != 2 or arguments[0] != "beep" or arguments[1] not in set("123456789"):
                return "range" if arguments[:1] == ["beep"] else "unknown"
            self.beeps += int(arguments[1])
        elif kind == "C":
            return self._configure(arguments)
        elif kind == "Z":
            self.sensors.restart()
        elif kind == "G" and self.settings.analogue and arguments in (["on"], ["off"]):
            self._raw_at = now if arguments == ["on"] else math.inf
        elif kind == "O":
            self.leds = OFF * len(self.leds)
            self._raw_at = math.inf
        else:
            return "unknown"
        return ""

    def _configure(self, arguments: list[str]) -> str:
        """``C``: all of it or nothing."""
        table = dict(word.partition("=")[::2] for word in arguments)
        for key, least, most in (("settle", 20, 1000), ("scan", 5, 200)):
            value = table.get(key, str(least))
            if not value.isdecimal() or not least <= int(value) <= most:
                return "range"
        if "settle" in table:
            self.sensors.settle = int(table["settle"]) / 1000
        self._scan = int(table.get("scan", self._scan))
        return ""

    def _say_raw(self, now: float) -> None:
        """A scan's raw values. No more of them than fill half of a line of 115200 baud."""
        geometry = self.sensors.geometry
        before = len(self._out)
        for row in range(geometry.height):
            shown = self.sensors.raw[row * geometry.width : (row + 1) * geometry.width]
            self._say(f"R {row} " + " ".join(str(RAW.get(value, 712)) for value in shown))
        self._raw_at = now + (len(self._out) - before) * 10 / BAUD * 2

    def _light(self, arguments: list[str]) -> str:
        if arguments == ["clear"]:
            self.leds = OFF * len(self.leds)
            return ""
        if len(arguments) == 2 and arguments[0] == "frame":
            if len(arguments[1]) != len(self.leds) or not LEDS.issuperset(arguments[1]):
                return "range"
            self.leds = arguments[1]
            return ""
        if not arguments or arguments[0] != "set":
            return "unknown"
        leds = list(self.leds)
        for word in arguments[1:]:
            at, colon, led = word.partition(":")
            if not colon or not at.isdecimal() or int(at) >= len(leds) or led not in LEDS:
                return "range"
            leds[int(at)] = led
        self.leds = "".join(leds)
        return ""
