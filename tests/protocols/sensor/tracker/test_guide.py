from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import Pair


def board(text):
    """Nine points a row, the first row given is the lowest."""
    return text.replace("/", "")


def test_nothing_to_do():
    assert guide.pairs("X.O", "X.O", 3) == []


def test_a_stone_beside_its_place_is_one_move():
    assert guide.pairs("X..", ".X.", 3) == [Pair(0, 1)]


def test_like_goes_to_like():
    assert set(guide.pairs("XO....", "....XO", 6)) == {Pair(0, 4), Pair(1, 5)}


def test_wrong_thing_is_lifted_before_the_right_one_is_put():
    assert guide.pairs("O", "X", 1) == [Pair(0, None), Pair(None, 0)]


def test_swapped_stones_cross():
    assert set(guide.pairs("XO", "OX", 2)) == {Pair(0, 1), Pair(1, 0)}


def test_pairs_whose_place_is_free_come_first():
    # X at 0 belongs to 1, where O stands, which belongs to 2, which is free.
    assert guide.pairs("XO.", ".XO", 3) == [Pair(1, 2), Pair(0, 1)]


def test_left_over_stones_are_lifted_and_lacking_ones_put():
    assert guide.pairs("X....X", "...X..", 6) == [Pair(5, 3), Pair(0, None)]
    assert guide.pairs("X.....", "...X.X", 6) == [Pair(0, 3), Pair(None, 5)]


@given(st.lists(st.integers(0, 80), min_size=1, max_size=5, unique=True), st.data())
def test_pairs_are_the_nearest_there_are(stones, data):
    places = data.draw(
        st.lists(
            st.integers(0, 80).filter(lambda p: p not in stones),
            min_size=len(stones),
            max_size=len(stones),
            unique=True,
        )
    )
    seen, wanted = ["."] * 81, ["."] * 81
    for point in stones:
        seen[point] = "X"
    for point in places:
        wanted[point] = "X"
    found = guide.pairs("".join(seen), "".join(wanted), 9)

    def far(a, b):
        return abs(a % 9 - b % 9) + abs(a // 9 - b // 9)

    best = min(sum(map(far, stones, order)) for order in permutations(places))
    assert sum(far(a, b) for a, b in found) == best
    assert {a for a, _ in found} == set(stones) and {b for _, b in found} == set(places)


@given(st.text(".XO", min_size=60, max_size=60), st.text(".XO", min_size=60, max_size=60))
def test_doing_what_is_told_puts_the_board_right(seen, wanted):
    points = list(seen)
    carried = []
    for extra, missing in guide.pairs(seen, wanted, 10):
        if extra is not None:
            carried.append((missing, points[extra]))
            points[extra] = "."
        else:
            carried.append((missing, wanted[missing]))
    for missing, thing in carried:
        if missing is not None:
            assert points[missing] == "."
            points[missing] = thing
    assert "".join(points) == wanted


def test_many_differences_are_paired_quickly():
    seen = "X" * 180 + "." * 181
    wanted = "." * 181 + "X" * 180
    assert len(guide.pairs(seen, wanted, 19)) == 180
