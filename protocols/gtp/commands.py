"""The one table of commands: what list_commands, known_command and help tell, and what the server runs."""

from __future__ import annotations

from protocols.gtp import commands_admin
from protocols.gtp.options import Options
from protocols.gtp.table import Table

GROUPS = (commands_admin,)
"""The modules with commands; each has a ``TABLE``."""


def build_table(options: Options) -> Table:
    """All commands this session offers. Listing a command promises it."""
    table: Table = {}
    for group in GROUPS:
        table.update(group.TABLE)
    return table
