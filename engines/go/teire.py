"""Points of one's own territory that must be filled once the dame are (teire, 手入れ), read to the end.

A chain that would be left with one liberty of its own must connect there, unless a dame between own chains connects it
first, or the opponent cannot come near. Which of that is so is found by playing out the dame around such chains, both
sides at their best, each stone costing its player a point.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.go.local import Local
from engines.go.points import BLACK, EMPTY, WHITE, components, neighbors, opponent

MOST_POINTS = 11
"""The most empty points that are played out together."""

READING = 100_000


def read_repairs(
    width: int, height: int, stones: Sequence[int], owner: bytes, blocks: Sequence[tuple[int, Sequence[int]]]
) -> tuple[set[int], set[int]]:
    """The points that must be filled whoever moves first, and the indexes of the blocks that this was found out for.

    Where it matters who moves first, or who wins a ko, nothing is found out: the game is not finished.

    ``owner`` has whose each point is, EMPTY for dame. ``blocks`` are chains that are connected, with their colours.
    """
    table = neighbors(width, height)
    edges = [{near for p in body for near in table[p] if stones[near] == EMPTY} for _, body in blocks]
    dame = components(width, height, (p for p, who in enumerate(owner) if who == EMPTY))
    dame_at = {p: index for index, region in enumerate(dame) for p in region}
    # Chains in danger: they touch dame, and what they have besides is one point at most.
    weak = [
        index
        for index, (color, _) in enumerate(blocks)
        if not edges[index].isdisjoint(dame_at) and sum(owner[p] == color for p in edges[index]) <= 1
    ]
    waiting = [({index}, {dame_at[p] for p in edges[index] if p in dame_at}) for index in weak]
    parts: list[tuple[set[int], set[int]]] = []
    while waiting:
        members, regions = waiting.pop()
        joined = [part for part in parts if part[1] & regions]
        parts = [part for part in parts if not part[1] & regions]
        parts.append((members.union(*(part[0] for part in joined)), regions.union(*(part[1] for part in joined))))

    found: set[int] = set()
    read: set[int] = set()
    board: Local | None = None
    for members, regions in parts:
        if not any(owner[p] == blocks[index][0] for index in members for p in edges[index]):
            continue  # nothing of their own that could be filled
        empty = {p for r in regions for p in dame[r]} | {p for i in members for p in edges[i]}
        if len(empty) > MOST_POINTS:
            continue
        board = board or Local(width, height)
        points = sorted(empty.union(*(blocks[i][1] for i in members)))
        outside = bytes(EMPTY if stones[p] else who for p, who in enumerate(owner))
        board.arrange(bytes(stones), points, [1] * len(points), READING, True, outside)
        values = {
            value
            for first in (BLACK, WHITE)
            for friend in (BLACK, WHITE)
            if (value := board.value(first, friend)) is not None
        }
        if len(values) != 1:
            continue
        ends = {color: board.outcome(opponent(color), opponent(color)) for color in (BLACK, WHITE)}
        fills = {
            color: [] if end is None else _filled(end[2], opponent(color), color, owner) for color, end in ends.items()
        }
        # A line may hold exchanges that cost both sides the same: what is lost in all tells how many were needed.
        lost = board.standing() - values.pop()
        spare = len(fills[BLACK]) - len(fills[WHITE]) - lost
        side = BLACK if spare > 0 else WHITE
        if abs(spare) <= len(fills[side]):
            found.update(fills[3 - side], fills[side][: len(fills[side]) - abs(spare)])
            read |= members
    return found, read


def _filled(line: Sequence[int], first: int, color: int, owner: bytes) -> list[int]:
    """The points of its own that ``color`` fills in a line in which ``first`` moves first."""
    begin = int(first != color)
    return [point for point in line[begin::2] if point >= 0 and owner[point] == color]
