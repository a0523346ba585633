"""Move notation: known names, the forms that are read, ambiguity, and the round trip of every notation."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.xiangqi.board import Board
from engines.xiangqi.fen import START_FEN
from engines.xiangqi.geometry import move_name
from engines.xiangqi.notation import NOTATIONS, MoveNames, NotationError, notate, read_move, write_move
from engines.xiangqi.pieces import CAPTURES

CASES = json.loads((Path(__file__).resolve().parents[2] / "data/xiangqi/notation.json").read_text())
BLACK_START = START_FEN.replace(" w ", " b ")
TWO_ROOKS = "3k5/9/9/9/4R4/9/9/4R4/9/5K3 w"
TWO_SOLDIERS = "3k5/9/4P4/4P4/9/9/9/9/9/4K4 w"
TWO_HORSES = "3k5/9/9/4N4/9/4N4/9/9/9/5K3 w"
TWO_ADVISORS = "5k3/9/9/9/9/9/9/3A5/9/3AK4 w"
TWO_ELEPHANTS = "3k5/9/9/9/9/2B6/9/9/9/2B2K3 w"
THREE = "3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w"
FOUR = "3k5/4P4/4P4/4P4/4P4/9/9/9/9/5K3 w"
FIVE = "3k5/4P4/4P4/4P4/4P4/4P4/9/9/9/5K3 w"
TWO_TWO_ONE = "3k5/2P1P4/2P1P4/9/6P2/9/9/9/9/5K3 w"
THREE_TWO = "3k5/9/4P1P2/4P1P2/4P4/9/9/9/9/5K3 w"
BLACK_FOUR = "5k3/9/9/9/9/2p6/2p6/2p6/2p6/3K5 b"
BLACK_TWO_TWO = "5k3/9/9/9/9/9/2p3p2/2p3p2/9/3K5 b"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['move']} {case['note']}")
def test_known_names(case):
    names = notate(Board(case["fen"]), case["move"])
    assert {key: names[key] for key in ("iccs", "wxf", "simplified")} == {
        key: case[key] for key in ("iccs", "wxf", "simplified")
    }


@pytest.mark.parametrize(
    ("fen", "move", "wxf", "simplified", "traditional", "short"),
    [
        (START_FEN, "h2e2", "C2=5", "炮二平五", "炮二平五", "炮25"),
        (START_FEN, "h0g2", "H2+3", "马二进三", "馬二進三", "马23"),
        (START_FEN, "a0a1", "R9+1", "车九进一", "車九進一", "车9_1"),
        (START_FEN, "e0e1", "K5+1", "帅五进一", "帥五進一", "帅5_1"),
        (START_FEN, "c3c4", "P7+1", "兵七进一", "兵七進一", "兵7_1"),
        (BLACK_START, "h9g7", "H8+7", "马8进7", "馬8進7", "马87"),
        (BLACK_START, "d9e8", "A4+5", "士4进5", "士4進5", "士45"),
        (BLACK_START, "c9e7", "E3+5", "象3进5", "象3進5", "象35"),
        (BLACK_START, "e9e8", "K5+1", "将5进1", "將5進1", "将5_1"),
        (BLACK_START, "g6g5", "P7+1", "卒7进1", "卒7進1", "卒7_1"),
        (TWO_ROOKS, "e5e6", "R++1", "前车进一", "前車進一", "前车_1"),
        (TWO_ROOKS, "e2e1", "R--1", "后车退一", "後車退一", "后车‾1"),
        (TWO_ROOKS, "e2a2", "R-=9", "后车平九", "後車平九", "后车9"),
        (TWO_HORSES, "e6c5", "H+-7", "前马退七", "前馬退七", "前马‾7"),
        (TWO_ADVISORS, "d0e1", "A6+5", "仕六进五", "仕六進五", "仕6_5"),
        (TWO_ADVISORS, "d2e1", "A6-5", "仕六退五", "仕六退五", "仕6‾5"),
        (TWO_ELEPHANTS, "c0e2", "E7+5", "相七进五", "相七進五", "相7_5"),
        (TWO_ELEPHANTS, "c4e2", "E7-5", "相七退五", "相七退五", "相7‾5"),
        (THREE, "e7d7", "15=6", "前兵平六", "前兵平六", "前兵6"),
        (THREE, "e5f5", "35=4", "后兵平四", "後兵平四", "后兵4"),
        (FOUR, "e8e9", "15+1", "一兵进一", "一兵進一", "1兵_1"),
        (FOUR, "e5d5", "45=6", "四兵平六", "四兵平六", "4兵6"),
        (FIVE, "e6d6", "35=6", "三兵平六", "三兵平六", "3兵6"),
        (TWO_TWO_ONE, "e8f8", "15=4", "一兵平四", "一兵平四", "1兵4"),
        (TWO_TWO_ONE, "e7d7", "25=6", "二兵平六", "二兵平六", "2兵6"),
        (TWO_TWO_ONE, "c8d8", "17=6", "三兵平六", "三兵平六", "3兵6"),
        (TWO_TWO_ONE, "c7b7", "27=8", "四兵平八", "四兵平八", "4兵8"),
        (TWO_TWO_ONE, "g5g6", "P3+1", "兵三进一", "兵三進一", "兵3_1"),
        (THREE_TWO, "g7h7", "13=2", "一兵平二", "一兵平二", "1兵2"),
        (THREE_TWO, "e5f5", "35=4", "五兵平四", "五兵平四", "5兵4"),
        (BLACK_FOUR, "c1d1", "13=4", "1卒平4", "1卒平4", "1卒4"),
        (BLACK_FOUR, "c3b3", "33=2", "3卒平2", "3卒平2", "3卒2"),
        (BLACK_TWO_TWO, "c2b2", "13=2", "1卒平2", "1卒平2", "1卒2"),
        (BLACK_TWO_TWO, "g3f3", "27=6", "4卒平6", "4卒平6", "4卒6"),
    ],
)
def test_names(fen, move, wxf, simplified, traditional, short):
    board = Board(fen)
    names = notate(board, move)
    assert (names["wxf"], names["simplified"], names["traditional"], names["short"]) == (
        wxf,
        simplified,
        traditional,
        short,
    )
    assert list(names) == list(NOTATIONS)


# Position, move, and what it may be written as, between bars.
READ = (
    (
        START_FEN,
        "h2e2",
        "h2e2|H2E2|h2-e2|H2-E2|h3e3|H3-E3| h2e2\n|C2=5|C2.5|c2=5|Che2|Ch2e2|炮二平五|砲二平五|包二平五|"
        "炮2平5|炮２平５|炮 二 平 五|炮25|砲25|炮二五|C25",
    ),
    (
        BLACK_START,
        "h9g7",
        "h9g7|h10g8|H8+7|N8+7|n8+7|Hg7|Ng7|马8进7|馬8進7|傌８進７|马八进七|馬8上7|马87|馬87|马8_7|马87\u0332",
    ),
    (START_FEN, "h2e2", "62.5|62=5|６２．５"),
    (START_FEN, "h0g2", "42+3"),
    (START_FEN, "e0e1", "15+1"),
    (START_FEN, "d0e1", "26+5"),
    (START_FEN, "c0e2", "37+5"),
    (START_FEN, "e3e4", "75+1"),
    (START_FEN, "g3g4", "13+1"),
    (BLACK_START, "h9g7", "48+7"),
    (TWO_ROOKS, "e5d5", "5+.6|5+=6"),
    (TWO_ROOKS, "e2d2", "5-.6|5..6"),
    (TWO_SOLDIERS, "e7d7", "7+.6|7a.6"),
    (TWO_SOLDIERS, "e6f6", "25.4|7-.4"),
    (START_FEN, "a0a1", "俥九进一|車九進一|车9上1|车9_1|车9＿1|车91\u0332|R9+1|Ra1"),
    (BLACK_START, "d9e8", "士4_5|士45|士4进5|仕四进五|A4+5|a4+5|Ade8"),
    (BLACK_START, "c9e7", "象3进5|相三进五|E3+5|B3+5|象35"),
    (BLACK_START, "e9e8", "将5进1|帅5进1|將５進１|帥五進一|K5+1"),
    (TWO_ADVISORS, "d2e1", "仕六退五|士6‾5|士6¯5|士6￣5|士65\u0305|A6-5|前仕退五|仕六下五"),
    (TWO_ROOKS, "e5d5", "前车平六|前車平6|R+=6|R+.6|+R=6|+R.6|前车6|前车五平六"),
    (TWO_ROOKS, "e2d2", "后车平六|後車平六|后車6|R-=6|R..6|-R=6"),
    (THREE, "e6d6", "中兵平六|25=6|25.6|二兵平六|P-=6|Pb=6|Pb.6|中兵6|中兵五平六|中五平六"),
    (FOUR, "e8d8", "一兵平六|前兵平六|15=6|Pa.6|1兵6"),
    (FOUR, "e5d5", "四兵平六|后兵平六|45=6|Pd=6"),
    (TWO_TWO_ONE, "c8b8", "三兵平八|3兵8|前兵七平八|前七平八|前兵平八|17=8|Pc.8"),
    (TWO_TWO_ONE, "g5h5", "兵三平二|P3=2|兵32"),
    (BLACK_TWO_TWO, "g2h2", "三卒平8|3卒平8|３卒平８|前卒7平8|前7平8|三兵平八|17=8|Pc=8"),
)


@pytest.mark.parametrize(
    ("fen", "text", "move"), [(fen, text, move) for fen, move, texts in READ for text in texts.split("|")]
)
def test_forms_that_are_read(fen, text, move):
    assert move_name(read_move(Board(fen), text)) == move


@pytest.mark.parametrize(
    ("fen", "text", "candidates"),
    [
        (TWO_ROOKS, "车五平六", ["e2d2", "e5d5"]),
        (START_FEN, "C2e2", ["b2e2", "h2e2"]),
        (TWO_ROOKS, "R5=6", ["e2d2", "e5d5"]),
        (TWO_ROOKS, "车56", ["e2d2", "e5d5"]),
        (TWO_ADVISORS, "仕65", ["d0e1", "d2e1"]),
        (TWO_ELEPHANTS, "相75", ["c0e2", "c4e2"]),
        (TWO_TWO_ONE, "前兵平六", ["c8d8", "e8d8"]),
        (TWO_ROOKS, "55.6", ["e2d2", "e5d5"]),
        (TWO_SOLDIERS, "15+1", ["e0e1", "e7e8"]),
        (TWO_TWO_ONE, "P+=6", ["c8d8", "e8d8"]),
        (FIVE, "中兵平六", ["e5d5", "e6d6", "e7d7"]),
        ("5k3/9/9/4N4/9/9/9/9/9/3K5 w", "马57", ["e6c5", "e6c7"]),
    ],
)
def test_ambiguous_text_lists_its_candidates(fen, text, candidates):
    with pytest.raises(NotationError, match="ambiguous") as error:
        read_move(Board(fen), text)
    assert sorted(move_name(move) for move in error.value.candidates) == candidates
    assert all(name in str(error.value) for name in candidates)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no move in any notation"),
        ("炮", "no move in any notation"),
        ("炮二平十", "no move in any notation"),
        ("hello", "no move in any notation"),
        ("象棋真好", "no move in any notation"),
        ("h2e2e4", "no move in any notation"),
        ("炮二平0", "no move in any notation"),
        ("炮三平五", "fits no legal move"),
        ("前炮平五", "fits no legal move"),
        ("一兵平五", "fits no legal move"),
        ("炮2_7x", "no move in any notation"),
        ("车九平八", "fits no legal move"),
        ("R9=8", "fits no legal move"),
        ("Rb7", "fits no legal move"),
        ("63.5", "fits no legal move"),
        ("82.5", "no move in any notation"),
        ("六二平五", "no move in any notation"),
        ("e5e6", "no piece on e5"),
        ("h9g7", "it is Red's turn"),
        ("a0c2", "chariot can't go"),
        ("a10a9", "it is Red's turn"),
        ("a0a10", "off the board"),
    ],
)
def test_text_that_names_no_legal_move(text, reason):
    with pytest.raises(NotationError, match=reason) as error:
        read_move(Board(), text)
    assert error.value.candidates == []


def test_coordinates_from_a_given_rank():
    board = Board("3k5/9/9/9/4R4/4R4/9/9/9/5K3 w")
    assert move_name(read_move(board, "e5a5")) == "e5a5"
    assert move_name(read_move(board, "e5a5", 0)) == "e5a5"
    assert move_name(read_move(board, "e5a5", 1)) == "e4a4"
    with pytest.raises(NotationError):
        read_move(board, "e6a6", 0)


def test_numbers_of_soldiers_go_before_digits_of_pieces():
    board = Board("3k5/9/4P4/4P4/4P4/9/9/9/9/4K4 w")
    assert [move_name(read_move(board, text)) for text in ("15=4", "25=4", "35=4")] == ["e7f7", "e6f6", "e5f5"]


def test_writing_refuses():
    with pytest.raises(NotationError, match="no piece on"):
        write_move(Board(), read_move(Board(TWO_ROOKS), "e5d5"))
    with pytest.raises(ValueError, match="no notation 'san'"):
        write_move(Board(), read_move(Board(), "h2e2"), "san")


def test_names_are_those_of_the_position_they_were_taken_of():
    board = Board()
    names = MoveNames(board)
    board.play(names.read("炮二平五"))
    assert move_name(names.read("炮二平五")) == "h2e2"
    with pytest.raises(NotationError, match="no piece on e5"):
        names.read("e5e6")


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from("abehi0123459 KCP+-=._‾\u0332\u0305前中后一二五九炮兵马士进退平İı²１"), max_size=7))
def test_any_text_is_read_or_refused(text):
    board = Board(TWO_TWO_ONE)
    try:
        move = read_move(board, text)
    except NotationError as error:
        assert str(error)
    else:
        assert board.is_legal(move)


def round_trip(board):
    """Every notation of every legal move reads back as that move, and no two moves share a name."""
    names = MoveNames(board)
    moves = board.legal_moves()
    for notation in NOTATIONS:
        texts = [names.write(move, notation) for move in moves]
        assert len(set(texts)) == len(moves)
        base = {"coordinate": 0, "coordinate1": 1}.get(notation)
        assert [names.read(text, base) for text in texts] == moves, (board.fen(), notation)
    return len(moves)


CROWDED = (TWO_ROOKS, TWO_HORSES, TWO_ADVISORS, TWO_ELEPHANTS, THREE, FOUR, FIVE, TWO_TWO_ONE, THREE_TWO)


@pytest.mark.parametrize("fen", [*CROWDED, BLACK_FOUR, BLACK_TWO_TWO])
def test_round_trip_of_crowded_files(fen):
    assert round_trip(Board(fen))


def random_position(rng):
    """A position of a random game, or one scattered at random with its pieces on few files."""
    if rng.random() < 0.5:
        board = Board()
        for _ in range(rng.randrange(90)):
            moves = (board.legal_moves(CAPTURES) if rng.random() < 0.3 else None) or board.legal_moves()
            if not moves:
                break
            board.play(rng.choice(moves))
        return board
    while True:
        files = rng.sample(range(9), rng.randrange(1, 4))
        pieces = {rng.choice((3, 4, 5)): "K", 81 + rng.choice((3, 4, 5)): "k"}
        for letter in "PPPPPNNRRCCpppppnnrrcc":
            square = rng.choice(files) + 9 * rng.choice(range(5, 10) if letter == "P" else range(5))
            if rng.random() < 0.7:
                pieces.setdefault(square, letter)
        text = ""
        for rank in range(9, -1, -1):
            text += "".join(pieces.get(rank * 9 + file, "1") for file in range(9)) + "/"
        try:
            return Board(f"{text[:-1]} {rng.choice('wb')}")
        except ValueError:  # a side that may take the general
            continue


@pytest.mark.parametrize(("seed", "positions"), [(1, 50), pytest.param(2, 1000, marks=pytest.mark.compiled)])
def test_round_trip_of_random_positions(seed, positions):
    rng = random.Random(seed)
    assert sum(round_trip(random_position(rng)) for _ in range(positions)) > 15 * positions


def test_wxf_as_pyffish_writes_it():
    pyffish = pytest.importorskip("pyffish", reason="the test extra has it")
    rng = random.Random(3)
    for _ in range(20):
        board = random_position(rng)
        names = MoveNames(board)
        for move in board.legal_moves():
            coordinates = names.write(move, "coordinate1")
            theirs = pyffish.get_san("xiangqi", board.fen(), coordinates, False, pyffish.NOTATION_XIANGQI_WXF)
            ours = names.write(move, "wxf")
            assert names.read(theirs) == move, (board.fen(), theirs)
            # pyffish gives the file instead of the sign of two where only one of them can make such a move
            assert ours == theirs or (ours[1] in "+-" and theirs[1].isdigit()), (board.fen(), ours, theirs)
