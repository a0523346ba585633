"""Records of the games with hidden or placed pieces in ``show``, ``describe``, ``convert``, ``notate``, ``judge``."""

import json
import random
from pathlib import Path

import pytest

import qiqiao
from engines.banqi.game import Game as Banqi
from engines.banqi.records import own
from engines.banqi.records.platform import write_platform
from engines.jieqi.game import Game as Jieqi
from engines.jieqi.records import Record, write_json, write_pgn
from engines.luoqi.game import Game as Luoqi
from engines.records import read_games
from engines.sanguo.game import Game as Sanguo


def run(capsys, *words):
    capsys.readouterr()
    try:
        status = qiqiao.main(list(words))
    except SystemExit as error:
        status = error.code
    said = capsys.readouterr()
    return status, said.out, said.err


def jieqi(form="jieqi", plies=("h2h9", "b9c7", "a3a4")):
    game = Jieqi(form, seed=5)
    for text in plies:
        game.play(game.read_move(text))
    return game


def random_game(game, plies, seed=1):
    chance = random.Random(seed)
    for _ in range(plies):
        moves = game.legal_moves()
        if not moves:
            break
        game.play(chance.choice(moves))
    return game


@pytest.fixture
def files(tmp_path):
    """A file of each format."""
    found = {}

    def put(name, text):
        found[name] = tmp_path / name
        found[name].write_text(text, encoding="utf-8")

    record = Record.of_game(jieqi(), Red="An", Black="Bo")
    record.comments = {1: "took a soldier"}
    put("jieqi.pgn", write_pgn(record))
    put("jieqi.json", write_json(record))
    put("fanqi3.pgn", write_pgn(Record.of_game(jieqi("fanqi3"))))
    banqi = random_game(Banqi(seed=3), 30)
    put("banqi.json", own.write_json(own.record_of(banqi, players=("An", "Bo"))))
    put("banqi.pgn", own.write_pgn(own.record_of(banqi)))
    put("banqi.txt", write_platform(banqi, ("An", "Bo")))
    put("luoqi.pgn", own.write_pgn(own.record_of(random_game(Luoqi(), 12))))
    put("sanguo.json", own.write_json(own.record_of(random_game(Sanguo(seed=3), 30))))
    return found


NAMES = ("jieqi.pgn", "jieqi.json", "fanqi3.pgn", "banqi.json", "banqi.pgn", "banqi.txt", "luoqi.pgn", "sanguo.json")


@pytest.mark.parametrize("name", NAMES)
def test_they_are_told_by_their_content(files, name):
    (found,) = read_games(files[name].read_bytes())
    assert found.fault == ""
    assert found.game == name.split(".")[0]
    assert len(found.value.positions()) == len(found.value.moves()) + 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("view", ["", "spectator"])
def test_they_are_shown_and_drawn(capsys, files, name, view, tmp_path):
    picture = str(tmp_path / "x.svg")
    words = ["show", str(files[name]), "--style", "letters", "--language", "en", "--view", view]
    status, out, err = run(capsys, *words, "--all")
    assert (status, err) == (0, "")
    assert out.count("start") == 1
    assert f"{name.split('.')[0]}  move 3 of" in out
    status, out, err = run(capsys, *words, "--svg", picture, "--move", "2", "--arrows")
    assert (status, out, err) == (0, "", "")
    assert Path(picture).read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("name", NAMES)
def test_they_are_described(capsys, files, name):
    status, out, err = run(capsys, "describe", str(files[name]), "--language", "en")
    assert (status, err) == (0, "")
    assert out.lstrip().startswith("1  ")
    status, out, err = run(capsys, "describe", str(files[name]), "--json")
    assert json.loads(out.splitlines()[1])["ply"] == 2


def test_a_view_shows_no_more_than_it_knows(capsys, files):
    words = ["show", str(files["jieqi.pgn"]), "--style", "letters", "--language", "en", "--move", "1"]
    _, whole, _ = run(capsys, *words)
    _, black, _ = run(capsys, *words, "--view", "black")
    _, red, _ = run(capsys, *words, "--view", "red")
    assert "h2h9Pp" in whole
    assert "= a0 A" in whole
    assert "h2h9P\n" in black
    assert "= " not in black
    assert "Black unseen: a2 b2 n2 r2 c2 p5" in black
    assert "h2h9Pp" in red
    assert "Black unseen: a2 b2 n2 r2 c2 p4" in red


@pytest.mark.parametrize("target", ["pgn", "json", "jieqibox", "moves"])
@pytest.mark.parametrize("view", ["black", "spectator"])
def test_a_view_is_converted_without_what_it_does_not_know(capsys, files, target, view):
    status, out, err = run(capsys, "convert", str(files["jieqi.pgn"]), "--to", target, "--view", view)
    assert (status, err) == (0, "")
    assert "h2h9P" in out
    assert "h2h9Pp" not in out
    assert "took a soldier" not in out
    assert "deal" not in out.lower()


