"""Words for cutting and joining: 断 挤 冲 跨 刺 接 双 虎 渡."""

from __future__ import annotations

from collections.abc import Iterator

from engines.go.points import EMPTY
from engines.go.words.reading import cuts as would_cut
from engines.go.words.scene import SIDES, Point, Scene, across, add, back


def _diagonal_enemies(scene: Scene) -> Iterator[tuple[Point, Point, Point]]:
    """Two enemy stones beside the move that are diagonal to each other, and the other point that they share."""
    for up in ((0, 1), (0, -1)):
        for side in ((1, 0), (-1, 0)):
            one, other = add(scene.move, up), add(scene.move, side)
            if scene.after.at(one) == scene.enemy == scene.after.at(other):
                yield one, other, add(one, side)


def cuts(scene: Scene) -> bool:
    """断: beside two enemy stones diagonal to each other, now two chains, whose other shared point is own."""
    return any(
        scene.after.at(shared) == scene.own and scene.after.chain(one) != scene.after.chain(other)
        for one, other, shared in _diagonal_enemies(scene)
    )


def wedges(scene: Scene) -> bool:
    """挤: beside an own stone and two enemy stones diagonal to each other, their other shared point empty: a cutting
    point arises, so they are two chains.
    """
    return bool(scene.own_beside) and any(
        scene.after.at(shared) == EMPTY and scene.after.chain(one) != scene.after.chain(other)
        for one, other, shared in _diagonal_enemies(scene)
    )


def pushes(scene: Scene) -> bool:
    """冲: beside an own stone, an enemy stone on either hand: into the middle of a one-point jump."""
    return bool(scene.own_beside) and any(
        scene.after.at(add(scene.move, step)) == scene.enemy == scene.after.at(add(scene.move, back(step)))
        for step in ((1, 0), (0, 1))
    )


def crosses(scene: Scene) -> bool:
    """跨: alone in the waist of an enemy small knight's move, the other waist point empty, an own stone diagonal."""
    if not scene.alone or not scene.after.diagonal(scene.move, scene.own):
        return False
    return any(
        scene.after.at(add(scene.move, step)) == scene.enemy
        and scene.after.at(add(scene.move, side)) == EMPTY
        and scene.after.at(add(add(scene.move, side), back(step))) == scene.enemy
        for step in SIDES
        for side in across(step)
    )


def peeps(scene: Scene) -> bool:
    """刺, 觑: alone beside an empty point where two enemy chains meet, touching neither; a move there would cut."""
    if not scene.alone:
        return False
    touched = scene.after.touching(scene.move, scene.enemy)
    for point in scene.after.beside(scene.move, EMPTY):
        meeting = scene.after.touching(point, scene.enemy)
        if len(meeting) >= 2 and not meeting & touched and would_cut(scene.after, scene.own, point):
            return True
    return False


def connects(scene: Scene) -> bool:
    """接, 粘: beside two or more different own chains, which become one."""
    return len(scene.before.touching(scene.move, scene.own)) >= 2


def bamboo(scene: Scene) -> bool:
    """双, 双关: two own pairs face each other across two empty points, the move one of the four stones."""
    for step in SIDES:
        for side in across(step):
            mate = add(scene.move, side)
            if (
                scene.after.at(mate) == scene.own
                and scene.after.at(add(scene.move, step)) == EMPTY == scene.after.at(add(mate, step))
                and scene.after.at(add(scene.move, step, 2)) == scene.own == scene.after.at(add(mate, step, 2))
            ):
                return True
    return False


def tiger(scene: Scene) -> bool:
    """虎: alone; an empty point beside it has exactly three own stones beside it."""
    return scene.alone and any(
        len(scene.after.beside(point, scene.own)) == 3 for point in scene.after.beside(scene.move, EMPTY)
    )


def crosses_under(scene: Scene) -> bool:
    """渡: on line 1–3 below an enemy stone, linking own chains on both sides along the edge."""
    if scene.line > 3:
        return False
    for edge in scene.after.edges(scene.move):
        up = back(edge)
        stone = add(scene.move, up)
        if scene.after.at(stone) != scene.enemy or edge not in scene.after.edges(stone):
            continue
        left, right = (_linked(scene, step, up) for step in across(edge))
        if any(one != other for one in left for other in right):
            return True
    return False


def _linked(scene: Scene, side: Point, up: Point) -> list[frozenset[Point]]:
    """The own chains that the move links to on one side: beside, diagonally above, or beyond one empty point."""
    beside = add(scene.move, side)
    if scene.before.at(beside) == scene.own:
        return [scene.before.chain(beside)]
    if scene.before.at(beside) != EMPTY:
        return []
    return [scene.before.chain(at) for at in (add(beside, up), add(beside, side)) if scene.before.at(at) == scene.own]
