"""Sanguo as matches play, show and write it; see ``engines.gametype``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.banqi.gametype import STILL, DealtType
from engines.drawing import svg
from engines.drawing.grid import Grid
from engines.gametype import Option
from engines.results import Words
from engines.sanguo.diagram import last_points, point_board, standing
from engines.sanguo.ending import SCORINGS
from engines.sanguo.game import BOARDS, Game
from engines.sanguo.terminal import grid
from engines.terms import Language


class SanguoType(DealtType):
    """See ``engines.gametype.GameType``."""

    name = "sanguo"
    titles = Words("Sanguo", "三国军棋", "三國軍棋")
    sides = ("First", "Second", "Third")
    hidden = True
    game_class = Game
    option_table = (
        Option("board", "half", str, f"the board: {', '.join(BOARDS)}", "NAME", flag="--board-size", served=True),
        Option("corners", 4, int, "corners that pieces are dealt in: 3 or 4", "N", read=int, served=True),
        STILL,
        Option("scoring", "win", str, f"what the players score: {', '.join(SCORINGS)}", "NAME", served=True),
    )

    def __init__(self, rules: str = "", options: Mapping[str, Any] | None = None) -> None:
        """There is one rule set; raises ValueError for another, and for options that can't be."""
        if rules:
            raise ValueError(f"sanguo has no rules called '{rules}'")
        super().__init__("", options)

    def board(self, coordinates: bool = True) -> svg.Board:
        """See ``engines.gametype.GameType``."""
        return point_board(45 if self.options["board"] == "half" else 90, coordinates=coordinates)

    def _standing(self, game: Any) -> dict[int, str]:
        return standing(game.board.fen())

    def _last(self, text: str) -> tuple[int, ...]:
        return last_points(text)

    def grid(self, seen: Any, letters: bool = False, language: Language = "en") -> Grid:
        """See ``engines.gametype.GameType``."""
        return grid(seen, letters, language)

    def player(self, level: str = "", seed: int | None = None) -> Any:
        """See ``engines.gametype.GameType``: there is none yet."""
        return None
