"""Play random sessions against the daemons, each in a fresh process, and tell which of them went wrong.

Commands come in any order, without a pause or with a tiny one, on boards from 1×1 to 25×25 and with one to three
threads, with numbers beyond all reason. A session is wrong when it leaves a traceback, an internal error, a command
without an answer, a number that is none, an exit status, or a process that does not end. Each has a number, by which it
can be played again (though threads may meet otherwise):

    python scripts/fuzz_sessions.py --sessions 10000 --jobs 2
    python scripts/fuzz_sessions.py --protocol gtp --first 4711 --sessions 1 --show
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
for folder in (str(ROOT), str(ROOT / "scripts")):
    if folder not in sys.path:
        sys.path.insert(0, folder)

import fuzz_gtp  # noqa: E402
import fuzz_xiangqi  # noqa: E402

PROTOCOLS = ("gtp", "uci", "ucci")

PREPARED = (
    *("engines.go.life", "engines.go.records", "engines.go.search", "engines.xiangqi.player"),
    *("protocols.commands.gtp", "protocols.gtp.server", "protocols.commands.uci", "protocols.commands.ucci"),
)
"""What a daemon needs."""

PATIENCE = 120.0
"""Seconds after which a session that has sent everything counts as hung."""


@dataclass(frozen=True)
class Session:
    """One session: the number it is made from, the daemon's arguments, and its lines with the pause before each."""

    protocol: str
    number: int
    arguments: list[str]
    lines: list[tuple[float, str]]


@dataclass(frozen=True)
class Ran:
    """What came of a session: both outputs, the exit status (None: it hung and was killed)."""

    output: str
    errors: str
    status: int | None


def session(protocol: str, number: int, longest: int = 30) -> Session:
    """The session of a number: always the same."""
    rng = random.Random(f"{protocol} {number}")
    writer = fuzz_gtp.Writer(rng) if protocol == "gtp" else fuzz_xiangqi.Writer(rng, protocol)
    arguments = [protocol, *writer.options()]
    return Session(protocol, number, arguments, writer.lines(rng.randint(1, longest)))


def _child(arguments: list[str], pipes: tuple[int, int, int]) -> int:
    """The daemon's process id, forked from this process; its standard files are these."""
    pid = os.fork()
    if pid:
        return pid
    status = 70
    try:
        for number, pipe in enumerate(pipes):
            os.dup2(pipe, number)
        os.closerange(3, 256)
        import qiqiao

        status = qiqiao.main(arguments)
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    except BaseException:
        import traceback

        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(status)


