"""The registry of games, and that nothing outside a game's folder asks which game it is."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from engines import games
from engines.clock import TimeControl
from engines.gametype import Ending, Opening, PlayedGame

ROOT = Path(__file__).parents[2]

ASKS = re.compile(r"""(==|!=|\bin|\bif|\belse)\s*[\[(]?["'](go|xiangqi)["']""")
"""A decision by the name of a game."""

OWN = ("engines/go/", "engines/xiangqi/", "protocols/gtp/", "protocols/xiangqi/", "protocols/sensor/")
"""A game's own folders; the trackers of sensor boards have a part for each game."""

KNOWN = {
    "protocols/cecp/client.py": 1,  # the name of a variant in the protocol
    "protocols/uci/client.py": 1,
    "engines/writers.py": 2,  # which writer a Go or Xiangqi record has
    "protocols/commands/boards.py": 1,
    "protocols/commands/convert.py": 1,
    "protocols/commands/notate.py": 2,  # a point of Go, a move of Xiangqi
    "protocols/commands/board.py": 8,  # which sessions and options a sensor board's game has
}


@pytest.mark.parametrize("name", games.GAMES)
def test_each_game_says_what_it_is(name):
    game = games.find(name)
    assert game.name == name and len(game.sides) >= 2 and all(game.titles) and game.protocols
    made = games.make(name)
    referee = made.begin(Opening())
    assert referee.side == 0 and referee.ending() is None and referee.observe(0) is not None
    assert made.options == {one.name: one.default for one in game.option_table}
    board = made.board()
    assert made.course(Opening(), []).start.keys() <= set(range(len(board.places)))
    record = PlayedGame(
        ("a", "b"), Opening(), (), Ending(0, "resignation", "x"), TimeControl.none(), 0, 1, 1, "2020-01-02"
    )
    assert "a" in made.record_text(record, (game.notations or ("",))[0])


def test_what_there_is_not_is_refused_in_plain_words():
    with pytest.raises(ValueError, match="must be one of"):
        games.find("chess")
    with pytest.raises(ValueError, match="no option"):
        games.make("go", options={"limit": "cxa"})
    with pytest.raises(ValueError, match="size"):
        games.make("go", options={"size": 9})


def test_the_registry_loads_no_game():
    loaded = "[one for one in sys.modules if one.startswith(('engines.go.', 'engines.xiangqi'))]"
    code = f"import sys, engines.games; print({loaded})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n"


def test_nothing_outside_a_game_asks_which_it_is():
    found = {}
    for folder in ("engines", "protocols"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            if not name.startswith(OWN):
                hits = [line for line in file.read_text("utf-8").splitlines() if ASKS.search(line)]
                if len(hits) > KNOWN.get(name, 0):
                    found[name] = hits
    assert found == {}
