"""Engines that stop answering between two moves, or answer everything late: every wait ends with the mover's clock, and
at once when nobody wants the answer any more."""

import sys
import threading
import time

import pytest
from conversation import Conversation
from programs import xiangqi_engine
from torture import Torture

from engines.clock import Clock, TimeControl
from engines.go.game import Game as GoGame
from engines.go.points import BLACK, WHITE
from engines.go.vertex import parse_vertex
from engines.player import Limits, PlayerError
from engines.xiangqi.board import Board
from engines.xiangqi.game import Game as XiangqiGame
from engines.xiangqi.player import Settings
from protocols.commands.clients import client_class
from protocols.gtp.engine import EnginePlayer as GoEngine
from protocols.gtp.match_player import GtpMatchPlayer
from protocols.gtp.options import Options
from protocols.gtp.server import Server as GtpServer
from protocols.log import SessionLog
from protocols.programs.config import EngineConfig
from protocols.programs.supervisor import Aborted, EngineHung, Leash, Talker
from protocols.ucci.server import Ucci
from protocols.uci.server import Uci
from protocols.xiangqi.match_player import XiangqiMatchPlayer
from protocols.xiangqi.server import Server

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the torture engine uses POSIX signals and process groups"
)

PROTOCOLS = ("gtp", "uci", "cecp")  # UCCI has its client from UCI

LONG = 300.0
"""Seconds below which all is over, however busy the machine is; the patience that is not to be waited for is longer."""


def clock(seconds):
    return Limits(clock=Clock(TimeControl.absolute(seconds)))


class Table:
    """A player that has made one move, by an engine which then fails."""

    def __init__(self, protocol, fault, once=None, **changes):
        self.told = []
        self.torture = Torture(protocol, fault, once, **{"stop_time": 0.3, "patience": 600, **changes})
        arguments = self.torture.spec, Options() if protocol == "gtp" else Settings(), SessionLog(), self.told.append
        self.player = (GoEngine if protocol == "gtp" else xiangqi_engine)(*arguments)
        self.game = GoGame(9, 9) if protocol == "gtp" else Board()
        self.player.client()
        self.ask(clock(60))

    def ask(self, limits):
        """The action chosen, which is played if it is a move."""
        go = isinstance(self.game, GoGame)
        color = self.game.to_move if go else self.game.turn
        choice = self.player.choose(self.game, color, limits)
        if choice.action == "move":
            self.game.play(choice.move)
        return choice.action


@pytest.fixture
def table(tmp_path):
    made = []

    def make(protocol, fault="stall", once=False, **changes):
        made.append(Table(protocol, fault, tmp_path / "once" if once else None, **changes))
        return made[-1]

    yield make
    for one in made:
        one.player.close()
        assert one.torture.left() == 0


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_half_the_clock_is_kept_to_start_it_anew(table, protocol):
    one = table(protocol, once=True)
    if protocol == "gtp":  # it is told something before it thinks
        one.game.play_as(WHITE, parse_vertex("A1", 9, 9))
    begin = time.monotonic()
    assert one.ask(clock(2.4)) == "move"
    assert time.monotonic() - begin < LONG
    assert "did not answer" in one.told[0]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_wait_ends_with_the_clock(table, protocol):
    one = table(protocol)
    moves = one.game.history if protocol != "gtp" else one.game.moves
    one.player._keeper._starts.extend([time.monotonic()] * 4)  # nor does it start again
    begin = time.monotonic()
    assert one.ask(clock(0.3)) == "resign"
    assert time.monotonic() - begin < LONG
    assert (one.game.history if protocol != "gtp" else one.game.moves) == moves


@pytest.mark.parametrize("protocol", ["uci", "cecp"])
def test_no_new_attempt_once_the_flag_is_down(table, protocol):
    one = table(protocol, "slow", retries=9)
    begin = time.monotonic()
    assert one.ask(clock(0.2)) == "resign"
    assert time.monotonic() - begin < LONG
    assert len(one.told) <= 3


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("limits", [clock(600), Limits(infinite=True)], ids=["clock", "endless"])
def test_a_stop_ends_it_at_once(table, protocol, limits):
    one = table(protocol)
    # GTP has no word that makes an engine move at once.
    threading.Timer(0.1, one.player.abort if protocol == "gtp" else one.player.stop).start()
    begin = time.monotonic()
    if protocol == "gtp" and limits.infinite:
        assert one.ask(limits) == "none"
    else:
        with pytest.raises(PlayerError, match="no move yet"):
            one.ask(limits)
    assert time.monotonic() - begin < LONG


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_next_question_finds_a_good_engine_after_a_stop(table, protocol):
    one = table(protocol, once=True)
    if protocol == "gtp":
        one.game.play_as(WHITE, parse_vertex("A1", 9, 9))
    threading.Timer(0.1, one.player.stop).start()
    with pytest.raises(PlayerError):
        one.ask(Limits(depth=9))
    assert one.ask(clock(2.4)) == "move"


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
def test_a_ponder_hit_starts_the_clock(table, protocol):
    one = table(protocol, retries=0)
    hit = clock(0.4)
    threading.Timer(0.2, one.player.ponder_hit, (hit,)).start()
    begin = time.monotonic()
    assert one.ask(Limits(clock=hit.clock, infinite=True, pondering=True)) == "resign"
    assert time.monotonic() - begin < LONG


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_who_answers_late_plays_on_a_long_clock(table, protocol):
    one = table(protocol, "slow")
    assert one.ask(clock(600)) == "move"
    assert one.told == []


