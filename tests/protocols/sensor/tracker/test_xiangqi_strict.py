"""The strict referee at a Xiangqi board."""

import pytest
from at_xiangqi_board import BLACK, RED, at_board, move, moves, play_for

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_name
from protocols.sensor.tracker.arbiter import Arbiter
from protocols.sensor.tracker.events import Moved, Ruled, TakenBack
from protocols.sensor.tracker.policy import FINAL, Policy


@pytest.fixture(params=["occ", "pol", "id"])
def sensing(request):
    return request.param


def strict(sensing, *moves, humans=(RED,), **settings):
    return at_board(sensing, *moves, humans=humans, **settings, arbiter=Arbiter("xiangqi", "strict"))


def test_strict_third_illegal_move_loses(sensing):
    desk = strict(sensing)
    for _ in range(3):
        desk.move("b0", "b1", wait=2.0)
        desk.move("b1", "b0", wait=1.0)
    assert [ruled.loser for ruled in desk.take(Ruled)] == [None, None, RED]


def test_strict_move_stands_once_the_hand_is_off(sensing):
    desk = strict(sensing)
    desk.move("h2", "e2", wait=1.0)
    desk.take()
    desk.move("e2", "f2", wait=2.0)
    (ruled,) = desk.take(Ruled)
    assert ruled.consequence == "warning" and move_name(desk.tracker.rules.board.history[0]) == "h2e2"


@pytest.mark.parametrize("policy", [Policy(), FINAL])
def test_strict_move_cannot_be_put_back(sensing, policy):
    desk = strict(sensing, policy=policy)
    desk.move("b0", "c2", wait=1.0)
    desk.take()
    desk.move("c2", "b0", wait=10.0)
    ruled, discrepancy = desk.take()
    assert (ruled.consequence, ruled.warnings, ruled.color) == ("warning", 1, RED)
    assert discrepancy.kind == "final" and discrepancy.remedies[0].text == "back to b0c2" and desk.tracker.plies == 1
    desk.move("b0", "c2", wait=1.0)
    assert desk.tracker.discrepancy is None and desk.take(Moved, Ruled) == []


def test_strict_move_stands_however_often_it_is_changed(sensing):
    desk = strict(sensing)
    desk.move("b0", "c2", wait=1.0)
    desk.move("c2", "b0", wait=0.5)
    desk.move("h2", "e2", wait=2.0)
    desk.move("e2", "f2", wait=2.0)
    assert [ruled.warnings for ruled in desk.take(Ruled)] == [1], "it is one thing that is wrong, until it is put right"
    assert [move_name(played) for played in desk.tracker.rules.board.history] == ["b0c2"]


@pytest.mark.parametrize("humans", [(RED,), (RED, BLACK)])
def test_strict_piece_that_is_to_be_taken_may_be_lifted_first(sensing, humans):
    """Also where the one who moved there could have taken something instead, and where the hand takes its time."""
    desk = strict(sensing, humans=humans, fen="3rk4/9/9/p3p4/9/9/R8/9/9/4K4 w - - 0 1")
    desk.move("a3", "d3", wait=1.0)
    if humans == (RED,):
        play_for(desk, "d9d3")
        desk.wait(0.5)
    desk.take()
    desk.lift("d3", wait=3.0)
    assert desk.take(Ruled) == []
    desk.move("d9", "d3", wait=1.0)
    assert desk.tracker.executed == desk.tracker.plies == 2 and desk.take(Ruled) == []
    assert move_name(desk.tracker.rules.board.history[1]) == "d9d3"


def test_strict_moves_are_not_taken_back_on_the_board(sensing):
    desk = strict(sensing, "h2e2", "h9g7", "b0c2", "b9c7")
    desk.move("c7", "b9", wait=0.5)
    desk.move("c2", "b0", wait=20.0)
    assert desk.take(TakenBack) == [] and desk.tracker.plies == 4


def test_strict_touched_piece_must_move(sensing):
    desk = strict(sensing)
    thing = desk.lift("h0", 1.0)
    desk.put("h0", thing, 1.0)
    desk.move("b0", "c2", wait=1.5)
    (ruled,) = desk.take(Ruled)
    assert ruled.warnings == 1 and desk.tracker.plies == 0
    desk.move("c2", "b0", wait=1.0)
    desk.move("h0", "g2", wait=3.0)
    assert moves(desk) == ["h0g2"]


def test_friendly_touching_is_nothing(sensing):
    desk = at_board(sensing, humans=(RED,))
    thing = desk.lift("h0", 1.0)
    desk.put("h0", thing, 1.0)
    desk.move("b0", "c2", wait=1.5)
    assert moves(desk) == ["b0c2"] and desk.take(Ruled) == []


def test_strict_putting_a_position_up_touches_nothing(sensing):
    desk = strict(sensing)
    other = desk.lift("a0", 0.2)
    desk.tracker.guide_until_right()
    desk.put("h0", desk.lift("h0", 1.0), 0.2)
    desk.put("a0", other, 1.0)
    desk.move("b0", "c2", wait=1.5)
    assert moves(desk) == ["b0c2"] and desk.take(Ruled) == []


def violate(desk, times=3):
    for _ in range(times):
        desk.move("b0", "b1", wait=2.0)
        desk.move("b1", "b0", wait=1.0)
    desk.take()


def follow(desk, *moves):
    board = Board()
    for text in moves:
        board.play(move(text))
    desk.hear(desk.tracker.follow(board, desk.now))


def test_strict_loss_ends_with_its_game(sensing):
    desk = strict(sensing)
    violate(desk)
    assert desk.tracker.over and desk.tracker.arbiter.lost == {RED}
    follow(desk)
    assert not desk.tracker.over and desk.tracker.arbiter.warnings == {}
    desk.move("b0", "c2", wait=1.5)
    assert moves(desk) == ["b0c2"]


def test_strict_violations_end_with_their_game(sensing):
    desk = strict(sensing, "h2e2", "h9g7")
    violate(desk, 2)
    follow(desk, "h2e2", "h9g7", "b0c2")
    assert desk.tracker.arbiter.warnings == {RED: 2}, "the same game goes on"
    follow(desk, "h2e2", "b9c7")
    assert desk.tracker.arbiter.warnings == {RED: 2}, "moves were taken back"
    follow(desk, "b2e2")
    assert desk.tracker.arbiter.warnings == {}
    violate(desk, 2)
    desk.hear(desk.tracker.new_game(desk.now))
    assert desk.tracker.arbiter.warnings == {}


def test_strict_loss_that_was_taken_back_is_forgotten(sensing):
    desk = strict(sensing, "h2e2", "h9g7")
    violate(desk)
    follow(desk, "h2e2")
    assert not desk.tracker.over and desk.tracker.arbiter.warnings == {}
