"""Our end of UCCI, without a process."""

import pytest
from rote import Rote

from engines.clock import Clock, TimeControl
from engines.player import Limits
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_name
from engines.xiangqi.search_stack import MATE
from protocols.ucci.client import UcciClient
from protocols.xiangqi.client import parse_option
from protocols.xiangqi.orders import EngineOption, SearchRequest

ELEPHANT = (
    "option usemillisec type check default true",
    "option hashsize type spin min 16 max 1024 default 16",
    "option randomness type combo var none var tiny var small default none",
    "option newgame type button",
)


def engine(*options, move="h2e2", timed="", ready=True):
    def answer(line):
        if line == "ucci":
            return [" 8 an ANSI board \x1b[0m", "id name Elephant", "id version 3", *options, "ucciok"]
        if line == "isready":
            return ["readyok"] if ready else []
        if line.startswith("go depth 1") or line == "stop":
            return [f"bestmove {move}"]
        return [timed] if line.startswith("go time 60 ") and timed else []

    return answer


def started(*options, **changes):
    answers = {key: changes.pop(key) for key in ("move", "timed", "ready") if key in changes}
    rote = Rote(UcciClient, "ucci", engine(*options, **answers), **changes)
    rote.client.start()
    return rote


def test_milliseconds_are_switched_on_where_that_is_possible():
    rote = started(*ELEPHANT)
    assert rote.sent == ["ucci", "setoption usemillisec true", "isready", "position startpos", "go depth 1"]
    assert rote.client.unit == 0.001


def test_one_without_the_option_that_reads_milliseconds_gives_itself_away():
    rote = started(timed="bestmove h2e2")
    assert rote.client.unit == 0.001 and "milliseconds" in rote.notes[-1]


def test_one_without_the_option_that_thinks_on_reads_seconds():
    rote = started()
    assert rote.client.unit == 1.0 and rote.sent[-1] == "stop"
    rote.new()
    rote.client.go(SearchRequest(Board(), Limits(clock=Clock(TimeControl.fischer(60.9, 1.5)))))
    assert rote.sent[-1] == "go time 60 increment 1 opptime 60 oppincrement 1"


def test_what_is_known_is_not_found_out():
    rote = started(milliseconds=False, rank_base=1)
    assert rote.sent == ["ucci", "isready"] and (rote.client.base, rote.client.unit) == (1, 1.0)


def test_one_that_does_not_know_isready():
    rote = started(*ELEPHANT, ready=False, start_time=0.6)
    rote.new()
    rote.client.go(SearchRequest(Board(), Limits(depth=2)))
    assert rote.sent == ["position startpos", "go depth 2"]


CLOCK = Clock(TimeControl.fischer(60, 1))


@pytest.mark.parametrize(
    ("limits", "more", "text"),
    [
        (Limits(infinite=True), {}, "go infinite"),
        (Limits(seconds=1.5), {}, "go time 1500 movestogo 1"),
        (Limits(depth=5, nodes=7), {}, "go depth 5"),
        (Limits(nodes=7), {}, "go nodes 7"),
        (Limits(mate=2), {}, "go depth 4"),
        (Limits(clock=CLOCK), {}, "go time 60000 increment 1000 opptime 60000 oppincrement 1000"),
        (Limits(clock=CLOCK), {"draw": True}, "go draw time 60000 increment 1000 opptime 60000 oppincrement 1000"),
        (
            Limits(clock=CLOCK, infinite=True, pondering=True),
            {"ponder": True},
            "go ponder time 60000 increment 1000 opptime 60000 oppincrement 1000",
        ),
        (
            Limits(clock=Clock(TimeControl.session(60, 9)), opponent_clock=Clock(TimeControl.absolute(50))),
            {},
            "go time 60000 movestogo 9 opptime 50000 oppincrement 0",
        ),
    ],
)
def test_go(limits, more, text):
    rote = started(*ELEPHANT)
    rote.new()
    rote.client.go(SearchRequest(Board(), limits, **more))
    assert rote.sent == ["isready", "position startpos", text]


