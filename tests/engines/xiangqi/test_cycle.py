"""The compiled judge: what it answers inside a search tree, and that it leaves the board alone."""

import random

import pytest
from support import PURE
from xiangqi_cases import board_after, cases, cycles, random_position

from engines.xiangqi.attacks import AXF_ATTACKS
from engines.xiangqi.board import Board
from engines.xiangqi.cycle import (
    AXF_RULES,
    CHECK_ONLY_RULES,
    COMPUTER_RULES,
    CXA_RULES,
    NO_RULES,
    NOT_REPEATED,
    REPETITION_DRAW,
    REPETITION_LOSS,
    REPETITION_WIN,
    attack_table,
    in_tree,
    occurrences,
    violator_of,
)
from engines.xiangqi.geometry import BLACK, RED
from engines.xiangqi.repetition import RULE_SETS, judge

CHECK = "4k4/7R1/9/9/9/9/9/3K5/9/9 w - - 0 1"
CHECKS = "h8h9 e9e8 h9h8 e8e9 "


def state(board):
    return board.fen(), board.keys, board.history, board.key, board.halfmove_clock


def answer(board, violator):
    """A verdict from the view of the side to move."""
    if violator is None:
        return REPETITION_DRAW
    return REPETITION_LOSS if violator == board.turn else REPETITION_WIN


@pytest.mark.parametrize(("key", "rules"), [("axf", AXF_RULES), ("computer", COMPUTER_RULES)])
def test_published_cases_two_fold(key, rules):
    sides = {"draw": None, "red": RED, "black": BLACK}
    for case in cases("repetition"):
        if key in case:
            board = board_after(case["fen"], case["moves"])
            before = state(board)
            assert in_tree(board, rules) == answer(board, sides[case[key]]), case["id"]
            assert state(board) == before


@pytest.mark.parametrize("case", cases("cxa"), ids=lambda case: case["article"])
def test_chinese_cases_two_fold_threats_of_mate_included(case):
    board = board_after(case["fen"], case["cycle"])
    before = state(board)
    assert in_tree(board, CXA_RULES) == answer(board, {None: None, "red": RED, "black": BLACK}[case["violator"]])
    assert state(board) == before


def test_from_either_side():
    assert in_tree(board_after(CHECK, CHECKS), AXF_RULES) == REPETITION_LOSS
    assert in_tree(board_after(CHECK, CHECKS + "h8h9"), AXF_RULES) == REPETITION_WIN
    assert in_tree(board_after(CHECK, CHECKS), NO_RULES) == REPETITION_DRAW


def test_nothing_repeated():
    assert in_tree(Board(), AXF_RULES) == NOT_REPEATED
    assert in_tree(board_after(CHECK, "h8h9 e9e8 h9h8"), AXF_RULES) == NOT_REPEATED


def test_a_capture_ends_the_search_for_a_repetition():
    board = board_after(CHECK.replace("9/9 w", "9/8p w"), CHECKS)
    assert in_tree(board, CHECK_ONLY_RULES) == REPETITION_LOSS
    taken = board_after("4k4/7R1/8p/9/9/9/9/3K5/9/9 w - - 0 1", "h8h7 e9e8 h7i7 e8e9 i7h7 e9e8 h7i7 e8e9")
    assert in_tree(taken, NO_RULES) == REPETITION_DRAW
    assert occurrences(taken) == [0, 4]


@pytest.mark.parametrize("name", list(RULE_SETS))
def test_the_same_verdict_as_an_arbiter(name):
    """In random cycles of random positions."""
    rng = random.Random(20)
    rules = RULE_SETS[name].code
    seen = set()
    for pieces in ["RNrc", "RCaab", "NCrn", "RPcb", "CCrp"] * (1 if PURE else 6):
        board = random_position(rng, pieces)
        lines = cycles(board)
        for line in rng.sample(lines, min(len(lines), 8)):
            for move in line:
                board.play(move)
            before = state(board)
            found = judge(board, name, 2)
            assert in_tree(board, rules) == answer(board, found.violator)
            seen.add(found.violator)
            assert state(board) == before
            for _ in line:
                board.undo()
    assert None in seen


def test_mirrored_colors():
    """The same cycle with colors exchanged has the same verdict for the other side."""
    for case in cases("repetition"):
        board = board_after(case["fen"], case["moves"])
        placement, side, *rest = case["fen"].split()
        fen = " ".join(["/".join(reversed(placement.split("/"))).swapcase(), "wb"[side == "w"], *rest])
        mirrored = "".join(str(9 - int(c)) if c.isdigit() else c for c in case["moves"])
        assert in_tree(board_after(fen, mirrored), AXF_RULES) == in_tree(board, AXF_RULES), case["id"]


def test_tables():
    rows = attack_table(board_after(CHECK, CHECKS), 4, AXF_ATTACKS)
    assert [row[0] for row in rows] == [1, 0, 1, 0]
    assert violator_of(rows, RED, AXF_RULES) == RED
    assert violator_of(rows, BLACK, AXF_RULES) == BLACK


@pytest.mark.parametrize("length", [0, 2, 3, 6, 400])
def test_wrong_lengths(length):
    with pytest.raises(ValueError, match=f"can't have {length} moves"):
        attack_table(board_after(CHECK, CHECKS), length, 0)
