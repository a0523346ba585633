"""What particular clients read of our answers: Sabaki, GoGui, Lizzie and LizzieYzy, q5Go, CGOS, gtp2ogs. The readers
here are written after theirs, in our words.
"""

import json
import re

import pytest

from engines.go.points import BLACK, PASS
from engines.go.rules import PRESETS, find_rules, preset
from engines.go.vertex import parse_vertex
from engines.player import Candidate, Report
from protocols.gtp import graphics
from protocols.gtp.analysis import LineWriter, Request
from protocols.gtp.commands_admin import LEELA_ZERO, client_version
from protocols.gtp.commands_clients import sgf_result
from protocols.gtp.commands_gogui import ANALYZE_COMMANDS
from protocols.gtp.options import Options
from protocols.gtp.server import Server


@pytest.fixture
def search():
    """A server with the built-in search on a small board; calling it sends a line and gives all it brings."""
    server = Server(Options(width=5, height=5, playouts=150, seed=1))
    written = []
    server.attach(written.append)

    def send(line):
        written.clear()
        server.notice(line)
        reply = server.handle(line) or ""
        return "".join(written) + reply

    send.session = server.session
    yield send
    server.close()


def pairs(segment):
    """The keys and values of a segment before its line of play."""
    words = segment.split(" pv ")[0].split()
    return dict(zip(words[::2], words[1::2], strict=True))


def segments(text):
    return [part for line in text.splitlines() for part in line.split("info ")[1:]]


# --- Sabaki


@pytest.mark.parametrize("command", ["genmove_analyze b 0", "lz-genmove_analyze b 0"])
def test_sabaki_divides_by_a_hundred_what_is_not_kata(command, search):
    """Since 0.60 by the command's name; before, by the decimal point. Integers are read alike by both."""
    found = [pairs(part) for part in segments(search(command))]
    assert found
    for keys in found:
        assert keys["winrate"].isdecimal() and 0 <= int(keys["winrate"]) <= 10000
        if not command.startswith("lz"):
            assert re.fullmatch(r"-?\d+\.\d+", keys["scoreLead"])


def test_sabaki_takes_the_highest_rate_of_all():
    """So a move of a handful of visits must not be among them, unless the client wants so many."""

    def report(*visits):
        return Report(tuple(Candidate(n, visits=v, winrate=0.5 - n / 100, score=0.5) for n, v in enumerate(visits)))

    def shown(dialect, *visits, **options):
        return len(segments(LineWriter(dialect, Request(**options), 9, 9).line(report(*visits))))

    assert shown("sabaki", 400, 12, 9, 3, 1, 0) == 2
    assert shown("sabaki", 10_000, 500, 150, 20, 5) == 2
    assert shown("sabaki", 3, 2, 1) == 1
    assert shown("sabaki", 0, 0) == 1
    best = Candidate(0, visits=1000, winrate=0.5)
    lines = [
        LineWriter("sabaki", Request(), 9, 9).line(Report((best, Candidate(1, visits=visits, winrate=rate))))
        for visits, rate in ((100, 0.6), (100, 0.4), (300, 0.6))
    ]
    assert [len(segments(line)) for line in lines] == [1, 2, 2]
    assert shown("sabaki", 400, 12, 9, 3, min_moves=4) == 4
    assert shown("kata", 400, 12, 9, 3, 1, 0) == shown("lz", 400, 12, 9, 3, 1, 0) == 5


def test_sabaki_reads_the_moves_to_the_end_of_the_segment(search):
    for part in segments(search("genmove_analyze b 0")):
        assert re.search(r" pv ((pass|[A-Z]\d+) ?)+$", part)


# --- GoGui


def test_gogui_knows_whose_line_it_draws():
    """``varc`` needs a color of the user's choice (%c); with the color to move (%m) GoGui ends itself."""
    for entry in ANALYZE_COMMANDS:
        kind, label, command = entry.split("/")
        assert ("%c" in command) == (kind == "varc"), entry
        assert label and kind in {
            *("dboard", "sboard", "gfx", "pspairs", "plist", "var", "varc", "string", "hstring", "param"),
        }


