"""The command line: help, versions, options, configuration files, wrong usage."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import qiqiao
from engines import __version__
from protocols.commands.gtp import options_from

ROOT = Path(__file__).parent.parent


def run(*arguments, data=b""):
    return subprocess.run(
        [sys.executable, "-m", "qiqiao", *arguments], input=data, capture_output=True, timeout=30, cwd=ROOT
    )


def gtp_options(*arguments):
    return options_from(qiqiao.parse(["gtp", *arguments]))


@pytest.mark.parametrize("arguments", [["--help"], ["gtp", "--help"]])
def test_help_at_every_level(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        qiqiao.main(arguments)
    assert end.value.code == 0
    assert "usage: qiqiao" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--version"], ["gtp", "--version"]])
def test_version(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        qiqiao.main(arguments)
    assert end.value.code == 0
    assert capsys.readouterr().out == f"qiqiao {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "COMMAND"),
        (["nonsense"], "nonsense"),
        (["gtp", "--nonsense"], "--nonsense"),
        (["gtp", "extra"], "extra"),
        (["gtp", "--size", "26"], "26"),
        (["gtp", "--size", "ninexnine"], "ninexnine"),
        (["gtp", "--komi", "nan"], "nan"),
        (["gtp", "--threads", "0"], "0"),
        (["gtp", "--playouts", "many"], "many"),
        (["gtp", "--player", "gnugo"], "gnugo"),
        (["gtp", "--log", "/nonexistent/directory/log"], "log"),
        (["gtp", "--config", "/nonexistent/config"], "configuration"),
        (["gtp", "--rules", "martian"], "martian"),
        (["gtp", "--record", "/dev/null/games"], "record"),
    ],
)
def test_wrong_usage(arguments, word, capsys):
    with pytest.raises(SystemExit) as end:
        qiqiao.main(arguments)
    assert end.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert word in captured.err


def test_options():
    options = gtp_options("--size", "13x9", "--komi=-0.5", "--ponder", "--playouts", "100")
    assert (options.width, options.height, options.komi, options.ponder, options.playouts) == (13, 9, -0.5, True, 100)


def test_configuration_file(tmp_path):
    file = tmp_path / "qiqiao.toml"
    file.write_text('size = 9\nkomi = 5.5\nmove-time = 1\nponder = true\nkgs_chat = false\nrules = "japanese"\n')
    options = gtp_options("--config", str(file), "--komi", "6.5", "--no-ponder")
    assert (options.width, options.komi, options.move_time, options.ponder) == (9, 6.5, 1.0, False)
    assert options.rules == "japanese"
    # The place of --config among the options makes no difference.
    assert gtp_options("--komi", "6.5", "--no-ponder", "--config", str(file)) == options
    file.write_text(file.read_text(), "utf-8-sig")
    assert gtp_options("--komi", "6.5", "--no-ponder", "--config", str(file)) == options


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("nonsense = 1", "'nonsense'"),
        ("config = 'x'", "'config'"),
        ("ponder = 1", "'ponder'"),
        ("threads = true", "'threads'"),
        ("threads = 'many'", "'threads'"),
        ("interrupted = 'maybe'", "'interrupted'"),
        ("[gtp]\nkomi = 5", "'gtp'"),
        ("komi =", "nvalid value"),
        ("\udcff", "utf-8"),
    ],
)
def test_configuration_errors(text, word, tmp_path, capsys):
    file = tmp_path / "qiqiao.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(SystemExit) as end:
        qiqiao.main(["gtp", "--config", str(file)])
    assert end.value.code == 2
    message = capsys.readouterr().err
    assert word in message and "qiqiao.toml" in message and message.count("\n") == 1
    assert re.search(r"line \d|end of document", message)


def test_only_what_is_needed_is_imported():
    code = "import sys, qiqiao; qiqiao.main(['gtp']); print(*sys.modules, file=sys.stderr)"
    result = subprocess.run([sys.executable, "-c", code], input=b"name\n", capture_output=True, timeout=30, cwd=ROOT)
    assert result.stdout == b"= qiqiao\n\n"
    modules = set(result.stderr.decode().split())
    assert "protocols.gtp.server" in modules
    assert not modules & {"asyncio", "logging", "sgfmill", "serial", "tomllib", "subprocess", "multiprocessing"}
    assert not any(name.startswith(("engines.xiangqi", "protocols.ucci", "protocols.uci")) for name in modules)


def test_log_option(tmp_path):
    result = run("gtp", "--log", str(tmp_path / "log"), data=b"1 name\n")
    assert result.stdout == b"=1 qiqiao\n\n"
    log = (tmp_path / "log").read_text()
    assert " < 1 name\n" in log and " > =1 qiqiao\n" in log


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("logging", [False, True])
def test_standard_files_may_be_closed(logging, closed, tmp_path):
    log = tmp_path / "log"
    options = ["--log", log] if logging else []
    result = subprocess.run(
        ["sh", "-c", f'exec "$0" -m qiqiao gtp "$@" {closed}', sys.executable, *options],
        input=b"name\n",
        capture_output=True,
        timeout=30,
        cwd=ROOT,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert not logging or all(line[:2] == "20" for line in log.read_text().splitlines())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_person_at_a_terminal_is_told_what_to_do():
    import pty

    controller, terminal = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "qiqiao", "gtp"],
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    try:
        os.write(controller, b"quit\n")
        out, err = child.communicate(timeout=20)
    finally:
        child.kill()
        os.close(controller)
        os.close(terminal)
    assert out == b"= \n\n"
    assert err.count(b"\n") == 1 and b"waiting for GTP commands" in err


def test_an_interrupt_before_the_session_has_begun(monkeypatch, capsys):
    def interrupted(argv):
        raise KeyboardInterrupt

    monkeypatch.setattr(qiqiao, "parse", interrupted)
    assert qiqiao.main(["gtp"]) == 130
    assert capsys.readouterr().err == ""


# --- what people see


COMMANDS = [[], *([name] for name in qiqiao.COMMANDS), ["engines", "add"], ["engines", "check"]]


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_on_a_terminal_that_can_not_write_chinese(words, encoding, monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding=encoding))
    with pytest.raises(SystemExit) as end:
        qiqiao.main([*words, "--help"])
    sys.stdout.flush()
    assert end.value.code == 0 and written.getvalue().startswith(b"usage: qiqiao")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["mtach"], "did you mean 'match'?"),
        (["--verison"], "did you mean '--version'?"),
        (["gtp", "--player", "serach"], "did you mean 'search'?"),
        (["gtp", "--player", "gttp:engine x"], "did you mean 'gtp:engine x'?"),
        (["gtp", "--memory", "99999999999"], "must be 1 to 1048576, not"),
        (["gtp", "--ruls", "x"], "did you mean '--rules'?"),
        (["gtp", "--rules", "japnese"], "did you mean 'japanese'?"),
        (["match", "--game", "goo"], "did you mean 'go'?"),
        (["ucci", "--rules", "axff"], "did you mean 'axf'?"),
        (["ucci", "--natural-limit", "leage"], "did you mean 'league'?"),
        (["engines", "chekc"], "did you mean 'check'?"),
        (["gtp", "--komi", "much"], "not a number"),
        (["board"], "url"),
    ],
)
def test_an_error_is_one_line_that_says_where_help_is(words, text, capsys):
    with pytest.raises(SystemExit) as end:
        qiqiao.main(words)
    message = capsys.readouterr().err
    assert end.value.code == 2 and message.count("\n") == 1
    assert text in message and "--help" in message and message.startswith("qiqiao")


def test_what_is_required_and_lists_may_stand_in_the_configuration(tmp_path):
    file = tmp_path / "match.toml"
    file.write_text('game = "go"\nengine = ["gtp:a", "x=gtp:b"]\noption = ["x:level=3"]\nengine-time = {x = "60"}\n')
    arguments = qiqiao.parse(["match", "--config", str(file)])
    assert (arguments.game, arguments.engine) == ("go", ["gtp:a", "x=gtp:b"])
    assert arguments.option == [("x", "level", "3")] and arguments.engine_time == [("x", "60")]
    # The command line goes first, for a list as a whole.
    typed = qiqiao.parse(["match", "--engine", "gtp:c", f"--config={file}"])
    assert typed.engine == ["gtp:c"] and typed.option == [("x", "level", "3")]
    file.write_text('game = "xiangqi"\n')
    assert qiqiao.parse(["board", "--config", str(file), "virtual://"]).game == "xiangqi"
    file.write_text("[engine-option]\nHash = 64\nPonder = true\nName = 'x'\n")
    options = qiqiao.parse(["uci", "--config", str(file)]).engine_option
    assert options == [("Hash", "64"), ("Ponder", "true"), ("Name", "x")]


@pytest.mark.parametrize("text", ["engine = [['a']]", "engine = [true]", "engin = ['a']", "game = ['go', 'xiangqi']"])
def test_lists_that_are_wrong(text, tmp_path, capsys):
    file = tmp_path / "match.toml"
    file.write_text(text)
    with pytest.raises(SystemExit) as end:
        qiqiao.main(["match", "--config", str(file)])
    message = capsys.readouterr().err
    assert end.value.code == 2 and "match.toml" in message and message.count("\n") == 1


@pytest.mark.parametrize(
    "arguments, told",
    [
        (["ucci", "--net", "README.md"], "argument --net: README.md: not an evaluation net of this program"),
        (["uci", "--net", "no such net"], "argument --net: no such net: No such file or directory"),
        (["uci", "--net", "x", "--player", "ucci:x"], "argument --net: only the built-in player judges by it"),
    ],
)
def test_a_net_that_can_not_be_used_ends_the_program(arguments, told, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as end:
        qiqiao.main(arguments)
    assert end.value.code == 2
    assert told in capsys.readouterr().err
