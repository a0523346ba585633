"""The line to a board: open, read, write, close, over anything pyserial has a URL for.

pyserial is imported when a line is made, not before: a program that names no board does not pay for it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from dataclasses import dataclass
from typing import Any, Protocol

from engines.errors import QiqiaoError
from protocols.sensor.reading import State

READ_TIMEOUT = 0.1
"""Seconds ``read`` waits at most."""

WRITE_TIMEOUT = 2.0
"""Seconds ``write`` may take before the line counts as stuck: a busy machine must not pass for a stuck line, and who
closes a connection waits no longer than 3 seconds for it.
"""

FORBIDDEN_BAUD = 1200
"""Opening at this speed makes many controllers jump into their boot loader."""

READ_SIZE = 1 << 16


class LinkError(QiqiaoError, OSError):
    """A line that cannot be opened or has broken, with what it is and what to tell the user."""

    def __init__(self, state: State, text: str) -> None:
        super().__init__(text)
        self.state = state
        self.text = text


class Link(Protocol):
    """A line. Every failure, at any call, is a ``LinkError``."""

    url: str

    def open(self) -> None:
        """Open it. What the other side said before is dropped."""

    def read(self) -> bytes:
        """What has arrived, waiting for it a little; b"" when nothing has."""

    def write(self, data: bytes) -> None:
        """Send all of it."""

    def wake(self) -> None:
        """End a waiting ``read`` early, from another thread, where that can be done."""

    def close(self) -> None:
        """Never fails, and may be called twice."""


@dataclass(frozen=True)
class LineSettings:
    """How a serial line is spoken to. Of no meaning for TCP and the like."""

    baud: int = 115200
    bits: int = 8
    parity: str = "N"
    stop: float = 1
    dtr: bool = False
    """Data Terminal Ready: set, it resets many controllers at opening and keeps some in reset."""
    rts: bool = False

    def __post_init__(self) -> None:
        if self.baud == FORBIDDEN_BAUD:
            raise ValueError("1200 baud is the signal for a controller's boot loader, not for talking")
        if (
            self.baud < 300
            or self.bits not in (5, 6, 7, 8)
            or self.parity not in "NEOMS"
            or self.stop not in (1, 1.5, 2)
        ):
            raise ValueError(f"bad line settings: {self.baud} baud, {self.bits}{self.parity}{self.stop:g}")


DEFAULT_LINE = LineSettings()


class SerialLink:
    """A line over a pyserial URL: ``/dev/ttyUSB0``, ``COM5``, ``socket://host:port``, ``rfc2217://``, ``loop://``, ...

    Before opening DTR and RTS are set as wanted, and the port is locked against a second reader.
    """

    def __init__(self, url: str, settings: LineSettings | None = None, *, read_timeout: float = READ_TIMEOUT) -> None:
        self.url = url
        self.settings = settings or LineSettings()
        self._read_timeout = read_timeout
        self._port: Any = None
        # pyserial's TCP port tells of one waiting byte at most; read without waiting it gives all there are.
        self._by_timeout = url.startswith("socket://")

    def open(self) -> None:
        import serial

        settings = self.settings
        try:
            port = serial.serial_for_url(self.url, do_not_open=True)
            port.baudrate = settings.baud
            port.bytesize = settings.bits
            port.parity = settings.parity
            port.stopbits = settings.stop
            port.timeout = self._read_timeout
            port.write_timeout = WRITE_TIMEOUT
            port.exclusive = True
            # Lines without modem signals (pseudo-terminals) refuse these; nothing is lost by that.
            with contextlib.suppress(OSError):
                port.dtr = settings.dtr
                port.rts = settings.rts
            port.open()
        except (OSError, ValueError) as error:
            raise _explain(self.url, error) from error
        self._port = port

    def read(self) -> bytes:
        port = self._port
        if port is None:
            raise LinkError(State.LOST, f"{self.url}: closed")
        try:
            data: bytes = port.read(1)
            if data:
                if self._by_timeout:
                    port.timeout = 0
                    data += port.read(READ_SIZE)
                    port.timeout = self._read_timeout
                elif waiting := port.in_waiting:
                    data += port.read(min(waiting, READ_SIZE))
            return data
        except (OSError, TypeError, AttributeError) as error:
            # TypeError, AttributeError: pyserial's own when the port was closed by another thread meanwhile.
            raise LinkError(State.LOST, f"{self.url}: {error}") from error

    def write(self, data: bytes) -> None:
        port = self._port
        if port is None:
            raise LinkError(State.LOST, f"{self.url}: closed")
        try:
            port.write(data)
        except (OSError, TypeError, AttributeError) as error:
            raise LinkError(State.LOST, f"{self.url}: {error}") from error

    def wake(self) -> None:
        cancel = getattr(self._port, "cancel_read", None)
        if cancel is not None:
            with contextlib.suppress(OSError, TypeError, AttributeError):
                cancel()

    def close(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            with contextlib.suppress(OSError, TypeError, AttributeError):
                port.close()


def _explain(url: str, error: Exception) -> LinkError:
    """Why a port could not be opened, as a state and a text that says what to do."""
    number = getattr(error, "errno", None)
    text = str(error)
    if number is None and sys.platform == "win32":
        # pyserial gives the text of the system's error only.
        number = errno.EACCES if "PermissionError" in text else errno.ENOENT if "FileNotFoundError" in text else None
        if number == errno.EACCES:
            return LinkError(State.BUSY, f"{url} is in use by another program")
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV, errno.ENOTDIR):
        return LinkError(State.NO_PORT, f"there is no port {url}")
    if number in (errno.EACCES, errno.EPERM):
        return LinkError(State.NO_PERMISSION, f"no permission for {url}: {mend_permission(url)}")
    if number in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK):
        return LinkError(State.BUSY, f"{url} is in use by another program{mend_busy(url)}")
    return LinkError(State.NO_PORT, f"cannot open {url}: {text}")


def mend_permission(path: str) -> str:
    """The command that gives the user access to a port."""
    group = "dialout"
    if sys.platform != "win32":
        import grp

        with contextlib.suppress(KeyError, OSError):
            group = grp.getgrgid(os.stat(path).st_gid).gr_name
    if group == "root":
        return "install the rules that 'qiqiao ports --udev-rules' prints, then plug the board in again"
    return (
        f"run 'sudo usermod -a -G {group} $USER' and log in again (or install what 'qiqiao ports --udev-rules' prints)"
    )


def mend_busy(path: str) -> str:
    """Who holds a port, as far as that can be seen, and what to do about it."""
    holder = holder_of(path)
    if holder == "ModemManager":
        return (
            ": ModemManager is looking whether it is a modem; wait 15 seconds, or install what "
            "'qiqiao ports --udev-rules' prints"
        )
    if holder:
        return f": {holder}"
    return ""


def holder_of(path: str, proc: str = "/proc") -> str:
    """The name and number of a process that has a device file open (just the name for ModemManager); empty when none
    can be seen. Linux; other people's processes are not seen without their rights.
    """
    try:
        target = os.path.realpath(path)
        numbers = [name for name in os.listdir(proc) if name.isdecimal() and int(name) != os.getpid()]
    except OSError:
        return ""
    modem_manager = False
    for number in numbers:
        try:
            with open(f"{proc}/{number}/comm", encoding="utf-8") as file:
                name = file.read().strip()
            modem_manager = modem_manager or name == "ModemManager"
            for descriptor in os.listdir(f"{proc}/{number}/fd"):
                if os.readlink(f"{proc}/{number}/fd/{descriptor}") == target:
                    return name if name == "ModemManager" else f"{name} (process {number})"
        except OSError:
            continue
    # Its files cannot be seen by others; where it runs and a serial port is busy, it is the first to suspect.
    return "ModemManager" if modem_manager and "/tty" in target else ""
