"""A board with a tracker behind it: one thread that feeds the tracker, shows its lamps and tells what it says.

The thread is the only one that takes events from the board. Whoever owns the game talks to the tracker through
``tell``, from any thread; what the tracker says comes back through one function, in the order it was said, always
with the desk's lock held, so that it must not block.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

from protocols.sensor.reading import Board, Button, Hello, Lever, Note, Reading, State, Status
from protocols.sensor.tracker.core import Tracker
from protocols.sensor.tracker.events import Event, Moved, Trouble

LAZY = 0.25
"""Seconds the thread waits for the board at most: how soon it notices that it should end."""

QUICK = 0.005
"""Seconds it waits at least, so that a time that is due already is no busy loop."""

_SILENT = ("lifted", "setup")
"""Kinds of trouble that are no reason to beep."""


class Desk:
    """Joins a board and a tracker.

    ``make``: makes the tracker once it is known what board it is; it may raise ValueError, with a text for the user,
    for a board that does not fit the game; then the desk waits for another game (``renew``) or another board.
    """

    def __init__(
        self,
        board: Board,
        make: Callable[[Hello], Tracker],
        heard: Callable[[Event], None],
        say: Callable[[str], None],
    ) -> None:
        """``heard`` gets what the tracker says; ``say`` gets lines about the board for the user."""
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
        self._shown = ""
        self._extra: dict[int, str] = {}
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)

    def start(self) -> None:
        """Begin. What the tracker says may come from now on."""
        self._thread.start()

    def close(self) -> None:
        """End the thread, put the lamps out and let the board go."""
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

    def lamp(self, lamp: tuple[int, str] | None) -> None:
        """Light a lamp at a point of the board's own order over what the tracker shows; None puts all these out."""
        with self.lock:
            if lamp is None:
                self._extra.clear()
            else:
                self._extra[lamp[0]] = lamp[1]
            self._show()

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
        with self.lock:
            if event is not None:
                self._take(event)
            if self.tracker is not None and self._there:
                self._pass_on(self.tracker.wait(self.board.now()))
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
            self._shown = ""  # it may have been reset: show the lamps again
            return
        try:
            self.tracker = self._make(hello)
        except ValueError as error:
            self.tracker = None
            self.problem = str(error)
            self._say(f"board: {error}")
            return
        self.problem = ""
        if self._last is not None and same:
            self._pass_on(self.tracker.read(self._last))

    def _pass_on(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Trouble) and event.kind not in _SILENT:
                self.board.beep(2)
            elif isinstance(event, Moved):
                self.board.beep(1)
            self._heard(event)

    def _show(self) -> None:
        if self.tracker is None or not self._there:
            return
        lamps = self.tracker.lamps()
        if self._extra:
            lamps = "".join([self._extra.get(point, lamp) for point, lamp in enumerate(lamps)])
        if lamps != self._shown:
            self._shown = lamps
            with contextlib.suppress(ValueError):
                self.board.show(lamps)
