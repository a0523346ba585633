"""Our end of each protocol, as a client of another program."""

from __future__ import annotations

import importlib
from typing import Any

CLIENTS = {
    "gtp": ("protocols.gtp.client", "GtpClient"),
    "ucci": ("protocols.ucci.client", "UcciClient"),
    "uci": ("protocols.uci.client", "UciClient"),
    "cecp": ("protocols.cecp.client", "CecpClient"),
}
"""By protocol: module and class."""


def client_class(protocol: str) -> Any:
    """The class of a protocol's client, a ``protocols.programs.supervisor.Talker``."""
    module, name = CLIENTS[protocol]
    return getattr(importlib.import_module(module), name)
