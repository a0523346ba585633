"""A person at a board behind UCCI and UCI."""

import re
import time

import pytest
from fake_board import FakeBoard, until

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import PIECE_LETTERS, move_name, move_of
from engines.xiangqi.player import Settings
from protocols.sensor.session.xiangqi_player import XiangqiBoardPlayer
from protocols.sensor.settings import BoardSettings
from protocols.ucci.server import Ucci
from protocols.uci.server import Uci
from protocols.xiangqi.server import Server


def move(text):
    squares = ["abcdefghi".index(text[i]) + 9 * int(text[i + 1]) for i in (0, 2)]
    return move_of(*squares)


class BoardPlayer:
    """A UCCI or UCI server whose player sits at a board."""

    def __init__(self, protocol="ucci", sensing="id", **how):
        self.board = FakeBoard(9, 10, sensing)
        start = Board()
        self.board.things = [self.board.sensed(PIECE_LETTERS[start.piece_at(s)]) for s in range(90)]
        self.board.read()
        self.said, self.written = [], []
        settings = Settings()
        self.player = XiangqiBoardPlayer(self.board, BoardSettings(settle=0.08, **how), settings, say=self.said.append)
        self.server = Server({"ucci": Ucci(), "uci": Uci()}, protocol, settings, player=self.player)
        self.server.attach(self.written.append)
        until(lambda: self.tracker is not None and self.tracker.stable_state.count(".") == 58)
        self.send(protocol)

    @property
    def tracker(self):
        return self.player.controller.tracker

    def send(self, line):
        self.server.notice(line)
        text = self.server.handle(line)
        if text:
            self.written.append(text)

    def answer(self, begin="bestmove"):
        def found():
            return [line for text in self.written for line in text.splitlines() if line.startswith(begin)]

        until(found)
        line = found()[-1]
        self.written.clear()
        return line

    def by_hand(self, text):
        origin, target = move(text) >> 7, move(text) & 127
        thing = self.board.lift(origin)
        time.sleep(0.08)
        self.board.put(target, thing)


@pytest.fixture(params=["ucci", "uci"])
def seat(request):
    seat = BoardPlayer(request.param)
    seat.written.clear()
    yield seat
    seat.server.close()
    assert seat.board.closed


def named(seat, text):
    """A move as the protocol writes it: UCI counts ranks from 1 unless the client does not."""
    return text if seat.server.session.keeper.base == 0 else f"{text[0]}{int(text[1]) + 1}{text[2]}{int(text[3]) + 1}"


def test_go_waits_for_the_hand(seat):
    seat.send("position startpos")
    seat.send("go movetime 60000" if seat.server.session.dialect.name == "uci" else "go time 60000")
    time.sleep(0.2)
    assert not [text for text in seat.written if "bestmove" in text]
    seat.by_hand("b0c2")
    assert seat.answer().split()[1] == named(seat, "b0c2")


def test_answer_is_shown_and_the_reply_read(seat):
    moves = f"{named(seat, 'b0c2')} {named(seat, 'h9g7')}"
    seat.send("position startpos")
    seat.send("go depth 5")
    seat.by_hand("b0c2")
    seat.answer()
    seat.send(f"position startpos moves {moves}")
    until(lambda: len(seat.board.lit()) == 2)
    seat.send("go depth 5")
    seat.by_hand("h9g7")
    until(lambda: not seat.board.lit())
    seat.by_hand("h0g2")
    assert seat.answer().split()[1] == named(seat, "h0g2")


def test_last_move_is_shown_although_nothing_is_asked_any_more(seat):
    seat.send(f"position startpos moves {named(seat, 'b0c2')}")
    until(lambda: len(seat.board.lit()) == 2)


def test_stop_gives_no_move(seat):
    seat.send("position startpos")
    seat.send("go depth 5")
    seat.send("stop")
    if seat.server.session.dialect.name == "ucci":
        assert seat.answer("nobestmove") == "nobestmove"
    else:
        assert seat.answer() == "bestmove (none)"
        assert not any("mate" in text for text in seat.written)
    assert seat.said


