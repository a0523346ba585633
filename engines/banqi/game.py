"""A game of banqi as its referee has it: the board everybody sees, the deal nobody does, the end.

>>> game = Game(seed=1)
>>> len(game.legal_moves()), game.observe(0).setup_text().split()[1]
(32, '-')
"""

from __future__ import annotations

from typing import Any

from engines.banqi.board import HIDDEN, Board
from engines.banqi.ending import Limits, judge
from engines.banqi.fen import LETTERS, START_FEN, FenError, read_piece, square_name
from engines.banqi.notation import move_text, read_move
from engines.banqi.referee import REASONS, IllegalMove, OfferError, Referee, Result
from engines.banqi.rules import NAMED
from engines.banqi.view import View
from engines.dealing import Deal

__all__ = ["NAMED", "REASONS", "Game", "IllegalMove", "OfferError", "Result"]


class Game(Referee):
    """A game from its set-up on. Sides are 0 (acts first) and 1; the first piece turned up decides their colors."""

    name = "banqi"

    def __init__(
        self,
        setup: str | None = None,
        deal: str | Deal | None = None,
        seed: int | str | None = None,
        rules: str = "taiwan",
        still: int = 60,
        repetition: str = "cycle",
        chase: int = 0,
    ) -> None:
        """A new game, from ``setup`` (a FEN; ``deal:LETTERS`` behind it, as ``setup_text`` writes it, is read).

        ``deal`` gives the piece of each square from a1 (anything where none lies face down, ``?`` where it doesn't
        matter which); without it the face-down pieces are shuffled, from ``seed`` the same way each time, else by the
        operating system. ``rules``: ``engines.banqi.rules``. The others: ``engines.banqi.ending.Limits``. ValueError
        (``FenError``) for what can't be.
        """
        fields = (setup or START_FEN).split()
        marks = [field for field in fields if field.startswith("deal:")]
        fen = " ".join(field for field in fields if not field.startswith("deal:"))
        self._limits = Limits(still, repetition, chase)
        self.board = Board(fen, rules)
        if deal is None and marks:
            deal = marks[0][5:]
        self._deal = self._dealt(deal, seed)
        self._under = [read_piece(letter) if letter != "." else 0 for letter in self._deal.letters]
        self._begin()

    def _dealt(self, deal: str | Deal | None, seed: int | str | None) -> Deal:
        """The deal with a letter on each face-down square and a dot on any other."""
        board = self.board
        down = [square for square in range(32) if board.piece_at(square) == HIDDEN]
        salt = deal.salt if isinstance(deal, Deal) else None
        letters = deal.letters if isinstance(deal, Deal) else deal or "?" * 32
        if len(letters) != 32:
            raise ValueError(f"a deal has a letter for each of the 32 squares, and not {len(letters)}")
        left = {piece: board.unseen(piece) for piece in range(16) if piece & 7}
        for square in down:
            if letters[square] == "?":
                continue
            piece = read_piece(letters[square])
            left[piece] -= 1
            if left[piece] < 0:
                raise FenError(f"the deal has too many of {LETTERS[piece]}")
        rest = Deal.shuffled("".join(LETTERS[piece] * count for piece, count in left.items()), seed)
        unknown = iter(rest.letters)
        whole = ["."] * 32
        for square in down:
            whole[square] = next(unknown) if letters[square] == "?" else LETTERS[read_piece(letters[square])]
        if salt is None:
            salt = rest.salt
        return Deal("".join(whole), salt)

    @property
    def options(self) -> dict[str, Any]:
        limits = self._limits
        return {
            "rules": self.board.rules.name,
            "still": limits.still,
            "repetition": limits.repetition,
            "chase": limits.chase,
        }

    def _judge(self) -> Result | None:
        return judge(self.board, self._limits)

    def _shown(self, move: int) -> int:
        return self._under[move & 31] if self.board.shows(move) else 0

    def _text(self, move: int, shown: int) -> str:
        return move_text(move, shown)

    def _read(self, text: str) -> tuple[int, int | None]:
        return read_move(text)

    def _why_not(self, move: int) -> str:
        if self.result is not None:
            return "the game is over"
        board, origin = self.board, move >> 5 & 31
        if board.chain_square is not None:
            return f"the piece on {square_name(board.chain_square)} may go on taking, or the turn ends with end"
        piece = board.piece_at(origin) if move < 1024 else 0
        if move >= 1024:
            return "no chain of captures is open"
        if piece == 0:
            return f"there is nothing on {square_name(origin)}"
        if piece == HIDDEN:
            return f"the piece on {square_name(origin)} is face down"
        if origin == move & 31:
            return f"the piece on {square_name(origin)} is face up already"
        if piece >> 3 != board.color:
            return f"the piece on {square_name(origin)} is not {('Red', 'Black')[board.color]}'s"
        return f"the piece on {square_name(origin)} can't go there"

    def observe(self, side: int | None = None) -> View:
        """What a side, or a spectator (None), may know."""
        if side is not None:
            self._check_side(side)
        return View(self.board.copy(), self._limits, tuple(self._texts), side, self.result)

    def setup_text(self) -> str:
        """The position as the referee knows it: its FEN, and ``deal:`` with the pieces that are still face down."""
        squares = range(32)
        down = "".join(LETTERS[self._under[i]] if self.board.piece_at(i) == HIDDEN else "." for i in squares)
        return self.board.fen() + (f" deal:{down}" if down.strip(".") else "")

    def copy(self) -> Game:
        """A game of its own that goes on from here by itself."""
        other = Game(self.board.start, self._deal, **self.options)
        other.board = self.board.copy()
        other._texts, other._ended, other._offer = list(self._texts), self._ended, self._offer
        return other
