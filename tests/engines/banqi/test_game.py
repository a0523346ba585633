"""A game of banqi: deal, ends, offers, text, views that give nothing away."""

import gc
import pickle
import random
from collections import Counter

import pytest

from engines.banqi.fen import LETTERS, FenError
from engines.banqi.game import Game, IllegalMove, OfferError
from engines.dealing import Deal, opens

BARE = "4/4/4/4/4/4/k3/3K r - 0 10"
SHUFFLE = ("d1-d2", "a2-a1", "d2-d1", "a1-a2")


def test_a_seed_deals_the_same_and_the_system_another():
    assert Game(seed=7).deal.letters == Game(seed=7).deal.letters
    assert Game(seed=7).deal.letters != Game(seed=8).deal.letters
    assert Game().deal.letters != Game().deal.letters
    assert Counter(Game().deal.letters) == Counter("KGGMMRRNNCCPPPPPkggmmrrnnccppppp")


def test_a_deal_is_committed_to_and_opened():
    game = Game()
    deal = game.deal
    assert opens(game.commitment, deal.letters, deal.salt)
    assert not opens(game.commitment, deal.letters[::-1], deal.salt)
    assert deal.letters not in repr(deal)


def test_colours_come_from_the_first_piece_turned_up():
    game = Game(deal="k" + "?" * 31, seed=1)
    assert game.observe(0).colors == (None, None)
    assert game.play_text("a1") == "a1(k)"
    assert game.observe(1).colors == ("b", "r") and game.turn == 1


@pytest.mark.parametrize(
    ("ranks", "move", "winner", "reason"),
    [
        ("4/4/4/4/4/4/4/Kg2 r - 0 10", "a1-b1", 0, "no-pieces"),
        ("4/4/4/4/4/4/G3/pN1P r - 0 10", "d1-c1", 0, "no-move"),
    ],
)
def test_ends(ranks, move, winner, reason):
    game = Game(ranks)
    game.play_text(move)
    result = game.result
    assert (result.winner, result.reason) == (winner, reason) and sum(result.scores) == 1
    assert game.legal_moves() == []
    with pytest.raises(IllegalMove):
        game.play(1)
    game.undo()
    assert game.result is None


@pytest.mark.parametrize(
    ("options", "plies", "reason"),
    [
        ({}, 12, "repetition"),
        ({"repetition": "position"}, 8, "repetition"),
        ({"repetition": "none"}, 60, "no-progress"),
        ({"repetition": "none", "still": 20}, 20, "no-progress"),
    ],
)
def test_draws(options, plies, reason):
    game = Game(BARE, **options)
    for count in range(plies):
        assert game.result is None
        game.play_text(SHUFFLE[count % 4])
    assert (game.result.winner, game.result.reason, game.result.scores) == (None, reason, (0.5, 0.5))


def test_a_long_chase_loses_where_the_rules_say_so():
    moves = ("b1-a1", "a2-a3", "a1-a2", "a3-a4", "a2-a3", "a4-a5", "a3-a4")
    game = Game("4/4/4/4/4/4/r3/1K2 r - 0 10", chase=4)
    for move in moves[:-1]:
        game.play_text(move)
        assert game.result is None
    game.play_text(moves[-1])
    assert (game.result.winner, game.result.reason) == (1, "chase")


def test_losing_without_a_move_and_draws_by_agreement():
    game = Game(seed=1)
    game.offer_draw(0)
    with pytest.raises(OfferError):
        game.offer_draw(0)
    game.play(game.legal_moves()[0])
    game.play(game.legal_moves()[0])  # which refuses it
    with pytest.raises(OfferError):
        game.answer_offer(1, True)
    game.offer_draw(0)
    game.answer_offer(1, True)
    assert game.result.reason == "agreement"
    for reason in ("resignation", "time", "forfeit"):
        game = Game(seed=1)
        game.lose(0, reason)
        assert (game.result.winner, game.result.reason) == (1, reason)
    with pytest.raises(ValueError):
        game.lose(0, "boredom")


