"""Another GTP program behind the GTP server: what it is told, and what of it reaches the client."""

import sys
import threading
import time

import pytest
from support import ROOT

from engines.clock import Clock, TimeControl
from engines.go.game import Game
from engines.go.points import BLACK, WHITE
from engines.player import Limits, PlayerError, Restriction
from protocols.gtp.engine import EnginePlayer
from protocols.gtp.options import Options
from protocols.gtp.server import Server
from protocols.log import SessionLog
from protocols.programs.config import EngineConfig

PROGRAM = ROOT / "tests" / "protocols" / "programs" / "fake_kata.py"


class Behind:
    """A server with the fake engine behind it; ``told`` is what the engine was sent since the last look."""

    def __init__(self, path, without="", **options):
        self._path = path
        path.touch()
        command = f"'{sys.executable}' -S -E '{PROGRAM}' '{path}' '{without}'"
        self.spec = EngineConfig("gtp", command, "fake", stop_time=2, quit_time=1, retries=1)
        self.notes = []
        self.player = EnginePlayer(self.spec, Options(), SessionLog(), self.notes.append)
        self.server = Server(Options(**{"move_time": 0, **options}), self.player)
        self.written = []
        self.server.attach(self.written.append)
        self._seen = 0

    def __call__(self, line):
        self.written.clear()
        self.server.notice(line)
        reply = self.server.handle(line) or ""
        return "".join(self.written) + reply

    def told(self):
        lines = self._path.read_text().splitlines()
        new, self._seen = lines[self._seen :], len(lines)
        return [line for line in new if line not in ("protocol_version", "name", "version", "list_commands")]


@pytest.fixture
def behind(tmp_path):
    made = []

    def make(without="", **options):
        made.append(Behind(tmp_path / f"log{len(made)}", without, **options))
        return made[-1]

    yield make
    for one in made:
        one.server.close()


def test_the_game_is_told_once_and_then_only_what_is_new(behind):
    one = behind()
    one("komi 6.5")
    one("play b C3")
    assert one("genmove w") == "= D4\n\n"
    told = one.told()
    assert told[0] == "boardsize 19" and told[1] == "clear_board"
    assert told[2].startswith("kata-set-rules {") and told[3:] == ["komi 6.5", "play black C3", "genmove white"]
    assert one("genmove b") == "= Q16\n\n"
    assert one.told() == ["genmove black"]
    one("undo")
    assert one("genmove b") == "= K10\n\n"
    assert one.told() == ["undo", "genmove black"]
    for _ in range(3):
        one("undo")
    one("play b Q4")
    one("genmove w")
    assert one.told()[-2:] == ["play black Q4", "genmove white"]


def test_set_up_positions_and_handicap(behind):
    one = behind()
    one("boardsize 9")
    one("fixed_handicap 2")
    one("genmove w")
    assert "set_free_handicap C3 G7" in one.told()
    one("clear_board")
    one("gogui-setup b A1 w B2")
    one("genmove w")
    assert any(line.startswith("set_position ") for line in one.told())
    plain = behind("set_free_handicap,set_position")
    plain("boardsize 9")
    plain("fixed_handicap 2")
    plain("genmove w")
    assert [line for line in plain.told() if line.startswith("play black")] == ["play black C3", "play black G7"]


def test_boards_that_are_not_square(behind):
    one = behind()
    one("rectangular_boardsize 9 7")
    assert one("genmove b") == "= D4\n\n"
    assert one.told()[0] == "rectangular_boardsize 9 7"
    other = behind("rectangular_boardsize")
    other("rectangular_boardsize 9 7")
    assert other("genmove b") == "? fake plays on square boards only, not on 9x7\n\n"


def test_an_engine_that_can_not_clear_its_board_is_started_anew(behind):
    one = behind("clear_board,undo,gg-undo")
    one("play b C3")
    assert one("genmove w") == "= D4\n\n"
    one("clear_board")
    one("play b Q3")
    one.told()
    assert one("genmove w") == "= D4\n\n"
    assert [line for line in one.told() if line.startswith("play")] == ["play black Q3"]
    assert "started anew" in one.notes[0]


TIMES = {
    "time_settings 600 0 0": "time_settings 600 0 0",
    "time_settings 600 30 5": "time_settings 600 30 5",
    "kgs-time_settings byoyomi 600 30 5": "kgs-time_settings byoyomi 600 30 5",
    "kata-time_settings fischer 600 10": "kata-time_settings fischer 600 10",
    "kata-time_settings fischer-capped 600 10 900 -1": "kata-time_settings fischer-capped 600 10 900 -1",
}


@pytest.mark.parametrize(("asked", "told"), TIMES.items())
def test_time_settings(behind, asked, told):
    one = behind()
    one(asked)
    one("time_left b 500 0")
    one("genmove b")
    lines = one.told()
    assert told in lines and "time_left black 500 0" in lines and "time_left white 600 0" in lines
    one("time_left w 90 0")
    one("genmove w")
    lines = one.told()
    assert "time_left white 90 0" in lines and told not in lines


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("kgs-time_settings byoyomi 600 30 5", "time_settings 600 30 1"),
        ("kata-time_settings fischer 600 10", "time_settings 600 0 0"),
    ],
)
def test_time_settings_of_an_engine_with_few_words(behind, asked, told):
    one = behind("kgs-time_settings,kata-time_settings")
    one(asked)
    one("genmove b")
    assert told in one.told()


def test_seconds_a_move_and_visits(behind):
    one = behind(move_time=3, playouts=100)
    one("genmove b")
    assert "kata-set-param maxVisits 100" in one.told()
    choice = one.player.choose(Game(), BLACK, Limits(seconds=3))
    assert choice.action == "move" and "time_settings 0 3 1" in one.told()


