"""Random games over a device, its line and its codec, while the cable is pulled again and again."""

import pytest

from protocols.sensor.simulation.simulated_game import cast
from protocols.sensor.simulation.wired import simulate_wired


@pytest.mark.parametrize(
    "game,sensing", [("go", "occ"), ("go", "pol"), ("xiangqi", "occ"), ("xiangqi", "pol"), ("xiangqi", "id")]
)
@pytest.mark.parametrize("seed", [3, 8])
def test_nothing_is_lost_by_pulling_the_cable(game, sensing, seed):
    simulated = cast(game, 9, sensing, seed)
    tally, pulled = simulate_wired(simulated, 30, (1.0, 8.0))
    assert (tally.wrong, tally.stuck) == (0, 0), tally.notes
    assert simulated.record == simulated.truth and tally.moves == 30
    assert pulled > 5


def test_without_faults_the_wire_changes_nothing():
    simulated = cast("go", 9, "pol", 5)
    tally, pulled = simulate_wired(simulated, 30)
    assert (tally.wrong, tally.stuck, pulled) == (0, 0, 0), tally.notes
    assert simulated.record == simulated.truth
