"""The board: counts, what is kept along, why a move is refused."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jieqi_cases import random_game
from support import PURE

from engines.jieqi.board import Board, IllegalMove
from engines.jieqi.deal import Deal
from engines.jieqi.fen import read_fen
from engines.jieqi.forms import FORMS, HOME, form_of
from engines.jieqi.game import Game
from engines.jieqi.moves import parse
from engines.xiangqi.board import Board as Xiangqi

FORM = st.sampled_from(sorted(FORMS))
SEED = st.integers(0, 1000)


@pytest.mark.parametrize("depth", [1, 2] if PURE else [1, 2, 3, 4])
def test_the_first_form_of_fanqi_is_xiangqi(depth):
    assert Board("fanqi1").perft(depth) == Xiangqi().perft(depth)


def test_the_second_form_begins_as_xiangqi_does():
    board = Board("fanqi2")
    assert (board.perft(1), board.perft(2)) == (44, 1920)


def test_public_counts_of_the_start():
    board, pool = Board("jieqi"), {kind + 8 * color: HOME.count(kind) // 2 for kind in range(2, 8) for color in (0, 1)}
    assert [board.perft_public(depth, pool) for depth in range(3)] == [1, 43 * 6 + 1, 66462]


def test_perft_needs_to_know_the_pieces():
    with pytest.raises(ValueError, match="every piece is known"):
        Board("jieqi").perft(1)


@settings(max_examples=25)
@given(FORM, SEED)
def test_what_is_kept_along_is_what_the_squares_give(form, seed):
    game = random_game(form, seed, 60)
    board = game.board
    while board.plies:
        assert board.is_consistent()
        board.undo()
    assert board.is_consistent()
    assert board.points() == Game(form, seed=seed).board.points()


@settings(max_examples=25)
@given(FORM, SEED)
def test_undo_restores_everything(form, seed):
    board = random_game(form, seed, 30).board
    before = pickle.dumps(board)
    for move in board.legal_moves():
        board.play(move)
        assert board.is_consistent()
        assert board.undo() == move
    assert pickle.dumps(board) == before
    assert pickle.loads(before).legal_moves() == board.legal_moves()


@settings(max_examples=25)
@given(FORM, SEED)
def test_legal_moves_are_those_that_are_not_refused(form, seed):
    board = random_game(form, seed, 30).board
    legal = set(board.legal_moves())
    assert all(board.is_legal(move) for move in legal)
    for origin in range(0, 90, 7):
        for target in range(90):
            for down in (0, 1 << 14):
                move = origin << 7 | target | down
                assert board.is_legal(move) == (move in legal)
                assert (board.why_illegal(move) is None) == (move in legal)


@pytest.mark.parametrize(
    ("form", "fen", "move", "reason"),
    [
        ("jieqi", "3k5/9/9/9/9/9/9/9/9/3XK4 w A1 - 0 1", "d0c1", "a face-down piece on the point of an advisor"),
        ("jieqi", "3k5/9/9/9/9/9/9/9/9/3XK4 w A1 - 0 1", "d0d1", "can't go there"),
        ("jieqi", "3k5/9/9/9/9/9/9/9/9/3AK4 w - - 0 1", "d0e1x", "no piece is turned down"),
        ("fanqi4", "3k5/9/9/9/9/9/9/9/9/R3K4 w - - - 0 1", "a0a4x", "only on a starting point"),
        ("fanqi4", "3k5/9/9/9/9/9/9/9/9/X3K4 w R1 - - 0 1", "a0a3x", "just been turned up"),
        ("fanqi4", "3k5/9/9/9/9/9/9/9/4A4/4K4 w - - - 0 1", "e1d0x", "advisors are not turned down"),
        ("jieqi", "3kr4/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1", "e1d1", "expose"),
    ],
)
def test_refused_with_the_reason(form, fen, move, reason):
    with pytest.raises(IllegalMove, match=reason):
        parse(read_fen(fen, form).board(), move)


@pytest.mark.parametrize(
    ("form", "fen", "moves"),
    [
        # free advisors and elephants leave the palace and cross the river, in the forms where they take part
        ("jieqi", "4k4/9/9/9/9/4A4/9/9/9/3K5 w - - 0 1", "e4d5 e4f5 e4d3 e4f3"),
        ("jieqi", "4k4/9/9/9/9/4B4/9/9/9/3K5 w - - 0 1", "e4c6 e4g6 e4c2 e4g2"),
        ("jieqi", "4k4/9/9/9/5P3/4B4/9/9/9/3K5 w - - 0 1", "e4c6 e4c2 e4g2"),
        ("fanqi7", "3k5/9/9/9/9/9/9/9/9/3XK4 w A1 - - 0 1", "d0c1 d0e1"),
        ("fanqi5", "3k5/9/9/9/9/9/9/9/9/3AK4 w - - - 0 1", "d0e1"),
        # a soldier turned up at home only goes forward
        ("jieqi", "4k4/9/9/9/9/9/9/9/P8/3K5 w - - 0 1", "a1a2"),
    ],
)
def test_how_pieces_go(form, fen, moves):
    board = read_fen(fen, form).board()
    origin = moves[:2]
    found = {Game.move_text(None, move) for move in board.legal_moves()}
    assert {text for text in found if text.startswith(origin)} == set(moves.split())


def test_a_free_advisor_and_a_free_elephant_give_check():
    for fen, check in (
        ("4k4/3A5/9/9/9/9/9/9/9/3K5 b - - 0 1", True),
        ("4k4/9/2B6/9/9/9/9/9/9/3K5 b - - 0 1", True),
        ("4k4/3p5/2B6/9/9/9/9/9/9/3K5 b - - 0 1", False),
        ("4k4/9/4A4/9/9/9/9/9/9/3K5 b - - 0 1", False),
    ):
        assert read_fen(fen, "jieqi").board().in_check() is check


def test_a_face_down_piece_shields_as_its_points_kind():
    # It may go along the file, as the soldier that it lies for, and nowhere else.
    game = Game("jieqi", "4k4/9/9/4x4/9/9/9/4R4/9/3K5 b p1 - 0 1")
    assert [game.move_text(move) for move in game.legal_moves() if move >> 7 == 58] == ["e6e5"]


@pytest.mark.parametrize("form", sorted(FORMS))
def test_every_form_lays_its_own_pieces(form):
    table, deal = form_of(form), Deal.shuffled(form, 7)
    for color in (0, 1):
        letters = deal.letters(color)
        assert len(letters) == len(table.points(color))
        assert Deal.of(form, *(deal.letters(side) for side in (0, 1))) == deal
