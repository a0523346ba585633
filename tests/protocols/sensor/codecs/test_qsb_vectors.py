"""A line of every kind of qsb: read, written, and printed in the specification."""

import json

import pytest
from support import DATA, ROOT

from protocols.sensor import reading
from protocols.sensor.codecs import qsb as qsb_module
from protocols.sensor.codecs.qsb import QsbCodec
from protocols.sensor.codecs.qsb_wire import seal, unseal
from protocols.sensor.reading import Geometry
from protocols.sensor.simulation.qsb import QsbDevice, QsbSettings
from protocols.sensor.simulation.sensors import Sensors

VECTORS = json.loads((DATA / "sensor" / "qsb_vectors.json").read_text(encoding="utf-8"))
BOARD = [vector for vector in VECTORS if vector["from"] == "board"]
HOST = [vector for vector in VECTORS if vector["from"] == "host"]


def attributes(event, names):
    told = {}
    for name in names:
        value = getattr(event, name)
        told[name] = list(value) if isinstance(value, tuple) else value
    return told


def test_every_kind_is_there_and_sealed():
    assert {vector["line"][0] for vector in BOARD} == set("HSDBPREKN")
    assert {vector["line"][0] for vector in HOST} == set("?SLTCZGO")
    for vector in VECTORS:
        text = unseal(vector["line"].encode())
        assert text is not None and seal(text) == vector["line"].encode() + b"\n"


def test_they_stand_in_the_specification():
    page = (ROOT / "docs" / "qsb.md").read_text(encoding="utf-8")
    part = page.partition("### A line of every kind")[2].partition("\n## ")[0]
    assert [line.split("  ")[-1].strip() for line in part.splitlines() if line.startswith("    ")] == [
        vector["line"] for vector in VECTORS
    ]


def test_what_the_board_says_is_understood():
    codec = QsbCodec()
    for number, vector in enumerate(BOARD):
        events = codec.feed(vector["line"].encode() + b"\n", 100.0 + number)
        for name, wanted in vector["events"].items():
            (event,) = [event for event in events if isinstance(event, getattr(reading, name))]
            assert attributes(event, wanted) == wanted, vector["line"]
        assert bool(events) == bool(vector["events"]), vector["line"]
    assert codec.bad_lines == 0


def test_what_the_host_says_is_said_so():
    """The codec's wishes, in order, give the very lines; the simulated board does each of them."""
    hello = BOARD[0]["line"].replace("in=64", "in=200")
    codec = QsbCodec()
    sent = [codec.outgoing(1.0)]
    codec.feed(seal(hello.partition("*")[0]), 1.0)
    codec.feed(seal("S 1 1 ........."), 1.0)
    device = QsbDevice(Sensors(Geometry(3, 3), "pol"), QsbSettings(input=200, analogue=True))
    device.reset(0.0)
    codec.feed(seal("D 5 1 4X"), 1.0)  # a gap: it wants a snapshot
    wishes = [
        lambda: None,
        lambda: codec.show("." * 9),
        lambda: codec.show("l...X...."),
        lambda: codec.show("O" * 9),
        lambda: codec.beep(2),
        lambda: codec.configure(settle_ms=80, scan_ms=20),
        codec.zero,
        lambda: codec.raw(True),
        lambda: codec.raw(False),
    ]
    for number, wish in enumerate(wishes, 2):
        wish()
        sent.append(codec.outgoing(1.0))
        if number == 2:
            codec.feed(seal("S 6 1 ........."), 1.0)
        codec.feed(seal(f"K {number}"), 1.0)
    assert sent == [vector["line"].encode() + b"\n" for vector in HOST[:-1]]
    for vector in HOST:
        device.feed(vector["line"].encode() + b"\n", 2.0)
    said = device.outgoing(2.0).decode().splitlines()
    assert [line.partition("*")[0] for line in said if line[0] in "KN"] == [f"K {n}" for n in range(1, 12)]


class Asked:
    """A simulated board that is sent commands."""

    def __init__(self, **settings):
        self.device = QsbDevice(Sensors(Geometry(3, 3), "pol"), QsbSettings(**settings))
        self.device.reset(0.0)
        self.device.outgoing(0.0)

    def say(self, text):
        self.device.feed(seal(text), 0.1)
        return [line.partition("*")[0] for line in self.device.outgoing(0.1).decode().splitlines()]


