"""A board as lines of text for a terminal: what stands in its cells, labels around, the last move in brackets.

A ``Grid`` knows cells and inks, and no game: ``engines.<game>.terminal`` makes one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

RESET = "\033[0m"
_WOOD = "\033[48;5;180m"
_INK = {
    "line": "\033[38;5;94m",
    "black": "\033[1;38;5;16m",
    "white": "\033[1;38;5;231m",
    "red": "\033[1;38;5;124m",
    "green": "\033[1;38;5;22m",
}
"""The inks of cells."""


def columns(text: str) -> int:
    """Columns of a terminal that a text takes: two for a Chinese character."""
    return sum(2 if "\u2e80" <= letter <= "\uffef" else 1 for letter in text)


class Cell(NamedTuple):
    """What stands in a cell and its ink. ``dark``: it lies face down, and is put in square brackets."""

    text: str
    ink: str = "line"
    dark: bool = False


@dataclass(frozen=True)
class Grid:
    """A board of text: ``cells`` row by row from the lower left, ``files`` from the left, ``ranks`` from below.

    ``last`` are the cells of the last move. ``wide`` is how many columns of the terminal a cell takes, ``river`` the
    row that lies just below a river (-1 without one). ``below`` are lines of what else there is to see.
    """

    width: int
    height: int
    cells: tuple[Cell, ...]
    files: tuple[str, ...]
    ranks: tuple[str, ...]
    last: tuple[int, ...] = ()
    wide: int = 1
    river: int = -1
    below: tuple[str, ...] = ()

    def lines(self, color: bool = False, flipped: bool = False) -> list[str]:
        """The board as lines, the lowest row last, or first where ``flipped``."""
        across, rows = list(range(self.width)), list(range(self.height - 1, -1, -1))
        if flipped:
            across.reverse()
            rows.reverse()
        margin = max(columns(text) for text in self.ranks)
        hidden = any(cell.dark for cell in self.cells)
        step = max(self.wide, *(columns(file) for file in self.files)) + (2 if hidden else 1)
        gap_before = 2 if hidden else 1
        head = " " * (margin + gap_before + 1) + "".join(_padded(self.files[x], step) for x in across).rstrip()
        lines = [head.rstrip()]
        for y in rows:
            row = self._row(y, across, step, hidden, color)
            label = " " * (margin - columns(self.ranks[y])) + self.ranks[y]
            lines.append(f"{label} {row}{' ' if color else ''}{self.ranks[y]}".rstrip())
            if self.river >= 0 and y == (self.river if flipped else self.river + 1):
                water = "~" * (self.width * step + (2 if hidden else 1))
                lines.append(" " * (margin + 1) + (_WOOD + _INK["line"] + water + RESET if color else water))
        return [*lines, head.rstrip()]

    def _row(self, y: int, across: list[int], step: int, hidden: bool, color: bool) -> str:
        parts = []
        previous = -1
        for x in across:
            at = y * self.width + x
            cell = self.cells[at]
            opening, closing = self._marks(at, previous)
            fill = step - (2 if hidden else 1)
            # In colour a white stone is a full disc too.
            text = "●" if color and cell.text == "○" else cell.text
            filled = text + " " * (fill - columns(text))
            gap = closing + opening if hidden else (opening if opening != " " else closing)
            parts.append(gap + (_INK[cell.ink] + filled + _INK["line"] if color else filled))
            previous = at
        row = "".join(parts) + self._marks(-1, previous)[1] + (" " if hidden else "")
        return _WOOD + _INK["line"] + row + RESET if color else row

    def _marks(self, at: int, previous: int) -> tuple[str, str]:
        """What stands before a cell, and behind the one before it."""
        opening = "(" if at in self.last else "[" if at >= 0 and self.cells[at].dark else " "
        closing = ")" if previous in self.last else "]" if previous >= 0 and self.cells[previous].dark else " "
        return opening, closing


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns(text))
