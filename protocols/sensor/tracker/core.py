"""The tracker's frame, for every game: time, trouble, questions, gestures, keys, lamps.

The tracker works on stable full states. For each firm state (``settle``) the game's own tracker gives a *plan*:
what the state may mean, each reading with the time the board must have been still before it is believed. A legal move
is believed soon, a take-back late, and a state that means nothing becomes trouble after a while; what no reading
explains never changes the game.

Times are those of the readings: seconds on any clock that does not run backwards, real or virtual. Inside, a state is
a text of the rules core's points (A1 or a0 first, row by row upward); at the border it is the board's own order.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from protocols.sensor.reading import (
    EMPTY,
    LIFT,
    OCCUPIED,
    PLACE,
    PLACE_FIRST,
    PLACE_SECOND,
    WRONG,
    Geometry,
    Sensing,
    lamps,
)
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import (
    Asked,
    Cleared,
    Event,
    Executed,
    NewGame,
    Pair,
    Ruled,
    TakenBack,
    Trouble,
    TroubleKind,
    Way,
)
from protocols.sensor.tracker.policy import Option, Policy, Timing
from protocols.sensor.tracker.referee import Referee
from protocols.sensor.tracker.settle import DEBOUNCE
from protocols.sensor.tracker.wishes import Wishes


class Tracker(Wishes):
    """What both games share. Subclasses know positions, moves and words.

    ``humans``: the colours whose moves are made on the board. ``awaiting``: whether a move of theirs may be taken now
    (a client that asks for each move sets it). ``setup_mover``: who begins from a set-up; None: the position tells.
    """

    first_color: int
    second_color: int
    start_shot: str

    def __init__(
        self,
        geometry: Geometry,
        sensing: Sensing,
        humans: Collection[int],
        *,
        timing: Timing | None = None,
        policy: Policy | None = None,
        referee: Referee,
        turned: bool = False,
        debounce: float = DEBOUNCE,
    ) -> None:
        super().__init__(geometry, sensing, timing or Timing(), turned, debounce)
        self.humans = frozenset(humans)
        self.policy = policy or Policy()
        self.referee = referee
        self.awaiting = True
        self._asked_at = float("-inf")
        self.trouble: Trouble | None = None
        self.over = False
        """The game is over: moves are no longer taken, but the board is still compared with it."""
        self.done = 0
        """How many plies of the game stand on the board."""
        self._guiding = False
        self._setting_up = False
        self._asked: Asked | None = None
        self._armed = True
        self._gestured: frozenset[int] = frozenset()
        """What was put down for the gesture that is on the board: none of it is a move."""
        self._ruled = False
        self._start_sensors()

    # ------------------------------------------------------------------ what a game must tell

    @abstractmethod
    def thing(self, value: str, point: int) -> str:
        """What a point shows, in words."""

    @abstractmethod
    def _explain(self, firm: str) -> list[Option]:
        """What a state may mean, trouble left out; an option that says the board is right where it is."""

    @abstractmethod
    def _diagnose(self, firm: str) -> tuple[float, Trouble]:
        """What is wrong with a state that nothing explains, and after how long to say so."""

    @abstractmethod
    def point_named(self, text: str) -> int:
        """The point of this name. Raises ValueError."""

    @abstractmethod
    def told(self, ply: int) -> str:
        """The move of a ply in words, with its colour."""

    @abstractmethod
    def _truncate(self, plies: int) -> None:
        """Take the tracker's game back to so many plies."""

    @abstractmethod
    def follow(self, game: Any, at: float, *, guide_at_once: bool = True) -> list[Event]:
        """The referee's game is now this one: take over what differs. What is new waits to be executed.

        ``guide_at_once``: where moves were taken back or another position set up, say at once how to put the board
        right, instead of waiting to see.
        """

    @abstractmethod
    def ask_for(self, color: int | None, at: float) -> list[Event]:
        """A client wants this colour's move now (None: no move is wanted)."""

    # ------------------------------------------------------------------ what a state means

    def _first_sight(self, firm: str) -> None:
        """A board seen for the first time may have stayed behind the game: then what is missing waits to be executed.

        Not where it would be a take-back.
        """
        if self._guiding or self._retractable or self.done < self.plies or guide.fits(firm, self.shot(self.plies)):
            return
        for ply in range(self.plies - 1, -1, -1):
            if guide.fits(firm, self.shot(ply)):
                self.done = ply
                return

    def _make_plan(self) -> list[Option]:
        firm = self._settler.firm
        if not firm or self._setting_up:
            return []
        asked = () if self.trouble is None else self.trouble.asked
        plan = self._wary(self._explain(firm), firm, self.shot(self.done), asked)
        if all(option.kind not in ("right", "trouble") for option in plan):
            patience, trouble = self._diagnose(firm)
            if self._guiding:
                target = self.shot(self.plies)
                patience = self.timing.settle
                trouble = self._trouble("setup", self.tell(firm, target), [Way("set the position up", target)])

            # What will be believed within that time is no trouble first.
            soon = [o.dwell for o in plan if o.dwell <= self.timing.patience or o.kind == "move"]
            patience = max([patience, *soon])

            def complain(at: float) -> list[Event]:
                return self._complain(trouble, at)

            plan.append(Option(patience, complain))
        return sorted(plan, key=lambda option: option.dwell)

    # ------------------------------------------------------------------ what options do

    def _content(self, at: float) -> list[Event]:
        """The board is as it should be: nothing that was lifted matters any more."""
        self._settler.forget()
        self._armed = True
        self._gestured = frozenset()
        if self._guiding:
            self._settler.trust.forgive(range(self.geometry.count))  # things were put up
        self._guiding = self._ruled = self._gap = False
        return self._clear(at)

    def expected(self) -> str:
        return self.shot(self.plies)

    def _await(self, color: int | None) -> None:
        """A move is asked for from now on, or none is."""
        if color is not None and not self.awaiting:
            self._asked_at = self._now
        self.awaiting = color is not None

    def _may_lift(self, point: int) -> bool:
        return self.awaiting and self.mover(self.plies) in self.humans

    @property
    def _lifted_patience(self) -> float:
        """Seconds after which something that is off the board is told of: sooner where nobody may be thinking."""
        thinking = self.awaiting and self.mover(self.plies) in self.humans and not self.over
        return self.timing.lifted if thinking else self.timing.soon

    @property
    def _fiddling(self) -> bool:
        return self._guiding or self._setting_up or self.counting or self.over

    def _stands_at(self, firm: str) -> int | None:
        """After how many plies the board is as it is, of those that may stand on it; the latest that can be seen to.

        A ply that changes nothing but what is not read stays waiting: nobody has seen it made.
        """
        done = self.shot(self.done)
        for ply in range(self.plies, self.done - 1, -1):
            target = self.shot(ply)
            if self._shows(firm, ply) and (ply == self.done or target == done or not guide.fits(firm, done)):
                return ply
        return None

    def _shows(self, firm: str, ply: int) -> bool:
        """Whether the board may be as it is after so many plies."""
        return guide.fits(firm, self.shot(ply))

    def _clear(self, at: float) -> list[Event]:
        if self.trouble is None:
            return []
        self.trouble = None
        return [Cleared(at)]

    def _complain(self, trouble: Trouble, at: float) -> list[Event]:
        before = self.trouble
        self.trouble = replace(trouble, at=at)
        self._odd.clear()  # what is wrong is told now
        # A question is not put twice; other trouble is news when the way out of it is another.
        same = before is not None and before.kind == trouble.kind and before.asked == trouble.asked
        if same and (trouble.asked or (before is not None and before.ways[:1] == trouble.ways[:1])):
            return []
        return [self.trouble]

    @property
    def _dirty(self) -> bool:
        return self.trouble is not None and self.trouble.kind not in ("lifted", "setup", "capture", "order")

    def _dwell(self, base: float, target: str) -> float:
        """The time for a move: longer while the board is being put right, unless this is a way that was offered."""
        if self._dirty and self.trouble is not None and all(way.target != target for way in self.trouble.ways):
            return max(base, self.timing.repair)
        return base

    def _take_back(self, plies: int, at: float) -> list[Event]:
        self._truncate(plies)
        self.done = min(self.done, plies)
        self._go_on()
        self._replan()
        return [TakenBack(at, plies), *self._content(at)]

    @property
    def _retractable(self) -> bool:
        """Whether an earlier position on the board takes moves back: under a strict referee a move stands."""
        return self.policy.take_back and not self.referee.strict

    @property
    def _minds_last(self) -> bool:
        """Whether another move instead of the last one means something: second thoughts, or a violation."""
        return self.policy.second_thoughts or self.referee.strict

    def _earlier(self, firm: str) -> int | None:
        """After how many plies the board was last as it is now with a person to move; None if that may not be taken up.

        That is what the board can be taken back to.
        """
        if not self._retractable or self._begins_anew(firm):
            return None
        for ply in range(self.plies - 1, -1, -1):
            if guide.fits(firm, self.shot(ply)) and self.mover(ply) in self.humans:
                return ply
        return None

    def _take_back_options(self, firm: str, unsure: bool, at_least: float = 0.0) -> list[Option]:
        """Back to the latest of the earlier positions that the board shows and at which a person would be to move."""
        ply = self._earlier(firm)
        if ply is None:
            return []
        dwell = max(at_least, self.timing.take_back_unsure if unsure else self.timing.take_back)
        return [Option(self._dwell(dwell, firm), lambda at: self._take_back(ply, at))]

    def _out_of_place(self, firm: str, ways: Sequence[Way]) -> str:
        """What is to be done about a board that shows no position that was to be expected, in words."""
        text = self.tell(firm, ways[0].target)
        near = min(ways, key=lambda way: len(guide.differing(firm, way.target)) or len(firm))
        left = guide.differing(firm, near.target)
        if near is not ways[0] and len(left) == 1:
            # A move was made, it seems, and one point keeps it from being seen.
            where = self.name(left[0])
            text = f"{near.text}: {self.tell(firm, near.target)} (if its sensor is wrong: ignore {where}); or {text}"
        ply = self._earlier(firm)
        return text if ply is None else f"{text}; or leave it so, to take back to move {ply}"

    def _is_start(self, firm: str) -> bool:
        """Whether a game may begin with this state."""
        return guide.fits(firm, self.start_shot)

    def _begins_anew(self, firm: str) -> bool:
        """Whether the board has been set up for a new game.

        While a game goes on, one or two moves back to the start position are a take-back.
        """
        if not self.policy.new_game or not self._is_start(firm) or guide.fits(firm, self.shot(self.plies)):
            return False
        back = next((ply for ply in range(self.plies - 1, 0, -1) if guide.fits(firm, self.shot(ply))), 0)
        return self.over or self.plies - back > 2

    def _new_game_options(self, firm: str) -> list[Option]:
        return [Option(self.timing.new_game, lambda at: [NewGame(at)], "wish")] if self._begins_anew(firm) else []

    def _turned_options(self, firm: str) -> list[Option]:
        """The position that is to be put up, or that a game begins with, as it looks from the other side."""
        target = self.shot(self.plies)
        if not self._guiding and self.plies:
            return []
        if guide.fits(firm, target) or not guide.fits(firm[::-1], target):
            return []
        return [Option(self.timing.take_back, self.turn_round, "wish")]

    def _next_game_options(self, firm: str) -> list[Option]:
        """What a position put up or counted may mean besides: the next game's start, where this one has ended."""
        return self._new_game_options(firm) if self.over else []

    def _executed(self, points: Collection[int], plies: int) -> Executed:
        """Moves from elsewhere, made on these points, stand on the board."""
        self._settler.trust.forgive(points)
        return Executed(self._hand_done(points), plies)

    def _hand_done(self, points: Collection[int]) -> float:
        """When the hand was done with these points."""
        times = [change.at for change in self._settler.changes if change.point in points]
        return max(times, default=self._settler.since)

    def _rule(self, offence: str, color: int, at: float) -> list[Event]:
        """Ask the referee; nothing where it is friendly, and nothing after the end.

        One thing done wrong is held against a player once, however long it stays wrong.
        """
        verdict = None if self._ruled or self.over else self.referee.judge(offence, color)
        if verdict is None:
            return []
        self._ruled = True
        loser = color if verdict.lost else None
        if verdict.lost:
            self.over = True
            self._replan()
        article = verdict.article
        return [Ruled(at, article.source, color, article.consequence, verdict.warnings, verdict.text, loser)]

    def _trouble(self, kind: TroubleKind, text: str, ways: Sequence[Way]) -> Trouble:
        """Trouble with its differences from the nearest way out; the nearest comes first.

        A way that the board already shows comes last: it needs nothing done, and can't be pointed at.
        """
        firm = self._settler.firm
        ways = sorted(ways, key=lambda way: len(guide.differing(firm, way.target)) or len(firm))
        extra, missing = guide.split(firm, ways[0].target) if ways else ([], [])
        return Trouble(0.0, kind, text, tuple(extra), tuple(missing), tuple(ways))

    def tell(self, firm: str, target: str) -> str:
        """What must be done to get from one state to another, in words; at most three steps of it."""
        steps = []
        firm, target, found = self._pairs(firm, target)
        for extra, missing in found[:3]:
            if extra is not None and missing is not None:
                steps.append(f"move {self.thing(firm[extra], extra)} from {self.name(extra)} to {self.name(missing)}")
            elif extra is not None:
                steps.append(f"take {self.thing(firm[extra], extra)} off {self.name(extra)}")
            elif missing is not None:
                steps.append(f"put {self.thing(target[missing], missing)} on {self.name(missing)}")
        more = len(found) - 3
        return "; ".join(steps) + (f"; and {more} more" if more > 0 else "")

    def _pairs(self, firm: str, target: str) -> tuple[str, str, list[Pair]]:
        """What to do to get from one state to another, and both states in as much detail as is known."""
        return firm, target, guide.pairs(firm, target, self.geometry.width)

    # ------------------------------------------------------------------ where the game is

    @property
    def guiding(self) -> bool:
        """Whether a position is being put up step by step: nothing but that position is accepted."""
        return self._guiding

    @property
    def setting_up(self) -> bool:
        """Whether a position is being set up freely: nothing on the board is a move."""
        return self._setting_up

    @property
    def counting(self) -> bool:
        """Whether the game has ended and is being counted on the board."""
        return False

    def end(self, at: float) -> list[Event]:
        """The game is over: see ``over``. The start position is the next game from now on."""
        self.over = True
        self._guiding = False  # nothing has to stand before anything else
        self._replan()
        return self.wait(at)

    def _go_on(self, anew: bool = False) -> None:
        """The game is not over, or no longer; ``anew``: it is another one.

        Violations are those of one game, and so is a loss by them.
        """
        self.over = False
        if anew:
            self._settler.trust.forgive(range(self.geometry.count))
        if anew or self.referee.lost:
            self.referee.new_game()

    def _part(self, old: Sequence[Any], new: Sequence[Any], guide_at_once: bool) -> int:
        """Go back to where the client's moves part from ours; gives how many are the same. See ``follow``."""
        keep = 0
        while keep < min(len(old), len(new)) and old[keep] == new[keep]:
            keep += 1
        if self.referee.lost and not old:
            self._go_on()
        if keep < len(old):
            if not keep:
                self._settler.trust.forgive(range(self.geometry.count))  # what was played has been cleared away
            self._truncate(keep)
            if self.done > keep:
                self.done = keep
                self._guiding = guide_at_once
            self._go_on(anew=not keep and bool(new))
        return keep

    def new_game(self, at: float) -> list[Event]:
        """What follows is another game, whatever its moves."""
        events = self.wait(at)
        self._go_on(anew=True)
        self._replan()
        return events + self.wait(at)

    def guide_until_right(self) -> None:
        """What the board shows first may be anything: nothing counts before it is the game's position."""
        self._guiding = True
        self._replan()

    # ------------------------------------------------------------------ lamps

    def lamps(self) -> str:
        """What the board should show now, one character a point in the board's own order."""
        firm = self._settler.firm
        lit: dict[int, str] = {}
        if firm and not self._setting_up:
            lit = self._lit_sensors() | self._lit(firm)
        return lamps(self.geometry, {self.outside(point): lamp for point, lamp in lit.items()})

    def _lit(self, firm: str) -> dict[int, str]:
        """The lamps of a state, by point."""
        trouble = self.trouble
        if trouble is not None and trouble.ways:
            return self._lit_pair(firm, trouble.ways[0].target)
        if self.done < self.plies:
            return self._lit_move(firm)
        return {}

    def _lit_pair(self, firm: str, target: str) -> dict[int, str]:
        """The first thing to do to get to a state: what is wrong blinks, its place is steady."""
        firm, target, found = self._pairs(firm, target)
        for extra, missing in found[:1]:
            lit = {}
            if missing is not None:
                lit[missing] = self._place_lamp(target[missing], missing)
            if extra is not None:
                lit[extra] = (LIFT if missing is None else WRONG).lower()
            return lit
        return {}

    def _place_lamp(self, value: str, point: int) -> str:
        color = self._color_of(value, point)
        return {self.first_color: PLACE_FIRST, self.second_color: PLACE_SECOND}.get(color, PLACE)

    def _color_of(self, value: str, point: int) -> int:
        """The colour that a value shows, or that the game has on the point where it shows none; -1 for none."""
        if value == PLACE_FIRST or (value.isupper() and value not in (PLACE_SECOND, OCCUPIED, EMPTY)):
            return self.first_color
        if value == PLACE_SECOND or value.islower():
            return self.second_color
        return self._color_at(point)

    @abstractmethod
    def _color_at(self, point: int) -> int:
        """The colour on a point at the end of the tracker's game, -1 for none."""

    @abstractmethod
    def _lit_move(self, firm: str) -> dict[int, str]:
        """The next move that waits to be executed."""
