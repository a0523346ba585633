"""Records of sanguo for whoever reads any record; see ``engines.stored``."""

from __future__ import annotations

from typing import Any, ClassVar

from engines.banqi import stored
from engines.banqi.stored import READERS, HalfRecord
from engines.banqi.terminal import script_of
from engines.drawing.grid import Grid
from engines.drawing.svg import Board
from engines.sanguo.diagram import point_board
from engines.sanguo.terminal import grid
from engines.stored import StoredGame
from engines.terms import Language


def format_of(text: str) -> str:
    """The name of the format of a text: JSON, PGN; "" for none of these."""
    return stored.format_of(text, ("sanguo",))


def read(text: str) -> StoredGame:
    """The game of a text of such a format. Raises ValueError."""
    name = format_of(text)
    return SanguoRecord(READERS[name](text), name)


class SanguoRecord(HalfRecord):
    """A game of sanguo. See ``engines.stored.StoredGame``."""

    sides = ("First", "Second", "Third")
    targets: ClassVar[tuple[str, ...]] = ("pgn", "json", "moves")

    def grid(self, seen: Any, letters: bool = False, language: Language = "en") -> Grid:
        """See ``engines.stored.StoredGame``."""
        return grid(seen, letters, language)

    def board(self, language: Language = "en", flipped: bool = False) -> Board:
        """See ``engines.stored.StoredGame``."""
        return point_board(len(self.positions()[0].contents), script_of(language))
