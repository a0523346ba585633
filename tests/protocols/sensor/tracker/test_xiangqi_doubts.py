"""Xiangqi where little is seen: second thoughts that take, moves made while nobody looked, the other side's view."""

import pytest
from at_xiangqi_board import RED, at_board, moves, play_for, square

from protocols.sensor.reading import Reading
from protocols.sensor.tracker.events import Asked, Discrepancy, Gesture, Moved, Replaced, Turned

KINDS = ["occ", "pol", "id"]


@pytest.fixture(params=KINDS)
def sensing(request):
    return request.param


def away(desk, moved):
    """The board is away while a hand moves things."""
    tracker, scene = desk.tracker, desk.scene
    heard, scene.on_reading = scene.on_reading, lambda reading: None
    desk.hear(tracker.leave(desk.now))
    for origin, target in moved:
        desk.move(origin, target, carry=0.2, wait=0.2)
    scene.on_reading = heard
    desk.hear(tracker.read(Reading(scene.text(), desk.now, desk.now, complete=False)))
    desk.wait(3.0)


@pytest.mark.parametrize("gap", [0.2, 0.7, 1.5])
def test_second_thoughts_that_take(sensing, gap):
    desk = at_board(sensing, humans=(RED,))
    desk.move("h2", "h6", wait=0.6)
    thing = desk.lift("h6", gap)
    desk.lift("h9", gap)
    desk.put("h9", thing, 3.0)
    told = desk.take(Moved, Replaced)
    assert told[-1].move == square("h2") << 7 | square("h9") and desk.tracker.discrepancy is None


def test_second_thoughts_that_may_have_pushed_a_piece_off_are_asked_about():
    desk = at_board("occ", humans=(RED,))
    desk.move("h2", "h6", wait=1.2)
    desk.take()
    thing = desk.lift("h6", 0.5)
    desk.put("h9", thing, 4.0)
    (discrepancy,) = desk.take(Discrepancy)
    assert discrepancy.kind == "capture" and discrepancy.asked == (square("h9"),)
    desk.put("h9", desk.lift("h9", 0.4), 2.0)
    (told,) = desk.take(Replaced)
    assert told.move & 127 == square("h9")


def test_three_moves_made_while_the_board_was_away():
    # The soldier has gone on by two points, so it has moved twice; nothing else explains the board.
    desk = at_board("pol", fen="3k5/9/9/9/9/4P4/9/9/9/4K4 w")
    away(desk, [("e4", "e5"), ("d9", "d8"), ("e5", "e6")])
    assert moves(desk) == ["e4e5", "d9d8", "e5e6"]


def test_three_moves_whose_order_is_not_certain_are_not_guessed(sensing):
    desk = at_board(sensing)
    away(desk, [("a3", "a4"), ("h9", "g7"), ("i3", "i4")])
    desk.wait(5.0)
    assert moves(desk) == [] and desk.tracker.discrepancy is not None


def test_two_moves_made_while_the_board_was_away(sensing):
    desk = at_board(sensing)
    away(desk, [("h2", "e2"), ("h9", "g7")])
    assert moves(desk) == ["h2e2", "h9g7"]


def test_start_from_the_other_side_is_recognised_while_it_is_put_up():
    desk = at_board("pol", turned_things=True)
    desk.tracker.guide_until_right()
    desk.wait(3.0)
    assert [event.turned for event in desk.take(Turned)] == [True]
    assert desk.tracker.discrepancy is None and desk.tracker.stable_state == desk.tracker.rules.start_state


def test_reply_set_before_the_answer_is_believed_when_it_is_left_so(sensing):
    desk = at_board(sensing, "h2e2", humans=(RED,))
    play_for(desk, "h9g7")
    desk.move("c3", "c4", wait=0.1)
    desk.move("h9", "g7", wait=6.0)
    assert moves(desk) == [] and desk.tracker.discrepancy.kind == "order"
    desk.wait(6.0)
    assert moves(desk) == ["c3c4"]


def test_draw_gesture_with_a_slow_second_general_is_no_resignation(sensing):
    fen = "4k4/9/9/9/9/9/9/9/4A4/4K4 w"
    desk = at_board(sensing, fen=fen, humans=(RED,))
    for _ in range(2):
        desk.move("e0", "e4", carry=0.5, wait=1.4)
        desk.move("e9", "e5", carry=0.5, wait=2.5)
        desk.move("e5", "e9", carry=0.5, wait=1.4)
        desk.move("e4", "e0", carry=0.5, wait=2.0)
    told = desk.take(Asked, Gesture)
    assert isinstance(told[-1], Gesture) and [event.what for event in told if isinstance(event, Gesture)] == ["draw"]


@pytest.mark.parametrize("name,article", [("c0", "an elephant"), ("d0", "an advisor"), ("h2", "a cannon")])
def test_article_of_a_piece(name, article):
    desk = at_board("pol")
    why = desk.tracker.rules.board.why_illegal(square(name) << 7 | square("f4"))
    assert f"{article} can't go" in why
