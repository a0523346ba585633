"""The tuner of the Xiangqi evaluation: its games, and the file of weights that it writes."""

import importlib.util

import pytest
from support import ROOT

from engines.xiangqi.board import Board


@pytest.fixture
def tuner():
    spec = importlib.util.spec_from_file_location("tune_xiangqi", ROOT / "scripts" / "tune_xiangqi.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.compiled
def test_games_are_positions_with_score_and_result(tuner, tmp_path):
    path = tmp_path / "games.txt"
    tuner.play(str(path), 1, 60, 3)
    lines = path.read_text().splitlines()
    assert lines
    assert len({line.rpartition(";")[2] for line in lines}) == 1  # one game has one result
    for line in lines:
        fen, score, result = line.split(";")
        assert not Board(fen).in_check()
        assert abs(int(score)) < 1200 and float(result) in (0, 0.5, 1)


def test_weights_that_do_not_change_are_written_as_they_were(tuner, tmp_path, monkeypatch):
    original = tuner.WEIGHTS.read_text(encoding="utf-8")
    copy = tmp_path / "weights.py"
    copy.write_text(original, encoding="utf-8")
    monkeypatch.setattr(tuner, "WEIGHTS", copy)
    values = []
    terms = iter(pair for group in tuner.GROUPS for pair in tuner.TERMS[group])
    for what, a, b in tuner.column_names():
        if what == "material":
            values.append(tuner.MATERIAL[a])
        else:
            values.append(tuner.PLACES[a][b // 5][b % 5] if what == "place" else next(terms))
    tuner.write(values)
    assert copy.read_text(encoding="utf-8") == original


@pytest.mark.compiled
def test_a_fit_learns_from_the_positions(tuner, tmp_path, monkeypatch, capsys):
    pytest.importorskip("numpy", reason="only the fit needs numpy")
    copy = tmp_path / "weights.py"
    copy.write_text(tuner.WEIGHTS.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(tuner, "WEIGHTS", copy)
    games = tmp_path / "games.txt"
    # Whoever has a horse more always wins, says this file.
    red = "r1bakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN3NC1/9/R1BAKAB1R {} - - {} 9"
    black = "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN4C1/9/R1BAKAB1R {} - - {} 9"
    lines = [f"{red.format(s, n)};400;1.0\n{black.format(s, n)};-400;0.0\n" for s in "wb" for n in range(5)]
    games.write_text("".join(lines))
    before = tuner.MATERIAL[tuner.KNIGHT]
    tuner.fit([str(games)], steps=100, pull=0.02, share=1.0)
    assert "20 positions" in capsys.readouterr().out
    space: dict[str, dict[int, tuple[int, int]]] = {}
    exec(copy.read_text(encoding="utf-8"), space)
    assert space["MATERIAL"][tuner.KNIGHT][0] > before[0]
