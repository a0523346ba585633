"""Luoqi as matches play, show and write it; see ``engines.gametype``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.banqi.diagram import half_board, standing
from engines.banqi.ending import CYCLES
from engines.banqi.gametype import STILL, DealtType
from engines.drawing import svg
from engines.gametype import Option
from engines.luoqi.game import Game
from engines.results import Words


class LuoqiType(DealtType):
    """See ``engines.gametype.GameType``."""

    name = "luoqi"
    titles = Words("Luoqi", "落棋", "落棋")
    sides = ("Red", "Black")
    game_class = Game
    chance = False
    option_table = (
        STILL,
        Option("repetition", "cycle", str, f"which repetition draws: {', '.join(CYCLES)}", "NAME", served=True),
        Option("draws", True, bool, "players may agree on a draw"),
    )

    def __init__(self, rules: str = "", options: Mapping[str, Any] | None = None) -> None:
        """``rules``: those of banqi that hide nothing; "" is ``taiwan``."""
        super().__init__(rules or "taiwan", options)

    def board(self, coordinates: bool = True) -> svg.Board:
        """See ``engines.gametype.GameType``."""
        return half_board(coordinates=coordinates)

    def _standing(self, game: Any) -> dict[int, str]:
        return standing(game.board.fen(), hands=True)
