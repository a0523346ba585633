"""Points, small positions and their diagrams."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.go.points import (
    BLACK,
    EMPTY,
    WHITE,
    border,
    chains,
    check_position,
    components,
    neighbors,
    opponent,
    parse_diagram,
    show_diagram,
)

SIDES = st.integers(1, 9)


@st.composite
def positions(draw):
    width, height = draw(SIDES), draw(SIDES)
    stones = draw(st.lists(st.sampled_from((EMPTY, BLACK, WHITE)), min_size=width * height, max_size=width * height))
    return width, height, bytes(stones)


def test_opponent():
    assert opponent(BLACK) == WHITE
    assert opponent(WHITE) == BLACK


def test_a1_is_zero_and_rows_go_up():
    width, height, stones = parse_diagram("..O\nX..")
    assert (width, height) == (3, 2)
    assert stones == bytes((BLACK, EMPTY, EMPTY, EMPTY, EMPTY, WHITE))


def test_neighbors_of_corner_edge_and_middle():
    table = neighbors(4, 3)
    assert sorted(table[0]) == [1, 4]
    assert sorted(table[2]) == [1, 3, 6]
    assert sorted(table[5]) == [1, 4, 6, 9]
    assert neighbors(1, 1) == ((),)


@given(SIDES, SIDES)
def test_neighbors_are_mutual(width, height):
    table = neighbors(width, height)
    for point, near in enumerate(table):
        assert all(point in table[other] for other in near)
    assert sum(map(len, table)) == 2 * (width * (height - 1) + height * (width - 1))


@given(positions())
def test_diagram_round_trip(position):
    assert parse_diagram(show_diagram(*position)) == position


def test_diagram_leniency():
    assert parse_diagram("\n  b . w \n  x + o\n")[2] == bytes((BLACK, EMPTY, WHITE, BLACK, EMPTY, WHITE))


@pytest.mark.parametrize("text", ["", "   \n", "X.\nX", "X?", "X" * 26, "\n".join("X" * 26)])
def test_bad_diagrams(text):
    with pytest.raises(ValueError):
        parse_diagram(text)


@pytest.mark.parametrize(
    "position", [(0, 3, b""), (26, 1, bytes(26)), (2, 2, bytes(3)), (1, 1, bytes((3,))), (1, 1, (-1,))]
)
def test_bad_positions(position):
    with pytest.raises(ValueError):
        check_position(*position)


def test_chains_and_regions():
    width, height, stones = parse_diagram("XX.\n.XO\nX.O")
    assert chains(width, height, stones, BLACK) == [[0], [4, 6, 7]]
    assert chains(width, height, stones, WHITE) == [[2, 5]]
    assert chains(width, height, stones, EMPTY) == [[1], [3], [8]]
    assert border(width, height, [2, 5]) == {1, 4, 8}


@given(positions())
def test_components_cover_what_they_are_given_once(position):
    width, height, stones = position
    members = [point for point, stone in enumerate(stones) if stone == BLACK]
    parts = components(width, height, members)
    assert sorted(point for part in parts for point in part) == members
    for part in parts:
        assert border(width, height, part).isdisjoint(members)
