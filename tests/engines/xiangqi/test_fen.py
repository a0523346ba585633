"""FEN: what is read leniently, and what is refused, with its reason."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.xiangqi.board import Board
from engines.xiangqi.fen import START_FEN, FenError, read_fen, tidy_fen, write_fen
from engines.xiangqi.geometry import PIECE_LETTERS

PLACEMENT = START_FEN.split()[0]
KINGS = "3k5/9/9/9/9/9/9/9/9/5K3"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (PLACEMENT, START_FEN),
        (f"{PLACEMENT} w", START_FEN),
        (f"{PLACEMENT} r", START_FEN),
        (f"{PLACEMENT} R - - 0 1", START_FEN),
        (f"  {PLACEMENT}  w  -  -  0  1 \r\n", START_FEN),
        (f"{PLACEMENT} w - -", START_FEN),
        (f"{PLACEMENT} w -", START_FEN),
        (f"{PLACEMENT} w - - 0 0", START_FEN),
        (f"{PLACEMENT} w - - - -", START_FEN),
        (f"{PLACEMENT} w 0 1", START_FEN),
        (f"{PLACEMENT} w - 0 1", START_FEN),
        (f"{PLACEMENT} b - 2 26", f"{PLACEMENT} b - - 2 26"),
        (f"{PLACEMENT} w - 7", f"{PLACEMENT} w - - 7 1"),
        (f"{PLACEMENT} - - 2 26", f"{PLACEMENT} w - - 2 26"),
        (f"{PLACEMENT} - 2 26", f"{PLACEMENT} w - - 2 26"),
        (f"{PLACEMENT} 2 26", f"{PLACEMENT} w - - 2 26"),
        (f"{PLACEMENT} -", START_FEN),
        (f"{PLACEMENT} w - - 2 26", f"{PLACEMENT} w - - 2 26"),
        (f"{PLACEMENT} w - - 7", f"{PLACEMENT} w - - 7 1"),
        (f"{PLACEMENT} B", f"{PLACEMENT} b - - 0 1"),
        ("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1", START_FEN),
        ("3k11111/9/9/9/9/9/9/9/333/5K3 w", f"{KINGS} w - - 0 1"),
    ],
)
def test_lenient_forms(text, canonical):
    assert Board(text).fen() == canonical


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("3k5/9/9/9/9/9/9/9/5K3 w", "9 ranks, not 10"),
        (f"{KINGS}/9 w", "11 ranks, not 10"),
        ("3k5/9/9/9/9/8/9/9/9/5K3 w", "rank 4 of the FEN has 8 files"),
        ("3k5/9/9/9/9/9/9/9/9/5K4 w", "rank 0 of the FEN has 10 files"),
        ("3k5/9/9/9/9/9/9/9//5K3 w", "rank 1 of the FEN has 0 files"),
        ("3k5/9/9/4x4/9/9/9/9/9/5K3 w", "'x' on rank 6"),
        ("3k5/9/9/4.4/9/9/9/9/9/5K3 w", r"'\.' on rank 6"),
        ("3k5/9/9/09/9/9/9/9/9/5K3 w", "'0' on rank 6"),
        (f"{KINGS} x", "side to move is 'x'"),
        (f"{KINGS} black - - 0 1", "side to move is 'black'"),
        (f"{KINGS} -1 1", "side to move is '-1'"),
        (f"{KINGS} w - 0 1 2", "goes on after its counters: '2'"),
        (f"{KINGS} w - - - 1 2", "goes on after its counters: '2'"),
        (f"{KINGS} w 0 - 1", "goes on after its counters: '1'"),
        (f"{KINGS} w - x 1", "'x' after the side to move"),
        (f"{KINGS} w KQkq - 0 1", "'KQkq' after the side to move"),
        (f"{KINGS} w - e3 0 1", "'e3' after the side to move"),
        (f"{KINGS} w - - -1 1", "plies since a capture is '-1'"),
        (f"{KINGS} w - - 0 one", "number of the round is 'one'"),
        (f"{KINGS} w - - 1234567 1", "at most 5 digits"),
        (f"{KINGS} w - - ² 1", "plies since a capture is '²'"),
        (f"{KINGS} w - - 0 1 h2e2", "goes on after its counters: 'h2e2'"),
        ("9/9/9/9/9/9/9/9/9/5K3 w", "Black has no general"),
        ("3k5/9/9/9/9/9/9/9/9/9 w", "Red has no general"),
        ("3kk4/9/9/9/9/9/9/9/9/5K3 w", "Black has 2 generals, more than 1"),
        ("3k5/9/9/RRR6/9/9/9/9/9/5K3 w", "Red has 3 chariots, more than 2"),
        ("3k5/9/9/ccc6/9/9/9/9/9/5K3 w", "Black has 3 cannons, more than 2"),
        ("3k5/9/9/NNN6/9/9/9/9/9/5K3 w", "Red has 3 horses, more than 2"),
        ("3k5/9/9/PPPPPP3/9/9/9/9/9/5K3 w", "Red has 6 soldiers, more than 5"),
        ("3k5/9/9/9/9/9/9/3A1A3/4A4/5K3 w", "Red has 3 advisors, more than 2"),
        ("2b3b2/9/4b4/9/9/3k5/9/9/9/5K3 w", "Black has 3 elephants, more than 2"),
        ("9/9/9/3k5/9/9/9/9/9/5K3 w", "Black's general can't stand on d6"),
        ("3k5/9/9/9/9/9/9/9/9/6K2 w", "Red's general can't stand on g0"),
        ("3k5/9/9/9/9/9/5K3/9/9/9 w", "Red's general can't stand on f3"),
        ("3k5/9/9/9/9/9/9/9/3A5/5K3 w", "Red's advisor can't stand on d1"),
        ("3k5/9/9/9/9/9/9/9/2B6/5K3 w", "Red's elephant can't stand on c1"),
        ("3k5/9/4B4/9/9/9/9/9/9/5K3 w", "Red's elephant can't stand on e7"),
        ("3k5/9/9/9/9/1P7/9/9/9/5K3 w", "Red's soldier can't stand on b4"),
        ("3k5/9/9/9/9/9/9/4P4/9/5K3 w", "Red's soldier can't stand on e2"),
        ("3k5/9/8p/9/9/9/9/9/9/5K3 w", "Black's soldier can't stand on i7"),
        ("3k5/9/9/1p7/9/9/9/9/9/5K3 w", "Black's soldier can't stand on b6"),
        ("3k5/9/9/9/9/9/9/9/9/3K5 w", "generals face each other and it is Red's turn"),
        ("3k5/9/9/9/9/9/9/9/9/3K5 b", "generals face each other and it is Black's turn"),
        ("3k5/9/9/9/9/9/3R5/9/9/5K3 w", "Black is in check and it is Red's turn"),
        ("3k5/9/9/9/9/9/9/9/4p4/4K4 b", "Red is in check and it is Black's turn"),
    ],
)
def test_refused_with_the_reason(text, reason):
    with pytest.raises(FenError, match=reason):
        Board(text)


@pytest.mark.parametrize("side", ["w", "b"])
def test_generals_on_one_file_with_pieces_between(side):
    assert not Board(f"3k5/9/9/9/9/9/3C5/3N5/9/3K5 {side}").in_check()


def test_a_soldier_behind_its_own_line_only_when_not_strict():
    text = "3a2b1r/4ak3/8p/7P1/9/9/9/B2NN3B/3K5/4p4 w - - 0 1"
    with pytest.raises(FenError, match="soldier can't stand on i7"):
        Board(text)
    board = Board(text, strict=False)
    assert board.fen() == text
    assert board.legal_moves()
    with pytest.raises(FenError, match="general can't stand"):
        Board("9/9/9/3k5/9/9/9/9/9/5K3 w", strict=False)


def test_other_letters_can_be_written():
    fen = read_fen(START_FEN)
    other = PIECE_LETTERS.translate(str.maketrans("NBnb", "HEhe"))
    assert write_fen(fen, other, "r") == "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1"
    assert read_fen(write_fen(fen, other, "r")) == fen


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(START_FEN)), st.integers(0, 8), st.text(st.sampled_from("kKrRpPbBnc/19 wbr-0x²"), max_size=6))
def test_any_text_is_a_position_or_refused(start, length, text):
    try:
        board = Board(START_FEN[:start] + text + START_FEN[start + length :])
    except FenError as error:
        assert str(error)
    else:
        assert Board(board.fen()).key == board.key


def test_counters_run_on():
    board = Board(f"{KINGS} b - - 5 9")
    board.play(board.legal_moves()[0])
    assert (board.halfmove_clock, board.fullmove_number) == (6, 10)
    board.play(board.legal_moves()[0])
    assert (board.halfmove_clock, board.fullmove_number) == (7, 10)
    assert board.fen().endswith("b - - 7 10")


@pytest.mark.parametrize(
    ("tail", "tidy", "skipped"),
    [
        ("b - - 0 5", "b - - 0 5", []),
        ("b - - 0 5 - - 0 1", "b - - 0 5", ["-", "-", "0", "1"]),
        ("w -- 3 12", "w - - 3 12", ["--"]),
        ("w KQkq - 3 12", "w - - 3 12", ["KQkq"]),
        ("w - - x 7", "w - - 0 7", ["x"]),
        ("w - - 123456 7", "w - - 0 7", ["123456"]),
        ("w - - -1 7", "w - - 0 7", ["-1"]),
        ("w - - 4 x", "w - - 4", ["x"]),
        ("w - - 3 12 bm h2e2; id", "w - - 3 12", [";", "bm", "h2e2", "id"]),
        ("w 3 12", "w - - 3 12", []),
        ("- - 3 12", "w - - 3 12", []),
        ("w", "w", []),
        ("", "", []),
        ("x - - 0 1", "x - - 0 1", []),
    ],
)
def test_tails_of_others(tail, tidy, skipped):
    assert tidy_fen(f"{PLACEMENT} {tail}") == (f"{PLACEMENT} {tidy}".strip(), skipped)


@pytest.mark.parametrize("mark", ['"', "'", "“"])
def test_quotes_are_no_part_of_a_fen(mark):
    assert tidy_fen(f"{mark}{START_FEN}{mark}") == (START_FEN, [mark])


@given(st.text(st.sampled_from('- 0159wbrxK"'), max_size=20))
def test_with_board_and_side_any_tail_can_be_read(tail):
    text, _ = tidy_fen(f"{PLACEMENT} b {tail}")
    assert read_fen(text).turn == 1
    assert tidy_fen(text) == (text, [])
