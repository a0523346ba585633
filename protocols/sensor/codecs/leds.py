"""Showing a text of leds on what leds a board has."""

from __future__ import annotations

import math

from protocols.sensor.reading import AREA_FIRST, AREA_SECOND, LEDS, OFF, Geometry, LedModel

TURN = 0.8
"""Seconds each point is shown where only one can be at a time (edge leds)."""

URGENCY = "WLPXOHAB"
"""Leds from the most to the least urgent. Where one led has to serve two points the more urgent one wins."""

COLOURS: dict[str, tuple[int, int, int]] = {
    "W": (255, 0, 0),
    "L": (255, 60, 0),
    "P": (0, 255, 0),
    "X": (0, 0, 255),
    "O": (200, 200, 200),
    "H": (180, 140, 0),
    "A": (0, 0, 60),
    "B": (50, 50, 50),
}
"""Red, green and blue (0 to 255) for coloured leds. Wrong is red, lift orange; blue stands for the first colour,
since black cannot shine, and white for the second.
"""


def led_count(geometry: Geometry, model: LedModel) -> int:
    """How many leds a board of this model has."""
    return {
        "none": 0,
        "point": geometry.count,
        "edge": geometry.width + geometry.height,
        "corner": (geometry.width + 1) * (geometry.height + 1),
    }[model]


def check_leds(leds: str, geometry: Geometry | None = None) -> None:
    """Raises ValueError unless it is a text of leds (of this board)."""
    unknown = set(leds) - LEDS
    if unknown:
        raise ValueError(f"no such lamp: {min(unknown)!r}")
    if geometry is not None and len(leds) != geometry.count:
        raise ValueError(f"{len(leds)} lamps for a board of {geometry.count} points")


def more_urgent(one: str, other: str) -> str:
    """The led to show where both are wanted."""
    if OFF in (one, other):
        return other if one == OFF else one
    return min(one, other, key=lambda led: URGENCY.index(led.upper()))


class LedRenderer:
    """Turns the leds wished for (one a point) into those a board has. Pure: it is asked with a time.

    Point leds show the wish itself. Edge leds (first the columns from the left, then the rows from the far side)
    show one point at a time, the most urgent first; territory is too much for them. Corner leds (row by row from the
    far left) show a point by the four around it.
    """

    def __init__(self, geometry: Geometry, model: LedModel) -> None:
        self.geometry = geometry
        self.model = model
        self._wish = OFF * geometry.count
        self._since: float | None = None
        self._turns: list[tuple[int, str]] = []

    def wish(self, leds: str) -> None:
        """Show these from now on. Raises ValueError."""
        check_leds(leds, self.geometry)
        if leds == self._wish:
            return
        self._wish = leds
        self._since = None
        if self.model == "edge":
            lit = [(point, led) for point, led in enumerate(leds) if led.upper() not in OFF + AREA_FIRST + AREA_SECOND]
            self._turns = sorted(lit, key=lambda item: (URGENCY.index(item[1].upper()), item[0]))

    def frame(self, now: float) -> str:
        """The leds of the board at this time, one character each."""
        if self._since is None:
            self._since = now
        if self.model == "none":
            return ""
        if self.model == "point":
            return self._wish
        if self.model == "corner":
            return self._corners()
        frame = [OFF] * (self.geometry.width + self.geometry.height)
        if self._turns:
            point, led = self._turns[self._turn(now) % len(self._turns)]
            frame[self.geometry.column(point)] = led
            frame[self.geometry.width + self.geometry.row(point)] = led
        return "".join(frame)

    def next_change(self, now: float) -> float:
        """When ``frame`` will give something else by itself; infinity when it will not."""
        if self.model != "edge" or len(self._turns) < 2 or self._since is None:
            return math.inf
        return self._since + (self._turn(now) + 1) * TURN

    def _turn(self, now: float) -> int:
        # The grain of dust lets the moment named by next_change count as the next turn in spite of rounding.
        return int((now - (self._since or 0.0)) / TURN + 1e-9)

    def _corners(self) -> str:
        across = self.geometry.width + 1
        frame = [OFF] * led_count(self.geometry, "corner")
        for point, led in enumerate(self._wish):
            if led == OFF:
                continue
            corner = self.geometry.row(point) * across + self.geometry.column(point)
            for led_at in (corner, corner + 1, corner + across, corner + across + 1):
                frame[led_at] = more_urgent(frame[led_at], led)
        return "".join(frame)
