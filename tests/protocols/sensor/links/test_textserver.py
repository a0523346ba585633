"""A text server on a serial line: as on standard input, and through a broken line."""

import os
import subprocess
import sys
import threading
import time

import pytest
from support import ROOT

from protocols.sensor.links.textserver import TextLine

pytestmark = pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no pseudo-terminals")


class Terminal:
    """Our end of a pseudo-terminal with a lasting name for the other one."""

    def __init__(self, link):
        self.link = link
        self.plug()

    def plug(self):
        import tty

        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        if self.link.is_symlink():
            self.link.unlink()
        self.link.symlink_to(os.ttyname(self.slave))

    def unplug(self):
        self.link.unlink()
        os.close(self.slave)
        os.close(self.master)

    def say(self, text):
        os.write(self.master, text.encode())

    def hear(self, wanted, seconds=10.0):
        heard = b""
        end = time.monotonic() + seconds
        while wanted.encode() not in heard:
            assert time.monotonic() < end, f"{wanted!r} not in {heard!r}"
            try:
                heard += os.read(self.master, 1000)
            except (BlockingIOError, OSError):
                time.sleep(0.005)
        return heard.decode()


class Echo:
    """A server that answers every line, and counts them."""

    def __init__(self):
        self.lines = []
        self.patient = False
        self.finished = False

    def attach(self, write):
        self.write = write
        return self

    def notice(self, line):
        pass

    def notice_end(self, why):
        pass

    def handle(self, line):
        self.lines.append(line)
        self.finished = line == "quit"
        return f"= {len(self.lines)} {line}\n"

    def refuse(self, head):
        return "? too long\n"

    def close(self):
        pass


@pytest.fixture
def terminal(tmp_path):
    made = Terminal(tmp_path / "line")
    yield made
    if made.link.is_symlink():
        made.unplug()


@pytest.fixture
def served(terminal):
    """A server on the line, in a thread."""
    server = Echo()
    line = TextLine(str(terminal.link), hello="Hello slave", ports=lambda: [], hurry=50.0)
    done = []
    thread = threading.Thread(target=lambda: done.append(line.serve(server.attach)), daemon=True)
    thread.start()
    yield server, done
    if not terminal.link.is_symlink():
        terminal.plug()
    for _ in range(100):  # what is said before the line is open is lost
        if not thread.is_alive():
            break
        terminal.say("\nquit\n")
        thread.join(0.1)
    assert done == [0]


def test_lines_and_answers(terminal, served):
    terminal.hear("Hello slave\n")
    terminal.say("one\ntw")
    terminal.hear("= 1 one\n")
    terminal.say("o\n")
    terminal.hear("= 2 two\n")


def test_the_game_goes_on_after_the_line_broke(terminal, served):
    server, _ = served
    terminal.hear("Hello slave\n")
    terminal.say("one\nhalf a comm")
    terminal.hear("= 1 one\n")
    terminal.unplug()
    time.sleep(0.2)
    server.write("bestmove meanwhile\n")
    server.write("info depth 9\n")
    terminal.plug()
    heard = terminal.hear("bestmove meanwhile\n")
    assert heard.startswith("Hello slave\n") and "info" not in heard
    terminal.say("two\n")
    terminal.hear("= 2 two\n")
    assert server.lines == ["one", "two"], "the half line is gone, and nothing was asked twice"


def test_many_breaks(terminal, served):
    server, _ = served
    for number in range(20):
        terminal.hear("Hello slave\n")
        terminal.say(f"line {number}\n")
        terminal.hear(f"= {number + 1} line {number}\n")
        terminal.unplug()
        terminal.plug()
    assert len(server.lines) == 20


def test_gtp_on_a_line_as_a_process(terminal):
    process = subprocess.Popen(
        [
            sys.executable,
            str(ROOT / "qiqiao.py"),
            "gtp",
            "--size",
            "9",
            "--playouts",
            "20",
            "--serial",
            str(terminal.link),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert "serving on" in process.stderr.readline()
        terminal.say("1 play b E5\n")
        terminal.hear("=1 \n\n", 30.0)
        terminal.unplug()
        time.sleep(0.3)
        terminal.plug()
        while "serving on" not in process.stderr.readline():
            pass
        terminal.say("2 play w E5\n3 genmove w\n4 quit\n")
        heard = terminal.hear("=4", 30.0)
        assert "?2 illegal move" in heard and "=3 " in heard, "the stone is still there"
        out, _ = process.communicate(timeout=10)
        assert out == "" and process.returncode == 0
    finally:
        process.kill()
        process.wait()


def test_ucci_on_a_line_as_a_process(terminal):
    process = subprocess.Popen(
        [
            sys.executable,
            str(ROOT / "qiqiao.py"),
            "ucci",
            "--serial",
            str(terminal.link),
            "--serial-hello",
            "Hello slave",
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        terminal.hear("Hello slave\n", 30.0)
        terminal.say("Hello host\n[info] ready\nucci\n")
        terminal.hear("ucciok", 30.0)
        terminal.say("position startpos moves h2e2\ngo nodes 200\n")
        terminal.hear("bestmove ", 30.0)
        terminal.say("quit\n")
        out, _ = process.communicate(timeout=10)
        assert out == "" and process.returncode == 0
    finally:
        process.kill()
        process.wait()


def test_a_wrong_speed_is_refused(terminal):
    done = subprocess.run(
        [sys.executable, str(ROOT / "qiqiao.py"), "gtp", "--serial", "/dev/x", "--baud", "1200"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and "1200 baud" in done.stderr
