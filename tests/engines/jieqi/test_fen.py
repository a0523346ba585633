"""FEN in all its forms, both ways, and what is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jieqi_cases import random_game

from engines.jieqi.ends import Rules
from engines.jieqi.fen import DIALECTS, read_fen, write_fen
from engines.jieqi.forms import FORMS
from engines.jieqi.game import Game
from engines.jieqi.view import View
from engines.xiangqi.fen import FenError

BOARD = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX"
START = {
    "jieqibox": f"{BOARD} w R2A2C2P5N2B2r2a2c2p5n2b2 - 0 1",
    "plain": f"{BOARD} w R2A2C2P5N2B2r2a2c2p5n2b2 - 0 1",
    "jieqibox-old": f"{BOARD} R2A2C2P5N2B2r2a2c2p5n2b2 w - - 0 1",
    "pikafish": f"{BOARD} w R2A2C2P5N2B2r2a2c2p5n2b2 0 1",
    "jieqiai": f"{BOARD} w aabbccnnrrppppp  aabbccnnrrppppp  - - 0 1",
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_start_in_every_form(dialect):
    start = Game("jieqi", seed=1).position(None)
    assert write_fen(start, dialect) == START[dialect]
    assert read_fen(START[dialect]) == start


@pytest.mark.parametrize(
    "text",
    [
        f"{BOARD} w aabbnnrrccppppp  aabbnnrrccppppp  - - 0 1",  # JieqiAI's own order
        f"{BOARD} w r2a2c2p5n2b2R2A2C2P5N2B2 0 1",
        f"  {BOARD} w R2A2C2P5N2B2r2a2c2p5n2b2",
        f'"{BOARD}"',
        f"{BOARD} W R2A2C2P5N2B2r2a2c2p5n2b2 - 0 1",
        BOARD,
    ],
)
def test_other_ways_to_write_the_start(text):
    assert read_fen(text) == read_fen(START["jieqibox"])


def test_what_each_seat_took():
    text = "xxbakabPx/9/7x1/x1x1x1x1x/9/9/X1X1X1X1X/4C4/9/XcBAKABXX b R2A0C1P3N2B0r1a0c1p5n2b0 r1P1 1 2"
    position = read_fen(text, "jieqi2")
    assert write_fen(position) == text
    bags = write_fen(position, "jieqiai")
    assert bags.split(" ")[2:6] == ["cnnrrpppp", "r", "cnnrrppppp", "p"]
    assert read_fen(bags, "jieqi2") == position


@settings(max_examples=40)
@given(st.sampled_from(sorted(FORMS)), st.sampled_from((0, 1, None)), st.integers(0, 1000))
def test_every_view_is_read_as_it_was_written(form, side, seed):
    view = random_game(form, seed, 50).observe(side)
    text = view.setup_text()
    assert write_fen(read_fen(text, form)) == text
    assert View.read(text, side, Rules(form)).points == view.points
    if not view.captured and not FORMS[form].has_known:
        for dialect in DIALECTS:
            assert read_fen(view.setup_text(dialect), form) == view.position()
    elif not FORMS[form].has_known:
        assert read_fen(view.setup_text("jieqiai"), form) == view.position()


def test_known_pieces():
    text = "3k5/9/9/9/9/9/X8/9/9/X3K4 w R1A0C0P0N0B0r0a0c0p0n0b0 - a3N 0 1"
    position = read_fen(text, "fanqi4")
    assert position.points[27] == (4, True, True) and position.points[0] == (0, True, False)
    assert write_fen(position) == text


@pytest.mark.parametrize(
    ("form", "fen", "reason"),
    [
        ("jieqi", "", "empty"),
        ("jieqi", "xxxx w", "ranks"),
        ("jieqi", f"{BOARD} w R2A2C2P5N2B2r2a2c2p5n2 - 0 1", "face-down pieces and 13 not seen"),
        ("jieqi", f"{BOARD} w R3A2C2P5N2B2r2a2c2p5n2b2 - 0 1", "3 chariots on the board and unseen, more than 2"),
        ("jieqi", f"{BOARD} w R2A2C2P5N2B2r2a2c2p5n2b2 - x 1", "where its counters should be"),
        ("jieqi", f"{BOARD} w R2A2C2P5N2B2r2a2c2p5n2b2 - 0 1 7", "goes on"),
        ("jieqi", f"{BOARD} q R2 - 0 1", "no side to move"),
        ("jieqi", f"{BOARD} w R2Q2 - 0 1", "pool"),
        ("jieqi", f"{BOARD} w R2A2C2P5N2B2r2a2c2p5n2b2 - 1234567 1", "not a number"),
        ("jieqi", "3k5/9/9/9/9/9/9/9/9/4K3Z w - - 0 1", "'Z'"),
        ("jieqi", "3k5/9/9/9/9/9/9/9/4X4/4K4 w P1 - 0 1", "face-down piece on e1"),
        ("jieqi", "3k5/9/9/9/9/9/9/9/9/9 w - - 0 1", "Red has no general"),
        ("jieqi", "3k5/9/9/9/9/9/9/9/9/K8 w - - 0 1", "can't stand on a0"),
        ("jieqi", "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "could take the general"),
        ("jieqi2", "3k5/9/9/9/9/9/9/9/9/2X1K4 w P1 - 0 1", "lies face down on c0"),
        ("fanqi1", "3k5/9/9/9/9/9/9/9/9/X3K4 w - - 0 1", "lies face down on a0"),
        ("fanqi1", "3k5/9/9/9/9/A8/9/9/9/4K4 w - - 0 1", "advisor can't stand"),
        ("fanqi4", "3k5/9/9/9/9/9/9/9/9/X3K4 w - - a0a 0 1", "can't lie"),
        ("fanqi4", "3k5/9/9/9/9/9/9/9/9/X3K4 w - - b0R 0 1", "nothing lies face down"),
        ("jieqi", f"{BOARD} w aabbnnrrccppppp rrr aabbnnrrccppppp  - - 0 1", "taken face down"),
    ],
)
def test_refused_with_the_reason(form, fen, reason):
    with pytest.raises(FenError, match=reason):
        read_fen(fen, form)


@given(st.text(alphabet="xXkKrR19/ wb-02aA", max_size=60))
def test_rubbish_is_refused(text):
    try:
        found = read_fen(text)
    except FenError as error:
        assert str(error)
    else:
        assert found is not None
