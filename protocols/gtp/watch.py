"""What the reader thread has seen and the main thread has not answered yet, and the search that has to know of it.

The reader thread calls ``notice`` and ``notice_end``; the main thread calls ``taken`` when it begins with a line, and
runs each search inside ``running``. Lines may be there before the search begins (clients write several at once), so
both sides look at the same counts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from protocols.gtp import framing

GRACE = 0.5
"""Seconds a genmove may still think once quit or the end of the session is known."""

BRIEF = 0.05
"""Seconds an interrupted genmove may still think: its answer has to come from somewhere."""

Cut = Literal["line", "interrupt", "quit", "end"]
"""Why a search was stopped from outside: a line of input, GoGui's interrupt, a waiting quit, the end of the
session.
"""


class Run:
    """A running search. ``cut`` tells why it was stopped from outside, None when it was not."""

    def __init__(self, stop: Callable[[], None], any_line: bool) -> None:
        self._stop = stop
        self.any_line = any_line
        self._done = threading.Event()
        self._told = threading.Event()
        self.cut: Cut | None = None

    def cut_after(self, seconds: float, why: Cut) -> None:
        """Stop the search in so many seconds. Returns at once."""
        if self.cut is None or seconds < GRACE:
            self.cut = why
            self._told.set()
            threading.Thread(target=self._cut, args=(seconds,), name="stopper", daemon=True).start()

    def _cut(self, seconds: float) -> None:
        # Said again and again until it is over: a player forgets a stop that comes before it has begun.
        while not self._done.wait(seconds):
            self._stop()
            seconds = 0.02

    def wait_for_cut(self) -> None:
        """Wait until somebody wants it stopped, though it has returned already."""
        self._told.wait()

    def end(self) -> None:
        """The search has returned."""
        self._done.set()


class Watch:
    """Counts of the lines that wait, and the end of the session. ``patient``: see ``protocols.stdio.LineServer``."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines = 0
        self._quits = 0
        self._interrupts = 0
        self._run: Run | None = None
        self.ended = False
        self.patient = False

    def notice(self, line: str) -> None:
        """A line has arrived."""
        is_quit, is_interrupt = _is_quit(line), _is_interrupt(line)
        with self._lock:
            self._lines += 1
            self._quits += is_quit
            self._interrupts += is_interrupt
            if self._run is not None:
                if self._run.any_line:
                    self._run.cut_after(0, "line")
                elif is_interrupt:
                    self._run.cut_after(BRIEF, "interrupt")
                elif is_quit and not self.patient:
                    self._run.cut_after(GRACE, "quit")

    def notice_end(self) -> None:
        """No more lines will come."""
        with self._lock:
            self.ended = True
            if self._run is not None:
                if self._run.any_line:
                    self._run.cut_after(0, "end")
                elif not self.patient:
                    self._run.cut_after(GRACE, "end")

    def taken(self, line: str) -> None:
        """The main thread begins with the line that was noticed first (or with one that nobody noticed)."""
        with self._lock:
            self._lines = max(0, self._lines - 1)
            self._quits = max(0, self._quits - _is_quit(line))
            self._interrupts = max(0, self._interrupts - _is_interrupt(line))

    @property
    def idle(self) -> bool:
        """Whether no line waits and more may come."""
        with self._lock:
            return self._lines == 0 and not self.ended

    @contextmanager
    def running(self, stop: Callable[[], None], any_line: bool = False) -> Iterator[Run]:
        """The search that ``stop`` stops runs inside. With ``any_line`` whatever arrives, or has arrived, stops
        it.
        """
        run = Run(stop, any_line)
        with self._lock:
            self._run = run
            if any_line:
                if self._lines or self.ended:
                    run.cut_after(0, "line" if self._lines else "end")
            elif self._interrupts:
                run.cut_after(BRIEF, "interrupt")
            elif not self.patient and (self.ended or self._quits):
                run.cut_after(GRACE, "end" if self.ended else "quit")
        try:
            yield run
        finally:
            with self._lock:
                self._run = None
            run.end()


def _is_quit(line: str) -> bool:
    if "quit" not in line:
        return False
    command = framing.parse(line)
    return command is not None and command.name == "quit"


def _is_interrupt(line: str) -> bool:
    """Whether the line is GoGui's ``# interrupt``."""
    return "#" in line and not framing.clean(line) and framing.comment(line) == "interrupt"
