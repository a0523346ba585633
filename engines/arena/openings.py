"""Which opening each round of a match plays: decided by the match's seed and the round's number alone."""

from __future__ import annotations

import random
import threading
from collections import OrderedDict
from dataclasses import replace

from engines.arena.settings import Settings
from engines.gametype import GameType, Opening

KEPT = 64
"""Random openings kept in mind: both games of a pair, and all pairings of a round, ask for the same one."""

_STRIDE = 1_000_003
"""Keeps the seeds of two matches' openings apart."""


class Openings:
    """The openings of a match; safe from several threads."""

    def __init__(self, settings: Settings, game: GameType) -> None:
        """Raises ValueError, with a text for the user, for a file of openings that is no good."""
        self.notes: list[str] = []
        """What the user should know of the file: openings left out, and why."""
        self._settings = settings
        self._game = game
        self._lock = threading.Lock()
        self._made: OrderedDict[int, Opening] = OrderedDict()
        self._book: list[Opening] | None = None
        if settings.openings == "none":
            self._book = [Opening()]
        elif settings.openings != "random":
            self._book = game.read_openings(settings.openings, settings.opening_plies, self.notes.append)
            if settings.shuffle:
                random.Random(settings.seed).shuffle(self._book)

    @property
    def count(self) -> int | None:
        """How many there are before they come again; None for no end of them."""
        return None if self._book is None else len(self._book)

    def __getitem__(self, number: int) -> Opening:
        """The opening of a round, with the seed of what is left to chance in its games."""
        opening = self._opening(number)
        return replace(opening, seed=self._seed(number)) if self._game.chance else opening

    def _seed(self, number: int) -> int:
        return self._settings.seed * _STRIDE + number

    def _opening(self, number: int) -> Opening:
        if self._book is not None:
            return self._book[number % len(self._book)]
        settings = self._settings
        with self._lock:
            if number not in self._made:
                self._made[number] = self._game.random_opening(
                    self._seed(number), settings.opening_plies, settings.balance
                )
                while len(self._made) > KEPT:
                    self._made.popitem(last=False)
            return self._made[number]
