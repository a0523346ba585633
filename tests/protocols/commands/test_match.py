"""``qiqiao match`` as a process: played, killed, resumed, stopped; and its command line."""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import ROOT

from engines.arena import journal
from engines.arena.sprt import Sprt
from protocols.commands.match import entrants_of, settings_of, sprt_of
from qiqiao import parse

PROGRAMS = ROOT / "tests" / "protocols" / "programs"
COMMAND = [sys.executable, "-m", "qiqiao", "match"]
XIANGQI = PROGRAMS / "random_uci.py"
GO = PROGRAMS / "random_gtp.py"

compiled = pytest.mark.compiled
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")


def engine(name, seed, *faults):
    return f"{name}=uci:'{sys.executable}' '{XIANGQI}' {seed} {' '.join(faults)}"


def command(folder, games, *more, engines=None):
    chosen = engines or [engine("one", 1), engine("two", 2)]
    words = [*COMMAND, "--game", "xiangqi", "--games", str(games), "--nodes", "1", "--openings", "none"]
    words += ["--length", "12", "--output", str(folder)]
    return [*words, *(word for one in chosen for word in ("--engine", one)), *more]


def run(words, **options):
    return subprocess.run(words, capture_output=True, text=True, timeout=300, cwd=ROOT, encoding="utf-8", **options)


def rows_of(folder):
    return journal.read(str(folder / journal.NAME)).games


@compiled
def test_a_match_leaves_records_a_table_and_a_report(tmp_path):
    done = run(command(tmp_path, 4))
    assert done.returncode == 0, done.stderr
    assert "[4/4]" in done.stdout and "Elo of one" in done.stdout and "processor time" in done.stdout
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"match.jsonl", "match.pgn", "report.html", "table.txt", *(f"match-{n}.pgn" for n in range(4))}
    assert (tmp_path / "table.txt").read_text("utf-8").splitlines()[0] in done.stdout
    assert (tmp_path / "match.pgn").read_text("utf-8").count('[Game "Chinese Chess"]') == 4
    assert journal.read(str(tmp_path / journal.NAME)).programs == {"one": "random", "two": "random"}


@compiled
def test_a_match_of_go_leaves_a_table_for_gogui(tmp_path):
    engines = [word for seed in (1, 2) for word in ("--engine", f"e{seed}=gtp:'{sys.executable}' '{GO}' {seed}")]
    done = run([*COMMAND, "--game", "go", *engines, "--size", "5", "--games", "4", "--output", str(tmp_path)])
    assert done.returncode == 0, done.stderr
    table = (tmp_path / "match.dat").read_text("utf-8")
    assert len([line for line in table.splitlines() if not line.startswith("#")]) == 4
    rows = rows_of(tmp_path)
    assert all(
        row.ending.reason == "score" and row.said[0] == row.said[1] == row.ending.result for row in rows.values()
    )
    assert {path.name for path in tmp_path.glob("*.sgf")} == {f"match-{n}.sgf" for n in range(4)}


@compiled
@posix
def test_killed_again_and_again_it_counts_every_game_once(tmp_path):
    games, kills = 60, 0
    chance = random.Random(4)
    for _ in range(40):
        words = command(tmp_path, games, "--resume", "--quiet", "--concurrency", "2")
        with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            path = tmp_path / journal.NAME
            known = path.stat().st_size if path.exists() else 0
            deadline = time.monotonic() + 60
            # Killed some time after the first game that this run has added, or at its end.
            while process.poll() is None and time.monotonic() < deadline:
                if kills < 5 and path.exists() and path.stat().st_size > known + 500:
                    time.sleep(chance.random() * 0.3)
                    process.send_signal(signal.SIGKILL)
                    break
                time.sleep(0.02)
            code = process.wait(60)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        kills += 1
    assert kills >= 2 and code == 0
    rows = rows_of(tmp_path)
    assert sorted(rows) == list(range(games))
    assert {row.ending.reason for row in rows.values()} <= {"length", "mate", "repetition"}
    assert all((tmp_path / f"match-{number}.pgn").exists() for number in rows)
    assert f"{games}" in (tmp_path / "table.txt").read_text("utf-8")


