"""The players a GTP session can front, and what it asks of them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

from engines.go.game import Game
from engines.player import Choice, Limits, Report
from protocols.gtp.options import Options


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

    def stop(self) -> None:
        """Make the current ``choose`` return soon; from any thread."""

    def close(self) -> None:
        """The player is not used again."""


def make_player(options: Options) -> GoPlayer:
    """The player the options name."""
    from engines.go.search import SearchPlayer

    return SearchPlayer(
        threads=options.threads,
        playouts=options.playouts,
        level=options.level,
        seed=options.seed,
        memory_mb=options.memory,
        resign=options.resign,
        move_time=options.move_time,
    )


CHANGEABLE: Collection[str] = ("playouts", "level", "resign", "move_time")
"""Options that can change while the program runs and that the player must know of."""


def configure(player: GoPlayer, options: Options) -> None:
    """Tell a player about options that have changed."""
    for name in CHANGEABLE:
        if hasattr(player, name):
            setattr(player, name, getattr(options, name))
