"""Game records of Go: SGF text to and from a plain value.

``values`` has the value, ``sgf`` the grammar, ``reading`` and ``writing`` the ways between them, ``komi`` what others
mean by their komi.
"""

from engines.go.records.games import record_of, replay
from engines.go.records.reading import MAX_BYTES, parse_record, read_record
from engines.go.records.sgf import MAX_PARTS
from engines.go.records.values import INFO, Move, Record, RecordError, Setup
from engines.go.records.writing import format_record, write_record, write_text

__all__ = [
    "INFO",
    "MAX_BYTES",
    "MAX_PARTS",
    "Move",
    "Record",
    "RecordError",
    "Setup",
    "format_record",
    "parse_record",
    "read_record",
    "record_of",
    "replay",
    "write_record",
    "write_text",
]
