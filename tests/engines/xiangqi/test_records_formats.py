"""Formats of Xiangqi's records: XQF, CBR, CBL, CBF, DhtmlXQ and lists, read and written."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from record_files import cbl, cbr, xqf_enciphered

from engines.records import FormatError, Options, read_games
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_name
from engines.xiangqi.notation import NOTATIONS, MoveNames
from engines.xiangqi.records import Record, read_pgn, write_pgn
from engines.xiangqi.records.cbf import read_cbf, write_cbf
from engines.xiangqi.records.dhtmlxq import read_dhtmlxq, write_dhtmlxq
from engines.xiangqi.records.lists import read_list
from engines.xiangqi.records.writing import NOTATIONS as PGN_NOTATIONS
from engines.xiangqi.records.writing import write_text
from engines.xiangqi.records.xqf import read_xqf, write_xqf

ENDING = "3k5/4P4/9/9/9/9/9/9/4p4/5K3 b - - 0 1"
STARTS = ("", ENDING, "2bak4/4a4/4b4/9/6NRR/2B6/1rP1P4/3pB4/4p4/3K5 w - - 0 1")


def read(data, **how):
    return [found.value for found in read_games(data, Options(**how))]


def names(record):
    return [move_name(move) for move in record.moves()]


@st.composite
def records(draw, comments=True):
    """Games with variations, comments, a set-up and texts."""
    fen = draw(st.sampled_from(STARTS))
    rng = random.Random(draw(st.integers(0, 2**32)))
    words = st.sampled_from(["", "", "好棋", "一\n二", "a b", "車馬｜", "|x|", "<&>[b]\\u0041"])
    record = Record({"FEN": fen} if fen else {})
    record.tags["Result"] = draw(st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]))
    for tag in ("Title", "Event", "Red", "Black"):
        text = draw(st.sampled_from(["", "甲", "Red player", "胡荣华"]))
        if text:
            record.tags[tag] = text
    if comments:
        record.root.comment = draw(words)
    lengths = draw(st.lists(st.integers(0, 12), min_size=1, max_size=4))
    nodes = [([], record.root)]
    for length in lengths:
        way, node = nodes[rng.randrange(len(nodes))]
        board = Board(record.fen, strict=False)
        for move in way:
            board.play(move)
        for _ in range(length):
            moves = board.legal_moves()
            if not moves:
                break
            move = rng.choice(moves)
            board.play(move)
            node = node.add(move)
            way = [*way, move]
            if comments and not node.comment:
                node.comment = draw(words)
            nodes.append((way, node))
    return record


@given(records())
def test_xqf_is_read_as_written(record):
    assert read_xqf(write_xqf(record)[0], "gb18030") == record


@given(records(), st.sampled_from([11, 12, 13, 18]), st.binary(min_size=13, max_size=13))
def test_enciphered_xqf(record, version, keys):
    assert read_xqf(xqf_enciphered(record, version, keys), "gb18030") == record


@given(records())
def test_dhtmlxq_is_read_as_written(record):
    text, lost = write_dhtmlxq(record)
    (again,) = read_dhtmlxq(text)
    assert again == record and not lost


@given(records())
def test_cbf_has_the_main_line(record):
    text, lost = write_cbf(record)
    (again,) = read_cbf(text)
    assert again.moves() == record.moves() and again.tags == record.tags
    assert [node.comment for node in again.main_line()] == [node.comment for node in record.main_line()]
    assert again.root.comment == record.root.comment
    branched = any(len(node.lines) > 1 for node in [record.root, *record.main_line()])
    assert ("variations" in lost) == branched


@given(records(), st.sampled_from([1, 2]))
def test_cbr(record, version):
    (again,) = read(cbr(record, version))
    assert again == record


@given(st.lists(records(), min_size=1, max_size=4))
def test_cbl(games):
    again = read(cbl(games))
    assert again == games


@given(records(comments=False), st.sampled_from(PGN_NOTATIONS))
def test_pgn_in_each_notation(record, notation):
    (again,) = read_pgn(write_pgn(record, notation))
    assert again.root == record.root and again.result == record.result


@given(records(comments=False))
def test_plain_text(record):
    (again,) = read_list(write_text(record))
    assert again.root == record.root
    kept = {name: value for name, value in again.tags.items() if (name, value) != ("Result", "*")}
    wanted = {name: value for name, value in record.tags.items() if (name, value) != ("Result", "*")}
    assert {name: kept.get(name) for name in wanted if name != "FEN"} == {
        name: value for name, value in wanted.items() if name != "FEN"
    }


OPENING = ["h2e2", "h9g7", "h0g2", "i9h9"]


@pytest.mark.parametrize(
    "text",
    [
        "h2e2 h9g7 h0g2 i9h9",
        "H2E2 H9G7 H0G2 I9H9",
        "h2e2h9g7h0g2i9h9",
        "h3e3 h10g8 h1g3 i10h10",
        "H2-E2 H9-G7 H0-G2 I9-H9",
        "h2-e2, h9-g7, h0-g2, i9-h9",
        "1. h2e2 h9g7\n2. h0g2 i9h9\n",
        "炮二平五 马8进7 马二进三 车9平8",
        "炮二平五马8进7马二进三车9平8",
        "炮二平五\n马8进7\n马二进三\n车9平8",
        "1.炮二平五 馬８進７ 2.馬二進三 車９平８",
        "C2=5 H8+7 H2+3 R9=8",
        "C2.5 h8+7 H2+3 r9.8",
        "Che2 Hg7 Hg2 Rh9",
        "Che3 Hg8 Hg3 Rh10",
        "position startpos moves h2e2 h9g7 h0g2 i9h9",
        '["rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", "H2-E2", "H9-G7", "H0-G2", "I9-H9"]',
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7 h0g2 i9h9",
        "7747706279678070",
        "中国象棋对局记录\n红方：甲\n（开头）\n 1. 炮二平五 马8进7\n（好）\n 2. 马二进三 车9平8\n红方胜",
        "[DhtmlXQ_movelist]7747706279678070[/DhtmlXQ_movelist]",
        "[DhtmlXQHTML][DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]"
        "[DhtmlXQ_movelist]7747706279678070[/DhtmlXQ_movelist][/DhtmlXQHTML]",
        "[DHJHtmlXQ][DHJHtmlXQ_34]7242796770628979[/DHJHtmlXQ_34][/DHJHtmlXQ]",
        "START{ 1. C2.5 H8+7 2. H2+3 R9.8 }END",
    ],
)
def test_lists(text):
    (record,) = read(text.encode())
    assert names(record) == OPENING and not record.fault


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "big5"])
def test_encodings(encoding):
    text = '[Game "Chinese Chess"]\n[Red "王"]\n1. 炮二平五 馬8進7 2. 馬二進三 車9平8 {象棋}\n'
    (record,) = read(text.encode(encoding))
    assert names(record) == OPENING and record.tags["Red"] == "王"


def test_vietnamese():
    import unicodedata

    text = unicodedata.normalize("NFD", "Nguyễn thắng ván cờ, đi đúng")
    text = text.replace("e\u0302", "ê").replace("a\u0306", "ă").replace("o\u031b", "ơ")
    record = Record({"Result": "*"})
    record.root.add(Board().legal_moves()[0]).comment = text
    data = xqf_enciphered(record, 18, encoding="cp1258")
    assert next(read_xqf(data).main_line()).comment == text
    assert read_xqf(data).encoding == "cp1258"


def test_ranks_are_found_by_the_whole_game():
    fen = '[FEN "4k4/9/9/9/4C4/4R4/9/9/9/3K5 w"]\n'
    (record,) = read((fen + "e5d5 *").encode())
    assert names(record) == ["e5d5"] and "ranks may count" in record.notes[0]
    (record,) = read((fen + "e5d5 *").encode(), rank_base=1)
    assert names(record) == ["e4d4"] and not record.notes


def test_an_illegal_move_ends_the_line_and_is_told():
    (record,) = read(b"[DhtmlXQ_movelist]77477062796700000919[/DhtmlXQ_movelist]")
    assert names(record) == OPENING[:3] and "move 2" in record.fault


def test_what_is_cut_off_is_read_as_far_as_it_goes():
    record = Record({"Result": "*"})
    node = record.root
    board = Board()
    for _ in range(30):
        node = node.add(board.legal_moves()[0])
        board.play(node.move)
    for data in (write_xqf(record)[0], cbr(record)):
        (again,) = read(data[:-30])
        assert 0 < len(again.moves()) < 30 and again.moves() == record.moves()[: len(again.moves())]
        assert "cut off" in again.notes[0]


def test_a_saved_page():
    text, _ = write_dhtmlxq(read(b"h2e2 h9g7 h0g2 i9h9")[0])
    page = f"<html><head><title>x</title></head><body>1. text<div class='a'>{text}</div><p>h2e2</p></body></html>"
    (record,) = read(page.encode("gb18030"))
    assert names(record) == OPENING


def test_what_is_no_record():
    for data in (b"", b"hello world, this is no record at all", b"PK\x03\x04\x14\0", b"XQ\x0a" + bytes(100)):
        with pytest.raises(FormatError):
            list(read_games(data))


@pytest.mark.parametrize("fen", STARTS)
def test_algebraic(fen):
    board = Board(fen or Record().fen, strict=False)
    rng = random.Random(3)
    for _ in range(60):
        moves = board.legal_moves()
        if not moves:
            break
        named = MoveNames(board)
        for move in moves:
            for base in (0, 1):
                assert named.read(named.write_algebraic(move, base), base) == move
        board.play(rng.choice(moves))
    assert "algebraic" not in NOTATIONS


def test_games_parted_by_their_headings():
    text = "ZHAO GuoRong - KE YongQing\nCup 1997\nh2e2 h9g7\nh0g2 i9h9\nLIU DaHua - LV Qin\nb2e2 b9c7\n"
    assert [names(record) for record in read(text.encode())] == [OPENING, ["b2e2", "b9c7"]]


def test_a_comment_of_several_lines_before_other_moves_hides_none():
    text = "Title: x\n\n{begins} 1. 马二进一 {one\ntwo} 1. ... 车１进１ 2. 车一进一 *\n"
    (found,) = read_games(text.encode())
    assert found.value is not None and len(found.value.moves()) == 3 and not found.fault
