"""The half board of banqi and luoqi as text for a terminal; see ``engines.drawing.grid``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.banqi.diagram import FACES, Script, last_squares
from engines.drawing.grid import Cell, Grid
from engines.terms import Language

_UNSEEN = {"en": "{} unseen: {}", "zh-Hans": "{}未见：{}", "zh-Hant": "{}未見：{}"}
_HAND = {"en": "{} in hand: {}", "zh-Hans": "{}手中：{}", "zh-Hant": "{}手中：{}"}
_COLORS = {
    "en": {"r": "Red", "b": "Black", "g": "Green"},
    "zh-Hans": {"r": "红", "b": "黑", "g": "绿"},
    "zh-Hant": {"r": "紅", "b": "黑", "g": "綠"},
}
_SIDES = {"en": ("first", "second", "third"), "zh-Hans": ("先手", "后手", "三手"), "zh-Hant": ("先手", "後手", "三手")}


def grid(view: Any, letters: bool = False, language: Language = "en") -> Grid:
    """A view's board; face-down pieces are ● or X. Below: who has which color, and what nobody has seen, or what is in
    hand where nothing lies face down."""
    faces = {} if letters else FACES[script_of(language)]
    cells = cells_of(view.contents, letters, faces)
    last = last_squares(view.told[-1]) if view.told else ()
    hands = "?" not in view.contents
    below = [*colors_text(view.colors, language), *pools_text(view.pools, faces, language, hands)]
    return Grid(4, 8, cells, tuple("abcd"), tuple("12345678"), last, 1 if letters else 2, below=tuple(below))


def cells_of(
    contents: tuple[str, ...],
    letters: bool,
    faces: Mapping[str, str],
    inks: Mapping[str, str] | None = None,
) -> tuple[Cell, ...]:
    """Cells of what stands on the points: a letter, "?" or ""; ``faces`` are characters, ``inks`` inks
    where not red and black, by letter."""
    cells = []
    for what in contents:
        if not what:
            cells.append(Cell("." if letters else "．"))
        elif what == "?":
            cells.append(Cell("X" if letters else "●", "line"))
        else:
            ink = (inks or {}).get(what) or ("red" if what.isupper() else "black")
            cells.append(Cell(what if letters else faces.get(what, what), ink))
    return tuple(cells)


def script_of(language: Language) -> Script:
    """The script of a language's characters."""
    return "simplified" if language == "zh-Hans" else "traditional"


def colors_text(colors: Any, language: Language) -> list[str]:
    """Who has which color, where that is settled."""
    words = [
        f"{_SIDES[language][side]}: {_COLORS[language].get(color, color)}" for side, color in enumerate(colors) if color
    ]
    return ["  ".join(words)] if words else []


def pools_text(pools: Any, faces: Mapping[str, str], language: Language, hands: bool = False) -> list[str]:
    """A line a color of what nobody has seen, or what is in hand."""
    text = (_HAND if hands else _UNSEEN)[language]
    return [
        text.format(
            _COLORS[language].get(color, color),
            " ".join(f"{faces.get(letter, letter)}{count}" for letter, count in pool.items() if count),
        )
        for color, pool in pools.items()
        if any(pool.values())
    ]
