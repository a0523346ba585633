"""GTP vertices."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.go.points import PASS
from engines.go.vertex import format_vertex, parse_vertex


@pytest.mark.parametrize(
    ("text", "width", "height", "point"),
    [
        ("A1", 19, 19, 0),
        ("T19", 19, 19, 360),
        ("q16", 19, 19, 15 * 19 + 15),
        ("J10", 19, 19, 9 * 19 + 8),
        ("Z25", 25, 25, 624),
        ("N1", 13, 9, 12),
        ("A9", 13, 9, 8 * 13),
        ("pass", 19, 19, PASS),
        ("PASS", 1, 1, PASS),
        ("h08", 9, 9, 7 * 9 + 7),
    ],
)
def test_parse(text, width, height, point):
    assert parse_vertex(text, width, height) == point


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I5",
        "i5",
        "A0",
        "A20",
        "U1",
        "A",
        "5",
        "AA1",
        "A-1",
        "A+1",
        "A1.0",
        "A1 ",
        " A1",
        "passs",
        "A１",
        "A²",
        "é1",
    ],
)
def test_invalid(text):
    with pytest.raises(ValueError):
        parse_vertex(text, 19, 19)


def test_a_long_text_is_refused_shortly():
    with pytest.raises(ValueError) as error:
        parse_vertex("A" + "9" * 100_000, 19, 19)
    assert len(str(error.value)) < 100


def test_off_the_board_by_side():
    assert parse_vertex("N9", 13, 9) == 8 * 13 + 12
    with pytest.raises(ValueError, match="off the 13x9 board"):
        parse_vertex("A10", 13, 9)
    with pytest.raises(ValueError, match="off the 9x13 board"):
        parse_vertex("K1", 9, 13)


@pytest.mark.parametrize("point", [-2, 9, 1000])
def test_format_refuses_points_off_the_board(point):
    with pytest.raises(ValueError):
        format_vertex(point, 3, 3)


@given(st.integers(1, 25), st.integers(1, 25), st.data())
def test_round_trip(width, height, data):
    point = data.draw(st.integers(-1, width * height - 1))
    text = format_vertex(point, width, height)
    assert "I" not in text
    assert parse_vertex(text, width, height) == parse_vertex(text.lower(), width, height) == point
