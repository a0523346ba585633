"""``qiqiao ucci`` and ``qiqiao uci`` as processes: ends of all kinds, signals, logs, memory."""

import os
import random
import re
import signal
import subprocess
import sys
import time

import pytest
from support import ROOT

pytestmark = pytest.mark.compiled


@pytest.fixture
def start():
    children = []

    def popen(*arguments, **options):
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        child = subprocess.Popen([sys.executable, "-m", "qiqiao", *arguments, "--hash", "1"], cwd=ROOT, **options)
        children.append(child)
        return child

    yield popen
    for child in children:
        child.kill()
        child.communicate()


def send(child, *lines):
    child.stdin.write("".join(line + "\n" for line in lines).encode())
    child.stdin.flush()


def until(child, start):
    while True:
        line = child.stdout.readline().decode()
        assert line, f"the output ended before {start!r}"
        if line.startswith(start):
            return line


@pytest.mark.parametrize("protocol, last", [("ucci", b"bye\n"), ("uci", b"uciok\n")])
def test_quit(start, protocol, last):
    out, err = start(protocol).communicate(f"{protocol}\nquit\n".encode(), timeout=30)
    assert out.endswith(last) and out.startswith(b"id name qiqiao") and err == b""


def test_end_of_input_lets_a_search_with_a_limit_end(start):
    child = start("uci")
    out, err = child.communicate(b"uci\nposition startpos\ngo depth 6\n", timeout=30)
    assert b"info depth 6 " in out and out.splitlines()[-1].startswith(b"bestmove ")
    assert (child.returncode, err) == (0, b"")


@pytest.mark.parametrize("words", ["infinite", "ponder time 100"])
def test_end_of_input_ends_an_endless_search(start, words):
    child = start("ucci")
    out, err = child.communicate(f"ucci\ngo {words}\n".encode(), timeout=30)
    assert out.splitlines()[-1].startswith(b"bestmove ")
    assert (child.returncode, err) == (0, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals between processes")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("thinking", [False, True])
def test_a_signal_ends_it(start, number, thinking):
    child = start("uci")
    send(child, "uci", "go infinite" if thinking else "isready")
    until(child, "info depth 3" if thinking else "readyok")
    child.send_signal(number)
    assert child.wait(timeout=20) == 0
    assert child.stderr.read() == b""


def test_a_client_that_goes_away_ends_it(start):
    child = start("uci")
    send(child, "uci")
    until(child, "uciok")
    child.stdout.close()
    send(child, "go infinite")
    assert child.wait(timeout=20) == 0
    assert child.stderr.read() == b""


def test_stop_between_processes(start):
    child = start("ucci")
    send(child, "ucci", "position startpos")
    until(child, "ucciok")
    for _ in range(5):
        send(child, "go infinite")
        until(child, "info")
        send(child, "stop")
        until(child, "bestmove")
    send(child, "quit")
    assert until(child, "bye")
    assert child.wait(timeout=20) == 0


def test_a_file_of_commands(start, tmp_path):
    script = tmp_path / "script"
    script.write_text(
        "ucci\nsetoption batch on\nposition startpos\ngo depth 5\nposition startpos moves h2e2\ngo depth 5\n"
    )
    with open(script, "rb") as file:
        out, _ = start("ucci", stdin=file).communicate(timeout=30)
    assert out.count(b"bestmove") == 2 and out.count(b" depth 5 ") == 2


def test_gbk_out_of_what_came_in_as_utf_8(start):
    child = start("uci", "--encoding", "gbk")
    out, _ = child.communicate("uci\n炮二平五\n".encode(), timeout=30)
    assert out.decode("gbk").splitlines()[-1] == "info string unknown command '炮二平五'"


def test_log_and_configuration(start, tmp_path):
    config = tmp_path / "qiqiao.toml"
    config.write_text(f'log = "{(tmp_path / "log").as_posix()}"\nrules = "cxa"\nlevel = 5\n')
    start("ucci", "--config", str(config)).communicate(b"ucci\ngo depth 1\nquit\n", timeout=30)
    log = (tmp_path / "log").read_text()
    assert " < go depth 1\n" in log and re.search(r" > bestmove [a-i]\d", log) and " > bye\n" in log


@pytest.mark.parametrize(
    "arguments, word",
    [
        (["ucci", "--rules", "house"], b"house"),
        (["uci", "--level", "21"], b"21"),
        (["uci", "--hash", "0"], b"0"),
        (["ucci", "--encoding", "big5"], b"big5"),
        (["ucci", "--log", "/nonexistent/directory/log"], b"log"),
    ],
)
def test_wrong_usage(arguments, word):
    result = subprocess.run([sys.executable, "-m", "qiqiao", *arguments], cwd=ROOT, capture_output=True, timeout=30)
    assert result.returncode == 2 and result.stdout == b"" and word in result.stderr


def test_only_what_is_needed_is_imported():
    code = "import sys, qiqiao; qiqiao.main(['ucci']); print(*sys.modules, file=sys.stderr)"
    result = subprocess.run(
        [sys.executable, "-c", code], input=b"ucci\ngo depth 1\nquit\n", capture_output=True, timeout=30, cwd=ROOT
    )
    modules = set(result.stderr.decode().split())
    assert not modules & {"asyncio", "logging", "sgfmill", "serial", "tomllib", "subprocess", "random", "decimal"}
    assert not any(name.startswith(("engines.go", "protocols.gtp")) for name in modules)


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs a /proc that tells memory")
@pytest.mark.parametrize("protocol", ["ucci", "uci"])
def test_memory_stays_flat(start, protocol):
    rng = random.Random(5)
    child = start(protocol)
    send(child, protocol)
    until(child, f"{protocol}ok")

    def burst():
        for _ in range(40):
            lines = []
            for _ in range(100):
                bad = "".join(chr(rng.randrange(32, 0x300)) for _ in range(rng.randrange(80)))
                lines.append(
                    rng.choice(
                        ["position startpos moves h2e2", "isready", "position fen x", "setoption a b", f"x{bad}"]
                    )
                )
            send(child, *lines, "position startpos", "go nodes 50", "isready")
            until(child, "bestmove")
        send(child, "d")
        until(child, "To move")

    def memory():
        with open(f"/proc/{child.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))

    burst()
    before = memory()
    burst()
    time.sleep(0.05)
    assert memory() - before < 1500  # kilobytes
