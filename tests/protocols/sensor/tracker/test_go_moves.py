"""The order of inference at a Go board, step by step, by occupancy and by colour: moves of hands and from elsewhere."""

import pytest
from at_board import AtBoard
from at_go_board import ATARI, BOTH, at_board, game_of, moves, play_for, point

from engines.go.game import Game
from engines.go.points import BLACK, WHITE
from protocols.sensor.reading import Reading
from protocols.sensor.tracker.events import Cleared, Discrepancy, Executed, Moved
from protocols.sensor.tracker.games import make_tracker
from protocols.sensor.tracker.policy import FINAL

# --- 1: the position


def test_nothing_happens_while_nothing_happens(sensing):
    desk = at_board(sensing, "D4", "E5")
    desk.wait(60)
    assert desk.take() == []


def test_a_stone_lifted_and_put_back_is_nothing(sensing):
    desk = at_board(sensing, "D4", "E5", "C3", "D3")
    thing = desk.lift("D4", 1.5)
    desk.put("D4", thing, 10)
    assert desk.take() == []


# --- 3: moves


def test_a_stone_is_a_move_dated_when_the_hand_was_done(sensing):
    desk = at_board(sensing)
    desk.put("E5", "X", 1.0)
    (move,) = desk.take()
    assert (move.ply, move.color, move.move) == (0, BLACK, point("E5"))
    assert move.at == pytest.approx(desk.now - 1.0, abs=0.001)


def test_no_move_before_the_board_is_still(sensing):
    desk = at_board(sensing)
    desk.put("E5", "X", 0.2)
    desk.lift("E5", 0.2)
    desk.put("E6", "X", 0.2)
    assert desk.take() == []
    desk.wait(1)
    assert moves(desk) == [(BLACK, "E6")]


def test_the_clock_lever_says_that_the_move_is_meant(sensing):
    desk = at_board(sensing)
    desk.put("E5", "X", 0.05)
    desk.hear(desk.tracker.lever(desk.now))
    assert moves(desk) == [(BLACK, "E5")]


def test_a_hand_over_the_board_holds_everything_up(sensing):
    desk = at_board(sensing)
    tracker = desk.tracker

    def read(hand):
        desk.hear(tracker.read(Reading(desk.scene.text(), desk.now, desk.now, hand=hand)))

    read(True)
    desk.put("E5", "X", 3.0)
    assert desk.take() == []
    read(False)
    desk.wait(0.35)
    assert moves(desk) == [(BLACK, "E5")]


def test_alternating_moves_of_both_sides(sensing):
    desk = at_board(sensing)
    for number, name in enumerate(("D4", "E5", "C3", "G7")):
        desk.put(name, "XO"[number % 2], 1.0)
    assert moves(desk) == [(BLACK, "D4"), (WHITE, "E5"), (BLACK, "C3"), (WHITE, "G7")]


@pytest.mark.parametrize("size", [7, 13, 19])
def test_any_size(sensing, size):
    desk = at_board(sensing, size=size)
    desk.put(0, "X", 1.0)
    desk.put(size * size - 1, "O", 1.0)
    assert [event.move for event in desk.take(Moved)] == [0, size * size - 1]


def test_board_seen_from_its_other_side(sensing):
    desk = AtBoard(make_tracker("go", Game(9), sensing, BOTH, turned=True))
    desk.put("A1", "X", 2.0)
    assert moves(desk) == [(BLACK, "A1")]
    assert desk.scene.text().index("X" if sensing == "pol" else "#") == 8, "far right on the board itself"


def test_turning_the_board_round_by_a_key(sensing):
    desk = at_board(sensing)
    desk.hear(desk.tracker.press("flip", desk.now))
    desk.take()
    desk.scene.turned = True
    desk.put("A1", "X", 2.0)
    assert moves(desk) == [(BLACK, "A1")]


# --- 2: moves from elsewhere


def test_answer_is_lit_until_it_is_executed(sensing):
    desk = at_board(sensing, "D4", humans=(BLACK,))
    play_for(desk, "E5")
    assert desk.lit() == {"E5": "O"}
    desk.wait(30)
    assert desk.take(Discrepancy) == [], "nobody is hurried"
    desk.put("E5", "O", 1.0)
    assert [event.plies for event in desk.take(Executed)] == [2]
    assert desk.lit() == {}


def test_answer_and_reply_at_once(sensing):
    desk = at_board(sensing, "D4", humans=(BLACK,))
    play_for(desk, "E5")
    desk.put("E5", "O", 0.1)
    desk.put("F6", "X", 1.0)
    executed, moved = desk.take(Executed, Moved)
    assert executed.plies == 2 and executed.at < moved.at
    assert (moved.ply, desk.tracker.rules.name(moved.move)) == (2, "F6")


