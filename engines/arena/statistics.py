"""What results say about strength: Elo with error bars, likelihood of superiority, by games and by pairs.

Scores are of the first of two players: 1 a win, ½ a draw, 0 a loss. The logistic model says that a difference of E Elo
makes an expected score of 1 / (1 + 10^(−E/400)).

Games come in pairs that share an opening, colours swapped, so they are not independent: the unit is the pair, with
five possible scores (0, ½, 1, 1½, 2 of 2). The variance is taken from the pairs, as fishtest and its kin do; the
method is M. Van den Bergh's ("A practical introduction to the GSPRT", "Normalized Elo"). Games whose pair is not
complete count in the score and nowhere else, unless there is no complete pair at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CONFIDENCE = 1.959963984540054
"""Standard errors on either side of an interval that holds the truth in 95 of 100 cases (the normal distribution's
0.975 quantile)."""

ELO_SCALE = 400 / math.log(10)
"""Elo of one natural unit of the logistic model (173.72)."""

NORMALIZED_SCALE = 800 / math.log(10)
"""Normalized Elo of one standard deviation of a game's score (347.44): where no game is drawn and the games of a pair
are independent, small differences read alike in normalized and logistic Elo."""

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The scores of a pair as shares of its two points, in the order of a pentanomial count."""

GAME_SCORES = (0.0, 0.5, 1.0)
"""The scores of a game in the order losses, draws, wins."""


def expected_score(elo: float) -> float:
    """The score, 0…1, that a player who is ``elo`` stronger expects of a game."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """The difference in Elo of which a score is expected; infinite for 0 and 1. Raises ValueError beyond these."""
    if not 0 <= score <= 1:
        raise ValueError(f"a score is 0 to 1, not {score}")
    if score in (0, 1):
        return math.inf if score == 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True)
class Tally:
    """The results of one player against another (or against all): games by result, and pairs by their score.

    ``pairs`` counts complete pairs of games with 0, ½, 1, 1½ and 2 points.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @property
    def games(self) -> int:
        """How many games are counted."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A point a win, half a draw."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Points a game, 0…1; ½ where no game has been played."""
        return self.points / self.games if self.games else 0.5

    @property
    def reversed(self) -> Tally:
        """The same results, of the other player."""
        five = self.pairs
        return Tally(self.losses, self.draws, self.wins, (five[4], five[3], five[2], five[1], five[0]))

    def __add__(self, other: Tally) -> Tally:
        a, b = self.pairs, other.pairs
        five = (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4])
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses, five)


def tally(pairs: Iterable[Sequence[float]]) -> Tally:
    """The tally of some pairs, each given by the scores of its one or two games that have been played."""
    counts = {0.0: 0, 0.5: 0, 1.0: 0}
    five = [0, 0, 0, 0, 0]
    for scores in pairs:
        for score in scores:
            counts[score] += 1
        if len(scores) == 2:
            five[round(2 * sum(scores))] += 1
    return Tally(counts[1.0], counts[0.5], counts[0.0], (five[0], five[1], five[2], five[3], five[4]))


@dataclass(frozen=True)
class Estimate:
    """What a tally says about the difference in strength.

    ``elo`` is the logistic difference (infinite where all points went one way), ``error`` half the width of its 95 %
    interval: 1.96 standard errors of the mean score, carried into Elo by the model's slope; None where it can't be
    told. ``low`` and ``high`` are the interval's ends carried into Elo themselves, infinite where they leave 0…1.
    ``normalized`` is normalized Elo, the distance of the score from ½ in standard deviations of a game, with its
    own ``normalized_error``; None without any spread. ``superiority`` is the likelihood of superiority, 0…1: the
    probability, under a normal distribution of the mean score, that the true one is above ½.
    """

    elo: float
    error: float | None
    low: float
    high: float
    normalized: float | None
    normalized_error: float | None
    superiority: float


def moments(counts: Sequence[int], scores: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of a distribution given by counts. Raises ValueError where nothing is counted."""
    total = sum(counts)
    if total <= 0:
        raise ValueError("nothing is counted")
    mean = sum(n * score for n, score in zip(counts, scores, strict=True)) / total
    return mean, sum(n * (score - mean) ** 2 for n, score in zip(counts, scores, strict=True)) / total


def estimate(result: Tally) -> Estimate:
    """The difference in strength that results speak for, from the pairs where there are complete ones."""
    by_pairs = sum(result.pairs) > 0
    if by_pairs:
        counts, scores, games_in_unit = result.pairs, PAIR_SCORES, 2
        mean, variance = moments(counts, scores)
    elif result.games:
        games = (result.losses, result.draws, result.wins)
        mean, variance = moments(games, GAME_SCORES)
        counts, games_in_unit = (result.games, 0, 0, 0, 0), 1
    else:
        return Estimate(0.0, None, -math.inf, math.inf, None, None, 0.5)
    units = sum(counts)
    elo = elo_of_score(mean)
    if variance == 0 or mean in (0, 1):
        # All alike: nothing can be said about the spread, and so about the error.
        sure = 0.5 if mean == 0.5 else 1.0 if mean > 0.5 else 0.0
        return Estimate(elo, None, -math.inf, math.inf, None, None, sure)
    error = math.sqrt(variance / units)
    slope = ELO_SCALE / (mean * (1 - mean))
    low, high = (elo_of_score(min(1.0, max(0.0, mean + side * CONFIDENCE * error))) for side in (-1, 1))
    deviation = math.sqrt(games_in_unit * variance)
    return Estimate(
        elo=elo,
        error=CONFIDENCE * error * slope,
        low=low,
        high=high,
        normalized=(mean - 0.5) / deviation * NORMALIZED_SCALE,
        normalized_error=CONFIDENCE * NORMALIZED_SCALE / math.sqrt(games_in_unit * units),
        superiority=normal_cdf((mean - 0.5) / error),
    )


def normal_cdf(z: float) -> float:
    """The standard normal distribution function."""
    return 0.5 * math.erfc(-z / math.sqrt(2))
