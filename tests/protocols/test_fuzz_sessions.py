"""Random sessions against the daemons, a few of them; scripts/fuzz_sessions.py plays as many as one likes."""

import sys

import pytest
from support import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import fuzz_gtp
import fuzz_sessions
import fuzz_xiangqi

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(sys.platform == "win32", reason="the sessions are forked"),
]

FEW = {"gtp": 8, "uci": 5, "ucci": 5}


@pytest.mark.parametrize("protocol", fuzz_sessions.PROTOCOLS)
def test_random_sessions(protocol):
    """Each in a process of its own, started as a program: nothing here may fork, for other tests leave threads."""
    sessions = [fuzz_sessions.session(protocol, number, longest=15) for number in range(FEW[protocol])]
    played = fuzz_sessions.play(sessions, 2, fork=False)
    assert [(one.number, found, ran.errors) for one, ran, found in played if found] == []


@pytest.mark.parametrize("protocol", fuzz_sessions.PROTOCOLS)
def test_a_number_gives_the_same_session_again(protocol):
    assert fuzz_sessions.session(protocol, 7) == fuzz_sessions.session(protocol, 7)
    assert fuzz_sessions.session(protocol, 7) != fuzz_sessions.session(protocol, 8)


def test_what_is_wrong_is_seen():
    lines = [(0.0, "1 name"), (0.0, "# nothing"), (0.0, "2 kata-analyze b"), (0.0, "genmove_analyze b")]
    good = "=1 qiqiao\n\n=2\ninfo move A1 scoreLead -0.5\n\n=\ninfo move A1\nplay A1\n\n"
    assert fuzz_gtp.faults(lines, good) == []
    for bad in (
        good.replace("-0.5", "-inf"),
        good.replace("-0.5", "nan"),
        good.replace("=2", "=3"),
        good.replace("=1 qiqiao", "?1 internal error"),
        good.replace("\nplay A1", ""),
        good[:-1],
        good[: good.index("=2")],
    ):
        assert fuzz_gtp.faults(lines, bad), bad
    asked = [(0.0, "go depth 1"), (0.0, "isready")]
    assert fuzz_xiangqi.faults(asked, "bestmove h2e2\nreadyok\n") == []
    for bad in ("bestmove h2e2\n", "bestmove h2e2\nbestmove h2e2\nreadyok\n", "info string internal error\nreadyok\n"):
        assert fuzz_xiangqi.faults(asked, bad), bad
    one = fuzz_sessions.Session("gtp", 0, ["gtp"], lines)
    for ran in (("", None), ("Traceback (most recent call last):\nValueError: no", 0), ("", 1)):
        assert fuzz_sessions.faults(one, fuzz_sessions.Ran(good, *ran)), ran
    assert fuzz_sessions.faults(one, fuzz_sessions.Ran(good, "", 0)) == []


def test_a_stop_ends_a_search_that_batch_mode_waits_for():
    """In UCCI's batch mode the next line waits for the answer; a stop and a quit do not."""
    for protocol, word in (("uci", "stop"), ("ucci", "stop"), ("ucci", "quit")):
        lines = [protocol, "setoption batch on", "go depth 200", word, "isready", "quit"]
        one = fuzz_sessions.Session(protocol, 0, [protocol, "--hash", "1"], [(0.0, line) for line in lines])
        ran = fuzz_sessions.run(one, fork=False)
        assert ran.status == 0 and ran.errors == ""
        assert ran.output.count("bestmove") == 1


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
def test_numbers_beyond_reason(protocol):
    """Counters of a FEN and limits of a search that no game has: each search answers, and no more than once."""
    lines = [protocol, "setoption name Threads value 2"]
    searches = 0
    for fen in fuzz_xiangqi.FENS[2:6]:
        lines += [f"position fen {fen}", "go depth 1"]
        searches += 1
    lines.append("position startpos moves h2e2")
    for word in ("depth", "nodes", "movetime", "mate", "time", "wtime", "movestogo"):
        for number in ("-1", "0", "99999", "-2147483649", "9999999999999", "1e308", "-1e308"):
            lines += [f"go {word} {number} nodes 50", "stop"]
            searches += 1
    lines += ["isready", "quit"]
    one = fuzz_sessions.Session(protocol, 0, [protocol, "--hash", "1"], [(0.0, line) for line in lines])
    ran = fuzz_sessions.run(one, fork=False)
    assert (ran.status, ran.errors) == (0, "")
    answers = [line for line in ran.output.splitlines() if line.startswith(("bestmove", "nobestmove"))]
    assert ran.output.count("readyok") == 1 and searches - 7 <= len(answers) <= searches
