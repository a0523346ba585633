"""Play random games in real time: a simulated hand at a simulated board in its own process, on a pseudo-terminal.

    python scripts/track_live.py go 9 occ --games 20 --moves 30
    python scripts/track_live.py xiangqi id --games 20 --moves 30 --unplug

All games of a run are played at the same time, each on a board of its own. With ``--unplug`` the cable is pulled and
put back again and again while they are played. Prints what ``track_games.py`` prints, and how long after the board had
been still for the time that a move needs the move was known (median, 99th percentile).
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from protocols.sensor.codecs.boards import open_board
from protocols.sensor.reading import EMPTY, Geometry
from protocols.sensor.session.controller import BoardController
from protocols.sensor.simulation.hand import QUIET, Habits, Noise, Scene
from protocols.sensor.simulation.simulated_game import SimulatedGame, SimulatedGoGame, SimulatedXiangqiGame, Tally
from protocols.sensor.tracker.events import Event, Moved
from protocols.sensor.tracker.tracker import Tracker

ROOT = Path(__file__).resolve().parent.parent

MODEST = Habits(think_time=(1.0, 3.0))
"""The usual people, who think less long: the time is real."""


class LiveScene(Scene):
    """A scene whose board is another process, and whose time is the real one."""

    def __init__(self, geometry: Geometry, sensing: Any, rng: random.Random, things: str, unplug: bool) -> None:
        super().__init__(geometry, sensing, rng, QUIET, things=things)
        self._directory = tempfile.TemporaryDirectory()
        self.link = os.path.join(self._directory.name, "board")
        command = [sys.executable, str(ROOT / "scripts" / "simulate_board.py"), "--size", str(geometry)]
        command += ["--sensing", sensing, "--link", self.link, "--bounce", "30", "--flickers", "0.5"]
        weak = [str(point) for point in range(geometry.count) if rng.random() < 0.02]
        command += ["--seed", str(rng.randrange(1 << 30)), *(["--weak", *weak] if weak else [])]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            text=True,
            cwd=ROOT,
        )
        self._unplug = unplug
        self._next_unplug = time.monotonic() + rng.uniform(5, 15)
        self.unplugged = 0
        for _ in range(100):
            if os.path.exists(self.link):
                break
            time.sleep(0.05)
        for point, thing in enumerate(self.things):
            if thing != EMPTY:
                self._send(f"put {self.outside(point)} {thing}")

    def outside(self, point: int) -> int:
        """A point as the board counts it."""
        row, column = divmod(point, self.geometry.width)
        return (self.geometry.height - 1 - row) * self.geometry.width + column

    def _send(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    @property
    def now(self) -> float:
        return time.monotonic()

    @now.setter
    def now(self, value: float) -> None:
        pass

    def run_until(self, when: float) -> None:
        if self._unplug and self.now > self._next_unplug:
            self.unplugged += 1
            self._send(f"unplug {self.rng.uniform(0.2, 3.0):.2f}")
            self._next_unplug = self.now + self.rng.uniform(5, 20)
        time.sleep(max(0.0, when - self.now))

    def put(self, point: int, thing: str) -> None:
        self.things[point] = thing
        self._send(f"lift {self.outside(point)}" if thing == EMPTY else f"put {self.outside(point)} {thing}")

    def close(self) -> None:
        """End the board's process."""
        with contextlib.suppress(OSError):
            self._send("quit")
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._directory.cleanup()


class Live:
    """A simulated game on a live scene. The tracker lives behind a controller and its thread."""

    def __init__(self, simulated: SimulatedGame, unplug: bool) -> None:
        old = simulated.scene
        tracker: Tracker = simulated.tracker
        tracker.turned = False
        scene = LiveScene(old.geometry, old.sensing, simulated.rng, "".join(old.things), unplug)
        self.simulated, self.scene = simulated, scene
        self.delays: list[float] = []
        simulated.scene = scene
        simulated.hand.scene = scene
        self.board = open_board(scene.link)
        self.controller = BoardController(self.board, lambda hello: tracker, self._heard, lambda text: None)
        simulated._follow = self._follow  # type: ignore[method-assign]

    def _heard(self, event: Event) -> None:
        if isinstance(event, Moved):
            # What a quiet move must wait for anyhow is no delay.
            self.delays.append(time.monotonic() - event.at - self.simulated.tracker.timing.settle)
        self.simulated._heard([event])

    def _follow(self) -> None:
        while not self.controller.tell(lambda tracker, now: tracker.follow(self.simulated.position(), now)):
            time.sleep(0.05)  # the board has not said yet what it is

    def run(self, moves: int) -> Tally:
        """Play, and give what came of it."""
        self.controller.start()
        end = time.monotonic() + 20
        while not self.simulated.tracker.stable_state and time.monotonic() < end:
            time.sleep(0.05)
        try:
            return self.simulated.run(moves)
        finally:
            self.controller.close()
            self.scene.close()


def play(game: str, size: int, sensing: Any, seed: int, moves: int, unplug: bool) -> tuple[Tally, list[float], int]:
    """One game."""
    rng = random.Random(seed)
    both, first = rng.random() < 0.5, rng.random() < 0.5
    simulated: SimulatedGame
    if game == "go":
        simulated = SimulatedGoGame(size, sensing, rng, MODEST, Noise(), both, 1 if first else 2)
    else:
        simulated = SimulatedXiangqiGame(sensing, rng, MODEST, Noise(), both, 0 if first else 1)
    live = Live(simulated, unplug)
    begin = time.monotonic()
    tally = live.run(moves)
    tally.seconds = time.monotonic() - begin
    return tally, live.delays, live.scene.unplugged


def main() -> int:
    """Run the games and print the tally."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=["go", "xiangqi"])
    parser.add_argument("kind", nargs="+", help="board size (Go) and sensing: occ, pol, id")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unplug", action="store_true", help="pull the cable now and then")
    arguments = parser.parse_args()
    size = int(arguments.kind[0]) if arguments.game == "go" else 0
    total, delays, pulled = Tally(), [], 0
    lock = threading.Lock()

    def one(number: int) -> None:
        nonlocal pulled
        seed = arguments.seed * 1000 + number
        tally, late, times = play(arguments.game, size, arguments.kind[-1], seed, arguments.moves, arguments.unplug)
        with lock:
            total.add(tally)
            delays.extend(late)
            pulled += times
            if tally.notes:
                print(f"seed {seed}: {tally.notes}", flush=True)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(arguments.games)]
    for thread in threads:
        thread.start()
        time.sleep(0.2)
    for thread in threads:
        thread.join()
    delays.sort()
    median, last = (delays[len(delays) // 2], delays[int(len(delays) * 0.99)]) if delays else (0.0, 0.0)
    print(f"{arguments.game} {size or ''} {arguments.kind[-1]}: {total.report()}")
    print(f"cables pulled {pulled} times; delay after the settle time: median {median:.3f} s, 99 % {last:.3f} s")
    return 1 if total.wrong or total.stuck else 0


if __name__ == "__main__":
    sys.exit(main())
