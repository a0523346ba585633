"""Where the first moves on a large board go."""

import pytest

from engines.go.game import Game
from engines.go.opening import empty_corner_points
from engines.go.points import BLACK, WHITE
from engines.go.search import SearchPlayer
from engines.go.vertex import format_vertex, parse_vertex
from engines.player import Limits


def points(size: int, *vertices: str) -> frozenset[int]:
    game = Game(size)
    for number, vertex in enumerate(vertices):
        game.play(BLACK if number % 2 == 0 else WHITE, parse_vertex(vertex, size, size))
    return empty_corner_points(game.board.stones(), size, size)


def test_corners_are_empty_until_a_stone_stands_in_them():
    corners = {format_vertex(p, 19, 19) for p in points(19, "D4", "K10", "O6")}
    assert corners == {"D16", "C16", "D17", "Q16", "R16", "Q17"}
    assert len(points(13)) == 12 and len(points(19, "G7")) == 12 and not points(19, "F6", "O14", "C17", "R3")
    assert {format_vertex(p, 13, 13) for p in points(13, "D4", "K10", "K4")} == {"D10", "C10", "D11"}


def test_small_boards_have_none():
    assert not points(9) and not points(11)
    board = Game(19, 9).board
    assert not empty_corner_points(board.stones(), 19, 9)


def test_other_shapes_of_board():
    board = Game(19, 13).board
    found = {format_vertex(p, 19, 13) for p in empty_corner_points(board.stones(), 19, 13)}
    assert found >= {"D4", "C4", "D3", "Q10", "R10", "Q11"} and len(found) == 12


@pytest.mark.compiled
@pytest.mark.parametrize("size", [13, 19])
def test_the_search_begins_in_the_corners(size):
    game, player = Game(size, komi=7.5), SearchPlayer(seed=3)
    for _ in range(4):
        empty = empty_corner_points(game.board.stones(), size, size)
        choice = player.choose(game, game.to_move, Limits(nodes=1500))
        assert choice.move in empty
        game.play(game.to_move, choice.move)


@pytest.mark.compiled
def test_a_fight_comes_before_a_corner():
    """Black's four stones are in atari and can run or be taken; no corner is worth that."""
    game = Game(13, komi=7.5)
    for black, white in (("D4", "K4"), ("E4", "D3"), ("F4", "E3"), ("G4", "F3"), ("A1", "G3"), ("A13", "H4"),
                         ("B12", "D5"), ("A12", "E5"), ("B13", "F5"), ("C13", "G5")):  # fmt: skip
        game.play(BLACK, parse_vertex(black, 13, 13))
        game.play(WHITE, parse_vertex(white, 13, 13))
    assert parse_vertex("K10", 13, 13) in empty_corner_points(game.board.stones(), 13, 13)
    choice = SearchPlayer(seed=1).choose(game, BLACK, Limits(nodes=1500))
    assert format_vertex(choice.move, 13, 13) == "C4"
