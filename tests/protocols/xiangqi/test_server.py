"""The server object: what runs while something thinks, pipelines, encodings, faults."""

import random
import threading
import time

import pytest
from conversation import TIMEOUT, Conversation
from support import PURE

from engines.xiangqi.player import Settings
from protocols.ucci.server import Ucci, ucci_score
from protocols.uci.server import Uci, win_draw_loss
from protocols.xiangqi.server import Server


@pytest.fixture
def talk():
    servers = []

    def start(first="ucci", hello=True, terse=False, **settings):
        settings = Settings(**({"hash": 1, "move_time": 0.02} | settings))
        server = Server({"ucci": Ucci(), "uci": Uci()}, first, settings, terse=terse)
        servers.append(server)
        conversation = Conversation(server)
        if hello:
            conversation.ask(first, f"{first}ok")
        return conversation

    yield start
    for server in servers:
        server.notice_end("gone")
        server.close()


def pipeline(talk, *lines):
    """All lines have arrived before the first is handled."""
    for line in lines:
        talk.server.notice(line)
    for line in lines:
        answer = talk.server.handle(line)
        if answer:
            talk._write(answer)


@pytest.mark.parametrize("first, silent", [("ucci", False), ("uci", True)])
def test_stop_when_idle(talk, first, silent):
    client = talk(first)
    client.send("stop")
    assert client.silent() if silent else client.line() == "nobestmove"


def test_a_stop_that_comes_with_the_answer_is_not_answered_twice(talk):
    client = talk()
    pipeline(client, "go depth 1", "position startpos", "stop")
    assert client.until("bestmove")
    assert client.silent()
    client.send("stop")
    assert client.line() == "nobestmove"


def test_every_go_of_a_pipeline_is_answered_for_its_own_position(talk):
    client = talk("uci")
    fens = ["3k5/9/9/9/9/9/9/9/9/R3K4 w", "3k5/9/9/9/9/9/9/9/9/r3K4 w", "3k5/4R4/9/9/9/9/9/9/9/4K4 b"]
    pipeline(client, *(line for fen in fens for line in (f"position fen {fen}", "go depth 2")))
    answers = [client.until("bestmove")[-1].split()[1] for _ in fens]
    assert answers[0] == "a0d0" and answers[1].startswith("e0") and answers[2] == "(none)"


def test_a_new_go_ends_an_endless_one(talk):
    client = talk("uci")
    client.send("go infinite")
    client.until("info depth 1")
    client.send("position startpos moves h2e2")
    client.until("bestmove")
    client.send("go depth 1")
    client.until("bestmove")
    assert client.silent()


def test_readyok_comes_at_once_while_thinking(talk):
    client = talk("uci")
    client.send("go infinite")
    client.ask("isready", "readyok")
    client.ask("stop", "bestmove")


def test_options_set_while_thinking_take_effect_afterwards(talk):
    client = talk("uci")
    client.send("go infinite")
    client.send("setoption name MultiPV value 2")
    client.send("ucinewgame")
    client.ask("isready", "readyok")
    lines = client.ask("stop", "bestmove")
    assert not any("multipv 2" in line for line in lines)
    lines = client.ask("go depth 1", "bestmove")
    assert any("multipv 2" in line for line in lines)


def test_stop_is_prompt(talk):
    client = talk("uci")
    for _ in range(3):
        client.send("go infinite")
        client.until("info depth 2")
        client.ask("stop", "bestmove")
        assert client.server.session.run is None


def test_quit_while_thinking(talk):
    client = talk()
    client.send("go infinite")
    client.send("quit")
    assert client.until("bye")[-2].startswith("bestmove")
    assert client.server.finished


@pytest.mark.compiled
def test_a_searching_pipeline_that_ends_with_quit_is_answered(talk):
    client = talk("uci")
    pipeline(client, "go depth 3", "quit")
    lines = client.until("bestmove")
    assert any(line.startswith("info depth 3") for line in lines)


def test_batch(talk):
    client = talk()
    client.send("setoption batch on")
    client.send("position startpos")
    client.send("go depth 2")
    assert client.server.session.run is None or client.server.session.run.done.is_set()
    client.send("quit")
    assert client.until("bye")[-2].startswith("bestmove")


def test_a_file_of_commands_is_worked_through_whole(talk):
    client = talk(hello=False)
    client.server.patient = True
    pipeline(client, "ucci", "position startpos", "go depth 3", "position startpos moves h2e2", "go depth 3", "quit")
    lines = client.until("bye")
    assert sum(line.startswith("bestmove") for line in lines) == 2
    assert sum(" depth 3 " in line for line in lines) == 2


