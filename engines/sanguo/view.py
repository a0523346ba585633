"""What one player, or a spectator, may know of a game of sanguo. All know the same: the board, the moves, who is out.

Where eight pieces lie aside nobody knows which, so a view's pool has them too.
"""

from __future__ import annotations

from collections import Counter

from engines.errors import IllegalMove
from engines.results import Result
from engines.sanguo.board import RETIRE, Board
from engines.sanguo.ending import Limits, judge
from engines.sanguo.fen import LETTERS, SIDES, side_of
from engines.sanguo.notation import move_text, read_move


class View:
    """A position as one player knows it; ``side`` is None for a spectator."""

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
        """When the game ends, and how it is scored."""
        return self._limits

    @property
    def turn(self) -> int:
        """The player to act, 0 to 2."""
        return self._board.turn

    @property
    def plies(self) -> int:
        """Turns since the set-up."""
        return self._board.plies

    @property
    def result(self) -> Result | None:
        """How the game has ended, None while it goes on."""
        return self._result

    @property
    def told(self) -> tuple[str, ...]:
        """The moves since the set-up as this player was told them."""
        return self._told

    @property
    def kingdoms(self) -> tuple[str | None, ...]:
        """The side of each player: "g" generals and soldiers, "r", "b", or None."""
        return tuple(None if side < 0 else SIDES[side] for side in self._board.kingdoms)

    @property
    def out(self) -> tuple[int, ...]:
        """The players that are out, first out first."""
        return self._board.out

    @property
    def pools(self) -> dict[str, Counter[str]]:
        """The pieces that nobody has seen, by side and letter; those aside are among them."""
        found = {side: Counter[str]() for side in SIDES}
        for piece in range(16):
            if piece & 7 and self._board.unseen(piece):
                found[SIDES[side_of(piece)]][LETTERS[piece]] = self._board.unseen(piece)
        return found

    @property
    def contents(self) -> tuple[str, ...]:
        """What stands on each point from a0: a piece's letter, "?" for a face-down one, "" for nothing."""
        at = (self._board.piece_at(point) for point in range(self._board.points))
        return tuple("" if piece == 0 else "?" if piece == 8 else LETTERS[piece] for piece in at)

    def legal_moves(self) -> list[int]:
        """The actions of the player to act; none after the end."""
        return [] if self._result is not None else self._board.legal_moves()

    def move_text(self, move: int) -> str:
        """A move as a player sends it."""
        return move_text(move)

    def read_move(self, text: str) -> int:
        """The legal move that a text means. ``IllegalMove`` or ValueError."""
        move = read_move(text, self._board.points)[0]
        if move not in self.legal_moves():
            raise IllegalMove(f"{text}: that move is not legal here")
        return move

    def setup_text(self) -> str:
        """The position as FEN, as this player knows it."""
        return self._board.fen()

    def model(self) -> Model:
        """A copy that goes on by moves as they are told."""
        return Model(self._board.copy(), self._limits, self._told, self.side, self._result)


class Model(View):
    """A view that follows the game: it takes moves as they are told, and takes them back."""

    def play(self, told: str) -> int:
        """Make a move as it was told. ValueError, with nothing changed, for one that isn't legal or doesn't say what it
        turned up."""
        move, shown, announced = read_move(told, self._board.points)
        if self._result is not None or (move < RETIRE and move not in self._board.legal_moves()):
            raise IllegalMove(f"{told}: that move is not legal here")
        if self._board.shows(move) and shown is None:
            raise ValueError(f"{told}: what showed must be told")
        self._board.play(move, shown or 0, announced)
        self._told = (*self._told, told.strip())
        self._result = judge(self._board, self._limits, "resignation")
        return move

    def undo(self) -> None:
        """Take the last turn back. IndexError at the start."""
        self._board.undo()
        self._told = self._told[:-1]
        self._result = None
