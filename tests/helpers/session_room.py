"""A session at a board in a thread: an opponent with its moves in a list, and the hands of the person."""

import threading
import time

from fake_board import until

from engines.go.vertex import parse_vertex
from engines.player import Choice
from engines.xiangqi.geometry import move_of
from protocols.sensor.settings import BoardSettings

SETTINGS = BoardSettings(settle=0.08)


class Scripted:
    """An opponent with its moves in a list; None waits until it is stopped."""

    def __init__(self, *moves):
        self.moves = list(moves)
        self.stopped = threading.Event()
        self.offers = 0

    def choose(self, game, color, limits, report=None, *, draw_offered=False):
        self.offers += draw_offered
        move = self.moves.pop(0) if self.moves else None
        if move is None:
            self.stopped.wait(10)
            self.stopped.clear()
            return Choice("resign")
        return move if isinstance(move, Choice) else Choice("move", move)

    def judge(self, game):
        return type("Judged", (), {"dead": frozenset()})

    def stop(self):
        self.stopped.set()

    def close(self):
        self.stop()


class Room:
    """A session in a thread, and the hands of the person."""

    def __init__(self, session, board):
        self.session, self.board, self.said = session, board, []
        session.say = self.said.append
        self.thread = threading.Thread(target=session.run, daemon=True)
        self.thread.start()
        until(lambda: self.tracker is not None and not self.tracker.guiding)

    @property
    def tracker(self):
        return self.session.controller.tracker

    def settled(self, plies):
        until(lambda: self.session.plies == plies and self.tracker.plies == plies)

    def rest(self):
        """Let the board be still until all that is on it counts."""
        until(lambda: self.tracker.discrepancy is None and self.tracker.executed == self.tracker.plies)
        time.sleep(0.2)

    def end(self):
        self.session.stop()
        self.thread.join(5)
        assert not self.thread.is_alive() and self.board.closed


def point(name):
    return parse_vertex(name, 9, 9)


def square(name):
    return "abcdefghi".index(name[0]) + 9 * int(name[1])


def move(text):
    return move_of(square(text[:2]), square(text[2:]))


def by_hand(room, text):
    origin, target = move(text) >> 7, move(text) & 127
    thing = room.board.lift(origin)
    time.sleep(0.08)
    room.board.put(target, thing)


def put_up(room, **pieces):
    """Nothing but these pieces on the board."""
    room.board.things = ["."] * 90
    for name, piece in pieces.items():
        room.board.things[square(name)] = piece
    room.board.read()
    until(lambda: room.tracker.stable_state == "".join(room.board.things))
