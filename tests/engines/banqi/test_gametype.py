"""Banqi, luoqi and sanguo as a match has them."""

import random

import pytest

from engines import games
from engines.banqi.records.own import read_pgn, referee
from engines.gametype import Decision, Opening, PlayedGame, Turn
from engines.timing import parse_control

GAMES = [
    ("banqi", "", {}),
    ("banqi", "hongkong-chariot", {"still": 40}),
    ("banqi", "taiwan-chain", {"repetition": "position"}),
    ("luoqi", "", {}),
    ("sanguo", "", {}),
    ("sanguo", "", {"board": "whole", "corners": 3, "scoring": "points"}),
]


def play(kind, opening, seed):
    found, source, turns = kind.begin(opening), random.Random(seed), []
    while found.ending() is None and len(turns) < 700:
        move = source.choice(found.game.legal_moves())
        turns.append(Turn(found.accept(Decision("move", move))))
    return found, turns


@pytest.mark.parametrize(("name", "rules", "options"), GAMES)
def test_a_game_is_begun_played_and_played_again(name, rules, options):
    kind = games.make(name, rules, options)
    opening = Opening(seed=5)
    found, turns = play(kind, opening, 3)
    again = kind.begin(opening)
    for turn in turns:
        again.play(turn.move)
    assert again.game.setup_text() == found.game.setup_text()
    assert again.ending() == found.ending()
    assert sum(found.ending().score_of(side, len(kind.sides)) for side in range(len(kind.sides))) == pytest.approx(1)


@pytest.mark.parametrize(("name", "rules", "options"), GAMES)
def test_a_record_is_read_back(name, rules, options):
    kind = games.make(name, rules, options)
    found, turns = play(kind, Opening(seed=8), 4)
    names = ("ann", "bob", "eve")[: len(kind.sides)]
    control = parse_control("none")
    text = kind.record_text(
        PlayedGame(names, Opening(seed=8), tuple(turns), found.ending(), control, 1, 1, 1, "2026-01-02"), ""
    )
    record = read_pgn(text)
    assert record.players == list(names)
    assert referee(record).moves == [turn.move for turn in turns]


@pytest.mark.parametrize(("name", "rules", "options"), GAMES)
def test_what_is_shown_is_what_everybody_may_see(name, rules, options):
    kind = games.make(name, rules, options)
    found, turns = play(kind, Opening(seed=2), 1)
    course = kind.course(Opening(seed=2), [turn.move for turn in turns])
    shown, last = course.after()
    assert shown == kind._standing(found.game)
    assert last
    other = kind.course(Opening(seed=3), [])
    assert other.start == course.start


@pytest.mark.parametrize("name", ["banqi", "sanguo"])
def test_the_seed_decides_the_deal(name):
    kind = games.make(name)
    assert kind.begin(Opening(seed=1)).game.deal.letters == kind.begin(Opening(seed=1)).game.deal.letters
    assert kind.begin(Opening(seed=1)).game.deal.letters != kind.begin(Opening(seed=2)).game.deal.letters


@pytest.mark.parametrize(
    ("name", "rules", "options"),
    [
        ("banqi", "chess", {}),
        ("banqi", "", {"still": -1}),
        ("sanguo", "x", {}),
        ("sanguo", "", {"corners": 5}),
        ("luoqi", "taiwan-dark-return", {}),
        ("banqi", "", {"komi": 3}),
    ],
)
def test_what_there_is_not_is_refused(name, rules, options):
    with pytest.raises(ValueError, match=r"\w"):
        games.make(name, rules, options)


def test_openings_from_a_file(tmp_path):
    kind = games.make("luoqi")
    file = tmp_path / "openings.txt"
    file.write_text("K@b3 k@c5\n\nstartpos moves K@a1\n")
    assert [one.moves for one in kind.read_openings(str(file), 0)] == [("K@b3", "k@c5"), ("K@a1",)]
    file.write_text("K@b3 K@c5\n")
    with pytest.raises(ValueError, match="line 1"):
        kind.read_openings(str(file), 0)
