"""The position that a client talks about, and the game it belongs to.

Clients send a position before every ``go``: best with the moves since the last capture, so that repetitions can be
judged, but some send a FEN and nothing else. Then the game is put together from what came before: see ``Keeper``.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.errors import IllegalMove, QiqiaoError
from engines.xiangqi.board import Board
from engines.xiangqi.fen import QUOTES, START_FEN, FenError, tidy_fen
from protocols.xiangqi import coordinates
from protocols.xiangqi.coordinates import Coordinates


class PositionError(QiqiaoError, ValueError):
    """A position, or a list of moves, that can't be accepted; its text says why."""


class Keeper:
    """The current position with its history, and how the client counts ranks.

    Ranks are counted from ``base`` 0. That changes to 1 for good once a move with a rank 10 has been accepted
    (``certain``), or when the client chooses Fairy-Stockfish's squares with ``UCI_Variant``; in the latter case a list
    of moves that only makes sense from 0 changes it back. ``doubtful``: it has set ``UCI_Variant``, but so it would
    have if it set whatever it is shown; then a list of moves that only makes sense from 1 changes to that.
    """

    def __init__(self) -> None:
        self.board = Board()
        self.base = 0
        self.certain = False
        self.doubtful = False
        self.played: int | None = None
        self._last: tuple[str | None, list[str], int, Board] | None = None

    def count_from_one(self) -> None:
        """The client has chosen a variant, which is Fairy-Stockfish's way: its squares have ranks 1-10."""
        self.base = 1

    def count_from_zero(self) -> None:
        """The client leaves out the word ``position``, as boards do that count from 0 (UCI-Cyclone)."""
        if not self.certain:
            self.base = 0

    def new_game(self) -> None:
        """Nothing that comes belongs to the game before."""
        self.board = Board(self.board.fen())
        self.played = None

    def set(self, words: Sequence[str]) -> list[str]:
        """Take the position that the words after ``position`` say, and give the words that were passed over.
        ``PositionError``, and nothing changed, if they say none.
        """
        fen, moves, skipped = split_position(words)
        board = self.board_from(fen, moves)
        if not moves and fen is not None:
            board = self._continued(board, _has_clock(fen)) or board
        if board is not self.board:
            self.board = board
            self.played = None
        return skipped

    def peek(self, words: Sequence[str]) -> Board:
        """The position that the words say, without taking it. ``PositionError`` if they don't."""
        fen, moves, _ = split_position(words)
        return self.board_from(fen, moves)

    def board_from(self, fen: str | None, moves: Sequence[str]) -> Board:
        """A new board from a FEN (the start for ``None``) and the moves from there.

        Clients send the whole game each time: of one that goes on from the last, only the new moves are read.
        """
        board = self._from_last(fen, moves)
        if board is None:
            board = self._from_scratch(fen, moves)
        self._last = (fen, list(moves), self.base, board.copy())
        return board

    def _from_last(self, fen: str | None, moves: Sequence[str]) -> Board | None:
        """``board_from`` where the last one's moves are the first of these, and mean what they meant then."""
        if self._last is None:
            return None
        known, before, base, board = self._last
        if known != fen or base != self.base or before != list(moves[: len(before)]):
            return None
        board = board.copy()
        certain = self.certain
        try:
            for move in self.read_moves(board, moves[len(before) :], in_turn=True):
                board.play(move)
        except PositionError:
            return None
        if (self.base, self.certain) != (base, certain):  # the new moves say how all of them are to be read
            self.base, self.certain = base, certain
            return None
        return board

    def _from_scratch(self, fen: str | None, moves: Sequence[str]) -> Board:
        try:
            board = Board(fen or START_FEN)
        except FenError as error:
            raise PositionError(f"illegal position: {error}") from None
        for move in self.read_moves(board, moves, in_turn=True):
            board.play(move)
        return board

    def read_moves(self, board: Board, texts: Sequence[str], in_turn: bool = False) -> list[int]:
        """The moves that the texts say, all legal: one after the other if ``in_turn``, else each on ``board`` as it is.

        ``PositionError`` for text that is no move and for an illegal move, with the reason. Decides the base of ranks.
        """
        raw = []
        for text in texts:
            one = coordinates.read(text)
            if one is None:
                raise PositionError(f"not a move: '{shorten(text)}'")
            raw.append(one)
        ten = any(10 in (one.rank, one.to_rank) for one in raw)
        zero = any(0 in (one.rank, one.to_rank) for one in raw)
        if ten and zero:
            raise PositionError("ranks 0 and 10 in one list of moves")
        base = 1 if ten else self.base
        if zero and self.certain:
            raise PositionError("a move with a rank 0, though ranks are counted from 1 since a rank 10 was seen")
        if zero:
            base = 0
        try:
            moves = _legal_moves(board, raw, base, in_turn)
        except PositionError:
            if self.certain or ten or zero or (base == 0 and not self.doubtful):
                raise
            found = _legal_moves_or_none(board, raw, 1 - base, in_turn)
            if found is None:
                raise
            moves, base = found, 1 - base
        if raw:
            self.base, self.certain = base, self.certain or ten
        return moves

    def write(self, move: int) -> str:
        """A move in the client's coordinates."""
        return coordinates.write(move, self.base)

    # -- putting a game together

    def _continued(self, new: Board, has_clock: bool) -> Board | None:
        """The known game, carried on or taken back to the new position; ``None`` when that belongs to another game.

        A counter of plies since the last capture in the FEN must fit too, unless it is 0: many clients never count.
        """
        old = self.board
        board = reached(old, new.key, self.played)
        if board is None or (has_clock and new.halfmove_clock not in (0, board.halfmove_clock)):
            return None
        return board


