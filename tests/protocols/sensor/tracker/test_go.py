"""The order of inference at a Go board, step by step, by occupancy and by colour."""

import pytest
from at_board import AtBoard

from engines.go.game import Game
from engines.go.points import BLACK, PASS, WHITE
from engines.go.vertex import parse_vertex
from protocols.sensor.reading import Reading
from protocols.sensor.tracker.events import (
    Asked,
    Cleared,
    Dropped,
    Executed,
    Gesture,
    Moved,
    NewGame,
    Owed,
    Replaced,
    Ruled,
    TakenBack,
    Trouble,
)
from protocols.sensor.tracker.go import GoTracker
from protocols.sensor.tracker.policy import FINAL
from protocols.sensor.tracker.referee import Referee

BOTH = (BLACK, WHITE)
STONES = {BLACK: "X", WHITE: "O"}


def point(name, size=9):
    return parse_vertex(name, size, size)


def game_of(*moves, size=9):
    game = Game(size)
    for name in moves:
        game.play(game.to_move, point(name, size))
    return game


@pytest.fixture(params=["occ", "pol"])
def sensing(request):
    return request.param


def at_board(sensing, *moves, humans=BOTH, size=9, **settings):
    """A board on which a game has come so far."""
    game = game_of(*moves, size=size)
    things = "".join(".XO"[stone] for stone in game.board.stones())
    return AtBoard(GoTracker(game, sensing, humans, **settings), things)


def play_for(desk, *names):
    """Moves from elsewhere; they wait to be executed."""
    game = desk.tracker.game.copy()
    for name in names:
        game.play(game.to_move, point(name) if name != "pass" else PASS)
    desk.hear(desk.tracker.follow(game, desk.now))


def moves(desk):
    return [(event.color, desk.tracker.name(event.move)) for event in desk.take(Moved)]


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
    desk.put("E5", "X", 5.0)
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
    desk = AtBoard(GoTracker(Game(9), sensing, BOTH, turned=True))
    desk.put("A1", "X", 1.0)
    assert moves(desk) == [(BLACK, "A1")]
    assert desk.scene.text().index("X" if sensing == "pol" else "#") == 8, "far right on the board itself"


def test_turning_the_board_round_by_a_key(sensing):
    desk = at_board(sensing)
    desk.hear(desk.tracker.press("flip", desk.now))
    desk.take()
    desk.scene.turned = True
    desk.put("A1", "X", 1.0)
    assert moves(desk) == [(BLACK, "A1")]


# --- 2: moves from elsewhere


def test_answer_is_lit_until_it_is_executed(sensing):
    desk = at_board(sensing, "D4", humans=(BLACK,))
    play_for(desk, "E5")
    assert desk.lit() == {"E5": "O"}
    desk.wait(30)
    assert desk.take(Trouble) == [], "nobody is hurried"
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
    assert (moved.ply, desk.tracker.name(moved.move)) == (2, "F6")


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
    (trouble,) = desk.take()
    assert trouble.kind == "execution" and "white E5" in trouble.text and "E6" in trouble.text
    assert {way.text for way in trouble.ways} >= {"go on with white E5", "back to before it"}
    desk.move("E6", "E5", wait=1.0)
    assert {type(event) for event in desk.take()} == {Executed, Cleared}


def test_board_that_has_stayed_behind_is_shown_the_moves_one_by_one(sensing):
    """A client's game may have begun before the board was there."""
    desk = AtBoard(GoTracker(game_of("D4", "E5", "F6"), sensing, BOTH, policy=FINAL), "." * 81)
    for name, thing in (("D4", "X"), ("E5", "O"), ("F6", "X")):
        assert desk.lit() == {name: thing}
        desk.put(name, thing, 1.0)
    assert desk.lit() == {} and desk.take(Trouble) == []


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
    (trouble,) = desk.take()
    assert trouble.kind == "turn"
    play_for(desk, "C3")
    desk.put("C3", "O", 4.0)
    assert [type(event) for event in desk.take(Executed, Moved, Cleared)] == [Executed, Moved, Cleared]


