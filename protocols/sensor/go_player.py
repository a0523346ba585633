"""A person at a sensor board as a Go player: ``qiqiao gtp --player board:URL``."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from engines.go.game import Game
from engines.go.points import BLACK, COLOR_NAMES, WHITE, opponent
from engines.player import Choice, Limits, Report
from protocols.sensor.desk import Desk
from protocols.sensor.reading import Board, Hello
from protocols.sensor.settings import BoardSettings
from protocols.sensor.tracker.core import FINAL, Timing
from protocols.sensor.tracker.events import (
    Agreed,
    Asked,
    Event,
    Executed,
    Gesture,
    Marked,
    Moved,
    Owed,
    Ruled,
    Trouble,
)
from protocols.sensor.tracker.go import GoTracker
from protocols.sensor.tracker.referee import Referee


@dataclass(frozen=True)
class Dead:
    """Stones the people at the board agree to be dead."""

    dead: frozenset[int]


class GoBoardPlayer:
    """``protocols.gtp.players.GoPlayer``; moves are made by hand, and moves from elsewhere are shown on the board.

    ``say`` gets lines for the user. Whatever the board does, no call but ``choose`` and ``judge`` waits for it.
    """

    def __init__(
        self, board: Board, game: Game, settings: BoardSettings | None = None, *, say: Callable[[str], None]
    ) -> None:
        self.settings = settings or BoardSettings()
        self._say = say
        self._game = game.copy()
        self._news = threading.Condition()
        self._answer: Choice[int] | None = None
        self._agreed: frozenset[int] | None = None
        self._wanted = 0
        self._stopping = False
        self._lost: set[int] = set()
        self.desk = Desk(board, self._make, self._heard, say)
        self.desk.start()

    def _make(self, hello: Hello) -> GoTracker:
        game = self._game
        geometry = hello.geometry
        if (geometry.width, geometry.height) != (game.width, game.height):
            raise ValueError(f"the board has {geometry} points, the game {game.width}x{game.height}")
        tracker = GoTracker(
            game,
            hello.sensing,
            (BLACK, WHITE),
            timing=Timing(settle=self.settings.settle),
            policy=FINAL,
            referee=Referee("go", self.settings.referee),
            turned=self.settings.turned,
        )
        tracker.awaiting = False
        return tracker

    # ------------------------------------------------------------------ the client's game

    def accepts(self, width: int, height: int) -> bool:
        """Whether a game of this size can be played; as long as the board has not said what it is, any can."""
        hello = self.desk.hello
        return hello is None or (hello.geometry.width, hello.geometry.height) == (width, height)

    def follow(self, game: Game) -> None:
        """The client's game is now this one: show on the board what is to be done. Returns at once."""
        self._game = game.copy()
        self._agreed = None
        if not game.moves:
            self._lost.clear()
        if not self.desk.tell(lambda tracker, now: self._follow(tracker, game, now)):
            self.desk.renew()

    @staticmethod
    def _follow(tracker: GoTracker, game: Game, now: float) -> list[Event]:
        if (tracker.geometry.width, tracker.geometry.height) != (game.width, game.height):
            return []
        return tracker.follow(game, now)

    # ------------------------------------------------------------------ the player

    def choose(
        self,
        game: Game,
        color: int,
        limits: Limits,
        report: Callable[[Report[int]], None] | None = None,
        *,
        cleanup: bool = False,
        fresh: bool = False,
        interval: float = 0.1,
    ) -> Choice[int]:
        """Wait until a hand has made a move for ``color`` on the board."""
        self.follow(game)
        if color in self._lost:
            return Choice("resign")
        with self._news:
            self._answer = None
            self._stopping = False
            self._wanted = color

        def ask(tracker: GoTracker, now: float) -> list[Event]:
            tracker.humans = frozenset((color,))
            return tracker.ask_for(color, now)

        if not self.desk.tell(ask):
            self._say(f"board: {self.desk.problem}")
        with self._news:
            asked = self.desk.tracker
            while self._answer is None and not self._stopping:
                self._news.wait(0.2)
                if self.desk.tracker is not asked and self.desk.tracker is not None:
                    # A board has come: it must know what is wanted.
                    asked = self.desk.tracker
                    self._news.release()
                    try:
                        self.desk.tell(ask)
                    finally:
                        self._news.acquire()
            answer = self._answer
            self._wanted = 0
        self.desk.tell(lambda tracker, now: tracker.ask_for(None, now))
        if answer is not None:
            return answer
        self._say(f"no move was made on the board in time: {COLOR_NAMES[color]} {self._stopped_words}")
        return Choice("resign" if self.settings.stopped == "resign" else "pass")

    @property
    def _stopped_words(self) -> str:
        return "resigns" if self.settings.stopped == "resign" else "passes"

    def judge(self, game: Game) -> Dead:
        """Which stones are dead: after two passes the people at the board say so; before, none are."""
        if game.ending != "passes" or self.desk.tracker is None:
            return Dead(frozenset())
        if self._agreed is not None:
            return Dead(self._agreed)
        self._stopping = False
        self._say("lift a stone of each dead chain, then confirm twice (key yes)")
        self.desk.tell(lambda tracker, now: tracker.begin_scoring(now))
        with self._news:
            while self._agreed is None and not self._stopping:
                self._news.wait(0.2)
        scoring = self.desk.tracker.scoring if isinstance(self.desk.tracker, GoTracker) else None
        dead = self._agreed if self._agreed is not None else scoring.dead if scoring is not None else frozenset()
        self._agreed = dead
        return Dead(dead)

    def configure(self, options: object) -> None:
        """Nothing of the board's changes with the options."""

    def stop(self) -> None:
        """Make ``choose`` or ``judge`` return."""
        with self._news:
            self._stopping = True
            self._news.notify_all()

    def close(self) -> None:
        """Let the board go."""
        self.stop()
        self.desk.close()

    # ------------------------------------------------------------------ what the tracker says

    def _decide(self, choice: Choice[int]) -> None:
        with self._news:
            self._answer = choice
            self._news.notify_all()

    def _heard(self, event: Event) -> None:
        tracker = self.desk.tracker
        if tracker is None:
            return
        if isinstance(event, Moved):
            color, point = event.color, event.move
            if color == self._wanted:
                self._decide(Choice("pass") if point < 0 else Choice("move", point))
        elif isinstance(event, Gesture):
            if event.what == "resign" and event.color == self._wanted:
                self._decide(Choice("resign"))
            else:
                self._say(f"board: {event.what} is not for this side to decide; tell the program that keeps the game")
        elif isinstance(event, Ruled):
            self._say(f"referee: {COLOR_NAMES[event.color]}: {event.text} [{event.article}]")
            if event.loser is not None:
                self._lost.add(event.loser)
                if event.loser == self._wanted:
                    self._decide(Choice("resign"))
        elif isinstance(event, Agreed):
            with self._news:
                self._agreed = event.dead
                self._news.notify_all()
        elif isinstance(event, Trouble):
            ways = "; ".join(way.text for way in event.ways[:2])
            self._say(f"board: {event.text}" + (f" ({ways})" if ways else ""))
        elif isinstance(event, Asked):
            self._say(f"board: {event.text}")
        elif isinstance(event, (Executed, Owed, Marked)):
            pass
        if isinstance(event, Moved) and event.color == opponent(self._wanted):
            self._say(f"board: a move of {COLOR_NAMES[event.color]} was made that nobody asked for")
