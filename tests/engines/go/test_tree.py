"""The search tree's memory: its size in nodes, and what happens when there is not so much."""

import pytest

from engines.go import judge as judge_module
from engines.go.board import Board
from engines.go.game import Game
from engines.go.points import BLACK
from engines.go.search import SearchPlayer
from engines.go.tree import Tree, nodes_in
from engines.player import Limits


@pytest.mark.parametrize("megabytes", [1, 127, 2047, 2048, 4096, 65536, 1 << 20])
def test_nodes_grow_with_the_memory(megabytes):
    assert nodes_in(megabytes) == megabytes * nodes_in(1)
    assert 8000 < nodes_in(1) < 40000


def test_there_is_no_tree_without_nodes():
    assert nodes_in(0) == nodes_in(-5) == 2000


@pytest.mark.compiled
def test_a_tree_has_the_nodes_of_its_memory():
    assert Tree(Board(9, 9, "simple", False), BLACK, 3).capacity == nodes_in(3)


@pytest.fixture
def small_machine(monkeypatch):
    """A machine that has no more than so many megabytes in one piece, and says that it has others free."""
    asked = []

    def make(piece, free=None):
        def tree(board, color, megabytes):
            asked.append(megabytes)
            if megabytes > piece:
                raise MemoryError("no memory for the search tree")
            return Tree(board, color, min(megabytes, 2))

        monkeypatch.setattr(judge_module, "Tree", tree)
        monkeypatch.setattr(judge_module, "available_mb", lambda: free)
        return asked

    return make


def player(megabytes, words):
    return SearchPlayer(memory_mb=megabytes, playouts=20, seed=1, resign=0, say=words.append)


@pytest.mark.parametrize("megabytes", [1, 2047, 2048, 65536, 1 << 20])
def test_all_the_memory_there_is_serves(small_machine, megabytes):
    asked, words = small_machine(piece=1 << 30), []
    assert player(megabytes, words).choose(Game(5), BLACK, Limits()).move is not None
    assert asked[0] == max(1, megabytes // 2)
    assert not words


def test_a_smaller_tree_with_a_word_where_memory_cannot_be_had(small_machine):
    asked, words = small_machine(piece=100), []
    thinker, game = player(1024, words), Game(5)
    assert thinker.choose(game, BLACK, Limits()).move is not None
    assert asked[:4] == [512, 256, 128, 64]
    assert words[-1] == "no memory for a search tree of 1024 MB: it gets 128 MB"
    # From then on it is known, and not said again.
    said = len(words)
    assert thinker.choose(game, BLACK, Limits()).move is not None
    assert len(words) == said


def test_no_more_than_the_machine_has_free(small_machine):
    asked, words = small_machine(piece=1 << 30, free=300), []
    thinker, game = player(4096, words), Game(5)
    thinker.choose(game, BLACK, Limits())
    assert asked[0] == 150
    assert words == ["no memory for a search tree of 4096 MB: it gets 300 MB"]
    thinker.memory_mb = 64
    thinker.choose(game, BLACK, Limits(), fresh=True)
    assert 32 in asked and len(words) == 1


def test_no_memory_at_all(small_machine):
    small_machine(piece=0)
    with pytest.raises(MemoryError):
        player(64, []).choose(Game(5), BLACK, Limits())