# --- 4: second thoughts


def test_second_thoughts_before_the_answer(sensing):
    desk = at_board(sensing, humans=(BLACK,))
    desk.put("E5", "X", 1.0)
    desk.move("E5", "E6", wait=2.0)
    moved, replaced = desk.take()
    assert isinstance(moved, Moved) and isinstance(replaced, Replaced)
    assert (replaced.ply, desk.tracker.name(replaced.old), desk.tracker.name(replaced.move)) == (0, "E5", "E6")
    assert desk.tracker.game.moves == [(BLACK, point("E6"))]


def test_second_thoughts_that_nobody_saw_are_asked_about(sensing):
    """While a board is away all happens at one moment: carried there, or knocked off and another one put down?"""
    desk = at_board(sensing, "D4", "E6")
    desk.put("E5", "X", 1.0)
    desk.take()
    desk.lift("E5")
    desk.put("C3", "X", 5.0)
    (trouble,) = desk.take()
    assert trouble.text.endswith("or leave it so, to play C3 instead of E5")
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
    assert desk.tracker.game.moves[0] == (BLACK, point("E5"))


def test_moves_that_a_client_has_answered_stand(sensing):
    desk = at_board(sensing, humans=(BLACK,), policy=FINAL)
    desk.put("E5", "X", 1.0)
    desk.take()
    desk.move("E5", "E6", wait=30.0)
    assert {type(event) for event in desk.take()} == {Trouble}
    assert desk.tracker.game.moves == [(BLACK, point("E5"))]


# --- 5 and 6: captures

ATARI = ("E5", "E4", "A1", "D5", "A3", "F5", "A5")  # White's next at E6 takes E5


def test_capture_counts_at_once_and_the_stones_are_asked_for(sensing):
    desk = at_board(sensing, *ATARI)
    desk.put("E6", "O", 0.5)
    moved, owed = desk.take()
    assert isinstance(moved, Moved) and owed == Owed(owed.at, (point("E5"),))
    assert desk.lit() == {"E5": "L"}
    desk.lift("E5", 1.0)
    assert [event.points for event in desk.take(Owed)] == [()]
    assert desk.lit() == {}


def test_next_stone_may_come_before_the_captured_one_is_gone(sensing):
    desk = at_board(sensing, *ATARI)
    desk.put("E6", "O", 0.5)
    desk.take()
    desk.put("J9", "X", 1.0)
    assert moves(desk) == [(BLACK, "J9")]
    assert desk.lit() == {"E5": "L"}
    desk.lift("E5", 1.0)
    desk.put("H8", "O", 1.0)
    assert moves(desk) == [(WHITE, "H8")]


def test_a_stone_may_be_played_where_a_captured_one_lay(sensing):
    desk = at_board(sensing, *ATARI, "E6", "J9")
    desk.scene.put(point("E5"), "X")  # forgotten
    desk.tracker.owed = {point("E5"): "X" if sensing == "pol" else "#"}
    desk.wait(1)
    desk.lift("E5", 0.5)
    desk.put("E5", "O", 1.0)
    assert moves(desk) == [(WHITE, "E5")]


def test_captured_stone_with_a_bad_contact_is_no_move(sensing):
    desk = at_board(sensing, *ATARI)
    desk.put("E6", "O", 0.5)
    desk.take()
    desk.lift("E5", 0.1)
    desk.put("E5", "X", 10.0)
    assert desk.take(Moved, Trouble) == []


def test_captured_first(sensing):
    desk = at_board(sensing, *ATARI)
    desk.lift("E5", 3.0)
    assert desk.take() == []
    desk.put("E6", "O", 1.0)
    assert moves(desk) == [(WHITE, "E6")]


def test_captured_stone_lifted_and_nothing_else_is_told_late(sensing):
    desk = at_board(sensing, *ATARI)
    desk.lift("E5", 20.0)
    assert [event.kind for event in desk.take()] == ["lifted"]


KO = ("D5", "E5", "E6", "F6", "E4", "F4", "A1", "G5", "F5")  # Black has taken E5; White may not take F5 back


