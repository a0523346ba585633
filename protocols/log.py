"""The session log: what went over the wire, both directions, with times.

Off by default. A log that cannot be written any more (disk full) is given up with one word on standard error; it
never stops a game.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from typing import TextIO


class SessionLog:
    """Lines in a text file: local time to the millisecond, then ``<`` received, ``>`` sent or ``*`` said by qiqiao
    itself.

    Every line is flushed at once, so that the log is whole when the process is killed. Safe from any thread.
    Without a path nothing is written.
    """

    def __init__(self, path: str | None = None) -> None:
        """Open ``path`` for appending. Raises OSError when that cannot be done."""
        self._lock = threading.Lock()
        self._file: TextIO | None = None
        self._given = path
        if path is not None:
            self._open(path)

    def _open(self, path: str) -> None:
        # Undecodable input bytes travel as surrogates; the log shows them as escapes.
        file = open(path, "a", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115 (closed in close)
        self.close()
        self._file = file
        self.note(f"log opened by process {os.getpid()}")

    def redirect(self, path: str | None) -> None:
        """Go on in another file, as a client wishes; without one, in that of the beginning, if there was one. Raises
        OSError when that can't be done; then it stays as it is.
        """
        path = path or self._given
        if path is None:
            self.close()
        elif self._file is None or self._file.name != path:
            self._open(path)

    @property
    def on(self) -> bool:
        """Whether anything is written."""
        return self._file is not None

    def received(self, text: str) -> None:
        """A line from the other side."""
        self._write("<", text)

    def sent(self, text: str) -> None:
        """A reply, or a part of one; each of its lines gets its own time and mark."""
        self._write(">", text)

    def note(self, text: str) -> None:
        """A remark of our own."""
        self._write("*", text)

    def exception(self) -> None:
        """The traceback of the exception being handled, here and on standard error."""
        import traceback  # rarely needed, and a GUI waits for our start

        text = traceback.format_exc().rstrip("\n")
        self._write("*", text)
        complain(text)

    def close(self) -> None:
        """Close the file; later lines are dropped."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def _write(self, mark: str, text: str) -> None:
        if self._file is None:
            return
        now = time.time()
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now)) + f".{int(now % 1 * 1000):03d}"
        lines = text.removesuffix("\n").split("\n")
        with self._lock:
            if self._file is None:
                return
            try:
                self._file.write("".join(f"{stamp} {mark} {line}\n" for line in lines))
                self._file.flush()
            except (OSError, ValueError) as error:
                self._file = None
                complain(f"qiqiao: the log is given up: {error}")


def complain(text: str) -> None:
    """A line on standard error; quietly nothing when there is no standard error to write to."""
    show(text + "\n")


def show(text: str) -> None:
    """Text on standard error as it is; quietly nothing when there is no standard error to write to."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(text)
        sys.stderr.flush()
