"""qsb on the wire: lines, their seal, and the fields of a hello. Used by the host's side and by the simulated board."""

from __future__ import annotations

import binascii
import re

from engines.errors import QiqiaoError
from protocols.sensor.reading import Geometry, Hello

VERSION = 1
"""The version of the protocol spoken here."""

BAUD = 115200
"""The line's speed where it has one."""

MAX_LINE = 1024
"""Bytes a line may have, its end included; a 25x25 snapshot has 660."""

MAX_SIDE = 32
"""Columns or rows a board may have."""

SEQUENCES = 1 << 16
"""Sequence numbers wrap after this many."""

INPUT = 64
"""Bytes of a command line that every board can take."""

MAX_ID = 999
"""Request numbers run from 1 to this, and round again."""

_SEALED = re.compile(rb"([ -)+-~]+)\*([0-9A-F]{4})")


def crc(data: bytes) -> int:
    """CRC-16/XMODEM: polynomial 0x1021, start 0, not reflected; 0x31C3 for b"123456789"."""
    return binascii.crc_hqx(data, 0)


def seal(text: str) -> bytes:
    """A line as it goes over the wire."""
    data = text.encode("ascii")
    return data + b"*%04X\n" % crc(data)


def unseal(line: bytes) -> str | None:
    """What a line (without its LF) says, or None when it is damaged."""
    match = _SEALED.fullmatch(line.removesuffix(b"\r"))
    if match is None or crc(match[1]) != int(match[2], 16):
        return None
    return match[1].decode("ascii")


def state_hash(points: str) -> str:
    """The hash of a state that heartbeats carry: the CRC of the snapshot's letters."""
    return f"{crc(points.encode('ascii')):04X}"


class Malformed(QiqiaoError, ValueError):
    """A sealed line that says something the protocol does not allow."""


def fields_of(words: list[str]) -> dict[str, str]:
    """``key=value`` words as a table; a word without ``=`` has the value 1."""
    table = {}
    for word in words:
        key, equals, value = word.partition("=")
        table[key] = value if equals else "1"
    return table


def number(text: str, low: int, high: int, what: str) -> int:
    if not text.isdecimal() or not low <= int(text) <= high:
        raise Malformed(f"bad {what} {text!r}")
    return int(text)


def parse_hello(words: list[str], at: float) -> tuple[Hello, int]:
    """What the fields of an ``H`` line say, and how many bytes a command may have. Raises Malformed."""
    table = fields_of(words)
    version = number(table.get("v", ""), 1, 999, "version")
    width, _, height = table.get("geo", "").partition("x")
    geometry = Geometry(number(width, 1, MAX_SIDE, "geo"), number(height, 1, MAX_SIDE, "geo"))
    sensing = table.get("kind", "")
    if sensing not in ("occ", "pol", "id", "chg", "press"):
        raise Malformed(f"bad kind {sensing!r}")
    model, *more = table.get("led", "none").split(":")
    if model not in ("none", "point", "edge", "corner"):
        model = "none"  # a model of a later version: better dark than wrong
    buttons = table.get("btn", "")
    hello = Hello(
        protocol="qsb",
        geometry=geometry,
        sensing=sensing,  # type: ignore[arg-type]
        leds=model,  # type: ignore[arg-type]
        colours=3 if "rgb" in more else 1,
        name=table.get("name", ""),
        firmware=table.get("fw", ""),
        version=version,
        uid=table.get("uid", ""),
        boot=table.get("boot", ""),
        buttons=tuple(buttons.split(",")) if buttons not in ("", "0") else (),
        lever=table.get("lever", "0") != "0",
        battery=table.get("bat", "0") != "0",
        hand=table.get("hand", "0") != "0",
        beeper=table.get("beep", "0") != "0",
        settle_ms=number(table.get("settle", "0"), 0, 10000, "settle"),
        at=at,
    )
    return hello, number(table.get("in", str(INPUT)), INPUT, 1 << 16, "in")
