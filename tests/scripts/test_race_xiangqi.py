"""Commands that can overtake each other, sent without a pause: a part of the script's, in fresh servers, processes."""

import os
import sys
import threading

import pytest
from support import ROOT

from engines.xiangqi.player import Settings
from protocols.stdio import serve
from protocols.ucci.server import Ucci
from protocols.uci.server import Uci
from protocols.xiangqi.server import Server

sys.path.insert(0, str(ROOT / "scripts"))
import race_xiangqi

TIMES = 1
HIT = "0 / ponderhit / position startpos / go depth 1"  # behind a search with a clock alone


def session(protocol, lines):
    """What a fresh server answers, behind the real loop, when all lines are there at once."""
    from_us, to_server = os.pipe()
    from_server, to_us = os.pipe()
    os.write(to_server, "".join(f"{line}\n" for line in (protocol, *lines, "quit")).encode())
    os.close(to_server)

    def make(write):
        return Server({"ucci": Ucci(), "uci": Uci()}, protocol, Settings(hash=1, move_time=0.02)).attach(write)

    thread = threading.Thread(target=serve, args=(make,), kwargs={"stdin": from_us, "stdout": to_us})
    thread.start()
    thread.join(race_xiangqi.TIMEOUT)
    assert not thread.is_alive(), f"{lines}: no end"
    for reader in [one for one in threading.enumerate() if one.name == "reader"]:
        reader.join(race_xiangqi.TIMEOUT)  # else it might read what is sent to the next server, on the same descriptor
    os.close(to_us)
    with os.fdopen(from_server) as output:
        text = output.read()
    os.close(from_us)
    return text.splitlines()


@pytest.mark.compiled
@pytest.mark.parametrize("protocol", ["uci", "ucci"])
@pytest.mark.parametrize("behind", ["ponderhit", "stop", "position", "setoption", "ucinewgame", "go depth"])
def test_every_pair_in_a_fresh_server(protocol, behind):
    for lines in race_xiangqi.races(protocol):
        if lines[2].startswith(behind) and len(lines) <= 6:
            for _ in range(TIMES):
                assert race_xiangqi.wrong(lines, session(protocol, lines)) == "", lines


@pytest.mark.compiled
@pytest.mark.parametrize("protocol", ["uci", "ucci"])
def test_a_ponder_hit_close_behind_in_a_fresh_process(protocol):
    assert race_xiangqi.main(["--times", "2", "--protocol", protocol, "--only", HIT]) == 0


def test_what_is_wrong_is_found():
    lines = [race_xiangqi.POSITION, "go ponder", "ponderhit", *race_xiangqi.LAST]
    good = ["bestmove h9g7 ponder h0g2", "bestmove h2e2"]
    assert race_xiangqi.wrong(lines, good) == ""
    assert "1 moves for 2" in race_xiangqi.wrong(lines, good[:1])
    assert "3 moves for 2" in race_xiangqi.wrong(lines, [*good, good[0]])
    assert "without a move" in race_xiangqi.wrong(lines, [*good, "nobestmove"])
    assert race_xiangqi.wrong([*lines, "stop"], [*good, "nobestmove"]) == ""
    assert "moves" in race_xiangqi.wrong(["position fen x", "go depth 1"], ["bestmove h2e2"])
    assert race_xiangqi.wrong(["position fen x", "go depth 1"], ["bestmove (none)"]) == ""
