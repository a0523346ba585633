"""The tree search: mates, tactics, rules in the tree, determinism."""

import threading

import pytest
from support import DATA, PURE

from engines.xiangqi import cycle
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_name
from engines.xiangqi.search import Searcher
from engines.xiangqi.search_stack import MATE, RULE_BOUND, RULE_WIN
from engines.xiangqi.table import Table


def searcher_on(board, **settings):
    searcher = Searcher(Board(), Table(1))
    searcher.node_limit = 1 << 62
    for name, value in settings.items():
        setattr(searcher.stack if hasattr(searcher.stack, name) else searcher, name, value)
    searcher.set_position(board)
    return searcher


def think(board, depth, lines=1, **settings):
    searcher = searcher_on(board if isinstance(board, Board) else Board(board), **settings)
    for plies in range(1, depth + 1):
        assert searcher.iterate(plies, lines)
    return searcher


def best(board, depth, **settings):
    move, score, _ = think(board, depth, **settings).ranking(1)[0]
    return move_name(move), score


def game(fen, *moves):
    board = Board(fen)
    for text in moves:
        board.play((int(text[1]) * 9 + ord(text[0]) - 97) << 7 | (int(text[3]) * 9 + ord(text[2]) - 97))
    return board


def mates():
    """Positions with the plies to the shortest mate; see the file."""
    for line in (DATA / "xiangqi" / "mates.txt").read_text().splitlines():
        if not line.startswith("#"):
            plies, _, fen = line.partition(" ")
            yield int(plies), fen


MATES = [case for case in mates() if not PURE or case[0] == 1]


@pytest.mark.parametrize("plies, fen", MATES)
def test_the_shortest_mate_is_found_without_pruning(plies, fen):
    searcher = think(fen, plies + 1, pruning=0, natural_limit=0)
    _, score, line = searcher.ranking(1)[0]
    assert score == MATE - plies
    assert len(line) == plies
    board = Board(fen)
    for move in line:
        board.play(move)
    assert not board.legal_moves()


@pytest.mark.compiled
@pytest.mark.parametrize("plies, fen", MATES)
def test_mates_are_found_with_pruning_too(plies, fen):
    score = think(fen, plies + 8).ranking(1)[0][1]
    assert score > MATE - 20


@pytest.mark.compiled
def test_quiescence_sees_checks():
    # Two plies deep, a mate of three is beyond the tree proper: quiescence must find the last check.
    found = [think(fen, 2).ranking(1)[0][1] == MATE - plies for plies, fen in MATES if plies == 3]
    assert sum(found) >= 0.7 * len(found)


def test_having_no_move_is_losing_though_not_in_check():
    # Red takes the last square from the general (困毙).
    assert best("3k5/9/9/9/9/9/9/9/4R4/4K4 w", 3)[1] >= MATE - 3
    assert think("3k5/4R4/9/9/9/9/9/9/9/4K4 b", 1).root_size == 0


TACTICS = [
    ("4k4/9/9/9/9/4r4/9/9/9/3KR4 w", "e0e4", "take what stands free"),
    ("2bak4/4a4/4b4/9/9/4r4/9/4N4/9/3K1R3 b", "e4e2", "a horse without protection"),
    ("2bakab2/9/9/9/2r6/9/9/4B4/9/C1RAKAB2 w", "c0c5", "the chariot that the other protects by nothing"),
]


@pytest.mark.parametrize("fen, move, name", TACTICS)
def test_simple_tactics(fen, move, name):
    assert best(fen, 3 if PURE else 6)[0] == move, name


def test_a_protected_piece_is_not_taken_by_a_dearer_one():
    # The soldier on e6 is protected by the horse on g7.
    move, _ = best("2bakab2/9/6n2/p1p1p1p1p/9/9/P1P1R1P1P/9/9/2BAKAB2 w", 4)
    assert move != "e3e6"


def test_all_moves_are_searched_when_so_many_lines_are_asked_for():
    board = Board()
    searcher = think(board, 2, lines=128)
    ranking = searcher.ranking(128)
    assert sorted(move for move, _, _ in ranking) == sorted(board.legal_moves())
    scores = [score for _, score, _ in ranking]
    assert scores == sorted(scores, reverse=True)
    for move, _, line in ranking:
        assert line[0] == move
        after = Board()
        for step in line:
            after.play(step)


