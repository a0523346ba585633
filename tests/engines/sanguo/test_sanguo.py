"""Sanguo: moves, sides, who is out, ends, scores, undo, views."""

import pickle
import random

import pytest
from support import PURE

from engines.dealing import Deal
from engines.sanguo.board import Board, IllegalMove
from engines.sanguo.fen import point_name, read_point
from engines.sanguo.game import Game

BOARDS = [("half", 4), ("half", 3), ("whole", 4), ("whole", 3)]


def moves_of(board, name):
    point = read_point(name, board.points)
    return {point_name(move & 127) for move in board.legal_moves() if move >> 7 == point}


@pytest.mark.parametrize("scoring", ["win", "points", "wiki200"])
@pytest.mark.parametrize(("board", "corners"), BOARDS)
def test_random_games_make_and_unmake_everything(board, corners, scoring):
    if PURE and (scoring != "win" or board == "whole"):
        pytest.skip("a whole game takes long uncompiled")
    for seed in range(3 if scoring == "win" and not PURE else 1):
        game = Game(seed=seed, board=board, corners=corners, scoring=scoring)
        below, past, model = random.Random(seed), [], game.observe(2).model()
        while game.result is None:
            past.append((game.setup_text(), game.board.key, game.turn, game.board.legal_moves(), game.board.out))
            move = below.choice(game.legal_moves())
            assert game.read_move(game.move_text(move)) == move
            game.play(move)
            view = game.observe(2)
            model.play(view.told[-1])
            assert model.setup_text() == view.setup_text() and model.turn == view.turn and model.out == view.out
            assert game.board.is_consistent() and model.legal_moves() == game.legal_moves()
        assert model.result == game.result
        assert pickle.loads(pickle.dumps(game.board)).fen() == game.board.fen()
        texts = game.moves
        for setup, key, turn, legal, out in reversed(past):
            again = Game(setup, board=board, corners=corners)
            assert again.setup_text() == setup and again.board.legal_moves() == legal
            game.undo()
            assert (game.setup_text(), game.board.key, game.turn, game.board.legal_moves(), game.board.out) == (
                setup,
                key,
                turn,
                legal,
                out,
            )
        assert [game.play_text(text) for text in texts] == texts


def test_pieces_move_as_in_xiangqi_but_unblocked():
    board = Board("9/9/4P4/3pNn3/4B4 2 grb - 0 30")
    assert moves_of(board, "e1") == {"c0", "c2", "d3", "f3", "g0", "g2"}
    assert moves_of(board, "e0") == {"c2", "g2"}
    board = Board("9/2k6/9/2P6/K1P1pC2r 1 grb - 0 30")
    assert moves_of(board, "a0") == {"b0", "a1", "a2", "a3", "a4"}
    assert moves_of(board, "c0") == {"b0", "d0"}
    board = Board("9/2k6/9/2P6/K1P1pC2r 2 grb - 0 30")
    assert moves_of(board, "f0") == {"g0", "h0", "f1", "f2", "f3", "f4", "c0"}


def test_sides_by_what_is_turned_up():
    game = Game(deal="RAkr" + "?" * 28, seed=1)
    game.play_text("a0(R)")
    assert game.observe().kingdoms == ("r", None, None)
    game.play_text("b0(A)")
    assert game.observe().kingdoms == ("r", None, None)
    game.play_text("c0(k)")
    assert game.observe().kingdoms == ("r", "b", "g")


def test_a_player_without_a_side_only_turns_up():
    game = Game(deal="RAkr" + "?" * 28, seed=1)
    game.play_text("a0(R)")
    with pytest.raises(IllegalMove, match="only turn up"):
        game.play_text("a0-a1")


def test_the_last_piece_turned_up_gives_every_player_a_side():
    game = Game("9/9/9/9/Xa7 1 --- A1 0 20")
    game.play_text("a0(A)")
    assert game.observe().kingdoms == ("r", "g", "b")
    assert game.board.out == (1,) and game.turn == 2


