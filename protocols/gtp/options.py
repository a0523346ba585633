"""What the user can choose for a GTP session, with the defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from engines.go.levels import MAX_LEVEL
from protocols.files import ANY_FILE, Files

if TYPE_CHECKING:
    from protocols.programs.config import EngineConfig
    from protocols.sensor.settings import BoardSettings


@dataclass(frozen=True)
class Options:
    """The options of ``qiqiao gtp``; see ``docs/gtp.md``.

    ``rules`` is a preset's name or KataGo's text for rules; ``komi`` in points for White, None for the rules' own.
    ``width`` and ``height`` are the board before the first ``boardsize``. ``threads`` to search with; ``playouts`` a
    move, None for no fixed number; ``level`` 1…``MAX_LEVEL`` (``engines.go.levels``); ``seed`` None for a
    different game each time.
    ``move_time``: seconds a move when neither a clock nor a fixed number of playouts is set; 0 leaves it to the
    player. ``engine``: another program to play instead of the search; ``board``: a person at a sensor board instead of
    either. ``ponder``: think in the
    opponent's time. ``memory``: megabytes the search tree may take. ``resign``: win rate (0…1) below which the engine
    resigns; 0: never. ``net``: path of a net's file for the search, None for playouts. ``record``: directory for
    game records, or None. ``accept_ko_violations``: ``play`` lets repetitions pass. ``plays_as_handicap``:
    two or more Black plays at the beginning of a game count as handicap stones.
    ``interrupted``: what a ``genmove`` cut short by the end of the session answers, its best "move" or an
    "error" (and then nothing is played). ``kgs_chat``: offer that command. ``live_graphics``: draw candidates in GoGui
    while thinking; ``tell_line``: the expected line of play after each move, for gtp2ogs; both on standard error.
    ``files``: the files the client may name.
    """

    rules: str = "chinese"
    komi: float | None = None
    width: int = 19
    height: int = 19
    threads: int = 1
    playouts: int | None = None
    level: int = MAX_LEVEL
    seed: int | None = None
    move_time: float = 2.0
    engine: EngineConfig | None = None
    board: BoardSettings | None = None
    ponder: bool = False
    memory: int = 256
    resign: float = 0.08
    net: str | None = None
    record: str | None = None
    accept_ko_violations: bool = False
    plays_as_handicap: bool = False
    interrupted: Literal["move", "error"] = "move"
    kgs_chat: bool = False
    live_graphics: bool = False
    tell_line: bool = False
    files: Files = ANY_FILE
