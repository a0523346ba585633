"""The sequential test against its published properties and against a second implementation."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.arena.sprt import Sprt, likelihood_ratio
from engines.arena.statistics import PAIR_SCORES, expected_score, moments

PAIRS = st.tuples(*[st.integers(0, 2000)] * 5).filter(any)
RECORDED = [(3, 10, 40, 12, 5), (86, 1180, 2452, 1212, 94), (0, 0, 0, 0, 8), (0, 4, 0, 0, 0), (1, 0, 0, 0, 0)]
BOUNDS = [(0, 5), (-3, 1), (0, 2), (-10, 0), (0, 50)]


def test_bounds_are_walds():
    test = Sprt(0, 5, alpha=0.05, beta=0.1)
    assert test.lower == pytest.approx(math.log(0.1 / 0.95))
    assert test.upper == pytest.approx(math.log(0.9 / 0.05))
    assert test.verdict(test.lower) == "H0" and test.verdict(test.upper) == "H1" and test.verdict(0) == "undecided"


@pytest.mark.parametrize("values", [{"elo0": 5, "elo1": 5}, {"alpha": 0}, {"beta": 0.5}, {"model": "x"}, {"elo1": 2e3}])
def test_nonsense_is_refused(values):
    with pytest.raises(ValueError):
        Sprt(**values)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("pairs", RECORDED)
def test_the_ratio_agrees_with_a_second_implementation(pairs, bounds, model):
    oracle = pytest.importorskip("mache.match_estimate")
    low, high = bounds
    theirs = oracle.log_likelihood_ratio(list(pairs), low, high, model)
    assert likelihood_ratio(pairs, low, high, model) == pytest.approx(theirs, rel=1e-8, abs=1e-8)


@given(PAIRS)
def test_no_results_say_nothing_and_more_of_the_same_say_more(pairs):
    test = Sprt(0, 10)
    assert test.ratio((0, 0, 0, 0, 0)) == 0
    once, twice = test.ratio(pairs), test.ratio([2 * n for n in pairs])
    if all(pairs):
        assert twice == pytest.approx(2 * once, rel=1e-6, abs=1e-9)


@given(PAIRS, st.sampled_from(["logistic", "normalized"]))
def test_exchanging_players_and_hypotheses_changes_the_sign(pairs, model):
    assert likelihood_ratio(pairs, -3, 8, model) == pytest.approx(
        -likelihood_ratio(pairs[::-1], -8, 3, model), rel=1e-6, abs=1e-7
    )


def test_the_ratio_is_near_its_published_approximation_where_that_holds():
    # (s1 − s0)(2s − s0 − s1) / (2 var) a pair, for hypotheses close to each other and many pairs.
    pairs = (86, 1180, 2452, 1212, 94)
    mean, variance = moments(pairs, PAIR_SCORES)
    zero, one = expected_score(0), expected_score(2)
    near = sum(pairs) * (one - zero) * (2 * mean - zero - one) / variance / 2
    assert likelihood_ratio(pairs, 0, 2) == pytest.approx(near, rel=0.01)


def test_it_decides_rightly_most_of_the_time():
    chance = random.Random(5)
    test = Sprt(0, 60)
    wrong = 0
    for _ in range(40):
        counts = [0, 0, 0, 0, 0]
        verdict = "undecided"
        while verdict == "undecided":
            counts[round(2 * sum(chance.choices((1, 0.5, 0), (0.36, 0.45, 0.19), k=2)))] += 1
            verdict = test.verdict(test.ratio(counts))
        wrong += verdict != "H1"  # the difference is 60 Elo
    assert wrong <= 6  # 2 are expected
