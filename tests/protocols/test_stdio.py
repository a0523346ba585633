"""The loop around a server: cutting lines, order, encodings, ends of all kinds. A child process stands in for
qiqiao.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.stdio import HEAD, Line, LineCutter

PROGRAM = Path(__file__).parent / "programs" / "echo.py"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def start():
    children = []

    def popen(*arguments, **options):
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        child = subprocess.Popen([sys.executable, str(PROGRAM), *arguments], env=environment, **options)
        children.append(child)
        return child

    yield popen
    for child in children:
        child.kill()
        child.communicate()


@given(st.lists(st.binary(max_size=40)), st.integers(1, 7))
def test_cutting_does_not_depend_on_how_the_bytes_arrive(parts, step):
    data = b"\n".join(part.replace(b"\n", b"") for part in parts)
    cutter = LineCutter(limit=1000)
    lines = [line for at in range(0, len(data), step) for line in cutter.feed(data[at : at + step])]
    last = cutter.rest()
    if last is not None:
        lines.append(last)
    expected = data.split(b"\n")
    assert [line.data for line in lines] == (expected if expected[-1] else expected[:-1])


def test_a_long_line_is_not_stored():
    cutter = LineCutter(limit=1000)
    for _ in range(1000):
        assert list(cutter.feed(b"x" * 10_000)) == []
        assert len(cutter._buffer) <= HEAD + 10_000
    assert cutter.overflow == b"x" * HEAD
    assert list(cutter.feed(b"\nname\n")) == [Line(b"x" * HEAD, True), Line(b"name")]
    assert cutter.overflow is None


def test_a_long_line_shows_its_beginning_behind_any_number_of_blanks():
    cutter = LineCutter(limit=1000)
    for _ in range(100):
        assert list(cutter.feed(b" \t" * 1000)) == []
    assert list(cutter.feed(b"12 name\n")) == [Line(b"12 name", True)]


def test_lines_are_answered_in_order(start):
    lines = "".join(f"line {number}\n" for number in range(5000))
    out, err = start().communicate(lines.encode(), timeout=30)
    assert out.decode().splitlines() == [f"<line {number}>" for number in range(5000)] + ["closed"]
    assert err == b""


def test_a_line_is_answered_while_the_input_stays_open(start):
    child = start()
    child.stdin.write(b"one\r\n")
    child.stdin.flush()
    assert child.stdout.readline() == b"<one>\n"


def test_a_waiting_server_hears_of_a_new_line_at_once(start):
    child = start()
    child.stdin.write(b"wait\n")
    child.stdin.flush()
    time.sleep(0.1)
    child.stdin.write(b"stop\n")
    child.stdin.flush()
    assert child.stdout.readline() == b"waited True\n"
    assert child.stdout.readline() == b"<stop>\n"


def test_end_of_input_stops_a_wait_and_ends_the_process(start):
    child = start()
    out, _ = child.communicate(b"wait\nafter", timeout=10)
    assert out == b"waited True\n<after>\nclosed\n"
    assert child.returncode == 0


def test_quit_ends_although_the_input_stays_open(start):
    child = start()
    child.stdin.write(b"quit\nmore\n")
    child.stdin.flush()
    assert child.wait(timeout=10) == 0
    assert child.stdout.read() == b"<quit>\nclosed\n"


def test_a_script_file_is_never_cut_short(start, tmp_path):
    script = tmp_path / "script"
    script.write_bytes(b"one\nstop\nwait\n")
    with open(script, "rb") as file:
        out, _ = start(stdin=file).communicate(timeout=10)
    assert out == b"<one>\n<stop>\nwaited True\nclosed\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals between processes")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly(start, number):
    child = start()
    child.stdin.write(b"one\nwait\nnever answered\n")
    child.stdin.flush()
    assert child.stdout.readline() == b"<one>\n"
    time.sleep(0.1)
    child.send_signal(number)
    assert child.wait(timeout=10) == 0
    assert child.stdout.read() == b"waited True\nclosed\n"
    assert child.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals between processes")
def test_a_signal_ends_a_server_that_does_not_listen(start):
    child = start()
    child.stdin.write(b"one\nbusy\n")
    child.stdin.flush()
    assert child.stdout.readline() == b"<one>\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGTERM)
    assert child.wait(timeout=10) == 1


def test_a_client_that_goes_away_ends_it_quietly(start):
    child = start()
    child.stdout.close()
    child.stdin.write(b"one\ntwo\nwait\n")
    child.stdin.flush()
    assert child.wait(timeout=10) == 0
    assert child.stderr.read() == b""


def test_a_fault_in_the_server_costs_one_reply_only(start):
    child = start()
    out, err = child.communicate(b"fail\nafter\n", timeout=10)
    assert out == b"<after>\nclosed\n"
    assert b"asked to fail" in err


def test_nothing_but_replies_on_standard_output(start):
    child = start()
    out, err = child.communicate(b"print\n", timeout=10)
    assert out == b"<print>\nclosed\n"
    assert err.split() == [b"noise"]


def test_streamed_text_comes_before_the_reply(start):
    out, _ = start().communicate(b"stream\n", timeout=10)
    assert out == b"part 0\npart 1\npart 2\n<stream>\nclosed\n"


def test_a_big_reply_and_a_big_line(start):
    out, _ = start().communicate(b"big\n" + b"y" * 2_000_000 + b"\nend\n", timeout=20)
    assert out == b"x" * 1_000_000 + b"\ntoo long: yyyyy\n<end>\nclosed\n"


def test_bytes_that_are_no_text_come_back_as_they_were(start):
    out, _ = start().communicate(b"a\xff\xfeb\n\xe6\xa3\x8b\n", timeout=10)
    assert out == b"<a\xff\xfeb>\n<\xe6\xa3\x8b>\nclosed\n"


def test_a_byte_order_mark_before_the_first_line_only(start):
    out, _ = start().communicate(b"\xef\xbb\xbfname\n\xef\xbb\xbfx\n", timeout=10)
    assert out == b"<name>\n<\xef\xbb\xbfx>\nclosed\n"


def test_gbk(start):
    out, _ = start("gbk").communicate("炮二平五\n".encode("gbk"), timeout=10)
    assert out == "<炮二平五>\n".encode("gbk") + b"closed\n"


def test_log(start, tmp_path):
    log = tmp_path / "session.log"
    start("utf-8", str(log)).communicate(b"one\n\xff\nfail\n" + b"z" * 1_000_000 + b"\n", timeout=10)
    text = log.read_text(encoding="utf-8")
    lines = [line.split(" ", 2)[2] for line in text.splitlines()]
    assert lines[0].startswith("* log opened")
    assert lines[1:5] == ["< one", "> <one>", r"< \udcff", r"> <\udcff>"]
    assert "* RuntimeError: asked to fail" in lines
    assert any(line.startswith("* a line longer than 262144 bytes was refused; it began: zzz") for line in lines)
    assert lines[-2:] == ["> closed", "* end"]
    assert len(text) < 5000
