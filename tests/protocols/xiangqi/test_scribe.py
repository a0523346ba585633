"""Game records of UCCI and UCI sessions."""

import pytest
from conversation import Conversation

from engines.player import Choice
from engines.xiangqi.board import Board
from engines.xiangqi.player import Settings
from engines.xiangqi.records import read_file
from protocols.ucci.server import Ucci
from protocols.uci.server import Uci
from protocols.xiangqi.coordinates import read, write_all
from protocols.xiangqi.scribe import Scribe
from protocols.xiangqi.server import Server


def after(*moves, fen=None):
    board = Board(fen) if fen else Board()
    for text in moves:
        board.play(read(text).move(0))
    return board


def answer(text, action="move"):
    return Choice(action, read(text).move(0))


@pytest.fixture
def scribe(tmp_path):
    return Scribe(str(tmp_path))


def games(path):
    return [write_all(read_file(file)[0].moves()) for file in sorted(path.iterdir())]


def test_a_game_grows_move_by_move(scribe, tmp_path):
    scribe.keep(after())
    assert games(tmp_path) == []
    scribe.keep(after(), answer("h2e2"))
    assert games(tmp_path) == ["h2e2"]
    scribe.keep(after("h2e2", "h9g7"))
    assert games(tmp_path) == ["h2e2 h9g7"]
    scribe.keep(after("h2e2", "h9g7"), answer("h0g2"))
    assert games(tmp_path) == ["h2e2 h9g7 h0g2"]
    record = read_file(next(tmp_path.iterdir()))[0]
    assert record.tags["Red"].startswith("qiqiao") and record.result == "*"


def test_positions_since_the_last_capture_and_positions_alone_are_joined(scribe, tmp_path):
    start = after("h2e2", "h9g7")
    scribe.keep(start, answer("e2e6"))
    taken = after("h2e2", "h9g7", "e2e6")
    scribe.keep(after("b9c7", fen=taken.fen()))
    alone = after("h2e2", "h9g7", "e2e6", "b9c7", "h0g2", "a9a8")
    scribe.keep(Board(alone.fen()))
    assert games(tmp_path) == ["h2e2 h9g7 e2e6 b9c7 h0g2 a9a8"]


def test_another_position_and_another_game_begin_another_file(scribe, tmp_path):
    scribe.keep(after("h2e2"))
    scribe.keep(after("a0a1", fen="3k5/9/9/9/9/9/9/9/9/R3K4 w"))
    scribe.new_game()
    scribe.keep(after("h2e2"))
    assert games(tmp_path) == ["h2e2", "a0a1", "h2e2"]


def test_a_move_that_was_not_played_becomes_a_variation(scribe, tmp_path):
    scribe.keep(after(), answer("h2e2"))
    scribe.keep(after("b2e2", "h9g7"))
    assert games(tmp_path) == ["b2e2 h9g7"]
    assert "炮二平五" in next(tmp_path.iterdir()).read_text(encoding="utf-8")


def test_how_games_end(scribe, tmp_path):
    scribe.keep(after(fen="3k5/9/9/9/9/9/9/9/9/R3K4 w"), answer("a0d0"))
    record = read_file(next(tmp_path.iterdir()))[0]
    assert record.result == "1-0" and record.tags["Termination"] == "checkmate"
    scribe.new_game()
    scribe.keep(after("h2e2", "h9g7"), answer("h0g2", "resign"))
    record = read_file(sorted(tmp_path.iterdir())[1])[0]
    assert record.result == "0-1" and write_all(record.moves()) == "h2e2 h9g7"


@pytest.mark.parametrize("protocol", ["ucci", "uci"])
def test_a_session_is_kept(tmp_path, protocol):
    server = Server({"ucci": Ucci(), "uci": Uci()}, protocol, Settings(hash=1), record=str(tmp_path / "new"))
    client = Conversation(server)
    client.ask(protocol, f"{protocol}ok")
    client.send("position startpos moves h2e2")
    move = client.ask("go depth 1", "bestmove")[-1].split()[1]
    server.wait()
    assert games(tmp_path / "new") == [f"h2e2 {move}"]
    client.send(f"position startpos moves h2e2 {move} h0g2")
    assert games(tmp_path / "new") == [f"h2e2 {move} h0g2"]
    client.send("go infinite")  # analysis is no answer
    client.ask("stop", "bestmove")
    server.wait()
    assert games(tmp_path / "new") == [f"h2e2 {move} h0g2"]
    server.close()


def test_a_record_that_fails_costs_no_move(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    server = Server({"ucci": Ucci()}, "ucci", Settings(hash=1), record=str(tmp_path / "file"))
    client = Conversation(server)
    client.ask("ucci", "ucciok")
    client.send("position startpos moves h2e2")
    assert client.line().startswith("info message the record could not be written")
    assert client.ask("go depth 1", "bestmove")
    server.close()
