"""Handicap points and the ancient setup."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.go.handicap import ancient_setup, fixed_handicap, free_handicap, max_fixed_handicap
from engines.go.points import BLACK, chains
from engines.go.vertex import format_vertex


def names(points, width, height=None):
    return {format_vertex(point, width, height or width) for point in points}


def test_fixed_points_of_every_square_size(data_dir):
    sizes = json.loads((data_dir / "go" / "fixed_handicap.json").read_text(encoding="utf-8"))["sizes"]
    assert len(sizes) == 19
    for size, row in ((int(size), row) for size, row in sizes.items()):
        assert max_fixed_handicap(size, size) == row["max"]
        for count in range(12):
            if str(count) in row["stones"]:
                assert names(fixed_handicap(size, size, count), size) == set(row["stones"][str(count)])
            else:
                with pytest.raises(ValueError):
                    fixed_handicap(size, size, count)


@pytest.mark.parametrize("size", [1, 2, 5, 6, 26])
def test_no_points_on_tiny_and_huge_boards(size):
    assert max_fixed_handicap(size, size) == 0
    with pytest.raises(ValueError, match="no handicap points"):
        fixed_handicap(size, size, 2)


@pytest.mark.parametrize(
    ("width", "height", "most"),
    [(19, 9, 9), (9, 19, 9), (19, 7, 4), (7, 19, 4), (19, 10, 4), (8, 7, 4), (19, 6, 0), (6, 19, 0), (13, 12, 4)],
)
def test_rectangles_have_as_many_as_the_poorer_side_allows(width, height, most):
    assert max_fixed_handicap(width, height) == most


def test_each_side_of_a_rectangle_has_its_own_line():
    assert names(fixed_handicap(19, 9, 9), 19, 9) == {"D3", "K3", "Q3", "D5", "K5", "Q5", "D7", "K7", "Q7"}
    assert names(fixed_handicap(12, 13, 2), 12, 13) == {"C4", "K10"}


def test_free_takes_the_fixed_points_first():
    for count in range(2, 10):
        assert free_handicap(19, 19, count) == fixed_handicap(19, 19, count)
    assert free_handicap(8, 8, 4) == fixed_handicap(8, 8, 4)


def test_free_goes_over_the_points_between_the_stars():
    assert names(free_handicap(19, 19, 13)[9:], 19) == {"G7", "G13", "N7", "N13"}
    assert names(free_handicap(19, 19, 25), 19) == {f"{x}{y}" for x in "DGKNQ" for y in (4, 7, 10, 13, 16)}


@pytest.mark.parametrize("count", [-1, 0, 1])
def test_free_refuses_fewer_than_two(count):
    with pytest.raises(ValueError, match="at least 2"):
        free_handicap(19, 19, count)


@pytest.mark.parametrize(("width", "height", "count"), [(1, 1, 2), (2, 1, 2), (3, 3, 9), (19, 19, 361)])
def test_free_never_fills_the_board(width, height, count):
    with pytest.raises(ValueError, match="no room"):
        free_handicap(width, height, count)


@given(st.integers(1, 9), st.integers(1, 9), st.data())
def test_free_places_just_as_many_as_asked(width, height, data):
    room = width * height - 1
    if room < 2:
        return
    count = data.draw(st.integers(2, room))
    points = free_handicap(width, height, count)
    assert len(set(points)) == len(points) == count
    stones = bytearray(width * height)
    for point in points:
        stones[point] = BLACK
    assert len(chains(width, height, stones, 0)) >= 1


def test_ancient_setup():
    black, white = ancient_setup(19, 19)
    assert names(black, 19) == {"D4", "Q16"}
    assert names(white, 19) == {"D16", "Q4"}
    black, white = ancient_setup(13, 9)
    assert names(black, 13, 9) == {"D3", "K7"}
    assert names(white, 13, 9) == {"D7", "K3"}
    with pytest.raises(ValueError):
        ancient_setup(5, 5)
