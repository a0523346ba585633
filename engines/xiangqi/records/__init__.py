"""Game records of Xiangqi: PGN, and every other format there is.

The tags and the layout are those of the xqbase specification (中国象棋电脑应用规范): the tag Game "Chinese Chess"
first, Red and Black, FEN where the game does not begin at the start, Format Chinese, WXF or ICCS; comments in
braces, variations in parentheses. ``values`` has the record, ``reading`` and ``writing`` the ways from and to text,
``recorder`` keeps a game while it is played. ``xqf``, ``cbr``, ``cbf``, ``dhtmlxq`` and ``lists`` are the other
formats, ``steps`` what they share; ``engines.records`` tells them apart.
"""

from engines.xiangqi.records.games import replay
from engines.xiangqi.records.reading import MAX_BYTES, read_any, read_file, read_games, read_pgn
from engines.xiangqi.records.recorder import Recorder
from engines.xiangqi.records.values import RESULTS, Node, Record, RecordError, read_result
from engines.xiangqi.records.writing import save, write_pgn

__all__ = [
    "MAX_BYTES",
    "RESULTS",
    "Node",
    "Record",
    "RecordError",
    "Recorder",
    "read_any",
    "read_file",
    "read_games",
    "read_pgn",
    "read_result",
    "replay",
    "save",
    "write_pgn",
]
