"""The board's sensors as the people at it hear of them: which flicker, which are broken, which are to be left out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from protocols.sensor.reading import EMPTY, FAULT, WRONG, Change
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import Event, Sensor
from protocols.sensor.tracker.policy import HAND_STUCK, Option
from protocols.sensor.tracker.trust import BURST

if TYPE_CHECKING:
    from protocols.sensor.tracker.tracker import Tracker

WORD = 4.5
"""Seconds, from when it first went or came, within which what keeps changing on a point is told of."""

LONG = 2.1
"""Seconds; what was so for longer, once, is told of by then too, or when it comes again if it was nearly so long."""

HAND_TOLD = 3.0
"""Seconds by which a hand over the board holds up a move before that is said."""

EARLY = 3.0
"""Seconds for which what was put down before a move was asked for must have stood to be that move."""

FLEETING = 1.5
"""Seconds, from when it first showed, after which something that has come and gone and comes again is told of."""

GONE = 2
"""How often what somebody may play with must have gone and come back to be told of: people lift it while they think."""


class SensorReport:
    """What is known of the sensors, in events, and in the patience with which the board is believed."""

    def __init__(self, tracker: Tracker) -> None:
        self.tracker = tracker
        self._covering_told = False
        self._told_restless: set[int] = set()
        self._told_faults: set[int] = set()
        self._told_fleeting: dict[int, float] = {}
        self.odd: dict[int, tuple[float, str]] = {}
        """Points that have shown something else than they should: since when, and what should be on the board then."""

    # ------------------------------------------------------------------ left out

    def ignore(self, points: Collection[int], at: float, on: bool = True) -> list[Event]:
        """Leave points out from now on, whatever their sensors say (``on``), or read them again."""
        events = self.tracker.wait(at)
        trust = self.tracker.settler.trust
        for point in points:
            (trust.ignored.add if on else trust.ignored.discard)(point)
        self.tracker.settler.look(at)
        self.tracker.replan()
        names = ", ".join(self.tracker.rules.name(point) for point in sorted(points))
        one = len(points) == 1
        if on:
            told = "its sensor is" if one else "their sensors are"
            text = f"{names}: {told} left out; a move there is typed, or made by the key yes"
        else:
            text = f"{names}: {'it is' if one else 'they are'} read again"
        kind = Sensor(at, "ignored" if on else "heeded", tuple(sorted(points)), text)
        return [*events, *([kind] if points else []), *self.look_at((), at), *self.tracker.wait(at)]

    def ignore_hand(self, at: float, on: bool = True) -> list[Event]:
        """Leave out the sensor that tells of a hand over the board, or heed it again."""
        events = self.tracker.wait(at)
        self.tracker.hand_ignored = on
        text = "the sensor for hands is left out" if on else "the sensor for hands is heeded again"
        return [*events, Sensor(at, "ignored" if on else "heeded", (), text), *self.tracker.wait(at)]

    # ------------------------------------------------------------------ the hand

    @property
    def warning(self) -> float | None:
        times = [at + WORD for at, _ in self.odd.values()]
        hand = self._hand_warning
        return min(times if hand is None else [*times, hand], default=None)

    def warn(self, at: float) -> list[Event]:
        due = [point for point, (since, _) in self.odd.items() if since + WORD <= at]
        if due:
            return self._tell_odd(due, at)
        return self._warn_of_hand(at)

    def _tell_odd(self, points: Sequence[int], at: float) -> list[Event]:
        """These points have shown something else for a while, or now and then: say so unless it is known why."""
        events: list[Event] = []
        expected = self.tracker.expected()
        for point in points:
            since, then = self.odd.pop(point)
            if expected != then or self.tracker.fiddling or point in self.tracker.settler.trust.blind:
                continue
            visits = [
                v
                for v in self.tracker.settler.trust.visits_of(point, at)
                if v.value != expected[point] and v.end > since
            ]
            showing = self.tracker.settler.stable[point] != expected[point]
            if showing and self.tracker.settler.moving is not None:
                self.odd[point] = since + BURST, then  # it may just be coming back
            elif len(visits) + showing > 1 or any(v.length >= LONG for v in visits):
                events += self._tell_fleeting(point, at)
        return events

    @property
    def _hand_warning(self) -> float | None:
        """When a hand that does not leave the board is to be told of; None for never."""
        if not self.tracker.covered:
            self._covering_told = False
            return None
        option = self.tracker.next_option()
        if option is None or option.kind != "move" or self.tracker.away or self._covering_told:
            return None
        return self.tracker.since + option.dwell + HAND_TOLD

    def _warn_of_hand(self, at: float) -> list[Event]:
        self._covering_told = True
        text = (
            "there is a hand over the board: the move counts when it leaves. If there is none, its sensor is stuck: "
            f"ignore hand leaves it out; without that the move counts after {HAND_STUCK:g} s"
        )
        return [Sensor(at, "hand", (), text)]

    # ------------------------------------------------------------------ what is new

    def look_at(self, changes: Sequence[Change], at: float) -> list[Event]:
        trust = self.tracker.settler.trust
        events: list[Event] = []
        restless = trust.restless - trust.ignored
        for point in sorted(restless - self._told_restless):
            where = self.tracker.rules.name(point)
            text = (
                f"{where} flickers (a bad contact, a weak magnet?): it is not read until it is still. To play there: "
                f"yes, or type the move; ignore {where} leaves it out for good"
            )
            events.append(Sensor(at, "restless", (point,), text))
        for point in sorted(self._told_restless - restless):
            events.append(Sensor(at, "calm", (point,), f"{self.tracker.rules.name(point)} is still, and read again"))
        self._told_restless = set(restless)
        if FAULT in self.tracker.settler.stable or self._told_faults:
            broken = {p for p, value in enumerate(self.tracker.settler.stable) if value == FAULT} - trust.blind
            for point in sorted(broken - self._told_faults):
                where = self.tracker.rules.name(point)
                text = f"the sensor of {where} is broken: a move there is typed, or made by the key yes"
                events.append(Sensor(at, "fault", (point,), text))
            self._told_faults = broken
        if not self.tracker.fiddling:
            for change in changes:
                events += self._fleeting(change, at)
        return events

    def _fleeting(self, change: Change, at: float) -> list[Event]:
        """Something comes and goes on a point, too slowly to be called a flicker."""
        point, value = change.point, change.after
        expected = self.tracker.expected()[point]
        if value == expected or point in self.tracker.settler.trust.blind:
            return []
        if point not in self.odd or self.odd[point][1] != self.tracker.expected():
            self.odd[point] = change.at, self.tracker.expected()
        visits = self.tracker.settler.trust.visits(point, value, at)
        again = (
            bool(visits) and visits[-1].length >= 0.7 * LONG and at - visits[-1].end + visits[-1].length >= 0.8 * WORD
        )
        enough = GONE if value == EMPTY and self.tracker.may_lift(point) and not again else 1
        if len(visits) < enough or at - (visits[-enough].end - visits[-enough].length) < FLEETING:
            return []
        return self._tell_fleeting(point, at)

    def _tell_fleeting(self, point: int, at: float) -> list[Event]:
        self.odd.pop(point, None)
        told = self._told_fleeting.get(point)
        self._told_fleeting[point] = at
        if told is not None and at - told < HAND_STUCK:
            return []
        where = self.tracker.rules.name(point)
        text = f"what shows on {where} comes and goes; if nobody does that: ignore {where} leaves its sensor out"
        return [Sensor(at, "fleeting", (point,), text)]

    def lit(self) -> dict[int, str]:
        """The leds of what flickers or is broken."""
        return dict.fromkeys(self._told_restless | self._told_faults, WRONG)

    # ------------------------------------------------------------------ patience

    def wary(self, plan: Sequence[Option], state: str, base: str, asked: Collection[int]) -> list[Option]:
        """A plan that takes longer to believe what rests on points that have misled before.

        ``base``: what should be there. ``asked``: points that people were told to lift from and set again.
        """
        points = guide.differing(state, base)
        put = tuple(point for point in points if state[point] != EMPTY)
        trust, now = self.tracker.settler.trust, self.tracker.now
        found: list[Option] = []
        for option in plan:
            if option.kind in ("right", "discrepancy", "wish"):
                found.append(option)
                continue
            move = option.kind == "move"
            rests = [point for point in (put if move else points) if point not in asked]
            waits = [(trust.patience(point, state[point], now), point) for point in rests]
            if move:
                waits += [(EARLY, point) for point in rests if trust.last(point) < self.tracker.asked_at]
            need, point = max(waits, default=(0.0, -1))
            if need > option.dwell:
                found.append(Option(option.dwell, self._doubting(point, need)))
            found.append(option._replace(dwell=max(option.dwell, need), points=put))
        return found

    def _doubting(self, point: int, need: float) -> Callable[[float], list[Event]]:
        def tell(at: float) -> list[Event]:
            told = self._told_fleeting.get(point)
            if told is not None and at - told < HAND_STUCK:
                return []
            self._told_fleeting[point] = at
            where = self.tracker.rules.name(point)
            known = self.tracker.settler.trust.visits_of(point, at)
            why = "has come and gone before" if known else "was put down before a move was asked for"
            text = f"{where} {why}: it counts when it has been so for {need:.0f} s (yes: at once)"
            return [Sensor(at, "fleeting", (point,), text)]

        return tell
