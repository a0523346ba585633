"""What the daemons' command lines have in common: converters, the log, the loop around the server."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Any

from protocols import stdio
from protocols.log import SessionLog, complain


def number(kind: type, low: float, high: float = math.inf) -> Callable[[str], Any]:
    """A converter for argparse: a finite number of the kind from ``low`` to ``high``."""

    def convert(text: str) -> Any:
        try:
            value = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"not {'a whole' if kind is int else 'a'} number: '{text}'") from None
        if not (low <= value <= high and math.isfinite(value)):
            bounds = f"{low:g} to {high:g}" if math.isfinite(high) else f"{low:g} or more"
            raise argparse.ArgumentTypeError(f"must be {bounds}, not {text}")
        return value

    return convert


def open_log(arguments: argparse.Namespace) -> SessionLog:
    """The log that ``--log`` asks for; ends the program with status 2 when it can't be written."""
    try:
        return SessionLog(arguments.log)
    except OSError as error:
        return arguments.parser.error(f"cannot write the log: {error}")


def serve(
    program: str,
    hint: str,
    make_server: Callable[[Callable[[str], None]], stdio.LineServer],
    log: SessionLog,
    encoding: str = "utf-8",
) -> int:
    """Run a server on standard input and output, and give the exit code. ``hint`` tells a person what is waited for."""
    stdio.invite(program, hint)
    try:
        return stdio.serve(make_server, log=log, encoding=encoding)
    except OSError as error:
        complain(f"{program}: {error}")
        return 1
    finally:
        log.close()
