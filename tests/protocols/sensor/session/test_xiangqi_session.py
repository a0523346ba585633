"""Xiangqi at a board: draws that the opponent offers, records that are gone on with, positions that are set up."""

from fake_board import until
from session_room import by_hand, move, put_up

from engines.player import Choice
from engines.xiangqi.geometry import move_name
from engines.xiangqi.records import read_file
from protocols.sensor.session import xiangqi_session


def test_xiangqi_opponent_offers_a_draw(xiangqi_room):
    room = xiangqi_room(Choice("draw", move("h9g7")), Choice("draw", move("b9c7")), None)
    by_hand(room, "b0c2")
    room.settled(2)
    until(lambda: any("h9g7, and offers a draw (提和)" in line for line in room.said))
    assert room.session.game().offered_by == 1
    by_hand(room, "h9g7")
    room.rest()
    by_hand(room, "h0g2")
    room.settled(4)
    until(lambda: any("b9c7" in line for line in room.said))
    assert room.session.game().offered_by is None, "refused by the move, and not offered twice"
    assert sum("offers a draw" in line for line in room.said) == 1


def test_xiangqi_draw_offer_of_the_opponent_is_accepted(xiangqi_room, tmp_path):
    room = xiangqi_room(Choice("draw", move("h9g7")), None)
    by_hand(room, "b0c2")
    room.settled(2)
    room.session.typed("draw")
    room.session.typed("draw")
    until(lambda: room.session.result.startswith("1/2-1/2"))
    until(lambda: read_file(tmp_path / "game.pgn")[0].result == "1/2-1/2")


def test_xiangqi_position_set_up_keeps_the_old_record(xiangqi_room, tmp_path):
    room = xiangqi_room(humans=(0, 1))
    by_hand(room, "b0c2")
    room.settled(1)
    room.session.typed("setup")
    until(lambda: room.tracker.setting_up)
    put_up(room, e0="K", d9="k", a1="R", h9="r")
    room.session.typed("setup")
    until(lambda: (tmp_path / "game-2.pgn").exists())
    assert [move_name(m) for m in read_file(tmp_path / "game.pgn")[0].moves()] == ["b0c2"]
    assert read_file(tmp_path / "game-2.pgn")[0].fen.startswith("3k3r1/9/9/9/9/9/9/9/R8/4K4 w")


PGN = """[Game "Chinese Chess"]
[Event "A"]
[Red "Hu"]
[Black "Xu"]
[Result "*"]

1. 炮二平五 {the middle} 马8进7 (1. ... 炮8平5) *
"""


def test_xiangqi_resume_keeps_what_else_is_in_the_file(xiangqi_room, tmp_path):
    path = tmp_path / "game.pgn"
    path.write_text(PGN)
    game, record = xiangqi_session.resumed(path)
    room = xiangqi_room(game=game, record=record, humans=(0, 1))
    assert path.read_text() == PGN, "nothing has changed yet"
    by_hand(room, "h0g2")
    room.settled(3)
    until(lambda: len(read_file(path)[0].moves()) == 3)
    (read,) = read_file(path)
    assert (read.tags["Event"], read.tags["Red"], read.tags["Black"]) == ("A", "Hu", "Xu")
    assert read.root.lines[0].comment == "the middle" and len(read.root.lines[0].lines) == 2


def test_xiangqi_position_set_up_for_black(xiangqi_room, tmp_path):
    room = xiangqi_room(humans=(0, 1))
    room.session.typed("setup")
    until(lambda: room.tracker.setting_up)
    put_up(room, e0="K", d9="k", a1="R", h9="r")
    room.session.typed("setup black")
    until(lambda: any("Black 黑 to move" in line for line in room.said))
    until(lambda: room.tracker is not None and not room.tracker.guiding)
    by_hand(room, "h9h0")
    room.settled(1)
    assert read_file(tmp_path / "game-2.pgn")[0].fen.split()[1] == "b"


def test_xiangqi_side_named_when_the_set_up_begins_must_be_able_to_move_first(xiangqi_room):
    room = xiangqi_room(humans=(0, 1))
    room.session.typed("setup 黑")
    until(lambda: room.tracker.setting_up)
    put_up(room, e0="K", e9="k")
    room.session.typed("setup")
    until(lambda: any("general" in line for line in room.said))
    assert room.tracker.setting_up, "it can still be put right"
    put_up(room, e0="K", d9="k")
    room.session.typed("yes")
    until(lambda: room.session.mover() == 1)


def test_side_of_a_set_up_is_forgotten_with_it(xiangqi_room):
    room = xiangqi_room(humans=(0, 1))
    for mover, line in ((1, "setup black"), (0, "setup")):
        room.session.typed(line)
        until(lambda: room.tracker.setting_up)
        room.session.typed("setup")
        until(lambda mover=mover: room.session.mover() == mover and not room.tracker.setting_up)


def test_xiangqi_moves_taken_back_stay_so_on_resuming(tmp_path):
    path = tmp_path / "game.pgn"
    path.write_text('[Game "Chinese Chess"]\n\n1. 炮二平五 马8进7 {taken back 悔棋} *\n')
    game, _ = xiangqi_session.resumed(path)
    assert [move_name(m) for m in game.board.history] == ["h2e2"]
