"""Moves played without reading: drawn by the weights, for weaker players more evenly, and still near the last ones."""

import random
from collections import Counter

from support import PURE

from engines.go.board import Board
from engines.go.points import BLACK, WHITE, parse_diagram
from engines.go.policy_sampling import sampled_move
from engines.go.priors import GEOMETRY, NAMES, Priors
from engines.go.vertex import parse_vertex

FIGHT = """
    . . . . . . . . .
    . . . . . . . . .
    . . X . . . O . .
    . . . . . . . . .
    . . . . . . . . .
    . . X X O . . . .
    . . X O . O . . .
    . . . X O . . . .
    . . . . . . . . .
    """
LAST = "E4"  # White's last move

COUNT = 200 if PURE else 2000


def fight() -> Board:
    width, height, stones = parse_diagram(FIGHT)
    board = Board(width, height)
    last = parse_vertex(LAST, width, height)
    board.set_position(bytes(0 if point == last else stone for point, stone in enumerate(stones)))
    board.play(WHITE, last)
    return board


def draws(evenness: float, count: int = COUNT, legal=lambda point: True) -> Counter:
    board, chance = fight(), random.Random(5)
    return Counter(sampled_move(board, BLACK, evenness, legal, chance) for _ in range(count))


def test_a_natural_move_is_drawn_by_its_share():
    found = draws(1.0)
    rated = {point: share for point, *_, share in Priors().features(fight(), BLACK)}
    total = sum(rated.values())
    for point, share in rated.items():
        expected = COUNT * share / total
        assert abs(found[point] - expected) < 5 * max(1.0, expected) ** 0.5


def test_the_more_evenly_the_less_what_matters_is_seen():
    best = draws(1.0).most_common(1)[0][0]
    often = [draws(evenness)[best] for evenness in (1.0, 2.0, 5.0, 9.0)]
    assert often == sorted(often, reverse=True) and often[0] > 3 * often[-1]


def test_the_weakest_still_answers_nearby():
    last = parse_vertex(LAST, 9, 9)

    def near(points: Counter) -> float:
        steps = {p: abs(p % 9 - last % 9) + abs(p // 9 - last // 9) for p in points}
        return sum(steps[p] * n for p, n in points.items()) / sum(points.values())

    evenly = Counter({point: 1 for point, *_ in Priors().features(fight(), BLACK)})
    assert near(draws(9.0)) < near(evenly) - 0.4


def test_only_legal_points_are_drawn():
    allowed = {parse_vertex(vertex, 9, 9) for vertex in ("A9", "J1", "F2")}
    assert set(draws(9.0, legal=allowed.__contains__)) == allowed
    assert set(draws(9.0, 3, legal=lambda point: False)) == {None}


def test_the_same_chance_draws_the_same():
    board = fight()
    one, two = (
        [sampled_move(board, BLACK, 2.0, lambda point: True, chance) for _ in range(20)]
        for chance in (random.Random(1), random.Random(1))
    )
    assert one == two and len(set(one)) > 1


def test_geometry_is_what_tells_of_places():
    assert {NAMES[feature].split()[0] for feature in GEOMETRY if feature in NAMES} >= {"distance", "line"}
    assert not any("take" in NAMES.get(feature, "") or "eye" in NAMES.get(feature, "") for feature in GEOMETRY)
    assert all(feature in GEOMETRY for feature, name in NAMES.items() if name.startswith(("distance", "line")))
