"""What is known of an engine before it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

PROTOCOLS = {"gtp": ("go",), "ucci": ("xiangqi",), "uci": ("xiangqi",), "cecp": ("xiangqi",)}
"""The protocols a program may speak, and the games that our end of each can carry, the usual one first."""

OWN_PROTOCOLS = {"go": "gtp", "xiangqi": "uci"}
"""The protocol in which this program plays each game as somebody else's engine: the first of ``GameType.protocols``,
written here so that a start need not load a game for it."""

Trouble = Literal["resign", "error"]


@dataclass(frozen=True)
class EngineConfig:
    """What is known of an engine before it runs.

    ``command`` is a command line, ``directory`` where it is started (ours if None). ``options`` are set by name after
    each start, values as the engine's own protocol takes them. ``start_time``: seconds until it has answered the first
    words. ``patience``: seconds it may think about a move that neither a clock nor another limit bounds.
    ``stop_time``: seconds for an answer after "stop". ``quit_time``: seconds to end by itself after "quit".
    ``retries``: how often it is asked again after an illegal move, a death or a hang within one move. ``trouble``: what
    the client gets when all that brought no legal move: a resignation, or an error where the protocol has one.
    ``game`` is the name of the game it is to play, one that its protocol can carry ("" for the usual one of that).
    ``rank_base`` (0 or 1) and ``milliseconds`` settle for Xiangqi engines what a short search would find out.
    """

    protocol: str
    command: str
    name: str = ""
    directory: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    start_time: float = 30.0
    patience: float = 180.0
    stop_time: float = 1.0
    quit_time: float = 1.0
    retries: int = 2
    trouble: Trouble = "resign"
    rank_base: int | None = None
    milliseconds: bool | None = None
    game: str = ""

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            raise ValueError(f"no program can be spoken to in {self.protocol} yet")
        games = PROTOCOLS[self.protocol]
        object.__setattr__(self, "game", self.game or games[0])
        if self.game not in games:
            raise ValueError(f"{self.protocol} programs play {' or '.join(games)}, not {self.game}")

    @cached_property
    def title(self) -> str:
        """What to call it in a message."""
        program = (self.command.split() or [""])[0].strip("'\"")
        return self.name or program.replace("\\", "/").rpartition("/")[2]