@pytest.mark.parametrize("rate", [0.0, 0.004, 0.5, 0.996, 1.0])
def test_labels_fit_a_small_window(rate):
    report = Report((Candidate(7, (7,), visits=123_456, winrate=rate), Candidate(PASS, visits=1, winrate=0.5)), nodes=9)
    text = graphics.candidates(report, lambda point: f"P{point}")
    assert re.search(r"^LABEL P7 \d{1,2}$", text, re.MULTILINE) and "LABEL P-1" not in text
    assert [graphics.short(count) for count in (7, 999, 1000, 123_456, 2_000_000)] == ["7", "999", "1k", "123k", "2M"]


def test_live_graphics_come_on_standard_error(search, capfd):
    search("genmove b")
    assert capfd.readouterr().err == ""
    assert search("qiqiao-param live_graphics 1") == "= \n\n"
    search("qiqiao-param move_time 1.2")
    search("qiqiao-param playouts none")
    search("kata-genmove_analyze w 40")
    blocks = capfd.readouterr().err.split("\n\n")[:-1]
    assert blocks and all(re.fullmatch(r"gogui-gfx:\nCLEAR\n(COLOR.*\nLABEL.*\n)*TEXT .*", block) for block in blocks)


# --- Lizzie and LizzieYzy


@pytest.mark.parametrize(
    "text", ["0.20.0", "0.17", "1.0.0", "1.0.0rc1", "1.16.2", "2.3", "3", "1.0.dev5+g12", "0.15.1"]
)
def test_the_second_number_of_the_version_is_never_small(text):
    told = client_version(text)
    number = int(told.split()[0].split(".")[1])
    assert number >= LEELA_ZERO and text in told
    assert (told == text) == (int(re.match(r"\d+", [*text.split("."), "0"][1] or "0")[0]) >= LEELA_ZERO)


def test_the_version_is_told_that_way(search, monkeypatch):
    monkeypatch.setattr("protocols.gtp.commands_admin.__version__", "1.0.0")
    assert search("version") == "= 1.100.0 (1.0.0)\n\n"


def test_heatmap(search):
    search("boardsize 5 4")
    search("play b C3")
    lines = search("heatmap").split("\n")
    assert lines[0] == "= " and lines[-4].startswith("pass: ")
    rows = [line for line in lines if len(line.split()) == 5]
    assert len(rows) == 4 and all(line[0] == " " or line[0].isdecimal() for line in rows)
    values = [int(word) for row in rows for word in row.split()]
    assert 980 <= sum(values) <= 1020 and values[5 + 2] == 0
    assert 0 <= float(lines[-3].removeprefix("winrate: ")) <= 1


@pytest.mark.parametrize("symmetry", ["0", "7", "all"])
def test_raw_nn(symmetry, search):
    search("boardsize 4")
    search("set_position b B2")
    words = search(f"kata-raw-nn {symmetry}")[2:].split()
    assert words.count("symmetry") == (8 if symmetry == "all" else 1)
    at = words.index("policy")
    policy = words[at + 1 : at + 17]
    assert policy.count("NAN") == 1 and policy[2 * 4 + 1] == "NAN"
    assert sum(float(word) for word in policy if word != "NAN") == pytest.approx(1, abs=1e-4)
    at = words.index("whiteOwnership")
    assert all(-1 <= float(word) <= 1 for word in words[at + 1 : at + 17])
    keys = dict(zip(words[:20:2], words[1:20:2], strict=True))
    assert float(keys["whiteWin"]) + float(keys["whiteLoss"]) == pytest.approx(1)
    # All of it from White's view, whoever is to move.
    search("komi 40")
    for mover in ("b", "w"):
        search(f"gogui-setup_player {mover}")
        words = search(f"kata-raw-nn {symmetry}")[2:].split()
        keys = dict(zip(words[:20:2], words[1:20:2], strict=True))
        assert float(keys["whiteWin"]) > 0.9 and float(keys["whiteLead"]) > 10