@pytest.mark.compiled
def test_perft_can_be_stopped(talk):
    client = talk("uci")
    client.send("go perft 9")
    time.sleep(0.05)
    client.send("stop")
    assert "stopped" in client.line()
    assert client.silent()
    assert client.ask("go perft 2", "Nodes searched")[-1] == "Nodes searched: 1920"
    assert client.ask("go perft 0", "Nodes searched")[-1] == "Nodes searched: 1"


def test_banned_moves_leave_the_rest(talk):
    client = talk()
    client.send("position fen 3k5/9/9/9/9/9/9/9/9/R3K4 w")
    client.send("banmoves a0d0")
    client.send("banmoves a0a9")
    move = client.ask("go depth 3", "bestmove")[-1].split()[1]
    assert move not in ("a0d0", "a0a9")
    assert client.ask("go depth 1 searchmoves a0d0", "nobestmove")


@pytest.mark.parametrize("first, nothing", [("ucci", "nobestmove"), ("uci", "bestmove (none)")])
@pytest.mark.parametrize("moves", ["zzz", "a0a5", "zzz a0a5 a0a0"])
def test_moves_to_search_that_are_none_leave_none(talk, first, nothing, moves):
    client = talk(first)
    client.send(f"go depth 2 searchmoves {moves}")
    assert [client.line().split()[2] for _ in moves.split()] == ["searchmoves:"] * len(moves.split())
    assert client.line() == nothing
    client.send(f"go depth 1 searchmoves {moves} a0a1")
    assert client.until("bestmove")[-1].split()[1] == "a0a1"
    client.send("go depth 1 searchmoves")
    assert client.until("bestmove")[-1].split()[1] != "(none)"


@pytest.mark.parametrize("first, nothing", [("ucci", "nobestmove"), ("uci", "bestmove (none)")])
def test_bans_may_leave_none(talk, first, nothing):
    client = talk(first)
    for line in ("position fen 3k5/9/9/9/9/9/9/9/9/R3K4 b", "banmoves d9e9 zzz", "go depth 1"):
        client.send(line)
    assert client.line().split()[2] == "banmoves:"  # facing the other general: illegal
    assert client.line().split()[2] == "banmoves:"
    assert client.until("bestmove")[-1].split()[1] == "d9d8"
    client.send("banmoves d9d8")
    client.send("go depth 1")
    assert client.line() == nothing


def test_a_fault_in_the_search_still_gives_a_move(talk, monkeypatch, capsys):
    client = talk()

    def fail(*arguments, **options):
        raise RuntimeError("made to fail")

    monkeypatch.setattr(client.server.session.player, "choose", fail)
    client.send("banmoves h2e2")
    assert client.ask("go depth 1", "bestmove")[-1] != "bestmove h2e2"
    assert "made to fail" in capsys.readouterr().err


def test_a_fault_in_a_command_is_told(talk, monkeypatch, capsys):
    client = talk()
    monkeypatch.setattr(client.server.session.keeper, "set", lambda words: 1 / 0)
    client.send("position startpos")
    assert client.line() == "info message internal error"
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["utf-8", "gbk"])
@pytest.mark.parametrize("sent", ["utf-8", "gbk"])
def test_both_encodings_are_understood(encoding, sent):
    server = Server({"ucci": Ucci()}, "ucci", Settings(hash=1), encoding=encoding)
    server.handle("ucci")
    server.handle("setoption debug on")
    line = "马八进七".encode(sent).decode(encoding, "surrogateescape")
    assert server.handle(line) == "info message unknown command '马八进七'\n"
    server.close()


def test_a_byte_order_mark_is_no_part_of_the_first_word():
    server = Server({"ucci": Ucci()}, "ucci", Settings(hash=1))
    assert server.handle("\ufeffucci").endswith("ucciok\n")
    server.close()


def test_a_line_too_long(talk):
    assert "longer" in talk().server.refuse("position startpos moves")


def test_depth_zero_is_the_evaluation(talk):
    client = talk()
    client.send("position fen 3k5/9/9/9/9/9/9/9/9/R3K4 w")
    info, answer = client.ask("go depth 0", "nobestmove")
    assert info.startswith("info depth 0 score 3") and answer == "nobestmove"


def test_ucci_scores():
    assert [ucci_score(score) for score in (0, 425, -425, 850)] == [0, 100, -100, 200]
    assert [ucci_score(score) for score in (29999, -29998, 19997)] == [9999, -9998, 8997]


@pytest.mark.parametrize("score", [-5000, -300, -20, 0, 20, 300, 5000])
def test_win_draw_loss(score):
    win, draw, loss = win_draw_loss(score)
    assert win + draw + loss == 1000 and min(win, draw, loss) >= 0
    assert win_draw_loss(-score) == (loss, draw, win)
    assert (win > loss) == (score > 0) or score == 0


# -- rubbish

