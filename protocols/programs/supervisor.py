"""Another program as the player: talked to, watched over and started again.

A *client* (``protocols.gtp.client`` and its like) knows one protocol and no process: lines go out through a function
and come in through ``receive``. ``Supervisor`` joins it to a process and starts both anew after a death.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from engines.errors import QiqiaoError
from engines.player import Limits, Trouble
from protocols.log import SessionLog, complain
from protocols.programs.config import EngineConfig
from protocols.programs.process import Process, ProcessError

MOST_COMPLAINTS = 3

MOST_STARTS = 4
"""Starts in ``STARTS_WITHIN`` seconds; a program that needs more is broken and left alone until they are over."""

STARTS_WITHIN = 60.0
"""Seconds; see ``MOST_STARTS``."""

MOST_UNHEARD = 100
"""Pieces of output that are read before an engine is asked something; one that writes without end has more."""

ATTENTION = 0.3
"""Seconds after which who listens to an engine himself looks whether anybody has something to say to him."""


class EngineError(QiqiaoError, RuntimeError):
    """An engine does not do what it should; the text says what, in plain words."""

    introduced = ""
    """The name that an engine had given before it failed to start."""


class EngineMissing(EngineError):
    """Its command names no program that can be run."""


class EngineDied(EngineError):
    """It has ended."""


class EngineHung(EngineError):
    """It has not answered in time."""


class StillStarting(EngineHung):
    """Somebody else starts it still, and goes on doing so; there was no time to wait for that."""


class Refused(EngineError):
    """The engine does not take the game as it is; starting it anew would not help."""


class Aborted(EngineError):
    """Nobody wants the answer any more."""


SLACK = 1.0
"""Seconds that an engine may always take before it thinks, however little is on the clock."""


def patience_before(limits: Limits, usual: float) -> float:
    """Seconds that an engine may take before it thinks about a move: the usual ones, but of a clock half at most, so
    that there is time to start it anew if it doesn't answer."""
    return min(usual, max(SLACK, limits.reach / 2))


def trouble_of(error: EngineError) -> Trouble:
    """What kind of trouble an error is to whoever asked for a move."""
    kinds: dict[type[EngineError], Trouble] = {EngineDied: "died", EngineHung: "hung", Refused: "refused"}
    return kinds.get(type(error), "error")


class Leash:
    """How long whoever chooses a move may wait for an engine that does not think yet: which starts, is told the game,
    is asked whether it is ready. It holds in the one thread that is inside ``until``; ``stop`` comes from any.

    An engine that thinks is bounded by who asked it, who then knows how to make it answer.
    """

    def __init__(self) -> None:
        self._holder: int | None = None
        self._end = math.inf
        self._stop = math.inf

    def reset(self) -> None:
        """A new choice: nobody has asked for its end."""
        self._stop = math.inf

    def stop(self, grace: float) -> None:
        """Nobody will want the answer in ``grace`` seconds; an earlier end stays."""
        self._stop = min(self._stop, time.monotonic() + grace)

    def shorten(self, seconds: float) -> None:
        """From now on it may take so many seconds at most."""
        self._end = min(self._end, time.monotonic() + seconds)

    @contextmanager
    def until(self, end: float) -> Iterator[None]:
        """Inside, every wait of this thread ends at ``end`` (of the monotonic clock) with EngineHung, and with Aborted
        when it was stopped."""
        before = self._holder, self._end
        self._holder, self._end = threading.get_ident(), min(end, self._end)
        try:
            yield
        finally:
            self._holder, self._end = before

    @contextmanager
    def off(self) -> Iterator[None]:
        """Inside, it does not hold: the engine thinks."""
        before, self._holder = self._holder, None
        try:
            yield
        finally:
            self._holder = before

    def bound(self) -> float:
        """When the waiting of this thread ends. Raises Aborted when nobody wants the answer any more."""
        if self._holder != threading.get_ident():
            return math.inf
        if self._stop <= time.monotonic():
            raise Aborted("nobody waits for the engine any more")
        return min(self._end, self._stop)


