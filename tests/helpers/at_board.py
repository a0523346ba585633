"""Hands at a board for tests of the tracker: perfect sensors, exact times, points by their names."""

import random

from engines.go.vertex import LETTERS
from protocols.sensor.reading import EMPTY, Reading
from protocols.sensor.simulation.hand import QUIET, Noise, Scene
from protocols.sensor.tracker.events import Event


class AtBoard:
    """A tracker and the board in front of it. Nothing takes time but ``wait``."""

    def __init__(self, tracker, things="", noise: Noise = QUIET, seed=1):
        self.tracker = tracker
        self.events: list[Event] = []
        self.scene = Scene(
            tracker.geometry, tracker.sensing, random.Random(seed), noise, things=things, turned=tracker.turned
        )
        self.scene.on_reading = lambda reading: self.events.extend(tracker.read(reading))
        self.scene.on_time = lambda now: self.events.extend(tracker.wait(now))
        self.wait(1.0)
        self.events.clear()

    @property
    def now(self):
        return self.scene.now

    def point(self, name):
        """A point by its Go vertex (``D4``) or Xiangqi square (``e0``)."""
        if isinstance(name, int):
            return name
        width = self.tracker.geometry.width
        if name[0].islower():
            return int(name[1:]) * width + "abcdefghi".index(name[0])
        return (int(name[1:]) - 1) * width + LETTERS.index(name[0])

    def put(self, name, thing, wait=0.0):
        self.scene.put(self.point(name), thing)
        self.wait(wait)

    def lift(self, name, wait=0.0):
        thing = self.scene.things[self.point(name)]
        assert thing != EMPTY, name
        self.put(name, EMPTY, wait)
        return thing

    def move(self, origin, target, carry=0.4, wait=0.0):
        thing = self.lift(origin, carry)
        self.put(target, thing, wait)

    def show(self, text):
        """Show a state (in the rules core's order) that no hand made: sensor values."""
        width = self.tracker.geometry.width
        rows = [text[i : i + width] for i in range(0, len(text), width)]
        self.events += self.tracker.read(Reading("".join(reversed(rows)), self.now, self.now))

    def wait(self, seconds):
        self.scene.run_until(self.scene.now + seconds)

    def hear(self, events):
        self.events += events

    def take(self, *kinds):
        """The events since the last time, or those of the kinds; all are forgotten."""
        found = [event for event in self.events if not kinds or isinstance(event, kinds)]
        self.events.clear()
        return found

    def lit(self):
        """The lamps that are on, by the point's name in the tracker's own words."""
        tracker = self.tracker
        leds = tracker.leds()
        count = tracker.geometry.count
        return {
            tracker.rules.name(p): leds[tracker.outside(p)] for p in range(count) if leds[tracker.outside(p)] != "."
        }
