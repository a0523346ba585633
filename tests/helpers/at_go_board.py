"""Games at a Go board for tests of the tracker, their moves given as vertices."""

from at_board import AtBoard

from engines.go.game import Game
from engines.go.points import BLACK, PASS, WHITE
from engines.go.vertex import parse_vertex
from protocols.sensor.tracker.events import Moved
from protocols.sensor.tracker.games import make_tracker

BOTH = (BLACK, WHITE)

ATARI = ("E5", "E4", "A1", "D5", "A3", "F5", "A5")  # White's next at E6 takes E5
KO = ("D5", "E5", "E6", "F6", "E4", "F4", "A1", "G5", "F5")  # Black has taken E5; White may not take F5 back


def point(name, size=9):
    return parse_vertex(name, size, size)


def game_of(*moves, size=9):
    game = Game(size)
    for name in moves:
        game.play_as(game.to_move, point(name, size))
    return game


def at_board(sensing, *moves, humans=BOTH, size=9, **settings):
    """A board on which a game has come so far."""
    game = game_of(*moves, size=size)
    things = "".join(".XO"[stone] for stone in game.board.stones())
    return AtBoard(make_tracker("go", game, sensing, humans, **settings), things)


def play_for(desk, *names):
    """Moves from elsewhere; they wait to be executed."""
    game = desk.tracker.rules.game.copy()
    for name in names:
        game.play_as(game.to_move, point(name) if name != "pass" else PASS)
    desk.hear(desk.tracker.follow(game, desk.now))


def moves(desk):
    return [(event.color, desk.tracker.rules.name(event.move)) for event in desk.take(Moved)]
