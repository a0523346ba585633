"""Stepping through a record with keys, in a terminal."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from engines.terms import LANGUAGES
from protocols.commands.boards import Look, heading, text_board
from protocols.commands.sources import Source
from protocols.commands.steps import Step

HELP = (
    "← → 前后一手   ↑ ↓ 变化   Home End 首尾   g 跳到   q 退出",
    "← → 前後一手   ↑ ↓ 變化   Home End 首尾   g 跳到   q 離開",
    "← → move   ↑ ↓ variation   Home End   g go to   q quit",
)
GO_TO = ("第几手？", "第幾手？", "go to move: ")

_KEYS = {
    "\x1b[D": "back",
    "\x1b[C": "on",
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[H": "first",
    "\x1b[F": "last",
    "\x1b[1~": "first",
    "\x1b[4~": "last",
    "p": "back",
    "h": "back",
    "n": "on",
    "l": "on",
    " ": "on",
    "k": "up",
    "j": "down",
    "<": "first",
    ">": "last",
    "g": "goto",
    "q": "quit",
    "\x03": "quit",
    "\x04": "quit",
    "": "quit",
}
_ESCAPE_TIME = 0.1
"""Seconds within which the rest of a key's escape sequence follows."""


class Walk:
    """Where in the record the reader is, and what a key does."""

    def __init__(self, start: Step) -> None:
        self.start = self.step = start
        self.ahead: dict[Step, Step] = {}
        """The variation last taken from a step."""

    def key(self, name: str) -> None:
        """Do what one of the names of ``_KEYS`` means; what leads nowhere changes nothing."""
        step = self.step
        if name == "back" and step.parent is not None:
            self.step = step.parent
        elif name == "on" and step.children:
            self.step = self.ahead.get(step, step.children[0])
        elif name in ("up", "down") and step.parent is not None:
            siblings = step.parent.children
            self.step = siblings[(siblings.index(step) + (1 if name == "down" else -1)) % len(siblings)]
            self.ahead[step.parent] = self.step
        elif name == "first":
            self.step = self.start
        elif name == "last":
            while self.step.children:
                self.key("on")

    def go_to(self, text: str) -> None:
        """Go to a move of the line that the reader is in; beyond its end to the end, no number to where it is."""
        if not (text.isascii() and text.isdigit()):
            return
        wanted = int(text)
        while self.step.parent is not None and self.step.number > wanted:
            self.ahead[self.step.parent] = self.step
            self.step = self.step.parent
        while self.step.children and self.step.number < wanted:
            self.key("on")

    @property
    def total(self) -> int:
        """The number of the last move of this line."""
        step = self.step
        while step.children:
            step = self.ahead.get(step, step.children[0])
        return step.number


def walk(source: Source, start: Step, look: Look) -> int:
    """Show a record and step through it until the reader quits. Returns the exit status."""
    at = Walk(start)
    language = LANGUAGES.index(look.language)
    with _keys() as read:
        while True:
            _draw(source, at, look, HELP[language])
            name = _KEYS.get(read(), "")
            if name == "quit":
                break
            if name == "goto":
                _write(GO_TO[language])
                at.go_to(_number(read))
            else:
                at.key(name)
    _write("\n")
    return 0


def _draw(source: Source, at: Walk, look: Look, keys: str) -> None:
    lines = [heading(source, at.step, look, at.total), *text_board(source, at.step, look)]
    lines += at.step.comment.splitlines()[:8]
    # From the top of a cleared screen; raw mode wants both ends of a line.
    _write("\x1b[H\x1b[2J" + "\r\n".join([*lines, "", keys]) + "\r\n")


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _number(read: Callable[[], str]) -> str:
    """Digits up to Enter; backspace takes one back, any other key ends with none."""
    typed = ""
    while True:
        key = read()
        if key in ("\r", "\n"):
            return typed
        if key in ("\x7f", "\b"):
            typed = typed[:-1]
            _write("\b \b")
        elif key.isascii() and key.isdigit() and len(typed) < 6:
            typed += key
            _write(key)
        else:
            return ""


@contextmanager
def _keys() -> Iterator[Callable[[], str]]:
    """Reads one key at a time; the terminal is as it was afterwards."""
    if sys.platform == "win32":
        import msvcrt

        special = {"H": "\x1b[A", "P": "\x1b[B", "K": "\x1b[D", "M": "\x1b[C", "G": "\x1b[H", "O": "\x1b[F"}

        def pressed() -> str:
            key = msvcrt.getwch()
            return special.get(msvcrt.getwch(), "?") if key in ("\0", "\xe0") else key

        yield pressed
        return
    import termios
    import tty

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)

    def read() -> str:
        try:
            key = os.read(fd, 1)
        except OSError:  # the terminal is gone
            return ""
        while key.startswith(b"\x1b") and len(key) < 8 and select.select([fd], [], [], _ESCAPE_TIME)[0]:
            more = os.read(fd, 1)
            key += more
            if not more or (more.isalpha() and more != b"O") or more == b"~":
                break
        return key.decode("latin-1").replace("\x1bO", "\x1b[")

    try:
        tty.setraw(fd)
        yield read
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
