"""Plots as SVG texts that need nothing else: lines with bands, bars. Colours are CSS classes of the report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 560, 260
"""Size of a plot in pixels, before the page scales it."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 28, 40


@dataclass(frozen=True)
class Line:
    """Points joined by a line; ``band`` are the lower and upper ends of an interval at each of them, where given."""

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]] = ()


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers between two bounds: some ``about`` of them."""
    span = high - low
    if span <= 0 or not math.isfinite(span):
        return [low]
    step = 10 ** math.floor(math.log10(span / about))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= about)
    first = math.ceil(low / step - 1e-9)
    return [first * step + index * step for index in range(int((high - first * step) / step + 1e-9) + 1)]


class _Frame:
    """The axes of a plot, and from values to places on it."""

    def __init__(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        self.x0, self.x1 = x if x[1] > x[0] else (x[0], x[0] + 1)
        self.y0, self.y1 = y if y[1] > y[0] else (y[0] - 1, y[0] + 1)

    def x(self, value: float) -> float:
        return _LEFT + (value - self.x0) / (self.x1 - self.x0) * (WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        inside = min(max(value, self.y0), self.y1)
        return HEIGHT - _BOTTOM - (inside - self.y0) / (self.y1 - self.y0) * (HEIGHT - _TOP - _BOTTOM)

    def axes(self, x_label: str, y_label: str, x_ticks: bool = True) -> str:
        parts = []
        for value in ticks(self.y0, self.y1):
            y = self.y(value)
            parts.append(f'<path class="grid" d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}"/>')
            parts.append(f'<text class="tick" x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_short(value)}</text>')
        for value in ticks(self.x0, self.x1, 8) if x_ticks else ():
            x = self.x(value)
            parts.append(f'<path class="grid" d="M{x:.1f} {_TOP}V{HEIGHT - _BOTTOM}"/>')
            label = f'<text class="tick" x="{x:.1f}" y="{HEIGHT - _BOTTOM + 16}" text-anchor="middle">'
            parts.append(f"{label}{_short(value)}</text>")
        middle = (WIDTH + _LEFT - _RIGHT) / 2
        parts.append(f'<text class="label" x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_label)}</text>')
        parts.append(f'<text class="label" x="{_LEFT}" y="{_TOP - 10}" text-anchor="start">{escape(y_label)}</text>')
        return "".join(parts)


def _short(value: float) -> str:
    return f"{value:.6g}"


def _svg(title: str, body: str) -> str:
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(title, True)}">{body}</svg></figure>'
    )


def lines(
    title: str, series: Sequence[Line], x_label: str, y_label: str, levels: Sequence[tuple[float, str]] = ()
) -> str:
    """Lines over a common axis; ``levels`` are horizontal lines with a name. "" where there is nothing to show."""
    shown = [line for line in series if line.points]
    if not shown:
        return ""
    xs = [x for line in shown for x, _ in line.points]
    ys = [y for line in shown for _, y in line.points] + [value for value, _ in levels]
    ys += [end for line in shown for two in line.band for end in two]
    finite = [y for y in ys if math.isfinite(y)]
    low, high = min(finite), max(finite)
    space = (high - low) * 0.05
    frame = _Frame((min(xs), max(xs)), (low - space, high + space))
    parts = [frame.axes(x_label, y_label)]
    for value, name in levels:
        y = frame.y(value)
        parts.append(f'<path class="level" d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}"/>')
        parts.append(f'<text class="tick" x="{WIDTH - _RIGHT}" y="{y - 4:.1f}" text-anchor="end">{escape(name)}</text>')
    for index, line in enumerate(shown):
        if line.band:
            banded = list(zip(line.points, line.band, strict=True))
            there = [f"{frame.x(x):.1f} {frame.y(high):.1f}" for (x, _), (_, high) in banded]
            back = [f"{frame.x(x):.1f} {frame.y(low):.1f}" for (x, _), (low, _) in banded]
            parts.append(f'<path class="band c{index % 6}" d="M{"L".join(there + back[::-1])}Z"/>')
        path = "L".join(f"{frame.x(x):.1f} {frame.y(y):.1f}" for x, y in line.points)
        parts.append(f'<path class="line c{index % 6}" d="M{path}"/>')
        if len(line.points) == 1:
            x, y = line.points[0]
            parts.append(f'<circle class="line c{index % 6}" cx="{frame.x(x):.1f}" cy="{frame.y(y):.1f}" r="3"/>')
        if len(shown) > 1 or line.name:
            x = _LEFT + 160 + 110 * index
            parts.append(f'<text class="key c{index % 6}" x="{x}" y="{_TOP - 10}">{escape(line.name[:16])}</text>')
    return _svg(title, "".join(parts))


def bars(title: str, values: Sequence[tuple[str, float]], x_label: str, y_label: str) -> str:
    """A bar for each name. "" where there is nothing to show."""
    if not values:
        return ""
    frame = _Frame((0, len(values)), (0, max(1.0, *(value for _, value in values))))
    parts = [frame.axes(x_label, y_label, x_ticks=False)]
    wide = frame.x(1) - frame.x(0)
    every = math.ceil(len(values) / 12)
    for index, (name, value) in enumerate(values):
        left, top = frame.x(index) + wide * 0.1, frame.y(value)
        parts.append(
            f'<rect class="bar" x="{left:.1f}" y="{top:.1f}" width="{wide * 0.8:.1f}" '
            f'height="{HEIGHT - _BOTTOM - top:.1f}"><title>{escape(name)}: {_short(value)}</title></rect>'
        )
        if index % every == 0:
            parts.append(
                f'<text class="tick" x="{left + wide * 0.4:.1f}" y="{HEIGHT - _BOTTOM + 16}" text-anchor="middle">'
                f"{escape(name[:14])}</text>"
            )
    return _svg(title, "".join(parts))


def histogram(title: str, values: Sequence[float], x_label: str, y_label: str, bins: int = 20) -> str:
    """How often values fall between round numbers."""
    if not values:
        return ""
    low, high = min(values), max(values)
    step = (high - low) / bins or 1.0
    step = ticks(0, step * 5)[1] if step > 0 else 1.0
    start = math.floor(low / step) * step
    counts = [0] * (int((high - start) / step) + 1)
    for value in values:
        counts[int((value - start) / step)] += 1
    return bars(title, [(_short(start + i * step), float(n)) for i, n in enumerate(counts)], x_label, y_label)
