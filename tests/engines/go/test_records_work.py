"""Reading SGF takes work that grows with the length of the text alone, and a text of too many parts is refused."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from work import counted

from engines.go.records import RecordError, komi, parse_record, read_record, reading, sgf, values

SIZE = 200


def work(monkeypatch, text):
    with counted(monkeypatch, [reading, sgf, values, komi]) as counter, suppress(RecordError):
        parse_record(text)
    return counter.work


HOSTILE = {
    "set-up beside each move": lambda n: "(;SZ[25]" + ";AB[aa]AW[cc];AE[aa]" * n + ")",
    "a flood of AB": lambda n: "(;SZ[25]AB" + "[aa:yy]" * n + ")",
    "brackets in a text": lambda n: "(;C[" + "[x]" * n + "])",
    "closing brackets": lambda n: "(;C[" + "x]" * n + "])",
    "texts not closed": lambda n: "(;" + "C[x " * n + ")",
    "stray words": lambda n: "(;B[aa]" + " x y -- " * n + ")",
    "parentheses too many": lambda n: "(;B[aa])" + ";B[bb])" * n,
    "lines behind variations": lambda n: "(;B[aa]" + "(;W[bb]);B[cc]" * n + ")",
    "variations behind the end": lambda n: "(;B[aa]" + "(;W[bb]));B[cc]" * n + ")",
    "variations": lambda n: "(;B[aa]" * n + ")" * n,
    "parentheses": lambda n: "(" * n + ";B[aa]" + ")" * n,
    "backslashes": lambda n: "(;C[" + "\\" * n + "])",
    "lines": lambda n: "(;C[" + "\n" * n + "] ~" + "\n ~" * n + ")",
    "moves of Black": lambda n: f"(;HA[{n}]" + ";B[aa]" * n + ")",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_text_is_twice_the_work(monkeypatch, name):
    once, twice = (work(monkeypatch, HOSTILE[name](size)) for size in (SIZE, 2 * SIZE))
    assert once >= SIZE and twice <= 2.2 * once + 200


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(
        st.sampled_from(["(", ")", ";", "[", "]", "\\", "B[aa]", "C[", "AB[aa:cc]", "W", " ", "x", "\n", "-", "(;"]),
        min_size=1,
        max_size=6,
    ).map("".join)
)
def test_so_it_is_for_anything_repeated(monkeypatch, piece):
    once, twice = (work(monkeypatch, "(;SZ[9]" + piece * size) for size in (40, 80))
    assert twice <= 2.2 * once + 300


def test_limits():
    with pytest.raises(RecordError, match="too long"):
        parse_record("(;" + ";" * sgf.MAX_PARTS + ")")
    with pytest.raises(RecordError, match="more than 10000 setups"):
        parse_record("(;SZ[9]" + ";AB[aa];AE[aa]" * 5001 + ")")
    with pytest.raises(RecordError, match="500000 points"):
        parse_record("(;SZ[25]" + ";AB[aa:yy]" * 801 + ")")
    assert len(parse_record("(;SZ[9]" + ";AB[aa];AE[aa]" * 4999 + ")").steps) == 9998


def test_a_large_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.sgf"
    with open(path, "wb") as file:
        file.truncate(reading.MAX_BYTES + 1)
    with pytest.raises(RecordError, match="larger than"):
        read_record(path)
