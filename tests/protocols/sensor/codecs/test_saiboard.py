"""Saiboard: its JSON, its analogue values, its hand and its lamps."""

import json

import pytest
from support import DATA

from protocols.sensor.codecs.saiboard import GEOMETRY, MOST_LEDS, POLL_EVERY, QUESTION, SILENCE, SaiboardCodec, colour
from protocols.sensor.codecs.scans import LEARNING
from protocols.sensor.reading import Geometry, Hello, Note, Reading, Still, leds
from protocols.sensor.simulation.saiboard import SaiboardDevice
from protocols.sensor.simulation.sensors import Noise, Sensors
from protocols.sensor.simulation.virtual import VirtualBoard


def answer(changes=None, touch=20000, **more):
    values = [2000] * 361
    for point, value in (changes or {}).items():
        values[point] = value
    rows = [values[start : start + 19] for start in range(0, 361, 19)]
    return json.dumps({"hall": rows, "touch": touch} | more).encode() + b"\0"


def ready():
    codec = SaiboardCodec(baseline=[2000.0] * 361, scans=1)
    codec.outgoing(0.0)
    codec.feed(answer(), 0.0)
    return codec


def make(seed=0, **given):
    noise = given.pop("noise", None) or Noise()
    device = SaiboardDevice(Sensors(GEOMETRY, "pol", settle_ms=0, noise=noise, seed=seed), seed=seed, **given)
    return VirtualBoard(device, SaiboardCodec())


def test_the_question_is_the_documented_one():
    frames = json.loads((DATA / "sensor" / "sample_frames.json").read_text(encoding="utf-8"))
    (frame,) = [frame for frame in frames if frame["protocol"].startswith("Saiboard")]
    assert frame["name"] == "hall request / reply"
    codec = SaiboardCodec()
    assert codec.outgoing(0.0) == QUESTION == bytes.fromhex(frame["full_hex"])
    assert len(QUESTION) == frame["length"]


def test_one_question_at_a_time():
    codec = SaiboardCodec()
    assert codec.outgoing(0.0) == QUESTION
    assert codec.outgoing(1.0) == b""
    codec.feed(answer(), 1.0)
    assert codec.outgoing(1.0) == QUESTION


def test_not_faster_than_it_can():
    codec = ready()
    while codec.outgoing(0.0):
        codec.feed(b'{"status":"OK"}\0', 0.0)
    assert codec.outgoing(POLL_EVERY / 2) == b""
    assert codec.wake(POLL_EVERY / 2) == POLL_EVERY


def test_baseline_is_learnt_and_told():
    kept = []
    codec = SaiboardCodec(on_baseline=kept.append)
    events = []
    for _ in range(LEARNING):
        events += codec.feed(answer(), 0.0)
    assert events[0].serious and "empty" in events[0].text
    assert isinstance(events[1], Hello) and events[1].geometry == Geometry(19, 19)
    assert kept == [[2000.0] * 361]


def test_a_stone_that_lies_there_while_learning_is_suspected():
    codec = SaiboardCodec()
    events = [event for _ in range(LEARNING) for event in codec.feed(answer({20: 2150}), 0.0)]
    assert any(isinstance(event, Note) and "column 2 row 2" in event.text for event in events)


def test_polarity_is_colour():
    (reading,) = ready().feed(answer({0: 1850, 360: 2150}), 1.0)
    assert reading.points[0] == "X" and reading.points[360] == "O"
    assert reading.points.count(".") == 359


def test_the_first_row_is_the_far_one():
    (reading,) = ready().feed(answer({GEOMETRY.index(2, 0): 1850}), 1.0)
    assert reading.points.startswith("..X.")


def test_four_scans_in_a_row_and_not_four_flickers():
    codec = SaiboardCodec(baseline=[2000.0] * 361)
    for _ in range(4):
        codec.feed(answer(), 0.0)
    for _ in range(10):
        for scan in ({7: 1850}, {7: 1850}, {7: 1850}, {}):
            assert all(isinstance(event, Still) for event in codec.feed(answer(scan), 1.0))
    events = [event for _ in range(4) for event in codec.feed(answer({7: 1850}), 2.0)]
    assert isinstance(events[-1], Reading)


