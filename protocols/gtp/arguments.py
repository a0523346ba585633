"""Reading the arguments of commands. Each function raises GtpError with words for the client."""

from __future__ import annotations

import math

from engines.go.points import BLACK, WHITE
from engines.go.vertex import parse_vertex
from protocols.files import FileRefused, Files
from protocols.gtp.framing import Command
from protocols.gtp.table import GtpError

_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}

MAX_INT = 2**31 - 1


def color(text: str) -> int:
    """``b``, ``black``, ``w`` or ``white`` in any case."""
    try:
        return _COLORS[text.lower()]
    except KeyError:
        raise GtpError("syntax error: invalid color") from None


def is_color(text: str) -> bool:
    """Whether the text names a colour."""
    return text.lower() in _COLORS


def integer(text: str, what: str) -> int:
    """A whole number from 0 to 2³¹−1; ``what`` names it in the error."""
    if text.isascii() and text.isdigit() and len(text) < 12 and int(text) <= MAX_INT:
        return int(text)
    raise GtpError(f"syntax error: {what} not an integer")


def number(text: str, what: str) -> float:
    """A finite number; ``what`` names it in the error."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    # float() also takes digits of other scripts and underscores between digits.
    if not math.isfinite(value) or not text.isascii() or "_" in text:
        raise GtpError(f"syntax error: {what} not a number")
    return value + 0.0  # no minus zero


def boolean(text: str, what: str) -> bool:
    """``true`` or ``false`` in any case, or 1 or 0 as GoGui writes them."""
    word = text.lower()
    if word in ("true", "1"):
        return True
    if word in ("false", "0"):
        return False
    raise GtpError(f"syntax error: {what} must be true or false")


def vertex(text: str, width: int, height: int) -> int:
    """A point of the board or PASS."""
    try:
        return parse_vertex(text, width, height)
    except ValueError as error:
        raise GtpError(f"syntax error: {error}") from None


def need(command: Command, count: int, what: str) -> None:
    """Fail unless there are at least so many arguments; ``what`` says what they are."""
    if len(command.args) < count:
        raise GtpError(f"syntax error: expected {what}")


def allowed(files: Files, name: str) -> str:
    """The path of a file that the client names, where it may name it."""
    try:
        return files.path(name)
    except FileRefused as error:
        raise GtpError(str(error)) from None


def file_name(command: Command, what: str = "a file name") -> tuple[str, tuple[str, ...]]:
    """The first argument as a file name, with what follows it. GoGui puts names with blanks in double quotes."""
    need(command, 1, what)
    if command.rest.startswith('"'):
        name, quote, rest = command.rest[1:].partition('"')
        if quote:
            return name, tuple(word for word in rest.split(" ") if word)
    return command.args[0], command.args[1:]
