"""Files of evaluation nets: what is in them, reading and writing. docs/xiangqi-net.md tells the form.

``net`` computes with what is read here; ``scripts/learn_xiangqi_net.py`` writes it.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from dataclasses import dataclass
from pathlib import Path

from engines.errors import QiqiaoError

WIDTH = 128
"""Sums of the first layer, for each of the two views."""

HIDDEN, DEEP = 16, 32
"""Neurons of the second and third layer."""

BUCKETS = 8
"""Sets of the layers behind the first: which one judges is told by the heavy pieces left, see ``net``."""

KINGS = 6
"""Places of one's own general that the first layer knows apart, mirrored."""

ROWS = 14 * 90
"""Rows of the first layer for each of those: piece and square."""

MAGIC = b"qiqiaoXQ"
VERSION = 1

LARGEST_WEIGHT = 990
"""No weight of the first layer is larger: a bias and 32 rows fit in 16 bits."""

LARGEST_BIAS = 1 << 23
"""No bias of the other layers is larger: their sums fit in 32 bits."""

_HEADER = struct.Struct("<8s7HI")
_PARTS = (  # name in NetData, array type, length
    ("bias", "h", WIDTH),
    ("rows", "h", KINGS * ROWS * WIDTH),
    ("hidden", "h", BUCKETS * (HIDDEN + 1) * 2 * WIDTH),
    ("hidden_bias", "i", BUCKETS * (HIDDEN + 1)),
    ("deep", "h", BUCKETS * DEEP * HIDDEN),
    ("deep_bias", "i", BUCKETS * DEEP),
    ("last", "h", BUCKETS * DEEP),
    ("last_bias", "i", BUCKETS),
)
_SHAPE = (VERSION, WIDTH, HIDDEN, DEEP, BUCKETS, KINGS)


class NetError(QiqiaoError, ValueError):
    """A net that can't be used; the text says which file and why."""


@dataclass
class NetData:
    """All numbers of a net, in the order of the file: arrays of 16-bit ints, the biases behind ``bias`` of 32.

    ``scale``: centipawns that an output of 1.0 means. ``bias``: [sum]. ``rows``: [general's place][piece * 90 +
    square][sum]. ``hidden``: [bucket][neuron][sum of the mover's view, then of the other's], the neuron after the last
    being the straight way to the output. ``deep``: [bucket][neuron][hidden neuron]. ``last``: [bucket][deep neuron].
    """

    scale: int
    bias: array[int]
    rows: array[int]
    hidden: array[int]
    hidden_bias: array[int]
    deep: array[int]
    deep_bias: array[int]
    last: array[int]
    last_bias: array[int]


def read_net(path: str | Path) -> NetData:
    """Read and check a file. ``NetError`` when it can't be read or is not a whole net of this form."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise NetError(f"{path}: {error.strerror or error}") from None
    if len(content) < _HEADER.size or not content.startswith(MAGIC):
        raise NetError(f"{path}: not an evaluation net of this program")
    _, *shape, scale, checksum = _HEADER.unpack_from(content)
    if shape[0] != VERSION:
        raise NetError(f"{path}: a net of version {shape[0]}, not {VERSION}")
    if tuple(shape) != _SHAPE:
        raise NetError(f"{path}: layers of another size ({shape[1:]}, not {list(_SHAPE[1:])})")
    wanted = _HEADER.size + sum(length * (2 if code == "h" else 4) for _, code, length in _PARTS)
    if len(content) != wanted:
        raise NetError(f"{path}: {len(content)} bytes, not {wanted}: cut short or damaged")
    if zlib.crc32(content[_HEADER.size :]) != checksum:
        raise NetError(f"{path}: damaged: the checksum is wrong")
    at, parts = _HEADER.size, {}
    for name, code, length in _PARTS:
        values = array(code)
        values.frombytes(content[at : at + length * values.itemsize])
        at += length * values.itemsize
        if sys.byteorder == "big":
            values.byteswap()
        parts[name] = values
    _check(parts, scale, str(path))
    return NetData(scale, **parts)


def write_net(path: str | Path, data: NetData) -> None:
    """Write a net. ``NetError`` for one that ``read_net`` would refuse; ``OSError`` when it can't be written."""
    parts = {name: getattr(data, name) for name, _, _ in _PARTS}
    for name, code, length in _PARTS:
        if parts[name].typecode != code or len(parts[name]) != length:
            raise NetError(f"{path}: {name} must be {length} numbers of type {code}")
    _check(parts, data.scale, str(path))
    content = b""
    for values in parts.values():
        if sys.byteorder == "big":
            values = array(values.typecode, values)
            values.byteswap()
        content += values.tobytes()
    Path(path).write_bytes(_HEADER.pack(MAGIC, *_SHAPE, data.scale, zlib.crc32(content)) + content)


def _check(parts: dict[str, array[int]], scale: int, path: str) -> None:
    """``NetError`` where a sum could leave its range."""
    if not 1 <= scale <= 4000:
        raise NetError(f"{path}: a scale of {scale} centipawns")
    for name, values in parts.items():
        largest = LARGEST_WEIGHT if name in ("bias", "rows") else LARGEST_BIAS
        if max(values) > largest or min(values) < -largest:
            raise NetError(f"{path}: a number in {name} is beyond ±{largest}")