def test_there_and_back(capsys, files, tmp_path):
    status, out, _ = run(capsys, "convert", str(files["jieqi.pgn"]), "--to", "json")
    assert status == 0
    assert json.loads(out)["moves"] == ["h2h9Pp", "b9c7p", "a3a4A"]
    again = tmp_path / "again.json"
    again.write_text(out, encoding="utf-8")
    _, out, _ = run(capsys, "convert", str(again))
    assert out.rstrip("\n") == files["jieqi.pgn"].read_text(encoding="utf-8").rstrip("\n")
    _, text, _ = run(capsys, "convert", str(files["banqi.json"]), "--to", "platform")
    assert text == files["banqi.txt"].read_text()
    _, box, _ = run(capsys, "convert", str(files["jieqi.pgn"]), "--to", "jieqibox", "--view", "red")
    again.write_text(box, encoding="utf-8")
    (found,) = read_games(again.read_bytes())
    assert (found.format, found.game) == ("JieqiBox", "jieqi")
    assert found.value.moves()[0] == "h2h9Pp"


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["jieqi.pgn", "--view", "blue"], "there is no view 'blue'"),
        (["jieqi.pgn", "--to", "platform"], "can't be written as platform"),
        (["fanqi3.pgn", "--to", "jieqibox"], "JieqiBox plays jieqi"),
        (["luoqi.pgn", "--to", "platform"], "banqi by Taiwan rules"),
        (["sanguo.json", "--to", "sgf"], "can't be written as sgf"),
    ],
)
def test_what_can_not_be(capsys, files, words, what):
    status, out, err = run(capsys, "convert", str(files[words[0]]), *words[1:])
    assert status == 1
    assert what in err
    assert out == ""


def test_one_view_can_not_tell_another(capsys, files, tmp_path):
    _, out, _ = run(capsys, "convert", str(files["jieqi.pgn"]), "--to", "json", "--view", "black")
    mine = tmp_path / "black.json"
    mine.write_text(out)
    status, out, err = run(capsys, "show", str(mine), "--view", "red")
    assert status == 2
    assert "one view" in err
    assert run(capsys, "show", str(mine), "--view", "black")[0] == 0


def test_all_is_seen_in_go(capsys, tmp_path):
    file = tmp_path / "x.sgf"
    file.write_text("(;GM[1]SZ[5];B[aa])")
    status, _, err = run(capsys, "show", str(file), "--view", "red")
    assert status == 2
    assert "all is seen" in err


@pytest.mark.parametrize("cut", [0.3, 0.7, 0.95])
@pytest.mark.parametrize("name", NAMES)
def test_damaged_records_are_told(capsys, files, name, cut):
    text = files[name].read_text(encoding="utf-8")
    files[name].write_text(text[: int(len(text) * cut)], encoding="utf-8")
    status, _, err = run(capsys, "show", str(files[name]), "--all")
    assert status in (0, 2)
    assert (status == 0) == (err == "") or err.startswith("qiqiao show: ")
    assert "Traceback" not in err


def test_several_games_of_one_file(files):
    text = files["jieqi.pgn"].read_text(encoding="utf-8")
    files["jieqi.pgn"].write_text(f"{text}\n{text}", encoding="utf-8")
    assert [found.game for found in read_games(files["jieqi.pgn"].read_bytes())] == ["jieqi", "jieqi"]


def test_jieqi_in_every_notation_and_both_scripts(capsys):
    status, out, _ = run(capsys, "notate", "--game", "jieqi", "startpos", "炮二进七变兵", "馬２進３變卒", "a3a4A")
    assert status == 0
    said = [json.loads(line) for line in out.splitlines()]
    assert said[0] == {
        "coordinate": "h2h9P",
        "simplified": "炮二进七变兵",
        "traditional": "炮二進七變兵",
        "short": "炮2_7变兵",
    }
    assert said[1]["coordinate"] == "b9c7p"
    status, out, _ = run(capsys, "notate", "--game", "jieqi", "startpos", "h2h3P", "h2h4P")
    assert status == 2
    assert "error" in json.loads(out)


def test_a_position_is_judged(capsys, files):
    status, out, _ = run(capsys, "judge", "--game", "jieqi", "--json", "startpos", "h2h9P")
    said = json.loads(out)
    assert (status, said["to_move"], said["result"]) == (0, "black", None)
    bare = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - {} 60"
    status, out, _ = run(capsys, "judge", "--game", "jieqi", "--json", bare.format(78), "a0a1", "d9d8")
    assert json.loads(out)["result"] == {
        "winner": None,
        "reason": "natural-limit",
        "scores": [0.5, 0.5],
        "words": "natural limit",
        "words_zh_hans": "自然限着",
        "words_zh_hant": "自然限著",
    }
    # Perpetual check loses: the chariot checks with every move of the cycle.
    checks = ["a0a9", "d9d8", "a9a8", "d8d9"]
    moves = ["a8a9" if move == "a0a9" and number else move for number in range(3) for move in checks][:9]
    status, out, _ = run(capsys, "judge", "--game", "jieqi", "--json", bare.format(0), *moves)
    assert json.loads(out)["result"]["winner"] == "black"
    assert json.loads(out)["result"]["reason"] == "repetition"
    status, out, _ = run(capsys, "judge", "--game", "jieqi", bare.format(0), *moves)
    assert "Black has won" in out
    status, _, err = run(capsys, "judge", "--game", "jieqi", "9/9 w - - 0 1")
    assert status == 2
    assert err.startswith("qiqiao judge: ")


def test_a_result_of_thirds_is_no_move(capsys, tmp_path):
    record = own.record_of(random_game(Sanguo(seed=3), 6))
    record.reason, record.scores = "no-progress", [1 / 3] * 3
    file = tmp_path / "x.pgn"
    file.write_text(own.write_pgn(record))
    (found,) = read_games(file.read_bytes())
    assert found.fault == ""
    assert found.value.moves() == record.moves
