"""What players at a sensor board have in common, whatever they play: waiting for a hand, being stopped."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from engines.player import Choice
from protocols.sensor.reading import Board, Hello
from protocols.sensor.session.controller import BoardController
from protocols.sensor.settings import BoardSettings
from protocols.sensor.tracker.events import Asked, Discrepancy, Event, Gesture, Moved, Ruled, Sensor
from protocols.sensor.tracker.policy import FINAL
from protocols.sensor.tracker.tracker import Tracker

GLANCE = 0.2
"""Seconds between two looks whether another board has come while a move is waited for."""


class BoardPlayer(ABC):
    """A person at a board as a player. ``say`` gets lines for the user.

    Whatever the board does, nothing but the waiting for a move waits for it.
    """

    def __init__(self, board: Board, settings: BoardSettings, say: Callable[[str], None]) -> None:
        self.how = settings
        self._say = say
        self._news = threading.Condition()
        self._answer: Choice[int] | None = None
        self._wanted: int | None = None
        self._stopping = False
        self._begun = False
        self.controller = BoardController(board, self._make, self._heard, say, ignored=settings.ignore)
        self.controller.start()

    @abstractmethod
    def _make(self, hello: Hello) -> Tracker:
        """A tracker of the client's game for this board. Raises ValueError for one that does not fit."""

    @abstractmethod
    def _name(self, color: int) -> str:
        """A colour in words."""

    @abstractmethod
    def _choice(self, event: Moved) -> Choice[int]:
        """A move as a choice."""

    def _note_start(self, moves: Sequence[object]) -> None:
        """The client's game has these moves: without any, after some were made, it is another game.

        The hand's own moves are some of them, also where the client has not repeated them yet.
        """
        if self._begun and not moves:
            self._begin_anew()
        self._begun = bool(moves)

    def _begin_anew(self) -> None:
        """The client's next game is another one."""
        self.controller.tell(lambda tracker, now: tracker.new_game(now))

    def _has_lost(self, color: int) -> bool:
        """Whether the referee has given the client's game against a colour."""
        tracker = self.controller.tracker
        return tracker is not None and color in tracker.arbiter.lost

    def _wait_for(self, color: int, barred: frozenset[int] = frozenset()) -> Choice[int] | None:
        """The move that a hand makes for a colour; None when it was stopped before there was one.

        ``barred``: legal moves that the client does not allow.
        """
        with self._news:
            self._answer = None
            self._wanted = color

        def ask(tracker: Tracker, now: float) -> Sequence[Event]:
            tracker.humans = frozenset((color,))
            tracker.policy = replace(FINAL, barred=barred)
            return tracker.ask_for(color, now)

        def leave(tracker: Tracker, now: float) -> Sequence[Event]:
            tracker.policy = FINAL
            return tracker.ask_for(None, now)

        if not self.controller.tell(ask):
            self._say(f"board: {self.controller.problem}")
        asked = self.controller.tracker
        while True:
            with self._news:
                if self._answer is None and not self._stopping:
                    self._news.wait(GLANCE)
                if self._answer is not None or self._stopping:
                    break
            if self.controller.tracker is not asked:
                # Another board has come: it must know what is wanted.
                asked = self.controller.tracker
                self.controller.tell(ask)
        with self._news:
            answer, self._answer, self._wanted = self._answer, None, None
        self.controller.tell(leave)
        return answer

    def stop(self) -> None:
        """Make what waits for a hand return."""
        with self._news:
            self._stopping = True
            self._news.notify_all()

    def close(self) -> None:
        """Let the board go."""
        self.stop()
        self.controller.close()

    def _status(self) -> str:
        """What is waited for, in words."""
        tracker = self.controller.tracker
        if tracker is None or self.controller.problem:
            return self.controller.problem
        if tracker.discrepancy is not None:
            return tracker.discrepancy.text
        if tracker.executed < tracker.plies:
            return f"make the move {tracker.rules.told(tracker.executed)}: it is shown on the board"
        return f"{self._name(self._wanted)} to move" if self._wanted is not None else "no move is asked for"

    def _tell_waiting(self, tracker: Tracker, events: Sequence[Event], plies: int) -> Sequence[Event]:
        """Name the moves that have come since there were so many: a board without leds shows nothing."""
        for ply in range(max(plies, tracker.executed), tracker.plies):
            self._say(f"board: make the move {tracker.rules.told(ply)}")
        return events

    def _decide(self, choice: Choice[int]) -> None:
        with self._news:
            self._begun = self._begun or choice.action != "resign"
            self._answer = choice
            self._news.notify_all()

    def _heard(self, event: Event) -> None:
        """What the tracker says, with the controller's lock held; ``_ANSWERS`` says what is done about it."""
        answer = _ANSWERS.get(type(event))
        if answer is not None:
            answer(self, event)

    def _moved(self, event: Moved) -> None:
        if event.color == self._wanted:
            self._decide(self._choice(event))
        else:
            self._say(f"board: a move of {self._name(event.color)} was made that nobody asked for")

    def _wished(self, event: Gesture) -> None:
        if event.what == "resign" and event.color == self._wanted:
            self._decide(Choice("resign"))
        elif event.what == "menu":
            self._say(
                "board: keys: pass, resign, draw, yes, no, flip, hint, menu; the rest is for the program "
                f"that keeps the game. {self._status()}"
            )
        elif event.what == "hint":
            self._say("board: no hints here: the program that keeps the game has to give them")
        else:
            self._say(f"board: {event.what} is not for this side to decide; tell the program that keeps the game")

    def _ruled(self, event: Ruled) -> None:
        self._say(f"referee: {self._name(event.color)}: {event.text} [{event.article}]")
        if event.loser is not None and event.loser == self._wanted:
            self._decide(Choice("resign"))

    def _wrong(self, event: Discrepancy) -> None:
        remedies = "; ".join(remedy.text for remedy in event.remedies[:2])
        self._say(f"board: {event.text}" + (f" ({remedies})" if remedies else ""))

    def _told(self, event: Sensor | Asked) -> None:
        self._say(f"board: {event.text}")


_ANSWERS: dict[type[Event], Callable[[BoardPlayer, Any], None]] = {
    Moved: BoardPlayer._moved,
    Gesture: BoardPlayer._wished,
    Ruled: BoardPlayer._ruled,
    Discrepancy: BoardPlayer._wrong,
    Sensor: BoardPlayer._told,
    Asked: BoardPlayer._told,
}
"""What a player does about each kind of event; the others need no answer."""