def test_pondering_takes_no_move_before_it_is_hit(seat):
    seat.send("position startpos")
    seat.send("go ponder movetime 60000" if seat.server.session.dialect.name == "uci" else "go ponder time 60000")
    seat.by_hand("b0c2")
    time.sleep(0.3)
    assert not [text for text in seat.written if "bestmove" in text]
    seat.send("ponderhit")
    assert seat.answer().split()[1] == named(seat, "b0c2")


def test_resigning_by_key(seat):
    seat.send("position startpos")
    seat.send("go depth 5")
    until(lambda: seat.tracker.awaiting)
    seat.board.press("resign")
    seat.board.press("resign")
    answer = seat.answer()
    assert answer.endswith("resign" if seat.server.session.dialect.name == "ucci" else "(none)")


def test_draw_offer_goes_with_the_next_move():
    seat = BoardPlayer("ucci")
    seat.send("position startpos")
    seat.send("go time 60000")
    until(lambda: seat.tracker.awaiting)
    seat.board.press("draw")
    seat.board.press("draw")
    until(lambda: seat.player._drawing)
    seat.by_hand("b0c2")
    assert seat.answer() == "bestmove b0c2 draw"
    seat.server.close()


def test_illegal_move_is_explained_and_still_waited_for(seat):
    seat.send("position startpos")
    seat.send("go depth 5")
    seat.by_hand("b0b1")
    until(lambda: any("can't go" in line for line in seat.said))
    seat.by_hand("b1b0")
    until(lambda: seat.tracker.discrepancy is None)
    seat.by_hand("b0c2")
    assert seat.answer().split()[1] == named(seat, "b0c2")


@pytest.mark.parametrize("sensing", ["id", "pol", "occ"])
@pytest.mark.parametrize(
    "protocol,lines",
    [
        ("ucci", ["banmoves {h2e2}", "go time 60000"]),
        ("ucci", ["go time 60000 searchmoves {h2f2} {h0g2}"]),
        ("uci", ["go movetime 60000 searchmoves {h2f2} {h0g2}"]),
    ],
)
def test_banned_move_is_explained_and_not_answered(protocol, lines, sensing):
    seat = BoardPlayer(protocol, sensing, referee="strict")
    seat.send("position startpos")
    for line in lines:
        seat.send(re.sub(r"{(\w+)}", lambda found: named(seat, found[1]), line))
    seat.by_hand("h2e2")
    until(lambda: any("h2e2 is not allowed" in line for line in seat.said))
    assert not any("bestmove" in text for text in seat.written)
    assert not any("referee" in line for line in seat.said), "it breaks no rule"
    seat.by_hand("e2h2")
    until(lambda: seat.tracker.discrepancy is None)
    seat.by_hand("h2f2")  # the cannon was touched
    assert seat.answer().split()[1] == named(seat, "h2f2")
    seat.send(f"position startpos moves {named(seat, 'h2f2')} {named(seat, 'b9c7')}")
    seat.send("go depth 5")
    seat.by_hand("b9c7")
    until(lambda: not seat.board.lit())
    seat.by_hand("f2e2")
    assert seat.answer().split()[1] == named(seat, "f2e2"), "no longer banned"
    seat.server.close()


@pytest.mark.parametrize("sensing", ["id", "pol"])
def test_banned_capture_is_explained(sensing):
    seat = BoardPlayer("ucci", sensing)
    seat.send("position startpos")
    seat.send("banmoves b2b9")
    seat.send("go time 60000")
    seat.board.lift(move("b2b9") & 127)
    seat.by_hand("b2b9")
    until(lambda: any("b2b9 is not allowed" in line for line in seat.said))
    assert not any("bestmove" in text for text in seat.written)
    seat.server.close()