def test_hand():
    codec = ready()
    (reading,) = codec.feed(answer(touch=25000), 1.0)
    assert reading.hand is True
    (reading,) = codec.feed(answer(touch=20100), 2.0)
    assert reading.hand is False


def test_stones_do_not_make_a_hand():
    codec = ready()
    stones = dict.fromkeys(range(200), 1850)
    (reading,) = codec.feed(answer(stones, touch=20000 + 200 * 20), 1.0)
    assert reading.hand is False


def test_no_touch_plate():
    codec = SaiboardCodec(baseline=[2000.0] * 361, scans=1)
    events = codec.feed(answer(touch=None), 0.0)
    assert [event.hand for event in events if isinstance(event, Reading)] == [None]
    assert codec.hello.hand is False


@pytest.mark.parametrize(
    "wrong",
    [
        b"nonsense\0",
        b"[]\0",
        b'{"hall":[]}\0',
        b'{"hall":null,"touch":1}\0',
        answer()[:500] + b"\0",
        answer().replace(b"2000", b'"20"', 1),
        answer().replace(b"2000", b"true", 1),
        b'{"what":1}\0',
        b"\xff\xfe\0",
    ],
)
def test_a_wrong_answer_is_told_and_asked_again(wrong):
    codec = ready()
    codec.outgoing(1.0)
    assert [type(event) for event in codec.feed(wrong, 1.0)] == [Note]
    assert codec.outgoing(2.0) == QUESTION
    assert [type(event) for event in codec.feed(answer(), 2.0)] == [Still]


def test_answers_in_any_portions():
    codec = ready()
    data = answer({3: 1850})
    events = [event for at in range(0, len(data), 100) for event in codec.feed(data[at : at + 100], 1.0)]
    assert [type(event) for event in events] == [Reading]


def test_silence():
    codec = ready()
    codec.outgoing(1.0)
    assert codec.alive(1.0 + SILENCE - 0.1) and not codec.alive(1.0 + SILENCE)


def test_leds_change_by_change():
    codec = ready()
    codec.show(leds(GEOMETRY, {0: "X", 1: "O"}))
    sent = []
    for _ in range(6):
        command = codec.outgoing(0.01)
        if command:
            sent.append(json.loads(command))
        codec.feed(b'{"status":"OK"}\0', 0.01)
    # All of them once, since nothing is known of a board just met, in commands its buffer can hold.
    assert [len(command["leds"]) for command in sent] == [MOST_LEDS, MOST_LEDS, 361 - 2 * MOST_LEDS]
    assert sent[0]["leds"][0] == [0, 0, 0, 0, 255, 0]
    assert sent[0]["leds"][1] == [0, 1, 0, 0, 0, 200]
    codec.show(leds(GEOMETRY, {0: "X"}))
    assert json.loads(codec.outgoing(0.02)) == {"name": "led", "leds": [[0, 1, 0, 0, 0, 0]]}


def test_blinking_is_done_here():
    assert colour("x", True) == colour("X", True) != (0, 0, 0, 0)
    assert colour("x", False) == (0, 0, 0, 0)


def test_a_whole_session_with_noise():
    board = make(seed=5, noise=Noise(weak=(50,)))
    board.run(3.0)
    for step, point in enumerate([0, 18, 50, 200, 342, 360]):
        board.put(point, "XO"[step % 2])
        board.run(0.5)
        assert board.codec._settler.points == "".join(board.device.sensors.things)
    board.device.garbage_answers = 3
    board.put(0, ".")
    board.run(1.0)
    board.unplug()
    board.put(18, ".")
    board.run(1.0)
    board.plug(reset=True)
    events = board.run(2.0)
    first = next(event for event in events if isinstance(event, Reading))
    assert not first.complete
    assert board.codec._settler.points == "".join(board.device.sensors.things)
