"""A small match that has been played, for what is told from its games."""

from arena_seats import RandomSeat

from engines.arena.game import Players, play
from engines.arena.pairings import Schedule
from engines.arena.settings import Adjudication, Entrant, Settings
from engines.gametype import Opening


def played(game, names=("one", "two"), **changes):
    """The settings, the kind and the rows of a match between random players."""
    values = {
        "game": game,
        "entrants": tuple(Entrant(name, f"gtp:{name}") for name in names),
        "games": 4,
        "time": "60+1",
        "openings": "none",
        "rules": "tromp-taylor" if game == "go" else "",
        "adjudication": Adjudication(length=60 if game == "go" else 12),
    }
    if game == "go":
        values["options"] = {"size": (5, 5)}
    settings = Settings(**{**values, **changes})
    kind = settings.make_game()
    opening = Opening("", ("C3",), "centre") if game == "go" else Opening("", ("h2e2", "h9g7"), "central cannon")
    rows = []
    schedule = Schedule(settings)
    for number in range(len(schedule)):
        seats = (RandomSeat(number), RandomSeat(100 + number))
        rows.append(play(settings, kind, schedule[number], opening, Players(seats)))
    return settings, kind, rows