@compiled
def test_crashes_cost_one_game_each_and_the_match_goes_on(tmp_path):
    engines = [engine("one", 1), engine("two", 2, "die=9")]  # in its second game, every time it is started
    done = run(command(tmp_path, 8, "--length", "12", engines=engines))
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path)
    crashed = [row for row in rows.values() if row.ending.reason == "crash"]
    assert sorted(rows) == list(range(8)) and len(crashed) == 4
    assert all(row.seats[1 - row.ending.winner] == 1 and "exit code 3" in row.error for row in crashed)
    assert "4 by crash" in done.stdout


@compiled
def test_illegal_moves_and_lost_time_are_told_apart(tmp_path):
    engines = [engine("illegal", 1, "illegal=2"), engine("slow", 2, "slow=9")]
    done = run(command(tmp_path, 4, "--time", "0.5+0.5", engines=engines))
    assert done.returncode == 0, done.stderr
    reasons = {row.seats[1 - row.ending.winner]: row.ending.reason for row in rows_of(tmp_path).values()}
    assert reasons[0] == "illegal"
    assert "a0a9" in next(row.error for row in rows_of(tmp_path).values() if row.ending.reason == "illegal")


@compiled
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="children are looked up in /proc")
def test_an_engine_killed_while_it_waits_loses_that_game_only(tmp_path):
    engines = [engine("one", 1), engine("two", 2)]
    games = 20
    words = command(tmp_path, games, "--quiet", "--length", "120", engines=engines)
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        path = tmp_path / journal.NAME
        kills = killed_at = 0
        while process.poll() is None and kills < 5:
            written = path.read_bytes().count(b'"ending":') if path.exists() else 0
            if written >= killed_at + 2:
                kills += kill_child(process.pid, "random_uci.py")
                killed_at = written
            time.sleep(0.02)
        assert process.wait(120) == 0, process.stderr.read()
    rows = rows_of(tmp_path)
    crashes = [row for row in rows.values() if row.ending.reason == "crash"]
    assert sorted(rows) == list(range(games))
    # A kill between two games costs nothing.
    assert 1 <= len(crashes) <= kills


def kill_child(parent, name):
    """Kill one child of a process whose command line has the name; how many were killed."""
    for folder in Path("/proc").iterdir():
        try:
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) != parent:
                continue
            if name.encode() in (folder / "cmdline").read_bytes():
                os.kill(int(folder.name), signal.SIGKILL)
                return 1
        except (OSError, IndexError):
            continue  # no process, or one that has just ended
    return 0


@compiled
@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_and_it_can_be_resumed(tmp_path, number):
    words = command(tmp_path, 5000, "--quiet")
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        path = tmp_path / journal.NAME
        while not (path.exists() and path.read_bytes().count(b'"game":') > 1):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
        out, errors = process.communicate(timeout=60)
        assert process.returncode == 130
    assert "--resume goes on with it" in errors and "Elo" in out and (tmp_path / "report.html").exists()
    before = len(rows_of(tmp_path))
    more = before + 2 - before % 2
    done = run([*COMMAND, "--output", str(tmp_path), "--resume", "--games", str(more), "--quiet"])
    assert done.returncode == 0, done.stderr
    assert len(rows_of(tmp_path)) == more


@compiled
def test_an_engine_that_cannot_start_is_told_and_leaves_nothing(tmp_path):
    folder = tmp_path / "match"
    done = run(command(folder, 4, engines=[engine("one", 1), "two=uci:/nowhere/engine"]))
    assert done.returncode == 1
    assert "two can't begin a game: cannot start '/nowhere/engine'" in done.stderr and "Traceback" not in done.stderr
    assert not folder.exists()


@compiled
def test_resuming_nothing_is_told(tmp_path):
    done = run(command(tmp_path / "match", 2, "--resume"))
    assert done.returncode == 0 and "there is no match in" in done.stderr


def test_resuming_nothing_without_engines_begins_nothing(tmp_path, capsys):
    from protocols.commands.match import run as run_match

    assert run_match(parse(["match", "--resume", "--output", str(tmp_path / "none")])) == 2
    assert f"there is no match in '{tmp_path / 'none'}'" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@compiled