class _Process:
    """A daemon with its three pipes: forked from here, which costs nothing, or started as a program."""

    def __init__(self, arguments: list[str], fork: bool) -> None:
        if not fork:
            self._popen = subprocess.Popen(
                [sys.executable, str(ROOT / "qiqiao.py"), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=ROOT,
            )
            assert self._popen.stdin and self._popen.stdout and self._popen.stderr
            self.files = (self._popen.stdin.fileno(), self._popen.stdout.fileno(), self._popen.stderr.fileno())
            self._pid = self._popen.pid
            return
        (in_read, in_write), (out_read, out_write), (err_read, err_write) = os.pipe(), os.pipe(), os.pipe()
        self._popen = None
        self._pid = _child(arguments, (in_read, out_write, err_write))
        for pipe in (in_read, out_write, err_write):
            os.close(pipe)
        self.files = (in_write, out_read, err_read)

    def kill(self) -> None:
        """End it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)

    def wait(self) -> int:
        """Its exit status, once its outputs are closed."""
        if self._popen is not None:
            return self._popen.wait()
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])

    def close(self) -> None:
        """Close the pipes."""
        if self._popen is None:
            for number in self.files[1:]:
                os.close(number)
            return
        for pipe in (self._popen.stdout, self._popen.stderr):
            assert pipe is not None
            pipe.close()


def run(one: Session, *, fork: bool = True, patience: float = PATIENCE) -> Ran:
    """Play a session: write its lines, read all that comes, wait for the end."""
    child = _Process(one.arguments, fork)
    heard: dict[int, bytes] = {}

    def read(which: int) -> None:
        data = bytearray()
        while part := os.read(child.files[which], 1 << 16):
            data += part
        heard[which] = bytes(data)

    def write() -> None:
        with contextlib.suppress(BrokenPipeError):
            for pause, line in one.lines:
                if pause:
                    time.sleep(pause)
                os.write(child.files[0], line.encode() + b"\n")
        if child._popen is not None:
            with contextlib.suppress(BrokenPipeError):
                child._popen.stdin.close()  # type: ignore[union-attr]
        else:
            os.close(child.files[0])

    threads = [threading.Thread(target=read, args=(which,)) for which in (1, 2)] + [threading.Thread(target=write)]
    for thread in threads:
        thread.start()
    limit = time.monotonic() + patience
    for thread in threads:
        thread.join(max(0.0, limit - time.monotonic()))
    hung = any(thread.is_alive() for thread in threads)
    if hung:
        child.kill()
        for thread in threads:
            thread.join()
    status = child.wait()
    child.close()
    return Ran(heard[1].decode(errors="replace"), heard[2].decode(errors="replace"), None if hung else status)


def faults(one: Session, ran: Ran) -> list[str]:
    """What was wrong with a session; nothing when it went as it should."""
    found = []
    if ran.status is None:
        found.append("it hung")
    elif ran.status != 0:
        found.append(f"exit status {ran.status}")
    if "Traceback" in ran.errors or "Error:" in ran.errors:
        found.append("on standard error: " + ran.errors.strip().splitlines()[-1])
    if ran.status is not None:
        judge = fuzz_gtp.faults if one.protocol == "gtp" else fuzz_xiangqi.faults
        found += judge(one.lines, ran.output)
    return found


def play(sessions: Iterable[Session], jobs: int = 1, fork: bool = True) -> Iterator[tuple[Session, Ran, list[str]]]:
    """Play many, ``jobs`` at a time, in order."""

    def one(each: Session) -> tuple[Session, Ran, list[str]]:
        ran = run(each, fork=fork)
        return each, ran, faults(each, ran)

    if jobs == 1:
        yield from map(one, sessions)
        return
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(one, sessions)


def prepare() -> None:
    """Import what a daemon needs, so that a fork has it already."""
    for name in PREPARED:
        importlib.import_module(name)


def main(argv: list[str] | None = None) -> int:
    """The command line; 1 when a session went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--protocol", choices=[*PROTOCOLS, "all"], default="all")
    parser.add_argument("--sessions", type=int, default=1000, metavar="N", help="how many of each protocol (1000)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the number of the first (0)")
    parser.add_argument("--longest", type=int, default=30, metavar="N", help="most lines of a session (30)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many at a time (1)")
    parser.add_argument("--fresh", action="store_true", help="start each daemon as a program instead of forking it")
    parser.add_argument("--show", action="store_true", help="print each session's lines, output and errors")
    options = parser.parse_args(argv)
    # Forking while other threads run is no good: those who want several at a time start programs, or several of these.
    fork = hasattr(os, "fork") and not options.fresh and options.jobs == 1
    if fork:
        prepare()
    wrong = 0
    kinds: Counter[str] = Counter()
    begin = time.monotonic()
    numbers = range(options.first, options.first + options.sessions)
    names = PROTOCOLS if options.protocol == "all" else (options.protocol,)
    every = (session(name, number, options.longest) for number in numbers for name in names)
    for count, (one, ran, found) in enumerate(play(every, options.jobs, fork), 1):
        kinds[one.protocol] += 1
        wrong += bool(found)
        if found or options.show:
            print(f"{one.protocol} {one.number}: {'; '.join(found) or 'well'}", flush=True)
        if options.show:
            print("qiqiao " + " ".join(one.arguments), *(line for _, line in one.lines), sep="\n")
            print("--- output", ran.output, "--- errors", ran.errors, sep="\n", flush=True)
        if count % 500 == 0:
            print(f"{count} sessions, {wrong} wrong, {time.monotonic() - begin:.0f} s", flush=True)
    told = ", ".join(f"{number} {name}" for name, number in kinds.items())
    print(f"{told} sessions, {wrong} wrong, {time.monotonic() - begin:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
