"""Named engines: the file, the command line, the trial."""

import sys
from pathlib import Path

import pytest
from torture import Torture

import qiqiao
from engines import games
from protocols.commands.engine_check import check, detect
from protocols.programs import registry
from protocols.programs.config import OWN_PROTOCOLS, PROTOCOLS, EngineConfig
from protocols.programs.registry import RosterError

FULL = """
[eleeye]
protocol = "ucci"
command = "/opt/eleeye -x"
directory = "/opt"
start_time = 20
patience = 60.5
retries = 1
trouble = "error"
rank_base = 0
milliseconds = true

[eleeye.options]
usebook = false
hashsize = 64
style = "risky"

["GNU Go"]
protocol = "gtp"
command = "gnugo --mode gtp"
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "deep" / "engines.toml"

    def write(text):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return str(path)

    write.path = str(path)
    return write


def test_load(file):
    engines = registry.load(file(FULL))
    one = engines["eleeye"]
    assert (one.protocol, one.command, one.game, one.title) == ("ucci", "/opt/eleeye -x", "xiangqi", "eleeye")
    assert (one.start_time, one.patience, one.trouble, one.milliseconds) == (20, 60.5, "error", True)
    assert one.options == {"usebook": "false", "hashsize": "64", "style": "risky"}
    assert engines["GNU Go"].game == "go"


def test_a_byte_order_mark_is_no_part_of_the_file(file):
    path = file("\ufeff" + FULL)
    assert set(registry.load(path)) == {"eleeye", "GNU Go"}


def test_no_file_is_no_engines(tmp_path):
    assert registry.load(str(tmp_path / "none")) == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1", "must be a table"),
        ("[x]\nprotocol = 'uci'", "needs command"),
        ("[x]\ncommand = 'a'", "needs protocol"),
        ("[x]\nprotocol = 'chess'\ncommand = 'a'", "protocol must be one of"),
        ("[x]\nprotocol = 'uci'\ncommand = ''", "empty"),
        ("[x]\nprotocol = 'uci'\ncommand = 'a'\nspeed = 1", "unknown key 'speed'"),
        ("[x]\nprotocol = 'uci'\ncommand = 'a'\nstart_time = 'long'", "start_time"),
        ("[x]\nprotocol = 'uci'\ncommand = 'a'\nstart_time = -1", "start_time"),
        ("[x]\nprotocol = 'uci'\ncommand = 'a'\nretries = 1.5", "retries"),
        ("[x]\nprotocol = 'uci'\ncommand = 'a'\nrank_base = 2", "rank_base"),
        ("[x]\nprotocol = 'uci'\ncommand = 'a'\nrank_base = true", "rank_base"),
        ("[x]\nprotocol = 'uci'\ncommand = 'a'\ntrouble = 'panic'", "trouble"),
        ("[x]\nprotocol = 'uci'\ncommand = 'a'\noptions = 1", "options"),
        ("[x", "engines.toml"),
    ],
)
def test_files_that_are_wrong(file, text, words):
    with pytest.raises(RosterError, match=words):
        registry.load(file(text))


def test_what_is_added_is_read_back_and_the_rest_stays(file):
    path = file("# mine\n[old]\nprotocol = 'uci'\ncommand = 'old'")
    specs = [
        EngineConfig("ucci", "/opt/eleeye", "eleeye", "/opt", {"usebook": "false", "a b": 'say "hi"\\'}, rank_base=0),
        EngineConfig("gtp", "gnugo --mode gtp", "GNU Go 围棋", patience=9.5, trouble="error", milliseconds=False),
    ]
    for spec in specs:
        registry.add(path, spec)
    engines = registry.load(path)
    assert [engines[spec.name] for spec in specs] == specs
    assert Path(path).read_text(encoding="utf-8").startswith("# mine\n[old]")
    with pytest.raises(RosterError, match="already"):
        registry.add(path, specs[0])


def test_players_of_a_command_line(file):
    path = file(FULL)
    assert registry.find("search", "go", path) is None
    assert registry.find("gtp:gnugo --mode gtp", "go", path).command == "gnugo --mode gtp"
    assert registry.find("eleeye", "xiangqi", path).protocol == "ucci"
    for player, game, words in [
        ("eleeye", "go", "play xiangqi, not go"),
        ("gtp:gnugo", "xiangqi", "play go, not xiangqi"),
        ("nobody", "xiangqi", "no engine 'nobody' .*there: eleeye"),
        ("uci:", "xiangqi", "empty"),
    ]:
        with pytest.raises(RosterError, match=words):
            registry.find(player, game, path)


@pytest.mark.parametrize("game,protocol", [("go", "gtp"), ("xiangqi", "uci")])
def test_search_with_arguments_is_an_engine_of_its_own(tmp_path, game, protocol):
    spec = registry.find("search:--level 5 --threads 2", game, str(tmp_path / "none.toml"))
    assert spec.protocol == protocol and spec.name == "search"
    assert spec.command.endswith(f"start.py {protocol} --level 5 --threads 2")


@pytest.mark.parametrize(
    "arguments",
    [
        ["gtp", "--player", "uci:engine"],
        ["uci", "--player", "nobody", "--engines", "/nonexistent"],
        ["uci", "--player", "uci:x", "--engine-option", "novalue"],
        ["uci", "--player", "uci:x", "--engine-start-time", "0"],
        ["engines", "add", "x"],
        ["engines", "drop"],
    ],
)
def test_wrong_usage_ends_with_status_2(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        qiqiao.main(arguments)
    assert end.value.code == 2 and "usage" in capsys.readouterr().err


posix = pytest.mark.skipif(sys.platform == "win32", reason="the torture engine uses POSIX signals")


@posix
def test_the_command(file, capsys):
    engine = Torture("ucci").spec
    base = ["engines", "--engines", file.path]
    assert qiqiao.main([*base, "add", "good", f"ucci:{engine.command}", "--engine-option", "hashsize=9"]) == 0
    assert qiqiao.main([*base, "add", "good", "ucci:x"]) == 2
    assert qiqiao.main([*base, "add", "missing", "cecp:/nonexistent/engine"]) == 0
    capsys.readouterr()
    assert qiqiao.main([*base, "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines] == [["good", "ucci", "xiangqi"], ["missing", "cecp", "xiangqi"]]
    assert qiqiao.main([*base, "check"]) == 1
    text = capsys.readouterr().out
    assert "good: ok" in text and "first move:  h2e2" in text and "ranks from 0, times in milliseconds" in text
    assert "missing: NOT USABLE" in text and "cannot start '/nonexistent/engine'" in text


@posix
@pytest.mark.parametrize(
    ("protocol", "move"), [("gtp", "E5 on 19x19"), ("uci", "h2e2"), ("ucci", "h2e2"), ("cecp", "h2e2")]
)
def test_check(protocol, move):
    torture = Torture(protocol)
    findings = check(torture.spec)
    assert findings.ok and findings.lines["first move"] == move and findings.problems == []
    assert torture.left() == 0


@posix
@pytest.mark.parametrize(
    ("fault", "words"), [("illegal", "illegal"), ("mute", "did not answer"), ("stillborn", "cannot find my data")]
)
def test_check_of_a_bad_one(fault, words):
    torture = Torture("uci", fault, start_time=0.3)
    findings = check(torture.spec)
    assert not findings.ok and words in findings.text()
    assert torture.left() == 0


@posix
@pytest.mark.parametrize("protocol", ["gtp", "uci", "ucci", "cecp"])
def test_the_protocol_is_found_out(protocol, monkeypatch):
    monkeypatch.setattr("protocols.commands.engine_check.DETECT_TIME", 0.5)
    torture = Torture(protocol)
    assert detect(torture.spec.command).protocol == protocol
    assert torture.left() == 0


@posix
def test_what_speaks_no_protocol(monkeypatch):
    monkeypatch.setattr("protocols.commands.engine_check.DETECT_TIME", 0.2)
    assert detect("cat") is None


def test_protocols_and_games_say_the_same_of_each_other():
    """Of the games that other programs can be given: jieqi, banqi and the like have servers, and no client yet."""
    assert {name: games.find(name).protocols[0] for name in OWN_PROTOCOLS} == OWN_PROTOCOLS
    assert {name for carried in PROTOCOLS.values() for name in carried} == OWN_PROTOCOLS.keys()
    for name in OWN_PROTOCOLS:
        assert {one for one, carried in PROTOCOLS.items() if name in carried} == set(games.find(name).protocols)


def test_a_program_says_which_game_it_is_to_play(file):
    assert registry.load(file('[a]\nprotocol = "uci"\ncommand = "x"\ngame = "xiangqi"\n'))["a"].game == "xiangqi"
    with pytest.raises(registry.RosterError, match="uci programs play xiangqi, not go"):
        registry.load(file('[a]\nprotocol = "uci"\ncommand = "x"\ngame = "go"\n'))
    assert "game" not in registry.entry_text(EngineConfig("gtp", "x", "a"))
