"""A game that no tracker knows is added by rules, an interpreter and a diagnoser of its own, and nothing else."""

import sys

import pytest
from at_board import AtBoard

from protocols.sensor.reading import Geometry
from protocols.sensor.tracker import games
from protocols.sensor.tracker.events import Discrepancy, Moved, Remedy
from protocols.sensor.tracker.games import make_tracker, tracked_game
from protocols.sensor.tracker.interpreter import Diagnoser, Interpreter
from protocols.sensor.tracker.policy import Option
from protocols.sensor.tracker.rules import GameRules
from protocols.sensor.tracker.tracked_game import TrackedGame


class Noughts(GameRules):
    """Noughts and crosses on 3x3 points; a game is the list of its points."""

    first_color, second_color = 0, 1
    geometry = Geometry(3, 3)

    def __init__(self, game, sensing):
        self.sensing = sensing
        self.start_state = "." * 9
        self.take_over(game or [])

    def take_over(self, game):
        self.states = [self.start_state]
        self.played = []
        for move in game:
            self.push(self.mover(self.plies), move)

    def same_start(self, game):
        return True

    def moves_of(self, game):
        return [(ply % 2, move) for ply, move in enumerate(game)]

    @property
    def moves(self):
        return self.moves_of(self.played)

    def mover(self, ply):
        return ply % 2

    def push(self, color, move):
        state = self.states[-1]
        self.states.append(state[:move] + ("#" if self.sensing == "occ" else "XO"[color]) + state[move + 1 :])
        self.played.append(move)
        return [move]

    def pop(self):
        self.states.pop()
        self.played.pop()

    def name(self, point):
        return "abc"[point % 3] + str(point // 3 + 1)

    def point_named(self, text):
        return "abc".index(text[0]) + 3 * (int(text[1]) - 1)

    def told(self, ply):
        return self.name(self.played[ply])

    def told_move(self, move):
        return self.name(move)

    def thing(self, value, point):
        return "the piece"

    def color_at(self, point):
        return self.played.index(point) % 2 if point in self.played else -1

    def read_setup(self, state, mover):
        return "no set-up"


class Meanings(Interpreter):
    def __init__(self, tracker, rules):
        self.tracker, self.rules = tracker, rules

    def explain(self, state):
        tracker, plies = self.tracker, self.rules.plies
        ply = tracker.options.stands_at(state)
        if ply is not None:

            def settled(at):
                tracker.executed = ply
                return tracker.content(at)

            return [Option(tracker.timing.settle, settled, "right")]
        for move in range(9):
            mover = self.rules.mover(plies)
            self.rules.push(mover, move)
            made = move not in self.rules.played[:-1] and self.rules.states[-1] == state
            self.rules.pop()
            if made and mover in tracker.humans:

                def play(at, move=move, mover=mover):
                    tracker.push(mover, move)
                    tracker.last_human, tracker.executed = plies, plies + 1
                    return [Moved(at, plies, mover, move), *tracker.content(at)]

                return [Option(tracker.timing.settle, play, "move")]
        return tracker.options.take_back_options(state, False)

    def enter_move(self, move):
        return "nothing is typed here"

    def unseen_moves(self):
        return []

    def lit_move(self, state):
        return {self.rules.played[self.tracker.executed]: "P"}


class Faults(Diagnoser):
    def __init__(self, tracker, rules):
        self.tracker, self.rules = tracker, rules

    def diagnose(self, state):
        remedies = [Remedy("back to the position", self.rules.states[-1])]
        text = self.tracker.discrepancies.tell(state, self.rules.states[-1])
        return self.tracker.timing.patience, self.tracker.discrepancies.make("position", text, remedies)


@pytest.fixture(params=["occ", "pol"])
def desk(request, monkeypatch):
    parts = TrackedGame(Noughts, lambda game, geometry: "", lambda t, rules: (Meanings(t, rules), Faults(t, rules)))
    monkeypatch.setitem(games.MODULES, "noughts", "noughts_on_a_board")
    monkeypatch.setitem(sys.modules, "noughts_on_a_board", type("Module", (), {"TRACKED": parts}))
    return AtBoard(make_tracker("noughts", [], request.param), "." * 9)


def test_moves_of_a_third_game_are_seen(desk):
    for point, thing in ((4, "X"), (0, "O"), (8, "X")):
        desk.scene.put(point, thing)
        desk.wait(1.5)
    assert [(event.color, event.move) for event in desk.take(Moved)] == [(0, 4), (1, 0), (0, 8)]


def test_a_move_of_a_third_game_from_elsewhere_is_lit_until_it_stands(desk):
    desk.wait(1)
    desk.hear(desk.tracker.follow([4], desk.now))
    assert desk.tracker.leds() == "....P...."
    desk.scene.put(4, "X")
    desk.wait(1.5)
    assert desk.tracker.executed == 1 and desk.tracker.leds() == "." * 9


def test_what_no_rule_explains_is_told_and_taken_back_in_a_third_game(desk):
    for point in (4, 0):
        desk.scene.put(point, "X")
    desk.wait(6)
    (wrong,) = desk.take(Discrepancy)
    assert wrong.text == "take the piece off a1; take the piece off b2" and not desk.tracker.plies


def test_a_game_that_is_not_in_the_table_is_named():
    with pytest.raises(ValueError, match="no sensor board can be followed in 'chess': go, xiangqi can"):
        tracked_game("chess")
