"""Engines that misbehave: every fault ends as documented (docs/engines.md), in time, with nothing left running."""

import sys
import threading
import time
from dataclasses import replace

import pytest
from programs import xiangqi_engine
from torture import Torture

from engines.clock import Clock, TimeControl
from engines.go.game import Game
from engines.go.points import BLACK, WHITE
from engines.go.vertex import parse_vertex
from engines.player import Limits, PlayerError
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_name
from engines.xiangqi.player import Settings
from protocols.commands.engine_check import check
from protocols.gtp.engine import EnginePlayer as GoEngine
from protocols.gtp.options import Options
from protocols.log import SessionLog

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the torture engine uses POSIX signals and process groups"
)

LONG = 300.0
"""Seconds within which any fault must be over, however busy the machine is: what is not to be waited for takes longer.
The sum of the time limits is below three."""

XIANGQI = ("uci", "ucci", "cecp")


class Table:
    """A torture engine as the player of a game."""

    def __init__(self, protocol, fault="none", once=None, **changes):
        self.torture = Torture(protocol, fault, once, **changes)
        self.told = []
        self.protocol = protocol
        if protocol == "gtp":
            self.player = GoEngine(self.torture.spec, Options(), SessionLog(), self.told.append)
            self.game = Game(9, 9)
        else:
            self.player = xiangqi_engine(self.torture.spec, Settings(), SessionLog(), self.told.append)
            self.game = Board()

    def ask(self, limits=None):
        """The engine's choice, which is played: the move's name, or what it did instead."""
        if self.protocol == "gtp":
            choice = self.player.choose(self.game, self.game.to_move, limits or Limits())
            if choice.move is not None and choice.action in ("move", "pass"):
                self.game.play_as(self.game.to_move, choice.move)
        else:
            choice = self.player.choose(self.game, self.game.turn, limits or Limits(seconds=0.2))
            if choice.action == "move":
                self.game.play(choice.move)
                return move_name(choice.move)
        return choice.action

    def text(self):
        return "\n".join(self.told)


@pytest.fixture
def table(tmp_path):
    """Makes tables; afterwards they are closed, and nothing may be left of their engines."""
    tables = []

    def make(protocol, fault="none", once=False, **changes):
        one = Table(protocol, fault, tmp_path / "once" if once else None, **changes)
        tables.append(one)
        return one

    begin = time.monotonic()
    yield make
    for one in tables:
        one.player.close()
        assert one.torture.left() == 0
    assert time.monotonic() - begin < LONG


FIRST = {"gtp": "move", "uci": "h2e2", "ucci": "h2e2", "cecp": "h2e2"}


@pytest.mark.parametrize("protocol", FIRST)
def test_a_good_engine_plays(table, protocol):
    one = table(protocol)
    assert one.ask() == FIRST[protocol]
    assert [one.ask() for _ in range(3)] == (["move"] * 3 if protocol == "gtp" else ["h9g7", "h0g2", "i9h9"])
    assert one.told == []


@pytest.mark.parametrize("protocol", ["gtp", "uci"])
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("hang", ("did not",)),
        ("deaf", ("did not",)),
        ("flood", ("did not",)),
        ("line", ("did not",)),
        ("close", ("closed its output", "did not")),
        ("die", ("exit code 3",)),
        ("crash", ("SIGKILL",)),
        ("forks", ("exit code 1",)),
        ("illegal", ("illegal",)),
        ("rubbish", ("no move",)),
    ],
)
def test_a_fault_is_told_and_the_engine_asked_again(table, protocol, fault, words):
    one = table(protocol, fault, once=True)
    if protocol == "gtp":
        # One stone stands, so that E5 is illegal; the game must be there again after a restart.
        one.game.play_as(BLACK, parse_vertex("E5", 9, 9))
    else:
        one.game.play(one.game.legal_moves()[0])
        one.game.undo()
    assert one.ask() == FIRST[protocol]
    assert any(word in one.text() for word in words), one.text()
    if protocol == "gtp":
        assert one.game.moves[1] == (WHITE, parse_vertex("C3", 9, 9))
        assert one.ask() == "move" and one.game.moves[2][1] == parse_vertex("G7", 9, 9)
    else:
        assert one.ask() == "h9g7"


@pytest.mark.parametrize("protocol", FIRST)
@pytest.mark.parametrize("fault", ["illegal", "crash"])
def test_who_never_gives_a_legal_move_resigns_or_errs(table, protocol, fault):
    one = table(protocol, fault, retries=1)
    if protocol == "gtp":
        one.game.play_as(BLACK, parse_vertex("E5", 9, 9))
    before = one.game.moves if protocol == "gtp" else one.game.fen()
    assert one.ask() == "resign"
    assert (one.game.moves if protocol == "gtp" else one.game.fen()) == before
    other = table(protocol, fault, retries=0, trouble="error")
    if protocol == "gtp":
        other.game.play_as(BLACK, parse_vertex("E5", 9, 9))
    with pytest.raises(PlayerError):
        other.ask()


