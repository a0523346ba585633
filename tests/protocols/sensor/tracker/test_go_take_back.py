"""Taking back at a Go board: second thoughts, moves taken back, captured stones put back, a new game."""

import pytest
from at_board import AtBoard
from at_go_board import ATARI, at_board, moves, play_for, point

from engines.go.game import Game
from engines.go.points import BLACK, WHITE
from protocols.sensor.reading import Reading
from protocols.sensor.tracker.events import Discrepancy, Moved, NewGame, Replaced, TakenBack
from protocols.sensor.tracker.games import make_tracker
from protocols.sensor.tracker.policy import FINAL

# --- 4: second thoughts


def test_second_thoughts_before_the_answer(sensing):
    desk = at_board(sensing, humans=(BLACK,))
    desk.put("E5", "X", 1.0)
    desk.move("E5", "E6", wait=2.0)
    moved, replaced = desk.take()
    assert isinstance(moved, Moved) and isinstance(replaced, Replaced)
    assert (replaced.ply, desk.tracker.rules.name(replaced.old), desk.tracker.rules.name(replaced.move)) == (
        0,
        "E5",
        "E6",
    )
    assert desk.tracker.rules.game.moves == [(BLACK, point("E6"))]


def test_second_thoughts_that_nobody_saw_are_asked_about(sensing):
    """While a board is away all happens at one moment: carried there, or knocked off and another one put down?"""
    desk = at_board(sensing, "D4", "E6")
    desk.put("E5", "X", 1.0)
    desk.take()
    desk.lift("E5")
    desk.put("C3", "X", 5.0)
    (discrepancy,) = desk.take()
    assert discrepancy.text.endswith("or leave it so, to play C3 instead of E5")
    desk.wait(8.0)
    assert [(event.old, event.move) for event in desk.take(Replaced)] == [(point("E5"), point("C3"))]


def test_second_thoughts_that_nobody_saw_are_denied_by_putting_the_stone_back(sensing):
    desk = at_board(sensing, "D4", "E6")
    desk.put("E5", "X", 1.0)
    desk.lift("E5")
    desk.put("C3", "X", 5.0)
    desk.move("C3", "E5", wait=20.0)
    assert desk.take(Replaced) == [] and desk.tracker.plies == 3


def test_second_thoughts_while_the_answer_is_shown(sensing):
    desk = at_board(sensing, humans=(BLACK,))
    desk.put("E5", "X", 1.0)
    play_for(desk, "C3")
    desk.move("E5", "E6", wait=2.0)
    assert [type(event) for event in desk.take()] == [Moved, Replaced]
    assert desk.tracker.plies == 1 and desk.lit() == {}


def test_no_second_thoughts_once_the_answer_stands(sensing):
    desk = at_board(sensing, humans=(BLACK,))
    desk.put("E5", "X", 1.0)
    play_for(desk, "C3")
    desk.put("C3", "O", 1.0)
    desk.take()
    desk.move("E5", "E6", wait=5.0)
    assert [event.kind for event in desk.take()] == ["position"] or sensing == "occ"
    assert desk.tracker.rules.game.moves[0] == (BLACK, point("E5"))


def test_moves_that_a_client_has_answered_stand(sensing):
    desk = at_board(sensing, humans=(BLACK,), policy=FINAL)
    desk.put("E5", "X", 1.0)
    desk.take()
    desk.move("E5", "E6", wait=30.0)
    assert {type(event) for event in desk.take()} == {Discrepancy}
    assert desk.tracker.rules.game.moves == [(BLACK, point("E5"))]


# --- 8 and 9: take-back, new game


def test_take_back_of_ones_own_move_while_the_answer_is_thought_about(sensing):
    desk = at_board(sensing, "D4", "E5", "F6", humans=(BLACK,))
    desk.lift("F6", 1.0)
    assert desk.take() == []
    desk.wait(2.0)
    assert [event.plies for event in desk.take()] == [2]


def test_time_while_the_board_is_away_proves_nothing(sensing):
    desk = at_board(sensing, "D4", "E5", "F6", humans=(BLACK,))
    tracker = desk.tracker
    desk.lift("F6", 1.0)
    desk.hear(tracker.leave(desk.now))
    desk.wait(5.0)
    desk.hear(tracker.ask_for(BLACK, desk.now))
    assert desk.take() == []
    desk.hear(tracker.read(Reading(desk.scene.text(), desk.now, desk.now)))
    desk.wait(1.5)
    assert desk.take() == []
    desk.wait(1.0)
    assert [event.plies for event in desk.take(TakenBack)] == [2]


def test_take_back_of_answer_and_move(sensing):
    desk = at_board(sensing, "D4", "E5", "F6", "G7", humans=(BLACK,))
    desk.lift("G7", 0.5)
    desk.lift("F6", 3.0)
    assert [event.plies for event in desk.take()] == [2]
    assert desk.tracker.rules.game.to_move == BLACK


def test_take_back_of_a_capture_puts_the_stone_back(sensing):
    desk = at_board(sensing, *ATARI, "E6", humans=(WHITE,))
    desk.lift("E6", 0.3)
    desk.put("E5", "X", 3.0)
    assert [event.plies for event in desk.take(TakenBack)] == [7]


