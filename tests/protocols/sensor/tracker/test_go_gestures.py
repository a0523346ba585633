"""Gestures with stones at a Go board, and its keys."""

import pytest
from at_go_board import at_board, moves

from engines.go.points import BLACK, PASS
from protocols.sensor.tracker.arbiter import Arbiter
from protocols.sensor.tracker.events import Asked, Dropped, Gesture, Moved, NewGame, Ruled, TakenBack


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


@pytest.mark.parametrize("gap", [0.05, 0.25, 0.7, 1.5])
@pytest.mark.parametrize("mode", ["friendly", "strict"])
def test_no_stone_of_a_gesture_is_a_move_however_slow_the_hand(sensing, gap, mode):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,), arbiter=Arbiter("go", mode))
    for _ in range(2):
        for thing in ("X", "."):
            desk.put("A1", thing, gap)
            desk.put("B1", thing, 2.5)
    assert moves(desk) == [(BLACK, "pass")] and desk.take(Ruled) == []


def test_stone_in_a_corner_is_a_move_after_a_while(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    desk.put("C3", "X", 1.7)
    assert moves(desk) == []
    desk.wait(0.3)
    assert moves(desk) == [(BLACK, "C3")]


def test_stone_left_of_a_gesture_is_named_and_no_move(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    desk.put("A1", "X", 0.1)
    desk.put("B1", "X", 2.0)
    desk.lift("A1", 10.0)
    assert moves(desk) == [] and "B1" in desk.tracker.discrepancy.text


def test_flip_in_the_middle_of_a_game_must_be_said_twice(sensing):
    desk = at_board(sensing, "D4", "E5")
    tracker = desk.tracker
    (asked,) = tracker.press("flip", desk.now)
    desk.wait(5.0)
    assert asked.what == "flip" and not tracker.turned and tracker.plies == 2
    tracker.press("flip", desk.now)
    desk.wait(10.0)
    assert tracker.plies == 2 and desk.take(Moved, TakenBack, NewGame) == []


@pytest.mark.parametrize("key", ["hint", "menu"])
def test_keys_that_ask_for_words_are_passed_on(key):
    desk = at_board("pol", "D4", "E5")
    assert [event.what for event in desk.tracker.press(key, desk.now)] == [key]
