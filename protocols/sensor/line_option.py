"""The option ``--serial`` of the text servers. Nothing else of the sensor boards is imported before it is used."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from protocols import stdio
from protocols.log import SessionLog

BAUD = 9600
"""The speed of Bluetooth serial modules and of the boards that speak GTP or UCCI themselves."""


def add_serial_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that put a text server on a line instead of on standard input and output."""
    group = parser.add_argument_group("a serial line")
    group.add_argument(
        "--serial",
        metavar="URL",
        help="serve on a serial port (/dev/ttyUSB0, COM5, any pyserial URL) instead of standard input and output",
    )
    group.add_argument("--baud", type=int, default=BAUD, metavar="N", help=f"its speed ({BAUD})")
    group.add_argument(
        "--serial-hello", default="", metavar="TEXT", help="a line to send whenever the port has been opened"
    )


def serve_from(
    arguments: argparse.Namespace,
    make_server: Callable[[Callable[[str], None]], stdio.LineServer],
    *,
    encoding: str = "utf-8",
    log: SessionLog | None = None,
) -> int:
    """``stdio.serve``, on the line that the options name if they name one. ``arguments.parser`` tells of wrong ones."""
    if not arguments.serial:
        return stdio.serve(make_server, encoding=encoding, log=log)
    from protocols.sensor.link import LineSettings
    from protocols.sensor.textserver import TextLine

    try:
        settings = LineSettings(baud=arguments.baud)
    except ValueError as error:
        arguments.parser.error(str(error))
    line = TextLine(arguments.serial, settings, hello=arguments.serial_hello, encoding=encoding)
    return line.serve(make_server, log=log)
