"""The terminal of a person who plays: lines in, with an end to waiting for them; lines out.

Lines are read from the descriptor itself, so that a clock may run out meanwhile and nothing read is lost.
"""

from __future__ import annotations

import os
import select
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from engines.drawing.grid import Grid, columns
from engines.errors import QiqiaoError
from engines.terms import Language
from protocols.play.words import say
from protocols.stdio import is_terminal


class Left(QiqiaoError):
    """The person has gone: the end of input, or its word."""


@dataclass
class Screen:
    """A terminal. ``clears``: a person looks at it, so what only one of two may see is wiped away.

    ``letters``: pieces as plain letters. ``size`` gives columns and rows; where input is no terminal there is no end to
    them.
    """

    language: Language = "en"
    color: bool = False
    letters: bool = False
    flipped: bool = False
    attended: bool = field(default_factory=lambda: is_terminal(0))
    clears: bool = field(default_factory=lambda: is_terminal(0) and is_terminal(1))
    input_fd: int = 0
    _read: bytes = b""
    _ended: bool = False
    _small: bool = False

    def tell(self, text: str = "") -> None:
        """Write lines. What the terminal's character set does not have is replaced."""
        stream = sys.stdout
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")
        stream.flush()

    def say(self, key: str, **values: object) -> None:
        """Write one of the sentences of ``protocols.play.words``."""
        self.tell(say(key, self.language, **values))

    def prompt(self, text: str) -> None:
        """Ask a person; whoever is none is not asked."""
        if self.attended:
            sys.stdout.write(text)
            sys.stdout.flush()

    def wipe(self) -> None:
        """Take all that stands in the window away, and what was scrolled out of it."""
        if self.clears:
            sys.stdout.write("\033[H\033[2J\033[3J")
            sys.stdout.flush()

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the window."""
        if not self.clears:
            return (1 << 30, 1 << 30)
        found = shutil.get_terminal_size((80, 24))
        return found.columns, found.lines

    def board(self, draw: Callable[[bool], Grid]) -> None:
        """Draw a board as it fits into the window: in characters, else in letters, else not at all. ``draw`` makes it,
        in letters or not."""
        most = self.size
        needs = (0, 0)
        for letters in dict.fromkeys((self.letters, True)):
            grid = draw(letters)
            plain = grid.lines(False, self.flipped)
            needs = max(map(columns, plain)), len(plain) + 3
            if needs[0] <= most[0] and needs[1] <= most[1]:
                self.tell("\n".join([*grid.lines(self.color, self.flipped), *grid.below]))
                return
        if needs[0] <= most[0]:  # what scrolls away can be scrolled back to
            self.tell("\n".join([*draw(True).lines(self.color, self.flipped), *draw(True).below]))
            return
        self.say("small", needs=f"{needs[0]}×{needs[1]}")

    def line(self, seconds: float | None = None) -> str | None:
        """The next line, without its end; None when so many seconds have passed. Raises ``Left``."""
        end = None if seconds is None else time.monotonic() + seconds
        while b"\n" not in self._read:
            if self._ended:
                if not self._read:
                    raise Left
                self._read += b"\n"
                break
            try:
                if end is not None and sys.platform != "win32":
                    left = end - time.monotonic()
                    if left <= 0 or not select.select([self.input_fd], [], [], left)[0]:
                        return None
                found = os.read(self.input_fd, 4096)
            except OSError:  # the terminal is gone
                found = b""
            self._ended = not found
            self._read += found
            if len(self._read) > 1 << 16 and b"\n" not in self._read:
                self._read = b"\n"  # no line of a person's
        line, _, self._read = self._read.partition(b"\n")
        return line.decode("utf-8", "replace").strip("\r\ufeff")