def test_players_without_an_action_are_passed_over():
    game = Game("9/9/9/9/K7a 1 grb - 0 30")
    assert game.board.out == (1,)
    game.play_text("a0-a1")
    assert game.turn == 2


def test_the_last_with_pieces_wins():
    game = Game("9/9/9/9/K1a6 1 grb - 0 30")
    game.play_text("a0-c0")
    assert (game.result.winner, game.result.reason, game.result.scores) == (0, "annihilation", (1.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("scoring", "scores", "reason"),
    [("points", (-10.0, -10.0, -10.0), "annihilation"), ("wiki200", (30.0, 0.0, 0.0), "annihilation")],
)
def test_scores(scoring, scores, reason):
    game = Game("9/9/9/9/K1a1A4 1 grb - 0 30", scoring=scoring)
    game.play_text("a0-c0")
    assert game.turn == 1
    game.play_text("e0-f1")
    game.play_text("c0-c1")
    game.play_text("f1-g0")
    game.play_text("c1-c0")
    game.play_text("g0-f1")
    game.play_text("c0-f0")
    game.play_text("f1-g2") if game.result is None else None
    while game.result is None:
        takes = [move for move in game.legal_moves() if game.board.takes_piece(move)]
        game.play(takes[0] if takes and game.turn == 0 else game.legal_moves()[0])
    assert game.result.reason in (reason, "no-progress", "repetition")
    if game.result.reason == reason:
        assert game.result.scores == scores
    else:
        assert len(game.result.scores) == 3


def test_two_hundred_points_end_a_game_by_their_count():
    game = Game("9/9/9/9/Kr1r1R1R1 1 grb - 0 30", scoring="wiki200")
    while game.result is None:
        takes = [move for move in game.legal_moves() if game.board.takes_piece(move)]
        game.play((takes or game.legal_moves())[0])
    assert max(game.result.scores) <= 300 and len(game.result.scores) == 3


def test_who_leaves_is_out_and_its_pieces_stay():
    game = Game("9/9/9/9/K1a1A4 1 grb - 0 30")
    game.resign(0)
    assert game.turn == 1 and game.board.out == (0,) and game.result is None
    assert game.moves == ["retire1"] and game.observe(1).told == ("retire1",)
    game.lose(2, "time")
    assert (game.result.winner, game.result.reason) == (1, "time")
    game.undo()
    assert game.result is None and game.board.out == (0,)
    game.undo()
    assert game.turn == 0 and game.board.out == ()


def test_three_corners_hide_which_pieces_lie_aside():
    game = Game(corners=3, seed=1)
    view = game.observe(0)
    assert len(game.legal_moves()) == 24 and view.contents.count("?") == 24
    assert sum(sum(pool.values()) for pool in view.pools.values()) == 32
    assert sum(int(digit) for digit in game.fen().split()[3][1::2]) == 24
    aside = game.deal.letters.split("/")[1]
    assert len(aside) == 8 and aside.encode() not in pickle.dumps(view)


@pytest.mark.parametrize(
    "keywords",
    [
        {"board": "round"},
        {"corners": 2},
        {"scoring": "luck"},
        {"still": -3},
        {"deal": "KK"},
        {"deal": "K" * 32},
        {"setup": "9/9"},
        {"setup": "9/9/9/9/9 4 grb - 0 0"},
        {"setup": "9/9/9/9/KK7 1 grb - 0 0"},
        {"setup": "9/9/9/9/K8 1 gr- - 0 0"},
        {"setup": "9/9/9/9/X8 1 grb - 0 0"},
    ],
)
def test_bad_games_are_refused(keywords):
    with pytest.raises(ValueError):
        Game(**keywords)


def test_a_view_holds_no_deal():
    view = Game(seed=1).observe(1)
    assert not any(isinstance(value, Game | Deal) for value in vars(view).values())
