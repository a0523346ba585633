"""Net files: opened, asked, refused; the player that uses one."""

import importlib.util
import sys

import pytest
from support import DATA

from engines.go.game import Game
from engines.go.net import evaluator
from engines.go.net.evaluator import check_file, opened
from engines.go.points import BLACK, PASS, WHITE
from engines.go.rules import preset
from engines.go.search import SearchPlayer
from engines.player import Limits, PlayerError, Restriction

TINY = str(DATA / "go" / "tiny.onnx")

needs_runtime = pytest.mark.skipif(importlib.util.find_spec("onnxruntime") is None, reason="needs onnxruntime")


def test_a_net_is_recognised(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    assert check_file(TINY) is None


def test_a_missing_runtime_is_told(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"onnxruntime.*pip install 'qiqiao\[net\]'.*--net none"):
        check_file(TINY)
    with pytest.raises(PlayerError, match=r"pip install 'qiqiao\[net\]'"):
        evaluator.Evaluator(TINY)


def test_a_runtime_that_does_not_load_is_told(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(PlayerError, match=r"pip install 'qiqiao\[net\]'"):
        evaluator.Evaluator(TINY)


@pytest.mark.parametrize("broken", ["", "nothing of the kind", "cut", "half"])
def test_other_files_are_refused(broken, tmp_path):
    content = (DATA / "go" / "tiny.onnx").read_bytes()
    path = tmp_path / "net.onnx"
    path.write_bytes({"cut": content[:-30], "half": content[: len(content) // 2]}.get(broken, broken.encode()))
    with pytest.raises(ValueError, match="is not a net"):
        check_file(str(path))
    with pytest.raises(PlayerError, match="is not a net"):
        opened(str(path))


def test_a_missing_file_and_a_folder(tmp_path):
    for path in (tmp_path / "none.onnx", tmp_path):
        with pytest.raises(ValueError, match=r"not a net|can't be read"):
            check_file(str(path))
        with pytest.raises(PlayerError, match=r"not a net|can't be read"):
            opened(str(path))


@needs_runtime
@pytest.mark.parametrize("place", [10, 900, 2500])
def test_a_damaged_net_is_refused(place, tmp_path):
    """Bytes gone in the middle, its own word about itself still there."""
    content = (DATA / "go" / "tiny.onnx").read_bytes()
    path = tmp_path / "net.onnx"
    path.write_bytes(content[:place] + content[place + 40 :])
    with pytest.raises(PlayerError, match=r"can't be used as a net|is not a net|has not the inputs"):
        opened(str(path))


@needs_runtime
def test_a_net_of_other_names_is_refused(tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes((DATA / "go" / "tiny.onnx").read_bytes().replace(b"planes", b"plains"))
    with pytest.raises(PlayerError, match="inputs and outputs"):
        opened(str(path))


@needs_runtime
def test_a_net_is_opened_once_while_it_stays_as_it_is(tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes((DATA / "go" / "tiny.onnx").read_bytes())
    assert opened(str(path)) is opened(str(path))
    path.write_bytes(b"")
    with pytest.raises(PlayerError):
        opened(str(path))


@needs_runtime
@pytest.mark.parametrize(("width", "height"), [(5, 5), (7, 3), (1, 1)])
def test_answers_lie_as_the_position_does(width, height):
    net = opened(TINY)
    points = width * height
    planes = net.buffer(points)
    planes[:points] = 1
    planes[points] = 1  # an own stone in the top left corner
    numpy = sys.modules["numpy"]
    grid = planes.reshape(-1, height, width)
    for symmetry in range(8):
        seen = evaluator.turned(grid, symmetry)
        assert numpy.array_equal(evaluator.turned_back(seen, symmetry), grid)
        rows, columns = seen.shape[1:]
        flat = numpy.ascontiguousarray(seen).reshape(-1)
        policy, chance, lead, owned = net.evaluate(flat, [0.0] * 8, columns, rows, 0)
        as_it_lies = net.evaluate(planes, [0.0] * 8, width, height, symmetry)
        assert as_it_lies[1:3] == (chance, lead)
        assert as_it_lies[0][points] == policy[points]
        for ours, turned in ((as_it_lies[0][:points], policy[:points]), (as_it_lies[3], owned)):
            back = evaluator.turned_back(turned.reshape(rows, columns), symmetry)
            assert numpy.array_equal(ours.reshape(height, width), back)
        assert 0 < chance < 1


def player(**settings):
    return SearchPlayer(**{"net": TINY, "playouts": 30, "seed": 1, "resign": 0, "memory_mb": 8, **settings})


@needs_runtime
@pytest.mark.compiled
@pytest.mark.parametrize("rules", ["chinese", "japanese", "tromp-taylor"])
@pytest.mark.parametrize(("width", "height"), [(5, 5), (6, 4)])
def test_a_player_with_a_net_plays_whole_games(rules, width, height):
    game, one = Game(width, height, preset(rules)), player(playouts=20)
    for _ in range(80):
        choice = one.choose(game, game.to_move, Limits())
        assert choice.move is not None
        assert choice.report.ownership is None or len(choice.report.ownership) == width * height
        game.play(choice.move)
        if game.board.turns > 1 and [game.board.turn(game.board.turns - k)[1] for k in (1, 2)] == [PASS, PASS]:
            break
    assert len(one.judge(game).ownership) == width * height


@needs_runtime
def test_the_same_seed_plays_the_same_game():
    games = []
    for _ in range(2):
        game, one = Game(5), player(playouts=10)
        for _ in range(4):
            game.play(one.choose(game, game.to_move, Limits()).move)
        games.append(game.moves)
    assert games[0] == games[1]


@needs_runtime
@pytest.mark.compiled
def test_the_tree_serves_the_next_move():
    game, one = Game(5), player(playouts=200)
    choice = one.choose(game, BLACK, Limits())
    game.play(choice.move)
    game.play(choice.report.candidates[0].line[1])
    again = one.choose(game, BLACK, Limits(nodes=4))
    assert sum(candidate.visits for candidate in again.report.candidates) > 8


@needs_runtime
def test_moves_are_allowed_and_avoided():
    allowed = frozenset({3, 8})
    restriction = Restriction(BLACK, allowed, True, 1)
    choice = player().choose(Game(5), BLACK, Limits(restrictions=(restriction,)))
    assert {candidate.move for candidate in choice.report.candidates} <= allowed


@needs_runtime
def test_a_handicap_game():
    game = Game(9)
    game.place_handicap([20, 24, 56, 60])
    choice = player().choose(game, WHITE, Limits())
    assert choice.move is not None


@needs_runtime
@pytest.mark.parametrize("symmetry", [0, 5])
def test_a_glance(symmetry):
    game = Game(4, 6)
    game.play(9)
    seen = player().glance(game, WHITE, symmetry)
    assert sum(seen.policy.values()) + seen.passing == pytest.approx(1)
    assert set(seen.policy) == set(range(24)) - {9}
    assert 0 < seen.winrate < 1
    assert len(seen.ownership) == 24
    assert SearchPlayer().glance(game, WHITE, symmetry) is None


def test_a_player_whose_net_is_gone_says_so(tmp_path):
    one = player(net=str(tmp_path / "gone.onnx"))
    with pytest.raises(PlayerError, match="can't be read"):
        one.choose(Game(5), BLACK, Limits())
    with pytest.raises(PlayerError, match="can't be read"):
        one.glance(Game(5), BLACK, 0)
