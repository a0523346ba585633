"""SGF files that a game goes on in: nothing in them is lost."""

import pytest

from engines.go.points import BLACK, PASS, WHITE
from engines.go.record_document import RecordDocument
from engines.go.records import RecordError, parse_record
from engines.go.vertex import parse_vertex

FILE = (
    "(;GM[1]FF[4]SZ[9]PB[Hu]PW[Xu]EV[Cup]XX[unknown]C[first word]"
    ";B[ee]C[the middle];W[cg](;B[gc]LB[gc:A];W[gg])(;B[cc]))"
)


def at(name):
    return parse_vertex(name, 9, 9)


E5, C3, G7, G3, D4 = (BLACK, at("E5")), (WHITE, at("C3")), (BLACK, at("G7")), (WHITE, at("G3")), (BLACK, at("D4"))


@pytest.fixture
def kept(tmp_path):
    def make(text):
        path = tmp_path / "game.sgf"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return RecordDocument(path)

    return make


def test_moves_that_go_on_come_after_the_main_line(kept):
    text = kept(FILE).text([E5, C3, G7, G3, D4], "B+R")
    read = parse_record(text)
    assert read.moves == (E5, C3, G7, G3, D4)
    assert (read.black_name, read.white_name, read.result, read.info["EV"]) == ("Hu", "Xu", "B+R", "Cup")
    for part in ("XX[unknown]", "C[first word]", "C[the middle]", "LB[gc:A]", "(;B[cc])"):
        assert part in text


@pytest.mark.parametrize(
    "moves,variation",
    [
        ([E5, C3, D4], "(;B[gc]LB[gc:A];W[gg])(;B[cc])"),
        ([E5, C3, G7, (WHITE, PASS)], "(;W[gg])"),
        ([E5, (WHITE, at("A1"))], "(;W[cg](;B[gc]LB[gc:A];W[gg])(;B[cc]))"),
        ([E5, C3], "(;B[gc]LB[gc:A];W[gg])(;B[cc])"),
        ([E5], "(;W[cg](;B[gc]LB[gc:A];W[gg])(;B[cc]))"),
        ([], "(;B[ee]C[the middle];W[cg](;B[gc]LB[gc:A];W[gg])(;B[cc]))"),
    ],
    ids=["another", "a pass", "early", "taken back", "more taken back", "all taken back"],
)
def test_what_differs_stays_as_a_variation(kept, moves, variation):
    text = kept(FILE).text(moves, "")
    assert parse_record(text).moves == tuple(moves)
    assert variation in text.replace("\n", "") and "RE[" not in text


def test_taken_back_and_gone_on_with_again(kept):
    text = kept(FILE).text([E5], "")
    again = kept(text).text([E5, (WHITE, at("A1"))], "")
    assert parse_record(again).moves == (E5, (WHITE, at("A1"))) and "W[gg]" in again


def test_a_move_in_the_root(kept):
    file = kept("(;SZ[9]PB[Hu]B[ee];W[cg])")
    assert parse_record(file.text([E5, C3, G7], "")).moves == (E5, C3, G7)
    text = file.text([D4], "")
    assert parse_record(text).moves == (D4,) and "(;B[ee];W[cg])" in text and "PB[Hu]" in text


def test_the_same_game_is_the_same_record(kept):
    file = kept(FILE.replace("PB", "RE[W+3.5]PB"))
    assert parse_record(file.text([E5, C3, G7, G3], "W+3.5")) == file.record


def test_other_encodings_become_utf8(kept):
    text = kept("(;CA[GBK]SZ[9]PB[胡荣华];B[ee])".encode("gbk")).text([E5, C3], "")
    assert "PB[胡荣华]" in text and "CA[UTF-8]" in text


def test_several_games_are_refused(kept):
    with pytest.raises(RecordError, match="holds 2 games"):
        kept("(;SZ[9];B[ee])(;SZ[9];B[cc])")
