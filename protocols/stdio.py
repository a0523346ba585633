"""The loop that joins a line-based server (GTP, UCCI, UCI) to standard input and output.

Three threads: a reader that does nothing but take bytes and cut lines, the main thread that answers them in order,
and one that wakes up on signals. The reader tells the server about each line the moment it has arrived, which is how
a running search learns that somebody is waiting. Everything goes through the raw descriptors: no buffer of Python's
can hold a reply back, and a reader blocked at exit does no harm.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import signal
import stat
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, Protocol

from protocols.log import SessionLog, complain

SERIAL_BAUD = 9600
"""The speed of Bluetooth serial modules and of the boards that speak GTP or UCCI themselves."""

MAX_LINE = 1 << 18
"""Bytes a line may have (256 KiB; a whole game in one line is a tenth of it). The rest of a longer line is not
stored.
"""

MAX_QUEUED = 1 << 22
"""Bytes of unanswered lines held (4 MiB); beyond that the reader lets the pipe fill up, and the client waits."""

HEAD = 1 << 12
"""Bytes of an over-long line that the server gets to see, to answer by its id or name."""

GRACE = 1.5
"""Seconds a signal leaves the server to end by itself before the process is ended for it."""

End = Literal["eof", "signal", "gone"]
"""Why there will be no more lines: end of input, a signal, or nobody reads our output."""


class LineServer(Protocol):
    """What the loop drives. Lines come without their line end (a CR may still be there).

    ``finished`` is read after each ``handle``: true ends the loop (the server has answered a quit). ``patient`` is
    set by the loop, before the first line, to true when the input is a plain file: nobody waits at the other end, so
    nothing needs to be cut short because more lines, or the end, are there already.
    """

    patient: bool

    @property
    def finished(self) -> bool: ...

    def notice(self, line: str) -> None:
        """A line has arrived; ``handle`` gets it later. Called in the reader thread: be quick, do not write."""

    def notice_end(self, why: End) -> None:
        """No more lines will come. Called once or more, from any thread, while ``handle`` may be running."""

    def handle(self, line: str) -> str | None:
        """Answer a line. Called in the main thread, in order; the text is written as it is and flushed."""

    def refuse(self, head: str) -> str | None:
        """Answer a line longer than MAX_LINE, of which this is the beginning."""

    def close(self) -> None:
        """The last call, in the main thread: end searches and threads."""


class Line(NamedTuple):
    """A line of input without its LF; of one that was too long, only the head."""

    data: bytes
    too_long: bool = False


class LineCutter:
    """Cuts a stream of bytes into lines in bounded memory."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._overflow = False

    def feed(self, data: bytes) -> Iterator[Line]:
        """The lines completed by ``data``."""
        start = 0
        while True:
            end = data.find(b"\n", start)
            self._add(data[start : end if end >= 0 else len(data)])
            if end < 0:
                return
            yield self._take()
            start = end + 1

    def rest(self) -> Line | None:
        """What the stream ended with, when that was not a line end."""
        return self._take() if self._buffer or self._overflow else None

    @property
    def overflow(self) -> bytes | None:
        """The head of an over-long line that has not ended yet, else None."""
        return bytes(self._buffer[:HEAD]) if self._overflow else None

    def _add(self, part: bytes) -> None:
        if not self._overflow:
            self._buffer += part
            if len(self._buffer) <= self._limit:
                return
            self._overflow = True
        elif len(self._buffer) < HEAD:
            self._buffer += part[:HEAD]
        # Leading blanks are no part of a command: a line that begins with a megabyte of them still shows its name.
        self._buffer = self._buffer.lstrip(b" \t\r\0")
        del self._buffer[HEAD:]

    def _take(self) -> Line:
        line = Line(bytes(self._buffer), self._overflow)
        self._buffer = bytearray()
        self._overflow = False
        return line