def test_take_back_of_a_capture_with_both_hands_at_once(sensing):
    """By occupancy, as though the capturing stone had been pushed aside: it is told first, and then believed."""
    desk = at_board(sensing, *ATARI, "E6", humans=(WHITE,))
    desk.lift("E6", 0.03)
    desk.put("E5", "X", 6.0)
    events = desk.take()
    if sensing == "occ":
        (discrepancy,) = events
        assert discrepancy.text == "move the stone from E5 to E6; or leave it so, to take back to move 7"
        assert desk.lit() == {"E5": "w", "E6": "O"}
        desk.wait(7.0)
        events = desk.take(TakenBack)
    assert [event.plies for event in events] == [7]


SNAPBACK = ("A2", "A3", "B2", "B3", "C2", "C3", "J9", "D2", "J8", "D1", "J7", "B1", "A1", "J1", "C1")
"""Black's last move has taken B1; White's next there takes five stones."""


def test_stone_put_back_is_no_snapback(sensing):
    desk = at_board(sensing, *SNAPBACK)
    desk.lift("C1", 0.4)
    desk.put("B1", "O", 3.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "capture" and "the last move is taken back" in discrepancy.text
    desk.wait(7.0)
    assert [event.plies for event in desk.take(TakenBack)] == [14]


ROW_TAKEN = ("C2", "C1", "D2", "D1", "E2", "E1", "F2", "F1", "G1", "A1", "J9", "B2", "B1")
"""Black's last move has taken C1 to F1, and has its only liberty there."""


@pytest.mark.parametrize("pause", [0.25, 1.0, 2.5])
def test_taken_stones_put_back_one_by_one_are_no_moves(sensing, pause):
    desk = at_board(sensing, *ROW_TAKEN)
    desk.lift("B1", 0.4)
    for name in ("C1", "D1", "E1", "F1"):
        desk.put(name, "O", pause)
    desk.wait(15.0)
    events = desk.take()
    assert not [event for event in events if isinstance(event, Moved)]
    assert [event.plies for event in events if isinstance(event, TakenBack)] == [12]


def test_stone_that_takes_where_its_own_were_taken_says_so(sensing):
    desk = at_board(sensing, *ROW_TAKEN)
    desk.lift("B1", 0.4)
    desk.put("C1", "O", 2.0)
    assert [event.kind for event in desk.take()] == ["capture"]
    desk.put("C1", desk.lift("C1", 0.4), 1.0)
    assert moves(desk) == [(WHITE, "C1")]


def test_snapback_with_the_last_stone_taken_first(sensing):
    desk = at_board(sensing, *SNAPBACK)
    desk.lift("C1", 0.4)
    desk.put("B1", "O", 3.0)
    for name in ("A1", "A2", "B2", "C2"):
        desk.lift(name, 0.3)
    desk.wait(1.0)
    assert moves(desk) == [(WHITE, "B1")] and desk.tracker.pending_removals == {}


def test_snapback_told_by_setting_the_stone_again(sensing):
    desk = at_board(sensing, *SNAPBACK)
    desk.lift("C1", 0.4)
    desk.put("B1", "O", 3.0)
    desk.put("B1", desk.lift("B1", 0.4), 1.0)
    assert moves(desk) == [(WHITE, "B1")] and set(desk.lit()) == {"A1", "A2", "B2", "C2"}


def test_snapback_is_not_asked_about_where_nothing_can_be_taken_back(sensing):
    desk = at_board(sensing, *SNAPBACK, policy=FINAL)
    desk.lift("C1", 0.4)
    desk.put("B1", "O", 1.0)
    if sensing == "pol":
        assert moves(desk) == [(WHITE, "B1")]


def test_answer_alone_is_not_taken_back(sensing):
    desk = at_board(sensing, "D4", "E5", "F6", "G7", humans=(BLACK,))
    desk.lift("G7", 30.0)
    assert [event.kind for event in desk.take()] == ["lifted"]


def test_no_take_back_where_it_is_not_allowed(sensing):
    desk = at_board(sensing, "D4", "E5", "F6", humans=(BLACK,), policy=FINAL)
    desk.lift("F6", 30.0)
    assert [event.kind for event in desk.take()] == ["lifted"]
    assert desk.tracker.plies == 3


@pytest.mark.parametrize("over", [False, True])
def test_empty_board_is_a_new_game(sensing, over):
    desk = at_board(sensing, "D4", "E5", "F6", "G7")
    if over:
        desk.hear(desk.tracker.end(desk.now))
    for name in ("D4", "E5", "F6", "G7"):
        desk.lift(name, 0.3)
    desk.wait(2.6)
    assert [type(event) for event in desk.take(NewGame, TakenBack)] == [NewGame]
    assert desk.tracker.plies == 4


def test_handicap_put_up_again_is_a_new_game(sensing):
    game = Game(9)
    game.place_handicap([point("C3"), point("G7")])
    things = "".join(".XO"[stone] for stone in game.board.stones())
    for name in ("E5", "E3", "D6"):
        game.play_as(game.to_move, point(name))
    desk = AtBoard(make_tracker("go", game, sensing), things)
    desk.hear(desk.tracker.end(desk.now))
    desk.wait(2.6)
    assert [type(event) for event in desk.take(NewGame, TakenBack)] == [NewGame]


def test_take_back_after_the_end_goes_on(sensing):
    desk = at_board(sensing, "D4", "E5", "F6")
    desk.hear(desk.tracker.end(desk.now))
    desk.lift("F6", 2.5)
    assert [event.plies for event in desk.take(TakenBack)] == [2]
    desk.put("C3", "X", 2.0)
    assert moves(desk) == [(BLACK, "C3")]
