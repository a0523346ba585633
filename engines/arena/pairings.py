"""Who plays whom, in which order, with which colours: game numbers to games and back.

A match is played in rounds. In a round every pairing plays one opening twice, colours swapped, and all pairings play
the same opening. Games are numbered from 0; the two of a pair are 2·p and 2·p + 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from engines.arena.settings import Settings


@dataclass(frozen=True)
class Fixture:
    """One game to be played: its number, that of its pair and of its round (and opening), and the entrants' numbers in
    the order of seats."""

    game: int
    pair: int
    round: int
    seats: tuple[int, int]


class Schedule:
    """All games of a match, in the order in which they are begun."""

    def __init__(self, settings: Settings) -> None:
        count = len(settings.entrants)
        if settings.pairing == "gauntlet":
            self.pairings = [(0, other) for other in range(1, count)]
        else:
            self.pairings = list(combinations(range(count), 2))
        self.rounds = settings.games // 2

    def __len__(self) -> int:
        return 2 * self.rounds * len(self.pairings)

    def __getitem__(self, game: int) -> Fixture:
        """The game of a number. Raises IndexError where there is none."""
        if not 0 <= game < len(self):
            raise IndexError(f"the match has no game {game}")
        pair, second = divmod(game, 2)
        number, pairing = divmod(pair, len(self.pairings))
        first, other = self.pairings[pairing]
        # Who begins changes from round to round, so that a match of one round and a half is fair too.
        swapped = bool(second) != bool(number % 2)
        return Fixture(game, pair, number, (other, first) if swapped else (first, other))
