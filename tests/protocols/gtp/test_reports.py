"""Reports that are empty, hold no numbers, or tell of another position; and numbers that no clock or board can have."""

import json
import math
import re

import pytest
from support import PURE

from engines.clock import Clock, TimeControl
from engines.go.game import Game
from engines.go.points import BLACK, PASS, WHITE
from engines.go.search import SearchPlayer
from engines.player import Candidate, Limits, Report, Restriction
from protocols.gtp.analysis import LineWriter, Request, cgos_line, root_values
from protocols.gtp.options import Options
from protocols.gtp.server import Server

NO_NUMBERS = (math.inf, -math.inf, math.nan, 1e300)


@pytest.fixture
def search():
    """Makes servers with the built-in search; calling one sends a line and gives the whole reply, streamed or not."""
    made = []

    def make(**options):
        server = Server(Options(**{"width": 5, "height": 5, "playouts": 20, "seed": 1} | options))
        made.append(server)
        written = []
        server.attach(written.append)
        faults = []
        server._log.exception = lambda: faults.append(True)

        def send(line):
            written.clear()
            server.notice(line)
            reply = server.handle(line) or ""
            assert not faults, line
            return "".join(written) + reply

        send.session = server.session
        return send

    yield make
    for server in made:
        server.close()


ALL = Request(root_info=True, ownership=True, ownership_stdev=True, pv_visits=True, no_result=True)


@pytest.mark.parametrize("dialect", ["lz", "kata"])
def test_a_report_may_be_empty(dialect):
    assert LineWriter(dialect, ALL, 5, 5).line(Report()) == ""
    assert cgos_line(Report(), 5, 5) == ""
    assert root_values(Report()) == (0.5, None)


@pytest.mark.parametrize("dialect", ["lz", "kata"])
@pytest.mark.parametrize("value", NO_NUMBERS)
def test_a_number_may_be_none(value, dialect):
    """The line goes out, every number in it is one, and a score that is none is left out."""
    extra = {"lcb": value, "score_stdev": value, "pv_visits": (3,)}
    wrong = Candidate(7, (7,), visits=3, winrate=value, score=value, prior=value, extra=extra)
    report = Report((wrong, Candidate(8, visits=2, winrate=0.25, score=1.0)), nodes=5, ownership=(value,) * 25)
    line = LineWriter(dialect, ALL, 5, 5).line(report)
    assert line.startswith("info move C2 visits 3 ")
    assert not re.search(r"(?i)\b(nan|inf)\b|e[+-]?\d\d", line)
    assert line.count("scoreLead") == (dialect == "kata") and "rootInfo" in line
    told = json.loads(cgos_line(report, 5, 5))
    assert "score" not in told["moves"][0] and told["moves"][1]["score"] == 1.0 and "score" not in told
    assert 0 <= told["winrate"] <= 1


LINES = [
    "kata-genmove_analyze w 1 allow w A1 2 rootInfo true ownership true",
    "cgos-genmove_analyze w 1 allow w A1 2",
    "lz-genmove_analyze w 0 allow w A1 2147483647",
    "kata-genmove_analyze b avoid b A1,pass 2147483647",
]


@pytest.mark.parametrize("size", ["1", "2 1", "5"])
@pytest.mark.parametrize("line", LINES)
def test_nothing_to_choose_from(line, size, search):
    gtp = search()
    gtp(f"boardsize {size}")
    gtp("play b A1")
    assert re.fullmatch(r"=\n([^\n]+\n)+play \w+\n\n", gtp("7 " + line).replace("=7\n", "=\n", 1))
    assert gtp("8 name") == "=8 qiqiao\n\n"


@pytest.mark.parametrize("look", ["ownership", "candidates", "winrates", "visits", "variation"])
@pytest.mark.parametrize("change", ["boardsize 2", "boardsize 1 25", "boardsize 25 3", "play b A1", "undo"])
def test_a_board_that_changes_drops_the_report_of_the_one_before(change, look, search, monkeypatch):
    monkeypatch.setattr("protocols.gtp.commands_analysis.LOOK", 0.02)
    gtp = search()
    gtp("play w C3")
    gtp("play w B3")
    assert gtp("kata-genmove_analyze b 0").endswith("\n\n")
    gtp("undo")
    gtp("reg_genmove b")
    gtp(change)
    reply = gtp(f"qiqiao-{look} b")
    assert reply.startswith("= ")
    if look == "ownership":
        game = gtp.session.game
        assert [len(row.split()) for row in reply.split("\n")[1:-2]] == [game.width] * game.height


