"""Strengths by rank: their names, their order, and play at the weakest."""

import itertools

import pytest
from support import ROOT

from engines.go.game import Game
from engines.go.levels import LEVELS, MAX_LEVEL, level_number
from engines.go.points import PASS
from engines.go.search import SearchPlayer
from engines.player import Limits


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        (str(MAX_LEVEL), MAX_LEVEL),
        ("30k", 1),
        ("30级", 1),
        ("29k", 1),
        ("28k", 2),
        ("17k", 7),
        ("16k", 8),
        ("15K", 9),
        ("8級", 16),
        (" 8k ", 16),
        ("1k", MAX_LEVEL - 1),
        ("1段", MAX_LEVEL),
        ("1d", MAX_LEVEL),
    ],
)
def test_levels_by_number_and_rank(text, number):
    assert level_number(text) == number


@pytest.mark.parametrize("text", ["", "0", "25", "31k", "0k", "2d", "k", "8x", "-3", "1.5", "８", "²"])
def test_what_is_no_level(text):
    with pytest.raises(ValueError, match="a level is a rank"):
        level_number(text)


def test_every_level_reads_more_and_guesses_less_than_the_one_below():
    for weaker, stronger in itertools.pairwise(LEVELS):
        assert (stronger.dan, -stronger.rank) > (weaker.dan, -weaker.rank)
        assert stronger.playouts is None or stronger.playouts >= weaker.playouts
        assert stronger.habit <= weaker.habit
    assert LEVELS[-1].playouts is None and LEVELS[-1].habit == 0
    assert LEVELS[0].name == "30级/30級" and LEVELS[-1].name == "1段"


def test_the_weakest_plays_legal_varied_and_repeatable_games():
    def moves(seed: int) -> list[int]:
        game, player = Game(5), SearchPlayer(level=1, seed=seed, resign=0)
        for _ in range(8):
            choice = player.choose(game, game.to_move, Limits())
            game.play_as(game.to_move, PASS if choice.action == "pass" else choice.move)
        return [point for _, point in game.moves]

    assert moves(1) == moves(1)
    assert len({tuple(moves(seed)) for seed in range(4)}) > 1


def test_a_weak_level_thinks_no_longer_than_a_strong_one():
    game = Game(19)
    choice = SearchPlayer(level=MAX_LEVEL - 1, move_time=0.05, seed=1).choose(game, game.to_move, Limits())
    assert choice.report.nodes < LEVELS[MAX_LEVEL - 2].playouts


def test_a_weak_level_does_not_ponder():
    game, player = Game(9), SearchPlayer(level=level_number("8k"), seed=1)
    player.ponder(game, game.to_move)  # comes back by itself
    choice = player.choose(game, game.to_move, Limits())
    assert choice.report.candidates[0].visits <= LEVELS[level_number("8k") - 1].playouts


def test_the_documentation_tells_the_levels_as_they_are():
    text = (ROOT / "docs/go-search.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines() if "级/" in line]
    told = {int(row[0]): row[1:] for row in rows if row[0].isdecimal()}
    for number, level in enumerate(LEVELS[:-1], 1):
        evenness = f", {level.evenness:g}" if level.evenness > 1 else ""
        habit = f"{100 * level.habit:g} %{evenness}" if level.habit else "none"
        assert told[number] == [level.name, f"{level.playouts:,}", habit]
    assert len(told) == MAX_LEVEL - 1
