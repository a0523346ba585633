"""Chinese notation: the rows are in ``test_rows``; here the short form, what is refused, and both ways at random."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jieqi_cases import random_game

from engines.jieqi.board import Board
from engines.jieqi.fen import read_fen
from engines.jieqi.forms import FORMS
from engines.jieqi.moves import parse
from engines.jieqi.notation import NOTATIONS, MoveNames, NotationError


@settings(max_examples=40)
@given(st.sampled_from(sorted(FORMS)), st.integers(0, 1000))
def test_every_move_is_read_as_it_was_written(form, seed):
    board = random_game(form, seed, 60).board
    names = MoveNames(board)
    for notation in NOTATIONS:
        written = [names.write(move, notation) for move in board.legal_moves()]
        assert len(set(written)) == len(written)
        for move, text in zip(board.legal_moves(), written, strict=True):
            assert names.read(text).move == move
            piece = board.point(move >> 7 & 127)
            if piece.dark:
                told = names.read(names.write(move, notation, piece.piece))
                assert (told.move, told.shown) == (move, piece.piece)


@pytest.mark.parametrize(
    ("move", "simplified", "traditional", "short"),
    [
        ("b0c2R", "马八进七变车", "馬八進七變車", "马87变车"),
        ("h2h9C", "炮二进七变炮", "炮二進七變炮", "炮2_7变炮"),
        ("h2e2P", "炮二平五变兵", "炮二平五變兵", "炮25变兵"),
        ("d0e1B", "仕六进五变相", "仕六進五變相", "士65变相"),
    ],
)
def test_every_notation(move, simplified, traditional, short):
    names, told = MoveNames(Board("jieqi")), parse(Board("jieqi"), move)
    found = [names.write(told.move, notation, told.shown) for notation in ("simplified", "traditional", "short")]
    assert found[:2] == [simplified, traditional]
    assert names.read(found[2]) == names.read(simplified) == names.read(traditional) == told
    assert found[2].translate({ord("仕"): "士"}) == short


def test_turned_down_in_words():
    board = read_fen("3k5/9/9/9/9/9/9/8C/9/4K4 w - - - 0 1", "fanqi6").board()
    names = MoveNames(board)
    assert names.write(parse(board, "i2b2x").move, "simplified") == "炮一平八变炮"
    assert names.read("炮一平八").text == "i2b2" and names.read("炮一平八變炮").text == "i2b2x"
    with pytest.raises(NotationError, match="no piece is turned to that"):
        names.read("炮一平八变车")


@pytest.mark.parametrize("text", ["", "变", "马二进三变", "马二进三变帅", "马二进九", "h2h9Z", "a0a9", "马", "变变变"])
def test_what_is_no_move(text):
    with pytest.raises(NotationError):
        MoveNames(Board("jieqi")).read(text)


def test_a_move_that_is_not_legal_is_not_written():
    with pytest.raises(NotationError):
        MoveNames(Board("jieqi")).write(1, "simplified")
    with pytest.raises(ValueError, match="no notation"):
        MoveNames(Board("jieqi")).write(Board("jieqi").legal_moves()[0], "wxf")
