"""Playouts by chance alone, which boards are compared by."""

import pytest

from engines.go.board import Board
from engines.go.playout import Playout

LIGHT = (867, 11.4)
"""Moves and mean lead of twenty playouts on 5×5 with seed 1."""


def test_the_same_seed_gives_the_same_playouts_compiled_or_not():
    assert Playout(5, 5).light_playouts(Board(5), 20, 1) == LIGHT
    assert Playout(5, 5).light_playouts(Board(5), 20, 2) != LIGHT


def test_they_end_on_the_smallest_boards():
    assert Playout(1, 1).light_playouts(Board(1), 5, 1) == (10, 0.0)  # two passes each
    moves, lead = Playout(2, 2).light_playouts(Board(2), 50, 1)
    assert moves >= 100 and -4 <= lead <= 4


@pytest.mark.compiled
def test_their_length_and_the_first_players_lead_are_those_of_other_programs():
    """libego's playouts on an empty 9×9 board have 110.6 moves (20,000 of them)."""
    moves, lead = Playout(9, 9).light_playouts(Board(9), 20_000, 1)
    assert moves / 20_000 == pytest.approx(110.6, abs=1.5)
    assert 1 < lead < 4


def test_an_own_eye_is_never_filled():
    board = Board(5)
    board.set_position([1 if x % 2 or y % 2 else 0 for y in range(5) for x in range(5)])
    # Every empty point is Black's eye, and White may play in none: only passes are left.
    assert Playout(5, 5).light_playouts(board, 3, 1) == (6, 25.0)
