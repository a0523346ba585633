"""``qiqiao convert`` as it is called: sessions with their output."""

import io
import sys

import pytest
from record_files import GIB, cbl, xqf_enciphered

import qiqiao
from engines.xiangqi.records import Record, read_pgn
from engines.xiangqi.records.xqf import read_xqf

GAME = "1. 炮二平五 {好} 马8进7 (1. ... 炮8平5 2. 马二进三) 2. 马二进三 车9平8 1-0"
TAGS = '[Game "Chinese Chess"]\n[Red "王"]\n'


def convert(capfdbinary, *words):
    status = qiqiao.main(["convert", *map(str, words)])
    out, told = capfdbinary.readouterr()
    return status, out.decode("utf-8"), told.decode("utf-8").replace("qiqiao convert: ", "")


@pytest.fixture
def pgn(tmp_path):
    path = tmp_path / "game.pgn"
    path.write_bytes((TAGS + GAME).encode("gb18030"))
    return path


def game():
    (record,) = read_pgn(TAGS + GAME)
    return record


def test_moves(capfdbinary, pgn):
    status, out, told = convert(capfdbinary, pgn, "--to", "moves")
    assert status == 0 and out == "h2e2 h9g7 h0g2 i9h9\n"
    assert told.splitlines() == [
        f"{pgn}: read as gb18030, which is a guess; --encoding overrules it",
        f"{pgn}: left out, since moves has no room for it: comments; tags; variations",
    ]
    status, _, told = convert(capfdbinary, pgn, "--to", "moves", "--encoding", "GBK")
    assert status == 0 and "guess" not in told


def test_a_set_up_stands_in_brackets(capfdbinary, tmp_path):
    path = tmp_path / "positions"
    path.write_text("3k5/4P4/9/9/9/9/9/9/4p4/5K3 b - - bm d9d8; hmvc 3; fmvn 7;\n3k5/4P4/9/9/9/9/9/9/4p4/5K3 w\n")
    status, out, _ = convert(capfdbinary, path, "--to", "moves")
    assert status == 0 and out.splitlines() == [
        "[3k5/4P4/9/9/9/9/9/9/4p4/5K3 b - - 3 7]",
        "[3k5/4P4/9/9/9/9/9/9/4p4/5K3 w - - 0 1]",
    ]


def test_moves_of_go(capfdbinary, tmp_path):
    path = tmp_path / "game.txt"  # the name tells nothing
    path.write_bytes(GIB.replace("INI 0 1 0", "INI 0 1 2").encode("euc-kr", "replace"))
    status, out, _ = convert(capfdbinary, path, "--to", "moves")
    assert status == 0 and out == "[B:D4 B:Q16] B:R17 W:D4 B:R5 W:pass B:C17\n"


def test_there_and_back_through_every_format(capfdbinary, pgn, tmp_path):
    for to, holds in (
        ("pgn", True),
        ("pgn-traditional", True),
        ("pgn-wxf", True),
        ("pgn-iccs", True),
        ("pgn-coordinate", True),
        ("pgn-coordinate1", True),
        ("pgn-algebraic", True),
        ("dhtmlxq", True),
        ("xqf", True),
        ("text", True),
        ("cbf", False),
    ):
        path = tmp_path / f"out-{to}"
        assert convert(capfdbinary, pgn, "--to", to, "--output", path)[0] == 0
        status, out, _ = convert(capfdbinary, path, "--to", "pgn")
        assert status == 0
        (record,) = read_pgn(out)
        assert (record.root == game().root) is holds, to
        assert record.moves() == game().moves() and record.tags["Red"] == "王" and record.result == "1-0"


