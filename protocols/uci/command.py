"""``qiqiao uci``: see ``protocols.xiangqi.command``."""

from __future__ import annotations

import argparse

from protocols.xiangqi import command

add_arguments = command.add_arguments


def run(arguments: argparse.Namespace) -> int:
    """Serve UCI on standard input and output."""
    return command.run(arguments, "uci")
