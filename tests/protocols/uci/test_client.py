"""Our end of UCI, without a process."""

import random
import threading

import pytest
from rote import Rote, board

from engines.clock import Clock, TimeControl
from engines.player import Limits
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_name
from engines.xiangqi.search_stack import MATE
from protocols.programs.supervisor import EngineDied, EngineError, EngineHung
from protocols.stdio import LineCutter
from protocols.uci.client import UciClient
from protocols.xiangqi import coordinates
from protocols.xiangqi.orders import LastEvaluation, SearchRequest

FAIRY = "option name UCI_Variant type combo default chess var chess var xiangqi var minixiangqi"
PIKAFISH = "option name Repetition Rule type combo default AsianRule var AsianRule var ChineseRule var SkyRule"


def engine(*options, move="h2e2", ok="uciok"):
    def answer(line):
        if line == "uci":
            return ["Some Engine by Somebody", "id name Some Engine 1.0", *options, ok]
        if line == "isready":
            return ["readyok"]
        return [f"bestmove {move}"] if line == "go depth 1" else []

    return answer


def started(*options, move="h2e2", **changes):
    rote = Rote(UciClient, "uci", engine(*options, move=move), **changes)
    rote.client.start()
    rote.new()
    return rote


def test_start_with_ranks_from_0():
    rote = Rote(UciClient, "uci", engine(PIKAFISH))
    rote.client.start()
    assert rote.sent == ["uci", "isready", "position startpos", "go depth 1"]
    assert (rote.client.base, rote.client.name) == (0, "Some Engine 1.0")
    assert rote.client.options["Repetition Rule"].values == ("AsianRule", "ChineseRule", "SkyRule")


def test_start_with_ranks_from_1_in_an_engine_of_variants():
    rote = Rote(UciClient, "uci", engine(FAIRY, move="b1c3"))
    rote.client.start()
    assert rote.sent[1] == "setoption name UCI_Variant value xiangqi"
    assert rote.client.base == 1


@pytest.mark.parametrize(
    ("options", "move", "words"),
    [
        (("option name UCI_Variant type combo default chess var chess var losers",), "h2e2", "not xiangqi"),
        ((), "e2e4", "does it play that game"),
        ((), "(none)", "does it play that game"),
    ],
)
def test_what_plays_another_game(options, move, words):
    with pytest.raises(EngineError, match=words):
        started(*options, move=move)


def test_what_does_not_answer():
    with pytest.raises(EngineHung, match="uciok"):
        Rote(UciClient, "uci", lambda line: [], start_time=0.05).client.start()


def test_a_death_at_the_start():
    def answer(line):
        rote.client.ended("exit code 1")
        return []

    rote = Rote(UciClient, "uci", answer)
    with pytest.raises(EngineDied, match="exit code 1"):
        rote.client.start()


def test_an_engine_without_its_net():
    def answer(line):
        if line == "go depth 1":
            return ["info string ERROR: The network file pikafish.nnue was not loaded successfully."]
        return engine()(line)

    rote = Rote(UciClient, "uci", answer)
    threading.Timer(0.1, rote.client.ended, ("exit code 1",)).start()
    with pytest.raises(EngineDied):
        rote.client.start()
    assert "network file" in rote.messages[0]


CLOCK = Clock(TimeControl.fischer(60, 1))
OTHER = Clock(TimeControl.fischer(50, 1))


@pytest.mark.parametrize(
    ("limits", "ponder", "text"),
    [
        (Limits(infinite=True), False, "go infinite"),
        (Limits(seconds=1.5), False, "go movetime 1500"),
        (Limits(depth=5), False, "go depth 5"),
        (Limits(depth=5, nodes=100), False, "go depth 5 nodes 100"),
        (Limits(mate=3), False, "go mate 3"),
        (Limits(clock=CLOCK), False, "go wtime 60000 winc 1000 btime 60000 binc 1000"),
        (Limits(clock=CLOCK, opponent_clock=OTHER), False, "go wtime 60000 winc 1000 btime 50000 binc 1000"),
        (
            Limits(clock=CLOCK, infinite=True, pondering=True),
            True,
            "go ponder wtime 60000 winc 1000 btime 60000 binc 1000",
        ),
        (
            Limits(clock=Clock(TimeControl.session(60, 10))),
            False,
            "go wtime 60000 winc 0 btime 60000 binc 0 movestogo 10",
        ),
        (Limits(clock=Clock(TimeControl.absolute(0)), depth=3), False, "go wtime 1 winc 0 btime 1 binc 0 depth 3"),
    ],
)
def test_go(limits, ponder, text):
    rote = started()
    rote.client.go(SearchRequest(board(), limits, ponder=ponder))
    assert rote.sent == ["isready", "position startpos", text]


