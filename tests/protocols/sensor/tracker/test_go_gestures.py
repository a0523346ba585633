"""Gestures with stones at a Go board, and its keys."""

from at_go_board import at_board, moves

from engines.go.points import BLACK, PASS
from protocols.sensor.tracker.events import Asked, Dropped, Gesture, Moved


def test_two_stones_in_the_right_corner_twice_resign():
    desk = at_board("pol", "D4", "E5", humans=(BLACK,))
    for _ in range(2):
        desk.put("J1", "X", 0.2)
        desk.put("H1", "X", 2.0)
        desk.lift("J1", 0.2)
        desk.lift("H1", 1.0)
    asked, gesture = desk.take(Asked, Gesture, Moved)
    assert isinstance(asked, Asked) and (gesture.what, gesture.color) == ("resign", BLACK)


def test_gesture_made_once_lapses(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    desk.put("J1", "X", 0.1)
    desk.put("H1", "X", 2.0)
    desk.lift("J1", 0.1)
    desk.lift("H1", 40.0)
    assert [type(event) for event in desk.take(Asked, Dropped, Gesture, Moved)] == [Asked, Dropped]


def test_pass_by_gesture(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    for _ in range(2):
        desk.put("A1", "X", 0.1)
        desk.put("B1", "X", 2.0)
        desk.lift("A1", 0.1)
        desk.lift("B1", 1.0)
    assert moves(desk) == [(BLACK, "pass")]


def test_keys(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    tracker = desk.tracker
    assert [event.move for event in tracker.press("pass", desk.now)] == [PASS]
    (asked,) = tracker.press("resign", desk.now)
    assert isinstance(asked, Asked)
    assert [type(event) for event in tracker.press("no", desk.now)] == [Dropped]
    tracker.press("resign", desk.now)
    (gesture,) = tracker.press("resign", desk.now)
    assert (gesture.what, gesture.color) == ("resign", BLACK)
    assert tracker.press("unheard-of", desk.now) == []


def test_pass_key_out_of_turn_is_nothing(sensing):
    desk = at_board(sensing, "D4", humans=(BLACK,))
    assert desk.tracker.press("pass", desk.now) == []
