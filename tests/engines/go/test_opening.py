"""Where the first moves on a large board go."""

import pytest

from engines.go.game import Game
from engines.go.opening import empty_corner_points
from engines.go.points import BLACK, WHITE
from engines.go.search import SearchPlayer, _corner_first
from engines.go.vertex import format_vertex, parse_vertex
from engines.player import Candidate, Limits


def points(size: int, *vertices: str) -> frozenset[int]:
    game = Game(size)
    for number, vertex in enumerate(vertices):
        game.play(BLACK if number % 2 == 0 else WHITE, parse_vertex(vertex, size, size))
    return empty_corner_points(game.board.stones(), size, size)


def test_corners_are_empty_until_a_stone_stands_in_them():
    corners = {format_vertex(p, 19, 19) for p in points(19, "D4", "K10", "O6")}
    assert corners == {"D16", "C16", "D17", "Q16", "R16", "Q17"}
    assert len(points(16)) == 12 and len(points(19, "G7")) == 12 and not points(19, "F6", "O14", "C17", "R3")
    assert {format_vertex(p, 16, 16) for p in points(16, "D4", "N13", "N4")} == {"D13", "C13", "D14"}


def test_small_boards_have_none():
    assert not points(9) and not points(13)
    board = Game(19, 9).board
    assert not empty_corner_points(board.stones(), 19, 9)


def test_other_shapes_of_board():
    board = Game(19, 16).board
    found = {format_vertex(p, 19, 16) for p in empty_corner_points(board.stones(), 19, 16)}
    assert found >= {"D4", "C4", "D3", "Q13", "R13", "Q14"} and len(found) == 12


def candidates(*rated: tuple[str, int, float]) -> list[Candidate[int]]:
    """Of vertex, visits and chance to win."""
    return [Candidate(parse_vertex(v, 19, 19), (), visits=n, winrate=rate) for v, n, rate in rated]


@pytest.mark.parametrize(
    ("rated", "taken"),
    [
        ([("K10", 500, 0.52), ("Q16", 60, 0.50)], "Q16"),
        ([("K10", 500, 0.52), ("Q16", 60, 0.47), ("C4", 30, 0.51)], "C4"),
        ([("K10", 500, 0.52), ("Q16", 60, 0.47)], "K10"),
        ([("K10", 500, 0.52), ("Q16", 4, 0.60)], "K10"),
        ([("R4", 500, 0.52), ("Q16", 60, 0.52)], "R4"),
    ],
)
def test_a_corner_is_taken_where_that_seems_to_cost_little(rated, taken):
    assert format_vertex(_corner_first(Game(19), candidates(*rated)).move, 19, 19) == taken


@pytest.mark.compiled
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_search_begins_in_a_corner(seed):
    choice = SearchPlayer(seed=seed).choose(Game(19, komi=7.5), BLACK, Limits(nodes=1500))
    assert choice.move in points(19)


@pytest.mark.compiled
def test_a_fight_comes_before_a_corner():
    """Black's four stones are in atari and can run or be taken; no corner is worth that."""
    game = Game(19, komi=7.5)
    for black, white in (("D4", "Q4"), ("E4", "D3"), ("F4", "E3"), ("G4", "F3"), ("A1", "G3"), ("A19", "H4"),
                         ("B18", "D5"), ("A18", "E5"), ("B19", "F5"), ("C19", "G5")):  # fmt: skip
        game.play(BLACK, parse_vertex(black, 19, 19))
        game.play(WHITE, parse_vertex(white, 19, 19))
    assert parse_vertex("Q16", 19, 19) in empty_corner_points(game.board.stones(), 19, 19)
    choice = SearchPlayer(seed=1).choose(game, BLACK, Limits(nodes=1500))
    assert format_vertex(choice.move, 19, 19) == "C4"
