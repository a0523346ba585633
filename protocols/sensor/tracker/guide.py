"""How to put a board right: what differs, and in which pairs it is best put back."""

from __future__ import annotations

from protocols.sensor.reading import EMPTY, FAULT, OCCUPIED
from protocols.sensor.tracker.events import Pair

STRIDE = 24

EXACT = 40
"""Differences up to which the pairs are the best there are; beyond, the nearest are taken first."""


def changed(one: str, other: str) -> list[int]:
    """The points in which two states of one board show something else, ascending."""
    if one == other:
        return []
    found = []
    for start in range(0, len(other), STRIDE):  # most parts are equal, and compared at once
        here, there = one[start : start + STRIDE], other[start : start + STRIDE]
        if here != there:
            found += [start + i for i, (a, b) in enumerate(zip(here, there, strict=True)) if a != b]
    return found


def differing(seen: str, wanted: str) -> list[int]:
    """The points in which a state of the board differs from another, ascending.

    A point that is not read (``FAULT``) differs from nothing.
    """
    return [point for point in changed(seen, wanted) if seen[point] != FAULT]


def fits(seen: str, wanted: str) -> bool:
    """Whether a state of the board may be another one: it is, where it is read."""
    return seen == wanted or (FAULT in seen and not differing(seen, wanted))


def split(seen: str, wanted: str) -> tuple[list[int], list[int]]:
    """Points where something stands that should not, and points where something is missing.

    A point with the wrong thing is in both.
    """
    extra, missing = [], []
    for point in differing(seen, wanted):
        if seen[point] != EMPTY:
            extra.append(point)
        if wanted[point] != EMPTY:
            missing.append(point)
    return extra, missing


def pairs(seen: str, wanted: str, width: int) -> list[Pair]:
    """What to do, in the order to do it: moves of what is there to where it belongs, then what is left over.

    Pairs join like with like and are the nearest (sum of ranks and files as small as can be). Those whose place is
    free come first.
    """
    extra, missing = split(seen, wanted)
    joined: list[tuple[int, int]] = []
    for kind in sorted({wanted[point] for point in missing}):
        places = [point for point in missing if wanted[point] == kind]
        stones = [point for point in extra if seen[point] in (kind, OCCUPIED) and seen[point] != wanted[point]]
        joined += _assign(stones, places, width)
    used = {a for a, _ in joined}, {b for _, b in joined}
    joined.sort(key=lambda pair: (seen[pair[1]] != EMPTY, _distance(pair[0], pair[1], width), pair))
    rest = [Pair(point, None) for point in extra if point not in used[0]]
    rest += [Pair(None, point) for point in missing if point not in used[1]]
    return [Pair(a, b) for a, b in joined] + rest


def _distance(a: int, b: int, width: int) -> int:
    return abs(a % width - b % width) + abs(a // width - b // width)


def _assign(stones: list[int], places: list[int], width: int) -> list[tuple[int, int]]:
    """Pair up stones and places with the least total distance; the longer list keeps some unpaired."""
    if not stones or not places:
        return []
    if max(len(stones), len(places)) > EXACT:
        return _greedy(stones, places, width)
    if len(stones) > len(places):
        return [(b, a) for a, b in _assign(places, stones, width)]
    costs = [[_distance(a, b, width) for b in places] for a in stones]
    return [(stones[row], places[column]) for row, column in enumerate(_cheapest(costs))]


def _cheapest(costs: list[list[int]]) -> list[int]:
    """For each row a column of its own so that the sum is least; at least as many columns as rows.

    The Hungarian method with potentials, one row added at a time (Kuhn 1955, Munkres 1957).
    """
    rows, columns = len(costs), len(costs[0])
    above = [0.0] * (rows + 1)
    left = [0.0] * (columns + 1)
    owner = [0] * (columns + 1)  # the row that has a column; column 0 stands for none
    for row in range(1, rows + 1):
        owner[0] = row
        column = 0
        least = [float("inf")] * (columns + 1)
        came = [0] * (columns + 1)
        done = [False] * (columns + 1)
        while owner[column]:
            done[column] = True
            this, step, best = owner[column], float("inf"), 0
            for other in range(1, columns + 1):
                if done[other]:
                    continue
                cost = costs[this - 1][other - 1] - above[this] - left[other]
                if cost < least[other]:
                    least[other], came[other] = cost, column
                if least[other] < step:
                    step, best = least[other], other
            for other in range(columns + 1):
                if done[other]:
                    above[owner[other]] += step
                    left[other] -= step
                else:
                    least[other] -= step
            column = best
        while column:
            owner[column] = owner[came[column]]
            column = came[column]
    result = [0] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            result[owner[column] - 1] = column - 1
    return result


def _greedy(stones: list[int], places: list[int], width: int) -> list[tuple[int, int]]:
    """The nearest pair first, then the nearest of the rest, and so on."""
    choices = sorted((_distance(a, b, width), a, b) for a in stones for b in places)
    taken: set[int] = set()
    found: set[int] = set()
    result = []
    for _, a, b in choices:
        if a not in taken and b not in found:
            taken.add(a)
            found.add(b)
            result.append((a, b))
    return result
