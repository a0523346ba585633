"""The referee's game and the views of it: who is told what, and that nothing more gets out."""

import gc
import pickle
import random
import types

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jieqi_cases import random_game

from engines.jieqi.board import Board
from engines.jieqi.deal import Deal, DealError
from engines.jieqi.ends import Rules
from engines.jieqi.forms import CAPTURE_VIEWS, FORMS, home_color
from engines.jieqi.game import Game, IllegalMove, OfferError
from engines.jieqi.view import Model, View

FORM = st.sampled_from(sorted(FORMS))
CAPTURE = st.sampled_from(CAPTURE_VIEWS)
SIDE = st.sampled_from((0, 1, None))
SEED = st.integers(0, 1000)


def reachable(root):
    """All that can be reached from an object by references, but for what every program shares."""
    seen, left = {}, [root]
    while left:
        one = left.pop()
        if id(one) in seen or isinstance(one, type | types.ModuleType | types.FunctionType | types.BuiltinFunctionType):
            continue
        seen[id(one)] = one
        left += gc.get_referents(one)
    return seen.values()


@given(FORM, CAPTURE, SIDE, SEED)
def test_a_view_holds_neither_game_nor_deal(form, capture, side, seed):
    game = random_game(form, seed, 30, capture_view=capture)
    view = game.observe(side)
    for one in (view, view.model()):
        held = list(reachable(one))
        assert any(isinstance(one, Board) for one in held)  # it does look into things
        assert not any(isinstance(one, Game | Deal) for one in held)


def others(game, side, rng):
    """Another deal that looks the same to a side: what it doesn't know is shuffled among what it doesn't know."""
    view = game.observe(side)
    board, truth = view.board, game.board
    while truth.plies:  # where every piece lay at the start
        truth.undo()
    hidden = dict(game.deal.hidden)
    for color in (0, 1):
        unknown = [
            truth.slot(slot)[0]
            for slot in range(color * 16, color * 16 + 16)
            if not board.slot(slot)[2].piece and board.slot(slot)[2].dark
        ]
        pieces = [hidden[square] for square in unknown]
        rng.shuffle(pieces)
        hidden.update(zip(unknown, pieces, strict=True))
    return Deal(game.form.name, hidden)


@settings(max_examples=15)
@given(FORM, CAPTURE, SIDE, SEED)
def test_deals_alike_to_a_side_give_it_the_same_view(form, capture, side, seed):
    game = random_game(form, seed, 40, capture_view=capture)
    twin = Game(form, deal=others(game, side, random.Random(seed)), rules=game.rules)
    for text in game.moves:
        twin.play(twin.read_move(text[:4] + ("x" if text.endswith("x") else "")))
    one, other = game.observe(side), twin.observe(side)
    assert pickle.dumps(one) == pickle.dumps(other)
    assert (one.setup_text(), one.told, one.points) == (other.setup_text(), other.told, other.points)


@settings(max_examples=15)
@given(FORM, CAPTURE, SIDE, SEED)
def test_a_model_that_is_told_the_moves_is_the_view(form, capture, side, seed):
    game = random_game(form, seed, 0, capture_view=capture)
    model = game.observe(side).model()
    start = model.setup_text()
    rng = random.Random(seed)
    for _ in range(40):
        if game.result is not None:
            break
        game.play(rng.choice(game.legal_moves()))
        model.play(game.told(side)[-1])
        view = game.observe(side)
        assert (model.setup_text(), model.told, model.points) == (view.setup_text(), view.told, view.points)
        assert (model.result, model.legal_moves()) == (view.result, view.legal_moves())
    while model.plies:
        model.undo()
    assert model.setup_text() == start
    with pytest.raises(IndexError):
        model.undo()


@settings(max_examples=15)
@given(FORM, SEED)
def test_undo_restores_everything(form, seed):
    game = Game(form, seed=seed)
    rng, states = random.Random(seed), []
    for _ in range(40):
        if game.result is not None:
            break
        states.append([game.setup_text(), *(pickle.dumps(game.observe(side)) for side in (0, 1, None))])
        game.play(rng.choice(game.legal_moves()))
    while states:
        game.undo()
        assert [game.setup_text(), *(pickle.dumps(game.observe(side)) for side in (0, 1, None))] == states.pop()
    with pytest.raises(IndexError):
        game.undo()


