"""The board of jieqi and fanqi as text for a terminal; see ``engines.drawing.grid``."""

from __future__ import annotations

from engines.drawing.grid import Cell, Grid
from engines.jieqi.view import View
from engines.terms import Language
from engines.xiangqi.diagram import FACES, Script
from engines.xiangqi.terminal import FILES

_UNSEEN = {"en": "{} unseen: {}", "zh-Hans": "{}未见：{}", "zh-Hant": "{}未見：{}"}
_SIDES = {"en": ("Red", "Black"), "zh-Hans": ("红", "黑"), "zh-Hant": ("紅", "黑")}
_NONE = {"en": "none", "zh-Hans": "无", "zh-Hant": "無"}


def grid(view: View, script: Script | None = "traditional", language: Language = "en") -> Grid:
    """A view's board, in characters or letters; pieces that lie face down are in brackets, with their point's kind.

    Below stand the pieces that the viewer has not seen, of each side, and what of its own face-down pieces it knows.
    """
    cells, known = [], []
    points = view.points
    for square in range(90):
        name = f"{FILES[square % 9]}{square // 9}"
        what = points.get(name)
        if what is None:
            cells.append(Cell("．" if script else "."))
            continue
        dark = what.startswith("?")
        kind, _, piece = what.removeprefix("?").partition("=")
        if piece:
            known.append(f"{name} {_face(piece, script)}")
        cells.append(Cell(_face(kind, script), "red" if kind.isupper() else "black", dark))
    below = []
    for side, (name, pool) in enumerate(zip(_SIDES[language], view.pools, strict=True)):
        pieces = " ".join(f"{_face(letter if side == 0 else letter.lower(), script)}{n}" for letter, n in pool.items())
        below.append(_UNSEEN[language].format(name, pieces or _NONE[language]))
    if view.captured:
        below.append("× " + " ".join(f"{_face(letter, script)}{n}" for letter, n in view.captured.items()))
    for at in range(0, len(known), 8):
        below.append("= " + "  ".join(known[at : at + 8]))
    last: tuple[int, ...] = ()
    if view.told:
        told = view.told[-1]
        last = tuple(int(told[at + 1]) * 9 + FILES.index(told[at]) for at in (0, 2))
    ranks = tuple("0123456789")
    return Grid(9, 10, tuple(cells), FILES, ranks, last, 2 if script else 1, 4, tuple(below))


def _face(letter: str, script: Script | None) -> str:
    return FACES[script][letter] if script else letter
