"""``qiqiao describe`` as it is called."""

import io
import json

import pytest
from record_files import GIB, NGF, UGF, cbl, cbr, xqf_enciphered
from support import DATA, ROOT

import qiqiao
from engines.go.words import TERMS as GO_TERMS
from engines.writers import TARGETS
from engines.xiangqi.records import read_pgn
from engines.xiangqi.words import TERMS as XIANGQI_TERMS
from protocols.commands.sources import locale_language

OPENING = "(;GM[1]FF[4]SZ[19]PB[甲]PW[乙];B[pd];W[dd];B[qp];W[fq]C[early];B[cf];W[fc];B[])"
PGN = '[Red "甲"]\n[Result "1-0"]\n\n1. 炮二平五 马８进７ 2. 马二进三 车９平８ 1-0\n'
MATE = "4k4/9/4N4/9/4C4/9/9/9/9/3K5 b - - 0 1"


def describe(capfdbinary, *words):
    status = qiqiao.main(["describe", *words])
    out, err = capfdbinary.readouterr()
    return status, out.decode("utf-8").splitlines(), err.decode("utf-8")


def objects(capfdbinary, *words):
    status, lines, _ = describe(capfdbinary, "--json", *words)
    assert status == 0
    return [json.loads(line) for line in lines]


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(OPENING, "utf-8")
    return str(path)


def test_a_game_of_go_as_objects(capfdbinary, game):
    said = objects(capfdbinary, game)
    assert said[0] == {"ply": 1, "side": "black", "move": "Q16", "terms": []}
    assert said[4] == {"ply": 5, "side": "black", "move": "C14", "terms": ["挂", "低挂"]}
    assert said[5]["side"] == "white" and said[5]["terms"] == ["小飞"]
    assert said[6] == {"ply": 7, "side": "black", "move": "pass", "terms": []}


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("zh-Hans", "  5  黑 C14   挂  低挂"),
        ("zh-Hant", "  5  黑 C14   掛  低掛"),
        ("en", "  5  Black C14   approach, low approach"),
    ],
)
def test_a_line_a_move_in_each_language(capfdbinary, game, language, line):
    assert describe(capfdbinary, game, "--language", language)[1][4] == line


def test_points_are_named_as_asked(capfdbinary, game):
    lines = describe(capfdbinary, game, "--language", "zh-Hans", "--coordinates", "target")[1]
    assert lines[0] == "  1  黑 a(4,4)" and lines[6] == "  7  黑 停一手"


def test_captures_atari_and_ko(capfdbinary, tmp_path):
    path = tmp_path / "ko.sgf"
    path.write_text("(;GM[1]SZ[5]AB[bb][ac][bd]AW[cb][dc][cd][bc];B[cc];W[bc])", "utf-8")
    said = objects(capfdbinary, str(path))
    assert said[0]["captured"] == 1 and said[0]["terms"][:2] == ["打劫", "提"]
    assert said[1]["repeats"] == 0


def test_a_set_up_alone_is_ply_0(capfdbinary, tmp_path):
    path = tmp_path / "setup.sgf"
    path.write_text("(;GM[1]SZ[9]AB[cc]AW[gg]PL[W])", "utf-8")
    assert objects(capfdbinary, str(path)) == [{"ply": 0, "side": None, "move": None, "terms": [], "to_move": "white"}]


def test_a_fen_is_ply_0_with_its_posts_and_its_mate(capfdbinary):
    [said] = objects(capfdbinary, MATE)
    assert said["ply"] == 0 and said["mate"]
    assert {"term": "马后炮", "mate": True} in said["position_terms"]
    [said] = objects(capfdbinary, "4k4/9/9/9/9/9/9/2N3N2/9/3K5", "w", "-", "-", "0", "1")
    assert {"term": "屏风马", "squares": ["c2", "g2"]} in said["position_terms"]


def test_moves_behind_a_position(capfdbinary):
    said = objects(capfdbinary, "startpos", "moves", "h2e2", "h9g7", "e2e6")
    assert [(one["ply"], one["side"], one["move"], one["notation"]) for one in said] == [
        (1, "red", "h2e2", "炮二平五"),
        (2, "black", "h9g7", "马8进7"),
        (3, "red", "e2e6", "炮五进四"),
    ]
    assert said[2]["captured"] == "soldier" and "空头炮" in said[2]["terms"]
    assert {"term": "空头炮", "squares": ["e6"]} in said[2]["position_terms"]


def test_the_end_tells_the_mate(capfdbinary):
    fen = "4ka3/4a4/9/7N1/9/9/9/4R4/5R3/3K5 w - - 0 1"
    lines = describe(capfdbinary, fen, "moves", "e2e8", "f9e8", "h6g8", "--language", "zh-Hans")[1]
    assert lines[-1].endswith("将死  大刀剜心  卧槽马  白脸将")


def test_repetition_is_told(capfdbinary):
    moves = ["h2h3", "h9g7", "h3h2", "g7h9"] * 2
    lines = describe(capfdbinary, "startpos", "moves", *moves, "--language", "en")[1]
    assert "the position for the 3. time" in lines[-2] and lines[-1].startswith("     ")


def test_standard_input_and_several_positions(capfdbinary, monkeypatch):
    lines = f"{MATE}\n\n# a comment\n4k4/9/9/9/9/9/9/9/9/3K5 w\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode()), "utf-8"))
    assert [(one["game"], one["ply"]) for one in objects(capfdbinary, "-")] == [(1, 0), (2, 0)]


