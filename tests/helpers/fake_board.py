"""A sensor board without a wire: what hands do is a reading at once, on the real clock."""

import queue
import time

from protocols.sensor.reading import Button, Geometry, Hello, Reading, State, Status


class FakeBoard:
    """See ``protocols.sensor.reading.Board``. Points are the rules core's (A1 or a0 first)."""

    def __init__(self, width=9, height=9, sensing="occ", things="", silent=False, **hello):
        self.geometry = Geometry(width, height)
        self._ready = Hello("fake", self.geometry, sensing, leds="point", uid="1", **hello)
        self._hello = None
        self.things = list(things or "." * self.geometry.count)
        self.events = queue.Queue()
        self.shown = ""
        self.beeps = 0
        self.closed = False
        if not silent:
            self.plug()

    def plug(self):
        self._hello = self._ready
        self.events.put(Status(State.READY, "fake", self.now()))
        self.events.put(self._ready)
        self.read(complete=False)

    def unplug(self):
        self.events.put(Status(State.LOST, "unplugged", self.now()))

    # --- reading.Board

    @property
    def hello(self):
        return self._hello

    def get(self, timeout=None):
        try:
            return self.events.get(timeout=timeout)
        except queue.Empty:
            return None

    def show(self, leds):
        self.shown = leds

    def beep(self, times=1):
        self.beeps += times

    def now(self):
        return time.monotonic()

    def close(self):
        self.closed = True

    # --- hands

    def read(self, complete=True):
        width = self.geometry.width
        state = "".join(self.things)
        rows = "".join(state[i : i + width] for i in range(len(state) - width, -1, -width))
        self.events.put(Reading(rows, self.now(), self.now(), complete=complete))

    def sensed(self, thing):
        sensing = self._ready.sensing
        if thing == "." or sensing == "id":
            return thing
        if sensing == "occ":
            return "#"
        return "X" if thing == "X" or (thing != "O" and thing.isupper()) else "O"

    def put(self, point, thing):
        self.things[point] = self.sensed(thing)
        self.read()

    def lift(self, point):
        thing = self.things[point]
        self.put(point, ".")
        return thing

    def press(self, name):
        self.events.put(Button(name, True, self.now()))

    def lit(self):
        """The lamps that are on, by the rules core's point."""
        width, height = self.geometry.width, self.geometry.height
        return {(height - 1 - at // width) * width + at % width: led for at, led in enumerate(self.shown) if led != "."}


def until(condition, seconds=300.0):
    """Wait for something that another thread brings about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.005)
