"""A board with a tracker behind it: one thread that feeds the tracker, shows its leds and tells what it says.

The thread is the only one that takes events from the board. Whoever owns the game talks to the tracker through
``tell``, from any thread; what the tracker says comes back through one function, in the order it was said, always
with the controller's lock held, so that it must not block.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

from protocols.sensor.reading import Board, Button, Hello, Lever, Note, Reading, State, Status
from protocols.sensor.tracker.events import Discrepancy, Event, Moved, Sensor
from protocols.sensor.tracker.tracker import Tracker

LAZY = 0.25
"""Seconds the thread waits for the board at most: how soon it notices that it should end."""

QUICK = 0.005
"""Seconds it waits at least, so that a time that is due already is no busy loop."""

STALL = LAZY + 0.15
"""Seconds between two turns of the thread that mean that the machine had no time for it."""

MOST_AT_ONCE = 50
"""Events that are taken in one turn at most."""

_SILENT = ("lifted", "setup")
"""Kinds of discrepancy that are no reason to beep."""


class BoardController:
    """Joins a board and a tracker.

    ``make``: makes the tracker once it is known what board it is; it may raise ValueError, with a text for the user,
    for a board that does not fit the game; then the controller waits for another game (``renew``) or another board.
    """

    def __init__(
        self,
        board: Board,
        make: Callable[[Hello], Tracker],
        heard: Callable[[Event], None],
        say: Callable[[str], None],
        ignored: Sequence[str] = (),
    ) -> None:
        """``heard`` gets what the tracker says; ``say`` gets lines about the board for the user.

        ``ignored``: sensors to be left out, by the points' names; ``hand`` is the one for hands.
        """
        self.board = board
        self.tracker: Tracker | None = None
        self.lock = threading.RLock()
        self.problem = "waiting for the board"
        """Why there is no tracker, or why the board cannot be used now; empty when all is well."""
        self._make = make
        self._heard = heard
        self._say = say
        self._hello: Hello | None = None
        self._last: Reading | None = None
        self._there = False
        self._to_ignore = list(ignored)
        self._ignored: set[int] = set()
        self._hand_ignored = False
        self._shown = ""
        self._extra: dict[int, str] = {}
        self._turned = board.now()
        self._late = False
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="board", daemon=True)

    def start(self) -> None:
        """Begin. What the tracker says may come from now on."""
        self._thread.start()

    def close(self) -> None:
        """End the thread, put the leds out and let the board go."""
        self._closing.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout=5.0)
        hello = self.board.hello
        if hello is not None:
            with contextlib.suppress(ValueError):
                self.board.show("." * hello.geometry.count)
        self.board.close()

    @property
    def hello(self) -> Hello | None:
        """What the board is, once known."""
        return self._hello

    def now(self) -> float:
        """The clock of the readings."""
        return self.board.now()

    def tell(self, what: Callable[[Any, float], Sequence[Event]]) -> bool:
        """Do something with the tracker; ``what`` gets it and the time. False when there is no tracker (yet)."""
        with self.lock:
            if self.tracker is None:
                return False
            self._pass_on(what(self.tracker, self.board.now()))
            self._show()
            return True

    def led(self, led: tuple[int, str] | None) -> None:
        """Light a led at a point of the board's own order over what the tracker shows; None puts all these out."""
        with self.lock:
            if led is None:
                self._extra.clear()
            else:
                self._extra[led[0]] = led[1]
            self._show()

    def ignore(self, names: Sequence[str], on: bool = True) -> list[str]:
        """Leave sensors out, by the points' names (``hand``: the one for hands), or heed them again.

        Gives the names of all that are left out now. It stays so for every game on this board. Raises ValueError,
        with nothing changed, for a name that is none, or while there is no board.
        """
        with self.lock:
            tracker = self.tracker
            if tracker is None:
                raise ValueError(f"board: {self.problem}")
            points = [tracker.rules.point_named(name) for name in names if name.lower() != "hand"]
            now = max(self.board.now(), self._latest())
            if points:
                self._pass_on(tracker.ignore(points, now, on))
            if len(points) < len(names):
                self._hand_ignored = on
                self._pass_on(tracker.ignore_hand(now, on))
            self._show()
            self._ignored = {tracker.outside(point) for point in tracker.ignored}
            left = [tracker.rules.name(point) for point in sorted(tracker.ignored)]
            return left + ["hand"] * self._hand_ignored

    def _leave_out(self, tracker: Tracker) -> None:
        """What is left out of the board stays so for another game."""
        now = max(self.board.now(), self._latest())
        try:
            names = [name for name in self._to_ignore if name.lower() != "hand"]
            self._ignored |= {tracker.outside(tracker.rules.point_named(name)) for name in names}
            self._hand_ignored = self._hand_ignored or len(names) < len(self._to_ignore)
        except ValueError as error:
            self._say(f"board: {error}")
        self._to_ignore = []
        if self._ignored:
            tracker.ignore([tracker.inside(point) for point in self._ignored], now)
        if self._hand_ignored:
            tracker.ignore_hand(now)

    def renew(self) -> None:
        """The game is another one: make the tracker anew for the board that is there."""
        with self.lock:
            self.tracker = None
            if self._hello is not None:
                self._meet(self._hello)

    # ------------------------------------------------------------------ the thread

    def _run(self) -> None:
        while not self._closing.is_set():
            self.turn()

    def turn(self, longest: float = LAZY) -> None:
        """One turn of the thread: wait for the board, for so many seconds at most, and do what is due.

        For those who have not started the thread, because time is not real.
        """
        event = self.board.get(min(longest, self._patience()))
        late = self.board.now() - self._turned > STALL and not self._late
        self._late = late  # a machine that is always late must not wait for ever
        self._turned = self.board.now()
        with self.lock:
            for _ in range(MOST_AT_ONCE):
                if event is None:
                    break
                self._take(event)
                event = self.board.get(0)
            # Who was not running has not heard yet what the board said meanwhile, and believes nothing before.
            if self.tracker is not None and self._there and event is None and not late:
                self._pass_on(self.tracker.wait(self.board.now()))
            if event is not None:
                self._take(event)
            self._show()

    def _patience(self) -> float:
        with self.lock:
            due = self.tracker.due if self.tracker is not None and self._there else None
            if due is None:
                return LAZY
            return min(LAZY, max(QUICK, due - self.board.now()))

    def _take(self, event: object) -> None:
        tracker = self.tracker
        if isinstance(event, Hello):
            if event != self._hello or tracker is None:
                self._meet(event)
            self._hello = event
        elif isinstance(event, Reading):
            self._there = True
            self._last = event
            if tracker is not None:
                self._pass_on(tracker.read(event))
        elif isinstance(event, Button):
            if tracker is not None and event.down:
                self._pass_on(tracker.press(event.name, max(event.at, self._latest())))
        elif isinstance(event, Lever):
            if tracker is not None:
                self._pass_on(tracker.lever(max(event.at, self._latest())))
        elif isinstance(event, Status):
            # Silence proves nothing: while the board is away nothing that it showed last is believed any further.
            if event.state is not State.READY:
                if self._there and tracker is not None:
                    self._pass_on(tracker.leave(max(event.at, self._latest())))
                self._there = False
                self.problem = f"board: {event.state.value}"
            elif self.tracker is not None:
                self.problem = ""
            self._say(f"board: {event.state.value}" + (f": {event.text}" if event.text else ""))
        elif isinstance(event, Note) and event.serious:
            self._say(f"board: {event.text}")

    def _latest(self) -> float:
        return self._last.at if self._last is not None else 0.0

    def _meet(self, hello: Hello) -> None:
        """A board has said what it is."""
        before = self._hello
        same = before is not None and (before.geometry, before.sensing) == (hello.geometry, hello.sensing)
        if self.tracker is not None and same:
            self._shown = ""  # it may have been reset: show the leds again
            return
        try:
            self.tracker = self._make(hello)
        except ValueError as error:
            self.tracker = None
            self.problem = str(error)
            self._say(f"board: {error}")
            return
        self.problem = ""
        self._leave_out(self.tracker)
        if self._last is not None and same:
            self._pass_on(self.tracker.read(self._last))

    def _pass_on(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Sensor) and event.kind in ("ignored", "heeded"):
                tracker = self.tracker  # a key may have said so
                if tracker is not None:
                    self._ignored = {tracker.outside(point) for point in tracker.ignored}
            if (isinstance(event, Discrepancy) and event.kind not in _SILENT) or (
                isinstance(event, Sensor) and event.kind in ("restless", "fault", "fleeting", "hand")
            ):
                self.board.beep(2)
            elif isinstance(event, Moved):
                self.board.beep(1)
            self._heard(event)

    def _show(self) -> None:
        if self.tracker is None or not self._there:
            return
        leds = self.tracker.leds()
        if self._extra:
            leds = "".join([self._extra.get(point, led) for point, led in enumerate(leds)])
        if leds != self._shown:
            self._shown = leds
            with contextlib.suppress(ValueError):
                self.board.show(leds)
