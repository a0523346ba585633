"""Ratings in a match of more than two: one number an entrant, so that differences explain the results best.

The model is the logistic one (Bradley-Terry) with a draw as half a win each. What maximises the likelihood is found by
Newton's method; ratings are Elo with a mean of 0. Error bars come from pairs of games, as for two players: the spread
of each pair's score around what the ratings expect of it (the sandwich estimator).

Ratings are finite only if nobody, and no group, has won or lost everything against the rest (L. Ford's condition).
Where that is not so, one drawn game more between every two that have met is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engines.arena.statistics import CONFIDENCE, ELO_SCALE, PAIR_SCORES, Tally, expected_score

LEAST_ERROR = 0.05
"""Elo; games that all went as the ratings expect of them have no spread, and no more can be told from that."""

_STEPS = 100
_TOLERANCE = 1e-10


@dataclass(frozen=True)
class Rating:
    """Elo against the mean of all, and half the width of its 95 % interval; None where nothing tells it."""

    elo: float
    error: float | None


def rate(count: int, results: Mapping[tuple[int, int], Tally]) -> list[Rating]:
    """The ratings of ``count`` entrants from the results of the first against the second of each two that have met."""
    met = {two: result for two, result in results.items() if result.games}
    prior = 0.0 if _connected(count, met) else 1.0
    elo = [0.0] * count
    for _ in range(_STEPS):
        gradient, information = _slope(elo, met, prior)
        steps = _solve(information, gradient)
        largest = max(map(abs, steps), default=0.0)
        share = min(1.0, 2 / largest) if largest else 1.0  # natural units; a far step may overshoot
        elo = [old + share * ELO_SCALE * step for old, step in zip(elo, steps, strict=True)]
        if largest < _TOLERANCE:
            break
    mean = sum(elo) / count
    errors = _errors(elo, met, prior)
    played = {entrant for two in met for entrant in two}
    return [
        Rating(value - mean, error if entrant in played and error >= LEAST_ERROR else None)
        for entrant, (value, error) in enumerate(zip(elo, errors, strict=True))
    ]


def _connected(count: int, met: Mapping[tuple[int, int], Tally]) -> bool:
    """Whether all who have played can be reached from each other along points that one has scored against the next."""
    scored: dict[int, set[int]] = {}
    for (one, other), result in met.items():
        scored.setdefault(one, set()).update({other} if result.points > 0 else ())
        scored.setdefault(other, set()).update({one} if result.points < result.games else ())
    for start in scored:
        reached, waiting = {start}, [start]
        while waiting:
            new = scored[waiting.pop()] - reached
            reached |= new
            waiting += new
        if len(reached) < len(scored):
            return False
    return True


def _slope(
    elo: list[float], met: Mapping[tuple[int, int], Tally], prior: float
) -> tuple[list[float], list[list[float]]]:
    """Gradient and information of the likelihood, in natural units, at some ratings."""
    count = len(elo)
    gradient = [0.0] * count
    information = [[0.0] * count for _ in range(count)]
    for (one, other), result in met.items():
        games, points = result.games + prior, result.points + prior / 2
        expected = expected_score(elo[one] - elo[other])
        difference, weight = points - games * expected, games * expected * (1 - expected)
        gradient[one] += difference
        gradient[other] -= difference
        information[one][one] += weight
        information[other][other] += weight
        information[one][other] -= weight
        information[other][one] -= weight
    return gradient, information


def _errors(elo: list[float], met: Mapping[tuple[int, int], Tally], prior: float) -> list[float]:
    """Half widths of the 95 % intervals around the mean of all."""
    count = len(elo)
    _, information = _slope(elo, met, prior)
    # The inverse on the differences from the mean, column by column.
    inverse = [
        _solve(information, [float(row == column) - 1 / count for row in range(count)]) for column in range(count)
    ]
    variances = [0.0] * count
    for (one, other), result in met.items():
        expected = expected_score(elo[one] - elo[other])
        pairs = sum(result.pairs)
        if pairs:
            spread = sum(n * (2 * (score - expected)) ** 2 for n, score in zip(result.pairs, PAIR_SCORES, strict=True))
            spread *= result.games / (2 * pairs)
        else:
            spread = result.wins * (1 - expected) ** 2 + result.losses * expected**2
            spread += result.draws * (0.5 - expected) ** 2
        for entrant in range(count):
            pull = inverse[entrant][one] - inverse[entrant][other]
            variances[entrant] += spread * pull * pull
    return [CONFIDENCE * ELO_SCALE * variance**0.5 for variance in variances]


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """A solution whose parts add up to 0: ratings are told up to a constant, and who has not played stays where he is.

    Gaussian elimination on the matrix with 1/n added everywhere: that makes it regular and leaves such solutions alone.
    """
    count = len(right)
    rows = [
        [matrix[i][j] + 1 / count + (1.0 if i == j and not matrix[i][i] else 0.0) for j in range(count)] + [right[i]]
        for i in range(count)
    ]
    for column in range(count):
        pivot = max(range(column, count), key=lambda i: abs(rows[i][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for i in range(column + 1, count):
            factor = rows[i][column] / rows[column][column]
            for j in range(column, count + 1):
                rows[i][j] -= factor * rows[column][j]
    solution = [0.0] * count
    for i in reversed(range(count)):
        rest = sum(rows[i][j] * solution[j] for j in range(i + 1, count))
        solution[i] = (rows[i][count] - rest) / rows[i][i]
    return solution
