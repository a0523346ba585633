"""The games of a match on a Dask cluster: engines are named, not copied, and each worker starts its own.

A worker needs this program and the engines: commands are run there as they are written, named engines are looked up in
the file of named engines of that machine. What a worker sends back is a game that has been played to its end; the
journal is written by the match alone, so that a worker that dies costs no result: its game is played anew by another.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

from engines.arena.game import StartError
from engines.arena.journal import GameRow
from engines.arena.match import POLL, Worker
from engines.arena.pairings import ScheduledGame
from engines.arena.settings import Settings
from engines.gametype import Opening

AHEAD = 2
"""Games handed out for each thread of the cluster: one in play and one waiting."""

MOST_DEATHS = 5
"""Workers that may die over one game before the match stops: then it is the game that kills them."""

CONNECT_TIME = 20
"""Seconds to reach the scheduler."""

_workers = threading.local()
"""On a worker: what each of its threads plays with, and the match it belongs to."""

_made: list[Worker] = []
"""On a worker: all of those of the present generation, to be ended when their match is over."""

_generation = 0
"""On a worker: how often all have been ended. What a thread made before is of no use any more."""


def play_remotely(
    settings: dict[str, Any], engines: str | None, game: tuple[int, int, int, tuple[int, ...]], opening: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """On a worker: play one game; gives the row and what the programs call themselves, as plain values.

    ``engines`` is the file of named engines there, None for the usual place. Raises StartError.
    """
    from protocols.commands.match_players import PlayerMaker
    from protocols.programs.registry import default_path

    if getattr(_workers, "made_for", None) != (_generation, settings):
        if getattr(_workers, "worker", None) is not None:
            _workers.worker.close()
        match = Settings.from_json(settings)
        _workers.worker = Worker(match, PlayerMaker(match, engines or default_path()))
        _workers.made_for = (_generation, settings)
        _made.append(_workers.worker)
    row = _workers.worker.play(ScheduledGame(*game[:3], tuple(game[3])), Opening.from_json(opening))
    if row is None:
        raise StartError("the game was stopped")
    return row.to_json(), _workers.worker.programs()


def end_players() -> None:
    """On a worker: end all engines of a match that is over."""
    global _generation
    _generation += 1
    while _made:
        worker = _made.pop()
        worker.stop()
        worker.close()


class Cluster:
    """Games on the workers of a cluster; see ``engines.arena.match.Games``."""

    def __init__(self, address: str, settings: Settings, engines: str | None = None, most: int = 0) -> None:
        """``address`` is the scheduler's; ``most`` bounds the games side by side (0 and 1: as many as there are
        threads). Raises ImportError without Dask, OSError when the scheduler can't be reached."""
        try:
            from distributed import Client
        except ImportError:
            raise ImportError("a cluster needs Dask: pip install 'qiqiao[cluster]'") from None
        self._settings = settings.to_json()
        self._engines = engines
        self._most = most
        self._programs: dict[str, str] = {}
        self._client = Client(address, timeout=CONNECT_TIME)

    def programs(self) -> dict[str, str]:
        """See ``engines.arena.match.Games``."""
        return self._programs

    def run(
        self,
        scheduled: Iterator[tuple[ScheduledGame, Opening]],
        take: Callable[[GameRow], None],
        stopped: threading.Event,
    ) -> None:
        """See ``engines.arena.match.Games``."""
        from distributed import wait

        running: dict[Any, tuple[ScheduledGame, Opening, int]] = {}
        try:
            more = True
            while (more or running) and not stopped.is_set():
                while more and len(running) < self._room():
                    following = next(scheduled, None)
                    more = following is not None
                    if following is not None:
                        running[self._submit(*following)] = (*following, 0)
                if not running:
                    # No worker is there (yet).
                    stopped.wait(POLL)
                    continue
                try:
                    done = wait(list(running), timeout=POLL, return_when="FIRST_COMPLETED").done
                except (TimeoutError, asyncio.TimeoutError):  # one class from Python 3.11 on
                    continue
                for future in done:
                    self._finish(future, running, take)
        finally:
            self._client.cancel(list(running), force=True)
            self._client.run(end_players, on_error="ignore")
            self._client.close()

    def _room(self) -> int:
        """How many games to hand out."""
        threads = sum(self._client.nthreads().values())
        return AHEAD * (min(threads, self._most) if self._most > 1 else threads)

    def _submit(self, scheduled: ScheduledGame, opening: Opening) -> Any:
        game = (scheduled.game, scheduled.pair, scheduled.round, scheduled.seats)
        return self._client.submit(
            play_remotely, self._settings, self._engines, game, opening.to_json(), pure=False, priority=-scheduled.game
        )

    def _finish(self, future: Any, running: dict[Any, Any], take: Callable[[GameRow], None]) -> None:
        """Take a game that has ended, or hand it out again where its workers have died. Raises StartError."""
        from distributed import KilledWorker

        scheduled, opening, deaths = running.pop(future)
        if future.status == "finished":
            row, programs = future.result()
            self._programs.update(programs)
            take(GameRow.from_json(row))
            return
        error = None if future.status in ("cancelled", "lost") else future.exception()
        if error is not None and not isinstance(error, KilledWorker):
            raise error if isinstance(error, StartError) else StartError(f"a worker failed: {error!r}")
        if deaths >= MOST_DEATHS:
            raise StartError(f"game {scheduled.game} has cost {MOST_DEATHS} workers their lives")
        running[self._submit(scheduled, opening)] = (scheduled, opening, deaths + 1)