def test_lines_are_legal_and_scores_ordered():
    for fen in ("r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C1N2/9/R1BAKAB1R w", "4k4/9/9/9/9/4r4/9/9/9/3KR4 w"):
        ranking = think(fen, 3 if PURE else 6, lines=4).ranking(4)
        assert [score for _, score, _ in ranking] == sorted((score for _, score, _ in ranking), reverse=True)
        assert len({move for move, _, _ in ranking}) == 4
        for _, _, line in ranking:
            board = Board(fen)
            for move in line:
                board.play(move)


def test_restrictions():
    board = Board()
    moves = board.legal_moves()
    searcher = searcher_on(board)
    searcher.restrict(moves[:10], True)
    searcher.iterate(1, 1)
    assert searcher.root_size == 10 and searcher.ranking(1)[0][0] in moves[:10]
    searcher = searcher_on(board)
    searcher.restrict(moves[:43], False)
    assert searcher.root_size == 1
    searcher.restrict(moves, False)
    assert searcher.root_size == 0 and searcher.iterate(3, 1) and searcher.ranking(1) == []


def test_one_thread_searches_the_same_tree_every_time():
    fen = "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C1N2/9/R1BAKAB1R w"
    first, second = (think(fen, 3 if PURE else 9) for _ in range(2))
    assert first.nodes == second.nodes
    assert first.ranking(3) == second.ranking(3)


def test_the_node_limit_is_kept_to_the_node():
    searcher = searcher_on(Board())
    searcher.node_limit = 500
    depth = 1
    while searcher.iterate(depth, 1):
        depth += 1
    assert searcher.nodes == 500
    assert Board().is_legal(searcher.ranking(1)[0][0])


@pytest.mark.compiled
def test_halting_from_another_thread():
    searcher = searcher_on(Board())
    threading.Timer(0.2, lambda: setattr(searcher, "halt", True)).start()
    depth = 1
    while searcher.iterate(depth, 1):
        depth += 1
        assert depth < 128
    nodes = searcher.nodes
    assert not searcher.iterate(depth, 1)
    assert searcher.nodes - nodes < 1000  # it does not even begin


# -- rules in the tree


@pytest.mark.compiled
@pytest.mark.parametrize("fen", ["8r/5k3/9/8c/9/9/9/3R5/3K5/7r1 w", "9/9/2rk5/2r5R/9/9/9/9/5K3/5A3 w"])
def test_perpetual_check_saves_nobody(fen):
    # Red is far behind, and could check with the chariot for ever.
    assert best(fen, 8, rules=cycle.NO_RULES)[1] == 0
    for rules in (cycle.CHECK_ONLY_RULES, cycle.AXF_RULES, cycle.CXA_RULES, cycle.COMPUTER_RULES):
        assert best(fen, 8, rules=rules)[1] < -500


def test_a_third_occurrence_is_seen_at_once():
    # Black has been checking on every move; the cycle closes for the third time when Red steps back.
    fen = "3k5/9/9/9/9/9/9/9/9/r3K4 w"
    cycle_moves = ["e0e1", "a0a1", "e1e0", "a1a0"]
    board = game(fen, *cycle_moves, *cycle_moves[:3])
    move, score = best(board, 1)  # Black to move: a1a0 repeats for the third time, with check
    assert move != "a1a0" or score < -RULE_BOUND
    free = best(board, 1, rules=cycle.NO_RULES)
    assert abs(free[1]) < RULE_BOUND
    forced = searcher_on(board)
    forced.restrict([next(m for m in board.legal_moves() if move_name(m) == "a1a0")], True)
    forced.iterate(1, 1)
    assert forced.ranking(1)[0][1] == 1 - RULE_WIN


# Black is mated in one or two moves unless he checks; to check for the third time in this cycle loses by rule.
LAST_CHECK = ("3k5/7R1/8R/9/9/9/9/9/9/r3K4 w", ["e0e1", "a0a1", "e1e0", "a1a0", "e0e1", "a0a1", "e1e0"])


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 8] if not PURE else [1, 2, 3])
@pytest.mark.parametrize("lines", [1, 3, 128])
def test_losing_by_rule_is_not_preferred_to_being_mated(depth, lines):
    ranking = think(game(LAST_CHECK[0], *LAST_CHECK[1]), depth, lines).ranking(128)
    assert move_name(ranking[0][0]) == "a1e1"
    if lines == 128:
        move, score, line = ranking[-1]
        assert (move_name(move), score, len(line)) == ("a1a0", 1 - RULE_WIN, 1)
        assert depth < 2 or all(score < 2 - MATE + 20 for _, score, _ in ranking[:-1])


