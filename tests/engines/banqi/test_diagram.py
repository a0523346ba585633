"""Half boards and point boards, as SVG and for a terminal."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from engines.banqi import diagram
from engines.banqi.fen import START_FEN
from engines.sanguo import diagram as points
from engines.sanguo.fen import start_fen

MIXED = "KX2/4/4/4/4/4/4/3p r k1 0 10"


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("script", ["traditional", "simplified"])
def test_a_half_board_is_well_formed_and_has_its_pieces_inside_squares(script, wide):
    board = diagram.half_board(script, True, wide)
    picture = board.picture(diagram.standing(MIXED), (0,), "a position")
    ElementTree.fromstring(picture)
    used = re.findall(r'href="#[^"]*-([A-Za-z]+)" x', picture)
    assert sorted(used) == ["K", "X", "last", "p"]
    assert len(set(board.places)) == 32
    assert all(0 < x < board.width and 0 < y < board.height for x, y in board.places)


def test_a_face_down_piece_looks_the_same_whatever_it_is():
    assert diagram.standing(START_FEN) == dict.fromkeys(range(32), "X")


@pytest.mark.parametrize(("ranks", "corners"), [(45, 4), (45, 3), (90, 4), (90, 3)])
def test_a_point_board(ranks, corners):
    board = points.point_board(ranks)
    standing = points.standing(start_fen(ranks, corners))
    assert len(standing) == 8 * corners
    ElementTree.fromstring(board.picture(standing))


def test_in_a_terminal():
    text = diagram.plain(diagram.standing(MIXED), (3,))
    assert text.splitlines()[1] == "8   K  X  .  .  8" and text.splitlines()[8] == "1   .  .  . [p] 1"
    assert "帥" in diagram.plain(diagram.standing(MIXED), (), "traditional")
    text = points.plain(45, {0: "X", 10: "K"}, (10,))
    assert text.splitlines()[5].startswith("0   X  +") and "[K]" in text.splitlines()[4]


def test_the_squares_of_a_move():
    assert diagram.last_squares("a1-b2(n)") == (0, 5) and diagram.last_squares("K@d8") == (31,)
    assert points.last_points("a0-b1 out:2") == (0, 10)
