"""Games at a board without any other program."""

import threading
import time
from contextlib import contextmanager

from fake_board import FakeBoard, until
from session_room import SETTINGS, Scripted, by_hand, point

from engines.clock import TimeControl
from engines.go.game import Game as GoGame
from engines.go.points import BLACK, WHITE
from engines.go.records import read_record
from engines.player import Choice
from engines.xiangqi.game import Game as XiangqiGame
from engines.xiangqi.geometry import move_name
from engines.xiangqi.records import read_file
from protocols.sensor.session import go_session, xiangqi_session


def test_go_against_an_opponent(go_room, tmp_path):
    room = go_room(point("C3"), None)
    room.board.put(point("E5"), "X")
    room.settled(2)
    until(lambda: room.board.lit() == {point("C3"): "O"})
    room.board.put(point("C3"), "O")
    room.rest()
    room.board.put(point("G7"), "X")
    room.settled(3)
    moves = ((BLACK, point("E5")), (WHITE, point("C3")), (BLACK, point("G7")))
    until(lambda: read_record(tmp_path / "game.sgf").moves == moves)
    assert any("C3" in line for line in room.said)


def test_go_record_is_there_from_the_first_moment_and_after_each_move(go_room, tmp_path):
    room = go_room(None)
    assert read_record(tmp_path / "game.sgf").moves == ()
    room.board.put(point("E5"), "X")
    room.settled(1)
    until(lambda: read_record(tmp_path / "game.sgf").moves == ((BLACK, point("E5")),))


def test_go_second_thoughts_stop_the_opponent(go_room):
    room = go_room(None, point("C3"))
    room.board.put(point("E5"), "X")
    room.settled(1)
    room.board.lift(point("E5"))
    time.sleep(0.3)
    room.board.put(point("E6"), "X")
    room.settled(2)
    assert room.session.game().moves == [(BLACK, point("E6")), (WHITE, point("C3"))]


def test_go_take_back_on_the_board(go_room):
    room = go_room(None)
    room.board.put(point("E5"), "X")
    room.settled(1)
    room.board.lift(point("E5"))
    room.settled(0)
    room.board.put(point("E4"), "X")
    room.settled(1)


def test_go_undo_by_key_shows_the_way_back(go_room):
    room = go_room(point("C3"), None)
    room.board.put(point("E5"), "X")
    room.settled(2)
    room.board.put(point("C3"), "O")
    room.rest()
    room.board.press("undo")
    room.board.press("undo")
    room.settled(0)
    until(lambda: len(room.board.lit()) == 1)
    room.board.lift(point("C3"))
    room.board.lift(point("E5"))
    until(lambda: room.board.lit() == {})


def test_go_resigning_by_typing(go_room, tmp_path):
    room = go_room(None)
    room.session.typed("resign")
    room.session.typed("resign")
    until(lambda: room.session.result)
    assert room.session.result == "W+R"
    until(lambda: read_record(tmp_path / "game.sgf").result == "W+R")


def test_go_opponent_resigns(go_room):
    room = go_room(Choice("resign"))
    room.board.put(point("E5"), "X")
    until(lambda: room.session.result == "B+R")


def test_go_two_passes_lead_to_the_count(go_room, tmp_path):
    room = go_room(point("C3"), Choice("pass"))
    room.board.put(point("E5"), "X")
    room.settled(2)
    room.board.put(point("C3"), "O")
    room.rest()
    room.session.typed("pass")
    until(lambda: room.tracker.scoring is not None)
    room.board.lift(point("C3"))
    until(lambda: room.tracker.scoring.dead)
    room.session.typed("yes")
    room.session.typed("yes")
    until(lambda: room.session.result)
    assert room.session.result == "B+73.5", "all 81 points, less komi"
    assert room.session.plies == 4