def test_moves_of_a_journal_that_nobody_could_play_are_named_by_line(tmp_path, capsys):
    from protocols.commands.match import run as run_match

    words = [*COMMAND, "--game", "xiangqi", "--engine", "search", "--engine", "search", "--nodes", "1", "--games", "2"]
    assert run([*words, "--length", "4", "--output", str(tmp_path)]).returncode == 0
    path = tmp_path / journal.NAME
    lines = path.read_text().split("\n")
    lines[2] = re.sub(r'"turns":\[\["\w+"', '"turns":[["a0a9"', lines[2])
    path.write_text("\n".join(lines))
    for record in ("there", "missing"):
        if record == "missing":
            for file in tmp_path.glob("match-*"):
                file.unlink()
        assert run_match(parse(["match", "--resume", "--output", str(tmp_path)])) == 2
        assert "line 3 is damaged: a0a9" in capsys.readouterr().err


def test_an_edited_journal_is_named_by_line(tmp_path, capsys):
    from protocols.commands.match import run as run_match

    settings = settings_of(arguments("--engine", "uci:a", "--engine", "uci:b"))
    journal.Journal(str(tmp_path / journal.NAME), settings).close()
    with open(tmp_path / journal.NAME, "a", encoding="utf-8") as file:
        file.write("[" * 100000 + "\n")
    assert run_match(parse(["match", "--resume", "--output", str(tmp_path)])) == 2
    assert "line 2 is damaged" in capsys.readouterr().err


@compiled
def test_the_built_in_search_plays_as_a_program_of_its_own(tmp_path):
    words = [*COMMAND, "--game", "go", "--engine", "search:--playouts 20", "--engine", "search:--playouts 10"]
    done = run([*words, "--size", "5", "--games", "2", "--length", "30", "--output", str(tmp_path)])
    assert done.returncode == 0, done.stderr
    contents = journal.read(str(tmp_path / journal.NAME))
    assert [entrant.name for entrant in contents.settings.entrants] == ["qiqiao", "qiqiao-2"]
    assert contents.programs["qiqiao"].startswith("qiqiao")
    assert any(turn.winrate is not None for row in contents.games.values() for turn in row.turns)


WRONG = [
    (["--engine", "uci:a", "--engine", "uci:b"], "--game is needed"),
    (["--game", "go"], "two engines"),
    (["--game", "go", "--engine", "gtp:a"], "two engines"),
    (["--game", "go", "--engine", "uci:a", "--engine", "gtp:b"], "uci engines play xiangqi"),
    (["--game", "go", "--engine", "nobody", "--engine", "gtp:b"], "no engine 'nobody'"),
    (["--game", "xiangqi", "--engine", "uci:a", "--engine", "uci:b", "--time", "soon"], "no time control"),
    (["--game", "xiangqi", "--engine", "uci:a", "--engine", "uci:b", "--rules", "chess"], "chess"),
    (["--game", "xiangqi", "--engine", "uci:a", "--engine", "uci:b", "--games", "3"], "even number"),
    (["--game", "xiangqi", "--engine", "uci:a", "--engine", "uci:b", "--openings", "/no/book"], "cannot read"),
    (["--game", "xiangqi", "--engine", "uci:a", "--engine", "uci:b", "--sprt", "elo0=5,elo1=0"], "elo0"),
    (["--game", "xiangqi", "--engine", "uci:a", "--engine", "uci:b", "--sprt", "elo=5"], "elo0=…"),
    (["--game", "xiangqi", "--engine", "uci:a", "--engine", "uci:b", "--option", "c:x=1"], "no engine 'c'"),
    (["--game", "xiangqi", "--engine", "uci:a", "--engine", "uci:b", "--adjudicate-win", "x"], "SCORExMOVES"),
    (["--game", "xiangqi", "--engine", "uci:a", "--engine", "uci:b", "--concurrency", "5000"], "cores"),
]


@pytest.mark.parametrize(("words", "text"), WRONG)
def test_wrong_usage_is_told_in_plain_words_and_leaves_nothing(tmp_path, capsys, words, text):
    from protocols.commands.match import run as run_match

    folder = tmp_path / "match"
    code = run_match(parse(["match", *words, "--output", str(folder)]))
    assert code == 2
    assert text in capsys.readouterr().err
    assert not folder.exists() or not rows_of(folder)


