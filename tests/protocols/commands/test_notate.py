"""``qiqiao notate`` as it is called."""

import json

import pytest

import qiqiao

DOUBLE = "3k5/9/9/4C4/9/4C4/9/9/9/5K3 w - - 0 1"


def notate(capfdbinary, *words: str):
    status = qiqiao.main(["notate", *words])
    out, _ = capfdbinary.readouterr()
    assert out.endswith(b"\n") and out.count(b"\n") == 1
    return status, json.loads(out.decode("utf-8"))


@pytest.mark.parametrize("text", ["h2e2", "h3e3", "H2-E2", "C2=5", "C2.5", "炮二平五", "炮25", "砲二平五", "炮2平5"])
def test_any_notation_is_read(capfdbinary, text):
    status, said = notate(capfdbinary, "startpos", text)
    assert status == 0
    assert said == {
        "coordinate": "h2e2",
        "coordinate1": "h3e3",
        "iccs": "H2-E2",
        "wxf": "C2=5",
        "simplified": "炮二平五",
        "traditional": "炮二平五",
        "short": "炮25",
    }


def test_a_leading_minus_is_a_move_and_no_option(capfdbinary):
    status, said = notate(capfdbinary, DOUBLE, "-C+1")
    assert status == 0 and said["coordinate"] == "e4e5" and said["simplified"] == "后炮进一"


def test_ambiguous_text_lists_the_candidates(capfdbinary):
    status, said = notate(capfdbinary, DOUBLE, "炮五平四")
    assert status == 2 and sorted(said["candidates"]) == ["e4f4", "e6f6"]


@pytest.mark.parametrize(
    ("fen", "move"), [("startpos", "h2h3h4"), ("startpos", ""), ("nonsense", "h2e2"), ("startpos", "e0e5")]
)
def test_bad_input(capfdbinary, fen, move):
    status, said = notate(capfdbinary, fen, *([move] if move else []))
    assert status == 2 and said["error"]


def lines(capfdbinary, *words: str):
    status = qiqiao.main(["notate", *words])
    return status, [json.loads(line) for line in capfdbinary.readouterr()[0].decode("utf-8").splitlines()]


def test_several_moves_one_line_each(capfdbinary):
    status, said = lines(capfdbinary, "startpos", "1.", "炮二平五", "h9g7", "2.H2+3")
    assert status == 0 and [line["wxf"] for line in said] == ["C2=5", "H8+7", "H2+3"]


def test_blanks_within_one_move(capfdbinary):
    status, said = lines(capfdbinary, "startpos", "炮", "二", "平", "五")
    assert status == 0 and [line["coordinate"] for line in said] == ["h2e2"]


def test_a_pgn_file(capfdbinary, tmp_path):
    file = tmp_path / "opening.pgn"
    file.write_text('[Game "Chinese Chess"]\n\n1. C2=5 H8+7 *\n', encoding="utf-8")
    status, said = lines(capfdbinary, str(file), "马二进三")
    assert status == 0 and [line["coordinate"] for line in said] == ["h2e2", "h9g7", "h0g2"]


def test_a_fault_behind_good_moves(capfdbinary):
    status, said = lines(capfdbinary, "startpos", "h2e2", "h9g7", "h0h9")
    assert status == 2 and "move 3" in said[0]["error"]
