"""The command line of ``qiqiao board``."""

import argparse

import pytest

from engines.clock import TimeControl
from engines.go.levels import MAX_LEVEL, level_number
from protocols.commands import board as board_command
from protocols.sensor.reading import Geometry, Hello, State, Status


def parsed(*options):
    """The arguments of ``qiqiao board``."""
    parser = argparse.ArgumentParser()
    board_command.add_arguments(parser)
    return parser.parse_args(["board", *options])


@pytest.mark.parametrize("result,over", [("?", ""), ("B+R", "B+R"), ("", "")])
def test_go_resume_result(tmp_path, result, over):
    path = tmp_path / "game.sgf"
    path.write_text(f"(;SZ[9]RE[{result}];B[ee])")
    assert board_command._begin(parsed("--game", "go", "--resume", str(path)))[2] == over


GAME = '[Game "Chinese Chess"]\n[Result "*"]\n\n1. 炮二平五 *\n'


def test_xiangqi_resume_refuses_several_games(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(f'{GAME}\n[Game "Chinese Chess"]\n[Result "1-0"]\n\n1. 马二进三 1-0\n')
    with pytest.raises(ValueError, match="holds 2 games"):
        board_command._begin(parsed("--game", "xiangqi", "--resume", str(path)))


@pytest.mark.parametrize(
    "options,control",
    [
        ("", None),
        ("--time 30", TimeControl.absolute(1800)),
        ("--time 30 --increment 10", TimeControl.fischer(1800, 10)),
        ("--byoyomi 30", TimeControl.byoyomi(0, 30, 5)),
        ("--time 1 --byoyomi 30 --periods 3", TimeControl.byoyomi(60, 30, 3)),
    ],
)
def test_clock_options(options, control):
    assert board_command._control(parsed("--game", "go", *options.split())) == control


@pytest.mark.parametrize(
    "options,error",
    [
        ("--increment 10", "--increment needs --time"),
        ("--increment 10 --byoyomi 30", "--increment needs --time"),
        ("--time 1 --increment 10 --byoyomi 30", "name one"),
        ("--periods 3", "--periods needs --byoyomi"),
        ("--time 1 --periods 3", "--periods needs --byoyomi"),
    ],
)
def test_clock_options_that_do_not_go_together(options, error):
    with pytest.raises(ValueError, match=error):
        board_command._control(parsed("--game", "go", *options.split()))


@pytest.mark.parametrize(
    "options,komi", [([], 7.5), (["--handicap", "2"], 0.5), (["--handicap", "2", "--komi", "3"], 3.0)]
)
def test_handicap_has_its_own_komi(options, komi):
    game, kept, result = board_command._begin(parsed("--game", "go", *options))
    assert (game.komi, kept, result) == (komi, None, "")


class Said:
    """A connection that says these things, and then nothing."""

    def __init__(self, *events):
        self.events = list(events)
        self.hello = None

    def get(self, timeout=None):
        return self.events.pop(0) if self.events else None


def hello(width, height):
    return Hello("fake", Geometry(width, height), "pol")


@pytest.mark.parametrize(
    "options,board,game,size",
    [
        ("", hello(9, 10), "xiangqi", (9, 10)),
        ("", hello(13, 13), "go", (13, 13)),
        ("--game go", hello(9, 9), "go", (9, 9)),
        ("--game go --size 19", None, "go", (19, 19)),
        ("--size 13", None, "go", (13, 13)),
        ("--game xiangqi", None, "xiangqi", (9, 10)),
        ("--resume old.pgn", None, "xiangqi", (9, 10)),
        ("--resume old.sgf", None, "go", (19, 19)),
    ],
)
def test_game_and_size_are_the_boards_own_where_they_are_not_named(options, board, game, size):
    arguments, said = parsed(*options.split()), []
    early = board_command.Early(Said(*([board] if board else [])))
    assert board_command._size(arguments, early, said.append) == size and arguments.game == game


def test_what_a_board_said_before_the_game_is_heard_in_it_too():
    lost = Status(State.NO_PERMISSION, "join the group", 0.0)
    early, said = board_command.Early(Said(lost, None, hello(9, 9), "reading")), []
    assert early.meet(said.append).geometry == Geometry(9, 9)
    assert "join the group" in said[0] and "waiting" in said[1]
    assert [early.get(), early.get()] == [hello(9, 9), "reading"]


@pytest.mark.parametrize(
    "options,level",
    [
        ("--game go --level 15k", level_number("15k")),
        ("--game go --level 7", 7),
        ("--game go", MAX_LEVEL),
        ("--game xiangqi --level 3", 3),
        ("--game xiangqi", 20),
    ],
)
def test_level_of_the_built_in_opponent(options, level):
    assert board_command._level(parsed(*options.split())) == level


@pytest.mark.parametrize(
    "options,error",
    [
        ("--game xiangqi --level 15k", "0 to 20"),
        ("--game go --level 99k", "level|rank"),
        ("--game go --level 3 --opponent none", "--level is for"),
        ("--game go --opponent search:--nonsense", "opponent"),
        ("--game go --opponent gtp:/no/such/program", "opponent"),
        ("--game xiangqi --opponent uci:/no/such/program", "opponent"),
    ],
)
def test_opponent_that_cannot_play_is_refused_before_the_game(options, error):
    arguments = parsed(*options.split())
    game = board_command._begin(arguments, (9, 9))[0]
    with pytest.raises(ValueError, match=error):
        board_command._try(board_command._opponent(arguments, (9, 9)), game)


def test_search_with_arguments_is_an_opponent():
    arguments = parsed("--game", "go", "--opponent", "search:--level 5")
    game = board_command._begin(arguments, (9, 9))[0]
    opponent = board_command._opponent(arguments, (9, 9))
    try:
        board_command._try(opponent, game)
        assert opponent.running.engine_name.lower().startswith("qiqiao")
    finally:
        opponent.close()