def test_ko_cannot_be_taken_back_at_once(sensing):
    desk = at_board(sensing, *KO)
    desk.put("E5", "O", 2.0)
    (trouble,) = desk.take()
    assert trouble.kind == "illegal" and "ko" in trouble.text and "E5" in trouble.text
    desk.lift("E5", 1.0)
    assert [type(event) for event in desk.take()] == [Cleared]


def test_ko_capture_with_the_captured_stone_lifted_first(sensing):
    desk = at_board(sensing, *KO, "J9", "J8")  # a threat and its answer: now White may
    desk.lift("F5", 1.5)
    desk.put("E5", "O", 1.0)
    assert moves(desk) == [(WHITE, "E5")]


def test_last_stone_lifted_to_be_captured_is_no_take_back(sensing):
    # Black throws in at E5; White takes that very stone.
    desk = at_board(sensing, "A1", "E4", "A3", "D5", "A5", "F5", "E5")
    desk.lift("E5", 2.5)
    assert desk.take() == []
    desk.put("E6", "O", 1.0)
    assert moves(desk) == [(WHITE, "E6")]


def test_last_stone_lifted_for_long_is_a_take_back(sensing):
    desk = at_board(sensing, "A1", "E4", "A3", "D5", "A5", "F5", "E5")
    desk.lift("E5", 4.0)
    assert [event.plies for event in desk.take(TakenBack)] == [6]


def test_many_stones_captured_in_any_order(sensing):
    size = 9
    row = [f"{letter}1" for letter in "ABCDEFGH"]
    above = [f"{letter}2" for letter in "ABCDEFGH"]
    line = [name for pair in zip(row, above, strict=True) for name in pair]
    desk = at_board(sensing, *line, "J9", size=size)  # White's next at J1 takes eight stones
    desk.lift("C1", 0.3)
    desk.lift("H1", 0.3)
    desk.put("J1", "O", 0.5)
    (moved, owed) = desk.take()
    assert isinstance(moved, Moved) and len(owed.points) == 6
    for name in ("A1", "B1", "D1", "E1", "F1", "G1"):
        desk.lift(name, 0.4)
    desk.wait(1)
    assert desk.take(Owed)[-1].points == () and desk.take(Trouble) == []


def test_answer_that_captures_with_stones_left_is_executed(sensing):
    desk = at_board(sensing, *ATARI, humans=(BLACK,))
    play_for(desk, "E6")
    desk.put("E6", "O", 1.0)
    executed, owed = desk.take()
    assert isinstance(executed, Executed) and owed.points == (point("E5"),)
    desk.put("J9", "X", 1.0)
    assert moves(desk) == [(BLACK, "J9")]


def test_stones_with_liberties_may_not_be_taken(sensing):
    desk = at_board(sensing, "E5", "E4", "A1", "D5", "A3")
    desk.put("F5", "O", 0.1)
    desk.lift("E5", 3.0)
    (trouble,) = desk.take()
    assert trouble.kind == "illegal" and "E5" in trouble.text and "liberties" in trouble.text


def test_suicide_is_forbidden(sensing):
    desk = at_board(sensing, "A2", "J9", "B1", "J8", "C3")
    desk.put("A1", "O", 2.0)
    (trouble,) = desk.take()
    assert trouble.kind == "illegal" and "A1" in trouble.text


def test_pushed_stone_is_asked_about_by_occupancy():
    desk = at_board("occ", *ATARI)
    desk.put("E5", ".")
    desk.put("E6", "O", 2.0)
    (trouble,) = desk.take()
    assert trouble.kind == "capture" and trouble.asked == (point("E6"),)
    thing = desk.lift("E6", 0.4)
    desk.put("E6", thing, 3.0)
    assert moves(desk) == [(WHITE, "E6")]


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
    (trouble,) = desk.take()
    assert trouble.kind == "turn" and "black stone on E5" in trouble.text
    desk = at_board("pol", "D4", "E5", humans=(BLACK,))
    desk.put("F6", "O", 2.0)
    (trouble,) = desk.take()
    assert trouble.kind == "colour"


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
    assert desk.tracker.game.to_move == BLACK


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
        (trouble,) = events
        assert trouble.text == "move the stone from E5 to E6; or leave it so, to take back to move 7"
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
    (trouble,) = desk.take()
    assert trouble.kind == "capture" and "the last move is taken back" in trouble.text
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
    assert moves(desk) == [(WHITE, "B1")] and desk.tracker.owed == {}


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


