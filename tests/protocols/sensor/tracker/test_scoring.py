import pytest
from at_board import AtBoard

from engines.go.game import Game
from engines.go.points import BLACK, PASS, WHITE, parse_diagram
from engines.go.vertex import parse_vertex
from protocols.sensor.tracker.events import Agreed, Discrepancy, Marked, Moved, NewGame, TakenBack
from protocols.sensor.tracker.games import make_tracker

DIAGRAM = """
. X O . O .
. X O O . .
X X X O O O
. X . X X O
. X X . X O
O O . . X O
"""


@pytest.fixture(params=["occ", "pol"])
def desk(request):
    width, _, stones = parse_diagram(DIAGRAM)
    game = Game(width)
    game.set_position(stones)
    game.play_as(BLACK, PASS)
    game.play_as(WHITE, PASS)
    desk = AtBoard(make_tracker("go", game, request.param, (BLACK, WHITE)), "".join(".XO"[stone] for stone in stones))
    desk.hear(desk.tracker.begin_scoring(desk.now))
    return desk


def points(*names):
    return frozenset(parse_vertex(name, 6, 6) for name in names)


def test_lifting_any_stone_marks_its_chain_dead(desk):
    desk.lift("A1", 1.0)
    assert [event.dead for event in desk.take()] == [points("A1", "B1")]
    desk.lift("B1", 1.0)
    assert desk.take() == [], "the rest of the chain says nothing new"


def test_putting_it_back_makes_it_live_again(desk):
    desk.lift("A1", 1.0)
    desk.put("A1", "O", 1.0)
    assert [event.dead for event in desk.take()] == [points("A1", "B1"), frozenset()]


def test_agreement_takes_two_confirmations_of_the_same_marks(desk):
    tracker = desk.tracker
    desk.lift("A1", 1.0)
    assert tracker.press("yes", desk.now) == []
    desk.lift("E6", 1.0)
    assert tracker.press("yes", desk.now) == [], "the marks have changed: this is the first one again"
    (agreed,) = tracker.press("yes", desk.now)
    assert isinstance(agreed, Agreed) and agreed.dead >= points("A1", "B1", "E6")


def test_first_judgement_is_what_it_begins_with(desk):
    desk.hear(desk.tracker.begin_scoring(desk.now, [parse_vertex("A1", 6, 6)]))
    assert desk.tracker.scoring.dead == points("A1", "B1")
    desk.lift("A1", 1.0)
    assert desk.take(Marked) == [], "it was dead already"
    desk.put("A1", "O", 1.0)
    assert [event.dead for event in desk.take(Marked)] == [frozenset()]


def test_territory_is_shown(desk):
    desk.lift("A1", 0.5)
    desk.lift("B1", 1.0)
    lit = desk.lit()
    assert lit["A1"] == "A" and lit["B6"] == "A" and lit["F6"] == "B" and lit["F1"] == "B"


def test_dead_stones_are_lit_to_be_lifted(desk):
    desk.lift("A1", 1.0)
    assert desk.lit()["B1"] == "L"


def test_nothing_there_touches_the_moves(desk):
    before = desk.tracker.rules.game.moves
    for name in ("A1", "B1", "E6", "C6"):
        desk.lift(name, 3.0)
    desk.wait(10)
    assert desk.take(Moved, TakenBack) == [] and desk.tracker.rules.game.moves == before


def test_stones_added_are_refused(desk):
    desk.put("A6", "X", 3.0)
    assert [type(event) for event in desk.take()] == [Discrepancy]
    assert desk.tracker.scoring.dead == frozenset()


def test_back_to_the_game_the_stones_must_stand_again(desk):
    desk.lift("A1", 1.0)
    desk.hear(desk.tracker.end_scoring(desk.now))
    desk.wait(1)
    assert desk.take(Discrepancy)[-1].kind == "setup"
    desk.put("A1", "O", 1.0)
    assert desk.tracker.discrepancy is None


def test_score_with_the_marks():
    width, _, stones = parse_diagram(DIAGRAM)
    game = Game(width)
    game.set_position(stones)
    tracker = make_tracker("go", game, "pol")
    tracker.begin_scoring(0.0, [parse_vertex("A1", 6, 6)])
    alive = game.score().margin
    assert tracker.scoring.score().margin > alive


def test_counted_game_may_be_cleared_away_for_a_new_one(desk):
    desk.lift("A1", 1.0)
    tracker = desk.tracker
    desk.hear(tracker.press("yes", desk.now) + tracker.press("yes", desk.now) + tracker.end(desk.now))
    desk.take()
    dead = tracker.scoring.dead
    for point in range(36):
        if desk.tracker.stable_state[point] != ".":
            desk.lift(tracker.rules.name(point), 0.2)
    assert desk.lit()["B6"] == "A", "the count can still be seen"
    assert tracker.press("yes", desk.now) == tracker.press("yes", desk.now) == []
    desk.wait(2.6)
    assert [type(event) for event in desk.take()] == [NewGame] and tracker.scoring.dead == dead


def test_empty_board_is_no_new_game_while_it_is_counted(desk):
    for point in range(36):
        if desk.tracker.stable_state[point] != ".":
            desk.lift(desk.tracker.rules.name(point), 0.2)
    desk.wait(5.0)
    assert {type(event) for event in desk.take()} == {Marked}
