"""How a client counts ranks, by the options it sets."""

import pytest
from conversation import Conversation

from engines.xiangqi.player import Settings
from protocols.uci.server import Uci
from protocols.xiangqi.options import OPTIONS, plain
from protocols.xiangqi.server import Server
from protocols.xiangqi.signs import FAIRY

ANNOUNCED = [(option.uci, option.default_in(uci=True)) for option in OPTIONS if option.uci and option.kind != "button"]
ECHO = [(name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in ANNOUNCED]
VARIANT = ("UCI_Variant", "xiangqi")


def first_move(settings, *lines):
    """The rank that the central cannon's move begins on, as Red on the first position."""
    server = Server({"uci": Uci()}, "uci", Settings(hash=1))
    talk = Conversation(server)
    try:
        talk.ask("uci", "uciok")
        for name, value in settings:
            talk.send(f"setoption name {name} value {value}")
        for line in lines or ("position startpos",):
            talk.send(line)
        talk.send("d")
        rank = next(line for line in talk.until("Key") if " R N B A K" in line)
        return int(rank.split()[0])
    finally:
        server.close()


@pytest.mark.parametrize(
    "settings",
    [
        [VARIANT],
        [("Threads", "1"), ("Hash", "16"), VARIANT],
        [VARIANT, ("Threads", "2"), ("Hash", "64"), ("MultiPV", "1")],
        [("Use NNUE", "false"), VARIANT, ("Skill Level", "20"), ("UCI_AnalyseMode", "false")],
        [("UCI_LimitStrength", "true"), ("UCI_Elo", "1500"), VARIANT],
    ],
)
def test_who_chooses_the_variant_counts_from_one(settings):
    assert first_move(settings) == 1


@pytest.mark.parametrize(
    "settings",
    [
        ECHO,
        ECHO[::-1],
        [one for one in ECHO if plain(one[0]) in FAIRY],
        [(name, "2" if name == "Threads" else "99" if name == "Hash" else value) for name, value in ECHO],
        [VARIANT, ("Repetition Rule", "ChineseRule")],
        [("Mate Threat Depth", "1"), VARIANT],
        [VARIANT, ("ScoreType", "Elo")],
        [VARIANT, ("Rule60MaxPly", "120")],
        [],
    ],
)
def test_who_sends_back_what_it_is_shown_counts_from_zero(settings):
    assert first_move(settings) == 0


def test_where_it_is_doubtful_the_moves_say_it():
    assert first_move(ECHO, "position startpos moves h3e3") == 1
    assert first_move(ECHO, "position startpos moves h2e2") == 0
    assert first_move(ECHO, "position startpos moves h3e3 h10g8", "position startpos") == 1
    assert first_move(ECHO, "position startpos moves h3e3", "position startpos moves h2e2") == 0
