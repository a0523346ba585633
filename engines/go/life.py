"""Life on a position as it stands: what can never be taken, and which groups live only in seki.

Two questions are answered here, neither by search:

- *Unconditional life* (Benson's algorithm): stones that stay although their owner always passes. It is proof, and the
  safe part of judging dead stones.
- *Groups* of a finished position, dead stones already off: which live on their own and which are in seki, for
  territory scoring and for group tax. It rests on the definition of an independent-life-region in KataGo's rules page
  (its ``docs/rules.html``): an area of one colour that touches no dame and has no chain in atari. Players do not
  always fill the last dame, so an area that does touch dame also counts as living when it has two eyes.

Positions are plain values as in ``engines.go.points``; every chain on them must have a liberty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engines.go.points import BLACK, EMPTY, WHITE, border, chains, components, neighbors, opponent
from engines.go.teire import read_repairs


@dataclass(frozen=True)
class Unconditional:
    """What one colour holds for ever: its ``stones``, and its ``territory`` with the opponent's stones caught there."""

    stones: frozenset[int]
    territory: frozenset[int]


def unconditional_life(
    width: int, height: int, stones: Sequence[int], color: int, suicide: bool = False
) -> Unconditional:
    """The chains of ``color`` that no opposing moves can take while ``color`` always passes, by Benson's algorithm.

    ``suicide``: the rules let the opponent take off own chains, which empties the points under them; a region then is
    an eye for a chain only if the chain touches all of it, not just its empty points.

    Territory are the regions around which every chain lives that way and where at most one point touches no stone of
    ``color``: too little room for the opponent to live, whatever stones stand there now.
    """
    table = neighbors(width, height)
    own = chains(width, height, stones, color)
    chain_at = {point: index for index, chain in enumerate(own) for point in chain}
    regions = components(width, height, (p for p in range(width * height) if stones[p] != color))
    around = [{chain_at[near] for near in border(width, height, region)} for region in regions]

    # The chains for which a region is an eye: those that touch each of its points the opponent can find empty.
    eyes_of: list[set[int]] = []
    for region, surrounding in zip(regions, around, strict=True):
        vital = set(surrounding)
        for point in region:
            if suicide or stones[point] == EMPTY:
                vital &= {chain_at[near] for near in table[point] if near in chain_at}
        eyes_of.append(vital)

    living = set(range(len(own)))
    sound = set(range(len(regions)))
    while True:
        failed = {chain for chain in living if sum(chain in eyes_of[index] for index in sound) < 2}
        if not failed:
            break
        living -= failed
        sound = {index for index in sound if around[index] <= living}

    territory: set[int] = set()
    for index in sound if living else ():
        inside = sum(all(stones[near] != color for near in table[point]) for point in regions[index])
        if inside <= 1:
            territory.update(regions[index])
    return Unconditional(frozenset(p for chain in living for p in own[chain]), frozenset(territory))


def areas(width: int, height: int, stones: Sequence[int]) -> bytes:
    """Who owns each point by area: the stone's colour, the one colour around an empty region, else ``EMPTY`` (dame)."""
    owner = bytearray(stones)
    for region in chains(width, height, stones, EMPTY):
        colors = {stones[near] for near in border(width, height, region)}
        if len(colors) == 1:
            color = colors.pop()
            for point in region:
                owner[point] = color
    return bytes(owner)


def liberties(width: int, height: int, stones: Sequence[int], chain: Iterable[int]) -> set[int]:
    """The empty points next to a chain."""
    return {point for point in border(width, height, chain) if stones[point] == EMPTY}


@dataclass(frozen=True)
class Group:
    """Stones of one colour that stand or fall together, with the empty points only they surround.

    ``alive`` tells life of its own from seki. ``repairs`` are surrounded points that must still be filled, since once
    the dame are gone a chain there is in atari; they are among ``territory``.
    """

    color: int
    stones: frozenset[int]
    territory: frozenset[int]
    alive: bool
    repairs: frozenset[int]


def find_groups(width: int, height: int, stones: Sequence[int]) -> list[Group]:
    """All groups of a finished position whose dead stones are off, Black's first.

    Chains belong to one group if they border on the same surrounded points, or if the dame between them connect
    them even when the opponent moves first. On a position that is not finished, groups without two eyes pass for seki.
    """
    owner = areas(width, height, stones)
    blocks = {color: _blocks_of(width, height, stones, owner, color) for color in (BLACK, WHITE)}
    bodies = [(color, body) for color in (BLACK, WHITE) for body in blocks[color].bodies]
    fills, read = read_repairs(width, height, stones, owner, bodies)
    known = {min(bodies[index][1]) for index in read}
    return [
        group
        for color in (BLACK, WHITE)
        for group in _groups_of(width, height, stones, owner, color, blocks[color], fills, known)
    ]


@dataclass(frozen=True)
class _Blocks:
    """The chains of one colour, their liberties and dame, the points barred to the opponent, and which chains hold
    together as blocks (by index), with the stones of each block.
    """

    own: list[list[int]]
    free: list[set[int]]
    dame: list[set[int]]
    barred: set[int]
    blocks: list[list[int]]

    @property
    def bodies(self) -> list[list[int]]:
        return [[point for chain in block for point in self.own[chain]] for block in self.blocks]


