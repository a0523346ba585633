"""Clocks: what a move costs under each time control, and that a plan never outruns the clock."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.clock import LAG, LARGEST_LOSS, MIN_THINK, Clock, LagMeter, TimeControl


def played(control: TimeControl, *moves: float) -> Clock:
    clock = Clock(control)
    for seconds in moves:
        clock.spend(seconds)
    return clock


def state(clock: Clock) -> tuple[float, int, bool]:
    return round(clock.left, 6), clock.stones, clock.expired


@pytest.mark.parametrize(
    ("control", "moves", "expected"),
    [
        (TimeControl.none(), [1000.0], (0.0, 0, False)),
        (TimeControl.absolute(60), [10, 20], (30, 0, False)),
        (TimeControl.absolute(60), [59, 2], (0, 0, True)),
        # Canadian: main time, then a period for some stones, given anew when they are made.
        (TimeControl.canadian(60, 30, 3), [50], (10, 0, False)),
        (TimeControl.canadian(60, 30, 3), [50, 15], (25, 2, False)),
        (TimeControl.canadian(0, 30, 3), [], (30, 3, False)),
        (TimeControl.canadian(0, 30, 3), [5, 5], (20, 1, False)),
        (TimeControl.canadian(0, 30, 3), [5, 5, 5], (30, 3, False)),
        (TimeControl.canadian(0, 30, 3), [5, 26], (0, 2, True)),
        (TimeControl.canadian(60, 30, 3), [100], (0, 3, True)),
        # Byo-yomi: a period is only lost when a move takes longer.
        (TimeControl.byoyomi(60, 30, 3), [59], (1, 0, False)),
        (TimeControl.byoyomi(60, 30, 3), [65], (30, 3, False)),
        (TimeControl.byoyomi(0, 30, 3), [29, 29], (30, 3, False)),
        (TimeControl.byoyomi(0, 30, 3), [31], (30, 2, False)),
        (TimeControl.byoyomi(0, 30, 3), [61], (30, 1, False)),
        (TimeControl.byoyomi(0, 30, 3), [91], (0, 0, True)),
        (TimeControl.byoyomi(60, 30, 2), [60 + 31], (30, 1, False)),
        (TimeControl.fischer(60, 5), [10], (55, 0, False)),
        (TimeControl.fischer(60, 5), [61], (5, 0, True)),
        (TimeControl.fischer_capped(60, 30, 70, -1), [10], (70, 0, False)),
        (TimeControl.fischer_capped(60, 5, -1, 20), [21], (44, 0, True)),
        (TimeControl.session(60, 2), [10], (50, 1, False)),
        (TimeControl.session(60, 2), [10, 20], (90, 2, False)),
        (TimeControl.session(60, 2), [61], (0, 1, True)),
    ],
)
def test_spend(control, moves, expected):
    assert state(played(control, *moves)) == expected


def test_gtp_words_for_no_overtime_and_no_limit():
    assert TimeControl.canadian(300, 0, 0).kind == "absolute"
    assert TimeControl.canadian(0, 1, 0).kind == "none"
    assert TimeControl.byoyomi(300, 30, 0).kind == "absolute"
    assert TimeControl.fischer_capped(1, 1, -1, -1).limit == math.inf


@pytest.mark.parametrize(
    ("control", "seconds", "stones", "expected"),
    [
        (TimeControl.absolute(60), 12, 0, (12, 0, False)),
        (TimeControl.absolute(60), 12, 5, (12, 0, False)),
        (TimeControl.absolute(60), -0.3, 0, (0, 0, False)),
        (TimeControl.canadian(60, 30, 3), 8, 2, (8, 2, False)),
        (TimeControl.canadian(60, 30, 3), 0, 0, (30, 3, False)),
        (TimeControl.byoyomi(60, 30, 3), 17, 1, (17, 1, False)),
    ],
)
def test_the_controller_is_believed(control, seconds, stones, expected):
    clock = Clock(control)
    clock.set_left(seconds, stones)
    assert state(clock) == expected


def test_a_clock_that_fell_runs_again_when_the_controller_says_so():
    clock = played(TimeControl.absolute(10), 11)
    clock.set_left(3)
    assert state(clock) == (3, 0, False)


def test_copy_is_independent():
    clock = played(TimeControl.byoyomi(0, 30, 3), 31)
    other = clock.copy()
    other.spend(31)
    assert (state(clock), state(other)) == ((30, 2, False), (30, 1, False))


def test_no_clock_no_plan():
    assert Clock(TimeControl.none()).plan() is None


def test_byoyomi_uses_the_period_and_keeps_the_lag():
    plan = played(TimeControl.byoyomi(0, 30, 3)).plan()
    assert plan is not None and plan.target == plan.maximum == pytest.approx(30 - LAG)


def test_fischer_at_its_cap_spends_at_least_the_increment():
    plan = Clock(TimeControl.fischer_capped(100, 10, 100, -1)).plan()
    assert plan is not None and plan.target >= 10


def test_main_time_that_runs_out_borrows_from_overtime_and_still_keeps_the_lag():
    clock = Clock(TimeControl.byoyomi(60, 30, 1))
    clock.set_left(0.01)
    plan = clock.plan()
    assert plan is not None and plan.maximum == pytest.approx(30.01 - LAG)


times = st.floats(0, 5000)
controls = st.one_of(
    st.builds(TimeControl.absolute, st.floats(1, 5000)),
    st.builds(TimeControl.canadian, times, st.floats(1, 600), st.integers(1, 40)),
    st.builds(TimeControl.byoyomi, times, st.floats(1, 120), st.integers(1, 10)),
    st.builds(TimeControl.fischer, st.floats(1, 5000), st.floats(0, 60)),
    st.builds(TimeControl.fischer_capped, st.floats(1, 500), st.floats(0, 60), st.floats(1, 600), st.floats(1, 600)),
    st.builds(TimeControl.session, st.floats(1, 5000), st.integers(1, 60)),
)


@given(controls, st.lists(st.floats(0, 1), max_size=20))
def test_the_flag_falls_just_beyond_the_reach(control, parts):
    clock = Clock(control)
    for part in parts:
        clock.spend(part * 0.9 * clock.reach)
        if clock.expired:
            return  # a clock with nothing left
        inside, beyond = clock.copy(), clock.copy()
        inside.spend(max(0.0, clock.reach - 1e-6))
        beyond.spend(clock.reach + 1e-6)
        assert not inside.expired
        assert beyond.expired


def test_without_a_clock_there_is_no_end():
    assert math.isinf(Clock(TimeControl.none()).reach)


@given(controls, st.lists(st.floats(0, 1), max_size=30), st.floats(1, 200))
def test_a_plan_never_exceeds_what_is_left(control, parts, moves_to_go):
    """Any way of using up to the planned maximum, move after move, leaves the flag up as long as thinking has
    room.
    """
    clock = Clock(control)
    for part in parts:
        plan = clock.plan(moves_to_go)
        assert plan is not None
        assert 0 < plan.target <= plan.maximum
        if plan.maximum > MIN_THINK:
            assert plan.maximum <= clock.reach
        clock.spend(part * plan.maximum)
        if plan.maximum > MIN_THINK:
            assert not clock.expired


@given(st.integers(1, 40), st.floats(0.1, 60))
def test_a_canadian_period_is_enough_for_its_stones_even_at_the_maximum(stones, seconds_each):
    clock = Clock(TimeControl.canadian(0, seconds_each * stones, stones))
    for _ in range(stones):
        plan = clock.plan()
        assert plan is not None
        clock.spend(plan.maximum)
        assert not clock.expired


def told(left):
    """A clock as a UCI client tells it: a new one each move."""
    return Clock(TimeControl.fischer(left, 0.1))


def test_the_lag_is_the_usual_one_where_nothing_is_lost():
    meter = LagMeter()
    assert meter.begin(told(8.0), 0) == LAG
    meter.end(told(8.0), 0, 1.0, 1.2)
    assert meter.begin(told(7.09), 0) == LAG
    meter.end(None, 0, 1.0)
    assert meter.begin(None, 0, 0.4) == 0.4


def test_time_lost_outside_the_thinking_is_kept_back_from_then_on():
    meter = LagMeter()
    meter.begin(told(8.0), 0)
    meter.end(told(8.0), 0, 1.0)
    assert meter.begin(told(6.7), 0) > 0.4  # 7.1 were to be left


def test_the_two_sides_have_clocks_of_their_own():
    meter = LagMeter()
    for left in (8.0, 7.0, 6.0):
        assert meter.begin(told(left), 0) == LAG
        meter.end(told(left), 0, 1.1)
        assert meter.begin(told(left - 1.5), 1) == LAG
        meter.end(told(left - 1.5), 1, 1.1)


def test_a_choice_that_took_longer_than_planned_is_remembered():
    meter = LagMeter()
    meter.begin(told(8.0), 0)
    meter.end(told(8.0), 0, 1.5, 1.0)
    assert meter.begin(told(6.6), 0) > 0.5


@pytest.mark.parametrize("left", [60.0, 7.2, 7.1 - LARGEST_LOSS - 0.1])
def test_a_new_game_is_no_loss_of_time(left):
    meter = LagMeter()
    meter.begin(told(8.0), 0)
    meter.end(told(8.0), 0, 1.0)
    assert meter.begin(told(left), 0) == LAG


def test_another_period_is_no_loss_of_time():
    meter = LagMeter()
    clock = Clock(TimeControl.byoyomi(0, 30, 3))
    meter.begin(clock, 0)
    meter.end(clock, 0, 1.0)
    clock.set_left(29.5, 2)
    assert meter.begin(clock, 0) == LAG


def games_lost_on_time(games, chance_of_delay, longest):
    """Games of 300 moves at 8 s + 0.1 s, each move the longest that is planned, and delays from outside."""
    lost = 0
    for seed in range(games):
        chance = random.Random(seed)
        meter, clock = LagMeter(), Clock(TimeControl.fischer(8, 0.1))
        for _ in range(300):
            plan = clock.plan(lag=meter.begin(clock, 0))
            delay = chance.uniform(0.1, longest) if chance.random() < chance_of_delay else chance.uniform(0, 0.02)
            meter.end(clock, 0, plan.maximum)
            clock.spend(plan.maximum + delay)
            if clock.expired:
                lost += 1
                break
    return lost


def test_a_busy_machine_does_not_cost_the_game():
    # What the increment makes up for on average must not cost games by bad luck.
    assert games_lost_on_time(30, 0.0, 0.1) == 0
    assert games_lost_on_time(30, 0.02, 0.35) == 0
    assert games_lost_on_time(30, 0.05, 0.35) <= 2
