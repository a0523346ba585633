"""What a match is: who plays, what, by which rules, under which clock, and when it ends.

``Settings`` are kept at the head of the match's journal, so that it goes on as it began.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from engines.arena.plain import build
from engines.arena.sprt import Sprt
from engines.arena.timing import parse_control
from engines.player import Limits

Pairing = Literal["round-robin", "gauntlet"]


@dataclass(frozen=True)
class Entrant:
    """A player of the match. ``source`` says who it is, in words that only the maker of players understands (a named
    engine, a command); ``options`` are set in it. ``time`` is its own time control, "" for the match's."""

    name: str
    source: str
    options: Mapping[str, str] = field(default_factory=dict)
    time: str = ""


@dataclass(frozen=True)
class Adjudication:
    """When a match ends a game because the players agree on it. Scores are centipawns in Xiangqi; in Go, where players
    tell win rates, they are per cent above or below 50 (win rate 95 % is 45).

    ``win``: both see the same side ahead by so much for ``win_moves`` moves of each. ``draw``: both are within so much
    of even for ``draw_moves`` moves of each, from move ``draw_from`` on. 0 switches either off. ``length``: plies
    (beyond the opening) after which a game ends: a draw in Xiangqi, counted as it stands in Go; 0 for no bound.
    """

    win: float = 0.0
    win_moves: int = 3
    draw: float = 0.0
    draw_moves: int = 8
    draw_from: int = 40
    length: int = 0


@dataclass(frozen=True)
class Settings:
    """A match. Raises ValueError, with a text for the user, for one that makes no sense.

    ``games`` are played by each pairing, two of each opening with colours swapped. ``time`` is a text of
    ``engines.arena.timing``; ``move_time`` (seconds), ``nodes`` and ``depth`` bound each move. ``margin``: seconds by
    which a clock may be overstepped without loss. ``openings``: "none", "random", or a file; ``opening_plies`` of them
    (0: the game's own number, or all of a file); ``balance``: how uneven a random opening may be, in the unit of
    ``Adjudication``; ``seed`` decides about both. ``shuffle``: a file's openings come in an order of the seed's.

    ``rules`` is a rule set of the game. Go: ``size`` (width, height), ``komi`` (None: the rules' own). Xiangqi:
    ``limit``, what draws without a capture. ``draws``: whether players may agree on a draw.
    """

    game: str
    entrants: tuple[Entrant, ...]
    games: int = 100
    pairing: Pairing = "round-robin"
    rules: str = ""
    size: tuple[int, int] = (19, 19)
    komi: float | None = None
    limit: str = "cxa"
    time: str = "none"
    move_time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    margin: float = 0.05
    openings: str = "random"
    opening_plies: int = 0
    balance: float = 0.0
    shuffle: bool = False
    seed: int = 1
    draws: bool = True
    adjudication: Adjudication = Adjudication()
    sprt: Sprt | None = None
    event: str = ""

    def __post_init__(self) -> None:
        from engines.arena.referee import KINDS

        if self.game not in KINDS:
            raise ValueError(f"the game must be one of {', '.join(KINDS)}, not '{self.game}'")
        names = [entrant.name for entrant in self.entrants]
        if len(names) < 2:
            raise ValueError("a match needs two engines at least")
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two engines are called '{name}'; tell them apart by NAME=ENGINE")
            if not name.strip() or any(character in name for character in '\n\r\t"'):
                raise ValueError(f"'{name}' can't be the name of an engine")
        if self.games < 2 or self.games % 2:
            raise ValueError(f"each opening is played twice: the games must be an even number, not {self.games}")
        if self.sprt is not None and len(names) != 2:
            raise ValueError("a sequential test is between two engines")
        for text in (self.time, *(entrant.time for entrant in self.entrants if entrant.time)):
            parse_control(text)

    def limits_of(self, entrant: int) -> tuple[str, Limits]:
        """An entrant's time control, as a text, and what bounds each of its moves besides."""
        return self.entrants[entrant].time or self.time, Limits(
            seconds=self.move_time, nodes=self.nodes, depth=self.depth
        )

    def to_json(self) -> dict[str, Any]:
        """As a value of plain tables, lists, numbers and texts."""
        return dataclasses.asdict(self)

    @staticmethod
    def from_json(value: Any) -> Settings:
        """From what ``to_json`` makes. Raises ValueError for what it never makes."""
        found: Settings = build(Settings, value, "the settings")
        return found

    def differences(self, other: Settings) -> list[str]:
        """The names of settings in which two matches differ so that their games can't be counted together.

        The number of games and the test may differ: a match can be made longer.
        """
        free = ("games", "sprt", "event")
        names = [one.name for one in dataclasses.fields(self) if one.name not in free]
        mine, its = self.to_json(), other.to_json()
        return [name for name in names if _plain(mine[name]) != _plain(its[name])]


def _plain(value: Any) -> Any:
    """A value as it comes back from a file: no tuples."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value
