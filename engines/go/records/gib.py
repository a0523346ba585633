"""GIB, the records of Tygem (东洋围棋, 타이젬), read.

Facts stand as ``\\[NAME=value\\]``; ``INI 0 1 H`` tells the handicap, ``STO 0 n c x y`` a stone of colour 1 (Black) or
2 (White) with the column from the left and the row from the top, both from 0; ``SKI`` passes. The server puts the third
handicap stone on the upper left.
"""

from __future__ import annotations

import re

from engines.go.records import sgf
from engines.go.records.trees import Grown, handicap_points, sgf_point

_FACT = re.compile(r"\\?\[\s*([A-Z]+)\s*=(.*?)(?:\\\]|$)", re.MULTILINE)
_LINE = re.compile(r"(?:^|\s)(?:STO\s+\d+\s+\d+\s+(\d)\s+(-?\d+)\s+(-?\d+)|(SKI)\b[^\n]*|INI\s+\d+\s+\d+\s+(\d+))")
_HEAD = re.compile(r"\\\[(?:GIBOKIND|GAMEINFOMAIN|GAMEBLACKNAME|GAMEWHITENAME)=|^\\HS\s*$", re.MULTILINE)
_STONE = re.compile(r"^STO\s+\d+\s+\d+\s+[12]\s+\d+\s+\d+", re.MULTILINE)
_PLAYER = re.compile(r"\s*(.*?)\s*[(（]\s*([^()（）]*?)\s*[)）]\s*")
_WINNERS = {0: "B", 1: "W", 3: "B+R", 4: "W+R", 7: "B+T", 8: "W+T"}


def is_gib(text: str) -> bool:
    """Whether a text is a GIB record."""
    return _HEAD.search(text[:4000]) is not None or _STONE.search(text) is not None


def read_gib(text: str) -> sgf.Tree:
    """The game as SGF; what stands for no point of the board is a pass."""
    facts = {name: value.strip() for name, value in _FACT.findall(text)}
    grown = Grown(19, 19)
    for name, property_name, rank in (("GAMEBLACKNAME", "PB", "BR"), ("GAMEWHITENAME", "PW", "WR")):
        value = facts.get(name, "")
        match = _PLAYER.fullmatch(value)
        grown.text(property_name, match[1] if match else value)
        grown.text(rank, match[2] if match else "")
    main = dict(re.findall(r"(\w+):([^,\\]*)", facts.get("GAMEINFOMAIN", "")))
    tag = facts.get("GAMETAG", "")
    result, points = _number(main.get("GRLT")), _number(main.get("ZIPSU"))
    if result is None:
        won, margin = (re.search(rf",{letter}(\d+)", tag) for letter in "WZ")
        result, points = _number(won[1] if won else None), _number(margin[1] if margin else None)
    if result in _WINNERS:
        winner = _WINNERS[result]
        grown.text("RE", winner if "+" in winner else f"{winner}+{(points or 0) / 10:g}")
    komi = _number(main.get("GONGJE"))
    if komi is None:
        komi = _number(facts.get("GAMEGONGJE"))
    if komi is None and (found := re.search(r",G(\d+)", tag)):
        komi = int(found[1])
    if komi is not None:
        grown.text("KM", f"{komi / 10:g}")
    date = re.search(r"(\d{4})\D{1,3}(\d{1,2})\D{1,3}(\d{1,2})", tag if "C" in tag else facts.get("GAMEDATE", ""))
    if date:
        grown.text("DT", f"{date[1]}-{int(date[2]):02}-{int(date[3]):02}")
    grown.text("PC", facts.get("GAMEPLACE", ""))
    grown.text("EV", facts.get("GAMENAME", ""))
    grown.text("GC", facts.get("GAMECOMMENT", ""))
    times = [_number(part) for part in main.get("GTIME", "").split("-")]
    if len(times) == 3 and None not in times:
        grown.text("TM", f"{times[0]}")
        grown.text("OT", f"{times[2]}x{times[1]} byo-yomi")
    for color, x, y, skips, handicap in _LINE.findall(text):
        if handicap:
            if int(handicap) >= 2 and not grown.moves:
                grown.text("HA", handicap)
                grown.setup("AB", handicap_points(int(handicap)))
        elif skips:
            grown.move(grown.to_play, "")
        else:
            grown.move("B" if color == "1" else "W", sgf_point(int(x), int(y), 19, 19))
    return grown.tree


def _number(text: str | None) -> int | None:
    return int(text.strip()) if text and text.isascii() and text.strip().isdecimal() and len(text) < 9 else None