class _LineQueue:
    """Lines between reader and main thread. Never drops one: a full queue makes the reader wait."""

    def __init__(self, limit: int = MAX_QUEUED) -> None:
        self._limit = limit
        self._lines: deque[Line] = deque()
        self._size = 0
        self._ended = False
        self._condition = threading.Condition()

    def put(self, line: Line) -> None:
        with self._condition:
            while self._size > self._limit and not self._ended:
                self._condition.wait()
            self._lines.append(line)
            # An empty line costs memory too.
            self._size += len(line.data) + 64
            self._condition.notify_all()

    def end(self, drop: bool) -> None:
        """No more lines; with ``drop`` those still waiting are not answered either."""
        with self._condition:
            self._ended = True
            if drop:
                self._lines.clear()
            self._condition.notify_all()

    def get(self) -> Line | None:
        """The next line, or None at the end."""
        with self._condition:
            while not self._lines and not self._ended:
                # The time-out lets Windows deliver Ctrl-C, which does not interrupt a lock there.
                self._condition.wait(1.0 if sys.platform == "win32" else None)
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._size -= len(line.data) + 64
            self._condition.notify_all()
            return line


class Output:
    """Writes whole texts to a descriptor, one at a time, from any thread.

    A client that has closed its end is not an error: ``gone`` becomes true, ``on_gone`` is called once, and
    everything written later is dropped.
    """

    def __init__(self, fd: int, encoding: str, log: SessionLog, on_gone: Callable[[], None]) -> None:
        self._fd = fd
        self._encoding = encoding
        self._log = log
        self._on_gone = on_gone
        self._lock = threading.Lock()
        self.gone = False

    def write(self, text: str) -> None:
        """Write ``text`` as it is. Blocks while the client does not read."""
        # Bytes that were no text in the input come back as they were; what the encoding lacks becomes "?".
        try:
            data = text.encode(self._encoding, "surrogateescape")
        except UnicodeEncodeError:
            data = text.encode(self._encoding, "replace")
        with self._lock:
            if self.gone:
                return
            try:
                self._write_all(data)
            except OSError:
                self.gone = True
        if self.gone:
            self._log.note("the client is gone")
            self._on_gone()
        else:
            self._log.sent(text)

    def _write_all(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            try:
                # Windows refuses very large single writes to a pipe.
                written = os.write(self._fd, view[: 1 << 15])
            except BlockingIOError:
                select.select([], [self._fd], [])
                continue
            view = view[written:]


def _read(fd: int) -> bytes:
    """The next bytes; b"" at the end of input, for which a broken pipe counts."""
    while True:
        try:
            return os.read(fd, 1 << 16)
        except BlockingIOError:
            select.select([fd], [], [])
        except OSError:
            return b""


class _Signals:
    """While open, SIGINT, SIGTERM and SIGHUP call ``on_signal`` in a thread of their own, at once.

    The interpreter's own handlers run only between two bytecodes of the main thread, which may be deep in a search;
    the wake-up descriptor is written to by the C handler itself.
    """

    def __init__(self, on_signal: Callable[[], None]) -> None:
        self._on_signal = on_signal
        self._before: dict[int, Any] = {}

    def __enter__(self) -> _Signals:
        if threading.current_thread() is not threading.main_thread():
            return self
        write, read = _wake_up_pair()
        self._fd_before = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            number = getattr(signal, name, None)
            if number is not None:
                self._before[number] = signal.signal(number, lambda *_: None)
        threading.Thread(target=self._wait, args=(read,), name="signals", daemon=True).start()
        return self

    def _wait(self, read: Callable[[], bytes]) -> None:
        with contextlib.suppress(OSError):
            while read():
                self._on_signal()

    def __exit__(self, *_: object) -> None:
        if not self._before:
            return
        for number, handler in self._before.items():
            signal.signal(number, handler)
        write = signal.set_wakeup_fd(self._fd_before)
        if sys.platform != "win32":
            os.close(write)  # which ends the thread


def _wake_up_pair() -> tuple[int, Callable[[], bytes]]:
    """A descriptor that signals are written to, and a function that waits for one and gives its byte."""
    if sys.platform == "win32":
        import socket  # the only thing the C handler can write to there without blocking

        reader, writer = socket.socketpair()
        writer.setblocking(False)
        return writer.detach(), lambda: reader.recv(1)
    read, write = os.pipe()
    os.set_blocking(write, False)
    return write, lambda: os.read(read, 1)


def serve(
    make_server: Callable[[Callable[[str], None]], LineServer],
    *,
    stdin: int = 0,
    stdout: int = 1,
    encoding: str = "utf-8",
    log: SessionLog | None = None,
) -> int:
    """Run a server until it has finished, its input has ended, its client is gone or a signal came. Gives the exit
    code.

    ``make_server`` gets a function that writes text to the client from any thread (for lines that belong to no single
    reply) and gives the server. ``encoding`` is UTF-8, or GBK for Chinese programs on old Windows; what does not
    decode is handed on as surrogates and written back as the bytes it was.
    """
    log = log or SessionLog()
    queue = _LineQueue()
    done = threading.Event()
    server: LineServer | None = None

    def end(why: End) -> None:
        queue.end(drop=why != "eof")
        if server is not None:
            try:
                server.notice_end(why)
            except Exception:
                log.exception()

    def on_signal() -> None:
        log.note("signal")
        end("signal")
        if not done.wait(GRACE):
            os._exit(1)

    output = Output(stdout, encoding, log, lambda: end("gone"))
    if sys.platform == "win32":
        import msvcrt

        for fd in (stdin, stdout):
            msvcrt.setmode(fd, os.O_BINARY)
    # Nothing but replies may reach the client, whatever a library prints.
    stdout_before = sys.stdout
    if stdout == 1:
        sys.stdout = sys.stderr
    try:
        with _Signals(on_signal):
            server = make_server(output.write)
            server.patient = _is_file(stdin)
            threading.Thread(
                target=_reader, args=(stdin, encoding, server, queue, log, end), name="reader", daemon=True
            ).start()
            try:
                _answer(server, queue, output, encoding, log)
            finally:
                server.close()
                done.set()
    finally:
        sys.stdout = stdout_before
        log.note("end")
    return 0


def _answer(server: LineServer, queue: _LineQueue, output: Output, encoding: str, log: SessionLog) -> None:
    """Answer lines in order until the end."""
    while not server.finished and not output.gone:
        line = queue.get()
        if line is None:
            return
        text = line.data.decode(encoding, "surrogateescape")
        if line.too_long:
            log.note(f"a line longer than {MAX_LINE} bytes was refused; it began: {text[:80]}")
        else:
            log.received(text)
        try:
            answer = server.refuse(text) if line.too_long else server.handle(text)
        except Exception:
            # A server guards its commands itself; this is the last net, so that one line cannot end a session.
            log.exception()
            continue
        if answer:
            output.write(answer)


def _reader(
    fd: int, encoding: str, server: LineServer, queue: _LineQueue, log: SessionLog, end: Callable[[End], None]
) -> None:
    """Cut lines, tell the server, queue them; until the input ends."""
    cutter = LineCutter()
    noticed = False
    begun = False

    def take(line: Line) -> None:
        nonlocal noticed, begun
        if not begun:  # some editors and shells put a byte-order mark before a script
            begun, line = True, line._replace(data=line.data.removeprefix(codecs.BOM_UTF8))
        if not noticed:
            _notice(server, line.data.decode(encoding, "surrogateescape"), log)
        noticed = False
        queue.put(line)

    try:
        while data := _read(fd):
            for line in cutter.feed(data):
                take(line)
            head = cutter.overflow
            if head is not None and not noticed:
                # Its end may never come; a search that it should stop must not wait for that.
                _notice(server, head.decode(encoding, "surrogateescape"), log)
                noticed = True
        last = cutter.rest()
        if last is not None:
            take(last)
    except Exception:
        log.exception()
    end("eof")


def _notice(server: LineServer, line: str, log: SessionLog) -> None:
    try:
        server.notice(line)
    except Exception:
        log.exception()


def _is_file(fd: int) -> bool:
    try:
        return stat.S_ISREG(os.fstat(fd).st_mode)
    except OSError:
        return False


def is_terminal(fd: int = 0) -> bool:
    """Whether a person sits at the other end."""
    try:
        return os.isatty(fd)
    except OSError:
        return False


def invite(program: str, text: str) -> None:
    """Tell a person who started a server by hand, in one line on standard error, what it is waiting for."""
    if is_terminal():
        complain(f"{program}: {text}")
