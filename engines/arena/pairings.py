"""Who plays whom, in which order, with which colours: game numbers to games and back.

A match is played in rounds. In a round every pairing plays one opening as often as the game has sides, everybody once
on each side, and all pairings play the same opening. Games are numbered from 0; those of a pair (of a group, where more
than two play) are n·p to n·p + n − 1 for n sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from engines.arena.settings import Settings


@dataclass(frozen=True)
class ScheduledGame:
    """One game to be played: its number, that of its pair (group) and of its round (and opening), and the entrants'
    numbers by side."""

    game: int
    pair: int
    round: int
    seats: tuple[int, ...]


class Schedule:
    """All games of a match, in the order in which they are begun."""

    def __init__(self, settings: Settings) -> None:
        count, self.sides = len(settings.entrants), settings.sides
        self.pairings = list(combinations(range(count), self.sides))
        if settings.pairing == "gauntlet":
            self.pairings = [pairing for pairing in self.pairings if pairing[0] == 0]
        self.rounds = settings.games // self.sides

    def __len__(self) -> int:
        return self.sides * self.rounds * len(self.pairings)

    def group_of(self, game: int) -> range:
        """The numbers of the games that share an opening and its players with a game, this one among them."""
        first = game - game % self.sides
        return range(first, first + self.sides)

    def __getitem__(self, game: int) -> ScheduledGame:
        """The game of a number. Raises IndexError where there is none."""
        if not 0 <= game < len(self):
            raise IndexError(f"the match has no game {game}")
        pair, turn = divmod(game, self.sides)
        number, pairing = divmod(pair, len(self.pairings))
        players = self.pairings[pairing]
        # Who begins changes from round to round, so that a match of one round and a half is fair too.
        by = (turn + number) % self.sides
        return ScheduledGame(game, pair, number, players[by:] + players[:by])
