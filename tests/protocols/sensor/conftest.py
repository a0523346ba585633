"""Evenings at a board."""

import pytest
from evening_room import SETTINGS, Room, Scripted, move
from fake_board import FakeBoard

from engines.go.game import Game as GoGame
from engines.go.points import BLACK
from engines.xiangqi.game import Game as XiangqiGame
from engines.xiangqi.geometry import PIECE_LETTERS
from protocols.sensor import go_evening, xiangqi_evening


@pytest.fixture
def go_room(tmp_path):
    rooms = []

    def make(
        *moves, humans=(BLACK,), control=None, game=None, path="game.sgf", sensing="pol", settings=SETTINGS, **more
    ):
        board = FakeBoard(sensing=sensing)
        game = game or GoGame(9)
        board.things = [board.sensed(".XO"[stone]) for stone in game.board.stones()]
        board.read()
        evening = go_evening.GoEvening(
            game, str(tmp_path / path), settings, board=board, opponent=Scripted(*moves) if len(humans) == 1 else None,
            humans=frozenset(humans), control=control, move_time=0.1, say=print, show=lambda: None, **more,
        )  # fmt: skip
        rooms.append(Room(evening, board))
        return rooms[-1]

    yield make
    for room in rooms:
        room.end()


@pytest.fixture
def xiangqi_room(tmp_path):
    rooms = []

    def make(*moves, game=None, humans=(0,), sensing="id", control=None, settings=SETTINGS, **more):
        game = game or XiangqiGame()
        board = FakeBoard(9, 10, sensing)
        board.things = [board.sensed(PIECE_LETTERS[game.board.piece_at(s)]) for s in range(90)]
        board.read()
        evening = xiangqi_evening.XiangqiEvening(
            game, str(tmp_path / "game.pgn"), settings, board=board, humans=frozenset(humans), control=control,
            opponent=Scripted(*(move(m) if isinstance(m, str) else m for m in moves)) if len(humans) == 1 else None,
            move_time=0.1, say=print, show=lambda: None, **more,
        )  # fmt: skip
        rooms.append(Room(evening, board))
        return rooms[-1]

    yield make
    for room in rooms:
        room.end()
