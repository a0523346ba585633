"""Analysis: what clients ask for and the lines they get."""

import json
import re

import pytest

from engines.go.points import BLACK, PASS, WHITE
from engines.go.vertex import parse_vertex
from engines.player import Candidate, Report, Restriction
from protocols.gtp.analysis import LineWriter, Request, cgos_line, lower_bound, parse_request
from protocols.gtp.table import GtpError

# Sabaki's own expression for the moves at the end of a segment, in our words: the last tokens, vertices only.
SABAKI_PV = re.compile(r"(pass|[A-Za-z]\d+)(\s+(pass|[A-Za-z]\d+))*\s*$")


def v(text):
    return parse_vertex(text, 9, 9)


def report(**options):
    best = Candidate(
        v("E5"),
        line=(v("E5"), v("C3"), PASS),
        visits=60,
        winrate=0.5,
        score=-1.25,
        prior=0.25,
        extra={"lcb": 0.4, "score_stdev": 3.0, "pv_visits": (60, 20, 5)},
    )
    second = Candidate(PASS, visits=20, winrate=1.0, score=0.0)
    unseen = Candidate(v("A1"))
    return Report((best, second, unseen), seconds=1.25, nodes=81, **options)


def request(text, dialect="kata"):
    return parse_request(tuple(text.split()), dialect, 9, 9)


@pytest.mark.parametrize("text", ["b 50", "50 b", "interval 50 b", "b interval 50", "B 50", "black 50", "50 BLACK"])
def test_colour_and_interval_in_any_order(text):
    got = request(text)
    assert (got.color, got.interval) == (BLACK, 0.5)


def test_everything_is_optional():
    assert request("", "lz") == Request()
    assert request("100000").interval == 1000
    assert request("w").color == WHITE


def test_switches_and_counts():
    got = request("10 ownership true rootInfo true pvVisits TRUE minmoves 3 maxmoves 7 ownershipStdev false")
    assert (got.ownership, got.root_info, got.pv_visits, got.ownership_stdev) == (True, True, True, False)
    assert (got.min_moves, got.max_moves) == (3, 7)


def test_restrictions():
    got = request("w 10 avoid b A1,C3 4 avoid w pass 1 allow b E5 1", "lz")
    assert got.restrictions == [
        Restriction(BLACK, frozenset({v("A1"), v("C3")}), 4, False),
        Restriction(WHITE, frozenset({PASS}), 1, False),
        Restriction(BLACK, frozenset({v("E5")}), 1, True),
    ]


@pytest.mark.parametrize("dialect", ["lz", "kata"])
def test_what_is_allowed_twice_is_allowed_by_either(dialect):
    got = request("b 10 allow b E5 1 allow w A1 2 allow b D5,C3 3 avoid b C3 1", dialect)
    assert got.restrictions == [
        Restriction(BLACK, frozenset({v("E5"), v("D5"), v("C3")}), 3, True),
        Restriction(WHITE, frozenset({v("A1")}), 2, True),
        Restriction(BLACK, frozenset({v("C3")}), 1, False),
    ]


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("x", "lz"),
        ("ownership true", "lz"),
        ("ownership", "kata"),
        ("ownership maybe", "kata"),
        ("b w", "kata"),
        ("-5", "kata"),
        ("interval", "kata"),
        ("minmoves -1", "kata"),
        ("avoid b A1", "kata"),
        ("avoid b Z99 1", "kata"),
        ("avoid b A1 0", "kata"),
        ("avoid x A1 1", "kata"),
    ],
)
def test_errors(text, dialect):
    with pytest.raises(GtpError):
        request(text, dialect)


def test_lz_line_has_integers_only():
    line = LineWriter("lz", Request(), 9, 9).line(report())
    assert line == (
        "info move E5 visits 60 winrate 5000 prior 2500 lcb 4000 order 0 pv E5 C3 pass "
        f"info move pass visits 20 winrate 10000 prior 0 lcb {round(10000 * lower_bound(report().candidates[1]))} "
        "order 1 pv pass"
    )


def test_kata_line_in_the_order_of_its_keys():
    line = LineWriter("kata", Request(max_moves=1), 9, 9).line(report())
    assert line == (
        "info move E5 visits 60 edgeVisits 60 utility 0.0 winrate 0.5 scoreMean -1.25 scoreStdev 3.0 scoreLead -1.25 "
        "scoreSelfplay -1.25 prior 0.25 lcb 0.4 utilityLcb -0.2 weight 60.0 order 0 pv E5 C3 pass"
    )


def test_kata_extras():
    asked = Request(max_moves=1, pv_visits=True, pv_edge_visits=True, no_result=True, root_info=True)
    line = LineWriter("kata", asked, 9, 9).line(report())
    assert " scoreSelfplay -1.25 noResultValue 0.0 prior " in line
    assert " pv E5 C3 pass pvVisits 60 20 5 pvEdgeVisits 60 20 5 rootInfo visits 81 utility 0.25 winrate 0.625 " in line


def test_ownership_comes_last_one_float_a_point():
    owned = tuple([1.0] + [-0.5] + [0.0] * 79)
    asked = Request(ownership=True, ownership_stdev=True)
    line = LineWriter("kata", asked, 9, 9).line(report(ownership=owned))
    mean, _, spread = line.partition(" ownership ")[2].partition(" ownershipStdev ")
    assert [float(word) for word in mean.split()] == list(owned)
    assert [float(word) for word in spread.split()][:3] == [0.0, 0.866, 1.0]
    assert all("." in word for word in mean.split())


def test_a_player_that_does_not_count_points_gives_no_scores():
    line = LineWriter("kata", Request(), 9, 9).line(Report((Candidate(v("E5"), visits=1, winrate=0.3),)))
    assert "score" not in line and " winrate 0.3 " in line


def test_minmoves_shows_moves_never_looked_at():
    count = LineWriter("lz", Request(min_moves=3), 9, 9).line(report()).count("info ")
    assert (count, LineWriter("lz", Request(), 9, 9).line(report()).count("info ")) == (3, 2)


def test_nothing_known_gives_no_line():
    assert LineWriter("lz", Request(), 9, 9).line(Report()) == ""


@pytest.mark.parametrize("dialect", ["lz", "kata"])
def test_sabaki_finds_the_moves_at_the_end_of_each_segment(dialect):
    line = LineWriter(dialect, Request(), 9, 9).line(report())
    for segment in re.split(r"\s*info\s+", line.strip())[1:]:
        match = SABAKI_PV.search(segment)
        assert match is not None
        assert segment[: match.start()].endswith("pv ")


@pytest.mark.parametrize("value", [0.0, 1.0, 0.5, 1e-9, 1 / 3])
def test_kata_win_rates_always_have_a_point_and_never_an_exponent(value):
    line = LineWriter("kata", Request(), 9, 9).line(Report((Candidate(0, visits=1, winrate=value, prior=value),)))
    for word in re.findall(r"(?:winrate|prior|lcb|utility|utilityLcb|weight) (\S+)", line):
        assert re.fullmatch(r"-?\d+\.\d+", word)


def test_cgos():
    line = cgos_line(report(ownership=tuple([1.0, -1.0, 0.0] + [0.0] * 78)), 9, 9)
    data = json.loads(line)
    assert data["winrate"] == 0.625
    assert data["moves"][0] == {
        "move": "E5",
        "winrate": 0.5,
        "prior": 0.25,
        "visits": 60,
        "pv": "C3 pass",
        "score": -1.25,
    }
    assert data["ownership"] == "+Af" + "f" * 78
    assert data["visits"] == 81 and isinstance(data["comment"], str)
    assert "\n" not in line
