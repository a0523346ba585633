"""Commands for people."""

import pytest
from conversation import Conversation

from engines.xiangqi.board import Board
from engines.xiangqi.fen import START_FEN
from engines.xiangqi.player import Settings
from protocols.ucci.server import Ucci
from protocols.uci.server import Uci
from protocols.xiangqi import handy
from protocols.xiangqi.server import Server


@pytest.fixture(params=["uci", "ucci"])
def talk(request):
    server = Server({"ucci": Ucci(), "uci": Uci()}, request.param, Settings(hash=1))
    talk = Conversation(server)
    talk.ask(request.param, f"{request.param}ok")
    talk.info = "info string " if request.param == "uci" else "info message "
    yield talk
    server.notice_end("gone")
    server.close()


def test_fen(talk):
    talk.send("fen")
    assert talk.line() == talk.info + START_FEN
    talk.send("fen 3k5/9/9/9/9/9/9/9/9/R3K4 w - - 4 9")
    talk.send("fen")
    assert talk.line() == talk.info + "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 4 9"


def test_flip(talk):
    talk.send("position startpos moves h2e2 h9g7")
    before = talk.server.session.keeper.board.fen()
    talk.send("flip")
    flipped = talk.line().removeprefix(talk.info)
    assert flipped == "rnbakabnr/9/1c2c4/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R b - - 2 2"
    assert Board(flipped).perft(2) == Board(before).perft(2)
    talk.send("flip")
    assert talk.line() == talk.info + before


@pytest.mark.parametrize("word", ["flip", "eval", "fen", "banmoves h2e2", "go perft 1"])
def test_without_a_position_there_is_nothing_to_tell(talk, word):
    talk.send("position fen x")
    talk.line()
    talk.send(word)
    assert talk.line().startswith(talk.info + "no position")
    talk.send("position startpos")
    talk.send(word)
    assert "no position" not in (talk.line(0.3) or "")


def test_compiler_and_help(talk):
    talk.send("compiler")
    assert "Python" in talk.line()
    for word in ("help", "--help"):
        talk.send(word)
        assert [talk.line() for _ in handy.HELP] == [talk.info + line for line in handy.HELP]
        assert talk.silent()


def test_bench(talk):
    lines = talk.ask("bench 1 1 2", "Nodes/second")
    assert sum(line.startswith("Position: ") for line in lines) == len(handy.BENCH_GAMES)
    assert lines[-3].startswith("Total time (ms) : ") and int(lines[-2].split()[-1]) > 200
    nodes = talk.ask("bench 1 1 100 default nodes", "Nodes/second")[-2]
    assert 400 <= int(nodes.split()[-1]) <= 600
    assert not any(line.startswith("bestmove") for line in lines)


def test_a_bench_can_be_stopped(talk):
    talk.send("bench 1 1 90")
    talk.line()
    talk.send("stop")
    assert talk.until(talk.info)[-1].endswith("the bench was stopped")
    talk.send("position startpos")
    assert len(talk.ask("go depth 1", "bestmove")) > 1
