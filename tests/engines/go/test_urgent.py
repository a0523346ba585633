"""Small corners where the first move decides: what is read of them, and what the search makes of it."""

import pytest
from exhaust import Exhaust

from engines.go.game import Game
from engines.go.points import BLACK, EMPTY, WHITE, opponent, parse_diagram
from engines.go.rules import preset
from engines.go.search import SearchPlayer
from engines.go.tree import Tree, Worker
from engines.go.urgent import Urgencies, worth_elsewhere
from engines.go.vertex import format_vertex, parse_vertex
from engines.player import Limits

BOARDS = {
    "three points in a row": (".XO.O.O .XOOOOO .XO.O.O XXOOOOO OOO.O.O", {"A4"}, {"A4"}),
    "a bent three": ("..XO.O. .XXOOOO XXOO.O. OOOOOOO .O.O.O.", {"A5"}, {"A5"}),
    "a pyramid four": ("...XO.O X.XXOOO XXXOO.O OOOOOOO .O.O.O.", {"B5"}, {"B5"}),
    "a bulky five": ("..XO.O. ..XOOOO .XXO.O. XXOOOOO OOO.O.O .O.O.OO", {"A5"}, {"A5"}),
    "an eye that is there or not": (".X.XO.O X.XXOOO XXXOO.O OOOOOOO .O.O.O.", None, None),
    "four in a row, which needs no move": (".XO.O.O .XO.O.O .XOOOOO .XO.O.O XXOOOOO OOO.O.O", None, None),
    "a square four, which no move saves": ("..XO.O. ..XOOOO XXXO.O. OOOOOOO .O.O.O.", None, None),
}


def board(name):
    text, black, white = BOARDS[name]
    return *parse_diagram("\n".join(text.split())), {BLACK: black, WHITE: white}


def read(name, color, limit=400_000):
    width, height, stones, _ = board(name)
    return Urgencies().read(width, height, stones, color, limit)


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("name", BOARDS)
def test_the_move_that_decides(name, color):
    width, height, _, wanted = board(name)
    found, unread = read(name, color)
    assert not unread
    best = [{format_vertex(point, width, height) for point in urgency.best} for urgency in found]
    assert best == ([wanted[color]] if wanted[color] else [])


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("name", [name for name, (_, wanted, _) in BOARDS.items() if wanted])
def test_moves_that_decide_and_moves_that_do_not_by_playing_everything(name, color):
    width, height, stones, _ = board(name)
    sign = 1 if color == BLACK else -1
    for urgency in read(name, color)[0]:
        values = {}
        counted = Exhaust(width, height, stones, ()).counted
        for point in urgency.corner.empty:
            game = Game(width, height)
            game.set_position(stones, color)
            if not game.is_legal(color, point):
                continue
            game.play_as(color, point)
            after = Exhaust(width, height, game.board.stones(), urgency.corner.points, opponent(color))
            after.counted = counted
            values[point] = sign * after.value(opponent(color))
        most = max(values.values())
        assert {point for point, value in values.items() if value == most} >= urgency.best
        assert all(values.get(point, -99) < most for point in urgency.worse)


def test_a_corner_too_large_to_read_is_named():
    found, unread = read("a bulky five", WHITE, limit=60)
    assert not found
    assert [len(corner.empty) for corner in unread] == [5]


def test_what_is_known_is_not_known_on_a_smaller_bound():
    width, height, stones, _ = board("a bulky five")
    urgencies = Urgencies()
    assert urgencies.read(width, height, stones, WHITE, 400_000)[0]
    assert not urgencies.read(width, height, stones, WHITE, 60)[0]
    assert urgencies.read(width, height, stones, WHITE, 400_000)[0]


def test_an_open_board_is_worth_more_than_a_small_corner():
    width, height, stones, _ = board("a bent three")
    corner = read("a bent three", WHITE)[0][0].corner
    assert worth_elsewhere(width, height, stones, corner) == 4
    wide = bytearray(stones)
    for vertex in ("D1", "E1", "F1", "G1", "D2", "E2", "F2", "G2", "D3", "E3", "F3", "G3"):
        wide[parse_vertex(vertex, width, height)] = EMPTY
    assert worth_elsewhere(width, height, wide, corner) >= 16


@pytest.mark.compiled
@pytest.mark.parametrize("rules", ["japanese", "chinese", "tromp-taylor"])
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("name", [name for name, (_, wanted, _) in BOARDS.items() if wanted])
def test_the_search_makes_the_move_that_decides(name, color, rules):
    width, height, stones, wanted = board(name)
    game = Game(width, height, preset(rules), komi=0.5)
    game.set_position(stones, color)
    choice = SearchPlayer(playouts=300, seed=1, resign=0).choose(game, color, Limits())
    assert format_vertex(choice.move, width, height) in wanted[color]


def grown(favours=(), bars=()):
    game = Game(5)
    tree = Tree(game.board, BLACK, 1)
    for vertex, visits in favours:
        tree.favour(parse_vertex(vertex, 5, 5), visits)
    for vertex in bars:
        tree.bar(parse_vertex(vertex, 5, 5))
    tree.limit = 60
    Worker(tree, 1).run()
    return tree


def test_a_favoured_root_move_is_looked_at():
    at = parse_vertex("A1", 5, 5)
    assert at not in [row[0] for row in grown().candidates()[:1]]
    assert grown([("A1", 400)]).candidates()[0][0] == at


def test_a_favour_told_twice_counts_once():
    at = parse_vertex("A1", 5, 5)
    once, twice = grown([("A1", 50)]), grown([("A1", 50), ("A1", 50)])
    assert once.candidates() == twice.candidates()
    twice.favour(at, 50)
    assert once.candidates() == twice.candidates()


def test_a_barred_root_move_is_not_made():
    best = grown().candidates()[0][0]
    vertex = format_vertex(best, 5, 5)
    assert best not in [row[0] for row in grown(bars=[vertex]).candidates()]
    late = grown()
    late.bar(best)
    assert best not in [row[0] for row in late.candidates()]
