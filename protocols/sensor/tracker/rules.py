"""What a tracker must know of a game: its position after every ply, its moves, its words. Nothing here knows a tracker.

A *state* is what a board shows, one character a point (``protocols.sensor.reading``), in the rules core's order: A1 or
a0 first, row by row upward. The *expected* state after so many plies is the one the game's position would show.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Any

from protocols.sensor.reading import EMPTY, OCCUPIED, PLACE_FIRST, PLACE_SECOND, Geometry, Sensing
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import SetUp


class GameRules(ABC):
    """The tracker's own copy of the referee's game, as states. ``sensing``: what the board tells of a point."""

    first_color: int
    second_color: int
    geometry: Geometry
    sensing: Sensing
    states: list[str]
    """The expected state after every ply, the set-up first."""
    start_state: str
    """The state with which a game begins usually."""
    system = "gtp"
    """How points are named where a game has several ways: for Go one of ``engines.go.coordinates.SYSTEMS``."""

    @property
    def plies(self) -> int:
        """Turns of the game since its set-up."""
        return len(self.states) - 1

    def expected_state(self, ply: int) -> str:
        """What the board should show after so many plies."""
        return self.states[ply]

    def is_start(self, state: str) -> bool:
        """Whether a game may begin with this state."""
        return guide.fits(state, self.start_state)

    # ------------------------------------------------------------------ the game

    @abstractmethod
    def take_over(self, game: Any) -> None:
        """Begin anew with a copy of a game."""

    def check(self, game: Any) -> None:  # noqa: B027
        """Raises ValueError, with a text for the user, for a game that this board cannot show."""

    @abstractmethod
    def same_start(self, game: Any) -> bool:
        """Whether a game began as this one did."""

    @abstractmethod
    def moves_of(self, game: Any) -> list[tuple[int, int]]:
        """The moves of a game that began as this one: colours, and moves of the rules core."""

    @property
    @abstractmethod
    def moves(self) -> list[tuple[int, int]]:
        """The moves of the tracker's copy."""

    def adopt(self, game: Any) -> None:  # noqa: B027
        """Take over what a game is played by, besides its moves."""

    @abstractmethod
    def mover(self, ply: int) -> int:
        """Whose turn it is after so many plies."""

    @abstractmethod
    def push(self, color: int, move: int) -> Collection[int]:
        """Play a legal move. Gives the points that it changes."""

    @abstractmethod
    def pop(self) -> None:
        """Take the last ply back."""

    def ask_for(self, color: int | None) -> None:  # noqa: B027
        """This colour's move is asked for next, in a game that lets either move."""

    # ------------------------------------------------------------------ words

    @abstractmethod
    def name(self, point: int) -> str:
        """A point in the game's own words."""

    @abstractmethod
    def point_named(self, text: str) -> int:
        """The point of this name. Raises ValueError."""

    @abstractmethod
    def told(self, ply: int) -> str:
        """The move of a ply in words, with its colour."""

    @abstractmethod
    def told_move(self, move: int) -> str:
        """A move of the colour to move in words."""

    @abstractmethod
    def thing(self, value: str, point: int) -> str:
        """What a point shows, in words."""

    # ------------------------------------------------------------------ colours and set-up

    def color_of(self, value: str, point: int) -> int:
        """The colour that a value shows, or that the game has on the point where it shows none; -1 for none."""
        if value == PLACE_FIRST or (value.isupper() and value not in (PLACE_SECOND, OCCUPIED, EMPTY)):
            return self.first_color
        if value == PLACE_SECOND or value.islower():
            return self.second_color
        return self.color_at(point)

    @abstractmethod
    def color_at(self, point: int) -> int:
        """The colour on a point at the end of the tracker's game, -1 for none."""

    @abstractmethod
    def read_setup(self, state: str, mover: int | None) -> SetUp | str:
        """The position that stands on the board, or why it is none. ``mover``: who begins; None: the position tells."""

    def why_no_setup(self) -> str:
        """Why no position can be set up on this board; empty where one can."""
        return ""
