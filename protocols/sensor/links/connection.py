"""A board on a line: one thread that opens the port, talks, notices the loss and finds the board again.

It never gives up by itself. A board that is unplugged and plugged in again, under whatever port name, is known again
by its identity; its leds are shown again, and its first reading is marked as following a gap. Whoever uses the
connection only takes events from a queue and is never kept waiting by the port.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

from protocols.sensor.links.link import DEFAULT_LINE, LineSettings, Link, LinkError, SerialLink
from protocols.sensor.links.ports import PortInfo, list_ports, port_of, stolen_by_brltty
from protocols.sensor.reading import Codec, Event, Hello, Note, Reading, State, Status, Still

AUTO = "auto"
"""Instead of a URL: look for a board, without sending anything to a device that has not spoken first."""

FIRST_PAUSE = 0.5
"""Seconds before the second try to open a port; each further one waits twice as long."""

LAST_PAUSE = 10.0
"""Seconds between tries at most."""

PROBING = 15.0
"""Seconds a port may be busy without a word: ModemManager tries new ports for about 10."""

HELLO_WAIT = 3.0
"""Seconds within which a board should say what it is; boot loaders take up to two."""

CLOSE_TIMEOUT = 3.0
"""Seconds that whoever closes a connection waits for its thread; longer than one write may take."""

LISTEN = 4.0
"""Seconds spent on a port that may be somebody else's: two heartbeats."""

MAX_EVENTS = 2000
"""Events kept for a user who does not take them; after that readings are thinned to the latest one."""


@dataclass(frozen=True)
class BoardSpec:
    """Which board, where, and how it is spoken to."""

    url: str
    """A pyserial URL, or ``auto``."""
    make_codec: Callable[[], Codec]
    settings: LineSettings = DEFAULT_LINE
    uid: str = ""
    """Only the board with this identity; empty: any, and after the first time only that one."""


