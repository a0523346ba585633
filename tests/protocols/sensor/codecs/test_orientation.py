"""In which order boards count, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.sensor.codecs.orientation import CORNERS, inverse, point_order
from protocols.sensor.reading import Geometry

SMALL = Geometry(3, 2)
#  far    0 1 2
#  near   3 4 5


@pytest.mark.parametrize(
    ("first", "along", "snake", "order"),
    [
        ("far-left", "rows", False, (0, 1, 2, 3, 4, 5)),
        ("far-right", "rows", False, (2, 1, 0, 5, 4, 3)),
        ("near-left", "rows", False, (3, 4, 5, 0, 1, 2)),
        ("near-right", "rows", False, (5, 4, 3, 2, 1, 0)),
        ("far-left", "columns", False, (0, 3, 1, 4, 2, 5)),
        ("near-left", "columns", False, (3, 0, 4, 1, 5, 2)),
        ("near-right", "columns", False, (5, 2, 4, 1, 3, 0)),
        ("far-left", "rows", True, (0, 1, 2, 5, 4, 3)),
        ("near-right", "rows", True, (5, 4, 3, 0, 1, 2)),
        ("far-left", "columns", True, (0, 3, 4, 1, 2, 5)),
    ],
)
def test_orders(first, along, snake, order):
    assert point_order(SMALL, first, along, snake) == order


@given(
    st.integers(1, 19),
    st.integers(1, 19),
    st.sampled_from(CORNERS),
    st.sampled_from(["rows", "columns"]),
    st.booleans(),
)
def test_there_and_back(width, height, first, along, snake):
    order = point_order(Geometry(width, height), first, along, snake)
    back = inverse(order)
    assert [order[number] for number in back] == list(range(width * height))


@pytest.mark.parametrize("order", [(0, 0), (0, 2), (-1, 0)])
def test_what_is_no_order(order):
    with pytest.raises(ValueError, match="not an order"):
        inverse(order)


def test_geometry():
    board = Geometry(9, 10)
    assert (board.count, board.index(8, 9), board.column(89), board.row(89), str(board)) == (90, 89, 8, 9, "9x10")
    with pytest.raises(ValueError):
        board.index(9, 0)
