"""The game as the referee sees it: endings, draw offers, violations."""

import pytest
from xiangqi_cases import moves

from engines.errors import IllegalMove
from engines.xiangqi.fen import FenError
from engines.xiangqi.game import Game, OfferError
from engines.xiangqi.geometry import BLACK, RED

CHECK = "4k4/7R1/9/9/9/9/9/3K5/9/9 w - - 0 1"
CHECKS = "h8h9 e9e8 h9h8 e8e9 "


def play(game, text):
    for move in moves(text):
        game.play(move)
    return game


def ending(game):
    result = game.result
    return None if result is None else (result.winner, result.reason)


def test_the_start():
    game = Game()
    assert game.turn == RED
    assert game.result is None


def test_bad_settings():
    with pytest.raises(FenError):
        Game("8/8 w")
    with pytest.raises(ValueError, match="unknown rules"):
        Game(rules="fide")
    with pytest.raises(ValueError, match="unknown natural limit"):
        Game(limit="fifty")
    with pytest.raises(ValueError, match="not 5"):
        Game(times=5)


def test_mate_and_stalemate():
    assert ending(play(Game("4k4/R8/9/9/9/9/9/1R7/9/3K5 w - - 0 1"), "b2b9")) == (RED, "mate")
    assert ending(play(Game("3k5/9/9/9/9/9/9/1R7/9/4K4 w - - 0 1"), "b2c2")) is None
    assert ending(play(Game("3k5/8R/9/9/9/9/9/9/9/4K4 w - - 0 1"), "i8h8")) == (RED, "stalemate")


def test_repetition():
    game = play(Game(CHECK), CHECKS)
    assert game.result is None
    play(game, CHECKS)
    assert ending(game) == (BLACK, "repetition")
    assert "长将" in game.result.words.simplified
    assert ending(play(Game(CHECK, rules="none"), CHECKS * 2)) == (None, "repetition")
    assert ending(play(Game(CHECK, times=2), CHECKS)) == (BLACK, "repetition")


def test_natural_limit():
    game = Game("3k5/8R/9/9/9/9/9/9/4K4/9 w - - 119 80", limit="cxa")
    assert game.result is None
    assert ending(play(game, "i8i7")) == (None, "natural-limit")
    assert ending(play(Game("3k5/8R/9/9/9/9/9/9/4K4/9 w - - 119 80", limit="none"), "i8i7")) is None


def test_a_side_without_a_move_has_lost_at_the_limit_too():
    assert ending(play(Game("3k5/8R/9/9/9/9/9/9/9/4K4 w - - 119 80"), "i8h8")) == (RED, "stalemate")


def test_material():
    fen = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"
    assert Game(fen).result is None
    assert ending(Game(fen, material=True)) == (None, "material")


def test_undo_reopens():
    game = play(Game(CHECK), CHECKS * 2)
    assert game.undo() == moves("e8e9")[0]
    assert game.result is None
    game.resign(RED)
    with pytest.raises(IllegalMove, match="ended"):
        play(game, "e8e9")
    game.undo()
    assert game.result is None
    with pytest.raises(IndexError):
        Game().undo()


def test_illegal_moves_change_nothing():
    game = Game()
    with pytest.raises(IllegalMove):
        play(game, "a0a5")
    assert game.board.history == []


class TestOffers:
    def test_accepted(self):
        game = Game()
        game.offer_draw(RED)
        play(game, "h2e2")
        assert game.offered_by == RED
        game.answer_offer(BLACK, True)
        assert ending(game) == (None, "agreement")

    def test_refused_in_words(self):
        game = Game()
        game.offer_draw(RED)
        play(game, "h2e2")
        game.answer_offer(BLACK, False)
        assert game.offered_by is None
        play(game, "h9g7")
        with pytest.raises(OfferError, match="refused"):
            game.offer_draw(RED)

    def test_refused_by_a_move(self):
        game = Game()
        game.offer_draw(RED)
        play(game, "h2e2 h9g7")
        assert game.offered_by is None
        assert game.may_offer(RED) is not None

    def test_offers_alternate(self):
        game = Game()
        game.offer_draw(RED)
        play(game, "h2e2 h9g7 e2h2")
        game.offer_draw(BLACK)
        play(game, "g7h9 h2e2")
        assert game.may_offer(BLACK) is not None
        play(game, "h9g7")
        game.offer_draw(RED)

    def test_stands_until_answered(self):
        game = Game()
        game.offer_draw(RED)
        with pytest.raises(OfferError, match="still stands"):
            game.offer_draw(RED)
        play(game, "h2e2")
        assert game.offered_by == RED

    def test_only_on_ones_turn(self):
        with pytest.raises(OfferError, match="not Black's turn"):
            Game().offer_draw(BLACK)

    def test_nothing_to_answer(self):
        game = Game()
        with pytest.raises(OfferError, match="no offer for Black"):
            game.answer_offer(BLACK, True)
        game.offer_draw(RED)
        with pytest.raises(OfferError, match="no offer for Red"):
            game.answer_offer(RED, True)

    def test_undo_restores(self):
        game = Game()
        game.offer_draw(RED)
        play(game, "h2e2 h9g7")
        game.undo()
        assert game.offered_by == RED

    def test_not_after_the_end(self):
        game = Game()
        game.resign(BLACK)
        assert ending(game) == (RED, "resignation")
        with pytest.raises(OfferError, match="ended"):
            game.offer_draw(RED)


def test_losing():
    game = Game()
    with pytest.raises(ValueError, match="boredom"):
        game.lose(RED, "boredom")
    game.lose(RED, "time")
    game.lose(BLACK, "forfeit")
    assert ending(game) == (BLACK, "time")


def test_copies_go_their_own_way():
    game = Game(CHECK, rules="cxa", times=2, limit="league")
    game.offer_draw(RED)
    other = play(game.copy(), CHECKS)
    assert other.rules.name == "cxa"
    assert ending(other) == (BLACK, "repetition")
    assert (game.result, game.offered_by, game.board.history) == (None, RED, [])