def test_who_is_told_what_was_taken():
    deal = Deal.of("jieqi2", "PPCNCPRPRNP", "PNCRPCPNPRP")
    for capture, told in (
        ("captor", ("h2h9Pr", "h2h9P", "h2h9P")),
        ("both", ("h2h9Pr", "h2h9Pr", "h2h9Pr")),
        ("none", ("h2h9P", "h2h9P", "h2h9P")),
    ):
        game = Game("jieqi2", deal=deal, rules=Rules("jieqi2", capture_view=capture))
        assert game.play(game.read_move("h2h9")) == "h2h9Pr"
        assert tuple(game.told(side)[0] for side in (0, 1, None)) == told
        for side, text in zip((0, 1, None), told, strict=True):
            view = game.observe(side)
            assert view.captured["r"] == text.endswith("r") and view.pools[1]["R"] == 2 - text.endswith("r")


def test_a_player_does_not_say_what_shows():
    game = Game("jieqi", seed=1)
    for text in ("h2h9P", "h2h9Pr", "b0c2R"):
        with pytest.raises(ValueError, match="the referee's to say"):
            game.read_move(text)
        with pytest.raises(ValueError, match="the referee's to say"):
            game.observe(0).read_move(text)
    assert game.plies == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("h2h9", "the letter of what turns up is missing"),
        ("h2h9P", "what it takes face down is missing"),
        ("h2h9pr", "can't turn out p"),
        ("h2h9PR", "can't take its own"),
        ("h2e2Pr", "no piece is taken face down"),
        ("h2h9Kr", "no move"),
        ("h2h9Prx", "no piece is turned down"),
        ("h2i9P", "can't go there"),
        ("", "no move"),
    ],
)
def test_a_model_makes_nothing_up(text, reason):
    model = View.start(0).model()
    before = model.setup_text()
    with pytest.raises(ValueError, match=reason):
        model.play(text)
    assert (model.setup_text(), model.plies, model.told) == (before, 0, ())


def test_a_model_knows_what_is_left():
    model = View.start(None).model()
    for text in ("b0c2R", "b9c7r", "h0g2R", "h9g7r"):
        model.play(text)
    with pytest.raises(ValueError, match="no R is left unseen"):
        model.play("c2b0R") if model.board.is_dark(20) else model.play("b2b6R")


def test_laying_is_secret():
    game, other = Game("fanqi3", seed=4), Game("fanqi3", seed=4)
    before = pickle.dumps(game.observe(1))
    letters = "".join(reversed(game.deal.letters(0)))
    game.lay(0, letters)
    assert game.deal.letters(0) == letters
    assert pickle.dumps(game.observe(1)) == before == pickle.dumps(other.observe(1))
    assert game.observe(0).points["a0"] == f"?R={letters[0]}"
    assert game.observe(None).points["a0"] == "?R"
    with pytest.raises(ValueError, match="has laid"):
        game.lay(0, letters)
    with pytest.raises(DealError):
        game.lay(1, "RRRRRRRRRRR")
    game.play(game.legal_moves()[0])
    with pytest.raises(ValueError, match="nothing is laid now"):
        game.lay(1, game.deal.letters(1))
    assert not Game("fanqi4", seed=4).laying and not Game("jieqi", seed=4).laying


def test_an_owner_knows_what_it_lost_of_its_own_layout():
    game = Game("fanqi9", deal=Deal.of("fanqi9", "BPPCPNPNRBCPRAA", "CPBPCRPNPPRAABN"))
    text = game.play(game.read_move("h2h9"))
    assert game.told(0) == game.told(1) == [text] and game.told(None) == [text[:5]]


def test_what_is_turned_down_is_known_to_all():
    for seed in range(40):
        game = random_game("fanqi4", seed, 80)
        down = [text for text in game.moves if text.endswith("x")]
        board = game.board
        shown = [square for square in range(90) if (point := board.point(square)) and point.shown]
        if down and shown:
            break
    for side in (0, 1, None):
        for square in shown:
            assert game.observe(side).board.point(square) == board.point(square)


