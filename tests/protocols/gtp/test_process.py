"""The GTP server as a process: what pipes, signals and ends of input do to it."""

import json
import re
import signal
import sys
import time

import pytest

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals between processes")


def send(child, text):
    child.stdin.write(text if isinstance(text, bytes) else text.encode())
    child.stdin.flush()


def read_info(child):
    """The beginning of a stream: the status line and the first line of analysis."""
    assert re.fullmatch(rb"=[0-9]*\n", child.stdout.readline())
    assert child.stdout.readline().startswith(b"info move ")


def rest(child):
    """What comes until the process has ended by itself."""
    text = child.stdout.read().decode()
    assert child.wait(timeout=10) == 0
    return text


def test_crlf(process):
    out, _ = process().communicate(b"1 boardsize 9\r\n2 play b D4\r\n\r\n3 name\r\n", timeout=20)
    assert out == b"=1 \n\n=2 \n\n=3 qiqiao\n\n"


def test_thousands_of_lines_at_once(process):
    lines = [f"{number} play {'bw'[number % 2]} pass" for number in range(5000)]
    out, err = process().communicate("\n".join(lines).encode(), timeout=60)
    assert out.decode() == "".join(f"={number} \n\n" for number in range(5000))
    assert err == b""


def test_a_megabyte_of_one_line(process):
    line = b"5 play b " + b"D" * 1_500_000
    out, err = process().communicate(
        line + b"\n# " + b"x" * 1_500_000 + b"\n" + b" " * 1_000_000 + b"\n6 name\n", timeout=60
    )
    assert out == b"?5 line longer than 262144 bytes\n\n=6 qiqiao\n\n"
    assert err == b""


def test_a_game_in_one_line(process):
    moves = " ".join(f"{'bw'[number % 2]} pass" for number in range(4000))
    out, _ = process().communicate(f"gogui-play_sequence {moves}\ngg-undo 4000\nundo\n".encode(), timeout=60)
    assert out == b"= \n\n= \n\n? cannot undo\n\n"


def test_bytes_that_are_no_text(process):
    out, _ = process().communicate(
        b"\xff\xfe\x80\nname \xe6\n1 \xc3\x28\nplay b \xff\n\x00\x01\x02\n2 name\n", timeout=20
    )
    assert out == (
        b"? unknown command\n\n= qiqiao\n\n?1 unknown command\n\n"
        b"? syntax error: invalid vertex '\\udcff'\n\n=2 qiqiao\n\n"
    )


def test_an_empty_line_ends_an_analysis(process):
    child = process()
    send(child, "7 lz-analyze b 1\n")
    read_info(child)
    send(child, "\n")
    while (line := child.stdout.readline()) != b"\n":
        assert line.startswith(b"info ")
    send(child, "8 name\n")
    assert child.stdout.readline() == b"=8 qiqiao\n"


def test_a_line_that_waits_already_ends_an_analysis_after_one_line(process):
    out, _ = process().communicate(b"1 analyze b 10000\n2 name\n", timeout=20)
    assert re.fullmatch(r"=1\ninfo [^\n]+\n\n=2 qiqiao\n\n", out.decode())


@pytest.mark.parametrize("command", ["analyze", "lz-analyze", "kata-analyze"])
def test_end_of_input_in_mid_analysis(command, process):
    child = process()
    send(child, f"{command} b 1\n")
    read_info(child)
    child.stdin.close()
    assert re.fullmatch(r"(info [^\n]+\n)*\n", rest(child))


@pytest.mark.parametrize(
    "command", ["genmove_analyze", "kata-genmove_analyze", "lz-genmove_analyze", "cgos-genmove_analyze"]
)
def test_end_of_input_in_mid_genmove_analyze_still_brings_a_line_and_the_move(command, process):
    child = process("--think", "600")
    send(child, f"{command} b\n")
    assert child.stdout.readline() == b"=\n"
    child.stdin.close()
    assert re.fullmatch(r"((info|\{)[^\n]+\n)+play A1\n\n", rest(child))


def test_further_input_waits_for_genmove_analyze(process):
    child = process("--think", "0.4")
    send(child, "1 kata-genmove_analyze b 5\n2 name\n\n3 showboard\n")
    time.sleep(0.2)
    child.stdin.close()
    out = rest(child)
    assert re.match(r"=1\n(info [^\n]+\n){4,}play A1\n\n=2 qiqiao\n\n=3 \n", out)


