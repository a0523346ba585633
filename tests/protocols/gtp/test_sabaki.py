"""Sabaki's own client as controller; needs node and ``npm install`` in the directory sabaki beside this file."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PLAYERS = {
    "scripted": [sys.executable, str(ROOT / "tests" / "protocols" / "programs" / "scripted_gtp.py"), "--think", "0.2"],
    "search": [sys.executable, "-m", "qiqiao", "gtp", "--move-time", "0.3", "--seed", "1"],
}

pytestmark = [
    pytest.mark.peer,
    pytest.mark.skipif(
        os.environ.get("QIQIAO_PEERS") != "1"
        and (shutil.which("node") is None or not (HERE / "sabaki" / "node_modules" / "@sabaki" / "gtp").exists()),
        reason="node or @sabaki/gtp is not installed",
    ),
]


@pytest.mark.parametrize("player", PLAYERS)
def test_session(player):
    result = subprocess.run(
        ["node", str(HERE / "sabaki" / "session.js"), *PLAYERS[player]],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout == "done\n"


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
@pytest.mark.parametrize("side", ["first", "second"])
def test_game_against_a_person_at_a_sensor_board(side, tmp_path):
    """From the GUI's client through the daemon, the line and the lamps to a person's hand, and all the way back."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    link = tmp_path / "board"
    simulate = [sys.executable, str(ROOT / "scripts" / "simulate_board.py"), "--size", "7x7", "--link", str(link)]
    person = ["--person", side, "--pace", "0.2", "--most", "6", "--seed", "2"]
    board = subprocess.Popen(
        [*simulate, *person], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    )
    try:
        assert board.stdout.readline().startswith("board at ")
        qiqiao = [sys.executable, "-m", "qiqiao", "gtp", "--size", "7"]
        at_board = json.dumps([*qiqiao, "--player", f"board:{link}", "--board-settle", "0.3"])
        search = json.dumps([*qiqiao, "--player", "search", "--move-time", "0.1", "--seed", "1"])
        result = subprocess.run(
            [
                "node",
                str(HERE / "sabaki" / "game.js"),
                *([at_board, search] if side == "first" else [search, at_board]),
                "7",
            ],
            capture_output=True,
            text=True,
            timeout=120,
            cwd=ROOT,
            env=environment,
        )
    finally:
        said, _ = board.communicate("quit\n", timeout=10)
    assert result.returncode == 0 and result.stdout.endswith("done\n"), result.stdout + result.stderr + said
    mine = "B " if side == "first" else "W "
    told = [line[2:] for line in result.stdout.splitlines() if line.startswith(mine) and line != mine + "PASS"]
    made = [line.removeprefix("person: plays ") for line in said.splitlines() if "plays" in line]
    seen = [line.removeprefix("person: sees ") for line in said.splitlines() if "sees" in line and "pass" not in line]
    theirs = [line[2:] for line in result.stdout.splitlines() if line[1:2] == " " and line[:2] != mine]
    assert told == made and len(made) == 6
    assert seen == [vertex for vertex in theirs if vertex != "PASS"]
    assert said.count("presses yes") == (side == "first"), "the one who is asked for the score counts"