def test_go_for_black_puts_its_clock_on_its_side():
    rote = started()
    rote.client.go(SearchRequest(board("h2e2"), Limits(clock=CLOCK, opponent_clock=OTHER)))
    assert rote.sent[1:] == ["position startpos moves h2e2", "go btime 60000 binc 1000 wtime 50000 winc 1000"]


def test_searchmoves_come_last_in_the_engine_s_squares():
    rote = started(move="b1c3")
    one = board("h2e2")
    allowed = frozenset(m for m in one.legal_moves() if move_name(m) in ("h9g7", "b9c7"))
    rote.client.go(SearchRequest(one, Limits(depth=5), allowed))
    assert rote.sent[1:] == ["position startpos moves h3e3", "go depth 5 searchmoves b10c8 h10g8"]


def test_positions_with_and_without_a_history():
    rote = started()
    one = Board("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 5 3")
    rote.client.go(SearchRequest(one, Limits(depth=1)))
    assert rote.sent[1] == "position startpos"
    fen = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 3 20"
    one = Board(fen)
    one.play(one.legal_moves()[0])
    rote.client.answer = None
    rote.client.receive("bestmove a0a1")
    rote.new()
    rote.client.go(SearchRequest(one, Limits(depth=1)))
    assert rote.sent[1].startswith(f"position fen {fen} moves ")


INFO = [
    ("info depth 5 seldepth 7 multipv 1 score cp 33 nodes 100 nps 1 hashfull 9 time 20 pv h2e2 h9g7", 33, None),
    ("info depth 5 score mate 3 nodes 100 time 20 pv h2e2", MATE - 5, 3),
    ("info depth 5 score mate -2 nodes 100 time 20 pv h2e2", -(MATE - 4), -2),
    ("info score 12 depth 5 pv h2e2", 12, None),
]


@pytest.mark.parametrize(("line", "score", "mate"), INFO)
def test_information(line, score, mate):
    rote = started()
    rote.client.go(SearchRequest(board(), Limits(depth=5)))
    rote.client.receive(line)
    candidate = rote.reports[0].candidates[0]
    assert (move_name(candidate.move), candidate.score, candidate.mate) == ("h2e2", score, mate)
    assert rote.reports[0].depth == 5


@pytest.mark.parametrize(
    "line",
    [
        "info depth 5 currmove h2e2 currmovenumber 1",
        "info depth 5 score cp 3 lowerbound pv h2e2",
        "info depth 5 score cp x pv h2e2",
        "info depth 5 score cp 3 pv a0a9",
        "info depth 5 score cp 3 pv",
        "info",
        "info score",
        "info nodes",
    ],
)
def test_information_without_a_line_of_play(line):
    rote = started()
    rote.client.go(SearchRequest(board(), Limits(depth=5)))
    rote.client.receive(line)
    assert rote.reports == []


def test_a_line_of_play_ends_where_it_is_illegal():
    rote = started()
    rote.client.go(SearchRequest(board(), Limits(depth=5)))
    rote.client.receive("info depth 5 score cp 3 pv h2e2 h9g7 h9g7 xx")
    assert [move_name(m) for m in rote.reports[0].candidates[0].line] == ["h2e2", "h9g7"]


def test_several_lines_make_one_report():
    rote = started("option name MultiPV type spin default 1 min 1 max 9")
    rote.client.set_option(rote.client.options["MultiPV"], "2")
    rote.client.go(SearchRequest(board(), Limits(depth=5)))
    rote.client.receive("info depth 1 multipv 1 score cp 9 pv h2e2")
    assert rote.reports == []
    rote.client.receive("info depth 1 multipv 2 score cp 5 pv b2e2")
    assert [[c.score for c in report.candidates] for report in rote.reports] == [[9, 5]]
    # With fewer moves than lines asked for, the report comes with the next depth or the answer.
    rote.client.receive("info depth 2 multipv 1 score cp 8 pv h2e2")
    rote.client.receive("info depth 3 multipv 1 score cp 7 pv h2e2")
    assert [c.score for c in rote.reports[-1].candidates] == [8]
    rote.client.receive("bestmove h2e2")
    assert [c.score for c in rote.reports[-1].candidates] == [7]


