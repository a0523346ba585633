"""A text server on a serial line: for boards whose own controller speaks GTP or UCCI, and asks us for moves.

The line is joined to the loop of ``protocols.stdio`` by two pipes. It may break at any moment and come back, under the
same name or not: the game in the server goes on, half a line is thrown away, and replies wait until there is somebody
to read them.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable

from protocols import stdio
from protocols.log import SessionLog, complain
from protocols.sensor.links.connection import FIRST_PAUSE, LAST_PAUSE
from protocols.sensor.links.link import LineSettings, Link, LinkError, SerialLink
from protocols.sensor.links.ports import PortInfo, list_ports, port_of
from protocols.stdio import SERIAL_BAUD

MAX_HELD = 1000
"""Lines of replies kept while nobody is there."""


class TextLine:
    """Lines of text over a link that is opened again whenever it breaks."""

    def __init__(
        self,
        url: str,
        settings: LineSettings | None = None,
        *,
        hello: str = "",
        encoding: str = "utf-8",
        make_link: Callable[[str], Link] | None = None,
        ports: Callable[[], Iterable[PortInfo]] = list_ports,
        hurry: float = 1.0,
    ) -> None:
        """``make_link``, ``ports`` and ``hurry`` (all pauses are divided by it) are for tests."""
        self._url = url
        self._hello = hello.encode(encoding, "replace") + b"\n" if hello else b""
        self._encoding = encoding
        self._make_link = make_link or (lambda name: SerialLink(name, settings or LineSettings(baud=SERIAL_BAUD)))
        self._ports = ports
        self._hurry = hurry
        self._device: PortInfo | None = None
        self._link: Link | None = None
        self._lock = threading.Lock()
        self._held: deque[bytes] = deque(maxlen=MAX_HELD)
        self._closing = threading.Event()
        self._told = ""

    def serve(
        self,
        make_server: Callable[[Callable[[str], None]], stdio.LineServer],
        *,
        log: SessionLog | None = None,
    ) -> int:
        """Serve until the server has finished or a signal came; gives the exit code."""
        commands, to_server = os.pipe()
        from_server, replies = os.pipe()
        threads = [
            threading.Thread(target=self._receive, args=(to_server,), name="line in", daemon=True),
            threading.Thread(target=self._send, args=(from_server,), name="line out", daemon=True),
        ]
        for thread in threads:
            thread.start()
        try:
            return stdio.serve(make_server, stdin=commands, stdout=replies, encoding=self._encoding, log=log)
        finally:
            os.close(replies)  # the sender ends when it has sent everything
            threads[1].join(timeout=2.0)
            self._closing.set()
            with self._lock:
                link = self._link
            if link is not None:
                link.wake()
            threads[0].join(timeout=2.0)
            os.close(commands)

    # --- from the line to the server

    def _receive(self, to_server: int) -> None:
        pause = FIRST_PAUSE
        try:
            while not self._closing.is_set():
                link = self._open()
                if link is None:
                    self._closing.wait(pause / self._hurry)
                    pause = min(LAST_PAUSE, 2 * pause)
                    continue
                pause = FIRST_PAUSE
                try:
                    self._greet(link)
                    self._forward(link, to_server)
                except LinkError as error:
                    self._tell(f"the line is gone ({error.text}); waiting for it to come back")
                finally:
                    with self._lock:
                        self._link = None
                    link.close()
        except OSError:
            pass  # the server has ended and its pipe is closed
        finally:
            os.close(to_server)

    def _open(self) -> Link | None:
        """The line, opened, or None."""
        for url in self._names():
            link = self._make_link(url)
            try:
                link.open()
            except LinkError as error:
                self._tell(error.text)
                continue
            self._tell(f"serving on {url}")
            with contextlib.suppress(Exception):
                self._device = port_of(url, self._ports()) or self._device
            return link
        return None

    def _names(self) -> list[str]:
        """The port's name, and after it those under which the same device is there now."""
        names = [self._url]
        if self._device is not None:
            with contextlib.suppress(Exception):
                names += [port.device for port in self._ports() if port.same_device(self._device)]
        return list(dict.fromkeys(names))

    def _greet(self, link: Link) -> None:
        with self._lock:
            if self._hello:
                link.write(self._hello)
            while self._held:
                link.write(self._held[0])
                self._held.popleft()
            self._link = link

    def _forward(self, link: Link, to_server: int) -> None:
        """Whole lines to the server. What a broken line ended with is half a command, and dropped."""
        cutter = stdio.LineCutter()
        while not self._closing.is_set():
            data = link.read()
            if not data:
                continue
            for line in cutter.feed(data):
                rest = memoryview(line.data + b"\n")
                while rest:
                    rest = rest[os.write(to_server, rest) :]

    # --- from the server to the line

    def _send(self, from_server: int) -> None:
        try:
            left = b""
            while data := os.read(from_server, 1 << 16):
                *lines, left = (left + data).split(b"\n")
                for line in lines:
                    self._send_line(line + b"\n")
            if left:
                self._send_line(left)
        except OSError:
            pass
        finally:
            os.close(from_server)

    def _send_line(self, line: bytes) -> None:
        with self._lock:
            if self._link is not None:
                try:
                    self._link.write(line)
                    return
                except LinkError:
                    self._link = None  # the reader will notice, too, and open it again
            if not line.startswith(b"info "):
                self._held.append(line)

    def _tell(self, text: str) -> None:
        """A line on standard error, once."""
        if text != self._told:
            self._told = text
            complain(f"qiqiao: {text}")
