"""The search for a mate: proofs, disproofs, lines, and the rules of the game before and around it."""

import pytest
from support import DATA, PURE
from xiangqi_cases import board_after

from engines.player import Limits, Restriction
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import RED
from engines.xiangqi.mate import ANY_QUIETS, DEEPEST_MATE, MateHunt, MateSearch
from engines.xiangqi.player import SearchPlayer, Settings
from engines.xiangqi.table import Table

ENOUGH = 300_000
TWO_CHARIOTS = "3k5/9/9/9/9/9/9/R8/9/5K2R w - - 0 1"
PREPARED = "9/R8/5k2b/4P3p/9/9/8P/7N1/4A4/2B1KAB2 w - - 0 1"
STALEMATE = "5a3/5k3/5a3/9/9/9/9/3C5/9/4K4 w - - 0 1"
ROUND = "a2a8 d9e9 a8a2 e9d9"


def rows(name):
    return [line.split() for line in (DATA / "xiangqi" / name).read_text("ascii").splitlines() if line[0] != "#"]


SHORT = [(int(plies), " ".join(fen)) for plies, *fen in rows("mates.txt") if not PURE or int(plies) < 5]
COMPOSED = [(kind, int(moves), " ".join(fen)) for kind, moves, *fen in rows("composed.txt")]
ALL = [(moves, fen) for kind, moves, fen in COMPOSED if kind == "all" and (not PURE or moves <= 2)]
CHECKS = [(moves, fen) for kind, moves, fen in COMPOSED if kind == "checks" and not PURE]


def search(fen_or_board, **track):
    found = MateSearch(Table(1), 1 if PURE else 4)
    for name, value in track.items():
        setattr(found.stack, name, value)
    found.start(Board(fen_or_board) if isinstance(fen_or_board, str) else fen_or_board)
    return found


def is_whole(fen, line):
    """Whether the line ends with a side that can't move."""
    board = Board(fen)
    for move in line:
        board.play(move)
    return not board.can_move()


@pytest.mark.parametrize(("plies", "fen"), SHORT)
def test_the_shortest_mate_and_no_shorter_one(plies, fen):
    found = search(fen)
    if plies > 1:
        assert found.ask(plies - 2, ANY_QUIETS, ENOUGH) is False
    assert found.ask(plies, ANY_QUIETS, ENOUGH) is True
    line = found.line(ENOUGH)
    assert len(line) == plies and is_whole(fen, line)


@pytest.mark.parametrize(("moves", "fen"), ALL)
def test_composed_mates_are_the_shortest(moves, fen):
    hunt = MateHunt(search(fen), 2 * moves)
    while not hunt.exhausted:
        hunt.advance(ENOUGH)
    assert len(hunt.line) == 2 * moves - 1 and is_whole(fen, hunt.line)


@pytest.mark.parametrize(("moves", "fen"), CHECKS)
def test_mates_by_checks_alone(moves, fen):
    found = search(fen)
    assert found.ask(2 * moves - 3, 0, ENOUGH) is False
    assert found.ask(2 * moves - 1, 0, ENOUGH) is True
    line = found.line(ENOUGH)
    assert len(line) == 2 * moves - 1 and is_whole(fen, line)
    board = Board(fen)
    for i, move in enumerate(line):
        assert i % 2 or board.gives_check(move)
        board.play(move)


def test_quiet_moves_are_counted():
    """The first move gives no check but threatens mate."""
    assert search(PREPARED).ask(3, 0, ENOUGH) is False
    assert search(PREPARED).ask(3, 1, ENOUGH) is True


def test_a_side_without_a_move_has_lost():
    assert search(STALEMATE).ask(1, 0, ENOUGH) is False
    assert search(STALEMATE).ask(1, ANY_QUIETS, ENOUGH) is True


@pytest.mark.compiled
def test_it_goes_on_where_it_was_interrupted():
    found = search(SHORT[-1][1])
    answers = [found.ask(5, ANY_QUIETS, 20) for _ in range(40)]
    assert answers[0] is None and answers[-1] is True


def test_halting():
    found = search(TWO_CHARIOTS)
    found.halt = True
    assert found.ask(3, ANY_QUIETS, ENOUGH) is None
    assert found.nodes < 10
    found.halt = False
    assert found.ask(3, ANY_QUIETS, ENOUGH) is True


def only(board, move, **track):
    found = search(board, **track)
    found.restrict({board_after(board.fen(), move).history[0]}, True)
    return found


