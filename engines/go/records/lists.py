"""Moves of Go without a format: lists of points, with or without colours and numbers, read and written.

``B:D4 W:Q16 B:pass``: the form that ``qiqiao convert --to moves`` writes; stones set up stand before or between the
moves in brackets: ``[B:D4 W:Q16 E:C3]``, E a point that is made empty, ``PL:W`` who is to move. Read are also
``B D4``, ``D4 Q16``, ``1. D4``, ``play b D4``, ``B[dd]`` and ``black: D4``; ``[size:9]`` tells the board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from engines.go.points import BLACK, EMPTY, MAX_SIZE, WHITE, opponent
from engines.go.records.values import LETTERS, Move, Record, Setup
from engines.go.vertex import LETTERS as COLUMNS
from engines.go.vertex import format_vertex, parse_vertex

_WORD = re.compile(
    r"(?P<open>\[)(?=\s*(?:[BWEbwe]\s*:|PL:|size))|(?P<close>\])"
    r"|(?:board)?size[:\s]+(?P<size>\d{1,2})(?:\s*[x:×]\s*(?P<height>\d{1,2}))?"
    r"|PL:(?P<player>[BW])"
    r"|(?P<color>black|white|[bwe])(?:\s*\[\s*(?P<inner>[a-hj-z]\d{1,2}|[a-y]{2}|pass|)\s*\]"
    r"|\s*[:=]\s*(?P<point>[a-hj-z]\d{1,2}\b|pass\b|[a-y]{2}\b)|\s+(?P<spaced>[a-hj-z]\d{1,2}\b|pass\b))"
    r"|(?P<bare>(?<![\w.])(?:[a-hj-z][1-9]\d?|pass)(?!\w))"
    r"|(?P<letters>(?<![\w.])[a-s][a-s](?!\w))"
    r"|(?P<resign>\bresign\b)",
    re.IGNORECASE | re.ASCII,
)
_IGNORED = re.compile(
    r"[\s,;.:=\-|]+|play\b|genmove\b|\d{1,3}(?:[.、:)]|(?=\s))|black\b|white\b|[bw]\b(?=\s)|AB\b", re.IGNORECASE
)
_PREFIXED = re.compile(r"\s*(?:\[|[BW]:)")


_HEAD = re.compile(r"#\s*([A-Z][a-z]+):\s*(\S.*)")
_FACTS = {"Black": "black_name", "White": "white_name", "Result": "result", "Date": "date", "Rules": "rules"}
_INFO = {"Event": "EV", "Place": "PC"}


def words_in(text: str) -> tuple[int, int]:
    """How many stretches of a text are points of a list, and how many words are none. Lines with ``#`` don't count."""
    if "#" in text:
        text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    found = sum(bool(match["color"] or match["bare"] or match["letters"]) for match in _WORD.finditer(text))
    rest = _IGNORED.sub(" ", _WORD.sub(" ", text))
    return found, len(rest.split())


def read_list(text: str) -> Iterator[Record]:
    """The games of a list: one a line where lines begin with a colour and a colon and have several moves, or have many
    moves each; else one over all lines. A game ends before what can't be read, and its notes say so.
    """
    blocks = _blocks(text)
    if len(blocks) > 1 or blocks[:1] != [("", text)]:
        for head, moves in blocks:
            yield _told(_read(moves), head)
        return
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    counts = [words_in(line)[0] for line in lines]
    ours = all(_PREFIXED.match(line) for line in lines) and max(counts, default=0) > 1
    if len(lines) > 1 and (ours or (all(counts) and sum(counts) >= 20 * len(lines))):
        for line in lines:
            yield _read(line)
    else:
        yield _read("\n".join(lines))


def _blocks(text: str) -> list[tuple[str, str]]:
    """The games of a text with facts before each (``# Black: …``): facts and moves. Without any, all of it as moves."""
    lines = text.splitlines()
    if not any(_HEAD.match(line) for line in lines):
        return [("", text)]
    blocks: list[tuple[list[str], list[str]]] = []
    for line in lines:
        if line.lstrip().startswith("#"):
            if not blocks or blocks[-1][1]:
                blocks.append(([], []))
            blocks[-1][0].append(line)
        elif line.strip():
            if not blocks or (re.match(r"size\s", line) and blocks[-1][1]):
                blocks.append(([], []))
            blocks[-1][1].append(line)
    return [("\n".join(head), "\n".join(moves)) for head, moves in blocks]


