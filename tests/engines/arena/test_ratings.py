import pytest
from arena_match import played
from hypothesis import given
from hypothesis import strategies as st

from engines.arena.ratings import rate
from engines.arena.report import number, ratings_of, table_text
from engines.arena.statistics import Tally, estimate, expected_score, tally
from engines.arena.table import Table


def test_two_are_rated_as_their_estimate_says():
    result = tally([(1, 0.5)] * 10 + [(0, 0)] * 3 + [(1, 0)] * 20)
    first, second = rate(2, {(0, 1): result})
    found = estimate(result)
    assert first.elo - second.elo == pytest.approx(found.elo)
    assert first.elo == pytest.approx(-second.elo)
    # Both around their mean: half the difference each.
    assert 2 * first.error == pytest.approx(found.error)


def test_ratings_explain_what_they_come_from():
    true = [0.0, 100.0, -50.0, 30.0]
    games = 10**6
    results = {}
    for one in range(4):
        for other in range(one + 1, 4):
            wins = round(games * expected_score(true[one] - true[other]))
            results[one, other] = Tally(wins, 0, games - wins)
    mean = sum(true) / 4
    for rating, value in zip(rate(4, results), true, strict=True):
        assert rating.elo == pytest.approx(value - mean, abs=0.01)


def test_at_the_maximum_everybody_scores_what_is_expected():
    results = {(0, 1): Tally(6, 2, 2), (1, 2): Tally(7, 0, 3), (0, 2): Tally(3, 4, 3)}
    ratings = rate(3, results)
    for entrant in range(3):
        points = expected = 0.0
        for (one, other), result in results.items():
            if entrant in (one, other):
                own = result if entrant == one else result.reversed
                rival = other if entrant == one else one
                points += own.points
                expected += own.games * expected_score(ratings[entrant].elo - ratings[rival].elo)
        assert points == pytest.approx(expected)


def test_who_wins_everything_gets_a_finite_rating():
    ratings = rate(3, {(0, 1): Tally(10, 0, 0), (1, 2): Tally(5, 0, 5)})
    assert ratings[0].elo > ratings[1].elo + 300
    assert ratings[0].elo < 1000


def test_who_has_not_played_has_no_error_bar():
    ratings = rate(3, {(0, 1): Tally(5, 1, 4)})
    assert ratings[2].error is None and ratings[0].error is not None
    assert rate(2, {}) == rate(2, {(0, 1): Tally()})


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=3))
def test_any_results_give_ratings_that_add_up_to_nothing(counts):
    results = dict(zip([(0, 1), (0, 2), (1, 2)], [Tally(*three) for three in counts], strict=True))
    assert sum(rating.elo for rating in rate(3, results)) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("scores", [(1, 0), (0.5, 0.5), (1, 1), (0, 0)])
def test_after_two_games_no_error_is_told(scores):
    for rating in rate(2, {(0, 1): tally([scores])}):
        assert number(rating.error) != "0.0"
    assert all(one.error is None for one in rate(2, {(0, 1): tally([(1, 0)])}))


def test_nobody_has_two_ratings():
    settings, _, rows = played("xiangqi")
    table = Table(settings, rows)
    ratings = ratings_of(table)
    found = estimate(table.between(0, 1))
    assert ratings[0].elo == -ratings[1].elo == pytest.approx(found.elo / 2)
    text = table_text(settings, rows, "")
    shown = number(ratings[0].elo, sign=True)
    assert f"Elo of one: {shown} ±" in text
    assert shown in next(line for line in text.splitlines() if " one " in line).split()
