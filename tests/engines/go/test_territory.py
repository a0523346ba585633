"""What counts under territory scoring, by shapes: the positions of territory.txt in all views; what always holds."""

import random
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.go.board import Board
from engines.go.eyes import Shape, eye_value, moves_to_close
from engines.go.life import unconditional_life
from engines.go.points import BLACK, EMPTY, WHITE, chains, neighbors, parse_diagram
from engines.go.rules import preset
from engines.go.scoring import score
from engines.go.territory import find_territory

DATA = Path(__file__).resolve().parents[2] / "data" / "go"
COUNTED = {"b": BLACK, "w": WHITE, ".": EMPTY}


@dataclass
class Case:
    """One position of territory.txt; ``counted`` has the colour that each surrounded point counts for."""

    name: str
    width: int
    height: int
    stones: bytes
    dead: set[int]
    counted: bytes


def read_cases():
    for block in (DATA / "territory.txt").read_text(encoding="utf-8").split("\n== ")[1:]:
        name, *lines = block.strip().splitlines()
        left, right = zip(*(line.split(" | ") for line in lines if line), strict=True)
        width, height, stones = parse_diagram("\n".join(left))
        letters = "".join(reversed(left))
        counted = bytes(COUNTED[letter] for letter in "".join(reversed(right)))
        yield Case(name, width, height, stones, {p for p, c in enumerate(letters) if c in "xo"}, counted)


CASES = {case.name: case for case in read_cases()}


def counted(width, height, stones, dead):
    owner = score(width, height, stones, preset("japanese"), dead=dead).owner
    return bytes(who if stones[p] == EMPTY or p in dead else EMPTY for p, who in enumerate(owner))


def views(width, height):
    """The eight symmetries of a board, as its new sides and the place of each point on it."""
    for mirror_x in (False, True):
        for mirror_y in (False, True):
            for turn in (False, True):

                def place(point, mirror_x=mirror_x, mirror_y=mirror_y, turn=turn):
                    x, y = point % width, point // width
                    x, y = width - 1 - x if mirror_x else x, height - 1 - y if mirror_y else y
                    return x * height + y if turn else y * width + x

                yield (height, width, place) if turn else (width, height, place)


@pytest.mark.parametrize("name", CASES)
def test_positions_in_all_views(name):
    case = CASES[name]
    for width, height, place in views(case.width, case.height):
        stones, wanted = bytearray(len(case.stones)), bytearray(len(case.stones))
        for point, stone in enumerate(case.stones):
            stones[place(point)], wanted[place(point)] = stone, case.counted[point]
        assert counted(width, height, bytes(stones), set(map(place, case.dead))) == wanted


@pytest.mark.parametrize("name", CASES)
def test_colours_are_treated_alike(name):
    case = CASES[name]
    swapped = bytes(3 - stone if stone else EMPTY for stone in case.stones)
    wanted = bytes(3 - who if who else EMPTY for who in case.counted)
    assert counted(case.width, case.height, swapped, case.dead) == wanted


@st.composite
def positions(draw):
    width, height = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    size = width * height
    stones = draw(st.lists(st.sampled_from((0, 0, 1, 1, 2, 2)), min_size=size, max_size=size))
    groups = [chain for color in (BLACK, WHITE) for chain in chains(width, height, stones, color)]
    dead = draw(st.lists(st.sampled_from(groups), max_size=3)) if groups else []
    return width, height, bytes(stones), {point for chain in dead for point in chain}


@settings(max_examples=150, deadline=None)
@given(positions())
def test_any_position_can_be_judged_and_only_surrounded_points_are_left_to_fill(position):
    width, height, stones, dead = position
    found = find_territory(width, height, stones, dead)
    assert all(stones[point] == EMPTY or point in dead for point in found.unfilled)
    assert found.seki <= set(range(width * height))


@settings(max_examples=60, deadline=None)
@given(positions())
def test_random_positions_in_all_views(position):
    width, height, stones, dead = position
    found = find_territory(width, height, stones, dead)
    for new_width, new_height, place in views(width, height):
        turned = bytearray(len(stones))
        for point, stone in enumerate(stones):
            turned[place(point)] = stone
        other = find_territory(new_width, new_height, bytes(turned), set(map(place, dead)))
        assert other.seki == set(map(place, found.seki))
        assert other.unfilled == set(map(place, found.unfilled))


def played_out(seed):
    """A small board filled at random, without filling one's own eyes, and what Benson's algorithm finds dead there."""
    chance = random.Random(seed)
    width, height = chance.randint(3, 7), chance.randint(3, 7)
    board, color = Board(width, height, "simple", False), BLACK
    for _ in range(chance.randint(width * height, 3 * width * height)):
        around = neighbors(width, height)
        legal = [p for p in board.legal_points(color) if any(board.at(near) != color for near in around[p])]
        if legal:
            board.play(color, chance.choice(legal))
        color = 3 - color
    return width, height, board.stones()


@pytest.mark.parametrize("seed", range(60))
def test_what_lives_by_proof_is_no_seki_and_its_territory_counts(seed):
    width, height, stones = played_out(seed)
    lives = {color: unconditional_life(width, height, stones, color) for color in (BLACK, WHITE)}
    dead = {p for color, life in lives.items() for p in life.territory if stones[p] == 3 - color}
    found = find_territory(width, height, stones, dead)
    for life in lives.values():
        assert not life.stones & found.seki
        assert not life.territory & found.unfilled


def test_an_empty_board():
    assert not find_territory(9, 9, bytes(81)).seki


@pytest.mark.parametrize("stone", [BLACK, WHITE])
def test_one_stone_owns_the_board(stone):
    stones = bytes(stone if point == 12 else EMPTY for point in range(25))
    assert counted(5, 5, stones, set()) == bytes(EMPTY if point == 12 else stone for point in range(25))


# Spaces that black stones surround without a gap, and how many eyes they are worth; "o" is a dead stone.
SPACES = {
    "one point": ("X.X", 1),
    "two points": ("X..X", 1),
    "three in a row": ("X...X", 2),
    "three in a row with the middle taken": ("X.o.X", 1),
    "three round a corner": ("X..X X.XX", 2),
    "a square": ("X..X X..X", 1),
    "four in a row": ("X....X", 2),
    "four in a row, one stone in": ("X.o..X", 2),
    "four in a row, both middle points taken": ("X.oo.X", 1),
    "a pyramid": ("X...X XX.XX", 2),
    "a pyramid with its middle taken": ("X.o.X XX.XX", 1),
    "five as a bulky block": ("X..XX X...X", 2),
    "a crossed five with its middle taken": ("XX.XX X.o.X XX.XX", 1),
    "six as a rectangle": ("X...X X...X", 2),
    "seven in a row": ("X.......X", 2),
    "a block of nine": ("X...X X...X X...X", 2),
    "five stones to be taken": ("Xooo.X XooXXX", 1),
}


@pytest.mark.parametrize("name", SPACES)
def test_eyes_of_a_closed_space(name):
    text, value = SPACES[name]
    rows = text.split()
    wide = max(map(len, rows))
    frame = "X" * wide
    width, height, stones = parse_diagram("\n".join([frame, *(row.ljust(wide, "X") for row in rows), frame]))
    room = frozenset(point for point, stone in enumerate(stones) if stone != BLACK)
    shape = Shape(width, height, stones, BLACK, room, frozenset(), 0, frozenset(p for p in room if stones[p] == EMPTY))
    assert eye_value(shape) == value
    assert set(moves_to_close(shape).values()) == {0}
