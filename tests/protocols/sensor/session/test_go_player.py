"""A person at a board behind GTP."""

import threading

import pytest
from fake_board import FakeBoard, until

from engines.go.game import Game
from engines.go.vertex import parse_vertex
from protocols.gtp.options import Options
from protocols.gtp.server import Server
from protocols.sensor.session.go_player import GoBoardPlayer
from protocols.sensor.settings import BoardSettings


class BoardPlayer:
    """A GTP server whose player sits at a board; slow commands run in a thread."""

    def __init__(self, board, size=9, **settings):
        self.board = board
        self.said = []
        settings = BoardSettings(settle=0.08, **settings)
        options = Options(width=size, height=size, board=settings)
        player = GoBoardPlayer(board, Game(size), settings, say=self.said.append)
        self.server = Server(options, player)
        self.player = player

    def send(self, line):
        """The reply to a command that must not wait for anybody."""
        replies = []
        thread = threading.Thread(target=lambda: replies.append(self.server.handle(line)))
        thread.start()
        thread.join(5)
        assert replies, f"{line} kept the client waiting"
        return replies[0].strip()

    def start(self, line):
        """A command that waits for a hand; call what this gives for the reply."""
        replies = []
        self.server.notice(line)
        thread = threading.Thread(target=lambda: replies.append(self.server.handle(line)))
        thread.start()

        def reply():
            thread.join(5)
            assert replies, f"{line} was not answered"
            return replies[0].strip()

        reply.answered = lambda: bool(replies)
        return reply


def point(name):
    return parse_vertex(name, 9, 9)


@pytest.fixture(params=["occ", "pol"])
def seat(request):
    seat = BoardPlayer(FakeBoard(sensing=request.param))
    until(lambda: seat.player.controller.tracker is not None and seat.player.controller.tracker.stable_state)
    yield seat
    seat.server.close()
    assert seat.board.closed


def test_genmove_waits_for_the_hand_and_play_does_not(seat):
    reply = seat.start("genmove b")
    assert not reply.answered()
    seat.board.put(point("E5"), "X")
    assert reply() == "= E5"
    assert seat.send("play w C3") == "="
    until(lambda: seat.board.lit() == {point("C3"): "O"})
    seat.board.put(point("C3"), "O")
    until(lambda: seat.board.lit() == {})
    reply = seat.start("genmove b")
    seat.board.put(point("G7"), "X")
    assert reply() == "= G7"
    assert seat.send("move_history") == "= black G7\nwhite C3\nblack E5"


def test_stone_put_before_it_was_asked_for_counts_once_it_is(seat):
    seat.board.put(point("E5"), "X")
    until(lambda: point("E5") and seat.player.controller.tracker.stable_state[point("E5")] != ".")
    assert seat.send("last_move").startswith("?")
    assert seat.start("genmove b")() == "= E5"


def test_answer_and_reply_at_once(seat):
    reply = seat.start("genmove b")
    seat.board.put(point("E5"), "X")
    reply()
    seat.send("play w C3")
    seat.board.put(point("C3"), "O")
    seat.board.put(point("G7"), "X")
    assert seat.start("genmove b")() == "= G7"


def test_interrupt_resigns_and_says_so(seat):
    reply = seat.start("genmove b")
    seat.server.notice("# interrupt")
    assert reply() == "= resign"
    assert any("resigns" in line for line in seat.said)


@pytest.mark.parametrize("how", ["quit", "end"])
def test_end_of_the_session_resigns(seat, how):
    reply = seat.start("genmove b")
    until(lambda: seat.player._wanted)
    if how == "quit":
        seat.server.notice("quit")
    else:
        seat.server.notice_end("eof")
    assert reply() == "= resign"


def test_stopped_passes_where_that_is_wanted():
    seat = BoardPlayer(FakeBoard(), stopped="pass")
    reply = seat.start("genmove w")
    seat.server.notice("# interrupt")
    assert reply() == "= pass"
    seat.server.close()


def test_pass_and_resign_by_key(seat):
    reply = seat.start("genmove b")
    until(lambda: seat.player.controller.tracker.awaiting)
    seat.board.press("pass")
    assert reply() == "= pass"
    seat.send("play w C3")
    seat.board.put(point("C3"), "O")
    reply = seat.start("genmove b")
    until(lambda: seat.player.controller.tracker.awaiting and seat.player.controller.tracker.executed == 2)
    seat.board.press("resign")
    seat.board.press("resign")
    assert reply() == "= resign"


def test_illegal_stone_is_explained_and_the_move_still_waited_for(seat):
    seat.send("set_free_handicap A2 B1")
    seat.board.put(point("A2"), "X")
    seat.board.put(point("B1"), "X")
    until(lambda: not seat.player.controller.tracker.guiding)
    reply = seat.start("genmove w")
    seat.board.put(point("A1"), "O")
    until(lambda: any("A1" in line and "forbidden" in line for line in seat.said))
    assert not reply.answered() and seat.board.beeps
    seat.board.lift(point("A1"))
    until(lambda: seat.player.controller.tracker.discrepancy is None)
    seat.board.put(point("E5"), "O")
    assert reply() == "= E5"


def test_undo_and_clear_board_guide(seat):
    reply = seat.start("genmove b")
    seat.board.put(point("E5"), "X")
    reply()
    assert seat.send("undo") == "="
    until(lambda: seat.board.lit() == {point("E5"): "l"})
    seat.board.lift(point("E5"))
    until(lambda: seat.board.lit() == {})
    assert seat.send("clear_board") == "="


def test_handicap_guides(seat):
    assert seat.send("fixed_handicap 2") == "= C3 G7"
    until(lambda: len(seat.board.lit()) == 1)
    for name in ("C3", "G7"):
        seat.board.put(point(name), "X")
    until(lambda: seat.board.lit() == {})


