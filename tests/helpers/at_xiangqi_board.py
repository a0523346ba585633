"""Games at a Xiangqi board for tests of the tracker, their moves given as squares."""

from at_board import AtBoard

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import PIECE_LETTERS, move_name, move_of
from protocols.sensor.tracker.events import Moved
from protocols.sensor.tracker.games import make_tracker

RED, BLACK = 0, 1
START = "RNBAKABNR" + "." * 10 + "C.....C.P.P.P.P.P" + "." * 18 + "p.p.p.p.p.c.....c" + "." * 10 + "rnbakabnr"


def square(name):
    return "abcdefghi".index(name[0]) + 9 * int(name[1])


def move(text):
    return move_of(square(text[:2]), square(text[2:]))


def at_board(sensing, *moves, humans=(RED, BLACK), fen="", turned_things=False, **settings):
    """A board on which a game has come so far."""
    board = Board(fen) if fen else Board()
    for text in moves:
        board.play(move(text))
    things = "".join(PIECE_LETTERS[board.piece_at(s)] for s in range(90))
    return AtBoard(
        make_tracker("xiangqi", board, sensing, humans, **settings), things[::-1] if turned_things else things
    )


def play_for(desk, *moves):
    board = desk.tracker.rules.board.copy()
    for text in moves:
        board.play(move(text))
    desk.hear(desk.tracker.follow(board, desk.now))


def moves(desk):
    return [move_name(event.move) for event in desk.take(Moved)]
