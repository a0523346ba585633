"""Learning what Go moves are worth: the fit, on cases whose answer is known, and the table it writes."""

import importlib.util
import math
import sys
from argparse import Namespace
from pathlib import Path

import pytest
from support import ROOT

from engines.go.shapes import smallest_code

np = pytest.importorskip("numpy")


def load(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # dataclasses look it up, and so do the processes that read games
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def learning():
    yield load(ROOT / "scripts" / "learn_go_patterns.py")
    del sys.modules["learn_go_patterns"]


def test_a_feature_played_three_times_in_four_is_worth_three_to_one(learning):
    # Four positions of two moves; the first has the feature, and was played in three of them.
    columns = np.array([[5], [0]] * 4)
    first = np.array([0, 2, 4, 6])
    played = np.array([0, 2, 4, 7])
    examples = learning.Examples(columns, np.zeros(8), np.zeros(8, np.uint64), first, played)
    weights = learning.fit(examples, columns, 6, rounds=400, penalty=0.0, chance=1)
    assert weights[5] == pytest.approx(math.log(3), abs=0.01)
    assert weights[0] == 0
    assert learning.shares(columns, first, weights) == pytest.approx([0.75, 0.25] * 4, abs=0.01)
    assert learning.quality(columns, examples, weights)[0] == 0.75
    pulled = learning.fit(examples, columns, 6, rounds=400, penalty=1.0, chance=1)
    # Where the slope 4 (3/4 - share) of the logarithms equals the pull of the penalty.
    assert 3 - 4 / (1 + math.exp(-pulled[5])) == pytest.approx(pulled[5], abs=0.01)


def test_classes_of_shapes_are_those_that_the_search_knows(learning):
    codes = np.random.default_rng(1).integers(0, 1 << 56, 200, np.uint64)
    for size in learning.SIZES:
        mask = (1 << 2 * size) - 1
        found = learning.shape_classes(codes, size)
        assert [int(code) for code in found] == [smallest_code(int(code) & mask, size) for code in codes]


def test_the_same_games_give_the_same_table_and_it_can_be_read(learning, tmp_path, capsys):
    games = tmp_path / "games.txt"
    # The second game is the first turned by half; three more keep a tenth back.
    one = "9 0 E5 C3 G7 C7 G3 D5 E4 D4 E6 D6 D3 C2 pass E5"
    lines = [one, "9 1 E5 G7 C3 G3 C7 F5 E6 F6 E4 F4 F7 G8"] + ["9 2 E5 C3 C7 G7 G3 F5"] * 3
    games.write_text("\n".join(lines).replace(" pass E5", "") + "\n", encoding="ascii")
    texts = []
    for name in ("one.py", "two.py"):
        options = Namespace(
            files=[str(games)], jobs=2, seed=1, rounds=10, penalty=0.25, fewest=2, keep=8, write=str(tmp_path / name)
        )
        learning.learn(options)
        texts.append((tmp_path / name).read_text(encoding="ascii"))
    assert texts[0] == texts[1]
    assert "learned from: " in capsys.readouterr().out
    module = load(tmp_path / "one.py")
    assert module.FEATURE_WEIGHTS and set(module.FEATURE_WEIGHTS) <= set(learning.NAMES)
    assert all(0 <= code < 65536 for code in module.pattern_weights())
    assert {size for size, _ in module.shape_weights()} == set(learning.SIZES)