def test_the_deal_is_shown_when_the_game_is_over_and_not_before():
    game = Game("jieqi", seed=5)
    committed = game.deal.commit()
    with pytest.raises(ValueError, match="when the game is over"):
        game.opened()
    game.resign(0)
    assert game.result.winner == 1 and game.result.scores == (0.0, 1.0)
    assert committed.opens(game.opened().text) and not committed.opens(Game("jieqi", seed=6).deal.text)
    assert game.legal_moves() == []
    with pytest.raises(IllegalMove, match="ended"):
        game.play(1)


def test_offers():
    game = Game("jieqi", seed=5)
    with pytest.raises(OfferError):
        game.offer_draw(1)
    game.offer_draw(0)
    assert game.offered_by == 0
    game.play(game.legal_moves()[0])
    game.play(game.legal_moves()[0])
    with pytest.raises(OfferError, match="refused"):
        game.offer_draw(0)
    game.undo()
    game.offer_draw(1) if game.offered_by is None else game.answer_offer(1, True)
    assert game.result is not None and game.result.reason == "agreement"


@pytest.mark.parametrize(("limit", "plies"), [("jieqi40", 80), ("natural60", 120), ("6", 6)])
def test_the_limit_counts_plies_without_a_capture(limit, plies):
    fen = "3k5/9/9/9/9/9/9/9/9/4KX3 w R1 - 0 1".replace("X", "1")
    game = Game("jieqi", fen.replace("R1", "-"), rules=Rules("jieqi", limit=limit, repetition="none", times=4))
    rng = random.Random(1)
    while game.result is None:
        seen = {}
        for move in game.legal_moves():
            game.play(move)
            seen[move] = len(game.board.occurrences())
            game.undo()
        game.play(rng.choice([move for move in seen if seen[move] == min(seen.values())]))
    assert (game.result.reason, game.plies) == ("natural-limit", plies) or game.result.reason == "repetition"


def test_no_limit():
    game = Game("jieqi", "3k5/9/9/9/9/9/9/9/9/4K4 w - - 500 300", rules=Rules("jieqi", limit="none"))
    assert game.result is None


def test_turning_up_is_no_capture():
    game = Game("jieqi", "3k5/9/9/9/9/9/9/9/9/X3K4 w R1 - 78 50")
    game.play(game.read_move("a0a1"))
    assert game.result is None and game.setup_text().split()[-2] == "79"


def test_a_game_goes_on_from_a_players_fen():
    text = "2xxkx1b1/9/4p4/2x1N4/p4A3/8p/X1X3X2/A5P1P/N2n5/4KX3 b R1A0C2P1N0B2r1a1c1p1n0b0 r1n1b1 2 14"
    game = Game("jieqi", text, seed=1)
    assert game.observe(0).setup_text() == text
    board = game.board
    for square in range(90):
        point = board.point(square)
        if point and point.dark:
            assert point.piece and point.piece >> 3 == home_color(square)


@pytest.mark.parametrize(
    "wrong",
    [
        {"form": "jieqi3"},
        {"capture_view": "all"},
        {"limit": "forever"},
        {"repetition": "house"},
        {"times": 5},
    ],
)
def test_rules_that_there_are_not(wrong):
    with pytest.raises(ValueError):
        Rules(**wrong)


def test_a_deal_that_does_not_fit():
    with pytest.raises(ValueError, match="does not fit"):
        Game("jieqi", deal=Deal("jieqi", {}))
    with pytest.raises(ValueError, match="a deal of"):
        Game("jieqi2", deal=Deal.shuffled("jieqi"))
    with pytest.raises(DealError):
        Deal.of("jieqi", "RRRRRRRRRRRRRRR", "R")


def test_a_deal_does_not_show_itself():
    deal = Deal.shuffled("jieqi", 3)
    assert deal.letters(0) not in repr(deal) and deal.commit("salt").salt not in repr(deal.commit("salt"))
    assert Deal.read(deal.text) == deal and Deal.shuffled("jieqi", 3) == deal
    assert len({Deal.shuffled("jieqi").text for _ in range(5)}) > 1


def test_pickles_and_copies_are_whole():
    view = random_game("fanqi10", 3, 50).observe(1)
    twin = pickle.loads(pickle.dumps(view))
    assert pickle.dumps(twin) == pickle.dumps(view) and isinstance(twin.board, Board)
    assert isinstance(view.model(), Model) and view.board is not view.board
