"""Players to measure others by: random, and greedy, which takes what is worth most and looks one reply ahead not at
all."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engines.player import Choice, Limits, Report

Reporter = Callable[[Report[int]], None]

WORTH = (0, 10_000, 200, 200, 430, 900, 450, 130)
"""What the greedy player thinks a taken piece is worth, by kind."""

UNKNOWN = 340
"""The same of one that lies face down."""


class RandomPlayer:
    """Any legal move is as likely."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = Random(seed)

    def choose(self, game: Any, color: int, limits: Limits, report: Reporter | None = None) -> Choice[int]:
        """A move of the side to move; "none" where there is none."""
        moves = game.legal_moves()
        return Choice("move", self._random.choice(moves)) if moves else Choice("none")

    def stop(self) -> None:
        """Nothing: it has chosen already."""

    def close(self) -> None:
        """Nothing to give back."""


class GreedyPlayer(RandomPlayer):
    """Mates where it can, else takes what is worth most, else turns a piece up, else goes anywhere."""

    def choose(self, game: Any, color: int, limits: Limits, report: Reporter | None = None) -> Choice[int]:
        """A move of the side to move; "none" where there is none."""
        moves = game.legal_moves()
        if not moves:
            return Choice("none")
        board = game.board
        best, found = -1.0, moves
        for move in moves:
            origin, target = board.point(move >> 7 & 127), board.point(move & 127)
            value = 0.0
            if target is not None:
                value = float(WORTH[target.piece & 7] if target.piece else UNKNOWN)
            elif origin.dark:
                value = 1.0
            elif _mates(board, move):
                value = 1e6
            if value > best:
                best, found = value, []
            if value == best:
                found.append(move)
        return Choice("move", self._random.choice(found))


def _mates(board: Any, move: int) -> bool:
    """Whether a move of a piece that is known ends the game at once."""
    board.play(move)
    ends = not board.can_move()
    board.undo()
    return ends
