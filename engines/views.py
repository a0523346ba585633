"""What one side may know of a game in which nothing is hidden: all of it, to read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from engines.results import Result


@dataclass(frozen=True)
class OpenView(ABC):
    """A game as it stood when it was looked at: plain values, with no way back to the referee's game.

    ``turn`` is the index of the side to move, ``plies`` how many were made since the set-up, ``told`` their texts,
    ``pools`` the pieces of each side not seen yet: none.
    """

    turn: int
    plies: int
    result: Result | None
    moves: tuple[int, ...]
    told: tuple[str, ...]
    setup: str
    pools: tuple[Counter[str], ...] = field(default=(), kw_only=True)

    def legal_moves(self) -> list[int]:
        """What the side to move may play, in the order of the game's own ``legal_moves``."""
        return list(self.moves)

    def setup_text(self) -> str:
        """The position as text, as the game's own ``setup_text`` gives it."""
        return self.setup

    @abstractmethod
    def move_text(self, move: int) -> str:
        """A move's coordinate text. Raises ValueError for what is no move of this game."""

    @abstractmethod
    def read_move(self, text: str) -> int:
        """The move of a coordinate text. Raises ValueError for a text that is none."""

    @abstractmethod
    def model(self) -> Any:
        """A game of the viewer's own that goes on from here, with all that led here."""
