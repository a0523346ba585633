"""Options in all their spellings."""

import pytest
from xiangqi_cases import some_net

from engines.xiangqi import cycle
from engines.xiangqi.net_file import write_net
from engines.xiangqi.player import Settings
from protocols.ucci.server import Ucci
from protocols.uci.server import Uci
from protocols.xiangqi import options
from protocols.xiangqi.options import OPTIONS, OptionError, find, split_setting
from protocols.xiangqi.server import Server


@pytest.fixture
def server():
    server = Server({"ucci": Ucci(), "uci": Uci()}, "ucci", Settings(hash=1))
    server.handle("ucci")
    yield server
    server.close()


@pytest.mark.parametrize(
    "text, expected",
    [
        ("name Hash value 64", ("Hash", "64")),
        ("name Skill Level value 5", ("Skill Level", "5")),
        ("name Clear Hash", ("Clear Hash", "")),
        ("name X value", ("X", "")),
        ("hashsize 64", ("hashsize", "64")),
        ("Skill Level 5", ("Skill Level", "5")),
        ("Skill_Level 5", ("Skill_Level", "5")),
        ("hashsize value 64", ("hashsize", "64")),
        ("newgame", ("newgame", "")),
        ("bookfiles a b;c", ("bookfiles", "a b;c")),
        ("NAME Repetition Rule VALUE AsianRule", ("Repetition Rule", "AsianRule")),
    ],
)
def test_splitting(text, expected):
    assert split_setting(text.split()) == expected


def test_no_name():
    with pytest.raises(OptionError):
        split_setting([])


def test_names_without_regard_to_case_and_underscores():
    assert find("SKILL_level") is find("Skill Level") is not None
    assert find("selectivity") is find("randomness")
    assert find("useegtb") is None


def test_announced_names_are_unique_and_one_word_in_ucci():
    for names in ([o.ucci for o in OPTIONS if o.ucci], [o.uci for o in OPTIONS if o.uci]):
        assert len({name.lower() for name in names}) == len(names)
    assert all(" " not in option.ucci for option in OPTIONS)


def test_defaults_are_what_is_in_force():
    for protocol, kind in (("ucci", Ucci()), ("uci", Uci())):
        server = Server({"ucci": Ucci(), "uci": Uci()}, protocol)
        before = vars(server.session.player.settings).copy()
        for line in kind.hello().splitlines():
            words = line.split()
            if words[0] == "option" and "default" in words:
                name = line.partition(" type ")[0].removeprefix("option ").removeprefix("name ")
                value = words[words.index("default") + 1]
                assert server.handle(f"setoption {name} {value}") is None
        assert vars(server.session.player.settings) == before, protocol
        server.close()


@pytest.mark.parametrize(
    "line, field, value",
    [
        ("setoption hashsize 2", "hash", 2),
        ("setoption Hash 3", "hash", 3),
        ("setoption name hash value 4", "hash", 4),
        ("setoption hashsize 0", "hash", 64),
        ("setoption threads 2", "threads", 2),
        ("setoption THREADS 0", "threads", 0),
        ("setoption ponder on", "pondering", True),
        ("setoption idle small", "idle", 1),
        ("setoption pruning none", "pruning", 0),
        ("setoption knowledge medium", "knowledge", 2),
        ("setoption randomness huge", "randomness", 160),
        ("setoption selectivity tiny", "randomness", 10),
        ("setoption style risky", "contempt", 40),
        ("setoption usebook true", "use_book", True),
        ("setoption name OwnBook value true", "use_book", True),
        ("setoption bookfiles", "use_book", False),
        ("setoption MultiPV 5", "lines", 5),
        ("setoption name Move Overhead value 20", "overhead", 0.02),
        ("setoption Skill_Level 7", "level", 7),
        ("setoption repetition alwaysdraw", "rules", cycle.NO_RULES),
        ("setoption repetition checkban", "rules", cycle.CHECK_ONLY_RULES),
        ("setoption repetition chineserule", "rules", cycle.CXA_RULES),
        ("setoption name Repetition Rule value ComputerRule", "rules", cycle.COMPUTER_RULES),
        ("setoption drawmoves 50", "natural_limit", 100),
        ("setoption drawmoves 0", "natural_limit", 0),
        ("setoption name Sixty Move Rule value false", "natural_limit", 0),
        ("setoption name Rule60MaxPly value 90", "natural_limit", 90),
    ],
)
def test_what_an_option_does(server, line, field, value):
    assert server.handle(line) is None
    assert getattr(server.session.player.settings, field) == value


