"""The simulated board as a process: reached, moved by commands, broken and mended."""

import os
import subprocess
import sys
import time

import pytest
from sensor_bench import take
from support import ROOT

from protocols.sensor.codecs.boards import board_spec
from protocols.sensor.links.connection import Connection
from protocols.sensor.reading import Button, Reading, State, Status

pytestmark = pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no pseudo-terminals")


class Simulated:
    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "scripts" / "simulate_board.py"), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        line = self.process.stdout.readline()
        assert line.startswith("board at "), line
        self.url = line.removeprefix("board at ").strip()

    def tell(self, *commands):
        self.process.stdin.write("".join(command + "\n" for command in commands))
        self.process.stdin.flush()

    def close(self):
        self.tell("quit")
        assert self.process.wait(10) == 0
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture
def simulate():
    made = []

    def make(*arguments):
        made.append(Simulated(*arguments))
        return made[-1]

    yield make
    for simulated in made:
        simulated.close()


@pytest.fixture
def connect():
    made = []

    def make(url, **given):
        made.append(Connection(board_spec(url, **given), ports=lambda: [], hurry=20.0))
        return made[-1]

    yield make
    for connection in made:
        connection.close()


def shows(*points):
    """A reading in which these points have something, and no others."""
    return lambda event: (
        isinstance(event, Reading)
        and [point for point, value in enumerate(event.points) if value != "."] == list(points)
    )


def is_state(state):
    return lambda event: isinstance(event, Status) and event.state is state


def test_qsb(simulate, connect, tmp_path):
    simulated = simulate("--size", "9x10", "--link", str(tmp_path / "board"), "--settle", "5")
    board = connect(simulated.url)
    take(board, shows())
    simulated.tell("put 3 X", "put 9,10 O")
    take(board, shows(3, 89))
    simulated.tell("slide 3 4 5 6")
    take(board, shows(6, 89))
    simulated.tell("press pass")
    take(board, lambda event: isinstance(event, Button))
    simulated.tell("unplug 0.2", "lift 89")
    take(board, is_state(State.LOST))
    take(board, shows(6))
    simulated.tell("reset", "garbage 100", "skip", "repeat", "put 1 X")
    take(board, shows(1, 6))
    simulated.tell("cut 5", "lift 1", "plug")
    take(board, shows(6))


def test_saiboard(simulate, connect):
    simulated = simulate("--board", "saiboard")
    assert simulated.url.startswith("socket://")
    board = connect(simulated.url.replace("socket", "saiboard"))
    take(board, shows(), 20.0)
    simulated.tell("put 1,1 X", "put 19,19 O")
    take(board, shows(0, 360))
    simulated.tell("hand on")
    take(board, lambda event: isinstance(event, Reading) and event.hand)


@pytest.mark.parametrize("name", ["echess", "letters"])
def test_described(simulate, connect, name):
    file = str(ROOT / "docs" / "boards" / f"{name}.toml")
    simulated = simulate("--board", "described", "--describe", file, "--settle", "5")
    board = connect(simulated.url, describe=file)
    time.sleep(0.5)
    simulated.tell("put 5 X")
    take(board, shows(5))
    time.sleep(0.15)
    simulated.tell("put 6 O")
    take(board, shows(5, 6))


def test_wrong_commands_are_answered(simulate):
    simulated = simulate("--size", "5")
    for command in ("dance", "put 99 X", "put 1", "put 3 Z", "fill XX", "cut", "put 6,1 X"):
        simulated.tell(command)
        assert simulated.process.stdout.readline().startswith("? ")
    simulated.tell("put 1 X", "show")
    assert simulated.process.stdout.readline() == ".X...\n"


def test_wrong_description(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text("[board]")
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "simulate_board.py"), "--board", "described", "--describe", str(path)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 2 and "board.columns" in done.stderr