GOOD = [
    "isready",
    "position startpos",
    "position startpos moves h2e2 h9g7",
    "position fen 3k5/9/9/9/9/9/9/9/9/R3K4 w",
    "fen 3k5/4R4/9/9/9/9/9/9/9/4K4 b",
    "startpos moves b0c2",
    "banmoves h2e2",
    "go depth 1",
    "go nodes 30",
    "go movetime 1",
    "go depth 1 searchmoves h2e2",
    "probe startpos",
    "setoption hashsize 1",
    "setoption name MultiPV value 2",
    "setoption name MultiPV value 1",
    "setoption newgame",
    "stop",
    "ponderhit",
    "newgame",
    "d",
]
WORDS = [
    "position", "fen", "startpos", "moves", "h2e2", "a0a10", "j5j6", "setoption", "name", "value", "Hash", "-1",
    "99999999999999999999", "w", "b", "- - 0 1", "9/9/9/9/9/9/9/9/9/9", "rnbakabnr/9", "K", "炮二平五", "\x00",
    "\udcff\udcfe", "true", "nan", "1e99", "banmoves", "probe", "debug", "off", "eval", "ponderhit", "draw", "%s%n",
]  # fmt: skip


def rubbish(rng):
    """A line of words in no order, a good command damaged, or any letters at all."""
    kind = rng.randrange(3)
    if kind == 0:
        line = " ".join(rng.choices(WORDS, k=rng.randrange(1, 8)))
    elif kind == 1:
        line = rng.choice([good for good in GOOD if not good.startswith(("go", "isready"))])
        at = rng.randrange(len(line))
        line = line[:at] + chr(rng.randrange(1, 0x2FF)) + line[at + rng.randrange(3) :]
    else:
        line = "".join(chr(rng.randrange(1, 0xFF)) for _ in range(rng.randrange(60)))
    return line.replace("\n", " ")


@pytest.mark.parametrize("first", ["ucci", "uci"])
def test_rubbish_between_good_commands(talk, first):
    rng = random.Random(11)
    client = talk(first)
    for number in range(500 if PURE else 10_000):
        line = rng.choice(GOOD) if number % 3 == 0 else rubbish(rng)
        word = line.split()[0].lower() if line.split() else ""
        if word in ("quit", "exit", "go", "ucci", "uci") and line not in GOOD:
            continue
        client.send(line)
        if line == "isready":
            client.until("readyok")
        elif line.startswith("go "):
            while True:
                answer = client.line()
                assert answer is not None, f"no answer to {line!r} (line {number})"
                if answer.startswith(("bestmove", "nobestmove")):
                    break
        while not client._lines.empty():
            extra = client.line()
            assert not extra.startswith("bestmove"), f"an answer too many after {line!r}"
    assert client.ask("isready", "readyok")
    client.send("setoption debug off")
    client.send("position startpos")
    assert client.ask("go depth 2", "bestmove")[-1].split()[1][0] in "abcdefghi"


@pytest.mark.parametrize("first, multiple", [("ucci", ""), ("uci", "setoption name MultiPV value 3")])
def test_a_terse_server_tells_the_last_line_of_play_alone(talk, first, multiple):
    client = talk(first, terse=True)
    for line in filter(None, (multiple, "position startpos", "go depth 4")):
        client.send(line)
    lines = client.until("bestmove")
    assert [line for line in lines if " depth 4 " in line and " pv " in line] == lines[:-1]
    assert len(lines) == (4 if multiple else 2)
    heard = threading.Event()
    player = client.server.session.player
    choose = player.choose

    def listening(board, color, limits, report, **options):
        def take(told):
            report(told)
            if len(told.candidates) == (3 if multiple else 1):
                heard.set()

        return choose(board, color, limits, take, **options)

    player.choose = listening
    client.send("go infinite")
    assert heard.wait(TIMEOUT)
    client.send("stop")
    assert sum(" pv " in line for line in client.until("bestmove")) == (3 if multiple else 1)


@pytest.mark.parametrize("first, none", [("ucci", "nobestmove"), ("uci", "bestmove (none)")])
def test_a_line_too_long_is_no_position_and_a_go_too_long_is_answered(talk, first, none):
    client = talk(first)
    client._write(client.server.refuse("go depth 1 searchmoves"))
    assert client.until(none)[0].split(maxsplit=2)[2].startswith("line longer")
    client.send("go depth 1")
    assert client.until("bestmove")[-1].split()[1] != "(none)"
    client._write(client.server.refuse("position startpos moves"))
    client.send("go depth 1")
    assert len(client.until(none)) == 3  # the refusal, the reason again, and no move
    client.send("position startpos")
    assert client.ask("go depth 1", "bestmove")[-1].split()[1] != "(none)"
