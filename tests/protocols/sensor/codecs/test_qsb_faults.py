"""qsb on a bad line: never a wrong state, and the right one again with the next snapshot."""

import copy
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.sensor.codecs.qsb import QsbCodec
from protocols.sensor.codecs.qsb_wire import seal, state_hash
from protocols.sensor.reading import Geometry, Reading, leds
from protocols.sensor.simulation.qsb import QsbDevice, QsbSettings
from protocols.sensor.simulation.sensors import Noise, Sensors, sensed
from protocols.sensor.simulation.virtual import VirtualBoard
from protocols.sensor.simulation.wire import Wire, WireFaults

SIZE = 25


def stream(seed=1, lines=40):
    """Lines of a session, each with the state the board is in when it says it; a snapshot every eighth line."""
    chance = random.Random(seed)
    points = ["."] * SIZE
    out = [(seal("H v=1 name=b uid=1 boot=1 geo=5x5 kind=pol"), "." * SIZE)]
    for number in range(1, lines):
        head = f"{number} {number * 200}"
        if number % 8 == 1:
            text = f"S {head} {''.join(points)}"
        elif number % 8 == 4:
            text = f"P {head} uid=1 boot=1 h={state_hash(''.join(points))} bat=80"
        elif number % 8 == 6:
            text = f"B {head} pass down"
        else:
            changes = []
            for point in chance.sample(range(SIZE), chance.randint(1, 3)):
                points[point] = chance.choice("XO" if points[point] == "." else ".")
                changes.append(f"{point}{points[point]}")
            text = f"D {head} {' '.join(changes)}"
        out.append((seal(text), "".join(points)))
    return out


def spoiled(line):
    """Every way to drop, double or flip one bit of one byte."""
    for at in range(len(line)):
        yield line[:at] + line[at + 1 :]
        yield line[: at + 1] + line[at:]
        for bit in range(8):
            yield line[:at] + bytes([line[at] ^ 1 << bit]) + line[at + 1 :]


def test_a_40_line_stream_with_every_byte_dropped_doubled_or_flipped():
    lines = stream()
    assert len(lines) == 40
    before = QsbCodec()
    tried = 0
    for number, (line, _) in enumerate(lines):
        for wrong in spoiled(line):
            codec = copy.deepcopy(before)
            # The spoiled line may run into the next one, when its end was hit; so its state may be either's.
            possible = {state for _, state in lines[max(0, number - 1) : number + 2]}
            for event in codec.feed(wrong, number * 0.2):
                if isinstance(event, Reading):
                    assert event.points in possible
            snapshot_seen = False
            for later in range(number + 1, min(number + 12, len(lines))):
                good, state = lines[later]
                for event in codec.feed(good, later * 0.2):
                    if isinstance(event, Reading):
                        assert event.points == state, (number, wrong, good)
                # The line after the damage may be lost with it.
                if good.startswith(b"S") and later > number + 1:
                    snapshot_seen = True
                    assert codec._synced or codec.hello is None, (number, wrong)
                    assert codec._points == state or codec.hello is None
            assert snapshot_seen or number > 24
            tried += 1
        before.feed(line, number * 0.2)
    assert tried > 10_000


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.integers(0, 39), st.integers(0, 2**32))
def test_garbage_anywhere_in_the_stream(garbage, where, seed):
    codec = QsbCodec()
    for number, (line, state) in enumerate(stream(seed)):
        if number == where:
            codec.feed(garbage, number * 0.2)
        for event in codec.feed(line, number * 0.2):
            if isinstance(event, Reading):
                assert event.points == state


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 39), max_size=60), st.integers(0, 2**32))
def test_lines_repeated_and_left_out(order, seed):
    """Lines in any order are never a state the board was not in."""
    lines = stream(seed)
    states = {state for _, state in lines}
    codec = QsbCodec()
    for line, _ in lines[:2]:
        codec.feed(line, 0.0)
    for number in order:
        for event in codec.feed(lines[number][0], 1.0):
            if isinstance(event, Reading):
                assert event.points in states


