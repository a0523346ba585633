"""The server with the built-in search, as a process: whole games, repeatable play, time, memory."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engines.clock import Clock, TimeControl
from engines.go.game import Game
from engines.go.points import BLACK
from engines.player import Limits
from protocols.gtp.options import Options
from protocols.gtp.players import LateSearch

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.compiled


@pytest.fixture
def qiqiao():
    children = []

    def start(*arguments, **options):
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        child = subprocess.Popen(
            [sys.executable, "-m", "qiqiao", "gtp", "--size", "9", *arguments],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            text=True,
            **options,
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout, child.stderr):
            pipe.close()


def ask(child, line):
    child.stdin.write(line + "\n")
    child.stdin.flush()
    lines = []
    while (text := child.stdout.readline()) != "\n":
        assert text, f"the process ended after {line}"
        lines.append(text)
    return "".join(lines).rstrip("\n")


def test_the_same_seed_plays_the_same_game_though_all_is_sent_at_once(tmp_path):
    """From a file: through a pipe the waiting quit would cut short what a busy machine has not done in time."""
    script = tmp_path / "lines.gtp"
    script.write_text("\n".join(f"genmove {'bw'[number % 2]}" for number in range(12)) + "\nquit\n")

    def play(seed):
        command = [sys.executable, "-m", "qiqiao", "gtp", "--size", "9", "--playouts", "100", "--seed", seed]
        with script.open() as lines:
            return subprocess.run(command, stdin=lines, capture_output=True, text=True, cwd=ROOT, timeout=120).stdout

    outputs = [play("7") for _ in range(2)]
    assert outputs[0] == outputs[1]
    assert len(re.findall(r"^= [A-J][1-9]$", outputs[0], re.MULTILINE)) == 12
    assert play("8") != outputs[0]


def test_a_regression_move_is_the_same_whatever_went_before(qiqiao):
    child = qiqiao("--playouts", "200", "--seed", "1")
    first = ask(child, "reg_genmove b")
    ask(child, "genmove w")
    ask(child, "undo")
    assert ask(child, "reg_genmove b") == first


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese", "japanese"])
def test_a_whole_game_with_itself(rules, qiqiao):
    child = qiqiao("--playouts", "60", "--seed", "3", "--rules", rules, "--resign", "0")
    passes, color = 0, "b"
    for _ in range(400):
        move = ask(child, f"genmove {color}")
        assert re.fullmatch(r"= ([A-J][1-9]|pass)", move)
        passes = passes + 1 if move == "= pass" else 0
        if passes == 2:
            break
        color = "w" if color == "b" else "b"
    assert passes == 2
    assert re.fullmatch(r"= ([BW]\+[0-9.]+|0)", ask(child, "final_score"))
    assert ask(child, "quit") == "= "
    assert child.wait(timeout=10) == 0


def processor_seconds(child):
    """What a child has had of the processors so far, start-up included."""
    words = Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks Linux what a process has used")
def test_a_short_clock_is_kept(qiqiao):
    """Ten moves in two seconds, again and again, with the controller telling what is left.

    What counts is the time that the processor gave it, so that a busy machine makes no difference.
    """
    child = qiqiao("--rules", "tromp-taylor", "--resign", "0")
    ask(child, "time_settings 0 2 10")
    ask(child, "clear_board")
    for color in "bw":
        left = 2.0
        for stones in range(10, 0, -1):
            ask(child, f"time_left {color} {left:.3f} {stones}")
            begin = processor_seconds(child)
            ask(child, f"genmove {color}")
            left -= processor_seconds(child) - begin
            assert left > 0


def test_loading_the_search_is_paid_from_the_clock():
    asked = []

    class Loaded:
        def choose(self, game, color, limits, report, **options):
            asked.append(limits.clock.left)

    class Slow(LateSearch):
        @property
        def _player(self):
            time.sleep(0.1)
            return Loaded()

    clock = Clock(TimeControl.byoyomi(0, 1, 1))
    Slow(Options()).choose(Game(9), BLACK, Limits(clock=clock))
    assert asked[0] <= 0.9 and clock.left == 1


def test_dead_stones_are_found(qiqiao):
    child = qiqiao()
    black = "A5 B5 C5 D5 E5 F5 G5 H5 J5 B6 B7 B8 B9 D6 D7 D8 D9"
    white = "A4 B4 C4 D4 E4 F4 G4 H4 J4 B3 B2 B1 D3 D2 D1 F3 F2 F1"
    setup = [f"b {v}" for v in black.split()] + [f"w {v}" for v in white.split()] + ["w G7"]
    assert ask(child, "set_position " + " ".join(setup)) == "= "
    assert ask(child, "final_status_list dead") == "= G7"
    assert ask(child, "final_score") == "= B+1.5"
    assert ask(child, "kgs-genmove_cleanup b") != "= pass"


def test_avoid_and_allow(qiqiao):
    child = qiqiao("--playouts", "100")
    every = " ".join(f"{c}{r}" for c in "ABCDEFGHJ" for r in range(1, 10))
    only = ask(child, "kata-genmove_analyze b 5 allow b C3,G7 1")
    assert set(re.findall(r"info move (\S+)", only)) <= {"C3", "G7"}
    ask(child, "undo")
    avoided = ",".join(vertex for vertex in every.split() if vertex != "E5")
    assert ask(child, f"lz-genmove_analyze b 5 avoid b {avoided} 1").endswith("play E5")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory in use from /proc")
def test_memory_of_a_long_analysis_is_bounded(qiqiao):
    def used():
        status = Path(f"/proc/{child.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s*(\d+) kB", status)[1]) / 1024

    child = qiqiao("--memory", "8")
    ask(child, "genmove b")
    before = used()
    child.stdin.write("lz-analyze w 10\n")
    child.stdin.flush()
    assert child.stdout.readline() == "=\n"
    begin = time.monotonic()
    while time.monotonic() - begin < 3:
        assert child.stdout.readline().startswith("info move ")
    assert used() < before + 24
    child.stdin.write("name\n")
    child.stdin.flush()
    while child.stdout.readline() != "\n":
        pass
    assert child.stdout.readline() == "= qiqiao\n"
