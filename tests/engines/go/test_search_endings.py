"""No won game is given away at its end: neither by a pass with borders open, nor by resigning on few playouts."""

import pytest

from engines.go.game import Game
from engines.go.levels import level_number
from engines.go.points import BLACK, PASS, WHITE
from engines.go.search import SearchPlayer
from engines.go.vertex import parse_vertex
from engines.player import Limits


def played(moves: str, size: int = 9) -> Game:
    """The game after moves told as ``b E5 w C3 …``."""
    game, words = Game(size, komi=7.5), moves.split()
    for color, vertex in zip(words[::2], words[1::2], strict=True):
        point = PASS if vertex == "pass" else parse_vertex(vertex, size, size)
        game.play_as(BLACK if color == "b" else WHITE, point)
    return game


OPEN_BORDERS = {
    "answering White, right and left": "b G7 w D5 b C3 w D3 b D4 w E4 b C4 w C2 b D2 w E3 b B2 w H6 b G6 w G5 b F5 w "
    "E5 b G4 w H5 b H4 w F6 b F4 w H7 b G8 w H8 b E6 w F7 b F8 w E7 b D7 w E8 b "
    "D6 w D8 b C8 w F9 b D9 w G9 b C5 w E2 b C1 w G3 b H3 w G2 b F3 w F2 b D1 w "
    "H2 b pass",
    "answering Black, all over": "b E6 w D5 b E3 w D6 b B2 w D2 b C2 w G3 b D3 w D7 b G2 w C1 b B6 w H5 b C6 w "
    "H8 b F8 w G8 b H7 w J6 b F3 w F7 b F4 w H4 b C3 w C5 b E7 w B7 b C7 w E4 b "
    "E5 w D4 b G9 w H6 b J1 w A6 b G7 w F9 b C9 w F2 b A1 w H1 b J4 w H9 b E2 w "
    "H3 b A2 w G6 b F5 w F6 b E8 w J5 b A3 w A4 b C4 w A5 b B4 w G5 b A7 w pass",
    "first, on a half-empty board": "b F5 w G3 b F3 w F2 b E3 w G4 b G5 w F4 b E4 w E5 b E6 w D5 b D6 w C5 b C6 w "
    "C3 b B5 w B4 b B6 w E2 b H4 w H3 b A5 w H5 b H6 w J4 b J6 w B2 b pass w H8 b "
    "G7",
}


@pytest.mark.compiled
@pytest.mark.parametrize("moves", OPEN_BORDERS.values(), ids=OPEN_BORDERS)
@pytest.mark.parametrize("playouts", [400, 3000])
def test_no_pass_where_playing_on_wins_and_the_count_loses(moves, playouts):
    game = played(moves)
    choice = SearchPlayer(seed=1).choose(game, game.to_move, Limits(nodes=playouts))
    assert choice.action == "move"
    assert choice.report.candidates[0].winrate > 0.9


@pytest.mark.compiled
@pytest.mark.parametrize("rank", ["30k", "18k", "14k"])
def test_weak_levels_resign_only_what_is_lost(rank):
    resigned = 0
    for seed in range(1, 16):
        game = Game(9, komi=7.5)
        player = SearchPlayer(level=level_number(rank), seed=seed)
        while game.ending is None and game.board.turns < 120:
            choice = player.choose(game, game.to_move, Limits())
            if choice.action == "resign":
                resigned += 1
                judge = SearchPlayer(seed=1, resign=0).choose(game, game.to_move, Limits(nodes=1000, infinite=True))
                assert judge.report.candidates[0].winrate < 0.25, (seed, game.board.turns)
                break
            game.play_as(game.to_move, PASS if choice.action == "pass" else choice.move)
    assert resigned