def test_several_moves_from_elsewhere(sensing):
    desk = at_board(sensing, humans=())
    play_for(desk, "D4", "E5", "F6")
    assert desk.lit() == {"D4": "X"}
    desk.put("D4", "X", 1.0)
    assert desk.lit() == {"E5": "O"}
    desk.put("F6", "X", 0.2)
    desk.put("E5", "O", 1.0)
    assert [event.plies for event in desk.take(Executed)] == [1, 3]


def test_wrong_place_for_the_answer_is_said_soon_and_nothing_is_taken_for_a_move(sensing):
    desk = at_board(sensing, "D4", humans=(BLACK,))
    play_for(desk, "E5")
    desk.put("E6", "O", 2.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "execution" and "white E5" in discrepancy.text and "E6" in discrepancy.text
    assert {way.text for way in discrepancy.remedies} >= {"go on with white E5", "back to before it"}
    desk.move("E6", "E5", wait=1.0)
    assert {type(event) for event in desk.take()} == {Executed, Cleared}


def test_board_that_has_stayed_behind_is_shown_the_moves_one_by_one(sensing):
    """A client's game may have begun before the board was there."""
    desk = AtBoard(make_tracker("go", game_of("D4", "E5", "F6"), sensing, BOTH, policy=FINAL), "." * 81)
    for name, thing in (("D4", "X"), ("E5", "O"), ("F6", "X")):
        assert desk.lit() == {name: thing}
        desk.put(name, thing, 1.0)
    assert desk.lit() == {} and desk.take(Discrepancy) == []


def test_pass_from_elsewhere_needs_no_hand(sensing):
    desk = at_board(sensing, "D4", humans=(BLACK,))
    play_for(desk, "pass")
    desk.wait(1)
    assert [event.plies for event in desk.take(Executed)] == [2]
    desk.wait(30)
    lit = desk.lit()
    assert set(lit.values()) == {"o"} and len(lit) == 32 and "A1" in lit, "the edge, until the answer"
    desk.put("E5", "X", 1.0)
    assert moves(desk) == [(BLACK, "E5")] and desk.lit() == {}


def test_black_cannot_move_before_white_has(sensing):
    desk = at_board(sensing, "D4", humans=(BLACK,))
    desk.put("E5", "X", 5.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "turn"
    play_for(desk, "C3")
    desk.put("C3", "O", 4.0)
    assert [type(event) for event in desk.take(Executed, Moved, Cleared)] == [Executed, Moved, Cleared]


# --- several plies between two stable states


def test_move_and_answer_at_once(sensing):
    desk = at_board(sensing)
    desk.put("D4", "X", 0.2)
    desk.put("E5", "O", 1.0)
    assert moves(desk) == [(BLACK, "D4"), (WHITE, "E5")]


def test_four_plies_at_once_with_a_capture_among_them(sensing):
    desk = at_board(sensing, *ATARI)
    desk.put("E6", "O", 0.2)
    desk.lift("E5", 0.15)
    desk.put("J9", "X", 0.2)
    desk.put("H8", "O", 1.0)
    assert moves(desk) == [(WHITE, "E6"), (BLACK, "J9"), (WHITE, "H8")]


def test_order_of_two_stones_at_the_same_moment():
    desk = at_board("pol")
    desk.scene.put(point("E5"), "O")
    desk.put("D4", "X", 1.0)
    assert moves(desk) == [(BLACK, "D4"), (WHITE, "E5")]
    desk = at_board("occ")
    desk.scene.put(point("E5"), "O")
    desk.put("D4", "X", 5.0)
    assert moves(desk) == [], "which one was Black's cannot be known"


# --- colours


def test_wrong_colour():
    desk = at_board("pol", "D4")
    desk.put("E5", "X", 2.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "turn" and "black stone on E5" in discrepancy.text
    desk = at_board("pol", "D4", "E5", humans=(BLACK,))
    desk.put("F6", "O", 2.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "colour"


# --- whose moves are taken


def test_game_over_takes_no_more_moves(sensing):
    desk = at_board(sensing, "D4", "E5")
    desk.tracker.over = True
    desk.put("A1", "X", 10)
    assert moves(desk) == []


def test_no_move_is_taken_before_it_is_asked_for(sensing):
    desk = at_board(sensing, humans=(BLACK,))
    desk.hear(desk.tracker.ask_for(None, desk.now))
    desk.put("E5", "X", 1.0)
    assert desk.take(Moved) == []
    desk.hear(desk.tracker.ask_for(BLACK, desk.now))
    desk.wait(1.9)
    assert moves(desk) == []  # it may be no stone at all: it must have stood for three seconds
    desk.wait(0.2)
    assert moves(desk) == [(BLACK, "E5")]


def test_either_colour_may_be_asked_for(sensing):
    desk = at_board(sensing, humans=BOTH)
    desk.hear(desk.tracker.ask_for(WHITE, desk.now))
    desk.put("E5", "O", 1.0)
    assert moves(desk) == [(WHITE, "E5")]
