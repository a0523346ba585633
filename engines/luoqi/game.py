"""A game of luoqi: nothing is hidden, Red acts first.

>>> game = Game()
>>> game.play_text("K@b3"), game.turn
('K@b3', 1)
"""

from __future__ import annotations

import re
from typing import Any

from engines.banqi import notation
from engines.banqi.board import END
from engines.banqi.ending import Limits, judge
from engines.banqi.fen import EMPTY_FEN, LETTERS, read_piece, read_square, square_name
from engines.banqi.referee import IllegalMove, Referee, Result
from engines.banqi.view import Model as BanqiModel
from engines.banqi.view import View as BanqiView
from engines.luoqi.board import PLACE, Board

__all__ = ["Game", "IllegalMove", "Model", "Result", "View", "move_text", "read_move"]

_PLACING = re.compile(r"([A-Za-z])@([A-Da-d][1-8])")


def move_text(move: int, color: int) -> str:
    """A move as text: ``K@b3`` puts a general of ``color`` (0 Red) on b3, ``a3-b3`` moves or takes."""
    if move >= PLACE:
        return f"{LETTERS[(move >> 5 & 7) + 8 * color]}@{square_name(move & 31)}"
    return notation.move_text(move)


def read_move(text: str, color: int) -> int:
    """The move that a text means for a color. ValueError for a text that is none, or places the other's piece."""
    found = _PLACING.fullmatch(text.strip())
    if found is None:
        move, shown = notation.read_move(text)
        if shown is not None or (move >> 5 & 31 == move & 31 and move < END):
            raise ValueError(f"{text!r} is no move: K@b3 puts a piece on b3, a3-b3 moves one")
        return move
    piece = read_piece(found[1])
    if piece >> 3 != color:
        raise ValueError(f"{text}: it is {('Red', 'Black')[color]}'s turn, and that piece is the other's")
    return PLACE | (piece & 7) << 5 | read_square(found[2])


class View(BanqiView):
    """A position, read only: everybody sees all of it. ``pools`` is what the players hold."""

    def move_text(self, move: int) -> str:
        """A move of the side to act as text."""
        return move_text(move, self._board.color)

    def _read(self, text: str) -> tuple[int, int | None]:  # type: ignore[override]
        return read_move(text, self._board.color), None

    def model(self) -> Model:
        """A copy that goes on by moves."""
        return Model(self._board.copy(), self._limits, self._told, self.side, self._result)


class Model(View, BanqiModel):
    """A view that follows the game."""


class Game(Referee):
    """A game from its set-up on. Sides are 0 Red and 1 Black."""

    name = "luoqi"

    def __init__(
        self,
        setup: str | None = None,
        rules: str = "taiwan",
        still: int = 60,
        repetition: str = "cycle",
    ) -> None:
        """A new game, from ``setup`` (a FEN with the hands for the pool). ``rules``: those of banqi that hide nothing.
        The others: ``engines.banqi.ending.Limits``. ValueError (``FenError``) for what can't be."""
        if "dark" in rules:
            raise ValueError(f"nothing is face down in luoqi: {rules} makes no sense")
        self._limits = Limits(still, repetition)
        self.board = Board(setup or EMPTY_FEN, rules)
        self._deal = None
        self._begin()

    @property
    def options(self) -> dict[str, Any]:
        return {"rules": self.board.rules.name, "still": self._limits.still, "repetition": self._limits.repetition}

    def _judge(self) -> Result | None:
        return judge(self.board, self._limits)

    def _shown(self, move: int) -> int:
        return 0

    def _text(self, move: int, shown: int) -> str:
        return move_text(move, self.board.color)

    def _read(self, text: str) -> tuple[int, int | None]:
        return read_move(text, self.board.color), None

    def _why_not(self, move: int) -> str:
        if self.result is not None:
            return "the game is over"
        if move >= PLACE:
            if self.board.piece_at(move & 31):
                return f"{square_name(move & 31)} is taken"
            return "there is no such piece in hand"
        return f"no piece of the side to act can go from {square_name(move >> 5 & 31)} to {square_name(move & 31)}"

    def observe(self, side: int | None = None) -> View:
        """The position, read only."""
        if side is not None:
            self._check_side(side)
        return View(self.board.copy(), self._limits, tuple(self._texts), side, self.result)

    def setup_text(self) -> str:
        """The position as FEN, with the hands for the pool."""
        return self.board.fen()

    def copy(self) -> Game:
        """A game of its own that goes on from here by itself."""
        other = Game(self.board.start, **self.options)
        other.board = self.board.copy()
        other._texts, other._ended, other._offer = list(self._texts), self._ended, self._offer
        return other