class Talker:
    """The base of the clients: something that sends lines and waits for what comes back.

    ``receive`` and ``ended`` are called by the process's threads, ``receive`` also by whoever waits where ``listen`` is
    set; everything else by whoever uses the client.
    """

    def __init__(self, spec: EngineConfig, send: Callable[..., None], note: Callable[[str], None]) -> None:
        """``send`` writes lines to the engine; ``note`` gets what happened that a user may want to know."""
        self.spec = spec
        self.send = send
        self.note = note
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.listen: Callable[[float], bool] | None = None
        """Reads what the engine writes, in the thread that waits for it; None where another thread does. See
        ``protocols.programs.process.Process.listen``."""
        self.leash = Leash()
        """Bounds every wait beside what each of them has."""
        self.death: str | None = None
        self.aborted = False
        self.name = spec.title
        """What the engine calls itself, once it has said so."""
        self.complaints: list[str] = []
        """What the engine itself called an error; only the first few."""

    def receive(self, line: str) -> None:
        """A line from the engine."""
        raise NotImplementedError  # each protocol has its own

    def start(self) -> None:
        """The first words, the options. Raises EngineError when the engine can't be used."""
        raise NotImplementedError  # each protocol has its own

    def farewell(self) -> list[str]:
        """What to say before the end."""
        return ["quit"]

    def ended(self, why: str) -> None:
        """The engine has ended."""
        with self.lock:
            self.death = why
            self.wake()

    def complain_of(self, text: str) -> None:
        """The engine says that something is wrong with it."""
        if len(self.complaints) < MOST_COMPLAINTS and text not in self.complaints:
            self.complaints.append(text[:200])

    def abort(self) -> None:
        """Whoever waits for the engine gets ``Aborted``, now and later."""
        with self.lock:
            self.aborted = True
            self.wake()

    def wake(self) -> None:
        """Let whoever waits look again; who listens does so anyway."""
        if self.listen is None:
            with self.lock:
                self.changed.notify_all()

    def catch_up(self) -> None:
        """Read what the engine wrote while nobody waited: it is no answer to what it is asked next."""
        if self.listen is not None:
            for _ in range(MOST_UNHEARD):
                if not self.listen(0):
                    return

    def wait_for(self, done: Callable[[], Any], deadline: float | None) -> bool:
        """Wait until ``done()``; False when the deadline (of the monotonic clock) came first.

        Raises EngineDied when it died first, Aborted when nobody wants to wait any more, EngineHung at the end of the
        leash.
        """
        listen = self.listen
        while True:
            with self.lock:
                if done():
                    return True
                if self.aborted:
                    raise Aborted(f"{self.spec.title}: given up")
                if self.death is not None:
                    raise EngineDied(f"{self.spec.title} has ended: {self.death}")
                bound = self.leash.bound()
                now = time.monotonic()
                if deadline is not None and deadline <= now:
                    return False
                if bound <= now:
                    self.leash.bound()  # whether it is the end that was asked for
                    raise EngineHung(f"{self.spec.title} did not answer in time")
                end = bound if deadline is None else min(deadline, bound)
                left = None if end == math.inf else end - now
                if listen is None:
                    self.changed.wait(None if left is None else min(left, threading.TIMEOUT_MAX))
            if listen is not None:
                listen(ATTENTION if left is None else min(left, ATTENTION))


ClientT = TypeVar("ClientT", bound=Talker)


