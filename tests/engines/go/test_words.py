"""The words of Go: three diagrams where each holds and two where it nearly does; both colours, all eight ways round."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import DATA, PURE

from engines.go.board import Board
from engines.go.points import BLACK, EMPTY, PASS, WHITE, opponent
from engines.go.words import ORDER, TERMS, Scene, words_of

SIDE = 19
MARKS = {"X": BLACK, "O": WHITE, "L": WHITE}


def diagrams():
    """Word, number, whether it holds, and the rows of each diagram."""
    found = []
    for section in (DATA / "words" / "go.txt").read_text("utf-8").split("== ")[1:]:
        word, labels, *rows = [line for line in section.splitlines() if line.strip()]
        columns = list(zip(*(row.split() for row in rows), strict=True))
        for number, (label, column) in enumerate(zip(labels.split(), columns, strict=True), 1):
            found.append((word, number, label == "yes", column))
    return found


DIAGRAMS = diagrams()


def scene_of(rows):
    """The scene of a diagram: stones, move and the last move."""
    stones, move, last = bytearray(SIDE * SIDE), None, None
    for y, row in enumerate(reversed(rows)):
        for x, mark in enumerate(row):
            if mark == "*":
                move = y * SIDE + x
            elif mark != ".":
                stones[y * SIDE + x] = MARKS[mark]
                last = y * SIDE + x if mark == "L" else last
    return SIDE, SIDE, bytes(stones), BLACK, move, last


def turned(scene, way):
    """The scene turned and mirrored, in one of eight ways; from 8 on with the colours exchanged."""
    width, height, stones, color, move, last = scene
    swap, across, up, down = way >> 3, way & 1, way & 2, way & 4
    wide, high = (height, width) if across else (width, height)

    def to(point):
        if point is None or point == PASS:
            return point
        x, y = point % width, point // width
        x, y = (y, x) if across else (x, y)
        return (high - 1 - y if up else y) * wide + (wide - 1 - x if down else x)

    placed = bytearray(width * height)
    for point, stone in enumerate(stones):
        placed[to(point)] = opponent(stone) if swap and stone else stone
    return wide, high, bytes(placed), opponent(color) if swap else color, to(move), to(last)


@pytest.mark.parametrize(("word", "number", "holds", "rows"), DIAGRAMS, ids=lambda value: str(value)[:6])
def test_diagram(word, number, holds, rows):
    scene = scene_of(rows)
    for way in (0, 3, 13) if not PURE else (0,):
        assert (word in words_of(Scene(*turned(scene, way)))) == holds, way


def test_each_word_has_its_diagrams_and_names():
    assert set(ORDER) == set(TERMS)
    for word in ORDER:
        kinds = [holds for one, _, holds, _ in DIAGRAMS if one == word]
        assert kinds.count(True) >= 3 and kinds.count(False) >= 2, word


@settings(max_examples=20 if PURE else 60, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(4, 10), st.integers(4, 10))
def test_words_are_the_same_turned_mirrored_and_in_the_other_colour(random, width, height):
    board = Board(width, height)
    for _ in range(random.randrange(width * height * 2 // 3)):
        points = board.legal_points(board.to_move)
        board.play(board.to_move, random.choice(points) if points else PASS)
    points = board.legal_points(board.to_move)
    if not points:
        return
    last = board.last_move()
    scene = (width, height, board.stones(), board.to_move, random.choice(points), last[1] if last else None)
    told = words_of(Scene(*scene))
    for way in range(1, 16):
        assert words_of(Scene(*turned(scene, way))) == told


def test_more_telling_words_come_first():
    stones = bytearray(SIDE * SIDE)
    stones[3 * SIDE + 3] = WHITE
    assert words_of(Scene(SIDE, SIDE, bytes(stones), BLACK, 2 * SIDE + 5)) == ["挂", "低挂"]


def test_a_move_that_is_none_is_refused():
    with pytest.raises(ValueError, match="empty point"):
        Scene(3, 3, bytes([BLACK] + [EMPTY] * 8), WHITE, 0)
    with pytest.raises(ValueError, match="without liberties"):
        Scene(3, 3, bytes([0, 1, 0, 1, 0, 0, 0, 0, 0]), WHITE, 0)