def play(board, seconds, seed, sensing="pol"):
    """A hand at random for some time. Gives every state that lay on the board long enough to be reported."""
    chance = random.Random(seed)
    device = board.device
    states = {"".join(device.sensors.points)}
    end = board.clock.now + seconds
    while board.clock.now < end:
        point = chance.randrange(device.sensors.geometry.count)
        thing = "." if device.sensors.things[point] != "." else chance.choice("XO")
        board.put(point, thing)
        for event in board.run(chance.uniform(0.1, 1.0)):
            if isinstance(event, Reading):
                assert event.points in states | {"".join(device.sensors.points)}, "a state that never was"
        states.add("".join(device.sensors.points))
        states.add("".join(sensed(thing, sensing) for thing in device.sensors.things))
    return states


def settled(board, seconds=20.0):
    """Let the line be good and everything come to rest; the board as the host sees it."""
    board.wire.faults = WireFaults()
    board.run(seconds)
    return board.codec._points, "".join(board.device.sensors.points)


def make(seed, faults=None, noise=None, **given):
    sensors = Sensors(Geometry(9, 10), "pol", noise=noise or Noise(), seed=seed)
    device = QsbDevice(sensors, QsbSettings(**given), seed=seed)
    return VirtualBoard(device, QsbCodec(), wire=Wire(faults, seed))


@pytest.mark.parametrize("seed", range(6))
def test_a_noisy_line_both_ways(seed):
    board = make(seed, WireFaults(drop=0.002, double=0.002, flip=0.002, garbage=0.0005))
    board.show(leds(Geometry(9, 10), {11: "X", 12: "w"}))
    play(board, 60, seed)
    ours, theirs = settled(board)
    assert ours == theirs
    assert board.device.leds == leds(Geometry(9, 10), {11: "X", 12: "w"})


@pytest.mark.parametrize("seed", range(6))
def test_faults_of_the_device(seed):
    board = make(seed)
    chance = random.Random(seed)
    device = board.device

    def fault():
        kind = chance.choice(["skip", "repeat", "reset", "mute", "lose", "busy", "deaf"])
        if kind == "skip":
            device.skip(chance.randint(1, 300))
        elif kind == "repeat":
            device.repeat()
        elif kind == "reset":
            device.reset(board.clock.now)
        elif kind == "mute":
            device.mute_until = board.clock.now + chance.uniform(0.5, 4)
        elif kind == "lose":
            point = chance.randrange(90)
            device.lose_change(point, "." if device.sensors.things[point] != "." else "X", board.clock.now)
        elif kind == "busy":
            device.busy = 3
        else:
            device.drop_answers = 2
        board.clock.after(chance.uniform(0.5, 5), fault)

    board.clock.after(1.0, fault)
    board.run(1.0)
    end = board.clock.now + 120
    while board.clock.now < end:
        point = chance.randrange(90)
        board.put(point, "." if device.sensors.things[point] != "." else "X")
        board.run(chance.uniform(0.1, 1.0))
    board.clock._agenda.clear()
    ours, theirs = settled(board)
    assert ours == theirs == "".join(device.sensors.things)


@pytest.mark.parametrize("seed", range(10))
def test_unplug_and_replug_at_any_moment(seed):
    """A thousand times in all: at a line's end or in its middle, with and without a reset, with changes meanwhile."""
    board = make(seed)
    chance = random.Random(seed)
    wanted = leds(Geometry(9, 10), {5: "O"})
    board.show(wanted)
    board.run(1.0)
    for _ in range(100):
        play(board, chance.uniform(0, 1), chance.random())
        if chance.random() < 0.5:
            board.wire.cut_after(chance.randint(1, 60))
            board.run(chance.uniform(0, 2))
        board.unplug()
        for _ in range(chance.randint(0, 3)):
            point = chance.randrange(90)
            board.put(point, "." if board.device.sensors.things[point] != "." else "O")
            board.run(chance.uniform(0, 0.5))
        board.plug(reset=chance.random() < 0.5)
        events = board.run(2.0)
        first = next(event for event in events if isinstance(event, Reading))
        assert not first.complete
        ours, theirs = board.codec._points, "".join(board.device.sensors.points)
        assert ours == theirs == "".join(board.device.sensors.things)
        assert board.device.leds == wanted


def test_sensor_noise_below_the_settling_time_is_never_seen():
    noise = Noise(bounce_ms=25, flickers_per_s=20, flicker_ms=25)
    board = make(3, noise=noise)
    board.run(1.0)
    play(board, 30, 3)
    ours, theirs = settled(board, 1.0)
    assert ours == theirs == "".join(board.device.sensors.things)
