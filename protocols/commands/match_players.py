"""The players of a match: other programs and the built-in search, each a process of its own; of games that other
programs can't be given yet, our own players in this process.

See ``protocols.programs.match_player``.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

from engines import games
from engines.arena.game import MatchPlayer
from engines.arena.settings import Entrant, Settings
from protocols.commands.clients import client_class
from protocols.log import SessionLog
from protocols.play.opponents import RANDOM, make
from protocols.programs.config import OWN_PROTOCOLS, EngineConfig
from protocols.programs.match_player import EngineMatchPlayer
from protocols.programs.registry import RosterError, find
from protocols.start import own_line

PLAYERS = {
    "gtp": ("protocols.gtp.match_player", "GtpMatchPlayer"),
    "ucci": ("protocols.xiangqi.match_player", "XiangqiMatchPlayer"),
    "uci": ("protocols.xiangqi.match_player", "XiangqiMatchPlayer"),
    "cecp": ("protocols.xiangqi.match_player", "XiangqiMatchPlayer"),
}
"""By protocol: module and class of who plays a match in it."""

TERSE = {"uci": ["--terse"]}
"""Arguments of our own daemon by protocol: each line told costs both sides time."""

SEARCH = "search"
"""The built-in search, in a process of its own; ``search:ARGUMENTS`` gives it those of ``qiqiao gtp`` or ``uci``."""


def spec_of(entrant: Entrant, settings: Settings, engines: str) -> EngineConfig:
    """What is known of an entrant; ``engines`` is the file of named engines. Raises RosterError."""
    word, colon, arguments = entrant.source.partition(":")
    if word == SEARCH:
        command = _own_command(settings, arguments if colon else "")
        spec = EngineConfig(_own_protocol(settings), command, name=entrant.name, game=settings.game)
    else:
        found = find(entrant.source, settings.game, engines)
        assert found is not None  # only "search" is none
        spec = found
    options = {**spec.options, **entrant.options}
    return replace(spec, name=entrant.name, options=options, retries=0, trouble="error")


def _own_protocol(settings: Settings) -> str:
    """The protocol in which this program plays the game."""
    return games.find(settings.game).protocols[0]


def _own_command(settings: Settings, arguments: str) -> str:
    """The command of this program as an engine."""
    protocol = _own_protocol(settings)
    words = [protocol]
    if settings.rules:
        words += ["--rules", settings.rules]
    words += TERSE.get(protocol, [])
    for one in games.find(settings.game).option_table:
        if one.served and settings.options[one.name] != one.default:
            words += [one.switch, str(settings.options[one.name])]
    return own_line(words, arguments)


class PlayerMaker:
    """Makes the players of a match, by entrants' numbers. ``engines`` is the file of named engines.

    ``log`` is a file to which both directions of all sessions are appended, None for none.
    """

    def __init__(self, settings: Settings, engines: str, log: str | None = None) -> None:
        """Raises RosterError for an entrant that there is not, OSError for a log that can't be written."""
        self._settings = settings
        self._here = settings.game not in OWN_PROTOCOLS
        if self._here:
            for one in settings.entrants:
                _check_local(one, settings)
        self._specs = [] if self._here else [_spec(entrant, settings, engines) for entrant in settings.entrants]
        self._log = SessionLog(log)

    def __call__(self, entrant: int) -> MatchPlayer:
        """A player of the entrant, not started yet."""
        if self._here:
            return _local(self._settings.entrants[entrant], self._settings)
        spec = self._specs[entrant]
        module, name = PLAYERS[spec.protocol]
        player: EngineMatchPlayer[Any] = getattr(importlib.import_module(module), name)(
            spec, client_class(spec.protocol), self._log
        )
        return player


def _check_local(entrant: Entrant, settings: Settings) -> None:
    """Raises RosterError for an entrant of a game that other programs can't be given, unless it is one of our own."""
    word, _, level = entrant.source.partition(":")
    if word not in (SEARCH, RANDOM) or (word == RANDOM and level) or entrant.options:
        known = f"{SEARCH}, {SEARCH}:LEVEL, {RANDOM}"
        title = games.find(settings.game).titles.english
        raise RosterError(f"engine {entrant.name}: {title} is played by {known} in a match, not by '{entrant.source}'")
    try:
        _local(entrant, settings).close()
    except ValueError as error:
        raise RosterError(f"engine {entrant.name}: {error}") from None


def _local(entrant: Entrant, settings: Settings) -> MatchPlayer:
    """A player of our own in this process. Raises ValueError for one that there is not."""
    word, _, level = entrant.source.partition(":")
    player = make(games.make(settings.game, settings.rules, settings.options), word, level, _no_program)
    assert player is not None  # none is a person
    return player


def _no_program(source: str) -> MatchPlayer:
    raise ValueError(f"there is no player '{source}'")


def _spec(entrant: Entrant, settings: Settings, engines: str) -> EngineConfig:
    try:
        return spec_of(entrant, settings, engines)
    except RosterError as error:
        raise RosterError(f"engine {entrant.name}: {error}") from None