@pytest.mark.parametrize("command", ["genmove b", "kata-genmove_analyze b 1000"])
def test_goguis_interrupt_shortens_a_genmove(command, process):
    child = process("--think", "600")
    send(child, f"{command}\n")
    time.sleep(0.2)
    begin = time.monotonic()
    send(child, "# interrupt\nname\nquit\n")
    out = rest(child)
    assert time.monotonic() - begin < 300
    assert "A1" in out and out.endswith("= qiqiao\n\n= \n\n")
    assert (out.count("info move") > 0) == ("analyze" in command)


def test_a_plain_line_does_not_shorten_a_genmove(process):
    child = process("--think", "0.7")
    begin = time.monotonic()
    send(child, "genmove b\nname\n")
    assert child.stdout.readline() == b"= A1\n"
    assert time.monotonic() - begin >= 0.6


def test_a_script_is_never_shortened(process, tmp_path):
    script = tmp_path / "script.gtp"
    script.write_text("genmove b\nquit\n")
    begin = time.monotonic()
    with open(script, "rb") as file:
        child = process("--think", "1.0", stdin=file)
        assert rest(child) == "= A1\n\n= \n\n"
    assert time.monotonic() - begin >= 0.9


def test_the_end_can_be_an_error_for_a_genmove(process):
    child = process("--think", "30", "--interrupted", "error")
    out, _ = child.communicate(b"genmove b\nmove_history\n", timeout=10)
    assert out == b"? interrupted\n\n= \n\n"


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", ["genmove b", "lz-analyze b 1", "genmove_analyze b 1", ""])
def test_signals(number, command, process):
    child = process("--think", "30")
    send(child, "name\n" + command + "\n")
    assert child.stdout.readline() == b"= qiqiao\n"
    time.sleep(0.2)
    child.send_signal(number)
    assert child.wait(timeout=10) == 0
    out, err = child.stdout.read().decode(), child.stderr.read()
    assert err == b""
    if command:
        assert out.endswith("\n\n")
    assert out.endswith({"genmove b": "= A1\n\n", "genmove_analyze b 1": "\nplay A1\n\n"}.get(command, "\n"))


def test_the_client_dies_in_mid_analysis(process):
    child = process()
    send(child, "lz-analyze b 1\n")
    read_info(child)
    child.stdout.close()
    assert child.wait(timeout=10) == 0
    assert child.stderr.read() == b""


def test_standard_error_is_never_needed(process):
    """Many faults, each with a traceback, while nobody reads standard error: only a log file may grow."""
    child = process()
    lines = b"loadsgf /no/such/file\n" * 200 + b"name\n"
    send(child, lines)
    replies = [child.stdout.readline() for _ in range(402)]
    assert replies[-2] == b"= qiqiao\n" and replies[0] == b"? cannot load file\n"


def test_pondering_ends_with_the_next_command(process, ask):
    child = process("--ponder", "--think", "0.05")
    assert ask(child, "genmove b") == "= A1"
    time.sleep(0.1)
    assert ask(child, "play w E5") == "= "
    assert ask(child, "genmove b") == "= B1"
    assert ask(child, "stop") == "= "
    assert ask(child, "name") == "= qiqiao"


def test_an_analysis_left_running_keeps_up_with_its_interval(process):
    child = process()
    begin = time.monotonic()  # before it can have begun, however late this process gets to read
    send(child, "analyze b 5\n")
    assert child.stdout.readline() == b"=\n"
    for _ in range(6):
        assert child.stdout.readline().startswith(b"info move A1")
    assert time.monotonic() - begin >= 5 * 0.05  # never more often; how much later is the machine's affair
    send(child, "quit\n")
    rest(child)


def test_the_log_has_both_directions(process, tmp_path):
    log = tmp_path / "gtp.log"
    process("--log", str(log)).communicate(b"1 genmove b\n2 foo\n", timeout=20)
    text = log.read_text()
    assert re.search(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} < 1 genmove b$", text, re.MULTILINE)
    assert " > =1 A1\n" in text and " > ?2 unknown command\n" in text


def test_the_json_for_cgos_is_one_line(process, ask):
    reply = ask(process(), "cgos-genmove_analyze b")
    status, line, play = reply.split("\n")
    assert (status, play) == ("=", "play A1")
    assert json.loads(line)["moves"][0]["move"] == "A1"
