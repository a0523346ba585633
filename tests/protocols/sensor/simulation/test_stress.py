"""Flicker, gestures, dead sensors and second thoughts, a few of each; ``scripts/stress_board.py`` plays many."""

import pytest

from protocols.sensor.simulation.stress import KINDS, stress


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "game,sensing", [("go", "occ"), ("go", "pol"), ("xiangqi", "occ"), ("xiangqi", "pol"), ("xiangqi", "id")]
)
def test_nothing_is_made_up_and_people_are_told(game, sensing, kind):
    for seed in range(4):
        case = stress(game, sensing, kind, seed)
        assert case.problems == [], case.what
