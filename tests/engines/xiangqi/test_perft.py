"""Perft: counts of the tree of legal moves, each agreed on by independent move generators."""

import importlib.util
import json
from pathlib import Path

import pytest

from engines.xiangqi.board import Board

ROOT = Path(__file__).resolve().parents[3]
POSITIONS = json.loads((ROOT / "tests/data/xiangqi/perft.json").read_text())
ROWS = [(p["id"], p["fen"], depth, nodes) for p in POSITIONS for depth, nodes in enumerate(p["nodes"], start=1)]


@pytest.mark.parametrize(
    ("fen", "depth", "nodes"), [pytest.param(f, d, n, id=f"{i}-{d}") for i, f, d, n in ROWS if n <= 3000]
)
def test_small(fen, depth, nodes):
    assert Board(fen).perft(depth) == nodes


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("fen", "depth", "nodes"), [pytest.param(f, d, n, id=f"{i}-{d}") for i, f, d, n in ROWS if 3000 < n <= 10**7]
)
def test_large(fen, depth, nodes):
    assert Board(fen).perft(depth) == nodes


def test_depth_zero_and_below():
    assert Board().perft(0) == 1
    with pytest.raises(ValueError, match="negative"):
        Board().perft(-1)


@pytest.fixture
def script():
    spec = importlib.util.spec_from_file_location("perft_script", ROOT / "scripts/perft.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_script_ends_with_the_count(script, capsys):
    assert script.main(["xiangqi", "startpos", "2"]) == 0
    assert capsys.readouterr().out.split()[-1] == "1920"
    assert script.main(["xiangqi", "--divide", *POSITIONS[1]["fen"].split(), "2"]) == 0
    assert capsys.readouterr().out.split()[-1] == str(POSITIONS[1]["nodes"][1])


def test_script_names_what_is_wrong(script, capsys):
    assert script.main(["xiangqi", "3k5/9/9", "2"]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert "ranks" in streams.err
