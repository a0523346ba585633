"""The players a GTP session can front."""

from __future__ import annotations

from engines.player import Player
from protocols.gtp.options import Options


def make_player(options: Options) -> Player[int]:
    """The player the options name."""
    from engines.go.search import Search

    return Search()


def configure(player: Player[int], options: Options) -> None:
    """Tell a player about options that have changed."""
