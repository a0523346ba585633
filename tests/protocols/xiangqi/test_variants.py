"""Jieqi and fanqi in the UCI and UCCI server."""

import random

import pytest

from engines.jieqi.game import Game
from engines.xiangqi.player import Settings
from protocols.ucci.server import Ucci
from protocols.uci.server import Uci
from protocols.xiangqi.server import Server

BAGS = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w aabbnnrrccppppp  aabbnnrrccppppp  - - 0 1"


class Talk:
    """A server and all that it has said."""

    def __init__(self, first="uci"):
        self.said = []
        self.server = Server({"uci": Uci(), "ucci": Ucci()}, first, Settings(hash=1, seed=1))
        self.server.attach(self.said.append)

    def __call__(self, line):
        """What is said to a line, a search's answer too."""
        before = len(self.said)
        answer = self.server.handle(line)
        self.server.wait()
        return "".join([answer or "", *self.said[before:]])


@pytest.fixture
def talk():
    made = Talk()
    made("uci")
    made("setoption name UCI_Variant value jieqi")
    yield made
    made.server.close()


def test_moves_carry_letters_and_a_bestmove_has_none(talk):
    assert talk("position startpos moves h2h9P b7b0cP b2e2C") == ""
    answer = talk("go nodes 300").splitlines()[-1]
    assert answer.startswith("bestmove ") and len(answer.split()[1]) == 4


def test_a_first_move_without_its_letter_is_not_played(talk):
    assert talk("position startpos moves h2h9") == "info string h2h9: the letter of what turns up is missing\n"
    assert talk("go nodes 10").splitlines()[-1] == "bestmove (none)"
    assert talk("position startpos") == ""
    assert talk("go nodes 10").splitlines()[-1] != "bestmove (none)"


def test_every_dialect_of_fen_is_read(talk):
    start = Game("jieqi", seed=1).observe(0)
    fens = [start.setup_text(dialect) for dialect in ("jieqibox", "jieqibox-old", "pikafish", "jieqiai")]
    for fen in (*fens, BAGS):
        assert talk(f"position fen {fen}") == "", fen
        assert start.setup_text() in talk("d")
    assert "Nodes searched: 259" in talk("go perft 1")


def test_a_layout_is_given_and_kept(talk):
    assert "nothing is laid" in talk("layout red")
    talk("setoption name UCI_Variant value fanqi3")
    talk("setoption name FanqiLayout value RRNNCCPPPPP")
    assert talk("layout red") == "layout RRNNCCPPPPP\n"
    assert talk("layout black") == "layout rrnnccppppp\n"
    assert "info string" in talk("setoption name FanqiLayout value KKK")
    assert talk("position startpos") == "" and "a0R" in talk("d")


def test_ucci_says_it_in_its_own_words():
    talk = Talk("ucci")
    assert "option variant type combo" in talk("ucci")
    talk("setoption variant jieqi2")
    assert talk("position startpos moves h2h9") == "info message h2h9: the letter of what turns up is missing\n"
    assert talk("go depth 1").splitlines()[-1] == "nobestmove"
    talk("position startpos")
    assert talk("go depth 1").splitlines()[-1].startswith("bestmove ")
    talk.server.close()


def test_xiangqi_comes_back(talk):
    talk("setoption name UCI_Variant value xiangqi")
    assert talk("position startpos moves h2e2") == "" and "bestmove" in talk("go depth 1")


@pytest.mark.parametrize("form", ["jieqi", "fanqi10"])
def test_a_game_told_to_black_is_followed_to_its_end(talk, form):
    talk(f"setoption name UCI_Variant value {form}")
    game, dice = Game(form, seed=3), random.Random(1)
    for _ in range(40):
        if game.result is not None:
            break
        side = game.turn
        assert talk(f"position startpos moves {' '.join(game.told(side))}" if game.plies else "position startpos") == ""
        fen = game.observe(side).setup_text()
        assert fen in talk("d")
        game.play(dice.choice(game.legal_moves()))


def test_rubbish_breaks_nothing(talk):
    dice = random.Random(7)
    words = ["position", "startpos", "fen", "moves", "go", "depth", "1", "h2h9P", "h2e2", "x", "layout", "red", "d"]
    words += [
        "setoption",
        "name",
        "FanqiLayout",
        "value",
        "JieqiLimit",
        "banmoves",
        "-",
        "R2A2",
        BAGS,
        "\x00",
        "帅",
        "99999",
    ]
    for _ in range(300):
        line = " ".join(dice.choice(words) for _ in range(dice.randrange(1, 7)))
        line = line.replace("go", "go nodes 5") if line.startswith("go") else line
        if line.startswith("go") and "perft" not in line:
            line = "go nodes 5"
        assert "internal error" not in talk(line), line
    talk("position startpos")
    assert "bestmove" in talk("go nodes 5")