@pytest.mark.parametrize(
    "change",
    [
        *("komi 200", "kata-set-rules japanese", "qiqiao-param playouts 30", "kata-set-param numSearchThreads 2"),
        *("play w E5", "clear_board", "clear_cache", "set_free_handicap A1 C3", "boardsize 5"),
    ],
)
def test_what_was_thought_serves_only_the_very_position(change, search):
    gtp = search()
    gtp("reg_genmove b")
    session = gtp.session
    known = session.known(BLACK)
    assert known is not None and session.known(WHITE) is None
    gtp("showboard")
    assert session.known(BLACK) is known
    gtp(change)
    assert session.known(BLACK) is not known


def test_a_search_that_left_moves_out_is_no_answer_to_a_question(search):
    gtp = search()
    gtp("kata-genmove_analyze b 0 allow b A1 1")
    gtp("undo")
    assert gtp.session.known(BLACK) is None


def test_the_old_komi_s_rates_are_not_shown_again(search):
    gtp = search(playouts=200)
    gtp("qiqiao-winrates b")
    gtp("komi 200")
    rates = [int(line.split()[1]) for line in gtp("qiqiao-winrates b")[2:].splitlines() if line]
    assert rates and max(rates) < 10


@pytest.mark.parametrize("depth", [1, 32767, 32768, 65536, 2**31 - 1, 2**31, 2**70])
def test_what_must_not_be_played_is_not_however_deep_the_ban(depth):
    game = Game(2, 2)
    player = SearchPlayer(playouts=50, seed=1, resign=0)
    try:
        banned = frozenset(range(4)) - {2}
        for rule in (Restriction(BLACK, banned, depth), Restriction(BLACK, frozenset((2,)), depth, allow=True)):
            choice = player.choose(game, BLACK, Limits(nodes=50, restrictions=(rule,)))
            assert choice.move in (2, PASS)
            assert {one.move for one in choice.report.candidates if one.visits} <= {2, PASS}
    finally:
        player.close()


@pytest.mark.parametrize("komi", ["1e308", "-1e308", "1000001", "inf", "nan", "1e400"])
def test_komi_beyond_reason(komi, client):
    gtp = client()
    gtp.ok("komi 6.5")
    assert gtp.error(f"komi {komi}") in ("komi must be -1000000 to 1000000", "syntax error: komi not a number")
    assert gtp.ok("komi -1000000", "get_komi") == "-1000000"
    with pytest.raises(ValueError, match="komi"):
        Game(9, komi=float(komi))


@pytest.mark.parametrize("number", ["1e9", "1e15", "1e308"])
@pytest.mark.parametrize(
    "line",
    [
        "time_settings {0} {0} 2147483647",
        "kgs-time_settings byoyomi {0} {0} 2147483647",
        "kgs-time_settings byoyomi 0 1e-300 2147483647",
        "kata-time_settings fischer {0} {0}",
        "kata-time_settings fischer-capped {0} {0} {0} {0}",
        "kata-time_settings fischer-capped 1 1 -{0} -{0}",
        "time_left b {0} 2147483647",
        "time_left b -{0} 1",
    ],
)
def test_time_beyond_reason(line, number, client):
    gtp = client()
    gtp.ok(line.format(number), "time_left b 5 0", "genmove b", "genmove w")
    for clock in gtp.server.session.clocks.values():
        plan = clock.plan()
        assert plan is None or 0 < plan.target <= plan.maximum < 2e9


def test_periods_that_last_next_to_nothing_are_counted_at_once():
    period = 2.0**-30
    clock = Clock(TimeControl.byoyomi(0, period, 2**31 - 1))
    clock.spend(1.0 + period)
    assert (clock.stones, clock.left, clock.expired) == (2**30 - 1, period, False)
    clock.spend(10.0)
    assert clock.expired
    gone = Clock(TimeControl.byoyomi(0, 5e-324, 3))
    gone.spend(0.5)
    assert gone.expired


@pytest.mark.skipif(PURE, reason="a search of its own")
@pytest.mark.parametrize("interval", ["1e300", "0.0000001"])
def test_an_interval_beyond_reason(interval, search):
    gtp = search()
    assert "\nplay " in gtp(f"kata-genmove_analyze b {interval}")