def test_go_two_people(go_room):
    room = go_room(humans=(BLACK, WHITE))
    for number, name in enumerate(("E5", "C3", "G7")):
        room.board.put(point(name), "XO"[number % 2])
        room.settled(number + 1)


def test_go_counting_takes_no_time_and_no_move(go_room):
    room = go_room(Choice("pass"), point("C3"), control=TimeControl.absolute(3.0))
    room.board.put(point("E5"), "X")
    room.settled(2)
    room.rest()
    room.session.typed("pass")
    until(lambda: room.tracker.scoring is not None)
    time.sleep(3.5)
    assert room.session.plies == 3 and room.session.result == ""
    assert room.session.status().startswith("counting")
    room.session.typed("yes")
    room.session.typed("yes")
    until(lambda: room.session.result == "B+73.5")


def test_go_handicap_is_shown_and_nothing_counts_before(tmp_path):
    board = FakeBoard(sensing="pol")
    session = go_session.GoSession(
        GoGame(9), str(tmp_path / "h.sgf"), SETTINGS, 2, board=board, opponent=Scripted(point("E5"), None),
        humans=frozenset((BLACK,)), control=None, move_time=0.1, say=print, show=lambda: None,
    )  # fmt: skip
    thread = threading.Thread(target=session.run, daemon=True)
    thread.start()
    until(lambda: len(board.lit()) == 1)
    assert session.plies == 0
    for name in ("C3", "G7"):
        board.put(point(name), "X")
    until(lambda: board.lit() == {point("E5"): "O"})
    session.stop()
    thread.join(5)


def test_go_new_game_has_the_handicap_of_the_one_before(go_room, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[9]HA[2]KM[0.5]AB[cg][gc];W[ee])")
    game, kept = go_session.resumed(path)
    room = go_room(game=game, kept=kept, humans=(BLACK, WHITE))
    resign(room)
    room.board.lift(point("E5"))
    until(lambda: (tmp_path / "game-2.sgf").exists())
    record = read_record(tmp_path / "game-2.sgf")
    assert (record.handicap_stones, set(record.setup.black)) == (2, {point("C3"), point("G7")})


def test_go_flag_falls(go_room):
    room = go_room(None, control=TimeControl.absolute(1.2))
    until(lambda: room.session.result == "W+T", 8)


def test_go_resume(go_room, tmp_path):
    first = go_room(point("C3"), None)
    first.board.put(point("E5"), "X")
    first.settled(2)
    first.end()
    game, kept = go_session.resumed(tmp_path / "game.sgf")
    assert kept.record.result == "" and game.moves == [(BLACK, point("E5")), (WHITE, point("C3"))]
    room = go_room(None, game=game, kept=kept)
    room.board.put(point("G7"), "X")
    room.settled(3)
    until(lambda: len(read_record(tmp_path / "game.sgf").moves) == 3)


def test_go_resume_keeps_what_else_is_in_the_file(go_room, tmp_path):
    path, text = tmp_path / "game.sgf", "(;SZ[9]PB[Hu]PW[Xu];B[ee]C[the middle];W[cg](;B[gc])(;B[cc]))"
    path.write_text(text)
    game, kept = go_session.resumed(path)
    room = go_room(None, game=game, kept=kept, humans=(BLACK, WHITE))
    assert path.read_text() == text, "nothing has changed yet"
    room.board.put(point("G3"), "O")
    room.settled(4)
    until(lambda: len(read_record(path).moves) == 4)
    assert read_record(path).black_name == "Hu"
    assert "C[the middle]" in path.read_text() and "(;B[cc])" in path.read_text()
    room.session.typed("new")
    room.session.typed("new")
    until(lambda: (tmp_path / "game-2.sgf").exists())
    assert read_record(tmp_path / "game-2.sgf").black_name == "board"


