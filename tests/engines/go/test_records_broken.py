"""SGF as it comes: cut off, a little broken, in unknown encodings, with komi and handicap in others' ways."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from engines.go.points import BLACK, WHITE
from engines.go.records import Record, RecordError, format_record, parse_record, read_record
from engines.go.records.komi import read_komi
from engines.go.vertex import format_vertex

DATA = Path(__file__).resolve().parents[2] / "data/go/records"
FOUR = ["B C7", "W G3", "B G7", "W C3"]


def moves(record):
    return [f"{'.BW'[color]} {format_vertex(point, record.width, record.height)}" for color, point in record.moves]


@pytest.mark.parametrize(
    ("name", "komi"),
    [
        ("fox_real_header", 7.5),
        ("sgfc20", 6.5),
        ("sgfc20b", 7.5),
        ("km_zi_2.75", 5.5),
        ("km_zi_3.25", 6.5),
        ("km_zi_3.75", 7.5),
    ],
)
def test_komi_as_servers_write_it(name, komi):
    record = read_record(DATA / f"{name}.sgf")
    assert (record.komi, record.notes) == (komi, ())


@pytest.mark.parametrize(
    ("text", "programs", "rules", "komi"),
    [
        ("375", ["GNU Go:3.8", "foxwq"], "Chinese", 7.5),
        ("375", ["foxwq", "GNU Go:3.8"], "", 7.5),
        ("275", ["SGFC:2.0"], "", 5.5),
        ("325", ["SGFC:2.0"], "Chinese", 6.5),
        ("350", ["foxwq"], "Chinese", 7.0),
        ("550", ["SGFC:2.0"], "Japanese", 5.5),
        ("750", ["foxwq"], "", 7.5),
        ("50", ["foxwq"], "Japanese", 0.5),
        ("0", ["foxwq"], "Chinese", 0),
        ("6.5", ["foxwq"], "Japanese", 6.5),
        ("375", [], "Chinese", 7.5),
        ("650", ["CGoban:3"], "Japanese", 6.5),
        ("375", [], "", 375),
        ("375", ["qiqiao:1.0"], "Chinese", 375),
        ("3.75", ["qiqiao:1.0"], "Chinese", 3.75),
        ("3.75", [], "", 7.5),
        ("3.75", [], "Japanese", 3.75),
        ("0.25", [], "Chinese", 0.5),
        ("3.5", [], "Chinese", 3.5),
        ("7.5", [], "Chinese", 7.5),
        ("-3.75", [], "Chinese", -7.5),
        ("3又3/4子", [], "Chinese", 7.5),
        ("3¾子", [], "", 7.5),
        ("3.75子", [], "", 7.5),
        ("7目半", [], "", 7.5),
        ("黑贴3又3/4子", [], "", 7.5),
        ("貼6目半", [], "", 6.5),
        ("贴3.75子", [], "", 7.5),
        ("3子3/4", [], "", 7.5),
        ("3子又3/4", [], "", 7.5),
        ("コミ6目半", [], "", 6.5),
        ("덤 6집반", [], "", 6.5),
        ("6.5 komi", [], "", 6.5),
        ("６.５", [], "", 6.5),
        ("6.50", [], "Korean", 6.5),
        ("", [], "", None),
        ("six", [], "", None),
        ("1e999", [], "", None),
    ],
)
def test_komi(text, programs, rules, komi):
    assert read_komi(text, programs, rules) == komi


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("trunc", "line 1, character 42: unexpected end"),
        ("s581_dashes", "line 3, character 1: '---' is no part of the record"),
        ("big5_noca", None),
        ("gbk_noca", None),
    ],
)
def test_what_is_there_is_read_and_the_fault_told(name, note):
    record = read_record(DATA / f"{name}.sgf")
    assert moves(record) == FOUR
    assert [one[: len(note)] for one in record.notes] == [note] if note else record.notes == ()


def test_encodings_nobody_names():
    assert read_record(DATA / "big5_noca.sgf").black_name == "許"
    record = read_record(DATA / "gbk_noca.sgf")
    assert (record.black_name, record.white_name, record.steps[0].comment) == ("乗", "李世石", "乚俓")


BROKEN = {
    "(;SZ[9];B[cc];W[gg": 2,
    "(;SZ[9];B[cc];W[g": 1,
    "(;SZ[9];B[cc];W[gg]C[cut in a com": 2,
    "(;SZ[9];B[cc];W[gg](;B[aa": 3,
    "(;SZ[9]B[cc];W[gg]))": 2,
    "(;SZ[9];B[cc];W[gg]);B[gc])": 3,
    "(SZ[9];B[cc];W[gg])": 2,
    "(\r\nSZ[9]\r\nPB[a]\r\n;B[cc];W[gg])": 2,
    ";SZ[9];B[cc];W[gg]": 2,
    "(;SZ[9];B[cc] junk ;W[gg])": 2,
    "(;SZ[9];B[cc]\nfrom a mail:\n\n;W[gg])": 2,
    "(;SZ[9];B[cc]C[see [1] and B[2] too];W[gg])": 2,
    "(;SZ[9]PB[nick [3d]];B[cc];W[gg])": 2,
    "(;SZ[9];B[cc]C[:-]];W[gg])": 2,
    "(;SZ[9];B[cc]C[not closed;W[gg])": 2,
    "(;SZ[9]PB[not closed\nPW[x];B[cc];W[gg])": 2,
    "(;SZ[9];B[cc](;W[gg])(;W[aa]);W[bb])": 2,
    "(;SZ[9];B[cc];W[gg] ( see there ) )": 2,
    "(;SZ[9];B[cc];W[gg];[aa])": 2,
    "(;SZ[9];B[cc];W[gg]XX)": 2,
    "(;SZ[9];B[cc;W[gg])": 2,
    "(;SZ[9];B[cc\n;W[gg])": 2,
    "(;SZ[9;B[cc];W[gg])": 2,
    "(;SZ[9]KM[6.5\nHA[0];B[cc];W[gg])": 2,
    "(;SZ[9]AB[aa;B[cc];W[gg])": 2,
    "(;SZ[9];B[cc C[good];W[gg])": 2,
}


@pytest.mark.parametrize(("text", "count"), BROKEN.items())
def test_a_little_broken(text, count):
    record = parse_record(text)
    assert (record.width, len(record.moves)) == (9, count)
    assert record.notes or "))" in text  # a parenthesis too many stands behind the game
    assert all(note.startswith("line ") for note in record.notes)


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        ("(;C[see [1] and B[2] too])", "see [1] and B[2] too"),
        ("(;C[a [1] [2] b])", "a [1] [2] b"),
        ("(;C[kyu [3k]])", "kyu [3k]"),
        ("(;C[:-]])", ":-]"),
        ("(;C[an open [ is fine];B[aa])", "an open [ is fine"),
        ("(;C[an open [ is fine]N[name])", "an open [ is fine"),
        ("(;C[cut off \\] he", "cut off ] he"),
        ("(;C[cut off \\", "cut off"),
        ("(;C[a\\\\]B[aa])", "a\\"),
    ],
)
def test_brackets_in_texts(text, comment):
    record = parse_record(text)
    assert "".join([record.setup.comment, *(step.comment for step in record.steps)]) == comment


def test_correct_files_have_no_notes():
    text = "(;FF[4]C[a \\[b\\] [c];AB[aa][bb]LB[cc:x\\]]\n(;B[dd]C[(;W\\[ee\\])])(;W[ff]))\n(;B[aa])\nand a word\n"
    assert parse_record(text).notes == ()


def test_faults_are_numbered_from_line_and_character_one():
    with pytest.raises(RecordError, match=r"line 3, character 1: 'zz' is no point"):
        parse_record("(;SZ[9]\r\n;B[aa]\r\n;W[zz])")
    (note,) = parse_record("(;SZ[9]\n;B[aa] ~~\n;W[bb])").notes
    assert note.startswith("line 2, character 8: '~~'")


def test_many_faults_are_told_once_and_counted():
    notes = parse_record("(;SZ[9]" + ";B[aa] ~" * 100 + ")").notes
    assert len(notes) == 21 and notes[-1] == "and 80 faults more"


@pytest.mark.parametrize("name", ["idna", "unicode_escape", "zlib", "utf-7", "rot13", "punycode", "base64", "nonsense"])
def test_a_codec_that_is_no_charset_is_told_and_not_heeded(name):
    record = parse_record(f"(;GM[1]\nCA[{name}]PB[聂卫平]C[a+AGE-\\\\u0041];B[aa])".encode("gbk"))
    assert (record.black_name, record.setup.comment) == ("聂卫平", "a+AGE-\\u0041")
    assert record.notes == (f"line 2, character 1: CA names '{name}', which is no character set: not heeded",)


@pytest.mark.parametrize("name", ["GB2312", "x-gbk", "Big5", "Shift_JIS", "x-sjis", "EUC-KR", "ISO-8859-1", "UTF-8"])
def test_charsets_are_heeded_without_a_word(name):
    assert parse_record(f"(;CA[{name}]PB[a];B[aa])".encode()).notes == ()


# ---- handicap


@pytest.mark.parametrize(
    ("text", "stones", "first"),
    [
        ("(;SZ[9]HA[2];B[gc];B[cg];W[ee])", {"C3", "G7"}, WHITE),
        ("(;SZ[9]HA[2];B[gc];W[];B[cg];W[ee])", {"C3", "G7"}, WHITE),
        ("(;SZ[9]HA[2];B[gc];B[cg])", {"C3", "G7"}, WHITE),
        ("(;SZ[9]HA[2];W[ee];B[dd])", {"C3", "G7"}, WHITE),
        ("(;SZ[9]HA[2]PL[W])", {"C3", "G7"}, WHITE),
        ("(;SZ[9]HA[2];AB[aa][bb];W[ee])", set(), WHITE),
        ("(;SZ[9]HA[2];B[gc];W[ee];B[cg])", set(), BLACK),
        ("(;SZ[9]HA[3];B[gc];B[cg];W[ee])", set(), BLACK),
        ("(;SZ[9]HA[2];W[cg];B[dd])", set(), WHITE),
        ("(;SZ[9]HA[5])", set(), 0),
        ("(;SZ[9]HA[1];W[ee])", set(), WHITE),
    ],
)
def test_handicap_told_without_stones_or_played_as_moves(text, stones, first):
    record = parse_record(text)
    assert {format_vertex(point, 9, 9) for point in record.setup.black} == stones
    if record.moves:
        assert record.moves[0][0] == first
    assert bool(record.notes) == bool(stones)


def test_moves_are_counted_as_in_the_file_when_handicap_stones_are_among_them():
    record = parse_record("(;SZ[9]HA[2];B[gc];B[cg];W[ee];B[dd])")
    assert [len(record.before(number).setup.black) for number in (1, 2, 3, 4)] == [0, 1, 2, 2]
    assert [len(record.before(number).moves) for number in (2, 3, 4, 5, 6)] == [0, 0, 1, 2, 2]
    assert record.before(2).to_play == BLACK and record.before(3).to_play == WHITE


# ---- against the reader of the library


PIECES = st.lists(
    st.sampled_from(["(;", ";", ")", "B[aa]", "W[bb]", "C[x\\]y]", "AB[aa][bb]", "\n", "KM[6.5]", "SZ[9]", "LB[aa:b]"])
).map("".join)


@given(PIECES)
def test_what_the_grammar_allows_is_read_as_the_library_reads_it(text):
    try:
        nodes = sgf_grammar.main_sequence_iter(sgf_grammar.parse_sgf_game(text.encode()))
    except ValueError:
        return
    from engines.go.records import sgf

    source = sgf.Text(text)
    found = [node.properties for node in source.game().tree.main_line()]
    if any("goes on behind its last" in fault.reason for fault in source.faults):
        return  # the library is at its end there
    wanted = [{name: [value.decode() for value in values] for name, values in node.items()} for node in nodes]
    assert found == wanted and not source.faults


@given(st.text(alphabet="abc[]()\\;\n 許", max_size=40))
def test_the_library_reads_what_is_written(name):
    text = format_record(Record(black_name=name, width=9, height=9))
    root = sgf_grammar.parse_sgf_game(text.encode()).sequence[0]
    read = sgf_grammar.simpletext_value(root["PB"][0]).decode() if "PB" in root else ""
    assert read == parse_record(text).black_name
