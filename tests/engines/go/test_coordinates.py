"""Points in every way people name them: the pages' examples, and there and back on boards of any size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.go.coordinates import SYSTEMS, file_label, numeral, rank_label, read_point, write_point
from engines.go.points import PASS

EXAMPLES = [
    # point of 19×19, and its name in each of SYSTEMS
    (3 * 19 + 3, ("D4", "dp", "D4", "dd", "c(4,4)", "4十六", "D4")),
    (9 * 19 + 9, ("K10", "jj", "J10", "jj", "(0,0)", "10十", "K10")),
    (15 * 19 + 15, ("Q16", "pd", "P16", "pp", "a(4,4)", "16四", "Q16")),
    (16 * 19 + 16, ("R17", "qc", "Q17", "qq", "a(3,3)", "17三", "R17")),
    (15 * 19 + 9, ("K16", "jd", "J16", "jp", "上(0,4)", "10四", "K16")),
    (9 * 19 + 3, ("D10", "dj", "D10", "dj", "左(4,0)", "4十", "D10")),
    (2 * 19 + 9, ("K3", "jq", "J3", "jc", "下(0,3)", "10十七", "K3")),
    (9 * 19 + 18, ("T10", "sj", "S10", "sj", "右(1,0)", "19十", "T10")),
    (17 * 19 + 2, ("C18", "cb", "C18", "cr", "b(3,2)", "3二", "C18")),
    (1 * 19 + 14, ("P2", "or", "O2", "ob", "d(5,2)", "15十八", "P2")),
]


@pytest.mark.parametrize(("point", "names"), EXAMPLES)
def test_examples_both_ways(point, names):
    assert tuple(write_point(point, 19, 19, system) for system in SYSTEMS) == names
    assert [read_point(name, 19, 19, system) for name, system in zip(names, SYSTEMS, strict=True)] == [point] * 7


@given(st.integers(1, 25), st.integers(1, 25), st.data())
def test_there_and_back_on_any_board(width, height, data):
    point = data.draw(st.integers(0, width * height - 1))
    for system in SYSTEMS:
        assert read_point(write_point(point, width, height, system), width, height, system) == point


@pytest.mark.parametrize(
    ("text", "system", "point"),
    [
        ("d4", None, 60),
        ("Ｄ４", None, 60),
        ("I4", None, 3 * 19 + 8),
        ("c（4，4）", None, 60),
        ("( 0, 0 )", None, 180),
        ("十六4", None, 60),
        ("dp", None, 60),
        ("pass", "target", PASS),
        ("", "sgf", PASS),
        ("tt", "sgf", PASS),
    ],
)
def test_forms_that_people_write(text, system, point):
    assert read_point(text, 19, 19, system) == point


@pytest.mark.parametrize(
    ("text", "system"),
    [
        *[("I4", "gtp"), ("I4", "ing"), ("D20", "gtp"), ("T1", "letters"), ("tt", "two-letter"), ("a(10,1)", "target")],
        *[("上(1,4)", "target"), ("(4,4)", "target"), ("a(0,4)", "target"), ("20一", "chinese"), ("4二十", "chinese")],
        *[("", None), ("D", None), ("D4", "sgf"), ("D4", "Japanese")],
    ],
)
def test_what_names_no_point_is_refused(text, system):
    with pytest.raises(ValueError, match=r"is no point of|no coordinates"):
        read_point(text, 19, 19, system)


def test_a_board_of_even_sides_has_no_middle_lines():
    assert {write_point(point, 4, 4, "target")[0] for point in range(16)} == set("abcd")


def test_labels_are_the_parts_of_the_names():
    assert [numeral(number) for number in (1, 10, 11, 19, 20, 25)] == ["一", "十", "十一", "十九", "二十", "二十五"]
    assert [file_label(9, 19, system) for system in SYSTEMS] == ["K", "j", "J", "j", "0", "10", "K"]
    assert [rank_label(3, 19, system) for system in SYSTEMS] == ["4", "p", "4", "d", "4", "十六", "4"]


def test_a_point_off_the_board_has_no_name():
    with pytest.raises(ValueError, match="off the"):
        write_point(81, 9, 9)
