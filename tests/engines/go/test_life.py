"""Unconditional life, areas, and groups that live or are in seki."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.go.life import areas, find_groups, unconditional_life
from engines.go.points import BLACK, EMPTY, WHITE, chains, neighbors, opponent, parse_diagram, show_diagram


def shown(width, height, points):
    """Marks of a set of points, as a diagram."""
    return show_diagram(width, height, [BLACK if point in points else EMPTY for point in range(width * height)])


def diagram(text):
    return "\n".join("".join(line.split()) for line in text.splitlines() if line.strip())


# Each: position, colour, suicide allowed, stones that live for ever, territory.
UNCONDITIONAL = {
    "two eyes": (
        """
        .X.XO
        XXXXO
        OOOOO
        .....
        """,
        BLACK,
        False,
        """
        .X.X.
        XXXX.
        .....
        .....
        """,
        """
        X.X..
        .....
        .....
        .....
        """,
    ),
    "one eye": (
        """
        .XXXO
        XXXXO
        OOOOO
        .....
        """,
        BLACK,
        False,
        "." * 5 + "\n" + "." * 5 + "\n" + "." * 5 + "\n" + "." * 5,
        "." * 5 + "\n" + "." * 5 + "\n" + "." * 5 + "\n" + "." * 5,
    ),
    "a false eye does not carry": (
        """
        X.X.XO
        OXXXXO
        OOOOOO
        ......
        """,
        BLACK,
        False,
        "\n".join(["......"] * 4),
        "\n".join(["......"] * 4),
    ),
    "a false eye beside two real ones is not territory": (
        """
        X.X.X.
        OXXXXX
        OOOOOO
        ......
        """,
        BLACK,
        False,
        """
        ..X.X.
        .XXXXX
        ......
        ......
        """,
        """
        ...X.X
        ......
        ......
        ......
        """,
    ),
    "an eye of two points": (
        """
        ..X.XO
        XXXXXO
        OOOOOO
        ......
        """,
        BLACK,
        False,
        """
        ..X.X.
        XXXXX.
        ......
        ......
        """,
        """
        XX.X..
        ......
        ......
        ......
        """,
    ),
    "eyes with stones in them": (
        """
        O.XO.X
        XXXXXX
        OOOOOO
        ......
        """,
        BLACK,
        False,
        """
        ..X..X
        XXXXXX
        ......
        ......
        """,
        """
        XX.XX.
        ......
        ......
        ......
        """,
    ),
    "an eye with a stone the chain does not touch, no suicide": (
        """
        .OX.XO
        O.XXXO
        .XXOOO
        XXOO..
        OOO...
        """,
        BLACK,
        False,
        "\n".join(["......"] * 5),
        "\n".join(["......"] * 5),
    ),
    "an eye whose corner only a caught stone fills, no suicide": (
        """
        O.X.XO
        .XXXXO
        XXOOOO
        OOO...
        """,
        BLACK,
        False,
        """
        ..X.X.
        .XXXX.
        XX....
        ......
        """,
        """
        XX.X..
        X.....
        ......
        ......
        """,
    ),
    "the same where suicide can clear that corner": (
        """
        O.X.XO
        .XXXXO
        XXOOOO
        OOO...
        """,
        BLACK,
        True,
        "\n".join(["......"] * 4),
        "\n".join(["......"] * 4),
    ),
    "two chains around two common eyes": (
        """
        OXX.XXO
        OX.O.XO
        OX.O.XO
        OX.O.XO
        OXX.XXO
        """,
        BLACK,
        False,
        "\n".join(["......."] * 5),
        "\n".join(["......."] * 5),
    ),
    "white on an oblong board": (
        """
        .O.
        OOO
        .O.
        """,
        WHITE,
        True,
        """
        .X.
        XXX
        .X.
        """,
        """
        X.X
        ...
        X.X
        """,
    ),
}


@pytest.mark.parametrize("name", UNCONDITIONAL)
def test_unconditional_life(name):
    text, color, suicide, stones, territory = UNCONDITIONAL[name]
    width, height, position = parse_diagram(text)
    found = unconditional_life(width, height, position, color, suicide)
    assert shown(width, height, found.stones) == diagram(stones)
    assert shown(width, height, found.territory) == diagram(territory)


def test_nothing_lives_on_an_empty_board():
    for color in (BLACK, WHITE):
        found = unconditional_life(5, 5, bytes(25), color)
        assert not found.stones
        assert not found.territory


def play(width, height, stones, point, color, suicide):
    """The position after a move, or ``None`` if it takes its own stones and may not."""
    board = bytearray(stones)
    board[point] = color
    table = neighbors(width, height)
    for side in (opponent(color), color):
        for chain in chains(width, height, board, side):
            if all(board[near] != EMPTY for stone in chain for near in table[stone]):
                if side == color and (not suicide or len(chain) == 1):
                    return None
                for stone in chain:
                    board[stone] = EMPTY
    return bytes(board)


@st.composite
def legal_positions(draw):
    """Positions after random moves of both sides on small boards."""
    width, height = draw(st.tuples(st.integers(2, 4), st.integers(1, 3)))
    stones = bytes(width * height)
    for point, color in draw(st.lists(st.tuples(st.integers(0, width * height - 1), st.sampled_from((1, 2))))):
        if stones[point] == EMPTY:
            stones = play(width, height, stones, point, color, suicide=True) or stones
    return width, height, stones


@given(legal_positions(), st.sampled_from((BLACK, WHITE)), st.booleans())
def test_no_opposing_moves_take_what_lives(position, color, suicide):
    width, height, start = position
    living = unconditional_life(width, height, start, color, suicide).stones
    if not living:
        return
    seen, waiting = {start}, [start]
    while waiting and len(seen) < 3000:
        stones = waiting.pop()
        for point in range(width * height):
            if stones[point] == EMPTY:
                after = play(width, height, stones, point, opponent(color), suicide)
                if after is not None and after not in seen:
                    assert all(after[stone] == color for stone in living)
                    seen.add(after)
                    waiting.append(after)


@given(legal_positions(), st.booleans())
def test_territories_of_the_two_sides_do_not_meet(position, suicide):
    width, height, stones = position
    black = unconditional_life(width, height, stones, BLACK, suicide)
    white = unconditional_life(width, height, stones, WHITE, suicide)
    assert not black.territory & white.territory
    assert not black.stones & white.territory


@given(legal_positions())
def test_suicide_never_adds_life(position):
    width, height, stones = position
    for color in (BLACK, WHITE):
        strict = unconditional_life(width, height, stones, color, suicide=True)
        assert strict.stones <= unconditional_life(width, height, stones, color, suicide=False).stones


def test_areas():
    width, height, stones = parse_diagram(
        """
        .X.O.
        XX.OO
        .....
        """
    )
    assert show_diagram(width, height, areas(width, height, stones)) == diagram(
        """
        XX.OO
        XX.OO
        .....
        """
    )
    assert areas(2, 2, bytes(4)) == bytes(4)


def groups(text):
    width, height, stones = parse_diagram(text)
    return [
        ("XO"[group.color - 1], len(group.stones), len(group.territory), group.alive, len(group.repairs))
        for group in find_groups(width, height, stones)
    ]


GROUPS = {
    "empty": ("...\n...", []),
    "one stone alone": (".X.", [("X", 1, 2, True, 0)]),
    "a stone in atari": ("X.", [("X", 1, 1, False, 1)]),
    "closed borders": ("..XO.\n..XO.", [("X", 2, 4, True, 0), ("O", 2, 2, True, 0)]),
    "open borders": ("..X.O..\n..X.O..", [("X", 2, 4, False, 0), ("O", 2, 4, False, 0)]),
    "open borders, more room": ("...X.O...\n...X.O...", [("X", 2, 6, True, 0), ("O", 2, 6, True, 0)]),
    "two points are one eye": ("..X.O", [("X", 1, 2, False, 0), ("O", 1, 0, False, 0)]),
    "three points are two eyes": ("...X.O", [("X", 1, 3, True, 0), ("O", 1, 0, False, 0)]),
    "four in a square are one": ("..X.\n..X.\nXXXO", [("X", 5, 4, False, 0), ("O", 1, 0, False, 0)]),
    "four in a row are two": ("....X.\nXXXXXO", [("X", 6, 4, True, 0), ("O", 1, 0, False, 0)]),
    "seki": (".X.O.", [("X", 1, 1, False, 0), ("O", 1, 1, False, 0)]),
    "life for certain, a caught stone not taken": ("..\nXX\nO.", [("X", 2, 2, True, 0), ("O", 1, 0, False, 0)]),
    "a chain in atari beside two eyes": (
        "X.XX.X.\nOXXXXXX\nOOOOOOO\n.O.O.O.",
        [("X", 10, 3, True, 1), ("O", 11, 4, True, 0)],
    ),
    "an eye of two points holds the chain that touches both": (
        "OOOOOOOO\nXXXOXXXO\nX.XX..X.\nXXXOXXXO\nOOOOOOOO\nO.O.O.O.",
        [("X", 16, 3, True, 0), ("O", 14, 4, True, 0), ("O", 10, 0, False, 0)],
    ),
    "false eyes in a row do not help each other": (".X.X.X.O...", [("X", 3, 3, False, 0), ("O", 1, 3, True, 0)]),
    "a tail must be connected when the dame is filled": (
        ".X.XOOO..\nXXX.XXO..\n...XO.O..\n...XOOO..",
        [("X", 9, 9, True, 1), ("O", 9, 8, True, 0)],
    ),
    "a dame that connects makes the repair needless": (
        ".X.XOOO..\nXXX.XXO..\n...X.OO..\n...XOOO..",
        [("X", 9, 9, True, 0), ("O", 9, 8, True, 0)],
    ),
    "chains around one region are one group": ("X.X\n...\nX.X", [("X", 4, 5, True, 0)]),
    "two common dame connect": (
        ".O.O.O.\nOOOOOOO\nXXX.XXX\n.XX.XX.",
        [("X", 10, 2, True, 0), ("O", 10, 4, True, 0)],
    ),
    "one common dame does not": (
        ".O.O.O.\nOOOOOOO\nXXX.XXX\n.XXOXX.",
        [("X", 5, 1, False, 0), ("X", 5, 1, False, 0), ("O", 1, 0, False, 0), ("O", 10, 4, True, 0)],
    ),
    "unless a stone there would be in atari": (
        ".O.O.O.\nOOOOOOO\nXXO.XXX\n.XX.XX.",
        [("X", 9, 2, True, 0), ("O", 11, 4, True, 0)],
    ),
}


@pytest.mark.parametrize("name", GROUPS)
def test_groups(name):
    text, wanted = GROUPS[name]
    assert groups(text) == wanted


@given(legal_positions())
def test_every_stone_is_in_one_group_with_its_chain(position):
    width, height, stones = position
    found = find_groups(width, height, stones)
    for color in (BLACK, WHITE):
        own = [group.stones for group in found if group.color == color]
        assert sorted(point for part in own for point in part) == [p for p, s in enumerate(stones) if s == color]
        for chain in chains(width, height, stones, color):
            assert sum(not part.isdisjoint(chain) for part in own) == 1
    owner = areas(width, height, stones)
    for group in found:
        assert all(owner[point] == group.color and stones[point] == EMPTY for point in group.territory)
        assert group.repairs <= group.territory


@given(legal_positions())
def test_unconditional_life_is_never_called_seki(position):
    width, height, stones = position
    for color in (BLACK, WHITE):
        living = unconditional_life(width, height, stones, color).stones
        for group in find_groups(width, height, stones):
            if group.color == color and group.stones & living:
                assert group.alive
