"""The order of inference at a Xiangqi board, step by step, by occupancy, colour and identity."""

import pytest
from at_board import AtBoard
from at_xiangqi_board import BLACK, RED, START, at_board, move, moves, play_for, square

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_name
from protocols.sensor.tracker.events import Asked, Cleared, Discrepancy, Executed, Gesture, Moved, Replaced
from protocols.sensor.tracker.games import make_tracker
from protocols.sensor.tracker.policy import FINAL


@pytest.fixture(params=["occ", "pol", "id"])
def sensing(request):
    return request.param


# --- positions and moves


def test_nothing_happens_while_nothing_happens(sensing):
    desk = at_board(sensing, "h2e2", "h9g7")
    desk.wait(60)
    assert desk.take() == []


def test_a_piece_lifted_and_put_back_is_nothing(sensing):
    desk = at_board(sensing)
    for name in ("h2", "a9", "e0"):
        thing = desk.lift(name, 2.0)
        desk.put(name, thing, 5.0)
    assert desk.take() == []


def test_a_move_is_dated_when_the_hand_was_done(sensing):
    desk = at_board(sensing)
    desk.move("b0", "c2", wait=1.0)
    (event,) = desk.take()
    assert (event.ply, event.color, move_name(event.move)) == (0, RED, "b0c2")
    assert event.at == pytest.approx(desk.now - 1.0, abs=0.001)


def test_piece_in_the_hand_is_told_late(sensing):
    desk = at_board(sensing, "h2e2", "h9g7")
    desk.lift("a0", 4.0)
    assert desk.take() == []
    desk.wait(10.0)
    assert [event.kind for event in desk.take()] == ["lifted"]
    desk.put("a0", "R", 1.0)
    assert [type(event) for event in desk.take()] == [Cleared]


def test_alternating_moves(sensing):
    desk = at_board(sensing)
    for origin, target in (("h2", "e2"), ("h9", "g7"), ("h0", "g2"), ("i9", "h9")):
        desk.move(origin, target, wait=1.5)
    assert moves(desk) == ["h2e2", "h9g7", "h0g2", "i9h9"]


# --- slides


def test_a_slide_is_not_taken_for_its_first_stop(sensing):
    desk = at_board(sensing, "h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7")
    here = "h0"
    for stop in ("h1", "h2", "h3"):
        desk.move(here, stop, carry=0.05, wait=0.5)  # longer than any move is given that cannot go on
        assert desk.take() == []
        here = stop
    desk.wait(1.0)
    assert moves(desk) == ["h0h3"]


def test_a_piece_that_cannot_go_on_needs_no_longer_than_others(sensing):
    desk = at_board(sensing)
    desk.move("b0", "c2", wait=0.4)
    assert moves(desk) == ["b0c2"]
    desk.move("a6", "a5", wait=0.4)
    assert moves(desk) == ["a6a5"]


def test_slide_that_rested_too_long_is_second_thoughts(sensing):
    desk = at_board(sensing, "h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", humans=(RED,))
    desk.move("h0", "h2", carry=0.05, wait=1.0)
    desk.move("h2", "h6", carry=0.05, wait=2.0)
    moved, replaced = desk.take()
    assert move_name(moved.move) == "h0h2" and isinstance(replaced, Replaced)
    assert (replaced.ply, move_name(replaced.move)) == (6, "h0h6")
    assert move_name(desk.tracker.rules.board.history[-1]) == "h0h6"


# --- captures in any order of hands

TAKES = ("h2e2", "h9g7")  # now e2 takes e6


def test_capture_own_piece_first(sensing):
    desk = at_board(sensing, *TAKES)
    thing = desk.lift("e2", 0.4)
    desk.lift("e6", 0.4)
    desk.put("e6", thing, 1.5)
    assert moves(desk) == ["e2e6"]


def test_capture_enemy_piece_first(sensing):
    desk = at_board(sensing, *TAKES)
    desk.lift("e6", 0.4)
    thing = desk.lift("e2", 0.4)
    desk.put("e6", thing, 1.5)
    assert moves(desk) == ["e2e6"]


def test_capture_with_the_enemy_piece_long_off_the_board(sensing):
    desk = at_board(sensing, *TAKES)
    desk.lift("e6", 4.0)
    assert desk.take() == []
    desk.move("e2", "e6", wait=1.5)
    assert moves(desk) == ["e2e6"]


