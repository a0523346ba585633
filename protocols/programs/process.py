"""Another program as a child process: lines in, lines out, and an end that comes whatever the program does.

Four threads a child: one writes to it, one reads its lines, one drains its standard error, one waits for its death.
Nobody who sends a line ever blocks on the pipe, and nothing that the child writes can fill our memory. As long as the
pipe takes what is sent, it is written at once (not on Windows): waking a thread for each line costs more than the line.
For the same reason whoever waits for lines may read them himself (``attended``): then the reading thread only empties
the pipe when nobody has done so for a while.

On POSIX systems the child leads a process group of its own, which ends as a whole. A small shell process waits at the
other end of a pipe that only we hold: should we be killed, it kills the group. A program that moves itself into another
session escapes both. On Windows the tree of processes is ended with ``taskkill``; there nothing watches over a killed
parent, but an engine that reads to the end of its input ends by itself.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from engines.errors import QiqiaoError
from engines.text import decode_text
from protocols.log import SessionLog
from protocols.stdio import LineCutter

MAX_LINE = 1 << 22
"""Bytes a line of the child may have (4 MiB: an analysis with an ownership map a move takes one). Longer ones are
dropped, with a note in the log."""

MAX_UNREAD = 1 << 22
"""Bytes that may wait for a child that does not read; beyond that it counts as hung and is killed."""

KEPT_ERRORS = 200
"""Lines of standard error that are kept."""

MAX_ERROR_LINE = 2000
"""Bytes kept of a line of standard error."""

DRAIN = 0.3
"""Seconds that the last output of a dead child may take; a process it left behind may hold the pipe open for ever."""

SWEEP = 0.5
"""Seconds between two looks of the reading thread at an attended child, whose pipe must not stay full."""

SILENT = 1.0
"""Seconds that a child may live on after it has closed its standard output (longer when it was told to end)."""

_GUARD = 'trap "" HUP INT TERM; read -r word; [ "$word" = over ] || kill -s KILL -- "-$1" 2>/dev/null'


class ProcessError(QiqiaoError, RuntimeError):
    """The program can't be started; the text says why in plain words."""


def split_command(command: str) -> list[str]:
    """The words of a command line. Raises ProcessError for an empty one or an open quotation mark.

    On Windows a backslash is a letter like any other.
    """
    try:
        words = shlex.split(command, posix=sys.platform != "win32")
    except ValueError as error:
        raise ProcessError(f"cannot read the command '{command}': {error}") from None
    if sys.platform == "win32":
        words = [word[1:-1] if len(word) > 1 and word[0] == word[-1] == '"' else word for word in words]
    if not words:
        raise ProcessError("the command is empty")
    words[0] = os.path.expanduser(words[0])
    return words


def decode(data: bytes | bytearray) -> str:
    """A line as text: UTF-8, else whichever encoding of China (old systems) or elsewhere makes the best of it."""
    return decode_text(bytes(data))


