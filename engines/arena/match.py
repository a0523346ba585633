"""A match: plays what its journal does not have yet, several games side by side, until all is played or decided."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from engines.arena.game import MatchPlayer, Players, StartError, play
from engines.arena.journal import GameRow, Journal
from engines.arena.openings import Openings
from engines.arena.pairings import Schedule, ScheduledGame
from engines.arena.settings import Settings
from engines.arena.sprt import Verdict
from engines.arena.table import Table
from engines.gametype import GameType, Opening

POLL = 0.2
"""Seconds after which a wait looks whether the match has been stopped."""

MOST_PLAYERS = 4
"""Players that one worker keeps ready; in a match of more, the one that has waited longest is closed."""


@dataclass(frozen=True)
class State:
    """Where a match stands. ``ratio`` is the SPRT's log-likelihood ratio and ``verdict`` what it decides, None without
    such a test."""

    settings: Settings
    games: int
    total: int
    ratio: float | None
    verdict: Verdict | None


class Games(Protocol):
    """Where games are played: ``Local``, or a cluster's like."""

    def run(
        self,
        scheduled: Iterator[tuple[ScheduledGame, Opening]],
        take: Callable[[GameRow], None],
        stopped: threading.Event,
    ) -> None:
        """Play the games, giving each to ``take`` as it ends, from one thread at a time; return when all are done or
        ``stopped`` is set. Raises StartError when a player can't be brought to begin."""

    def programs(self) -> dict[str, str]:
        """What the entrants call themselves, by their names, as far as that is known."""


class Match:
    """A match with its journal. ``watch`` is called with the row after each game, when that is in the journal."""

    def __init__(self, settings: Settings, journal: Journal, watch: Callable[[GameRow], None] | None = None) -> None:
        """Raises ValueError for rules or openings that are no good."""
        self.settings = settings
        self.journal = journal
        self.game: GameType = settings.make_game()
        self.schedule = Schedule(settings)
        self.openings = Openings(settings, self.game)
        self.stopped = threading.Event()
        self.watch: Callable[[GameRow], None] = watch or (lambda row: None)
        self._verdict: Verdict | None = None

    def run(self, games: Games) -> State:
        """Play on until the end of the schedule, the verdict of the SPRT or ``stop``. Raises StartError."""
        if self._decided():
            return self.state()
        games.run(self._waiting(), self._take, self.stopped)
        return self.state()

    def stop(self) -> None:
        """End soon; games in progress are given up. From any thread, or a signal."""
        self.stopped.set()

    def state(self) -> State:
        """Where the match stands."""
        ratio, verdict = self.test()
        return State(self.settings, len(self.journal.contents.games), len(self.schedule), ratio, verdict)

    def test(self) -> tuple[float | None, Verdict | None]:
        """The SPRT's ratio and verdict. A verdict stands: games that end after it do not change it."""
        test = self.settings.sprt
        if test is None:
            return None, None
        ratio = test.ratio(Table(self.settings, self._rows()).between(0, 1).pairs)
        return ratio, self._verdict or test.verdict(ratio)

    def _rows(self) -> list[GameRow]:
        return list(self.journal.contents.games.values())

    def _waiting(self) -> Iterator[tuple[ScheduledGame, Opening]]:
        """The games to be played. The others of a pair begin as the first did, whatever this program makes of the
        seed today."""
        played = self.journal.contents.games
        for game in range(len(self.schedule)):
            if game in played:
                continue
            scheduled = self.schedule[game]
            partner = next((played[one] for one in self.schedule.group_of(game) if one in played), None)
            yield scheduled, self.openings[scheduled.round] if partner is None else partner.opening

    def _take(self, row: GameRow) -> None:
        if self.stopped.is_set() or not self.journal.add(row):
            return
        decided = self._decided()
        self.watch(row)
        if decided:
            self.stop()

    def _decided(self) -> bool:
        verdict = self.test()[1]
        if verdict in ("H0", "H1"):
            self._verdict = verdict
        return self._verdict is not None


