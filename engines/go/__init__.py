"""Go: board, rules, scoring, search, records. ``docs/library.md`` shows what is exported here at work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.lazy import exporter, homes

if TYPE_CHECKING:
    from engines.errors import IllegalMove
    from engines.go.board import Board
    from engines.go.game import Game, View
    from engines.go.points import BLACK, EMPTY, PASS, WHITE
    from engines.go.records import Record, RecordError, format_record, parse_record, read_record, replay, write_record
    from engines.go.rules import Rules, find_rules, parse_rules
    from engines.go.scoring import Score
    from engines.go.search import SearchPlayer
    from engines.player import Choice, Limits, Report
    from engines.results import Result

__all__ = [
    "BLACK",
    "EMPTY",
    "PASS",
    "WHITE",
    "Board",
    "Choice",
    "Game",
    "IllegalMove",
    "Limits",
    "Record",
    "RecordError",
    "Report",
    "Result",
    "Rules",
    "Score",
    "SearchPlayer",
    "View",
    "find_rules",
    "format_record",
    "parse_record",
    "parse_rules",
    "read_record",
    "replay",
    "write_record",
]

if not TYPE_CHECKING:
    __getattr__ = exporter(
        __name__,
        homes(
            {
                "engines.errors": "IllegalMove",
                "engines.go.board": "Board",
                "engines.go.game": "Game View",
                "engines.go.points": "BLACK EMPTY PASS WHITE",
                "engines.go.records": "Record RecordError format_record parse_record read_record replay write_record",
                "engines.go.rules": "Rules find_rules parse_rules",
                "engines.go.scoring": "Score",
                "engines.go.search": "SearchPlayer",
                "engines.player": "Choice Limits Report",
                "engines.results": "Result",
            }
        ),
    )
