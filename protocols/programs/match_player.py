"""Another program as a player of a match: ``engines.arena.game.MatchPlayer``, as far as it is the same for all games.

Here an engine gets no second chance: an illegal move, a death or a hang ends its game, and the next game finds it
started anew. That differs from what the daemons do, who front one engine for one client and must not lose a game.
What differs between the games is in ``protocols.gtp.match_player`` and ``protocols.xiangqi.match_player``.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from engines.gametype import Decision
from engines.player import Limits, PlayerError
from protocols.log import SessionLog
from protocols.programs.config import EngineConfig
from protocols.programs.supervisor import EngineError, Refused, trouble_of

START_PAUSES = (0.5, 2.0)
"""Seconds between the attempts to start an engine for a game; after the last the match stops."""

KEPT = 10
"""Messages of an engine, and about it, that are kept for the case that it fails."""

ClientT = TypeVar("ClientT")


class EngineMatchPlayer(Generic[ClientT]):
    """An engine at the board. All but ``stop`` from one thread at a time."""

    def __init__(self, spec: EngineConfig, make_client: Callable[..., ClientT], log: SessionLog | None = None) -> None:
        """Nothing is started yet. ``make_client`` makes our end of its protocol, ``log`` gets both directions of its
        session."""
        self.spec = spec
        self._make_client = make_client
        self._log = log or SessionLog()
        self._told: deque[str] = deque(maxlen=KEPT)
        self._client: ClientT | None = None
        self._stopped = False

    # ------------------------------------------------------------------ what differs

    def _start(self, game: Any) -> ClientT:
        """Start the engine if need be and tell it of a new game; its client. Raises EngineError."""
        raise NotImplementedError  # each game has its own

    def _drop(self) -> None:
        """End the engine at once, without a word, so that nothing of its trouble is carried over."""
        raise NotImplementedError  # each game has its own

    # ------------------------------------------------------------------ Seat

    def begin(self, game: Any, color: int) -> None:
        """See ``engines.arena.game.MatchPlayer``; an engine that can't be started is tried a few times."""
        self._stopped = False
        for pause in (*START_PAUSES, None):
            self._told.clear()
            try:
                self._client = self._start(game)
                return
            except Refused as error:
                raise PlayerError(str(error), "refused") from None
            except EngineError as error:
                self._replace()
                if pause is None or self._stopped:
                    raise PlayerError(str(error), trouble_of(error)) from None
                time.sleep(pause)

    def choose(self, game: Any, color: int, limits: Limits, draw_offered: bool) -> Decision:
        """See ``engines.arena.game.MatchPlayer``."""
        raise NotImplementedError  # each game has its own

    def dead(self, game: Any) -> frozenset[int] | None:
        """See ``engines.arena.game.MatchPlayer``."""
        return None

    def stop(self) -> None:
        """See ``engines.arena.game.MatchPlayer``."""
        self._stopped = True

    def close(self) -> None:
        """End the engine."""
        self._client = None

    @property
    def title(self) -> str:
        """What the running engine calls itself, with its version where it has one; "" for none that runs."""
        client = self._client
        if client is None:
            return ""
        name = getattr(client, "engine_name", None) or getattr(client, "name", "")
        return f"{name} {getattr(client, 'version', '')}".strip()

    # ------------------------------------------------------------------ help

    def _replace(self) -> None:
        """Do away with the engine: the next game finds it started anew."""
        self._client = None
        self._drop()

    def _died_idle(self) -> PlayerError:
        """The error of an engine that is not there any more when it is asked."""
        self._replace()
        return PlayerError(f"{self.spec.title} has ended while it was the other side's turn", "died")

    def _failed(self, error: PlayerError) -> PlayerError:
        """The error of an engine that has failed, which is replaced.

        What was told just before says more: which move was illegal, what the engine said last.
        """
        words = list(dict.fromkeys([*self._told, str(error)]))
        self._replace()
        return PlayerError("; ".join(words[-2:]), error.kind)
