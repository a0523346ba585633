"""Real engines, where they are installed: a few moves of a game each, through their own protocols."""

import os
import shutil

import pytest
from conversation import Conversation
from programs import xiangqi_engine

from engines.clock import Clock, TimeControl
from engines.go.game import Game
from engines.player import Limits
from engines.xiangqi.board import Board
from engines.xiangqi.player import Settings
from protocols.commands.engine_check import check
from protocols.gtp.engine import EnginePlayer as GoEngine
from protocols.gtp.options import Options
from protocols.log import SessionLog
from protocols.programs.config import EngineConfig
from protocols.ucci.server import Ucci
from protocols.uci.server import Uci
from protocols.xiangqi.server import Server

pytestmark = [pytest.mark.peer, pytest.mark.compiled]

FOLDERS = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games", os.environ.get("QIQIAO_PEER_PATH", "")])
"""Debian keeps games where PATH seldom looks; QIQIAO_PEER_PATH names other folders."""

GO = {"gnugo": "--mode gtp --level 1", "pachi": "-d 0 -t =500 threads=1,pondering=0,max_tree_size=100", "michi-c2": ""}
XIANGQI = [
    ("fairy-stockfish", "uci", {}),
    ("fairy-stockfish", "ucci", {}),
    ("fairy-stockfish", "cecp", {}),
    ("eleeye", "ucci", {"usebook": "false"}),
    ("sjaakii", "ucci", {}),
    ("sjaakii", "cecp", {}),
    ("hoixiangqi", "cecp", {}),
    ("maxqi", "cecp", {}),
]
BASES = {("fairy-stockfish", "uci"): 1, ("sjaakii", "ucci"): 1}


DEBIAN = ("gnugo", "fairy-stockfish", "sjaakii", "hoixiangqi", "maxqi")
"""Engines that a distribution has, which QIQIAO_PEERS=1 insists on; the others have to be built by hand."""


def installed(name):
    path = shutil.which(name, path=FOLDERS)
    if path is None:
        if os.environ.get("QIQIAO_PEERS") == "1" and name in DEBIAN:
            pytest.fail(f"{name} is not installed")
        pytest.skip(f"{name} is not installed")
    return path


@pytest.mark.parametrize("name", GO)
def test_go(name):
    told = []
    player = GoEngine(EngineConfig("gtp", f"{installed(name)} {GO[name]}", name), Options(), SessionLog(), told.append)
    game = Game(9)
    clock = Clock(TimeControl.absolute(60))
    try:
        for _ in range(6):
            choice = player.choose(game, game.to_move, Limits(clock=clock.copy(), opponent_clock=clock.copy()))
            assert choice.action == "move"
            game.play_as(game.to_move, choice.move)
            if len(game.moves) == 4:
                game.undo()
    finally:
        player.close()
    assert told == []


@pytest.mark.parametrize(("name", "protocol", "options"), XIANGQI)
def test_xiangqi(name, protocol, options):
    told = []
    spec = EngineConfig(protocol, installed(name), name, options=options)
    player = xiangqi_engine(spec, Settings(), SessionLog(), told.append)
    board = Board()
    clock = Clock(TimeControl.fischer(2, 0.1))
    try:
        for turn in range(5):
            choice = player.choose(board, board.turn, Limits(clock=clock.copy(), opponent_clock=clock.copy()))
            assert choice.action == "move"
            board.play(choice.move)
            if turn == 3:
                board.undo()
                board.undo()
        assert player.client().base == BASES.get((name, protocol), 0)
    finally:
        player.close()
    assert told == []


@pytest.mark.parametrize(("name", "protocol", "options"), XIANGQI[:4])
def test_positions_mates_and_limits(name, protocol, options):
    player = xiangqi_engine(
        EngineConfig(protocol, installed(name), name, options=options), Settings(), SessionLog(), print
    )
    board = Board("3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1")
    try:
        reports = []
        choice = player.choose(board, board.turn, Limits(depth=4), reports.append)
        board.play(choice.move)
        assert not board.legal_moves()
        assert reports[-1].candidates[0].mate == 1
    finally:
        player.close()


def test_the_interface_of_a_ucci_board_with_a_uci_engine():
    player = xiangqi_engine(EngineConfig("uci", installed("fairy-stockfish")), Settings(), SessionLog())
    server = Server({"ucci": Ucci(), "uci": Uci()}, "ucci", player.settings, player=player)
    player.warm_up()
    talk = Conversation(server)
    try:
        assert "Fairy-Stockfish" in talk.ask("ucci", "ucciok")[0]
        talk.send("setoption usemillisec true")
        talk.send("position startpos moves h2e2")
        lines = talk.ask("go time 2000 increment 0 opptime 2000 oppincrement 0", "bestmove")
        assert any(line.startswith("info depth ") and " pv " in line for line in lines)
        talk.send("banmoves h9g7 b9c7")
        assert talk.ask("go depth 5", "bestmove")[-1].split()[1] not in ("h9g7", "b9c7")
    finally:
        server.notice_end("gone")
        server.close()


def test_check_of_a_peer():
    findings = check(EngineConfig("uci", installed("fairy-stockfish")))
    assert findings.ok and findings.lines["dialect"] == "ranks from 1"
