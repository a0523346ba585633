"""Sensors that flicker, come and go, are broken, or left out; and the hand's."""

import at_xiangqi_board as xiangqi
import pytest
from at_go_board import at_board, moves, play_for, point

from engines.go.points import BLACK, WHITE
from protocols.sensor.reading import Reading
from protocols.sensor.tracker.arbiter import Arbiter
from protocols.sensor.tracker.events import Asked, Discrepancy, Executed, Moved, Ruled, Sensor, TakenBack
from protocols.sensor.tracker.policy import FINAL, Timing

CLIENT = {"timing": Timing(settle=0.6), "policy": FINAL}


def flicker(desk, name, thing, rate, seconds):
    """Something comes and goes on an empty point, so many times a second."""
    end = desk.now + seconds
    while desk.now < end:
        desk.put(name, thing, 0.5 / rate)
        desk.put(name, ".", 0.5 / rate)


def sensors(desk):
    return [event.kind for event in desk.take(Sensor)]


@pytest.mark.parametrize("rate", [1.0, 3.0, 4.5, 7.0, 12.0])
def test_flickering_point_makes_no_move_is_named_and_lit_and_holds_nothing_up(sensing, rate):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,), **CLIENT)
    flicker(desk, "A1", "X", rate, 4.9)
    told = desk.take(Sensor, Moved)
    assert told[0].kind == "restless" and "A1" in told[0].text and desk.lit() == {"A1": "W"}
    desk.put("G6", "X")
    flicker(desk, "A1", "X", rate, 1.5)
    assert moves(desk) == [(BLACK, "G6")]


def test_flickering_point_is_read_again_when_it_is_still(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    flicker(desk, "A5", "X", 4.0, 3.0)
    desk.put("A5", "X", 5.0)
    assert "calm" in sensors(desk) and desk.tracker.plies == 3


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.6])
def test_what_came_and_went_before_it_was_wanted_is_not_believed_when_it_comes_again(sensing, rate):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,), **CLIENT)
    desk.tracker.ask_for(None, desk.now)
    flicker(desk, "A5", "X", rate, 2 / rate)
    assert desk.take(Sensor, Discrepancy)
    desk.tracker.ask_for(BLACK, desk.now)
    flicker(desk, "A5", "X", rate, 3 / rate)
    assert desk.take(Moved) == []


def test_stone_tried_out_and_then_played_counts_after_a_while(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,), **CLIENT)
    desk.put("E3", "X", 0.5)
    desk.lift("E3", 1.0)
    desk.put("E3", "X", 1.4)
    assert moves(desk) == []
    desk.wait(0.2)
    assert moves(desk) == [(BLACK, "E3")]


def test_yes_believes_at_once_what_has_come_and_gone(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,), **CLIENT)
    desk.tracker.ask_for(None, desk.now)
    flicker(desk, "E3", "X", 0.25, 4.0)
    desk.tracker.ask_for(BLACK, desk.now)
    desk.put("E3", "X", 1.0)
    assert moves(desk) == []
    desk.hear(desk.tracker.press("yes", desk.now))
    assert moves(desk) == [(BLACK, "E3")]


def test_weak_magnet_under_the_last_stone_takes_nothing_back_twice(sensing):
    desk = at_board(sensing, "D4", "E5", "F6")
    for _ in range(3):
        desk.lift("F6", 1.9)
        desk.put("F6", "X", 1.0)
    desk.lift("F6", 3.0)
    assert desk.take(TakenBack) == []


def coming_and_going(desk, name, thing, *lengths):
    """Something shows for so long, is gone for so long, and so on."""
    for number, length in enumerate(lengths):
        desk.put(name, "." if number % 2 else thing, length)


@pytest.mark.parametrize(
    "lengths",
    [
        (0.07, 0.39, 1.0, 0.5),  # what a board that settles its points told of 6.5 Hz
        (0.2, 0.7, 1.4, 0.3, 2.4, 0.3),  # and of 8 Hz
        (0.3, 0.2, 0.5, 0.1, 1.3, 0.3, 2.4, 0.2),
    ],
)
def test_what_comes_and_goes_must_stand_longer_the_more_often_it_did(sensing, lengths):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,), **CLIENT)
    coming_and_going(desk, "A5", "X", *lengths)
    assert desk.take(Moved) == []
    desk.put("G6", "X", 1.0)
    assert moves(desk) == [(BLACK, "G6")]


