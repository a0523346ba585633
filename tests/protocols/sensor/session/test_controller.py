"""The desk of a program that a busy machine does not let run."""

from engines.go.game import Game
from protocols.sensor.reading import Geometry, Hello, Reading, State, Status
from protocols.sensor.session.controller import BoardController
from protocols.sensor.tracker.events import Moved
from protocols.sensor.tracker.games import make_tracker

EMPTY = "." * 81
STONE = EMPTY[:40] + "X" + EMPTY[41:]


class Slow:
    """A board whose events come when the test says so, on a clock that the test sets."""

    hello = None

    def __init__(self):
        self.time = 100.0
        self.events = []

    def get(self, timeout=None):
        return self.events.pop(0) if self.events else None

    def now(self):
        return self.time

    def show(self, leds):
        pass

    def beep(self, times=1):
        pass


def desk_of(board, heard):
    board.events = [
        Status(State.READY, "", 100.0),
        Hello("fake", Geometry(9, 9), "pol"),
        Reading(EMPTY, 100.0, 100.0),
    ]
    controller = BoardController(
        board, lambda hello: make_tracker("go", Game(9), "pol"), heard.append, lambda text: None
    )
    for _ in range(20):
        board.time += 0.1
        controller.turn()
    return controller


def test_what_came_and_went_while_the_program_slept_is_no_move():
    board, heard = Slow(), []
    controller = desk_of(board, heard)
    begin = board.time
    board.time += 3.0
    board.events = [Reading(STONE, begin + 0.1, board.time), Reading(EMPTY, begin + 0.3, board.time)]
    controller.turn()
    board.time += 0.1
    controller.turn()
    # Once more, and the rest of what was said meanwhile comes a moment later.
    begin = board.time
    board.time += 3.0
    board.events = [Reading(STONE, begin + 0.1, board.time)]
    controller.turn()
    board.time += 0.01
    board.events = [Reading(EMPTY, begin + 0.3, board.time)]
    controller.turn()
    board.time += 0.1
    controller.turn()
    assert not [event for event in heard if isinstance(event, Moved)]


def test_a_machine_that_is_always_late_still_plays():
    board, heard = Slow(), []
    controller = desk_of(board, heard)
    board.events = [Reading(STONE, board.time, board.time)]
    for _ in range(4):
        board.time += 1.0
        controller.turn()
    assert [event.move for event in heard if isinstance(event, Moved)] == [40]
