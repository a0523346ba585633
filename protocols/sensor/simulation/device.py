"""What every simulated device is to those who drive it: the hand, the wire, the virtual clock."""

from __future__ import annotations

from typing import Protocol

from protocols.sensor.simulation.sensors import Sensors


class Device(Protocol):
    """A simulated board with its protocol. Bytes and times in, bytes out."""

    sensors: Sensors

    @property
    def leds(self) -> str:
        """The leds as they shine, one character each, in the board's own LED model; colours that do not tell which
        led was meant show as ``W`` (lit).
        """

    def put(self, point: int, thing: str, now: float) -> None:
        """Put a thing on a point, or take it off."""

    def press(self, name: str, now: float) -> None:
        """Press and release a key; ``lever-near`` and ``lever-far`` are the clock lever's sides."""

    def set_hand(self, present: bool, now: float) -> None:
        """A hand comes over the board, or leaves it."""

    def feed(self, data: bytes, now: float) -> None:
        """Bytes from the host have arrived."""

    def outgoing(self, now: float) -> bytes:
        """Bytes the board sends now. Its sensors are brought up to this time."""

    def wake(self, now: float) -> float:
        """When to ask ``outgoing`` again at the latest."""

    def reset(self, now: float) -> None:
        """Power lost and back: all state but what lies on the board is gone."""

    def connected(self, now: float) -> None:
        """A host has opened the line."""
