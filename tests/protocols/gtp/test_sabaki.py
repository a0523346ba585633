"""Sabaki's own client as controller; needs node and ``npm install`` in the directory sabaki beside this file."""

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
