"""The tracker: from readings of a board to a game's moves.

It works on stable full states. For each stable state (``settle``) it has a *plan*: what the state may mean, each
reading of it with the time the board must have been still before it is believed. A legal move is believed soon, a
take-back late, and a state that means nothing becomes a discrepancy after a while; what no reading explains never
changes the game. The hand, a board that is away and anything that moves put it off.

What is particular to a game is held, not inherited: its rules (positions, moves and words), its interpreter (what a
state may mean) and its diagnoser (what is wrong with one that means nothing); ``games`` finds them by name. What any
game shares stands in parts too: sensors, wishes, discrepancies, options, leds.

Times are those of the readings: seconds on any clock that does not run backwards, real or virtual. Inside, a state is
a text of the rules core's points (A1 or a0 first, row by row upward); at the border it is the board's own order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from protocols.sensor.reading import FAULT, Reading, Sensing
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.arbiter import Arbiter
from protocols.sensor.tracker.discrepancies import Discrepancies
from protocols.sensor.tracker.events import Asked, Discrepancy, Event, Remedy, Turned
from protocols.sensor.tracker.interpreter import Diagnoser, Interpreter
from protocols.sensor.tracker.lights import Lights
from protocols.sensor.tracker.options import CommonOptions
from protocols.sensor.tracker.policy import HAND_STUCK, Option, Policy, Timing
from protocols.sensor.tracker.rules import GameRules
from protocols.sensor.tracker.sensor_report import SensorReport
from protocols.sensor.tracker.settle import DEBOUNCE, Settler
from protocols.sensor.tracker.trust import Visit
from protocols.sensor.tracker.wishes import Wishes

MakeParts = Callable[["Tracker"], tuple[Interpreter, Diagnoser]]
"""Makes a game's parts for a tracker that holds its rules already."""


