"""Game records of a UCCI or UCI session.

These protocols have no games, only positions: the record is put together from them. A position that follows from the
game so far by a move or two, or goes back in it, belongs to it; any other begins a new file.
"""

from __future__ import annotations

from engines import __version__
from engines.player import Choice
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import RED
from engines.xiangqi.records import Recorder
from protocols.xiangqi.position import reached


class SessionRecorder:
    """Keeps the games of a session in a directory, a file each, complete after every move."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._recorder: Recorder | None = None
        self._game: Board | None = None
        self._answer: int | None = None

    def new_game(self) -> None:
        """What comes next belongs to another game."""
        self._recorder = self._game = self._answer = None

    def keep(self, board: Board, answer: Choice[int] | None = None) -> None:
        """Record the game that has led to the position, and the move given there. ``OSError`` when that fails.

        A file begins with the first move; positions without any are kept in mind.
        """
        game = self._joined(board)
        if game is None:
            game = board.copy()
            self._recorder = None
        self._game, self._answer = game.copy(), None
        resigned = False
        if answer is not None and (answer.move is not None or answer.action == "resign"):
            mover = game.turn
            resigned = answer.action == "resign"
            if not resigned and answer.move is not None:
                game.play(answer.move)
                self._answer = answer.move
            self._name(game, mover)
        if self._recorder is None:
            if not game.history:
                return
            self._name(game, None)
        recorder = self._recorder
        assert recorder is not None
        recorder.follow(game.history)
        if resigned:
            recorder.finish("0-1" if game.turn == RED else "1-0", "resignation")
        elif not game.legal_moves():
            how = "checkmate" if game.in_check() else "no legal move"
            recorder.finish("0-1" if game.turn == RED else "1-0", how)

    def _name(self, game: Board, mover: int | None) -> None:
        """Begin a record where there is none, and note which side qiqiao plays."""
        if self._recorder is None:
            start = game.copy()
            while start.history:
                start.undo()
            self._recorder = Recorder(self._directory, fen=start.fen())
        if mover is not None:
            self._recorder.record.tags.setdefault("Red" if mover == RED else "Black", f"qiqiao {__version__}")

    def _joined(self, board: Board) -> Board | None:
        """The game so far, carried on to the position; ``None`` when it has nothing to do with it.

        Clients leave out what came before the last capture: the first position of ``board`` is looked for in the game.
        """
        if self._game is None:
            return None
        joined = reached(self._game, board.first_key, self._answer)
        if joined is None:
            return None
        joined = joined.copy()
        for move in board.history:
            joined.play(move)
        return joined