@pytest.mark.parametrize("wrong", ["", "8", "-1", "x"])
def test_raw_nn_wants_a_symmetry(wrong, search):
    assert search(f"kata-raw-nn {wrong}").startswith("? syntax error")


def test_parameters_by_katago_s_names(search):
    names = search("kata-list-params")[2:].split()
    assert set(names) == set(json.loads(search("kata-get-params")[2:])) >= {"maxVisits", "maxTime", "numSearchThreads"}
    assert (
        search("kata-get-param playoutDoublingAdvantage") == search("kata-get-param analysisWideRootNoise") == "= 0\n\n"
    )
    for line in (
        "maxVisits 40",
        "maxTime 0.5",
        "numSearchThreads 2",
        "resignThreshold -0.9",
        "analysisWideRootNoise 0.0",
    ):
        assert search(f"kata-set-param {line}") == "= \n\n"
    options = search.session.options
    assert (options.playouts, options.move_time, options.threads) == (40, 0.5, 2)
    assert options.resign == pytest.approx(0.05)
    assert search("kata-set-param maxVisits 1e20") == "= \n\n" and search.session.options.playouts is None
    before = search.session.options
    for line in (
        "maxVisits 0",
        "maxTime -1",
        "numSearchThreads 257",
        "analysisWideRootNoise 0.04",
        "nosuch 1",
        "maxTime nan",
    ):
        assert search(f"kata-set-param {line}").startswith("? ")
    assert search.session.options == before


def test_a_search_that_does_not_play(search):
    for line in ("kata-search b", "kata-search_cancellable b"):
        assert re.fullmatch(r"= [A-E][1-5]\n\n", search(line))
    for line in ("kata-search_analyze b 0", "kata-search_analyze_cancellable b 0"):
        assert re.fullmatch(r"=\ninfo [^\n]+\nplay [A-E][1-5]\n\n", search(line))
    assert search.session.game.moves == []


@pytest.mark.parametrize("name", ["kata-search_cancellable", "kata-search_analyze_cancellable"])
def test_any_line_cancels_a_search(name, client):
    gtp = client(think=20)
    text = gtp.during(f"{name} b", lambda: gtp.server.notice(""))
    assert text.endswith("= cancelled\n\n" if name == "kata-search_cancellable" else "\nplay cancelled\n\n")
    assert gtp.game.moves == []
    gtp.server.handle("")
    assert gtp.ok("name") == "qiqiao"


def test_what_is_cached_is_forgotten(search):
    search("kata-search b")
    assert search.session.known(BLACK) is not None and search.session.player._made._tree is not None
    assert search("clear_cache") == "= \n\n"
    assert search.session.known(BLACK) is None and search.session.player._made._tree is None


def test_models_benchmark_and_debug_moves(search):
    (model,) = json.loads(search("kata-get-models")[2:])
    assert model["name"] == "qiqiao" and model["usesHumanSLProfile"] is False
    for name in ("kata-benchmark", "benchmark"):
        assert re.match(
            r"= 64 playouts on 5x5 in [\d.]+ s with threads: 1\n[\d.]+ playouts/s\n\n", search(f"{name} 64")
        )
    assert search.session.options.playouts == 150
    rows = search("debug_moves C3 C2")[2:].splitlines()
    assert re.match(r"[A-E][1-5] +visits +\d+ winrate [\d.]+ score +[-+][\d.]+ prior [\d.]+ pv [A-E][1-5]", rows[1])
    assert search("debug_moves C3 C3") == "? Invalid move sequence\n\n"
    assert search.session.game.moves == []