class Connection:
    """A connected board (see ``reading.Board``). Safe from any thread."""

    def __init__(
        self,
        spec: BoardSpec,
        *,
        ports: Callable[[], Iterable[PortInfo]] = list_ports,
        make_link: Callable[[str], Link] | None = None,
        clock: Callable[[], float] = time.monotonic,
        hurry: float = 1.0,
    ) -> None:
        """``ports``, ``make_link`` and ``clock`` are for tests; so is ``hurry``, by which all pauses are divided."""
        self._spec = spec
        self._ports = ports
        self._clock = clock
        self._hurry = hurry
        self._codec = spec.make_codec()
        self._make_link = make_link or partial(
            SerialLink, settings=spec.settings, read_timeout=min(0.1, self._codec.tick)
        )
        self._lock = threading.Lock()
        self._events: deque[Event] = deque()
        self._arrived = threading.Condition()
        self._held: Reading | None = None
        self._closing = threading.Event()
        self._link: Link | None = None
        self._hello: Hello | None = None
        self._port: PortInfo | None = None
        self._state = State.CLOSED
        self._text = ""
        self._busy_since: float | None = None
        self._thread = threading.Thread(target=self._run, name="board", daemon=True)
        self._thread.start()

    # --- reading.Board

    @property
    def hello(self) -> Hello | None:
        return self._hello

    @property
    def state(self) -> State:
        """What the connection is doing."""
        return self._state

    def now(self) -> float:
        return self._clock()

    def get(self, timeout: float | None = None) -> Event | None:
        """The next event; None when there was none in time, or when the connection is closed."""
        with self._arrived:
            if not self._events and not self._closing.is_set():
                self._arrived.wait(timeout)
            if not self._events:
                return None
            event = self._events.popleft()
            if self._held is not None and len(self._events) < MAX_EVENTS // 2:
                self._events.append(self._held)
                self._held = None
            return event

    def show(self, leds: str) -> None:
        """Show these leds until told otherwise, also after a reconnect. Raises ValueError."""
        with self._lock:
            self._codec.show(leds)
            link = self._link
        if link is not None:
            link.wake()

    def beep(self, times: int = 1) -> None:
        with self._lock:
            self._codec.beep(times)
            link = self._link
        if link is not None:
            link.wake()

    def close(self) -> None:
        """End the thread and free the port."""
        self._closing.set()
        link = self._link
        if link is not None:
            link.wake()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=CLOSE_TIMEOUT)
        with self._arrived:
            self._arrived.notify_all()

    # --- the thread

    def _run(self) -> None:
        pause = FIRST_PAUSE
        while not self._closing.is_set():
            talked = False
            try:
                for url, silent in self._candidates():
                    if self._closing.is_set():
                        break
                    talked = self._try(url, silent)
                    if talked:
                        break
            except Exception as error:  # pyserial and drivers have many; none may end the search
                self._say(State.LOST, f"{type(error).__name__}: {error}")
            if talked:
                pause = FIRST_PAUSE
            if self._closing.wait(pause / self._hurry):
                break
            pause = FIRST_PAUSE if self._state is State.BUSY else min(LAST_PAUSE, pause * 2)
        self._say(State.CLOSED, "")

    def _candidates(self) -> list[tuple[str, bool]]:
        """The ports to try now, best first, and whether to be silent there."""
        try:
            ports = list(self._ports())
        except Exception:
            ports = []
        if self._spec.url != AUTO:
            named = self._spec.url
            if self._hello is None:
                # An explicit port is used, whatever it is. Which device it is, is remembered for later.
                self._port = port_of(named, ports) or self._port
            found: list[tuple[str, bool]] = [(named, False)]
            before = self._port
            if before is not None:
                listed = port_of(named, ports)
                if listed is not None and (listed.usb_id, listed.serial) != (before.usb_id, before.serial):
                    found = []  # the name belongs to another device now
                found += [
                    (port.device, not port.same_device(before))
                    for port in ports
                    if port.usb_id == before.usb_id and port.device != named
                ]
                found.sort(key=lambda item: item[1])
            return found
        if not any(port.usb_id for port in ports):
            hints = stolen_by_brltty()
            self._say(State.NO_PORT, "; ".join(hints) or "no USB serial port; waiting for one to be plugged in")
        # A port without a USB identity (a modem, a console) is only for those who name it.
        usable = [port for port in ports if port.usb_id]
        if self._port is not None:
            usable.sort(key=lambda port: not port.same_device(self._port))  # type: ignore[arg-type]
        return [(port.device, not port.knows_qsb) for port in usable]

    def _try(self, url: str, silent: bool) -> bool:
        """Open a port and talk until it is lost; gives whether a board was there."""
        link = self._make_link(url)
        now = self._clock()
        try:
            link.open()
        except LinkError as error:
            self._failed(error, url, now)
            return False
        self._busy_since = None
        codec = self._codec
        with self._lock:
            codec.restart(self._clock(), silent)
            self._link = link
        try:
            self._talk(link, url)
        except LinkError as error:
            if codec.hello is not None:
                self._say(State.LOST, f"the board is gone ({error.text}); waiting for it to come back", url)
            else:
                self._failed(error, url, self._clock())
        finally:
            with self._lock:
                self._link = None
            link.close()
        return codec.hello is not None and self._is_it(codec.hello)

    def _failed(self, error: LinkError, url: str, now: float) -> None:
        if error.state is State.BUSY:
            self._busy_since = now if self._busy_since is None else self._busy_since
            if now - self._busy_since < PROBING / self._hurry:
                self._say(State.SEARCHING, f"waiting for {url}", url)
                return
        else:
            self._busy_since = None
        if self._hello is not None and error.state is State.NO_PORT:
            self._say(State.LOST, "the board is not plugged in; waiting for it to come back", url)
        elif self._spec.url != AUTO or error.state is not State.NO_PORT:
            self._say(error.state, error.text, url)

    def _talk(self, link: Link, url: str) -> None:
        """Feed the codec and send what it wants, until the line breaks or the board falls silent."""
        codec = self._codec
        opened = self._clock()
        known = False
        accepted = False
        while not self._closing.is_set():
            with self._lock:
                question = codec.outgoing(self._clock())
            if question:
                link.write(question)
            data = link.read()
            now = self._clock()
            if data:
                with self._lock:
                    events = codec.feed(data, now)
                for event in events:
                    if isinstance(event, Hello):
                        known = True
                        accepted = self._meet(event, url)
                        if not accepted:
                            return
                    if accepted or isinstance(event, Note):
                        self._push(event)
                    if isinstance(event, Hello):
                        # After the hello itself, so that who hears "ready" knows which board it is.
                        self._say(State.READY, event.name or event.protocol, url)
                if codec.refusal:
                    self._say(State.WRONG_VERSION, codec.refusal, url)
                    self._closing.wait(LAST_PAUSE / self._hurry)
                    return
            if not known and now - opened > HELLO_WAIT / self._hurry and self._spec.url != AUTO:
                if self._hello is None or self._state is not State.LOST:
                    self._say(State.NO_ANSWER, f"{url} is open and nothing understandable comes from it", url)
                if now - opened > 2 * HELLO_WAIT / self._hurry and self._hello is not None:
                    return  # it was another board's name perhaps
            if not known and self._spec.url == AUTO and now - opened > LISTEN / self._hurry:
                return
            if known and not codec.alive(now):
                raise LinkError(State.LOST, "it has fallen silent")

    def _is_it(self, hello: Hello) -> bool:
        """Whether this is the board that was asked for, or that was here before."""
        if self._spec.uid:
            return hello.uid == self._spec.uid
        before = self._hello
        if before is None:
            return True
        return (hello.protocol, hello.uid, hello.geometry, hello.sensing) == (
            before.protocol,
            before.uid,
            before.geometry,
            before.sensing,
        )

    def _meet(self, hello: Hello, url: str) -> bool:
        """A board has said what it is: take it, or say that it is another one."""
        if not self._is_it(hello):
            wanted = self._spec.uid or (f"{self._hello.name} {self._hello.uid}" if self._hello else "")
            self._say(
                State.OTHER_BOARD,
                f"{url} is the board {hello.name} {hello.uid} ({hello.geometry}), not {wanted.strip()}",
                url,
            )
            return False
        self._hello = hello
        with contextlib.suppress(Exception):
            self._port = port_of(url, self._ports()) or self._port
        return True

    # --- the queue

    def _say(self, state: State, text: str, url: str = "") -> None:
        """Tell of a state once."""
        if state is self._state and (text == self._text or state is State.SEARCHING):
            return
        self._state, self._text = state, text
        self._push(Status(state, text, self._clock(), url))

    def _push(self, event: Event) -> None:
        with self._arrived:
            if len(self._events) >= MAX_EVENTS:
                if isinstance(event, Reading):
                    # Between two readings some are missing now.
                    self._held = replace(event, complete=False)
                    return
                if isinstance(event, Still):
                    return
                if len(self._events) >= 2 * MAX_EVENTS:
                    return
            if self._held is not None and isinstance(event, Reading):
                event = replace(event, complete=False)
                self._held = None
            self._events.append(event)
            self._arrived.notify()
