"""Who may sit opposite a person: the built-in player, another program, chance, or another person."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from typing import Any

from engines.arena.game import MatchPlayer
from engines.gametype import Decision, GameType
from engines.player import Limits, Player, PlayerError

HUMAN, SEARCH, RANDOM = "human", "search", "random"
"""A person at the same terminal, the built-in player, and one that plays any legal move."""


class LocalPlayer:
    """A player in this process as ``engines.arena.game.MatchPlayer``."""

    title = "qiqiao"

    def __init__(self, player: Player[Any]) -> None:
        self._player = player
        self._told_offers = "draw_offered" in inspect.signature(player.choose).parameters

    def begin(self, game: Any, color: int) -> None:
        """See ``engines.arena.game.MatchPlayer``."""

    def choose(self, game: Any, color: int, limits: Limits, draw_offered: bool) -> Decision:
        """See ``engines.arena.game.MatchPlayer``."""
        more = {"draw_offered": draw_offered} if self._told_offers else {}
        choice = self._player.choose(game, color, limits, None, **more)
        if choice.action == "none":
            raise PlayerError("there is no move to choose from", "no-move")
        return Decision.of(choice)

    def dead(self, game: Any) -> frozenset[int] | None:
        """See ``engines.arena.game.MatchPlayer``: the built-in judgement decides anyway."""
        return None

    def stop(self) -> None:
        """See ``engines.arena.game.MatchPlayer``."""
        self._player.stop()

    def close(self) -> None:
        """See ``engines.arena.game.MatchPlayer``."""
        self._player.close()


class RandomPlayer(LocalPlayer):
    """Plays any legal move, whatever the game."""

    title = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, game: Any, color: int, limits: Limits, draw_offered: bool) -> Decision:
        """See ``engines.arena.game.MatchPlayer``."""
        moves = list(game.legal_moves())
        if not moves:
            raise PlayerError("there is no move to choose from", "no-move")
        return Decision("move", self._random.choice(moves))

    def stop(self) -> None:
        """It never thinks."""

    def close(self) -> None:
        """There is nothing to give back."""


def make(game: GameType, source: str, level: str, program: Callable[[str], MatchPlayer]) -> MatchPlayer | None:
    """The player that a source names, None for a person. ``program`` makes one of another program's name or command.

    Raises ValueError, with a text for the user, for one that there is not, or that does not play this game.
    """
    if source == HUMAN:
        return None
    if source == RANDOM:
        return RandomPlayer()
    if source == SEARCH:
        player = game.player(level)
        if player is None:
            raise ValueError(f"there is no built-in player of {game.titles.english}: name a program, random or human")
        return LocalPlayer(player)
    return program(source)


def title(source: str, player: MatchPlayer | None) -> str:
    """What a player is called in records and on the screen."""
    if player is None:
        return ""
    if source == SEARCH:
        return "qiqiao"
    return source if len(source) <= 40 else source[:39] + "…"
