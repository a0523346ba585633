"""The players of a match: other programs and the built-in search, each a process of its own.

Here an engine gets no second chance: an illegal move, a death or a hang ends its game, and the next game finds it
started anew. That differs from what the daemons do, who front one engine for one client and must not lose a game.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

from engines.arena.settings import Entrant, Settings
from engines.player import Choice, Limits, PlayerError
from protocols.external import EngineDied, EngineError, EngineHung, Refused, trouble_of
from protocols.log import SessionLog
from protocols.roster import RosterError, find
from protocols.spec import Spec

SEARCH = "search"
"""The built-in search, in a process of its own; ``search:ARGUMENTS`` gives it those of ``qiqiao gtp`` or ``uci``."""

START_PAUSES = (0.5, 2.0)
"""Seconds between the attempts to start an engine for a game; after the last the match stops."""

JUDGE_TIME = 20.0
"""Seconds for an engine to say which stones are dead."""


def spec_of(entrant: Entrant, settings: Settings, engines: str) -> Spec:
    """What is known of an entrant; ``engines`` is the file of named engines. Raises RosterError."""
    word, colon, arguments = entrant.source.partition(":")
    if word == SEARCH:
        spec = Spec("gtp" if settings.game == "go" else "uci", _own_command(settings, arguments if colon else ""))
        spec = replace(spec, name=entrant.name)
    else:
        found = find(entrant.source, settings.game, engines)
        assert found is not None  # only "search" is none
        spec = found
    options = {**spec.options, **entrant.options}
    return replace(spec, name=entrant.name, options=options, retries=0, trouble="error")


def _own_command(settings: Settings, arguments: str) -> str:
    """The command of this program as an engine."""
    words = [sys.executable, "-m", "qiqiao", "gtp" if settings.game == "go" else "uci"]
    if settings.rules:
        words += ["--rules", settings.rules]
    if settings.game == "xiangqi":
        words.append("--terse")  # each line told costs both sides time
        if settings.limit != "cxa":
            words += ["--natural-limit", settings.limit]
    own = subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
    return f"{own} {arguments}".strip()


class EngineSeat:
    """``engines.arena.game.Seat`` by another program.

    ``log`` gets both directions of its session. A player that failed in one game is replaced for the next, so that
    nothing of its trouble, and no bound on starts, is carried over.
    """

    def __init__(self, spec: Spec, settings: Settings, log: SessionLog | None = None) -> None:
        """Nothing is started yet."""
        self.spec = spec
        self._settings = settings
        self._log = log or SessionLog()
        self._told: list[str] = []
        self._player: Any = None
        self._client: Any = None
        self._stopped = False

    # ------------------------------------------------------------------ Seat

    def begin(self, game: Any, color: int) -> None:
        """See ``engines.arena.game.Seat``; an engine that can't be started is tried a few times."""
        self._stopped = False
        for pause in (*START_PAUSES, None):
            try:
                self._begin(game)
                return
            except Refused as error:
                raise PlayerError(str(error), "refused") from None
            except EngineError as error:
                self._replace()
                if pause is None or self._stopped:
                    raise PlayerError(str(error), trouble_of(error)) from None
                time.sleep(pause)

    def _begin(self, game: Any) -> None:
        if self._player is None:
            self._player = self._make()
        self._told.clear()
        if self._settings.game == "go":
            self._player.prepare(game)
        else:
            self._player.new_game()
            self._player.prepare()
        self._client = self._player.running
        if self._client is None:
            raise EngineDied(f"{self.spec.title} ended when a game began")

    def _make(self) -> Any:
        """A player that has not been started."""
        if self._settings.game == "go":
            from protocols.gtp.engine import EnginePlayer
            from protocols.gtp.options import Options

            return EnginePlayer(self.spec, Options(), self._log, self._told.append)
        from engines.xiangqi.player import Settings as SearchSettings
        from protocols.xiangqi.engine import EnginePlayer as XiangqiPlayer

        player = XiangqiPlayer(self.spec, SearchSettings(), self._log, self._told.append)
        player.terse = True
        return player

    def choose(self, game: Any, color: int, limits: Limits, draw_offered: bool) -> Choice[Any]:
        """See ``engines.arena.game.Seat``."""
        if self._player.running is not self._client:
            self._replace()
            raise PlayerError(f"{self.spec.title} has ended while it was the other side's turn", "died")
        try:
            if self._settings.game == "go":
                # Asking for reports makes engines that can do so tell what they think.
                choice: Choice[Any] = self._player.choose(game, color, limits, _unheard, interval=_interval(limits))
            else:
                choice = self._player.choose(game, color, limits, draw_offered=draw_offered)
        except PlayerError as error:
            # What was told just before says more: which move was illegal, what the engine said last.
            words = list(dict.fromkeys([*self._told, str(error)]))
            self._replace()
            raise PlayerError("; ".join(words[-2:]), error.kind) from None
        if choice.action == "none":
            raise PlayerError(f"{self.spec.title} has no move", "illegal")
        return choice

    def dead(self, game: Any) -> frozenset[int] | None:
        """See ``engines.arena.game.Seat``."""
        from engines.go.points import EMPTY, PASS
        from engines.go.vertex import parse_vertex

        client = self._player.running if self._player is not None else None
        if client is None or client is not self._client or not client.has("final_status_list"):
            return None
        try:
            # It has not seen the last passes.
            self._player.prepare(game)
            words = client.ask("final_status_list dead", JUDGE_TIME).split()
            points = [parse_vertex(word, game.width, game.height) for word in words]
        except EngineHung:
            self._replace()
            return None
        except (EngineError, ValueError):
            return None
        if any(point == PASS or game.board.at(point) == EMPTY for point in points):
            return None
        return frozenset(stone for point in points for stone in game.board.chain(point))

    def stop(self) -> None:
        """See ``engines.arena.game.Seat``."""
        self._stopped = True
        player = self._player
        if player is not None:
            getattr(player, "abort", player.stop)()

    def close(self) -> None:
        """End the engine."""
        player, self._player, self._client = self._player, None, None
        if player is not None:
            player.close()

    # ------------------------------------------------------------------ help

    @property
    def title(self) -> str:
        """What the running engine calls itself, with its version where it has one; "" for none that runs."""
        client = self._client
        if client is None:
            return ""
        name = getattr(client, "engine_name", None) or getattr(client, "name", "")
        return f"{name} {getattr(client, 'version', '')}".strip()

    def _replace(self) -> None:
        """Do away with the player, and end its program at once."""
        player, self._player, self._client = self._player, None, None
        if player is not None:
            player.give_up()


def _unheard(report: Any) -> None:
    """Where reports go that nobody reads: the last one comes with the choice."""


def _interval(limits: Limits) -> float:
    """Seconds between two reports of a Go engine: few, since each costs it and us time."""
    if limits.seconds is not None:
        return max(0.05, limits.seconds / 2)
    return 1.0


class SeatMaker:
    """Makes the players of a match, by entrants' numbers. ``engines`` is the file of named engines.

    ``log`` is a file to which both directions of all sessions are appended, None for none.
    """

    def __init__(self, settings: Settings, engines: str, log: str | None = None) -> None:
        """Raises RosterError for an entrant that there is not, OSError for a log that can't be written."""
        self._settings = settings
        self._specs = [_spec(entrant, settings, engines) for entrant in settings.entrants]
        self._log = SessionLog(log)

    def __call__(self, entrant: int) -> EngineSeat:
        """A player of the entrant, not started yet."""
        return EngineSeat(self._specs[entrant], self._settings, self._log)


def _spec(entrant: Entrant, settings: Settings, engines: str) -> Spec:
    try:
        return spec_of(entrant, settings, engines)
    except RosterError as error:
        raise RosterError(f"engine {entrant.name}: {error}") from None
