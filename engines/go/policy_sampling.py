"""Moves that weak levels play without reading, because they look natural."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from engines.go.board import Board
from engines.go.priors import GEOMETRY, Priors
from engines.go.weights import FEATURE_WEIGHTS

NEARNESS_KEPT = 1 / 3
"""With evenness f the weight of a point's place counts to the power of 1 / f to this, all others to that of 1 / f."""


def sampled_move(
    board: Board, color: int, evenness: float, legal: Callable[[int], bool], chance: random.Random
) -> int | None:
    """A point drawn by the learned weights for ``color`` to play, of those that are ``legal``; None when there is none.

    ``evenness`` 1 draws each by its share. With more, play is a beginner's: shape, captures and ataris count less and
    less, while the move still tends to be near the last ones and away from the edge.
    """
    points, weights = [], []
    for point, features, *_, share in Priors().features(board, color):
        if share > 0 and legal(point):
            place = sum(FEATURE_WEIGHTS.get(feature, 0.0) for feature in features if feature in GEOMETRY)
            points.append(point)
            weights.append(math.exp((math.log(share) - place) / evenness + place * evenness**-NEARNESS_KEPT))
    return chance.choices(points, weights)[0] if points else None
