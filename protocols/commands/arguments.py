"""What the daemons' command lines have in common: converters, the log, the loop around the server."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable
from typing import Any

from protocols import stdio
from protocols.files import Files, files_for
from protocols.log import SessionLog, complain
from protocols.stdio import SERIAL_BAUD


def number(kind: type, low: float, high: float = math.inf) -> Callable[[str], Any]:
    """A converter for argparse: a finite number of the kind from ``low`` to ``high``."""

    def convert(text: str) -> Any:
        try:
            value = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"not {'a whole' if kind is int else 'a'} number: '{text}'") from None
        if not (low <= value <= high and math.isfinite(value)):
            bounds = f"{_plain(low)} to {_plain(high)}" if math.isfinite(high) else f"{_plain(low)} or more"
            raise argparse.ArgumentTypeError(f"must be {bounds}, not {text}")
        return value

    return convert


def _plain(value: float) -> str:
    """A bound as people write it."""
    return f"{value:.0f}" if value == int(value) else f"{value:g}"


def checked(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """A converter for argparse from one whose ValueError says what is wrong in words for the user."""

    def convert(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert


def board_size(text: str) -> Any:
    """``19`` or ``19x13`` (columns, rows)."""
    from engines.go.vertex import read_size  # who plays another game need not wait for it

    return checked(read_size)(text)


def natural_limit_name(text: str) -> str:
    """The name of a natural limit of Xiangqi, or its plies."""
    if text != "cxa":
        from engines.xiangqi.draws import natural_limit  # who plays by the default need not wait for it

        try:
            natural_limit(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None
    return text


def open_log(arguments: argparse.Namespace) -> SessionLog:
    """The log that ``--log`` asks for; ends the program with status 2 when it can't be written."""
    try:
        return SessionLog(arguments.log)
    except OSError as error:
        return arguments.parser.error(f"cannot write the log: {error}")


def add_serial_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that put a text server on a line instead of on standard input and output."""
    group = parser.add_argument_group("a serial line")
    group.add_argument(
        "--serial",
        metavar="URL",
        help="serve on a serial port (/dev/ttyUSB0, COM5, any pyserial URL) instead of standard input and output",
    )
    group.add_argument(
        "--baud", type=number(int, 300), default=SERIAL_BAUD, metavar="N", help=f"its speed ({SERIAL_BAUD})"
    )
    group.add_argument(
        "--files",
        metavar="DIR",
        help="the only folder whose files the client may name (any; with --serial none at all, unless this is given)",
    )
    group.add_argument(
        "--serial-hello", default="", metavar="TEXT", help="a line to send whenever the port has been opened"
    )


def allowed_files(arguments: argparse.Namespace) -> Files:
    """The files that the client may name, by ``--files`` and ``--serial``. A folder that is none ends the program with
    status 2.
    """
    if arguments.files is not None and not os.path.isdir(arguments.files):
        arguments.parser.error(f"argument --files: no such folder: {arguments.files}")
    return files_for(arguments.files, bool(arguments.serial))


def serve(
    arguments: argparse.Namespace,
    program: str,
    hint: str,
    make_server: Callable[[Callable[[str], None]], stdio.LineServer],
    log: SessionLog,
    encoding: str = "utf-8",
) -> int:
    """Run a server on standard input and output, or on the line that ``--serial`` names, and give the exit code.
    ``hint`` tells a person what is waited for.
    """
    try:
        if arguments.serial:
            return _serve_on_line(arguments, make_server, log, encoding)
        stdio.invite(program, hint)
        return stdio.serve(make_server, log=log, encoding=encoding)
    except OSError as error:
        complain(f"{program}: {error}")
        return 1
    finally:
        log.close()


def _serve_on_line(
    arguments: argparse.Namespace,
    make_server: Callable[[Callable[[str], None]], stdio.LineServer],
    log: SessionLog,
    encoding: str,
) -> int:
    # Nothing of the sensor boards is imported before it is used: a GUI starts the daemon for every game.
    from protocols.sensor.links.link import LineSettings
    from protocols.sensor.links.textserver import TextLine

    try:
        settings = LineSettings(baud=arguments.baud)
    except ValueError as error:
        arguments.parser.error(str(error))
    line = TextLine(arguments.serial, settings, hello=arguments.serial_hello, encoding=encoding)
    return line.serve(make_server, log=log)
