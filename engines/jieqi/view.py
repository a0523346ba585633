"""What one side may know of a game, and the copy of it that a player plays on.

A ``View`` is made anew by the referee each turn. It holds neither the game nor the deal, nor anything that depends on
what its side can't know: two deals that look alike to a side give it the same views, bit for bit.

A ``Model`` is a view that moves can be made on, as they are told: for a search, a protocol's client, a record. It never
makes up what shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engines.jieqi.board import Board, Point
from engines.jieqi.ends import Result, Rules, outcome
from engines.jieqi.fen import Position, read_fen, write_fen
from engines.jieqi.forms import form_of, home_color
from engines.jieqi.moves import Told, move_text, parse
from engines.xiangqi.geometry import NO_SLOT, PIECE_LETTERS, square_name

__all__ = ["Model", "View"]


def read_bare(board: Board, text: str) -> int:
    """The legal move that a player sends. ``ValueError`` for any other text, and where it says what shows: that is the
    referee's to say."""
    told = parse(board, text)
    if told.shown or told.taken:
        raise ValueError(f"{text}: what shows is the referee's to say; send {move_text(told.move)}")
    return told.move


class View:
    """A position as one side may know it, with the moves told to it so far.

    ``side`` is 0 for Red, 1 for Black, ``None`` for a spectator; ``rules`` what the game is played by; ``laying``
    whether layouts may still be given. ``told`` are the moves as that side was told them.
    """

    def __init__(
        self,
        board: Board,
        side: int | None,
        rules: Rules,
        pool: Counter[int],
        captured: Counter[int],
        told: Sequence[str] = (),
        result: Result | None = None,
        laying: bool = False,
    ) -> None:
        """A view of a board that knows no more than this side (``Board.blinded``), which it takes for its own.

        ``pool`` and ``captured`` as in ``fen.Position``.
        """
        self._board = board
        self.side = side
        self.rules = rules
        # In one order: that in which the counts were made could tell what they were made from.
        self._pool = Counter(dict(sorted((+pool).items())))
        self._captured = Counter(dict(sorted((+captured).items())))
        self.told: tuple[str, ...] = tuple(told)
        self.result = result
        self.laying = laying

    @classmethod
    def read(cls, text: str, side: int | None = None, rules: Rules | None = None) -> View:
        """The view of a side that a FEN tells. ``FenError`` for a bad one.

        A FEN does not tell apart what a side laid itself and what it turned down: its own known pieces count as laid.
        """
        rules = rules or Rules()
        position = read_fen(text, rules.form)
        if side is not None and form_of(rules.form).layout == "free":
            points = [
                Point(point.piece, True) if point and point.dark and home_color(square) == side else point
                for square, point in enumerate(position.points)
            ]
            position = replace(position, points=tuple(points))
        board = position.board()
        return cls(board, side, rules, position.pool, position.captured, (), outcome(board, rules))

    @classmethod
    def start(cls, side: int | None = None, rules: Rules | None = None) -> View:
        """The view of a side before the first move, its own layout not known either."""
        rules = rules or Rules()
        board = Board(rules.form)
        pool = Counter(board.slot(slot)[1] for slot in range(32) if board.slot(slot)[2].dark)
        if all(point is None or point.piece for point in board.points()):
            pool = Counter()
        return cls(board, side, rules, pool, Counter())

    @property
    def form(self) -> str:
        """The name of the form."""
        return self.rules.form

    @property
    def turn(self) -> int:
        """The side to move, 0 for Red."""
        return self._board.turn

    @property
    def plies(self) -> int:
        """The moves made since the set-up."""
        return self._board.plies

    @property
    def board(self) -> Board:
        """A board with all that the side knows; a copy, which may be changed."""
        return self._board.copy()

    @property
    def pools(self) -> tuple[Counter[str], Counter[str]]:
        """Red's and Black's pieces that this side has not seen, by letter (capitals for both)."""
        pools: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for piece, count in sorted(self._pool.items()):
            pools[piece >> 3][PIECE_LETTERS[piece & 7]] = count
        return pools

    @property
    def captured(self) -> Counter[str]:
        """The pieces taken face down that this side knows, by letter, each in its own side's case."""
        return Counter({PIECE_LETTERS[piece]: count for piece, count in sorted(self._captured.items())})

    @property
    def points(self) -> dict[str, str]:
        """What stands on the points, by name: a letter; face down ``?`` with the letter of the point's kind, in the
        owner's case, and behind ``=`` what it is where this side knows it."""
        found = {}
        for square, point in enumerate(self._board.points()):
            if point is None:
                continue
            text = PIECE_LETTERS[self._board.apparent(square)]
            if point.dark:
                text = f"?{text}" + (f"={PIECE_LETTERS[point.piece]}" if point.piece else "")
            found[square_name(square)] = text
        return found

    def legal_moves(self) -> list[int]:
        """The moves that the side to move may choose from; they are the referee's. None after the end."""
        return [] if self.result is not None else self._board.legal_moves()

    def move_text(self, move: int) -> str:
        """A move as a player sends it."""
        return move_text(move)

    def read_move(self, text: str) -> int:
        """The legal move that a player's text names. ``ValueError`` for any other."""
        return read_bare(self._board, text)

    def position(self) -> Position:
        """The position with all that this side knows."""
        board = self._board
        return Position(
            self.form,
            tuple(board.points()),
            board.turn,
            Counter(self._pool),
            Counter(self._captured),
            board.halfmove_clock,
            board.fullmove_number,
        )

    def setup_text(self, dialect: str = "jieqibox") -> str:
        """This side's FEN."""
        return write_fen(self.position(), dialect)

    def model(self) -> Model:
        """A copy that moves can be made on."""
        return Model(
            self._board.copy(), self.side, self.rules, self._pool, self._captured, self.told, self.result, self.laying
        )


