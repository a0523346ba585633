"""Words for moves in contact: 挡 顶 尖顶 扳 托 压 碰 退 立 爬 长 并."""

from __future__ import annotations

from engines.go.points import EMPTY
from engines.go.words.scene import DIAGONALS, SIDES, Scene, across, add, back

LOW = range(2, 5)
"""The lines of a stone that can be played under or pressed: 2 to 4."""


def blocks(scene: Scene) -> bool:
    """挡: the opponent's last move pushed in from a stone of its own, between own stones or the edge; straight in front
    of it.
    """
    if scene.last is None:
        return False
    before = scene.before
    for step in SIDES:
        if add(scene.last, step) == scene.move:
            return before.at(add(scene.last, back(step))) == scene.enemy and all(
                before.at(add(scene.last, side)) not in (scene.enemy, EMPTY) for side in across(step)
            )
    return False


def bumps(scene: Scene) -> bool:
    """顶: own stone, the move and an enemy stone in one straight line."""
    return any(
        scene.after.at(add(scene.move, step)) == scene.enemy
        and scene.after.at(add(scene.move, back(step))) == scene.own
        for step in SIDES
    )


def diagonal_bump(scene: Scene) -> bool:
    """尖顶: alone, diagonal to an own stone, and on the flank of an enemy stone."""
    return (
        scene.alone
        and bool(scene.after.diagonal(scene.move, scene.own))
        and any(scene.on_flank(stone) for stone in scene.enemy_beside)
    )


def turns_round(scene: Scene) -> bool:
    """扳: alone, around an enemy stone that an own one stands beside; the fourth point of that square is empty."""
    if not scene.alone or scene.taken:
        return False
    return any(
        scene.after.at(add(scene.move, (x, y))) == scene.own
        and {scene.after.at(add(scene.move, (x, 0))), scene.after.at(add(scene.move, (0, y)))} == {scene.enemy, EMPTY}
        for x, y in DIAGONALS
    )


def under(scene: Scene) -> bool:
    """托: alone, directly below an enemy stone on line 2 to 4."""
    return scene.alone and any(scene.below(stone) and scene.after.line(stone) in LOW for stone in scene.enemy_beside)


def presses(scene: Scene) -> bool:
    """压: directly above an enemy stone on line 2 to 4."""
    return any(scene.above(stone) and scene.after.line(stone) in LOW for stone in scene.enemy_beside)


def attaches(scene: Scene) -> bool:
    """碰, 靠: alone, no own stone diagonal either, on the flank of an enemy stone."""
    return (
        scene.alone
        and not scene.after.diagonal(scene.move, scene.own)
        and any(scene.on_flank(stone) for stone in scene.enemy_beside)
    )


def draws_back(scene: Scene) -> bool:
    """退: the opponent's last move was beside an own stone; on that stone's side straight opposite to it."""
    return scene.last is not None and any(
        add(scene.last, step) == stone and add(stone, step) == scene.move
        for stone in scene.before.beside(scene.last, scene.own)
        for step in SIDES
    )


def descends(scene: Scene) -> bool:
    """立: beside one own chain in contact, straight toward the nearest edge, on line 1 to 3."""
    chains = scene.before.touching(scene.move, scene.own)
    if len(chains) != 1 or scene.line > 3:
        return False
    [chain] = chains
    return scene.before.touches(chain, scene.enemy) and any(scene.below(stone) for stone in scene.own_beside)


def crawls(scene: Scene) -> bool:
    """爬: on line 1 or 2 beside an own stone on the same line, an enemy stone directly above either."""
    if scene.line > 2:
        return False
    for edge in scene.after.edges(scene.move):
        for step in across(edge):
            stone = add(scene.move, step)
            if scene.after.at(stone) == scene.own and scene.after.line(stone) == scene.line:
                above = (add(scene.move, back(edge)), add(stone, back(edge)))
                if any(scene.after.at(point) == scene.enemy for point in above):
                    return True
    return False


def lengthens(scene: Scene) -> bool:
    """长: beside one own stone, which touches an enemy stone."""
    return len(scene.own_beside) == 1 and bool(scene.after.beside(scene.own_beside[0], scene.enemy))


def side_by_side(scene: Scene) -> bool:
    """并: beside an own stone, and the chain so made touches no enemy stone."""
    return bool(scene.own_beside) and not scene.after.touches(scene.after.chain(scene.move), scene.enemy)
