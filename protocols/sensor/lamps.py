"""Showing a text of lamps on what lamps a board has."""

from __future__ import annotations

import math

from protocols.sensor.reading import AREA_FIRST, AREA_SECOND, LAMPS, OFF, Geometry, LedModel

TURN = 0.8
"""Seconds each point is shown where only one can be at a time (edge lamps)."""

URGENCY = "WLPXOHAB"
"""Lamps from the most to the least urgent. Where one lamp has to serve two points the more urgent one wins."""

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
"""Red, green and blue (0 to 255) for coloured lamps. Wrong is red, lift orange; blue stands for the first colour,
since black cannot shine, and white for the second.
"""


def lamp_count(geometry: Geometry, model: LedModel) -> int:
    """How many lamps a board of this model has."""
    return {
        "none": 0,
        "point": geometry.count,
        "edge": geometry.width + geometry.height,
        "corner": (geometry.width + 1) * (geometry.height + 1),
    }[model]


def check_lamps(lamps: str, geometry: Geometry | None = None) -> None:
    """Raises ValueError unless it is a text of lamps (of this board)."""
    unknown = set(lamps) - LAMPS
    if unknown:
        raise ValueError(f"no such lamp: {min(unknown)!r}")
    if geometry is not None and len(lamps) != geometry.count:
        raise ValueError(f"{len(lamps)} lamps for a board of {geometry.count} points")


def more_urgent(one: str, other: str) -> str:
    """The lamp to show where both are wanted."""
    if OFF in (one, other):
        return other if one == OFF else one
    return min(one, other, key=lambda lamp: URGENCY.index(lamp.upper()))


class LampRenderer:
    """Turns the lamps wished for (one a point) into those a board has. Pure: it is asked with a time.

    Point lamps show the wish itself. Edge lamps (first the columns from the left, then the rows from the far side)
    show one point at a time, the most urgent first; territory is too much for them. Corner lamps (row by row from the
    far left) show a point by the four around it.
    """

    def __init__(self, geometry: Geometry, model: LedModel) -> None:
        self.geometry = geometry
        self.model = model
        self._wish = OFF * geometry.count
        self._since: float | None = None
        self._turns: list[tuple[int, str]] = []

    def wish(self, lamps: str) -> None:
        """Show these from now on. Raises ValueError."""
        check_lamps(lamps, self.geometry)
        if lamps == self._wish:
            return
        self._wish = lamps
        self._since = None
        if self.model == "edge":
            lit = [
                (point, lamp) for point, lamp in enumerate(lamps) if lamp.upper() not in OFF + AREA_FIRST + AREA_SECOND
            ]
            self._turns = sorted(lit, key=lambda item: (URGENCY.index(item[1].upper()), item[0]))

    def frame(self, now: float) -> str:
        """The lamps of the board at this time, one character each."""
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
            point, lamp = self._turns[self._turn(now) % len(self._turns)]
            frame[self.geometry.column(point)] = lamp
            frame[self.geometry.width + self.geometry.row(point)] = lamp
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
        frame = [OFF] * lamp_count(self.geometry, "corner")
        for point, lamp in enumerate(self._wish):
            if lamp == OFF:
                continue
            corner = self.geometry.row(point) * across + self.geometry.column(point)
            for lamp_at in (corner, corner + 1, corner + across, corner + across + 1):
                frame[lamp_at] = more_urgent(frame[lamp_at], lamp)
        return "".join(frame)