def test_pushed_capture_is_seen_by_colour_and_asked_about_by_occupancy(sensing):
    desk = at_board(sensing, *TAKES)
    thing = desk.lift("e2", 0.4)
    desk.put("e6", thing, 2.0)
    if sensing != "occ":
        assert moves(desk) == ["e2e6"]
        return
    assert desk.take() == []
    desk.wait(3.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "capture" and discrepancy.asked == (square("e6"),) and "e6" in discrepancy.text
    assert desk.lit() == {"e6": "h"}
    thing = desk.lift("e6", 0.4)
    desk.put("e6", thing, 3.0)
    assert moves(desk) == ["e2e6"]


def test_question_denied_by_putting_the_piece_back():
    desk = at_board("occ", *TAKES)
    thing = desk.lift("e2", 5.0)
    assert [event.kind for event in desk.take()] == ["capture"]
    desk.put("e2", thing, 1.0)
    assert [type(event) for event in desk.take()] == [Cleared]


def test_two_lifted_enemies_are_asked_about_by_occupancy():
    # The chariot on h0 can take either horse or the cannon above it, in two directions.
    fen = "4k4/9/9/9/9/9/9/4p2n1/9/2n1K2R1 w"
    desk = at_board("occ", fen=fen)
    thing = desk.lift("h2", 0.5)
    desk.put("h2", thing, 0.2)
    desk.lift("h0", 0.5)
    desk.wait(6)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "capture" and discrepancy.asked == (square("h2"),)


def test_flicker_of_an_enemy_piece_is_no_capture():
    desk = at_board("occ", *TAKES)
    desk.lift("e2", 0.5)
    desk.lift("e6", 0.1)
    desk.put("e6", "p", 3.0)
    assert desk.take(Moved) == []


# --- moves from elsewhere


def test_answer_is_lit_and_executed(sensing):
    desk = at_board(sensing, "h2e2", humans=(RED,))
    play_for(desk, "h9g7")
    assert desk.lit() == {"h9": "l", "g7": "O"}
    desk.move("h9", "g7", wait=1.0)
    assert [event.plies for event in desk.take(Executed)] == [2]
    assert desk.lit() == {}


def test_answer_that_takes_lights_the_taken_piece_first(sensing):
    desk = at_board(sensing, *TAKES, humans=(BLACK,))
    play_for(desk, "e2e6")
    assert desk.lit() == {"e2": "l", "e6": "L"}
    desk.lift("e6", 0.5)
    assert desk.lit() == {"e2": "l", "e6": "X"}
    desk.move("e2", "e6", wait=1.0)
    assert [event.plies for event in desk.take(Executed)] == [3]


def test_answer_that_takes_with_the_piece_in_the_hand_is_not_executed_by_occupancy():
    desk = at_board("occ", *TAKES, humans=(BLACK,))
    play_for(desk, "e2e6")
    thing = desk.lift("e2", 1.0)
    assert desk.take() == []
    desk.lift("e6", 0.4)
    desk.put("e6", thing, 1.0)
    assert [event.plies for event in desk.take(Executed)] == [3]


def test_answer_and_reply_at_once(sensing):
    desk = at_board(sensing, "h2e2", humans=(RED,))
    play_for(desk, "h9g7")
    desk.move("h9", "g7", wait=0.1)
    desk.move("b0", "c2", wait=1.0)
    executed, moved = desk.take(Executed, Moved)
    assert executed.plies == 2 and executed.at < moved.at and move_name(moved.move) == "b0c2"


def test_board_that_has_stayed_behind_is_shown_the_moves_one_by_one(sensing):
    """A client's game may have begun, or gone on, before the board was there."""
    board = Board()
    for text in ("h2e2", "b9a7", "e2e6", "a9b9"):
        board.play(move(text))
    desk = AtBoard(make_tracker("xiangqi", board, sensing, (RED, BLACK), policy=FINAL), START)
    assert desk.lit() == {"h2": "l", "e2": "X"}
    desk.move("h2", "e2", wait=1.0)
    assert desk.lit() == {"b9": "l", "a7": "O"}
    desk.move("b9", "a7", wait=1.0)
    assert desk.lit() == {"e2": "l", "e6": "L"}, "the taken piece goes first"
    desk.lift("e6", 0.4)
    desk.move("e2", "e6", wait=1.0)
    desk.move("a9", "b9", wait=1.0)
    events = desk.take()
    assert desk.lit() == {} and {type(event) for event in events} == {Executed}
    assert [event.plies for event in events] == [1, 2, 3, 4]


def test_undone_moves_name_the_pieces_although_any_of_the_colour_would_look_right(sensing):
    desk = at_board(sensing, "h2e2", "b9a7", "e2h2", "a9b9", policy=FINAL)
    undone = desk.tracker.rules.board.copy()
    for _ in range(4):
        undone.undo()
    desk.hear(desk.tracker.follow(undone, desk.now))
    desk.wait(1.0)
    (discrepancy,) = desk.take(Discrepancy)
    assert set(discrepancy.text.split("; ")) == {
        "move the black horse from a7 to b9",
        "move the black chariot from b9 to a9",
    }
    desk.move("b9", "a9", wait=1.0)
    assert desk.lit() == {"a7": "w", "b9": "O"}
    desk.move("a7", "b9", wait=1.0)
    assert desk.lit() == {} and desk.tracker.discrepancy is None


def test_answer_taken_at_once(sensing):
    # The answer takes e6's taker; the reply takes it back on the same point.
    fen = "4k4/9/4n4/9/9/4P4/9/4R4/9/4K4 b"
    desk = at_board(sensing, fen=fen, humans=(RED,))
    play_for(desk, "e7d5")
    desk.move("e7", "d5", carry=0.3, wait=0.1)
    desk.move("e4", "e5", carry=0.4, wait=1.5)
    executed, moved = desk.take(Executed, Moved)
    assert executed.plies == 1 and move_name(moved.move) == "e4e5"


def test_piece_pushed_while_the_answer_is_executed_is_no_reply(sensing):
    desk = at_board(sensing, "h2e2", humans=(RED,))
    play_for(desk, "h9g7")
    thing = desk.lift("h9", 0.3)
    desk.move("c3", "c4", carry=0.0)  # a legal move, if it were one
    desk.put("g7", thing, 2.5)
    assert desk.take(Moved) == []
    assert desk.tracker.discrepancy.kind == "order" and desk.tracker.discrepancy.asked == (square("c4"),)
    desk.move("c4", "c3", wait=1.0)
    assert [event.plies for event in desk.take(Executed)] == [2] and desk.tracker.discrepancy is None


def test_reply_set_before_the_answer_counts_once_set_again(sensing):
    desk = at_board(sensing, "h2e2", humans=(RED,))
    play_for(desk, "h9g7")
    desk.move("c3", "c4", wait=0.1)
    desk.move("h9", "g7", wait=2.5)
    assert desk.take(Moved) == []
    thing = desk.lift("c4", 0.4)
    desk.put("c4", thing, 3.0)
    assert moves(desk) == ["c3c4"]


def test_wrong_answer_is_said_soon(sensing):
    desk = at_board(sensing, "h2e2", humans=(RED,))
    play_for(desk, "h9g7")
    desk.move("b9", "c7", wait=2.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "execution" and "Black h9g7" in discrepancy.text and "b9c7" in discrepancy.text
    assert {"go on with Black h9g7", "back to before it"} <= {way.text for way in discrepancy.remedies}
    desk.move("c7", "b9", wait=1.0)
    desk.move("h9", "g7", wait=1.0)
    assert {type(event) for event in desk.take()} == {Cleared, Executed}


# --- several plies


def test_move_and_answer_at_once(sensing):
    desk = at_board(sensing)
    desk.move("h2", "e2", wait=0.15)
    desk.move("h9", "g7", wait=1.0)
    assert moves(desk) == ["h2e2", "h9g7"]


def test_capture_and_recapture_at_once(sensing):
    desk = at_board(sensing, *TAKES)
    for origin in ("e2", "g7"):
        desk.lift("e6", 0.2)
        desk.move(origin, "e6", carry=0.2, wait=0.2)
        if origin == "e2":
            break
    desk.wait(1.0)
    assert moves(desk) == ["e2e6"]


def test_two_pieces_in_two_hands_are_no_capture_and_recapture():
    # A piece of each side off the board could be a capture and its recapture far away: no evidence, no move.
    fen = "3k5/9/9/9/2b6/9/2n6/2R6/9/4K4 w"
    desk = at_board("pol", fen=fen)
    desk.lift("c3", 0.3)
    thing = desk.lift("c2", 2.0)
    assert desk.take(Moved) == []
    desk.put("c3", thing, 1.5)
    assert moves(desk) == ["c2c3"]


# --- gestures


def test_general_at_the_river_twice_resigns(sensing):
    desk = at_board(sensing, "h2e2", "h9g7", humans=(RED,))
    for _ in range(2):
        desk.move("e0", "e4", wait=2.0)
        desk.move("e4", "e0", wait=1.0)
    asked, gesture = desk.take(Asked, Gesture, Moved)
    assert asked.what == "resign" and "once more" in asked.text
    assert (gesture.what, gesture.color) == ("resign", RED)


def test_both_generals_at_the_river_offer_a_draw(sensing):
    desk = at_board(sensing, "h2e2", "h9g7", humans=(RED,))
    for _ in range(2):
        desk.move("e0", "e4", wait=0.1)
        desk.move("e9", "e5", wait=2.0)
        desk.move("e4", "e0", wait=0.1)
        desk.move("e5", "e9", wait=1.0)
    assert [(event.what, event.color) for event in desk.take(Gesture)] == [("draw", RED)]


def test_gesture_works_whatever_stands_at_the_river(sensing):
    fen = "3k5/9/9/9/9/4P4/9/9/9/4K4 w"
    desk = at_board(sensing, fen=fen, humans=(RED,))
    for _ in range(2):
        desk.move("e0", "d4", wait=2.0)
        desk.move("d4", "e0", wait=1.0)
    assert [event.what for event in desk.take(Gesture)] == ["resign"]


# --- trouble


@pytest.mark.parametrize(
    ("origin", "target", "words"),
    [("b0", "b1", "can't go"), ("a0", "a5", "can't go"), ("e0", "e2", "can't go")],
)
def test_illegal_move_is_named(sensing, origin, target, words):
    desk = at_board(sensing)
    desk.move(origin, target, wait=2.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "illegal" and words in discrepancy.text and origin + target in discrepancy.text
    desk.move(target, origin, wait=1.0)
    assert [type(event) for event in desk.take()] == [Cleared]


def test_move_out_of_turn_is_named(sensing):
    desk = at_board(sensing)
    desk.move("b9", "c7", wait=2.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "turn" and "Red" in discrepancy.text


def test_pinned_piece_may_not_move(sensing):
    fen = "4k4/9/9/4r4/9/9/9/4N4/9/4K4 w"
    desk = at_board(sensing, fen=fen)
    desk.move("e2", "d4", wait=2.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "illegal" and "general" in discrepancy.text


def test_displaced_piece_is_lit_until_it_is_back(sensing):
    desk = at_board(sensing, "h2e2", "h9g7", humans=(RED,))
    desk.move("i9", "h8", carry=0.0, wait=5.0)
    assert desk.take(Discrepancy)
    assert desk.lit() == {"h8": "w", "i9": "O"}
    desk.move("h8", "i9", wait=1.0)
    assert desk.lit() == {} and desk.tracker.discrepancy is None


def test_move_with_a_piece_knocked_over_is_kept_once_that_is_mended(sensing):
    desk = at_board(sensing, "h2e2", "h9g7", humans=(RED,))
    thing = desk.lift("b0", 0.3)
    desk.move("a9", "a8", carry=0.0)
    desk.put("c2", thing, 5.0)
    discrepancy = desk.take(Discrepancy)[-1]
    assert any(way.text == "keep b0c2" for way in discrepancy.remedies)
    desk.move("a8", "a9", wait=1.5)
    assert moves(desk) == ["b0c2"]


def test_unreadable_point_is_named(sensing):
    desk = at_board(sensing)
    desk.show(desk.tracker.stable_state[:40] + "?" + desk.tracker.stable_state[41:])
    desk.wait(6)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "unclear" and "e4" in discrepancy.text


def test_broken_sensor_never_tells_of_a_move(sensing):
    desk = at_board(sensing)
    text = list(desk.tracker.stable_state)
    text[square("c2")] = "!"
    desk.show("".join(text))
    text[square("b0")] = "."
    desk.show("".join(text))
    desk.wait(6)
    assert desk.take(Moved) == []
