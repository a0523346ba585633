"""``qiqiao judge``."""

import json
import sys

import pytest

import qiqiao

KNIGHT = "3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1"
CHASE = ["h0i0", "i9h7", "i0h0", "h7i9"]


def judge(capsysbinary, *words):
    """The exit status and the object printed."""
    status = qiqiao.main(["judge", "--json", *words])
    printed, errors = capsysbinary.readouterr()
    assert errors == b""
    assert printed.count(b"\n") == 1
    return status, json.loads(printed.decode("utf-8"))


def test_a_verdict(capsysbinary):
    status, said = judge(capsysbinary, KNIGHT, *CHASE, *CHASE)
    assert status == 0
    assert said["violator"] == "red"
    assert said["offence"] == ["chase"]
    assert said["repeated"] is True
    assert [move["class"] for move in said["moves"]] == ["chase", "idle", "chase", "idle"]
    assert said["moves"][0] == {
        "move": "h0i0",
        "side": "red",
        "class": "chase",
        "victims": [{"square": "i9", "piece": "n", "followed": True}],
    }
    assert said["rules"] == "axf"
    assert said["occurrences"] == 3
    assert "紅方長捉馬" in said["reason_zh_hant"]


def test_ranks_from_one(capsysbinary):
    moves = ["h1i1", "i10h8", "i1h1", "h8i10"]
    status, said = judge(capsysbinary, KNIGHT, *moves, *moves)
    assert (status, said["violator"]) == (0, "red")
    assert said["moves"][0]["victims"][0]["square"] == "i10"
    assert said["moves"][1]["move"] == "i10h8"


def test_ranks_from_one_seen_by_what_is_legal(capsysbinary):
    """Neither rank 0 nor rank 10: counted from 0 there would be no piece on e3."""
    cycle = ["e3e4", "d9d8", "e4e3", "d8d9"]
    status, said = judge(capsysbinary, "--rules", "none", "9/3k5/9/9/9/9/9/4R4/4K4/9 w", *cycle, *cycle)
    assert (status, said["repeated"], said["violator"]) == (0, True, None)
    assert said["moves"][0]["move"] == "e3e4"


def test_not_repeated(capsysbinary):
    assert judge(capsysbinary, KNIGHT, *CHASE)[1]["repeated"] is False
    assert judge(capsysbinary, KNIGHT)[1] == {
        "violator": None,
        "repeated": False,
        "offence": [],
        "moves": [],
        "rules": "axf",
        "occurrences": 1,
        "reason": "The position has not been repeated.",
        "reason_zh_hans": "局面尚未重复。",
        "reason_zh_hant": "局面尚未重複。",
    }


def test_options(capsysbinary):
    assert judge(capsysbinary, "--occurrences", "2", KNIGHT, *CHASE)[1]["violator"] == "red"
    assert judge(capsysbinary, "--occurrences", "4", KNIGHT, *CHASE, *CHASE)[1]["repeated"] is False
    assert judge(capsysbinary, "--rules", "check-only", KNIGHT, *CHASE, *CHASE)[1]["violator"] is None
    assert len(judge(capsysbinary, "--cycle", "all", KNIGHT, *CHASE, *CHASE)[1]["moves"]) == 8


def test_moves_in_one_word_and_capitals(capsysbinary):
    assert judge(capsysbinary, KNIGHT, " ".join(CHASE * 2).upper())[1]["violator"] == "red"
    assert judge(capsysbinary, KNIGHT, *["h0-i0", *CHASE[1:]] * 2)[1]["violator"] == "red"


BAD = [
    ([], "the FEN is empty"),
    (["3k5/9 w"], "2 ranks, not 10"),
    (["4k4/9/9/9/9/9/9/9/9/4K4 w"], "generals face each other"),
    ([KNIGHT, "h0h9", "h0i0"], "move 2"),
    ([KNIGHT, "h0z0"], "'h0z0' is no move"),
    ([KNIGHT, "h0h10"], "ranks 0 and 10"),
    ([KNIGHT, "a5a6"], "there is no piece on a5"),
    (["--rules", "fide", KNIGHT], "unknown rules 'fide'"),
    (["--occurrences", "1", KNIGHT], "must be 2, 3 or 4, not '1'"),
    (["--occurrences", "three", KNIGHT], "not 'three'"),
    (["--cycle", "first", KNIGHT], "last or all"),
]


@pytest.mark.parametrize(("words", "reason"), BAD)
def test_bad_input(capsysbinary, words, reason):
    status, said = judge(capsysbinary, *words)
    assert status == 2
    assert list(said) == ["error"]
    assert reason in said["error"]


def sentences(capsysbinary, *words):
    """The exit status, and what people read on standard output and on standard error."""
    status = qiqiao.main(["judge", *words])
    printed, errors = capsysbinary.readouterr()
    return status, printed.decode("utf-8"), errors.decode("utf-8")


def test_people_get_sentences(capsysbinary):
    status, said, errors = sentences(capsysbinary, KNIGHT, *CHASE, *CHASE)
    assert (status, errors) == (0, "")
    assert said.startswith("Red chases the horse with every move and must vary or loses.\n")
    assert "红方长捉马" in said and "紅方長捉馬" in said
    assert "1. Red   h0i0 车二平一  chase 捉: attacks the horse on i9 (with every move)\n" in said
    assert "2. Black i9h7 马9进8  idle 闲/閒\n" in said


