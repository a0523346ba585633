"""Sessions at a board."""

import pytest
from fake_board import FakeBoard
from session_room import SETTINGS, Room, Scripted, move

from engines.go.game import Game as GoGame
from engines.go.points import BLACK
from engines.xiangqi.game import Game as XiangqiGame
from engines.xiangqi.geometry import PIECE_LETTERS
from protocols.sensor.session import go_session, xiangqi_session


@pytest.fixture
def open_room():
    """Lay things out on a board, make a session at it and let that run, to the end of the test."""
    rooms = []

    def make(board, things, make_session):
        board.things = [board.sensed(thing) for thing in things]
        board.read()
        rooms.append(Room(make_session(), board))
        return rooms[-1]

    yield make
    for room in rooms:
        room.end()


@pytest.fixture
def go_room(tmp_path, open_room):
    def make(
        *moves, humans=(BLACK,), control=None, game=None, path="game.sgf", sensing="pol", settings=SETTINGS, **more
    ):
        board = FakeBoard(sensing=sensing)
        game = game or GoGame(9)
        return open_room(board, (".XO"[stone] for stone in game.board.stones()), lambda: go_session.GoSession(
            game, str(tmp_path / path), settings, board=board, opponent=Scripted(*moves) if len(humans) == 1 else None,
            humans=frozenset(humans), control=control, move_time=0.1, say=print, show=lambda: None, **more,
        ))  # fmt: skip

    return make


@pytest.fixture
def xiangqi_room(tmp_path, open_room):
    def make(*moves, game=None, humans=(0,), sensing="id", control=None, settings=SETTINGS, **more):
        board = FakeBoard(9, 10, sensing)
        game = game or XiangqiGame()
        pieces = (PIECE_LETTERS[game.board.piece_at(square)] for square in range(90))
        return open_room(board, pieces, lambda: xiangqi_session.XiangqiSession(
            game, str(tmp_path / "game.pgn"), settings, board=board, humans=frozenset(humans), control=control,
            opponent=Scripted(*(move(m) if isinstance(m, str) else m for m in moves)) if len(humans) == 1 else None,
            move_time=0.1, say=print, show=lambda: None, **more,
        ))  # fmt: skip

    return make
