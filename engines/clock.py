"""Time controls and clocks, for every game and protocol. All times are seconds as floats.

A ``TimeControl`` is the agreement, a ``Clock`` one side's state under it. A clock never looks at the time of day:
whoever owns it tells it how long a move took (``spend``) or what the controller says is left (``set_left``).
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["none", "absolute", "canadian", "byoyomi", "fischer", "fischer-capped", "moves"]

LAG = 0.15
"""Seconds kept back for pipes, schedulers and the controller's own delay."""

OVERHEAD = 0.01
"""Seconds that each move still to come costs beside thinking, where the clock does not fill up again."""

CUSHION = 5
"""Increments that a clock which fills up again (Fischer) is not planned below, at most ``LARGEST_CUSHION`` seconds: a
single delay of the machine must not be the end. It costs nothing but the time that is never used.
"""

LARGEST_CUSHION = 0.6

LOSSES_KEPT = 24
"""Moves for which a loss of time outside the thinking is remembered."""

LARGEST_LOSS = 2.0
"""Seconds; a larger difference between two times told is a new game, a take-back or an adjournment, and no delay."""

MIN_THINK = 0.001
"""A plan never goes below this, however little is left: an answer has to come from somewhere."""

HORIZON = 30
"""Moves that main time must still last for when the caller does not know better."""


@dataclass(frozen=True)
class TimeControl:
    """How much time a side has for a game.

    ``main``: seconds of main time. ``period``: seconds of an overtime period. ``stones``: moves to be made in one
    period (Canadian), or number of moves in a session (``moves``: ``main`` seconds for each ``stones`` moves).
    ``periods``: byo-yomi (读秒/讀秒) periods, each for one move, used up only when overstepped. ``increment``: seconds
    added after each move (Fischer). ``limit``: the clock never holds more than this (capped Fischer; infinity: no
    cap). ``max_per_move``: the longest a move may take (capped Fischer).
    """

    kind: Kind = "none"
    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    periods: int = 0
    increment: float = 0.0
    limit: float = math.inf
    max_per_move: float = math.inf

    @staticmethod
    def none() -> TimeControl:
        """No clock at all."""
        return TimeControl()

    @staticmethod
    def absolute(main: float) -> TimeControl:
        """``main`` seconds for the whole game."""
        return TimeControl("absolute", main=main)

    @staticmethod
    def canadian(main: float, period: float, stones: int) -> TimeControl:
        """GTP's ``time_settings``: no period is absolute time; a period for no stones is no limit (GTP 2, 4.2)."""
        if period <= 0:
            return TimeControl.absolute(main)
        if stones <= 0:
            return TimeControl.none()
        return TimeControl("canadian", main=main, period=period, stones=stones)

    @staticmethod
    def byoyomi(main: float, period: float, periods: int) -> TimeControl:
        """Japanese overtime: ``periods`` periods of ``period`` seconds, one move each."""
        if period <= 0 or periods <= 0:
            return TimeControl.absolute(main)
        return TimeControl("byoyomi", main=main, period=period, periods=periods)

    @staticmethod
    def fischer(main: float, increment: float) -> TimeControl:
        """``main`` seconds, ``increment`` more after each move."""
        return TimeControl("fischer", main=main, increment=increment)

    @staticmethod
    def fischer_capped(main: float, increment: float, limit: float, max_per_move: float) -> TimeControl:
        """Fischer whose clock never holds more than ``limit``; negative limits mean none (as KataGo)."""
        return TimeControl(
            "fischer-capped",
            main=main,
            increment=increment,
            limit=limit if limit >= 0 else math.inf,
            max_per_move=max_per_move if max_per_move >= 0 else math.inf,
        )

    @staticmethod
    def session(main: float, moves: int) -> TimeControl:
        """``main`` seconds for each ``moves`` moves, the rest carried over (UCI's ``movestogo``)."""
        return TimeControl("moves", main=main, stones=moves)


@dataclass(frozen=True)
class Plan:
    """Seconds to aim for, and seconds never to exceed, in one move."""

    target: float
    maximum: float


class Share(NamedTuple):
    """A clock in the plainest words: seconds, the moves they are for (0: all), seconds added by each move."""

    seconds: float
    moves: int = 0
    increment: float = 0.0


