"""The tracker's game of Xiangqi: pieces on 9 by 10 points, seen by occupancy, by colour or by identity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import (
    KIND_NAMES,
    PIECE_LETTERS,
    SIDE_NAMES,
    move_from,
    move_name,
    move_to,
    piece_color,
    piece_kind,
    square_name,
)
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import FAULT, FIRST, OCCUPIED, PIECES, SECOND, Geometry, Sensing
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import SetUp
from protocols.sensor.tracker.rules import GameRules

RED, BLACK = 0, 1
GEOMETRY = Geometry(9, 10)


def value_of(piece: int, sensing: Sensing) -> str:
    """What a board shows where this piece stands."""
    if piece == 0:
        return CLEAR
    if sensing == "id":
        return PIECE_LETTERS[piece]
    return OCCUPIED if sensing == "occ" else (FIRST, SECOND)[piece_color(piece)]


def letters_of(board: Board) -> str:
    """What stands on each square, in piece letters."""
    return "".join([PIECE_LETTERS[board.piece_at(square)] for square in range(90)])


def after(state: str, move: int) -> str:
    """A state after a move."""
    origin, target = move_from(move), move_to(move)
    points = list(state)
    points[target], points[origin] = points[origin], CLEAR
    return "".join(points)


def fitting(state: str, board: Board, expected: str) -> list[int]:
    """The legal moves of a position that make a state; several only where captures show by occupancy alone.

    ``expected``: what the board shows of the position itself.
    """
    changed = guide.differing(state, expected)
    if not 1 <= len(changed) <= 2:
        return []
    found = []
    for move in board.legal_moves():
        origin, target = move_from(move), move_to(move)
        if not all(point in (origin, target) for point in changed) or state[target] != expected[origin]:
            continue
        # From a point that is not read, only what came shows the move.
        if (origin in changed and state[origin] == CLEAR) or (state[origin] == FAULT and target in changed):
            found.append(move)
    return found


def misfit(game: Any, geometry: Geometry) -> str:
    """Why a board of this size does not fit; empty where it does."""
    if (geometry.width, geometry.height) == (GEOMETRY.width, GEOMETRY.height):
        return ""
    return f"the board has {geometry} points; Xiangqi is played on 9x10"


class XiangqiRules(GameRules):
    """The game as far as the tracker knows it. Squares are the rules core's."""

    first_color = RED
    second_color = BLACK
    geometry = GEOMETRY

    def __init__(self, game: Any, sensing: Sensing) -> None:
        """``game``: a board, or anything that has one as ``board``; None for the start."""
        self.sensing = sensing
        self.start_state = self.state_of(Board())
        self.take_over(game)

    def take_over(self, game: Any) -> None:
        board = _board_of(game)
        self.board = board.copy()
        start = board.copy()
        moves = start.history
        for _ in moves:
            start.undo()
        self._start_color = start.turn
        self._start_key = start.key
        self.states = [self.state_of(start)]
        for move in moves:
            self.states.append(after(self.states[-1], move))

    def state_of(self, board: Board) -> str:
        """What the board shows of a position."""
        sensing = self.sensing
        return "".join([value_of(board.piece_at(square), sensing) for square in range(90)])

    def same_start(self, game: Any) -> bool:
        return _board_of(game).keys[0] == self._start_key

    def moves_of(self, game: Any) -> list[tuple[int, int]]:
        return self._colored(_board_of(game).history)

    @property
    def moves(self) -> list[tuple[int, int]]:
        return self._colored(self.board.history)

    def _colored(self, moves: Sequence[int]) -> list[tuple[int, int]]:
        return [(self.mover(ply), move) for ply, move in enumerate(moves)]

    def mover(self, ply: int) -> int:
        return (self._start_color + ply) % 2

    def push(self, color: int, move: int) -> tuple[int, int]:
        self.states.append(after(self.states[-1], move))
        self.board.play(move)
        return move_from(move), move_to(move)

    def pop(self) -> None:
        self.board.undo()
        self.states.pop()

    def rewound(self, ply: int) -> Board:
        """The position after so many plies."""
        if ply == self.plies:
            return self.board
        board = self.board.copy()
        for _ in range(self.plies - ply):
            board.undo()
        return board

    def pieces_of(self, target: str) -> str | None:
        """The pieces of a state that is on the way, in letters: of the game, or after one more move."""
        for ply in range(self.plies, -1, -1):
            if self.states[ply] == target:
                return letters_of(self.rewound(ply))
        for move in self.board.legal_moves():
            if after(self.states[-1], move) == target:
                return after(letters_of(self.board), move)
        return None

    # ------------------------------------------------------------------ words

    def name(self, point: int) -> str:
        return square_name(point)

    def point_named(self, text: str) -> int:
        if len(text) == 2 and text[0].lower() in "abcdefghi" and text[1] in "0123456789":
            return "abcdefghi".index(text[0].lower()) + 9 * int(text[1])
        raise ValueError(f"'{text[:20]}' is no point of a 9x10 board")

    def told(self, ply: int) -> str:
        return f"{SIDE_NAMES[self.mover(ply)]} {move_name(self.board.history[ply])}"

    def told_move(self, move: int) -> str:
        return f"{SIDE_NAMES[self.board.turn]} {move_name(move)}"

    def thing(self, value: str, point: int) -> str:
        piece = PIECE_LETTERS.index(value) if value in PIECES else 0
        if not piece and value != CLEAR and self.states[-1][point] == value:
            piece = self.board.piece_at(point)
        if piece:
            return f"the {SIDE_NAMES[piece_color(piece)].lower()} {KIND_NAMES[piece_kind(piece)]}"
        return {FIRST: "the red piece", SECOND: "the black piece"}.get(value, "the piece")

    def color_at(self, point: int) -> int:
        piece = self.board.piece_at(point)
        return piece_color(piece) if piece else -1

    # ------------------------------------------------------------------ set-up

    def why_no_setup(self) -> str:
        if self.sensing == "id":
            return ""
        return "only a board that knows its pieces can be set up freely; put up the start position instead"

    def read_setup(self, state: str, mover: int | None) -> SetUp | str:
        pieces = bytearray(90)
        for square, value in enumerate(state):
            if value in PIECES:
                pieces[square] = PIECE_LETTERS.index(value)
            elif value != CLEAR:
                return f"cannot read {square_name(square)}"
        ranks = []
        for rank in range(9, -1, -1):
            row = "".join(PIECE_LETTERS[piece] for piece in pieces[rank * 9 : rank * 9 + 9])
            for run in range(9, 0, -1):
                row = row.replace("." * run, str(run))
            ranks.append(row)
        placement = "/".join(ranks)
        problem = ""
        for side in (RED, BLACK) if mover is None else (mover,):
            try:
                Board(f"{placement} {'wb'[side]}")
                return SetUp(0.0, bytes(pieces), side)
            except ValueError as error:
                problem = problem or str(error)
        return problem


def _board_of(game: Any) -> Board:
    """The board of a game, or the start position for None."""
    if game is None:
        return Board()
    board: Board = getattr(game, "board", game)
    return board
