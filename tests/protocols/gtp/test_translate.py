"""Time settings and lines of analysis, from one dialect to another."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.clock import Clock, TimeControl
from protocols.gtp import analysis
from protocols.gtp.translate import parse_info, time_left, time_settings

ALL = {"time_settings", "kgs-time_settings", "kata-time_settings"}


@pytest.mark.parametrize(
    ("control", "commands", "text"),
    [
        (TimeControl.none(), {"time_settings"}, "time_settings 0 1 0"),
        (TimeControl.none(), ALL, "kgs-time_settings none"),
        (TimeControl.absolute(90.9), ALL, "time_settings 90 0 0"),
        (TimeControl.canadian(60, 30, 5), ALL, "time_settings 60 30 5"),
        (TimeControl.session(300, 40), ALL, "time_settings 0 300 40"),
        (TimeControl.byoyomi(60, 30, 5), ALL, "kgs-time_settings byoyomi 60 30 5"),
        (TimeControl.byoyomi(60, 30, 5), {"kata-time_settings"}, "kata-time_settings byoyomi 60 30 5"),
        (TimeControl.byoyomi(60, 30, 5), set(), "time_settings 60 30 1"),
        (TimeControl.fischer(60, 1.5), ALL, "kata-time_settings fischer 60 1.5"),
        (TimeControl.fischer(60, 1.5), set(), "time_settings 60 0 0"),
        (TimeControl.fischer_capped(60, 1, 90, -1), ALL, "kata-time_settings fischer-capped 60 1 90 -1"),
    ],
)
def test_time_settings(control, commands, text):
    assert time_settings(control, commands.__contains__) == text


def test_time_left():
    clock = Clock(TimeControl.byoyomi(60, 30, 5))
    assert time_left(1, clock) == "time_left black 60 0"
    clock.set_left(29.9, 4)
    assert time_left(2, clock) == "time_left white 29 4"
    clock = Clock(TimeControl.absolute(60))
    clock.set_left(0.9)
    assert time_left(1, clock) == "time_left black 0 0"


def test_a_line_of_each_kind():
    kata = parse_info(
        "info move D4 visits 12 winrate 0.56 scoreLead -1.5 prior 0.2 lcb 0.5 order 1 pv D4 Q16 pass pvVisits 3 2 1 "
        "info move Q4 visits 3 winrate 0.5 order 0 pv Q4 rootInfo visits 20 winrate 0.5 ownership " + "0.5 " * 361,
        True,
        19,
        19,
    )
    first, second = kata.candidates
    assert (first.visits, second.visits, second.winrate, second.score) == (3, 12, 0.56, -1.5)
    assert second.line == (3 * 19 + 3, 15 * 19 + 15, -1) and second.extra == {"lcb": 0.5}
    assert kata.nodes == 20 and len(kata.ownership) == 361
    lz = parse_info("info move D4 visits 12 winrate 5600 prior 2000 lcb 5000 order 0 pv D4", False, 19, 19)
    assert (lz.candidates[0].winrate, lz.candidates[0].prior) == (0.56, 0.2)
    sabaki = parse_info("info move D4 visits 12 winrate 0.56 order 0 pv D4", False, 19, 19)
    assert sabaki.candidates[0].winrate == 0.56


@pytest.mark.parametrize("line", ["", "play D4", "info", "info move", "info move Z99 visits 1", "=", "info pv", "x y"])
def test_other_lines_are_none(line):
    assert parse_info(line, True, 19, 19) is None


@given(
    st.lists(
        st.tuples(st.integers(0, 80), st.integers(1, 10**6), st.floats(0, 1), st.floats(-50, 50), st.floats(0, 1)),
        min_size=1,
        max_size=5,
        unique_by=lambda row: row[0],
    ),
    st.sampled_from(["kata", "lz"]),
)
def test_what_our_server_writes_is_read_back(rows, dialect):
    from engines.player import Candidate, Report

    report = Report(
        tuple(
            Candidate(move, (move,), visits, winrate, score, prior=prior)
            for move, visits, winrate, score, prior in rows
        )
    )
    line = analysis.LineWriter(dialect, analysis.Request(), 9, 9).line(report)
    back = parse_info(line, dialect == "kata", 9, 9)
    for mine, its in zip(report.candidates, back.candidates, strict=True):
        assert (mine.move, mine.visits, mine.line) == (its.move, its.visits, its.line)
        assert math.isclose(mine.winrate, its.winrate, abs_tol=1e-4)
        if dialect == "kata":
            assert math.isclose(mine.score, its.score, abs_tol=1e-5)


@given(st.text(max_size=80))
def test_no_line_is_too_strange(text):
    report = parse_info("info " + text, True, 9, 9)
    assert report is None or all(-1 <= candidate.move < 81 for candidate in report.candidates)
