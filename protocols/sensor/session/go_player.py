"""A person at a sensor board as a Go player: ``qiqiao gtp --player board:URL``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engines.go.game import Game
from engines.go.points import COLOR_NAMES, PASS
from engines.player import Choice, Limits, Report
from protocols.sensor.reading import Board, Hello
from protocols.sensor.session.board_player import GLANCE, BoardPlayer
from protocols.sensor.session.board_tracker import board_tracker
from protocols.sensor.settings import BoardSettings
from protocols.sensor.tracker.events import Agreed, Event, Moved
from protocols.sensor.tracker.policy import FINAL
from protocols.sensor.tracker.tracker import Tracker


@dataclass(frozen=True)
class Dead:
    """Stones the people at the board agree to be dead."""

    dead: frozenset[int]


class GoBoardPlayer(BoardPlayer):
    """``protocols.gtp.players.GoPlayer``; moves are made by hand, and moves from elsewhere are shown on the board."""

    def __init__(
        self, board: Board, game: Game, settings: BoardSettings | None = None, *, say: Callable[[str], None]
    ) -> None:
        self._game = game.copy()
        self._agreed: frozenset[int] | None = None
        super().__init__(board, settings or BoardSettings(), say)

    def _make(self, hello: Hello) -> Tracker:
        tracker = board_tracker("go", self._game, hello, self.how, policy=FINAL)
        tracker.awaiting = False
        return tracker

    def _name(self, color: int) -> str:
        return COLOR_NAMES[color]

    def _choice(self, event: Moved) -> Choice[int]:
        return Choice("pass") if event.move == PASS else Choice("move", event.move)

    # ------------------------------------------------------------------ the client's game

    def accepts(self, width: int, height: int) -> bool:
        """Whether a game of this size can be played; as long as the board has not said what it is, any can."""
        hello = self.controller.hello
        return hello is None or (hello.geometry.width, hello.geometry.height) == (width, height)

    def follow(self, game: Game) -> None:
        """The client's game is now this one: show on the board what is to be done. Returns at once."""
        self._note_start(game.moves)
        self._game = game.copy()
        self._agreed = None
        if not self.controller.tell(
            lambda tracker, now: self._tell_waiting(tracker, self._follow(tracker, game, now), len(game.moves) - 1)
        ):
            self.controller.renew()

    @staticmethod
    def _follow(tracker: Tracker, game: Game, now: float) -> list[Event]:
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
        self._stopping = False
        self.follow(game)
        if self._has_lost(color):
            return Choice("resign")
        answer = self._wait_for(color)
        if answer is not None:
            return answer
        words = "resigns" if self.how.stopped == "resign" else "passes"
        self._say(f"no move was made on the board in time: {COLOR_NAMES[color]} {words}")
        return Choice("resign" if self.how.stopped == "resign" else "pass")

    def judge(self, game: Game) -> Dead:
        """Which stones are dead: after two passes the people at the board say so; before, none are."""
        if game.ending != "passes" or self.controller.tracker is None:
            return Dead(frozenset())
        if self._agreed is not None:
            return Dead(self._agreed)
        self._stopping = False
        self._say("lift a stone of each dead chain, then confirm twice (key yes)")
        self.controller.tell(lambda tracker, now: tracker.begin_scoring(now))
        with self._news:
            while self._agreed is None and not self._stopping:
                self._news.wait(GLANCE)
        scoring = self.controller.tracker.scoring
        dead = self._agreed if self._agreed is not None else scoring.dead if scoring is not None else frozenset()
        self._agreed = dead
        return Dead(dead)

    def configure(self, options: object) -> None:
        """Nothing of the board's changes with the options."""

    def _heard(self, event: Event) -> None:
        super()._heard(event)
        if isinstance(event, Agreed):
            with self._news:
                self._agreed = event.dead
                self._news.notify_all()
