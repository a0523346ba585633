"""The whole program with an engine behind it: however it ends, nothing is left."""

import signal
import subprocess
import sys
import time

import pytest
from support import ROOT
from torture import Torture

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(sys.platform == "win32", reason="ends by POSIX signals"),
]

THINK = {
    "gtp": ["genmove b"],
    "uci": ["uci", "position startpos", "go infinite"],
    "ucci": ["ucci", "position startpos", "go depth 9"],
}


def start(protocol, torture, *more):
    command = [
        sys.executable,
        str(ROOT / "qiqiao.py"),
        protocol,
        "--player",
        f"{protocol}:{torture.spec.command}",
        *more,
    ]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    ("protocol", "end"),
    [
        *(("uci", end) for end in ("quit", "eof", "SIGTERM", "SIGINT", "SIGKILL")),
        *(("gtp", end) for end in ("quit", "eof", "SIGTERM", "SIGKILL")),
        ("ucci", "quit"),
        ("ucci", "SIGKILL"),
    ],
)
def test_an_engine_that_hangs_ends_with_us(protocol, end):
    torture = Torture(protocol, "hang")
    process = start(protocol, torture)
    for line in THINK[protocol]:
        process.stdin.write(line + "\n")
    process.stdin.flush()
    time.sleep(0.7)
    if end == "quit":
        process.stdin.write("quit\n")
        process.stdin.flush()
    elif end != "eof":
        process.send_signal(getattr(signal, end))
    process.communicate(timeout=300)
    assert torture.left() == 0


def test_moves_come_through_and_trouble_is_told():
    process = start("uci", Torture("uci", "illegal"), "--engine-trouble", "error")
    out, _ = process.communicate("uci\nisready\nposition startpos\ngo movetime 100\n", timeout=30)
    assert "answers 'a0a9' in the start position of Xiangqi; does it play that game?" in out
    assert out.splitlines()[-1] == "bestmove (none)"
    process = start("gtp", Torture("gtp"), "--size", "9")
    out, errors = process.communicate("genmove b\ngenmove w\nshowboard\nquit\n", timeout=30)
    assert out.startswith("= E5\n\n= C3\n\n") and errors == ""
