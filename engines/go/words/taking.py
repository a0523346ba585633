"""Words for taking and for what leads to it: 提 打劫 叫吃 征 接不归 扑 紧气 点."""

from __future__ import annotations

from engines.go.points import EMPTY
from engines.go.words import reading
from engines.go.words.scene import Point, Scene

EYE_SPACE = range(3, 8)
"""Points of an eye space that a move inside is 点 in."""


def takes(scene: Scene) -> bool:
    """提: the move takes one stone or more."""
    return bool(scene.taken)


def takes_ko(scene: Scene) -> bool:
    """打劫, 提劫: it takes exactly one stone and then stands alone with that point as its only liberty."""
    return len(scene.taken) == 1 and scene.alone and scene.after.liberties(scene.move) == scene.taken


def put_in_atari(scene: Scene) -> list[Point]:
    """A stone of each enemy chain beside the move that had two liberties or more and now has one."""
    if scene.taken:
        return []
    return [
        min(chain)
        for chain in sorted(scene.after.touching(scene.move, scene.enemy), key=min)
        if len(scene.before.liberties(min(chain))) >= 2 and len(scene.after.liberties(min(chain))) == 1
    ]


def atari(scene: Scene) -> bool:
    """叫吃, 打吃: it takes nothing; an enemy chain beside it that had two liberties or more has one."""
    return bool(put_in_atari(scene))


def ladder(scene: Scene) -> bool:
    """征: 叫吃 where the chain, however it runs, is put in atari again each time until it is taken."""
    return any(reading.is_ladder(scene.after, scene.enemy, stone) for stone in put_in_atari(scene))


def connect_and_die(scene: Scene) -> bool:
    """接不归, 追落: 叫吃 where joining the chain to another of its own by its last liberty leaves one liberty."""
    return any(reading.joins_and_dies(scene.after, scene.enemy, stone) for stone in put_in_atari(scene))


def throws_in(scene: Scene) -> bool:
    """扑: it takes nothing, stands alone with one liberty, and has two or more enemy stones beside it."""
    return (
        not scene.taken and scene.alone and len(scene.after.liberties(scene.move)) == 1 and len(scene.enemy_beside) >= 2
    )


def fills_liberty(scene: Scene) -> bool:
    """紧气: in a capturing race it fills a liberty of the enemy chain and leaves it two or more."""
    if scene.taken:
        return False
    return any(
        len(scene.after.liberties(min(chain))) >= 2 and reading.in_race(scene.before, min(chain), scene.own)
        for chain in scene.after.touching(scene.move, scene.enemy)
    )


def in_eye_space(scene: Scene) -> bool:
    """点, 点眼: alone inside an empty region of three to seven points that touches enemy stones only."""
    region = scene.before.chain(scene.move)
    return (
        scene.before.at(scene.move) == EMPTY
        and len(region) in EYE_SPACE
        and scene.before.touches(region, scene.enemy)
        and not scene.before.touches(region, scene.own)
    )
