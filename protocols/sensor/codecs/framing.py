"""Cutting a described board's stream of bytes into frames."""

from __future__ import annotations

import binascii
from collections.abc import Callable
from dataclasses import dataclass, field


def _xor8(data: bytes) -> int:
    value = 0
    for byte in data:
        value ^= byte
    return value


def _crc16_modbus(data: bytes, value: int = 0xFFFF) -> int:
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xA001 if value & 1 else 0)
    return value


def _crc8(data: bytes, value: int = 0) -> int:
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value << 1 ^ (0x07 if value & 0x80 else 0)) & 0xFF
    return value


CHECKS: dict[str, tuple[int, Callable[[bytes], int]]] = {
    "xor8": (1, _xor8),
    "sum8": (1, lambda data: sum(data) & 0xFF),
    "sum7": (1, lambda data: sum(data) & 0x7F),
    "crc8": (1, _crc8),
    "crc16-xmodem": (2, lambda data: binascii.crc_hqx(data, 0)),
    "crc16-modbus": (2, _crc16_modbus),
}
"""Name: bytes of the check, and the check of some bytes. crc8 has polynomial 0x07 and start 0; 16-bit checks go over
the line high byte first (modbus: low byte first, as on that bus).
"""


STARTS: dict[str, Callable[[bytes, int], int]] = {
    "xor8": lambda data, start: start ^ _xor8(data),
    "sum8": lambda data, start: start + sum(data) & 0xFF,
    "sum7": lambda data, start: start + sum(data) & 0x7F,
    "crc8": _crc8,
    "crc16-xmodem": binascii.crc_hqx,
    "crc16-modbus": _crc16_modbus,
}
"""The checks with another start: 0xFFFF makes crc16-xmodem what is often called CCITT-FALSE."""


@dataclass(frozen=True)
class Crc:
    """Any other CRC, in the terms of the usual catalogues."""

    width: int
    """Bits: 8 or 16."""
    polynomial: int
    """Without its highest bit, highest power first, also where the CRC is reflected."""
    reflected: bool = False
    """Bytes go in lowest bit first, and the result is turned round too."""
    xor: int = 0
    """What the result is combined with at the end."""
    low_first: bool = False
    """Of 16 bits the low byte goes over the line first."""

    def of(self, data: bytes, start: int = 0) -> int:
        """The check of some data. ``start``: the register's first value, not reflected."""
        mask, top, value = (1 << self.width) - 1, 1 << self.width - 1, start
        for byte in data:
            value ^= (_mirrored(byte, 8) if self.reflected else byte) << self.width - 8
            for _ in range(8):
                value = (value << 1 ^ (self.polynomial if value & top else 0)) & mask
        return (_mirrored(value, self.width) if self.reflected else value) ^ self.xor


def _mirrored(value: int, width: int) -> int:
    return int(f"{value:0{width}b}"[::-1], 2)


def check_size(check: str | Crc) -> int:
    """Bytes of a check."""
    return check.width // 8 if isinstance(check, Crc) else CHECKS[check][0]


def check_bytes(name: str | Crc, data: bytes, start: int | None = None) -> bytes:
    """The check of some data as bytes. ``start``: the check of nothing; None: the usual one."""
    if isinstance(name, Crc):
        return name.of(data, start or 0).to_bytes(check_size(name), "little" if name.low_first else "big")
    size, function = CHECKS[name]
    value = function(data) if start is None else STARTS[name](data, start)
    return value.to_bytes(size, "little" if name == "crc16-modbus" else "big")


class Key(bytes):
    """A short message between frames of bytes, as a framer gives it among their contents."""


@dataclass(frozen=True)
class FrameSettings:
    """How frames are told apart."""

    kind: str = "line"
    """``line``: text up to an end; ``bytes``: a fixed number of bytes."""
    start: bytes = b""
    """What every frame begins with."""
    end: bytes = b""
    """What every frame ends with."""
    length: int = 0
    """Bytes between start and check, for ``bytes``."""
    check: str | Crc = ""
    """A name in CHECKS, a CRC, or empty. It covers start and content."""
    check_start: int | None = None
    """What the check begins with; None: the usual."""
    check_from: int = 0
    """The first byte of the frame (start included) that the check covers."""
    check_mark: bytes = b""
    """For lines: what stands between the content and the check's hexadecimal digits."""
    plain: frozenset[bytes] = frozenset()
    """Keys: lines that come without a check, or short messages between frames of bytes. Of those none begins as another
    or as a frame does, so the first bytes tell which it is.
    """
    gap: float = 0.0
    """Seconds of silence that lie only between frames; 0: not to be relied on."""

    @property
    def raw(self) -> bool:
        """Whether nothing but silence tells frames of bytes apart."""
        return self.kind == "bytes" and not (self.start or self.end or self.check)

    def check_of(self, body: bytes) -> bytes:
        """The check of a frame's start and content."""
        return check_bytes(self.check, body[self.check_from :], self.check_start)


