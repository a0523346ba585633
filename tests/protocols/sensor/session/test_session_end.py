"""The end of a game at a board: what comes after it, what is taken back from it, and what has ended already."""

import time
from dataclasses import replace

from fake_board import until
from session_room import SETTINGS, by_hand, move, point, put_up

from engines.clock import TimeControl
from engines.go.points import BLACK, WHITE
from engines.go.records import read_record
from engines.xiangqi.game import Game as XiangqiGame
from engines.xiangqi.geometry import move_name
from protocols.sensor.session import go_session
from protocols.sensor.tracker.events import Moved, Replaced, Ruled, TakenBack


def twice(room, key):
    room.session.typed(key)
    room.session.typed(key)


def resign(room):
    twice(room, "resign")
    until(lambda: room.session.result)


def late(room, act, event):
    """The hand's move is made, and heard of only after the flag has fallen."""
    controller = room.session.controller
    heard, controller._heard = controller._heard, lambda said: None  # what the board says is heard below
    act()
    until(lambda: room.tracker.plies == room.session.plies + 1)
    with controller.lock:
        controller._heard = heard
    room.session._hear(event)


def test_xiangqi_move_after_the_flag_is_not_played(xiangqi_room):
    room = xiangqi_room(humans=(0, 1), control=TimeControl.absolute(60.0))
    at = room.session.controller.now() + 61.0
    late(room, lambda: by_hand(room, "b0c2"), Moved(at, 0, 0, move("b0c2")))
    until(lambda: room.session.result)
    until(lambda: room.tracker.plies == 0 and room.tracker.over)
    assert room.thread.is_alive() and room.session.plies == 0 and room.session.result.startswith("0-1")
    time.sleep(0.5)
    assert room.tracker.plies == 0, "nor is it taken again"


def test_go_move_after_the_flag_is_not_played(go_room, tmp_path):
    room = go_room(humans=(BLACK, WHITE), control=TimeControl.absolute(60.0))
    at = room.session.controller.now() + 61.0
    late(room, lambda: room.board.put(point("E5"), "X"), Moved(at, 0, BLACK, point("E5")))
    until(lambda: room.session.result == "W+T")
    until(lambda: room.tracker.plies == 0 and room.tracker.over)
    assert read_record(tmp_path / "game.sgf").moves == ()


def test_what_was_done_before_the_end_was_known_changes_nothing(xiangqi_room):
    room = xiangqi_room(humans=(0, 1))
    by_hand(room, "b0c2")
    room.settled(1)
    resign(room)
    result = room.session.result
    room.session._hear(Moved(0.0, 1, 1, move("h9g7")))
    room.session._hear(Replaced(0.0, 0, 0, move("b0c2"), move("b0a2")))
    room.session._hear(TakenBack(0.0, 1))
    time.sleep(0.3)
    assert room.thread.is_alive() and room.session.result == result and room.tracker.over
    assert [move_name(each) for each in room.session.moves()] == ["b0c2"]


def test_what_the_game_has_gone_past_is_not_played(xiangqi_room):
    room = xiangqi_room(humans=(0, 1))
    by_hand(room, "b0c2")
    room.settled(1)
    for event in (
        Moved(0.0, 0, 0, move("h0g2")),
        Moved(0.0, 1, 1, move("e9e0")),
        Replaced(0.0, 1, 1, move("h9g7"), move("b9c7")),
        TakenBack(0.0, 1),
    ):
        room.session._hear(event)
    time.sleep(0.3)
    assert room.thread.is_alive() and [move_name(each) for each in room.session.moves()] == ["b0c2"]


def test_what_was_done_in_another_game_is_not_played(go_room):
    room = go_room(humans=(BLACK, WHITE))
    before = room.tracker
    room.session._news.put(("heard", before, Moved(0.0, 0, BLACK, point("E5"))))
    until(lambda: room.session.plies == 1)
    resign(room)
    twice(room, "new")
    until(lambda: room.tracker is not before and room.session.plies == 0)
    room.session._news.put(("heard", before, Moved(0.0, 0, BLACK, point("C3"))))
    time.sleep(0.3)
    assert room.session.plies == 0


def test_start_position_after_a_late_move_is_a_new_game(xiangqi_room, tmp_path):
    room = xiangqi_room(humans=(0, 1), control=TimeControl.absolute(60.0))
    by_hand(room, "b0c2")
    room.settled(1)
    at = room.session.controller.now() + 61.0
    late(room, lambda: by_hand(room, "h9g7"), Moved(at, 1, 1, move("h9g7")))
    until(lambda: room.session.result)
    for text in ("g7h9", "c2b0"):
        by_hand(room, text)
    until(lambda: (tmp_path / "game-2.pgn").exists(), 8)


STRICT = replace(SETTINGS, referee="strict")


