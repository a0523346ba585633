"""PGN as Xiangqi programs write it: what stands behind games, results and checks in words, encodings, odd files."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from work import counted

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_name
from engines.xiangqi.records import (
    Record,
    RecordError,
    read_file,
    read_games,
    read_pgn,
    read_result,
    reading,
    write_pgn,
)

DATA = Path(__file__).resolve().parents[2] / "data/xiangqi/records"
OPENING = ["h2e2", "h9g7", "h0g2", "i9h9"]
MOVES = "1. 炮二平五 马8进7 2. 马二进三 车9平8"
ADVERTISEMENT = "欢迎访问《某某网站》\r\n推荐用“某某程序”观赏棋谱\r\nhttps://www.example.org/\r\n"


def names(record):
    return [move_name(move) for move in record.moves()]


@pytest.mark.parametrize("encoding", ["gbk", "utf-8", "utf-16"])
@pytest.mark.parametrize("rule", ["============================", "------", "* * *\r\n======", "~~~~", "＝＝＝＝"])
@pytest.mark.parametrize("result", ["", " *", " 1/2-1/2"])
def test_what_programs_end_their_files_with_is_left_out(encoding, rule, result):
    text = f'[Game "Chinese Chess"]\r\n[Red "甲"]\r\n\r\n{MOVES}{result}\r\n{rule}\r\n{ADVERTISEMENT}'
    (record,) = read_pgn(text.encode(encoding))
    assert (names(record), record.tags["Red"]) == (OPENING, "甲")
    assert record.result == (result.strip() or "*")
    assert any("left out" in note for note in record.notes)


@pytest.mark.parametrize("behind", [ADVERTISEMENT, "www.example.org\n", "（完）\n", "Please visit us!\n(c) somebody\n"])
@pytest.mark.parametrize("result", ["\n", " 1-0\n", " 红胜\n"])
def test_and_without_a_line_drawn(behind, result):
    (record,) = read_pgn(MOVES + result + behind)
    assert names(record) == OPENING


def test_the_next_game_is_found_behind_it():
    text = f'{MOVES}\n====\n{ADVERTISEMENT}\n[Red "b"]\n1. h2e2 *\n====\n广告\n1. b2e2 0-1\n'
    assert [names(record) for record in read_pgn(text)] == [OPENING, ["h2e2"], ["b2e2"]]


@pytest.mark.parametrize("middle", ["hello", "====", "广告"])
def test_what_stands_between_moves_is_no_end(middle):
    record, *more = read_games(f"1. 炮二平五 {middle} 马8进7 2. 马二进三")
    assert record.fault.startswith("move 1: ") and middle in record.fault and not more


@pytest.mark.parametrize(
    ("words", "result"),
    [
        ("红胜", "1-0"),
        ("紅勝", "1-0"),
        ("黑胜", "0-1"),
        ("先负", "0-1"),
        ("和棋", "1/2-1/2"),
        ("Red wins", "1-0"),
        ("Black won", "0-1"),
        ("1–0", "1-0"),
        ("1:0", "1-0"),
        ("０－１", "0-1"),
        ("1 - 0", "1-0"),
        ("½-½", "1/2-1/2"),
        ("黑方认输", "1-0"),
        ("红方超时判负", "0-1"),
        ("黑方超時負", "1-0"),
        ("红方中局获胜", "1-0"),
        ("黑负", "1-0"),
        ("红输", "0-1"),
        ("双方同意和棋", "1/2-1/2"),
        ("议和", "1/2-1/2"),
        ("绝杀", "*"),
        ("0.5-0.5", "1/2-1/2"),
        ("draw", "1/2-1/2"),
        ("*", "*"),
    ],
)
def test_results_in_other_words(words, result):
    assert read_result(words) == result
    (record,) = read_pgn(f"{MOVES} {words}")
    assert (record.result, record.tags["Result"]) == (result, result)
    (record,) = read_pgn(f'[Result "{words}"]\n{MOVES}')
    assert record.result == result
    assert read_pgn(write_pgn(record))[0].result == result


def test_words_that_are_no_result():
    words = ("", "hello", "2-0", "1", "将", "x" * 1000, "红方", "红方走", "黑马", "认输", "redder", "红胜黑")
    assert [read_result(word) for word in words] == [None] * len(words)


@pytest.mark.parametrize("head", ['{by somebody}\n[Red "a"]\n', '[Red "a"] ; a remark\n', '[Red "a"]\n{and more}\n'])
def test_a_remark_among_the_tags_begins_no_game(head):
    (record,) = read_pgn(f'{head}[Black "b"]\n\n{MOVES} 1-0\n')
    assert (names(record), record.tags["Red"], record.tags["Black"]) == (OPENING, "a", "b")
    text = '[Red "a"]\n{not played}\n[Red "b"]\n1. h2e2 *\n'
    assert [one.tags["Red"] for one in read_pgn(text)] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "1. h2e2+ h9g7# 2. h0g2++ i9h9",
        "1. C2=5+ H8+7 2. H2+3# R9=8†",
        "1. 炮二平五+ 马8进7 2. 马二进三（将） 车9平8",
        "1. 炮二平五 (好棋) 马8进7 2. 马二进三 （将军！） 车9平8 *",
        "1 炮二平五 马8进7 2 马二进三 车9平8",
        "1. 炮二平五! 马8进7? 2. 马二进三 $1 车9平8",
        "1. 炮二平五！ 马8进7？ 2. 马二进三 □ 车9平8= ∞ 1-0",
        "1. 炮二平五<br> 马8进7<br/>\n2. 马二进三 <b>车9平8</b> 1-0<br>\n<a href=x>more</a>",
    ],
)
def test_marks_of_check_and_remarks(text):
    (record,) = read_pgn(text)
    assert names(record) == OPENING


def test_a_remark_in_parentheses_is_kept():
    (record,) = read_pgn("1. 炮二平五 (好棋) 马8进7（将）")
    assert [node.comment for node in record.main_line()] == ["好棋", "将"]


@pytest.mark.parametrize("encoding", ["big5", "gbk", "utf-8", "utf-16", "utf-16-le", "utf-16-be"])
def test_big5_is_recognised(encoding):
    text = '[Event "中炮對屏風馬"]\n[Red "許銀川"]\n\n1. 炮二平五 馬８進７\n2. 馬二進三 車９平８ *\n'
    (record,) = read_pgn(text.encode(encoding))
    assert (names(record), record.tags["Event"], record.tags["Red"]) == (OPENING, "中炮對屏風馬", "許銀川")


def test_a_file_in_big5():
    (record,) = read_file(DATA / "big5.pgn")
    assert (record.tags["Event"], names(record)) == ("中炮對屏風馬", OPENING[:3])


def test_a_file_cut_off_in_the_middle_of_a_character():
    text = f'[Red "许银川"]\n{MOVES} {{很好的一着棋'
    (record,) = read_pgn(text.encode()[:-1])
    assert (names(record), record.tags["Red"]) == (OPENING, "许银川")


def test_games_that_are_no_good_do_not_end_the_reading():
    text = '[Red "a"]\n1. h2e2 h2e2\n[Red "b"]\n[Result "*"]\n[Red "c"]\n1. b2e2 *\n[FEN "9/9 w"]\n1. h2e2\n'
    games = read_games(text)
    assert [(names(game), bool(game.fault)) for game in games] == [
        (["h2e2"], True),
        (["b2e2"], False),
        ([], True),
    ]
    with pytest.raises(RecordError, match=r"^game 1: move 1: "):
        read_pgn(text)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"XQ\x0c\0\0\0\0\0", "XQStudio"),
        (b"CCBridge Record\0\0\0", "CCBridge"),
        (b"CCBridgeLibrary\0", "CCBridge"),
        (b"SQLite format 3\0", "opening book"),
        (b"PK\x03\x04\x14\0", "zip"),
        (bytes(range(32)) * 20, "binary"),
    ],
)
def test_a_binary_file_is_named_for_what_it_is(data, words):
    with pytest.raises(RecordError, match=words):
        read_pgn(data)


def test_deep_variations_are_read_and_written():
    deep, board = Record(), Board()
    node = deep.root
    for _ in range(400):
        one, other = board.legal_moves()[:2]
        node.add(one)
        node = node.add(other)
        board.play(other)
    (again,) = read_pgn(write_pgn(deep, "iccs"))
    assert write_pgn(again, "iccs") == write_pgn(deep, "iccs")


def test_limits_of_a_game(monkeypatch):
    monkeypatch.setattr(reading, "MAX_PLIES", 8)
    text = "h0g2 h9g7 g2h0 g7h9 " * 2
    assert len(read_pgn(text)[0].moves()) == 8
    assert read_games(text + "h0g2")[0].fault == "the game is longer than 8 plies"
    monkeypatch.setattr(reading, "MAX_DEPTH", 2)
    assert not read_games("h0g2 (b0c2 b9c7 (h9g7))")[0].fault
    assert "2 deep" in read_games("h0g2 (b0c2 b9c7 (h9g7 h0g2 (a0a1)))")[0].fault


HOSTILE = {
    "tags without end": lambda n: '[a "x" ' * n,
    "tags with backslashes": lambda n: '[a "x\\" ' * n,
    "tags": lambda n: '[a "x"]\n' * n,
    "quotes": lambda n: '[a "' + '" ' * n,
    "comments without end": lambda n: "1. h2e2 " + "{" * n,
    "comments": lambda n: "1. h2e2 " + "{a}" * n,
    "lines behind": lambda n: "1. h2e2\n" + "foo bar\n" * n,
    "lines before": lambda n: "1. h2e2\n" + "foo bar\n" * n + "h9g7",
    "numbers": lambda n: "1. h2e2 1-0\n" + "2. " * n,
    "remarks": lambda n: "1. h2e2 " + "(a)" * n,
    "parentheses": lambda n: "1. h2e2 " + "(" * n,
    "blanks": lambda n: "1. h2e2\n" + (" " * 20 + "x ") * n,
    "variations": lambda n: "1. h2e2 " + "(b2e2) " * (n // 4),
    "moves": lambda n: "h0g2 h9g7 g2h0 g7h9 " * (n // 8),
    "games": lambda n: "1. h2e2 1-0\n" * (n // 8),
    "a word": lambda n: "h" * n,
}


def work(monkeypatch, text):
    reading._looks.cache_clear()
    with counted(monkeypatch, [reading], scans=("_TAG",)) as counter:
        read_games(text)
    return counter.work


@pytest.mark.parametrize("name", HOSTILE)
def test_twice_the_text_is_twice_the_work(monkeypatch, name):
    once, twice = (work(monkeypatch, HOSTILE[name](size)) for size in (200, 400))
    assert once >= 50 and twice <= 2.2 * once + 300


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from(["[a ", '"', "]", "\\", "h2e2", "1.", "(", ")", "{", "}", "\n", " ", "foo", "*", "===", "1-0"]),
        min_size=1,
        max_size=6,
    ).map("".join)
)
def test_so_it_is_for_anything_repeated(monkeypatch, piece):
    once, twice = (work(monkeypatch, "1. h2e2 " + piece * size) for size in (40, 80))
    assert twice <= 2.2 * once + 400


def test_a_large_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.pgn"
    with open(path, "wb") as file:
        file.truncate(reading.MAX_BYTES + 1)
    with pytest.raises(OSError, match="larger than"):
        read_file(path)