def test_go_resume_guides_until_the_position_stands(tmp_path):
    game = GoGame(9)
    game.play_as(BLACK, point("E5"))
    game.play_as(WHITE, point("C3"))
    board = FakeBoard(sensing="pol")
    session = go_session.GoSession(
        game, "", SETTINGS, board=board, opponent=Scripted(None), humans=frozenset((BLACK,)), control=None,
        move_time=0.1, say=print, show=lambda: None,
    )  # fmt: skip
    thread = threading.Thread(target=session.run, daemon=True)
    thread.start()
    until(lambda: len(board.lit()) == 1)
    board.put(point("E5"), "X")
    board.put(point("C3"), "O")
    until(lambda: not session.controller.tracker.guiding)
    board.put(point("G7"), "X")
    until(lambda: session.plies == 3)
    session.stop()
    thread.join(5)


def test_go_new_game_keeps_the_old_record(go_room, tmp_path):
    room = go_room(None)
    room.board.put(point("E5"), "X")
    room.settled(1)
    room.session.typed("resign")
    room.session.typed("resign")
    until(lambda: room.session.result)
    room.session.typed("new")
    room.session.typed("new")
    until(lambda: (tmp_path / "game-2.sgf").exists())
    assert len(read_record(tmp_path / "game.sgf").moves) == 1 and room.session.plies == 0


@contextmanager
def resume_finished(tmp_path, **stones):
    """A session that goes on from a finished game, with these stones on the board."""
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[9]RE[B+R];B[ee];W[cg];B[gc])")
    game, kept = go_session.resumed(path)
    things = ["."] * 81
    for name, stone in stones.items():
        things[point(name)] = stone
    board = FakeBoard(sensing="pol", things=things)
    session = go_session.GoSession(
        game, str(path), SETTINGS, board=board, opponent=None, humans=frozenset((BLACK, WHITE)), control=None,
        move_time=0.1, say=print, show=lambda: None, kept=kept,
    )  # fmt: skip
    session.result = kept.record.result
    thread = threading.Thread(target=session.run, daemon=True)
    thread.start()
    try:
        yield session
    finally:
        session.stop()
        thread.join(5)


def test_start_position_begins_a_game_where_a_finished_one_is_resumed(tmp_path):
    with resume_finished(tmp_path) as session:
        until(lambda: (tmp_path / "game-2.sgf").exists())
        until(lambda: session.plies == 0 and not session.result)
        record = read_record(tmp_path / "game.sgf")
        assert (len(record.moves), record.result) == (3, "B+R")


def test_finished_game_that_is_resumed_is_not_taken_back_while_it_is_put_up(tmp_path):
    with resume_finished(tmp_path, E5="X", C3="O") as session:
        until(lambda: session.controller.tracker is not None and session.controller.tracker.discrepancy is not None)
        time.sleep(3.0)
        assert (session.plies, session.result) == (3, "B+R")


def resign(room):
    room.session.typed("resign")
    room.session.typed("resign")
    until(lambda: room.session.result)


THREE = ("E5", "C3", "G7")


def play_three(room):
    for number, name in enumerate(THREE):
        room.board.put(point(name), "XO"[number % 2])
        room.settled(number + 1)


def clear_away(room):
    for name in THREE:
        room.board.lift(point(name))


def test_go_cleared_board_after_the_end_is_a_new_game(go_room, tmp_path):
    room = go_room(humans=(BLACK, WHITE))
    play_three(room)
    resign(room)
    clear_away(room)
    until(lambda: (tmp_path / "game-2.sgf").exists())
    record = read_record(tmp_path / "game.sgf")
    assert (len(record.moves), record.result) == (3, "B+R")
    until(lambda: room.session.result == "" and not room.tracker.guiding)
    room.board.put(point("E4"), "X")
    room.settled(1)


