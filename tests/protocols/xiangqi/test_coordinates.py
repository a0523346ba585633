"""Squares with ranks counted from 0 or from 1."""

from hypothesis import given
from hypothesis import strategies as st

from engines.xiangqi.geometry import move_name
from protocols.xiangqi.coordinates import read, write, write_all

squares = st.integers(0, 89)


@given(squares, squares, st.sampled_from([0, 1]))
def test_what_is_written_is_read_back(origin, target, base):
    move = origin << 7 | target
    assert read(write(move, base)).move(base) == move


@given(squares, squares)
def test_from_zero_it_is_the_board_s_own_name(origin, target):
    assert write(origin << 7 | target) == move_name(origin << 7 | target)


@given(st.text(max_size=8))
def test_any_text_is_read_or_refused(text):
    found = read(text)
    if found is not None:
        assert 0 <= found.file <= 8 and 0 <= found.to_rank <= 10


def test_forms():
    assert read("H2-E2") == read("h2e2")
    assert read("b10c8").move(1) == read("b9c7").move(0)
    assert read("b10c8").move(0) is None and read("b0c2").move(1) is None
    assert [read(text) for text in ("", "h2", "h2e", "j2e2", "h2e11", "h2e2q", "h 2e2", "0000", "h02e2")] == [None] * 9
    assert write_all([read("h2e2").move(0), read("b9c7").move(0)], 1) == "h3e3 b10c8"