@dataclass
class Framer:
    """Gives the contents of frames. ``valid`` tells whether a content can be one at all.

    In step, a frame is taken where the last one ended. After anything unexpected a frame of bytes is believed again
    only where no other place could be meant: after a gap, or where two frames in a row fit in exactly one way.
    """

    settings: FrameSettings
    valid: Callable[[bytes], bool]
    bad: int = 0
    """Frames or stretches of bytes that were thrown away."""
    _buffer: bytearray = field(default_factory=bytearray)
    _in_step: bool = False
    _last: float = 0.0

    MAX_LINE = 4096

    def restart(self, now: float) -> None:
        """The line has been opened."""
        self._buffer.clear()
        self._in_step = False
        self._last = now

    def feed(self, data: bytes, now: float) -> list[bytes]:
        """The contents of the frames that are complete now; for lines, of all lines (the codec chooses)."""
        frames: list[bytes] = []
        if self.settings.gap and now - self._last >= self.settings.gap:
            if self._ahead and len(self._buffer) == self.size:
                # It waited for the beginning of the next one, which is here now.
                self._buffer += self.settings.start
                frames = self._frames()
                self._buffer.clear()
            self.bad += bool(self._buffer)
            self._buffer.clear()
            self._in_step = True
        self._last = now
        self._buffer += data
        return frames + (self._lines() if self.settings.kind == "line" else self._frames())

    # --- lines

    def _lines(self) -> list[bytes]:
        lines = []
        while (end := self._buffer.find(self.settings.end)) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + len(self.settings.end)]
            content = self._checked_line(line)
            if content is None:
                self.bad += 1
            else:
                lines.append(content)
        if len(self._buffer) > self.MAX_LINE:
            self._buffer.clear()
            self.bad += 1
        return lines

    def _checked_line(self, line: bytes) -> bytes | None:
        line = line.strip(b"\r\n")
        if not self.settings.check or line in self.settings.plain:
            return line
        digits = 2 * check_size(self.settings.check)
        body, check = line[:-digits], line[-digits:]
        if not body.endswith(self.settings.check_mark):
            return None
        body = body.removesuffix(self.settings.check_mark)
        wanted = self.settings.check_of(body).hex().encode("ascii")
        return body if check.lower() == wanted else None

    # --- bytes

    @property
    def size(self) -> int:
        """Bytes of a whole frame."""
        settings = self.settings
        check = check_size(settings.check) if settings.check else 0
        return len(settings.start) + settings.length + check + len(settings.end)

    @property
    def _ahead(self) -> int:
        """Bytes of the next frame that must be seen first: a frame with a start and nothing else is only known to have
        been whole when the next one begins where it should.
        """
        return 0 if self.settings.end or self.settings.check else len(self.settings.start)

    def _content(self, at: int) -> bytes | None:
        """The content of the frame that begins at this byte of the buffer, or None when none does."""
        settings, frame = self.settings, bytes(self._buffer[at : at + self.size])
        if len(frame) < self.size or not frame.startswith(settings.start) or not frame.endswith(settings.end):
            return None
        body_end = len(settings.start) + settings.length
        if settings.check:
            check = settings.check_of(frame[:body_end])
            if frame[body_end : body_end + len(check)] != check:
                return None
        if self._ahead and self._buffer[at + self.size :][: self._ahead] != settings.start:
            return None
        content = frame[len(settings.start) : body_end]
        return content if self.valid(content) else None

    def _frames(self) -> list[bytes]:
        frames: list[bytes] = []
        while self._buffer:
            if self._in_step and self.settings.plain:
                key = self._key()
                if key is None:
                    break  # the beginning of one
                if key:
                    del self._buffer[: len(key)]
                    frames.append(key)
                    continue
            if len(self._buffer) < self.size + self._ahead:
                break
            if not self._in_step and not self._find_step():
                break
            content = self._content(0)
            if content is None:
                self._in_step = False
                self.bad += 1
                continue
            del self._buffer[: self.size]
            frames.append(content)
            if self.settings.raw:
                self._in_step = False  # what comes before the next silence is too much
        return frames

    def _key(self) -> Key | None:
        """The key that the buffer begins with, empty where it is none, None where it may become one. Only asked where
        a frame would be taken too: bytes within damage are nobody's key.
        """
        for message in self.settings.plain:
            if self._buffer.startswith(message):
                return Key(message)
        begun = bytes(self._buffer)
        return None if any(message.startswith(begun) for message in self.settings.plain) else Key()

    def _find_step(self) -> bool:
        """Look for the one place where two frames in a row can begin; drop what lies before it."""
        size, buffer = self.size, self._buffer
        if self.settings.raw:
            del buffer[: -self.MAX_LINE]
            return False
        while len(buffer) >= 3 * size + self._ahead:
            places = [
                at for at in range(size) if self._content(at) is not None and self._content(at + size) is not None
            ]
            if len(places) == 1:
                del buffer[: places[0]]
                self._in_step = True
                return True
            # None, or more than one: wait for what tells them apart.
            del buffer[:size]
        return False
