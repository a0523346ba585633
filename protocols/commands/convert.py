"""``qiqiao convert``: records of all games from any format into another.

    qiqiao convert IN… [--to FORMAT] [--output FILE|DIR] [--encoding NAME] [--rank-base 0|1] [--view VIEW]

What a file is, is told by its content. Games go to standard output, or into the file or folder that is named; what was
odd in a file, what its text was taken for and what the target has no room for is told on standard error, a line each.
See docs/records.md for the formats.
"""

from __future__ import annotations

import argparse
import mmap
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from engines.errors import QiqiaoError
from engines.files import replacing
from engines.records import Bytes, FormatError, Found, Options, encoding_name, read_games
from engines.writers import TARGETS, Target, target_named, target_of_suffix, usual_target, write_game

MAX_INPUT = 1 << 30
"""The most bytes that are taken from standard input."""

_LONG = 2 * 1024 * 1024
"""Bytes from which on a terminal is shown how far the work is."""

_NOTES = 5
"""Notes of a file that are told one by one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``qiqiao convert``."""
    parser.add_argument("inputs", nargs="+", metavar="IN", help="a file, a folder of files, or - for standard input")
    parser.add_argument(
        "--to",
        metavar="FORMAT",
        help=f"{', '.join(TARGETS)} (by the output's ending, else sgf or pgn)",
    )
    parser.add_argument("--output", metavar="FILE|DIR", help="where to write (standard output)")
    parser.add_argument("--encoding", metavar="NAME", help="the character set of the input (guessed)")
    parser.add_argument(
        "--rank-base", choices=("0", "1"), help="what coordinates call Red's back rank (found by trying the whole game)"
    )
    parser.add_argument(
        "--view",
        default="",
        metavar="VIEW",
        help="games with hidden pieces: all, red, black or spectator; 1, 2, 3 by the order of play (all that is there)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Convert the files. Returns the exit status: 1 if one could not be read or written, 2 for wrong arguments."""
    try:
        converter = _Converter(arguments)
    except ValueError as error:
        print(f"qiqiao convert: {error}", file=sys.stderr)
        return 2
    try:
        with converter:
            for path in arguments.inputs:
                converter.convert(path)
            converter.check_written()
    except _NothingWritten:
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        print(f"qiqiao convert: {error.filename or arguments.output}: {error.strerror or error}", file=sys.stderr)
        return 1
    return converter.status


class _NothingWritten(QiqiaoError):
    """No game could be read."""


class _Converter:
    """Converts one file after another."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        """ValueError for arguments that are wrong."""
        self.status = 0
        output = arguments.output
        self._folder = output is not None and (output.endswith(("/", os.sep)) or Path(output).is_dir())
        self._target = target_named(arguments.to) if arguments.to else None
        if self._target is None and output and not self._folder:
            self._target = target_of_suffix(Path(output).suffix)
        encoding = encoding_name(arguments.encoding) if arguments.encoding else None
        self._inputs = arguments.inputs
        self._view = arguments.view.lower()
        self._options = Options(encoding, int(arguments.rank_base) if arguments.rank_base else None)
        self._output = output
        self._stack = ExitStack()
        self._stream: BinaryIO | None = None
        self._written = 0
        self._made: set[str] = set()

    def __enter__(self) -> _Converter:
        if self._output is None:
            self._stream = sys.stdout.buffer
        elif not self._folder:
            if any(_same(path, self._output) for path in self._inputs if path != "-"):
                raise OSError(0, "the output would take the place of an input", self._output)
            self._stream = self._stack.enter_context(replacing(self._output))
        else:
            os.makedirs(self._output, exist_ok=True)
        return self

    def __exit__(self, *error: Any) -> bool | None:
        done = self._stack.__exit__(*error)
        if self._output is None and error[0] is None:
            sys.stdout.buffer.flush()
        return done

    def check_written(self) -> None:
        """Leave the output as it was, if there is nothing to write into it."""
        if self._output is not None and not self._folder and not self._written:
            raise _NothingWritten

    def convert(self, name: str) -> None:
        """Convert a file, or all of a folder."""
        if name != "-" and Path(name).is_dir():
            for folder, folders, files in os.walk(name):
                folders.sort()
                for file in sorted(files):
                    if not file.startswith("."):
                        self._convert_file(os.path.join(folder, file))
        else:
            self._convert_file(name)

    def _convert_file(self, name: str) -> None:
        teller = _Teller(name)
        try:
            with _opened(name) as data, _progress(name, len(data)) as show, self._sink(name) as sink:
                for number, found in enumerate(read_games(data, self._options), 1):
                    self._convert_game(found, number, sink, teller)
                    show(found.at, number)
        except FormatError as error:
            teller.fail(str(error))
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            teller.fail(error.strerror or str(error))
        teller.close()
        if teller.failed:
            self.status = 1

    def _convert_game(self, found: Found, number: int, sink: _Sink, teller: _Teller) -> None:
        where = f"game {number}: " if number > 1 else ""
        teller.encoding = teller.encoding or found.encoding
        for note in found.notes:
            teller.note(where + note)
        try:
            content, lost = write_game(found, self._target, self._view)
        except ValueError as error:
            teller.fail(where + str(found.fault or error))
            return
        if found.fault:
            teller.note(f"{where}read as far as possible: {found.fault}")
            if found.game == "xiangqi" and not found.value.root.lines:  # type: ignore[union-attr]
                teller.failed = True
        target = self._target or usual_target(found)
        teller.leave_out(target.name, lost)
        sink.put(content, target)

    @contextmanager
    def _sink(self, name: str) -> Iterator[_Sink]:
        """Where the games of a file go."""
        if not self._folder:
            assert self._stream is not None
            yield _Sink(self._one_file)
            return
        stem = Path(name).stem if name != "-" else "games"
        with ExitStack() as stack:
            streams: dict[str, BinaryIO] = {}
            written: list[int] = [0]

            def put(content: bytes, target: Target) -> None:
                written[0] += 1
                if not target.many:
                    path = self._fresh(stem if written[0] == 1 else f"{stem}-{written[0]}", target.suffix, name)
                    with replacing(path) as stream:
                        stream.write(content)
                    return
                if target.suffix not in streams:
                    streams[target.suffix] = stack.enter_context(replacing(self._fresh(stem, target.suffix, name)))
                streams[target.suffix].write(content)

            yield _Sink(put)

    def _fresh(self, stem: str, suffix: str, name: str) -> str:
        """A path in the folder that is no input and that this run has not written."""
        path = os.path.join(self._output, stem + suffix)
        count = 1
        while path in self._made or _same(path, name):
            count += 1
            path = os.path.join(self._output, f"{stem}-{count}{suffix}")
        self._made.add(path)
        return path

    def _one_file(self, content: bytes, target: Target) -> None:
        assert self._stream is not None
        if not target.many and self._written:
            raise FormatError(f"a file of {target.name} has one game: name a folder with --output")
        if not target.text and self._output is None and sys.stdout.isatty():
            raise FormatError(f"{target.name} is no text: name a file with --output")
        self._stream.write(content)
        self._written += 1


class _Sink:
    """Takes games."""

    def __init__(self, put: Callable[[bytes, Target], None]) -> None:
        self.put = put


class _Teller:
    """Tells what the user should know of a file, on standard error."""

    def __init__(self, name: str) -> None:
        self._name = "standard input" if name == "-" else name
        self._notes = 0
        self._lost: dict[str, set[str]] = {}
        self.failed = False
        self.encoding = ""

    def _say(self, text: str) -> None:
        print(f"qiqiao convert: {self._name}: {' '.join(text.split())}", file=sys.stderr)

    def fail(self, reason: str) -> None:
        """Something could not be read or written."""
        self.failed = True
        self._say(reason)

    def note(self, text: str) -> None:
        """Something was odd."""
        self._notes += 1
        if self._notes <= _NOTES:
            self._say(text)

    def leave_out(self, target: str, lost: list[str]) -> None:
        """The target has no room for something."""
        self._lost.setdefault(target, set()).update(lost)

    def close(self) -> None:
        """Tell what is told once a file."""
        if self._notes > _NOTES:
            self._say(f"and {self._notes - _NOTES} notes more")
        if self.encoding:
            self._say(f"read as {self.encoding}, which is a guess; --encoding overrules it")
        for target, lost in self._lost.items():
            if lost:
                self._say(f"left out, since {target} has no room for it: {'; '.join(sorted(lost))}")


def _same(one: str, two: str) -> bool:
    try:
        return os.path.samefile(one, two)
    except (OSError, ValueError):
        return False


@contextmanager
def _opened(name: str) -> Iterator[Bytes]:
    """The bytes of a file, mapped so that only what is read is in memory. Raises OSError."""
    if name == "-":
        data = sys.stdin.buffer.read(MAX_INPUT + 1)
        if len(data) > MAX_INPUT:
            raise OSError(0, f"more than {MAX_INPUT} bytes")
        yield data
        return
    try:
        file = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except ValueError as error:
        raise OSError(0, str(error), name) from None
    with os.fdopen(file, "rb") as stream:
        kind = os.fstat(stream.fileno())
        if not stat.S_ISREG(kind.st_mode):
            raise OSError(0, "not a regular file", name)
        if kind.st_size == 0:
            yield b""
            return
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data


@contextmanager
def _progress(name: str, size: int) -> Iterator[Callable[[int, int], None]]:
    """Shows how far a long file has been read, on a terminal."""
    if size < _LONG or not sys.stderr.isatty():
        yield lambda at, games: None
        return
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:
        shown = [-1]

        def plain(at: int, games: int) -> None:
            percent = 100 * at // max(size, 1)
            if percent != shown[0]:
                shown[0] = percent
                print(f"\r{os.path.basename(name)}: {percent} %, {games} games", end="", file=sys.stderr, flush=True)

        yield plain
        print(file=sys.stderr)
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(os.path.basename(name), total=size)
        yield lambda at, games: bar.update(task, completed=at, description=f"{os.path.basename(name)}: {games}")