@pytest.mark.parametrize("protocol", FIRST)
def test_a_second_answer_is_dropped(table, protocol):
    one = table(protocol, "twice")
    assert one.ask() == FIRST[protocol]
    assert one.ask() in ("move", "h9g7")
    assert one.ask() in ("move", "h0g2")
    assert one.told == []


@pytest.mark.parametrize("protocol", FIRST)
def test_floods_on_standard_error_are_drained_and_bounded(table, protocol):
    one = table(protocol, "errors", patience=5, stop_time=5)
    assert one.ask(Limits(seconds=4)) == FIRST[protocol]
    assert 0 < len(one.player._keeper.errors()) <= 200


@pytest.mark.parametrize("protocol", XIANGQI)
def test_an_answer_after_stop_counts(table, protocol):
    one = table(protocol, "late")
    assert one.ask() == "h2e2"
    assert one.told == []


@pytest.mark.parametrize("protocol", FIRST)
def test_who_ignores_quit_is_killed(table, protocol):
    one = table(protocol, "noquit", once=True)
    one.ask()
    begin = time.monotonic()
    one.player.close()
    assert time.monotonic() - begin < LONG
    assert one.torture.left() == 0


@pytest.mark.parametrize("protocol", FIRST)
def test_one_that_never_starts(table, protocol):
    one = table(protocol, "mute", start_time=0.4, retries=0)
    # A CECP engine need not say anything before it moves: it is given a moment for its features.
    assert one.ask() == "resign"
    assert "did not" in one.text()


@pytest.mark.parametrize("protocol", FIRST)
def test_one_that_dies_at_the_start_has_its_last_words_told(table, protocol):
    one = table(protocol, "stillborn", retries=0)
    assert one.ask() == "resign"
    assert "exit code 2" in one.text() and "cannot find my data" in one.text()


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
def test_what_an_engine_itself_calls_an_error_is_its_last_words(table, protocol):
    one = table(protocol, "netless", retries=0, rank_base=None)
    assert one.ask() == "resign"
    assert "exit code 1 (its last words: CRITICAL ERROR: no net; CRITICAL ERROR: ending)" in one.text()
    findings = check(replace(Torture(protocol, "netless", rank_base=None).spec, name="mine"))
    assert not findings.ok
    assert findings.lines["name"] == "torture"
    assert "CRITICAL ERROR: no net" in findings.text()


def test_one_that_keeps_dying_is_left_alone_for_a_while(table):
    one = table("uci", "stillborn", retries=9)
    assert one.ask() == "resign"
    assert "started 4 times" in one.text()


def test_one_that_does_not_exist():
    told = []
    spec = Torture("uci").spec
    player = xiangqi_engine(type(spec)("uci", "/nonexistent/engine", retries=0), Settings(), SessionLog(), told.append)
    assert player.choose(Board(), 0, Limits()).action == "resign"
    assert "/nonexistent/engine" in told[0] and "No such file" in told[0]


@pytest.mark.parametrize("protocol", XIANGQI)
def test_a_stop_ends_a_search_without_limits(table, protocol):
    one = table(protocol, "wait")
    threading.Timer(0.3, one.player.stop).start()
    begin = time.monotonic()
    assert one.ask(Limits(infinite=True)) == "h2e2"
    assert 0.25 < time.monotonic() - begin < LONG


def test_an_abort_ends_what_can_not_be_stopped(table):
    one = table("gtp", "hang", patience=600)
    threading.Timer(0.4, one.player.abort).start()
    with pytest.raises(PlayerError, match="interrupted"):
        one.ask()


def test_a_resignation_is_one(table):
    assert table("gtp", "resign").ask() == "resign"


@pytest.mark.parametrize("protocol", XIANGQI)
def test_a_clock_that_runs_out_ends_the_search(table, protocol):
    # It does not answer in time, but as soon as it is told to.
    one = table(protocol, "late")
    assert one.ask(Limits(clock=Clock(TimeControl.fischer(0.4, 0.0)))) == "h2e2"
    assert one.text() == ""


@pytest.mark.parametrize("protocol", XIANGQI)
def test_an_engine_is_told_its_clock_less_what_the_way_costs(table, protocol):
    one = table(protocol)
    client = one.player.client()
    told, go = [], client.go

    def listen(order):
        told.append(order.limits.clock.left)
        go(order)

    client.go = listen
    for left in (8.0, 8.0, 7.0, 8.1, 0.2):  # for Red the client lost a second with the first move
        one.ask(Limits(clock=Clock(TimeControl.fischer(left, 0.1))))
    assert told[:2] == [pytest.approx(7.98)] * 2
    assert told[2] < 6.0
    assert told[4] == pytest.approx(0.1)
