"""A person who sees only lamps and stones plays whole games against a program, on a virtual clock."""

import random

import pytest

from engines.go.game import Game
from engines.go.points import BLACK, EMPTY, PASS, WHITE
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_from, move_name, move_to
from protocols.sensor.codecs.qsb import QsbCodec
from protocols.sensor.reading import Geometry
from protocols.sensor.session.controller import BoardController
from protocols.sensor.simulation.hand import Habits
from protocols.sensor.simulation.person import GoPerson, XiangqiPerson
from protocols.sensor.simulation.qsb import QsbDevice, QsbSettings
from protocols.sensor.simulation.sensors import Sensors
from protocols.sensor.simulation.virtual import VirtualBoard
from protocols.sensor.tracker.events import Agreed, Gesture, Moved
from protocols.sensor.tracker.games import make_tracker
from protocols.sensor.tracker.policy import FINAL

CLUMSY = Habits(second=0, retract=0, hasty=0, blunder=0, knock=0.05, forget=0.3)


class Meeting:
    """A person at a board, and the controller of a program that has the other side. ``random``: the program's moves."""

    def __init__(self, kind, tracker, first=True, seed=1, **settings):
        geometry = tracker.geometry
        device = QsbDevice(Sensors(geometry, tracker.sensing))
        self.board = VirtualBoard(device, QsbCodec())
        self.said = []
        self.person = kind(device, first, random.Random(seed), say=self.said.append, **settings)
        self.random = random.Random(seed + 1)
        self.events = []
        self.tracker = tracker
        self.controller = BoardController(self.board, lambda hello: tracker, self.events.append, lambda text: None)
        self._tick()

    def _tick(self):
        clock = self.board.clock
        clock.at(self.person.step(clock.now), self._tick)

    def wait(self, kind, seconds=120.0):
        """The next event of a kind, or None."""
        end = self.board.now() + seconds
        while self.board.now() < end:
            while self.events:
                event = self.events.pop(0)
                if isinstance(event, kind):
                    return event
            self.controller.turn(end - self.board.now())
        return None

    def ask(self, color):
        self.tracker.humans = frozenset((color,))
        self.controller.tell(lambda tracker, now: tracker.ask_for(color, now))
        event = self.wait((Moved, Gesture))
        self.controller.tell(lambda tracker, now: tracker.ask_for(None, now))
        return event

    def show(self, game):
        self.controller.tell(lambda tracker, now: tracker.follow(game, now))


def go(sensing, **settings):
    tracker = make_tracker("go", Game(9), sensing, (BLACK, WHITE), policy=FINAL)
    tracker.awaiting = False
    meeting = Meeting(GoPerson, tracker, **settings)
    meeting.wait(Moved, 3.0)
    return meeting


def random_stone(game, rng):
    points = [p for p in range(game.points) if game.board.at(p) == EMPTY and game.is_legal(game.to_move, p)]
    return rng.choice(points)


@pytest.mark.parametrize("sensing", ["occ", "pol"])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("habits", [Habits(forget=1, first=0, adjust=0, knock=0, wobble=0), CLUMSY])
def test_a_whole_game_of_go_to_the_agreed_count(sensing, first, habits):
    meeting = go(sensing, first=first, habits=habits, most=25)
    game, mine = Game(9), BLACK if first else WHITE
    while game.ending is None:
        if game.to_move == mine:
            event = meeting.ask(mine)
            assert event is not None and event.color == mine
            made = [text for text in meeting.said if text.startswith(("plays", "presses"))][-1]
            assert made == ("presses pass" if event.move == PASS else f"plays {meeting.person.name(event.move)}")
            game.play_as(mine, event.move)
            meeting.show(game)
        else:
            over = len(game.moves) >= 54
            game.play_as(game.to_move, PASS if over else random_stone(game, meeting.random))
            meeting.show(game)
    assert meeting.wait(Moved, 10.0) is None
    assert meeting.person.game.board.stones() == game.board.stones() and len(game.moves) > 50
    meeting.controller.tell(lambda tracker, now: tracker.begin_scoring(now))
    assert meeting.wait(Agreed) is not None


def test_two_games_in_a_row_and_a_handicap():
    meeting = go("pol", first=False, most=5)
    game = Game(9)
    game.play_as(BLACK, 40)
    meeting.show(game)
    assert meeting.ask(WHITE) is not None
    again = Game(9)
    again.place_handicap((20, 60))
    meeting.show(again)
    event = meeting.ask(WHITE)
    assert event is not None and again.is_legal(WHITE, event.move)
    assert meeting.tracker.rules.game.board.at(20) == BLACK


@pytest.mark.parametrize("sensing", ["occ", "pol", "id"])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("habits", [Habits(slide=0.5), CLUMSY])
def test_a_game_of_xiangqi_until_it_is_resigned(sensing, first, habits):
    tracker = make_tracker("xiangqi", None, sensing, (0, 1), policy=FINAL)
    tracker.awaiting = False
    meeting = Meeting(XiangqiPerson, tracker, first=first, habits=habits, most=20)
    meeting.wait(Moved, 3.0)
    game, mine = Board(), 0 if first else 1
    while moves := game.legal_moves():
        if game.turn == mine:
            event = meeting.ask(mine)
            assert event is not None and event.color == mine
            if isinstance(event, Gesture):
                assert event.what == "resign" and meeting.person.made == 20
                break
            made = [text for text in meeting.said if text.startswith("plays")][-1]
            assert made == f"plays {move_name(event.move)}"
            game.play(event.move)
        else:
            takes = [move for move in moves if game.piece_at(move_to(move))]
            game.play(meeting.random.choice(takes or moves))
        meeting.show(game)
    assert meeting.wait(Moved, 10.0) is None
    assert meeting.person.board.history == game.history
    assert len({move_from(move) for move in game.history}) > 5


def test_a_person_needs_leds():
    device = QsbDevice(Sensors(Geometry(9, 9), "pol"), QsbSettings(leds="none"))
    with pytest.raises(ValueError, match="lamp"):
        GoPerson(device, True, random.Random(1))
