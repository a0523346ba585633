"""``qiqiao ports --conform``: a board's firmware against ``docs/qsb.md``, a verdict for each requirement."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from engines.errors import QiqiaoError
from protocols.sensor.codecs.leds import led_count
from protocols.sensor.codecs.qsb import SILENCE
from protocols.sensor.codecs.qsb_wire import (
    INPUT,
    MAX_LINE,
    SEQUENCES,
    VERSION,
    Malformed,
    fields_of,
    parse_hello,
    seal,
    state_hash,
    unseal,
)
from protocols.sensor.links.link import Link
from protocols.sensor.reading import ALPHABET, Hello

ANSWER = 1.0
"""Seconds a board has for its answer."""

BEAT = 2.0
"""Seconds between two heartbeats at most."""

GRACE = 0.3
"""Seconds that the line and this machine may add to a wait."""

DRIFT = 0.25
"""Seconds by which the board's time may differ from ours over a run of some 10 s."""


class Talk(Protocol):
    """A line with a board at its end, and a clock."""

    def now(self) -> float: ...

    def write(self, data: bytes) -> None: ...

    def read(self, until: float) -> bytes:
        """What has come by now; waits for it until that time at most."""

    def rest(self, seconds: float) -> None:
        """Let time pass without reading."""


class LinkTalk:
    """A talk over a real line."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def now(self) -> float:
        return time.monotonic()

    def write(self, data: bytes) -> None:
        self._link.write(data)

    def read(self, until: float) -> bytes:
        while not (data := self._link.read()) and self.now() < until:
            pass
        return data

    def rest(self, seconds: float) -> None:
        time.sleep(seconds)


@dataclass(frozen=True)
class Verdict:
    """What came of one requirement."""

    name: str
    passed: bool | None
    """None: it cannot be tried on this board."""
    text: str = ""
    """What was seen."""

    def __str__(self) -> str:
        word = "skip" if self.passed is None else "pass" if self.passed else "FAIL"
        return f"{word}  {self.name}" + (f": {self.text}" if self.text else "")


class Failed(QiqiaoError):
    """The requirement is not met; the text says what was seen."""


class Skipped(QiqiaoError):
    """The requirement cannot be tried."""


class Conformance:
    """Tries a board. The requirements are the methods in ``REQUIREMENTS``, in order; what all lines must be (checks,
    numbers, times) is looked at throughout and told at the end.
    """

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._buffer = bytearray()
        self._id = 0
        self._hello: Hello | None = None
        self._hello_text = ""
        self._input = INPUT
        self._half = False
        self._seq: int | None = None
        self._state: str | None = None
        self._first: tuple[float, int] | None = None
        self._last: tuple[float, int] | None = None
        self._wrong: dict[str, str] = {}
        """Of what holds throughout: name, what was seen first."""

    def run(self) -> Iterator[Verdict]:
        """The verdicts, as they are reached."""
        self._skip()
        self._talk.write(b"\n")
        for name, method in REQUIREMENTS:
            try:
                text = method(self) or ""
                verdict = Verdict(name, True, text)
            except Failed as error:
                verdict = Verdict(name, False, str(error))
            except Skipped as error:
                verdict = Verdict(name, None, str(error))
            yield verdict
            if self._hello is None:
                return
        for name in ("every line is whole", "numbers rise by one", "states agree"):
            yield Verdict(name, name not in self._wrong, self._wrong.get(name, ""))
        yield self._time_verdict()

    # --- lines

    def _skip(self) -> None:
        """Drop what has come: the first bytes on an opened line, what was not read in time. It is not judged."""
        end = self._talk.now() + 0.5
        while self._talk.now() < end:
            self._talk.read(end)
        self._buffer.clear()
        self._half = True
        self._seq = self._state = None

    def _lines(self, seconds: float) -> Iterator[str]:
        """What the board says in the coming seconds."""
        end = self._talk.now() + seconds
        while True:
            while (at := self._buffer.find(b"\n")) >= 0:
                line = bytes(self._buffer[:at])
                del self._buffer[: at + 1]
                text = unseal(line)
                half, self._half = self._half, False
                if text is None and half:
                    continue  # its beginning was dropped
                if text is None or len(line) >= MAX_LINE:
                    self._wrong.setdefault("every line is whole", f"{line[:60]!r}")
                else:
                    self._look(text)
                    yield text
            if self._talk.now() >= end:
                return
            self._buffer += self._talk.read(end)

    def _look(self, text: str) -> None:
        """What holds for all lines."""
        words = text.split(" ")
        if words[0] == "H":
            self._seq = None
        if words[0] not in "SDBP" or len(words) < 3 or not (words[1].isdecimal() and words[2].isdecimal()):
            if words[0] in ("S", "D", "B", "P"):
                self._wrong.setdefault("every line is whole", f"no number or time in {text[:60]!r}")
            return
        seq = int(words[1])
        if self._seq is not None and seq != (self._seq + 1) % SEQUENCES:
            self._wrong.setdefault("numbers rise by one", f"{seq} after {self._seq} in {text[:40]!r}")
        self._seq = seq
        if words[0] in "SP":
            self._last = (self._talk.now(), int(words[2]))
            self._first = self._first or self._last
        if words[0] == "S" and len(words) == 4:
            self._state = words[3]
        elif words[0] == "D" and self._state is not None:
            points = list(self._state)
            for word in words[3:]:
                if not word[:-1].isdecimal() or int(word[:-1]) >= len(points):
                    self._wrong.setdefault("every line is whole", f"no change: {word!r}")
                else:
                    points[int(word[:-1])] = word[-1]
            self._state = "".join(points)
        elif words[0] == "P" and self._state is not None:
            told = fields_of(words[3:]).get("h")
            if told is not None and told != state_hash(self._state):
                self._wrong.setdefault("states agree", f"h={told} where S and D lines make {state_hash(self._state)}")

    def _time_verdict(self) -> Verdict:
        name = "time runs in milliseconds"
        if self._first is None or self._last is None or self._last[0] - self._first[0] < 1:
            return Verdict(name, None, "too few lines")
        ours = self._last[0] - self._first[0]
        its = (self._last[1] - self._first[1]) % (1 << 32) / 1000
        return Verdict(name, abs(ours - its) <= DRIFT + 0.02 * ours, f"{its:.2f} s on the board in {ours:.2f} s")

    def _number(self) -> int:
        self._id = self._id % 999 + 1
        return self._id

    def _ask(self, body: str, number: int | None = None, raw: bytes | None = None) -> list[str]:
        """Send a command; gives what was said up to and with its answer. ``busy`` is waited for. Raises Failed."""
        number = number or self._number()
        kind, _, rest = body.partition(" ")
        line = raw or seal(f"{kind} {number} {rest}".rstrip())
        for _ in range(30):
            self._talk.write(line)
            said = []
            for text in self._lines(ANSWER + GRACE):
                said.append(text)
                words = text.split(" ")
                if words[0] in "KN" and words[1:2] == [str(number)]:
                    break
            else:
                raise Failed(f"no answer to '{body[:40]}' within {ANSWER:g} s")
            if words[0] == "K" or words[2:3] != ["busy"]:
                return said
            for _ in self._lines(0.1):
                pass
        raise Failed(f"'{body[:40]}' is answered busy again and again")

    def _expect(self, body: str, answer: str) -> None:
        """A command must be answered so: ``K`` or ``N reason``."""
        said = self._ask(body)[-1].split(" ")
        found = " ".join([said[0], *said[2:]])
        if found != answer:
            raise Failed(f"'{body[:40]}' is answered {found}, not {answer}")

    def _expect_order(self, said: list[str], kinds: str, body: str) -> None:
        found = "".join(text[0] for text in said if text[0] in "HSKN")
        if not found.endswith(kinds):
            raise Failed(f"'{body}' is answered with {' '.join(found) or 'nothing'}, not {' '.join(kinds)}")

    # --- requirements

    def _says_hello(self) -> str:
        said: list[str] = []
        for attempt in range(4):
            try:
                said = self._ask("?")
                break
            except Failed:
                if attempt == 3:
                    raise
        hellos = [text for text in said if text.startswith("H ")]
        if not hellos:
            raise Failed("no H line")
        try:
            hello, self._input = parse_hello(hellos[-1].split(" ")[1:], self._talk.now())
        except Malformed as error:
            raise Failed(str(error)) from None
        if hello.version != VERSION or hello.sensing not in ALPHABET:
            raise Failed(
                f"version {hello.version}, kind {hello.sensing}: this is for version {VERSION}, occ, pol or id"
            )
        self._hello, self._hello_text = hello, hellos[-1]
        self._expect_order(said, "HSK", "?")
        return f"{hello.name or 'a board'}, {hello.geometry}, {hello.sensing}"

    def _has_identity(self) -> None:
        assert self._hello is not None
        for key, value, most in (("uid", self._hello.uid, 16), ("boot", self._hello.boot, 8)):
            if not value or len(value) > most or not value.isalnum():
                raise Failed(f"{key}={value}: up to {most} letters and digits are wanted")

    def _sends_snapshot(self) -> None:
        assert self._hello is not None
        said = self._ask("S")
        self._expect_order(said, "SK", "S")
        points = [text for text in said if text.startswith("S ")][-1].split(" ")[-1]
        if len(points) != self._hello.geometry.count:
            raise Failed(f"{len(points)} points, not {self._hello.geometry.count}")
        if odd := set(points) - ALPHABET[self._hello.sensing]:
            raise Failed(f"{min(odd)!r} is no value of a board of kind {self._hello.sensing}")

    def _beats(self) -> None:
        assert self._hello is not None
        beats = [text for text in self._lines(2 * BEAT + GRACE) if text.startswith("P ")]
        if len(beats) < 2:
            raise Failed(f"{len(beats)} heartbeats in {2 * BEAT:g} s")
        table = fields_of(beats[-1].split(" ")[3:])
        for key, value in (("uid", self._hello.uid), ("boot", self._hello.boot)):
            if table.get(key) != value:
                raise Failed(f"{key}={table.get(key)}; the hello says {value}")
        for key in ("h", "bad"):
            if key not in table:
                raise Failed(f"{key} is missing")

    def _repeats_questions(self) -> None:
        for body, kinds in (("?", "HSK"), ("S", "SK")):
            number = self._number()
            for _ in range(2):
                self._expect_order(self._ask(body, number), kinds, f"{body} {number} once more")

    def _repeats_answers(self) -> None:
        for body in ("L clear", "Y what"):
            number = self._number()
            first = self._ask(body, number)[-1]
            again = self._ask(body, number)[-1]
            if first != again:
                raise Failed(f"'{body}' is answered {first}, and {again} when said again")

    def _refuses_unknown(self) -> None:
        self._expect("Y what", "N unknown")

    def _bad(self) -> int | None:
        for text in self._lines(BEAT + GRACE):
            if text.startswith("P ") and (bad := fields_of(text.split(" ")[3:]).get("bad", "")).isdecimal():
                return int(bad)
        return None

    def _ignores_damaged(self) -> None:
        before = self._bad()
        number = self._number()
        line = bytearray(seal(f"S {number}"))
        line[-2] ^= 1
        self._talk.write(bytes(line))
        for text in self._lines(0.5):
            if text.split(" ")[0] in "KN" and text.split(" ")[1:2] == [str(number)]:
                raise Failed(f"a command with a wrong check is answered: {text}")
        after = self._bad()
        if before is None or after is None or after <= before:
            raise Failed(f"bad={after} in the heartbeat, and {before} before the damaged line")

    def _survives_noise(self) -> None:
        self._talk.write(bytes(range(128, 256)) + b"\x00*S 1*\n")
        self._ask("S")

    def _takes_carriage_return(self) -> None:
        number = self._number()
        self._ask("S", number, raw=seal(f"S {number}").replace(b"\n", b"\r\n"))

    def _takes_long_lines(self) -> None:
        number = self._number()
        head = f"Y {number} "
        self._ask("Y", number, raw=seal(head + "x" * (self._input - len(head) - len("*HHHH\n"))))
        self._talk.write(b"x" * (3 * self._input) + b"\n")
        self._ask("S")

    def _need_leds(self) -> int:
        assert self._hello is not None
        count = led_count(self._hello.geometry, self._hello.leds)
        if not count:
            raise Skipped("no lamps")
        return count

    def _lights(self) -> None:
        count = self._need_leds()
        for body in ("L clear", f"L set 0:X {count - 1}:l", "L clear"):
            self._expect(body, "K")

    def _refuses_no_led(self) -> None:
        count = self._need_leds()
        self._expect(f"L set {count}:X", "N range")
        self._expect("L set 0:Q", "N range")

    def _takes_frames(self) -> None:
        count = self._need_leds()
        if len("L 999 frame *HHHH\n") + count + 1 > self._input:
            raise Skipped(f"in={self._input} is too short for them")
        self._expect("L frame " + "x" * count, "K")
        self._expect("L frame " + "." * (count - 1), "N range")
        self._expect("L frame " + "." * (count + 1), "N range")
        self._expect("L clear", "K")

    def _configures(self) -> None:
        assert self._hello is not None
        before = self._hello.settle_ms
        if not before:
            raise Skipped("the hello tells no settle")
        other = 80 if before != 80 else 60
        said = self._ask(f"C settle={other}")
        if said[-1][0] == "N":
            raise Skipped("C is refused")
        if any(text.startswith("H ") for text in said):
            raise Failed("an H line nobody asked for")
        hellos = [text for text in self._ask("?") if text.startswith("H ")]
        table = fields_of(hellos[-1].split(" ")[1:]) if hellos else {}
        self._ask(f"C settle={before}")
        if table.get("settle") != str(other):
            raise Failed(f"settle={table.get('settle')} in the hello after 'C settle={other}'")
        if table.get("boot") != self._hello.boot:
            raise Failed("another boot, without a reset")
        self._expect("C settle=999999", "N range")

    def _tells_raw(self) -> str:
        assert self._hello is not None
        geometry = self._hello.geometry
        said = self._ask("G on")
        if said[-1][0] == "N":
            raise Skipped("no raw values")
        rows = [text.split(" ") for text in said + list(self._lines(3.0)) if text.startswith("R ")]
        self._expect("G off", "K")
        if any(text.startswith("R ") for text in self._lines(1.0)):
            raise Failed("R lines after 'G off'")
        if len(rows) < geometry.height:
            raise Failed(f"{len(rows)} R lines in 3 s")
        for words in rows:
            if len(words) != geometry.width + 2 or not all(word.isdecimal() for word in words[1:]):
                raise Failed(f"not a row of this board: {' '.join(words)[:60]}")
        return f"{len(rows) / geometry.height / 3:.1f} scans a second"

    def _beeps(self) -> None:
        assert self._hello is not None
        if not self._hello.beeper:
            raise Skipped("no sounder")
        self._expect("T beep 1", "K")
        self._expect("T beep 99", "N range")

    def _goes_on_unread(self) -> None:
        before = self._talk.now()
        while self._talk.now() < before + SILENCE - 2:
            self._talk.rest(0.1)
        self._skip()
        self._ask("S")
        if self._last is None or self._last[0] < before:
            raise Failed("no snapshot afterwards")

    def _takes_leave(self) -> None:
        self._expect("O", "K")


REQUIREMENTS: tuple[tuple[str, Callable[[Conformance], str | None]], ...] = (
    ("? is answered with H, S, K", Conformance._says_hello),
    ("the hello has uid and boot", Conformance._has_identity),
    ("S is answered with S, K", Conformance._sends_snapshot),
    ("heartbeats every 2 s", Conformance._beats),
    ("? and S are done again", Conformance._repeats_questions),
    ("a command said again is answered alike", Conformance._repeats_answers),
    ("an unknown command is refused", Conformance._refuses_unknown),
    ("a damaged command is counted and not answered", Conformance._ignores_damaged),
    ("noise does no harm", Conformance._survives_noise),
    ("CR before LF is ignored", Conformance._takes_carriage_return),
    ("lines of in= bytes are taken, longer ones do no harm", Conformance._takes_long_lines),
    ("lamps are set and cleared", Conformance._lights),
    ("a lamp that is not there is refused", Conformance._refuses_no_led),
    ("L frame needs the right length", Conformance._takes_frames),
    ("C sets, and the next H tells", Conformance._configures),
    ("G tells whole rows, and ends", Conformance._tells_raw),
    ("T beeps", Conformance._beeps),
    ("it goes on while nobody reads", Conformance._goes_on_unread),
    ("O is answered", Conformance._takes_leave),
)
"""Name and method, in order; nothing else is tried where the first one fails."""


def conform(talk: Talk, write: Callable[[str], object]) -> int:
    """Try a board and write a line a requirement. Gives 0 when none has failed, else 1."""
    failed = 0
    for verdict in Conformance(talk).run():
        write(f"{verdict}\n")
        failed += verdict.passed is False
    write(f"{failed} requirements failed\n" if failed else "every requirement that could be tried is met\n")
    return 1 if failed else 0
