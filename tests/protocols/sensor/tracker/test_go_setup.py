"""Positions at a Go board that no moves made: handicap, moves undone elsewhere, stones set up by hand."""

import pytest
from at_go_board import at_board, moves, point

from engines.go.game import Game
from engines.go.points import BLACK, WHITE
from protocols.sensor.tracker.events import Cleared, Moved


def test_handicap_is_set_up_with_guidance(sensing):
    desk = at_board(sensing, humans=(BLACK,))
    game = Game(9)
    game.place_handicap([point("C3"), point("G7")])
    desk.hear(desk.tracker.follow(game, desk.now))
    desk.wait(1)
    assert [event.kind for event in desk.take()] == ["setup"]
    assert set(desk.lit()) <= {"C3", "G7"} and len(desk.lit()) == 1
    desk.put("C3", "X", 1.0)
    desk.put("G7", "X", 1.0)
    assert [type(event) for event in desk.take()][-1] is Cleared
    assert desk.tracker.discrepancy is None and desk.tracker.plies == 0


def test_undone_moves_are_asked_off_at_once(sensing):
    desk = at_board(sensing, "D4", "E5", "F6", humans=(BLACK,))
    game = desk.tracker.rules.game.copy()
    game.undo()
    game.undo()
    desk.hear(desk.tracker.follow(game, desk.now))
    desk.wait(0.5)
    assert [event.kind for event in desk.take()] == ["setup"]
    assert len(desk.lit()) == 1
    desk.lift("F6", 5.0)
    desk.lift("E5", 0.6)
    assert desk.take(Moved) == [], "what is still to be taken off is no move"
    assert desk.tracker.discrepancy is None


def test_position_set_up_by_hand():
    desk = at_board("pol")
    desk.hear(desk.tracker.begin_setup(desk.now))
    for name in ("C3", "G7", "E5"):
        desk.put(name, "X", 2.0)
    desk.take()
    (setup,) = desk.tracker.press("setup", desk.now)
    assert setup.to_move == WHITE and setup.points.count(BLACK) == 3


@pytest.mark.parametrize("mover", [BLACK, WHITE])
def test_mover_of_a_set_up_may_be_named(mover):
    desk = at_board("pol")
    desk.hear(desk.tracker.begin_setup(desk.now))
    desk.put("C3", "X", 2.0)
    desk.tracker.setup_mover = mover
    (setup,) = desk.tracker.press("setup", desk.now)
    assert setup.to_move == mover
    desk.hear(desk.tracker.begin_setup(desk.now))
    assert desk.tracker.setup_mover is None


def test_other_board_size_is_refused(sensing):
    desk = at_board(sensing)
    with pytest.raises(ValueError, match="9x9"):
        desk.tracker.follow(Game(19), desk.now)


def test_set_up_can_be_left_with_the_game_as_it_was(sensing):
    desk = at_board(sensing, "D4")
    desk.hear(desk.tracker.press("setup", desk.now))
    desk.put("C3", "X", 3.0)
    desk.hear(desk.tracker.press("no", desk.now))
    desk.wait(1.0)
    assert desk.take(Moved) == [] and list(desk.lit()) == ["C3"]
    desk.lift("C3", 1.0)
    desk.put("E5", "O", 1.0)
    assert moves(desk) == [(WHITE, "E5")]
