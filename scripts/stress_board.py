"""Play the cases that have fooled boards, in real time: a hand at simulated boards, each on a pseudo-terminal.

    python scripts/stress_board.py --cases 100
    python scripts/stress_board.py --cases 100 --kinds flicker second --games go --virtual

Points that flicker at 0.1 to 12 Hz, gestures, dead sensors and second thoughts with 0.05 to 1.5 s between two things a
hand does (``protocols/sensor/simulation/stress.py``), for both games and every kind of sensing. What comes of each is
compared with what was done: no wrong move, no move held up, and a word within five seconds. ``--virtual`` runs the same
cases on a virtual clock, as the tests do.
"""

from __future__ import annotations

import argparse
import contextlib
import heapq
import os
import random
import select
import sys
import threading
import time
import tty
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from protocols.sensor.codecs.boards import open_board
from protocols.sensor.reading import EMPTY, Geometry
from protocols.sensor.session.controller import BoardController
from protocols.sensor.simulation.hand import QUIET, Scene
from protocols.sensor.simulation.qsb import QsbDevice
from protocols.sensor.simulation.sensors import Noise, Sensors
from protocols.sensor.simulation.stress import KINDS, StressCase, stress

BOARDS: tuple[tuple[str, Any], ...] = (
    ("go", "occ"),
    ("go", "pol"),
    ("xiangqi", "occ"),
    ("xiangqi", "pol"),
    ("xiangqi", "id"),
)
"""Games and kinds of sensing."""

NOISE = Noise(bounce_ms=30, flickers_per_s=0.5)


class Devices:
    """Drives all simulated boards, in one thread."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._boards: dict[int, QsbDevice] = {}
        self._gone: list[int] = []
        self._agenda: list[tuple[float, int, QsbDevice, int, str]] = []
        self._order = 0
        self._wake, self._waker = os.pipe()
        threading.Thread(target=self._run, daemon=True).start()

    def add(self, master: int, device: QsbDevice) -> None:
        """From now on a board lives at this end of a pseudo-terminal."""
        with self.lock:
            self._boards[master] = device
        os.write(self._waker, b".")

    def remove(self, master: int) -> None:
        """The board is no more; its end is closed by who waits for it."""
        with self.lock:
            del self._boards[master]
            self._gone.append(master)
        os.write(self._waker, b".")

    def put(self, device: QsbDevice, point: int, thing: str) -> None:
        """A hand puts something down, or takes it off."""
        with self.lock:
            device.put(point, thing, time.monotonic())
        os.write(self._waker, b".")

    def later(self, at: float, device: QsbDevice, point: int, thing: str) -> None:
        """A sensor shows something else at this time, whenever this thread comes to it."""
        with self.lock:
            self._order += 1
            heapq.heappush(self._agenda, (at, self._order, device, point, thing))
        os.write(self._waker, b".")

    def _run(self) -> None:
        while True:
            now = time.monotonic()
            soonest = now + 0.05
            with self.lock:
                while self._agenda and self._agenda[0][0] <= now:
                    at, _, device, point, thing = heapq.heappop(self._agenda)
                    device.put(point, thing, at)
                if self._agenda:
                    soonest = min(soonest, self._agenda[0][0])
                for master, device in self._boards.items():
                    data = device.outgoing(now)
                    if data:
                        with contextlib.suppress(OSError):  # what nobody reads is lost, as on a real line
                            os.write(master, data)
                    soonest = min(soonest, device.wake(now))
                masters = list(self._boards)
                while self._gone:
                    os.close(self._gone.pop())
            ready, _, _ = select.select([self._wake, *masters], [], [], max(0.0, soonest - time.monotonic()))
            with self.lock:
                if self._wake in ready:
                    os.read(self._wake, 4096)
                for master in self._boards.keys() & set(ready):
                    with contextlib.suppress(OSError):
                        self._boards[master].feed(os.read(master, 4096), time.monotonic())


class PtyScene(Scene):
    """A scene whose board is at the other end of a pseudo-terminal, and whose time is the real one."""

    def __init__(self, geometry: Geometry, sensing: Any, rng: random.Random, things: str, devices: Devices) -> None:
        super().__init__(geometry, sensing, rng, QUIET, things=things)
        sensors = Sensors(geometry, sensing, noise=NOISE, seed=rng.randrange(1 << 30))
        self.device = QsbDevice(sensors, seed=rng.randrange(1 << 30))
        self.devices = devices
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        for point, thing in enumerate(self.things):
            if thing != EMPTY:
                self.device.put(self.outside(point), thing, time.monotonic())
        devices.add(self.master, self.device)

    @property
    def now(self) -> float:
        return time.monotonic()

    @now.setter
    def now(self, value: float) -> None:
        """Only the clock moves the time."""

    def outside(self, point: int) -> int:
        """A point as the board counts it."""
        row, column = divmod(point, self.geometry.width)
        return (self.geometry.height - 1 - row) * self.geometry.width + column

    def run_until(self, when: float) -> None:
        time.sleep(max(0.0, when - self.now))

    def put(self, point: int, thing: str) -> None:
        self.things[point] = thing
        self.devices.put(self.device, self.outside(point), thing)

    def put_later(self, delay: float, point: int, thing: str) -> None:
        """A sensor shows something else in so many seconds."""
        self.devices.later(self.now + delay, self.device, self.outside(point), thing)

    def close(self) -> None:
        """Take the board away."""
        os.close(self.slave)
        self.devices.remove(self.master)


def live(game: str, sensing: Any, kind: str, seed: int, devices: Devices) -> StressCase:
    """Run a case in real time."""
    case = StressCase(game, sensing, kind, seed)
    geometry = Geometry(9, 9) if game == "go" else Geometry(9, 10)
    case.scene = scene = PtyScene(geometry, sensing, case.rng, case.things(), devices)
    board = open_board(os.ttyname(scene.slave))
    case.controller = BoardController(board, lambda hello: case.tracker, case.hear, lambda text: None)
    case.controller.start()
    try:
        end = time.monotonic() + 20
        while not case.tracker.stable_state and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(2.0)
        case.heard.clear()
        case.play()
    finally:
        case.controller.close()
        scene.close()
    return case


def main() -> int:
    """Run the cases and print what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=100, help="of each kind, game and sensing (100)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--games", nargs="+", choices=["go", "xiangqi"], default=["go", "xiangqi"])
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=25, metavar="N", help="boards at the same time (25)")
    parser.add_argument("--virtual", action="store_true", help="on a virtual clock, without pseudo-terminals")
    arguments = parser.parse_args()
    devices = None if arguments.virtual else Devices()

    def one(game: str, sensing: Any, kind: str, seed: int) -> StressCase:
        return stress(game, sensing, kind, seed) if devices is None else live(game, sensing, kind, seed, devices)

    failed = 0
    seeds = range(arguments.seed, arguments.seed + arguments.cases)
    boards = [(k, g, s) for k in arguments.kinds for g, s in BOARDS if g in arguments.games]
    with ThreadPoolExecutor(1 if arguments.virtual else arguments.at_once) as pool:
        running = [[pool.submit(one, game, sensing, kind, seed) for seed in seeds] for kind, game, sensing in boards]
        for (kind, game, sensing), futures in zip(boards, running, strict=True):
            cases = [future.result() for future in futures]
            bad = [case for case in cases if case.problems]
            failed += len(bad)
            print(f"{kind} {game} {sensing}: {len(cases)} cases, {len(bad)} wrong", flush=True)
            for case in bad:
                print(f"  {case.what}: {'; '.join(case.problems)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
