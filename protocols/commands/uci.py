"""``qiqiao uci``: see ``protocols.commands.xiangqi_server``."""

from __future__ import annotations

import argparse

from protocols.commands import xiangqi_server

add_arguments = xiangqi_server.add_arguments


def run(arguments: argparse.Namespace) -> int:
    """Serve UCI on standard input and output."""
    return xiangqi_server.run(arguments, "uci")