def test_a_pgn_file(capfdbinary, tmp_path):
    path = tmp_path / "game.pgn"
    path.write_bytes('[Game "Chinese Chess"]\n[Red "红"]\n\n1. 炮二平五 马８进７\n2. 马二进三 *\n'.encode("gb18030"))
    assert [one["move"] for one in objects(capfdbinary, str(path))] == ["h2e2", "h9g7", "h0g2"]


def test_a_page(capfdbinary, game, tmp_path):
    page = tmp_path / "page.html"
    assert describe(capfdbinary, game, "--html", str(page), "--language", "zh-Hans")[0] == 0
    text = page.read_text("utf-8")
    assert (
        "甲 – 乙" in text
        and "低挂" in text
        and "<svg" in text
        and "early" in text
        and "http://" not in text.replace("http://www.w3.org", "")
    )


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["no-such-file"], "cannot read no-such-file"),
        (["9/9/9 w"], "cannot read"),
        (["4k4/9/9/9/9/9/9/9/9/4Z4 w"], "is no piece"),
        (["startpos", "moves", "a0a9"], "move 1"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capfdbinary, words, reason):
    status, lines, error = describe(capfdbinary, "--json", *words)
    assert status == 2 and not lines and reason in error and error.count("\n") == 1


def test_a_file_of_neither_game(capfdbinary, tmp_path):
    for name, text in (("empty", ""), ("letter", "Dear Sir,\nI beg to differ.\n")):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        assert describe(capfdbinary, str(path))[0] == 2


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-Hans"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_TW.UTF-8"}, "zh-Hant"),
        ({"LC_MESSAGES": "zh_HK"}, "zh-Hant"),
    ],
)
def test_the_locale_chooses_the_language(environment, language):
    assert locale_language(environment) == language


def test_a_professional_game(capfdbinary):
    """Kitani against Go Seigen (the moves as facts), read critically move by move before it was kept."""
    folder = DATA / "words"
    lines = describe(capfdbinary, str(folder / "kitani-go.sgf"), "--language", "zh-Hans")[1]
    assert lines == (folder / "kitani-go.txt").read_text("utf-8").splitlines()


def test_every_word_is_named_in_each_language_and_in_the_docs():
    text = (ROOT / "docs" / "words.md").read_text("utf-8")
    for term in (*GO_TERMS.values(), *XIANGQI_TERMS.values()):
        assert term.simplified in text and term.traditional and term.english.isascii(), term


# ---- every format of convert


def written(tmp_path, target, record=PGN):
    """A record in another format, under a name that says nothing."""
    source, path = tmp_path / "source.record", tmp_path / f"given-{target}"
    source.write_text(record, "utf-8")
    assert qiqiao.main(["convert", str(source), "--to", target, "--output", str(path)]) == 0
    return str(path)


@pytest.mark.parametrize("target", [name for name, target in TARGETS.items() if target.game in ("", "xiangqi")])
def test_xiangqi_is_told_from_every_format(capfdbinary, tmp_path, target):
    path = written(tmp_path, target)
    capfdbinary.readouterr()
    assert [one["move"] for one in objects(capfdbinary, path)] == ["h2e2", "h9g7", "h0g2", "i9h9"]


@pytest.mark.parametrize("form", ["XQF", "CBR", "CBL"])
def test_binary_records_are_told(capfdbinary, tmp_path, form):
    (record,) = read_pgn(PGN)
    made = {"XQF": lambda: xqf_enciphered(record, 12), "CBR": lambda: cbr(record), "CBL": lambda: cbl([record, record])}
    path = tmp_path / "record"
    path.write_bytes(made[form]())
    said = objects(capfdbinary, str(path))
    assert len(said) == (8 if form == "CBL" else 4) and said[-1]["move"] == "i9h9"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (GIB, ("black", "R17")),
        (NGF.format(handicap=0), ("black", "R16")),
        (UGF, ("white", "R3")),  # a handicap game
        ("B:D4 W:Q16\n", ("black", "D4")),
        ("1. B D4 W Q16\n", ("black", "D4")),
    ],
)
def test_go_is_told_from_every_format(capfdbinary, tmp_path, text, first):
    path = tmp_path / "record"
    path.write_text(text, "utf-8")
    said = objects(capfdbinary, str(path))
    assert (said[0]["side"], said[0]["move"]) == first


@pytest.mark.parametrize("target", ["text", "moves"])
def test_go_s_own_lists_are_told(capfdbinary, game, tmp_path, target):
    path = str(tmp_path / "list")
    assert qiqiao.main(["convert", game, "--to", target, "--output", path]) == 0
    capfdbinary.readouterr()
    assert [one["move"] for one in objects(capfdbinary, path)][:3] == ["Q16", "D16", "R4"]


def test_a_game_that_cannot_be_told_does_not_hide_the_others(capfdbinary, tmp_path):
    (record,) = read_pgn(PGN)
    path = tmp_path / "library"
    path.write_text(f'[FEN "9/9/9/9/9/9/9/9/9/9 w"]\n\n*\n\n{PGN}', "utf-8")
    status, lines, err = describe(capfdbinary, "--json", str(path))
    assert status == 0 and len(lines) == len(record.moves()) and "game 1" in err
    assert json.loads(lines[0])["move"] == "h2e2"
