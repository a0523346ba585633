"""EPD lines: a position, its counters wherever they stand, and operations."""

import pytest

from engines.xiangqi.epd import read_epd

PLACE = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"


@pytest.mark.parametrize(
    ("line", "fen", "operations", "name"),
    [
        (PLACE, f"{PLACE} w - - 0 1", {}, ""),
        (f"{PLACE} b - - hmvc 2; fmvn 4;", f"{PLACE} b - - 2 4", {"hmvc": "2", "fmvn": "4"}, ""),
        (f'{PLACE} w - - bm h2e2; id "a; b";', f"{PLACE} w - - 0 1", {"bm": "h2e2", "id": "a; b"}, "a; b"),
        (f"{PLACE} b - - 3 9 ; 第001局：气吞关右", f"{PLACE} b - - 3 9", {}, "第001局：气吞关右"),
        (f"{PLACE} w", f"{PLACE} w - - 0 1", {}, ""),
        (f"{PLACE} r bm h2e2", f"{PLACE} r - - 0 1", {"bm": "h2e2"}, ""),
        (f"{PLACE} w - - 0 1;", f"{PLACE} w - - 0 1", {}, ""),
        (f"{PLACE} w - - hmvc x;", f"{PLACE} w - - 0 1", {"hmvc": "x"}, ""),
        (f"{PLACE} w - - 5 id \"x\"; acd 10", f"{PLACE} w - - 5 1", {"id": "x", "acd": "10"}, "x"),
    ],
)  # fmt: skip
def test_lines(line, fen, operations, name):
    epd = read_epd(line)
    assert (epd.fen, epd.operations, epd.name) == (fen, operations, name)


@pytest.mark.parametrize("line", ["", "h2e2 h9g7", "startpos", f"{PLACE} w - - 0 1 moves h2e2", "9/9 w"])
def test_what_is_none(line):
    assert read_epd(line) is None
