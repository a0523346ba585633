"""The players of a match: other programs and the built-in search, each a process of its own.

See ``protocols.programs.match_player``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engines.arena.settings import Entrant, Settings
from protocols.log import SessionLog
from protocols.programs.config import Spec
from protocols.programs.match_player import EngineSeat
from protocols.programs.registry import RosterError, find
from protocols.start import own_line

SEARCH = "search"
"""The built-in search, in a process of its own; ``search:ARGUMENTS`` gives it those of ``qiqiao gtp`` or ``uci``."""


def spec_of(entrant: Entrant, settings: Settings, engines: str) -> Spec:
    """What is known of an entrant; ``engines`` is the file of named engines. Raises RosterError."""
    word, colon, arguments = entrant.source.partition(":")
    if word == SEARCH:
        spec = Spec("gtp" if settings.game == "go" else "uci", _own_command(settings, arguments if colon else ""))
        spec = replace(spec, name=entrant.name)
    else:
        found = find(entrant.source, settings.game, engines)
        assert found is not None  # only "search" is none
        spec = found
    options = {**spec.options, **entrant.options}
    return replace(spec, name=entrant.name, options=options, retries=0, trouble="error")


def _own_command(settings: Settings, arguments: str) -> str:
    """The command of this program as an engine."""
    words = ["gtp" if settings.game == "go" else "uci"]
    if settings.rules:
        words += ["--rules", settings.rules]
    if settings.game == "xiangqi":
        words.append("--terse")  # each line told costs both sides time
        if settings.limit != "cxa":
            words += ["--natural-limit", settings.limit]
    return own_line(words, arguments)


class SeatMaker:
    """Makes the players of a match, by entrants' numbers. ``engines`` is the file of named engines.

    ``log`` is a file to which both directions of all sessions are appended, None for none.
    """

    def __init__(self, settings: Settings, engines: str, log: str | None = None) -> None:
        """Raises RosterError for an entrant that there is not, OSError for a log that can't be written."""
        self._specs = [_spec(entrant, settings, engines) for entrant in settings.entrants]
        self._log = SessionLog(log)

    def __call__(self, entrant: int) -> EngineSeat[Any]:
        """A player of the entrant, not started yet."""
        spec = self._specs[entrant]
        if spec.game == "go":
            from protocols.gtp.seat import GoSeat

            return GoSeat(spec, self._log)
        from protocols.xiangqi.seat import XiangqiSeat

        return XiangqiSeat(spec, self._log)


def _spec(entrant: Entrant, settings: Settings, engines: str) -> Spec:
    try:
        return spec_of(entrant, settings, engines)
    except RosterError as error:
        raise RosterError(f"engine {entrant.name}: {error}") from None