def test_stone_that_wobbled_when_it_was_set_down_is_no_slower(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,), **CLIENT)
    coming_and_going(desk, "E3", "X", 0.15, 0.12, 0.65)
    assert moves(desk) == [(BLACK, "E3")]


def test_stone_that_keeps_coming_must_stand_longer_than_its_period(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,), **CLIENT)
    desk.tracker.ask_for(None, desk.now)
    coming_and_going(desk, "A5", "X", 0.3, 6.0, 0.3, 6.0)
    desk.tracker.ask_for(BLACK, desk.now)
    desk.put("A5", "X", 6.0)
    assert desk.take(Moved) == []


def test_stone_that_goes_again_soon_after_it_was_played_is_taken_back_and_named(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    coming_and_going(desk, "A5", "X", 1.7, 2.2)
    assert [event.plies for event in desk.events if isinstance(event, TakenBack)] == [2]
    (told,) = desk.take(Sensor)
    assert told.kind == "fleeting" and "ignore A5" in told.text and desk.tracker.plies == 2
    desk.put("A5", "X", 1.7)
    assert desk.take(Moved) == []  # nor is it played again at once


def test_nobody_loses_by_a_stone_that_came_and_went():
    desk = at_board("pol", "D4", "E5", humans=(BLACK,), arbiter=Arbiter("go", "strict"), **CLIENT)
    coming_and_going(desk, "A5", "X", 0.8, 0.1)
    desk.put("G6", "X", 1.8)
    desk.put("A5", "X", 5.0)
    assert desk.tracker.discrepancy.kind == "turn" and desk.take(Ruled) == []


@pytest.mark.parametrize("rate", [0.12, 0.15, 0.2, 0.23, 0.3, 0.4])
@pytest.mark.parametrize("kind", ["occ", "pol", "id"])
def test_piece_that_drops_out_while_somebody_thinks_is_told_of_within_five_seconds(kind, rate):
    desk = xiangqi.at_board(kind, humans=(0,), **CLIENT)
    end = desk.now + 5.0
    while desk.now < end:
        for thing in ".P":
            desk.put("e3", thing, min(0.5 / rate, max(0.0, end - desk.now)))
    told = desk.take(Sensor, Discrepancy)
    assert told and "ignore e3" in told[0].text


def test_piece_lifted_for_a_moment_before_its_move_is_not_told_of():
    desk = xiangqi.at_board("pol", humans=(0,))
    desk.put("h2", ".", 0.8)
    desk.put("h2", "C", 0.5)
    desk.move("h2", "e2", wait=6.0)
    assert desk.take(Sensor) == []


# --- left out


def test_dead_sensor_is_left_out_and_the_move_there_is_typed(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    desk.hear(desk.tracker.ignore([point("E3")], desk.now))
    assert sensors(desk) == ["ignored"]
    desk.hear(desk.tracker.enter(point("E3"), desk.now))
    play_for(desk, "G6")
    assert moves(desk) == [(BLACK, "E3")]
    desk.put("G6", "O", 1.0)
    desk.put("G4", "X", 1.0)
    assert moves(desk) == [(BLACK, "G4")]


def test_move_on_an_unread_point_by_the_key_yes(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    desk.hear(desk.tracker.ignore([point("E3")], desk.now))
    desk.hear(desk.tracker.press("yes", desk.now))
    (asked,) = desk.take(Asked)
    assert "E3" in asked.text
    desk.hear(desk.tracker.press("yes", desk.now))
    assert moves(desk) == [(BLACK, "E3")]


def test_answer_on_a_dead_point_stays_lit_until_the_next_move(sensing):
    desk = at_board(sensing, "D4", humans=(BLACK,))
    desk.hear(desk.tracker.ignore([point("E5")], desk.now))
    play_for(desk, "E5")
    desk.wait(10.0)
    assert desk.lit() == {"E5": "O"} and desk.take(Executed) == []
    desk.put("G4", "X", 1.0)
    assert moves(desk) == [(BLACK, "G4")] and desk.lit() == {}


def test_stone_whose_sensor_dies_is_told_of_and_left_out_by_yes_twice(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    desk.lift("E5", 5.0)
    (discrepancy,) = desk.take(Discrepancy)
    assert "ignore E5" in discrepancy.text
    for _ in range(2):
        desk.hear(desk.tracker.press("yes", desk.now))
    assert (desk.tracker.ignored == {point("E5")} and desk.tracker.discrepancy is None) or desk.wait(1.0) is None
    desk.put("G4", "X", 1.0)
    assert moves(desk) == [(BLACK, "G4")]


def test_point_is_heeded_again(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    desk.hear(desk.tracker.ignore([point("E3")], desk.now))
    desk.put("E3", "X", 5.0)
    assert moves(desk) == []
    desk.hear(desk.tracker.ignore([point("E3")], desk.now, False))
    desk.wait(1.0)
    assert moves(desk) == [(BLACK, "E3")]


def test_left_out_points_turn_with_the_board(sensing):
    desk = at_board(sensing, "D4", "E5")
    tracker = desk.tracker
    tracker.ignore([point("E3")], desk.now)
    outside = tracker.outside(point("E3"))
    tracker.turn_round(desk.now)
    assert {tracker.outside(p) for p in tracker.ignored} == {outside}


@pytest.mark.parametrize(
    "change,text",
    [
        (lambda tracker: setattr(tracker, "over", True), "over"),
        (lambda tracker: setattr(tracker, "awaiting", False), "turn"),
        (lambda tracker: tracker.begin_setup(0.0), "now"),
    ],
)
def test_typed_move_is_refused_with_a_reason_and_changes_nothing(change, text):
    desk = at_board("pol", "D4", "E5", humans=(BLACK,))
    change(desk.tracker)
    with pytest.raises(ValueError, match=text):
        desk.tracker.enter(point("E3"), desk.now)
    assert desk.tracker.plies == 2


def test_typed_move_must_be_legal():
    desk = at_board("pol", "D4", "E5")
    with pytest.raises(ValueError, match="D4 is forbidden"):
        desk.tracker.enter(point("D4"), desk.now)


def test_typed_move_waits_lit_until_the_board_shows_it(sensing):
    desk = at_board(sensing, "D4", "E5")
    desk.hear(desk.tracker.enter(point("G4"), desk.now))
    assert desk.lit() == {"G4": "X"}
    desk.put("G4", "X", 1.0)
    assert [type(e) for e in desk.take(Executed)] == [Executed] and desk.lit() == {}
    desk.put("C6", "O", 1.0)
    assert moves(desk) == [(WHITE, "C6")]


# --- the hand


def test_hand_that_does_not_leave_is_told_of_and_in_the_end_not_waited_for(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    desk.hear(desk.tracker.read(Reading(desk.scene.text(), desk.now, desk.now, hand=True)))
    desk.put("E3", "X", 5.0)
    (told,) = desk.take(Sensor, Moved)
    assert told.kind == "hand" and "ignore hand" in told.text
    desk.wait(16.0)
    assert moves(desk) == [(BLACK, "E3")]


def test_hand_sensor_is_left_out(sensing):
    desk = at_board(sensing, "D4", "E5", humans=(BLACK,))
    desk.hear(desk.tracker.ignore_hand(desk.now))
    desk.hear(desk.tracker.read(Reading(desk.scene.text(), desk.now, desk.now, hand=True)))
    desk.put("E3", "X", 1.0)
    assert moves(desk) == [(BLACK, "E3")]


# --- Xiangqi


@pytest.mark.parametrize("kind", ["occ", "pol", "id"])
def test_piece_that_goes_by_itself_was_not_touched(kind):
    desk = xiangqi.at_board(kind, arbiter=Arbiter("xiangqi", "strict"))
    for _ in range(3):
        desk.put("e3", ".", 0.8)
        desk.put("e3", "P", 0.8)
    desk.move("h2", "e2", wait=2.0)
    assert xiangqi.moves(desk) == ["h2e2"] and desk.take(Ruled) == []


@pytest.mark.parametrize("kind", ["occ", "pol", "id"])
def test_piece_from_a_dead_point_is_seen_where_it_comes(kind):
    desk = xiangqi.at_board(kind, humans=(0,))
    desk.hear(desk.tracker.ignore([xiangqi.square("h2")], desk.now))
    desk.put("h2", ".", 0.4)
    desk.put("e2", "C", 1.5)
    assert xiangqi.moves(desk) == ["h2e2"]


@pytest.mark.parametrize("kind", ["occ", "pol", "id"])
def test_piece_that_went_to_a_dead_point_is_asked_about(kind):
    desk = xiangqi.at_board(kind, humans=(0,))
    desk.hear(desk.tracker.ignore([xiangqi.square("e2")], desk.now))
    desk.lift("h2", 5.0)
    (discrepancy,) = desk.take(Discrepancy)
    assert discrepancy.kind == "unclear" and "e2" in discrepancy.text
    for _ in range(2):
        desk.hear(desk.tracker.press("yes", desk.now))
    assert xiangqi.moves(desk) == ["h2e2"]
