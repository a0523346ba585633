"""The command line of ``qiqiao board``."""

import argparse

import pytest

from engines.clock import TimeControl
from protocols.sensor import board_command


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
