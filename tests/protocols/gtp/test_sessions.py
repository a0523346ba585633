"""Whole sessions as clients hold them, word for word.

A session file has lines of input after ``> `` and what came back between them; ``# options:`` at its head has
arguments for
arguments for the scripted server. In what came back ``{number}``, ``{version}`` and ``{any}`` stand for themselves,
and a line of three dots for any lines. The input is fed as a file, so nothing depends on how fast it comes.

``python tests/protocols/gtp/test_sessions.py FILE...`` writes a session file anew from the input in it, to be read
and compared by eye.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROGRAM = ROOT / "tests" / "protocols" / "programs" / "scripted_gtp.py"
SESSIONS = sorted((ROOT / "tests" / "data" / "go" / "gtp_sessions").glob("*.txt"))

_PLACES = {"{number}": r"-?[0-9]+(\.[0-9]+)?", "{version}": r"[0-9]+\.[0-9]+\.[0-9]+", "{any}": r".*"}


def read(path):
    """Options, lines of input, and the lines expected back."""
    options, sent, expected = [], [], []
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        if line.startswith("# options:"):
            options = _words(line.partition(":")[2])
        elif line.startswith("# ") and not sent:
            continue
        elif line == ">" or line.startswith("> "):
            sent.append(line[2:])
        else:
            expected.append(line)
    return options, sent, expected


def _words(text):
    return [word.replace('"', "") for word in re.findall(r'(?:"[^"]*"|\S)+', text)]


def run(options, sent, tmp_path):
    script = tmp_path / "input"
    script.write_text("".join(line + "\n" for line in sent), encoding="utf-8")
    with open(script, "rb") as file:
        return subprocess.run(
            [sys.executable, str(PROGRAM), *options],
            stdin=file,
            capture_output=True,
            timeout=60,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            check=True,
        )


def pattern(expected):
    parts = []
    for line in expected:
        if line == "...":
            parts.append(r"(?:[^\n]+\n)*")
        else:
            text = re.escape(line)
            for place, regex in _PLACES.items():
                text = text.replace(re.escape(place), regex)
            parts.append(text + "\n")
    return "".join(parts)


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_session(path, tmp_path):
    options, sent, expected = read(path)
    result = run(options, sent, tmp_path)
    got = result.stdout.decode()
    if not re.fullmatch(pattern(expected), got):
        assert got.split("\n") == [*expected, ""]  # shows where they part
        raise AssertionError("the session differs from its pattern")
    assert result.stderr == b""


def test_there_are_sessions():
    assert {"gogui_twogtp", "sabaki", "lizzie", "cgos", "kgs"} <= {path.stem for path in SESSIONS}


def rewrite(path):
    """Write a session file anew from its input."""
    import tempfile

    from engines import __version__
    from protocols.gtp import framing

    options, sent, _ = read(path)
    with tempfile.TemporaryDirectory() as directory:
        output = run(options, sent, Path(directory)).stdout.decode()
    replies = iter(re.findall(r".*?\n\n", output, re.DOTALL))
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line.startswith("# ") or line == "#"]
    for line in sent:
        lines.append(("> " + line).rstrip(" ") if not line else "> " + line)
        command = framing.parse(line)
        if command is not None:
            reply = next(replies, "").replace(__version__, "{version}").split("\n")[:-1]
            if command.name == "list_commands":
                reply[1:-2] = ["..."]
            if command.name == "cputime":
                reply[0] = "= {number}"
            lines += [re.sub(r"playouts, [0-9.]+ s", "playouts, {number} s", text) for text in reply]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name))
