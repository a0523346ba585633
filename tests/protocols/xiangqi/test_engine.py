"""Another program behind the UCCI and UCI servers: ourselves, in the other protocol or in the same."""

import sys
import threading
import time

import pytest
from conversation import Conversation, play
from support import DATA, PURE, ROOT

from engines.xiangqi.player import Settings
from protocols.commands.clients import client_class
from protocols.log import SessionLog
from protocols.programs.config import EngineConfig
from protocols.ucci.server import Ucci
from protocols.uci.server import Uci
from protocols.xiangqi.engine import EnginePlayer
from protocols.xiangqi.server import Server

pytestmark = pytest.mark.compiled

FILES = sorted((DATA / "xiangqi" / "sessions").iterdir())

NOT_BORROWED = {
    # The search's own list of options; a look into its hash table.
    "fairyground.ucci",
    "tolerance.ucci",
    # Names books that are not there; those of another program are its own affair.
    "xqwizard.ucci",
    # UCCI has no MultiPV, and lists the rules of repetition in another order.
    "jieqibox.uci",
    "pikafish_gui.uci",
}


def engine(protocol, *, wishes=None, **changes):
    command = f"'{sys.executable}' '{ROOT / 'qiqiao.py'}' {protocol} --hash 1 --move-time 0.05"
    settings = Settings(hash=1, move_time=0.05, resign=2000)
    make_client = client_class(protocol)
    spec = EngineConfig(protocol, command, **changes)
    return EnginePlayer(spec, settings, SessionLog(), wishes=wishes, make_client=make_client)


@pytest.fixture
def server():
    """Makes servers with another program behind them."""
    made = []

    def make(first, player):
        one = Server({"ucci": Ucci(), "uci": Uci()}, first, player.settings, player=player)
        made.append(one)
        return one

    yield make
    for one in made:
        one.notice_end("gone")
        one.close()


@pytest.mark.skipif(PURE, reason="the engine is the installed program")
@pytest.mark.parametrize("path", [p for p in FILES if p.name not in NOT_BORROWED], ids=lambda path: path.name)
def test_a_client_sees_no_difference(server, path):
    """UCCI clients with a UCI engine, UCI clients with a UCCI engine."""
    first = path.suffix[1:]
    play(path, server(first, engine("uci" if first == "ucci" else "ucci")))


@pytest.mark.parametrize(("first", "protocol"), [("ucci", "uci"), ("uci", "ucci")])
def test_options_under_the_names_of_either_protocol(server, first, protocol):
    player = engine(protocol, wishes={"Hash": "2", "Repetition Rule": "chineserule", "nonsense": "1"})
    told = []
    player.warm_up()
    player.wait_until_ready()
    talk = Conversation(server(first, player))
    lines = talk.ask(first, f"{first}ok")
    assert lines[0].startswith("id name qiqiao") and lines[0].endswith("(qiqiao)")
    names = "\n".join(lines)
    assert ("option name Hash " if first == "uci" else "option hashsize ") in names
    assert ("option name Repetition Rule " if first == "uci" else "option repetition ") in names
    player.tell_to(told.append)
    assert player.set_option("hashsize", "3") and player.set_option("Hash", "3")
    assert player.set_option("repetition", "asianrule") and player.set_option("Repetition Rule", "AsianRule")
    assert player.set_option("drawmoves", "50") and player.set_option("Rule60MaxPly", "100")
    assert not player.set_option("nonsense", "1") and not player.set_option("usemillisec", "true")


def test_a_name_that_is_unknown_and_a_value_that_is_wrong(server):
    talk = Conversation(server("uci", engine("uci")))
    talk.ask("uci", "uciok")
    assert talk.ask("setoption name nonsense value 1", "info") == ["info string No such option: nonsense"]
    assert "goes from 1 to 256, not 999: 256 is taken" in talk.ask("setoption name Threads value 999", "info")[-1]
    assert "whole number" in talk.ask("setoption name Hash value many", "info")[-1]
    talk.send("setoption name EvalFile value pikafish.nnue")  # nor does the engine know it: no word is lost on that
    assert talk.silent()


def test_pondering_hits_and_misses(server):
    talk = Conversation(server("uci", engine("ucci")))
    talk.ask("uci", "uciok")
    talk.send("position startpos moves h2e2 h9g7")
    talk.send("go ponder wtime 2000 btime 2000")
    assert not any(line.startswith("bestmove") for line in iter(lambda: talk.line(0.3), None))
    talk.send("ponderhit")
    assert talk.until("bestmove")[-1].split()[1] != "(none)"
    talk.send("position startpos moves h2e2 h9g7")
    talk.send("go ponder wtime 60000 btime 60000")
    talk.send("stop")
    assert talk.until("bestmove")[-1].split()[1] != "(none)"
    talk.send("position startpos moves h2e2")
    assert len(talk.ask("go depth 2", "bestmove")) > 1


@pytest.mark.parametrize(("first", "protocol"), [("ucci", "uci"), ("uci", "ucci"), ("ucci", "ucci"), ("uci", "uci")])
def test_forbidden_moves(server, first, protocol):
    talk = Conversation(server(first, engine(protocol)))
    talk.ask(first, f"{first}ok")
    talk.send("position startpos")
    if first == "ucci":
        talk.send("banmoves " + " ".join(m for m in ("h2e2", "b2e2", "h0g2", "b0c2", "c3c4", "g3g4")))
        answer = talk.ask("go depth 3", "bestmove")[-1].split()[1]
        assert answer not in ("h2e2", "b2e2", "h0g2", "b0c2", "c3c4", "g3g4")
    else:
        assert talk.ask("go depth 3 searchmoves a3a4 i3i4", "bestmove")[-1].split()[1] in ("a3a4", "i3i4")


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
def test_mates_come_through(server, protocol):
    position = "position fen 3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1"
    talk = Conversation(server("uci", engine(protocol)))
    talk.ask("uci", "uciok")
    talk.send(position)
    assert any(" score mate 1 " in line for line in talk.ask("go depth 4", "bestmove"))
    talk.ask("ucci", "ucciok")
    talk.send(position)
    assert any(" score 9999 " in line for line in talk.ask("go depth 4", "bestmove"))


def test_quit_does_not_wait_for_an_engine_that_never_starts(server):
    player = EnginePlayer(
        EngineConfig("uci", "sleep 1000", start_time=600),
        Settings(hash=1),
        SessionLog(),
        lambda text: None,
        make_client=client_class("uci"),
    )
    one = server("uci", player)
    player.warm_up()
    threading.Timer(0.3, one.notice, ("quit",)).start()
    begin = time.monotonic()
    assert one.handle("isready") == "readyok\n"
    one.handle("quit")
    one.close()
    assert one.finished and time.monotonic() - begin < 300  # half of what it would have waited


def test_options_for_an_engine_that_does_not_run_are_kept():
    player = EnginePlayer(
        EngineConfig("uci", "/nonexistent/engine"),
        Settings(hash=1),
        SessionLog(),
        lambda text: None,
        make_client=client_class("uci"),
    )
    player.warm_up()
    assert player.set_option("Hash", "2") and player.set_option("Threads", "1")
    player.close()
