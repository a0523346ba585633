"""A person at a sensor board as a Xiangqi player: ``qiqiao ucci --player board:URL``, and ``uci`` likewise."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from engines.player import Choice, Limits, Report
from engines.xiangqi.board import Board as Position
from engines.xiangqi.geometry import SIDE_NAMES
from engines.xiangqi.player import SearchPlayer, Settings
from protocols.sensor.reading import Board, Hello
from protocols.sensor.session.board_player import GLANCE, BoardPlayer
from protocols.sensor.session.board_tracker import board_tracker
from protocols.sensor.settings import BoardSettings
from protocols.sensor.tracker.events import Event, Gesture, Moved
from protocols.sensor.tracker.policy import FINAL
from protocols.sensor.tracker.tracker import Tracker

RED, BLACK = 0, 1


class XiangqiBoardPlayer(BoardPlayer):
    """``protocols.xiangqi.players.XiangqiPlayer``; moves are made by hand, moves from elsewhere shown on the board.

    Stopped before a hand has moved it has no move: ``nobestmove``, or the null move. A search without end, or in the
    opponent's time, waits for its end and takes no move from the board.
    """

    waits_for_a_hand = True
    """No clock ends the waiting: at the end of input nothing is waited for any longer."""

    def __init__(
        self,
        board: Board,
        settings: BoardSettings | None = None,
        engine_settings: Settings | None = None,
        *,
        say: Callable[[str], None],
    ) -> None:
        """``engine_settings`` are what the protocols' options set; nothing of it changes the person."""
        self.settings = engine_settings or Settings()
        self._position = Position()
        self._asking = threading.Event()
        self._built_in: SearchPlayer | None = None
        self._ready = False
        self._drawing = False
        super().__init__(board, settings or BoardSettings(), say)

    def _make(self, hello: Hello) -> Tracker:
        tracker = board_tracker("xiangqi", self._position, hello, self.how, policy=FINAL)
        tracker.awaiting = False
        return tracker

    def _name(self, color: int) -> str:
        return SIDE_NAMES[color]

    def _choice(self, event: Moved) -> Choice[int]:
        return Choice("draw" if self._drawing else "move", event.move)

    def follow(self, game: Any) -> None:
        """The client's game is now this one: show on the board what is to be done. Returns at once."""
        position: Position = getattr(game, "board", game)
        self._note_start(position.history)
        self._position = position.copy()
        before = len(position.history) - 1
        if not self.controller.tell(
            lambda tracker, now: self._tell_waiting(tracker, tracker.follow(position, now), before)
        ):
            self.controller.renew()

    # ------------------------------------------------------------------ XiangqiPlayer

    def choose(
        self,
        game: Any,
        color: int,
        limits: Limits,
        report: Callable[[Report[int]], None] | None = None,
        *,
        draw_offered: bool = False,
    ) -> Choice[int]:
        """Wait until a hand has made a move for ``color`` on the board."""
        if not self._ready:
            self.begin()
        try:
            self._drawing = False
            if draw_offered:
                self._say("the opponent offers a draw (提和); both generals at the river, twice, and a move accept it")
            position: Position = getattr(game, "board", game)
            legal = position.legal_moves()
            barred = limits.barred(color, legal)
            if len(barred) == len(legal):
                self.follow(game)
                return Choice("none")
            if limits.infinite:
                while not self._stopping and not self._asking.is_set():
                    with self._news:
                        self._news.wait(GLANCE)
                if self._stopping:
                    return Choice("none")
            self.follow(game)
            if self._has_lost(color):
                return Choice("resign")
            answer = self._wait_for(color, barred)
            if answer is None:
                self._say("no move was made on the board before the search was stopped")
                return Choice("none")
            return answer
        finally:
            self._ready = False

    def begin(self) -> None:
        """From now on ``stop`` counts, although ``choose`` is not called yet."""
        with self._news:
            self._ready = True
            self._stopping = False
            self._asking.clear()

    def ponder_hit(self, limits: Limits, draw_offered: bool = False) -> None:
        """The expected move was played: now the hand's is waited for."""
        with self._news:
            self._asking.set()
            self._news.notify_all()

    def new_game(self) -> None:
        """Violations are those of one game."""
        self._begin_anew()

    def resize(self, megabytes: int) -> None:
        """A person has no hash table."""

    def static(self, board: Position) -> int:
        """The built-in evaluation: a person gives none."""
        if self._built_in is None:
            self._built_in = SearchPlayer(Settings(hash=1))
        return self._built_in.static(board)

    def probe(self, key: int) -> tuple[int, int, int, int] | None:
        """Nothing is known."""
        return None

    def _heard(self, event: Event) -> None:
        if isinstance(event, Gesture) and event.what == "draw" and event.color == self._wanted:
            self._drawing = True
            self._say("the draw (提和) goes with your next move")
            return
        super()._heard(event)