class Clock:
    """One side's clock under a time control.

    ``left``: seconds left in main time, or in the current overtime period. ``stones``: 0 in main time, else moves
    still to make in the period (Canadian), periods left (byo-yomi) or moves to the next session (``moves``).
    ``expired``: the side has lost on time.
    """

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.left = control.main
        self.stones = control.stones if control.kind == "moves" else 0
        self.expired = False
        if control.kind in ("canadian", "byoyomi") and control.main <= 0:
            self._enter_overtime()

    def _enter_overtime(self) -> None:
        self.left = self.control.period
        self.stones = self.control.stones if self.control.kind == "canadian" else self.control.periods

    def copy(self) -> Clock:
        """A clock that goes on from here by itself."""
        other = Clock(self.control)
        other.left, other.stones, other.expired = self.left, self.stones, self.expired
        return other

    def set_left(self, seconds: float, stones: int = 0) -> None:
        """Take the controller's word: ``seconds`` left, with ``stones`` as in GTP's ``time_left``.

        Small negative times (a controller's rounding) count as nothing left. ``stones`` is 0 in main time; without
        overtime it is ignored.
        """
        self.left = max(0.0, seconds)
        self.stones = max(0, stones) if self.control.kind in ("canadian", "byoyomi", "moves") else 0
        self.expired = False
        if self.stones == 0 and self.left == 0 and self.control.kind in ("canadian", "byoyomi"):
            self._enter_overtime()

    @property
    def reach(self) -> float:
        """Seconds until the flag falls, overtime included; infinity without a clock."""
        control = self.control
        if control.kind == "none":
            return math.inf
        if control.kind == "canadian" and self.stones == 0:
            return self.left + control.period
        if control.kind == "byoyomi":
            further = control.periods if self.stones == 0 else self.stones - 1
            return self.left + further * control.period
        return min(self.left, control.max_per_move)

    @property
    def share(self) -> Share:
        """What to tell a player who knows no such control: never more than ``reach`` for one move, nor less than there
        is for it without loss.

        Main time with overtime behind it is told as Fischer: to what is left comes the first period, and each move gets
        its part of one. A bound on each move that is less than what is left is told as a session, of as many moves as
        it would last. Of what comes after a session nothing is promised.
        """
        control, left = self.control, self.left
        if control.kind in ("canadian", "moves") and self.stones > 0:
            return Share(left, self.stones)
        if control.kind == "byoyomi" and self.stones > 0:
            return Share(left, 1)
        if control.kind in ("canadian", "byoyomi"):
            return Share(left + control.period, 0, control.period / max(1, control.stones))
        if control.max_per_move < left:
            most = control.max_per_move
            return Share(most, max(1, math.floor(most / (left / HORIZON + control.increment))))
        return Share(left, 0, control.increment)

    def spend(self, seconds: float) -> None:
        """Charge one move that took ``seconds``, and make the clock ready for the next one."""
        kind = self.control.kind
        if kind == "none":
            return
        self.left -= seconds
        if kind in ("canadian", "byoyomi") and self.stones == 0 and self.left < 0:
            over = -self.left
            self._enter_overtime()
            self.left -= over
            if kind == "byoyomi":
                self._use_periods()
            else:
                self._made_stone()
        elif kind == "byoyomi" and self.stones > 0:
            self._use_periods()
        elif kind == "canadian" and self.stones > 0:
            self._made_stone()
        elif kind in ("fischer", "fischer-capped"):
            self.expired = self.left < 0 or seconds > self.control.max_per_move
            rest = max(self.left, 0.0)
            self.left = max(rest, min(rest + self.control.increment, self.control.limit))
        elif kind == "moves":
            self.expired = self.left < 0
            self.stones -= 1
            if self.stones <= 0:
                self.stones = self.control.stones
                self.left += self.control.main
        elif self.left < 0:
            self.expired = True
        self.left = max(0.0, self.left)

    def after(self, seconds: float) -> Clock:
        """The clock ``seconds`` into a move that is not made yet; nothing is left once the flag is down."""
        other = self.copy()
        kind = self.control.kind
        if kind == "none":
            return other
        other.left -= seconds
        if kind in ("canadian", "byoyomi") and other.stones == 0 and other.left < 0:
            over = -other.left
            other._enter_overtime()
            other.left -= over
        while kind == "byoyomi" and other.left < 0 and other.stones > 1:
            other.stones -= 1
            other.left += self.control.period
        other.left = max(0.0, other.left)
        if math.isfinite(self.control.max_per_move):
            other.left = min(other.left, max(0.0, self.control.max_per_move - seconds))
        return other

    def _use_periods(self) -> None:
        """A move in byo-yomi: each full period that it overstepped is gone; the last one is full again."""
        if self.left < 0:
            # At once, not one by one: a client may tell a thousand million of periods that last next to nothing.
            self.stones -= math.ceil(min(-self.left / self.control.period, float(self.stones)))
        if self.stones <= 0:
            self.expired = True
            self.stones = 0
            self.left = 0.0
        else:
            self.left = self.control.period

    def _made_stone(self) -> None:
        """A move in Canadian overtime: one stone less to make; a new period after the last."""
        if self.left < 0:
            self.expired = True
            return
        self.stones -= 1
        if self.stones <= 0:
            self.left, self.stones = self.control.period, self.control.stones

    def plan(self, moves_to_go: float = HORIZON, lag: float = LAG) -> Plan | None:
        """How long to think about one move, or None when there is no clock.

        ``moves_to_go`` is how many moves of one's own the game may still last. ``lag`` is kept back. The maximum
        never exceeds what is left before the flag falls, less the lag, so that a player who keeps to it never loses
        on time.
        """
        kind = self.control.kind
        if kind == "none":
            return None
        moves_to_go = max(1.0, moves_to_go)
        whole_lag = lag
        lag = min(lag, self.left / 2)
        usable = max(MIN_THINK, self.left - lag)
        if kind == "byoyomi" and self.stones > 0:
            # The period is given anew for every move: use it, and leave further periods for bad luck.
            target = maximum = usable
        elif kind in ("canadian", "moves") and self.stones > 0:
            # Each of the period's moves has its own delay.
            usable = max(MIN_THINK, self.left - min(whole_lag * self.stones, self.left / 2))
            target = usable / self.stones
            # However long this move takes, the others of the period keep half of their share.
            maximum = min(2.5 * target, usable - (self.stones - 1) * target / 2)
        elif kind in ("canadian", "byoyomi"):
            per_move = self.control.period if kind == "byoyomi" else self.control.period / self.control.stones
            # What overtime gives for each move is there anyway; when main time is short of it, spend it all.
            if self.left <= 2 * per_move:
                both = self.left + per_move
                target = maximum = max(usable, min(per_move, both - min(whole_lag, both / 2)))
            else:
                target = max(usable / moves_to_go, min(per_move, usable))
                maximum = min(usable, 3 * target)
        elif kind in ("fischer", "fischer-capped"):
            cushion = min(CUSHION * self.control.increment, LARGEST_CUSHION)
            # Below the cushion the clock has to fill up again.
            usable = max(self.left - whole_lag - cushion, min(self.left, self.control.increment) / 4)
            target = min(usable, usable / moves_to_go + 0.9 * self.control.increment)
            if self.left >= self.control.limit:
                target = max(target, min(usable, self.control.increment))
            maximum = min(usable, 3 * target, max(MIN_THINK, self.control.max_per_move - lag))
            target = min(target, maximum)
        else:
            usable = max(MIN_THINK, self.left - min(whole_lag + OVERHEAD * moves_to_go, self.left / 2))
            target = usable / moves_to_go
            maximum = min(usable, 3 * target)
        return Plan(max(MIN_THINK, target), max(MIN_THINK, maximum))