KATA = (
    "info move D4 visits 12 edgeVisits 12 utility 0.1 winrate 0.56 scoreMean 1.5 scoreStdev 9.25 scoreLead 1.5 "
    "scoreSelfplay 1.6 prior 0.2 lcb 0.5 utilityLcb 0 weight 12 isSymmetryOf Q4 order 0 pv D4 Q16 "
    "info move Q4 visits 3 winrate 0.5 prior 0.1 lcb 0.4 order 1 pv Q4 pass strangeKey 7\n"
)


def analyze(one, line):
    threading.Timer(0.25, one.server.notice, ("name",)).start()
    return one(line)


@pytest.mark.parametrize("tags", ["b 50", "50", "B interval 50 ownership true newTag 7"])
def test_kata_analyze_is_passed_on_unharmed(behind, tags):
    one = behind()
    text = analyze(one, f"7 kata-analyze {tags}")
    assert text.startswith("=7\n" + KATA) and text.endswith(KATA + "\n")
    assert set(text.splitlines(keepends=True)) == {"=7\n", KATA, "\n"}
    # The engine is told the colour, since its own opinion of whose turn it is may differ.
    words = tags if tags[0] in "bB" else f"black {tags}"
    assert f"kata-analyze {words}" in one.told()
    assert one("genmove b") == "= D4\n\n"


def test_an_error_of_the_engine_is_an_error(behind):
    assert behind()("7 kata-analyze nonsense") == "?7 cannot parse tags\n\n"


def test_kata_genmove_analyze_is_passed_on_and_refereed(behind):
    one = behind()
    assert one("kata-genmove_analyze b 50") == f"=\n{KATA}play D4\n\n"
    assert one.server.session.game.moves == [(BLACK, 3 * 19 + 3)]


@pytest.mark.parametrize(
    ("without", "asked", "start"),
    [
        ("lz-analyze", "lz-analyze b 10", "info move D4 visits 12 winrate 5600 prior 2000 lcb 5000 order 0 pv D4 Q16"),
        ("kata-analyze", "kata-analyze b 10", "info move D4 visits 12 edgeVisits 12 utility 0.12 winrate 0.56 "),
        ("kata-analyze,lz-analyze", "lz-analyze b 10", "info move C4 visits 1 winrate 5000 prior 0"),
    ],
)
def test_analysis_is_translated_where_the_engine_has_another_or_none(behind, without, asked, start):
    text = analyze(behind(without), asked)
    assert text.splitlines()[1].startswith(start)


def test_analysis_of_an_engine_that_has_nothing(behind):
    one = behind("kata-analyze,lz-analyze,reg_genmove")
    assert analyze(one, "lz-analyze b 10").endswith("\n\n")
    with pytest.raises(PlayerError, match="no analysis"):
        one.player.choose(Game(), BLACK, Limits(infinite=True), lambda report: None)


def test_restrictions_are_told_or_checked(behind):
    one = behind()
    limits = Limits(restrictions=(Restriction(BLACK, frozenset({0, 1}), 3),))
    one.player.choose(Game(), BLACK, limits)
    assert any(line.endswith("avoid black A1,B1 3") for line in one.told())
    other = behind("kata-genmove_analyze,lz-genmove_analyze")
    limits = Limits(restrictions=(Restriction(BLACK, frozenset({3 * 19 + 3}), 1),))
    assert other.player.choose(Game(), BLACK, limits).move != 3 * 19 + 3
    assert "told not to" in " ".join(other.notes)


def test_reg_genmove_leaves_no_trace(behind):
    one = behind()
    assert one("reg_genmove b") == "= C4\n\n"
    other = behind("reg_genmove")
    assert other("reg_genmove b") == "= D4\n\n"
    other.told()
    other("genmove b")
    assert other.told() == ["undo", "genmove black"]


def test_dead_stones_by_the_engine_and_without_it(behind):
    one = behind()
    one("play b D4")
    assert one("final_status_list dead") == "= D4\n\n"
    other = behind("final_status_list")
    other("boardsize 5")
    other("play b C3")
    assert other("final_status_list dead") == "= \n\n"


def test_an_interrupt_reaches_an_engine_that_knows_it(behind):
    one = behind()
    one.player.choose(Game(), BLACK, Limits())
    one.told()
    stopper = threading.Timer(0.05, one.player.stop)
    stopper.start()
    # The answer comes at once anyway; what counts is that nothing goes wrong, whichever is first.
    for _ in range(20):
        assert one.player.choose(Game(), BLACK, Limits()).action in ("move", "pass")
        time.sleep(0.005)


def test_the_position_is_restored_after_a_death(behind):
    one = behind()
    one("play b C3")
    one("genmove w")
    one.told()
    one.player._keeper._process.kill()
    one.player._keeper._process.ended.wait(5)
    assert one("genmove b").startswith("= ")
    assert [line for line in one.told() if "play" in line] == ["play black C3", "play white D4"]
    assert any("SIGKILL" in note for note in one.notes)


def test_clocks_and_komi_that_change(behind):
    one = behind()
    one("genmove b")
    one.told()
    one("komi 0.5")
    one("genmove w")
    assert one.told() == ["komi 0.5", "genmove white"]
    choice = one.player.choose(
        Game(), WHITE, Limits(clock=Clock(TimeControl.absolute(10)), opponent_clock=Clock(TimeControl.absolute(20)))
    )
    told = one.told()
    assert choice.action == "move" and "time_left white 10 0" in told and "time_left black 20 0" in told