def test_clearing_up_after_the_end_violates_nothing(xiangqi_room):
    room = xiangqi_room(humans=(0, 1), settings=STRICT)
    by_hand(room, "b0c2")
    room.settled(1)
    resign(room)
    result = room.session.result
    by_hand(room, "h9h5")
    until(lambda: room.tracker.discrepancy is not None)
    time.sleep(0.3)
    assert not any(line.startswith("referee") for line in room.said) and room.session.result == result


def test_a_ruling_after_the_end_changes_no_result(xiangqi_room):
    room = xiangqi_room(humans=(0, 1))
    resign(room)
    result = room.session.result
    room.session._hear(Ruled(0.0, "", 1, "", 3, "a violation", 1))
    until(lambda: any(line.startswith("referee") for line in room.said))
    time.sleep(0.1)
    assert room.session.result == result


def test_a_game_taken_back_after_its_end_goes_on_with_its_clocks(go_room):
    room = go_room(humans=(BLACK, WHITE), control=TimeControl.absolute(60.0))
    room.board.put(point("E5"), "X")
    room.settled(1)
    resign(room)
    room.session._turn_began -= 100.0  # much later
    twice(room, "undo")
    until(lambda: room.session.plies == 0)
    time.sleep(0.7)
    assert room.session.result == "" and 55.0 < room.session.running(BLACK) <= 60.0


def test_a_game_lost_on_time_and_taken_back_is_not_lost_at_once(xiangqi_room):
    room = xiangqi_room(humans=(0, 1), control=TimeControl.absolute(60.0))
    by_hand(room, "b0c2")
    room.settled(1)
    left = {color: clock.left for color, clock in room.session.clocks.items()}
    room.session._hear(Moved(room.session.controller.now() + 61.0, 1, 1, move("h9g7")))
    until(lambda: room.session.result)
    assert room.session.clocks[1].expired
    until(lambda: room.tracker.over)
    twice(room, "undo")
    until(lambda: room.session.plies == 0)
    time.sleep(0.7)
    assert room.session.result == "" and left[0] < 60.0
    assert {color: clock.left for color, clock in room.session.clocks.items()} == {0: 60.0, 1: 60.0}
    assert not room.session.clocks[1].expired


def test_no_clock_runs_after_the_end(go_room):
    room = go_room(humans=(BLACK, WHITE), control=TimeControl.absolute(60.0))
    resign(room)
    began = room.session._turn_began
    until(lambda: room.session._turn_began > began)


def test_a_set_up_takes_no_time_and_no_wish(go_room):
    room = go_room(humans=(BLACK, WHITE), control=TimeControl.absolute(60.0))
    room.session.typed("setup")
    until(lambda: room.tracker.setting_up)
    assert room.session.status().startswith("waiting for a position to be set up")
    for key in ("pass", "resign", "resign", "new", "new"):
        room.session.typed(key)
    until(lambda: any("pass: not while a position is set up" in line for line in room.said))
    began = room.session._turn_began
    until(lambda: room.session._turn_began > began)
    assert room.session.plies == 0 and not room.session.result and room.tracker.asked is None
    room.session.typed("no")
    until(lambda: not room.tracker.setting_up and not room.tracker.guiding)
    assert room.session.status() == "Black 黑 to move"


def test_a_mate_set_up_ends_the_game(xiangqi_room):
    room = xiangqi_room(humans=(0, 1))
    room.session.typed("setup")
    until(lambda: room.tracker.setting_up)
    put_up(room, d9="k", a8="R", b9="R", e0="K")
    room.session.typed("setup black")
    until(lambda: room.session.result.startswith("1-0"))


def test_second_thoughts_that_mate_end_the_game(xiangqi_room):
    room = xiangqi_room(humans=(0, 1), game=XiangqiGame("3k5/R8/9/1R7/9/9/9/9/9/5K3 w - - 0 1"))
    by_hand(room, "b6b7")
    room.settled(1)
    room.session._hear(Replaced(room.session.controller.now(), 0, 0, move("b6b7"), move("b6b9")))
    until(lambda: room.session.result.startswith("1-0"))


def test_a_game_that_is_mate_when_it_is_gone_on_with_has_ended(xiangqi_room):
    game = XiangqiGame("3k5/R8/9/1R7/9/9/9/9/9/5K3 w - - 0 1")
    game.play(move("b6b9"))
    room = xiangqi_room(humans=(0, 1), game=game)
    until(lambda: room.session.result.startswith("1-0") and room.tracker.over)


def test_a_game_with_two_passes_that_is_gone_on_with_is_counted(go_room, tmp_path):
    (tmp_path / "game.sgf").write_text("(;GM[1]SZ[9];B[ee];W[cg];B[];W[])")
    game, kept = go_session.resumed(tmp_path / "game.sgf")
    room = go_room(game=game, kept=kept, humans=(BLACK, WHITE))
    until(lambda: room.tracker.counting)
    assert sum(line.startswith("both passed") for line in room.said) == 1