def test_go_cleared_board_while_the_game_goes_on_is_asked_about(go_room, tmp_path):
    room = go_room(humans=(BLACK, WHITE))
    play_three(room)
    clear_away(room)
    until(lambda: any(line.startswith("a new game?") for line in room.said))
    assert room.session.plies == 3 and len(read_record(tmp_path / "game.sgf").moves) == 3
    room.session.typed("new")
    room.session.typed("new")
    until(lambda: (tmp_path / "game-2.sgf").exists())
    assert len(read_record(tmp_path / "game.sgf").moves) == 3


def test_a_result_stands_against_what_is_said_later(go_room):
    room = go_room(humans=(BLACK, WHITE))
    room.board.put(point("E5"), "X")
    room.settled(1)
    for number, key in enumerate(("pass", "pass")):
        room.session.typed(key)
        room.settled(number + 2)
    until(lambda: room.tracker.counting)
    room.session.typed("yes")
    room.session.typed("yes")
    until(lambda: room.session.result)
    result = room.session.result
    for key in ("resign", "resign", "score", "score", "yes", "yes"):
        room.session.typed(key)
    time.sleep(0.3)
    assert room.session.result == result and not any("W+R" in line for line in room.said)


def test_go_position_set_up_keeps_the_old_record(go_room, tmp_path):
    room = go_room(humans=(BLACK, WHITE))
    room.board.put(point("E5"), "X")
    room.settled(1)
    room.session.typed("setup")
    until(lambda: room.tracker.setting_up)
    room.board.lift(point("E5"))
    room.board.put(point("C3"), "X")
    until(lambda: room.tracker.stable_state.count("X") == 1 and room.tracker.stable_state[point("C3")] == "X")
    room.session.typed("setup")
    until(lambda: (tmp_path / "game-2.sgf").exists())
    assert read_record(tmp_path / "game.sgf").moves == ((BLACK, point("E5")),)
    assert read_record(tmp_path / "game-2.sgf").setup.black == (point("C3"),)


# --- Xiangqi


def test_xiangqi_against_an_opponent(xiangqi_room, tmp_path):
    room = xiangqi_room("h9g7", None)
    by_hand(room, "b0c2")
    room.settled(2)
    by_hand(room, "h9g7")
    room.rest()
    by_hand(room, "h0g2")
    room.settled(3)
    until(lambda: len(read_file(tmp_path / "game.pgn")[0].moves()) == 3)
    (record,) = read_file(tmp_path / "game.pgn")
    assert [move_name(m) for m in record.moves()] == ["b0c2", "h9g7", "h0g2"]
    assert any("马" in line for line in room.said)


def test_xiangqi_taken_back_moves_stay_in_the_record_as_a_variation(xiangqi_room, tmp_path):
    room = xiangqi_room(None)
    by_hand(room, "b0c2")
    room.settled(1)
    by_hand(room, "c2b0")
    room.settled(0)
    by_hand(room, "h0g2")
    room.settled(1)
    until(lambda: len(read_file(tmp_path / "game.pgn")[0].root.lines) == 2)


def test_xiangqi_mate_ends_the_game(xiangqi_room, tmp_path):
    room = xiangqi_room(None, game=XiangqiGame("3k5/R8/9/9/9/9/9/9/9/1R2K4 w"))
    by_hand(room, "b0b9")
    until(lambda: room.session.result)
    assert room.session.result.startswith("1-0") and "将死" in room.session.result
    until(lambda: read_file(tmp_path / "game.pgn")[0].result == "1-0")


def test_xiangqi_start_position_after_the_end_is_a_new_game(xiangqi_room, tmp_path):
    room = xiangqi_room(humans=(0, 1))
    for number, text in enumerate(("b0c2", "h9g7", "h0g2")):
        by_hand(room, text)
        room.settled(number + 1)
    resign(room)
    before = room.tracker
    for text in ("g2h0", "g7h9", "c2b0"):
        by_hand(room, text)
    until(lambda: (tmp_path / "game-2.pgn").exists())
    (record,) = read_file(tmp_path / "game.pgn")
    assert (len(record.moves()), record.result) == (3, "1-0")
    # The new record is there before the new game has its tracker: a hand in between would move in the game before.
    until(lambda: room.tracker not in (None, before) and not room.tracker.guiding)
    by_hand(room, "h2e2")
    room.settled(1)


