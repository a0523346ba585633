"""A move on its board, as the words look at it: colours, chains, lines and edges before and after.

Here a point is a pair (x, y) from the lower left corner, since words speak of steps; colours are those of
``engines.go.points``, and OFF is what lies beyond the edge. Steps are pairs too; each function gives the same answer,
turned or mirrored, on a board turned or mirrored, and for either colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from engines.go.points import BLACK, EMPTY, PASS, check_position, opponent

Point = tuple[int, int]

OFF = 3
"""The colour of what lies beyond the edge."""

SIDES: tuple[Point, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONALS: tuple[Point, ...] = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def add(point: Point, step: Point, times: int = 1) -> Point:
    """The point so many steps on."""
    return point[0] + step[0] * times, point[1] + step[1] * times


def across(step: Point) -> tuple[Point, Point]:
    """The two steps to the left and right of one along a line."""
    return (step[1], step[0]), (-step[1], -step[0])


def back(step: Point) -> Point:
    """The step the other way."""
    return -step[0], -step[1]


class Position:
    """Stones on a board, one colour a point in the order of ``engines.go.points``; chains are found when asked for."""

    def __init__(self, width: int, height: int, stones: Sequence[int]) -> None:
        """Raises ValueError for a size or stones that are none."""
        check_position(width, height, stones)
        self.width, self.height, self.stones = width, height, bytes(stones)
        self._chains: dict[Point, frozenset[Point]] = {}

    def at(self, point: Point) -> int:
        """The colour of a point; OFF beyond the edge."""
        x, y = point
        return self.stones[y * self.width + x] if 0 <= x < self.width and 0 <= y < self.height else OFF

    def beside(self, point: Point, color: int) -> list[Point]:
        """The points of a colour next to a point along a line."""
        return [near for step in SIDES if self.at(near := add(point, step)) == color]

    def diagonal(self, point: Point, color: int) -> list[Point]:
        """The points of a colour diagonal to a point."""
        return [near for step in DIAGONALS if self.at(near := add(point, step)) == color]

    def chain(self, point: Point) -> frozenset[Point]:
        """The chain of a stone; of an empty point, the empty region."""
        found = self._chains.get(point)
        if found is None:
            color, waiting, inside = self.at(point), [point], {point}
            for one in waiting:  # grows while it is walked
                for near in self.beside(one, color):
                    if near not in inside:
                        inside.add(near)
                        waiting.append(near)
            found = frozenset(inside)
            self._chains |= dict.fromkeys(found, found)
        return found

    def touching(self, point: Point, color: int) -> set[frozenset[Point]]:
        """The chains (or empty regions) of a colour next to a point."""
        return {self.chain(near) for near in self.beside(point, color)}

    def liberties(self, point: Point) -> set[Point]:
        """The liberties of the chain at a point."""
        return {free for stone in self.chain(point) for free in self.beside(stone, EMPTY)}

    def touches(self, chain: frozenset[Point], color: int) -> bool:
        """Whether a stone of the colour is next to the chain."""
        return any(self.beside(stone, color) for stone in chain)

    def distance(self, point: Point, edge: Point) -> int:
        """How many lines from an edge, told by the step toward it; the edge's own line is 1."""
        x, y = point
        return {(-1, 0): x + 1, (1, 0): self.width - x, (0, -1): y + 1, (0, 1): self.height - y}[edge]

    def line(self, point: Point) -> int:
        """The distance to the nearest edge, counted from 1."""
        return min(self.distance(point, edge) for edge in SIDES)

    def edges(self, point: Point) -> list[Point]:
        """The nearest edge, as the step toward it; several where they are as near."""
        line = self.line(point)
        return [edge for edge in SIDES if self.distance(point, edge) == line]

    def empty_rectangle(self, one: Point, other: Point) -> bool:
        """Whether the rectangle with these two corners is empty but for the corners themselves."""
        (x0, x1), (y0, y1) = sorted((one[0], other[0])), sorted((one[1], other[1]))
        return all(
            self.at((x, y)) == EMPTY for x in range(x0, x1 + 1) for y in range(y0, y1 + 1) if (x, y) not in (one, other)
        )


class Scene:
    """A move: ``before`` and ``after`` it, the point ``move``, the mover's colour ``own`` and the other's, ``enemy``.

    ``taken`` are the stones it takes, ``last`` the opponent's move before it, None where that was none.
    """

    def __init__(
        self, width: int, height: int, stones: Sequence[int], color: int, point: int, last: int | None = None
    ) -> None:
        """The move of ``color`` on an empty ``point`` of this position; points as ``engines.go.points`` counts them.

        ``last`` is where the opponent moved just before, None or PASS for nowhere. Raises ValueError for an impossible
        position or move. Ko is not asked about: the words don't.
        """
        self.before = Position(width, height, stones)
        if not 0 <= point < width * height or stones[point] != EMPTY or color not in (1, 2):
            raise ValueError("the move is not on an empty point of the board")
        self.own, self.enemy = color, opponent(color)
        self.move: Point = (point % width, point // width)
        played = bytearray(stones)
        played[point] = color
        after = Position(width, height, played)
        self.taken: frozenset[Point] = frozenset().union(
            *(chain for chain in after.touching(self.move, self.enemy) if not after.liberties(next(iter(chain))))
        )
        for x, y in self.taken:
            played[y * width + x] = EMPTY
        self.after = Position(width, height, played)
        if not self.after.liberties(self.move):
            raise ValueError("the move would leave itself without liberties")
        self.last: Point | None = None
        if last not in (None, PASS) and 0 <= last < width * height and stones[last] == self.enemy:
            self.last = (last % width, last // width)

    @property
    def name(self) -> str:
        """The colour in a word of English."""
        return "black" if self.own == BLACK else "white"

    @cached_property
    def own_beside(self) -> list[Point]:
        """Own stones next to the move along a line."""
        return self.after.beside(self.move, self.own)

    @cached_property
    def enemy_beside(self) -> list[Point]:
        """Enemy stones next to the move along a line, those it took left out."""
        return self.after.beside(self.move, self.enemy)

    @property
    def alone(self) -> bool:
        """Whether no own stone is beside the move."""
        return not self.own_beside

    @cached_property
    def apart(self) -> bool:
        """Whether the move touches no stone at all."""
        return not self.before.beside(self.move, self.own) and not self.before.beside(self.move, self.enemy)

    @cached_property
    def line(self) -> int:
        """The line of the move, counted from the nearest edge."""
        return self.after.line(self.move)

    def below(self, stone: Point) -> bool:
        """Whether the move is beside the stone, on the side of that stone's nearest edge."""
        return any(add(stone, edge) == self.move for edge in self.after.edges(stone))

    def above(self, stone: Point) -> bool:
        """Whether the move is beside the stone, on the side away from that stone's nearest edge."""
        return any(add(stone, back(edge)) == self.move for edge in self.after.edges(stone))

    def on_flank(self, stone: Point) -> bool:
        """Whether the move is beside the stone, along its nearest edge."""
        return any(add(stone, step) == self.move for edge in self.after.edges(stone) for step in across(edge))
