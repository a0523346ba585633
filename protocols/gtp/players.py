"""The players a GTP session can front, and what it asks of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from engines.go.game import Game
from engines.player import Choice, Limits, Report
from protocols.gtp.options import Options
from protocols.log import SessionLog, complain

if TYPE_CHECKING:
    from engines.go.net.glance import Glance

CHANGEABLE = ("playouts", "level", "resign", "move_time", "threads")
"""Options that can change while the program runs and that the search must know of."""


class Judgement(Protocol):
    """Which stones of a position are dead."""

    @property
    def dead(self) -> frozenset[int]: ...


class GoPlayer(Protocol):
    """A ``engines.player.Player`` for Go with what GTP needs besides."""

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
        """Think for ``color`` and answer; see ``engines.player.Player``.

        ``cleanup``: no pass before the opponent's dead stones are off the board. ``fresh``: nothing thought before
        counts. ``interval``: seconds between two reports.
        """

    def judge(self, game: Game) -> Judgement:
        """Judge the position, from itself alone."""

    def configure(self, options: Options) -> None:
        """Options have changed."""

    def stop(self) -> None:
        """Make the current ``choose`` return soon; from any thread."""

    def close(self) -> None:
        """The player is not used again."""


@dataclass(frozen=True)
class RawAnalysisCommand:
    """A command of analysis that goes to the player as it is, and whose lines go to the client as they come.

    ``command`` is the whole command, ``write`` gets each line without its end. For a command that chooses a move, the
    last line, ``play X``, is not among them: the referee has a word in that.
    """

    command: str
    write: Callable[[str], None]


@runtime_checkable
class GtpSpeaker(Protocol):
    """A ``GoPlayer`` that may understand commands of analysis itself; then ``choose`` takes a ``raw_command``."""

    def understands(self, command: str) -> bool:
        """Whether the player has a command of this name."""

    def relay(self, game: Game, line: str) -> str:
        """The player's own answer to a command, with the game on its board. Raises PlayerError."""

    def warm_up(self) -> None:
        """Begin with what takes long, in the background."""

    def abort(self) -> None:
        """Nobody wants the answer that ``choose`` works on, and ``stop`` may not be enough."""


@runtime_checkable
class GameFollower(Protocol):
    """A ``GoPlayer`` that must know of every change of the game, to show it."""

    def follow(self, game: Game) -> None:
        """The game is this one now. Returns at once."""

    def accepts(self, width: int, height: int) -> bool:
        """Whether it can play on a board of this size."""


@runtime_checkable
class NetHolder(Protocol):
    """A ``GoPlayer`` that may have a net whose raw word on a position can be shown."""

    def glance(self, game: Game, color: int, symmetry: int) -> Glance | None:
        """What the net says before any search, see ``engines.go.net.glance``; None without one. Raises PlayerError."""


class LateSearch:
    """The built-in search, imported when it is first asked for something: a GUI waits for our start."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._made: Any = None

    @property
    def _player(self) -> Any:
        if self._made is None:
            from engines.go.search import SearchPlayer

            options = self._options
            self._made = SearchPlayer(
                threads=options.threads,
                playouts=options.playouts,
                level=options.level,
                seed=options.seed,
                memory_mb=options.memory,
                resign=options.resign,
                move_time=options.move_time,
                say=lambda text: complain(f"qiqiao: {text}"),
                net=options.net,
            )
        return self._made

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
        """As ``GoPlayer.choose``."""
        begin = time.perf_counter()
        player = self._player
        if limits.clock is not None:
            # What loading has taken, in the first move of a session, is gone from the clock already.
            clock = limits.clock.copy()
            clock.left = max(0.0, clock.left - (time.perf_counter() - begin))
            limits = replace(limits, clock=clock)
        return player.choose(game, color, limits, report, cleanup=cleanup, fresh=fresh, interval=interval)

    def judge(self, game: Game) -> Judgement:
        """As ``GoPlayer.judge``."""
        return self._player.judge(game)

    def glance(self, game: Game, color: int, symmetry: int) -> Glance | None:
        """As ``NetHolder.glance``."""
        if self._options.net is None:
            return None
        return cast("Glance", self._player.glance(game, color, symmetry))

    def forget(self) -> None:
        """Think as if nothing had been thought before."""
        if self._made is not None:
            self._made.forget()

    def configure(self, options: Options) -> None:
        """As ``GoPlayer.configure``."""
        self._options = options
        if self._made is not None:
            for name in CHANGEABLE:
                setattr(self._made, name, getattr(options, name))

    def stop(self) -> None:
        """As ``GoPlayer.stop``."""
        if self._made is not None:
            self._made.stop()

    def close(self) -> None:
        """As ``GoPlayer.close``."""
        if self._made is not None:
            self._made.close()


def make_player(options: Options, log: SessionLog) -> GoPlayer:
    """The player the options name: another program, a person at a sensor board, or the built-in search.

    Raises ValueError, with a text for the user, for a board that cannot be, and for a net that is none.
    """
    if options.board is not None:
        return _board_player(options)
    if options.engine is None:
        if options.net is not None:
            from engines.go.net.evaluator import check_file

            check_file(options.net)
        return LateSearch(options)
    from protocols.gtp.engine import EnginePlayer

    return EnginePlayer(options.engine, options, log)


def _board_player(options: Options) -> GoPlayer:
    """A person at a sensor board."""
    from protocols.sensor.codecs.boards import open_board
    from protocols.sensor.session.go_player import GoBoardPlayer

    settings = options.board
    assert settings is not None
    game = Game(options.width, options.height)
    try:
        board = open_board(settings.url, describe=settings.describe, baseline=settings.baseline)
    except OSError as error:
        raise ValueError(str(error)) from None
    return GoBoardPlayer(board, game, settings, say=lambda text: complain(f"qiqiao: {text}"))
