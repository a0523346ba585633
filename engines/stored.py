"""A game of one of the games with hidden or placed pieces as a record tells it: its positions, moves and other formats.

``engines.<game>.stored`` reads those of a game; ``engines.stored_formats`` has who reads what.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from engines.drawing.grid import Grid
from engines.drawing.svg import Board
from engines.terms import Language

VIEWS = ("all", "red", "black", "spectator")
"""Whose view a record may be asked for; ``all`` is the referee's, with what lies face down."""


class StoredGame(ABC):
    """A record. ``game`` is the game's name in the registry, ``format`` that of the record, ``names`` the players',
    ``result`` as the record has it (``*`` for none), ``sides`` the names of the sides in the order of play."""

    game: str
    format: str
    names: tuple[str, ...]
    result: str
    sides: tuple[str, ...]
    targets: ClassVar[tuple[str, ...]]
    """The formats that it can be written in, its usual one first."""

    @abstractmethod
    def moves(self, view: str = "") -> list[str]:
        """The moves as they were told to one of ``VIEWS``, "" for the record's own. Raises ValueError for a view that
        the record can't give."""

    @abstractmethod
    def positions(self, view: str = "") -> list[Any]:
        """What such a viewer knew at the start and after each move. Raises ValueError."""

    @abstractmethod
    def model(self) -> Any:
        """The last position, as one that goes on by moves as they are told: of the record's own view, a spectator's
        for a whole record. Raises ValueError."""

    @abstractmethod
    def write(self, target: str, view: str = "") -> str:
        """The record in a format, whole or as one viewer was told it. Raises ValueError where that can't be."""

    @abstractmethod
    def grid(self, seen: Any, letters: bool = False, language: Language = "en") -> Grid:
        """A position for a terminal."""

    @abstractmethod
    def board(self, language: Language = "en", flipped: bool = False) -> Board:
        """A board to draw its positions on."""

    @abstractmethod
    def standing(self, seen: Any) -> dict[int, str]:
        """What stands where in a position: symbols of the board, by points."""

    def name_of(self, seen: Any, told: str, language: Language = "en") -> str:
        """A told move, made in a position, as people of a language write it."""
        return told

    def comment(self, ply: int) -> str:
        """What the record says behind a move, or before the first (0)."""
        return ""
