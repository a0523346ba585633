"""Trouble at a Go board: what is wrong is named and lit, and forgotten once it is right."""

from at_go_board import at_board, moves, point

from engines.go.points import BLACK
from protocols.sensor.tracker.events import Cleared


def test_displaced_stone_is_named_lit_and_forgotten_once_right(sensing):
    desk = at_board(sensing, "D4", "E5", "C3", "G7", humans=(BLACK,))
    desk.move("E5", "F5", carry=0.0, wait=5.0)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "position" and "E5" in discrepancy.text and "F5" in discrepancy.text
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
    (discrepancy,) = desk.take()
    assert any(way.text == "keep black A1" for way in discrepancy.remedies)
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
    text = list(desk.tracker.stable_state)
    text[point("J9")] = "?"
    desk.show("".join(text))
    desk.wait(10)
    (discrepancy,) = desk.take()
    assert discrepancy.kind == "unclear" and "J9" in discrepancy.text
    desk.show("".join(desk.tracker.rules.expected_state(2)))
    desk.wait(1)
    assert [type(event) for event in desk.take()] == [Cleared]


def test_broken_sensor_is_no_obstacle_elsewhere(sensing):
    desk = at_board(sensing, "D4", "E5")
    broken = list(desk.tracker.stable_state)
    broken[point("J9")] = "!"
    desk.show("".join(broken))
    desk.wait(10)
    (sensor,) = desk.take()
    assert sensor.kind == "fault" and "J9" in sensor.text and desk.lit() == {"J9": "W"}
    broken[point("E1")] = "X" if sensing == "pol" else "#"
    desk.show("".join(broken))
    desk.wait(1)
    assert moves(desk) == [(BLACK, "E1")]
