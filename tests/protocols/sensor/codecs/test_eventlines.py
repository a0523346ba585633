"""Boards that tell one point a line."""

import pytest

from protocols.sensor.codecs.described import DescribedCodec
from protocols.sensor.codecs.description import DescriptionError, parse
from protocols.sensor.reading import Note, Reading
from protocols.sensor.simulation.described import DescribedDevice
from protocols.sensor.simulation.sensors import Sensors, sensed
from protocols.sensor.simulation.virtual import VirtualBoard
from protocols.sensor.simulation.wire import Wire, WireFaults

PURE = 'ask = "all?"\nbegin = "all"\ndone = "end"\n'


def board_of(events, sensing="occ", points='coding = "events"\nfirst = "near-left"', frame=""):
    return parse(
        f'[board]\ncolumns = 4\nrows = 3\nsensing = "{sensing}"\n[frame]\n{frame}\n[points]\n{points}\n'
        f"[events]\n{events}\n"
    )


PLAIN = 'put = "+{letter}{number}"\nlift = "-{letter}{number}"\n' + PURE


def points(events):
    return [event.points for event in events if isinstance(event, Reading)]


def test_put_and_lifted():
    codec = DescribedCodec(board_of(PLAIN))
    assert codec.outgoing(0.0) == b"all?" and codec.outgoing(0.5) == b"" and codec.outgoing(1.0) == b"all?"
    assert points(codec.feed(b"+A1\n", 1.0)) == [], "what else lies there is not known yet"
    assert points(codec.feed(b"all\n+A1\n+D3\nend\n", 1.1)) == ["...#....#..."]
    assert points(codec.feed(b"+B1\r\n-D3\n", 1.2)) == ["...#....##..", "........##.."]
    assert codec.outgoing(9.0) == b""


def test_other_lines_change_nothing():
    codec = DescribedCodec(board_of(PLAIN))
    codec.feed(b"all\nend\n", 1.0)
    for line in (b"+E1", b"+A4", b"+A0", b"*A1", b"+A1 ", b"+a1", b"+A"):
        assert [type(event) for event in codec.feed(line + b"\n", 1.1)] == [Note], line
    assert points(codec.feed(b"+A1\n", 1.2)) == ["........#..."]


def test_a_missing_line_is_noticed_and_the_state_asked_for():
    codec = DescribedCodec(board_of(PLAIN))
    codec.feed(b"all\n+A1\nend\n", 1.0)
    events = codec.feed(b"+A1\n-B2\n+C1\n", 2.0)
    assert isinstance(events[0], Note) and not events[-1].complete
    assert codec.outgoing(2.0) == b"all?" and codec.wake(2.0) == 3.0
    (reading,) = codec.feed(b"all\n+C1\nend\n", 2.1)
    assert reading.points == "..........#." and codec.outgoing(9.0) == b""


def test_half_a_state_before_damage_is_none():
    codec = DescribedCodec(board_of(PLAIN, frame='check = "xor8"\ncheck_mark = "*"'))
    assert points(codec.feed(b"all*61\n+A1*5b\n+B1*00\nend*6f\n", 1.0)) == []


KINDS = [
    ("occ", PLAIN, 'coding = "events"\nfirst = "near-left"\nalong = "columns"'),
    ("pol", 'put = { "B{index}" = "X", "W{index}" = "O" }\nlift = "x{index}"\nbase = 1\n' + PURE, 'coding = "events"'),
    ("pol", 'put = "+{value}{line},{place}"\nlift = "-{line},{place}"\n' + PURE,
     'coding = "events"\nsnake = true\nvalues = { b = "X", w = "O" }'),
    ("pol", 'put = "+{letter}{number}{value}"\nlift = "-{letter}{number}"\nletters = "abcd"\nask = "?"',
     'coding = "letter"\nvalues = { "." = ".", b = "X", w = "O" }'),
]  # fmt: skip


@pytest.mark.parametrize(("sensing", "events", "coding"), KINDS)
@pytest.mark.parametrize("frame", ["", 'check = "crc8"\ncheck_mark = "*"'])
def test_there_and_back(sensing, events, coding, frame):
    description = board_of(events, sensing, coding, frame)
    board = VirtualBoard(
        DescribedDevice(Sensors(description.geometry, sensing), description), DescribedCodec(description)
    )
    board.put(5, "X")
    board.run(1.0)
    for number, thing in enumerate("XO.X.OOXX.XO"):
        board.put(number, thing)
        board.run(0.2)
        now = "".join(sensed(thing, sensing) for thing in board.device.sensors.things)
        assert board.codec._settler.points == now
    assert board.codec._framer.bad == 0 and not board.codec._doubt


@pytest.mark.parametrize(("events", "complaint"), [
    ('put = "+{letter}"\nlift = "-{index}"\n' + PURE, "events.put: must name a point once"),
    ('put = "+{index}"\nlift = "-"\n' + PURE, "events.lift: must name a point once"),
    ('put = 1\nlift = "-{index}"\n' + PURE, "events.put: must be a text"),
    ('put = "+{index}{value}"\nlift = "-{index}"\n' + PURE, "events.put: {value} needs points.values"),
    ('put = { "+{index}" = "K" }\nlift = "-{index}"\n' + PURE, "events.put: no value of a board"),
    ('put = "+{index}"\nlift = "-{index}"\n', "events.begin: and done belong together"),
    ('put = "+{letter}{number}"\nlift = "-{index}"\nletters = "AB"\n' + PURE, "events.letters: must be 4"),
    ('put = "+{index}"\nlift = "-{index}"\nsign = "+"\n' + PURE, "events.sign: unknown"),
])  # fmt: skip
def test_what_is_wrong_is_told(events, complaint):
    with pytest.raises(DescriptionError) as error:
        board_of(events)
    assert complaint in str(error.value)


@pytest.mark.parametrize("seed", range(4))
def test_after_a_bad_line_the_board_is_known_again(seed):
    description = board_of(PLAIN, frame='check = "crc16-xmodem"\ncheck_mark = "*"')
    board = VirtualBoard(
        DescribedDevice(Sensors(description.geometry, "occ"), description), DescribedCodec(description)
    )
    board.wire = Wire(WireFaults(drop=0.01, double=0.01, flip=0.01), seed)
    for step in range(60):
        board.put(step * 5 % 12, "X."[step // 12 % 2])
        board.run(0.3)
    assert board.codec._framer.bad > 3
    board.wire.faults = WireFaults()
    for thing in "X.X":
        board.put(0, thing)
        board.run(2.0)
    now = "".join(sensed(thing, "occ") for thing in board.device.sensors.things)
    assert board.codec._settler.points == now and not board.codec._doubt
