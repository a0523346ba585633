"""One game of Xiangqi as the referee sees it: the board, the rules in force, draw offers, and how it has ended.

Players get this object to read. Whoever owns it changes it through its methods, each of which either does all it says
or raises and changes nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from engines.errors import IllegalMove, QiqiaoError
from engines.results import Result, Words, won_by
from engines.views import OpenView
from engines.xiangqi.board import Board
from engines.xiangqi.cycle import occurrences
from engines.xiangqi.draws import NaturalLimit, limit_reached, material_draw, natural_limit
from engines.xiangqi.fen import START_FEN
from engines.xiangqi.geometry import SIDE_NAMES, checked_name, move_name, read_coordinates
from engines.xiangqi.repetition import OCCURRENCES, RuleSet, Span, judge, rule_set

__all__ = ["Game", "OfferError", "View"]

REASONS = {
    "mate": Words("checkmate", "将死", "將死"),
    "stalemate": Words("no legal move", "困毙", "困斃"),
    "repetition": Words("repetition", "重复局面", "重複局面"),
    "natural-limit": Words("natural limit", "自然限着", "自然限著"),
    "material": Words("nobody can win", "双方均无取胜可能", "雙方均無取勝可能"),
    "agreement": Words("agreement", "议和", "議和"),
    "resignation": Words("resignation", "认输", "認輸"),
    "time": Words("time", "超时", "超時"),
    "forfeit": Words("forfeit", "判负", "判負"),
}
"""Why a game ends, in words; the keys are those of ``Result.reason``."""


class OfferError(QiqiaoError, ValueError):
    """A draw offer or an answer to one that the rules don't allow now; its text says why."""


@dataclass(frozen=True)
class View(OpenView):
    """What a side, or anybody, may know of a game of Xiangqi; ``begin`` is how it began."""

    begin: tuple[str, str, int, Span | None, str, bool] = field(kw_only=True)
    history: tuple[int, ...] = field(kw_only=True)

    def move_text(self, move: int) -> str:
        return checked_name(move)

    def read_move(self, text: str) -> int:
        return read_coordinates(text)

    def model(self) -> Game:
        game = Game(*self.begin, strict=False)
        for move in self.history:
            game.play(move)
        return game