class Process:
    """A running child.

    ``on_line`` gets each line of its standard output without the line end, in the reading thread or whichever calls
    ``listen``; ``on_end`` gets, once, in a thread of its own, how it ended ("exit code 1", "killed by SIGKILL", …),
    after the last line.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        on_line: Callable[[str], None],
        on_end: Callable[[str], None],
        *,
        directory: str | None = None,
        log: SessionLog | None = None,
        attended: bool = False,
    ) -> None:
        """Start the program, in ``directory`` if given. Raises ProcessError when it can't be started.

        ``attended``: whoever waits for its lines calls ``listen``; lines that come while nobody does may lie for a
        moment. It is an offer: see the property.
        """
        words = split_command(command) if isinstance(command, str) else list(command)
        self._on_line = on_line
        self._on_end = on_end
        self._log = log or SessionLog()
        self._errors: deque[str] = deque(maxlen=KEPT_ERRORS)
        self._outgoing: deque[bytes] = deque()
        self._unread = 0
        self._closing = False
        self._deaf = False  # nothing more can be sent
        self._lock = threading.Lock()
        self._wake = threading.Condition(self._lock)
        self._exited = threading.Event()
        self._read_all = threading.Event()
        self._reading = threading.Lock()  # whoever reads the pipe has it
        self._forsaken = threading.Event()  # nobody need listen any more: the reading thread reads to the end
        self._cutter = LineCutter(MAX_LINE)
        self._reason = ""
        self.skim: Callable[[bytes], bytes] | None = None
        """Gets what the child wrote, in pieces and b"" at the end, and gives what of it is to be read now; None: all.
        It may keep some for later and leave out lines that nobody misses: each line read costs time."""
        self.ended = threading.Event()
        """Set when nothing of the child is left and ``on_end`` has been called."""
        try:
            self._child = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=None if directory is None else os.path.expanduser(directory),
                start_new_session=sys.platform != "win32",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise ProcessError(f"cannot start '{words[0]}': {why}") from None
        self.pid = self._child.pid
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._in = self._child.stdin
        self._out = self._child.stdout
        self._in_fd, self._out_fd = self._in.fileno(), self._out.fileno()
        self._poll: Any = None
        """``select.poll`` of the child's output, where this side listens itself."""
        # Windows can't wait for a pipe with a bound on the time, and a log tells when each line came.
        if attended and sys.platform != "win32" and not self._log.on:
            self._poll = select.poll()
            self._poll.register(self._out, select.POLLIN)
        if sys.platform != "win32":
            os.set_blocking(self._in_fd, False)
        self._guard = _start_guard(self.pid)
        self._log.note(f"engine {self.pid} started: {shlex.join(words)}")
        for name, target in (
            ("engine-in", self._write),
            ("engine-out", self._read),
            ("engine-errors", self._drain),
            ("engine-end", self._wait),
        ):
            threading.Thread(target=target, name=name, daemon=True).start()

    # ------------------------------------------------------------------ use

    @property
    def attended(self) -> bool:
        """Whether lines are to be waited for with ``listen``."""
        return self._poll is not None

    def listen(self, seconds: float) -> bool:
        """Wait for what an attended child writes, so many seconds at most, and read it in this thread.

        Returns as soon as there was something, be it a part of a line or the end; False when there was nothing.
        """
        assert self._poll is not None
        if not self._reading.acquire(timeout=seconds):
            return False
        try:
            over = self._read_all.is_set()
            came = not over and bool(self._poll.poll(1000 * seconds))
            if came:
                self._read_some()
        finally:
            self._reading.release()
        if over:
            self.ended.wait(seconds)  # how it ended is told by another thread
        return came

    def send(self, *lines: str) -> None:
        """Send lines. Returns at once; to a dead child they go nowhere."""
        if self._log.on:
            for line in lines:
                self._log.note(f"engine {self.pid} << {line}")
        data = "\n".join([*lines, ""]).encode("utf-8", "surrogateescape")
        with self._lock:
            if self._deaf:
                return
            if sys.platform != "win32" and not self._unread:
                # Nothing waits before it. A pipe that is full takes a part, or nothing.
                try:
                    data = data[os.write(self._in_fd, data) :]
                except BlockingIOError:
                    pass
                except OSError:
                    return  # dead, or dying: the waiting thread tells
                if not data:
                    return
            self._outgoing.append(data)
            self._unread += len(data)
            full = self._unread > MAX_UNREAD
            self._wake.notify_all()
        if full:
            self._reason = "it does not read its input"
            self.kill()

    @property
    def errors(self) -> list[str]:
        """The last lines of its standard error."""
        return list(self._errors)

    @property
    def alive(self) -> bool:
        """Whether the child itself still runs."""
        return not self._exited.is_set()

    def end(self, farewell: Sequence[str] = (), patience: float = 1.0) -> None:
        """End it: say ``farewell``, close its input, wait ``patience`` seconds; then terminate; then kill its group.

        Returns when nothing of it is left, after ``patience`` and a second more at most.
        """
        for line in farewell:
            self.send(line)
        self._close()
        if not self._exited.wait(patience):
            self._signal(False)
            if not self._exited.wait(0.5):
                self.kill()
        self.ended.wait(DRAIN + 1)

    def kill(self) -> None:
        """Kill the whole group at once. Does not wait."""
        self._close()
        self._signal(True)

    def _close(self) -> None:
        """Its input is closed as soon as it has all that was sent; nobody listens any more."""
        with self._wake:
            self._closing = self._deaf = True
            self._wake.notify_all()
        self._forsaken.set()

    # ------------------------------------------------------------------ threads

    def _write(self) -> None:
        try:
            while True:
                with self._wake:
                    while not self._outgoing and not self._closing and not self._exited.is_set():
                        self._wake.wait()
                    if not self._outgoing or self._exited.is_set():
                        break
                    data = b"".join(self._outgoing)
                    self._outgoing.clear()
                # Until it is all gone nobody else writes, so that this thread may wait for the pipe.
                if sys.platform != "win32":
                    os.set_blocking(self._in.fileno(), True)
                view = memoryview(data)
                while view:
                    view = view[self._in.write(view[: 1 << 15]) or 0 :]
                with self._wake:
                    self._unread -= len(data)
                    if not self._unread and sys.platform != "win32":
                        os.set_blocking(self._in.fileno(), False)
        except (OSError, ValueError):
            pass  # dead, or dying: the waiting thread tells
        with self._wake, contextlib.suppress(OSError):
            self._deaf = True
            self._in.close()

    def _read(self) -> None:
        if self._poll is not None:
            while not self._forsaken.wait(SWEEP):
                self.listen(0)
        while not self._read_all.is_set():
            with self._reading:
                if not self._read_all.is_set():
                    self._read_some()
        if not self._exited.wait(SILENT) and not self._closing:
            self._reason = self._reason or "it closed its output"
            self.kill()

    def _read_some(self) -> None:
        """Wait for the child to write something, and read it; at the end close the pipe. By who has ``_reading``."""
        try:
            data = os.read(self._out_fd, 1 << 16)
        except (OSError, ValueError):
            data = b""
        rest = data if self.skim is None else self.skim(data)
        if rest:
            for line in self._cutter.feed(rest):
                self._take(line.data, line.too_long)
        if not data:
            last = self._cutter.rest()
            if last is not None:
                self._take(last.data, last.too_long)
            self._out.close()
            self._read_all.set()
            self._forsaken.set()

    def _take(self, data: bytes, too_long: bool) -> None:
        if too_long:
            self._log.note(f"engine {self.pid} wrote a line longer than {MAX_LINE} bytes, which is dropped")
            return
        text = decode(data).rstrip("\r")
        if self._log.on:
            self._log.note(f"engine {self.pid} >> {text}")
        try:
            self._on_line(text)
        except Exception:
            self._log.exception()

    def _drain(self) -> None:
        pipe = self._child.stderr
        assert pipe is not None
        cutter = LineCutter(MAX_ERROR_LINE)
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(pipe.fileno(), 1 << 16):
                for line in cutter.feed(data):
                    self._keep(line.data)
        rest = cutter.rest()
        if rest is not None:
            self._keep(rest.data)
        pipe.close()

    def _keep(self, data: bytes) -> None:
        text = decode(data[:MAX_ERROR_LINE]).rstrip("\r")
        self._errors.append(text)
        if self._log.on:
            self._log.note(f"engine {self.pid} !! {text}")

    def _wait(self) -> None:
        _await_death(self._child)
        # What it has left in its group goes before its number can be given to somebody else.
        self._signal(True)
        code = self._child.wait()
        self._exited.set()
        self._forsaken.set()
        with self._wake:
            self._deaf = True
            self._wake.notify_all()
        self._read_all.wait(DRAIN)
        if self._guard is not None:
            _dismiss(self._guard)
        self._reason = self._reason or (f"exit code {code}" if code >= 0 else f"killed by {_signal_name(-code)}")
        self._log.note(f"engine {self.pid} ended: {self._reason}")
        try:
            self._on_end(self._reason)
        except Exception:
            self._log.exception()
        self.ended.set()

    def _signal(self, kill: bool) -> None:
        if sys.platform == "win32":
            if kill and not self._exited.is_set():
                subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.pid)], capture_output=True, check=False)
            elif not self._exited.is_set():
                self._child.terminate()
            return
        if self._exited.is_set():
            return
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL if kill else signal.SIGTERM)


def _await_death(child: subprocess.Popen[bytes]) -> None:
    """Wait until the child is dead, leaving its number taken where the system can do that."""
    if sys.platform != "win32" and hasattr(os, "waitid"):
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    else:
        child.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _start_guard(group: int) -> subprocess.Popen[bytes] | None:
    """The process that kills the group when we are gone; None where there is no shell."""
    if sys.platform == "win32":
        return None
    try:
        return subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "qiqiao-guard", str(group)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
    except OSError:
        return None


def _dismiss(guard: subprocess.Popen[bytes]) -> None:
    assert guard.stdin is not None
    with contextlib.suppress(OSError):
        guard.stdin.write(b"over\n")
        guard.stdin.close()
    try:
        guard.wait(1)
    except subprocess.TimeoutExpired:
        guard.kill()
        guard.wait()
