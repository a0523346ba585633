"""A GTP engine as a player of a match."""

from __future__ import annotations

from typing import Any

from engines.gametype import Decision
from engines.go.game import Game
from engines.player import Limits, PlayerError
from protocols.gtp.client import GtpClient
from protocols.gtp.engine import EnginePlayer, dead_stones
from protocols.gtp.options import Options
from protocols.programs.match_player import EngineMatchPlayer
from protocols.programs.supervisor import EngineDied, EngineError, EngineHung

JUDGE_TIME = 20.0
"""Seconds for an engine to say which stones are dead."""


class GtpMatchPlayer(EngineMatchPlayer[GtpClient]):
    """See ``protocols.programs.match_player.EngineMatchPlayer``."""

    _player: EnginePlayer | None = None

    def _start(self, game: Game) -> GtpClient:
        if self._player is None:
            self._player = EnginePlayer(self.spec, Options(), self._log, self._told.append, attended=True)
        self._player.prepare(game)
        client = self._player.running
        if client is None:
            raise EngineDied(f"{self.spec.title} ended when a game began")
        return client

    def _drop(self) -> None:
        player, self._player = self._player, None
        if player is not None:
            player.give_up()

    def choose(self, game: Game, color: int, limits: Limits, draw_offered: bool) -> Decision:
        """See ``engines.arena.game.MatchPlayer``."""
        player = self._player
        if player is None or player.running is not self._client:
            raise self._died_idle()
        try:
            # Asking for reports makes engines that can do so tell what they think.
            choice = player.choose(game, color, limits, _unheard, interval=_interval(limits))
        except PlayerError as error:
            raise self._failed(error) from None
        if choice.action == "none":
            raise PlayerError(f"{self.spec.title} has no move", "no-move")
        return Decision.of(choice)

    def dead(self, game: Any) -> frozenset[int] | None:
        """See ``engines.arena.game.MatchPlayer``."""
        player, client = self._player, self._client
        if player is None or client is None or client is not player.running or not client.has("final_status_list"):
            return None
        try:
            # It has not seen the last passes.
            player.prepare(game)
            return dead_stones(client, game, JUDGE_TIME)
        except EngineHung:
            self._replace()
        except (EngineError, ValueError):
            pass
        return None

    def stop(self) -> None:
        """See ``engines.arena.game.MatchPlayer``."""
        super().stop()
        player = self._player
        if player is not None:
            player.abort()

    def close(self) -> None:
        """End the engine."""
        super().close()
        player, self._player = self._player, None
        if player is not None:
            player.close()


def _unheard(report: Any) -> None:
    """Where reports go that nobody reads: the last one comes with the choice."""


def _interval(limits: Limits) -> float:
    """Seconds between two reports of a Go engine: few, since each costs it and us time."""
    if limits.seconds is not None:
        return max(0.05, limits.seconds / 2)
    return 1.0
