"""Rehearsals over a wire: the hand moves things on a simulated device, and what its bytes say reaches the tracker.

All that lies between a board and a tracker is in it (the device's settling, the line, the codec, the desk), on a
virtual clock; and the cable can be pulled at any instant, while hands go on moving.
"""

from __future__ import annotations

import random
from typing import Any

from protocols.sensor.codecs.qsb import QsbCodec
from protocols.sensor.reading import Geometry, Sensing
from protocols.sensor.session.controller import BoardController
from protocols.sensor.simulation.hand import QUIET, Scene
from protocols.sensor.simulation.qsb import QsbDevice
from protocols.sensor.simulation.sensors import Noise, Sensors
from protocols.sensor.simulation.simulated_game import SimulatedGame, Tally
from protocols.sensor.simulation.virtual import VirtualBoard

NOISE = Noise(bounce_ms=30, flickers_per_s=0.5)
"""Contacts that chatter, and short errors."""

WEAK = 0.02
"""Share of points with a weak magnet."""


class WiredScene(Scene):
    """A scene whose board is a device at the other end of a wire. ``pull``: seconds (from, to) between two pulls of the
    cable, None for never; ``away``: seconds (from, to) until it is put back. Every second time the board loses power.
    """

    def __init__(
        self,
        geometry: Geometry,
        sensing: Sensing,
        rng: random.Random,
        things: str,
        turned: bool,
        *,
        pull: tuple[float, float] | None = None,
        away: tuple[float, float] = (0.2, 4.0),
    ) -> None:
        noise = Noise(
            NOISE.bounce_ms,
            flickers_per_s=NOISE.flickers_per_s,
            weak=tuple(point for point in range(geometry.count) if rng.random() < WEAK),
        )
        sensors = Sensors(geometry, sensing, noise=noise, seed=rng.randrange(1 << 30))
        self.board = VirtualBoard(QsbDevice(sensors, seed=rng.randrange(1 << 30)), QsbCodec())
        self.controller: BoardController | None = None
        self.pulled = 0
        """How often the cable was pulled."""
        super().__init__(geometry, sensing, rng, QUIET, things=things, turned=turned)
        for point, thing in enumerate(self.things):
            self.board.put(self.outside(point), thing)
        self._pull, self._away = pull, away
        if pull is not None:
            self._pull_later()

    @property
    def now(self) -> float:
        return self.board.clock.now

    @now.setter
    def now(self, value: float) -> None:
        """Only the clock moves the time."""

    def outside(self, point: int) -> int:
        """A point as the board counts it: far left first."""
        row, column = divmod(point, self.geometry.width)
        outside = (self.geometry.height - 1 - row) * self.geometry.width + column
        return self.geometry.count - 1 - outside if self.turned else outside

    def run_until(self, when: float) -> None:
        while self.now < when:
            if self.controller is None:
                self.board.run(when - self.now)
            else:
                self.controller.turn(when - self.now)

    def put(self, point: int, thing: str) -> None:
        self.things[point] = thing
        self.board.put(self.outside(point), thing)

    def put_later(self, delay: float, point: int, thing: str) -> None:
        """Put something on a point, or take it off, in so many seconds."""
        self.board.clock.after(max(0.0, delay), lambda: self.put(point, thing))

    def _pull_later(self) -> None:
        assert self._pull is not None
        self.board.clock.after(self.rng.uniform(*self._pull), self._pull_now)

    def _pull_now(self) -> None:
        self.pulled += 1
        self.board.unplug()
        reset = self.rng.random() < 0.5
        self.board.clock.after(self.rng.uniform(*self._away), lambda: self._put_back(reset))

    def _put_back(self, reset: bool) -> None:
        self.board.plug(reset)
        self._pull_later()


def wire(simulated: SimulatedGame, pull: tuple[float, float] | None = None) -> WiredScene:
    """Put a simulated game that has not begun onto a wired scene; gives that."""
    old, tracker = simulated.scene, simulated.tracker
    scene = WiredScene(old.geometry, old.sensing, simulated.rng, "".join(old.things), tracker.turned, pull=pull)
    simulated.scene = simulated.hand.scene = scene
    controller = scene.controller = BoardController(
        scene.board, lambda hello: tracker, lambda event: simulated._heard([event]), _silent
    )

    def follow() -> None:
        position: Any = simulated.position()
        controller.tell(lambda tracker, now: tracker.follow(position, now))

    simulated._follow = follow  # type: ignore[method-assign]
    return scene


def _silent(text: str) -> None:
    """What the board's state is interests nobody here."""


def simulate_wired(simulated: SimulatedGame, most: int, pull: tuple[float, float] | None = None) -> tuple[Tally, int]:
    """Play a simulated game over a wire, up to so many moves; gives its tally and how often the cable was pulled."""
    scene = wire(simulated, pull)
    scene.run_until(scene.now + 5.0)
    tally = simulated.run(most)
    return tally, scene.pulled
