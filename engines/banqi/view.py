"""What one side, or a spectator, may know of a game of banqi: the board, and the moves as everybody was told them.

In banqi all know the same. A view holds neither the game nor the deal, and is made anew for each turn.
"""

from __future__ import annotations

from collections import Counter

from engines.banqi.board import Board
from engines.banqi.ending import Limits, judge
from engines.banqi.fen import LETTERS
from engines.banqi.notation import move_text, read_move
from engines.errors import IllegalMove
from engines.results import Result


class View:
    """A position as one side knows it; ``side`` is None for a spectator."""

    def __init__(self, board: Board, limits: Limits, told: tuple[str, ...], side: int | None, result: Result | None):
        self._board, self._limits, self._result = board, limits, result
        self._told = told
        self.side = side

    @property
    def board(self) -> Board:
        """A copy of the board, to search on; it knows no more than the view."""
        return self._board.copy()

    @property
    def limits(self) -> Limits:
        """When the game ends without progress."""
        return self._limits

    @property
    def turn(self) -> int:
        """The side to act."""
        return self._board.turn

    @property
    def plies(self) -> int:
        """Plies made since the set-up."""
        return self._board.plies

    @property
    def result(self) -> Result | None:
        """How the game has ended, None while it goes on."""
        return self._result

    @property
    def told(self) -> tuple[str, ...]:
        """The moves since the set-up as this side was told them."""
        return self._told

    @property
    def colors(self) -> tuple[str | None, ...]:
        """The color of each side: "r", "b", or None before the first turn-up."""
        return tuple(None if color < 0 else "rb"[color] for color in self._board.colors)

    @property
    def pools(self) -> dict[str, Counter[str]]:
        """The pieces that nobody has seen yet, by color and letter."""
        found = {"r": Counter[str](), "b": Counter[str]()}
        for piece in range(16):
            if piece & 7 and self._board.unseen(piece):
                found["rb"[piece >> 3]][LETTERS[piece]] = self._board.unseen(piece)
        return found

    @property
    def contents(self) -> tuple[str, ...]:
        """What stands on each square from a1: a piece's letter, "?" for a face-down one, "" for nothing."""
        at = (self._board.piece_at(square) for square in range(32))
        return tuple("" if piece == 0 else "?" if piece == 8 else LETTERS[piece] for piece in at)

    def legal_moves(self) -> list[int]:
        """The actions of the side to act; none after the end."""
        return [] if self._result is not None else self._board.legal_moves()

    def move_text(self, move: int) -> str:
        """A move as a player sends it."""
        return move_text(move)

    def read_move(self, text: str) -> int:
        """The legal move that a text means. ``IllegalMove`` or ValueError."""
        move = self._read(text)[0]
        if move not in self.legal_moves():
            raise IllegalMove(f"{text}: that move is not legal here")
        return move

    @staticmethod
    def _read(text: str) -> tuple[int, int | None]:
        return read_move(text)

    def setup_text(self) -> str:
        """The position as FEN, as this side knows it."""
        return self._board.fen()

    def model(self) -> Model:
        """A copy that goes on by moves as they are told."""
        return Model(self._board.copy(), self._limits, self._told, self.side, self._result)


class Model(View):
    """A view that follows the game: it takes moves as they are told, and takes them back."""

    def play(self, told: str) -> int:
        """Make a move as it was told. ValueError, with nothing changed, for one that isn't legal or doesn't say what it
        turned up."""
        move, shown = self._read(told)
        if move not in self.legal_moves():
            raise IllegalMove(f"{told}: that move is not legal here")
        if self._board.shows(move) and shown is None:
            raise ValueError(f"{told}: what showed must be told")
        self._board.play(move, shown or 0)
        self._told = (*self._told, told.strip())
        self._result = judge(self._board, self._limits)
        return move

    def undo(self) -> None:
        """Take the last ply back. IndexError at the start."""
        self._board.undo()
        self._told = self._told[:-1]
        self._result = None