@pytest.mark.parametrize("text", ["", "z9", "a9", "a1-", "a1(Z)", "end", "a1-a2", "K@a1", "a1 b1 c1"])
def test_bad_moves_are_refused_and_change_nothing(text):
    game = Game(seed=1)
    with pytest.raises(ValueError):
        game.read_move(text)
    with pytest.raises(ValueError):
        game.play_text(text)
    assert game.plies == 0


@pytest.mark.parametrize(
    "keywords",
    [
        {"rules": "mars"},
        {"rules": "taiwan-dark-return-dark-suicide"},
        {"still": -1},
        {"repetition": "twice"},
        {"chase": 1},
        {"deal": "K"},
        {"deal": "K" * 32},
        {"setup": "4/4"},
        {"setup": "X3/4/4/4/4/4/4/4 r - 0 0"},
        {"setup": "KK2/4/4/4/4/4/4/4 r - 0 0"},
    ],
)
def test_bad_games_are_refused(keywords):
    with pytest.raises(ValueError) as caught:
        Game(**keywords)
    assert str(caught.value)
    assert not isinstance(caught.value, KeyError)


def test_the_referees_text_sets_the_same_game_up_again():
    game, below = Game(seed=3), random.Random(3)
    for _ in range(25):
        game.play(below.choice(game.legal_moves()))
    again = Game(game.setup_text())
    assert again.setup_text() == game.setup_text() and again.legal_moves() == game.legal_moves()
    assert "deal:" not in game.observe(0).setup_text()
    with pytest.raises(FenError):
        Game("XX2/4/4/4/4/4/4/K3 r k1g1 0 0 deal:" + "." * 28 + "kk..")


def reachable(thing):
    """All objects that can be reached from one, classes and modules apart."""
    seen, todo = {}, [thing]
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, type) or type(one).__name__ in ("module", "function", "Rules"):
            continue
        seen[id(one)] = one
        todo += gc.get_referents(one)
    return list(seen.values())


def test_a_view_reaches_neither_game_nor_deal():
    game = Game(seed=11)
    for _ in range(6):
        game.play(game.legal_moves()[0])
    for side in (0, 1, None):
        view = game.observe(side)
        things = [*reachable(view), *reachable(view.model()), *reachable(view.board)]
        assert not any(isinstance(one, Game | Deal) for one in things)
        assert not any(isinstance(one, str) and game.deal.letters in one for one in things)
        assert game.deal.letters.encode() not in pickle.dumps(view)


def test_twin_deals_look_alike():
    one = Game(seed=11)
    for _ in range(6):
        one.play(one.legal_moves()[0])
    down = [square for square in range(32) if one.board.piece_at(square) == 8]
    letters = list(one.deal.letters)
    mixed = [letters[square] for square in down]
    random.Random(1).shuffle(mixed)
    for square, letter in zip(down, mixed, strict=True):
        letters[square] = letter
    two = Game(deal="".join(letters))
    for text in one.moves:
        two.play_text(text)
    assert one.setup_text() != two.setup_text()
    for side in (0, 1, None):
        assert pickle.dumps(one.observe(side)) == pickle.dumps(two.observe(side))


def test_a_model_follows_the_game_and_never_guesses():
    game, below = Game(seed=4, rules="taiwan-dark-return"), random.Random(4)
    model = game.observe(1).model()
    while game.result is None:
        move = below.choice(game.legal_moves())
        if game.board.shows(move):
            before = model.setup_text()
            with pytest.raises(ValueError):
                model.play(game.move_text(move))
            assert model.setup_text() == before
        model.play(game.play(move))
        view = game.observe(1)
        assert model.setup_text() == view.setup_text() and model.told == view.told
        assert model.legal_moves() == view.legal_moves() == game.legal_moves()
        assert sum(map(sum, (pool.values() for pool in view.pools.values()))) == view.contents.count("?")
    assert model.result == game.result
    assert set("".join(game.observe().contents)) <= set(LETTERS + "?")


def test_a_copy_goes_on_by_itself():
    game = Game(seed=2)
    game.play(3 << 5 | 3)
    other = game.copy()
    other.play(4 << 5 | 4)
    assert game.plies == 1 and other.plies == 2
    assert other.setup_text() != game.setup_text() and other.moves[:1] == game.moves
