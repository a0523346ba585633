"""MGTP's server: a whole session as text, and what must not happen."""

import gc
import random
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from engines import games
from engines.banqi.search.simple import GreedyPlayer, RandomPlayer
from engines.dealing import Deal
from engines.gametype import Opening
from protocols.mgtp.commands import NUMBERS, read_request
from protocols.mgtp.server import Server

SESSION = Path(__file__).parents[2] / "data" / "mgtp" / "session.txt"


def server(game="banqi", rules="", seed=3):
    return Server(lambda name: GreedyPlayer(seed), game, rules)


def test_a_session():
    one, told = server(), []
    for line in SESSION.read_text("utf-8").splitlines():
        if line.startswith(">"):
            told.append(line)
            told += [f"< {answer}".rstrip() for answer in one.handle(line[2:]).splitlines()]
    assert told == SESSION.read_text("utf-8").splitlines()
    assert one.finished


@pytest.mark.parametrize(
    ("line", "name", "ident"),
    [
        ("12 genmove red", "genmove", "12"),
        ("7777 genmove red", "genmove", "7777"),
        ("genmove red", "genmove", ""),
        ("14", "ready", "14"),
        ("3 flip d7 n", "flip", "3"),
        ("55 nothing", "", "55"),
        ("nothing", "", ""),
    ],
)
def test_name_first_number_where_there_is_no_name(line, name, ident):
    request = read_request(line)
    assert (request.name, request.ident) == (name, ident)


def test_its_own_move_is_not_played_before_it_is_told():
    one = server()
    before = one.handle("17 showboard")
    assert one.handle("12 genmove unknown").startswith("=12 ")
    assert one.handle("17 showboard") == before


def play(referee, one, source, plies=400):
    """A game of random moves, refereed, and told to a server as to all players; what it answered."""
    said = []
    for _ in range(plies):
        game = referee.game
        if game.result is not None:
            break
        side = game.turn
        colors = getattr(game.observe(None), "colors", None)
        name = str(side + 1) if referee.sides == 3 else {"r": "red", "b": "black", None: "unknown"}[colors[side]]
        answer = one.handle(f"12 genmove {name}")
        assert answer.startswith("=12 ") and answer != "=12 a0 a0\n"
        said.append(answer)
        text = game.play(source.choice(game.legal_moves()))
        said.append(one.handle(line_of(text)))
        assert said[-1][0] == "=", (text, said[-1])
    return said


def line_of(text):
    """The line that tells a move, from the referee's text."""
    text = text.split(" ")[0]
    if text == "end":
        return "102 end"
    if "@" in text:
        return f"101 place {text[2:]} {text[0]}"
    if "-" in text:
        squares, _, shown = text.partition("(")
        return f"10 move {squares.replace('-', ' ')} {shown.rstrip(')')}".rstrip()
    return f"11 flip {text[:2]} {text[3]}"


@pytest.mark.parametrize(
    ("game", "rules"),
    [("banqi", ""), ("banqi", "hongkong"), ("banqi", "taiwan-chain"), ("banqi", "taiwan-dark-return"), ("luoqi", "")],
)
def test_games_of_two(game, rules):
    kind = games.make(game, rules)
    said = play(kind.begin(Opening(seed=4)), server(game, rules), random.Random(7))
    assert len(said) > 40


def test_a_game_of_three():
    assert len(play(games.make("sanguo").begin(Opening(seed=4)), server("sanguo"), random.Random(7))) > 40


def test_it_holds_no_deal():
    """What lies face down can't leak from a server that has none."""
    one = server()
    one.handle("11 flip d7 n")
    one.handle("12 genmove red")
    seen, todo = set(), [vars(one)]
    while todo:
        value = todo.pop()
        assert not isinstance(value, Deal)
        for found in gc.get_referents(value):
            if id(found) not in seen and not isinstance(found, (type, ModuleType, FunctionType)):
                seen.add(id(found))
                todo.append(found)
    assert len(seen) > 20


def test_rubbish_is_refused_and_changes_nothing():
    source, one = random.Random(1), Server(lambda name: RandomPlayer(1))
    words = [
        *NUMBERS,
        "red",
        "a1",
        "d8",
        "e9",
        "X",
        "n",
        "-1",
        "999999999999",
        "é",
        "1:r",
        "4:z",
        "12",
        "b3-b4",
        "\x00",
    ]
    one.handle("11 flip d7 n")
    for _ in range(2000):
        line = " ".join(source.choice(words) for _ in range(source.randrange(1, 5)))
        if "quit" in line:
            continue
        before = one.handle("17 showboard")
        answer = one.handle(line)
        assert answer[0] in "=?" and answer.endswith("\n")
        if answer[0] == "?":
            assert one.handle("17 showboard") == before
    assert one.handle("name").startswith("=")


def test_a_line_too_long_and_an_end():
    one = server()
    assert one.refuse("12 genmove " + "x" * 100) == "?12 the line is too long\n"
    assert one.handle("   ") is None
    assert one.handle("5 quit") == "=5\n" and one.finished
