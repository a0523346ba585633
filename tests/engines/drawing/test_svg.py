"""Boards as SVG: whole, well-formed, and the same as they were (golden pictures in tests/data/drawing)."""

import os
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from support import DATA

from engines.go import diagram as go
from engines.xiangqi import diagram as xiangqi
from engines.xiangqi.fen import START_FEN

GO = go.standing([1, 0, 0, 0, 2, 0, 0, 0, 1])
PICTURES = {
    "go-3x3": lambda: go.go_board(3, 3).picture(GO, (8,), "three stones"),
    "go-5x4-plain": lambda: go.go_board(5, 4, coordinates=False).picture({0: "b", 19: "w"}),
    "xiangqi-start": lambda: xiangqi.xiangqi_board().picture(xiangqi.standing(START_FEN), (), "the start"),
    "xiangqi-flipped": lambda: xiangqi.xiangqi_board("simplified", "chinese", True).picture({4: "K", 85: "k"}, (4, 13)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_golden(name):
    """QIQIAO_GOLDEN=1 writes the pictures anew: look at them before you commit."""
    path = Path(DATA) / "drawing" / f"{name}.svg"
    drawn = PICTURES[name]()
    if os.environ.get("QIQIAO_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(drawn + "\n", "utf-8")
    assert drawn == path.read_text("utf-8").rstrip("\n")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_whole_and_needs_nothing(name):
    text = PICTURES[name]()
    root = ElementTree.fromstring(text)
    ids = {element.get("id") for element in root.iter()} - {None}
    assert {use.get("href")[1:] for use in root.iter("{http://www.w3.org/2000/svg}use")} <= ids
    assert set(re.findall(r"url\(#([^)]+)\)", text)) <= ids
    assert "<text" not in text and "font" not in text


@pytest.mark.parametrize("board", [go.go_board(19, 19), go.go_board(2, 25, False), xiangqi.xiangqi_board()])
def test_stones_and_marks_at_the_edge_are_whole(board):
    reach = board.ring + 2
    for x, y in board.places:
        for distance in (reach, 20):
            assert distance <= x <= board.width - distance and distance <= y <= board.height - distance


def test_the_sides_of_xiangqi_differ_without_colour():
    """Also where the characters are alike on both sides, as in simplified script."""
    for script, faces in xiangqi.FACES.items():
        symbols = xiangqi.xiangqi_board(script).symbols
        for letter in "KABNRCP":
            red, black = (re.sub(r'(stroke|fill)="#[0-9a-f]+"', "", symbols[one]) for one in (letter, letter.lower()))
            assert red.count("<circle") != black.count("<circle")
            if script == "traditional":
                assert faces[letter] != faces[letter.lower()]


def test_a_flipped_board_has_red_above():
    upright, flipped = xiangqi.xiangqi_board(), xiangqi.xiangqi_board(flipped=True)
    assert upright.places[0][1] > upright.places[89][1] and flipped.places[0][1] < flipped.places[89][1]
    assert flipped.places == upright.places[::-1]


def test_a_position_is_drawn_by_symbols():
    drawn = go.go_board(3, 3).position(GO, (4,))
    assert drawn.count("#go3x3-b") == 2 and drawn.count("#go3x3-w") == drawn.count("#go3x3-last") == 1


@pytest.mark.parametrize(
    ("size", "count"), [((19, 19), 9), ((13, 13), 9), ((9, 9), 5), ((5, 5), 1), ((6, 6), 0), ((19, 9), 5)]
)
def test_star_points(size, count):
    assert len(go.star_points(*size)) == count


def test_titles_are_escaped():
    assert "&lt;b&gt;" in go.go_board(3, 3).picture({}, (), '<b>"')