class Tracker:
    """Follows one game on one board; ``protocols.sensor.tracker.games.make_tracker`` makes it.

    ``humans``: the colours whose moves are made on the board. ``awaiting``: whether a move of theirs may be taken now
    (a client that asks for each move sets it). ``setup_mover``: who begins from a set-up; None: the position tells.
    """

    def __init__(
        self,
        rules: GameRules,
        parts: MakeParts,
        humans: Collection[int],
        arbiter: Arbiter,
        *,
        timing: Timing | None = None,
        policy: Policy | None = None,
        turned: bool = False,
        debounce: float = DEBOUNCE,
    ) -> None:
        self.rules = rules
        self.geometry = rules.geometry
        self.sensing: Sensing = rules.sensing
        self.timing = timing or Timing()
        self.policy = policy or Policy()
        self.arbiter = arbiter
        self.humans = frozenset(humans)
        self.turned = turned
        self.settler = Settler(self.geometry.count, debounce)
        self._start_watching()
        self.awaiting = True
        self.asked_at = float("-inf")
        """When a move was asked for that nobody had asked for before."""
        self.discrepancy: Discrepancy | None = None
        """What is wrong on the board now, once it has been told."""
        self.over = False
        """The game is over: moves are no longer taken, but the board is still compared with it."""
        self.executed = rules.plies
        """How many plies of the game stand on the board."""
        self.last_human: int | None = None
        """The ply that a hand played last, while it is in the game."""
        self.setup_mover: int | None = None
        self.guiding = False
        """Whether a position is being put up step by step: nothing but that position is accepted."""
        self.setting_up = False
        """Whether a position is being set up freely: nothing on the board is a move."""
        self.sensors = SensorReport(self)
        self.wishes = Wishes(self)
        self.discrepancies = Discrepancies(self)
        self.options = CommonOptions(self)
        self.lights = Lights(self)
        self.interpreter, self.diagnoser = parts(self)

    def _start_watching(self) -> None:
        self._plan: list[Option] | None = None
        self._next = 0
        self._hand = False
        self.hand_ignored = False
        self.gap = False
        """Whether the board was away before it became what it is now."""
        self.away = False
        """Whether the board is away: what it showed last proves nothing."""
        self._still_since = 0.0
        self.now = 0.0

    # ------------------------------------------------------------------ readings and time

    def read(self, reading: Reading) -> list[Event]:
        """The board reads so. Gives what has become clear up to the reading's time.

        Raises ValueError for a reading of a board of another size.
        """
        at = max(reading.at, self.now)
        events = self.wait(at)
        first = not self.settler.stable
        if first or self.away:
            self.gap = not first
            self.away = False
            self._still_since = at
            self.replan()
        before = self.settler.stable
        self.settler.see(self._inward(reading.points), at)
        if first:
            self._first_sight(self.settler.stable)
            self.interpreter.first_sight()
        elif self.settler.stable != before:
            self.replan()  # a point is not read any more
        if reading.hand is not None and reading.hand != self._hand:
            self._hand = reading.hand
            self._still_since = at
        return events + self.sensors.look_at((), at) + self.wait(at)

    def leave(self, at: float) -> list[Event]:
        """The board is away until it is read again: what it showed last proves nothing about the time between."""
        events = self.wait(at)
        self.away = True
        return events

    def wait(self, now: float) -> list[Event]:
        """Time has come to ``now``. Gives what has become clear since."""
        events: list[Event] = []
        while True:
            due = self.due
            if due is None or due > now:
                break
            events += self._step(max(due, self.now))
        self.now = max(self.now, now)
        return events

    @property
    def due(self) -> float | None:
        """When ``wait`` has something to do if nothing is read before; None for never."""
        times = []
        if self.settler.due is not None:
            times.append(self.settler.due)
        option = self.next_option()
        if option is not None and not self.away:
            times.append(self._believed(option))
        warning = self.sensors.warning
        if warning is not None:
            times.append(warning)
        if self.wishes.lapse is not None:
            times.append(self.wishes.lapse)
        return min(times) if times else None

    def lever(self, at: float) -> list[Event]:
        """The clock was pressed: what stands on the board is meant."""
        events = self.wait(at)
        # What the hand has just done counts although it has not been still for long.
        if self.settler.due is not None:
            events += self.wait(self.settler.due)
        option = self.next_option()
        if option is not None and option.kind == "move":
            self._next += 1
            events += option.act(max(at, self.now))
        return events

    @property
    def stable_state(self) -> str:
        """The state that has held, in the rules core's order; empty before the first reading."""
        return self.settler.stable

    @property
    def since(self) -> float:
        """Since when nothing has moved, the hand included."""
        return max(self.settler.since, self._still_since)

    @property
    def covered(self) -> bool:
        """Whether a hand is over the board, as far as its sensor is believed."""
        return self._hand and not self.hand_ignored

    def hand_done(self, points: Collection[int]) -> float:
        """When the hand was done with these points."""
        times = [change.at for change in self.settler.changes if change.point in points]
        return max(times, default=self.settler.since)

    # ------------------------------------------------------------------ the plan

    def next_option(self) -> Option | None:
        """What is believed next if nothing more happens; None where nothing is."""
        if self._plan is None:
            self._plan = self._make_plan()
            self._next = 0
        return self._plan[self._next] if self._next < len(self._plan) else None

    def replan(self) -> None:
        """The game or what may be done to it has changed: read the board anew."""
        self._plan = None

    def take_move(self, at: float) -> list[Event] | None:
        """Believe now what may be a move by hand; None where nothing may."""
        self.next_option()
        plan = self._plan or []
        for option in plan[self._next :]:
            if option.kind == "move":
                self._next = len(plan)
                return option.act(max(at, self.now))
        return None

    def _believed(self, option: Option) -> float:
        """When an option is believed if nothing more happens: not while something may be about to count."""
        at = self.since + option.dwell
        if option.points:
            # What only just shows there has not been still, though too short a flicker for a change.
            last = max(self.settler.trust.last(point) for point in option.points)
            at = max(at, last + min(option.dwell, self.timing.settle))
        if self.covered:
            at = max(at, self._still_since + HAND_STUCK)
        moving = self.settler.moving
        return at if moving is None else max(at, moving)

    def _step(self, when: float) -> list[Event]:
        if self.settler.due is not None and self.settler.due <= when:
            before = self.settler.stable
            changes = self.settler.advance(when)
            if changes:
                self.interpreter.on_change(changes)
            if changes or self.settler.stable != before:
                self.replan()
            return self.sensors.look_at(changes, when)
        option = self.next_option()
        if option is not None and not self.away and self._believed(option) <= when:
            self._next += 1
            return option.act(when)
        warning = self.sensors.warning
        if warning is not None and warning <= when:
            return self.sensors.warn(when)
        if self.wishes.lapse is not None and self.wishes.lapse <= when:
            return self.wishes.drop()
        return []

    def _first_sight(self, state: str) -> None:
        """A board seen for the first time may have stayed behind the game: then what is missing waits to be executed.

        Not where it would be a take-back.
        """
        if (
            self.guiding
            or self.options.retractable
            or self.executed < self.rules.plies
            or guide.fits(state, self.rules.expected_state(self.rules.plies))
        ):
            return
        for ply in range(self.rules.plies - 1, -1, -1):
            if guide.fits(state, self.rules.expected_state(ply)):
                self.executed = ply
                return

    def _make_plan(self) -> list[Option]:
        state = self.settler.stable
        if not state or self.setting_up:
            return []
        asked = () if self.discrepancy is None else self.discrepancy.asked
        plan = self.sensors.wary(
            self.interpreter.explain(state), state, self.rules.expected_state(self.executed), asked
        )
        if all(option.kind not in ("right", "discrepancy") for option in plan):
            patience, discrepancy = self.diagnoser.diagnose(state)
            if self.guiding:
                target = self.rules.expected_state(self.rules.plies)
                patience = self.timing.settle
                discrepancy = self.discrepancies.make(
                    "setup", self.discrepancies.tell(state, target), [Remedy("set the position up", target)]
                )

            # What will be believed within that time is not told first.
            soon = [o.dwell for o in plan if o.dwell <= self.timing.patience or o.kind == "move"]
            patience = max([patience, *soon])

            def complain(at: float) -> list[Event]:
                return self.discrepancies.complain(discrepancy, at)

            plan.append(Option(patience, complain))
        return sorted(plan, key=lambda option: option.dwell)

    # ------------------------------------------------------------------ what happens to the board

    def content(self, at: float) -> list[Event]:
        """The board is as it should be: nothing that was lifted matters any more."""
        self.interpreter.content()
        self.settler.forget()
        self.wishes.armed = True
        self.wishes.gestured = frozenset()
        if self.guiding:
            self.settler.trust.forgive(range(self.geometry.count))  # things were put up
        self.guiding = self.discrepancies.ruled = self.gap = False
        return self.discrepancies.clear(at)

    def expected(self) -> str:
        return self.rules.expected_state(self.rules.plies)

    def may_lift(self, point: int) -> bool:
        return self.awaiting and self.rules.mover(self.rules.plies) in self.humans

    @property
    def fiddling(self) -> bool:
        return self.guiding or self.setting_up or self.counting or self.over

    @property
    def ignored(self) -> frozenset[int]:
        """Points that are left out on purpose."""
        return frozenset(self.settler.trust.ignored)

    @property
    def unread(self) -> frozenset[int]:
        """Points that say nothing now: left out, restless or broken."""
        return frozenset(point for point, value in enumerate(self.settler.stable) if value == FAULT)

    @property
    def restless(self) -> list[int]:
        """Points whose readings flicker."""
        return sorted(self.settler.trust.restless)

    def doubted(self, point: int, now: float) -> list[Visit]:
        """What has shown on a point lately and gone again, oldest first."""
        return self.settler.trust.visits_of(point, now)

    # ------------------------------------------------------------------ the game

    @property
    def plies(self) -> int:
        """Turns of the game since its set-up."""
        return self.rules.plies

    def follow(self, game: Any, at: float, *, guide_at_once: bool = True) -> list[Event]:
        """The referee's game is now this one: take over what differs. What is new waits to be executed.

        ``guide_at_once``: where moves were taken back or another position set up, say at once how to put the board
        right, instead of waiting to see. Raises ValueError for a game that the board cannot show.
        """
        events = self.wait(at)
        rules = self.rules
        rules.check(game)
        if not rules.same_start(game):
            physical = rules.states[self.executed]
            self.take_over(game)
            self.executed = 0
            self.guiding = guide_at_once and rules.states[-1] != physical
            self.go_on(anew=True)
            self.interpreter.parted()
        else:
            old, new = rules.moves, rules.moves_of(game)
            keep = self._part(old, new, guide_at_once)
            if keep < len(old):
                self.interpreter.parted()
            for color, move in new[keep:]:
                self.push(color, move)
        rules.adopt(game)
        self.replan()
        return events + self.wait(at)

    def take_over(self, game: Any) -> None:
        """Begin anew with a copy of a game."""
        self.rules.take_over(game)
        self.last_human = None
        self.interpreter.taken_over()

    def push(self, color: int, move: int) -> None:
        """Play a move in the tracker's game."""
        self.settler.trust.forgive(self.rules.push(color, move))
        self.interpreter.pushed(color, move)

    def truncate(self, plies: int) -> None:
        """Take the tracker's game back to so many plies."""
        while self.rules.plies > plies:
            self.rules.pop()
        if self.last_human is not None and self.last_human >= plies:
            self.last_human = None
        self.rules.ask_for(None)
        self.interpreter.truncated()

    def ask_for(self, color: int | None, at: float) -> list[Event]:
        """A client wants this colour's move now (None: no move is wanted)."""
        events = self.wait(at)
        if color is not None and not self.awaiting:
            self.asked_at = self.now
        self.awaiting = color is not None
        self.rules.ask_for(color)
        self.replan()
        return events + self.wait(at)

    def end(self, at: float) -> list[Event]:
        """The game is over: see ``over``. The start position is the next game from now on."""
        self.interpreter.ending()
        self.over = True
        self.guiding = False  # nothing has to stand before anything else
        self.replan()
        return self.wait(at)

    def go_on(self, anew: bool = False) -> None:
        """The game is not over, or no longer; ``anew``: it is another one.

        Violations are those of one game, and so is a loss by them.
        """
        self.over = False
        if anew:
            self.settler.trust.forgive(range(self.geometry.count))
        if anew or self.arbiter.lost:
            self.arbiter.new_game()
        self.interpreter.going_on()

    def _part(self, old: Sequence[Any], new: Sequence[Any], guide_at_once: bool) -> int:
        """Go back to where the client's moves part from ours; gives how many are the same. See ``follow``."""
        keep = 0
        while keep < min(len(old), len(new)) and old[keep] == new[keep]:
            keep += 1
        if self.arbiter.lost and not old:
            self.go_on()
        if keep < len(old):
            if not keep:
                self.settler.trust.forgive(range(self.geometry.count))  # what was played has been cleared away
            self.truncate(keep)
            if self.executed > keep:
                self.executed = keep
                self.guiding = guide_at_once
            self.go_on(anew=not keep and bool(new))
        return keep

    def new_game(self, at: float) -> list[Event]:
        """What follows is another game, whatever its moves."""
        events = self.wait(at)
        self.go_on(anew=True)
        self.replan()
        return events + self.wait(at)

    def guide_until_right(self) -> None:
        """What the board shows first may be anything: nothing counts before it is the game's position."""
        self.guiding = True
        self.replan()

    # ------------------------------------------------------------------ counting

    @property
    def scoring(self) -> Any:
        """The counting of the game on the board (``scoring.Scoring``); None before, and in games that have none."""
        return self.interpreter.scoring

    @property
    def counting(self) -> bool:
        """Whether the game has ended and is being counted on the board."""
        return self.interpreter.scoring is not None

    def begin_scoring(self, at: float, dead: Collection[int] = ()) -> list[Event]:
        """The game has ended: from now on, what is lifted marks its chain dead. ``dead`` is a first judgement.

        Captured stones that still lie there must go first. Raises ValueError in a game that is not counted.
        """
        events = self.wait(at)
        self.interpreter.begin_scoring(dead)
        self.replan()
        return events + self.wait(at)

    def end_scoring(self, at: float) -> list[Event]:
        """Back to the game: the board must show its stones again."""
        events = self.wait(at)
        self.interpreter.end_scoring()
        self.guiding = True
        self.replan()
        return events + self.wait(at)

    @property
    def pending_removals(self) -> Mapping[int, str]:
        """What was captured and may still lie on the board: what each point shows."""
        return self.interpreter.pending_removals

    # ------------------------------------------------------------------ what people say; see ``wishes`` and ``sensors``

    @property
    def asked(self) -> Asked | None:
        """The open question."""
        return self.wishes.asked

    def press(self, key: str, at: float) -> list[Event]:
        """A key went down; see ``protocols.sensor.reading.BUTTONS`` for those that mean something."""
        return self.wishes.press(key, at)

    def enter(self, move: int, at: float) -> list[Event]:
        """A move that was typed or confirmed, for the colour to move. Raises ValueError, with a text for the user."""
        return self.wishes.enter(move, at)

    def begin_setup(self, at: float) -> list[Event]:
        """From now on a position is set up on the board; the keys setup or yes end it, no leaves it."""
        return self.wishes.begin_setup(at)

    def ignore(self, points: Collection[int], at: float, on: bool = True) -> list[Event]:
        """Leave points out from now on, whatever their sensors say (``on``), or read them again."""
        return self.sensors.ignore(points, at, on)

    def ignore_hand(self, at: float, on: bool = True) -> list[Event]:
        """Leave out the sensor that tells of a hand over the board, or heed it again."""
        return self.sensors.ignore_hand(at, on)

    def leds(self) -> str:
        """What the board should show now, one character a point in the board's own order."""
        return self.lights.leds()

    # ------------------------------------------------------------------ orientation

    def _inward(self, points: str) -> str:
        """From the board's order (far left first) to the rules core's (near left first, rows upward)."""
        if self.turned:
            points = points[::-1]
        width = self.geometry.width
        return "".join([points[start : start + width] for start in range(len(points) - width, -1, -width)])

    def outside(self, point: int) -> int:
        """A point of the rules core as the board counts it: its far left point is 0."""
        row, column = divmod(point, self.geometry.width)
        outside = (self.geometry.height - 1 - row) * self.geometry.width + column
        return self.geometry.count - 1 - outside if self.turned else outside

    def inside(self, outside: int) -> int:
        """A point of the board's own order as the rules core counts it."""
        return self.outside(outside)  # mirrored once more

    def turn_round(self, at: float) -> list[Event]:
        """From now on the board is seen from its other side."""
        self.interpreter.turned_round()
        self.turned = not self.turned
        if self.settler.stable:
            self.settler.turn()
        self.replan()
        return [Turned(at, self.turned)]
