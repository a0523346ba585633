"""Words for moves at a distance, which touch no stone: 尖 飞 关 拆 挂 缔角 夹 镇."""

from __future__ import annotations

from collections.abc import Iterator

from engines.go.points import EMPTY
from engines.go.words.scene import Point, Scene, across, add, back

CORNER = 6
"""The side of a corner that 挂 and 缔角 look at."""

APPROACHES = frozenset(((0, 2), (1, 2), (0, 3), (1, 3), (2, 2)))
ENCLOSURES = frozenset(((1, 1), (0, 2), (1, 2), (2, 2), (0, 3), (1, 3)))

PINCER = range(1, 4)
"""Empty points between a pincer and the stone it pinches, along the edge (一间夹 to 三间夹)."""

PINCER_FAR, PINCER_LINES = 6, 2
"""How far from the pinched stone the other arm stands at most, along the edge and in lines."""


def reaches(scene: Scene, near: int, far: int) -> bool:
    """Whether an own stone stands ``near`` × ``far`` lines away, with nothing in the rectangle between."""
    if not scene.apart:
        return False
    return any(
        scene.after.at(stone) == scene.own and scene.after.empty_rectangle(scene.move, stone)
        for x, y in {(near, far), (far, near)}
        for sx in (1, -1)
        for sy in (1, -1)
        for stone in [add(scene.move, (sx * x, sy * y))]
    )


def diagonal(scene: Scene) -> bool:
    """尖, 小尖: one line each way from an own stone."""
    return reaches(scene, 1, 1)


def small_knight(scene: Scene) -> bool:
    """小飞: 1 × 2 from an own stone."""
    return reaches(scene, 1, 2)


def large_knight(scene: Scene) -> bool:
    """大飞: 1 × 3."""
    return reaches(scene, 1, 3)


def larger_knight(scene: Scene) -> bool:
    """超大飞: 1 × 4."""
    return reaches(scene, 1, 4)


def elephant(scene: Scene) -> bool:
    """象步飞, 象飞: 2 × 2."""
    return reaches(scene, 2, 2)


def jumps(scene: Scene) -> bool:
    """关, 跳: 0 × 2."""
    return reaches(scene, 0, 2)


def extends(scene: Scene, between: int) -> bool:
    """拆: along the edge on the same line, 3 or 4, from an own stone that touches no enemy, so many empty points
    between.
    """
    if not scene.apart or scene.line not in (3, 4):
        return False
    for edge in scene.after.edges(scene.move):
        for step in across(edge):
            stone = add(scene.move, step, between + 1)
            if (
                scene.after.at(stone) == scene.own
                and scene.after.line(stone) == scene.line
                and scene.after.empty_rectangle(scene.move, stone)
                and not scene.after.beside(stone, scene.enemy)
            ):
                return True
    return False


def _corner_offsets(scene: Scene, color: int) -> Iterator[tuple[int, int]]:
    """How far the move is from the only stone, of ``color``, of a corner that it lies in: lines, the fewer first."""
    before = scene.before
    wide, high = min(CORNER, before.width), min(CORNER, before.height)
    for x0 in {0, before.width - wide}:
        for y0 in {0, before.height - high}:
            if not (x0 <= scene.move[0] < x0 + wide and y0 <= scene.move[1] < y0 + high):
                continue
            points = [(x, y) for x in range(x0, x0 + wide) for y in range(y0, y0 + high)]
            stones = [point for point in points if before.at(point) != EMPTY]
            if len(stones) == 1 and before.at(stones[0]) == color:
                x, y = sorted((abs(stones[0][0] - scene.move[0]), abs(stones[0][1] - scene.move[1])))
                yield x, y


def approaches(scene: Scene) -> bool:
    """挂: in a 6 × 6 corner with an enemy stone alone, on line 3 or 4, at one of the usual distances from it."""
    if not scene.apart or scene.line not in (3, 4):
        return False
    return any(offset in APPROACHES for offset in _corner_offsets(scene, scene.enemy))


def approaches_low(scene: Scene) -> bool:
    """低挂: 挂 on line 3."""
    return scene.line == 3 and approaches(scene)


def approaches_high(scene: Scene) -> bool:
    """高挂: 挂 on line 4."""
    return scene.line == 4 and approaches(scene)


def encloses(scene: Scene) -> bool:
    """缔角, 守角: in a 6 × 6 corner with an own stone alone, on line 2 to 5, at one of the usual distances from it."""
    if not scene.apart or not 2 <= scene.line <= 5:
        return False
    return any(offset in ENCLOSURES for offset in _corner_offsets(scene, scene.own))


def pinches(scene: Scene) -> bool:
    """夹: on line 3 or 4, along the edge from an enemy stone on line 3 or 4, an own stone on that one's other side."""
    if not scene.apart or scene.line not in (3, 4):
        return False
    after = scene.after
    for edge in after.edges(scene.move):
        for along in across(edge):
            for between in PINCER:
                for up in (0, 1, -1):
                    stone = add(add(scene.move, along, between + 1), edge, up)
                    if (
                        after.at(stone) == scene.enemy
                        and after.line(stone) in (3, 4)
                        and after.distance(stone, edge) in (3, 4)
                        and after.empty_rectangle(scene.move, stone)
                        and _other_arm(scene, stone, along, edge)
                    ):
                        return True
    return False


def _other_arm(scene: Scene, stone: Point, along: Point, edge: Point) -> bool:
    return any(
        scene.after.at(add(add(stone, along, far), edge, lines)) == scene.own
        for far in range(1, PINCER_FAR + 1)
        for lines in range(-PINCER_LINES, PINCER_LINES + 1)
    )


def caps(scene: Scene) -> bool:
    """镇: exactly two points above an enemy stone, seen from that stone's nearest edge, the point between empty."""
    if not scene.apart:
        return False
    after = scene.after
    for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        stone = add(scene.move, step, 2)
        if after.at(stone) == scene.enemy and step in after.edges(stone):
            return after.at(add(stone, back(step))) == EMPTY
    return False
