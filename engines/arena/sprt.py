"""The sequential probability ratio test: is the first player at least so much stronger, or not?

Two hypotheses, H0: the difference is ``elo0``, H1: it is ``elo1``. After each pair the generalized log-likelihood ratio
(GSPRT) of the results under the two is set against Wald's bounds ln(β/(1−α)) and ln((1−β)/α): at or below the lower
one H0 is accepted, at or above the upper one H1. ``alpha`` is the chance to accept H1 where H0 is true, ``beta`` to
accept H0 where H1 is true.

The ratio is that of M. Van den Bergh's notes ("The generalized maximum likelihood ratio for multinomial
distributions", "Normalized Elo"), which fishtest uses: under each hypothesis the five probabilities of a pair's score
are those that make the results most likely among all that agree with the hypothesis. For ``logistic`` Elo that is a
given mean; for ``normalized`` Elo a given distance of the mean from ½ in standard deviations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engines.arena.statistics import NORMALIZED_SCALE, PAIR_SCORES, expected_score

Model = Literal["logistic", "normalized"]
Verdict = Literal["H0", "H1", "undecided"]

UNSEEN = 1e-3
"""Pairs that a score which has not come up is counted as, lest it have no logarithm (fishtest's value)."""

BEYOND = 1000
"""Hypotheses further out make no sense."""

_TOLERANCE = 1e-12


@dataclass(frozen=True)
class Sprt:
    """A test. Raises ValueError, with a text for the user, for bounds that make no sense."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    def __post_init__(self) -> None:
        if not -BEYOND <= self.elo0 < self.elo1 <= BEYOND:
            raise ValueError(f"elo0 must be below elo1, both within ±{BEYOND}: not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"alpha and beta are between 0 and 0.5, not {self.alpha:g} and {self.beta:g}")
        if self.model not in ("logistic", "normalized"):
            raise ValueError(f"the model is logistic or normalized, not {self.model}")

    @property
    def lower(self) -> float:
        """At or below it H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above it H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 to H0 for pairs counted by their score (``Tally.pairs``); 0 for none."""
        if not any(pairs):
            return 0.0
        return likelihood_ratio(pairs, self.elo0, self.elo1, self.model)

    def verdict(self, ratio: float) -> Verdict:
        """What a ratio decides."""
        return "H1" if ratio >= self.upper else "H0" if ratio <= self.lower else "undecided"


def likelihood_ratio(pairs: Sequence[int], elo0: float, elo1: float, model: Model = "logistic") -> float:
    """The generalized log-likelihood ratio of ``elo1`` to ``elo0``."""
    counts = [n or UNSEEN for n in pairs]
    total = sum(counts)
    seen = [n / total for n in counts]
    if model == "logistic":
        zero, one = (_with_mean(seen, expected_score(elo)) for elo in (elo0, elo1))
    else:
        # A pair's mean score has a standard deviation of a game's over the root of two.
        zero, one = (_with_distance(seen, math.sqrt(2) * elo / NORMALIZED_SCALE) for elo in (elo0, elo1))
    return total * sum(p * math.log(b / a) for p, a, b in zip(seen, zero, one, strict=True))


def _with_mean(seen: Sequence[float], mean: float) -> list[float]:
    """The likeliest distribution of that mean: p / (1 + θ·(a − mean)), with the θ that makes its mean right."""
    return _tilted(seen, [score - mean for score in PAIR_SCORES])


def _tilted(seen: Sequence[float], values: Sequence[float]) -> list[float]:
    """The likeliest distribution under which ``values`` average 0: p / (1 + θ·v).

    Σ p·v / (1 + θ·v) falls all the way between the poles −1/max and −1/min, so that halving finds its root.
    """
    low, high = -1 / max(values), -1 / min(values)
    while True:
        theta = (low + high) / 2
        if not low < theta < high:
            break
        if sum(p * v / (1 + theta * v) for p, v in zip(seen, values, strict=True)) > 0:
            low = theta
        else:
            high = theta
    return [p / (1 + theta * v) for p, v in zip(seen, values, strict=True)]


def _with_distance(seen: Sequence[float], distance: float) -> list[float]:
    """The likeliest distribution whose mean is ``distance`` of its own standard deviations above ½.

    The condition, made linear at a mean and a deviation, is one for ``_tilted``; from a guess that is repeated until
    it stands. Where that does not settle, steps are made smaller.
    """
    mean, deviation = _moments([1 / len(PAIR_SCORES)] * len(PAIR_SCORES))
    share = 1.0
    previous = math.inf
    found = list(seen)
    for _ in range(500):
        values = [
            score - 0.5 - distance * deviation * (1 + ((mean - score) / deviation) ** 2) / 2 for score in PAIR_SCORES
        ]
        if not min(values) < 0 < max(values):
            raise ValueError(f"no distribution is {distance:g} deviations from ½ for these results")
        found = _tilted(seen, values)
        new_mean, new_deviation = _moments(found)
        change = max(abs(new_mean - mean), abs(new_deviation - deviation))
        if change < _TOLERANCE:
            break
        if change >= previous:
            share /= 2
        previous = change
        mean += share * (new_mean - mean)
        deviation += share * (new_deviation - deviation)
    return found


def _moments(distribution: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean = sum(p * score for p, score in zip(distribution, PAIR_SCORES, strict=True))
    return mean, math.sqrt(sum(p * (score - mean) ** 2 for p, score in zip(distribution, PAIR_SCORES, strict=True)))
