"""NGF, the records of wBaduk and Cyberoro, read.

Twelve lines of facts (kind, size, White, Black, page, handicap, a number, komi, date, time, result, count of moves),
then a move a line: ``PM``, two letters that count, the colour, column and row as letters from B, from the left and from
the top, twice. In another variety each line of facts begins with ``GI`` and the order differs.
"""

from __future__ import annotations

import re

from engines.go.records import sgf
from engines.go.records.trees import Grown, handicap_points, sgf_point

_MOVE = re.compile(r"^\s*PM[A-Z]{2}([BW])([A-Z])([A-Z])", re.MULTILINE | re.ASCII)
_PLAYER = re.compile(r"(.*?)\s+(\S+)")


def is_ngf(text: str) -> bool:
    """Whether a text is an NGF record."""
    return _MOVE.search(text[:4000]) is not None


def read_ngf(text: str) -> sgf.Tree:
    """The game as SGF; what stands for no point of the board is a pass."""
    first = _MOVE.search(text)
    lines = [line.strip() for line in text[: first.start() if first else len(text)].splitlines()]
    named = lines[:1] and lines[0].startswith("GI")
    lines = [line.removeprefix("GI") if named else line for line in lines] + [""] * 12
    order = (6, 1, 2, 7, 8, 5, 11) if named else (1, 2, 3, 5, 7, 8, 10)
    lines[11] = lines[11] if not named else ""
    size, white, black, handicap, komi, date, result = (lines[at] for at in order)
    side = _number(size) or 19
    if not 1 <= side <= 25:
        side = 19
    grown = Grown(side, side)
    for player, name, rank in ((white, "PW", "WR"), (black, "PB", "BR")):
        match = _PLAYER.fullmatch(player)
        grown.text(name, match[1].strip() if match else player)
        grown.text(rank, match[2].rstrip("*").replace("DP", "p").replace("K", "k").replace("D", "d") if match else "")
    stones = _number(handicap) or 0
    points = re.match(r"-?\d{1,3}(?:\.\d{1,2})?", komi)
    if points is not None and not named:
        value = float(points.group())
        grown.text("KM", f"{value + 0.5 if stones < 2 and value == int(value) else value:g}")
    if 2 <= stones <= 9 and side == 19:
        grown.text("HA", str(stones))
        grown.setup("AB", handicap_points(stones))
    day = re.match(r"(\d{4})(\d\d)(\d\d)\b|(\d{4})-(\d{1,2})-(\d{1,2})", date)
    if day:
        year, month, number = [part for part in day.groups() if part]
        grown.text("DT", f"{year}-{int(month):02}-{int(number):02}")
    grown.text("RE", _result(result))
    for color, x, y in _MOVE.findall(text):
        grown.move(color, sgf_point(ord(x) - 66, ord(y) - 66, side, side))
    return grown.tree


def _result(text: str) -> str:
    found = re.search(r"(white|black)\s+(win|lose)", text, re.IGNORECASE)
    if found is None:
        return ""
    black = (found[1].lower() == "black") == (found[2].lower() == "win")
    how = "R" if "resign" in text else "T" if "time" in text else ""
    points = re.search(r"\d+(?:\.\d+)?", text)
    return f"{'B' if black else 'W'}+{how or (points.group() if points else '')}"


def _number(text: str) -> int | None:
    match = re.match(r"\s*(-?\d{1,4})", text)
    return int(match[1]) if match else None
