"""The luoqi board: banqi's, with hands instead of face-down pieces.

A move is banqi's, or ``PLACE | kind << 5 | square``. ``unseen`` counts what is in hand.

>>> board = Board()
>>> len(board.legal_moves())
224
"""

from __future__ import annotations

import cython

from engines.banqi.board import Board as HalfBoard
from engines.banqi.fen import EMPTY_FEN, read_fen
from engines.banqi.rules import Rules, rules_named
from engines.errors import IllegalMove

if not cython.compiled:  # compiled, board.pxd declares or imports these in C
    PLACE, EMPTY = 2048, 0


@cython.final
@cython.cclass
class Board(HalfBoard):
    """A position with the moves that led to it."""

    def __init__(self, fen: str = EMPTY_FEN, rules: str | Rules = "taiwan") -> None:
        """Set up a position from its FEN (``engines.banqi.fen``). ``FenError`` for a bad one, ValueError for rules that
        there are not."""
        self.blank(rules_named(rules) if isinstance(rules, str) else rules)
        self.set_up(read_fen(fen, hands=True))
        self.start = self.fen()

    def make(self, move: cython.int, shown: cython.int) -> None:
        """Make a legal move; ``shown`` says nothing here."""
        piece: cython.int
        if move < PLACE:
            HalfBoard.make(self, move, 0)
            return
        piece = (move >> 5 & 7) + 8 * self.side
        self.remember(move, piece)
        self.draw(piece, -1)
        self.put(move & 31, piece)
        self.still = 0
        self.pass_turn()

    def generate(self, out: cython.p_ushort) -> cython.int:
        """All actions: moves by the piece's square, then placings by kind and square; their number."""
        n: cython.int = HalfBoard.generate(self, out)
        kind: cython.int
        square: cython.int
        if n and out[n - 1] == 1024:  # in a chain
            return n
        for kind in range(1, 8):
            if self.pool[kind + 8 * self.side]:
                for square in range(32):
                    if self.squares[square] == EMPTY:
                        out[n] = PLACE | kind << 5 | square
                        n += 1
        return n

    def shows(self, move: int) -> bool:
        """False: nothing is hidden."""
        return False

    def play(self, move: int, shown: int = 0) -> None:
        """Play a legal move. ``IllegalMove``, with nothing changed, for any other; ``shown`` says nothing here."""
        if move not in self.legal_moves():
            raise IllegalMove("that move is not legal here")
        self.reserve(1)
        self.make(move, 0)
