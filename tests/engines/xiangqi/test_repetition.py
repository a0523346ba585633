"""Repetition: the published cases, the Chinese suite, and what a verdict says."""

import pytest
from xiangqi_cases import board_after, cases, square

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import BLACK, RED, move_name
from engines.xiangqi.repetition import CLASS_NAMES, RULE_SETS, judge, rule_set

NAMES = {None: "draw", RED: "red", BLACK: "black"}
PUBLISHED = cases("repetition")
CHINESE = cases("cxa")
KNIGHT = "3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1"
CHASE = "h0i0 i9h7 i0h0 h7i9 "
CHECK = "4k4/7R1/9/9/9/9/9/3K5/9/9 w - - 0 1"
CHECKS = "h8h9 e9e8 h9h8 e8e9 "


def verdict(case, rules):
    """The verdict on a published case, its cycle repeated until it is judged."""
    return judge(board_after(case["fen"], " ".join([case["moves"]] + [case["cycle"]] * 2)), rules)


@pytest.mark.parametrize("case", [case for case in PUBLISHED if "axf" in case], ids=lambda case: case["id"])
def test_federations(case):
    assert NAMES[verdict(case, "axf").violator] == case["axf"]


@pytest.mark.parametrize("case", [case for case in PUBLISHED if "computer" in case], ids=lambda case: case["id"])
def test_computer(case):
    assert NAMES[verdict(case, "computer").violator] == case["computer"]


@pytest.mark.parametrize("case", CHINESE, ids=lambda case: f"{case['article']} {case['note']}")
def test_chinese(case):
    found = judge(board_after(case["fen"], " ".join([case["cycle"]] * 2)), "cxa")
    assert [move.kind for move in found.moves] == case["classes"]
    assert NAMES[found.violator] == (case["violator"] or "draw")


PARRIED = {
    # A cannon attacks anew on both moves and is parried each time; a second piece attacks on one of them too.
    "elephant besides, chariot hunted": ("4kab2/4a4/4b4/9/9/2B6/9/1C1cB3r/4A4/3AK4", "e2g4 d2d6 g4e2 d6d2"),
    "elephant besides, horse hunted": ("4kab2/4a4/4b4/9/9/2B6/9/1C1cB3n/4A4/3AK4", "e2g4 d2d6 g4e2 d6d2"),
    "horse besides": ("4kab2/4a4/4b4/9/9/9/9/1C1cN3r/9/4KA3", "e2g3 d2d6 g3e2 d6d2"),
    "horse besides, from below": ("4kab2/4a4/4b4/9/9/9/9/1C1cN3r/4A4/3AK4", "e2g1 d2d6 g1e2 d6d2"),
}
LASTING = ("4kab2/4a4/4b4/9/9/2B4N1/9/1C1cB3r/4A4/3AK4", "e2g4 d2d6 g4e2 d6d2")


def turned(placement, cycle, files, colors):
    """The same seen in a mirror, or with colors exchanged."""
    ranks = placement.split("/")
    if files:
        ranks = [rank[::-1] for rank in ranks]
        cycle = cycle.translate(str.maketrans("abcdefghi", "ihgfedcba"))
    if colors:
        ranks = [rank.swapcase() for rank in reversed(ranks)]
        cycle = cycle.translate(str.maketrans("0123456789", "9876543210"))
    return board_after(f"{'/'.join(ranks)} {'b' if colors else 'w'} - - 0 1", " ".join([cycle] * 2))


@pytest.mark.parametrize("rules", ["axf", "cxa"])
@pytest.mark.parametrize("files", [False, True])
@pytest.mark.parametrize("colors", [False, True])
@pytest.mark.parametrize("name", PARRIED)
def test_a_second_threat_left_over_for_a_move_excuses_nobody(name, rules, files, colors):
    found = judge(turned(*PARRIED[name], files, colors), rules)
    hunter = BLACK if colors else RED
    assert found.violator == hunter
    assert all(any(victim.followed for victim in move.victims) for move in found.moves if move.color == hunter)


@pytest.mark.parametrize("rules", ["axf", "cxa"])
def test_a_threat_that_stands_all_the_time_was_never_answered(rules):
    """A horse attacks the chariot from one square throughout: the cannon's threats beside it are nothing new."""
    assert judge(turned(*LASTING, False, False), rules).violator is None


def test_the_chinese_suite_is_large_enough_and_legal():
    pyffish = pytest.importorskip("pyffish")
    assert len(CHINESE) >= 40
    for case in CHINESE:
        assert pyffish.validate_fen(case["fen"], "xiangqi") == 1, case
        played = []
        for move in case["cycle"].split() * 2:
            move = f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"
            assert move in pyffish.legal_moves("xiangqi", case["fen"], played), case
            played.append(move)


@pytest.mark.parametrize("times", [2, 3, 4])
def test_occurrences(times):
    """The position that the FEN gives counts as the first occurrence."""
    board = Board(CHECK)
    for round_ in range(1, times):
        assert not judge(board, "axf", times).repeated
        board = board_after(CHECK, CHECKS * round_)
    found = judge(board, "axf", times)
    assert (found.repeated, found.count, found.violator) == (True, times, RED)


def test_a_position_that_is_not_repeated():
    found = judge(board_after(KNIGHT, CHASE + "h0i0"), "axf")
    assert (found.repeated, found.violator, found.moves) == (False, None, ())


