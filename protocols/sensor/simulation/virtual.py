"""A board on a virtual clock: device, wire and codec in one process, as fast as it can be computed."""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable
from itertools import count

from protocols.sensor.reading import Codec, Event, Hello, State, Status
from protocols.sensor.simulation.device import Device
from protocols.sensor.simulation.wire import Wire

HURRY = 1e-4
"""Seconds a byte's way takes at least, so that question and answer cannot go round at one moment for ever."""


class VirtualClock:
    """Seconds that pass when told to, and things to happen at given times."""

    def __init__(self, start: float = 1000.0) -> None:
        self.now = start
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()

    def at(self, time: float, action: Callable[[], None]) -> None:
        """Do something at this time (now, when it is past)."""
        heapq.heappush(self._agenda, (max(time, self.now), next(self._order), action))

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Do something later."""
        self.at(self.now + seconds, action)

    def next_time(self) -> float:
        """When something is to happen; infinity when nothing is."""
        return self._agenda[0][0] if self._agenda else math.inf

    def run_due(self) -> None:
        """Do what is due now."""
        while self._agenda and self._agenda[0][0] <= self.now:
            heapq.heappop(self._agenda)[2]()


class VirtualBoard:
    """A connected board (see ``reading.Board``) whose ``get`` lets virtual time pass.

    What a hand does is put on the clock's agenda: ``clock.at(time, lambda: board.put(point, thing))``.
    """

    def __init__(
        self, device: Device, codec: Codec, clock: VirtualClock | None = None, wire: Wire | None = None
    ) -> None:
        self.device = device
        self.codec = codec
        self.clock = clock or VirtualClock()
        self.wire = wire or Wire()
        self._events: deque[Event] = deque()
        self._hello: Hello | None = None
        self._linked = False
        self._link()

    # --- reading.Board

    @property
    def hello(self) -> Hello | None:
        return self._hello

    def now(self) -> float:
        return self.clock.now

    def get(self, timeout: float | None = None) -> Event | None:
        """The next event; virtual time passes until there is one, or ``timeout`` is over. Without a time-out it gives
        None when nothing can ever happen any more (a day of nothing).
        """
        end = self.clock.now + (86400.0 if timeout is None else timeout)
        while not self._events:
            if not self._step(end):
                return None
        return self._events.popleft()

    def show(self, leds: str) -> None:
        self.codec.show(leds)

    def beep(self, times: int = 1) -> None:
        self.codec.beep(times)

    def close(self) -> None:
        self._unlink("closed")

    # --- the hand

    def put(self, point: int, thing: str) -> None:
        self.device.put(point, thing, self.clock.now)

    def press(self, name: str) -> None:
        self.device.press(name, self.clock.now)

    def set_hand(self, present: bool) -> None:
        self.device.set_hand(present, self.clock.now)

    # --- faults

    def unplug(self) -> None:
        """The cable comes out; what the board says is lost."""
        self.wire.plugged = False
        self._unlink("unplugged")

    def plug(self, reset: bool = False) -> None:
        """It is put in again; a board without a battery was reset by that."""
        self.wire.plug()
        if reset:
            self.device.reset(self.clock.now)

    # --- time

    def run(self, seconds: float) -> list[Event]:
        """Let time pass and give all events."""
        end = self.clock.now + seconds
        events: list[Event] = []
        while self._step(end):
            events += self._events
            self._events.clear()
        return events

    def _link(self) -> None:
        self._linked = True
        self.device.connected(self.clock.now)
        self.codec.restart(self.clock.now)

    def _unlink(self, why: str) -> None:
        if self._linked:
            self._linked = False
            state = State.CLOSED if why == "closed" else State.LOST
            self._events.append(Status(state, why, self.clock.now))

    def _step(self, end: float) -> bool:
        """Do what is due now, then go to the next moment; False when that would lie after ``end``."""
        now = self.clock.now
        self.clock.run_due()
        if self.wire.plugged and not self._linked:
            self._link()
        data = self.wire.carry(self.device.outgoing(now))
        if data and self._linked:
            self._take(self.codec.feed(data, now))
        if not self.wire.plugged:
            self._unlink("unplugged")
        sent = False
        if self._linked:
            question = self.wire.carry(self.codec.outgoing(now))
            if question:
                self.device.feed(question, now)
                sent = True
        if self._events:
            return True
        moment = self.clock.next_time()
        moment = min(moment, self.device.wake(now))
        if self._linked:
            moment = min(moment, self.codec.wake(now))
        moment = max(moment, now + HURRY)
        if sent or data:
            moment = now + HURRY
        if moment > end:
            self.clock.now = max(now, end)
            return False
        self.clock.now = moment
        return True

    def _take(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, Hello):
                self._hello = event
            self._events.append(event)
            if isinstance(event, Hello):
                self._events.append(Status(State.READY, event.name, event.at))
