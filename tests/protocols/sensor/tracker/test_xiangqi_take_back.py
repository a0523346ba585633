"""Taking back at a Xiangqi board, a new game, the board turned round, positions set up by hand."""

import pytest
from at_xiangqi_board import RED, at_board, moves

from protocols.sensor.tracker.events import Discrepancy, NewGame, TakenBack, Turned
from protocols.sensor.tracker.policy import FINAL


@pytest.fixture(params=["occ", "pol", "id"])
def sensing(request):
    return request.param


def test_take_back_while_the_answer_is_thought_about(sensing):
    desk = at_board(sensing, "h2e2", "h9g7", "b0c2", humans=(RED,))
    desk.move("c2", "b0", wait=1.0)
    assert desk.take(TakenBack) == []
    desk.wait(2.0)
    assert [event.plies for event in desk.take(TakenBack)] == [2]


def test_take_back_of_answer_and_move(sensing):
    desk = at_board(sensing, "h2e2", "h9g7", "b0c2", "b9c7", humans=(RED,))
    desk.move("c7", "b9", wait=0.5)
    desk.move("c2", "b0", wait=3.0)
    assert [event.plies for event in desk.take(TakenBack)] == [2]


def test_take_back_of_two_moves_that_looks_like_a_push(sensing):
    """By occupancy, a piece set back as its neighbour goes may have been pushed there: told first, then believed."""
    desk = at_board(sensing, "e3e4", "e6e5", humans=(RED,))
    desk.move("e5", "e6", wait=0.3)
    desk.lift("e4", 0.03)
    desk.put("e3", "P", 16.0)
    assert [event.plies for event in desk.take(TakenBack)] == [0]


def test_no_take_back_where_it_is_not_allowed(sensing):
    desk = at_board(sensing, "h2e2", "h9g7", "b0c2", humans=(RED,), policy=FINAL)
    desk.move("c2", "b0", wait=30.0)
    assert {type(event) for event in desk.take()} == {Discrepancy} and desk.tracker.plies == 3


def test_mate_taken_back_goes_on(sensing):
    desk = at_board(sensing, "b0b9", fen="3k5/R8/9/9/9/9/9/9/9/1R2K4 w")
    desk.hear(desk.tracker.end(desk.now))
    desk.move("b9", "b0", wait=2.5)
    assert [event.plies for event in desk.take(TakenBack)] == [0]
    desk.move("b0", "b8", wait=1.5)
    assert moves(desk) == ["b0b8"]


def put_up_start(desk, *back, wait=2.6):
    """Put pieces back to where the game began, and leave it so."""
    for text in back:
        desk.move(text[:2], text[2:], wait=0.1)
    desk.wait(wait)


@pytest.mark.parametrize("over", [False, True])
def test_start_position_is_a_new_game(sensing, over):
    desk = at_board(sensing, "h2e2", "h9g7", "b0c2", "b9c7")
    if over:
        desk.hear(desk.tracker.end(desk.now))
    put_up_start(desk, "c7b9", "c2b0", "g7h9", "e2h2")
    assert [type(event) for event in desk.take(NewGame, TakenBack)] == [NewGame]
    assert desk.tracker.plies == 4, "whoever keeps the game decides"


def test_start_position_after_a_move_or_two_is_a_take_back_while_the_game_goes_on(sensing):
    desk = at_board(sensing, "h2e2", "h9g7")
    put_up_start(desk, "g7h9", "e2h2")
    assert [event.plies for event in desk.take(NewGame, TakenBack)] == [0]
    desk = at_board(sensing, "h2e2", "h9g7")
    desk.hear(desk.tracker.end(desk.now))
    put_up_start(desk, "g7h9", "e2h2")
    assert [type(event) for event in desk.take(NewGame, TakenBack)] == [NewGame]


def test_start_position_that_came_again_is_taken_back_to(sensing):
    desk = at_board(sensing, "b0c2", "b9c7", "c2b0", "c7b9", "h0g2", "h9g7")
    put_up_start(desk, "g7h9", "g2h0")
    assert [event.plies for event in desk.take(NewGame, TakenBack)] == [4]


def test_start_position_that_stands_when_the_game_ends_is_a_new_game(sensing):
    desk = at_board(sensing, "h2e2", "h9g7", "b0c2", "b9c7")
    put_up_start(desk, "c7b9", "c2b0", "g7h9", "e2h2")
    desk.take()
    desk.hear(desk.tracker.end(desk.now))
    assert [type(event) for event in desk.take()] == [NewGame]


def test_game_that_ends_in_the_start_position_is_no_new_game(sensing):
    desk = at_board(sensing, "b0c2", "b9c7", "c2b0", "c7b9")
    desk.hear(desk.tracker.end(desk.now))
    desk.wait(10.0)
    assert desk.take() == []


@pytest.mark.parametrize("sensing", ["pol", "id"])
def test_start_position_from_the_other_side_turns_the_board(sensing):
    desk = at_board(sensing, turned_things=True)
    desk.wait(4.0)
    assert [type(event) for event in desk.take(Turned)] == [Turned] and desk.tracker.turned
    # b0 lies where the board itself has h9.
    desk.move("h9", "g7", wait=1.0)
    assert moves(desk) == ["b0c2"]


def test_position_set_up_by_hand():
    desk = at_board("id")
    desk.hear(desk.tracker.begin_setup(desk.now))
    desk.lift("a0", 1.0)
    desk.take()
    (setup,) = desk.tracker.press("setup", desk.now)
    assert setup.to_move == RED and setup.points[0] == 0


def test_set_up_can_be_left_with_the_game_as_it_was():
    desk = at_board("id", "h2e2")
    desk.hear(desk.tracker.press("setup", desk.now))
    desk.move("b9", "c7", wait=2.0)
    desk.lift("e9", 1.0)
    (event,) = desk.take()
    assert "no leaves" in event.text
    desk.hear(desk.tracker.press("no", desk.now))
    desk.wait(1.0)
    assert desk.take(Discrepancy)[-1].kind == "setup" and desk.lit()
    desk.put("e9", "k", 0.2)
    desk.move("c7", "b9", wait=1.0)
    assert moves(desk) == [] and desk.tracker.discrepancy is None and desk.lit() == {}
    desk.move("b9", "c7", wait=1.5)
    assert moves(desk) == ["b9c7"]


def test_set_up_that_was_left_after_the_end_is_no_hindrance_to_a_new_game():
    desk = at_board("id", "h2e2", "h9g7")
    desk.hear(desk.tracker.end(desk.now) + desk.tracker.press("setup", desk.now) + desk.tracker.press("no", desk.now))
    put_up_start(desk, "g7h9", "e2h2")
    assert [type(event) for event in desk.take(NewGame)] == [NewGame]


@pytest.mark.parametrize("sensing", ["occ", "pol"])
def test_set_up_is_refused_at_once_where_pieces_are_not_known(sensing):
    desk = at_board(sensing)
    (refused,) = desk.tracker.press("setup", desk.now)
    assert "knows its pieces" in refused.text
    desk.move("b0", "c2", wait=1.5)
    assert moves(desk) == ["b0c2"]


def test_impossible_set_up_is_refused_with_its_reason():
    desk = at_board("id")
    desk.hear(desk.tracker.begin_setup(desk.now))
    desk.lift("e0", 1.0)
    desk.take()
    (discrepancy,) = desk.tracker.press("setup", desk.now)
    assert "general" in discrepancy.text
    desk.put("e0", "K", 1.0)
    assert [event.to_move for event in desk.tracker.press("setup", desk.now)] == [RED]
