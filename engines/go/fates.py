"""What becomes of the chains where little room is left, by reading it to the end: life, death, seki.

The position is cut into *corners*: a few empty points, the chains that have no other liberties (they are at stake), and
around them chains with liberties elsewhere, which are taken to live. ``engines.go.local`` reads each corner that is
small enough. What it finds holds as long as the chains around it do live, so each answer names them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from engines.go.life import areas, find_groups, unconditional_life
from engines.go.local import Local
from engines.go.points import BLACK, EMPTY, WHITE, border, chains, opponent

MOST_EMPTY = (10, 7, 4)
"""The most empty points of a corner; where reading it takes too long, fewer are tried."""

ROOM = 6
"""A chain that has more empty points than this beyond a corner, in regions of its own, is taken to live."""

READING = 200_000
"""Positions that may be looked at to read one corner."""

SEKI_DAME = 4
"""The most points of one shared liberty region that still speak for seki where it could not be read; a larger one is a
game not finished."""

KEPT = 512
"""Corners whose fates are remembered."""


@dataclass(frozen=True)
class Corner:
    """A part of the board to be read: its ``empty`` points, the ``chains`` at stake there with their colours, and the
    chains around (``walls``): the lowest point of each, and how many liberties it must keep for what was read to hold.
    """

    empty: tuple[int, ...]
    chains: tuple[tuple[int, tuple[int, ...]], ...]
    walls: tuple[tuple[int, int], ...]

    @property
    def points(self) -> list[int]:
        """Where stones may come to stand: the empty points and those of the chains."""
        return sorted([*self.empty, *(point for _, chain in self.chains for point in chain)])


@dataclass(frozen=True)
class Fate:
    """What reading found out about a corner.

    ``stable``: neither side can gain a stone by moving first, whatever kos there are. ``dead`` and ``alive``: stones
    whose fate is the same whoever moves first, kos going to the attacker; the rest depends on that. ``losing``: per
    colour the points where a move gives stones away though passing would not; known where the corner is stable and
    chains of both colours are at stake.
    """

    corner: Corner
    stable: bool
    dead: frozenset[int]
    alive: frozenset[int]
    losing: tuple[frozenset[int], frozenset[int], frozenset[int]]

    @property
    def shared(self) -> bool:
        """Whether it is a standstill of both colours."""
        return self.stable and len({color for color, _ in self.corner.chains}) == 2


class Fates:
    """Reads corners and remembers what it found."""

    def __init__(self) -> None:
        self._boards: dict[tuple[int, int], Local] = {}
        self._known: OrderedDict[tuple[int, int, Corner], tuple[int, Fate | None]] = OrderedDict()

    def read(
        self, width: int, height: int, stones: Sequence[int], limit: int = READING, suicide: bool = False
    ) -> list[Fate]:
        """The fates of all corners of a position that can be read; none that hold a chain of another one.

        ``limit`` bounds the positions looked at for each.
        """
        found: list[Fate] = []
        taken: set[int] = set()
        for most in MOST_EMPTY:
            for corner in find_corners(width, height, stones, most, taken, suicide):
                fate = self._fate(width, height, stones, corner, limit)
                if fate is not None:
                    found.append(fate)
                    taken.update(corner.points)
        return found

    def _fate(self, width: int, height: int, stones: Sequence[int], corner: Corner, limit: int) -> Fate | None:
        key = (width, height, corner)
        known = self._known.get(key)
        if known is not None and (known[1] is not None or known[0] >= limit):
            self._known.move_to_end(key)
            # What took more to read than is allowed now is not known now, whatever was asked before.
            return known[1] if known[0] <= limit else None
        if (width, height) not in self._boards:
            self._boards[width, height] = Local(width, height)
        fate = read_corner(self._boards[width, height], bytes(stones), corner, limit)
        self._known[key] = (limit if fate is None else self._boards[width, height].nodes), fate
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return fate


def find_corners(
    width: int, height: int, stones: Sequence[int], most: int, taken: set[int], suicide: bool = False
) -> list[Corner]:
    """The corners with at most ``most`` empty points, without those that hold a point of ``taken``."""
    own = {color: chains(width, height, stones, color) for color in (EMPTY, BLACK, WHITE)}
    region_at = {point: index for index, region in enumerate(own[EMPTY]) for point in region}
    bodies = [(color, chain) for color in (BLACK, WHITE) for chain in own[color]]
    chain_at = {point: index for index, (_, chain) in enumerate(bodies) for point in chain}
    edges = [border(width, height, chain) for _, chain in bodies]
    reach = [{region_at[point] for point in edge if stones[point] == EMPTY} for edge in edges]
    near = [{chain_at[point] for point in edge if stones[point] != EMPTY} for edge in edges]
    around: list[set[int]] = [set() for _ in own[EMPTY]]
    for index, regions in enumerate(reach):
        for region in regions:
            around[region].add(index)
    safe: set[int] = set()
    settled: set[int] = set()
    for color in (BLACK, WHITE):
        life = unconditional_life(width, height, stones, color, suicide)
        safe.update(chain_at[point] for point in life.stones)
        settled.update(region_at[point] for point in life.territory if stones[point] == EMPTY)
    size = [len(region) for region in own[EMPTY]]

    corners: dict[tuple[int, ...], Corner] = {}
    for seed, room_here in enumerate(own[EMPTY]):
        if size[seed] > most or seed in settled or not taken.isdisjoint(room_here):
            continue
        regions = {seed}
        empty = size[seed]
        while True:
            held = {i for r in regions for i in around[r] if i not in safe and reach[i] <= regions}
            beside = {i for r in regions for i in around[r]} | {j for i in held for j in near[i]}
            growth: list[tuple[int, int]] = []
            for index in beside - held - safe:
                beyond = reach[index] - regions
                room = sum(size[r] for r in beyond)
                touches = not reach[index].isdisjoint(regions)
                if empty + room <= most and (
                    room <= ROOM if touches else _outside(edges[index], region_at, regions) < 2
                ):
                    growth.append((room, index))
            if not growth:
                break
            regions |= reach[min(growth)[1]]
            empty = sum(size[r] for r in regions)
        walls = beside - held
        if not held or any(i not in safe and _outside(edges[i], region_at, regions) < 2 for i in walls):
            continue
        points = tuple(sorted(point for r in regions for point in own[EMPTY][r]))
        stakes = tuple((bodies[i][0], tuple(bodies[i][1])) for i in sorted(held))
        kept = [(bodies[i][1][0], 1 if i in safe else 2 + len(edges[i].intersection(points))) for i in walls]
        corner = Corner(points, stakes, tuple(sorted(kept)))
        if taken.isdisjoint(corner.points):
            corners[points] = corner
    return _apart(list(corners.values()))


def _outside(edge: set[int], region_at: dict[int, int], regions: set[int]) -> int:
    """How many liberties beside a chain lie beyond the regions."""
    return sum(point in region_at and region_at[point] not in regions for point in edge)


def _apart(corners: list[Corner]) -> list[Corner]:
    """Of corners that overlap those with more at stake."""
    chosen: list[Corner] = []
    used: set[int] = set()
    for corner in sorted(corners, key=lambda corner: (-len(corner.points), corner.empty)):
        if used.isdisjoint(corner.points):
            used.update(corner.points)
            chosen.append(corner)
    return chosen


def read_corner(board: Local, stones: bytes, corner: Corner, limit: int) -> Fate | None:
    """Read a corner; None where it takes more than ``limit`` positions."""
    points = corner.points
    board.arrange(stones, points, [int(stones[point] != EMPTY) for point in points], limit)
    standing = board.standing()
    nothing: frozenset[int] = frozenset()
    bodies = frozenset(point for _, chain in corner.chains for point in chain)
    gains = {}
    for color in (BLACK, WHITE):
        # Black gains by more than what stands, White if Black doesn't come to it any more.
        reached = board.reaches(color, standing + (color == BLACK), color)
        if reached is None:
            return None
        gains[color] = reached == (color == BLACK)
    if not any(gains.values()):
        losing = (nothing, nothing, nothing)
        if len({color for color, _ in corner.chains}) == 2:
            losing = (nothing, _losing(board, corner, standing, BLACK), _losing(board, corner, standing, WHITE))
        return Fate(corner, True, nothing, bodies, losing)
    dead: set[int] = set()
    alive: set[int] = set()
    for attacker in (BLACK, WHITE):
        lost = [_lost(board, corner, standing, first, attacker) for first in (attacker, opponent(attacker))]
        for color, chain in corner.chains:
            if color == attacker:
                continue
            if lost[0] is not None and lost[0].isdisjoint(chain):
                alive.update(chain)
            elif (
                lost[0] is not None and lost[1] is not None and lost[0].issuperset(chain) and lost[1].issuperset(chain)
            ):
                dead.update(chain)
    return Fate(corner, False, frozenset(dead), frozenset(alive), (nothing, nothing, nothing))


def _lost(board: Local, corner: Corner, standing: int, first: int, attacker: int) -> set[int] | None:
    """The points that the attacker has in the end if ``first`` moves first; None if that can't be told."""
    value = board.value(first, attacker)
    if value is None:
        return None
    prey = [point for color, chain in corner.chains if color != attacker for point in chain]
    if value - standing == (2 * len(prey) if attacker == BLACK else -2 * len(prey)):
        return set(prey)
    end = board.outcome(first, attacker)
    return None if end is None else {p for p, who in zip(corner.points, end[1], strict=True) if who == attacker}