def reached(old: Board, key: int, played: int | None) -> Board | None:
    """The game on ``old`` carried on, or taken back, to the position with a key; ``None`` when it does not lead there.

    ``played`` is the move we gave there. ``old`` itself is returned when it stands in that position, else a new board.
    """
    if old.key == key:
        return old
    board = old.copy()
    if played is not None and board.is_legal(played):
        # What a client does that asks for a move, plays it, and comes back when the opponent has moved.
        board.play(played)
        if board.key == key or _play_to(board, key):
            return board
        board.undo()
    if _play_to(board, key):
        return board
    keys = old.keys
    if key in keys:
        after = len(keys) - 1 - keys[::-1].index(key)
        while len(board.history) > after:
            board.undo()
        return board
    for move in board.legal_moves():
        board.play(move)
        if _play_to(board, key):
            return board
        board.undo()
    return None


def split_position(words: Sequence[str]) -> tuple[str | None, Sequence[str], list[str]]:
    """The FEN (``None`` for the start position) and the moves of ``position``'s arguments, and what had to be skipped.

    ``fen`` may be left out before a FEN. ``PositionError`` when neither is there, or moves without the word for them.
    """
    marks = [mark for mark in QUOTES if any(mark in (word[0], word[-1]) for word in words if word)]
    words = [word for word in (word.strip(QUOTES) for word in words) if word] if marks else list(words)
    lower = [word.lower() for word in words]
    at = lower.index("moves") if "moves" in lower else len(words)
    before, moves = list(words[:at]), words[at + 1 :]
    if before and lower[0] == "startpos":
        fen, skipped = None, before[1:]
    else:
        if before and lower[0] == "fen":
            del before[0]
        if not before:
            raise PositionError("position needs 'startpos' or 'fen' and a FEN")
        fen, skipped = tidy_fen(" ".join(before))
    for word in skipped:
        if coordinates.read(word) is not None:  # to play on without it would be another game
            raise PositionError(f"unexpected move '{shorten(word)}' without the word 'moves' before it")
    return fen, moves, marks + skipped


def shorten(text: str) -> str:
    """Text from the client in a form that fits into a message."""
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= 40 else text[:37] + "..."


def _has_clock(fen: str) -> bool:
    return len(fen.split()) > 2


def _play_to(board: Board, key: int) -> bool:
    """Play the one move that leads to the position with the key, if there is one."""
    for move in board.legal_moves():
        board.play(move)
        if board.key == key:
            return True
        board.undo()
    return False


def _legal_moves(board: Board, raw: Sequence[Coordinates], base: int, in_turn: bool) -> list[int]:
    """Board moves of what was written; ``PositionError`` at the first that is not legal."""
    moves: list[int] = []
    after = board.copy() if in_turn and raw else board
    for number, one in enumerate(raw, 1):
        move = one.move(base)
        text = f"{'abcdefghi'[one.file]}{one.rank}{'abcdefghi'[one.to_file]}{one.to_rank}"
        where = f"illegal move {text}" + (f" (move {number} of {len(raw)})" if in_turn else "")
        if move is None:
            raise PositionError(f"{where}: off the board, ranks are counted from {base}")
        reason = after.why_illegal(move)
        if reason is not None:
            raise PositionError(f"{where}: {_reason(reason, base)}")
        moves.append(move)
        if in_turn:
            try:
                after.play(move)
            except IllegalMove as error:
                raise PositionError(f"{where}: {error}") from None
    return moves


def _reason(text: str, base: int) -> str:
    """The board's reason without the move's name at its beginning, and with a word on ranks where they matter."""
    text = text.partition(": ")[2] or text
    return text + (" (squares as a0-i9)" if base else "")


def _legal_moves_or_none(board: Board, raw: Sequence[Coordinates], base: int, in_turn: bool) -> list[int] | None:
    try:
        return _legal_moves(board, raw, base, in_turn)
    except PositionError:
        return None
