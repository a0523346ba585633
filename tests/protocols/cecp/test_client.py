"""Our end of CECP, without a process."""

import pytest
from rote import Rote, board

from engines.clock import Clock, TimeControl
from engines.player import Limits
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_name
from engines.xiangqi.search_stack import MATE
from protocols.cecp.client import CecpClient, parse_option
from protocols.programs.supervisor import EngineError, Refused
from protocols.xiangqi.orders import EngineOption, SearchRequest

FEATURES = 'feature ping=1 setboard=1 usermove=1 time=1 memory=1 variants="normal,xiangqi" myname="Some Engine" done=1'


def engine(features=FEATURES, move="h2e2"):
    state = {"first": True}

    def answer(line):
        if line == "protover 2":
            return ["\x1b[1mbanner\x1b[0m", *features.split("\n")]
        if line.startswith("ping "):
            return [f"pong {line[5:]}"]
        if line == "go" and state["first"]:
            state["first"] = False
            return [f"move {move}"]
        return []

    return answer


def started(features=FEATURES, move="h2e2", **changes):
    rote = Rote(CecpClient, "cecp", engine(features, move), **changes)
    rote.client.start()
    rote.new()
    return rote


NEW = ["force", "new", "variant xiangqi", "easy", "post", "force"]
CLOCK = Clock(TimeControl.fischer(300, 2))


def test_start():
    rote = Rote(CecpClient, "cecp", engine())
    rote.client.start()
    assert rote.sent[:2] == ["xboard", "protover 2"] and "variant xiangqi" in rote.sent
    assert rote.client.name == "Some Engine" and rote.client.base == 0
    assert started(move="h3e3").client.base == 1


def test_one_without_xiangqi():
    with pytest.raises(EngineError, match="does not play xiangqi, only normal, atomic"):
        started('feature variants="normal,atomic" done=1')


def test_one_that_plays_chess_anyway():
    with pytest.raises(EngineError, match="does it play that game"):
        started("feature done=1", move="e2e4")


def test_a_game_move_by_move():
    rote = started()
    rote.client.go(SearchRequest(board("h2e2"), Limits(clock=CLOCK, opponent_clock=CLOCK)))
    assert rote.new() == [
        *NEW,
        "force",
        "usermove h2e2",
        "ping 2",
        "level 0 5:00 2",
        "time 30000",
        "otim 30000",
        "go",
    ]
    rote.client.receive("move h9g7")
    assert rote.client.answer.text == "h9g7"
    clock = CLOCK.copy()
    clock.left = 250
    rote.client.go(SearchRequest(board("h2e2", "h9g7", "h0g2"), Limits(clock=clock, opponent_clock=CLOCK)))
    assert rote.new() == ["force", "usermove h0g2", "ping 3", "time 25000", "otim 30000", "go"]
    # Moves that were taken back are a new game to the engine.
    rote.client.receive("move i9h9")
    rote.client.go(SearchRequest(board("b2e2"), Limits(clock=CLOCK)))
    assert rote.new()[: len(NEW) + 2] == [*NEW, "force", "usermove b2e2"]


@pytest.mark.parametrize(
    ("limits", "lines"),
    [
        (Limits(seconds=1.5), ["st 2", "time 150", "otim 150", "go"]),
        (Limits(depth=7), ["level 0 600:00 0", "time 3600000", "otim 3600000", "sd 7", "go"]),
        (Limits(nodes=1000), ["st 2", "time 200", "otim 200", "go"]),
        (Limits(clock=Clock(TimeControl.session(90, 40))), ["level 40 1:30 0", "time 9000", "otim 9000", "go"]),
    ],
)
def test_limits(limits, lines):
    rote = started()
    rote.client.go(SearchRequest(board(), limits))
    assert rote.new()[-len(lines) :] == lines


def test_a_bound_on_depth_is_taken_away_again():
    rote = started()
    rote.client.go(SearchRequest(board(), Limits(depth=3)))
    rote.client.receive("move h2e2")
    rote.client.go(SearchRequest(board("h2e2", "h9g7"), Limits(seconds=1)))
    assert "sd 64" in rote.new()


