"""What the search knows of a move before it is searched: features read off the position, shares, levels' habits."""

import pytest
from support import PURE

from engines.go.board import Board
from engines.go.patterns import symmetric_codes
from engines.go.points import BLACK, WHITE, parse_diagram
from engines.go.priors import NAMES, Priors
from engines.go.selfcheck import check_playout, play_random_game
from engines.go.vertex import format_vertex, parse_vertex
from engines.go.weights import FEATURE_WEIGHTS, pattern_weights


def board_from(diagram: str) -> Board:
    width, height, stones = parse_diagram(diagram)
    board = Board(width, height)
    board.set_position(stones)
    return board


def names_at(board: Board, color: int, vertex: str) -> set[str]:
    """The names of a move's features; empty for a move that is not rated."""
    point = parse_vertex(vertex, board.width, board.height)
    return {NAMES[slot] for at, slots, *_ in Priors().features(board, color) for slot in slots if at == point}


LADDER = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . {breaker} .
    . . . . . . . . .
    . . . . . . . . .
    . . X O . . . . .
    . . . X X . . . .
    . . . . . . . . .
    . . . . . . . . .
    """


def test_ladders_are_read_to_their_end():
    assert "ladder on one stone" in names_at(board_from(LADDER.format(breaker=".")), BLACK, "D5")
    assert "atari on one stone" in names_at(board_from(LADDER.format(breaker="O")), BLACK, "D5")
    assert "saves one stone from a ladder" in names_at(board_from(LADDER.format(breaker=".")), WHITE, "E4")
    assert not any("ladder" in name for name in names_at(board_from(LADDER.format(breaker="O")), WHITE, "E4"))


def test_captures_and_rescues():
    board = board_from(
        """
        . . . . . . .
        . . X X . . .
        . X O O . . .
        . . X X . . .
        . . . . . O X
        . . . . . . O
        . . . . . . .
        """
    )
    assert "takes two stones" in names_at(board, BLACK, "E5")
    assert "saves two or more in atari" in names_at(board, WHITE, "E5")
    assert "runs in vain" in names_at(board, BLACK, "G4")


@pytest.mark.parametrize(
    ("vertex", "name"), [("B1", "gives stones away"), ("G4", "throws a stone in"), ("B7", "nakade")]
)
def test_kinds_of_self_atari(vertex, name):
    board = board_from(
        """
        X . X . O . .
        O O O O O O O
        . . . . . O .
        . . . . . O .
        . . . . . O O
        O O O O . . .
        X . . O . . .
        """
    )
    assert name in names_at(board, BLACK, vertex)


def test_eyes_and_suicide_are_not_rated():
    board = board_from(
        """
        . X . X X
        X X X O O
        X X O O .
        X O O . O
        X O . O O
        """
    )
    rated = {format_vertex(point, 5, 5) for point, *_ in Priors().features(board, BLACK)}
    assert rated.isdisjoint({"A5", "E3", "D2", "C1"})


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_shares_are_the_same_for_both_colours_and_all_turns_of_the_board(color):
    board, mirrored = Board(7), Board(7)
    moves = ["C3", "E5", "D4", "C5", "E3", "F4"]
    for number, vertex in enumerate(moves):
        point = parse_vertex(vertex, 7, 7)
        board.play(BLACK if number % 2 == 0 else WHITE, point)
        y, x = divmod(point, 7)
        mirrored.play(WHITE if number % 2 == 0 else BLACK, x * 7 + 6 - y)
    shares = {point: share for point, *_, share in Priors().features(board, color)}
    others = {point: share for point, *_, share in Priors().features(mirrored, 3 - color)}
    assert 0.9 < sum(shares.values()) <= 1.0001
    for point, share in shares.items():
        y, x = divmod(point, 7)
        assert others[x * 7 + 6 - y] == pytest.approx(share, rel=1e-4)


def test_the_table_is_of_known_features_and_smallest_codes():
    assert set(FEATURE_WEIGHTS) <= set(NAMES)
    weights = pattern_weights()
    assert len(weights) > 100
    assert all(code == min(symmetric_codes(code)) for code in weights)


def test_symmetric_codes():
    corner = 1  # the mover's stone on the left above
    assert symmetric_codes(corner)[0] == corner and set(symmetric_codes(corner)) == {1, 1 << 4, 1 << 10, 1 << 14}
    assert symmetric_codes(0) == [0]


def test_the_board_is_whole_after_all_the_reading_in_playouts():
    for seed in range(1, 4 if PURE else 60):
        board = Board(5 + seed % 9, 5 + seed % 7)
        play_random_game(board, seed, 10 * (seed % 5))
        assert check_playout(board, seed, 60 if PURE else 900) > 0


def test_on_a_large_board_empty_corners_come_first():
    board = Board(19)
    board.play(BLACK, parse_vertex("Q16", 19, 19))
    shares = {format_vertex(point, 19, 19): share for point, *_, share in Priors().features(board, WHITE)}
    corners = {"D4", "C4", "D3", "Q4", "R4", "Q3", "D16", "C16", "D17"}
    best = sorted(shares, key=shares.__getitem__, reverse=True)[:11]
    assert set(best) == corners | {"R14", "O17"}  # or the approaches to the stone that is there
    assert sum(shares[vertex] for vertex in corners) > 0.5
