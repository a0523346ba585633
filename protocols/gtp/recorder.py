"""Keeps games as SGF files while they are played.

A file is complete after every move: it is rewritten beside the old one and put in its place. GTP knows no "new game",
only a cleared board, and some clients clear and replay the whole game before each move. So: while the moves played
after ``clear_board`` are those of the file, nothing is written; when they go on where the file ends, the file goes
on; when they differ, or the engine itself is asked for a move before the file's end, it is another game and another
file. Moves taken back by ``undo`` go out of the file once another is played in their place.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from engines import __version__
from engines.clock import TimeControl
from engines.go.game import Game
from engines.go.points import BLACK, EMPTY, WHITE
from protocols.log import SessionLog, complain

if TYPE_CHECKING:
    pass

Turns = list[tuple[int, int]]


class Recorder:
    """Writes the games of one session into a directory."""

    def __init__(self, directory: str, log: SessionLog) -> None:
        """Makes the directory if need be. Raises ValueError, with a text for the user, if nothing can be written."""
        self._directory = directory
        self._log = log
        self._count = 0
        self._path: str | None = None
        self._stamp = ""
        self._written = False
        self._start: object = None
        self._turns: Turns = []
        self._cleared = True
        self._result = ""
        self._control: TimeControl | None = None
        self._opponent = ""
        self._engine: set[int] = set()
        try:
            os.makedirs(directory, exist_ok=True)
        except OSError as error:
            raise ValueError(f"cannot record games: {error}") from None
        if not os.access(directory, os.W_OK):
            raise ValueError(f"cannot record games: no permission to write in {directory}")

    @property
    def path(self) -> str | None:
        """The file of the present game, None before its first move."""
        return self._path

    def cleared(self) -> None:
        """The board was cleared; what follows decides whether this is a new game."""
        self._cleared = True

    def set_opponent(self, name: str) -> None:
        """The name of whoever plays the other colour, from now on."""
        self._opponent = name

    def update(self, game: Game, control: TimeControl | None, generated: int = EMPTY) -> None:
        """The game as it stands now; ``generated``: the colour the engine has just moved for, or EMPTY."""
        turns = game.moves
        start = (game.width, game.height, bytes(game.setup), game.handicap)
        if not turns:
            # A new start shows in its first move; one that was only undone to may still go on as it was.
            self._cleared = self._cleared or start != self._start
            return
        same_start = self._path is not None and start == self._start
        if same_start and not generated and turns == self._turns[: len(turns)] and len(turns) < len(self._turns):
            return  # taken back, or being replayed: the file knows all that
        if self._cleared:
            # What the engine has just chosen itself is no replay.
            replayed = turns[:-1] if generated else turns
            if not (same_start and self._turns and replayed[: len(self._turns)] == self._turns):
                self._begin(start)
            self._cleared = False
        elif not same_start:
            self._begin(start)
        if generated:
            self._engine.add(generated)
        if turns != self._turns:
            self._turns = turns
            self._result = ""
        self._control = control
        self._write(game)

    def result(self, game: Game, text: str) -> None:
        """The game's result, as SGF writes it. Nothing happens where no move was recorded."""
        if self._path is not None and not self._cleared and text != self._result:
            self._result = text
            self._write(game)

    def _begin(self, start: object) -> None:
        """Another game, another file."""
        self._count += 1
        self._stamp = time.strftime("%Y%m%d-%H%M%S")
        self._written = False
        self._new_path()
        self._start = start
        self._turns = []
        self._result = ""
        self._engine = set()

    def _new_path(self) -> str:
        """The name of a file that is still to be made."""
        self._path = os.path.join(self._directory, f"qiqiao-{self._stamp}-{os.getpid()}-{self._count}.sgf")
        return self._path

    def _name(self, color: int) -> str:
        if color in self._engine:
            return f"qiqiao {__version__}"
        return self._opponent if self._engine else ""

    def _write(self, game: Game) -> None:
        # Imported late: most sessions record nothing.
        from engines.go.records import format_record, record_of, write_text

        try:
            record = record_of(
                game,
                self._turns,
                black_name=self._name(BLACK),
                white_name=self._name(WHITE),
                result=self._result,
                date=time.strftime("%Y-%m-%d"),
                control=self._control,
            )
            text = format_record(record)
            while not self._written:
                try:
                    write_text(self._new_path(), text, new=True)
                    self._written = True
                    return
                except FileExistsError:  # another program's, or what somebody put there: never touched
                    self._count += 1
            assert self._path is not None
            write_text(self._path, text)
        except (OSError, ValueError) as error:
            # A full disk must not stop the game.
            self._log.note(f"the record could not be written: {error}")
            complain(f"qiqiao: the record could not be written: {error}")
