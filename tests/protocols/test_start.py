"""Children of this program never take their modules from the current folder."""

import subprocess
import sys

import pytest

from engines import __version__
from engines.arena.settings import Entrant, Settings
from protocols.commands.match_players import spec_of
from protocols.programs.process import split_command
from protocols.programs.registry import find
from protocols.start import own_command

ENVIRONMENT = ("engines", "protocols", "protocols/gtp")


@pytest.fixture
def foreign(tmp_path):
    """A folder with somebody else's modules of our names."""
    for name in ENVIRONMENT:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the wrong module')\n")
    (tmp_path / "qiqiao.py").write_text("raise SystemExit('the wrong module')\n")
    return tmp_path


@pytest.mark.parametrize("switches", [[], ["-E"]])
def test_the_current_folder_does_not_count(foreign, switches):
    python, *words = own_command()
    done = subprocess.run(
        [python, *switches, *words, "--version"], cwd=foreign, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == (f"qiqiao {__version__}\n", "")


def test_its_own_folder_hides_nothing():
    code = "import json, sys; print([one for one in sys.path if one.endswith('protocols')])"
    program = own_command()[1]
    done = subprocess.run(
        [sys.executable, "-c", f"import runpy; runpy.run_path({program!r}); {code}"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("game", ["go", "xiangqi"])
def test_the_built_in_search_of_a_match_is_started_so(game):
    entrants = (Entrant("a", "search:--level 3"), Entrant("b", "search"))
    command = spec_of(entrants[0], Settings(game, entrants), "").command
    assert own_command()[1] in command and " -m " not in command and command.endswith("--level 3")


@pytest.mark.parametrize(("game", "protocol"), [("go", "gtp"), ("xiangqi", "uci")])
def test_the_built_in_search_behind_a_protocol_is_started_so(game, protocol, foreign):
    words = split_command(find("search:--help", game, "").command)
    assert words == [*own_command(), protocol, "--help"]
    done = subprocess.run(words, cwd=foreign, capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith(f"usage: qiqiao {protocol} ") and done.returncode == 0