def test_a_match_that_is_there_is_not_overwritten(tmp_path, capsys):
    from protocols.commands.match import run as run_match

    settings = settings_of(arguments("--engine", "uci:a", "--engine", "uci:b"))
    journal.Journal(str(tmp_path / journal.NAME), settings).close()
    before = (tmp_path / journal.NAME).read_bytes()
    words = ["match", "--game", "xiangqi", "--engine", "uci:a", "--engine", "uci:b", "--output", str(tmp_path)]
    assert run_match(parse(words)) == 2
    assert run_match(parse([*words, "--resume", "--seed", "7"])) == 2
    errors = capsys.readouterr().err
    assert "--resume goes on with it" in errors and "differs in seed" in errors
    assert (tmp_path / journal.NAME).read_bytes() == before


def test_a_resumed_match_is_not_changed_on_the_way(tmp_path, capsys):
    from protocols.commands.match import run as run_match

    settings = settings_of(arguments("--engine", "uci:a", "--engine", "uci:b"))
    journal.Journal(str(tmp_path / journal.NAME), settings).close()
    for words in (["--time", "5"], ["--size", "9"], ["--no-draws"], ["--option", "a:x=1"], ["--game", "go"]):
        assert run_match(parse(["match", "--resume", "--output", str(tmp_path), *words])) == 2
        assert "can't be changed" in capsys.readouterr().err
    assert run_match(parse(["match", "--resume", "--output", str(tmp_path), "--games", "7"])) == 2
    assert "even number" in capsys.readouterr().err


def arguments(*words):
    return parse(["match", "--game", "xiangqi", *words])


def test_names_of_engines():
    words = [
        "uci:/opt/pikafish/pikafish",
        "uci:/other/pikafish x=1",
        "search",
        "search:--level 3",
        "my one=ucci:eleeye",
    ]
    found = entrants_of(arguments(*(word for one in words for word in ("--engine", one))))
    assert [(one.name, one.source) for one in found] == [
        ("pikafish", "uci:/opt/pikafish/pikafish"),
        ("pikafish-2", "uci:/other/pikafish x=1"),
        ("qiqiao", "search"),
        ("qiqiao-2", "search:--level 3"),
        ("my one", "ucci:eleeye"),
    ]


def test_options_and_times_of_one_engine():
    words = ["--engine", "a=uci:x", "--engine", "b=uci:y", "--option", "b:Hash=64", "--option", "b:Use Book=false"]
    first, second = entrants_of(arguments(*words, "--engine-time", "a=60+1"))
    assert first.options == {} and first.time == "60+1"
    assert second.options == {"Hash": "64", "Use Book": "false"} and second.time == ""


def test_all_options_reach_the_settings():
    words = "--engine uci:a --engine uci:b --games 20 --pairing gauntlet --time 5+0.1 --nodes 7 --depth 3 --margin 0.2"
    words += " --rules cxa --natural-limit league --no-draws --openings random --opening-plies 6 --balance 40 --shuffle"
    words += " --seed 5 --adjudicate-win 600x4 --adjudicate-draw 10x8@30 --length 300 --event cup"
    words += " --sprt elo0=-2,elo1=3,alpha=0.1,beta=0.2,model=normalized --move-time 3"
    found = settings_of(arguments(*words.split()))
    assert (found.games, found.pairing, found.time, found.nodes, found.depth) == (20, "gauntlet", "5+0.1", 7, 3)
    assert (found.margin, found.rules, found.options, found.move_time) == (
        0.2,
        "cxa",
        {"limit": "league", "draws": False},
        3,
    )
    assert (found.opening_plies, found.balance, found.shuffle, found.seed, found.event) == (6, 40, True, 5, "cup")
    assert (found.adjudication.win, found.adjudication.win_moves) == (600, 4)
    assert (found.adjudication.draw, found.adjudication.draw_moves, found.adjudication.draw_from) == (10, 8, 30)
    assert found.adjudication.length == 300
    assert found.sprt == Sprt(-2, 3, 0.1, 0.2, "normalized")
    json.dumps(found.to_json())


def test_sprt_has_defaults():
    assert sprt_of("elo1=10") == Sprt(0, 10)


def test_bad_engine_options_are_refused():
    from protocols.commands.match import _engine_option

    for text in ("x", "x=1", ":x=1", "a:x"):
        with pytest.raises(argparse.ArgumentTypeError):
            _engine_option(text)
