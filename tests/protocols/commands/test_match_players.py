"""Players of a match by other programs: one chance, plain words, a fresh start."""

import json
import sys
import threading
import time

import pytest
from support import ROOT
from torture import Torture

import protocols.programs.match_player
from engines.arena.settings import Entrant, Settings
from engines.go.game import Game as GoGame
from engines.go.points import BLACK, PASS, WHITE
from engines.player import Limits, PlayerError
from engines.xiangqi.game import Game
from protocols.commands.clients import client_class
from protocols.commands.match_players import PlayerMaker, spec_of
from protocols.gtp.match_player import GtpMatchPlayer
from protocols.programs.config import EngineConfig
from protocols.programs.registry import RosterError
from protocols.xiangqi.match_player import XiangqiMatchPlayer
from qiqiao import main

pytestmark = pytest.mark.compiled

PROGRAMS = ROOT / "tests" / "protocols" / "programs"
XIANGQI = Settings("xiangqi", (Entrant("a", "uci:a"), Entrant("b", "uci:b")))
GO = Settings("go", (Entrant("a", "gtp:a"), Entrant("b", "gtp:b")), options={"size": (9, 9)})


def seat(*faults, **changes):
    command = f"'{sys.executable}' '{PROGRAMS / 'random_uci.py'}' 1 {' '.join(faults)}"
    return XiangqiMatchPlayer(
        EngineConfig("uci", command, "it", retries=0, trouble="error", **changes), client_class("uci")
    )


def ask(one, game=None, **limits):
    game = game or Game()
    return one.choose(game, game.turn, Limits(**{"nodes": 1, **limits}), False)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(protocols.programs.match_player, "START_PAUSES", (0.0, 0.0))


def test_a_move_with_what_it_thinks():
    one = seat()
    one.begin(Game(), 0)
    choice = ask(one)
    assert choice.action == "move" and choice.score is not None and choice.nodes == 10
    assert one.title == "random"
    one.close()


@pytest.mark.parametrize(
    ("faults", "kind", "text"),
    [(["die=1"], "died", "exit code 3"), (["illegal=1"], "illegal", "a0a9"), (["slow=1"], "hung", "did not stop")],
)
def test_each_trouble_is_told_and_the_next_game_finds_it_started_anew(faults, kind, text):
    one = seat(*faults, stop_time=0.2)
    for _ in range(6):  # more often than a daemon would start it
        one.begin(Game(), 0)
        with pytest.raises(PlayerError) as caught:
            ask(one, seconds=0.05)
        assert caught.value.kind == kind and text in str(caught.value)
    one.close()


def test_no_move_is_told_as_that_with_what_it_may_come_from():
    one = seat("nomove=1")
    game = Game("4k4/9/9/9/9/9/9/9/R8/3K5 w - - 100 60", limit="none")
    one.begin(game, 0)
    with pytest.raises(PlayerError) as caught:
        ask(one, game)
    assert caught.value.kind == "no-move"
    assert "100 plies without a capture" in str(caught.value) and "illegal" not in str(caught.value)
    one.close()
    early = seat("nomove=1")
    early.begin(Game(), 0)
    with pytest.raises(PlayerError) as caught:
        ask(early)
    assert caught.value.kind == "no-move" and "without a capture" not in str(caught.value)
    early.close()


def test_a_death_between_two_turns_is_no_reason_to_be_started_anew():
    one = seat()
    one.begin(Game(), 0)
    ask(one)
    one._keeper._process.kill()
    one._keeper._process.ended.wait(5)
    with pytest.raises(PlayerError) as caught:
        ask(one)
    assert caught.value.kind == "died" and "other side's turn" in str(caught.value)
    one.begin(Game(), 0)
    assert ask(one).action == "move"
    one.close()


def test_what_cannot_be_started_is_tried_a_few_times_and_told():
    one = XiangqiMatchPlayer(
        EngineConfig("uci", "/nowhere/engine", "it", retries=0, trouble="error"), client_class("uci")
    )
    with pytest.raises(PlayerError, match="cannot start"):
        one.begin(Game(), 0)


def test_a_stop_reaches_it():
    one = seat("slow=1", stop_time=0.2, patience=600)
    one.begin(Game(), 0)
    threading.Timer(0.2, one.stop).start()
    begin = time.monotonic()
    with pytest.raises(PlayerError):
        ask(one)
    assert time.monotonic() - begin < 300  # well before the patience of an engine without limits
    one.close()


