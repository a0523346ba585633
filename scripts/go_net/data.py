"""Shards of labelled games as training samples: planes made by our own board, packed to bits, held in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engines.go.board import Board
from engines.go.net.planes import NUMBER_OF_GLOBALS, NUMBER_OF_PLANES, Planes, globals_of

TERRITORY = (False, True, False, False, False)
SUICIDE = (False, False, True, False, True)
HANDICAP_POINTS = (1, 0, 0, 1, 0)  # what White gets a handicap stone: n, none, n-1; see handicap_points
"""By index into ``generate.RULES``."""


def handicap_points(rules: int, stones: int) -> int:
    """Points that White gets for handicap stones under these rules."""
    if rules == 0:
        return stones
    return max(0, stones - 1) if rules == 3 else 0


@dataclass
class Samples:
    """Positions of one board size. ``planes``: packed bits; the rest as in the shards."""

    size: int
    planes: np.ndarray
    numbers: np.ndarray
    policy: np.ndarray
    value: np.ndarray
    score: np.ndarray
    owner: np.ndarray

    def __len__(self) -> int:
        return len(self.planes)


def read_shard(path: Path) -> Samples:
    """All positions of a shard. A game that our board does not take ends where it does not."""
    with np.load(path) as file:
        shard = {name: file[name] for name in file}
    size = int(shard["size"])
    area = size * size
    maker = Planes(size, size)
    out = np.zeros(NUMBER_OF_PLANES * area, np.float32)
    planes, numbers, kept = [], [], []
    starts = shard["starts"]

    def point(move: int) -> int:
        y, x = divmod(move, size)
        return (size - 1 - y) * size + x

    for game in range(len(starts) - 1):
        rules = int(shard["rules"][game])
        komi = float(shard["komi"][game])
        board = Board(size, size, "simple", SUICIDE[rules])
        stones = [int(one) for one in shard["handicap"][game] if one >= 0]
        color = 1
        if stones:
            placed = bytearray(area)
            for one in stones:
                placed[point(one)] = 1
            board.set_position(bytes(placed), 2)
            color = 2
        white_points = komi + handicap_points(rules, len(stones))
        moves = [int(one) for one in shard["moves"][starts[game] : starts[game + 1]]]
        for ply, move in enumerate(moves):
            lead = white_points
            if TERRITORY[rules]:
                lead += board.prisoners_of(2) - board.prisoners_of(1)
            lead = lead if color == 2 else -lead
            maker.of(board, color, out)
            planes.append(np.packbits(out.astype(bool)))
            passed = [at >= 0 and moves[at] == area for at in (ply - 1, ply - 2)]
            numbers.append(globals_of(lead, area, TERRITORY[rules], *passed, SUICIDE[rules]))
            kept.append(starts[game] + ply)
            try:
                board.play(color, -1 if move == area else point(move), forced=True)
            except ValueError:
                break
            color = 3 - color
    take = np.asarray(kept)
    assert all(len(one) == NUMBER_OF_GLOBALS for one in numbers)
    return Samples(
        size,
        np.stack(planes),
        np.asarray(numbers, np.float32),
        shard["policy"][take],
        shard["value"][take],
        shard["score"][take],
        shard["owner"][take],
    )


def batches(
    pools: dict[int, Samples], batch: int, weights: dict[int, float], chance: np.random.Generator
) -> Iterator[tuple[np.ndarray, ...]]:
    """Endless batches, each of one size and turned or mirrored by one of the eight symmetries: planes, numbers, policy
    (sums to 1), value, score (in units of 20 points), ownership."""
    sizes = sorted(pools)
    chances = np.asarray([weights.get(size, 1.0) for size in sizes])
    chances /= chances.sum()
    while True:
        size = int(chance.choice(sizes, p=chances))
        pool = pools[size]
        take = chance.integers(0, len(pool), batch)
        yield expand(pool, take, int(chance.integers(8)))


def expand(pool: Samples, take: np.ndarray, symmetry: int) -> tuple[np.ndarray, ...]:
    """Samples as arrays of floats under one of eight symmetries."""
    size, area = pool.size, pool.size**2
    planes = np.unpackbits(pool.planes[take], axis=1, count=NUMBER_OF_PLANES * area).astype(np.float32)
    planes = turn(planes.reshape(-1, NUMBER_OF_PLANES, size, size), symmetry)
    policy = (pool.policy[take].astype(np.float32) / 255.0) ** 2
    policy /= policy.sum(axis=1, keepdims=True)
    points = turn(policy[:, :area].reshape(-1, size, size), symmetry).reshape(-1, area)
    owner = turn(pool.owner[take].astype(np.float32).reshape(-1, size, size) / 127.0, symmetry).reshape(-1, area)
    return (
        np.ascontiguousarray(planes),
        pool.numbers[take],
        np.concatenate((points, policy[:, area:]), axis=1),
        pool.value[take],
        np.clip(pool.score[take] / 20.0, -20, 20),
        np.ascontiguousarray(owner),
    )


def turn(values: np.ndarray, symmetry: int) -> np.ndarray:
    """One of the eight symmetries of the last two axes."""
    if symmetry & 4:
        values = np.swapaxes(values, -1, -2)
    if symmetry & 2:
        values = values[..., ::-1, :]
    return values[..., ::-1] if symmetry & 1 else values
