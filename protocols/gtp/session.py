"""The state of a GTP session."""

from __future__ import annotations

from collections.abc import Callable

from protocols.gtp.options import Options
from protocols.gtp.table import Table
from protocols.gtp.watch import Watch
from protocols.log import SessionLog


class Session:
    """What the commands work on."""

    def __init__(self, options: Options, log: SessionLog) -> None:
        self.options = options
        self.log = log
        self.watch = Watch()
        self.write: Callable[[str], None] = lambda text: None
        self.commands: Table = {}
        self.finished = False
        self.streaming = False

    def close(self) -> None:
        """End what still runs."""
