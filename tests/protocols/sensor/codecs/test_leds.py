"""One text of lamps on every kind of lamps."""

import math
from itertools import pairwise

import pytest

from protocols.sensor.codecs.leds import TURN, LedRenderer, check_leds, led_count, more_urgent
from protocols.sensor.reading import Geometry, leds

SMALL = Geometry(3, 2)


def shown(model, lit, now=0.0):
    renderer = LedRenderer(SMALL, model)
    renderer.wish(leds(SMALL, lit))
    return renderer.frame(now)


def test_counts():
    board = Geometry(9, 10)
    assert [led_count(board, model) for model in ("none", "point", "edge", "corner")] == [0, 90, 19, 110]


def test_point_leds_show_the_wish():
    assert shown("point", {0: "X", 5: "l"}) == "X....l"


def test_no_leds_show_nothing():
    assert shown("none", {0: "X"}) == ""


def test_edge_leds_show_column_and_row():
    assert shown("edge", {4: "L"}) == ".L." + ".L"


def test_edge_leds_take_turns_the_most_urgent_first():
    renderer = LedRenderer(SMALL, "edge")
    renderer.wish(leds(SMALL, {0: "H", 5: "W", 2: "A"}))
    assert renderer.frame(10.0) == "..W" + ".W"
    assert renderer.next_change(10.0) == pytest.approx(10.0 + TURN)
    assert renderer.frame(10.0 + TURN) == "H.." + "H."
    assert renderer.frame(10.0 + 2 * TURN) == "..W" + ".W", "territory has no turn"


def test_every_moment_named_is_the_next_turn():
    renderer = LedRenderer(SMALL, "edge")
    renderer.wish(leds(SMALL, {0: "X", 5: "X"}))
    now, frames = 1234.567, []
    for _ in range(100):
        frames.append(renderer.frame(now))
        later = renderer.next_change(now)
        assert later > now
        now = later
    assert all(one != other for one, other in pairwise(frames))


def test_a_single_point_does_not_change():
    renderer = LedRenderer(SMALL, "edge")
    renderer.wish(leds(SMALL, {0: "X"}))
    renderer.frame(1.0)
    assert renderer.next_change(1.0) == math.inf


def test_corner_leds_are_the_four_around():
    assert shown("corner", {0: "X"}) == "XX.." + "XX.." + "...."
    assert shown("corner", {5: "X"}) == "...." + "..XX" + "..XX"


def test_the_more_urgent_one_wins_a_shared_corner():
    assert shown("corner", {0: "H", 1: "W"}) == "HWW." + "HWW." + "...."
    assert more_urgent("h", "W") == "W"
    assert more_urgent(".", "h") == "h"


@pytest.mark.parametrize("text", ["Z.....", "X....", "X......", "1....."])
def test_wrong_leds(text):
    with pytest.raises(ValueError):
        check_leds(text, SMALL)


@pytest.mark.parametrize("lit", [{6: "X"}, {-1: "X"}, {0: "?"}])
def test_leds_for_points_that_are_not_there(lit):
    with pytest.raises(ValueError):
        leds(SMALL, lit)