@pytest.mark.parametrize(
    "name", ["kata-genmove_analyze", "kata-search_analyze", "lz-genmove_analyze", "genmove_analyze"]
)
def test_minmoves_is_at_least(name, search):
    search("play b A1")
    found = segments(search(f"{name} w 0 minmoves 25"))
    assert len(found) == 25 and len({pairs(part)["move"] for part in found}) == 25
    assert [int(pairs(part)["order"]) for part in found] == list(range(25))
    search("undo")
    few = segments(search(f"{name} w 0 minmoves 1"))
    assert len(few) > 1
    assert len(segments(search("kata-search_analyze b 0 minmoves 9 maxmoves 4"))) == 4
    assert len(segments(search("kata-search_analyze b 0 minmoves 9 allow b B2,B3 1"))) == 2


def test_all_fields_of_katago(search):
    text = search("kata-genmove_analyze b 0 rootInfo true ownership true pvVisits true movesOwnership true")
    keys = pairs(segments(text)[0])
    assert set(keys) >= {
        *(
            "move",
            "visits",
            "edgeVisits",
            "utility",
            "winrate",
            "scoreMean",
            "scoreStdev",
            "scoreLead",
            "scoreSelfplay",
        ),
        *("prior", "lcb", "utilityLcb", "weight", "order"),
    }
    by_move = segments(text)[0].split(" movesOwnership ")[1].split(" rootInfo ")[0].split()
    assert len(by_move) == 25 and all(-1 <= float(word) <= 1 for word in by_move)
    root = text.split(" rootInfo ")[1].split(" ownership ")[0].split()
    told = dict(zip(root[::2], root[1::2], strict=True))
    assert set(told) >= {
        "visits",
        "utility",
        "winrate",
        "scoreLead",
        "rawStWrError",
        "rawStScoreError",
        "rawVarTimeLeft",
    }
    # No network here, which KataGo tells by −1.
    assert told["rawStWrError"] == told["rawStScoreError"] == told["rawVarTimeLeft"] == "-1.0"


def test_ownership_by_move_is_each_move_s_own(search):
    """All playouts together are those of the moves; a move's own map is not everybody's."""
    search("set_position b A1 b B1 w A2 w B2 w C2 w C1")
    request = "kata-search_analyze w 0 movesOwnership true ownership true"
    text = search(request + " movesOwnershipStdev true allow w E5,D1 1")
    maps = {}
    for part in segments(text):
        words = part.split(" movesOwnership ")[1].split()
        maps[pairs(part)["move"]] = ([float(word) for word in words[:25]], int(pairs(part)["visits"]))
        assert words[25] == "movesOwnershipStdev" and all(0 <= float(word) <= 1 for word in words[26:51])
    whole = [float(word) for word in text.split(" ownership ")[1].split("\n")[0].split()]
    assert set(maps) == {"E5", "D1"} and maps["E5"][0] != maps["D1"][0]
    total = sum(visits for _, visits in maps.values())
    for point in range(25):
        mean = sum(owned[point] * visits for owned, visits in maps.values()) / total
        assert mean == pytest.approx(whole[point], abs=0.02)


def test_a_cap_below_the_main_time_is_refused(client):
    gtp = client()
    gtp.ok("kata-time_settings fischer-capped 60 5 60 -1", "kata-time_settings fischer-capped 60 5 -1 10")
    assert gtp.error("kata-time_settings fischer-capped 60 5 59 -1") == "the limit must not be below the main time"
    assert gtp.error("kata-time_settings fischer-capped 60 5 0 -1") == "the limit must not be below the main time"


# --- CGOS


@pytest.mark.parametrize(
    ("told", "written"),
    [
        *(("WForfeit", "W+F"), ("BForfeit", "B+F"), ("Draw", "0"), ("B+3.5", "B+3.5"), ("W+Resign", "W+R")),
        *(("B+Time", "B+T"), ("W+Illegal", "W+F"), ("W+10.5", "W+10.5"), ("B+0.0", "0"), ("w+r", "W+R"), ("0", "0")),
        *(("White+4", "W+4"), ("BResign", "B+R"), ("nonsense", None), ("B+lots", None), ("W+1e400", None), ("B", "B+")),
    ],
)
def test_results_of_the_go_server(told, written):
    assert sgf_result(told) == written


