"""A game of sanguo as its referee has it.

>>> game = Game(seed=1)
>>> len(game.legal_moves()), game.turn
(32, 0)
"""

from __future__ import annotations

from typing import Any

from engines.banqi.referee import LOSSES, IllegalMove, OfferError, Referee, Result
from engines.dealing import Deal
from engines.sanguo.board import HALF, HIDDEN, RETIRE, WHOLE, Board
from engines.sanguo.ending import Limits, judge
from engines.sanguo.fen import (
    LETTERS,
    Fen,
    FenError,
    blocks,
    point_name,
    read_fen,
    read_piece,
    side_of,
    start_fen,
    write_fen,
)
from engines.sanguo.notation import move_text, read_move
from engines.sanguo.view import View

__all__ = ["Game", "IllegalMove", "Result"]

BOARDS = {"half": HALF, "whole": WHOLE}


class Game(Referee):
    """A game from its set-up on. Sides, here players, are 0 to 2 in order of play."""

    name = "sanguo"
    sides = 3

    def __init__(
        self,
        setup: str | None = None,
        deal: str | Deal | None = None,
        seed: int | str | None = None,
        board: str = "half",
        corners: int = 4,
        still: int = 60,
        repetition: bool = True,
        scoring: str = "win",
    ) -> None:
        """A new game, or one from ``setup``: a FEN, ``deal:…`` behind it as ``setup_text`` writes it (then ``board``
        and ``corners`` say nothing).

        ``deal``: the pieces of the corners (``engines.sanguo.fen.blocks``), ``/`` and those aside behind it; or of each
        point from a0, then ``/`` and those aside. ``?`` is any piece. Without it the unseen pieces are shuffled, from
        ``seed`` the same way each time, else by the operating system. The others: ``engines.sanguo.ending.Limits``.
        ValueError (``FenError``) for what can't be.
        """
        if board not in BOARDS:
            raise ValueError(f"the board is half or whole, not {board!r}")
        if corners not in (3, 4):
            raise ValueError(f"pieces are dealt in 3 or 4 corners, not {corners}")
        self._limits = Limits(still, repetition, scoring)
        self._options = {"board": board, "corners": corners}
        fields = (setup or start_fen(BOARDS[board], corners)).split()
        marks = [field for field in fields if field.startswith("deal:")]
        self.board = Board(" ".join(field for field in fields if not field.startswith("deal:")))
        self._deal = self._dealt(deal if deal is not None or not marks else marks[0][5:], seed, corners)
        letters, _, aside = self._deal.letters.partition("/")
        self._under = [read_piece(letter) if letter != "." else 0 for letter in letters]
        self._aside = [read_piece(letter) for letter in aside]
        self._retired: list[str] = []
        self._begin()
        self._call_out()

    def _dealt(self, deal: str | Deal | None, seed: int | str | None, corners: int) -> Deal:
        board = self.board
        down = [point for point in range(board.points) if board.piece_at(point) == HIDDEN]
        letters, _, aside = ("" if deal is None else deal.letters if isinstance(deal, Deal) else deal).partition("/")
        under = dict.fromkeys(down, "?")
        if len(letters) == board.points:
            under = {point: letters[point] for point in down}
        elif letters:
            points = blocks(board.points, corners)
            if len(letters) != len(points):
                raise ValueError(f"a deal has {len(points)} letters here, and not {len(letters)}")
            under = {point: letter for point, letter in zip(points, letters, strict=True) if point in under}
        aside = aside or "?" * board.aside
        if len(aside) != board.aside:
            raise ValueError(f"{board.aside} pieces lie aside, and not {len(aside)}")
        left = {piece: board.unseen(piece) for piece in range(16) if piece & 7}
        for letter in (*under.values(), *aside):
            if letter != "?":
                left[read_piece(letter)] -= 1
                if left[read_piece(letter)] < 0:
                    raise FenError(f"the deal has too many of {letter}")
        rest = Deal.shuffled("".join(LETTERS[piece] * count for piece, count in left.items()), seed)
        unknown = iter(rest.letters)
        whole = ["."] * board.points
        for point, letter in under.items():
            whole[point] = next(unknown) if letter == "?" else letter
        lying = "".join(next(unknown) if letter == "?" else letter for letter in aside)
        text = "".join(whole) + (f"/{lying}" if lying else "")
        return Deal(text, deal.salt if isinstance(deal, Deal) else rest.salt)

    @property
    def options(self) -> dict[str, Any]:
        limits = self._limits
        own = {"still": limits.still, "repetition": limits.repetition, "scoring": limits.scoring}
        return {**self._options, **own}

    # -- what only the referee can tell

    def _hidden(self) -> set[int]:
        """The sides that face-down pieces on the board belong to."""
        board = self.board
        return {side_of(self._under[i]) for i in range(board.points) if board.piece_at(i) == HIDDEN}

    def _fallen(self) -> int:
        """The players that have nothing on the board and aren't called out yet, a bit each."""
        board, hidden = self.board, self._hidden()
        bits = 0
        for player, side in enumerate(board.kingdoms):
            if side >= 0 and player not in board.out and not board.standing(side) and side not in hidden:
                bits |= 1 << player
        return bits

    def _call_out(self) -> None:
        """At a set-up: a player without pieces is out, though counting doesn't show it."""
        bits = self._fallen()
        if bits:
            fen = read_fen(self.board.fen())
            out = (*fen.out, *(player for player in range(3) if bits >> player & 1))
            self.board = Board(write_fen(fen._replace(out=out)))

    def play(self, move: int) -> str:
        """Make a legal move and return it as the referee writes it. ``IllegalMove``, with nothing changed, else."""
        text = super().play(move)
        bits = self._fallen()
        if bits:
            shown = self.board.history[-1][1]
            self.board.undo()
            self.board.play(move, shown, bits)
        return text

    def undo(self) -> int:
        """Take the last ply back, all of it, and return its move; a game that had ended goes on. IndexError at the
        start."""
        if self.board.plies and self.board.history[-1][0] >= RETIRE:
            self._retired.pop()
        return super().undo()

    def lose(self, side: int, reason: str) -> None:
        """This player leaves the game, by one of ``LOSSES``: it is out, and its pieces stay, to be taken by anybody.
        Nothing happens where it is out already, or after an end. ValueError for another reason."""
        self._check_side(side)
        if reason not in LOSSES:
            raise ValueError(f"a player can't leave by {reason!r}: there are {', '.join(LOSSES)}")
        if self.result is None and side not in self.board.out:
            self._texts.append(move_text(RETIRE + side))
            self._retired.append(reason)
            self.board.play(RETIRE + side)

    def play_text(self, text: str) -> str:
        """Make the move of a record. ValueError where it turns up another piece than the deal has there."""
        move = self._read(text)[0]
        if move >= RETIRE:
            self.lose(move - RETIRE, "resignation")
            return self._texts[-1]
        return super().play_text(text)

    def offer_draw(self, side: int) -> None:
        """``OfferError``: three players don't agree on draws."""
        raise OfferError("there are no draw offers among three players")

    def _judge(self) -> Result | None:
        return judge(self.board, self._limits, self._retired[-1] if self._retired else None)

    def _shown(self, move: int) -> int:
        return self._under[move & 127] if self.board.shows(move) else 0

    def _text(self, move: int, shown: int) -> str:
        return move_text(move, shown)

    def _read(self, text: str) -> tuple[int, int | None]:
        move, shown, _ = read_move(text, self.board.points)
        return move, shown

    def _why_not(self, move: int) -> str:
        board = self.board
        if self.result is not None:
            return "the game is over"
        origin, target = move >> 7, move & 127
        if move >= RETIRE or origin >= board.points:
            return "that is no move of the player to act"
        piece = board.piece_at(origin)
        if piece == 0:
            return f"there is nothing on {point_name(origin)}"
        if piece == HIDDEN:
            return f"the piece on {point_name(origin)} is face down"
        if origin == target:
            return f"the piece on {point_name(origin)} is face up already"
        side = board.kingdoms[board.turn]
        if side < 0:
            return "a player without a side may only turn up"
        if side_of(piece) != side:
            return f"the piece on {point_name(origin)} is not player {board.turn + 1}'s"
        return f"the piece on {point_name(origin)} can't go there"

    def observe(self, side: int | None = None) -> View:
        """What a player, or a spectator (None), may know."""
        if side is not None:
            self._check_side(side)
        told = []
        for text, (_, _, announced) in zip(self._texts, self.board.history, strict=True):
            called = "".join(str(i + 1) for i in range(3) if announced >> i & 1)
            told.append(f"{text} out:{called}" if called else text)
        return View(self.board.copy(), self._limits, tuple(told), side, self.result)

    def fen(self) -> str:
        """The position as FEN, as the referee knows it: the pool has only what lies on the board."""
        fen: Fen = read_fen(self.board.fen())
        pool = [fen.pool[piece] for piece in range(16)]
        for piece in self._aside:
            pool[piece] -= 1
        return write_fen(fen._replace(pool=tuple(pool)))

    def setup_text(self) -> str:
        """The position as the referee knows it: the FEN of a view, and ``deal:`` with what is face down or aside."""
        board = self.board
        points = range(board.points)
        down = "".join(LETTERS[self._under[i]] if board.piece_at(i) == HIDDEN else "." for i in points)
        aside = "".join(LETTERS[piece] for piece in self._aside)
        if not down.strip(".") and not aside:
            return board.fen()
        return f"{board.fen()} deal:{down}" + (f"/{aside}" if aside else "")

    def copy(self) -> Game:
        """A game of its own that goes on from here by itself."""
        other = Game(self.board.start, self._deal, **self.options)
        other.board = self.board.copy()
        other._texts, other._retired = list(self._texts), list(self._retired)
        return other
