"""qsb, the open line protocol for sensor boards: the host's side. ``docs/qsb.md`` is its specification.

Lines of printable ASCII, each sealed with a CRC-16. What the board says of its own accord carries a sequence number:
after a gap nothing is believed until the next full snapshot, which the host asks for at once. A reading is therefore
never built on a line that was lost, damaged, repeated or late.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from protocols.sensor.codecs.leds import LedRenderer, check_leds
from protocols.sensor.codecs.qsb_wire import (
    INPUT,
    MAX_ID,
    MAX_LINE,
    SEQUENCES,
    VERSION,
    Malformed,
    fields_of,
    number,
    parse_hello,
    seal,
    state_hash,
    unseal,
)
from protocols.sensor.codecs.timebase import DeviceClock
from protocols.sensor.reading import (
    ALPHABET,
    OFF,
    Battery,
    Button,
    Change,
    Event,
    Hello,
    Lever,
    Note,
    Raw,
    Reading,
    Still,
)

HELLO_EVERY = 0.5
"""Seconds between two questions who is there."""

ANSWER = 1.0
"""Seconds a board has to acknowledge a command; then it is sent again."""

BUSY_WAIT = 0.1
"""Seconds to wait after "busy"."""

TRIES = 4
"""Times a command is sent before it is given up."""

QUIET = 2.5
"""Seconds of silence after which the board is asked whether it is there (it should speak every 2 s)."""

SILENCE = 5.0
"""Seconds of silence after which the board is taken for gone."""

ERROR_AGAIN = 60.0
"""Seconds after which the same complaint of a board is shown once more."""

_CHANGE = re.compile(r"(\d{1,4})([^\d\s])")


@dataclass
class _Request:
    """A command on its way."""

    number: int
    body: str
    """The line without its number: type, then arguments after a blank."""
    sent: float = -math.inf
    tries: int = 0
    not_before: float = -math.inf
    leds: str | None = None
    """For a led command: what the leds show once it is acknowledged."""

    @property
    def line(self) -> str:
        kind, _, rest = self.body.partition(" ")
        return f"{kind} {self.number} {rest}".rstrip()


class QsbCodec:
    """The host's side of qsb (see ``reading.Codec``).

    ``lenient`` accepts lines without a CRC, for tests by hand in a terminal.
    """

    name = "qsb"
    tick = 0.1

    def __init__(self, *, lenient: bool = False) -> None:
        self._lenient = lenient
        self._wish: str | None = None
        self._settings: str | None = None
        self._next_id = 0
        self._handlers: dict[str, Callable[[list[str], str, float], list[Event]]] = {
            "H": self._on_hello,
            "S": self._on_snapshot,
            "D": self._on_delta,
            "B": self._on_button,
            "P": self._on_heartbeat,
            "R": self._on_raw,
            "E": self._on_error,
            "K": self._on_answer,
            "N": self._on_answer,
        }
        self.restart(0.0)

    def restart(self, now: float, silent: bool = False) -> None:
        """A new connection: everything about the line and the board's state is unknown.

        ``silent``: nothing is sent before a sealed line has been heard.
        """
        self._silent = silent
        self._buffer = bytearray()
        self._skipping = False
        self._hello: Hello | None = None
        self._input = INPUT
        self._refusal = ""
        self._points: str | None = None
        self._synced = False
        self._complete = False
        self._seq: int | None = None
        self._last_line = ""
        self._odd: int | None = None
        self._clock = DeviceClock()
        self._hand: bool | None = None
        self._heard: float | None = None
        self._started = now
        self._asked = -math.inf
        self._want_hello = True
        self._want_snapshot = False
        self._request: _Request | None = None
        self._commands: list[str] = []
        self._renderer: LedRenderer | None = None
        self._shown: str | None = None
        self._said: set[str] = set()
        self._errors: dict[str, float] = {}
        self._whole_frames = True
        self.bad_lines = 0
        """Damaged lines since the restart."""

    # --- what the connection sees

    @property
    def hello(self) -> Hello | None:
        return self._hello

    @property
    def refusal(self) -> str:
        return self._refusal

    def alive(self, now: float) -> bool:
        """Whether something understandable has been heard lately."""
        return now - (self._started if self._heard is None else self._heard) < SILENCE

    def show(self, leds: str) -> None:
        """Wish for leds. Raises ValueError for what is no text of leds, or does not fit the board."""
        check_leds(leds, self._hello.geometry if self._hello else None)
        self._wish = leds
        if self._renderer is not None:
            self._renderer.wish(leds)

    def beep(self, times: int = 1) -> None:
        if self._hello is not None and self._hello.beeper:
            self._commands.append(f"T beep {max(1, min(times, 9))}")

    def configure(self, settle_ms: int | None = None, scan_ms: int | None = None) -> None:
        """Set how long a point must be the same, and how often points are read. Kept, and sent again to a board that
        has restarted.
        """
        words = [f"{key}={value}" for key, value in (("settle", settle_ms), ("scan", scan_ms)) if value is not None]
        self._settings = "C " + " ".join(words)
        self._commands.append(self._settings)

    def zero(self) -> None:
        """Tell the board that it is empty now (calibration)."""
        self._commands.append("Z")

    def raw(self, on: bool) -> None:
        """Ask for the analogue values of every row, or no more."""
        self._commands.append(f"G {'on' if on else 'off'}")

    # --- outgoing

    def outgoing(self, now: float) -> bytes:
        """The command to send now: one at a time, sent again until it is acknowledged."""
        if self._silent and self._heard is None:
            return b""
        if self._heard is not None and now - self._heard > QUIET and not self._want_hello:
            self._want_hello = True
        if self._want_hello:
            # Questions who is there go out by the clock: the answer may need several, and a board that has restarted
            # knows nothing of an older request.
            if now - self._asked < HELLO_EVERY:
                return b""
            self._asked = now
            self._drop_request()
            return seal(f"? {self._take_id()}")
        request = self._request
        if request is not None:
            if now < request.not_before or now - request.sent < ANSWER:
                return b""
            if request.tries >= TRIES:
                self._drop_request()
                request = None
        if request is None:
            request = self._next_request(now)
            if request is None:
                return b""
            self._request = request
        request.sent = now
        request.not_before = -math.inf
        request.tries += 1
        return seal(request.line)

    def wake(self, now: float) -> float:
        """When ``outgoing`` may have something by itself."""
        if self._silent and self._heard is None:
            return math.inf
        if self._want_hello:
            return self._asked + HELLO_EVERY
        times = [(self._heard or self._started) + QUIET]
        if self._request is not None:
            times.append(max(self._request.not_before, self._request.sent + ANSWER))
        elif self._want_snapshot or self._commands or self._wish_differs(now):
            times.append(now)
        elif self._renderer is not None:
            times.append(self._renderer.next_change(now))
        return min(times)

    def _take_id(self) -> int:
        self._next_id = self._next_id % MAX_ID + 1
        return self._next_id

    def _drop_request(self) -> None:
        """Give the outstanding command up; what it was for is still wanted and will be asked for anew."""
        if self._request is not None and self._request.leds is not None:
            self._shown = None  # it may or may not have been done
        self._request = None

    def _next_request(self, now: float) -> _Request | None:
        if self._want_snapshot:
            return _Request(self._take_id(), "S")
        if self._commands:
            return _Request(self._take_id(), self._commands.pop(0))
        if self._wish_differs(now):
            return self._led_request(now)
        return None

    def _wish_differs(self, now: float) -> bool:
        renderer = self._renderer
        if renderer is None or renderer.model == "none" or self._wish is None:
            return False
        return self._shown != renderer.frame(now)

    def _led_request(self, now: float) -> _Request:
        """The next step towards the leds wished for: clear, a whole frame, or as many as fit a line."""
        assert self._renderer is not None
        frame = self._renderer.frame(now)
        dark = OFF * len(frame)
        shown = self._shown
        # " 999" and "*HHHH\n" come to what is counted here.
        room = min(self._input, MAX_LINE) - len("L 999 set") - len("*HHHH\n")
        if shown is None or (frame == dark and shown != dark):
            return _Request(self._take_id(), "L clear", leds=dark)
        changed = [at for at, led in enumerate(frame) if led != shown[at]]
        if self._whole_frames and len(frame) + len(" 999 frame") <= room and len(changed) > 8:
            return _Request(self._take_id(), f"L frame {frame}", leds=frame)
        words, after = "", list(shown)
        for at in changed:
            word = f" {at}:{frame[at]}"
            if len(words) + len(word) > room:
                break
            words += word
            after[at] = frame[at]
        return _Request(self._take_id(), f"L set{words}", leds="".join(after))

    # --- incoming

    def feed(self, data: bytes, now: float) -> list[Event]:
        """Take bytes in any portions."""
        events: list[Event] = []
        self._buffer += data
        while (end := self._buffer.find(b"\n")) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            if not self._skipping:
                events += self._line(line, now)
            self._skipping = False
        if len(self._buffer) > MAX_LINE:
            self._buffer.clear()
            self._skipping = True
            self.bad_lines += 1
        return events

    def _line(self, line: bytes, now: float) -> list[Event]:
        text = unseal(line)
        if text is None and self._lenient and b"*" not in line:
            text = line.removesuffix(b"\r").decode("ascii", "replace")
        if text is None:
            if line.strip():
                self.bad_lines += 1
                if self._hello is not None:
                    return [Note(f"damaged line: {line[:80]!r}", now)]
            return []
        self._heard = now
        words = text.split(" ")
        handler = self._handlers.get(words[0])
        if handler is None:
            return [Note(f"unknown line: {text[:80]}", now)]
        if self._hello is None and words[0] not in "HEN":
            # Something qsb is there, but what it says means nothing before it has said what it is.
            return []
        if self._refusal:
            return []
        try:
            return handler(words[1:], text, now)
        except Malformed as error:
            self._lose_sync()
            return [Note(f"{error} in: {text[:80]}", now)]

    def _lose_sync(self) -> None:
        self._synced = False
        self._complete = False
        self._want_snapshot = True

    def _on_hello(self, words: list[str], text: str, now: float) -> list[Event]:
        hello, room = parse_hello(words, now)
        before, asked = self._hello, self._want_hello
        self._hello = hello
        self._input = room
        self._want_hello = False
        if hello.version != VERSION:
            self._refusal = f"it speaks version {hello.version} of qsb; this program knows version {VERSION}"
            return [Note(self._refusal, now, serious=True)]
        if hello.sensing not in ALPHABET:
            self._refusal = f"it senses {hello.sensing} only, from which no state can be told"
            return [Note(self._refusal, now, serious=True)]
        # A snapshot follows, with whatever number the board has come to.
        self._seq = self._odd = None
        self._lose_sync()
        # The settling time is what the command C has set: another one is no other board.
        if before is not None and replace(before, at=now, settle_ms=hello.settle_ms) == hello:
            if not (hello.boot or asked):
                # A hello nobody asked for, of a board that does not tell its restarts: it has restarted.
                self._drop_request()
                self._shown = None
                self._send_settings()
            return []
        self._clock.reset()
        self._hand = False if hello.hand else None
        self._points = None
        self._drop_request()
        self._shown = None
        self._renderer = LedRenderer(hello.geometry, hello.leds)
        if self._wish is not None and len(self._wish) == hello.geometry.count:
            self._renderer.wish(self._wish)
        elif self._wish is not None:
            self._wish = None  # it was for a board of another size
        self._send_settings()
        return [hello]

    def _send_settings(self) -> None:
        if self._settings is not None and self._settings not in self._commands:
            self._commands.append(self._settings)

    def _sequence(self, text: str, word: str) -> str:
        """How a line's number follows the last one: "next", "again" (the same line twice), "gap" or "odd" (an old
        line, or a board that has restarted unheard).
        """
        found = number(word, 0, SEQUENCES - 1, "sequence number")
        if self._seq is None:
            verdict = "next"
        else:
            step = (found - self._seq) % SEQUENCES
            if step == 0 and text == self._last_line:
                return "again"
            if step == 1:
                verdict = "next"
            elif 1 < step < SEQUENCES // 2:
                verdict = "gap"
            elif self._odd is not None and (found - self._odd) % SEQUENCES == 1:
                verdict = "gap"  # two odd ones in a row are the board's new counting
            else:
                self._odd = found
                return "odd"
        self._odd = None
        self._seq = found
        self._last_line = text
        return verdict

    def _follow(self, text: str, words: list[str], least: int, now: float) -> tuple[str, int]:
        """The verdict on a numbered line's place, and its time stamp. Asks the board again where that is needed."""
        if len(words) < least:
            raise Malformed("too few fields")
        stamp = number(words[1], 0, (1 << 32) - 1, "time")
        verdict = self._sequence(text, words[0])
        if verdict == "gap":
            self._lose_sync()
        elif verdict == "odd":
            self._lose_sync()
            self._want_hello = True
        return verdict, stamp

    def _on_snapshot(self, words: list[str], text: str, now: float) -> list[Event]:
        assert self._hello is not None
        if len(words) != 3 or len(words[2]) != self._hello.geometry.count:
            raise Malformed("not a snapshot of this board")
        points = words[2]
        if not ALPHABET[self._hello.sensing].issuperset(points):
            raise Malformed("unknown point value")
        verdict, stamp = self._follow(text, words, 3, now)
        if verdict in ("again", "odd"):
            return []
        at = self._clock.host_time(stamp, now)
        before, complete = self._points, self._complete
        self._points, self._synced, self._complete, self._want_snapshot = points, True, True, False
        if points == before and complete:
            return [Still(at)]
        changes: tuple[Change, ...] = ()
        if before is not None:
            changes = tuple(
                Change(point, old, new, at)
                for point, (old, new) in enumerate(zip(before, points, strict=True))
                if old != new
            )
        return [Reading(points, at, now, changes, complete, self._hand, self._seq, stamp)]

    def _on_delta(self, words: list[str], text: str, now: float) -> list[Event]:
        assert self._hello is not None
        alphabet, count = ALPHABET[self._hello.sensing], self._hello.geometry.count
        pairs: list[tuple[int, str]] = []
        for word in words[2:]:
            match = _CHANGE.fullmatch(word)
            if match is None or int(match[1]) >= count or match[2] not in alphabet:
                raise Malformed(f"bad change {word!r}")
            pairs.append((int(match[1]), match[2]))
        verdict, stamp = self._follow(text, words, 3, now)
        if verdict != "next" or not self._synced or self._points is None:
            return []
        at = self._clock.host_time(stamp, now)
        points = list(self._points)
        changes = []
        for point, value in pairs:
            if points[point] != value:
                changes.append(Change(point, points[point], value, at))
                points[point] = value
        if not changes:
            return [Still(at)]
        self._points = "".join(points)
        return [Reading(self._points, at, now, tuple(changes), True, self._hand, self._seq, stamp)]

    def _on_button(self, words: list[str], text: str, now: float) -> list[Event]:
        verdict, stamp = self._follow(text, words, 4, now)
        if verdict in ("again", "odd"):
            return []
        at = self._clock.host_time(stamp, now)
        assert self._hello is not None
        name, value = words[2], words[3]
        if name == "lever":
            if value not in ("near", "far"):
                raise Malformed(f"bad side {value!r}")
            return [Lever(value, at)] if self._hello.lever else []  # type: ignore[arg-type]
        if name == "hand":
            if value not in ("on", "off"):
                raise Malformed(f"bad hand {value!r}")
            return self._set_hand(value == "on", at, now, stamp) if self._hello.hand else []
        if value not in ("down", "up"):
            raise Malformed(f"bad button state {value!r}")
        return [Button(name, value == "down", at)]

    def _set_hand(self, hand: bool, at: float, now: float, stamp: int) -> list[Event]:
        if hand == self._hand:
            return []
        self._hand = hand
        if not self._synced or self._points is None:
            return []
        return [Reading(self._points, at, now, (), True, hand, self._seq, stamp)]

    def _on_heartbeat(self, words: list[str], text: str, now: float) -> list[Event]:
        assert self._hello is not None
        verdict, stamp = self._follow(text, words, 2, now)
        if verdict in ("again", "odd"):
            return []
        at = self._clock.host_time(stamp, now)
        table = fields_of(words[2:])
        if table.get("boot", self._hello.boot) != self._hello.boot or table.get("uid", self._hello.uid) != (
            self._hello.uid
        ):
            self._lose_sync()
            self._want_hello = True
            return []
        events: list[Event] = []
        if "hand" in table and self._hello.hand:
            events += self._set_hand(table["hand"] != "0", at, now, stamp)
        if "h" in table and self._synced and self._points is not None:
            if table["h"] == state_hash(self._points):
                events.append(Still(at))
            else:
                self._lose_sync()
                events.append(Note("the board's state is not what its lines said; asking for it again", now))
        if table.get("bat", "").isdecimal():
            charging = table["chg"] != "0" if "chg" in table else None
            events.append(Battery(min(100, int(table["bat"])), at, charging))
        return events

    def _on_raw(self, words: list[str], text: str, now: float) -> list[Event]:
        assert self._hello is not None
        if not words:
            raise Malformed("no row")
        row = number(words[0], 0, self._hello.geometry.height - 1, "row")
        values = tuple(number(word, 0, 65535, "value") for word in words[1:])
        if len(values) != self._hello.geometry.width:
            raise Malformed("not a row of this board")
        return [Raw(row, values, now)]

    def _on_error(self, words: list[str], text: str, now: float) -> list[Event]:
        last = self._errors.get(text)
        if last is not None and now - last < ERROR_AGAIN:
            return []
        if len(self._errors) >= 100:
            self._errors.clear()
        self._errors[text] = now
        return [Note("the board says: " + " ".join(words), now, serious=True)]

    def _on_answer(self, words: list[str], text: str, now: float) -> list[Event]:
        request = self._request
        if request is None or not words or words[0] != str(request.number):
            return []  # an answer to something given up, or to "?"
        if text[0] == "K":
            self._request = None
            if request.leds is not None:
                self._shown = request.leds
            elif request.body == "S" and not self._synced:
                self._want_snapshot = True  # acknowledged, and the snapshot itself was damaged on its way
            return []
        reason = " ".join(words[1:])
        if reason.startswith("busy"):
            request.not_before = now + BUSY_WAIT
            request.sent = -math.inf
            request.tries = 0
            return []
        self._request = None
        if request.body.startswith("L frame") and self._whole_frames:
            self._whole_frames = False  # then in pieces; nothing has changed by what was refused
            return []
        if request.leds is not None:
            self._wish = None  # not to be asked for over and over
        elif request.body == "S":
            request.not_before = now + ANSWER
            self._request = request
        if request.body in self._said:
            return []
        self._said.add(request.body)
        return [Note(f"the board refuses '{request.body[:40]}': {reason}", now)]
