"""Natural limits and material draws."""

import pytest
from xiangqi_cases import moves

from engines.xiangqi.board import Board
from engines.xiangqi.draws import NATURAL_LIMITS, limit_reached, material_draw, natural_limit, plies_counted

CHECK = "h8h9 e9e8 h9h8 e8e9 "


def played(fen, text):
    board = Board(fen)
    for move in moves(text):
        board.play(move)
    return board


def test_plain_limit():
    board = Board("4k4/7R1/9/9/9/9/9/3K5/9/9 w - - 118 60")
    limit = natural_limit("cxa")
    assert not limit_reached(board, limit)
    board.play(moves("h8h7")[0])
    assert not limit_reached(board, limit)
    board.play(moves("e9d9")[0] if board.is_legal(moves("e9d9")[0]) else moves("e9f9")[0])
    assert limit_reached(board, limit)


def test_a_capture_starts_the_count_again():
    board = played("4k4/7R1/7n1/9/9/9/9/3K5/9/9 w - - 100 60", "h8h7")
    assert [plies_counted(board, limit) for limit in NATURAL_LIMITS.values()] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("rounds", "computer", "league"),
    [(1, 2, 0), (10, 20, 0), (11, 20, 0), (20, 20, 0)],
)
def test_checks_and_answers(rounds, computer, league):
    """A side's checks beyond the tenth and the answers to them, or all checks and answers, don't count."""
    board = played("4k4/7R1/9/9/9/9/9/3K5/9/9 w - - 0 1", (CHECK * 10)[: rounds * 10])
    assert board.halfmove_clock == 2 * rounds
    assert plies_counted(board, natural_limit("computer")) == computer
    assert plies_counted(board, natural_limit("league")) == league
    assert plies_counted(board, natural_limit("cxa")) == 2 * rounds


def test_plies_before_the_fen_count():
    board = played("4k4/7R1/9/9/9/9/9/3K5/9/9 w - - 90 60", "h8h9 e9e8 h9i9 e8e7")
    assert plies_counted(board, natural_limit("league")) == 92
    assert plies_counted(board, natural_limit("computer")) == 94


def test_no_limit():
    assert not limit_reached(Board("4k4/7R1/9/9/9/9/9/3K5/9/9 w - - 9999 60"), natural_limit("none"))


def test_unknown_limit():
    with pytest.raises(ValueError, match="there are cxa, computer, league, none"):
        natural_limit("fifty")


MATERIAL = [
    ("3k5/9/9/9/9/9/9/9/9/4K4 w", True, "generals alone"),
    ("3k1a3/4a4/4b4/9/9/9/9/4B4/4A4/4KA3 w", True, "no piece that crosses the river"),
    ("3k5/9/9/4P4/9/9/9/9/9/4K4 w", False, "a soldier"),
    ("3k5/9/9/9/9/9/9/9/9/4KN3 w", False, "a horse"),
    ("3k5/9/9/9/9/9/9/9/9/4KR3 w", False, "a chariot"),
    ("3k5/9/9/9/9/9/9/9/9/2B1KC3 w", True, "a cannon without advisors against no advisor"),
    ("3k1a3/9/9/9/9/9/9/9/9/4KC3 w", True, "against one advisor, no elephant"),
    ("3k1a3/9/9/9/9/9/9/9/9/2B1KC3 w", True, "against one advisor, with an elephant, no mate near"),
    ("3k1a3/4a4/9/9/9/9/9/9/9/4KC3 w", True, "against two advisors, no elephant, no mate near"),
    ("3k1a3/4a4/9/9/9/9/9/9/9/2B1KC3 w", False, "against two advisors, with an elephant"),
    ("3k5/9/9/9/9/9/9/9/4A4/4KC3 w", False, "a cannon with an advisor"),
    ("3kc4/9/9/9/9/9/9/9/9/4KC3 w", True, "a cannon each, nothing else"),
    ("3kc4/9/9/9/9/9/9/9/9/2B1KC3 w", True, "a cannon each, an elephant, no mate near"),
    ("3kca3/9/9/9/9/9/9/9/9/4KC3 w", False, "a cannon each, an advisor"),
    ("3k5/9/9/9/9/9/9/9/9/4KCC2 w", False, "two cannons on one side"),
]


@pytest.mark.parametrize(("fen", "drawn", "what"), MATERIAL, ids=[what for _, _, what in MATERIAL])
def test_material(fen, drawn, what):
    board = Board(f"{fen} - - 0 1")
    before = board.fen()
    assert material_draw(board) is drawn
    assert board.fen() == before


@pytest.mark.parametrize(
    "fen",
    ["9/3ka4/3a5/9/9/9/9/5K3/9/4C4 w - - 0 1", "9/9/3ak4/9/9/2B6/9/4B4/5K3/7C1 w - - 0 1"],
)
def test_material_with_mate_at_hand(fen):
    """Black's own advisors shut its general in: with a mate on the board in one move it is no draw yet."""
    assert not material_draw(Board(fen))
