"""The programs themselves: a simulated board on a pseudo-terminal, a daemon on pipes, and a hand in the test."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from support import ROOT

from engines.go.records import read_record
from engines.go.vertex import parse_vertex

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")


class Process:
    """A child whose lines are collected while it runs."""

    def __init__(self, *arguments):
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.child = subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
            cwd=ROOT,
            env=environment,
        )
        self.lines = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.child.stdout:
            self.lines.append(line.rstrip("\n"))

    def send(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def wait_for(self, part, seconds=15.0):
        """The first line with this in it that was not waited for before."""
        end = time.monotonic() + seconds
        seen = 0
        while True:
            while seen < len(self.lines):
                line = self.lines[seen]
                seen += 1
                if part in line:
                    del self.lines[:seen]
                    return line
            assert time.monotonic() < end, f"no '{part}' in {self.lines}"
            assert self.child.poll() is None or seen < len(self.lines), self.lines
            time.sleep(0.01)

    def end(self, seconds=10.0):
        try:
            return self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.child.kill()
            raise


class Board(Process):
    def __init__(self, link, size, sensing, *more):
        self.width, self.height = map(int, size.split("x"))
        self.link = link
        script = ROOT / "scripts" / "simulate_board.py"
        super().__init__(script, "--size", size, "--sensing", sensing, "--link", link, "--seed", 1, *more)
        end = time.monotonic() + 10
        while not os.path.exists(link):
            assert time.monotonic() < end and self.child.poll() is None, self.lines
            time.sleep(0.02)

    def outside(self, point):
        y, x = divmod(point, self.width)
        return (self.height - 1 - y) * self.width + x

    def put(self, point, thing):
        self.send(f"put {self.outside(point)} {thing}")

    def lift(self, point):
        self.send(f"lift {self.outside(point)}")


@pytest.fixture
def go_board(tmp_path):
    board = Board(str(tmp_path / "board"), "9x9", "pol")
    yield board
    board.send("quit")
    board.end()


def point(name):
    return parse_vertex(name, 9, 9)


@pytest.fixture
def gtp(go_board):
    daemon = Process("qiqiao.py", "gtp", "--size", 9, "--player", f"board:{go_board.link}")
    daemon.wait_for("ready")
    yield daemon
    if daemon.child.poll() is None:
        daemon.send("quit")
    assert daemon.end() == 0


def test_gtp_game_over_a_pseudo_terminal(go_board, gtp):
    gtp.send("1 genmove b")
    go_board.put(point("E5"), "X")
    assert gtp.wait_for("=1") == "=1 E5"
    gtp.send("2 play w C3")
    gtp.wait_for("=2", 2.0)
    go_board.put(point("C3"), "O")
    time.sleep(0.3)
    gtp.send("3 genmove b")
    go_board.put(point("G7"), "X")
    assert gtp.wait_for("=3") == "=3 G7"
    gtp.send("4 board-diff")
    assert gtp.wait_for("=4") == "=4 "


def test_gtp_survives_pulling_the_cable(go_board, gtp):
    gtp.send("1 genmove b")
    go_board.send("unplug 1")
    gtp.wait_for("lost")
    gtp.send("2 name")  # waits behind the genmove, and does no harm
    gtp.wait_for("ready")
    go_board.put(point("E5"), "X")
    assert gtp.wait_for("=1") == "=1 E5"
    assert "qiqiao" in gtp.wait_for("=2")


def test_gtp_resigns_at_the_end_of_input_and_says_so(go_board, gtp):
    gtp.send("1 genmove b")
    time.sleep(0.3)
    gtp.child.stdin.close()
    assert gtp.end() == 0
    time.sleep(0.1)
    text = "\n".join(gtp.lines)
    assert "=1 resign" in text and "black resigns" in text


def test_gtp_without_any_board_still_answers(tmp_path):
    daemon = Process("qiqiao.py", "gtp", "--size", 9, "--player", f"board:{tmp_path / 'nothing'}")
    daemon.send("1 play b E5")
    daemon.wait_for("=1")
    daemon.send("2 board-state")
    assert daemon.wait_for("?2")
    daemon.send("quit")
    assert daemon.end() == 0


def test_wrong_board_description_is_told_at_the_start(tmp_path):
    (tmp_path / "bad.toml").write_text("nonsense = true\n")
    daemon = Process(
        "qiqiao.py", "gtp", "--player", f"board:{tmp_path / 'x'}", "--board-describe", tmp_path / "bad.toml"
    )
    assert daemon.end() == 2
    time.sleep(0.1)
    assert any("bad.toml" in line for line in daemon.lines)


def test_board_alone_keeps_its_record_and_goes_on_with_it(go_board, tmp_path):
    record = tmp_path / "game.sgf"
    options = ["board", go_board.link, "--game", "go", "--opponent", "none", "--plain", "--board-settle", "0.2"]
    session = Process("qiqiao.py", *options, "--size", 9, "--record", record)
    session.wait_for("Black 黑 to move")
    go_board.put(point("E5"), "X")
    session.wait_for("E5")
    go_board.put(point("C3"), "O")
    session.wait_for("C3")
    session.child.send_signal(signal.SIGKILL)
    session.child.wait(5)
    assert len(read_record(record).moves) == 2, "not even a kill loses a move"

    go_board.lift(point("C3"))
    session = Process("qiqiao.py", *options, "--resume", record)
    assert "C3" in session.wait_for("put the white stone")
    go_board.put(point("C3"), "O")
    session.wait_for("Black 黑 to move")
    go_board.put(point("G7"), "X")
    session.wait_for("G7")
    session.child.send_signal(signal.SIGTERM)
    assert session.end() == 0
    assert len(read_record(record).moves) == 3


def test_board_alone_does_not_write_over_a_game(go_board, tmp_path):
    record = tmp_path / "game.sgf"
    record.write_text("(;GM[1]FF[4]SZ[9];B[aa])")
    session = Process("qiqiao.py", "board", go_board.link, "--game", "go", "--record", record)
    assert session.end() == 2
    time.sleep(0.1)
    assert any("--resume" in line for line in session.lines)


def test_ucci_game_over_a_pseudo_terminal(tmp_path):
    board = Board(str(tmp_path / "board"), "9x10", "id")
    start = "rnbakabnr/........./.c.....c./p.p.p.p.p/........./........./P.P.P.P.P/.C.....C./........./RNBAKABNR"
    board.send(f"fill {start}")
    daemon = Process("qiqiao.py", "ucci", "--player", f"board:{board.link}")
    daemon.wait_for("ready")
    daemon.send("ucci")
    daemon.wait_for("ucciok")
    daemon.send("position startpos")
    daemon.send("go time 600000")
    board.lift(7)
    time.sleep(0.4)
    board.put(24, "N")  # h0g2
    assert daemon.wait_for("bestmove").startswith("bestmove h0g2")
    daemon.send("go time 600000")
    time.sleep(0.2)
    daemon.send("stop")
    daemon.wait_for("nobestmove")
    daemon.send("quit")
    assert daemon.end() == 0
    board.send("quit")
    board.end()


@pytest.mark.parametrize("protocol,answer", [("ucci", "nobestmove"), ("uci", "bestmove (none)")])
def test_end_of_input_ends_the_waiting_for_a_hand(protocol, answer, tmp_path):
    daemon = Process("qiqiao.py", protocol, "--player", f"board:{tmp_path / 'nothing'}")
    daemon.send(protocol)
    daemon.wait_for(f"{protocol}ok")
    daemon.send("position startpos")
    daemon.send("go time 1000000" if protocol == "ucci" else "go movetime 1000000")
    time.sleep(0.3)
    daemon.child.stdin.close()
    assert daemon.end() == 0
    time.sleep(0.1)
    assert any(line.startswith(answer) for line in daemon.lines), daemon.lines


def test_gtp_with_a_person_who_sees_only_the_leds(tmp_path):
    board = Board(str(tmp_path / "board"), "9x9", "occ", "--person", "first", "--pace", 0.3, "--most", 2)
    daemon = Process("qiqiao.py", "gtp", "--size", 9, "--player", f"board:{board.link}", "--board-settle", 0.3)
    daemon.send("1 genmove b")
    first = daemon.wait_for("=1", 30.0)
    assert board.wait_for("plays").endswith(first.removeprefix("=1 "))
    answer = "E5" if not first.endswith("E5") else "D4"
    daemon.send(f"2 play w {answer}")
    assert board.wait_for("sees", 30.0).endswith(answer)
    daemon.send("3 genmove b")
    second = daemon.wait_for("=3", 30.0)
    assert board.wait_for("plays").endswith(second.removeprefix("=3 "))
    daemon.send("4 play w pass")
    daemon.send("5 genmove b")
    assert daemon.wait_for("=5", 30.0) == "=5 pass"
    daemon.send("6 final_score")
    assert daemon.wait_for("=6", 30.0).startswith("=6 ")
    daemon.send("quit")
    assert daemon.end() == 0
    board.send("quit")
    assert board.end() == 0
    assert any("presses yes" in line for line in board.lines)