class Model(View):
    """A view that moves are made on as they are told."""

    def __init__(self, *arguments: object, **named: object) -> None:
        super().__init__(*arguments, **named)  # type: ignore[arg-type]
        self._past: list[tuple[Counter[int], Counter[int], tuple[int, ...], Result | None]] = []

    def play(self, text: str) -> str:
        """Make a move as it is told; the text of it comes back in its usual form.

        ``ValueError``, and nothing changes, for a move that is not legal, for letters that can't be, and where the
        letter is missing of what this side must be told: what turns up, and what its own move takes face down.
        """
        if self.result is not None:
            raise ValueError("the game has ended")
        told = self._completed(parse(self._board, text), text)
        board = self._board
        learned = []
        mover, target = board.slot_at(told.move >> 7 & 127), board.slot_at(told.move & 127)
        before = (Counter(self._pool), Counter(self._captured))
        for slot, piece in ((mover, told.shown), (target, told.taken)):
            if piece and not board.slot(slot)[2].piece:
                board.learn(slot, piece)
                learned.append(slot)
                self._pool[piece] -= 1
        if told.taken and not board.slot(target)[2].shown:
            self._captured[told.taken] += 1
        self._pool = +self._pool
        board.play(told.move)
        self._past.append((*before, tuple(learned), self.result))
        self.told = (*self.told, told.text)
        self.result = outcome(board, self.rules)
        self.laying = False
        return told.text

    def _completed(self, told: Told, text: str) -> Told:
        """A told move with the letters that this side knows itself; ``ValueError`` for one that is wrong or missing."""
        board = self._board
        shown, taken = told.shown, told.taken
        origin, target = told.move >> 7 & 127, told.move & 127
        left = Counter(self._pool)
        if board.is_dark(origin):
            known = board.point(origin)
            assert known is not None
            if not (shown or known.piece):
                raise ValueError(f"{text}: the letter of what turns up is missing")
            shown = self._agreed(text, shown, known.piece, left)
        slot = board.slot_at(target)
        if slot != NO_SLOT and board.is_dark(target):
            known = board.point(target)
            assert known is not None
            must = self.rules.capture_view == "both" or (
                self.rules.capture_view == "captor" and self.side == board.turn
            )
            if must and not (taken or known.piece):
                raise ValueError(f"{text}: the letter of what it takes face down is missing")
            if taken or known.piece:
                taken = self._agreed(text, taken, known.piece, left)
        return Told(told.move, shown, taken)

    @staticmethod
    def _agreed(text: str, said: int, known: int, left: Counter[int]) -> int:
        if known:
            if said not in (0, known):
                raise ValueError(f"{text}: the piece is known to be {PIECE_LETTERS[known]}")
            return known
        if left[said] < 1:
            raise ValueError(f"{text}: no {PIECE_LETTERS[said]} is left unseen")
        left[said] -= 1
        return said

    def undo(self) -> None:
        """Take the last move back. ``IndexError`` at the start."""
        if not self._past:
            raise IndexError("no move to take back")
        self._pool, self._captured, learned, self.result = self._past.pop()
        self._board.undo()
        for slot in learned:
            self._board.learn(slot, 0)
        self.told = self.told[:-1]
