import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.clock import TimeControl
from engines.timing import format_control, parse_control, parse_duration

CONTROLS = [
    ("none", TimeControl.none()),
    ("300", TimeControl.absolute(300)),
    ("5m", TimeControl.absolute(300)),
    ("1h", TimeControl.absolute(3600)),
    ("0.5", TimeControl.absolute(0.5)),
    ("1+0.01", TimeControl.fischer(1, 0.01)),
    ("0+2", TimeControl.fischer(0, 2)),
    ("1m+1s", TimeControl.fischer(60, 1)),
    ("10m+30/5", TimeControl.canadian(600, 30, 5)),
    ("600 + 3x30", TimeControl.byoyomi(600, 30, 3)),
    ("0+1x5", TimeControl.byoyomi(0, 5, 1)),
    ("40/60", TimeControl.session(60, 40)),
    ("60+1@120", TimeControl.fischer_capped(60, 1, 120, -1)),
    ("60+1@120@30", TimeControl.fischer_capped(60, 1, 120, 30)),
]


@pytest.mark.parametrize(("text", "control"), CONTROLS)
def test_reading(text, control):
    assert parse_control(text) == control


@pytest.mark.parametrize(("text", "control"), CONTROLS)
def test_writing_gives_what_is_read_back(text, control):
    again = parse_control(format_control(control))
    assert again.kind == control.kind
    assert again == control or math.isinf(control.limit)


@pytest.mark.parametrize(
    "text", ["", "x", "-5", "0", "0+0", "5+", "60+3x", "60+x5", "60+0/5", "60+30/0", "0/60", "40/0", "1e3", "1+1@2@3@4"]
)
def test_nonsense_is_refused(text):
    with pytest.raises(ValueError):
        parse_control(text)


@pytest.mark.parametrize("text", ["1+x", "1+0x5", "x/60", "60+1@y", "0", "60+3x", "60+/5"])
def test_a_refusal_names_what_was_typed(text):
    with pytest.raises(ValueError) as refused:
        parse_control(text)
    assert text in str(refused.value)


@given(st.integers(1, 10**6), st.integers(0, 10**5))
def test_fischer_of_milliseconds_is_exact(main, increment):
    control = TimeControl.fischer(main / 1000, increment / 1000)
    assert parse_control(format_control(control)) == control


def test_durations():
    assert [parse_duration(text) for text in ("2", "2s", "2m", "2h", ".5", "1.5m")] == [2, 2, 120, 7200, 0.5, 90]
