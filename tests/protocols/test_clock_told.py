"""What engines of every protocol are told of a clock: one table of time control and protocol."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.clock import Clock
from engines.player import Limits
from engines.timing import parse_control
from engines.xiangqi.board import Board
from protocols.cecp.client import CecpClient
from protocols.gtp import translate
from protocols.programs.config import EngineConfig
from protocols.ucci.client import UcciClient
from protocols.uci.client import UciClient
from protocols.xiangqi.orders import SearchRequest

CASES = [
    # control, what was spent on it, then UCI, UCCI, CECP, GTP 2, GTP with KataGo's words
    ("60", [], "60000 0", "60000 increment 0", "level 0 1:00 0", "60 0", "60 0"),
    ("60+2", [], "60000 2000", "60000 increment 2000", "level 0 1:00 2", "60 0", "60 0"),
    ("1+3x30", [], "31000 30000", "31000 increment 30000", "level 0 0:31 30", "1 0", "1 0"),
    ("1+3x30", [5], "30000 0 movestogo 1", "30000 movestogo 1", "level 1 0:30 0", "30 1", "30 3"),
    ("1+3x30", [5, 40], "30000 0 movestogo 1", "30000 movestogo 1", "level 1 0:30 0", "30 1", "30 2"),
    ("0+3x30", [], "30000 0 movestogo 1", "30000 movestogo 1", "level 1 0:30 0", "30 1", "30 3"),
    ("1+30/5", [], "31000 6000", "31000 increment 6000", "level 0 0:31 6", "1 0", "1 0"),
    ("1+30/5", [5], "26000 0 movestogo 4", "26000 movestogo 4", "level 4 0:26 0", "26 4", "26 4"),
    ("40/60", [], "60000 0 movestogo 40", "60000 movestogo 40", "level 40 1:00 0", "60 40", "60 40"),
    ("120+0@120@30", [], "30000 0 movestogo 7", "30000 movestogo 7", "level 7 0:30 0", "30 7", "120 0"),
    ("120+6@120@30", [], "30000 0 movestogo 3", "30000 movestogo 3", "level 3 0:30 0", "30 3", "120 0"),
    ("20+1@120@30", [], "20000 1000", "20000 increment 1000", "level 0 0:20 1", "20 0", "20 0"),
    ("60+1@90", [], "60000 1000", "60000 increment 1000", "level 0 1:00 1", "60 0", "60 0"),
]


def clock_of(control, spent):
    clock = Clock(parse_control(control))
    for seconds in spent:
        clock.spend(seconds)
    return clock


def client(kind, protocol):
    sent = []
    return kind(EngineConfig(protocol, "x"), lambda *lines: sent.extend(lines), lambda text: None), sent


def order(clock):
    return SearchRequest(Board(), Limits(clock=clock, opponent_clock=clock))


@pytest.mark.parametrize(("control", "spent", "uci", "ucci", "cecp", "gtp", "kata"), CASES)
def test_the_table(control, spent, uci, ucci, cecp, gtp, kata):
    clock = clock_of(control, spent)
    one, _ = client(UciClient, "uci")
    left, increment, *moves = uci.split(" ", 2)
    times = f"wtime {left} winc {increment} btime {left} binc {increment}"
    assert one.go_text(order(clock)) == " ".join(["go", times, *moves])
    one, _ = client(UcciClient, "ucci")
    one.unit = 0.001
    opponent = "opp" + ucci.replace(" increment", " oppincrement").replace(" movestogo", " oppmovestogo")
    assert one.go_text(order(clock)) == f"go time {ucci} {opponent.replace('opp', 'opptime ', 1)}"
    one, sent = client(CecpClient, "cecp")
    one._tell_time(order(clock), None)
    seconds = int(uci.split()[0]) // 10
    assert sent == [cecp, f"time {seconds}", f"otim {seconds}"]
    assert translate.time_left(1, clock, {"time_left"}.__contains__) == f"time_left black {gtp}"
    assert translate.time_left(1, clock, {"kata-time_settings"}.__contains__) == f"time_left black {kata}"


def test_a_bound_on_each_move_is_a_session_to_engines_without_the_word():
    control = parse_control("120+0@120@30")
    assert translate.time_settings(control, set().__contains__) == "time_settings 0 30 7"


@given(st.sampled_from(sorted({case[0] for case in CASES})), st.lists(st.floats(0, 200), max_size=6))
def test_no_protocol_gives_more_for_a_move_than_there_is_nor_less_than_is_free(control, spent):
    clock = clock_of(control, spent)
    if clock.expired:
        return
    told = clock.share
    assert told.seconds <= clock.reach + 1e-9
    assert told.seconds >= min(clock.left, clock.control.max_per_move)
    assert told.moves >= 0 and 0 <= told.increment < math.inf


@given(st.sampled_from(sorted({case[0] for case in CASES})), st.floats(0, 200), st.floats(0, 200))
def test_in_the_middle_of_a_move_what_is_spent_is_gone_from_the_reach(control, first, second):
    clock = clock_of(control, [])
    before = clock.reach
    after = clock.after(first).after(second)
    if not math.isfinite(clock.control.max_per_move):
        assert after.reach == pytest.approx(max(0.0, before - first - second))
    assert clock.after(first).reach <= before
