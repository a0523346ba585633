"""The line between a simulated board and the host, with what goes wrong on lines."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class WireFaults:
    """Chances for each byte. The default is a perfect line."""

    drop: float = 0.0
    double: float = 0.0
    flip: float = 0.0
    """One bit of it turns over."""
    garbage: float = 0.0
    """A burst of 1 to 40 random bytes comes before it."""

    @property
    def any(self) -> bool:
        return self.drop + self.double + self.flip + self.garbage > 0


class Wire:
    """Spoils bytes by chance, the same way for the same seed. Unplugged, it loses everything."""

    def __init__(self, faults: WireFaults | None = None, seed: int = 0) -> None:
        self.faults = faults or WireFaults()
        self.plugged = True
        self._random = random.Random(seed)
        self._cut: int | None = None

    def cut_after(self, count: int) -> None:
        """Unplug after this many more bytes: in the middle of a line."""
        self._cut = count

    def plug(self) -> None:
        """Put the cable in; a cut that has not happened is forgotten."""
        self.plugged = True
        self._cut = None

    def carry(self, data: bytes) -> bytes:
        """What of ``data`` arrives."""
        if not self.plugged:
            return b""
        if self._cut is not None:
            arrives = data[: self._cut]
            self._cut -= len(arrives)
            if self._cut <= 0:
                self._cut = None
                self.plugged = False
            return arrives
        if not self.faults.any:
            return data
        out = bytearray()
        for byte in data:
            if self._random.random() < self.faults.garbage:
                out += self._random.randbytes(self._random.randint(1, 40))
            if self._random.random() < self.faults.drop:
                continue
            if self._random.random() < self.faults.flip:
                byte ^= 1 << self._random.randrange(8)
            out.append(byte)
            if self._random.random() < self.faults.double:
                out.append(byte)
        return bytes(out)
