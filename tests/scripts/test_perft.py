"""The perft script as it is called: the count is the last word it prints."""

import subprocess
import sys

import pytest
from support import ROOT


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "perft.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        ("go 2x2 8 --ko simple --passes", 2592),
        ("go 2x2 8 --ko positional --passes", 2184),
        ("go 2x2 8 --ko situational --passes --suicide", 2672),
        ("go 3x3 7 --ko positional --suicide", 177904),
        ("go 13 2", 28392),
        ("go 1x1 3", 0),
        ("xiangqi startpos 3", 79666),
    ],
)
def test_count_is_the_last_word(arguments, count):
    done = run(*arguments.split())
    assert done.returncode == 0
    assert done.stdout.split()[-1] == str(count)


@pytest.mark.compiled
def test_divide_adds_up():
    lines = run("go", "3x2", "4", "--passes", "--divide").stdout.splitlines()
    assert len(lines) == 8
    assert sum(int(line.split()[-1]) for line in lines[:-1]) == int(lines[-1].split()[-1])


@pytest.mark.compiled
@pytest.mark.parametrize("arguments", ["go 26x2 3", "go 9x9 -1", "go 9x9x9 1", "go 0 1", "xiangqi nonsense 1"])
def test_bad_input_is_refused(arguments):
    done = run(*arguments.split())
    assert done.returncode == 2
    assert done.stdout == "" and done.stderr
