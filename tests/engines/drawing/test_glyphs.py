"""Characters as strokes: inside their squares, and none missing that a board needs."""

import re

import pytest

from engines.drawing import glyphs

EVERY = (
    "帥仕相俥傌炮兵將士象車馬砲卒帅车马将楚河漢汉界一二三四五六七八九十0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi"
)


@pytest.mark.parametrize("character", EVERY)
def test_a_character_stays_in_its_square(character):
    assert glyphs.known(character)
    numbers = [float(number) for number in re.findall(r"-?[0-9.]+", glyphs.path(character, 50, 50, 100))]
    assert len(numbers) >= 4
    xs, ys = numbers[::2], numbers[1::2]
    below = 120 if character == "g" else 100
    assert min(xs) >= 0 and max(xs) <= 100 and min(ys) >= 0 and max(ys) <= below
    assert max(ys) - min(ys) > 30 or character in "一"


def test_no_two_characters_look_alike():
    drawn = [glyphs.path(character, 0, 0, 100) for character in EVERY]
    assert len(set(drawn)) == len(EVERY)


def test_a_text_is_centred_and_scaled():
    numbers = [float(number) for number in re.findall(r"-?[0-9.]+", glyphs.path("二二", 200, 100, 20))]
    assert min(numbers[::2]) == 200 - 20 + 20 * 0.06 and max(numbers[::2]) == 200 + 20 * 0.94
    assert glyphs.width("二二") == 200 and glyphs.width("10") == 140


def test_an_unknown_character_is_known_to_be_unknown():
    assert not glyphs.known("鱻")
    with pytest.raises(KeyError):
        glyphs.path("鱻", 0, 0, 10)
