"""The games there are, by name. Each is one module, ``engines.<game>.gametype``, imported when it is asked for.

A new game is one line here and that module; nothing else asks which game it is.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

from engines.gametype import GameType

GAMES = {
    "go": ("engines.go.gametype", "GoType"),
    "xiangqi": ("engines.xiangqi.gametype", "XiangqiType"),
    "jieqi": ("engines.jieqi.gametype", "JieqiType"),
    "jieqi2": ("engines.jieqi.gametype", "Jieqi2Type"),
    **{f"fanqi{number}": ("engines.jieqi.gametype", f"Fanqi{number}Type") for number in range(1, 11)},
    "banqi": ("engines.banqi.gametype", "BanqiType"),
    "luoqi": ("engines.luoqi.gametype", "LuoqiType"),
    "sanguo": ("engines.sanguo.gametype", "SanguoType"),
}
"""The games by name: module and class of each game type."""


def find(name: str) -> type[GameType]:
    """The type of a game. Raises ValueError, with a text for the user, where there is none of that name."""
    if name not in GAMES:
        raise ValueError(f"the game must be one of {', '.join(GAMES)}, not '{name}'")
    module, cls = GAMES[name]
    found: type[GameType] = getattr(importlib.import_module(module), cls)
    return found


def make(name: str, rules: str = "", options: Mapping[str, Any] | None = None) -> GameType:
    """A game with rules (a rule set's name, "" for the game's own) and options (those left out as they are usually).

    Raises ValueError, with a text for the user, for a game, rules or options that there are not.
    """
    return find(name)(rules, options)


def carried_by(protocol: str) -> list[str]:
    """The names of the games that a protocol can carry, in the order of ``GAMES``."""
    return [name for name in GAMES if protocol in find(name).protocols]
