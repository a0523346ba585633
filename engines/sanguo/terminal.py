"""The board of sanguo as text for a terminal; see ``engines.drawing.grid``."""

from __future__ import annotations

from typing import Any

from engines.banqi.terminal import cells_of, colors_text, pools_text, script_of
from engines.drawing.grid import Grid
from engines.sanguo.diagram import last_points
from engines.terms import Language
from engines.xiangqi.diagram import FACES

_INKS = dict.fromkeys("KkPp", "green")
"""Generals and soldiers are a side of their own, and have an ink of their own."""


def grid(view: Any, letters: bool = False, language: Language = "en") -> Grid:
    """A view's board, half or whole; below, who has which side and what nobody has seen."""
    contents = view.contents
    last = last_points(view.told[-1]) if view.told else ()
    faces = {} if letters else FACES[script_of(language)]
    below = [*colors_text(view.kingdoms, language), *pools_text(view.pools, faces, language)]
    if view.out:
        below.append("× " + " ".join(str(player + 1) for player in view.out))
    return Grid(
        9,
        len(contents) // 9,
        cells_of(contents, letters, faces, _INKS),
        tuple("abcdefghi"),
        tuple("0123456789")[: len(contents) // 9],
        last,
        1 if letters else 2,
        4 if len(contents) == 90 else -1,
        tuple(below),
    )
