"""Xiangqi at a sensor board: the game of ``qiqiao board --game xiangqi``."""

from __future__ import annotations

import time
from typing import Any

from engines.player import Choice, Limits
from engines.xiangqi.fen import START_FEN, Fen, write_fen
from engines.xiangqi.game import Game, OfferError
from engines.xiangqi.geometry import NO_MOVE, PIECE_LETTERS, move_from, move_to
from engines.xiangqi.notation import read_move, write_move
from engines.xiangqi.records import Record, RecordError, read_file, save
from protocols.sensor.reading import Hello
from protocols.sensor.session.board_session import BoardSession
from protocols.sensor.session.board_tracker import board_tracker
from protocols.sensor.session.session_game import Resumed, SessionType
from protocols.sensor.settings import BoardSettings
from protocols.sensor.tracker.events import SetUp
from protocols.sensor.tracker.tracker import Tracker

RED, BLACK = 0, 1

_NAMES = ("Red 红/紅", "Black 黑")

PIECES = {
    "letters": PIECE_LETTERS,
    "simplified": "．帅仕相傌俥炮兵．将士象马车砲卒",
    "traditional": "．帥仕相傌俥炮兵．將士象馬車砲卒",
}
"""How pieces are drawn on the terminal: each side's with characters of its own, as they are cut on real ones."""


def resumed(path: str, rules: str = "axf") -> tuple[Game, Record]:
    """The game that a record leaves off in, and the record. Raises RecordError for one that cannot be gone on with."""
    try:
        records = read_file(path)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}", []) from None
    if not records:
        raise RecordError(f"{path}: no game in it", [])
    if len(records) > 1:
        raise RecordError(f"{path} holds {len(records)} games: put the one to go on with in a file of its own", records)
    (record,) = records
    game = Game(record.fen, rules)
    for move in record.standing():
        game.play(move)
    return game, record