class LagMeter:
    """Learns from the times a client tells how much each move costs beside the thinking: pipes, schedulers, the
    client itself. Busy machines delay a program by tenths of a second.

    ``begin`` before a choice, with the clock the client told, gives the lag to plan with; ``end`` after it.
    """

    def __init__(self) -> None:
        self._expected: dict[int, Clock] = {}
        self._losses: deque[float] = deque(maxlen=LOSSES_KEPT)

    def begin(self, clock: Clock | None, side: int, floor: float = LAG) -> float:
        """Seconds to keep back in this move of a side: ``floor``, and more where moves have cost more."""
        expected = self._expected.pop(side, None)
        if clock is not None and expected is not None:
            same = (expected.control.kind, expected.stones) == (clock.control.kind, clock.stones)
            loss = expected.left - clock.left
            if same and 0 <= loss <= LARGEST_LOSS:
                self._losses.append(loss)
        return max(floor, 1.5 * max(self._losses, default=0.0))

    def end(self, clock: Clock | None, side: int, thought: float, planned: float | None = None) -> None:
        """A choice took ``thought`` seconds of this clock, of the ``planned`` that it should not exceed.

        Without a clock (nor after pondering, whose time is not all the clock's) nothing is learned.
        """
        if clock is None or clock.control.kind == "none":
            return
        if planned is not None and 0 < thought - planned <= LARGEST_LOSS:
            self._losses.append(thought - planned)
        expected = self._expected[side] = clock.copy()
        expected.spend(thought)
