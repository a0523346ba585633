"""A UCCI, UCI or CECP engine as a player of a match.

Whoever plays the game asks the engine and reads its answer in one thread, and keeps nothing of its thinking but the
last report: a match costs processor time with every move, which the engines could have (docs/tournaments.md).
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

from engines.gametype import Decision
from engines.player import Limits, PlayerError
from engines.xiangqi.game import Game
from protocols.programs.match_player import EngineMatchPlayer
from protocols.programs.supervisor import EngineDied, EngineError, Supervisor, trouble_of
from protocols.xiangqi.engine_deadlines import (
    LATE,
    OWN_TIME,
    end_of,
    left_told,
    limits_told,
    move_in,
    stopped,
    word_for,
)
from protocols.xiangqi.orders import READY_TIME, BestMove, EngineClient, SearchRequest

MOVE_TIME = 2.0
"""Seconds for a move that nothing else limits."""


class XiangqiMatchPlayer(EngineMatchPlayer[EngineClient]):
    """See ``protocols.programs.match_player.EngineMatchPlayer``."""

    _keeper: Supervisor[Any] | None = None
    _heard: Limits = Limits()
    """The limits that were given last, and below what the engine is told of them."""
    _told_limits: Limits = Limits(seconds=MOVE_TIME)

    # ------------------------------------------------------------------ Seat

    def _start(self, game: Game) -> EngineClient:
        if self._keeper is None:
            self._keeper = Supervisor(self.spec, self._make_client, self._log, self._told.append, attended=True)
            self._keeper.unwanted = lambda: self._stopped
        self._keeper.leash.reset()
        with self._keeper.leash.until(math.inf):
            client: EngineClient = self._keeper.client()
            client.terse = True
            client.on_message = self._told.append
            client.new_game()
            client.ready()
        if client.death is not None:
            raise EngineDied(f"{self.spec.title} ended when a game began")
        return client

    def _drop(self) -> None:
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.drop()
            keeper.close()

    def choose(self, game: Game, color: int, limits: Limits, draw_offered: bool) -> Decision:
        """See ``engines.arena.game.MatchPlayer``."""
        client = self._client
        if client is None or client.death is not None:
            raise self._died_idle()
        order = SearchRequest(game.board, self._limits(limits), None, draw_offered)
        try:
            answer = self._ask(client, order)
        except EngineError as error:
            raise self._gone(error) from None
        word, thought = answer.word, client.thought
        if word == "resign":
            return Decision("resign")
        move = move_in(answer, client, self.spec, order.board)
        if isinstance(move, str):
            self._note(move)
            if not answer.text and not word:
                raise self._failed(PlayerError(move, "no-move"))
            raise self._failed(PlayerError(f"{self.spec.title} gave no legal move", "illegal"))
        if draw_offered and not word and self.spec.protocol == "uci":
            word = word_for(thought.score, draw_offered, 0)
        return Decision("draw" if word == "draw" else "move", move, thought.score, None, thought.depth, thought.nodes)

    def stop(self) -> None:
        """See ``engines.arena.game.MatchPlayer``."""
        super().stop()
        keeper = self._keeper
        client = None if keeper is None else keeper.running
        if keeper is None or client is None:
            return
        keeper.leash.stop(0)
        if not keeper.settled:
            client.abort()  # it is starting, and nobody wants to wait for that
        client.wake()

    def close(self) -> None:
        """End the engine."""
        super().close()
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.close()

    # ------------------------------------------------------------------ help

    def _limits(self, limits: Limits) -> Limits:
        """The limits that the engine gets to hear. Those of a whole game are one object, in which the clocks run."""
        if limits is not self._heard:
            self._heard = limits
            if (limits.seconds, limits.nodes, limits.depth, limits.mate, limits.clock) == (None,) * 5:
                limits = replace(limits, seconds=MOVE_TIME)
            self._told_limits = limits_told(limits, OWN_TIME)
            return self._told_limits
        own, given = self._told_limits.clock, limits.clock
        if own is not given and own is not None and given is not None:
            own.left, own.stones = left_told(given, OWN_TIME), given.stones
        return self._told_limits

    def _ask(self, client: EngineClient, order: SearchRequest) -> BestMove:
        """One search, with the time it may take enforced. Raises EngineError."""

        def due() -> bool:
            return client.answer is not None or self._stopped

        assert self._keeper is not None
        turn = order.since = time.monotonic()
        with self._keeper.leash.until(turn + min(order.limits.reach, READY_TIME)):
            client.catch_up()
            client.go(order)
        end, silent = end_of(order.limits, turn, time.monotonic()), False
        if end is not None:
            client.wait_for(due, end)
        else:
            while not silent and not client.wait_for(due, time.monotonic() + 1):
                silent = time.monotonic() - client.heard > self.spec.patience
        if client.answer is not None:
            return client.answer
        # On a clock that has run out it gets a little longer: not every client has the flag fall.
        return stopped(client, self.spec, self.spec.stop_time + (0.0 if self._stopped else LATE), silent)

    def _note(self, text: str) -> None:
        """Something about the engine, for its error and for the log."""
        assert self._keeper is not None
        self._keeper.report(text)

    def _gone(self, error: EngineError) -> PlayerError:
        """The error of an engine that has died or hangs, with the last that it said on standard error."""
        keeper = self._keeper
        assert keeper is not None
        keeper.drop(str(error))
        last = [line for line in keeper.last_errors if line.strip()][-1:]
        if last:
            self._note(f"{self.spec.title} says: {last[0][:300]}")
        return self._failed(PlayerError(str(error), trouble_of(error)))
