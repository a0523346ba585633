"""Game records of UCCI and UCI sessions."""

import os

import pytest
from conversation import Conversation

from engines.player import Choice
from engines.xiangqi.board import Board
from engines.xiangqi.player import Settings
from engines.xiangqi.records import read_file
from protocols.ucci.server import Ucci
from protocols.uci.server import Uci
from protocols.xiangqi.coordinates import read, write_all
from protocols.xiangqi.server import Server
from protocols.xiangqi.session_recorder import SessionRecorder


def after(*moves, fen=None):
    board = Board(fen) if fen else Board()
    for text in moves:
        board.play(read(text).move(0))
    return board


def answer(text, action="move"):
    return Choice(action, read(text).move(0))


@pytest.fixture
def scribe(tmp_path):
    return SessionRecorder(str(tmp_path))


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


class Witness(Conversation):
    """A client that looks at the records at the moment an answer reaches it."""

    def __init__(self, server, path):
        self.seen = []
        self._path = path
        super().__init__(server)

    def _write(self, text):
        if "bestmove" in text:
            self.seen.append(games(self._path) if self._path.is_dir() else [])
        super()._write(text)


@pytest.mark.parametrize("protocol", ["ucci", "uci"])
def test_a_move_is_recorded_before_it_is_told(tmp_path, protocol):
    path = tmp_path / "new"
    server = Server({"ucci": Ucci(), "uci": Uci()}, protocol, Settings(hash=1), record=str(path))
    client = Witness(server, path)
    client.ask(protocol, f"{protocol}ok")
    for position, before in (("startpos", ""), ("startpos moves h2e2 h9g7", "h2e2 h9g7 ")):
        client.send(f"{NEW_GAME[protocol]}")
        client.send(f"position {position}")
        move = client.ask("go depth 1", "bestmove")[-1].split()[1]
        assert client.seen[-1][-1] == f"{before}{move}"
    server.close()


NEW_GAME = {"ucci": "setoption newgame", "uci": "ucinewgame"}


def test_the_answer_after_a_ponder_hit_is_recorded_before_it_is_told_and_that_of_a_miss_is_not(tmp_path):
    server = Server({"uci": Uci()}, "uci", Settings(hash=1), record=str(tmp_path))
    client = Witness(server, tmp_path)
    client.ask("uci", "uciok")
    client.send("position startpos moves h2e2 h9g7")
    client.send("go ponder movetime 50")
    move = client.ask("ponderhit", "bestmove")[-1].split()[1]
    assert client.seen[-1] == [f"h2e2 h9g7 {move}"]
    client.send(f"position startpos moves h2e2 h9g7 {move} i9h9")
    client.send("go ponder movetime 50")
    client.ask("stop", "bestmove")
    server.wait()
    assert games(tmp_path) == [f"h2e2 h9g7 {move} i9h9"]
    server.close()


def test_after_a_full_disk_the_next_move_tries_again(tmp_path, monkeypatch):
    server = Server({"ucci": Ucci()}, "ucci", Settings(hash=1), record=str(tmp_path))
    client = Conversation(server)
    client.ask("ucci", "ucciok")

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        client.send("position startpos moves h2e2")
        assert "the record could not be written" in client.line()
        lines = client.ask("go depth 1", "bestmove")
        assert not any("record" in line for line in lines)  # the same trouble is told once
        server.wait()
        assert list(tmp_path.iterdir()) == []  # no empty file, no unfinished one
    move = lines[-1].split()[1]
    client.send(f"position startpos moves h2e2 {move} h0g2")
    assert games(tmp_path) == [f"h2e2 {move} h0g2"]
    server.close()


def test_a_record_is_never_an_empty_file(scribe, tmp_path, monkeypatch):
    sizes = []
    link = os.link

    def watched(source, target):
        sizes.append((os.path.exists(target), os.path.getsize(source) > 0))
        link(source, target)

    monkeypatch.setattr(os, "link", watched)
    scribe.keep(after("h2e2"))
    assert sizes == [(False, True)] and games(tmp_path) == ["h2e2"]


def test_a_resignation_without_a_move_ends_the_record(scribe, tmp_path):
    scribe.keep(after("h2e2"), Choice("resign"))
    (record,) = read_file(next(tmp_path.iterdir()))
    assert (record.result, record.tags["Termination"]) == ("1-0", "resignation")


@pytest.mark.parametrize("protocol", ["ucci", "uci"])
def test_where_the_player_fails_a_search_answers(protocol, monkeypatch):
    server = Server({"ucci": Ucci(), "uci": Uci()}, protocol, Settings(hash=1))
    client = Conversation(server)
    client.ask(protocol, f"{protocol}ok")

    def broken(*_, **__):
        raise RuntimeError("broken")

    monkeypatch.setattr(server.session.player, "choose", broken)
    # The first legal moves give the chariot away or let it be; one takes the cannon that is to be had for nothing.
    client.send("position fen 3k5/9/9/9/9/9/9/R3c4/9/4K4 w - - 0 1")
    lines = client.ask("go depth 3", "bestmove")
    assert lines[-1].split()[1] == "a2e2"
    assert any("internal error (RuntimeError)" in line for line in lines)
    server.close()
