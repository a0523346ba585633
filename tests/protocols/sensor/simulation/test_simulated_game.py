"""Whole games with a simulated hand on noisy sensors: what is recorded is what was played."""

import random
from itertools import pairwise

import pytest

from protocols.sensor.reading import Geometry
from protocols.sensor.simulation.hand import QUIET, TIDY, Habits, Hand, Noise, Scene
from protocols.sensor.simulation.simulated_game import Tally, simulate_game

WILD = Habits(
    slide=0.4, wobble=0.15, adjust=0.15, think=0.1, knock=0.04, forget=0.2, first=0.4, push=0.3, second=0.05,
    retract=0.04, hasty=0.3, blunder=0.04,
)  # fmt: skip
"""Everything goes wrong all the time."""

KINDS = [("go", 9, "occ"), ("go", 9, "pol"), ("xiangqi", 0, "occ"), ("xiangqi", 0, "pol"), ("xiangqi", 0, "id")]


@pytest.mark.parametrize(("game", "size", "sensing"), KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_recorded_is_what_was_played(game, size, sensing, seed):
    tally = simulate_game(game, size, sensing, seed, 40)
    assert (tally.wrong, tally.stuck) == (0, 0), tally.notes


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "size", "sensing"), [*KINDS, ("go", 19, "occ"), ("go", 13, "pol")])
def test_many_games(game, size, sensing):
    total = Tally()
    for seed in range(100, 102 if size > 9 else 104):
        total.add(simulate_game(game, size, sensing, seed))
    assert (total.wrong, total.stuck) == (0, 0), total.notes
    assert total.withdrawn <= total.minds


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "size", "sensing"), KINDS)
def test_clumsy_people(game, size, sensing):
    total = Tally()
    for seed in range(200, 203):
        total.add(simulate_game(game, size, sensing, seed, 60, habits=WILD, noise=Noise(glitches=3, weak=0.05)))
    assert (total.wrong, total.stuck) == (0, 0), total.notes


@pytest.mark.parametrize(("game", "size", "sensing"), KINDS)
def test_tidy_people_are_asked_nothing(game, size, sensing):
    tally = simulate_game(game, size, sensing, 7, 40, habits=TIDY, noise=QUIET)
    assert (tally.wrong, tally.stuck, dict(tally.troubles)) == (0, 0, {}), tally.notes


def scene(noise, seed=1):
    return Scene(Geometry(9, 9), "occ", random.Random(seed), noise)


def test_glitches_last_one_scan():
    readings = []
    board = scene(Noise(glitches=20, weak=0, ghosts=0, unsure=0))
    board.on_reading = readings.append
    board.run_until(10.0)
    assert len(readings) > 100
    for first, second in pairwise(readings):
        if first.points.count("#"):
            assert second.at - first.at <= 0.021


def test_weak_stones_drop_out_and_come_back():
    readings = []
    board = scene(Noise(glitches=0, weak=1.0, dropouts=1.0, ghosts=0, unsure=0, bounce=0))
    board.put(40, "X")
    board.on_reading = readings.append
    board.run_until(60.0)
    assert {reading.points.count("#") for reading in readings} == {0, 1}
    assert board.truth().count("#") == 1


def test_perfect_sensors_show_the_truth():
    readings = []
    board = scene(QUIET)
    board.on_reading = readings.append
    hand = Hand(board)
    board.perform(hand.play_stone(0, "X", []))
    board.run_until(5.0)
    assert readings[-1].points[72] == "#", "A1 is near left, the ninth row of the board"
    assert len(readings) == 1


def test_the_same_seed_gives_the_same_game():
    first, second = (simulate_game("xiangqi", 0, "occ", 5, 30) for _ in range(2))
    assert first == second
