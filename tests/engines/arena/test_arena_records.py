from dataclasses import replace

from arena_match import played

from engines.arena.records import file_name, record_text
from engines.gametype import Opening, Turn
from engines.go.records import parse_record
from engines.xiangqi.records import read_pgn

NAMES = {0: "one", 1: "two"}


def test_sgf_holds_moves_clocks_and_scores():
    settings, kind, rows = played("go", event="a match")
    row = replace(rows[0], turns=(rows[0].turns[0]._replace(winrate=0.625, score=3.5, nodes=80), *rows[0].turns[1:]))
    record = parse_record(record_text(settings, kind, row, NAMES, "iccs"))
    assert (record.black_name, record.white_name, record.result) == ("one", "two", row.ending.result)
    assert len(record.moves) == 1 + len(row.turns)
    assert record.steps[0].seconds_left is None
    assert abs(record.steps[1].seconds_left - row.turns[0].left) < 0.001
    assert "win rate 62.5 %" in record.steps[1].comment and "80 playouts" in record.steps[1].comment
    assert record.main_time == 60 and record.overtime == "1 fischer" and record.info["EV"] == "a match"
    assert record.info["ON"] == "centre"


def test_sgf_of_a_handicap_game():
    settings, kind, rows = played("go", options={"size": (9, 9)})
    row = replace(rows[0], opening=Opening("B C3 G7 to W handicap 2"), turns=(Turn("E5"), Turn("pass")))
    record = parse_record(record_text(settings, kind, row, NAMES, "iccs"))
    assert record.handicap == 2 and len(record.setup.black) == 2
    assert [color for color, _ in record.moves] == [2, 1]


def test_pgn_holds_moves_clocks_and_scores():
    settings, kind, rows = played("xiangqi")
    row = replace(
        rows[1], turns=(rows[1].turns[0]._replace(score=-23, depth=9), *rows[1].turns[1:]), error="what it was"
    )
    for notation in ("iccs", "simplified", "wxf"):
        (record,) = read_pgn(record_text(settings, kind, row, NAMES, notation))
        assert record.tags["Red"] == "two" and record.tags["Black"] == "one" and record.result == row.ending.result
        assert record.tags["TimeControl"] == "60+1" and record.tags["Error"] == "what it was"
        assert record.tags["Round"] == "1.2" and record.tags["Opening"] == "central cannon"
        nodes = list(record.main_line())
        assert len(nodes) == 2 + len(row.turns)
        assert nodes[0].comment == "opening"
        assert "[%clk 0:01:0" in nodes[2].comment and "[%eval -0.23,9]" in nodes[2].comment


def test_pgn_of_an_accepted_draw_and_of_a_position():
    settings, kind, rows = played("xiangqi")
    fen = "3k5/9/9/9/9/9/9/9/4R4/4K4 b - - 0 1"
    row = replace(rows[0], opening=Opening(fen), turns=(Turn("d9d8"), Turn("")), first=1)
    (record,) = read_pgn(record_text(settings, kind, row, NAMES, "iccs"))
    assert record.fen == fen and len(record.moves()) == 1


def test_files_are_named_as_the_table_counts_them():
    _, kind, rows = played("xiangqi")
    assert file_name(rows[2], kind) == "match-2.pgn"