def test_xiangqi_draw_offer_is_put_to_the_opponent(xiangqi_room):
    room = xiangqi_room("h9g7", Choice("draw"))
    by_hand(room, "b0c2")
    room.settled(2)
    by_hand(room, "h9g7")
    room.rest()
    room.session.typed("draw")
    room.session.typed("draw")
    until(lambda: room.session.game().offered_by == 0)
    by_hand(room, "h0g2")
    until(lambda: room.session.opponent.offers == 1)


def test_xiangqi_two_people_agree_on_a_draw(xiangqi_room):
    room = xiangqi_room(humans=(0, 1))
    room.session.typed("draw")
    room.session.typed("draw")
    until(lambda: room.session.game().offered_by == 0)
    by_hand(room, "b0c2")
    room.settled(1)
    room.session.typed("draw")
    room.session.typed("draw")
    until(lambda: room.session.result)
    assert room.session.result.startswith("1/2-1/2")


def test_xiangqi_resume(xiangqi_room, tmp_path):
    first = xiangqi_room("h9g7", None)
    by_hand(first, "b0c2")
    first.settled(2)
    first.end()
    game, record = xiangqi_session.resumed(tmp_path / "game.pgn")
    assert record.result == "*" and [move_name(m) for m in game.board.history] == ["b0c2", "h9g7"]


def test_unknown_words_get_the_help(go_room):
    room = go_room(None)
    for line in ("setup red", "setup", "hello"):
        room.session.typed(line)
    until(lambda: sum("setup [COLOUR" in line for line in room.said) == 2)


def test_status_says_what_is_waited_for(go_room):
    room = go_room(point("C3"), None)
    until(lambda: room.session.status() == "Black 黑 to move")
    room.board.put(point("E5"), "X")
    room.settled(2)
    assert "shown on the board" in room.session.status()
    room.board.unplug()
    until(lambda: "lost" in room.session.status())


def test_pictures(go_room, xiangqi_room):
    room = go_room(None)
    room.board.put(point("E5"), "X")
    room.settled(1)
    assert "(X)" in room.session.picture() and room.session.picture().count("\n") == 10
    room = xiangqi_room(None)
    assert "R N B A K A B N R" in room.session.picture()


def test_points_are_named_shown_and_typed_as_asked(go_room):
    room = go_room(None, humans=(BLACK, WHITE), system="chinese")
    room.board.put(point("E4"), "X")
    room.settled(1)
    picture = room.session.picture().splitlines()
    assert picture[0] == "   1 2 3 4 5 6 7 8 9" and picture[6] == "六 . . . .(X). . . . 六"
    assert room.session.told(BLACK, point("E4")) == "5六" and room.session.read_move("5六") == point("E4")
    assert room.session.controller.tracker.rules.name(point("A9")) == "1一"
    assert room.session.controller.tracker.rules.point_named("9九") == point("J1")


def test_opponent_begins_when_the_position_stands(tmp_path):
    board = FakeBoard(sensing="pol")
    board.things[40] = "X"
    board.read()
    session = go_session.GoSession(
        GoGame(9), "", SETTINGS, board=board, opponent=Scripted(point("C3"), None), humans=frozenset((WHITE,)),
        control=None, move_time=0.1, say=print, show=lambda: None,
    )  # fmt: skip
    thread = threading.Thread(target=session.run, daemon=True)
    thread.start()
    until(lambda: session.controller.tracker is not None and session.controller.tracker.discrepancy is not None)
    time.sleep(0.7)
    assert session.plies == 0
    board.put(40, ".")
    until(lambda: session.plies == 1)
    session.stop()
    thread.join(5)
    assert not thread.is_alive()
