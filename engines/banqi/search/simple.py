"""Players to measure others by, for every game with a view as ``engines.banqi.view`` has it: random, and greedy."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engines.player import Choice, Limits, Report

Reporter = Callable[[Report[int]], None]

WORTH = {"K": 60, "G": 30, "A": 30, "M": 20, "B": 20, "R": 15, "N": 10, "C": 25, "P": 5}
"""What the greedy player thinks a taken piece is worth, by its large letter."""


class RandomPlayer:
    """Any action is as likely."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = Random(seed)

    def choose(self, game: Any, color: int, limits: Limits, report: Reporter | None = None) -> Choice[int]:
        """An action of the side to act; "none" where there is none."""
        moves = game.legal_moves()
        return Choice("move", self._random.choice(moves)) if moves else Choice("none")

    def stop(self) -> None:
        """Nothing: it has chosen already."""

    def close(self) -> None:
        """Nothing to give back."""


class GreedyPlayer(RandomPlayer):
    """Takes what is worth most, else turns a piece up, else goes anywhere."""

    def choose(self, game: Any, color: int, limits: Limits, report: Reporter | None = None) -> Choice[int]:
        """An action of the side to act; "none" where there is none."""
        moves = game.legal_moves()
        if not moves:
            return Choice("none")
        board, contents = game.board, game.contents
        best, found = -1.0, moves
        for move in moves:
            value = 0.0
            if board.takes_piece(move):
                value = WORTH[contents[_target(board, move)].upper()]
            elif board.shows(move):
                value = 0.5
            if value > best:
                best, found = value, []
            if value == best:
                found.append(move)
        return Choice("move", self._random.choice(found))


def _target(board: Any, move: int) -> int:
    """The point that a move goes to."""
    return move & (127 if hasattr(board, "kingdoms") else 31)
