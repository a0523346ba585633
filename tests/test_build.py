"""What a build says where something is missing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SETUP = Path(__file__).parent.parent / "setup.py"

pytest.importorskip("Cython")
pytest.importorskip("setuptools")


@pytest.mark.skipif(sys.platform == "win32", reason="the compiler is named by CC")
def test_a_missing_compiler_is_the_last_line(tmp_path):
    shutil.copy(SETUP, tmp_path)
    for name in ("engines/small.py", "engines/small.pxd", "protocols/__init__.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    environment = {**os.environ, "CC": "/nowhere/cc"}
    done = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode != 0 and "Traceback" not in done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert "'/nowhere/cc'" in last and "a C compiler is needed" in last and "apt install gcc" in last
