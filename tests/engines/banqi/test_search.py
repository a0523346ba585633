"""The players: legal answers, wins seen, limits kept, no look at the deal."""

import pytest
from support import PURE

from engines.banqi.game import Game
from engines.banqi.search.player import SearchPlayer
from engines.banqi.search.simple import GreedyPlayer, RandomPlayer
from engines.luoqi.game import Game as Luoqi
from engines.player import Limits
from engines.sanguo.game import Game as Sanguo


def chosen(game, **limits):
    player = SearchPlayer(1, seed=1)
    choice = player.choose(game.observe(game.turn), game.turn, Limits(**limits))
    return game.move_text(choice.move), choice


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("4/4/4/4/4/4/4/Kg2 r - 0 10", "a1-b1"),
        ("4/4/4/r3/4/1X2/pGX1/1k2 r P1p1 0 10", "b2-a2"),
    ],
)
def test_it_finds_the_move(fen, move):
    game = Game(fen, seed=1)
    assert chosen(game, depth=3)[0] == move


def test_a_win_in_three_plies_is_told():
    _, choice = chosen(Game("4/4/4/4/4/4/2G1/g1K1 r - 0 10"), depth=7)
    assert choice.report.candidates[0].mate is not None and choice.report.candidates[0].mate > 0


def test_limits_of_nodes_and_depth():
    game = Game(seed=2)
    game.play(game.legal_moves()[5])
    _, choice = chosen(game, nodes=200 if PURE else 3000, depth=20)
    assert choice.report is None or choice.report.nodes <= 3001
    _, choice = chosen(game, depth=2)
    assert choice.report.depth == 2


def test_the_same_view_gives_the_same_choice_whatever_lies_there():
    one = Game(seed=3)
    one.play_text(one.move_text(one.legal_moves()[0]))
    letters = one.deal.letters
    two = Game(deal=letters[0] + letters[:0:-1])
    two.play_text(one.moves[0])
    assert chosen(one, depth=2)[0] == chosen(two, depth=2)[0]


@pytest.mark.parametrize("kind", [RandomPlayer, GreedyPlayer])
@pytest.mark.parametrize(
    "game",
    [Game(seed=1), Luoqi(), Sanguo(seed=1), Sanguo(seed=1, board="whole", corners=3)],
    ids=["banqi", "luoqi", "sanguo half", "sanguo whole"],
)
def test_simple_players_play_every_game(kind, game):
    game, player = game.copy(), kind(1)
    for _ in range(60):
        if game.result is not None:
            break
        choice = player.choose(game.observe(game.turn), game.turn, Limits())
        assert choice.move in game.legal_moves()
        game.play(choice.move)
    assert game.plies > 20


def test_the_greedy_player_takes_what_is_worth_most():
    game = Game("4/4/4/4/4/1p2/gKr1/4 r - 0 10")
    assert game.move_text(GreedyPlayer(1).choose(game.observe(0), 0, Limits()).move) == "b2-a2"


def test_it_plays_luoqi():
    game = Luoqi("4/4/4/4/4/4/4/Kg2 r P1 0 10")
    assert chosen(game, depth=2)[0] == "a1-b1"
