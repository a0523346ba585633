"""Threats of mate, next move or by checks throughout."""

import random

import pytest
from xiangqi_cases import board_after, random_position

from engines.xiangqi.board import Board
from engines.xiangqi.kill import can_mate, is_kill

TWO_ROOKS = "4k4/9/9/9/9/9/R8/1R7/9/3K5 w - - 0 1"
TWO_CHECKS = "9/9/4k4/R8/9/9/9/1R7/9/3K5 w - - 0 1"


def mates(board, checks):
    """The same, written out."""
    for move in board.legal_moves():
        if not board.gives_check(move):
            continue
        board.play(move)
        answers = board.legal_moves()
        good = not answers or checks > 1
        for answer in answers if good else ():
            board.play(answer)
            good = mates(board, checks - 1)
            board.undo()
            if not good:
                break
        board.undo()
        if good:
            return True
    return False


@pytest.mark.parametrize("checks", [1, 2, 3])
def test_against_the_definition(checks):
    rng = random.Random(checks)
    found = []
    for _ in range(60):
        board = random_position(rng, rng.choice(["RRaabb", "RNCab", "RNPaa", "CCNa"]))
        before = board.fen()
        found.append(can_mate(board, checks))
        assert found[-1] == mates(board, checks)
        assert board.fen() == before
    assert 0 < sum(found) < len(found)


def test_bound():
    """Two chariots drive the general up the middle line: two checks, or one where it stands at the edge already."""
    assert not can_mate(Board(TWO_CHECKS), 1)
    assert can_mate(Board(TWO_CHECKS), 2)


def test_kill():
    """A chariot takes the second rank; mate on the first then threatens."""
    assert is_kill(board_after(TWO_ROOKS, "a3a8"), 1)
    assert not is_kill(board_after(TWO_ROOKS, "a3a4"), 1)


def test_check_is_no_kill_and_an_old_threat_is_none():
    """From b2 mate threatens already, and from c2 again."""
    old = "4k4/R8/9/9/9/9/9/1R7/9/3K5 w - - 0 1"
    assert not is_kill(board_after(old, "b2c2"), 1)
    assert not is_kill(board_after("4k4/9/R8/9/9/9/9/1R7/9/3K5 w - - 0 1", "b2b9"), 1)


def test_wrong_bounds():
    with pytest.raises(ValueError, match="by 0 checks"):
        can_mate(Board(), 0)
    with pytest.raises(ValueError, match="by 10 checks"):
        is_kill(board_after(TWO_ROOKS, "a3a4"), 10)
    with pytest.raises(IndexError):
        is_kill(Board("4k4/R8/9/9/9/9/9/1R7/9/3K5 b - - 0 1"), 1)