def test_a_position_that_was_there_twice_is_judged_when_it_comes_again():
    assert only(Board(TWO_CHARIOTS), "a2a8").ask(3, ANY_QUIETS, ENOUGH) is True
    assert only(board_after(TWO_CHARIOTS, ROUND), "a2a8").ask(3, ANY_QUIETS, ENOUGH) is True
    again = board_after(TWO_CHARIOTS, f"{ROUND} {ROUND}")
    assert only(again, "a2a8").ask(3, ANY_QUIETS, ENOUGH) is False
    assert search(again).ask(3, ANY_QUIETS, ENOUGH) is True  # by another move


@pytest.mark.parametrize(("clock", "mates"), [(117, True), (118, False)])
def test_a_mate_with_the_last_ply_of_the_natural_limit_counts(clock, mates):
    fen = TWO_CHARIOTS.replace("0 1", f"{clock} 70")
    assert search(fen, natural_limit=120).ask(3, ANY_QUIETS, ENOUGH) is mates
    assert search(fen, natural_limit=0).ask(3, ANY_QUIETS, ENOUGH) is True


def test_checks_beyond_the_free_ones_do_not_count():
    """With no check counted a mate by checks alone never meets the limit."""
    fen = "9/9/4k4/R8/9/9/9/1R7/9/3K5 w - - 118 70"
    assert search(fen, natural_limit=120).ask(5, 0, ENOUGH) is False
    assert search(fen, natural_limit=120, free_checks=0).ask(5, 0, ENOUGH) is True


def test_answers_hold_for_the_side_that_asked():
    """The same table serves both sides, and positions by turns."""
    found = search(TWO_CHARIOTS)
    assert found.ask(3, ANY_QUIETS, ENOUGH) is True
    found.start(board_after(TWO_CHARIOTS, "a2a8"))
    assert found.ask(3, ANY_QUIETS, ENOUGH) is False
    found.start(Board(TWO_CHARIOTS))
    assert found.ask(1, ANY_QUIETS, ENOUGH) is False
    assert found.ask(3, ANY_QUIETS, ENOUGH) is True


def test_no_move_no_mate():
    mated = board_after(TWO_CHARIOTS, "a2a8 d9e9 i0i9")
    assert search(mated).ask(3, ANY_QUIETS, ENOUGH) is False


# -- go mate


def ask(fen, reports=None, **limits):
    player = SearchPlayer(Settings(hash=1 if PURE else 16))
    board = Board(fen)
    choice = player.choose(board, board.turn, Limits(**limits), None if reports is None else reports.append)
    player.close()
    return choice


@pytest.mark.compiled
@pytest.mark.parametrize(("kind", "moves", "fen"), COMPOSED[::3])
def test_a_mate_is_announced_with_its_whole_line(kind, moves, fen):
    reports = []
    choice = ask(fen, reports, mate=moves)
    candidate = choice.report.candidates[0]
    assert candidate.mate <= moves if kind == "checks" else candidate.mate == moves
    assert len(candidate.line) == 2 * candidate.mate - 1 and is_whole(fen, candidate.line)
    assert choice.move == candidate.move == candidate.line[0]
    last = reports[-1].candidates[0]
    assert (last.mate, last.line) == (candidate.mate, candidate.line)


@pytest.mark.compiled
def test_the_shortest_mate_is_announced_although_longer_ones_would_do():
    moves, fen = next(case for case in ALL if case[0] == 4)
    assert ask(fen, mate=30).report.candidates[0].mate == moves


@pytest.mark.compiled
def test_it_is_certain_that_there_is_none():
    """It ends by itself, with a move to play."""
    _, fen = ALL[-1]
    choice = ask(fen, mate=2)
    assert choice.action == "move" and choice.report.candidates[0].mate is None


def test_nodes_limit_it():
    choice = ask(COMPOSED[-1][2], mate=DEEPEST_MATE + 50, nodes=3000)
    assert choice.action == "move" and choice.report.nodes <= 3100


@pytest.mark.compiled
def test_moves_may_be_barred():
    board = Board(TWO_CHARIOTS)
    best = ask(TWO_CHARIOTS, mate=2).move
    barred = ask(TWO_CHARIOTS, mate=2, restrictions=(Restriction(RED, frozenset({best}), allow=False),))
    assert barred.move != best and barred.report.candidates[0].mate == 2
    assert board.is_legal(barred.move)
