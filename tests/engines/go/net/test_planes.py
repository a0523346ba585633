"""What the net sees of a position."""

import random
import zlib
from array import array

import pytest
from support import PURE

from engines.go.board import Board
from engines.go.net.planes import NUMBER_OF_GLOBALS, NUMBER_OF_PLANES, Planes, globals_of
from engines.go.points import BLACK, PASS, WHITE, opponent

AHEAD = (BLACK, WHITE)


def planes(board, color):
    """By plane the rows from the top."""
    points = board.width * board.height
    out = array("f", [9.0] * (NUMBER_OF_PLANES * points))
    Planes(board.width, board.height).of(board, color, out)
    assert set(out) <= {0.0, 1.0}
    return [[int(value) for value in out[k * points : (k + 1) * points]] for k in range(NUMBER_OF_PLANES)]


def shown(board, color, plane):
    """The plain points that a plane marks."""
    width, height = board.width, board.height
    return {
        (height - 1 - at // width) * width + at % width for at, value in enumerate(planes(board, color)[plane]) if value
    }


def random_board(width, height, seed, moves, turn=lambda x, y: (x, y), turned=None):
    """A board after random legal moves, each played as ``turn`` says on a board of the size ``turned`` too."""
    chance = random.Random(seed)
    board = Board(width, height, "simple", False)
    other = Board(*(turned or (width, height)), "simple", False)  # type: ignore[call-arg]
    color = BLACK
    for _ in range(moves):
        legal = board.legal_points(color)
        point = chance.choice(legal) if legal and chance.random() < 0.95 else PASS
        board.play(color, point)
        if point == PASS:
            other.play(color, PASS)
        else:
            x, y = turn(point % width, point // width)
            other.play(color, y * other.width + x)
        color = opponent(color)
    return board, other, color


@pytest.mark.parametrize("color", AHEAD)
def test_stones_of_both_sides(color):
    board = Board(3, 2, "simple", False)
    board.play(BLACK, 0)
    board.play(WHITE, 5)
    own, other = (0, 5) if color == BLACK else (5, 0)
    assert shown(board, color, 0) == set(range(6))
    assert shown(board, color, 1) == {own}
    assert shown(board, color, 2) == {other}
    assert planes(board, BLACK)[1] == [0, 0, 0, 1, 0, 0]  # rows from the top


def test_liberties():
    board = Board(5, 5, "simple", False)
    for color, point in ((BLACK, 0), (WHITE, 1), (WHITE, 12), (BLACK, 4), (BLACK, 2)):
        board.play(color, point)
    assert shown(board, BLACK, 3) == {0, 1}
    assert shown(board, BLACK, 4) == {2, 4}
    assert shown(board, BLACK, 5) == set()  # the stone in the middle has four
    board.play(BLACK, 13)
    assert shown(board, BLACK, 5) == {12, 13}


def test_moves_not_allowed():
    board = Board(3, 1, "positional", False)
    board.play(BLACK, 1)
    assert shown(board, WHITE, 6) == {0, 2}  # suicide
    assert shown(board, BLACK, 6) == set()


def test_a_ko_and_a_superko():
    rows = [". X O .", "X O . O", ". X O .", ". . . ."]
    board = Board(4, 4, "positional", False)
    position = bytearray(16)
    for y, row in enumerate(reversed(rows)):
        for x, letter in enumerate(row.split()):
            position[y * 4 + x] = {"X": BLACK, "O": WHITE}.get(letter, 0)
    board.set_position(bytes(position), BLACK)
    board.play(BLACK, 10)  # takes the stone in the middle of the second row
    assert board.at(9) == 0
    assert 9 in shown(board, WHITE, 6)
    board.play(WHITE, PASS)
    board.play(BLACK, PASS)
    assert 9 in shown(board, WHITE, 6)  # by superko still


def test_recent_moves_the_latest_first():
    board = Board(5, 5, "simple", False)
    moves = [0, 1, 2, PASS, 3, 4, 5]
    color = BLACK
    for point in moves:
        board.play(color, point)
        color = opponent(color)
    assert [shown(board, color, 7 + k) for k in range(5)] == [{5}, {4}, {3}, set(), {2}]


def test_a_ladder():
    """A white stone with two liberties and nothing in the way is taken, and both ways to begin are known."""
    board = Board(9, 9, "simple", False)
    for color, point in ((BLACK, 19), (WHITE, 20), (BLACK, 11), (BLACK, 28)):
        board.play(color, point)
    assert board.liberty_count(20) == 2
    assert shown(board, BLACK, 12) >= {20}
    assert shown(board, BLACK, 14) <= {21, 29}
    assert shown(board, BLACK, 14)
    assert shown(board, WHITE, 14) == set()
    board.play(WHITE, 51)  # breaks it one way or the other
    board.play(WHITE, 25)
    assert 20 not in shown(board, BLACK, 12)


def test_a_stone_in_atari_for_good():
    board = Board(5, 5, "simple", False)
    board.play(WHITE, 0)
    board.play(BLACK, 1)
    board.play(BLACK, 6)
    assert shown(board, BLACK, 13) == {0}
    assert shown(board, BLACK, 14) == {5}
    assert shown(board, WHITE, 13) == {0}


SYMMETRIES = [
    lambda x, y, w, h: (w - 1 - x, y),
    lambda x, y, w, h: (x, h - 1 - y),
    lambda x, y, w, h: (y, x),
    lambda x, y, w, h: (h - 1 - y, x),
]


@pytest.mark.parametrize("symmetry", range(4))
@pytest.mark.parametrize(("width", "height"), [(5, 5)] if PURE else [(5, 5), (7, 4), (2, 9)])
def test_a_turned_board_has_turned_planes(width, height, symmetry):
    def turn(x, y):
        return SYMMETRIES[symmetry](x, y, width, height)

    size = (height, width) if symmetry > 1 else (width, height)
    for seed in range(1, 2 if PURE else 12):
        board, other, color = random_board(width, height, seed, 3 + 3 * seed, turn, size)
        for plane in range(12):
            expected = set()
            for point in shown(board, color, plane):
                x, y = turn(point % width, point // width)
                expected.add(y * size[0] + x)
            assert shown(other, color, plane) == expected, plane


@pytest.mark.parametrize(
    ("size", "moves", "sum_of_all"), [(9, 40, 2589930696), (7, 60, 937644736), (13, 60, 1818249426)]
)
def test_compiled_and_uncompiled_see_the_same(size, moves, sum_of_all):
    board, _, color = random_board(size, size, 3, moves)
    assert zlib.crc32(bytes(value for plane in planes(board, color) for value in plane)) == sum_of_all


def test_the_board_is_left_alone():
    board, _, color = random_board(9, 9, 1, 40)
    before = (board.stones(), board.hash_value, board.turns)
    assert planes(board, color) == planes(board, color)
    assert (board.stones(), board.hash_value, board.turns) == before


@pytest.mark.parametrize("size", [(9, 8), (8, 9), (19, 19)])
def test_another_size_is_refused(size):
    with pytest.raises(ValueError, match="another size"):
        Planes(9, 9).of(Board(*size), BLACK, array("f", [0.0] * 20000))


def test_a_small_buffer_is_refused():
    with pytest.raises(ValueError, match="too small"):
        Planes(9, 9).of(Board(9, 9), BLACK, array("f", [0.0] * (NUMBER_OF_PLANES * 81 - 1)))


def numbers(**changes):
    given = {
        "lead": 7.5,
        "area": 81,
        "territory": False,
        "last_passed": False,
        "before_passed": False,
        "suicide": False,
    }
    return globals_of(**{**given, **changes})


def test_numbers():
    assert len(numbers()) == NUMBER_OF_GLOBALS
    assert numbers(lead=-7.5)[0] == -0.375
    assert numbers(lead=900.0)[0] == 10.0
    assert numbers(lead=-900.0)[0] == -10.0
    assert numbers(territory=True)[1] == 1.0
    assert numbers(last_passed=True)[2:4] == [1.0, 0.0]
    assert numbers(before_passed=True)[2:4] == [0.0, 1.0]
    assert numbers(area=196)[4] == 0.0
    assert numbers(area=361)[4] == 0.5
    assert numbers(suicide=True)[5] == 1.0


@pytest.mark.parametrize(("lead", "wave", "half"), [(7.0, 0.0, 0.0), (6.0, 1.0, 0.0), (6.5, 0.5, 1.0), (7.5, 0.5, 1.0)])
@pytest.mark.parametrize("sign", [1, -1])
def test_margins_that_can_be(lead, wave, half, sign):
    """On an odd board an even lead can't be made even; half points need no such telling."""
    assert numbers(lead=sign * lead)[6:] == [pytest.approx(wave), pytest.approx(half)]
    assert numbers(lead=sign * lead, territory=True)[6:] == [0.0, 0.0]
