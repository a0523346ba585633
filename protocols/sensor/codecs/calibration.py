"""``qiqiao ports --calibrate``: in which order a described board counts its points, found by putting stones."""

from __future__ import annotations

import itertools
import re

from protocols.sensor.codecs.description import Description, DescriptionError, parse
from protocols.sensor.codecs.orientation import CORNERS, inverse, point_order
from protocols.sensor.reading import EMPTY, FAULT, OFF, UNSURE, Geometry, leds


def point_words(point: int, geometry: Geometry) -> str:
    """Where a point lies, for people: as the person at the near side sees it."""
    column, row = geometry.column(point), geometry.row(point)
    return f"column {column + 1} from the left, row {row + 1} from the far side"


class Calibration:
    """Names points, takes what the board says, and finds its order. Ends early where only one regular order (a corner,
    rows or columns, to and fro or not) fits what was seen.

    A point's led has the number of its sensor, so it is known as late as that: the named point is lit as soon as
    every regular order that still fits has it at the same number (a led elsewhere would lead to a wrong order). The
    led under a stone just found is lit until it is taken off. Leds at edges and corners have their own order; they
    show every named point.
    """

    def __init__(self, description: Description) -> None:
        geometry = self._geometry = description.geometry
        self._model = description.leds.model
        self._order = description.points.order
        self._last: int | None = None
        self._numbers = inverse(description.points.order)
        """For each point as the file has it now: the board's number."""
        self._found: dict[int, int] = {}
        """Board's number: the point it really is."""
        self._regular = {
            point_order(geometry, first, along, snake)  # type: ignore[arg-type]
            for first, along, snake in itertools.product(CORNERS, ("rows", "columns"), (False, True))
        }
        width, count = geometry.width, geometry.count
        # The corners, and what lies beside two of them, tell every regular order from the others.
        telling = [0, width - 1, count - width, count - 1, 1, width, count - 2, count - 1 - width, width + width // 2]
        self._telling = list(dict.fromkeys(point for point in telling if 0 <= point < count))
        self._left = self._telling + [point for point in range(count) if point not in self._telling]
        self._lift = True
        self._told = ""

    @property
    def order(self) -> tuple[int, ...] | None:
        """The order, once it is known."""
        count = self._geometry.count
        if len(self._found) == count:
            return tuple(self._found[number] for number in range(count))
        if len(self._regular) == 1 and not self._lift and len(self._found) >= len(self._telling):
            return next(iter(self._regular))
        return None

    @property
    def leds(self) -> str:
        """The leds to be shown now, as the file's order has them (see ``reading.leds``)."""
        point = self._last if self._lift else self._left[0] if self._left and self.order is None else None
        if self._model == "none" or point is None:
            return OFF * self._geometry.count
        if self._model != "point":
            return leds(self._geometry, {point: "P"})
        numbers = {number for number, found in self._found.items() if found == point}
        numbers = numbers or {order.index(point) for order in self._regular}
        return leds(self._geometry, {self._order[number]: "P" for number in numbers} if len(numbers) == 1 else ())

    def take(self, points: str) -> str:
        """What the board shows now; gives what to say, or nothing where nothing is new."""
        there = [point for point, value in enumerate(points) if value not in EMPTY + FAULT + UNSURE]
        if self._lift:
            if there:
                return self._tell("take everything off the board")
            self._lift = False
        elif len(there) > 1:
            return self._tell(f"{len(there)} points show something: one stone only, please")
        elif there:
            number = self._numbers[there[0]]
            if number in self._found:
                before = point_words(self._found[number], self._geometry)
                return self._tell(f"that was {before}; another point is wanted")
            point = self._left.pop(0)
            self._found[number] = self._last = point
            self._regular = {order for order in self._regular if order[number] == point}
            self._lift = True
            return self._tell(f"it is the board's number {number}; take it off")
        if self.order is not None:
            return self._tell("the order is known")
        lit = " (it is lit)" if self.leds != OFF * self._geometry.count else ""
        return self._tell(f"put a stone on {point_words(self._left[0], self._geometry)}{lit}")

    def _tell(self, text: str) -> str:
        if text == self._told:
            return ""
        self._told = text
        return text


def with_order(text: str, order: tuple[int, ...]) -> str:
    """A description's text with this order in ``[points]`` instead of what it had; all else stays as it is.

    Raises DescriptionError where the order cannot be written: bits in lines whose length the order would change.
    """
    before = parse(text)
    head = re.search(r"^[ \t]*\[points\][^\n]*\n", text, re.MULTILINE)
    if head is None:
        raise DescriptionError("points: has no table of its own to write the order to")
    end = re.search(r"^[ \t]*\[", text[head.end() :], re.MULTILINE)
    stop = head.end() + end.start() if end else len(text)
    body = text[head.end() : stop]
    body = re.sub(r"^[ \t]*order[ \t]*=[ \t]*\[[^\]]*\][^\n]*\n?", "", body, flags=re.MULTILINE)
    body = re.sub(r"^[ \t]*(first|along|snake)[ \t]*=[^\n]*\n?", "", body, flags=re.MULTILINE)
    width = before.geometry.width
    rows = [", ".join(map(str, order[at : at + width])) for at in range(0, len(order), width)]
    told = "order = [\n" + "".join(f"    {row},\n" for row in rows) + "]\n"
    after = text[: head.end()] + told + body + text[stop:]
    description = parse(after)
    by_line = (before.points.coding == "bit" and not before.points.packed) or before.leds.mask
    if before.events is not None:
        by_line = by_line or any("{index}" not in pattern for pattern, _ in before.events.patterns)
    if by_line and description.along != before.along:
        raise DescriptionError("points.along: does not fit what the board counts; set it and walk again")
    return after
