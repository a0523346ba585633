"""Both games answer to the same names; the packages export lazily."""

import pickle
import subprocess
import sys
from dataclasses import replace

import pytest

from engines import go, xiangqi
from engines.errors import IllegalMove, QiqiaoError

GAMES = pytest.mark.parametrize(
    ("new", "moves", "bad"),
    [
        (lambda: go.Game(9), ("E5", "pass", "C3"), (81, -2, 40)),
        (xiangqi.Game, ("h2e2", "h9g7", "h0g2"), (0, 1 << 14, -1, xiangqi.Game().read_move("a0a9"))),
    ],
    ids=["go", "xiangqi"],
)


def played(new, moves):
    game = new()
    for text in moves:
        assert game.play(game.read_move(text)) == text
    return game


@GAMES
def test_turns_plies_and_undo(new, moves, bad):
    game = played(new, moves)
    assert (game.turn, game.plies, game.result) == (1, 3, None)
    assert [game.move_text(game.undo()) for _ in moves] == list(reversed(moves))
    assert (game.turn, game.plies) == (0, 0) and game.setup_text() == new().setup_text()
    with pytest.raises(IndexError):
        game.undo()


@GAMES
def test_exactly_the_legal_moves_are_played(new, moves, bad):
    game = played(new, moves)
    legal = game.legal_moves()
    assert legal == game.legal_moves() and len(set(legal)) == len(legal)
    before = game.setup_text()
    for move in legal:
        text = game.play(move)
        assert game.read_move(text) == move
        game.undo()
    for move in bad:
        with pytest.raises(IllegalMove):
            game.play(move)
        assert game.setup_text() == before and game.plies == 3


@GAMES
@pytest.mark.parametrize("text", ["", "z", "e5e", "h2e2e2", "99", "i5", "a0", "a１", "résumé", "a9k9", "e2e2"])
def test_texts_that_are_no_move(new, moves, bad, text):
    with pytest.raises(ValueError, match=r"\w"):
        new().read_move(text)


@GAMES
@pytest.mark.parametrize("move", [-2, 1 << 14, 99999])
def test_numbers_that_are_no_move(new, moves, bad, move):
    with pytest.raises(ValueError, match=str(move)):
        new().move_text(move)


@GAMES
def test_a_copy_goes_its_own_way(new, moves, bad):
    game = played(new, moves)
    twin = game.copy()
    twin.undo()
    assert (twin.plies, game.plies) == (2, 3)


@GAMES
def test_a_view_is_plain_and_stands_still(new, moves, bad):
    game = played(new, moves)
    view = game.observe(0)
    legal, text = game.legal_moves(), game.setup_text()
    game.undo()
    again = pickle.loads(pickle.dumps(view))
    assert again == view and (view.plies, view.turn, view.result) == (3, 1, None)
    assert view.legal_moves() == legal and view.setup_text() == text and view.told == moves
    model = again.model()
    assert model.plies == 3 and model.setup_text() == text and model.legal_moves() == legal
    assert view.move_text(view.read_move(moves[0])) == moves[0]


@GAMES
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("reason", ["resignation", "time", "forfeit"])
def test_a_side_loses_by_its_own_doing(new, moves, bad, side, reason):
    game = played(new, moves)
    game.resign(side) if reason == "resignation" else game.lose(side, reason)
    assert (game.result.winner, game.result.reason) == (1 - side, reason) and all(game.result.words)
    assert game.result.scores == ((0.0, 1.0) if side == 0 else (1.0, 0.0))
    assert game.legal_moves() == [] and game.observe().result == game.result == game.copy().result
    with pytest.raises(IllegalMove):
        game.play(game.read_move(moves[0]))
    game.lose(1 - side, "time")
    assert game.result.winner == 1 - side
    game.undo()
    assert game.result is None
    with pytest.raises(ValueError):
        game.lose(side, "weather")


def test_a_position_of_go_as_text():
    game = go.Game(9, setup="B C3 G7 to W handicap 2")
    assert (game.handicap, game.turn, game.plies) == (2, 1, 0)
    assert game.setup_text() == "B C3 G7 to W handicap 2"
    game.play(game.read_move("E5"))
    assert game.setup_text() == "B C3 G7 W E5 to B"
    assert go.Game(9, setup=game.setup_text()).setup_text() == game.setup_text()
    assert go.Game(9, setup="B C3 W E5 to W").observe().model().setup_text() == "B C3 W E5 to W"


@pytest.mark.parametrize(
    "setup", ["C3", "B K9", "B J10", "B pass", "B C3 C3", "B C3 W C3", "B C3 to", "to X", "B C3 G7 handicap 3", "B I5"]
)
def test_positions_of_go_that_are_none(setup):
    with pytest.raises(ValueError, match=r"\w"):
        go.Game(9, setup=setup)


def test_go_ends_by_passes_and_by_cycles():
    game = go.Game(5, komi=0.5)
    assert [game.play(go.PASS), game.play(go.PASS)] == ["pass", "pass"]
    assert (game.result.winner, game.result.reason, game.result.words.simplified) == (1, "score", "白胜0.5目")
    tie = go.Game(5, komi=0)
    tie.play(go.PASS), tie.play(go.PASS)
    assert (tie.result.winner, tie.result.scores) == (None, (0.5, 0.5))


@pytest.mark.parametrize(("cycle", "scores"), [("no-result", (0.0, 0.0)), ("draw", (0.5, 0.5))])
def test_go_without_a_winner(cycle, scores):
    """Sending two, returning one, for ever: as the rules say."""
    game = go.Game(2, rules=replace(go.find_rules("japanese"), cycle=cycle))
    for text in ["A2", "B2", *2 * ["A1", "pass", "B1", "B2", "A2", "pass"]]:
        assert game.result is None
        game.play(game.read_move(text))
    assert (game.result.winner, game.result.scores, game.result.reason) == (None, scores, cycle)


@pytest.mark.parametrize("name", ["go", "xiangqi"])
def test_exports_are_lazy_and_all_there(name):
    code = (
        f"import sys, engines.{name} as p; early = set(sys.modules)\n"
        f"assert not [m for m in early if m.startswith('engines.{name}.')], early\n"
        "for one in p.__all__: getattr(p, one)\n"
        "assert not hasattr(p, 'nothing')\n"
        "assert len(p.__all__) == len(set(p.__all__)) > 20"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_one_root_of_errors():
    assert issubclass(IllegalMove, QiqiaoError) and issubclass(IllegalMove, ValueError)
    again = pickle.loads(pickle.dumps(IllegalMove("no", "ko")))
    assert (str(again), again.reason) == ("no", "ko")
