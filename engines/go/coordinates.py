"""Points in all the ways that people name them; ``engines.go.vertex`` is the protocol's own.

- ``gtp``: letters without I from the left, numbers from the bottom, ``K10``.
- ``sgf``: two small letters, the second counted from the top, ``jj``.
- ``letters``: letters with I, numbers from the bottom, ``J10``.
- ``two-letter``: two small letters, both counted from the lower left, ``jj``.
- ``target`` 靶式: ``a(4,4)``: the quarter (a upper right, b upper left, c lower left, d lower right), then file and
  rank counted from that corner's own edges. On the middle lines 上(0,n) 下(0,n) 左(n,0) 右(n,0), n from that
  edge; (0,0) is the centre.
- ``chinese`` 中国棋院: the file in digits from the left, the rank in Chinese numerals from the top, ``16四``.
- ``ing`` 应氏: as ``gtp``.

The first, the third and the last have letters for boards of 25 lines, which is as large as boards get.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from engines.go.points import MAX_SIZE, PASS
from engines.go.vertex import LETTERS as WITHOUT_I

SYSTEMS = ("gtp", "sgf", "letters", "two-letter", "target", "chinese", "ing")
"""The names of the systems."""

WITH_I = "ABCDEFGHIJKLMNOPQRSTUVWXY"
SMALL = WITH_I.lower()

_DIGITS = "一二三四五六七八九"
_PASSES = ("pass", "停着", "停一手", "虚着", "弃着", "棄著", "")
_QUARTERS = {"a": (True, True), "b": (False, True), "c": (False, False), "d": (True, False)}
"""Whether a quarter of ``target`` is on the right, and whether it is above."""

_TARGET = re.compile(r"([abcd上下左右]?)\((\d{1,2}),(\d{1,2})\)")
_NUMBERED = re.compile(r"([A-Za-z])(\d{1,2})")
_TWO = re.compile(r"([a-y])([a-y])")
_CHINESE = re.compile(r"(\d{1,2})([一二三四五六七八九十]{1,3})|([一二三四五六七八九十]{1,3})(\d{1,2})")


def numeral(number: int) -> str:
    """A number from 1 to 99 in Chinese."""
    tens, ones = divmod(number, 10)
    head = "" if tens == 0 else "十" if tens == 1 else _DIGITS[tens - 1] + "十"
    return head + (_DIGITS[ones - 1] if ones else "")


_NUMERALS = {numeral(number): number for number in range(1, MAX_SIZE + 1)}


def write_point(point: int, width: int, height: int, system: str = "gtp") -> str:
    """A point in one of ``SYSTEMS``; ``pass`` for PASS. Raises ``ValueError`` for a point off the board, and for an
    unknown system.
    """
    if system not in _WAYS:
        raise ValueError(f"no coordinates {system!r}: there are {', '.join(SYSTEMS)}")
    if point == PASS:
        return "pass"
    if not 0 <= point < width * height or max(width, height) > MAX_SIZE:
        raise ValueError(f"point {point} is off the {width}x{height} board")
    return _WAYS[system].write(point % width, point // width, width, height)


def read_point(text: str, width: int, height: int, system: str | None = None) -> int:
    """The point, or PASS, that a text names on a ``width`` × ``height`` board.

    Without a system the text's form tells it: letter and number are ``gtp``, or ``letters`` where only that fits; two
    letters are ``sgf``. Raises ``ValueError`` for what names no point of this board.
    """
    if system is not None and system not in _WAYS:
        raise ValueError(f"no coordinates {system!r}: there are {', '.join(SYSTEMS)}")
    plain = "".join(unicodedata.normalize("NFKC", text).split())
    if plain.lower() in _PASSES and (plain or system == "sgf"):
        return PASS
    for name in (system,) if system else ("gtp", "letters", "sgf", "target", "chinese"):
        place = _WAYS[name].read(plain, width, height)
        if place is not None and 0 <= place[0] < width and 0 <= place[1] < height:
            return place[1] * width + place[0]
    if system == "sgf" and plain == "tt":
        return PASS
    raise ValueError(
        f"{text[:20]!r} is no point of a {width}x{height} board" + (f" in {system} coordinates" if system else "")
    )


def file_label(x: int, width: int, system: str) -> str:
    """What stands at the edge of the board for a file, counted from 0 on the left."""
    if system == "target":
        return str(_from_edge(x, width))
    if system == "chinese":
        return str(x + 1)
    return {"sgf": SMALL, "two-letter": SMALL, "letters": WITH_I}.get(system, WITHOUT_I)[x]


def rank_label(y: int, height: int, system: str) -> str:
    """What stands at the edge of the board for a rank, counted from 0 at the bottom."""
    if system == "target":
        return str(_from_edge(y, height))
    if system == "chinese":
        return numeral(height - y)
    if system == "sgf":
        return SMALL[height - 1 - y]
    return SMALL[y] if system == "two-letter" else str(y + 1)


def _from_edge(at: int, side: int) -> int:
    """A line counted from its nearer edge; 0 for the middle one."""
    return 0 if 2 * at + 1 == side else min(at + 1, side - at)


class _Way(NamedTuple):
    write: Callable[[int, int, int, int], str]
    read: Callable[[str, int, int], tuple[int, int] | None]


def _numbered(letters: str) -> _Way:
    def read(text: str, width: int, height: int) -> tuple[int, int] | None:
        match = _NUMBERED.fullmatch(text)
        return (letters.find(match[1].upper()), int(match[2]) - 1) if match else None

    return _Way(lambda x, y, width, height: f"{letters[x]}{y + 1}", read)


def _two_letters(downward: bool) -> _Way:
    def turn(y: int, height: int) -> int:
        return height - 1 - y if downward else y

    def read(text: str, width: int, height: int) -> tuple[int, int] | None:
        match = _TWO.fullmatch(text.lower())
        return (SMALL.index(match[1]), turn(SMALL.index(match[2]), height)) if match else None

    return _Way(lambda x, y, width, height: SMALL[x] + SMALL[turn(y, height)], read)


def _write_target(x: int, y: int, width: int, height: int) -> str:
    file, rank = _from_edge(x, width), _from_edge(y, height)
    right, above = 2 * x + 1 > width, 2 * y + 1 > height
    if file and rank:
        head = next(name for name, sides in _QUARTERS.items() if sides == (right, above))
    elif file:
        head = "右" if right else "左"
    elif rank:
        head = "上" if above else "下"
    else:
        head = ""
    return f"{head}({file},{rank})"


def _read_target(text: str, width: int, height: int) -> tuple[int, int] | None:
    match = _TARGET.fullmatch(text.lower())
    if match is None:
        return None
    head, file, rank = match[1], int(match[2]), int(match[3])
    right, above = _QUARTERS.get(head, (head == "右", head == "上"))
    x = width // 2 if not file else width - file if right else file - 1
    y = height // 2 if not rank else height - rank if above else rank - 1
    if not (0 <= x < width and 0 <= y < height) or _write_target(x, y, width, height) != f"{head}({file},{rank})":
        return None
    return x, y


def _read_chinese(text: str, width: int, height: int) -> tuple[int, int] | None:
    match = _CHINESE.fullmatch(text)
    if match is None:
        return None
    rank = _NUMERALS.get(match[2] or match[3])
    return None if rank is None else (int(match[1] or match[4]) - 1, height - rank)


_WAYS = {
    "gtp": _numbered(WITHOUT_I),
    "sgf": _two_letters(downward=True),
    "letters": _numbered(WITH_I),
    "two-letter": _two_letters(downward=False),
    "target": _Way(_write_target, _read_target),
    "chinese": _Way(lambda x, y, width, height: f"{x + 1}{numeral(height - y)}", _read_chinese),
    "ing": _numbered(WITHOUT_I),
}