def test_empty_board_is_a_new_game(sensing):
    desk = at_board(sensing, "D4", "E5", "F6", "G7")
    for name in ("D4", "E5", "F6", "G7"):
        desk.lift(name, 0.3)
    desk.wait(5)
    assert any(isinstance(event, (NewGame, TakenBack)) for event in desk.take())


# --- set-up and handicap


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
    assert desk.tracker.trouble is None and desk.tracker.plies == 0


def test_undone_moves_are_asked_off_at_once(sensing):
    desk = at_board(sensing, "D4", "E5", "F6", humans=(BLACK,))
    game = desk.tracker.game.copy()
    game.undo()
    game.undo()
    desk.hear(desk.tracker.follow(game, desk.now))
    desk.wait(0.5)
    assert [event.kind for event in desk.take()] == ["setup"]
    assert len(desk.lit()) == 1
    desk.lift("F6", 5.0)
    desk.lift("E5", 0.6)
    assert desk.take(Moved) == [], "what is still to be taken off is no move"
    assert desk.tracker.trouble is None


def test_position_set_up_by_hand():
    desk = at_board("pol")
    desk.hear(desk.tracker.begin_setup(desk.now))
    for name in ("C3", "G7", "E5"):
        desk.put(name, "X", 2.0)
    desk.take()
    (setup,) = desk.tracker.press("setup", desk.now)
    assert setup.to_move == WHITE and setup.points.count(BLACK) == 3


def test_other_board_size_is_refused(sensing):
    desk = at_board(sensing)
    with pytest.raises(ValueError, match="9x9"):
        desk.tracker.follow(Game(19), desk.now)


# --- 10: gestures and keys


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


# --- 11: trouble


def test_displaced_stone_is_named_lit_and_forgotten_once_right(sensing):
    desk = at_board(sensing, "D4", "E5", "C3", "G7", humans=(BLACK,))
    desk.move("E5", "F5", carry=0.0, wait=5.0)
    (trouble,) = desk.take()
    assert trouble.kind == "position" and "E5" in trouble.text and "F5" in trouble.text
    assert desk.lit() == {"F5": "w", "E5": "O"}
    desk.move("F5", "E5", wait=1.0)
    assert [type(event) for event in desk.take()] == [Cleared]
    assert desk.lit() == {}


def test_one_pair_at_a_time(sensing):
    desk = at_board(sensing, "D4", "E5", "C3", "G7", "A1", "A9", humans=(BLACK,))
    desk.move("E5", "F5", carry=0.0)
    desk.move("G7", "G8", carry=0.0, wait=5.0)
    assert len(desk.lit()) == 2
    desk.move("F5", "E5", wait=1.0)
    assert desk.lit() == {"G8": "w", "G7": "O"}


def test_move_with_a_stone_knocked_over_is_kept_once_that_is_mended(sensing):
    desk = at_board(sensing, "D4", "E5", "C3", "G7", humans=(BLACK,))
    desk.move("E5", "E6", carry=0.0)
    desk.put("A1", "X", 5.0)
    (trouble,) = desk.take()
    assert any(way.text == "keep black A1" for way in trouble.ways)
    desk.move("E6", "E5", wait=1.0)
    assert moves(desk) == [(BLACK, "A1")]


def test_move_on_a_board_in_trouble_needs_more_patience(sensing):
    desk = at_board(sensing, "D4", "E5", "C3", "G7", humans=(BLACK,))
    desk.move("E5", "F5", carry=0.0, wait=5.0)
    desk.move("F5", "E5", wait=0.1)
    desk.put("J9", "X", 1.0)
    assert moves(desk) == []
    desk.wait(2.0)
    assert moves(desk) == [(BLACK, "J9")]


