"""The one table of commands: what list_commands, known_command and help tell, and what the server runs."""

from __future__ import annotations

from protocols.gtp import (
    commands_admin,
    commands_analysis,
    commands_clients,
    commands_gogui,
    commands_katago,
    commands_play,
    commands_score,
    commands_setup,
    commands_time,
)
from protocols.gtp.options import Options
from protocols.gtp.table import Table

GROUPS = (
    commands_admin,
    commands_setup,
    commands_play,
    commands_time,
    commands_score,
    commands_analysis,
    commands_katago,
    commands_gogui,
    commands_clients,
)
"""The modules with commands; each has a ``TABLE``."""


def build_table(options: Options) -> Table:
    """All commands this session offers. Listing a command promises it."""
    table: Table = {}
    for group in GROUPS:
        table.update(group.TABLE)
    if options.board is not None:
        from protocols.gtp import commands_board

        table.update(commands_board.TABLE)
        # Nobody at the board can tell what else might be played.
        for name in (*commands_analysis.TABLE, *commands_katago.TABLE):
            del table[name]
    if not options.files.allowed:
        del table["loadsgf"]
    if options.kgs_chat:
        table.update(commands_clients.CHAT)
    return table