@pytest.mark.parametrize("limit", [0, 100, 120])
@pytest.mark.parametrize(
    "lines, plies",
    [
        (["drawmoves 50"], 100),
        (["Rule60MaxPly 90"], 90),
        (["drawmoves 0", "Rule60MaxPly 90"], 90),
        (["drawmoves 0", "Sixty Move Rule true"], 120),
        (["Sixty Move Rule false", "Rule60MaxPly 90"], 0),
        (["Sixty Move Rule false", "Rule60MaxPly 90", "Sixty Move Rule true"], 90),
        (["Sixty Move Rule false", "drawmoves 0"], 0),
        (["Sixty Move Rule false", "drawmoves 50"], 100),
        (["Rule60MaxPly 90", "drawmoves 0"], 0),
    ],
)
def test_the_natural_limit_is_what_options_say(limit, lines, plies):
    server = Server({"ucci": Ucci(), "uci": Uci()}, "ucci", Settings(hash=1, natural_limit=limit))
    for line in lines:
        assert server.handle(f"setoption {line}") is None
    assert server.session.player.settings.natural_limit == plies
    server.close()


@pytest.mark.parametrize("limit, plies", [(0, 120), (100, 100), (120, 120)])
def test_the_sixty_move_rule_brings_a_limit_back(limit, plies):
    server = Server({"ucci": Ucci(), "uci": Uci()}, "ucci", Settings(hash=1, natural_limit=limit))
    settings = server.session.player.settings
    assert settings.natural_limit == limit
    server.handle("setoption Sixty Move Rule false")
    assert settings.natural_limit == 0
    server.handle("setoption Sixty Move Rule true")
    assert settings.natural_limit == plies
    server.close()


def test_strength_by_elo(server):
    settings = server.session.player.settings
    server.handle("setoption name UCI_Elo value 1500")
    assert settings.level == 20
    server.handle("setoption name UCI_LimitStrength value true")
    assert settings.level == 10
    server.handle("setoption name UCI_LimitStrength value false")
    server.handle("setoption name Skill Level value 4")
    assert settings.level == 4


@pytest.mark.parametrize(
    "line, word",
    [
        ("setoption hashsize many", "whole number"),
        ("setoption usemillisec maybe", "true or false"),
        ("setoption idle enormous", "one of none, small"),
        ("setoption name MultiPV value 1.5", "whole number"),
        ("setoption name Repetition Rule value SkyRule", "SkyRule is not known here: it stays as it is"),
        ("setoption name Repetition Rule value HouseRule", "one of AsianRule"),
        ("setoption hashsize", "whole number"),
    ],
)
def test_bad_values_change_nothing(server, line, word):
    before = vars(server.session.player.settings).copy()
    assert word in server.handle(line)
    assert vars(server.session.player.settings) == before


@pytest.mark.parametrize("dialect", ["ucci", "uci"])
def test_every_spin_takes_what_is_nearest_in_the_range_it_announces(dialect, monkeypatch):
    monkeypatch.setattr(options, "_memory", lambda: 1 << 20)
    server = Server({"ucci": Ucci(), "uci": Uci()}, dialect, Settings(hash=1))
    monkeypatch.setattr(server.session.player, "resize", lambda size: None)
    said = []
    server.attach(said.append)

    def state():
        session = vars(server.session)
        return {
            **vars(server.session.player.settings),
            **{key: session[key] for key in ("level", "elo", "natural_plies")},
        }

    spins = [line.split(" type spin ") for line in server.handle(dialect).splitlines() if " type spin " in line]
    assert len(spins) > 2
    for head, tail in spins:
        name = head.removeprefix("option ").removeprefix("name ")
        words = tail.split()
        low, high = (int(words[words.index(word) + 1]) for word in ("min", "max"))
        for value, nearest in ((low - 1, low), (high + 1, high), (10**30, high), (-(10**30), low)):
            assert server.handle(f"setoption name {name} value {nearest}") is None and not said
            expected = state()
            assert server.handle(f"setoption name {name} value {(low + high) // 2}") is None and not said
            assert server.handle(f"setoption name {name} value {value}") is None
            assert f"{low} to {high}, not " in said[0] and said.pop().endswith(f": {nearest} is taken\n")
            assert state() == expected
    server.close()


@pytest.mark.parametrize("dialect, kind", [("ucci", Ucci), ("uci", Uci)])
def test_the_default_is_the_first_choice_of_every_combo(dialect, kind):
    combos = [line.split() for line in kind().hello().splitlines() if " type combo " in line]
    assert len(combos) > 1
    for words in combos:
        assert words[words.index("var") + 1] == words[words.index("default") + 1]


