"""What is filled before a pass, and the chances of decided games."""

import pytest

from engines.go.ending import Decided, finishing_move
from engines.go.game import Game
from engines.go.points import BLACK, PASS, WHITE, parse_diagram
from engines.go.rules import preset
from engines.go.search import SearchPlayer
from engines.go.vertex import format_vertex, parse_vertex
from engines.player import Limits, Restriction

# By name: the position, its dead stones, and what Black and White fill first.
POSITIONS = {
    "two neutral points": ("..X.O. ..XOO. ..XXO. ..X.O.", "", "D1", "D1"),
    "none is left": ("..XOO. ..XOO. ..XXO. ..XXO.", "", None, None),
    "a connection in atari comes before a neutral point": (
        "X.XX.X.XX. OXXXXXXXX. OOOOOOOOO. .O.O.O.OOO OOOOOOOOOO",
        "",
        "B5",
        "K3",
    ),
    "a connection when no neutral point is left": (
        ".X.XOOO.. XXX.XXO.. ...XO.O.. ...XOOO..",
        "",
        "D3",
        "F2",
    ),
    "seki is left alone": (
        ".X.XO.O. XXXXOOOO .XXOOO.. .XOXXO.. .XO.XO.. .XO.XO..",
        "",
        None,
        None,
    ),
    "a neutral point beside a dead stone": ("..X.O. .oX.O. ..XXO. ..XXO.", "B3", "D3", "D3"),
    "no stone into the opponent's territory": ("...XO... ...XO... ...XO...", "", None, None),
}


OPEN_BORDER = [
    "..X.XO.O.",
    ".X.XXOO.O",
    "..X.XO.O.",
    "XXXXXOOOO",
    "..X.XO.O.",
    ".XXXXOOOO",
    "....XO...",
    "...X.O...",
    ".........",
]


def position(name, rules="japanese"):
    text, dead, *_ = POSITIONS[name]
    width, height, stones = parse_diagram("\n".join(text.split()))
    game = Game(width, height, preset(rules), 0)
    game.set_position(stones)
    return game, {point for v in dead.split() for point in game.board.chain(parse_vertex(v, width, height))}


def shown(game, point):
    return None if point is None else format_vertex(point, game.width, game.height)


@pytest.mark.parametrize("name", POSITIONS)
def test_what_is_filled_before_a_pass(name):
    game, dead = position(name)
    before = game.board.stones()
    _, _, *wanted = POSITIONS[name]
    assert [shown(game, finishing_move(game, color, dead)) for color in (BLACK, WHITE)] == wanted
    assert game.board.stones() == before


@pytest.mark.parametrize("rules", ["japanese", "chinese", "aga", "ancient-chinese"])
@pytest.mark.parametrize("name", POSITIONS)
def test_filling_ends_and_costs_nothing(name, rules):
    """Both sides fill in turn until neither has anything left: no stone is lost, and nobody loses a point by it."""
    game, dead = position(name, rules)
    color, rested = BLACK, 0
    for _ in range(40):
        point = finishing_move(game, color, dead)
        rested = rested + 1 if point is None else 0
        if rested == 2:
            break
        if point is not None:
            margin = game.score(dead).margin
            assert game.play_as(color, point) == 0
            assert (game.score(dead).margin - margin) * (1 if color == BLACK else -1) >= 0
        color = 3 - color
    assert rested == 2


def test_chances_of_a_decided_game_follow_the_margin():
    lost = Decided(winrate=0.02, margin=-20.0, spread=10.0)
    assert lost.at(-20.0) == pytest.approx(0.02)
    assert lost.at(-25.0) < 0.02 < lost.at(-15.0) < lost.at(0.0)
    assert 0 < Decided(0.0, -60.0, 0.0).at(-60.0) < Decided(1.0, 60.0, 0.0).at(60.0) < 1


@pytest.mark.compiled
@pytest.mark.parametrize("passed", [False, True])
@pytest.mark.parametrize("rules", ["japanese", "chinese"])
def test_the_search_fills_neutral_points_before_it_passes(rules, passed):
    text = "..X..XOO.O. ..XXXXOOOOO XXXXXX.OO.O ..X..X.OOOO"
    width, height, stones = parse_diagram("\n".join(text.split()))
    game = Game(width, height, preset(rules), -30.5)
    game.set_position(stones)
    if passed:
        game.play_as(WHITE, PASS)
    found = []
    for _ in range(3):
        choice = SearchPlayer(seed=1, resign=0).choose(game, BLACK, Limits(nodes=400))
        found.append("pass" if choice.action == "pass" else shown(game, choice.move))
        if choice.action == "pass":
            break
        game.play_as(BLACK, choice.move)
        game.board.set_position(game.board.stones(), BLACK)
        if passed:
            game.play_as(WHITE, PASS)
    assert sorted(found) == ["G1", "G2", "pass"]


@pytest.mark.compiled
@pytest.mark.parametrize("komi", [-70.5, 60.5])
def test_a_decided_game_is_still_played_for_points(komi):
    """One border is open: whoever is far ahead or behind takes what is there instead of any move that wins or loses."""
    game = Game(9, 9, preset("japanese"), komi)
    game.set_position(parse_diagram("\n".join(OPEN_BORDER))[2])
    choice = SearchPlayer(seed=1, resign=0).choose(game, BLACK, Limits(nodes=1500))
    assert shown(game, choice.move) in ("E1", "E2", "F1", "G1", "D1")
    assert choice.report.candidates[0].winrate > 0.9 if komi < 0 else choice.report.candidates[0].winrate < 0.1


@pytest.mark.compiled
def test_what_must_be_avoided_is_avoided_in_a_decided_game_too():
    game = Game(9, 9, preset("japanese"), -70.5)
    game.set_position(parse_diagram("\n".join(OPEN_BORDER))[2])
    best = [parse_vertex(v, 9, 9) for v in ("E1", "E2", "F1", "G1", "D1")]
    limits = Limits(nodes=1000, restrictions=(Restriction(BLACK, frozenset(best), 1, False),))
    choice = SearchPlayer(seed=1, resign=0).choose(game, BLACK, limits)
    assert choice.move not in best


@pytest.mark.compiled
def test_a_question_for_a_move_is_not_answered_by_resigning():
    game = Game(7, komi=100)
    assert SearchPlayer(seed=1, playouts=400).choose(game, BLACK, Limits()).action == "resign"
    assert SearchPlayer(seed=1, playouts=400).choose(game, BLACK, Limits(), fresh=True).action == "move"