def test_people_are_told_how_often_it_has_stood(capsysbinary):
    said = sentences(capsysbinary, KNIGHT, *CHASE)[1]
    assert "has not been repeated" in said
    assert "has stood 2 times" in said and "judged when it has stood 3 times" in said


def test_people_get_errors_on_standard_error(capsysbinary):
    status, said, errors = sentences(capsysbinary, KNIGHT, "h0h9", "h0i0")
    assert (status, said) == (2, "")
    assert errors.startswith("qiqiao judge: move 2: ")


def test_a_terminal_without_chinese(capsysbinary, monkeypatch):
    class Narrow:
        encoding = "cp1252"
        buffer = sys.stdout.buffer

        def flush(self):
            self.buffer.flush()

    monkeypatch.setattr(sys, "stdout", Narrow())
    assert qiqiao.main(["judge", KNIGHT, *CHASE * 2]) == 0
    printed = capsysbinary.readouterr()[0].decode("cp1252")
    assert "must vary or loses" in printed and "h0i0" in printed


NOTATIONS = {
    "coordinates": "h0i0 i9h7 i0h0 h7i9",
    "ranks from 1": "h1i1 i10h8 i1h1 h8i10",
    "ICCS": "H0-I0 I9-H7 I0-H0 H7-I9",
    "WXF": "R2=1 H9+8 R1=2 H8-9",
    "simplified": "车二平一 马9进8 车一平二 马8退9",
    "traditional": "車二平一 馬9進8 車一平二 馬8退9",
    "numbered": "1. 车二平一 马9进8 2. 车一平二 马8退9",
    "without blanks": "车二平一马9进8车一平二马8退9",
    "mixed": "R2=1 马９进８ i0h0 H7-I9",
}


@pytest.mark.parametrize("name", NOTATIONS)
def test_moves_in_any_notation(capsysbinary, name):
    status, said = judge(capsysbinary, KNIGHT, *NOTATIONS[name].split() * 2)
    assert (status, said["violator"], said["occurrences"]) == (0, "red", 3)
    first = "h1i1" if name == "ranks from 1" else "h0i0"
    assert said["moves"][0]["move"] == first


def test_a_leading_minus_is_a_move_and_no_option(capsysbinary):
    double = "3k5/9/9/4C4/9/4C4/9/9/9/5K3 w - - 0 1"
    assert judge(capsysbinary, double, "-C+1", "K4+1")[0] == 0


def test_startpos_and_loose_fens(capsysbinary):
    knights = ["b0c2", "b9c7", "c2b0", "c7b9"]
    assert judge(capsysbinary, "startpos", *knights)[1]["occurrences"] == 2
    assert judge(capsysbinary, "position", "startpos", "moves", *knights)[1]["occurrences"] == 2
    assert judge(capsysbinary, *KNIGHT.split(), *CHASE)[1]["occurrences"] == 2
    assert judge(capsysbinary, f"position fen {KNIGHT} moves {' '.join(CHASE)}")[1]["occurrences"] == 2
    assert judge(capsysbinary, KNIGHT.split()[0], *KNIGHT.split()[1:2], "moves", *CHASE)[1]["occurrences"] == 2


def test_options_may_stand_behind(capsysbinary):
    status = qiqiao.main(["judge", KNIGHT, *CHASE, "--occurrences=2", "--rules", "cxa", "--json"])
    said = json.loads(capsysbinary.readouterr()[0])
    assert (status, said["violator"], said["rules"]) == (0, "red", "cxa")


PGN = '[Game "Chinese Chess"]\n[FEN "{}"]\n\n{}\n'


def test_a_pgn_file(capsysbinary, tmp_path):
    file = tmp_path / "chase.pgn"
    file.write_text(PGN.format(KNIGHT, "1. 车二平一 马9进8 2. 车一平二 马8退9 *"), encoding="utf-8")
    assert judge(capsysbinary, str(file))[1]["occurrences"] == 2
    assert judge(capsysbinary, str(file), *CHASE)[1]["violator"] == "red"


def test_one_of_several_games(capsysbinary, tmp_path):
    file = tmp_path / "games.pgn"
    file.write_text(PGN.format(KNIGHT, "1. R2+1 *") + "\n" + PGN.format(KNIGHT, " ".join(CHASE * 2)), encoding="utf-8")
    assert "2 games are in it" in judge(capsysbinary, str(file))[1]["error"]
    assert judge(capsysbinary, "--game", "2", str(file))[1]["violator"] == "red"
    assert "no game 3" in judge(capsysbinary, "--game", "3", str(file))[1]["error"]
    assert "from 1 on" in judge(capsysbinary, "--game", "0", str(file))[1]["error"]


@pytest.mark.parametrize(
    ("text", "reason"), [("", "no game in it"), (PGN.format(KNIGHT, "1. R2=9"), "move 1"), (None, "cannot read")]
)
def test_bad_files(capsysbinary, tmp_path, text, reason):
    file = tmp_path / "bad.pgn"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    status, said = judge(capsysbinary, str(file))
    assert status == 2 and reason in said["error"]


@pytest.mark.parametrize("option", ["--rules", "--fide", "--json=1"])
def test_bad_options_behind_the_position(capsysbinary, option):
    status, said = judge(capsysbinary, KNIGHT, option)
    assert status == 2 and option.partition("=")[0] in said["error"]


def test_unknown_options_are_usage_errors(capsys):
    with pytest.raises(SystemExit) as stop:
        qiqiao.main(["judge", "--rule", "axf", KNIGHT])
    assert stop.value.code == 2
    assert "--rule" in capsys.readouterr().err
