"""Larger neighbourhoods: codes, their turns and reflections, and the table of what they are worth."""

import random

import pytest

from engines.go.board import Board
from engines.go.points import BLACK, WHITE
from engines.go.priors import Priors
from engines.go.shapes import OFFSETS, SIZES, TURNED_PLACES, smallest_code, turned
from engines.go.vertex import parse_vertex
from engines.go.weights import shape_weights

SIZE = 9


def code_at(board: Board, vertex: str, color: int) -> int:
    point = parse_vertex(vertex, SIZE, SIZE)
    return next(shape for at, _, _, shape, _ in Priors().features(board, color) if at == point)


def contents(code: int) -> dict[tuple[int, int], int]:
    """What a code tells of the points by offset."""
    return {offset: code >> (2 * place) & 3 for place, offset in enumerate(OFFSETS)}


def random_board(seed: int) -> Board:
    board, rng = Board(SIZE), random.Random(seed)
    for _ in range(25):
        point = rng.randrange(SIZE * SIZE)
        if board.is_legal(board.to_move, point):
            board.play(board.to_move, point)
    return board


def test_offsets_come_nearest_first_and_the_sizes_end_where_a_distance_does():
    distances = [abs(x) + abs(y) + max(abs(x), abs(y)) for x, y in OFFSETS]
    assert distances == sorted(distances)
    assert len(OFFSETS) == SIZES[1]
    assert distances[SIZES[0] - 1] < distances[SIZES[0]]


def test_a_code_tells_stones_by_whose_they_are_and_the_edge():
    board = Board(SIZE)
    board.play(BLACK, parse_vertex("C4", SIZE, SIZE))
    board.play(WHITE, parse_vertex("B2", SIZE, SIZE))
    seen = contents(code_at(board, "C3", BLACK))
    assert seen[0, 1] == 1
    assert seen[-1, -1] == 2
    assert seen[0, -3] == 3 and seen[-3, 0] == 3
    assert sum(1 for content in seen.values() if content == 0) == len(OFFSETS) - 4
    seen = contents(code_at(board, "C3", WHITE))
    assert (seen[0, 1], seen[-1, -1]) == (2, 1)


@pytest.mark.parametrize("size", SIZES)
def test_turns_are_eight_ways_of_looking_at_the_same(size):
    rng = random.Random(size)
    for _ in range(50):
        code = rng.getrandbits(2 * size)
        ways = {turned(code, size, turn) for turn in range(8)}
        assert turned(code, size, 0) == code
        assert {smallest_code(way, size) for way in ways} == {min(ways)}
        assert all({turned(way, size, turn) for turn in range(8)} == ways for way in ways)


def test_turning_moves_the_contents_as_the_board_turns():
    board = random_board(3)
    for turn, places in enumerate(TURNED_PLACES):
        for _, _, _, code, _ in Priors().features(board, BLACK):
            here, there = contents(code), contents(turned(code, SIZES[1], turn))
            assert all(there[offset] == here[OFFSETS[places[place]]] for place, offset in enumerate(OFFSETS))


def test_the_smaller_shape_is_the_beginning_of_the_larger():
    code = random.Random(1).getrandbits(2 * SIZES[1])
    mask = (1 << 2 * SIZES[0]) - 1
    for turn in range(8):
        assert turned(code, SIZES[1], turn) & mask == turned(code & mask, SIZES[0], turn)


def test_the_table_has_the_smallest_code_of_each_class():
    weights = shape_weights()
    assert {size for size, _ in weights} == set(SIZES)
    assert all(code == smallest_code(code, size) and code >> (2 * size) == 0 for size, code in weights)
