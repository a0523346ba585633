"""The table of a match, told from its games: points, pairs, faults, who did how against whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engines.arena.journal import GameRow
from engines.arena.settings import Settings
from engines.arena.statistics import Tally, tally
from engines.gametype import FAULTS


@dataclass(frozen=True)
class Standing:
    """One entrant's line: ``result`` against all, the same on each side (``by_side``), how its losses by its own fault
    came about (by reason), and its mean time a move in seconds."""

    entrant: int
    name: str
    result: Tally
    by_side: tuple[Tally, ...]
    faults: Mapping[str, int]
    move_time: float


class Table:
    """All results of a match. ``games`` are in the order of their numbers."""

    def __init__(self, settings: Settings, games: Iterable[GameRow]) -> None:
        self.settings = settings
        self.games = sorted(games, key=lambda row: row.game)

    def between(self, entrant: int, other: int) -> Tally:
        """The results of one entrant against another."""
        return self._tally(entrant, [row for row in self.games if entrant in row.seats and other in row.seats], other)

    def _tally(self, entrant: int, rows: Iterable[GameRow], against: int | None = None) -> Tally:
        """The results of an entrant against another, or all: who has more points of a game has won it against who has
        fewer."""
        pairs: dict[tuple[int, int], list[float]] = {}
        for row in rows:
            for other in row.seats:
                if other != entrant and against in (None, other):
                    key = row.game // len(row.seats), other
                    pairs.setdefault(key, []).append(row.score_against(entrant, other))
        return tally(pairs.values())

    def standing(self, entrant: int) -> Standing:
        """The line of an entrant."""
        rows = [row for row in self.games if entrant in row.seats]
        faults: dict[str, int] = {}
        spent, turns = 0.0, 0
        for row in rows:
            if row.ending.reason in FAULTS and row.score_of(entrant) == 0:
                faults[row.ending.reason] = faults.get(row.ending.reason, 0) + 1
            own = times_of(row, row.seats.index(entrant))
            spent += sum(own)
            turns += len(own)
        sides = range(self.settings.sides)
        return Standing(
            entrant=entrant,
            name=self.settings.entrants[entrant].name,
            result=self._tally(entrant, rows),
            by_side=tuple(self._tally(entrant, (row for row in rows if row.seats[side] == entrant)) for side in sides),
            faults=faults,
            move_time=spent / turns if turns else 0.0,
        )

    def standings(self) -> list[Standing]:
        """All lines, the best score first."""
        lines = [self.standing(entrant) for entrant in range(len(self.settings.entrants))]
        return sorted(lines, key=lambda line: (-line.result.score, line.entrant))

    def reasons(self) -> dict[str, int]:
        """How often games ended in each way, the commonest first."""
        counts: dict[str, int] = {}
        for row in self.games:
            counts[row.ending.reason] = counts.get(row.ending.reason, 0) + 1
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def times_of(row: GameRow, side: int) -> list[float]:
    """Seconds that a side spent on each of its moves."""
    return [turn.seconds for turn in row.turns_of(side)]
