"""How often the sequential test of ``qiqiao match`` errs, and how long it takes, by simulated matches.

    python scripts/simulate_sprt.py [--elo0 0] [--elo1 10] [--model logistic] [--draws 0.4] [--tests 1000] [--elo E …]

Pairs of games are drawn at random for two players of a given difference; the two games of a pair share an advantage of
the opening, so that they are not independent. Each test goes on until it has decided. The share of tests that accept H1
at ``elo0`` should be near alpha, that of H0 at ``elo1`` near beta; 95 % intervals are Wilson's.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engines.arena.sprt import Sprt
from engines.arena.statistics import (
    CONFIDENCE,
    NORMALIZED_SCALE,
    PAIR_SCORES,
    expected_score,
    moments,
)

ADVANTAGE = 60.0
"""Standard deviation, in Elo, of what an opening gives one side."""


def distribution(elo: float, draws: float) -> list[float]:
    """Probabilities of a pair's five scores; a game is drawn with probability ``draws`` between equals."""
    total = [0.0] * 5
    steps = 41
    for step in range(steps):
        # The advantage helps one player in the first game of a pair and the other in the second.
        edge = ADVANTAGE * statistics.NormalDist().inv_cdf((step + 0.5) / steps)
        games = []
        for sign in (1, -1):
            mean = expected_score(elo + sign * edge)
            drawn = draws * 4 * mean * (1 - mean)
            games.append((1 - mean - drawn / 2, drawn, mean - drawn / 2))
        for first in range(3):
            for second in range(3):
                total[first + second] += games[0][first] * games[1][second] / steps
    return total


def true_elo(wanted: float, draws: float, model: str) -> float:
    """The difference at which pairs have the score, or the normalized Elo, of a hypothesis."""
    low, high = -1000.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        mean, variance = moments([round(1e9 * p) for p in distribution(middle, draws)], PAIR_SCORES)
        if model == "logistic":
            reached = mean - expected_score(wanted)
        else:
            reached = (mean - 0.5) / math.sqrt(2 * variance) * NORMALIZED_SCALE - wanted
        low, high = (middle, high) if reached < 0 else (low, middle)
    return (low + high) / 2


def run(test: Sprt, probabilities: list[float], chance: random.Random) -> tuple[bool, int]:
    """Whether a test accepts H1, and after how many pairs."""
    counts = [0] * 5
    pairs = 0
    while True:
        for score in chance.choices(range(5), probabilities, k=1):
            counts[score] += 1
        pairs += 1
        verdict = test.verdict(test.ratio(counts))
        if verdict != "undecided":
            return verdict == "H1", pairs


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """A 95 % interval of a probability."""
    z, p = CONFIDENCE, hits / trials
    middle = (p + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    return middle - half, middle + half


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--elo0", type=float, default=0.0)
    parser.add_argument("--elo1", type=float, default=10.0)
    parser.add_argument("--alpha", type=float, default=0.05)
    parser.add_argument("--beta", type=float, default=0.05)
    parser.add_argument("--model", choices=["logistic", "normalized"], default="logistic")
    parser.add_argument("--draws", type=float, default=0.4)
    parser.add_argument("--tests", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--elo", type=float, nargs="*", help="differences, in the test's own Elo (both hypotheses)")
    arguments = parser.parse_args()
    test = Sprt(arguments.elo0, arguments.elo1, arguments.alpha, arguments.beta, arguments.model)
    chance = random.Random(arguments.seed)
    for elo in arguments.elo or (test.elo0, test.elo1):
        probabilities = distribution(true_elo(elo, arguments.draws, test.model), arguments.draws)
        outcomes = [run(test, probabilities, chance) for _ in range(arguments.tests)]
        accepted = sum(one for one, _ in outcomes)
        lengths = [pairs for _, pairs in outcomes]
        low, high = wilson(accepted, len(outcomes))
        print(
            f"[{test.elo0:g}, {test.elo1:g}] {test.model}, true {elo:g}: H1 accepted in {accepted} of {len(outcomes)} "
            f"({100 * low:.1f} to {100 * high:.1f} %); pairs: {statistics.fmean(lengths):.0f} on average, "
            f"{statistics.median(lengths):.0f} median, {max(lengths)} at most",
            flush=True,
        )


if __name__ == "__main__":
    main()