def test_moves_of_the_verdict():
    found = judge(board_after(KNIGHT, CHASE * 2), "axf")
    assert [move_name(move.move) for move in found.moves] == CHASE.split()
    assert [move.kind for move in found.moves] == ["chase", "idle", "chase", "idle"]
    assert [move.color for move in found.moves] == [RED, BLACK, RED, BLACK]
    first, _, second, _ = (move.victims for move in found.moves)
    assert [(victim.square, victim.followed) for victim in first] == [(square("i9"), True)]
    assert [(victim.square, victim.followed) for victim in second] == [(square("h7"), True)]


def test_which_cycle_is_judged():
    """A chasing round after an idle one: the last cycle is a perpetual chase, all that was repeated is none."""
    idle = "h0h1 d9d8 h1h0 d8d9 "
    chased_last = board_after(KNIGHT, idle + CHASE)
    assert judge(chased_last, "axf", 3, "last").violator == RED
    assert judge(chased_last, "axf", 3, "all").violator is None
    assert len(judge(chased_last, "axf", 3, "all").moves) == 8
    assert judge(board_after(KNIGHT, CHASE + idle), "axf").violator is None


def test_the_computer_rules_judge_all_that_was_repeated():
    assert judge(board_after(KNIGHT, "h0h1 d9d8 h1h0 d8d9 " + CHASE), "computer").violator is None
    assert judge(board_after(KNIGHT, CHASE * 2), "computer").violator == RED


@pytest.mark.parametrize(("rules", "chase", "check"), [("check-only", None, RED), ("none", None, None)])
def test_lenient_rules(rules, chase, check):
    found = judge(board_after(KNIGHT, CHASE * 2), rules)
    assert (found.repeated, found.violator) == (True, chase)
    assert {move.kind for move in found.moves} == {"idle"}
    assert judge(board_after(CHECK, CHECKS * 2), rules).violator == check


def test_judging_changes_nothing():
    board = board_after(KNIGHT, CHASE * 2)
    before = board.fen(), board.keys, board.history
    for rules in RULE_SETS:
        judge(board, rules)
    assert (board.fen(), board.keys, board.history) == before


def test_wrong_questions():
    board = board_after(KNIGHT, CHASE * 2)
    with pytest.raises(ValueError, match="unknown rules 'fide'"):
        judge(board, "fide")
    with pytest.raises(ValueError, match="2, 3 or 4 times, not 5"):
        judge(board, times=5)
    with pytest.raises(ValueError, match="last or all"):
        judge(board, span="first")  # type: ignore[arg-type]


REASONS = [
    ("axf", CHECK, CHECKS, "Red gives check with every move", "红方长将", "紅方長將"),
    ("axf", KNIGHT, CHASE, "Red chases the horse with every move", "红方长捉马", "紅方長捉馬"),
    (
        "axf",
        "2ca1k3/4a4/b8/2P5P/2b3p2/1c7/9/B7N/2nR5/2BAK4 b - - 0 1",
        "c5e7 c6b6 e7c5 b6c6 ",
        "by taking its protection away",
        "去根",
        "去根",
    ),
    (
        "cxa",
        "5c3/9/3k1aNC1/9/9/9/9/3A1K3/9/n8 w - - 0 1",
        "g7f5 f7e8 f5g7 e8f7 ",
        "Both sides give perpetual check",
        "双方长将",
        "雙方長將",
    ),
    ("cxa", "5k3/8N/7r1/9/9/9/9/9/7C1/3K2n2 w - - 0 1", "i8g9 h7g7 g9i8 g7h7 ", "without an idle", "禁止着法", "禁止"),
    ("cxa", "3k5/9/6r2/9/9/9/9/2R6/9/4K4 w - - 0 1", "c2g2 g7c7 g2c2 c7g7 ", "Neither side", "允许着法", "允許着法"),
    (
        "cxa",
        "3k5/1C7/9/9/9/2R6/9/9/4K4/9 w - - 0 1",
        "c4c9 d9d8 c9c4 d8d9 ",
        "threatens mate in turn",
        "一将一杀",
        "一將一殺",
    ),
    ("axf", "3k5/9/6r2/9/9/9/9/2R6/9/4K4 w - - 0 1", "c2g2 g7c7 g2c2 c7g7 ", "No side", "双方均无", "雙方均無"),
    ("axf", "5c3/9/3k1aNC1/9/9/9/9/3A1K3/9/n8 w - - 0 1", "g7f5 f7e8 f5g7 e8f7 ", "Both sides give", "长将", "長將"),
    (
        "computer",
        "4k4/4c4/R8/2n3C2/9/9/9/9/4K4/9 w - - 0 1",
        "a7c7 c6a5 c7a7 a5c6 ",
        "Red chases the horse",
        "长捉马",
        "馬",
    ),
    ("none", CHECK, CHECKS, "draw under these rules", "作和", "作和"),
]


@pytest.mark.parametrize(("rules", "fen", "cycle", "english", "simplified", "traditional"), REASONS)
def test_reasons(rules, fen, cycle, english, simplified, traditional):
    reason = judge(board_after(fen, cycle * 2), rules).reason
    assert english in reason.english
    assert simplified in reason.simplified
    assert traditional in reason.traditional


def test_names():
    assert list(CLASS_NAMES) == ["check", "kill", "chase", "idle"]
    assert list(RULE_SETS) == ["axf", "cxa", "computer", "check-only", "none"]
    assert rule_set("cxa").title.traditional == "中國象棋協會棋例"
