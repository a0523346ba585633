"""The scripts about matches, made small."""

import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

pytestmark = pytest.mark.compiled


def run(name, *arguments):
    command = [sys.executable, str(ROOT / "scripts" / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="children are looked up in /proc")
def test_a_match_under_stress_is_exact(tmp_path):
    done = run("stress_match.py", *f"--games 30 --runner-kills 2 --engine-kills 2 --folder {tmp_path}".split())
    assert done.returncode == 0, done.stdout + done.stderr
    assert "killed 2 times, engines 2 times" in done.stdout and done.stdout.endswith("EXACT\n")


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_the_sequential_test_is_simulated(model):
    done = run("simulate_sprt.py", "--tests", "4", "--elo1", "150", "--model", model)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("H1 accepted in") == 2
