"""Which surrounded points count under territory scoring: seki, false eyes, and dead stones in their places.

Stones agreed to be dead are not lifted first, since where they lie decides what an eye is worth: a nakade stone makes
one eye of a space that would be two, and a stone thrown in shortens a row. The method is that of lightvector's goscorer
(described in its README and in the comments of ``python/goscorer.py``), for positions as in ``engines.go.points``:

- *Areas*: what one colour reaches and the other does not, where neither passes through the other's living stones nor
  through a gap that its owner closes in answer. They need not be closed up: dame may be open.
- *Groups*: living chains of a colour that the dame between them connect.
- *Eyes*: the connected points of an area without living stones. A point of one is *false* if the stones around it hang
  together through it alone; what the rest is worth, ``engines.go.eyes`` says.
- An area whose eyes are worth two lives; any other is in *seki* and counts nothing. Nor does a false eye point where
  some stones beside it reach no other eye: they will have to be connected there.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from engines.go.eyes import Shape, eye_value
from engines.go.points import BLACK, EMPTY, WHITE, border, chains, components, neighbors, opponent


@dataclass(frozen=True)
class Territory:
    """Points that surround or are surrounded, and yet don't count.

    ``seki``: the areas that are alive without two eyes, stones and surrounded points alike. ``unfilled``: surrounded
    points that must be filled in the end.
    """

    seki: frozenset[int]
    unfilled: frozenset[int]


def find_territory(width: int, height: int, stones: Sequence[int], dead: Collection[int] = ()) -> Territory:
    """Judge a finished position by its shapes. ``dead`` has the dead stones, whole chains, of either colour."""
    board = _Board(width, height, stones, frozenset(dead))
    seki: set[int] = set()
    for area in board.areas:
        if sum(eye.value for eye in board.eyes if eye.area is area) < 2 and not board.closed(area):
            seki |= area.points
    return Territory(frozenset(seki), frozenset(board.unfilled()))


# Shapes whose gap, the origin, the opponent can enter but not pass, since the owner answers: where the owner's stones
# are, and which points must not hold a living stone of the opponent's. x to the right, y towards the edge, if there is
# one beyond the origin.
_SHAPES: tuple[tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...], bool], ...] = (
    (((0, -1), (1, -1), (0, 1)), ((1, 0), (1, 1)), False),
    (((0, -1), (0, 1)), ((-1, -1), (-1, 0), (-1, 1), (1, 0)), False),
    (((-1, -1), (1, 0), (-1, 1)), ((0, -1), (1, -1), (-1, 0), (0, 1), (1, 1)), False),
    (((0, -1), (1, -1)), ((1, 0),), True),
    (((0, -1),), ((-1, -1), (-1, 0), (1, 0)), True),
)


def _turned() -> Iterator[tuple[list[tuple[int, int]], list[tuple[int, int]], tuple[int, int] | None]]:
    """Each shape in its eight views: stones, free points, and where the board must end."""
    for own, free, at_edge in _SHAPES:
        for mirror in (1, -1):
            for turn in range(4):

                def view(place: tuple[int, int], mirror: int = mirror, turn: int = turn) -> tuple[int, int]:
                    x, y = place[0] * mirror, place[1]
                    for _ in range(turn):
                        x, y = -y, x
                    return x, y

                yield list(map(view, own)), list(map(view, free)), view((0, 1)) if at_edge else None


_TURNED = tuple(_turned())


def _gaps(width: int, height: int, stones: Sequence[int], living: Sequence[int], color: int) -> set[int]:
    """The empty points where ``color``'s wall has such a gap."""

    def fits(point: int, own: Iterable[tuple[int, int]], free: Iterable[tuple[int, int]]) -> bool:
        x, y = point % width, point // width
        for places, wanted in ((own, (color,)), (free, (EMPTY, color))):
            for dx, dy in places:
                if not (0 <= x + dx < width and 0 <= y + dy < height):
                    return False
                if living[(y + dy) * width + x + dx] not in wanted:
                    return False
        return True

    return {
        point
        for point in range(width * height)
        if stones[point] == EMPTY
        and any(
            (edge is None or not (0 <= point % width + edge[0] < width and 0 <= point // width + edge[1] < height))
            and fits(point, own, free)
            for own, free, edge in _TURNED
        )
    }


@dataclass(eq=False)
class _Area:
    """Points that only one colour reaches, its stones among them."""

    color: int
    points: set[int]


@dataclass(eq=False)
class _Eye:
    """Connected points of an area that no living stone stands on; ``real`` are those that are no false eye points."""

    area: _Area
    points: set[int]
    real: set[int] = field(default_factory=set)
    value: int = 0


class _Board:
    """A position with its dead stones: areas, groups and eyes of both colours, the eyes valued."""

    def __init__(self, width: int, height: int, stones: Sequence[int], dead: frozenset[int]) -> None:
        self.width, self.height, self.stones = width, height, stones
        self.table = neighbors(width, height)
        self.living = bytes(EMPTY if point in dead else stone for point, stone in enumerate(stones))
        crossed = {point for point, stone in enumerate(stones) if stone == EMPTY and self._crossed(point)}
        self.gaps = {c: _gaps(width, height, stones, self.living, c) | crossed for c in (BLACK, WHITE)}
        self.free = {
            point: {near for near in border(width, height, chain) if stones[near] == EMPTY}
            for color in (BLACK, WHITE)
            for chain in chains(width, height, stones, color)
            for point in chain
        }
        self.areas = list(self._areas())
        self.groups = dict(self._groups())
        self.eyes = [
            _Eye(area, set(part))
            for area in self.areas
            for part in components(width, height, (p for p in area.points if self.living[p] == EMPTY))
        ]
        self.false: set[int] = set()
        for eye in self.eyes:
            eye.real = {point for point in eye.points if self._hangs(eye, point) is None}
            self.false |= eye.points - eye.real
        self._value()

    # ------------------------------------------------------------------ areas and groups

    def _flow(self, color: int, starts: Iterable[int]) -> set[int]:
        """The points that ``color`` gets to: it enters the opponent's gaps, but does not come out of them."""
        reached = set(starts)
        waiting = list(reached)
        while waiting:
            point = waiting.pop()
            if point not in self.gaps[opponent(color)]:
                for near in self.table[point]:
                    if near not in reached and self.living[near] != opponent(color):
                        reached.add(near)
                        waiting.append(near)
        return reached

    def _areas(self) -> Iterator[_Area]:
        places = range(len(self.living))
        reach = {c: self._flow(c, (p for p in places if self.living[p] == c)) for c in (BLACK, WHITE)}
        for color in (BLACK, WHITE):
            left = reach[color] - reach[opponent(color)]
            for point in sorted(left):
                if point in left:
                    points = self._flow(color, [point]) & left
                    left -= points
                    yield _Area(color, points)

    def _groups(self) -> Iterator[tuple[int, str]]:
        """Each living stone with a name of its group."""
        dame = set(range(len(self.living))).difference(*(area.points for area in self.areas))
        for color in (BLACK, WHITE):
            paths = {p for p, stone in enumerate(self.living) if stone == color} | dame - self.gaps[opponent(color)]
            for index, part in enumerate(components(self.width, self.height, paths)):
                for point in part:
                    if self.living[point] == color:
                        yield point, f"{color}:{index}"

    def _crossed(self, point: int) -> bool:
        """Whether stones of both colours face each other across a point: whoever plays there cuts the other."""
        x, y = point % self.width, point // self.width
        if not (0 < x < self.width - 1 and 0 < y < self.height - 1):
            return False
        along, across = ({self.living[point - step], self.living[point + step]} for step in (1, self.width))
        return sorted([*along, *across]) == [BLACK, WHITE]

    def closed(self, area: _Area) -> bool:
        """Whether an area is alive by definition: it touches no dame, no chain of it is in atari, nothing dead lies in
        it.
        """
        if area.color not in (self.living[point] for point in area.points):
            return False
        around = border(self.width, self.height, area.points)
        return all(self.living[p] == opponent(area.color) for p in around) and all(
            self.stones[p] in (EMPTY, area.color) and (self.stones[p] == EMPTY or len(self.free[p]) > 1)
            for p in area.points
        )

    # ------------------------------------------------------------------ eyes

    def _around(self, eye: _Eye, points: Iterable[int]) -> set[Hashable]:
        """The groups next to some points of an eye."""
        return {self.groups[p] for p in border(self.width, self.height, points) & eye.area.points if p in self.groups}

    def _hangs(self, eye: _Eye, point: int) -> list[set[Hashable]] | None:
        """What hangs together without a point of an eye if that point is a false one, None if it is real.

        The sets have groups, other eyes, and the parts of this eye as tuples.
        """
        if sum(near in eye.points for near in self.table[point]) > 1 or not self._around(eye, [point]):
            return None
        links: list[set[Hashable]] = [
            {other} | self._around(other, other.points) for other in self.eyes if other is not eye
        ]
        parts = [tuple(part) for part in components(self.width, self.height, eye.points - {point})]
        links += [{part} | self._around(eye, part) for part in parts]
        links += [{group} for group in self._around(eye, eye.points)]
        joined = _joined(links)
        sides = {
            self.groups[near] if near in self.groups else next(part for part in parts if near in part)
            for near in self.table[point]
            if near in eye.area.points
        }
        sides = {side for side in sides if not isinstance(side, tuple) or self._around(eye, side)}
        return None if any(sides <= members for members in joined) else joined

    def _value(self) -> None:
        """Say of each eye what it is worth."""

        def playable(point: int, color: int) -> bool:
            enemy = opponent(color)
            return self.stones[point] == EMPTY and any(
                self.stones[near] != enemy or len(self.free[near]) <= 1 for near in self.table[point]
            )

        for eye in self.eyes:
            color = eye.area.color
            eye.value = eye_value(
                Shape(
                    width=self.width,
                    height=self.height,
                    stones=self.stones,
                    color=color,
                    room=frozenset(eye.real),
                    false=frozenset(self.false),
                    lodged=sum(self.stones[point] == opponent(color) for point in eye.points - eye.real),
                    playable=frozenset(point for point in eye.real if playable(point, color)),
                )
            )

    def unfilled(self) -> set[int]:
        """The surrounded points that must be filled, and those beside a stone thrown in on such a point."""
        found: set[int] = set()
        for eye in self.eyes:
            for point in eye.points - eye.real:
                joined = self._hangs(eye, point) or []
                sure = [members for members in joined if any(self._worth(eye, member) for member in members)]
                if self._around(eye, [point]) <= set().union(*sure):
                    continue
                found.add(point)
                if self.stones[point] == opponent(eye.area.color):
                    found.update(near for near in self.table[point] if near in eye.points)
        return found

    def _worth(self, eye: _Eye, member: Hashable) -> bool:
        """Whether that is another eye of value, or a part of this one."""
        if isinstance(member, _Eye):
            return member.value > 0
        return eye.value > 0 and isinstance(member, tuple) and not eye.real.isdisjoint(member)


def _joined(links: Iterable[set[Hashable]]) -> list[set[Hashable]]:
    """Unite sets that have a member in common."""
    classes: list[set[Hashable]] = []
    for link in links:
        apart = [members for members in classes if members.isdisjoint(link)]
        joined = link.union(*(members for members in classes if not members.isdisjoint(link)))
        classes = [*apart, joined]
    return classes
