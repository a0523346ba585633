"""Child processes: lines both ways, and an end that comes."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from support import ROOT
from torture import Torture

from protocols.log import SessionLog
from protocols.programs.process import MAX_LINE, Process, ProcessError, decode, split_command

posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups and signals of POSIX")


class Child:
    """A Python program as a child; ``lines`` and ``why`` are what came of it."""

    def __init__(self, code, **options):
        self.lines = []
        self.why = []
        self._came = threading.Condition()
        self.process = Process([sys.executable, "-S", "-E", "-c", code], self._take, self.why.append, **options)

    def _take(self, line):
        with self._came:
            self.lines.append(line)
            self._came.notify_all()

    def wait_for(self, count, seconds=10):
        with self._came:
            assert self._came.wait_for(lambda: len(self.lines) >= count, seconds), self.lines
        return self.lines


ECHO = "import sys\nfor line in sys.stdin:\n    sys.stdout.write(line); sys.stdout.flush()\n"


def test_lines_go_both_ways():
    child = Child(ECHO)
    for line in ("one", "", "中文", "three"):
        child.process.send(line)
    assert child.wait_for(4) == ["one", "", "中文", "three"]
    child.process.end()
    assert child.why == ["exit code 0"] and not child.process.alive


def test_line_ends_and_a_last_line_without_one():
    child = Child("import sys; sys.stdout.buffer.write(b'a\\r\\nb\\nc'); sys.stdout.flush()")
    child.process.ended.wait(10)
    assert child.lines == ["a", "b", "c"]


def test_gbk_is_understood():
    assert decode("象棋".encode()) == "象棋" and decode("象棋".encode("gbk")) == "象棋"
    assert decode(b"\xff\xff\xff") == "\ufffd" * 3


@posix
def test_standard_error_is_kept_in_bounds():
    child = Child("import sys; sys.stderr.write('x' * 10**6 + '\\n' + 'line\\n' * 10000)")
    child.process.ended.wait(10)
    errors = child.process.errors
    assert len(errors) <= 200 and errors[-1] == "line"


@pytest.mark.parametrize(
    ("end", "why"), [("os._exit(3)", "exit code 3"), ("os.kill(os.getpid(), 9)", "killed by SIGKILL")]
)
@posix
def test_how_it_ended(end, why):
    child = Child(f"import os\n{end}")
    assert child.process.ended.wait(10) and child.why == [why]


@posix
def test_who_does_not_read_is_ended_before_the_memory_is():
    child = Child("import time; time.sleep(1000)")
    for _ in range(200):
        child.process.send("x" * 65536)
    assert child.process.ended.wait(10)
    assert child.why == ["it does not read its input"]


@posix
def test_a_line_without_end_is_dropped():
    child = Child(f"import sys\nsys.stdout.write('x' * {MAX_LINE + 10} + '\\nshort\\n')")
    child.process.ended.wait(20)
    assert child.lines == ["short"]


@posix
def test_the_end_is_polite_then_firm_then_final():
    child = Child(ECHO)
    begin = time.monotonic()
    child.process.end(["quit"], 600)
    assert child.lines == ["quit"] and time.monotonic() - begin < 300
    code = (
        "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('up', flush=True)\ntime.sleep(1000)"
    )
    child = Child(code)
    child.wait_for(1)
    begin = time.monotonic()
    child.process.end(["quit"], 0.2)
    assert time.monotonic() - begin > 0.6 and child.why == ["killed by SIGKILL"]


@posix
def test_nothing_of_the_group_outlives_it():
    code = "import subprocess\nsubprocess.Popen(['sleep', '987654'])\nprint('up', flush=True)\ninput()"
    child = Child(code)
    child.wait_for(1)
    child.process.end()
    left = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True).stdout
    assert "sleep 987654" not in left


@posix
def test_nothing_outlives_us_when_we_are_killed():
    torture = Torture("uci", "hang")
    code = (
        "import sys, time\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from protocols.programs.process import Process\n"
        f"Process({torture.spec.command!r}, print, print)\n"
        "print('up', flush=True)\n"
        "time.sleep(1000)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout.readline() == "up\n"
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    assert torture.left() == 0


class Attended(Child):
    """A child whose lines are read by who waits for them."""

    def __init__(self, code, **options):
        super().__init__(code, attended=True, **options)

    def wait_for(self, count, seconds=10):
        end = time.monotonic() + seconds
        while len(self.lines) < count and time.monotonic() < end:
            self.process.listen(0.1)
        assert len(self.lines) >= count, self.lines
        return self.lines


@posix
def test_whoever_listens_gets_the_lines_in_his_own_thread():
    child = Attended(ECHO)
    threads = []
    take = child.process._on_line
    child.process._on_line = lambda line: (threads.append(threading.current_thread()), take(line))
    child.process.send("one", "中文")
    assert child.wait_for(2) == ["one", "中文"]
    assert set(threads) == {threading.current_thread()}
    child.process.end()
    assert child.why == ["exit code 0"]


@posix
def test_listening_ends_when_nothing_comes_and_when_the_child_has_died():
    child = Attended("input(); print('last', flush=True)")
    begin = time.monotonic()
    child.process.listen(0.2)
    assert time.monotonic() - begin >= 0.19 and child.lines == []
    child.process.send("go")
    while not child.why:
        child.process.listen(0.1)
    assert child.lines == ["last"] and child.why == ["exit code 0"]


@posix
def test_an_attended_child_that_writes_while_nobody_listens_is_not_held_up(monkeypatch):
    monkeypatch.setattr("protocols.programs.process.SWEEP", 0.01)
    # Much more than a pipe takes.
    child = Attended("for n in range(40000): print('a line that nobody asked for')\nprint('done', flush=True)\ninput()")
    end = time.monotonic() + 20
    while "done" not in child.lines[-1:] and time.monotonic() < end:
        time.sleep(0.02)
    assert len(child.lines) == 40001
    child.process.end()


@posix
def test_an_attended_child_that_does_not_stop_writing_is_read_to_its_end():
    child = Attended("input()\nfor n in range(40000): print('words after the farewell')")
    child.process.end(["quit"], 10)
    assert len(child.lines) == 40000 and child.why == ["exit code 0"]


@posix
def test_an_attended_child_that_closes_its_output_is_ended():
    child = Attended("import os, time\nos.close(1)\ntime.sleep(1000)")
    while not child.why:
        child.process.listen(0.1)
    assert child.why == ["it closed its output"]


def test_a_child_with_a_log_is_not_attended(tmp_path):
    child = Child(ECHO, attended=True, log=SessionLog(str(tmp_path / "log")))
    assert not child.process.attended
    child.process.send("one")
    assert child.wait_for(1) == ["one"]
    child.process.end()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("/opt/engine", ["/opt/engine"]),
        ("engine --mode gtp", ["engine", "--mode", "gtp"]),
        ("'/opt/my engine' -x \"a b\"", ["/opt/my engine", "-x", "a b"]),
    ],
)
@posix
def test_command_lines(command, words):
    assert split_command(command) == words


@pytest.mark.parametrize("command", ["", "  ", "'open"])
@posix
def test_command_lines_that_are_none(command):
    with pytest.raises(ProcessError):
        split_command(command)


def test_what_can_not_be_started():
    for command in ("/nonexistent/engine", str(ROOT)):
        with pytest.raises(ProcessError, match="cannot start"):
            Process(command, print, print)
    with pytest.raises(ProcessError, match="cannot start"):
        Process([sys.executable], print, print, directory="/nonexistent")