def _blocks_of(width: int, height: int, stones: Sequence[int], owner: bytes, color: int) -> _Blocks:
    own = chains(width, height, stones, color)
    free = [liberties(width, height, stones, chain) for chain in own]
    dame = [{point for point in points if owner[point] == EMPTY} for points in free]
    barred = _barred(width, height, stones, free, set().union(*dame), color)
    blocks = [sorted(members) for members in _merge(len(own), _links(dame, barred))]
    return _Blocks(own, free, dame, barred, blocks)


def _groups_of(
    width: int,
    height: int,
    stones: Sequence[int],
    owner: bytes,
    color: int,
    found: _Blocks,
    fills: set[int],
    known: set[int],
) -> list[Group]:
    """The groups of a colour. ``fills`` are the repairs that were read, ``known`` the lowest points of the blocks that
    they were read for.
    """
    own, free, dame, barred, blocks = found.own, found.free, found.dame, found.barred, found.blocks

    block_at = {point: index for index, block in enumerate(blocks) for chain in block for point in own[chain]}
    regions = components(width, height, (p for p in range(width * height) if owner[p] == color and stones[p] == EMPTY))
    around = [{block_at[near] for near in border(width, height, region)} for region in regions]
    touching = [set().union(*(free[chain] for chain in block)) for block in blocks]
    eyes = [
        _Eye(
            _eye_value(width, height, region), near, {block for block in near if len(touching[block] & set(region)) < 2}
        )
        for region, near in zip(regions, around, strict=True)
    ]
    living = _two_eyed(len(blocks), eyes)
    certain = unconditional_life(width, height, stones, color).stones

    groups = []
    for members in _merge(len(blocks), around):
        indexes = [chain for block in members for chain in blocks[block]]
        bodies = frozenset(point for chain in indexes for point in own[chain])
        territory = frozenset(
            point for region, near in zip(regions, around, strict=True) if near <= members for point in region
        )
        closed = all(not dame[chain] and len(free[chain]) > 1 for chain in indexes)
        alive = closed or bool(members & living or bodies & certain)
        repairs = set(fills & territory)
        for block in members:
            if min(min(own[chain]) for chain in blocks[block]) in known:
                continue
            others = set().union(*(touching[other] for other in range(len(blocks)) if other != block))
            lasting = {p for p in touching[block] if owner[p] == color or p in barred or p in others}
            if len(lasting) == 1:
                repairs |= lasting & territory
        groups.append(Group(color, bodies, territory, alive, frozenset(repairs)))
    return groups


def _eye_value(width: int, height: int, region: list[int]) -> int:
    """How many eyes surrounded points give their owner, who may add a stone: two from three points on.

    Four points in a square are one eye all the same.
    """
    if len(region) < 3:
        return 1
    columns = {point % width for point in region}
    rows = {point // width for point in region}
    return 1 if len(region) == 4 and len(columns) == len(rows) == 2 else 2


@dataclass(frozen=True)
class _Eye:
    """A surrounded region as an eye: how many it makes, the blocks around it, and those of them it could be cut from.

    A block that touches two points of the region can't be cut off there: if one is taken, it connects at the other.
    """

    value: int
    around: set[int]
    loose: set[int]


def _two_eyed(count: int, eyes: list[_Eye]) -> set[int]:
    """Which of ``count`` blocks have two eyes that cannot be broken from outside.

    The rest drop out one after another and take with them the eyes they could be cut from: an eye between a living
    block and one that must connect through it is false.
    """
    living = set(range(count))
    while True:
        sound = [eye for eye in eyes if eye.loose <= living]
        failed = {block for block in living if sum(eye.value for eye in sound if block in eye.around) < 2}
        if not failed:
            return living
        living -= failed


def _merge(count: int, links: Iterable[set[int]]) -> list[set[int]]:
    """Split 0…count-1 into classes: members of one link share a class."""
    classes = [{index} for index in range(count)]
    for link in links:
        joined = [members for members in classes if members & link]
        classes = [members for members in classes if not members & link]
        classes.append(set().union(*joined))
    return sorted((members for members in classes if members), key=min)


def _links(dame: list[set[int]], barred: set[int]) -> list[set[int]]:
    """Pairs of chains, by index, that the dame between them connect whoever moves first.

    Two common dame do (if one is taken, the other connects), and so does one that the opponent is barred from.
    """
    return [
        {one, two}
        for two in range(len(dame))
        for one in range(two)
        if len(dame[one] & dame[two]) >= 2 or dame[one] & dame[two] & barred
    ]


def _barred(
    width: int, height: int, stones: Sequence[int], free: list[set[int]], points: set[int], color: int
) -> set[int]:
    """The empty points where a stone of the other colour would take nothing and have at most one liberty.

    ``free`` has the liberties of each chain of ``color``.
    """
    table = neighbors(width, height)
    takes = {point for chain in free if len(chain) == 1 for point in chain}
    chain_at = {point: chain for chain in chains(width, height, stones, opponent(color)) for point in chain}
    found = set()
    for point in points - takes:
        reached = {near for near in table[point] if stones[near] == EMPTY}
        for near in table[point]:
            if near in chain_at:
                reached |= liberties(width, height, stones, chain_at[near])
        if len(reached - {point}) <= 1:
            found.add(point)
    return found
