"""Luoqi: placing, moving, ends, text, undo."""

import pickle
import random

import pytest
from support import PURE

from engines.luoqi.board import Board
from engines.luoqi.game import Game, IllegalMove


@pytest.mark.parametrize("rules", ["taiwan", "hongkong", "taiwan-chain", "taiwan-rush"])
def test_random_games_make_and_unmake_everything(rules):
    for seed in range(1 if PURE else 3):
        below, game, past = random.Random(seed), Game(rules=rules), []
        board = game.board
        model = game.observe().model()
        while game.result is None:
            past.append((board.fen(), board.key, board.legal_moves()))
            if len(past) % 8 == 1:
                for move in game.legal_moves():
                    assert game.read_move(game.move_text(move)) == move
            model.play(game.play(below.choice(past[-1][2])))
            assert board.is_consistent() and model.setup_text() == game.setup_text()
        assert model.result == game.result
        assert pickle.loads(pickle.dumps(board)).fen() == board.fen()
        texts = game.moves
        for fen, key, legal in reversed(past):
            game.undo()
            assert (board.fen(), board.key, board.legal_moves()) == (fen, key, legal)
            assert Board(fen, rules).legal_moves() == legal
        assert [game.play_text(text) for text in texts] == texts


def test_the_start():
    game = Game()
    assert len(game.legal_moves()) == 224 and game.turn == 0
    assert [Board().perft(depth, [0] * 32) for depth in (1, 2)] == [224, 224 * 217]


def test_a_placed_piece_is_there_to_be_taken_and_gone_then():
    game = Game()
    for text in ("P@a1", "g@a2", "P@b1", "a2-a1"):
        game.play_text(text)
    assert game.setup_text().startswith("4/4/4/4/4/4/4/gP2 r K1G2M2R2N2C2P3k1g1")
    assert game.observe(0).pools["r"]["P"] == 3 and game.board.remaining(0) == 15


def test_hands_count_until_the_last_piece():
    game = Game("4/4/4/4/4/4/4/Kg2 r P1 0 10")
    game.play_text("a1-b1")
    assert (game.result.winner, game.result.reason) == (0, "no-pieces")
    game = Game("4/4/4/4/4/4/4/Kg2 r p1 0 10")
    game.play_text("a1-b1")
    assert game.result is None


@pytest.mark.parametrize("text", ["K@a9", "k@a1", "X@a1", "a1", "a1-a2", "end", "a1(K)", "Q@a1", "P@a1 P@a2"])
def test_bad_moves(text):
    game = Game()
    with pytest.raises(ValueError):
        game.play_text(text)
    assert game.plies == 0


def test_a_square_that_is_taken_and_a_hand_that_is_empty():
    game = Game()
    game.play_text("K@a1")
    game.play_text("k@b1")
    for text, words in (("G@a1", "taken"), ("K@c1", "in hand")):
        with pytest.raises(IllegalMove, match=words):
            game.play_text(text)


def test_nothing_is_dark():
    with pytest.raises(ValueError):
        Game(rules="taiwan-dark-return")
