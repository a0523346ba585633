"""From a record to a game."""

from __future__ import annotations

from engines.xiangqi.game import Game
from engines.xiangqi.records.values import Record


def replay(record: Record, rules: str = "axf", limit: str = "cxa") -> Game:
    """A game with the last position of the record's main line and all that led there.

    ``rules`` and ``limit`` as ``Game`` has them. The result of the record is not the game's: a game goes on until
    the board or somebody ends it. Raises ``IllegalMove`` for a move that can't be played, ``FenError`` for a position
    that can't be.
    """
    game = Game(record.fen, rules, limit=limit, strict=False)
    for move in record.moves():
        game.play(move)
    return game