def test_positions_that_are_set_up():
    rote = started()
    rote.client.go(SearchRequest(Board("3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 3 20"), Limits(seconds=1)))
    assert "setboard 3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 3 20" in rote.new()
    with pytest.raises(Refused, match="start position"):
        started("feature done=1").client.go(SearchRequest(Board("3k5/9/9/9/9/9/9/9/4A4/R3K4 w"), Limits(seconds=1)))


@pytest.mark.parametrize(
    ("lines", "text", "word"),
    [
        (["move h2e2"], "h2e2", ""),
        (["move Ch2-e2"], "h2e2", ""),
        (["1. ... h2e2"], "h2e2", ""),
        (["offer draw", "move h2e2"], "h2e2", "draw"),
        (["resign"], "", "resign"),
        (["0-1 {Red resigns}"], "", "resign"),
        (["1/2-1/2 {Draw by repetition}"], "", "claim"),
        (["1-0 {Black mates}"], "", "claim"),
        (["Illegal move: h2e2"], "", "illegal"),
        (["# comment", "Hint: h2e2", "tellics say hello", "move h2e2", "0-1 {late claim}"], "h2e2", ""),
    ],
)
def test_answers(lines, text, word):
    rote = started()
    rote.client.go(SearchRequest(board(), Limits(seconds=1)))
    for line in lines:
        rote.client.receive(line)
    assert (rote.client.answer.text, rote.client.answer.word) == (text, word)


def test_after_a_claim_it_is_shown_the_bare_position():
    rote = started()
    rote.client.go(SearchRequest(board("h2e2"), Limits(seconds=1)))
    rote.client.receive("1/2-1/2 {Draw by repetition}")
    rote.new()
    one = board("h2e2")
    rote.client.go(SearchRequest(one, Limits(seconds=1)))
    assert f"setboard {one.fen()}" in rote.new()


def test_a_claim_behind_its_own_move_and_the_moves_after_it():
    rote = started()
    rote.client.go(SearchRequest(board("h2e2"), Limits(seconds=1)))
    rote.client.receive("move h9g7")
    rote.client.receive("1/2-1/2 {3 repetitions}")
    rote.new()
    one = board("h2e2", "h9g7", "h0g2")
    rote.client.go(SearchRequest(one, Limits(seconds=1)))
    # No move may follow its claim: some end themselves then.
    sent = rote.new()
    assert f"setboard {one.fen()}" in sent and not any(line.startswith("usermove") for line in sent)
    rote.client.receive("move i9h9")
    rote.client.go(SearchRequest(board("h2e2", "h9g7", "h0g2", "i9h9", "i0h0"), Limits(seconds=1)))
    assert [line for line in rote.new() if line.startswith("usermove")] == ["usermove i0h0"]
    rote.client.new_game()
    rote.client.go(SearchRequest(board("h2e2"), Limits(seconds=1)))
    assert "usermove h2e2" in rote.new()


def test_a_claim_at_the_sight_of_our_moves():
    def answer(line):
        return ["1/2-1/2 {3 repetitions}"] if line == "usermove h2e2" else respond(line)

    respond = engine()
    rote = Rote(CecpClient, "cecp", answer)
    rote.client.start()
    one = board("h2e2")
    rote.client.go(SearchRequest(one, Limits(seconds=1)))
    assert f"setboard {one.fen()}" in rote.sent and rote.sent[-1] == "go"


def test_a_claim_of_one_that_can_not_be_set_up():
    def answer(line):
        return ["1/2-1/2 {3 repetitions}"] if line == "usermove h2e2" else respond(line)

    respond = engine(FEATURES.replace("setboard=1", "setboard=0"))
    rote = Rote(CecpClient, "cecp", answer)
    rote.client.start()
    with pytest.raises(Refused):
        rote.client.go(SearchRequest(board("h2e2"), Limits(seconds=1)))


