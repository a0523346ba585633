"""EPD: a position with operations behind it (``FEN bm h2e2; id "mate in 3";``), as collections of positions have it."""

from __future__ import annotations

import re
from typing import NamedTuple

_OPERATION = re.compile(r'\s*((?:"[^"]*"?|[^";])*)(?:;|$)')
_COUNTER = re.compile(r"-|\d{1,5}")
_OPCODE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,14}")


class Epd(NamedTuple):
    """What a line says: the position as FEN, and its operations, operands by opcode, without quotes.

    ``comment`` is text behind a semicolon that is no operation.
    """

    fen: str
    operations: dict[str, str]
    comment: str = ""

    @property
    def name(self) -> str:
        """What the position is called; "" where nothing says."""
        return self.operations.get("id") or self.comment


def read_epd(line: str) -> Epd | None:
    """A line of an EPD file; ``None`` for one with moves behind the position, or without a position.

    The counters stand in their fields of FEN or are told by ``hmvc`` (plies since a capture) and ``fmvn`` (number of
    the round). What the position itself says isn't looked at.
    """
    words = line.split()
    if not words or words[0].count("/") != 9:
        return None
    fields = [words[0]]
    rest = line.strip()[len(words[0]) :].strip()
    for pattern, least in (
        (re.compile("[wrbWRB]"), 1),
        (re.compile("-"), 2),
        (re.compile("-"), 3),
        (_COUNTER, 4),
        (_COUNTER, 5),
    ):
        word, _, behind = rest.partition(" ")
        word, semicolon, more = word.partition(";")
        if not pattern.fullmatch(word):
            if least == 1:
                fields.append("w")
            continue
        fields.append(word)
        rest = (semicolon + more + " " + behind if semicolon else behind).strip()
    counters = fields[4:]
    operations: dict[str, str] = {}
    comments: list[str] = []
    for match in _OPERATION.finditer(rest):
        text = match[1].strip()
        opcode, _, operand = text.partition(" ")
        if not text:
            continue
        if opcode == "moves":
            return None
        if _OPCODE.fullmatch(opcode):
            operations.setdefault(opcode, operand.strip().strip('"'))
        else:
            comments.append(text)
    clock = counters[0] if counters else operations.get("hmvc", "0")
    number = counters[1] if len(counters) > 1 else operations.get("fmvn", "1")
    if not _COUNTER.fullmatch(clock):
        clock = "0"
    if not _COUNTER.fullmatch(number):
        number = "1"
    return Epd(f"{fields[0]} {fields[1]} - - {clock} {number}", operations, "; ".join(comments))