def _losing(board: Local, corner: Corner, standing: int, color: int) -> frozenset[int]:
    """Where a move of ``color`` gives stones away in a corner that stands still, even with kos in its favour."""
    found = set()
    for point in corner.empty:
        kept = board.reaches(color, standing + (color == WHITE), color, point)
        if kept is not None and kept == (color == WHITE):
            found.add(point)
    return frozenset(found)


def seki_stones(fates: Fates, width: int, height: int, stones: Sequence[int]) -> frozenset[int]:
    """The stones that live without two eyes of their own, next to small shared liberties; dead stones must be off."""
    owner = areas(width, height, stones)
    dame = [set(region) for region in chains(width, height, stones, EMPTY) if owner[region[0]] == EMPTY]
    weak = [group for group in find_groups(width, height, stones) if not group.alive]
    edges = [border(width, height, group.stones) for group in weak]
    read = [fate for fate in fates.read(width, height, stones) if fate.shared]
    still = {point for fate in read for point in fate.alive}
    found: set[int] = set()
    for group, edge in zip(weak, edges, strict=True):
        shared = [region for region in dame if not edge.isdisjoint(region)]
        # Next to a living group there is no seki, only death.
        faces = all(
            any(
                other.color != group.color and not near.isdisjoint(region)
                for other, near in zip(weak, edges, strict=True)
            )
            for region in shared
        )
        if shared and (group.stones <= still or (faces and all(len(region) <= SEKI_DAME for region in shared))):
            found.update(group.stones)
    return frozenset(found)
