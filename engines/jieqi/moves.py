"""Moves as coordinate text: what a player sends, what the referee writes, and what each viewer is told.

``h2h9``: from, to. ``x`` behind it: turned down on landing. The letter of what turned up follows the squares, then
that of a piece taken face down, each in its own side's case: ``h2h9Pr``. A viewer is told only the letters of what it
may know: ``h2h9P``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from engines.jieqi.board import Board, IllegalMove
from engines.jieqi.pieces import TURN_DOWN
from engines.xiangqi.geometry import NO_SLOT, PIECE_LETTERS, SIDE_NAMES, move_name, move_of, piece_color

_TOLD = re.compile(r"([a-i])(\d)-?([a-i])(\d)([RACPNB]?)([RACPNB]?)(x?)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Told:
    """A move with what is known of it: the piece that it turned up and the one that it took face down, or 0."""

    move: int
    shown: int = 0
    taken: int = 0

    @cached_property
    def text(self) -> str:
        """``h2h9Pr``, ``b8b2x``."""
        letters = "".join(PIECE_LETTERS[piece] for piece in (self.shown, self.taken) if piece)
        return move_name(self.move & 0x3FFF) + letters + ("x" if self.move & TURN_DOWN else "")


def move_text(move: int) -> str:
    """A move as a player sends it: four characters, and ``x`` where the piece is turned down."""
    return Told(move).text


def parse(board: Board, text: str) -> Told:
    """The move and letters of a text, in the position that it is to be played in.

    ``ValueError`` for text that is no move, and for letters that can't be: of the wrong side, of a general, for a piece
    that lies face up. ``IllegalMove`` for a move that is not legal. Letters may be missing.
    """
    match = _TOLD.fullmatch(text.strip())
    if not match:
        raise ValueError(
            f"{text!r} is no move; moves are written h2e2, with letters of what shows and x for turned down"
        )
    files = ["abcdefghi".index(match[group].lower()) for group in (1, 3)]
    squares = [int(match[group]) * 9 + file for group, file in zip((2, 4), files, strict=True)]
    move = move_of(*squares) | (TURN_DOWN if match[7] else 0)
    reason = board.why_illegal(move)
    if reason is not None:
        raise IllegalMove(reason)
    letters = [PIECE_LETTERS.index(letter) for letter in (match[5], match[6]) if letter]
    shown = taken = 0
    if letters and board.is_dark(squares[0]):
        shown = letters.pop(0)
        if piece_color(shown) != board.turn:
            raise ValueError(f"{text}: {SIDE_NAMES[board.turn]}'s piece can't turn out {PIECE_LETTERS[shown]}")
    if letters:
        slot = board.slot_at(squares[1])
        taken = letters.pop(0)
        if slot == NO_SLOT or not board.is_dark(squares[1]):
            raise ValueError(f"{text}: no piece is taken face down by this move")
        if piece_color(taken) == board.turn:
            raise ValueError(f"{text}: {SIDE_NAMES[board.turn]} can't take its own {PIECE_LETTERS[taken]}")
    if letters:
        raise ValueError(f"{text}: it has more letters than pieces that show")
    return Told(move, shown, taken)
