"""From a device's millisecond counter to the host's clock."""

from __future__ import annotations

WRAP = 1 << 32
"""Device counters have 32 bits; they wrap after 49.7 days, or were set to anything at the start."""

WINDOW = 5.0
"""Seconds over which the least delay is remembered; twice that at most. Short, because a ceramic resonator may be
0.5 % off (25 ms in this time), long enough to hold a few heartbeats.
"""

JUMP = 30.0
"""Seconds by which the two clocks may disagree between two time stamps before the device must have been restarted (or
the host have slept).
"""


class DeviceClock:
    """Maps device times to host times, from pairs of a time stamp and the moment it arrived.

    The delay of the line is never negative and often nearly nothing, so the least difference seen lately is the
    offset. A time is therefore never later than its arrival.
    """

    def __init__(self) -> None:
        self._last_ms: int | None = None
        self._elapsed = 0.0
        self._last_arrived = 0.0
        self._least = 0.0
        self._least_before = 0.0
        self._window_end = 0.0

    def reset(self) -> None:
        """The device has restarted: its counter means something new."""
        self._last_ms = None

    def host_time(self, device_ms: int, arrived: float) -> float:
        """When ``device_ms`` was, given that it was heard of at ``arrived``."""
        if self._last_ms is not None:
            step = (device_ms - self._last_ms) % WRAP
            if step >= WRAP // 2:
                step -= WRAP
            seconds = step / 1000
            # A change is stamped with its first sight, so a time stamp may lie a little before the last one.
            if abs(seconds - (arrived - self._last_arrived)) > JUMP:
                self._last_ms = None
            else:
                self._elapsed += seconds
        if self._last_ms is None:
            self._elapsed = 0.0
            self._least = self._least_before = arrived
            self._window_end = arrived + WINDOW
        self._last_ms = device_ms
        self._last_arrived = arrived
        if arrived >= self._window_end:
            self._least_before = self._least
            self._least = arrived - self._elapsed
            self._window_end = arrived + WINDOW
        self._least = min(self._least, arrived - self._elapsed)
        return self._elapsed + min(self._least, self._least_before)