@pytest.mark.parametrize(("told", "written"), [("WForfeit", "W+F"), ("Draw", "0"), ("B+2.5", "B+2.5")])
def test_the_record_keeps_them(told, written, client, tmp_path):
    gtp = client(record=str(tmp_path))
    gtp.ok("play b D4", "play w E5", f"cgos-gameover {told}")
    (path,) = tmp_path.glob("*.sgf")
    assert f"RE[{written}]" in path.read_text()


def test_the_go_server_s_rules(client):
    rules = preset("cgos")
    assert (rules.ko, rules.scoring, rules.suicide, rules.handicap_bonus, rules.komi) == (
        *("positional", "area", False, "0", 7.5),
    )
    assert not rules.removes_dead and find_rules("cgos") is PRESETS["cgos"]
    gtp = client(rules="cgos")
    gtp.ok("play b A2", "play b B2", "play b C1", "play w A1", "play b J9")
    assert gtp.error("play w B1") == "illegal move"
    assert json.loads(gtp.ok("kata-get-rules"))["suicide"] is False
    gtp.ok("kata-set-rules tromp-taylor", "play w B1")


# --- gtp2ogs


KATAGO = re.compile(
    r"(CHAT|MALKOVICH):Visits (\d*) Winrate (\d+\.\d\d)% ScoreLead (-?\d+\.\d) ScoreStdev (-?\d+\.\d) PV (.*)"
)
LEELA_MOVE = re.compile(
    r"([A-Z]\d+|pass) -> +(\d+) \(V: +(\d+.\d\d)%\) (\(LCB: +(\d+.\d\d)%\) )?\(N: +(\d+.\d\d)%\) "
    r"PV:(( ([A-Z][0-9]+|pass)+)+)"
)
LEELA_SUM = re.compile(r"(\d+) visits, (\d+) nodes, (\d+) playouts, (\d+) n/s")


def name_of(point):
    return "pass" if point == PASS else f"A{point}"


def test_the_expected_line_as_gtp2ogs_reads_it():
    best = Candidate(3, (3, 4, PASS), visits=80, winrate=0.4171, score=-0.9, prior=0.1, extra={"score_stdev": 20.6})
    text = graphics.expected_line(Report((best,), nodes=120, seconds=0.5), name_of)
    found = KATAGO.search(text)
    assert text.count("\n") == 1 and "KataGo" in text, "by that word it knows the engine"
    assert found.groups()[1:] == ("120", "41.71", "-0.9", "20.6", "A3 A4 pass")
    plain = Candidate(3, (3, 4), visits=80, winrate=0.4171, prior=0.1)
    first, second = graphics.expected_line(Report((plain,), nodes=120, seconds=0.5), name_of).splitlines()
    assert LEELA_MOVE.search(first)[7] == " A3 A4" and LEELA_SUM.search(second).groups() == ("120", "120", "120", "240")
    assert graphics.expected_line(Report(), name_of) == ""


def test_it_comes_on_standard_error_where_it_is_wanted(capfd):
    for wanted in (False, True):
        server = Server(Options(width=5, height=5, playouts=50, tell_line=wanted))
        for line in ("genmove b", "genmove_analyze w", "cgos-genmove_analyze b"):
            server.handle(line)
        server.close()
        assert len(KATAGO.findall(capfd.readouterr().err)) == 3 * wanted


def test_q5go_finds_what_it_looks_for(search):
    """Regular expressions of a blank, the key, a blank and a value, over each segment."""
    for part in search("kata-genmove_analyze b 0").split("info move ")[1:]:
        for key in ("visits", "winrate", "scoreMean", "scoreStdev"):
            assert re.search(rf"\s+{key}\s+([^\s]+)\s+", part)
        assert re.search(r"\s+pv\s+(.*)", part)[1]
        assert parse_vertex(part.split()[0], 5, 5) >= PASS
