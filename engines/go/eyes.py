"""How many eyes a surrounded space is worth to its owner, who answers each of the opponent's moves.

A space is worth none, one or two (two stand for life). The rules of thumb are those of lightvector's goscorer (its
README and ``python/goscorer.py``): exact reading is not needed in a finished game, and where a shape could go either
way its owner is believed, since two players who passed agreed that it stands.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engines.go.points import EMPTY, components, neighbors, opponent

NEVER = 1000
"""Moves to close a point that an opponent's stone keeps open for good."""


@dataclass(frozen=True)
class Shape:
    """An eye space as it is judged.

    ``color`` owns it; ``room`` are its points, false eye points left out, ``lodged`` how many of the opponent's stones
    lie on those; ``false`` are all false eye points of the board. ``stones`` has the board with the dead stones in
    their places; every stone of the opponent's within ``room`` is dead. ``playable`` are the points where the owner may
    put a stone.
    """

    width: int
    height: int
    stones: Sequence[int]
    color: int
    room: frozenset[int]
    false: frozenset[int]
    lodged: int
    playable: frozenset[int]

    def empty(self, point: int) -> bool:
        return self.stones[point] == EMPTY

    def enemy(self, point: int) -> bool:
        return self.stones[point] == opponent(self.color)

    def around(self, point: int) -> list[int]:
        """The points of the room next to one of them."""
        return [near for near in neighbors(self.width, self.height)[point] if near in self.room]

    def pieces(self, without: Collection[int]) -> list[list[int]]:
        """The parts of the room when some of its points are filled."""
        return components(self.width, self.height, self.room.difference(without))


def eye_value(shape: Shape) -> int:
    """How many eyes the space is worth: 0, 1 or 2."""
    needed = moves_to_close(shape)
    value = 1 if any(moves <= 1 for moves in needed.values()) else 0
    value = max(value, *(_split(shape, needed, point) for point in shape.room), 0)
    caught = sum(shape.enemy(point) for point in shape.room)
    if caught >= 5:
        value = max(value, 1)
    if value < 2 and (caught >= 8 or _wide(shape, needed) or _pair_splits(shape, needed) or _captures_live(shape)):
        value = 2
    return min(value, 2)


def moves_to_close(shape: Shape) -> dict[int, int]:
    """For each point of the room how many stones its owner needs around it until it is an eye, ``NEVER`` or more if the
    opponent's stones prevent it.

    Besides the gaps, those are points through which a stone thrown in on a false eye point reaches.
    """
    table = neighbors(shape.width, shape.height)
    thrown = {p: sum(near in shape.false and shape.enemy(near) for near in table[p]) for p in shape.room}
    holes = {p: sum(near in shape.false and shape.empty(near) for near in table[p]) for p in shape.room}
    # A dead stone that is joined to one on a false eye point, or can be whatever the owner does.
    lodged = {p for p in shape.room if shape.enemy(p) and (thrown[p] > 0 or holes[p] >= 2)}

    def cost(near: int) -> int:
        if shape.empty(near):
            return int(near not in shape.room or thrown[near] > 0)
        if not shape.enemy(near):
            return 0
        if near in shape.false or near in lodged:
            return NEVER
        return int(near in shape.room and holes[near] > 0)

    return {point: sum(cost(near) for near in table[point]) for point in shape.room}


def _split(shape: Shape, needed: dict[int, int], point: int) -> int:
    """How many eyes a stone of the owner's on ``point`` makes by splitting the room."""
    if point not in shape.playable:
        return 0
    pieces = shape.pieces({point})
    if len(pieces) < 2:
        return 0
    table = neighbors(shape.width, shape.height)
    thrown = sum(near in shape.false and shape.enemy(near) for near in table[point])
    enough = 1 if thrown == 1 else 0  # the stone itself closes what was open
    return sum(any(needed[member] <= enough for member in piece) for piece in pieces)


def _wide(shape: Shape, needed: dict[int, int]) -> bool:
    """Whether the room is too large to be taken down to one eye."""
    degree = {point: len(shape.around(point)) for point in shape.room}
    sound = len(shape.room)
    sound -= sum((moves >= 1) + (moves >= 2) for moves in needed.values())
    sound -= sum(shape.enemy(point) and degree[point] >= 2 for point in shape.room)
    bulk = sum((degree[point] >= 3) + (degree[point] >= 4) for point in shape.room if shape.empty(point))
    return sound >= 6 or bulk >= 6


def _pair_splits(shape: Shape, needed: dict[int, int]) -> bool:
    """Whether there are two vital points side by side of which the owner gets one, each splitting the room."""
    for first in shape.room:
        x, y = first % shape.width, first // shape.width
        inside = 0 < x < shape.width - 1 and 0 < y < shape.height - 1
        if not inside or first not in shape.playable or needed[first] > 1 or len(shape.around(first)) < 3:
            continue
        for second in shape.around(first):
            if needed[second] > 1 or len(shape.around(second)) < 3:
                continue
            if not shape.empty(second) and sum(map(shape.empty, shape.around(second))) < 2:
                continue
            closed = [sum(needed[p] <= 0 for p in piece) for piece in shape.pieces({first, second})]
            eyes, large = sum(count >= 1 for count in closed), sum(count >= 2 for count in closed)
            if eyes >= 2 and large >= (1 if shape.empty(second) else 2):
                return True
    return False


def _captures_live(shape: Shape) -> bool:
    """Whether taking the dead stones leaves a living shape, where they fill the room too much to split it.

    The opponent may leave out one of the points that the owner can't play on.
    """
    table = neighbors(shape.width, shape.height)
    caught = {point for point in shape.room if shape.enemy(point)}
    if not caught:
        return False
    closed = [point for point in shape.room if not shape.enemy(point) and point not in shape.playable]
    for left_out in (*closed, None):
        left = caught.union(point for point in closed if point != left_out)
        parts = len(components(shape.width, shape.height, left))
        vital = 0
        for point in left:
            if (
                len(components(shape.width, shape.height, left - {point})) > parts
                or sum(near in left for near in table[point]) >= 3
            ):
                vital += 1
        if parts - shape.lodged + (vital + (len(left) >= 7)) // 2 < 2:
            return False
    return True