@pytest.mark.parametrize(
    ("line", "text", "ponder", "word"),
    [
        ("bestmove h2e2", "h2e2", "", ""),
        ("bestmove h2e2 ponder h9g7", "h2e2", "h9g7", ""),
        ("bestmove h2e2 ponder", "h2e2", "", ""),
        ("bestmove h2e2 draw", "h2e2", "", "draw"),
        ("bestmove h2e2 resign", "h2e2", "", "resign"),
        ("bestmove resign", "", "", "resign"),
        ("bestmove (none)", "", "", ""),
        ("bestmove null", "", "", ""),
        ("bestmove 0000", "", "", ""),
        ("bestmove", "", "", ""),
        ("nobestmove", "", "", ""),
    ],
)
def test_answers(line, text, ponder, word):
    rote = started()
    rote.client.go(SearchRequest(board(), Limits(depth=5)))
    rote.client.receive(line)
    answer = rote.client.answer
    assert (answer.text, answer.ponder, answer.word) == (text, ponder, word)


def test_an_answer_nobody_waits_for_is_dropped():
    rote = started()
    rote.client.receive("bestmove a0a1")
    assert rote.client.answer.text == "h2e2" and "nobody waits" in rote.notes[-1]


def test_a_critical_error_makes_the_answer_worthless():
    rote = started()
    rote.client.go(SearchRequest(board(), Limits(depth=5)))
    rote.client.receive("info string CRITICAL ERROR: Command `position` failed. Reason: Unsupported position")
    rote.client.receive("bestmove h2e2")
    assert rote.client.answer.word == "illegal" and "Unsupported" in rote.client.answer.why


def test_stop_is_sent_only_to_a_search():
    rote = started()
    rote.client.stop()
    assert rote.sent == []
    rote.client.go(SearchRequest(board(), Limits(infinite=True)))
    rote.client.stop()
    assert rote.sent[-1] == "stop"


def test_options_are_checked_by_type():
    rote = started(
        "option name Hash type spin default 16 min 1 max 64",
        "option name Use Book type check default false",
        "option name Clear Hash type button",
        "option name Style type combo default Normal var Solid var Normal",
        "option name File type string default <empty>",
    )
    options = rote.client.options
    rote.client.set_option(options["Hash"], "32")
    rote.client.set_option(options["Use Book"], "On")
    rote.client.set_option(options["Clear Hash"], "")
    rote.client.set_option(options["Style"], "solid")
    rote.client.set_option(options["File"], "a b.txt")
    assert rote.sent == [
        "setoption name Hash value 32",
        "setoption name Use Book value true",
        "setoption name Clear Hash",
        "setoption name Style value Solid",
        "setoption name File value a b.txt",
    ]
    for name, value in (("Hash", "65"), ("Hash", "x"), ("Use Book", "maybe"), ("Style", "wild")):
        with pytest.raises(EngineError, match=name):
            rote.client.set_option(options[name], value)
    assert options["File"].default == ""


def test_an_option_that_does_not_exist():
    with pytest.raises(EngineError, match="has no option 'Nonsense'"):
        started(options={"Nonsense": "1"})


def test_terse_tells_the_last_line_of_play_alone_with_the_answer():
    rote = started()
    rote.client.terse = True
    rote.client.go(SearchRequest(board(), Limits(depth=9), None, False, False))
    for depth in range(1, 6):
        rote.client.receive(f"info depth {depth} score cp {depth} nodes {depth}00 pv h2e2 h9g7")
        rote.client.receive(f"info depth {depth} currmove b2e2 currmovenumber 2")
    rote.client.receive("info depth 6 score cp 99 lowerbound nodes 600 pv b2e2")
    rote.client.receive("info string nothing pv of this")
    rote.client.receive("bestmove h2e2")
    assert rote.reports == [] and rote.client.thought == LastEvaluation(5, 5, 500)
    assert rote.client.answer.text == "h2e2"


@pytest.mark.parametrize("seed", range(40))
def test_however_the_output_is_cut_the_answer_and_the_last_line_come_through(seed):
    chance = random.Random(seed)
    rote = started()
    rote.client.terse = True
    cutter = LineCutter(1 << 20)
    for _ in range(20):
        rote.client.go(SearchRequest(board(), Limits(depth=9), None, False, False))
        depth = chance.randrange(1, 9)
        text = b"".join(b"info depth %d score cp 7 pv h2e2 h9g7\r\n" % n for n in range(1, depth + 1))
        text += chance.choice([b"", b"info string pv is here\n", b"noise\n"]) + b"bestmove h2e2 ponder h9g7\n"
        text += chance.choice([b"", b"late"])  # a line that is never ended holds nothing up
        cuts = sorted(chance.randrange(len(text)) for _ in range(chance.randrange(6)))
        for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
            for line in cutter.feed(rote.client.skim(text[start:end])) if end > start else ():
                rote.client.receive(line.data.decode())
        assert rote.client.answer.text == "h2e2"
        assert rote.client.thought == LastEvaluation(7, depth)
        rote.client.receive("")
        for line in cutter.feed(rote.client.skim(b"\n")):
            rote.client.receive(line.data.decode())