class Local:
    """Games on this machine, so many side by side, each with players of its own."""

    def __init__(self, settings: Settings, make_player: Callable[[int], MatchPlayer], side_by_side: int = 1) -> None:
        """``make_player`` makes the player of an entrant, by its number."""
        self._settings = settings
        self._make_player = make_player
        self._count = max(1, side_by_side)
        self._programs: dict[str, str] = {}

    def programs(self) -> dict[str, str]:
        """See ``Games``."""
        return self._programs

    def run(
        self,
        scheduled: Iterator[tuple[ScheduledGame, Opening]],
        take: Callable[[GameRow], None],
        stopped: threading.Event,
    ) -> None:
        """See ``Games``."""
        lock = threading.Lock()
        events: queue.Queue[Any] = queue.Queue()
        workers = [Worker(self._settings, self._make_player, stopped) for _ in range(self._count)]

        def work(worker: Worker) -> None:
            outcome: BaseException | None = None
            try:
                while not stopped.is_set():
                    with lock:
                        following = next(scheduled, None)
                    if following is None:
                        break
                    row = worker.play(*following)
                    if row is not None:
                        events.put(row)
            except BaseException as error:  # whatever it is, it is told in the thread that runs the match
                outcome = error
            events.put((worker, outcome))

        threads = [threading.Thread(target=work, args=(worker,), name="game", daemon=True) for worker in workers]
        for thread in threads:
            thread.start()
        running, failure = len(threads), None
        try:
            while running:
                try:
                    event = events.get(timeout=POLL)
                except queue.Empty:
                    if stopped.is_set():
                        _stop_all(workers)
                    continue
                if isinstance(event, GameRow):
                    take(event)
                    if stopped.is_set():
                        _stop_all(workers)
                    continue
                running -= 1
                if event[1] is not None:
                    failure = failure or event[1]
                    stopped.set()
                    _stop_all(workers)
        finally:
            stopped.set()
            for thread in threads:
                while thread.is_alive():  # a stop that comes between two questions is heard by nobody
                    _stop_all(workers)
                    thread.join(POLL)
            for worker in workers:
                self._programs |= worker.programs()
                worker.close()
        if failure is not None:
            raise failure


def _stop_all(workers: list[Worker]) -> None:
    for worker in workers:
        worker.stop()


class Worker:
    """Plays one game at a time and keeps its players ready between them."""

    def __init__(
        self, settings: Settings, make_player: Callable[[int], MatchPlayer], stopped: threading.Event | None = None
    ) -> None:
        self._settings = settings
        self._make_player = make_player
        self._game = settings.make_game()
        self._stopped = stopped or threading.Event()
        self._players: dict[int, MatchPlayer] = {}
        self._playing: tuple[MatchPlayer, ...] = ()

    def play(self, scheduled: ScheduledGame, opening: Opening) -> GameRow | None:
        """Play a game; None when it was stopped. Raises StartError."""
        players = tuple(self._player(entrant, scheduled.seats) for entrant in scheduled.seats)
        self._playing = players
        if self._stopped.is_set():
            return None
        try:
            return play(self._settings, self._game, scheduled, opening, Players(players, self._stopped.is_set))
        finally:
            self._playing = ()

    def _player(self, entrant: int, wanted: tuple[int, ...]) -> MatchPlayer:
        """The player of an entrant, made if need be; the last used is the last in the table."""
        player = self._players.pop(entrant, None)
        if player is None:
            while len(self._players) >= max(MOST_PLAYERS, len(wanted)):
                self._players.pop(next(one for one in self._players if one not in wanted)).close()
            player = self._make_player(entrant)
        self._players[entrant] = player
        return player

    def stop(self) -> None:
        """Give the game in progress up. From any thread."""
        self._stopped.set()
        for player in self._playing:
            player.stop()

    def programs(self) -> dict[str, str]:
        """What the players call themselves, by entrants' names."""
        titles = {self._settings.entrants[entrant].name: one.title for entrant, one in self._players.items()}
        return {name: title for name, title in titles.items() if title}

    def close(self) -> None:
        """End all players."""
        for player in self._players.values():
            player.close()
        self._players.clear()


__all__ = ["Games", "Local", "Match", "StartError", "State", "Worker"]
