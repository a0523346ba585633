"""The evaluation, seen through what a searcher says of a position without searching."""

import random

import pytest
from support import PURE

from engines.xiangqi.board import Board
from engines.xiangqi.evaluation import MATERIAL, TEMPO, piece_value
from engines.xiangqi.geometry import ADVISOR, BISHOP, CANNON, KNIGHT, PAWN, ROOK
from engines.xiangqi.search import Searcher
from engines.xiangqi.table import Table


def static(fen, knowledge=3):
    searcher = Searcher(Board(), Table(1))
    searcher.track.knowledge = knowledge
    searcher.set_position(Board(fen))
    return searcher.static()


def swapped(fen):
    """The same position with the colors exchanged and the board turned over."""
    placement, side, *rest = fen.split()
    rows = [row.swapcase() for row in reversed(placement.split("/"))]
    return " ".join(["/".join(rows), "b" if side == "w" else "w", *rest])


def mirrored(fen):
    placement, *rest = fen.split()
    return " ".join(["/".join(row[::-1] for row in placement.split("/")), *rest])


def random_positions(count, seed=1):
    rng = random.Random(seed)
    board = Board()
    while count:
        moves = board.legal_moves()
        if not moves or len(board.history) > 120:
            board = Board()
            continue
        board.play(rng.choice(moves))
        if len(board.history) % 7 == 0:
            count -= 1
            yield board.fen()


def test_the_start_is_worth_being_to_move():
    assert static("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1") == TEMPO


@pytest.mark.parametrize("knowledge", [0, 1, 2, 3])
def test_both_colors_and_both_wings_are_judged_alike(knowledge):
    for fen in random_positions(20 if PURE else 200):
        assert static(fen, knowledge) == static(swapped(fen), knowledge) == static(mirrored(fen), knowledge)


def test_the_books_kept_by_moves_agree_with_the_position_itself():
    board, rng = Board(), random.Random(5)
    for _ in range(80):
        moves = board.legal_moves()
        if not moves:
            break
        board.play(rng.choice(moves))
        along = Searcher(Board(), Table(1))
        along.set_position(board)
        assert along.static() == static(board.fen())


def test_pieces_are_worth_what_players_are_taught():
    pawn = MATERIAL[PAWN][0]
    for kind, worth in ((ROOK, 9), (KNIGHT, 4), (CANNON, 4.5), (ADVISOR, 2), (BISHOP, 2)):
        assert MATERIAL[kind][0] == worth * pawn
    before, across, last = (piece_value(PAWN, 0, rank * 9 + 2)[0] for rank in (3, 6, 9))
    assert 0.8 * pawn < before < 1.2 * pawn and 1.8 * pawn < across < 2.5 * pawn and 0.7 * pawn < last < 1.2 * pawn


def test_who_has_nothing_that_attacks_is_not_ahead():
    assert static("4k4/9/9/9/9/9/9/4B4/9/2BAKA3 w") <= TEMPO
    assert static("2bakab2/4n4/9/9/9/9/9/9/9/4K4 b") > 0


def test_a_hollow_cannon_is_a_threat():
    # Nothing stands between the cannon and the general; on the next file it would threaten nothing.
    hollow = "r1bakab1r/9/2n3n2/p1p3p1p/9/9/P1P1C1P1P/2N3N2/9/R1BAKAB1R b"
    aside = "r1bakab1r/9/2n3n2/p1p3p1p/9/4P4/P1PC2P1P/2N3N2/9/R1BAKAB1R b"
    threat = static(hollow, 3) - static(hollow, 2)
    assert threat < static(aside, 3) - static(aside, 2) - 30


def test_knowledge_can_be_taken_away():
    fen = "r1bakabnr/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1CN4C1/9/1RBAKABNR b - - 0 1"
    assert static(fen, 0) == TEMPO  # material alone
    assert static(fen, 3) != static(fen, 2) or static(fen, 2) != static(fen, 1)
