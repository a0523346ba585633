"""What a match is: who plays, what, by which rules, under which clock, and when it ends.

``Settings`` are kept at the head of the match's journal, so that it goes on as it began.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from engines import games
from engines.arena.sprt import Sprt
from engines.gametype import GameType
from engines.plain import build
from engines.player import Limits
from engines.timing import parse_control

Pairing = Literal["round-robin", "gauntlet"]

_NUMBERS = {2: "two", 3: "three"}


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

    ``games`` are played by each pairing: of each opening as many as the game has sides, everybody once on each.
    ``time`` is a text of ``engines.timing``; ``move_time`` (seconds), ``nodes`` and ``depth`` bound each move.
    ``margin``: seconds by which a clock may be overstepped without loss.

    ``openings``: "none", "random", or a file; ``opening_plies`` of them (0: the game's own number, or all of a
    file); ``balance``: how uneven a random opening may be, in the unit of ``Adjudication``; ``seed`` decides about
    both. ``shuffle``: a file's openings come in an order of the seed's.

    ``rules`` is a rule set of the game, ``options`` are what else the game lets a match set
    (``GameType.option_table``); those left out are as they are usually.
    """

    game: str
    entrants: tuple[Entrant, ...]
    games: int = 100
    pairing: Pairing = "round-robin"
    rules: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
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
    adjudication: Adjudication = Adjudication()
    sprt: Sprt | None = None
    event: str = ""

    def __post_init__(self) -> None:
        game = games.find(self.game)
        object.__setattr__(self, "options", game.checked(self.options))
        sides = len(game.sides)
        names = [entrant.name for entrant in self.entrants]
        if len(names) < sides:
            raise ValueError(f"a match needs {_NUMBERS.get(sides, sides)} engines at least")
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two engines are called '{name}'; tell them apart by NAME=ENGINE")
            if not name.strip() or any(character in name for character in '\n\r\t"'):
                raise ValueError(f"'{name}' can't be the name of an engine")
        if self.games < sides or self.games % sides:
            if sides == 2:
                raise ValueError(f"each opening is played twice: the games must be an even number, not {self.games}")
            raise ValueError(f"each opening is played {sides} times: the games must be a multiple, not {self.games}")
        if self.sprt is not None and (len(names) != 2 or sides != 2):
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
        value = dataclasses.asdict(self)
        options = value.pop("options")
        return {**value, **options}

    @staticmethod
    def from_json(value: Any) -> Settings:
        """From what ``to_json`` makes. Raises ValueError for what it never makes."""
        if not isinstance(value, dict):
            raise ValueError("the settings must be a table")
        if "game" not in value:
            raise ValueError("the settings has no 'game'")
        own = {one.name for one in games.find(str(value["game"])).option_table}
        names = {one.name for one in dataclasses.fields(Settings)} - {"options"}
        # Journals once had the options of all games: those of others say nothing, but must be what they seem.
        others = {one.name: one for name in games.GAMES for one in games.find(name).option_table}
        common, options = {}, {}
        for key, one in value.items():
            if key in own:
                options[key] = one
            elif key in names or key not in others:
                common[key] = one
            else:
                build(others[key].type, one, key)
        found: Settings = build(Settings, common, "the settings")
        return replace(found, options=options)

    def make_game(self) -> GameType:
        """The game with the match's rules and options. Raises ValueError for rules there are none of."""
        return games.make(self.game, self.rules, self.options)

    @property
    def sides(self) -> int:
        """How many play a game."""
        return len(games.find(self.game).sides)

    def differences(self, other: Settings) -> list[str]:
        """The names of settings in which two matches differ so that their games can't be counted together.

        The number of games and the test may differ: a match can be made longer.
        """
        free = ("games", "sprt", "event")
        mine, its = self.to_json(), other.to_json()
        names = [name for name in {**mine, **its} if name not in free]
        return [name for name in names if _plain(mine.get(name)) != _plain(its.get(name))]


def _plain(value: Any) -> Any:
    """A value as it comes back from a file: no tuples."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value