def _told(record: Record, head: str) -> Record:
    """The record with the facts of its head."""
    facts: dict[str, Any] = {}
    info = dict(record.info)
    for name, value in (match.groups() for match in map(_HEAD.match, head.splitlines()) if match):
        if name in _FACTS:
            facts[_FACTS[name]] = value.strip()
        elif name in _INFO:
            info[_INFO[name]] = value.strip()
        elif name == "Komi":
            with suppress(ValueError):
                facts["komi"] = float(value) if abs(float(value)) < 1e6 else None
        elif name == "Handicap" and value.strip().isascii() and value.strip().isdigit() and len(value) < 5:
            facts["handicap"] = int(value)
    return replace(record, **facts, info=info)


def _read(text: str) -> Record:
    width = height = 19
    steps: list[Move | Setup] = []
    color = BLACK
    setup: dict[str, list[str]] | None = None
    at = 0
    notes: list[str] = []
    while at < len(text):
        match = _WORD.match(text, at)
        if match is None:
            skipped = _IGNORED.match(text, at)
            if skipped is None:
                word = text[at : at + 20].split()[0] if text[at : at + 20].split() else text[at]
                if re.match(r"[BW]\+|0(?!\d)|1/2|void", text[at : at + 5], re.IGNORECASE):
                    at += len(word)
                    continue
                notes.append(f"reading ends at {word!r}")
                break
            at = skipped.end()
            continue
        at = match.end()
        if match["open"]:
            setup = {}
        elif match["close"]:
            if setup is not None:
                steps.append(_setup(setup, width, height))
                color = steps[-1].to_play if isinstance(steps[-1], Setup) and steps[-1].to_play else color
                setup = None
        elif match["size"]:
            width = int(match["size"])
            height = int(match["height"] or width)
            if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE):
                raise ValueError(f"a board of {width}x{height} is beyond {MAX_SIZE}x{MAX_SIZE}")
        elif match["player"]:
            if setup is not None:
                setup.setdefault("PL", []).append(match["player"])
        elif match["resign"]:
            break
        else:
            name = (match["color"] or "")[:1].upper()
            point = next((text for text in match.group("inner", "point", "spaced", "bare", "letters") if text), "")
            if setup is not None and name:
                setup.setdefault(name, []).append(point)
                continue
            try:
                place = _point(point, width, height)
            except ValueError as error:
                notes.append(f"reading ends: {error}")
                break
            if name:
                color = BLACK if name == "B" else WHITE
            steps.append(Move(color, place))
            color = opponent(color)
    first = steps.pop(0) if steps and isinstance(steps[0], Setup) else Setup()
    assert isinstance(first, Setup)
    return Record(width=width, height=height, setup=first, steps=tuple(steps), notes=tuple(notes))


def _point(text: str, width: int, height: int) -> int:
    text = text.lower()
    if text in ("", "tt"):
        text = "pass"
    if len(text) == 2 and text.isalpha():
        text = f"{COLUMNS[LETTERS.index(text[0])]}{height - LETTERS.index(text[1])}"
    return parse_vertex(text, width, height)


def _setup(points: dict[str, list[str]], width: int, height: int) -> Setup:
    found = {name: tuple(sorted({_point(text, width, height) for text in points.get(name, [])})) for name in "BWE"}
    player = points.get("PL", [""])[0].upper()
    return Setup(
        black=found["B"],
        white=found["W"],
        empty=found["E"],
        to_play=BLACK if player == "B" else WHITE if player == "W" else EMPTY,
    )


def write_list(record: Record) -> str:
    """The main line as one line: see the module. Handicap stones that were played as moves stand as moves."""
    size = record.width, record.height
    played = set(record.played_handicap)
    setup = record.setup
    words: list[str] = []
    steps: list[Move | Setup] = list(record.steps)
    if setup.black or setup.white or setup.empty or setup.to_play:
        black = tuple(point for point in setup.black if point not in played)
        steps.insert(0, Setup(black, setup.white, setup.empty, EMPTY if steps or played else setup.to_play))
    at = int(bool(steps) and isinstance(steps[0], Setup))
    steps[at:at] = [Move(BLACK, point) for point in record.played_handicap]
    for step in steps:
        if isinstance(step, Move):
            words.append(f"{'B' if step.color == BLACK else 'W'}:{format_vertex(step.point, *size)}")
            continue
        inside = [
            f"{name}:{format_vertex(point, *size)}"
            for name, points in (("B", step.black), ("W", step.white), ("E", step.empty))
            for point in points
        ]
        if step.to_play and step is steps[-1]:
            inside.append(f"PL:{'B' if step.to_play == BLACK else 'W'}")
        if inside:
            words.append(f"[{' '.join(inside)}]")
    return " ".join(words)