# --- behind the servers


@pytest.fixture
def talk(table):
    """The client's end of a server whose engine has made a move and reads no more."""
    servers = []

    def make(protocol):
        one = table(protocol)
        if protocol == "gtp":
            server = GtpServer(Options(move_time=0), one.player)
        else:
            server = Server({"ucci": Ucci(), "uci": Uci()}, protocol, one.player.settings, player=one.player)
        servers.append(server)
        return Conversation(server)

    yield make
    for server in servers:
        server.notice_end("gone")
        server.close()


GO = {"uci": "go wtime 500 btime 500", "ucci": "go time 1 increment 0"}
ANSWER = {"uci": "bestmove", "ucci": ("bestmove", "nobestmove")}


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
def test_a_client_is_answered_when_its_clock_is_over(talk, protocol):
    one = talk(protocol)
    begin = time.monotonic()
    one.send("position startpos")
    one.ask(GO[protocol], ANSWER[protocol])
    assert time.monotonic() - begin < LONG


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
@pytest.mark.parametrize("words", ["go infinite", "long"])
def test_a_client_is_answered_when_it_says_stop(talk, protocol, words):
    one = talk(protocol)
    one.send("position startpos")
    one.send(GO[protocol].replace("500", "500000").replace("time 1", "time 1000") if words == "long" else words)
    begin = time.monotonic()
    one.ask("stop", ANSWER[protocol])
    assert time.monotonic() - begin < LONG
    assert one.ask("isready", "readyok")


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
def test_a_stop_ends_the_wait_for_an_engine_that_never_starts(protocol):
    spec = EngineConfig("uci", f"{sys.executable} -c 'import time; time.sleep(600)'", start_time=300, stop_time=0.3)
    player = xiangqi_engine(spec, Settings(), SessionLog(), lambda text: None)
    player.warm_up()
    server = Server({"ucci": Ucci(), "uci": Uci()}, protocol, player=player)
    ready = threading.Thread(target=server.handle, args=("isready",))
    ready.start()  # the loop is in it while further lines arrive
    server.notice("stop")
    ready.join(LONG)
    still = ready.is_alive()
    player.hurry()
    server.close()
    assert not still


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
def test_quit_does_not_wait(talk, protocol):
    one = talk(protocol)
    one.send("position startpos")
    one.send("go depth 30")
    begin = time.monotonic()
    one.send("quit")
    one.server.close()
    assert one.server.finished and time.monotonic() - begin < LONG


def test_a_gtp_client_is_answered_when_its_clock_is_over(talk):
    one = talk("gtp")
    one.send("time_settings 1 0 0")
    begin = time.monotonic()
    assert one.ask("genmove b", "=")
    assert time.monotonic() - begin < LONG


def test_gtp_quit_does_not_wait(talk):
    one = talk("gtp")
    answers = []
    thread = threading.Thread(target=lambda: answers.append(one.server.handle("genmove b")))
    begin = time.monotonic()
    thread.start()
    time.sleep(0.2)
    one.server.notice("quit")
    thread.join(LONG)
    assert answers and time.monotonic() - begin < LONG


# --- in matches


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("stopped", [False, True])
def test_a_match_waits_no_longer_than_the_clock(protocol, stopped):
    torture = Torture(protocol, "stall", stop_time=0.5)
    make = GtpMatchPlayer if protocol == "gtp" else XiangqiMatchPlayer
    seat = make(torture.spec, client_class(protocol))
    game = GoGame(9, 9) if protocol == "gtp" else XiangqiGame()
    color = BLACK if protocol == "gtp" else game.turn
    seat.begin(game, color)
    limits = clock(60 if stopped else 0.4)
    decision = seat.choose(game, color, limits, False)
    if protocol == "gtp":
        game.play_as(color, decision.move)
    else:
        game.play(decision.move)
    if stopped:
        threading.Timer(0.2, seat.stop).start()
    begin = time.monotonic()
    with pytest.raises(PlayerError):
        for _ in range(2):  # a match does not ask between moves what needs no asking
            seat.choose(game, game.to_move if protocol == "gtp" else game.turn, limits, False)
    assert time.monotonic() - begin < LONG
    seat.close()
    assert torture.left() == 0


# --- the mechanism


def test_a_leash_holds_in_its_own_thread_only():
    leash = Leash()
    with leash.until(0):
        assert leash.bound() == 0
        seen = []
        thread = threading.Thread(target=lambda: seen.append(leash.bound()))
        thread.start()
        thread.join()
        assert seen == [float("inf")]
        with leash.off():
            assert leash.bound() == float("inf")
        with leash.until(5):
            assert leash.bound() == 0
    assert leash.bound() == float("inf")


def test_a_stop_is_remembered_until_the_next_choice():
    leash = Leash()
    leash.stop(0)
    with leash.until(float("inf")), pytest.raises(Aborted):
        leash.bound()
    leash.reset()
    with leash.until(float("inf")):
        assert leash.bound() == float("inf")


def test_a_wait_ends_with_whatever_comes_first():
    talker = Talker(EngineConfig("uci", "x"), lambda *lines: None, lambda text: None)
    with talker.leash.until(time.monotonic() + 0.01), pytest.raises(EngineHung):
        talker.wait_for(lambda: False, None)
    with talker.leash.until(time.monotonic() + 60):
        assert not talker.wait_for(lambda: False, time.monotonic() + 0.01)
        talker.leash.stop(0.01)
        with pytest.raises(Aborted):
            talker.wait_for(lambda: False, None)
        assert talker.wait_for(lambda: True, None)
