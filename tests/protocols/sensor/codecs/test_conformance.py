"""The conformance check: a good board meets everything, each fault is found by its requirement."""

import pytest

from protocols.sensor.codecs import conformance
from protocols.sensor.codecs.conformance import Conformance, conform
from protocols.sensor.codecs.qsb_wire import seal
from protocols.sensor.reading import Geometry
from protocols.sensor.simulation.qsb import QsbDevice, QsbSettings
from protocols.sensor.simulation.sensors import Sensors


class DeviceTalk:
    """A simulated board on a clock that runs as fast as it can."""

    def __init__(self, device):
        self.device = device
        self.clock = 10.0
        device.reset(self.clock)

    def now(self):
        return self.clock

    def write(self, data):
        self.device.feed(data, self.clock)

    def read(self, until):
        self.clock += 0.001
        while not (data := self.device.outgoing(self.clock)) and self.clock < until:
            self.clock = max(self.clock + 0.001, min(until, self.device.wake(self.clock)))
        return data

    def rest(self, seconds):
        self.clock += seconds


def verdicts(device):
    return list(Conformance(DeviceTalk(device)).run())


def board(kind=QsbDevice, sensing="pol", **settings):
    return kind(Sensors(Geometry(9, 9), sensing), QsbSettings(**{"input": 200, "analogue": True} | settings))


@pytest.mark.parametrize("sensing", ["occ", "pol", "id"])
@pytest.mark.parametrize("leds", ["none", "point", "edge", "corner"])
def test_the_simulated_board_meets_all(sensing, leds):
    told = verdicts(board(sensing=sensing, leds=leds))
    assert [str(verdict) for verdict in told if verdict.passed is False] == []
    assert [verdict.name for verdict in told if verdict.passed is None] == [
        name for name in ("lamps are set and cleared", "a lamp that is not there is refused",
                          "L frame needs the right length") if leds == "none"
    ]  # fmt: skip


def test_what_a_small_board_lacks_is_skipped():
    told = verdicts(board(input=64, analogue=False, snapshot_every=0.5))
    assert all(verdict.passed is not False for verdict in told)
    skipped = {verdict.name for verdict in told if verdict.passed is None}
    assert skipped == {"L frame needs the right length", "G tells whole rows, and ends"}


class BadCheck(QsbDevice):
    def _heartbeat(self, now):
        super()._heartbeat(now)
        self._out += b"E hot*0000\n"


class NoHeartbeat(QsbDevice):
    def _heartbeat(self, now):
        self._beat_at = now + 1.5


class WrongHash(QsbDevice):
    def _heartbeat(self, now):
        self._beat_at = now + 1.5
        self._say(f"P {self._next()} {self._ms(now)} uid={self.settings.uid} boot={self._boot} h=0000 bad={self.bad}")


class SameNumbers(QsbDevice):
    def _heartbeat(self, now):
        self.repeat()
        super()._heartbeat(now)


class Seconds(QsbDevice):
    def _ms(self, at):
        return super()._ms(at) // 1000


class AnswerFirst(QsbDevice):
    _later = 0.0

    def _snapshot(self, now):
        self._later = now

    def _say(self, text):
        super()._say(text)
        if text[0] == "K" and self._later:
            now, self._later = self._later, 0.0
            super()._snapshot(now)


class OnceOnly(QsbDevice):
    """Takes `?` and `S` for repetitions like the rest."""

    def _command(self, text, now):
        if text == self._last_line:
            self._say(self._last_answer)
        else:
            super()._command(text, now)


class Forgetful(QsbDevice):
    """Refuses what it has done already."""

    def _command(self, text, now):
        if text == self._last_line and text[0] not in "?S":
            self._say(f"N {text.split(' ')[1]} again")
        else:
            super()._command(text, now)


class Polite(QsbDevice):
    def _do(self, kind, arguments, now):
        return super()._do(kind, arguments, now).replace("unknown", "")


class Deaf(QsbDevice):
    def feed(self, data, now):
        super().feed(data.replace(b"\r", b"~"), now)


class Careless(QsbDevice):
    """Does what is damaged."""

    def feed(self, data, now):
        for line in data.split(b"\n"):
            if line.count(b"*") == 1 and line.isascii():
                super().feed(seal(line.partition(b"*")[0].decode()), now)


class Short(QsbDevice):
    def feed(self, data, now):
        super().feed(b"" if 100 < len(data) <= 200 else data, now)


class Ranges(QsbDevice):
    def _light(self, arguments):
        super()._light(arguments)
        return ""


class Resetting(QsbDevice):
    def _configure(self, arguments):
        refusal = super()._configure(arguments)
        if not refusal:
            self._hello(0.0)
        return refusal


class Stubborn(QsbDevice):
    def _configure(self, arguments):
        return ""


class Narrow(QsbDevice):
    def _say_raw(self, now):
        self._say("R 0 1 2 3")
        self._raw_at = now + 0.1


class Endless(QsbDevice):
    def _do(self, kind, arguments, now):
        if kind == "G" and arguments == ["off"]:
            return ""
        return super()._do(kind, arguments, now)


FAULTS = [
    (BadCheck, "every line is whole"),
    (NoHeartbeat, "heartbeats every 2 s"),
    (WrongHash, "states agree"),
    (SameNumbers, "numbers rise by one"),
    (Seconds, "time runs in milliseconds"),
    (AnswerFirst, "? is answered with H, S, K"),
    (OnceOnly, "? and S are done again"),
    (Forgetful, "a command said again is answered alike"),
    (Polite, "an unknown command is refused"),
    (Deaf, "CR before LF is ignored"),
    (Careless, "a damaged command is counted and not answered"),
    (Short, "lines of in= bytes are taken, longer ones do no harm"),
    (Ranges, "a lamp that is not there is refused"),
    (Ranges, "L frame needs the right length"),
    (Resetting, "C sets, and the next H tells"),
    (Stubborn, "C sets, and the next H tells"),
    (Narrow, "G tells whole rows, and ends"),
    (Endless, "G tells whole rows, and ends"),
]


@pytest.mark.parametrize(("kind", "name"), FAULTS)
def test_a_fault_is_found_by_its_requirement(kind, name):
    failed = [verdict.name for verdict in verdicts(board(kind)) if verdict.passed is False]
    assert name in failed


def test_a_board_that_says_nothing():
    device = board()
    device.mute_until = 1e9
    out = []
    assert conform(DeviceTalk(device), out.append) == 1
    assert len(out) == 2 and "no answer to '?'" in out[0]


def test_a_line_a_requirement():
    out = []
    assert conform(DeviceTalk(board()), out.append) == 0
    assert len(out) == len(conformance.REQUIREMENTS) + 5
    assert out[0] == "pass  ? is answered with H, S, K: simulated, 9x9, pol\n"
