"""Captures at a Go board: stones taken off late, early or wrongly, ko, suicide."""

from at_go_board import ATARI, KO, at_board, moves, play_for, point

from engines.go.points import BLACK, WHITE
from protocols.sensor.tracker.events import Cleared, Discrepancy, Executed, Moved, PendingRemovals, TakenBack


def test_capture_counts_at_once_and_the_stones_are_asked_for(sensing):
    desk = at_board(sensing, *ATARI)
    desk.put("E6", "O", 0.5)
    moved, owed = desk.take()
    assert isinstance(moved, Moved) and owed == PendingRemovals(owed.at, (point("E5"),))
    assert desk.lit() == {"E5": "L"}
    desk.lift("E5", 1.0)
    assert [event.points for event in desk.take(PendingRemovals)] == [()]
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
    desk.tracker.interpreter.captures.pending = {point("E5"): "X" if sensing == "pol" else "#"}
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
    assert desk.take(Moved, Discrepancy) == []


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


def test_ko_cannot_be_taken_back_at_once(sensing):
    desk = at_board(sensing, *KO)
    desk.put("E5", "O", 2.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "illegal" and "ko" in discrepancy.text and "E5" in discrepancy.text
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
    assert desk.take(PendingRemovals)[-1].points == () and desk.take(Discrepancy) == []


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
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "illegal" and "E5" in discrepancy.text and "liberties" in discrepancy.text
    assert len(discrepancy.living) == 1


def test_suicide_is_forbidden(sensing):
    desk = at_board(sensing, "A2", "J9", "B1", "J8", "C3")
    desk.put("A1", "O", 2.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "illegal" and "A1" in discrepancy.text


def test_pushed_stone_is_asked_about_by_occupancy():
    desk = at_board("occ", *ATARI)
    desk.put("E5", ".")
    desk.put("E6", "O", 2.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "capture" and discrepancy.asked == (point("E6"),)
    thing = desk.lift("E6", 0.4)
    desk.put("E6", thing, 3.0)
    assert moves(desk) == [(WHITE, "E6")]


def test_pushed_stone_is_believed_to_have_taken_when_it_is_left_so():
    desk = at_board("occ", *ATARI)
    desk.put("E5", ".")
    desk.put("E6", "O", 5.0)
    assert moves(desk) == []
    desk.wait(6.0)
    assert moves(desk) == [(WHITE, "E6")]
