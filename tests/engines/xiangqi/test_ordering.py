"""What exchanges are worth, against playing them out."""

import random

import pytest

from engines.xiangqi.board import Board
from engines.xiangqi.ordering import exchange_value


def move(text):
    return (int(text[1]) * 9 + ord(text[0]) - 97) << 7 | (int(text[3]) * 9 + ord(text[2]) - 97)


@pytest.mark.parametrize(
    "fen, text, value",
    [
        ("4k4/9/9/9/9/4r4/9/9/9/3KR4 w", "e0e4", 900),  # nobody takes back
        ("4k4/9/9/4n4/9/4p4/9/9/9/3KR4 w", "e0e4", 190),  # the horse does not reach back to e4
        ("4k4/9/9/9/3n5/9/4p4/9/9/3KR4 w", "e0e3", 190 - 900),  # this one does
        ("4k4/9/4c4/4p4/9/4p4/9/9/9/3KR4 w", "e0e4", 190 - 900),  # a cannon over its own soldier
        ("4k4/9/4r4/9/9/4p4/9/9/4R4/3KR4 w", "e1e4", 190 - 900 + 900),  # a second chariot behind the first
        ("3ck4/9/9/9/9/9/9/9/3R5/3K5 w", "d1d9", 450 - 900),  # the general takes
        ("4k4/9/9/9/9/9/9/3n5/9/3K5 b", "d2b1", 0),  # nothing taken, nothing lost
    ],
)
def test_exchanges(fen, text, value):
    assert exchange_value(Board(fen), move(text)) == value


def brute(board, target, values):
    """The mover's gain when both take on the square as long as it pays, every taker tried."""
    best = 0
    for candidate in board.legal_moves():
        if candidate & 127 != target:
            continue
        piece = board.piece_at(target)
        board.play(candidate)
        best = max(best, values(piece, target) - brute(board, target, values))
        board.undo()
    return best


@pytest.mark.compiled
def test_most_exchanges_agree_with_trying_every_order():
    worth = {1: 9999, 2: 200, 3: 200, 4: 400, 5: 900, 6: 450}

    def values(piece, square):
        kind, color = piece & 7, piece >> 3
        if kind == 7:
            return 190 if (square >= 45) != bool(color) else 100
        return worth[kind]

    rng, agree, count = random.Random(4), 0, 0
    while count < 400:
        board = Board()
        for _ in range(rng.randrange(10, 80)):
            if board.legal_moves():
                board.play(rng.choice(board.legal_moves()))
        for capture in board.legal_moves(1):
            target = capture & 127
            piece = board.piece_at(target)
            value = exchange_value(board, capture)
            board.play(capture)
            expected = values(piece, target) - brute(board, target, values)
            board.undo()
            count += 1
            agree += value == expected
    # Pins, screens that come and go, and takers dearer than they look are left to the search.
    assert agree > 0.9 * count