def test_a_second_answer_is_not_taken_for_one_to_the_next_question():
    one = seat("twice=1")
    game = Game()
    one.begin(game, 0)
    for _ in range(2):
        game.play(ask(one, game).move)
        time.sleep(0.3)  # it comes while nobody waits
    assert len(game.board.history) == 2
    one.close()


@pytest.mark.skipif(sys.platform == "win32", reason="the torture engine uses POSIX signals and process groups")
@pytest.mark.parametrize("protocol", ["uci", "ucci", "cecp"])
@pytest.mark.parametrize(
    ("fault", "kind"),
    [("hang", "hung"), ("flood", "hung"), ("line", "hung"), ("die", "died"), ("close", "died"), ("rubbish", "illegal")],
)
def test_what_misbehaves_loses_its_game_and_leaves_nothing(protocol, fault, kind):
    torture = Torture(protocol, fault, retries=0, trouble="error")
    one = XiangqiMatchPlayer(torture.spec, client_class(torture.spec.protocol))
    one.begin(Game(), 0)
    with pytest.raises(PlayerError) as caught:
        ask(one, seconds=0.2)
    assert caught.value.kind in (kind, "hung" if fault == "close" else kind)
    one.close()
    assert torture.left() == 0


def go_seat():
    command = f"'{sys.executable}' '{PROGRAMS / 'random_gtp.py'}' 1"
    return GtpMatchPlayer(EngineConfig("gtp", command, "it", retries=0, trouble="error"), client_class("gtp"))


def test_go_moves_and_dead_stones():
    one = go_seat()
    game = GoGame(9)
    one.begin(game, BLACK)
    choice = one.choose(game, BLACK, Limits(), False)
    game.play_as(BLACK, choice.move)
    game.play_as(WHITE, PASS)
    game.play_as(BLACK, PASS)
    assert one.dead(game) == frozenset()
    assert one.title == "random 1"
    one.close()


def test_an_engine_without_a_word_for_dead_stones_says_nothing():
    one = go_seat()
    game = GoGame(9)
    assert one.dead(game) is None  # it has not even begun
    one.begin(game, BLACK)
    one._player.running.commands -= {"final_status_list"}
    assert one.dead(game) is None
    one.close()


def test_sources_of_entrants(tmp_path):
    roster = tmp_path / "engines.toml"
    roster.write_text('[named]\nprotocol = "uci"\ncommand = "x y"\n[named.options]\nHash = 5\n')
    named = spec_of(Entrant("me", "named", {"Threads": "2"}), XIANGQI, str(roster))
    assert (named.name, named.command, named.retries, named.trouble) == ("me", "x y", 0, "error")
    assert named.options == {"Hash": "5", "Threads": "2"}
    assert spec_of(Entrant("it", "ucci:a b"), XIANGQI, "").command == "a b"
    with pytest.raises(RosterError):
        spec_of(Entrant("it", "gtp:a"), XIANGQI, "")
    with pytest.raises(RosterError, match="engine it: no engine 'nobody'"):
        PlayerMaker(Settings("go", (Entrant("it", "nobody"), Entrant("b", "gtp:b"))), str(roster))


def test_the_built_in_search_is_told_the_rules():
    go = spec_of(Entrant("q", "search:--level 3"), Settings("go", GO.entrants, rules="aga"), "")
    assert go.protocol == "gtp" and go.command.endswith("start.py gtp --rules aga --level 3")
    match = Settings("xiangqi", XIANGQI.entrants, rules="cxa", options={"limit": "league"})
    assert spec_of(Entrant("q", "search"), match, "").command.endswith("uci --rules cxa --terse --natural-limit league")


@pytest.mark.parametrize("game", ["jieqi", "fanqi3", "banqi", "luoqi"])
def test_games_without_programs_are_played_by_our_own(game, tmp_path):
    words = ["match", "--game", game, "--engine", "a=search", "--engine", "b=random", "--games", "2"]
    assert main([*words, "--move-time", "0.01", "--quiet", "--output", str(tmp_path / "out")]) == 0
    lines = (tmp_path / "out" / "match.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if "turns" in row]
    assert [row["seats"] for row in rows] == [[0, 1], [1, 0]]
    assert rows[0]["opening"] == rows[1]["opening"]  # the deal too


@pytest.mark.parametrize("source", ["uci:x", "random:3", "greedy", "search:99"])
def test_players_of_such_games_that_there_are_not(source, capsys, tmp_path):
    words = ["match", "--game", "jieqi", "--engine", f"a={source}", "--engine", "b=random", "--games", "2"]
    assert main([*words, "--output", str(tmp_path / "out")]) == 2
    assert "engine a: " in capsys.readouterr().err
