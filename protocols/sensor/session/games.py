"""The games of ``qiqiao board``: one table, by name.

A game is added by a module with a ``SESSION`` of its own and a line here; ``protocols.sensor.tracker.games`` is the
table of what its tracker needs.
"""

from __future__ import annotations

from importlib import import_module

from protocols.sensor.session.session_game import SessionType

MODULES = {
    "go": "protocols.sensor.session.go_session",
    "xiangqi": "protocols.sensor.session.xiangqi_session",
}
"""Where each game's ``SESSION`` is; imported when the game is named."""


def session_type(name: str) -> SessionType:
    """The game of this name. Raises ValueError for one that is not played so."""
    if name not in MODULES:
        raise ValueError(f"'{name}' is not played on a sensor board: {', '.join(MODULES)} are")
    found: SessionType = import_module(MODULES[name]).SESSION
    return found
