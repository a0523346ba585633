"""The options of the games on a command line: each is there once, whichever games have it."""

from __future__ import annotations

import argparse
from typing import Any

from engines import games
from engines.gametype import Option


def add_game_options(group: argparse._ArgumentGroup) -> None:
    """Add what some game lets be set. What is not given is as the game has it."""
    found: dict[str, tuple[Option, list[str]]] = {}
    for name in games.GAMES:
        game = games.find(name)
        for one in game.option_table:
            titles = found.setdefault(one.switch, (one, []))[1]
            if game.titles.english not in titles:
                titles.append(game.titles.english)
    for one, titles in found.values():
        several = titles if len(titles) < 4 else [titles[0], "…", titles[-1]]
        words = f"{', '.join(several)}: {one.words}".replace("%", "%%")
        if isinstance(one.default, bool):
            group.add_argument(one.switch, action=argparse.BooleanOptionalAction, default=None, help=words)
        else:
            group.add_argument(one.switch, default=None, metavar=one.metavar or None, help=words)


def options_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Those of the game ``arguments.game`` that were given. Raises ValueError for one with a wrong value, and for one
    of another game."""
    game = games.find(arguments.game)
    options: dict[str, Any] = {}
    own = {one.switch: one for one in game.option_table}
    for name in games.GAMES:
        for one in games.find(name).option_table:
            given = getattr(arguments, one.switch[2:].replace("-", "_"), None)
            if given is not None and one.switch not in own:
                raise ValueError(f"{one.switch} is no option of {game.titles.english}")
    for switch, one in own.items():
        given = getattr(arguments, switch[2:].replace("-", "_"), None)
        if given is not None:
            try:
                options[one.name] = _value(one, given)
            except ValueError as error:
                raise ValueError(f"{switch}: {error}") from None
    return options


def _value(one: Option, given: Any) -> Any:
    """A text of the command line as a value of the option."""
    if isinstance(given, str) and one.read is not None:
        return one.read(given)
    if isinstance(given, str) and isinstance(one.default, int) and not isinstance(one.default, bool):
        return int(given)
    return given