class TestCommandsSaidAgain:
    def test_a_command_said_again_is_answered_and_not_done(self):
        board = Asked()
        assert board.say("T 5 beep 2") == board.say("T 5 beep 2") == ["K 5"]
        assert board.device.beeps == 2

    def test_hello_and_snapshot_are_done_every_time(self):
        board = Asked()
        for _ in range(2):
            assert [line[0] for line in board.say("? 5")] == ["H", "S", "K"]
            assert [line[0] for line in board.say("S 6")] == ["S", "K"]

    def test_busy_is_not_kept_and_a_refusal_is(self):
        board = Asked()
        board.device.busy = 1
        assert board.say("T 5 beep 1") == ["N 5 busy"]
        assert board.say("T 5 beep 1") == ["K 5"]
        assert board.say("L 6 set 9:X") == board.say("L 6 set 9:X") == ["N 6 range"]

    def test_the_same_number_with_another_text_is_a_new_command(self):
        board = Asked()
        board.say("T 5 beep 1")
        assert board.say("L 5 set 0:X") == ["K 5"]
        assert board.device.leds[0] == "X"


@pytest.mark.parametrize("text", ["L 5 set 0:X 9:X", "L 5 set 0:X 1:Q", "L 5 frame XXXXXXXX", "L 5 frame XXXXXXXXXX",
                                  "T 5 beep 10", "C 5 settle=80 scan=0", "C 5 settle=1"])  # fmt: skip
def test_a_refused_command_changes_nothing(text):
    board = Asked(input=200)
    settle = board.device.sensors.settle
    assert board.say(text) == ["N 5 range"]
    assert board.device.leds == "." * 9 and board.device.sensors.settle == settle


def ready(extra=""):
    codec = QsbCodec()
    codec.feed(seal(f"H v=1 uid=1 boot=1 geo=9x9 kind=pol led=point in=200 settle=60{extra}"), 1.0)
    codec.feed(seal("S 1 1 " + "." * 81), 1.0)
    return codec


def test_another_settling_time_is_no_other_board():
    codec = ready()
    codec.feed(seal("K 1"), 1.0)
    assert codec.feed(seal("H v=1 uid=1 boot=1 geo=9x9 kind=pol led=point in=200 settle=80"), 1.1) == []
    assert codec.hello.settle_ms == 80


def test_a_refused_frame_goes_on_in_pieces():
    codec = ready()
    codec.show("X" * 81)
    codec.outgoing(1.0)
    codec.feed(seal("K 1"), 1.0)
    assert b"frame" in codec.outgoing(1.0)
    assert codec.feed(seal("N 2 unknown"), 1.0) == []
    assert codec.outgoing(1.0).startswith(b"L 3 set 0:X")


def test_a_complaint_is_shown_again_after_a_while():
    codec = ready()
    assert [len(codec.feed(seal("E hot"), now)) for now in (1.0, 11.0, 1.1 + qsb_module.ERROR_AGAIN)] == [1, 0, 1]


def test_hand_and_lever_count_only_where_the_hello_has_them():
    codec = ready()
    assert codec.feed(seal("B 2 5 lever near"), 1.0) == codec.feed(seal("B 3 5 hand on"), 1.0) == []
    codec = ready(" lever=1 hand=1")
    assert len(codec.feed(seal("B 2 5 lever near"), 1.0)) == len(codec.feed(seal("B 3 5 hand on"), 1.0)) == 1


def test_raw_values_leave_half_of_the_line_free():
    device = QsbDevice(Sensors(Geometry(19, 19), "pol"), QsbSettings(analogue=True))
    device.reset(0.0)
    device.outgoing(0.0)
    device.feed(seal("G 1 on"), 0.0)
    data = b"".join(device.outgoing(step / 100) for step in range(500))
    rows = [line for line in data.splitlines() if line.startswith(b"R ")]
    assert len(rows) % 19 == 0 and rows and sum(len(row) + 1 for row in rows) < 5 * 11520 * 0.55
