"""The simulated board itself: sensors, noise, wire and virtual clock."""

import math
import random

import pytest

from protocols.sensor.codecs.qsb import QsbCodec
from protocols.sensor.reading import Geometry, Reading, Status
from protocols.sensor.simulation.qsb import QsbDevice
from protocols.sensor.simulation.sensors import Noise, Sensors, sensed
from protocols.sensor.simulation.virtual import VirtualBoard, VirtualClock
from protocols.sensor.simulation.wire import Wire, WireFaults

SMALL = Geometry(3, 3)


@pytest.mark.parametrize(
    ("thing", "occ", "pol", "piece"),
    [
        (".", ".", ".", "."), ("X", "#", "X", "#"), ("K", "#", "X", "K"), ("k", "#", "O", "k"),
        ("#", "#", "#", "#"), ("!", "!", "!", "!"),
    ],
)  # fmt: skip
def test_what_each_kind_sees(thing, occ, pol, piece):
    assert [sensed(thing, kind) for kind in ("occ", "pol", "id")] == [occ, pol, piece]


class TestSensors:
    def test_reported_after_the_settling_time_with_the_first_sight(self):
        sensors = Sensors(SMALL, "pol", settle_ms=60)
        sensors.advance(10.0)
        sensors.put(4, "X", 10.0)
        assert sensors.advance(10.05) == []
        assert sensors.advance(10.07) == [(10.0, 4, "X")]

    def test_what_does_not_stay_is_not_reported(self):
        sensors = Sensors(SMALL, "pol", settle_ms=60)
        sensors.put(4, "X", 10.0)
        sensors.advance(10.03)
        sensors.put(4, ".", 10.03)
        assert sensors.advance(11.0) == []

    def test_one_thing_for_another(self):
        sensors = Sensors(SMALL, "pol", settle_ms=60)
        sensors.put(4, "X", 10.0)
        sensors.advance(11.0)
        sensors.put(4, "O", 11.0)
        assert sensors.advance(12.0) == [(11.0, 4, "O")]

    def test_bouncing_ends_in_the_truth(self):
        sensors = Sensors(SMALL, "pol", settle_ms=60, noise=Noise(bounce_ms=40), seed=1)
        for number in range(50):
            sensors.put(4, "X."[number % 2], float(number))
            reported = sensors.advance(number + 0.9)
            assert [value for _, _, value in reported] == ["X."[number % 2]]
            assert number <= reported[0][0] <= number + 0.04

    def test_short_errors_are_not_reported_and_long_ones_are(self):
        for length, seen in ((40, False), (400, True)):
            noise = Noise(flickers_per_s=20, flicker_ms=length)
            sensors = Sensors(SMALL, "pol", settle_ms=60, noise=noise, seed=1)
            sensors.advance(0.0)
            assert bool(sensors.advance(20.0)) is seen
            sensors.noise = Noise()
            sensors._next_flicker = math.inf
            sensors.advance(40.0)
            assert sensors.points == ["."] * 9

    def test_three_corners_make_a_ghost(self):
        sensors = Sensors(SMALL, "occ", noise=Noise(ghosting=True))
        for point in (0, 2, 6):
            sensors.put(point, "#", 1.0)
        sensors.advance(2.0)
        assert "".join(sensors.points) == "#.#" + "..." + "#.#"
        sensors.put(0, ".", 2.0)
        sensors.advance(3.0)
        assert "".join(sensors.points) == "..#" + "..." + "#.."

    def test_a_weak_magnet_drops_out_and_comes_back(self):
        noise = Noise(weak=(4,), drop_outs_per_s=5, flicker_ms=400)
        sensors = Sensors(SMALL, "pol", settle_ms=20, noise=noise, seed=2)
        sensors.put(4, "X", 0.0)
        sensors.put(5, "X", 0.0)
        values = [(point, value) for _, point, value in sensors.advance(30.0)]
        assert (4, ".") in values and values.count((4, "X")) > 1 and (5, ".") not in values

    def test_next_time_is_when_something_happens(self):
        sensors = Sensors(SMALL, "pol", noise=Noise(bounce_ms=30, flickers_per_s=3), seed=3)
        sensors.advance(0.0)
        now, reports = 0.0, 0
        chance = random.Random(3)
        for _ in range(2000):
            later = sensors.next_time()
            now = max(now, later)
            reports += len(sensors.advance(now))
            assert sensors.next_time() > now
            if chance.random() < 0.2:
                sensors.put(chance.randrange(9), chance.choice("XO."), now)
        assert reports > 50


class TestWire:
    def test_perfect(self):
        assert Wire().carry(b"abc") == b"abc"

    def test_unplugged(self):
        wire = Wire()
        wire.plugged = False
        assert wire.carry(b"abc") == b""
        wire.plug()
        assert wire.carry(b"abc") == b"abc"

    def test_cut_in_the_middle(self):
        wire = Wire()
        wire.cut_after(4)
        assert wire.carry(b"abc") == b"abc" and wire.plugged
        assert wire.carry(b"def") == b"d" and not wire.plugged

    def test_faults_come_about_as_often_as_asked(self):
        data = bytes(20_000)
        assert 17_500 < len(Wire(WireFaults(drop=0.1), 1).carry(data)) < 18_500
        assert 21_500 < len(Wire(WireFaults(double=0.1), 1).carry(data)) < 22_500
        flipped = Wire(WireFaults(flip=0.1), 1).carry(data)
        assert all(byte.bit_count() <= 1 for byte in flipped) and 1500 < sum(map(bool, flipped)) < 2500


class TestVirtualTime:
    def test_the_agenda_runs_in_order(self):
        clock, seen = VirtualClock(0.0), []
        clock.after(2.0, lambda: seen.append("b"))
        clock.after(1.0, lambda: seen.append("a"))
        clock.now = 3.0
        clock.run_due()
        assert seen == ["a", "b"] and clock.next_time() == math.inf

    def test_a_hand_on_the_agenda(self):
        board = VirtualBoard(QsbDevice(Sensors(SMALL, "pol")), QsbCodec())
        board.clock.after(5.0, lambda: board.put(4, "X"))
        start = board.now()
        while not (isinstance(event := board.get(60.0), Reading) and event.points[4] == "X"):
            assert event is not None
        assert event.at - start == pytest.approx(5.0, abs=0.01)
        assert board.now() - start == pytest.approx(5.06, abs=0.02)

    def test_get_gives_up_after_its_time(self):
        board = VirtualBoard(QsbDevice(Sensors(SMALL, "pol")), QsbCodec())
        board.run(1.0)
        board.unplug()
        assert isinstance(board.get(1.0), Status)
        start = board.now()
        assert board.get(30.0) is None
        assert board.now() - start == pytest.approx(30.0)

    def test_the_same_seed_gives_the_same_session(self):
        def session():
            noise = Noise(bounce_ms=30, flickers_per_s=5, flicker_ms=100)
            sensors = Sensors(SMALL, "pol", noise=noise, seed=7)
            board = VirtualBoard(QsbDevice(sensors, seed=7), QsbCodec(), wire=Wire(WireFaults(flip=0.001), 7))
            board.clock.after(1.0, lambda: board.put(4, "X"))
            return board.run(20.0)

        assert session() == session()
