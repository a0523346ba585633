"""Lines of a described board that tell one point: something put there, or taken off (``+A1``, ``-A1``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from protocols.sensor.codecs.orientation import inverse
from protocols.sensor.reading import EMPTY

FIELDS = {
    "letter": "(?P<letter>[A-Za-z])",
    "number": r"(?P<number>\d+)",
    "index": r"(?P<index>\d+)",
    "line": r"(?P<line>\d+)",
    "place": r"(?P<place>\d+)",
    "value": "(?P<value>.)",
}
"""What a line can say, in braces, and what it looks like there: the letter of the column and the number of the row
(from 1), or the number of the point, or the line and the place in it, as the board counts; and what it is.
"""

_POINTS = ({"letter", "number"}, {"index"}, {"line", "place"})


def fields_of(pattern: str) -> set[str]:
    """What a pattern names in braces. Raises ValueError unless that tells one point."""
    names = re.findall(r"\{(\w*)\}", pattern)
    if set(names) - set(FIELDS) or len(names) != len(set(names)) or set(names) - {"value"} not in _POINTS:
        raise ValueError("must name a point once: {letter}{number}, {index}, or {line} and {place}")
    return set(names)


@dataclass(frozen=True)
class EventSettings:
    """How the lines are written. Points are counted in the board's order."""

    patterns: tuple[tuple[str, str], ...]
    """Pattern, and the value it stands for; empty: the line says it itself."""
    values: Mapping[int | str, str]
    """Letters for what lies there: see ``PointSettings.values``."""
    order: tuple[int, ...]
    along: int
    """Points in one of the lines the board counts in."""
    vertical: bool
    """Those lines are columns."""
    letters: str
    base: int = 0
    """The number of the first point, line and place."""
    begin: bytes = b""
    """The line before a whole state told in such lines; what it does not name is empty."""
    done: bytes = b""
    """The line after it."""
    ask: bytes = b""
    """What is sent to get a whole state."""

    @cached_property
    def _compiled(self) -> list[tuple[re.Pattern[str], str]]:
        compiled = []
        for pattern, value in self.patterns:
            parts = re.split(r"\{(\w+)\}", pattern)
            text = "".join(FIELDS[part] if number % 2 else re.escape(part) for number, part in enumerate(parts))
            compiled.append((re.compile(text), value))
        return compiled

    def read(self, content: bytes) -> tuple[int, str] | None:
        """The point (in our numbering) and its new value that a line tells, or None where it tells none."""
        for pattern, value in self._compiled:
            match = pattern.fullmatch(content.decode("latin-1"))
            if match is None:
                continue
            told = match.groupdict()
            index = self._index(told)
            value = value or self.values.get(told["value"], "")
            if value and 0 <= index < len(self.order):
                return self.order[index], value
        return None

    def _index(self, told: dict[str, str]) -> int:
        if "index" in told:
            return int(told["index"]) - self.base
        if "line" in told:
            line, place = int(told["line"]) - self.base, int(told["place"]) - self.base
        else:
            line, place = int(told["number"]) - 1, self.letters.find(told["letter"])
            if self.vertical:
                line, place = place, line
        return line * self.along + place if line >= 0 and 0 <= place < self.along else -1

    def write(self, point: int, value: str) -> bytes:
        """The line by which a board tells that a point has this value now."""
        index = inverse(self.order)[point]
        line, place = divmod(index, self.along)
        row, column = (place, line) if self.vertical else (line, place)
        letter = next((str(key) for key, meaning in self.values.items() if meaning == value), "")
        told = {
            "letter": self.letters[column : column + 1],
            "number": row + 1,
            "index": index + self.base,
            "line": line + self.base,
            "place": place + self.base,
            "value": letter,
        }
        for pattern, stands_for in self.patterns:
            if stands_for == value or (not stands_for and letter and value != EMPTY):
                return re.sub(r"\{(\w+)\}", lambda match: str(told[match[1]]), pattern).encode("latin-1")
        raise ValueError(f"no line says {value!r}")
