"""The forms of the game as a table: which kinds lie face down, who knows them, and what is free.

Kinds are those of ``engines.xiangqi.geometry`` (``ADVISOR`` 2 … ``PAWN`` 7). Sources of the rules: the pages that
describe jieqi and fanqi; docs/jieqi.md has them in full with what was decided where they are silent.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.results import Words
from engines.xiangqi.geometry import ADVISOR, BISHOP, BLACK, CANNON, KING, KNIGHT, PAWN, RED, ROOK

_HOME_RANK = (ROOK, KNIGHT, BISHOP, ADVISOR, KING, ADVISOR, BISHOP, KNIGHT, ROOK)

_RED_HALF = [*_HOME_RANK] + [0] * 10 + [CANNON] + [0] * 5 + [CANNON, 0] + [PAWN, 0] * 4 + [PAWN] + [0] * 9

HOME: tuple[int, ...] = tuple(_RED_HALF + _RED_HALF[::-1])
"""The kind that starts on each of the 90 squares (a0 = 0, rank · 9 + file), 0 for none."""

LETTERS = "RACPNB"
"""Kinds but the general in the order in which pools are written."""


def home_color(square: int) -> int:
    """Whose half of the board a square is in: ``RED`` or ``BLACK``."""
    return RED if square < 45 else BLACK


@dataclass(frozen=True)
class Form:
    """One form of the game.

    ``dark``: the kinds that lie face down at the start. ``layout``: ``shuffled`` (nobody knows it), ``free`` (each side
    lays its own pieces, and knows them), ``open`` (each on a point of its own kind, known to all). ``free_advisors``,
    ``free_elephants``: they may leave the palace and cross the river, face up. ``dark_advisors_free``: a face-down
    piece on an advisor's point may leave the palace. ``turning``: face-up pieces of the dark kinds may be turned down.
    ``limit``: the usual limit of plies without a capture, by name; ``rules``: the usual rules of repetition.
    """

    name: str
    title: Words
    dark: frozenset[int]
    layout: str
    free_advisors: bool
    free_elephants: bool
    dark_advisors_free: bool
    turning: bool
    limit: str
    rules: str

    def points(self, color: int) -> tuple[int, ...]:
        """The squares where this color's pieces lie face down at the start, ascending."""
        return tuple(square for square in range(90) if HOME[square] in self.dark and home_color(square) == color)

    @property
    def turning_mask(self) -> int:
        """The kinds that may be turned down, as bits (1 << kind)."""
        return sum(1 << kind for kind in self.dark) if self.turning else 0

    @property
    def has_known(self) -> bool:
        """Whether face-down pieces may be known to somebody, so that a FEN needs a field for them."""
        return self.turning


_PLAIN = frozenset((ROOK, KNIGHT, CANNON, PAWN))
_ALL = _PLAIN | {ADVISOR, BISHOP}


def _jieqi(name: str, title: Words, dark: frozenset[int]) -> Form:
    return Form(name, title, dark, "shuffled", True, True, False, False, "jieqi40", "axf")


def _fanqi(number: int, dark: frozenset[int], layout: str) -> Form:
    figure = "一二三四五六七八九十"[number - 1]
    title = Words(f"Fanqi, form {number}", f"翻棋第{figure}种", f"翻棋第{figure}種")
    advisors, elephants = ADVISOR in dark, BISHOP in dark
    return Form(f"fanqi{number}", title, dark, layout, advisors, elephants, advisors, bool(dark), "natural60", "cxa")


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        _jieqi("jieqi", Words("Jieqi", "揭棋", "揭棋"), _ALL),
        _jieqi("jieqi2", Words("Jieqi, second form", "揭棋第二种", "揭棋第二種"), _PLAIN),
        _fanqi(1, frozenset(), "open"),
        _fanqi(2, _PLAIN, "open"),
        _fanqi(3, _PLAIN, "free"),
        _fanqi(4, _PLAIN, "shuffled"),
        _fanqi(5, _PLAIN | {BISHOP}, "free"),
        _fanqi(6, _PLAIN | {BISHOP}, "shuffled"),
        _fanqi(7, _PLAIN | {ADVISOR}, "free"),
        _fanqi(8, _PLAIN | {ADVISOR}, "shuffled"),
        _fanqi(9, _ALL, "free"),
        _fanqi(10, _ALL, "shuffled"),
    )
}
"""The forms by name."""

LIMITS: dict[str, int] = {"jieqi40": 80, "natural60": 120, "none": 0}
"""Plies without a capture that draw, by the name of the limit; 0: no limit. Turning up or down is no capture."""

CAPTURE_VIEWS = ("captor", "both", "none")
"""Who learns what a piece taken face down was: who took it, everybody, or nobody before the end."""


def form_of(name: str) -> Form:
    """The form of this name. ``ValueError`` with the names there are for any other."""
    try:
        return FORMS[name]
    except KeyError:
        raise ValueError(f"there is no form {name!r}; there are {', '.join(FORMS)}") from None


def plies_of(limit: str) -> int:
    """The plies of a limit: of a name in ``LIMITS``, or a number of plies up to 1000. ``ValueError`` for another."""
    if limit in LIMITS:
        return LIMITS[limit]
    if limit.isascii() and limit.isdecimal() and int(limit[:9]) <= 1000:
        return int(limit)
    raise ValueError(f"unknown limit {limit!r}; there are {', '.join(LIMITS)}, and numbers of plies")
