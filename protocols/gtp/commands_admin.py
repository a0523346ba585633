"""Commands about the program itself."""

from __future__ import annotations

import re
import time

from engines import __version__
from protocols.gtp.framing import Command
from protocols.gtp.session import Session
from protocols.gtp.table import Entry, GtpError, Table


def protocol_version(session: Session, command: Command) -> str:
    return "2"


def name(session: Session, command: Command) -> str:
    return "qiqiao"


LEELA_ZERO = 17
"""Lizzie takes every engine for a Leela Zero, whose versions are 0.N: below 0.15 it refuses one, from 0.17 on it shows
the lower bounds of win rates.
"""


def client_version(text: str) -> str:
    """A version as clients can read it: the second number is at least ``LEELA_ZERO``.

    Where it is not by itself, 100 is added to it and the true version follows in brackets: 1.0.0 is told as
    ``1.100.0 (1.0.0)``.
    """
    numbers = text.split(".")
    second = numbers[1] if len(numbers) > 1 else "0"
    if second.isdecimal() and int(second) >= LEELA_ZERO:
        return text
    digits = re.match(r"\d*", second)
    small = int(digits[0]) if digits is not None and digits[0] else 0
    return ".".join([numbers[0], str(100 + small), *numbers[2:]]) + f" ({text})"


def version(session: Session, command: Command) -> str:
    return client_version(__version__)


def known_command(session: Session, command: Command) -> str:
    return "true" if command.args and command.args[0] in session.commands else "false"


def list_commands(session: Session, command: Command) -> str:
    return "\n".join(sorted(session.commands))


def help_(session: Session, command: Command) -> str:
    if not command.args:
        return "\n".join(
            " ".join(filter(None, (key, entry.arguments))) for key, entry in sorted(session.commands.items())
        )
    entry = session.commands.get(command.args[0])
    if entry is None:
        raise GtpError("unknown command")
    return " ".join(filter(None, (command.args[0], entry.arguments))) + "\n" + entry.about


def quit_(session: Session, command: Command) -> str:
    session.finished = True
    return ""


def cputime(session: Session, command: Command) -> str:
    return f"{time.process_time():.3f}"


TABLE: Table = {
    "protocol_version": Entry(protocol_version, "", "The version of GTP: 2."),
    "name": Entry(name, "", "The name of the program."),
    "version": Entry(version, "", "The version of the program; its second number is never small (see docs/gtp.md)."),
    "known_command": Entry(known_command, "COMMAND", "Whether there is a command of that name: true or false."),
    "list_commands": Entry(list_commands, "", "The names of all commands, one a line."),
    "help": Entry(help_, "[COMMAND]", "All commands with their arguments, or what one of them does."),
    "quit": Entry(quit_, "", "End the session."),
    "cputime": Entry(cputime, "", "Seconds of processor time used so far, all threads together."),
    "gomill-cpu_time": Entry(cputime, "", "The same as cputime."),
}
