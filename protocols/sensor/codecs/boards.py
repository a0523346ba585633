"""From what a user writes to a connected board."""

from __future__ import annotations

import json
import os
from functools import partial
from urllib.parse import urlsplit

from protocols.log import complain
from protocols.sensor.codecs.described import DescribedCodec
from protocols.sensor.codecs.description import load
from protocols.sensor.codecs.qsb import QsbCodec
from protocols.sensor.codecs.saiboard import PORT as SAIBOARD_PORT
from protocols.sensor.codecs.saiboard import SaiboardCodec
from protocols.sensor.links.connection import AUTO, BoardSpec, Connection


def board_spec(url: str, *, describe: str = "", baseline: str = "") -> BoardSpec:
    """Which board a user means.

    ``url`` is a serial port (``/dev/ttyUSB0``, ``COM5``, a by-id path), another pyserial URL (``socket://host:port``,
    ``rfc2217://…``), ``saiboard://host[:port]``, ``auto``, or ``auto:UID`` for one certain board. ``describe`` is the
    file of a described board. ``baseline`` is a file in which an analogue board's values of the empty board are kept;
    without one they are learnt at every start.

    Raises ValueError (a wrong URL or description) and OSError (a file that cannot be read).
    """
    if not url:
        raise ValueError("no board named: give a port, a URL or 'auto'")
    known = _load_baseline(baseline)
    keep = partial(_save_baseline, baseline) if baseline else None
    if describe:
        description = load(describe)
        if url == AUTO or url.startswith("auto:"):
            raise ValueError("a described board needs a port: there is nothing to know it by")
        return BoardSpec(url, partial(DescribedCodec, description, baseline=known, on_baseline=keep), description.line)
    if url.startswith("saiboard:"):
        parts = urlsplit(url)
        try:
            port = parts.port or SAIBOARD_PORT
        except ValueError:
            port = 0
        if not parts.hostname or port == 0:
            raise ValueError(f"not saiboard://HOST or saiboard://HOST:PORT: '{url}'")
        return BoardSpec(f"socket://{parts.hostname}:{port}", partial(SaiboardCodec, baseline=known, on_baseline=keep))
    if url.startswith("auto:"):
        return BoardSpec(AUTO, QsbCodec, uid=url.removeprefix("auto:"))
    return BoardSpec(url, QsbCodec)


def open_board(url: str, *, describe: str = "", baseline: str = "") -> Connection:
    """A connection to the board a user means, which looks for it by itself from now on. Raises as ``board_spec``."""
    return Connection(board_spec(url, describe=describe, baseline=baseline))


def _load_baseline(path: str) -> list[float] | None:
    """The values in a baseline file; None when there is no such file yet. Raises ValueError, OSError."""
    if not path or not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        try:
            values = json.load(file)
        except ValueError:
            raise ValueError(f"{path}: not a baseline file") from None
    if not isinstance(values, list) or not all(isinstance(value, (int, float)) for value in values):
        raise ValueError(f"{path}: not a baseline file")
    return [float(value) for value in values]


def _save_baseline(path: str, values: list[float]) -> None:
    try:
        with open(path, "w", encoding="utf-8") as file:
            json.dump([round(value, 2) for value in values], file)
    except OSError as error:
        complain(f"qiqiao: the empty board's values cannot be kept: {error}")
