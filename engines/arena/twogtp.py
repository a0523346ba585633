"""The table of a match of two in the form of gogui-twogtp's ``.dat`` files, which ``gogui-twogtp -analyze`` reads.

``Black`` and ``White`` are there the two programs, not colours: where ALT is 1 the colours were swapped, and results
and times are written as if they had not been.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engines.arena.journal import GameRow
from engines.arena.settings import Settings
from engines.arena.table import times_of
from engines.gametype import FAULTS, GameType

COLUMNS = (
    "GAME", "RES_B", "RES_W", "RES_R", "ALT", "DUP", "LEN", "TIME_B", "TIME_W", "CPU_B", "CPU_W", "ERR", "ERR_MSG",
)  # fmt: skip
"""The columns. RES is the result by the first program's, the second's and the referee's word; DUP the number of an
earlier game that went the same way."""


def twogtp_table(
    settings: Settings, game: GameType, games: Iterable[GameRow], programs: Mapping[str, str], referee: str
) -> str:
    """The table of a match between two, of a game with ``GameType.twogtp_facts``.

    ``programs`` are what the entrants call themselves, ``referee`` what we do.

    A game that ended by a fault other than of time has ERR 1 and is left out of gogui-twogtp's statistics.
    """
    rows = sorted(games, key=lambda row: row.game)
    properties = {"Date": rows[0].start if rows else "", "Host": rows[0].host if rows else ""}
    for role, entrant in zip(("Black", "White"), settings.entrants, strict=True):
        properties |= {role: entrant.name, f"{role}Label": entrant.name, f"{role}Command": entrant.source}
        properties[f"{role}Version"] = programs.get(entrant.name, "")
    properties |= {"Openings": settings.openings, "Referee": referee, "RefereeLabel": referee, "RefereeVersion": ""}
    properties |= {"Xml": "0", **(game.twogtp_facts() or {})}
    lines = [f"# {key}: {_clean(properties[key])}" for key in sorted(properties)]
    lines += ["#", "#" + "\t".join(COLUMNS)]
    seen: dict[tuple[str, ...], int] = {}
    for row in rows:
        earlier = seen.setdefault(game.shape(row.opening, [turn.move for turn in row.turns]), row.game)
        lines.append("\t".join(_cells(row, "-" if earlier == row.game else str(earlier))))
    return "\n".join(lines) + "\n"


def _clean(text: str) -> str:
    return " ".join(text.split())


def _cells(row: GameRow, duplicate: str) -> list[str]:
    swapped = row.seats[0] == 1
    seats = (1, 0) if swapped else (0, 1)
    own = row.ending.result
    said = [row.said[seat] or ("?" if row.ending.reason == "score" else own) for seat in seats]
    fault = row.ending.reason in FAULTS and row.ending.reason != "time"
    times = [f"{sum(times_of(row, seat)):.1f}" for seat in seats]
    return [
        str(row.game),
        *(_result(text, swapped) for text in (*said, own)),
        str(int(swapped)),
        duplicate,
        str(len(row.opening.moves) + len(row.turns)),
        *times,
        "0",
        "0",
        str(int(fault)),
        _clean(row.error or row.ending.words) if fault else "",
    ]


def _result(text: str, swapped: bool) -> str:
    """A result as the analysis understands it: it knows no letter but R."""
    if text == "Void":
        return "?"
    if text.endswith(("+T", "+F")):
        text = text[:-1]
    return text.translate(str.maketrans("BW", "WB")) if swapped else text
