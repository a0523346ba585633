"""The strict referee at a Go board."""

import pytest
from at_go_board import BOTH, KO, at_board, game_of, moves, point

from engines.go.points import BLACK, PASS, WHITE
from protocols.sensor.tracker.arbiter import Arbiter
from protocols.sensor.tracker.events import Discrepancy, Moved, Ruled, TakenBack
from protocols.sensor.tracker.policy import FINAL, Policy


def strict(sensing, *moves, humans=(BLACK,), **settings):
    return at_board(sensing, *moves, humans=humans, **settings, arbiter=Arbiter("go", "strict"))


def test_strict_two_moves_in_a_row_lose(sensing):
    desk = strict(sensing, "D4")
    desk.put("E5", "X", 5.0)
    (ruled,) = desk.take(Ruled)
    assert ruled.loser == BLACK and ruled.article.endswith("1")
    assert desk.tracker.over


def test_strict_moved_stone_goes_back_with_a_warning(sensing):
    desk = strict(sensing)
    desk.put("E5", "X", 1.0)
    desk.move("E5", "E6", wait=3.0)
    (ruled,) = desk.take(Ruled)
    assert (ruled.consequence, ruled.warnings, ruled.loser) == ("warning", 1, None)
    assert desk.tracker.rules.game.moves == [(BLACK, point("E5"))]
    desk.move("E6", "E5", wait=1.0)
    assert desk.tracker.discrepancy is None
    desk.move("E5", "E6", wait=3.0)
    assert desk.take(Ruled)[0].loser == BLACK


@pytest.mark.parametrize("policy", [Policy(), FINAL])
def test_strict_stone_lifted_for_long_and_played_elsewhere_is_a_warning(sensing, policy):
    desk = strict(sensing, policy=policy)
    desk.put("E5", "X", 1.0)
    desk.lift("E5", 12.0)
    assert [event.kind for event in desk.take(Discrepancy, TakenBack, Ruled)] == ["lifted"]
    desk.put("C3", "X", 10.0)
    ruled, discrepancy = desk.take(Ruled, Discrepancy)
    assert (ruled.consequence, ruled.warnings) == ("warning", 1) and ruled.article.endswith("2")
    assert discrepancy.kind == "final" and desk.tracker.rules.game.moves == [(BLACK, point("E5"))]


def test_strict_stone_that_nobody_saw_carried_is_held_against_nobody(sensing):
    """Knocked off as another one is put down, perhaps: it is only put right."""
    desk = strict(sensing, "D4", "E6")
    desk.put("E5", "X", 1.0)
    desk.take()
    desk.lift("E5")
    desk.put("C3", "X", 20.0)
    events = desk.take(Ruled, Discrepancy)
    assert [event.consequence for event in events if isinstance(event, Ruled)] in ([], ["restore"])
    assert not any("leave it so" in event.text for event in events) and desk.tracker.plies == 3


def test_strict_moves_are_not_taken_back_on_the_board(sensing):
    desk = strict(sensing, "D4", "E5", "F6", "G7")
    desk.lift("G7", 0.5)
    desk.lift("F6", 20.0)
    assert desk.take(TakenBack) == [] and desk.tracker.plies == 4


def test_strict_ko_counts_as_a_pass(sensing):
    desk = strict(sensing, *KO, humans=BOTH)
    desk.put("E5", "O", 2.0)
    ruled, moved = desk.take(Ruled, Moved)
    assert ruled.consequence == "void" and (moved.color, moved.move) == (WHITE, PASS)
    desk.lift("E5", 1.0)
    desk.put("J9", "X", 3.0)
    assert moves(desk) == [(BLACK, "J9")]


def test_strict_forbidden_point_counts_as_a_pass(sensing):
    desk = strict(sensing, "A2", "J9", "B1", "J8", "C3", humans=BOTH)
    desk.put("A1", "O", 2.0)
    ruled, moved = desk.take(Ruled, Moved)
    assert ruled.article.endswith("6") and moved.move == PASS


def test_strict_living_stones_taken_is_a_warning(sensing):
    desk = strict(sensing, "E5", "E4", "A1", "D5", "A3", humans=BOTH)
    desk.put("F5", "O", 0.1)
    desk.lift("E5", 3.0)
    (ruled,) = desk.take(Ruled)
    assert ruled.article.endswith("5") and ruled.warnings == 1


def test_strict_displaced_stones_are_put_back_and_noted(sensing):
    desk = strict(sensing, "D4", "E5", "C3", "G7")
    desk.move("E5", "F5", carry=0.0, wait=5.0)
    (ruled,) = desk.take(Ruled)
    assert ruled.consequence == "restore" and ruled.loser is None


def test_strict_loss_ends_with_its_game(sensing):
    desk = strict(sensing, "D4")
    desk.put("E5", "X", 5.0)
    assert desk.tracker.over and desk.tracker.arbiter.lost == {BLACK}
    desk.lift("E5", 1.0)
    desk.hear(desk.tracker.follow(game_of("C3"), desk.now))
    assert not desk.tracker.over and desk.tracker.arbiter.lost == set()


def test_strict_warnings_end_with_their_game(sensing):
    desk = strict(sensing)
    desk.put("E5", "X", 1.0)
    desk.move("E5", "E6", wait=3.0)
    desk.hear(desk.tracker.follow(game_of("E5", "C3"), desk.now))
    assert desk.tracker.arbiter.warnings == {BLACK: 1}, "the same game goes on"
    desk.hear(desk.tracker.follow(game_of("D4"), desk.now))
    assert desk.tracker.arbiter.warnings == {}
