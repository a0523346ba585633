"""``qiqiao gtp --net``: what it refuses, and what a session with a net answers."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from support import DATA, ROOT

TINY = DATA / "go" / "tiny.onnx"

needs_runtime = pytest.mark.skipif(importlib.util.find_spec("onnxruntime") is None, reason="needs onnxruntime")


def gtp(net, *commands):
    """The answers of a session with a net, and what is said on standard error."""
    line = [sys.executable, "-m", "qiqiao", "gtp", "--size", "5", "--playouts", "40", "--seed", "1", "--net", str(net)]
    text = "".join(command + "\n" for command in (*commands, "quit"))
    done = subprocess.run(line, cwd=ROOT, input=text, capture_output=True, text=True, timeout=60)
    return done.stdout.split("\n\n"), done.stderr, done.returncode


@needs_runtime
def test_a_session_with_a_net():
    answers, _, _ = gtp(TINY, "genmove b", "genmove w", "kata-raw-nn 0", "kata-raw-nn 6", "heatmap", "kata-get-models")
    assert answers[0].startswith("= ") and answers[1].startswith("= ")
    first, other = (dict(zip(words[::2], words[1::2], strict=False)) for words in (a[2:].split() for a in answers[2:4]))
    assert first["symmetry"] == "0" and other["symmetry"] == "6"
    assert first["whiteWin"] != other["whiteWin"]  # this net's answers hang on how the board lies
    policy = answers[2].split("policy\n")[1].split("\npolicyPass")[0].split()
    passing = float(answers[2].split("policyPass")[1].split()[0])
    assert policy.count("NAN") == 2
    assert sum(float(word) for word in policy if word != "NAN") + passing == pytest.approx(1, abs=1e-4)
    assert "pass: " in answers[4]
    assert "network tiny.onnx" in answers[5]


@needs_runtime
def test_analysis_and_the_end_with_a_net():
    commands = (
        "kata-genmove_analyze b 1 ownership true",
        "final_score",
        "final_status_list dead",
        "kgs-genmove_cleanup w",
    )
    answers, _, _ = gtp(TINY, *commands)
    assert "ownership" in answers[0] and "play " in answers[0]
    assert all(answer.startswith("=") for answer in answers[:4])


@pytest.mark.parametrize("content", ["", "text"])
def test_other_files_are_refused_at_the_start(content, tmp_path):
    path = tmp_path / "other.onnx"
    path.write_text(content)
    answers, told, code = gtp(path, "name")
    assert answers == [""]
    assert "is not a net" in told
    assert code == 2


def test_a_missing_file_is_refused_at_the_start(tmp_path):
    _, told, code = gtp(tmp_path / "gone.onnx", "name")
    assert "can't be read" in told
    assert code == 2


def test_none_is_no_net():
    answers, _, code = gtp("none", "genmove b", "kata-get-models")
    assert answers[0].startswith("= ")
    assert "no network" in answers[1]
    assert code == 0


@needs_runtime
def test_a_net_found_broken_later_costs_nothing_but_the_answer(tmp_path):
    """Its word about itself is there, the rest is not; the game goes on by ``play``."""
    content = TINY.read_bytes()
    path = Path(tmp_path / "net.onnx")
    path.write_bytes(content[:900] + content[1000:])
    answers, _, code = gtp(path, "play b c3", "genmove w", "kata-raw-nn 0", "play w a1", "showboard")
    assert answers[0] == "= "
    assert answers[1].startswith("? ") and "can't be used as a net" in answers[1]
    assert answers[2].startswith("? ") and "can't be used as a net" in answers[2]
    assert answers[3] == "= "
    assert code == 0