class Supervisor(Generic[ClientT]):
    """Keeps an engine running: starts it when it is needed, and anew when it has died or was dropped."""

    def __init__(
        self,
        spec: EngineConfig,
        make_client: Callable[[EngineConfig, Callable[..., None], Callable[[str], None]], ClientT],
        log: SessionLog,
        tell: Callable[[str], None] | None = None,
        attended: bool = False,
    ) -> None:
        """``tell`` gets what the user should know (standard error if None); it goes to the log besides.

        ``attended``: all that the engine says is waited for, in ``Talker.wait_for``; see
        ``protocols.programs.process.Process``.
        """
        self.spec = spec
        self._make_client = make_client
        self._log = log
        self._attended = attended
        self.tell: Callable[[str], None] = tell or (lambda text: complain(f"qiqiao: {text}"))
        self._lock = threading.RLock()
        self._client: ClientT | None = None
        self._process: Process | None = None
        self._starts: deque[float] = deque(maxlen=MOST_STARTS)
        self._closed = False
        self.settled = False
        """Whether the engine runs and has been told what it must know before a game."""
        self.leash = Leash()
        """How long who asks for a move waits."""
        self.unwanted: Callable[[], bool] = lambda: False
        """Whether a start that is about to begin is wanted by nobody any more; it ends with Aborted then."""
        self.tried = False
        """Whether it has been started at all."""
        self.last_errors: list[str] = []
        """The last lines on standard error of an engine that has ended."""

    def report(self, text: str) -> None:
        """Tell the user, and the log."""
        self._log.note(text)
        self.tell(text)

    @property
    def running(self) -> ClientT | None:
        """The client of the engine that runs, None when none does."""
        client = self._client
        return client if client is not None and client.death is None else None

    def client(self) -> ClientT:
        """The client of a running engine, which is started if need be. Raises EngineError when that fails."""
        while not self._lock.acquire(timeout=ATTENTION):  # who starts it has the lock
            if self.leash.bound() <= time.monotonic():
                raise StillStarting(f"{self.spec.title} was not ready in time")
        try:
            if self._closed:
                raise Aborted("the player is closed")
            if self._client is not None and self._client.death is not None:
                self.drop(f"{self.spec.title} has ended: {self._client.death}")
            if self._client is None:
                self._start()
            assert self._client is not None
            return self._client
        finally:
            self._lock.release()

    def _start(self) -> None:
        if self.unwanted():
            raise Aborted("nobody waits for the engine any more")
        now = time.monotonic()
        if len(self._starts) == MOST_STARTS and now - self._starts[0] < STARTS_WITHIN:
            raise EngineError(
                f"{self.spec.title} was started {MOST_STARTS} times within {STARTS_WITHIN:g} seconds; "
                "it is left alone for a minute"
            )
        self._starts.append(now)
        self.tried = True
        client: ClientT
        # Lines may come before the constructor below has returned.
        ready = threading.Event()

        def on_line(line: str) -> None:
            ready.wait()
            client.receive(line)

        def on_end(why: str) -> None:
            ready.wait()
            client.ended(why)

        try:
            process = Process(
                self.spec.command,
                on_line,
                on_end,
                directory=self.spec.directory,
                log=self._log,
                attended=self._attended,
            )
        except ProcessError as error:
            raise EngineMissing(str(error)) from None
        client = self._make_client(self.spec, process.send, self._log.note)
        client.leash = self.leash
        if process.attended:
            client.listen = process.listen
        self._process, self._client = process, client
        if not self._log.on:  # a log has every line, with its time
            process.skim = getattr(client, "skim", None)
        ready.set()
        # Whoever gave up before the client was there to be told so.
        if self.unwanted():
            client.abort()
        try:
            client.start()
        except EngineError as error:
            self.drop()
            last = client.complaints or [line for line in self.last_errors if line.strip()][-1:]
            told = type(error)(f"{error} (its last words: {'; '.join(last)})" if last else str(error))
            told.introduced = client.name if client.name != self.spec.title else ""
            raise told from None
        self.settled = True

    def drop(self, why: str = "", polite: bool = False) -> None:
        """End the engine: the next ``client`` starts it anew. ``polite`` lets it end by itself first."""
        with self._lock:
            process, client = self._process, self._client
            self._process = self._client = None
            self.settled = False
        if process is None or client is None:
            return
        if why:
            self.report(why)
        if polite:
            process.end(client.farewell(), self.spec.quit_time)
        else:
            process.kill()
            process.ended.wait(2)
        self.last_errors = process.errors

    def errors(self) -> list[str]:
        """The last lines of the engine's standard error."""
        process = self._process
        return process.errors if process is not None else self.last_errors

    def close(self) -> None:
        """End the engine for good."""
        self._closed = True
        client = self._client
        if client is not None and self._lock.acquire(timeout=0):
            self._lock.release()
            self.drop(polite=True)
        elif client is not None:
            # Somebody waits for it to start: nobody will want the result.
            client.abort()
            self.drop()