def test_a_move_of_ours_that_it_rejects():
    def answer(line):
        return ["Illegal move: h2e2"] if line == "usermove h2e2" else respond(line)

    respond = engine()
    rote = Rote(CecpClient, "cecp", answer)
    rote.client.start()
    rote.client.go(SearchRequest(board("h2e2"), Limits(seconds=1)))
    assert rote.client.answer.word == "illegal" and rote.sent[-1] != "go"


@pytest.mark.parametrize(
    ("line", "score", "mate"),
    [
        ("5 33 120 9000 h2e2 h9g7", 33, None),
        (" 5&   33  120 9000 h2e2 h9g7", 33, None),
        ("5. 33 120 9000 1. Ch2-e2 Hh9-g7", 33, None),
        ("5 33 120 9000 17 5000 0\t h2e2 h9g7", 33, None),
        ("5 100003 120 9000 h2e2", MATE - 5, 3),
        ("5 -100001 120 9000 h2e2", -(MATE - 2), -1),
    ],
)
def test_thinking(line, score, mate):
    rote = started()
    rote.client.go(SearchRequest(board(), Limits(seconds=1)))
    rote.client.receive(line)
    report = rote.reports[0]
    assert (report.depth, report.seconds, report.nodes) == (5, 1.2, 9000)
    assert (report.candidates[0].score, report.candidates[0].mate) == (score, mate)


@pytest.mark.parametrize(
    "line", ["5 33 120 9000 1. Hc2 Hc7", "0 33 1 1 h2e2", "5 33", "-1 440 6964 256 h2e2", "5 x 1 1 h2e2"]
)
def test_thinking_that_can_not_be_read(line):
    rote = started()
    rote.client.go(SearchRequest(board(), Limits(seconds=1)))
    rote.client.receive(line)
    assert rote.reports == []


def test_analysis():
    rote = started(FEATURES.replace("ping", "analyze=1 ping"))
    rote.client.go(SearchRequest(board(), Limits(infinite=True)))
    assert rote.new()[-1] == "analyze"
    rote.client.receive("5 33 120 9000 b2e2 h9g7")
    rote.client.stop()
    assert rote.client.answer.text == "b2e2" and rote.new() == ["exit"]
    # One whose lines can't be read is asked for a move.
    rote.client.go(SearchRequest(board(), Limits(infinite=True)))
    rote.client.receive("5 33 120 9000 1. Hc2 Hc7")
    rote.new()
    rote.client.stop()
    assert rote.new() == ["exit", "force", "st 1", "go", "?"]
    rote.client.receive("move h2e2")
    assert rote.client.answer.text == "h2e2"


def test_draws_are_offered_and_moves_left_out():
    rote = started(FEATURES.replace("ping", "exclude=1 ping"))
    one = board()
    banned = next(m for m in one.legal_moves() if move_name(m) == "h2e2")
    rote.client.go(SearchRequest(one, Limits(seconds=1), frozenset(one.legal_moves()) - {banned}, draw=True))
    sent = rote.new()
    assert "exclude h2e2" in sent and sent[-2:] == ["draw", "go"]


def test_options():
    features = (
        'feature option="Resign threshold -spin 500 100 16000" option="Claim -check 1"\n'
        'feature option="Level -combo Clueless /// Random /// *Normal" option="Clear -button" ' + FEATURES[8:]
    )
    rote = started(features)
    for name, value in (
        ("resign threshold", "200"),
        ("Claim", "off"),
        ("level", "random"),
        ("Clear", ""),
        ("Hash", "64"),
    ):
        rote.client.set_option(rote.client.find_option(name), value)
    assert rote.sent == [
        "option Resign threshold=200",
        "option Claim=0",
        "option Level=Random",
        "option Clear",
        "memory 64",
    ]
    with pytest.raises(EngineError, match="100 to 16000"):
        rote.client.set_option(rote.client.find_option("Resign threshold"), "1")


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("Book -file /a/b c.dat", EngineOption("Book", "string", "/a/b c.dat")),
        ("Set alias -string ", EngineOption("Set alias", "string")),
        ("Save -save", EngineOption("Save", "button")),
        ("Odd -spin many", None),
        ("no kind", None),
    ],
)
def test_option_texts(text, option):
    assert parse_option(text) == option