class XiangqiSession(BoardSession):
    """``game``: where to begin. ``path``: the record file, empty for none."""

    colors = (RED, BLACK)

    def __init__(
        self,
        game: Game,
        path: str,
        settings: BoardSettings,
        pieces: str = "letters",
        record: Record | None = None,
        **how: Any,
    ) -> None:
        """``pieces``: how they are drawn, one of ``PIECES``. ``record``: what is gone on with. ``how`` is as for
        ``BoardSession``.
        """
        self._game = game
        self._settings = settings
        self._left_out = settings.ignore
        self._pieces = PIECES[pieces]
        self._record = record or self._new_record(game)
        super().__init__(path, **how)
        self.resumed = record is not None

    @staticmethod
    def _new_record(game: Game) -> Record:
        start = game.board.copy()
        for _ in game.board.history:
            start.undo()
        record = Record({"Date": time.strftime("%Y.%m.%d")})
        if start.fen() != START_FEN:
            record.tags["FEN"] = start.fen()
        return record

    @property
    def plies(self) -> int:
        return len(self._game.board.history)

    def mover(self) -> int:
        return self._game.turn

    def game(self) -> Game:
        return self._game.copy()

    def make_tracker(self, hello: Hello) -> Tracker:
        return board_tracker("xiangqi", self._game, hello, self._settings, humans=self.humans)

    def play(self, color: int, move: int) -> None:
        self._game.play(move)

    def play_choice(self, color: int, choice: Choice[int]) -> str:
        if choice.action == "draw" and self._game.offered_by == color ^ 1:
            self._game.answer_offer(color, True)
            self._finish()
            return "accepts the draw (同意和棋)"
        if choice.action == "resign" or choice.move in (None, NO_MOVE):
            self._game.resign(color)
            self._finish()
            return "resigns (认输/認輸)"
        assert choice.move is not None
        words = self.told(color, choice.move)
        # An offer is made before the clock is pressed; one that may not be made now is as good as none.
        if choice.action == "draw" and self._game.may_offer(color) is None:
            self._game.offer_draw(color)
            words += ", and offers a draw (提和): draw, twice, accepts it; a move refuses it"
        self._game.play(choice.move)
        return words

    def ask_opponent(self, game: Any, color: int, limits: Limits) -> Choice[int]:
        if game.offered_by == color ^ 1:
            answer: Choice[int] = self.opponent.choose(game, color, limits, draw_offered=True)  # type: ignore[union-attr, call-arg]
            return answer
        return super().ask_opponent(game, color, limits)

    def cut(self, plies: int) -> None:
        while len(self._game.board.history) > plies:
            self._game.undo()

    def clear(self) -> None:
        self._game = Game(rules=self._game.rules.name)
        self._record = self._new_record(self._game)

    def set_up(self, event: SetUp) -> None:
        fen = write_fen(Fen(tuple(event.points), event.to_move, 0, 1))
        self._game = Game(fen, rules=self._game.rules.name)
        self._record = self._new_record(self._game)

    def name_color(self, color: int) -> str:
        return _NAMES[color]

    def told(self, color: int, move: int) -> str:
        board = self._game.board
        if not board.is_legal(move):  # it has been played already
            board = board.copy()
            board.undo()
        return f"{write_move(board, move, 'simplified')} {write_move(board, move)}"

    def read_move(self, text: str) -> int:
        return read_move(self._game.board, text)

    def points_of(self, move: int) -> list[int]:
        return [move_from(move), move_to(move)]

    def adviser(self) -> Any:
        from engines.xiangqi.player import SearchPlayer, Settings

        return SearchPlayer(Settings())

    def check_end(self) -> None:
        if self._game.result is not None:
            self._finish()

    def _finish(self) -> None:
        result = self._game.result
        if result is None:
            return
        score = "1/2-1/2" if result.winner is None else ("1-0", "0-1")[result.winner]
        words = result.words
        self._end(f"{score} ({words.english} {words.simplified}/{words.traditional})")

    def lost(self, color: int, why: str) -> str:
        self._game.lose(color, {"resign": "resignation"}.get(why, why))
        result = self._game.result
        words = "" if result is None else f" ({result.words.english} {result.words.simplified})"
        return ("0-1", "1-0")[color] + words

    def offer_draw(self, color: int) -> None:
        try:
            if self._game.offered_by == color ^ 1:
                self._game.answer_offer(color, True)
                self._finish()
                return
            self._game.offer_draw(color)
            self.say(f"{self.name_color(color)} offers a draw (提和); it stands until answered, a move refuses it")
        except OfferError as error:
            self.say(str(error))

    def moves(self) -> list[int]:
        return list(self._game.board.history)

    def save(self, path: str) -> None:
        self._record.follow(self._game.board.history)
        self._record.tags["Result"] = self.result.split(" ")[0] or "*"
        for color, tag in ((RED, "Red"), (BLACK, "Black")):
            if not self._record.tags.get(tag):
                self._record.tags[tag] = "board" if color in self.humans else "qiqiao"
        save(self._record, path)

    def picture(self) -> str:
        """The position as text, Red below; round brackets about the piece moved last, a star where it came from."""
        board = self._game.board
        wide = self._pieces is not PIECE_LETTERS
        history = board.history
        origin, target = (move_from(history[-1]), move_to(history[-1])) if history else (-1, -1)
        lines = []
        for rank in range(9, -1, -1):
            row = ""
            for square in range(rank * 9, rank * 9 + 9):
                piece = ("＊" if wide else "*") if square == origin else self._pieces[board.piece_at(square)]
                row += ("(" if square == target else ")" if square == target + 1 and square % 9 else " ") + piece
            lines.append(f"{rank}{row}" + (")" if target == rank * 9 + 8 else ""))
            if rank == 5:
                lines.append("  " + ("~~ " * 9 if wide else "~ ~ ~ ~ ~ ~ ~ ~ ~").rstrip())
        files = ("  " if wide else " ").join("abcdefghi")
        return "\n".join([*lines, "  " + files])


def _begin(options: Any, size: tuple[int, int]) -> Game:
    return Game(rules=options.rules or "axf")


def _resume(options: Any) -> Resumed:
    game, record = resumed(options.resume, options.rules or "axf")
    return Resumed(game, record, record.notes, "" if record.result == "*" else record.result)


def _session(game: Game, path: str, settings: BoardSettings, options: Any, kept: Any, **how: Any) -> XiangqiSession:
    return XiangqiSession(game, path, settings, options.pieces, kept, **how)


SESSION = SessionType((RED, BLACK), _begin, _resume, _session)
