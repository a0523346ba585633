"""Device times to host times."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.sensor.codecs.timebase import WRAP, DeviceClock


def test_the_least_delay_counts():
    clock = DeviceClock()
    assert clock.host_time(1000, 50.0) == 50.0
    # 20 ms late, and a change that was first seen 60 ms before it was told.
    assert clock.host_time(2000, 51.02) == pytest.approx(51.0)
    assert clock.host_time(2940, 52.0) == pytest.approx(51.94)


def test_never_later_than_its_arrival():
    clock = DeviceClock()
    clock.host_time(1000, 50.0)
    assert clock.host_time(1100, 50.05) == 50.05


def test_wraps():
    clock = DeviceClock()
    clock.host_time(WRAP - 100, 50.0)
    assert clock.host_time(400, 50.5) == pytest.approx(50.5)


def test_a_time_stamp_a_little_before_the_last_one():
    clock = DeviceClock()
    clock.host_time(1000, 50.0)
    assert clock.host_time(940, 50.01) == pytest.approx(49.94)
    assert clock.host_time(1100, 50.1) == pytest.approx(50.1)


def test_a_restarted_device_begins_anew():
    clock = DeviceClock()
    clock.host_time(5_000_000, 50.0)
    assert clock.host_time(10, 51.0) == 51.0


def test_a_resonator_half_a_percent_off():
    """After ten minutes a stamp is still right to 60 ms, though the clocks are 3 s apart."""
    for rate in (0.995, 1.005):
        clock = DeviceClock()
        for step in range(600):
            clock.host_time(int(step * 1000 * rate), 100.0 + step)
        at = clock.host_time(int(599.5 * 1000 * rate), 699.6)
        assert at == pytest.approx(699.5, abs=0.06)


@given(st.integers(0, WRAP - 1), st.lists(st.tuples(st.integers(0, 5000), st.floats(0, 0.5)), max_size=50))
def test_times_rise_and_never_lie_in_the_future(start, steps):
    clock = DeviceClock()
    ms, last = start, 0.0
    clock.host_time(ms, 10.0)
    elapsed = 0
    for step, delay in steps:
        elapsed += step
        arrived = max(last, 10.0 + elapsed / 1000 + delay)
        last = arrived
        at = clock.host_time((start + elapsed) % WRAP, arrived)
        assert at <= arrived + 1e-9
        assert at >= arrived - delay - 0.5 - 1e-6
