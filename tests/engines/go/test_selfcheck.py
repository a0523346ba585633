"""Ten thousand random games: what the board keeps incrementally equals what a recount finds."""

import random

import pytest
from support import PURE

from engines.go.board import KO_RULES, Board
from engines.go.points import BLACK, WHITE
from engines.go.selfcheck import play_random_game


@pytest.mark.parametrize("part", range(4))
def test_random_games_of_all_sizes(part):
    rng = random.Random(part)
    for game in range(10 if PURE else 2_500):
        big = game % 25 == 0 and not PURE
        width, height = (rng.randint(1, 25), rng.randint(1, 25)) if big else (rng.randint(1, 7), rng.randint(1, 7))
        board = Board(width, height, KO_RULES[game % 3], game % 2 == 0)
        turns = play_random_game(board, game + 1, 2 * width * height)
        assert board.turns == turns
        stones = board.stones()
        history = [board.turn(index) for index in range(turns)]
        for _ in history:
            board.undo()
        assert board.stones() == bytes(width * height) and board.hash_value == 0
        assert board.prisoners_of(BLACK) == board.prisoners_of(WHITE) == 0
        for color, point in history:
            board.play(color, point)
        assert board.stones() == stones


def test_the_same_seed_plays_the_same_game():
    boards = [Board(9), Board(9), Board(9)]
    for board, seed in zip(boards, (5, 5, 6), strict=True):
        play_random_game(board, seed, 60)
    assert boards[0].stones() == boards[1].stones() != boards[2].stones()


@pytest.mark.compiled
def test_large_boards_with_long_games():
    for ko in KO_RULES:
        assert play_random_game(Board(25, 25, ko, True), 11, 5_000) == 5_000