def test_size_the_board_does_not_have(seat):
    assert seat.send("boardsize 19") == "? unacceptable size"
    assert seat.send("query_boardsize") == "= 9"
    assert seat.send("boardsize 9") == "="


def test_private_commands(seat):
    listed = seat.send("list_commands").split()
    assert {"board-state", "board-diff", "board-led"} <= set(listed)
    assert "lz-analyze" not in listed
    seat.board.put(point("E5"), "X")
    until(lambda: seat.player.controller.tracker.stable_state[point("E5")] != ".")
    assert seat.send("board-diff") == "= extra E5"
    assert "ready" in seat.send("board-state")
    assert seat.send("board-led A1 H") == "="
    until(lambda: seat.board.lit().get(point("A1")) == "H")
    assert seat.send("board-led clear") == "="
    until(lambda: point("A1") not in seat.board.lit())
    assert seat.send("board-led A1 nonsense").startswith("?")
    assert seat.send("board-led Z99 H").startswith("?")


def test_board_ignore(seat):
    assert seat.send("board-ignore A1 hand") == "= A1 hand"
    assert seat.send("board-ignore Z99").startswith("?") and seat.send("board-ignore") == "= A1 hand"
    seat.board.put(point("A1"), "X")
    assert seat.send("board-ignore hand A1 off") == "="
    until(lambda: seat.player.controller.tracker.stable_state[point("A1")] != ".")


def test_moves_from_elsewhere_are_named(seat):
    seat.send("play b E5")
    until(lambda: any("make the move black E5" in line for line in seat.said))


def test_dead_stones_are_agreed_on_the_board(seat):
    for color, name in (("b", "E5"), ("w", "C3")):
        seat.send(f"play {color} {name}")
        seat.board.put(point(name), "XO"[color == "w"])
    seat.send("play b pass")
    seat.send("play w pass")
    until(lambda: seat.player.controller.tracker.executed == 4)
    reply = seat.start("final_status_list dead")
    until(lambda: seat.player.controller.tracker.scoring is not None)
    seat.board.lift(point("C3"))
    until(lambda: seat.player.controller.tracker.scoring.dead)
    seat.board.press("yes")
    seat.board.press("yes")
    assert reply() == "= C3"


def test_no_stones_are_dead_before_the_end(seat):
    assert seat.send("final_status_list dead") == "="


def test_session_goes_on_while_the_board_is_away(seat):
    reply = seat.start("genmove b")
    seat.board.put(point("E5"), "X")
    reply()
    seat.board.unplug()
    until(lambda: "lost" in seat.player.controller.problem)
    assert seat.send("play w C3") == "="
    seat.board.things[point("C3")] = seat.board.sensed("O")
    seat.board.shown = ""
    seat.board.plug()
    until(lambda: seat.player.controller.tracker.executed == 2)
    reply = seat.start("genmove b")
    seat.board.put(point("G7"), "X")
    assert reply() == "= G7"


def test_board_that_comes_late():
    board = FakeBoard(silent=True)
    seat = BoardPlayer(board)
    assert seat.send("play b E5") == "="
    assert seat.send("board-state").startswith("?")
    reply = seat.start("genmove w")
    board.things[point("E5")] = "#"
    board.plug()
    until(lambda: seat.player.controller.tracker is not None and seat.player.controller.tracker.awaiting)
    board.put(point("C3"), "O")
    assert reply() == "= C3"
    seat.server.close()


def test_board_of_another_size_is_no_reason_to_fail():
    seat = BoardPlayer(FakeBoard(19, 19), size=9)
    until(lambda: seat.said and any("19x19" in line for line in seat.said))
    assert seat.send("play b E5") == "="
    assert seat.send("boardsize 19") == "="
    until(lambda: seat.player.controller.tracker is not None)
    seat.server.close()


def test_strict_referee_takes_the_game():
    seat = BoardPlayer(FakeBoard(sensing="pol"), referee="strict")
    reply = seat.start("genmove b")
    seat.board.put(point("E5"), "X")
    assert reply() == "= E5"
    seat.board.put(point("E6"), "X")
    until(lambda: any("two moves in a row" in line for line in seat.said))
    assert seat.start("genmove b")() == "= resign"
    seat.server.close()


def test_strict_loss_is_that_of_one_game():
    seat = BoardPlayer(FakeBoard(sensing="pol"), referee="strict")
    until(lambda: seat.player.controller.tracker is not None and seat.player.controller.tracker.stable_state)
    reply = seat.start("genmove b")
    seat.board.put(point("E5"), "X")
    assert reply() == "= E5"
    seat.board.put(point("C3"), "X")
    until(lambda: any("two moves" in line for line in seat.said))
    assert seat.start("genmove b")() == "= resign"
    seat.send("clear_board")
    seat.board.lift(point("C3"))
    seat.board.lift(point("E5"))
    reply = seat.start("genmove b")
    until(lambda: not seat.player.controller.tracker.guiding)
    seat.board.put(point("D4"), "X")
    assert reply() == "= D4"
    seat.server.close()


def test_another_game_begins_where_the_client_goes_back_before_the_hands_own_move():
    seat = BoardPlayer(FakeBoard(sensing="pol"))
    anew = []
    seat.player._begin_anew = lambda: anew.append(True)
    until(lambda: seat.player.controller.tracker is not None and seat.player.controller.tracker.stable_state)
    reply = seat.start("genmove b")
    seat.board.put(point("E5"), "X")
    assert reply() == "= E5" and anew == []
    seat.send("clear_board")
    assert anew == [True]
    seat.server.close()
