"""The table of a match, told from its games: points, pairs, faults, who did how against whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engines.arena.journal import GameRow
from engines.arena.referee import FAULTS
from engines.arena.settings import Settings
from engines.arena.statistics import Tally, tally


@dataclass(frozen=True)
class Standing:
    """One entrant's line: ``result`` against all, the same with the first and the second seat (``first``, ``second``),
    how its losses by its own fault came about (by reason), and its mean time a move in seconds."""

    entrant: int
    name: str
    result: Tally
    first: Tally
    second: Tally
    faults: Mapping[str, int]
    move_time: float


class Table:
    """All results of a match. ``games`` are in the order of their numbers."""

    def __init__(self, settings: Settings, games: Iterable[GameRow]) -> None:
        self.settings = settings
        self.games = sorted(games, key=lambda row: row.game)

    def between(self, entrant: int, other: int) -> Tally:
        """The results of one entrant against another."""
        return self._tally(entrant, [row for row in self.games if set(row.seats) == {entrant, other}])

    def _tally(self, entrant: int, rows: Iterable[GameRow]) -> Tally:
        pairs: dict[int, list[float]] = {}
        for row in rows:
            pairs.setdefault(row.game // 2, []).append(row.score_of(entrant))
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
        halves = [self._tally(entrant, (row for row in rows if row.seats[seat] == entrant)) for seat in (0, 1)]
        return Standing(
            entrant=entrant,
            name=self.settings.entrants[entrant].name,
            result=self._tally(entrant, rows),
            first=halves[0],
            second=halves[1],
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


def times_of(row: GameRow, seat: int) -> list[float]:
    """Seconds that a seat spent on each of its moves."""
    return [turn.seconds for index, turn in enumerate(row.turns) if (row.first + index) % 2 == seat]