@pytest.mark.parametrize("before", [1, 3])
def test_a_check_that_is_not_the_last_of_a_cycle_puts_the_mate_off(before):
    move, score = best(game(LAST_CHECK[0], *LAST_CHECK[1][:before]), 6)
    assert move in ("a0a1", "a1a0")
    assert -MATE < score < 2 - MATE + 20  # and where it ends is a mate, not a loss by rule


def test_a_loss_by_rule_learnt_in_one_game_is_forgotten_in_the_next():
    # What a search with a loss by rule at its root has stored says nothing wrong where there is no such history.
    searcher = think(game(LAST_CHECK[0], *LAST_CHECK[1]), 4, 128)
    fresh = Board(LAST_CHECK[0])
    searcher.set_position(fresh)
    for depth in range(1, 5):
        searcher.iterate(depth, 1)
    other = think(LAST_CHECK[0], 4)
    assert searcher.ranking(1)[0][1] == other.ranking(1)[0][1]


def test_repetition_is_a_draw_when_nobody_attacks():
    fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w"
    moves = ["a0a1", "d9d8", "a1a0", "d8d9"]
    board = game(fen, *moves, *moves[:3])
    searcher = searcher_on(board)
    searcher.restrict([next(m for m in board.legal_moves() if move_name(m) == "d8d9")], True)
    searcher.iterate(1, 1)
    assert searcher.ranking(1)[0][1] == 0


def test_contempt_is_the_price_of_a_draw():
    fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w"
    moves = ["a0a1", "d9d8", "a1a0", "d8d9"]
    board = game(fen, *moves, *moves[:3])
    searcher = searcher_on(board, contempt=35)
    searcher.restrict([next(m for m in board.legal_moves() if move_name(m) == "d8d9")], True)
    searcher.iterate(1, 1)
    assert searcher.ranking(1)[0][1] == -35


def test_the_natural_limit():
    fen = "2bakab2/9/9/9/9/9/9/9/9/R2K5 w - - 119 80"
    assert best(fen, 2)[1] == 0  # every move that takes nothing draws
    assert best(fen, 2, natural_limit=0)[1] > 100
    assert best(fen, 2, natural_limit=200)[1] > 100


def test_a_mate_with_the_last_ply_of_the_limit_counts():
    fen = next(fen for plies, fen in MATES if plies == 1).replace("- - 0 1", "- - 119 80")
    assert best(fen, 2)[1] == MATE - 1


def test_checks_beyond_the_tenth_and_their_evasions_can_be_left_out_of_the_count():
    # 24 plies of checks and evasions: the last two checks, and the answers to them, don't count.
    board = game("R8/5k3/9/9/9/9/1r4c2/9/5r3/3K1A3 w - - 90 80", *(["a9a8", "f8f9", "a8a9", "f9f8"] * 6))
    last = next(move for move in board.legal_moves() if move_name(move) == "a9b9")
    for free, drawn in ((-1, True), (10, False)):
        searcher = searcher_on(board, natural_limit=115, free_checks=free)
        searcher.restrict([last], True)
        searcher.iterate(1, 1)
        assert (searcher.ranking(1)[0][1] == 0) == drawn


@pytest.mark.compiled
@pytest.mark.parametrize("settings", [{"pruning": p} for p in range(4)] + [{"knowledge": k} for k in range(4)])
def test_every_way_to_play_gives_a_sound_answer(settings):
    searcher = think("r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C1N2/9/R1BAKAB1R w", 5, **settings)
    _, score, line = searcher.ranking(1)[0]
    assert abs(score) < 500 and len(line) >= 1


@pytest.mark.compiled
def test_most_mates_and_tactics_are_seen():
    lines = [line for line in (DATA / "xiangqi" / "tactics.txt").read_text().splitlines() if not line.startswith("#")]
    assert len(lines) >= 60
    solved = 0
    for line in lines:
        _, _, move, fen = line.split(maxsplit=3)
        searcher = searcher_on(Board(fen))
        searcher.node_limit = 60_000
        depth = 1
        while searcher.iterate(depth, 1) and depth < 40:
            depth += 1
        solved += move_name(searcher.ranking(1)[0][0]) == move
    assert solved >= 0.75 * len(lines)
