"""Repetition with face-down pieces: as in Xiangqi where nothing lies face down, else by the kinds of points."""

import pytest
from support import PURE
from xiangqi_cases import board_after, cases

from engines.jieqi.board import Point
from engines.jieqi.fen import read_fen
from engines.jieqi.moves import parse
from engines.jieqi.repetition import judge
from engines.xiangqi.repetition import RULE_SETS
from engines.xiangqi.repetition import judge as judge_xiangqi


def played(form, fen, moves):
    board = read_fen(fen, form).board()
    for text in moves.split():
        board.play(parse(board, text).move)
    return board


def bare(fen):
    """A FEN of Xiangqi as one of fanqi's first form."""
    words = fen.split()
    return f"{words[0]} {words[1]} - - - 0 1"


CASES = [(case["fen"], " ".join([case.get("moves", ""), case["cycle"], case["cycle"]])) for case in cases("repetition")]
CASES += [(case["fen"], " ".join([case["cycle"]] * 2)) for case in cases("cxa")]


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_as_in_xiangqi_where_nothing_lies_face_down(rules):
    for fen, moves in CASES[:: 12 if PURE else 1]:
        board = board_after(fen, moves)
        other = played("fanqi1", bare(fen), moves)
        said, found = judge_xiangqi(board, rules), judge(other, rules)
        assert (found.violator, found.offence, found.reason) == (said.violator, said.offence, said.reason), fen
        assert [(m.move, m.kind, m.victims) for m in found.moves] == [(m.move, m.kind, m.victims) for m in said.moves]


def test_a_perpetual_check_by_a_shown_chariot_loses():
    board = played("jieqi", "4k4/7R1/9/9/9/9/9/3K5/9/9 w - - 0 1", "h8h9 e9e8 h9h8 e8e9 " * 2)
    assert judge(board, "axf").violator == 0


def test_a_face_down_piece_is_a_victim_as_its_points_kind():
    # Red's chariot attacks what lies unprotected on a horse's point anew each second move.
    fen = "1x2k4/9/R8/9/9/9/9/9/5K3/8r b p1 - 0 1"
    chase = "i0h0 a7b7 h0i0 b7a7 " * 2
    found = judge(played("jieqi", fen, chase), "axf")
    assert found.repeated
    assert [victim.piece & 7 for move in found.moves for victim in move.victims if move.color == 0] == [4] * sum(
        bool(move.victims) for move in found.moves if move.color == 0
    )
    assert any(move.victims for move in found.moves)


def test_the_verdict_does_not_depend_on_what_is_hidden():
    fen = "1x2k4/9/R8/9/9/9/9/9/5K3/8r b p1 - 0 1"
    chase = "i0h0 a7b7 h0i0 b7a7 " * 2
    verdicts = set()
    for piece in range(10, 16):
        position = read_fen(fen, "jieqi")
        points = list(position.points)
        points[82] = Point(piece, True)
        board = type(position)("jieqi", tuple(points), 1).board()
        for text in chase.split():
            board.play(parse(board, text).move)
        verdicts.add(judge(board, "cxa"))
    assert len(verdicts) == 1


def test_a_piece_turned_down_and_up_again_makes_a_cycle():
    # A chariot goes down on a horse's point and leaves it as a horse, again and again.
    fen = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - - 0 1"
    board = played("fanqi4", fen, "a1b1 d9d8 b1b0x d8d9 b0a2 d9d8 a2a1 d8d9 " * 2)
    found = judge(board, "cxa")
    assert (found.repeated, found.violator) == (True, None)
    assert board.is_consistent()
