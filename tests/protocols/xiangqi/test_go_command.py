"""The words of ``go``, and the limits they make."""

import pytest

from protocols.xiangqi.go_command import read_go


def limits(text, color=0, unit=1.0):
    request = read_go(text.split(), unit)
    assert request.errors == []
    return request.limits(color)


def read(text):
    return read_go(text.split(), 1.0)


def test_nothing_means_for_ever():
    assert limits("").infinite
    assert limits("infinite").infinite
    assert limits("depth infinite").infinite


def test_plain_limits():
    found = limits("depth 5 nodes 1000 mate 3 movetime 250")
    assert (found.depth, found.nodes, found.mate, found.seconds) == (5, 1000, 3, 0.25)
    assert not found.infinite and found.clock is None


@pytest.mark.parametrize("unit, left", [(1.0, 300.0), (0.001, 0.3)])
def test_ucci_times_come_in_the_unit_of_the_session(unit, left):
    found = limits("time 300 increment 10 opptime 200 oppincrement 10", unit=unit)
    assert found.clock.left == pytest.approx(left)
    assert found.clock.control.kind == "fischer"
    assert found.clock.control.increment == pytest.approx(10 * unit)
    assert found.opponent_clock.left == pytest.approx(200 * unit)


def test_ucci_clock_kinds():
    session = limits("time 600 movestogo 30 opptime 500 oppmovestogo 29")
    assert (session.clock.control.kind, session.clock.stones) == ("moves", 30)
    assert session.opponent_clock.stones == 29
    assert limits("time 600").clock.control.kind == "absolute"
    assert limits("time 600 increment 0").clock.control.kind == "absolute"


@pytest.mark.parametrize("color, left, other", [(0, 60.0, 50.0), (1, 50.0, 60.0)])
def test_uci_times_are_milliseconds_and_by_color(color, left, other):
    found = limits("wtime 60000 btime 50000 winc 1000 binc 1000", color)
    assert (found.clock.left, found.opponent_clock.left) == (left, other)
    assert found.clock.control.increment == 1.0


def test_a_single_clock_serves_whoever_moves():
    assert limits("wtime 1000", 1).clock.left == 1.0


def test_one_move_to_go_may_use_the_time():
    plan = limits("wtime 2000 btime 2000 movestogo 1").clock.plan()
    assert 1.5 < plan.target <= 2.0 and plan.maximum <= 2.0


def test_search_moves_end_with_the_next_word():
    request = read("searchmoves h2e2 b2e2 depth 3")
    assert request.moves == ["h2e2", "b2e2"] and request.numbers == {"depth": 3}


def test_flags():
    request = read("ponder time 100")
    assert request.ponder and request.timed and not request.draw
    assert read("draw depth 3").draw
    both = read("ponder draw time 1")
    assert both.ponder and not both.draw and both.errors


@pytest.mark.parametrize(
    "text",
    ["depth", "depth x", "depth nan", "time", "movetime soon", "nodes -", "nonsense", "depth 1e400 x", "wtime btime"],
)
def test_bad_words_are_told_and_do_not_make_it_think_for_ever(text):
    request = read_go(text.split(), 1.0)
    assert request.errors
    assert not request.limits(0).infinite


def test_a_word_after_a_missing_number_is_not_lost():
    request = read("wtime btime 5000")
    assert request.numbers == {"btime": 5.0} and len(request.errors) == 1


@pytest.mark.parametrize("text", ["time -5", "movetime -1", "nodes -3", "depth 99999999999999999999", "time 1e300"])
def test_extreme_numbers_are_cut(text):
    found = limits(text)
    assert (found.nodes or 1) >= 1 and (found.depth or 1) <= 10**15
    if found.clock is not None:
        assert 0 <= found.clock.left <= 10**15


def test_case_does_not_matter():
    assert limits("DEPTH 3").depth == 3