PIKAFISH = """
EvalFile=pikafish.nnue|Mate Threat Depth=10|Draw Rule=None|Draw Rule=DrawAsBlackWin|LU_Output=true|ScoreType=Elo
ScoreType=PawnValueNormalized|NumaPolicy=auto|nodestime=0|MaxCheckCount=10|SkyRule=true|YitianRule=false
Debug Log File=|Debug Log File=<empty>|UCI_Elo=3133|Hash=33554432|Threads=1024|Move Overhead=100000|Sixty Move Rule=true
Rule60MaxPly=500|Repetition Rule=SkyRule|Repetition Rule=YitianRule|Repetition Rule=ChineseRule|Skill Level=-20
MultiPV=500|Use NNUE=true|UCI_AnalyseMode=false|Slow Mover=100|SyzygyPath=<empty>|TiedPieces=|UCI_WDLCentipawn=true
"""


@pytest.mark.parametrize("setting", PIKAFISH.replace("\n", "|").strip("|").split("|"))
def test_names_that_users_of_pikafish_send_are_taken(setting, monkeypatch):
    server = Server({"ucci": Ucci(), "uci": Uci()}, "uci", Settings(hash=1))
    monkeypatch.setattr(server.session.player, "resize", lambda size: None)
    said = []
    server.attach(said.append)
    server.handle("uci")
    name, _, value = setting.partition("=")
    said.append(server.handle(f"setoption name {name} value {value}") or "")
    assert not any("No such option" in line or "must be one of" in line for line in said)
    assert all(line == "" or line.startswith("info string ") for line in said)
    server.close()


def test_a_log_that_the_client_asks_for(server, tmp_path):
    path = tmp_path / "log"
    assert server.handle(f"setoption name Debug Log File value {path}") is None
    server.session.log.note("hello")
    server.handle("setoption name Debug Log File value <empty>")
    server.session.log.note("world")
    assert "hello" in path.read_text() and "world" not in path.read_text()
    said = []
    server.attach(said.append)
    server.handle(f"setoption name Debug Log File value {tmp_path / 'none' / 'log'}")
    assert "no log is kept" in said[0]


def test_a_table_that_does_not_fit_is_refused(server, monkeypatch):
    monkeypatch.setattr(options, "_memory", lambda: 1 << 20)
    said = []
    server.attach(said.append)

    def refuse(size):
        raise MemoryError("no memory for the hash table")

    monkeypatch.setattr(server.session.player, "resize", refuse)
    server.handle("setoption hashsize 60000")
    assert said == ["info message no memory for the hash table\n"]
    assert server.session.player.settings.hash == 1


@pytest.mark.parametrize("asked, taken", [(5000, 5000), (16000, 16000), (16001, 2000), (10**9, 2000)])
def test_a_table_larger_than_the_machine(server, monkeypatch, asked, taken):
    monkeypatch.setattr(options, "_memory", lambda: 16000)
    sizes = []
    monkeypatch.setattr(server.session.player, "resize", sizes.append)
    server.handle(f"setoption hashsize {asked}")
    assert sizes == [taken]


@pytest.mark.parametrize(
    "line", ["setoption bookfiles no such file.obk", "setoption name BookFile value no such file.obk"]
)
def test_a_book_that_there_is_not_is_told(server, line):
    said = []
    server.attach(said.append)
    server.handle(line)
    assert said == ["info message there is no file no such file.obk\n"]


@pytest.mark.parametrize("line", ["setoption evalfile {}", "setoption name EvalFile value {}"])
def test_a_net_is_taken_from_a_file_and_given_up_again(server, tmp_path, line):
    said = []
    server.attach(said.append)
    terms = server.handle("eval")
    write_net(tmp_path / "our net.xqnet", some_net())
    (tmp_path / "other.nnue").write_bytes(b"\x20\x2f\xf3\x7a of another program")
    server.handle(line.format(tmp_path / "our net.xqnet"))
    judged = server.handle("eval")
    assert judged != terms and said == []
    for name, reason in [
        ("none.xqnet", "No such file or directory"),
        ("other.nnue", "not an evaluation net of this program"),
    ]:
        server.handle(line.format(tmp_path / name))
        assert said.pop() == f"info message {tmp_path / name}: {reason}\n"
        assert server.handle("eval") == judged
    server.handle(line.format("pikafish.nnue"))  # what clients of another program set without being asked
    assert server.handle("eval") == judged and said == []
    server.handle(line.format("<empty>"))
    assert server.handle("eval") == terms
    server.handle(line.format(tmp_path / "our net.xqnet"))
    server.handle(line.format("None"))
    assert server.handle("eval") == terms
