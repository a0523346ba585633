"""Komi as servers, editors and people write it: in points, in zi 子, in hundredths, in words."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable

from engines.go.rules import find_rules

_IN_HUNDREDTHS = ("foxwq", "sgfc:2.0")
"""Programs, as AP names them, that write komi in hundredths: the Fox server (野狐) and gokifu.com's files."""

_OURS = "qiqiao:"

_KOMI = re.compile(
    r"(?:(?:黑|白)?(?:方|棋)?(?:贴|貼|コミ|덤)[:：]?\s*)?"
    r"(?P<sign>-?)(?P<whole>\d+)(?:[.,](?P<decimals>\d*))?(?P<early>\s*子)?"
    r"(?:\s*(?:又|\s|(?<=子))\s*(?P<part>\d+)/(?P<of>\d+))?"
    r"\s*(?P<unit>子|zi|目|집|points?|pts|komi)?\s*(?P<half>半|반)?"
)


def by_us(programs: Iterable[str]) -> bool:
    """Whether a record was written here, by its AP: what it says is meant as it stands."""
    return any(program.startswith(_OURS) for program in programs)


def read_komi(text: str, programs: Iterable[str] = (), rules: str = "") -> float | None:
    """The komi in points that a record's KM means; ``None`` where it names none.

    ``programs`` are the values of AP, ``rules`` that of RU. A whole multiple of 25 that is beyond any komi is in
    hundredths, where one of the programs is known for it or rules are named. Quarters are zi (3¾ are 7½ points), unless
    the rules count territory; so are hundredths from 100 to 399: 275 are 5.5, 350 are 7, 650 are 6.5 points.
    """
    number = _number(text)
    if number is None:
        return None
    value, zi = number
    if zi:
        return 2 * value
    programs = [program.lower() for program in programs]
    if by_us(programs):
        return value
    known = any(name in program for program in programs for name in _IN_HUNDREDTHS)
    if value % 25 == 0 and (abs(value) >= 25 if known else rules and abs(value) >= 200):
        in_zi = 100 <= abs(value) < 400 or (abs(value) < 100 and value % 50 != 0)
        return value / 50 if in_zi else value / 100
    if value % 0.5 == 0.25:
        found = find_rules(rules) if rules else None
        if found is None or found.scoring == "area":
            return 2 * value
    return value


def _number(text: str) -> tuple[float, bool] | None:
    """The number a text begins with, and whether it says that it counts zi."""
    for sign, fraction in (("¼", " 1/4"), ("½", " 1/2"), ("¾", " 3/4")):
        text = text.replace(sign, fraction)
    text = unicodedata.normalize("NFKC", text).strip()
    match = _KOMI.match(text)
    if match is None or len(text) > 40:
        return _plain(text)
    value = float(f"{match['whole']}.{match['decimals'] or 0}")
    if match["of"] and int(match["of"]):
        value += int(match["part"]) / int(match["of"])
    if match["half"]:
        value += 0.5
    zi = bool(match["early"]) or match["unit"] in ("子", "zi")
    if not zi and match["unit"] is None and not match["of"] and not match["half"] and match.end() != len(text):
        return _plain(text)
    return (-value if match["sign"] else value), zi


def _plain(text: str) -> tuple[float, bool] | None:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        return None
    return (value, False) if math.isfinite(value) else None
