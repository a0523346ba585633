"""Xiangqi: board, repetition, search, notation, records. ``docs/library.md`` shows what is exported here at work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.lazy import exporter, homes

if TYPE_CHECKING:
    from engines.errors import IllegalMove
    from engines.player import Choice, Limits, Report
    from engines.results import Result
    from engines.xiangqi.board import Board
    from engines.xiangqi.fen import START_FEN, FenError
    from engines.xiangqi.game import Game, OfferError, View
    from engines.xiangqi.geometry import BLACK, RED
    from engines.xiangqi.notation import NotationError, notate, read_move, write_move
    from engines.xiangqi.player import SearchPlayer
    from engines.xiangqi.records import Record, RecordError, read_file, read_games, read_pgn, replay, save, write_pgn
    from engines.xiangqi.repetition import Verdict, judge

__all__ = [
    "BLACK",
    "RED",
    "START_FEN",
    "Board",
    "Choice",
    "FenError",
    "Game",
    "IllegalMove",
    "Limits",
    "NotationError",
    "OfferError",
    "Record",
    "RecordError",
    "Report",
    "Result",
    "SearchPlayer",
    "Verdict",
    "View",
    "judge",
    "notate",
    "read_file",
    "read_games",
    "read_move",
    "read_pgn",
    "replay",
    "save",
    "write_move",
    "write_pgn",
]

if not TYPE_CHECKING:
    __getattr__ = exporter(
        __name__,
        homes(
            {
                "engines.errors": "IllegalMove",
                "engines.player": "Choice Limits Report",
                "engines.results": "Result",
                "engines.xiangqi.board": "Board",
                "engines.xiangqi.fen": "START_FEN FenError",
                "engines.xiangqi.game": "Game OfferError View",
                "engines.xiangqi.geometry": "BLACK RED",
                "engines.xiangqi.notation": "NotationError notate read_move write_move",
                "engines.xiangqi.player": "SearchPlayer",
                "engines.xiangqi.records": ("Record RecordError read_file read_games read_pgn replay save write_pgn"),
                "engines.xiangqi.repetition": "Verdict judge",
            }
        ),
    )