def test_banmoves():
    rote = started(*ELEPHANT)
    board = Board()
    banned = [m for m in board.legal_moves() if move_name(m) in ("h2e2", "b2e2")]
    rote.client.go(SearchRequest(board, Limits(depth=3), frozenset(board.legal_moves()) - set(banned)))
    assert rote.sent[-2:] == ["banmoves b2e2 h2e2", "go depth 3"]


@pytest.mark.parametrize(
    ("text", "score", "mate"),
    [
        ("score 100", 425, None),
        ("score -7", -30, None),
        ("score cp 33", 33, None),
        ("score mate 2", MATE - 3, 2),
        ("score 9997", MATE - 3, 2),
        ("score -9998", -(MATE - 2), -1),
        ("score 9800", 41650, None),
    ],
)
def test_scores(text, score, mate):
    rote = started(*ELEPHANT)
    rote.client.go(SearchRequest(Board(), Limits(depth=3)))
    rote.client.receive("info time 3 nodes 11409")
    rote.client.receive(f"info depth 4 {text} pv h2e2 h9g7")
    report = rote.reports[0]
    assert (report.candidates[0].score, report.candidates[0].mate) == (score, mate)
    assert (report.nodes, report.seconds, report.depth) == (11409, 0.003, 4)


def test_the_weight_of_a_book_move_is_no_score():
    rote = started(*ELEPHANT)
    rote.client.go(SearchRequest(Board(), Limits(depth=3)))
    rote.client.receive("info depth 0 score 1234 pv h2e2")
    assert rote.reports[0].candidates[0].score == 0


def test_letters_that_an_engine_does_not_know_are_replaced():
    def answer(line):
        if line.startswith("position fen ") and "n" in line.split()[2]:
            return ["Error: unknown piece type 'n' (bad FEN ...)"]
        return engine(*ELEPHANT, move="b1c3")(line)

    rote = Rote(UcciClient, "ucci", answer)
    rote.client.start()
    board = Board("3k5/9/9/9/9/9/9/9/4A4/RN2K2n1 w - - 0 1")
    rote.client.go(SearchRequest(board, Limits(depth=3)))
    assert "position fen 3k5/9/9/9/9/9/9/9/4A4/RH2K2h1 w - - 0 1" in rote.sent


def test_a_long_game_is_sent_from_its_last_capture():
    rote = started(*ELEPHANT)
    board = Board()
    for turn in range(404):
        board.play(next(m for m in board.legal_moves() if move_name(m) == ("a0a1", "a9a8", "a1a0", "a8a9")[turn % 4]))
    rote.client.go(SearchRequest(board, Limits(depth=3)))
    assert rote.sent[-2].startswith("position fen rnbakabnr/") and len(rote.sent[-2].split("moves ")[1].split()) <= 404


def test_new_game():
    rote = started(*ELEPHANT)
    rote.client.new_game()
    assert rote.sent[-1] == "setoption newgame"
    rote = started(timed="bestmove h2e2")
    rote.new()
    rote.client.new_game()
    assert rote.sent == []


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("hashsize type spin min 16 max 1024 default 16", EngineOption("hashsize", "spin", "16", 16, 1024)),
        ("name Hash type spin default 16 min 1 max 9", EngineOption("Hash", "spin", "16", 1, 9)),
        ("name Clear Hash type button", EngineOption("Clear Hash", "button")),
        (
            "style type combo var solid var very risky default solid",
            EngineOption("style", "combo", "solid", values=("solid", "very risky")),
        ),
        ("bookfiles type string default /a b/BOOK.DAT", EngineOption("bookfiles", "string", "/a b/BOOK.DAT")),
        ("name X type string default <empty>", EngineOption("X", "string")),
        ("name X type string default", EngineOption("X", "string")),
        ("name X type spin default many min few", EngineOption("X", "spin", "many")),
        ("batch", EngineOption("batch", "string")),
        ("name", None),
        ("", None),
    ],
)
def test_option_lines(text, option):
    assert parse_option(text.split()) == option
