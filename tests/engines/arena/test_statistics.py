"""The statistics against published formulas and against a second implementation."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.arena.statistics import (
    CONFIDENCE,
    Tally,
    elo_of_score,
    estimate,
    expected_score,
    normal_cdf,
    tally,
)

PAIRS = st.tuples(*[st.integers(0, 400)] * 5).filter(any)

RECORDED = [
    (0, 0, 1, 0, 0),
    (3, 10, 40, 12, 5),
    (86, 1_180, 2_452, 1_212, 94),  # the shape of a long test of a small change
    (0, 2, 2, 0, 0),
    (19, 1, 7, 4, 30),
    (100, 0, 0, 0, 100),
]


def scores_of(pairs):
    return [score for score, count in zip((0.0, 0.5, 1.0, 1.5, 2.0), pairs, strict=True) for _ in range(count)]


def tally_of(pairs):
    """A tally with so many pairs, won and drawn in the only way or the usual one."""
    games = {0.0: (0, 0), 0.5: (0, 0.5), 1.0: (0.5, 0.5), 1.5: (0.5, 1), 2.0: (1, 1)}
    return tally(games[score] for score in scores_of(pairs))


def test_expected_scores_of_the_logistic_model():
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert expected_score(-400) == pytest.approx(1 / 11)
    assert elo_of_score(0.75) == pytest.approx(190.848501887865)
    assert elo_of_score(1) == math.inf and elo_of_score(0) == -math.inf
    with pytest.raises(ValueError):
        elo_of_score(1.1)


@given(st.floats(-800, 800))
def test_elo_and_score_are_each_others_inverse(elo):
    assert elo_of_score(expected_score(elo)) == pytest.approx(elo, abs=1e-6)


def test_a_tally_counts_games_and_complete_pairs():
    result = tally([(1, 0.5), (0, 0), (1,), (0.5, 0.5), (1, 1)])
    assert (result.wins, result.draws, result.losses) == (4, 3, 2)
    assert result.pairs == (1, 0, 1, 1, 1)
    assert result.points == 5.5 and result.games == 9
    assert result.reversed.pairs == (1, 1, 1, 0, 1)
    assert (result + result.reversed).points == 9


@pytest.mark.parametrize("pairs", RECORDED)
def test_estimates_agree_with_a_second_implementation(pairs):
    oracle = pytest.importorskip("mache.match_estimate")
    theirs = oracle.Estimate(sum(scores_of(pairs)), 2 * sum(pairs), scores_of(pairs))
    ours = estimate(tally_of(pairs))
    assert ours.elo == pytest.approx(theirs.elo, abs=1e-9)
    if not theirs.modelled:
        exact = CONFIDENCE / oracle.CONFIDENCE  # theirs is the rounded 1.96
        assert ours.error == pytest.approx(exact * theirs.margin, rel=1e-9)
        assert ours.superiority == pytest.approx(theirs.los, abs=1e-12)
        assert ours.normalized == pytest.approx(theirs.nelo, abs=1e-9)
        assert ours.normalized_error == pytest.approx(exact * theirs.nelo_margin, rel=1e-9)


@given(PAIRS)
def test_the_other_side_sees_the_opposite(pairs):
    ours, theirs = estimate(tally_of(pairs)), estimate(tally_of(pairs).reversed)
    assert ours.elo == pytest.approx(-theirs.elo)
    assert ours.superiority == pytest.approx(1 - theirs.superiority)
    assert ours.low == pytest.approx(-theirs.high)


def test_the_error_bar_of_single_games_is_the_textbooks():
    # 60 wins, 20 draws, 20 losses: mean 0.7, variance 0.6·0.3² + 0.2·0.2² + 0.2·0.7² = 0.16.
    found = estimate(Tally(60, 20, 20))
    assert found.elo == pytest.approx(400 * math.log10(7 / 3))
    error = 1.959963984540054 * math.sqrt(0.16 / 100) * 400 / (math.log(10) * 0.7 * 0.3)
    assert found.error == pytest.approx(error)
    assert found.superiority == pytest.approx(normal_cdf(0.2 / 0.04))


def test_pairs_that_make_up_for_each_other_narrow_the_interval():
    level = estimate(tally_of((0, 0, 100, 0, 0)))
    assert level.elo == 0 and level.error is None and level.superiority == 0.5
    narrow, wide = estimate(tally_of((1, 0, 98, 0, 1))), estimate(tally_of((50, 0, 0, 0, 50)))
    assert narrow.error is not None and wide.error is not None and narrow.error < wide.error / 5


def test_nothing_and_one_sidedness():
    nothing = estimate(Tally())
    assert nothing.elo == 0 and nothing.error is None and nothing.superiority == 0.5
    swept = estimate(tally_of((0, 0, 0, 0, 5)))
    assert swept.elo == math.inf and swept.error is None and swept.superiority == 1


def test_normal_distribution():
    assert normal_cdf(0) == 0.5
    assert normal_cdf(1.959963984540054) == pytest.approx(0.975, abs=1e-12)
