"""The transposition table."""

import threading
from pathlib import Path

import pytest

from engines.xiangqi.board import Board
from engines.xiangqi.search import Searcher
from engines.xiangqi.table import Table


def test_a_fresh_table_knows_nothing():
    table = Table(1)
    assert table.lookup(Board().key) is None
    assert table.hashfull() == 0


def test_a_search_leaves_its_best_move_in_the_table():
    board, table = Board(), Table(1)
    searcher = Searcher(board, table)
    searcher.node_limit = 1 << 62
    for depth in range(1, 4):
        searcher.iterate(depth, 1)
    move = searcher.ranking(1)[0][0]
    board.play(move)
    found = table.lookup(board.key)
    assert found is not None
    reply, score, depth, bound = found
    assert board.is_legal(reply)
    assert (depth, bound) == (2, 3)
    assert -score == searcher.ranking(1)[0][1]


def test_clearing():
    board, table = Board(), Table(1)
    searcher = Searcher(board, table)
    searcher.node_limit = 1 << 62
    searcher.iterate(1, 1)
    searcher.iterate(2, 1)
    board.play(searcher.ranking(1)[0][0])
    table.clear()
    assert table.lookup(board.key) is None


def test_more_memory_than_there_is():
    with pytest.raises(MemoryError):
        Table(1 << 50)


def test_more_memory_than_is_free(monkeypatch):
    monkeypatch.setattr("engines.xiangqi.table.available_mb", lambda: 100)
    with pytest.raises(MemoryError, match="no memory for a hash table of 200 MB: 100 MB are free"):
        Table(200)
    assert Table(1).hashfull() == 0
    monkeypatch.setattr("engines.xiangqi.table.available_mb", lambda: None)
    assert Table(1).hashfull() == 0


def resident_mb():
    """Megabytes of memory that this process really has."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) >> 10
    raise AssertionError("no VmRSS in /proc/self/status")


@pytest.mark.compiled
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory in use from /proc")
def test_a_large_table_is_used_only_as_it_fills():
    before = resident_mb()
    table = Table(1024)
    assert resident_mb() - before < 16
    table.warm()
    assert resident_mb() - before < 100  # the first 64 MB are got ready
    assert table.lookup(1) is None


@pytest.mark.compiled
def test_a_tiny_table_still_serves():
    searcher = Searcher(Board(), Table(0.0001))
    searcher.node_limit = 1 << 62
    for depth in range(1, 7):
        assert searcher.iterate(depth, 1)
    assert Board().is_legal(searcher.ranking(1)[0][0])


def test_what_is_stored_is_right_after_any_number_of_searches():
    """The generation wraps around at 256, and no value of it reaches into the score beside it."""
    board, table = Board(), Table(0.01)
    for _ in range(260):
        table.age()
        searcher = Searcher(board, table)
        searcher.node_limit = 1 << 62
        searcher.iterate(1, 1)
        searcher.iterate(2, 1)
        move, score = searcher.ranking(1)[0][:2]
        board.play(move)
        found = table.lookup(board.key)
        board.undo()
        assert found is not None and found[1] == -score and abs(score) < 200


def test_warming_changes_nothing():
    board, table = Board(), Table(1)
    searcher = Searcher(board, table)
    searcher.node_limit = 1 << 62
    searcher.iterate(1, 1)
    board.play(searcher.ranking(1)[0][0])
    before = table.lookup(board.key)
    table.warm()
    assert table.lookup(board.key) == before is not None
    Table(0.0001).warm()


@pytest.mark.compiled
def test_clearing_while_it_is_warmed():
    # A client that sends ``newgame`` right after the handshake: the memory being provided must not go away meanwhile.
    table = Table(32)
    for _ in range(40):
        thread = threading.Thread(target=table.warm)
        thread.start()
        for _ in range(5):
            table.clear()
        thread.join()
    assert table.lookup(1) is None