def test_many_games_into_one_file_and_into_a_folder(capfdbinary, tmp_path):
    library = tmp_path / "lib.cbl"
    library.write_bytes(cbl([game(), Record({"Result": "*"}), game()]))
    status, out, _ = convert(capfdbinary, library)
    assert status == 0 and len(read_pgn(out)) == 3
    status, _, told = convert(capfdbinary, library, "--to", "xqf", "--output", tmp_path / "one.xqf")
    assert status == 1 and "name a folder" in told
    status, _, _ = convert(capfdbinary, library, "--to", "xqf", "--output", f"{tmp_path}/many/")
    assert status == 0
    assert sorted(path.name for path in (tmp_path / "many").iterdir()) == ["lib-2.xqf", "lib-3.xqf", "lib.xqf"]
    assert read_xqf((tmp_path / "many/lib-3.xqf").read_bytes()).root == game().root


def test_a_folder_is_read_whole_and_what_is_no_record_is_told(capfdbinary, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.xqf").write_bytes(xqf_enciphered(game(), 18))
    (tmp_path / "in/b.txt").write_text("no record")
    (tmp_path / "in/c.sgf").write_text("(;GM[1];B[pd])")
    status, out, told = convert(capfdbinary, tmp_path / "in", "--to", "moves")
    assert status == 1 and out == "h2e2 h9g7 h0g2 i9h9\nB:Q16\n"
    assert "b.txt: no record of a kind that is known here" in told


def test_a_game_in_the_wrong_format(capfdbinary, pgn, tmp_path):
    status, out, told = convert(capfdbinary, pgn, "--to", "sgf")
    assert status == 1 and out == "" and "a game of Xiangqi can't be written as sgf" in told


def test_rank_base(capfdbinary, tmp_path):
    path = tmp_path / "a.pgn"
    path.write_text('[FEN "4k4/9/9/9/4C4/4R4/9/9/9/3K5 w"]\ne5d5 *\n')
    status, out, told = convert(capfdbinary, path, "--to", "moves")
    assert status == 0 and out.endswith("] e5d5\n") and "ranks may count from 0 or from 1" in told
    status, out, told = convert(capfdbinary, path, "--to", "moves", "--rank-base", "1")
    assert status == 0 and out.endswith("] e4d4\n") and "ranks" not in told


def test_an_input_is_never_written_over(capfdbinary, pgn):
    before = pgn.read_bytes()
    status, _, told = convert(capfdbinary, pgn, "--output", pgn)
    assert status == 1 and "take the place of an input" in told and pgn.read_bytes() == before
    status, _, _ = convert(capfdbinary, pgn, "--output", pgn.parent)
    assert status == 0 and pgn.read_bytes() == before and (pgn.parent / "game-2.pgn").exists()


def test_what_fails_leaves_the_output_as_it_was(capfdbinary, tmp_path):
    (tmp_path / "out.pgn").write_text("old")
    status, _, told = convert(capfdbinary, tmp_path / "missing", "--output", tmp_path / "out.pgn")
    assert status == 1 and "No such file" in told and (tmp_path / "out.pgn").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.pgn"]


@pytest.mark.parametrize("words", [["--to", "doc"], ["--encoding", "klingon"], ["--encoding", "zlib"]])
def test_wrong_arguments(capfdbinary, pgn, words):
    status, out, told = convert(capfdbinary, pgn, *words)
    assert status == 2 and out == "" and "there is no" in told


def test_standard_input(capfdbinary, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"(;GM[1];B[aa];W[])")))
    status, out, _ = convert(capfdbinary, "-", "--to", "moves")
    assert status == 0 and out == "B:A19 W:pass\n"


def test_a_large_collection_is_read_game_by_game(capfdbinary, tmp_path):
    path = tmp_path / "many.pgn"
    path.write_text("".join(f'[Event "{number}"]\n\n1. h2e2 h9g7 {{{"x" * 1000}}} *\n\n' for number in range(1500)))
    status, out, _ = convert(capfdbinary, path, "--to", "moves")
    assert status == 0 and out == "h2e2 h9g7\n" * 1500
    path.write_text(
        "".join(f"(;GM[1]FF[4]C[{number} {'x' * 1000}];B[pd];W[dd](;B[aa])(;B[bb]))\n" for number in range(1500))
    )
    status, out, _ = convert(capfdbinary, path, "--to", "moves")
    assert status == 0 and out == "B:Q16 W:D16 B:A19\n" * 1500