@pytest.mark.parametrize(
    "line",
    [
        *(line for line, _, _ in INFO),
        "info depth 5 seldepth 7 multipv 1 score cp -33 wdl 1 2 3 nodes 100 pv h2e2",
        "info depth 5 score cp 3 lowerbound nodes 100 pv h2e2",
        "info depth 5 nodes 100 score cp 3 pv h2e2",
        "info depth 5 score cp 3 nodes 100 pv b2e2",
        "info string depth 5 score cp 3 nodes 100 pv h2e2",
        "info depth 5 currmove h2e2",
    ],
)
@pytest.mark.parametrize(
    "answer", ["bestmove h2e2", "bestmove h2e2 ponder h9g7", "bestmove h2e2 draw", "bestmove resign"]
)
def test_a_glance_sees_what_reading_line_by_line_does(line, answer):
    seen = []
    for cut in (True, False):
        rote = started()
        rote.client.terse = True
        rote.client.go(SearchRequest(board(), Limits(depth=9)))
        text = f"{line}\n{answer}\n".encode()
        for piece in (text[:3], text[3:]) if cut else (text,):
            assert rote.client.skim(piece) == b""
        seen.append((rote.client.answer._replace(ponder=""), rote.client.thought, rote.messages))
    assert seen[0] == seen[1]


def test_the_position_follows_its_board_also_where_moves_were_taken_back():
    rote = started()
    one = board()
    for change, text in [
        (["h2e2", "h9g7"], " moves h2e2 h9g7"),
        (["h0g2"], " moves h2e2 h9g7 h0g2"),
        ([], " moves h2e2 h9g7 h0g2"),
        ([None, None, "b9c7"], " moves h2e2 b9c7"),
        ([None, None], ""),
    ]:
        for move in change:
            if move is None:
                one.undo()
            else:
                one.play(next(m for m in one.legal_moves() if move_name(m) == move))
        rote.client.go(SearchRequest(one, Limits(depth=5)))
        assert rote.sent[-2] == "position startpos" + text
        rote.client.receive("bestmove h2e2")
        rote.client.go(SearchRequest(one.copy(), Limits(depth=5)))
        assert rote.sent[-2] == "position startpos" + text
        rote.client.receive("bestmove h2e2")


def test_what_was_kept_is_read_when_the_engine_ends():
    rote = started()
    rote.client.terse = True
    rote.client.go(SearchRequest(board(), Limits(depth=9), None, False, False))
    assert rote.client.skim(b"info string CRITICAL ERROR: no net\n") == b""
    assert rote.client.skim(b"") == b"info string CRITICAL ERROR: no net\n"


def test_terse_asks_whether_it_is_ready_only_after_a_search_that_was_stopped():
    rote = started()
    rote.client.terse = True
    order = SearchRequest(board(), Limits(depth=9), None, False, False)
    rote.client.go(order)
    assert "isready" in rote.new()
    rote.client.receive("bestmove h2e2")
    rote.client.go(order)
    assert "isready" not in rote.new()
    rote.client.stop()
    rote.client.receive("bestmove h2e2")
    rote.client.go(order)
    assert "isready" in rote.new()


def test_moves_sent_before_are_not_written_anew_and_come_out_the_same():
    chance = random.Random(3)
    rote = started()
    game = Board()
    for step in range(60):
        for _ in range(chance.choice([0, 1, 2])):  # the same again, a move of one side, of both
            game.play(chance.choice(game.legal_moves()))
        if step % 9 == 8:  # taken back, and another way
            for _ in range(min(3, len(game.history))):
                game.undo()
        rote.client.base = step % 20 // 10
        rote.client.go(SearchRequest(game.copy(), Limits(depth=1), None, False, False))
        (position,) = [line for line in rote.new() if line.startswith("position")]
        moves = "".join(f" {coordinates.write(move, rote.client.base)}" for move in game.history)
        assert position == "position startpos" + (f" moves{moves}" if moves else "")
        rote.client.receive("bestmove h2e2")
