"""How long a tracker waits before it believes something, and what the board may do to the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from protocols.sensor.tracker.events import Event

HAND_STUCK = 20.0
"""Seconds after which a hand that has neither moved anything nor left is taken for a sensor that is stuck."""


@dataclass(frozen=True)
class Timing:
    """Seconds the board must have been still before a reading of it is believed.

    ``settle``: any move. ``slide``: more for a piece that could go on in its line. ``capture``: more for a capture
    that only the lifted piece tells (occupancy). ``gesture``; ``corner``: what may be the first half of a gesture;
    ``second``: another move instead of the last one; ``take_back``: an earlier position; ``take_back_unsure``: where
    the same could be the beginning of a capture; ``new_game``: the start position; ``wrong``: an illegal move is
    called so; ``patience``: anything unexplained is told of; ``lifted``: the same where something is only off the
    board, perhaps in a hand that thinks; ``soon``: where nobody is to move, or a thing is on the board that nobody
    can have played; ``repair``: a move on a board that is being put right. ``unanswered``: a question whose answer
    may be to leave the board as it is; ``confirm``: how long other questions stay open. ``lift``: how short a point
    may be empty for its piece to have been changed for another: no hand does it faster.
    """

    settle: float = 0.3
    slide: float = 0.4
    capture: float = 0.3
    second: float = 0.8
    gesture: float = 1.2
    corner: float = 1.9
    take_back: float = 2.0
    take_back_unsure: float = 3.5
    new_game: float = 2.5
    wrong: float = 1.5
    patience: float = 3.5
    lifted: float = 4.5
    soon: float = 2.4
    repair: float = 2.0
    unanswered: float = 8.0
    confirm: float = 20.0
    lift: float = 0.15


@dataclass(frozen=True)
class Policy:
    """What the board may do to the game.

    ``take_back``: moves may be taken back on the board. ``second_thoughts``: the last move may be changed while the
    answer to it is not executed. ``new_game``: the start position on the board begins a new game. ``gestures``:
    patterns that no move makes mean pass, resign and so on. ``barred``: legal moves that must not be made now.
    """

    take_back: bool = True
    second_thoughts: bool = True
    new_game: bool = True
    gestures: bool = True
    barred: frozenset[int] = frozenset()


FINAL = Policy(take_back=False, second_thoughts=False, new_game=False)
"""For a game that somebody else keeps (a GTP or UCCI client): a move that was answered stands."""


class Option(NamedTuple):
    """One reading of the present state: believed after ``dwell`` seconds.

    ``kind``: the board is "right" as it is (nothing is to be told), or this is a "move", which the clock lever may
    hurry, or what is wrong itself, in words of its own ("discrepancy"), or a gesture or new position ("wish"),
    or something "else". ``points``: what it rests on.
    """

    dwell: float
    act: Callable[[float], list[Event]]
    kind: Literal["right", "move", "discrepancy", "wish", "else"] = "else"
    points: tuple[int, ...] = ()
