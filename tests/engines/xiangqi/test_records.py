"""Records: PGN as others write it is read, what is written reads back the same, files are whole at all times."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.xiangqi.board import Board
from engines.xiangqi.fen import START_FEN
from engines.xiangqi.geometry import move_name
from engines.xiangqi.notation import read_move
from engines.xiangqi.records import Node, Record, Recorder, RecordError, read_file, read_pgn, save, write_pgn

STUDY = Path(__file__).resolve().parents[2] / "data/xiangqi/study.pgn"
OPENING = ["h2e2", "h9g7", "h0g2", "i9h9"]


def moves_of(*names, fen=START_FEN):
    """The moves of coordinate names played from a position."""
    board = Board(fen)
    for name in names:
        board.play(read_move(board, name))
    return board.history


def names(record):
    """The main line as coordinates."""
    return [move_name(move) for move in record.moves()]


def test_study():
    (record,) = read_file(STUDY)
    assert record.tags["Event"] == 'A "quoted" study'
    assert record.tags["Site"] == 'Test "bench" \\ hall'
    assert record.root.comment == "Before the first move."
    assert names(record) == [*OPENING, "i0h0", "c9e7", "c3c4", "d9e8"]
    line = list(record.main_line())
    assert line[1].comment == "The screen horse."
    assert line[4].marks == ["$14"]
    assert line[5].comment == "to the end of the line"
    assert line[7].comment == "After the result."
    other = line[2].lines[1]
    assert (move_name(other.move), other.comment) == ("i9i8", "The other way.")
    assert [move_name(node.move) for node in other.lines] == ["i0h0", "i0i1"]
    assert other.lines[1].marks == ["!"]
    assert move_name(other.lines[1].lines[0].move) == "b9c7"
    assert record.board().history == record.moves()


@pytest.mark.parametrize("notation", ["simplified", "traditional", "wxf", "iccs"])
def test_what_is_written_reads_back(notation):
    (record,) = read_file(STUDY)
    text = write_pgn(record, notation)
    (again,) = read_pgn(text)
    assert again.root == record.root
    assert {name: again.tags[name] for name in record.tags} == record.tags
    assert write_pgn(again, notation) == text
    assert text.startswith('[Game "Chinese Chess"]\n')


def test_layout():
    record = Record({"Red": "甲", "Result": "1-0", "FEN": START_FEN.replace(" w ", " b ").replace(" 1", " 7")})
    record.follow(moves_of("h9g7", "h2e2", fen=record.fen))
    assert write_pgn(record, "wxf").splitlines() == [
        '[Game "Chinese Chess"]',
        '[Event ""]',
        '[Site ""]',
        '[Date ""]',
        '[Round ""]',
        '[Red "甲"]',
        '[Black ""]',
        '[Result "1-0"]',
        f'[FEN "{record.fen}"]',
        '[Format "WXF"]',
        "",
        "7. ... H8+7 8. C2=5 1-0",
    ]
    with pytest.raises(ValueError, match="no record is written in 'short'"):
        write_pgn(record, "short")


@pytest.mark.parametrize(
    "text",
    [
        "1. H2-E2 H9-G7 2. H0-G2 I9-H9",
        "1. h2e2 h9g7 2. h0g2 i9h9",
        "1. h3e3 h10g8 2. h1g3 i10h10 1/2-1/2",
        "1. C2.5 H8+7 2. H2+3 R9.8 *",
        "1.炮二平五 马8进7 2.马二进三 车9平8",
        "1.炮二平五 马8进7\r\n2.马二进三\t车9平8\r\n",
        "炮二平五 马8进7 馬二進三 車9平8",
        "1. Che2 Hg7 2. Hg2 Rh9",
        "1. 炮二平五 {一} 1... 马8进7 2. 马二进三 2… 车9平8 1-0",
        '[Format "Chinese"]\n1. C2=5 H8+7 2. H2+3 R9=8',
        "１．炮二平五　马８进７　２．马二进三　车９平８",
        "1．炮二平五 马８进７ 2．马二进三 车９平８",
        "1、炮二平五 马8进7 2、马二进三 车9平8",
        "1、C2=5 H8+7 2、 H2+3 R9=8 *",
        "1. 炮二平五 马8进7 2. 马二进三 车9平8 *\n\x1a",
        "1. 炮二平五 马8进7 2. 马二进三 车9平8\x1a",
        "1. 炮二平五 马8进7 2. 马二进三 车9平8 1-0\n\0\0\0",
        "\ufeff1. 炮二平五 马8进7 2. 马二进三 车9平8",
        "1. 62.5 48+7 2.42+3 59.8 *",
        "% an escaped line\n1. 炮二平五 马8进7 2. 马二进三 车9平8",
    ],
)
def test_forms_of_movetext(text):
    (record,) = read_pgn(text)
    assert names(record) == OPENING
    assert read_pgn(text.encode()) == [record]


def test_ends_of_files_put_together():
    one, other = read_pgn(b'[Red "a"]\n1. h2e2 *\n\x1a[Red "b"]\n1. b2e2 *\n\x1a\x1a')
    assert (names(one), names(other), other.tags["Red"]) == (["h2e2"], ["b2e2"], "b")


def test_ranks_from_one_hold_for_the_whole_game():
    text = '[FEN "3k5/9/9/9/4R4/4R4/9/9/9/5K3 w"]\n1. e5a5 d10d9'
    assert names(read_pgn(text)[0]) == ["e4a4", "d9d8"]


def test_numbered_soldiers_against_move_numbers():
    fen = "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w - - 0 1"
    assert names(read_pgn(f'[FEN "{fen}"]\n1. 25=6 K4+1 2.25=6')[0]) == ["e6d6", "d9d8", "e5d5"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030"])
def test_encodings(encoding):
    data = '[Red "吕钦"]\n[Black "许银川"]\n1. 炮二平五 馬８進７ {好棋} 1-0'.encode(encoding)
    (record,) = read_pgn(data)
    assert record.tags["Red"] == "吕钦"
    assert names(record) == OPENING[:2]
    assert record.result == "1-0"


def test_named_encoding():
    (record,) = read_pgn('[Red "陳"]\n1. 炮二平五'.encode("big5"), encoding="big5")
    assert record.tags["Red"] == "陳"


def test_several_games():
    text = '[Red "a"]\n\n1. h2e2 *\n\n[Red "b"]\n[Black "c"]\n\n1. b2e2 h9g7 1-0\n1. h0g2 0-1\n[Red "d"]\n'
    records = read_pgn(text)
    assert [(record.tags.get("Red"), names(record), record.result) for record in records] == [
        ("a", ["h2e2"], "*"),
        ("b", ["b2e2", "h9g7"], "1-0"),
        (None, ["h0g2"], "0-1"),
        ("d", [], "*"),
    ]
    assert read_pgn("") == read_pgn(" \n") == []


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1. h2e2 (1. b0c2 1-0) h9g7 *", "*"),
        ("1. h2e2 h9g7 (1. ... b9c7 (1. ... h7e7 *) 2. b0c2 0-1) 1-0", "1-0"),
        ("1. h2e2 h9g7 1-0 (1. ... b9c7 0-1)", "1-0"),
        ("1. h2e2 h9g7 1-0 {and if} (1. ... b9c7 2. b0c2 {so} 2. ... h9g7 0-1) (1. ... h7e7)", "1-0"),
    ],
)
def test_a_variation_may_have_a_result_and_stand_behind_one(text, result):
    one, other = read_pgn(f"{text} 1. h0g2 0-1" if result != "*" else f'{text} [Event "next"] 1. h0g2 0-1')
    assert (names(one), one.result) == (["h2e2", "h9g7"], result)
    assert (names(other), other.result) == (["h0g2"], "0-1")
    assert sum(len(node.lines) - 1 for node in [one.root, *one.main_line()] if node.lines) > 0


@pytest.mark.parametrize(
    ("text", "reason", "moves"),
    [
        ("1. 炮二平五 马8进7 2. 炮二平五 车9平8", "game 1: move 2: '炮二平五' fits no legal move", 2),
        ("1. h2e2 hello", "move 1: 'hello' is no move", 1),
        ("1. h2e2 (h9g7", "game 1: .*no legal|it is Red's turn", 1),
        ("1. h2e2 (b2e2", "a variation never ends", 1),
        ("1. h2e2 ) h9g7", "a variation ends that never began", 1),
        ("(h2e2)", "a variation begins before any move", 0),
        ("1. h2e2 }", "'}' is out of place", 1),
        ('[FEN "9/9 w"]\n1. h2e2', "2 ranks, not 10", 0),
    ],
)
def test_faults_are_named_and_keep_what_was_read(text, reason, moves):
    with pytest.raises(RecordError, match=reason) as error:
        read_pgn(text)
    assert len(error.value.records[-1].moves()) == moves


def test_a_comment_never_closed_lasts_to_the_end():
    (record,) = read_pgn("1. h2e2 {so far 2. h0g2")
    assert names(record) == ["h2e2"]
    assert next(record.main_line()).comment == "so far 2. h0g2"


def test_braces_in_a_comment_are_kept_readable():
    record = Record(root=Node(lines=[Node(moves_of("h2e2")[0], "a {b} c")]))
    (again,) = read_pgn(write_pgn(record))
    assert next(again.main_line()).comment == "a {b｝ c"


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 400), st.integers(0, 20), st.text(st.sampled_from('(){};[]"\\$1.*-0 炮二平五\n'), max_size=6))
def test_any_text_is_read_or_refused(start, length, text):
    study = STUDY.read_text(encoding="utf-8")
    try:
        records = read_pgn(study[:start] + text + study[start + length :])
    except RecordError as error:
        assert str(error)
    else:
        assert all(read_pgn(write_pgn(record)) for record in records)


def test_random_trees_round_trip():
    rng = random.Random(11)
    for _ in range(12):
        board = Board()
        record = Record()
        nodes = [record.root]
        for _ in range(40):
            node = rng.choice([nodes[-1], rng.choice(nodes)])
            path = find(record.root, node)
            board = Board()
            for move in path:
                board.play(move)
            if legal := board.legal_moves():
                made = node.add(rng.choice(legal))
                made.comment = rng.choice(["", "", "一句 comment"])
                nodes.append(made)
        for notation in ("simplified", "wxf"):
            (again,) = read_pgn(write_pgn(record, notation))
            assert again.root == record.root


def find(root, node):
    """The moves from the root to a node."""
    if root is node:
        return []
    for line in root.lines:
        if (path := find(line, node)) is not None:
            return [line.move, *path]
    return None


def test_recorder_is_complete_after_every_move(tmp_path):
    recorder = Recorder(tmp_path / "games", {"Red": "甲", "Black": "qiqiao"})
    assert recorder.path is None
    played = []
    for move in moves_of(*OPENING):
        played.append(move)
        recorder.follow(played)
        assert read_file(recorder.path)[0].moves() == played
    recorder.finish("0-1", "time")
    (record,) = read_file(recorder.path)
    assert (record.result, record.tags["Termination"], record.tags["Red"]) == ("0-1", "time", "甲")
    assert [path.name for path in (tmp_path / "games").iterdir()] == [recorder.path.name]
    with pytest.raises(ValueError, match="no result"):
        recorder.finish("2-0")


def test_recorder_keeps_what_is_taken_back(tmp_path):
    recorder = Recorder(tmp_path)
    first = moves_of(*OPENING)
    recorder.follow(first)
    recorder.follow(first[:2])
    assert read_file(recorder.path)[0].moves() == first
    second = moves_of("h2e2", "h9g7", "c3c4")
    recorder.follow(second)
    (record,) = read_file(recorder.path)
    assert record.moves() == second
    variation = list(record.main_line())[1].lines[1]
    assert (move_name(variation.move), variation.comment) == ("h0g2", "taken back 悔棋")


def test_two_recorders_do_not_share_a_file(tmp_path):
    recorders = [Recorder(tmp_path) for _ in range(3)]
    for recorder in recorders:
        recorder.follow(moves_of("h2e2"))
    assert len({recorder.path for recorder in recorders}) == 3


def test_saving_in_gbk(tmp_path):
    record = Record({"Red": "甲"})
    record.follow(moves_of("h2e2"))
    path = tmp_path / "game.pgn"
    save(record, path, "traditional", "gbk")
    assert "炮二平五".encode("gbk") in path.read_bytes()
    assert read_file(path)[0].tags["Red"] == "甲"


def test_what_is_taken_back_does_not_stand_and_is_marked_once():
    first = moves_of("h2e2", "h9g7")
    record = Record()
    record.follow(first)
    for _ in range(2):
        record.follow(first[:1])
        (read,) = read_pgn(write_pgn(record))
        assert (read.moves(), read.standing()) == (first, first[:1])
        assert list(read.main_line())[1].comment == "taken back 悔棋"
    record.follow(first)
    assert record.standing() == first and list(record.main_line())[1].comment == ""


CYCLE = ("h2e2", "h9g7", "e2h2", "g7h9")


def test_variations_nested_without_end_are_a_plain_error():
    record = Record()
    node, board = record.root, Board()
    for ply in range(800):
        node.lines = [Node(read_move(board, text)) for text in (("a3a4", "a6a5")[ply % 2], CYCLE[ply % 4])]
        node = node.lines[1]
        board.play(node.move)
    with pytest.raises(ValueError, match="nested too deeply"):
        write_pgn(record)
