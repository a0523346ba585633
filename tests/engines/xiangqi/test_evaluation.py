"""The evaluation, seen through what a searcher says of a position without searching."""

import random

import pytest
from support import PURE
from xiangqi_cases import mirrored, random_positions, swapped

from engines.xiangqi.board import Board
from engines.xiangqi.evaluation import ALL_TERMS, GROUPS, PHASES, TEMPO, count_terms, piece_value
from engines.xiangqi.geometry import ADVISOR, BISHOP, CANNON, KNIGHT, PAWN, ROOK, is_home
from engines.xiangqi.search import Searcher
from engines.xiangqi.table import Table
from engines.xiangqi.weights import TERMS


def static(fen, knowledge=3):
    searcher = Searcher(Board(), Table(1))
    searcher.stack.knowledge = knowledge
    searcher.set_position(Board(fen))
    return searcher.static()


def test_the_start_is_worth_little_but_being_to_move():
    assert 0 < static("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1") < 60
    assert static("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", 1) == TEMPO


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


def middle(kind):
    """What a piece of a kind is worth in the middle game, on an average point."""
    values = [piece_value(kind, 0, square)[0] for square in range(90) if is_home(0, square, kind)]
    return sum(values) / len(values)


def test_pieces_are_worth_about_what_players_are_taught():
    assert middle(ROOK) > 1.7 * max(middle(KNIGHT), middle(CANNON))
    assert middle(ROOK) < 3 * min(middle(KNIGHT), middle(CANNON))
    assert min(middle(KNIGHT), middle(CANNON)) > 1.3 * max(middle(ADVISOR), middle(BISHOP))
    before, across, last = (piece_value(PAWN, 0, rank * 9 + 2)[0] for rank in (3, 6, 9))
    assert 0 < before < across / 1.5 and last < across


def test_every_weight_has_its_place_in_the_table():
    places = [first + i for name, first in GROUPS.items() for i in range(len(TERMS[name]))]
    assert places == list(range(ALL_TERMS))


def test_the_counts_of_the_terms_add_up_to_the_evaluation():
    for fen in random_positions(5 if PURE else 50, seed=3):
        board = Board(fen)
        weights = [pair for name in GROUPS for pair in TERMS[name]]
        counts = count_terms(board)
        sums = [0, 0]
        for square in range(90):
            piece = board.piece_at(square)
            if piece:
                sign = -1 if piece >> 3 else 1
                for i in range(2):
                    sums[i] += sign * piece_value(piece & 7, piece >> 3, square)[i]
        for i in range(2):
            sums[i] += sum(count * weight[i] for count, weight in zip(counts, weights, strict=True))
        phase = sum({ROOK: 3, CANNON: 2, KNIGHT: 2}.get(board.piece_at(square) & 7, 0) for square in range(90))
        phase = min(phase, PHASES)
        expected = (sums[0] * phase + sums[1] * (PHASES - phase)) / PHASES
        if any(len([s for s in range(90) if board.piece_at(s) in kinds]) < 2 for kinds in ((4, 5, 6), (12, 13, 14))):
            continue  # a side with little left is judged by other rules too
        assert abs(static(fen) - TEMPO - (-expected if board.turn else expected)) <= 1


def test_horse_with_more_points_to_go_to_is_better():
    weights = [middle + end for middle, end in TERMS["KNIGHT_MOBILITY"]]
    assert sum(weights[:3]) < sum(weights[6:])


def test_who_has_nothing_that_attacks_is_not_ahead():
    assert static("4k4/9/9/9/9/9/9/4B4/9/2BAKA3 w") <= TEMPO
    assert static("2bakab2/4n4/9/9/9/9/9/9/9/4K4 b") > 0


@pytest.mark.parametrize(
    "won, drawn",
    [
        # two horses, or a chariot, against all guards
        ("2bak4/4a4/4b4/9/9/9/2N3N2/4B4/4A4/4KAB2 w", "2bak4/4a4/4b4/9/9/9/2R6/4B4/4A4/4KAB2 w"),
        # a chariot against three guards and against four
        ("3ak4/4a4/4b4/9/9/9/2R6/9/9/4K4 w", "2bak4/4a4/4b4/9/9/9/2R6/9/9/4K4 w"),
        # horse and cannon, or two cannons
        ("2bak4/4a4/4b4/9/9/9/2N3C2/4B4/4A4/4KAB2 w", "2bak4/4a4/4b4/9/9/9/2C3C2/4B4/4A4/4KAB2 w"),
    ],
)
def test_what_wins_is_worth_more_than_what_draws(won, drawn):
    assert static(won) > static(drawn) + 50


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
