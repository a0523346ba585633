"""What a game's part of the tracker must tell: what a state of the board may mean, and what is wrong with it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from protocols.sensor.reading import Change
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import Discrepancy, Event, Gesture, Pair
from protocols.sensor.tracker.policy import Option

if TYPE_CHECKING:
    from protocols.sensor.tracker.tracker import Tracker


class Interpreter(ABC):
    """What states mean in one game. The tracker holds one, asks it for options and tells it what happens."""

    tracker: Tracker

    @abstractmethod
    def explain(self, state: str) -> list[Option]:
        """What a state may mean, discrepancies left out; an option that says the board is right where it is."""

    def shows(self, state: str, ply: int) -> bool:
        """Whether the board may be as it is after so many plies."""
        return guide.fits(state, self.tracker.rules.expected_state(ply))

    @abstractmethod
    def enter_move(self, move: int) -> str:
        """Play a move for the colour to move that nobody has seen; gives why it can't be, or nothing."""

    @abstractmethod
    def unseen_moves(self) -> list[int]:
        """The moves for the colour to move that, with what is not read, may stand on the board as it is."""

    def pairs(self, state: str, target: str) -> tuple[str, str, list[Pair]]:
        """What to do to get from one state to another, and both states in as much detail as is known."""
        return state, target, guide.pairs(state, target, self.tracker.geometry.width)

    # ------------------------------------------------------------------ what happens

    def on_change(self, changes: Sequence[Change]) -> None:  # noqa: B027
        """Changes of the stable state have come in; a game may want to take notes."""

    def first_sight(self) -> None:  # noqa: B027
        """The board has been seen for the first time."""

    def turned_round(self) -> None:  # noqa: B027
        """The board is about to be seen from its other side."""

    def content(self) -> None:  # noqa: B027
        """The board is as it should be."""

    def taken_over(self) -> None:  # noqa: B027
        """The tracker has begun anew with another game."""

    def parted(self) -> None:  # noqa: B027
        """The client's game has gone another way, or begun anew."""

    def pushed(self, color: int, move: int) -> None:  # noqa: B027
        """A move has been played in the tracker's game."""

    def truncated(self) -> None:  # noqa: B027
        """The tracker's game has been taken back."""

    def going_on(self) -> None:  # noqa: B027
        """The game is not over, or another one has begun."""

    def taking_back(self, plies: int, at: float) -> list[Event]:
        """The hand takes the game back to so many plies. Gives what is to be said of it besides."""
        return []

    # ------------------------------------------------------------------ wishes

    def confirmed(self, what: str, color: int, at: float) -> list[Event]:
        """A wish was confirmed."""
        return [Gesture(at, what, color)]

    def pass_turn(self, at: float) -> list[Event]:
        """Pass, in a game that has it."""
        return []

    # ------------------------------------------------------------------ counting and captured stones

    scoring: Any = None
    """The counting of the game on the board; None before."""

    @property
    def pending_removals(self) -> Mapping[int, str]:
        """What was captured and may still lie on the board: what each point shows."""
        return {}

    def begin_scoring(self, dead: Collection[int]) -> None:
        """The game is counted from now on, in a game that is. ``dead``: a first judgement."""
        raise ValueError("this game is not counted on the board")

    def end_scoring(self) -> None:  # noqa: B027
        """Back to the game."""

    def ending(self) -> None:  # noqa: B027
        """The game is over."""

    # ------------------------------------------------------------------ leds

    def lit(self, state: str) -> dict[int, str]:
        """The leds of a state, by point."""
        return self.tracker.lights.lit(state)

    @abstractmethod
    def lit_move(self, state: str) -> dict[int, str]:
        """The leds of the next move that waits to be executed."""


class Diagnoser(ABC):
    """What is wrong with a state that nothing explains, in one game."""

    @abstractmethod
    def diagnose(self, state: str) -> tuple[float, Discrepancy]:
        """What is wrong, and after how many seconds to say so."""

    def complained(self, discrepancy: Discrepancy, at: float) -> list[Event]:
        """The people at the board have just been told. Gives what follows from it besides."""
        return []
