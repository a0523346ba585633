"""Formats of Go's records: GIB, NGF, UGF, SGF of all ages, lists; and SGF with all that a game has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from record_files import GIB, NGF, UGF

from engines.go.points import BLACK, PASS, WHITE
from engines.go.record_document import RecordDocument
from engines.go.records import Move, Record, RecordError, Setup, read_record
from engines.go.records.lists import write_list
from engines.go.records.trees import WholeGame
from engines.go.records.whole import format_game, read_lists, read_sgf, tree_of
from engines.records import Options, read_games


def read(data, **how):
    return [found.value for found in read_games(data, Options(**how))]


def moves(data, **how):
    return [write_list(game.record) for game in read(data, **how)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030", "shift-jis"])
def test_gib(encoding):
    (game,) = read(GIB.encode(encoding))
    assert write_list(game.record) == "B:R17 W:D4 B:R5 W:pass B:C17"
    record = game.record
    assert (record.white_name, record.info["WR"], record.black_name) == ("白", "3D", "kim")
    assert (record.komi, record.result, record.date, record.main_time) == (6.5, "W+3.5", "2016-03-26", 1200)


def test_gib_handicap():
    stones = "[B:D4 B:D16 B:Q16]"  # Tygem's third stone
    assert moves(GIB.replace("INI 0 1 0", "INI 0 1 3").encode())[0].startswith(stones + " B:R17")


def test_ngf():
    (game,) = read(NGF.format(handicap=0).encode())
    assert write_list(game.record) == "B:R16 W:D16 B:Q3 W:pass"
    record = game.record
    assert (record.white_name, record.info["WR"], record.info["BR"]) == ("LQC", "9p", "8k")
    assert (record.komi, record.result, record.date) == (7.5, "B+0.5", "2017-03-16")
    assert moves(NGF.format(handicap=2).encode())[0].startswith("[B:D4 B:Q16] ")


def test_ugf():
    (game,) = read(UGF.encode("shift-jis"))
    assert write_list(game.record) == "[B:D4 B:Q16] W:R3 B:C17 W:pass"
    record = game.record
    assert (record.white_name, record.komi, record.result, record.date) == ("本因坊", 0.5, "W+R", "2019-03-08")
    text = format_game(game)
    assert "(;B[cq];W[dq])" in text and "最初の手" in text
    (again,) = read(text.encode())
    assert again.record == record and format_game(again) == text
    above = UGF.replace("CoordinateType=IGS", "CoordinateType=").encode("shift-jis")
    assert moves(above)[0] == "[B:Q4 B:D16] W:R17 B:C3 W:pass"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("(;GM[1]FF[4]SZ[19];B[pd];W[];B[dd])", ["B:Q16 W:pass B:D16"]),
        ("(;GaMe[1]SiZe[9];Black[cc];White[tt])", ["B:C7 W:pass"]),
        ("(;GM[1]FF[1]SZ[19]VW[];B[aa];W[ss])", ["B:A19 W:T1"]),
        ("(;GM[1]FF[3]SZ[19]AB[aa][ba]PL[W];W[tt];B[jj])", ["[B:A19 B:B19] W:pass B:K10"]),
        ("(;GM[1]AB[aa:bb]AW[cc])", ["[B:A18 B:B18 B:A19 B:B19 W:C17]"]),
        ("(;GM[1];B[aa](;W[bb];B[cc])(;W[dd]))(;GM[1];B[ee])", ["B:A19 W:B18 B:C17", "B:E15"]),
        ("(;GM[1]HA[2];B[pd];B[dp];W[dd])", ["B:Q16 B:D4 W:D16"]),
        ("(;GM[1];B[aa];AE[aa]AW[bb];B[cc])", ["B:A19 [W:B18 E:A19] B:C17"]),
    ],
)
def test_sgf_as_moves(text, wanted):
    assert moves(text.encode()) == wanted


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "gb18030", "big5", "shift-jis", "euc-kr"])
def test_encodings(encoding):
    name = {"gb18030": "柯洁", "euc-kr": "이세돌", "big5": "吳清源"}.get(encoding, "呉清源")
    (game,) = read(f"(;GM[1]PB[{name}]C[{name}。];B[pd];W[dp])".encode(encoding))
    assert write_list(game.record) == "B:Q16 W:D4"
    (game,) = read(f"(;GM[1]PB[{name}]C[{name}];B[pd])".encode(encoding), encoding=encoding)
    assert game.record.black_name == name


def test_everything_survives_sgf():
    text = "(;GM[1]FF[4]SZ[19]PB[a]XX[u]AB[dd];B[pd]BL[12.5]C[x \\] y](;W[dp]LB[aa:1][bb:2]TR[cc])(;W[pp];B[];W[aa]))"
    (game,) = read(text.encode())
    written = format_game(game)
    for part in ("XX[u]", "BL[12.5]", "C[x \\] y]", "LB[aa:1][bb:2]", "TR[cc]", "(;W[pp];B[];W[aa])"):
        assert part in written
    (again,) = read(written.encode())
    assert format_game(again) == written and again.record == game.record


POINTS = st.integers(0, 360) | st.just(PASS)


@st.composite
def games(draw):
    steps = []
    for color, point in draw(st.lists(st.tuples(st.sampled_from([BLACK, WHITE]), POINTS), max_size=30)):
        if draw(st.integers(0, 9)) == 0 and point != PASS:
            steps.append(Setup(black=(point,)) if color == BLACK else Setup(empty=(point,)))
        else:
            steps.append(Move(color, point))
    black = draw(st.sets(st.integers(0, 180), max_size=5))
    white = draw(st.sets(st.integers(181, 360), max_size=5))
    return Record(setup=Setup(black=tuple(sorted(black)), white=tuple(sorted(white))), steps=tuple(steps))


@given(games())
def test_lists_are_read_as_written(record):
    line = write_list(record)
    if not line:
        return
    (again,) = read_lists(line)
    if record.setup or not record.steps or isinstance(record.steps[0], Move):
        assert (again.record.setup, again.record.steps) == (record.setup, record.steps)


@given(games())
def test_sgf_is_read_as_written(record):
    text = format_game(WholeGame(record, tree_of(record)))
    (again,) = read_sgf(text)
    assert again.record == record and format_game(again) == text


@pytest.mark.parametrize(
    "text",
    [
        "B:D4 W:Q16 B:C3",
        "D4 Q16 C3",
        "1. D4 Q16\n2. C3\n",
        "play b D4\nplay w Q16\nplay b C3\n",
        "B D4, W Q16, B C3",
        "B[dp] W[pd] B[cq]",
        "black: D4\nwhite: Q16\nblack: C3",
        "d4 q16 c3",
    ],
)
def test_lists(text):
    assert moves(text.encode()) == ["B:D4 W:Q16 B:C3"]


def test_several_games_in_a_list():
    assert moves(b"B:D4 W:Q16\n[W:C3] B:D4\n") == ["B:D4 W:Q16", "[W:C3] B:D4"]


def test_the_same_readers_serve_all(tmp_path):
    path = tmp_path / "game.bin"
    path.write_bytes(GIB.encode("euc-kr", "replace"))
    record = read_record(path)
    assert len(record.moves) == 5 and record.komi == 6.5
    kept = RecordDocument(path)
    assert kept.record.moves == record.moves
    assert ";W[dd]" in kept.text([*record.moves, (WHITE, 15 * 19 + 3)], "")
    path.write_bytes(b"[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]")
    with pytest.raises(RecordError, match="SGF"):
        read_record(path)


def test_text_is_read_back_with_its_facts():
    from engines.writers import TARGETS, write_game

    source = b"(;GM[1]SZ[19]KM[6.5]PB[kim]PW[lee]RE[B+R]DT[2020-01-02]EV[Cup];B[dd];W[pp])(;SZ[9]GM[1];B[ee])"
    games = list(read_games(source))
    text = b"".join(
        data if isinstance(data, bytes) else data.encode()
        for data in (write_game(found, TARGETS["text"])[0] for found in games)
    )
    back = list(read_games(text))
    assert [found.format for found in back] == ["list", "list"]
    for one, other in zip(games, back, strict=True):
        assert one.value.record == other.value.record


def test_points_as_people_write_them():
    (found,) = read_games(b"(;GM[1]SZ[19];B[R16];W[D4];B[Pass])")
    assert [(move.color, move.point) for move in found.value.record.steps] == [
        (1, 15 * 19 + 16),
        (2, 60 + 3 - 3),
        (1, PASS),
    ]
