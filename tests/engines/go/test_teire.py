"""The Japanese count with dame open is the count after they are played out, whoever plays first."""

import random

from engines.go.life import areas, find_groups
from engines.go.points import BLACK, EMPTY, WHITE, border, chains
from engines.go.rules import preset
from engines.go.scoring import score


class Unfinished(Exception):
    """A chain can't be saved by filling its last liberty."""


def free(width, height, stones, chain):
    return {point for point in border(width, height, chain) if stones[point] == EMPTY}


def chain_with(width, height, stones, point):
    return next(chain for chain in chains(width, height, stones, stones[point]) if point in chain)


def repaired(width, height, stones):
    """The position once every chain in atari has filled its last liberty."""
    board = bytearray(stones)
    while True:
        last = [
            (color, free(width, height, board, chain).pop())
            for color in (BLACK, WHITE)
            for chain in chains(width, height, board, color)
            if len(free(width, height, board, chain)) == 1
        ]
        if not last:
            return bytes(board)
        color, point = last[0]
        board[point] = color
        if len(free(width, height, board, chain_with(width, height, board, point))) < 2:
            raise Unfinished


def territory(width, height, stones):
    """Black's surrounded points less White's."""
    owner = areas(width, height, stones)
    return owner.count(BLACK) - owner.count(WHITE) - stones.count(BLACK) + stones.count(WHITE)


def played_out(width, height, stones, color, known):
    """All results of filling the dame in any order, ataris being answered, with ``color`` to play."""
    if (stones, color) in known:
        return known[stones, color]
    results = set()
    owner = areas(width, height, stones)
    dame = [point for point, who in enumerate(owner) if who == EMPTY]
    for mover in (color, 3 - color):
        for point in dame:
            after = bytearray(stones)
            after[point] = mover
            if len(free(width, height, after, chain_with(width, height, after, point))) < 2:
                continue
            answered = repaired(width, height, bytes(after))
            sente = answered.count(3 - mover) > after.count(3 - mover)
            results |= played_out(width, height, answered, mover if sente else 3 - mover, known)
        if results:
            break
    known[stones, color] = results or {territory(width, height, stones)}
    return known[stones, color]


def finished_boards(seed, count):
    """Two sides along a ragged border of single dame, with the count that every way of filling them comes to."""
    chance = random.Random(seed)
    while count:
        width, height = chance.choice([(7, 4), (7, 5), (8, 4), (9, 5)])
        stones, split = bytearray(width * height), width // 2
        for y in range(height):
            split = min(max(split + chance.choice((-1, 0, 0, 1)), 2), width - 3)
            for x in range(width):
                color = BLACK if x < split else WHITE
                empty = 0.15 if abs(x - split) == 1 else 0.55
                if x == split:
                    color = chance.choice((EMPTY, EMPTY, EMPTY, BLACK, WHITE))
                elif chance.random() < empty:
                    color = EMPTY
                stones[y * width + x] = color
        board = bytes(stones)
        every = [chain for color in (BLACK, WHITE) for chain in chains(width, height, board, color)]
        if any(len(free(width, height, board, chain)) < 2 for chain in every):
            continue
        owner = areas(width, height, board)
        dame = [region for region in chains(width, height, board, EMPTY) if owner[region[0]] == EMPTY]
        if not 1 <= len(dame) <= 5 or any(len(region) > 1 for region in dame):
            continue
        if not all(group.alive for group in find_groups(width, height, board)):
            continue
        try:
            known = {}
            results = set().union(*(played_out(width, height, board, first, known) for first in (BLACK, WHITE)))
        except Unfinished:
            continue
        if len(results) == 1:
            count -= 1
            yield width, height, board, results.pop()


def test_dame_need_not_be_filled_before_the_count():
    repairs = 0
    for width, height, stones, result in finished_boards(1, 120):
        assert score(width, height, stones, preset("japanese"), komi=0).margin == result
        repairs += result != territory(width, height, stones)
    assert repairs >= 5
