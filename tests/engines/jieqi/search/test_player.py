"""The built-in player of jieqi and fanqi."""

import gc
import random
import threading
import time

import pytest

from engines.jieqi.deal import Deal
from engines.jieqi.fen import read_fen
from engines.jieqi.forms import FORMS
from engines.jieqi.game import Game
from engines.jieqi.search.player import SearchPlayer, Settings, layout
from engines.jieqi.search.simple import GreedyPlayer, RandomPlayer
from engines.jieqi.view import View
from engines.player import Limits, Restriction


@pytest.fixture
def player():
    made = SearchPlayer(Settings(hash=1, seed=1))
    yield made
    made.close()


@pytest.mark.parametrize("form", FORMS)
def test_it_plays_every_form(player, form):
    game = Game(form, seed=4)
    for _ in range(6):
        choice = player.choose(game.observe(game.turn), game.turn, Limits(nodes=300))
        assert choice.action == "move" and choice.move in game.legal_moves()
        game.play(choice.move)


@pytest.mark.parametrize("form", ["jieqi", "fanqi6", "fanqi10"])
@pytest.mark.compiled
def test_the_views_board_is_left_as_it_was(player, form):
    game, dice = Game(form, seed=2), random.Random(3)
    for _ in range(30):
        game.play(dice.choice(game.legal_moves()))
        if game.result is not None:
            break
        view = game.observe(game.turn)
        before = view.setup_text(), view.board.key
        player.choose(view, view.turn, Limits(nodes=500))
        assert (view.setup_text(), view.board.key) == before and view.board.is_consistent()


def test_two_deals_alike_to_a_side_are_played_alike():
    games = [Game("jieqi", deal=Deal.shuffled("jieqi", seed)) for seed in (1, 2)]
    choices = [SearchPlayer(Settings(hash=1, seed=7)).choose(game.observe(0), 0, Limits(nodes=2000)) for game in games]
    assert choices[0].move == choices[1].move
    assert choices[0].report.candidates[0].score == choices[1].report.candidates[0].score


def test_mate_in_one_is_found(player):
    view = View.read("4k4/R8/9/9/9/9/9/9/1R7/3K5 w - - 0 1", 0)
    choice = player.choose(view, 0, Limits(depth=3))
    assert choice.report.candidates[0].mate == 1
    model = view.model()
    model.play(view.move_text(choice.move))
    assert model.result.reason in ("mate", "stalemate") and model.result.winner == 0  # both end it in one move


def test_a_chariot_for_nothing_is_taken(player):
    view = View.read("3k5/9/9/9/4r4/9/9/9/4R4/5K3 w - - 0 1", 0)
    assert view.move_text(player.choose(view, 0, Limits(depth=4)).move) == "e1e5"


def test_limits_and_stop(player):
    view = Game("jieqi", seed=1).observe(0)
    reports = []
    player.choose(view, 0, Limits(depth=3), reports.append)
    assert [report.depth for report in reports] == [1, 2, 3]
    assert player.choose(view, 0, Limits(nodes=5000)).report.nodes < 8000
    barred = frozenset(view.legal_moves()[1:])
    assert player.choose(view, 0, Limits(nodes=100, restrictions=(Restriction(0, barred),))).move not in barred
    found = []
    player.begin()
    thread = threading.Thread(target=lambda: found.append(player.choose(view, 0, Limits(infinite=True))))
    thread.start()
    time.sleep(0.05)
    assert not found
    player.stop()
    thread.join(20)
    assert found and found[0].move in view.legal_moves()
    with pytest.raises(ValueError):
        player.choose(view, 1, Limits(nodes=1))


def test_no_move_is_said(player):
    over = View.read("3k5/9/9/9/9/9/9/9/9/4K4 w - - 80 1", 0)
    assert over.result is not None and player.choose(over, 0, Limits(nodes=1)).action == "none"


def test_a_lower_level_errs():
    view = Game("jieqi", seed=1).observe(0)
    moves = {SearchPlayer(Settings(hash=1, level=0, seed=s)).choose(view, 0, Limits()).move for s in range(12)}
    assert len(moves) > 1


@pytest.mark.parametrize("form", [form.name for form in FORMS.values() if form.layout == "free"])
def test_layouts_can_be_laid(form):
    dice = random.Random(1)
    found = {layout(form, dice) for _ in range(20)}
    assert len(found) > 5
    for letters in found:
        Game(form, seed=1).lay(1, letters)


def test_the_player_holds_nothing_of_the_referee(player):
    game = Game("jieqi", seed=9)
    view = game.observe(0)
    player.choose(view, 0, Limits(nodes=200))
    seen, todo = set(), [player]
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, type(random)) or callable(one):
            continue
        seen.add(id(one))
        assert not isinstance(one, Game | Deal)
        todo += gc.get_referents(one)


@pytest.mark.compiled
def test_it_beats_the_greedy_player_that_beats_chance(player):
    won = 0
    for number in range(4):
        game, mine = Game("jieqi", seed=50 + number // 2), number % 2
        other = GreedyPlayer(number)
        while game.result is None and game.plies < 300:
            who = player if game.turn == mine else other
            game.play(who.choose(game.observe(game.turn), game.turn, Limits(nodes=2000)).move)
        won += game.result is not None and game.result.winner == mine
    assert won >= 3


def test_simple_players_play(player):
    game = Game("fanqi10", seed=3)
    for number in range(40):
        who = (RandomPlayer(1), GreedyPlayer(2))[number % 2]
        game.play(who.choose(game.observe(game.turn), game.turn, Limits()).move)
        if game.result is not None:
            break
    assert read_fen(game.setup_text(), "fanqi10")