def test_unreadable_point_is_named(sensing):
    desk = at_board(sensing, "D4", "E5")
    text = list(desk.tracker.firm)
    text[point("J9")] = "?"
    desk.show("".join(text))
    desk.wait(10)
    (trouble,) = desk.take()
    assert trouble.kind == "unclear" and "J9" in trouble.text
    desk.show("".join(desk.tracker.shot(2)))
    desk.wait(1)
    assert [type(event) for event in desk.take()] == [Cleared]


def test_broken_sensor_is_no_obstacle_elsewhere(sensing):
    desk = at_board(sensing, "D4", "E5")
    broken = list(desk.tracker.firm)
    broken[point("J9")] = "!"
    desk.show("".join(broken))
    desk.wait(10)
    assert desk.take() == []
    broken[point("A1")] = "X" if sensing == "pol" else "#"
    desk.show("".join(broken))
    desk.wait(1)
    assert moves(desk) == [(BLACK, "A1")]


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
    assert moves(desk) == [(BLACK, "E5")]


def test_either_colour_may_be_asked_for(sensing):
    desk = at_board(sensing, humans=BOTH)
    desk.hear(desk.tracker.ask_for(WHITE, desk.now))
    desk.put("E5", "O", 1.0)
    assert moves(desk) == [(WHITE, "E5")]


# --- the strict referee


def strict(sensing, *moves, humans=(BLACK,)):
    return at_board(sensing, *moves, humans=humans, referee=Referee("go", "strict"))


def test_strict_two_moves_in_a_row_lose(sensing):
    desk = strict(sensing, "D4")
    desk.put("E5", "X", 5.0)
    (ruled,) = desk.take(Ruled)
    assert ruled.loser == BLACK and ruled.article.endswith("1")
    assert desk.tracker.over


def test_strict_moved_stone_goes_back_with_a_warning(sensing):
    desk = strict(sensing)
    desk.put("E5", "X", 1.0)
    desk.move("E5", "E6", wait=3.0)
    (ruled,) = desk.take(Ruled)
    assert (ruled.consequence, ruled.warnings, ruled.loser) == ("warning", 1, None)
    assert desk.tracker.game.moves == [(BLACK, point("E5"))]
    desk.move("E6", "E5", wait=1.0)
    assert desk.tracker.trouble is None
    desk.move("E5", "E6", wait=3.0)
    assert desk.take(Ruled)[0].loser == BLACK


def test_strict_ko_counts_as_a_pass(sensing):
    desk = strict(sensing, *KO, humans=BOTH)
    desk.put("E5", "O", 2.0)
    ruled, moved = desk.take(Ruled, Moved)
    assert ruled.consequence == "void" and (moved.color, moved.move) == (WHITE, PASS)
    desk.lift("E5", 1.0)
    desk.put("J9", "X", 3.0)
    assert moves(desk) == [(BLACK, "J9")]


def test_strict_forbidden_point_counts_as_a_pass(sensing):
    desk = strict(sensing, "A2", "J9", "B1", "J8", "C3", humans=BOTH)
    desk.put("A1", "O", 2.0)
    ruled, moved = desk.take(Ruled, Moved)
    assert ruled.article.endswith("6") and moved.move == PASS


def test_strict_living_stones_taken_is_a_warning(sensing):
    desk = strict(sensing, "E5", "E4", "A1", "D5", "A3", humans=BOTH)
    desk.put("F5", "O", 0.1)
    desk.lift("E5", 3.0)
    (ruled,) = desk.take(Ruled)
    assert ruled.article.endswith("5") and ruled.warnings == 1


def test_strict_displaced_stones_are_put_back_and_noted(sensing):
    desk = strict(sensing, "D4", "E5", "C3", "G7")
    desk.move("E5", "F5", carry=0.0, wait=5.0)
    (ruled,) = desk.take(Ruled)
    assert ruled.consequence == "restore" and ruled.loser is None
