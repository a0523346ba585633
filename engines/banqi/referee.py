"""What the referees of games with dealt or placed pieces have in common: turns, moves as text, ends, offers, records.

A side is an index in the order of play. ``engines.banqi.game``, ``engines.luoqi.game`` and ``engines.sanguo.game`` say
what a position is and how it ends.
"""

from __future__ import annotations

from typing import Any

from engines.dealing import Deal
from engines.errors import IllegalMove, QiqiaoError
from engines.results import Result, Words

__all__ = ["REASONS", "IllegalMove", "OfferError", "Referee", "Result", "Words"]

REASONS = {
    "no-pieces": Words("no pieces left", "棋子被吃尽", "棋子被吃盡"),
    "no-move": Words("no legal action", "无子可动", "無子可動"),
    "no-progress": Words("no turn-up or capture for too long", "长时间无翻无吃", "長時間無翻無吃"),
    "repetition": Words("repetition", "重复局面", "重複局面"),
    "chase": Words("chased too long", "长捉", "長捉"),
    "annihilation": Words("the other two are gone", "尽灭两家", "盡滅兩家"),
    "points": Words("points", "得分", "得分"),
    "agreement": Words("agreement", "议和", "議和"),
    "resignation": Words("resignation", "认输", "認輸"),
    "time": Words("time", "超时", "超時"),
    "forfeit": Words("forfeit", "判负", "判負"),
}
"""Why a game ends, in words; the keys are those of ``Result.reason``."""

LOSSES = ("resignation", "time", "forfeit")
"""By what a side can lose without a move."""


class OfferError(QiqiaoError, ValueError):
    """A draw offer or an answer to one that the rules don't allow now; its text says why."""


def outcome(winner: int | None, reason: str, sides: int = 2) -> Result:
    """A result in which the winner gets 1 and the others 0; a draw is shared alike."""
    scores = tuple(1.0 / sides if winner is None else float(side == winner) for side in range(sides))
    return Result(winner, reason, REASONS[reason], scores)


class Referee:
    """A game being refereed: the board that everybody sees, and a deal that nobody else does."""

    name = ""
    """The game."""
    sides = 2

    board: Any
    _deal: Deal | None
    _texts: list[str]
    _ended: Result | None
    _offer: int | None

    def _begin(self) -> None:
        self._texts, self._ended, self._offer = [], None, None

    # -- what a game says for itself

    def _judge(self) -> Result | None:
        """How the position ends the game."""
        raise NotImplementedError

    def _shown(self, move: int) -> int:
        """The piece that a legal move turns up, 0 for none."""
        raise NotImplementedError

    def _text(self, move: int, shown: int) -> str:
        raise NotImplementedError

    def _read(self, text: str) -> tuple[int, int | None]:
        """A move, and the piece that the text says it turns up."""
        raise NotImplementedError

    def setup_text(self) -> str:
        """The position as the referee knows it, as the constructor's ``setup`` reads it."""
        raise NotImplementedError

    @property
    def options(self) -> dict[str, Any]:
        """The options that this game was begun with, as its constructor takes them."""
        raise NotImplementedError

    # -- the game

    @property
    def turn(self) -> int:
        """The side to act."""
        return self.board.turn

    @property
    def plies(self) -> int:
        """Plies made since the set-up."""
        return self.board.plies

    @property
    def moves(self) -> list[str]:
        """The moves since the set-up, as the referee writes them."""
        return list(self._texts)

    @property
    def deal(self) -> Deal | None:
        """What lies where; None where nothing was dealt. The referee's alone until the game is over."""
        return self._deal

    @property
    def commitment(self) -> str | None:
        """What may be told of the deal before the game; ``engines.dealing.opens`` checks it afterwards."""
        return None if self._deal is None else self._deal.commitment

    def legal_moves(self) -> list[int]:
        """The actions of the side to act in a fixed order; none after the end."""
        return [] if self.result is not None else self.board.legal_moves()

    def move_text(self, move: int) -> str:
        """A move as a player sends it: what it turns up is not told."""
        return self._text(move, 0)

    def read_move(self, text: str) -> int:
        """The legal move that a text means; what it says to turn up is not looked at. ``IllegalMove`` or ValueError."""
        move = self._read(text)[0]
        if move not in self.legal_moves():
            raise IllegalMove(f"{text}: {self._why_not(move)}")
        return move

    def _why_not(self, move: int) -> str:
        return "the game is over" if self.result is not None else "that move is not legal here"

    def play(self, move: int) -> str:
        """Make a legal move and return it as the referee writes it. ``IllegalMove``, with nothing changed, else."""
        if self.result is not None:
            raise IllegalMove("the game is over")
        if move not in self.board.legal_moves():
            raise IllegalMove(self._why_not(move))
        shown = self._shown(move)
        text = self._text(move, shown)
        self.board.play(move, shown)
        self._texts.append(text)
        if self._offer == self.turn:
            self._offer = None
        return text

    def play_text(self, text: str) -> str:
        """Make the move of a record. ValueError where it turns up another piece than the deal has there."""
        move, told = self._read(text)
        if move not in self.legal_moves():
            raise IllegalMove(f"{text}: {self._why_not(move)}")
        if told is not None and told != self._shown(move):
            raise ValueError(f"{text}: that is not what lies there")
        return self.play(move)

    def undo(self) -> int:
        """Take the last ply back, all of it, and return its move; a game that had ended goes on. IndexError at the
        start."""
        move = self.board.undo()
        self._texts.pop()
        self._ended = self._offer = None
        return move

    @property
    def result(self) -> Result | None:
        """How the game has ended, None while it goes on."""
        return self._ended if self._ended is not None else self._judge()

    # -- ends without a move

    def resign(self, side: int) -> None:
        """This side gives the game up."""
        self.lose(side, "resignation")

    def lose(self, side: int, reason: str) -> None:
        """This side loses, by one of ``LOSSES``; after an end nothing happens. ValueError else."""
        self._check_side(side)
        if reason not in LOSSES:
            raise ValueError(f"a side can't lose by {reason!r}: there are {', '.join(LOSSES)}")
        if self.result is None:
            self._ended = outcome(1 - side, reason)

    @property
    def offered_by(self) -> int | None:
        """Whose draw offer stands."""
        return self._offer

    def offer_draw(self, side: int) -> None:
        """Offer a draw, on one's own turn; the other's move refuses it. ``OfferError`` where that can't be."""
        self._check_side(side)
        if self.result is not None or self._offer is not None or side != self.turn:
            raise OfferError("a draw can be offered on one's own turn, once")
        self._offer = side

    def answer_offer(self, side: int, accept: bool) -> None:
        """Accept or refuse the other side's offer. ``OfferError`` when there is none."""
        self._check_side(side)
        if self.result is not None or self._offer is None or self._offer == side:
            raise OfferError("there is no offer to answer")
        self._offer = None
        if accept:
            self._ended = outcome(None, "agreement")

    def _check_side(self, side: int) -> None:
        if not 0 <= side < self.sides:
            raise ValueError(f"there is no side {side}: they are 0 to {self.sides - 1}")