class Game:
    """A game from its first position to its end.

    ``rules``, ``times`` and ``span`` say how repetitions are judged (``engines.xiangqi.repetition.judge``), ``limit``
    how long it may go on without a capture, ``material`` whether material that cannot win is a draw at once.
    """

    def __init__(
        self,
        setup: str = START_FEN,
        rules: str = "axf",
        times: int = OCCURRENCES,
        span: Span | None = None,
        limit: str = "cxa",
        material: bool = False,
        strict: bool = True,
    ) -> None:
        """A new game from a FEN, read as ``engines.xiangqi.fen.read_fen`` says. ``FenError`` for a bad one;
        ``ValueError`` for rules or a limit that there is not.
        """
        self.rules: RuleSet = rule_set(rules)
        self.limit: NaturalLimit = natural_limit(limit)
        if times not in (2, 3, 4):
            raise ValueError(f"a repetition is judged when a position has occurred 2, 3 or 4 times, not {times}")
        self.times = times
        self.span = span
        self.material = material
        self.board = Board(setup, strict)
        self._setup = setup
        self._ended: Result | None = None
        self._offer: int | None = None  # who has offered a draw that stands
        self._barred: int | None = None  # who was refused and may not offer again yet
        self._past: list[tuple[int | None, int | None]] = []  # both of these before each move

    @property
    def turn(self) -> int:
        """``RED`` (0) or ``BLACK`` (1), to move."""
        return self.board.turn

    @property
    def plies(self) -> int:
        """How many moves were played since the set-up."""
        return self.board.plies

    def legal_moves(self) -> list[int]:
        """What ``play`` accepts now, in the board's order."""
        return [] if self._ended is not None else self.board.legal_moves()

    def move_text(self, move: int) -> str:
        """A move's coordinates, ranks from 0: ``h2e2``. ``ValueError`` for what is no move on this board."""
        return checked_name(move)

    def read_move(self, text: str) -> int:
        """The move of coordinates, ranks from 0, in either case: ``h2e2``. ``ValueError`` for any other text.

        ``engines.xiangqi.notation.read_move`` reads every other notation.
        """
        return read_coordinates(text)

    def setup_text(self) -> str:
        """The position as FEN; ``Game`` reads it."""
        return self.board.fen()

    def observe(self, side: int | None = None) -> View:
        """What a side, or (``None``) anybody, may know: everything, as it stands now."""
        options = (self._setup, self.rules.name, self.times, self.span, self.limit.name, self.material)
        history = tuple(self.board.history)
        return View(
            self.turn,
            self.plies,
            self.result,
            tuple(self.legal_moves()),
            tuple(move_name(move) for move in history),
            self.setup_text(),
            pools=(Counter(), Counter()),
            begin=options,
            history=history,
        )

    @property
    def offered_by(self) -> int | None:
        """Whose draw offer stands."""
        return self._offer

    def play(self, move: int) -> str:
        """Play a legal move; it refuses the opponent's draw offer. Gives its text. ``IllegalMove`` for any other, or
        after the end."""
        if self._ended is not None:
            raise IllegalMove("the game has ended")
        self.board.play(move)
        self._past.append((self._offer, self._barred))
        if self._offer == self.board.turn:
            self._refused()
        return move_name(move)

    def undo(self) -> int:
        """Take the last move back, with what it did to offers; also reopens an ended game. ``IndexError`` at the
        start."""
        move = self.board.undo()
        self._offer, self._barred = self._past.pop()
        self._ended = None
        return move

    # -- draw offers

    def may_offer(self, color: int) -> str | None:
        """Why this side may not offer a draw now; ``None`` when it may.

        An offer is made on one's own turn, before the clock is pressed. Offers alternate: who has been refused waits
        until the other side has offered.
        """
        name = SIDE_NAMES[color]
        if self._ended is not None:
            return "the game has ended"
        if self._offer is not None:
            return f"{SIDE_NAMES[self._offer]}'s offer still stands"
        if color != self.board.turn:
            return f"it is not {name}'s turn"
        if self._barred == color:
            return f"{name}'s last offer was refused; the next one is {SIDE_NAMES[color ^ 1]}'s"
        return None

    def offer_draw(self, color: int) -> None:
        """Offer a draw; it stands until answered. ``OfferError`` when this side may not now."""
        reason = self.may_offer(color)
        if reason is not None:
            raise OfferError(reason)
        self._offer, self._barred = color, None

    def answer_offer(self, color: int, accept: bool) -> None:
        """Accept or refuse the other side's offer. ``OfferError`` when there is none."""
        if self._ended is not None or self._offer != color ^ 1:
            raise OfferError(f"there is no offer for {SIDE_NAMES[color]} to answer")
        if accept:
            self._end(None, "agreement")
        else:
            self._refused()

    def _refused(self) -> None:
        self._offer, self._barred = None, self._offer

    # -- the end

    def resign(self, color: int) -> None:
        """This side gives the game up."""
        self.lose(color, "resignation")

    def lose(self, color: int, reason: str) -> None:
        """The game ends as a loss for this side, by ``resignation``, ``time`` or ``forfeit``; nothing happens after an
        end.

        ``ValueError`` for another reason.
        """
        if reason not in ("resignation", "time", "forfeit"):
            raise ValueError(f"a side can't lose by {reason!r}")
        if self.result is None:
            self._end(color ^ 1, reason)

    def _end(self, winner: int | None, reason: str) -> None:
        self._ended = won_by(winner, reason, REASONS[reason])

    @property
    def result(self) -> Result | None:
        """How the game has ended, ``None`` while it goes on."""
        if self._ended is not None:
            return self._ended
        board = self.board
        if not board.can_move():
            reason = "mate" if board.in_check() else "stalemate"
            return won_by(board.turn ^ 1, reason, REASONS[reason])
        if len(occurrences(board)) >= self.times:
            verdict = judge(board, self.rules.name, self.times, self.span)
            winner = None if verdict.violator is None else verdict.violator ^ 1
            return won_by(winner, "repetition", verdict.reason)
        if limit_reached(board, self.limit):
            return won_by(None, "natural-limit", REASONS["natural-limit"])
        if self.material and material_draw(board):
            return won_by(None, "material", REASONS["material"])
        return None

    def copy(self) -> Game:
        """A game of its own that goes on from here by itself."""
        other = Game(rules=self.rules.name, times=self.times, span=self.span, limit=self.limit.name)
        other.material = self.material
        other._setup = self._setup
        other.board = self.board.copy()
        other._ended, other._offer, other._barred = self._ended, self._offer, self._barred
        other._past = list(self._past)
        return other
