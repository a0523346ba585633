"""SGF records: reading what is out there, writing what can be read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engines
from engines.go.points import BLACK, EMPTY, PASS, WHITE
from engines.go.records import (
    INFO,
    MAX_BYTES,
    Move,
    Record,
    RecordError,
    Setup,
    format_record,
    parse_record,
    read_record,
    write_record,
)
from engines.go.rules import find_rules
from engines.go.vertex import format_vertex


def moves(record):
    """The moves in GTP words."""
    return [f"{'.BW'[color]} {format_vertex(point, record.width, record.height)}" for color, point in record.moves]


def points(record, indexes):
    return {format_vertex(point, record.width, record.height) for point in indexes}


def test_a_plain_game():
    record = parse_record(
        "(;GM[1]FF[4]CA[UTF-8]SZ[19]KM[6.5]RU[Japanese]HA[2]AB[dp][pd]PB[Lee]PW[Gu]RE[W+R]DT[2001-02-03]"
        "TM[3600]OT[5x30 byo-yomi]EV[Cup]C[start];W[dd]WL[3590.5]OW[5]C[first];B[pp])"
    )
    assert (record.width, record.height, record.komi, record.rules) == (19, 19, 6.5, "Japanese")
    assert (record.handicap, record.handicap_stones) == (2, 2)
    assert points(record, record.setup.black) == {"D4", "Q16"}
    assert record.setup.comment == "start"
    assert (record.black_name, record.white_name, record.result, record.date) == ("Lee", "Gu", "W+R", "2001-02-03")
    assert (record.main_time, record.overtime, record.info) == (3600, "5x30 byo-yomi", {"EV": "Cup"})
    assert moves(record) == ["W D16", "B Q4"]
    assert record.steps[0] == Move(WHITE, 15 * 19 + 3, seconds_left=3590.5, stones_left=5, comment="first")
    assert find_rules(record.rules).name == "japanese"


def test_the_least_record():
    record = parse_record("(;)")
    assert record == Record()
    assert (record.width, record.height, record.komi, record.moves, record.to_play) == (19, 19, None, (), BLACK)


def test_letters_count_from_the_top_left():
    assert moves(parse_record("(;SZ[9];B[aa];W[ii];B[ca])")) == ["B A9", "W J1", "B C9"]
    assert moves(parse_record("(;SZ[25];B[ay])")) == ["B A1"]


@pytest.mark.parametrize(
    ("size", "width", "height"),
    [("13:9", 13, 9), ("9:13", 9, 13), (" 19 ", 19, 19), ("19:19", 19, 19), ("1", 1, 1), ("25:1", 25, 1), ("", 19, 19)],
)
def test_sizes(size, width, height):
    record = parse_record(f"(;SZ[{size}])")
    assert (record.width, record.height) == (width, height)


def test_rectangles_have_their_own_corners():
    record = parse_record("(;SZ[13:9];B[aa];W[mi];B[am])".replace("am", "ai"))
    assert moves(record) == ["B A9", "W N1", "B A1"]
    with pytest.raises(RecordError, match="no point of a 13x9 board"):
        parse_record("(;SZ[13:9];B[am])")


def test_passes_in_both_forms():
    assert moves(parse_record("(;B[];W[tt];B[ ])")) == ["B pass", "W pass", "B pass"]
    assert moves(parse_record("(;SZ[9:13];B[tt])")) == ["B pass"]


def test_tt_is_a_point_on_large_boards():
    assert moves(parse_record("(;SZ[21];B[tt])")) == ["B U2"]
    assert moves(parse_record("(;SZ[20:25];B[tt])")) == ["B U6"]
    with pytest.raises(RecordError, match="no point"):
        parse_record("(;SZ[25:19];B[tt])")


def test_variations_are_skipped():
    record = parse_record("(;;B[aa](;W[bb](;B[cc];W[dd])(;B[ee]))(;W[ff];B[gg]))")
    assert moves(record) == ["B A19", "W B18", "B C17", "W D16"]


def test_only_the_first_game_is_read():
    assert moves(parse_record("(;B[aa])(;B[bb])")) == ["B A19"]


def test_setup_in_mid_game():
    record = parse_record("(;SZ[5]AB[aa:ba][ee]AW[cc];B[dd];AE[aa]AW[bb]PL[W]C[moved];W[ab])")
    assert points(record, record.setup.black) == {"A5", "B5", "E1"}
    setup = record.steps[1]
    assert isinstance(setup, Setup)
    assert (points(record, setup.empty), points(record, setup.white)) == ({"A5"}, {"B4"})
    assert (setup.to_play, setup.comment) == (WHITE, "moved")
    assert moves(record) == ["B D2", "W A4"]


def test_setup_and_move_in_one_node():
    record = parse_record("(;SZ[5];AB[aa]B[bb]C[both])")
    assert record.steps == (Setup(black=(20,)), Move(BLACK, 16, comment="both"))


def test_rectangles_of_points_from_any_corner():
    wanted = {"B4", "C4", "B3", "C3"}
    for text in ("bb:cc", "cc:bb", "bc:cb"):
        record = parse_record(f"(;SZ[5]AB[{text}])")
        assert points(record, record.setup.black) == wanted


def test_a_point_named_twice_for_one_colour():
    assert points(parse_record("(;SZ[5]AB[aa][aa][aa:ab])"), parse_record("(;SZ[5]AB[aa:ab])").setup.black) == {
        "A5",
        "A4",
    }


def test_who_is_to_play():
    assert parse_record("(;)").to_play == BLACK
    assert parse_record("(;AB[aa][bb])").to_play == WHITE
    assert parse_record("(;AB[aa][bb]AW[cc])").to_play == BLACK
    assert parse_record("(;;AB[aa][bb])").to_play == WHITE
    assert parse_record("(;PL[white])").to_play == WHITE
    assert parse_record("(;PL[?])").to_play == BLACK
    assert parse_record("(;AB[aa][bb];W[cc])").to_play == BLACK
    assert parse_record("(;B[cc];PL[B])").to_play == BLACK


def test_stones_are_the_truth_not_ha():
    assert parse_record("(;HA[5]AB[aa][bb])").handicap_stones == 2
    assert parse_record("(;HA[5])").handicap_stones == 0
    assert parse_record("(;AB[aa])").handicap_stones == 0


def test_before():
    record = parse_record("(;AB[aa];B[bb];AE[aa];W[cc];B[dd])")
    assert moves(record.before(1)) == []
    assert record.before(1).setup == record.setup
    assert record.before(2).steps == record.steps[:2]
    assert moves(record.before(3)) == ["B B18", "W C17"]
    assert record.before(4) == record.before(400) == record
    with pytest.raises(RecordError):
        record.before(0)


def test_old_files():
    record = parse_record(
        "From: someone@example.org\nDate: 01:23:45\n\n(\n;GaMe[1]SiZe[9]KoMi[5.5]PlayerBlack[Ann]\n"
        ";Black[aa]\n;White[bb];\n)"
    )
    assert (record.width, record.komi, record.black_name) == (9, 5.5, "Ann")
    assert moves(record) == ["B A9", "W B8"]


def test_several_moves_in_one_node_go_in_order():
    assert moves(parse_record("(;SZ[9];W[aa]B[bb][cc])")) == ["W A9", "B B8", "B C7"]


def test_odd_values_of_little_weight_are_left_out():
    record = parse_record("(;GM[]KM[six]HA[x]TM[1e999]PL[]AB[]LT[]XX[?]FF[3];B[aa]BL[soon]OB[-1])")
    assert (record.komi, record.handicap, record.main_time, record.setup) == (None, 0, None, Setup())
    assert record.steps == (Move(BLACK, 18 * 19),)


@pytest.mark.parametrize(("text", "komi"), [("6,5", 6.5), (" 7.5 ", 7.5), ("-3", -3), ("0", 0), ("375", 375)])
def test_komi(text, komi):
    assert parse_record(f"(;KM[{text}])").komi == komi


@pytest.mark.parametrize(("text", "komi"), [("375", 7.5), ("650", 6.5), ("275", 5.5), ("750", 7.5), ("0", 0)])
def test_komi_in_hundredths(text, komi):
    assert parse_record(f"(;AP[foxwq]KM[{text}])").komi == komi


def test_texts():
    record = parse_record("(;PB[a\\]b\\\\c]PW[two\nlines]GC[x\\\ny];B[aa]C[one\r\n\r\n\r\ntwo\tthree\x07])")
    assert (record.black_name, record.white_name, record.info) == ("a]b\\c", "two lines", {"GC": "xy"})
    assert record.steps[0].comment == "one\n \n \ntwo three"


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("", "utf-8"),
        ("CA[UTF-8]", "utf-8"),
        ("", "utf-8-sig"),
        ("", "utf-16"),
        ("", "gbk"),
        ("", "gb18030"),
        ("CA[gb2312]", "gbk"),
        ("CA[GBK]", "gb18030"),
        ("CA[UTF-8]", "gb18030"),
        ("CA[no such thing]", "gb18030"),
        ("CA[hex]", "gb18030"),
        ("CA[utf-16]", "gb18030"),
    ],
)
def test_chinese_names(declared, encoding):
    data = f"(;{declared}PB[聂卫平]PW[马晓春]RE[黑胜2又3/4子];B[pd]C[第一手])".encode(encoding)
    record = parse_record(data)
    assert (record.black_name, record.white_name, record.result) == ("聂卫平", "马晓春", "黑胜2又3/4子")
    assert record.steps[0].comment == "第一手"


@pytest.mark.parametrize("declared", ["CA[big5]", "CA[Big5]"])
def test_declared_encodings(declared):
    # The second byte of 功 and of ソ is that of a backslash: bytes must be decoded before they are parsed.
    assert parse_record(f"(;{declared}PB[林海峰功許]PW[x])".encode("big5")).black_name == "林海峰功許"
    assert parse_record("(;CA[shift_jis]PB[表ソ能]PW[x])".encode("shift_jis")).black_name == "表ソ能"


def test_latin_1():
    assert parse_record("(;PB[Andrés Müller]PW[José])".encode("latin-1")).black_name == "Andrés Müller"
    assert parse_record("(;CA[ISO-8859-1]PB[Ærø])".encode("latin-1")).black_name == "Ærø"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no SGF data"),
        ("no game here", "no SGF data"),
        ("(;", "unexpected end"),
        ("(;B[aa", "unexpected end"),
        ("(;SZ[9];B[aa", "unexpected end"),
        ("(;B)", "no values"),
        ("(;[aa])", "unexpected value"),
        ("(;GM[2])", r"not a game of Go \(GM\[2\]\)"),
        ("(;SZ[x])", "board size 'x'"),
        ("(;SZ[0])", "0x0"),
        ("(;SZ[26])", "26x26"),
        ("(;SZ[19:26])", "19x26"),
        ("(;SZ[-9])", "board size '-9'"),
        ("(;SZ[9.5])", "board size"),
        ("(;B[zz])", "'zz' is no point"),
        ("(;SZ[9];B[jj])", "'jj' is no point of a 9x9 board"),
        ("(;B[q20])", "'q20' is no point"),
        ("(;B[a])", "'a' is no point"),
        ("(;B[éé])", "no point"),
        ("(;AB[tt])", "'tt' is no point"),
        ("(;AB[aa:])", "'' is no point"),
        ("(;AB[aa]AW[aa])", "two colours"),
        ("(;AB[aa]AE[aa:bb])", "two colours"),
        ("(;" + "(;" * 100_000, "unexpected end"),
        ("(;" + ";" * 600_000 + ")", "too long"),
    ],
)
def test_broken_records(text, reason):
    with pytest.raises(RecordError, match=reason):
        parse_record(text)
    with pytest.raises(RecordError, match=reason):
        parse_record(text.encode())


def test_deep_variations_are_no_trouble():
    depth = 50_000
    assert len(parse_record("(;B[aa]" * depth + ")" * depth).moves) == depth


PIECES = st.sampled_from(
    ["(", ")", ";", "[", "]", "\\", ":", "B", "W", "AB", "AW", "AE", "SZ", "KM", "GM", "CA", "aa", "tt", "19", "\n"]
)


@given(st.lists(PIECES | st.text(max_size=3)).map("".join))
def test_any_text_is_a_record_or_an_error(text):
    for value in (text, "(;" + text, text.encode("utf-8", "replace")):
        try:
            assert isinstance(parse_record(value), Record)
        except RecordError as error:
            assert str(error)


@given(st.binary(), st.sampled_from([b"", b"(;CA[utf-7]", b"(;CA[hex]", b"(;CA[punycode]", b"(;CA[idna]", b"(;PB["]))
def test_any_bytes_are_a_record_or_an_error(data, start):
    try:
        assert isinstance(parse_record(start + data + b"])"), Record)
    except RecordError as error:
        assert str(error)


LINES = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=12).map(lambda text: text.strip(" "))
TEXTS = st.lists(LINES.filter(bool), max_size=3).map("\n".join)
NUMBERS = st.integers(-40_000, 40_000).map(lambda number: number / 100)


@st.composite
def records(draw):
    width, height = draw(st.integers(1, 25)), draw(st.integers(1, 25))
    point = st.integers(0, width * height - 1)

    def setups():
        taken = draw(st.lists(point, unique=True, max_size=6))
        first, second = sorted((draw(st.integers(0, len(taken))), draw(st.integers(0, len(taken)))))
        return Setup(
            black=tuple(sorted(taken[:first])),
            white=tuple(sorted(taken[first:second])),
            empty=tuple(sorted(taken[second:])),
            to_play=draw(st.sampled_from((EMPTY, BLACK, WHITE))),
            comment=draw(TEXTS),
        )

    move = st.builds(
        Move,
        color=st.sampled_from((BLACK, WHITE)),
        point=point | st.just(PASS),
        seconds_left=st.none() | NUMBERS,
        stones_left=st.none() | st.integers(0, 30),
        comment=TEXTS,
    )
    steps = [setups() if draw(st.booleans()) else draw(move) for _ in range(draw(st.integers(0, 6)))]
    return Record(
        width=width,
        height=height,
        komi=draw(st.none() | NUMBERS),
        rules=draw(LINES),
        handicap=draw(st.integers(0, 9)),
        setup=setups(),
        steps=tuple(step for step in steps if isinstance(step, Move) or step),
        black_name=draw(LINES),
        white_name=draw(LINES),
        result=draw(LINES),
        date=draw(LINES),
        main_time=draw(st.none() | NUMBERS),
        overtime=draw(LINES),
        info=draw(st.dictionaries(st.sampled_from(INFO), TEXTS.filter(bool))),
    )


@given(records())
def test_writing_and_reading_is_the_identity(record):
    text = format_record(record)
    assert parse_record(text) == record
    assert parse_record(text.encode()) == record
    assert "" not in text[:-1].split("\n")
    assert text.endswith(")\n")


@given(st.text(), st.text())
def test_any_texts_can_be_written(name, comment):
    text = format_record(Record(black_name=name, steps=(Move(BLACK, PASS, comment=comment),)))
    record = parse_record(text)
    assert "" not in text[:-1].split("\n")
    assert format_record(record) == text


def test_what_is_written():
    record = Record(
        width=13,
        height=9,
        komi=7.5,
        rules="Chinese",
        handicap=2,
        setup=Setup(black=(0, 116), to_play=WHITE),
        steps=(Move(WHITE, PASS, seconds_left=59.5, stones_left=3, comment="hm]"), Move(BLACK, 13)),
        black_name="黑",
        result="B+R",
        date="2020-01-02",
        main_time=60,
        overtime="3/10 Canadian",
    )
    assert format_record(record) == (
        f"(;FF[4]AB[ai][ma]AP[qiqiao:{engines.__version__}]CA[UTF-8]DT[2020-01-02]GM[1]HA[2]KM[7.5]\n"
        "OT[3/10 Canadian]PB[黑]PL[W]RE[B+R]RU[Chinese]SZ[13:9]TM[60];C[hm\\]]OW[3]W[]\n"
        "WL[59.5];B[ah])\n"
    )


def test_long_comments_leave_no_empty_line():
    record = Record(setup=Setup(comment="x" * 300 + "\n\n\n" + "y" * 300), steps=(Move(BLACK, 0, comment="z" * 200),))
    assert "\n\n" not in format_record(record)


@pytest.mark.parametrize(
    "record",
    [
        Record(width=0),
        Record(width=26),
        Record(width=9, height=9, steps=(Move(BLACK, 81),)),
        Record(width=9, height=9, steps=(Move(BLACK, -2),)),
        Record(setup=Setup(black=(361,))),
        Record(info={"XX": "?"}),
    ],
)
def test_what_cannot_be_written(record):
    with pytest.raises(RecordError):
        format_record(record)


def test_files(tmp_path):
    path = tmp_path / "game.sgf"
    write_record(path, Record(black_name="一", steps=(Move(BLACK, 0),)))
    assert read_record(path) == Record(black_name="一", steps=(Move(BLACK, 0),))
    write_record(path, Record())
    assert read_record(str(path)) == Record()
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.sgf"]


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(RecordError, match="cannot open"):
        read_record(tmp_path / "nothing.sgf")
    with pytest.raises(RecordError, match="cannot open"):
        read_record(tmp_path)
    with pytest.raises(RecordError, match="cannot open"):
        read_record("nul\0l")
    with pytest.raises(RecordError, match="not a regular file"):
        read_record("/dev/null")
    huge = tmp_path / "huge.sgf"
    with open(huge, "wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(RecordError, match="larger"):
        read_record(huge)


def test_files_that_cannot_be_written(tmp_path):
    with pytest.raises(RecordError, match="cannot write"):
        write_record(tmp_path / "no" / "such" / "place.sgf", Record())
    with pytest.raises(RecordError, match="cannot write"):
        write_record("nul\0l", Record())
    good = tmp_path / "good.sgf"
    write_record(good, Record(black_name="kept"))
    with pytest.raises(RecordError):
        write_record(good, Record(width=99))
    assert read_record(good).black_name == "kept"
