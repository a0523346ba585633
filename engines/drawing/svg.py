"""A board as SVG: what is drawn once a page, and positions on it that refer to that.

A ``Board`` knows places and symbols, and no game: ``engines.<game>.diagram`` makes one. Positions are told by points
(numbered as the game numbers them) and names of symbols, so that a page's script can draw them without knowing a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape

from engines.drawing import glyphs

CELL = 40
"""Units between two lines of a board, before a page scales it."""

WOOD, LINE, MARK = "#e6c07f", "#5a4520", "#1467c8"
"""Colours of the board, its lines and labels, and of the marks of the last move."""


@dataclass(frozen=True)
class Theme:
    """Colours of a board: its wood, its lines and labels, the marks of the last move."""

    name: str
    wood: str = WOOD
    line: str = LINE
    mark: str = MARK


LIGHT, DARK = Theme("light"), Theme("dark", "#3a3128", "#b39a74", "#5aa9ff")
"""For a page of paper, and for a page of the night."""

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


@dataclass(frozen=True)
class Board:
    """A board to draw positions on.

    ``name`` tells it from others on a page. ``width`` and ``height`` are in units, ``CELL`` to a square. ``base`` is
    what it looks like empty, ``symbols`` are the bodies of what may stand on it, drawn around (0, 0), ``shared`` are
    further definitions that they need. ``places`` are the centres of its points. ``ring`` is how far from a centre the
    mark of the last move is drawn.
    """

    name: str
    width: float
    height: float
    base: str
    symbols: Mapping[str, str]
    places: tuple[tuple[float, float], ...]
    shared: str = ""
    ring: float = CELL * 0.5
    theme: Theme = LIGHT

    def definitions(self) -> str:
        """What positions refer to; once on each page, or in each picture that stands alone."""
        bodies = {self.name: self.base, **{f"{self.name}-{key}": body for key, body in self.symbols.items()}}
        bodies[f"{self.name}-last"] = brackets(self.ring, self.theme.mark)
        return self.shared + "".join(f'<g id="{name}">{body}</g>' for name, body in bodies.items())

    def page_definitions(self) -> str:
        """The same as an element for a page of HTML, which shows nothing."""
        hidden = 'width="0" height="0" style="position:absolute" aria-hidden="true"'
        return f"<svg {hidden}><defs>{self.definitions()}</defs></svg>"

    def position(self, standing: Mapping[int, str], last: Iterable[int] = ()) -> str:
        """The elements of a position: symbols by the points they stand on, and the points of the last move."""
        parts = [f'<use href="#{self.name}"/>']
        parts += [self._use(symbol, point) for point, symbol in sorted(standing.items())]
        parts += [self._use("last", point) for point in last]
        return "".join(parts)

    def _use(self, symbol: str, point: int) -> str:
        x, y = self.places[point]
        return f'<use href="#{self.name}-{symbol}" x="{x:g}" y="{y:g}"/>'

    def picture(
        self,
        standing: Mapping[int, str],
        last: Iterable[int] = (),
        title: str = "",
        alone: bool = True,
        over: str = "",
    ) -> str:
        """A position as an SVG element; ``alone`` gives it all that it refers to, so that it can be a file.

        ``title`` is what is read out to whoever can't see it; ``over`` are elements drawn on top (``drawing.marks``).
        """
        start = '<svg xmlns="http://www.w3.org/2000/svg" ' if alone else "<svg "
        definitions = f"<defs>{self.definitions()}</defs>" if alone else ""
        label = f' aria-label="{escape(title, True)}"' if title else ""
        return (
            f'{start}class="board" viewBox="0 0 {self.width:g} {self.height:g}" role="img"{label}>'
            f"{definitions}{self.position(standing, last)}{over}</svg>"
        )


def text(words: str, x: float, y: float, size: float, color: str = LINE, weight: float = glyphs.WEIGHT) -> str:
    """Words as strokes around (x, y), ``size`` units high; ``weight`` is the strokes' width in per cent of that."""
    return _strokes(glyphs.path(words, x, y, size), color, size * weight / 100)


def brackets(reach: float, color: str = MARK) -> str:
    """Four corners around (0, 0): the mark of a last move, seen on any colour and in black and white."""
    far, near = reach, reach * 0.6
    d = "".join(f"M{x * far:g} {y * near:g}V{y * far:g}H{x * near:g}" for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    return f'<path d="{d}" fill="none" stroke="{color}" stroke-width="2.6" stroke-linejoin="round"/>'


def labels(texts: Iterable[tuple[str, float, float]], size: float, color: str = LINE) -> str:
    """Labels, each with its place, as one path."""
    d = "".join(glyphs.path(words, x, y, size) for words, x, y in texts)
    return _strokes(d, color, size * 0.09) if d else ""


def _strokes(d: str, color: str, width: float) -> str:
    ends = 'stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{d}" fill="none" stroke="{color}" stroke-width="{width:.2f}" {ends}/>'
