"""What each game must tell a session at a board: the referee's game, its moves and words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engines.player import Choice, Player
from protocols.sensor.reading import Hello
from protocols.sensor.tracker.events import SetUp
from protocols.sensor.tracker.tracker import Tracker


class SessionGame(ABC):
    """The part of ``protocols.sensor.session.board_session.BoardSession`` that Go and Xiangqi do differently."""

    colors: tuple[int, int]
    _left_out: Sequence[str] = ()
    """Sensors that are left out from the beginning, by the points' names."""

    @property
    @abstractmethod
    def plies(self) -> int:
        """Turns of the referee's game."""

    @abstractmethod
    def mover(self) -> int:
        """Whose turn it is."""

    @abstractmethod
    def game(self) -> Any:
        """The referee's game, for the tracker and the opponent."""

    @abstractmethod
    def make_tracker(self, hello: Hello) -> Tracker:
        """A tracker of the game for this board. Raises ValueError for one that does not fit."""

    @abstractmethod
    def play(self, color: int, move: int) -> None:
        """The referee's game gets a move that the tracker or the opponent vouches for. Raises ValueError."""

    @abstractmethod
    def play_choice(self, color: int, choice: Choice[int]) -> str:
        """The opponent's choice is played; gives it in words. A result is set where it ends the game."""

    @abstractmethod
    def cut(self, plies: int) -> None:
        """The referee's game goes back to so many plies."""

    @abstractmethod
    def clear(self) -> None:
        """A new game."""

    @abstractmethod
    def set_up(self, event: SetUp) -> None:
        """A new game from a position."""

    @abstractmethod
    def name_color(self, color: int) -> str:
        """A colour in words."""

    @abstractmethod
    def told(self, color: int, move: int) -> str:
        """A move in words, before or after it was played."""

    @abstractmethod
    def read_move(self, text: str) -> int:
        """A typed move of whoever is to move. Raises ValueError."""

    @abstractmethod
    def adviser(self) -> Player[int]:
        """The built-in search, for hints."""

    @abstractmethod
    def points_of(self, move: int) -> list[int]:
        """The points of a move, to be lit."""

    @abstractmethod
    def check_end(self) -> None:
        """Set the result, or begin the scoring, where the game has ended by its last move or in its first position.

        What needs the position on the board waits until that stands.
        """

    @abstractmethod
    def lost(self, color: int, why: str) -> str:
        """The result where a colour has lost: by "resign", "time" or "forfeit"."""

    @abstractmethod
    def moves(self) -> list[Any]:
        """The moves of the referee's game."""

    @abstractmethod
    def save(self, path: str) -> None:
        """Write the game as it is. Raises OSError, or ValueError with a text for the user."""

    @abstractmethod
    def offer_draw(self, color: int) -> None:
        """A colour offers a draw, where the game knows that."""

    @abstractmethod
    def picture(self) -> str:
        """The position as text."""


class Resumed(NamedTuple):
    """What a record leaves off with."""

    game: Any
    kept: Any
    """The record, or its file, that the session goes on with."""
    notes: Sequence[str]
    """What was wrong in the record's text."""
    result: str
    """How the game has ended, in the record's words; empty while it goes on."""


class SessionType(NamedTuple):
    """What the command must know of a game that is played on a board."""

    colors: tuple[int, int]
    """Who begins, and the other."""
    begin: Callable[[Any, tuple[int, int]], Any]
    """A new game, from the command's options and the board's width and height. Raises ValueError."""
    resume: Callable[[Any], Resumed]
    """The game to go on with, from the command's options. Raises ValueError."""
    session: Callable[..., Any]
    """The session, from the game, the record's path, the settings, the command's options, what is gone on with (None
    for nothing) and whatever ``BoardSession`` takes.
    """
