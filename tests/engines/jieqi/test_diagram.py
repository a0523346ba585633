"""Diagrams: what lies face down looks so, and shows no more than the view knows."""

import xml.etree.ElementTree as ElementTree

from jieqi_cases import random_game

from engines.jieqi.deal import Deal
from engines.jieqi.diagram import jieqi_board, picture, standing, terminal
from engines.jieqi.game import Game

START = """\
    a  b  c  d  e  f  g  h  i
9  (r)(n)(b)(a) k (a)(b)(n)(r)
8   ·  ·  ·  ·  ·  ·  ·  ·  ·
7   · (c) ·  ·  ·  ·  · (c) ·
6  (p) · (p) · (p) · (p) · (p)
5   ·  ·  ·  ·  ·  ·  ·  ·  ·

4   ·  ·  ·  ·  ·  ·  ·  ·  ·
3  [P] · [P] · [P] · [P] · [P]
2   · [C] ·  ·  ·  ·  · [C] ·
1   ·  ·  ·  ·  ·  ·  ·  ·  ·
0  [R][N][B][A] K [A][B][N][R]
Red unseen: A2 B2 N2 R2 C2 P5
Black unseen: A2 B2 N2 R2 C2 P5
"""


def test_the_start_in_the_terminal():
    assert terminal(Game("jieqi", seed=1).observe(0)) == START
    assert "(馬)" in terminal(Game("jieqi", seed=1).observe(0), "traditional")
    assert "\x1b[31m[P]\x1b[0m" in terminal(Game("jieqi", seed=1).observe(0), color=True)
    lines = terminal(Game("jieqi", seed=1).observe(0), flipped=True).splitlines()
    assert lines[0].split() == list("ihgfedcba") and lines[1].startswith("0")


def test_a_picture_refers_to_symbols_that_there_are():
    for form in ("jieqi", "fanqi9", "fanqi10"):
        for seed in range(4):
            view = random_game(form, seed, 40).observe(0)
            root = ElementTree.fromstring(picture(view, title="A game"))
            names = {node.get("id") for node in root.iter() if node.get("id")}
            used = {node.get("href") for node in root.iter() if node.get("href")}
            assert {name.removeprefix("#") for name in used} <= names
            assert set(standing(view.points).values()) <= set(jieqi_board().symbols)


def test_deals_alike_look_alike():
    deal = Deal.shuffled("jieqi", 1)
    other = Deal.shuffled("jieqi", 2)
    one, two = (Game("jieqi", deal=each).observe(1) for each in (deal, other))
    assert picture(one) == picture(two) and terminal(one) == terminal(two)


def test_an_owner_sees_its_own_layout():
    game = Game("fanqi9", seed=3)
    letters = game.deal.letters(0)
    assert f"={letters[0]}]" in terminal(game.observe(0))
    assert "=" not in terminal(game.observe(None))
