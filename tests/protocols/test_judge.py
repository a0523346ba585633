"""``qiqiao judge``."""

import json

import pytest

import qiqiao

KNIGHT = "3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1"
CHASE = ["h0i0", "i9h7", "i0h0", "h7i9"]


def judge(capsysbinary, *words):
    """The exit status and the object printed."""
    status = qiqiao.main(["judge", *words])
    printed, errors = capsysbinary.readouterr()
    assert errors == b""
    assert printed.count(b"\n") == 1
    return status, json.loads(printed.decode("utf-8"))


def test_a_verdict(capsysbinary):
    status, said = judge(capsysbinary, KNIGHT, *CHASE, *CHASE)
    assert status == 0
    assert said["violator"] == "red"
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


def test_unknown_options_are_usage_errors(capsys):
    with pytest.raises(SystemExit) as stop:
        qiqiao.main(["judge", "--rule", "axf", KNIGHT])
    assert stop.value.code == 2
    assert "--rule" in capsys.readouterr().err