MATED = "position fen 3k5/R8/9/9/9/9/9/9/9/1R2K4 w - - 0 1 moves b0b9"


@pytest.mark.parametrize("mode", ["movetime 60000", "infinite", "ponder movetime 60000"])
@pytest.mark.parametrize("position", [MATED, "position fen 3k5/9/3r5/9/9/9/9/9/4p4/3K5 w - - 0 1"])
def test_without_a_legal_move_there_is_an_answer_at_once(seat, position, mode):
    seat.send(position)
    seat.send(f"go {mode}")
    if seat.server.session.dialect.name == "ucci":
        assert seat.answer("nobestmove") == "nobestmove"
    else:
        until(lambda: seat.written)
        assert seat.written[-1].splitlines()[-2:] == ["info depth 0 score mate 0", "bestmove (none)"]


def test_all_moves_banned_gives_an_answer_at_once(seat):
    moves = " ".join(named(seat, move_name(one)) for one in Board().legal_moves())
    seat.send("position startpos")
    seat.send(f"banmoves {moves}")
    seat.send("go movetime 60000")
    answer = seat.answer("nobestmove" if seat.server.session.dialect.name == "ucci" else "bestmove")
    assert answer in ("nobestmove", "bestmove (none)") and not any("mate" in text for text in seat.written)


def test_options_of_the_protocol_are_taken(seat):
    seat.send("setoption name Hash value 16" if seat.server.session.dialect.name == "uci" else "setoption hashsize 16")
    seat.send("isready")
    assert seat.answer("readyok") == "readyok"
    seat.send("eval")
    assert any("static" in text for text in seat.written)


def lose_by_violations(seat, *illegal):
    for text in illegal:
        said = len(seat.said)
        seat.by_hand(text)
        until(lambda said=said: any("referee" in line for line in seat.said[said:]))
        seat.by_hand(text[2:] + text[:2])
        until(lambda: seat.tracker.discrepancy is None)


def test_strict_violations_are_those_of_one_game():
    seat = BoardPlayer("ucci", referee="strict")
    seat.send("position startpos")
    seat.send("go time 60000")
    lose_by_violations(seat, "b0b3", "a0a5", "e0e2")
    assert seat.answer().endswith("resign")
    seat.send("newgame")
    seat.send("position startpos")
    seat.send("go time 60000")
    lose_by_violations(seat, "b0b3")
    assert not seat.written
    seat.by_hand("b0c2")
    assert seat.answer() == "bestmove b0c2"
    seat.server.close()


@pytest.mark.parametrize("first", ["b2e2", "h2e2"])
def test_strict_loss_is_that_of_one_game(first):
    """Also where the next game begins with a move, be it the same."""
    seat = BoardPlayer("ucci", referee="strict")
    seat.send("position startpos moves h2e2")
    seat.by_hand("h2e2")
    until(lambda: seat.tracker.executed == 1)
    seat.send("go time 60000")
    lose_by_violations(seat, "b9b6", "a9a5", "e9e7")
    assert seat.answer().endswith("resign")
    seat.by_hand("e2h2")
    seat.send("newgame")
    seat.send(f"position startpos moves {first}")
    seat.send("go time 60000")
    seat.by_hand(first)
    until(lambda: seat.tracker.executed == 1 and not seat.tracker.guiding)
    seat.by_hand("h9g7")
    assert seat.answer() == "bestmove h9g7"
    seat.server.close()


def test_strict_violations_end_where_the_client_begins_again_after_the_hands_first_move():
    seat = BoardPlayer("ucci", referee="strict")
    seat.send("position startpos")
    seat.send("go time 60000")
    lose_by_violations(seat, "b0b3")
    seat.by_hand("b0c2")
    assert seat.answer() == "bestmove b0c2" and seat.tracker.arbiter.warnings == {0: 1}
    seat.by_hand("c2b0")
    seat.send("position startpos")
    until(lambda: seat.tracker.arbiter.warnings == {})
    seat.server.close()
