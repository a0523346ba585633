"""One game as the referee sees it: the board with all that lies face down, the rules, offers, and how it has ended.

Players never get this object: they get ``Game.observe(side)``, a view that holds neither it nor the deal.
"""

from __future__ import annotations

import random
from collections import Counter

from engines.jieqi.board import Board, IllegalMove, Point
from engines.jieqi.deal import Deal, shuffle
from engines.jieqi.ends import REASONS, Result, Rules, outcome, result_of
from engines.jieqi.fen import Position, read_fen, write_fen
from engines.jieqi.forms import form_of, home_color
from engines.jieqi.moves import Told, move_text
from engines.jieqi.view import View, read_bare
from engines.xiangqi.game import OfferError
from engines.xiangqi.geometry import NO_SLOT, NOWHERE, SIDE_NAMES

__all__ = ["REASONS", "Game", "IllegalMove", "OfferError", "Result", "Rules"]

_REFEREE = "referee"


class Game:
    """A game from its set-up to its end.

    In fanqi's free forms the game begins with a *laying phase*: until the first move each side may give its layout
    (``lay``); who gives none has the referee's shuffle.
    """

    def __init__(
        self,
        form: str = "jieqi",
        setup: str | None = None,
        deal: Deal | None = None,
        seed: int | str | None = None,
        rules: Rules | None = None,
    ) -> None:
        """A new game, from the start or from a FEN (``setup``), which says who has seen what.

        ``deal`` says what lies face down; where there is none it is drawn from ``seed``, or without one from the
        operating system's generator, as the pool of the set-up allows. ``ValueError`` when they don't fit together,
        ``FenError`` for a bad set-up.
        """
        self.rules = rules or Rules(form)
        if self.rules.form != form:
            raise ValueError(f"rules of {self.rules.form} for a game of {form}")
        self.form = form_of(form)
        self._first = read_fen(setup, form) if setup is not None else read_start(form)
        if deal is not None and deal.form != form:
            raise ValueError(f"a deal of {deal.form} for a game of {form}")
        hidden = _drawn(self._first, seed) if deal is None else dict(deal.hidden)
        self._begin(hidden)
        self._laid: set[int] = set()
        self._told: list[Told] = []
        self._ended: Result | None = None
        self._offer: int | None = None
        self._barred: int | None = None
        self._past: list[tuple[int | None, int | None]] = []

    def _begin(self, hidden: dict[int, int]) -> None:
        """Lay the pieces. ``ValueError`` where what lies face down doesn't fit the set-up."""
        points, left = list(self._first.points), Counter(self._first.pool)
        for square, point in enumerate(points):
            if point is None or not point.dark or point.piece:
                continue
            piece = hidden.get(square, 0)
            if left[piece] < 1 or piece >> 3 != home_color(square):
                raise ValueError("the deal does not fit the set-up")
            left[piece] -= 1
            points[square] = Point(piece, True)
        self._aside = +left  # taken face down before the set-up, by a move nobody here saw
        self._hidden = {square: point.piece for square, point in enumerate(points) if point and point.dark}
        self._judged: tuple[int, Result | None] = (-1, None)  # the plies it is for, and the outcome on the board
        self._board = Board(self.form.name, points, self._first.turn, self._first.clock, self._first.number)

    # -- the position

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
        """The referee's board, with all that lies face down; a copy. Not for players."""
        return self._board.copy()

    @property
    def deal(self) -> Deal:
        """What lay face down at the set-up. Not for players; ``opened`` is."""
        return Deal(self.form.name, dict(self._hidden))

    def opened(self) -> Deal:
        """The deal for all to see. ``ValueError`` before the game has ended on the board or by agreement."""
        if self.result is None:
            raise ValueError("the deal is shown when the game is over")
        return self.deal

    def position(self, side: int | str | None = _REFEREE) -> Position:
        """The position as the referee may publish it to nobody but itself, or as a side or spectator (``None``) knows
        it. The referee's has in ``captured`` every piece taken face down; what still lies face down is in its pool."""
        board = self._board
        points, pool = board.points(), Counter(self._aside)
        captured: Counter[int] = Counter()
        for slot in range(32):
            square, _, point = board.slot(slot)
            if not point.dark or (square == NOWHERE and point.shown):
                continue  # what was turned down before all eyes was never hidden
            sees = self._sees(side, slot)
            if square == NOWHERE:
                if sees:
                    captured[point.piece] += 1
                else:
                    pool[point.piece] += 1
            elif not sees:
                pool[point.piece] += 1
                points[square] = Point(0, True)
        for piece, count in self._first.captured.items():
            seen = side == _REFEREE or self._takes_see(side, piece >> 3)
            (captured if seen else pool)[piece] += count
        return Position(
            self.form.name,
            tuple(points),
            board.turn,
            Counter(dict(sorted((+pool).items()))),
            Counter(dict(sorted((+captured).items()))),
            board.halfmove_clock,
            board.fullmove_number,
        )

    def _takes_see(self, side: int | str | None, color: int) -> bool:
        """Whether a side sees what a piece of a color was that is taken face down."""
        view = self.rules.capture_view
        return side == _REFEREE or view == "both" or (view == "captor" and side == color ^ 1)

    def _sees(self, side: int | str | None, slot: int) -> bool:
        """Whether a side knows what the face-down piece of a slot is, or was when it was taken."""
        square, _, point = self._board.slot(slot)
        color = slot >> 4
        if not point.dark or point.shown or self.form.layout == "open":
            return True
        if self.form.layout == "free" and side == color:
            return True
        return square == NOWHERE and self._takes_see(side, color)

    def setup_text(self, dialect: str = "jieqibox") -> str:
        """The referee's FEN. What still lies face down is not in it, only what is left to show."""
        return write_fen(self.position(), dialect)

    def observe(self, side: int | None) -> View:
        """What a side, or a spectator (``None``), may know now. ``ValueError`` for a side that there is not."""
        if side not in (0, 1, None):
            raise ValueError(f"there is no side {side!r}; there are 0, 1 and None for a spectator")
        known = [slot for slot in range(32) if self._sees(side, slot)]
        position = self.position(side)
        return View(
            self._board.blinded(known),
            side,
            self.rules,
            position.pool,
            position.captured,
            self.told(side),
            self.result,
            self.laying,
        )

    # -- laying

    @property
    def laying(self) -> bool:
        """Whether layouts may still be given: in a free form from the start, before the first move."""
        return self.form.layout == "free" and self.plies == 0 and self._first == read_start(self.form.name)

    def lay(self, side: int, letters: str) -> None:
        """Take a side's layout, its pieces in the order of squares (a0 first); the other side learns nothing of it.

        ``DealError`` for other pieces than the side lays, ``ValueError`` when it has laid or nothing is to be laid.
        """
        if not self.laying:
            raise ValueError(f"nothing is laid now in {self.form.name}")
        if side in self._laid:
            raise ValueError(f"{SIDE_NAMES[side]} has laid its pieces")
        self._begin(dict(self.deal.with_layout(side, letters).hidden))
        self._laid.add(side)

    # -- moves

    def legal_moves(self) -> list[int]:
        """The moves that the side to move may choose from; none after the end."""
        return [] if self.result is not None else self._board.legal_moves()

    def move_text(self, move: int) -> str:
        """A move as a player sends it: ``h2h9``, ``b8b2x``."""
        return move_text(move)

    def read_move(self, text: str) -> int:
        """The legal move that a player's text names. ``ValueError`` for any other, or where it says what shows."""
        return read_bare(self._board, text)

    def play(self, move: int) -> str:
        """Make a legal move; returns it as the referee writes it, ``h2h9Pr``. It refuses an offer of the opponent's.

        ``IllegalMove`` for any other move, or after the end, and nothing changes.
        """
        if self._ended is not None:
            raise IllegalMove("the game has ended")
        board = self._board
        reason = board.why_illegal(move)
        if reason is not None:
            raise IllegalMove(reason)
        origin, target = board.point(move >> 7 & 127), board.point(move & 127)
        assert origin is not None
        told = Told(
            move,
            origin.piece if origin.dark else 0,
            target.piece if target is not None and target.dark else 0,
        )
        board.play(move)
        self._judged = (-1, None)
        self._told.append(told)
        self._past.append((self._offer, self._barred))
        if self._offer == board.turn:
            self._refused()
        return told.text

    def undo(self) -> int:
        """Take the last move back, with what it did to offers; an ended game goes on. ``IndexError`` at the start."""
        move = self._board.undo()
        self._judged = (-1, None)
        self._told.pop()
        self._offer, self._barred = self._past.pop()
        self._ended = None
        return move

    @property
    def moves(self) -> list[str]:
        """The moves as the referee writes them."""
        return [told.text for told in self._told]

    @property
    def last(self) -> Told:
        """The last move with all that it showed. Not for players. ``IndexError`` at the start."""
        return self._told[-1]

    def told(self, side: int | None) -> list[str]:
        """The moves as a side, or a spectator (``None``), was told them."""
        found = []
        for ply, told in enumerate(self._told):
            slot = self._board.taken_at(ply)
            if told.taken and slot != NO_SLOT and not self._sees(side, slot):
                told = Told(told.move, told.shown)
            found.append(told.text)
        return found

    # -- offers and the end

    @property
    def offered_by(self) -> int | None:
        """Whose draw offer stands."""
        return self._offer

    def may_offer(self, side: int) -> str | None:
        """Why this side may not offer a draw now; ``None`` when it may. The rules of offers are Xiangqi's."""
        name = SIDE_NAMES[side]
        if self._ended is not None:
            return "the game has ended"
        if self._offer is not None:
            return f"{SIDE_NAMES[self._offer]}'s offer still stands"
        if side != self.turn:
            return f"it is not {name}'s turn"
        if self._barred == side:
            return f"{name}'s last offer was refused; the next one is {SIDE_NAMES[side ^ 1]}'s"
        return None

    def offer_draw(self, side: int) -> None:
        """Offer a draw; it stands until answered. ``OfferError`` when this side may not now."""
        reason = self.may_offer(side)
        if reason is not None:
            raise OfferError(reason)
        self._offer, self._barred = side, None

    def answer_offer(self, side: int, accept: bool) -> None:
        """Accept or refuse the other side's offer. ``OfferError`` when there is none."""
        if self._ended is not None or self._offer != side ^ 1:
            raise OfferError(f"there is no offer for {SIDE_NAMES[side]} to answer")
        if accept:
            self._ended = result_of(None, "agreement")
        else:
            self._refused()

    def _refused(self) -> None:
        self._offer, self._barred = None, self._offer

    def resign(self, side: int) -> None:
        """This side gives the game up."""
        self.lose(side, "resignation")

    def lose(self, side: int, reason: str) -> None:
        """The game ends as a loss for this side, by ``resignation``, ``time`` or ``forfeit``; nothing happens after an
        end. ``ValueError`` for another reason."""
        if reason not in ("resignation", "time", "forfeit"):
            raise ValueError(f"a side can't lose by {reason!r}")
        if self.result is None:
            self._ended = result_of(side ^ 1, reason)

    @property
    def result(self) -> Result | None:
        """How the game has ended, ``None`` while it goes on."""
        if self._ended is not None:
            return self._ended
        if self._judged[0] != self.plies:
            self._judged = (self.plies, outcome(self._board, self.rules))
        return self._judged[1]

    def copy(self) -> Game:
        """A game of its own that goes on from here by itself."""
        other = Game.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._board = self._board.copy()
        other._laid, other._told, other._past = set(self._laid), list(self._told), list(self._past)
        return other


def read_start(form: str) -> Position:
    """The position at the start of a form, as a spectator knows it."""
    board = Board(form)
    pool: Counter[int] = Counter()
    for slot in range(32):
        _, moves_as, point = board.slot(slot)
        if point.dark and not point.piece:
            pool[moves_as] += 1
    return Position(form, tuple(board.points()), pool=pool)


def _drawn(position: Position, seed: int | str | None) -> dict[int, int]:
    """What lies face down, drawn from the position's pool."""
    source: random.Random = random.SystemRandom() if seed is None else random.Random(str(seed))
    hidden: dict[int, int] = {}
    for color in (0, 1):
        squares = [
            square
            for square, point in enumerate(position.points)
            if point and point.dark and not point.piece and home_color(square) == color
        ]
        pieces = sorted(piece for piece in position.pool.elements() if piece >> 3 == color)
        shuffle(pieces, source)
        hidden.update(zip(squares, pieces, strict=False))
    return hidden
