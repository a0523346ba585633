"""One game of Go as the referee sees it: the board, the rules in force, komi, handicap, and whether it is over.

Players get this object to read. Whoever owns it changes it through ``play``, ``undo`` and the set-up methods, each of
which either does all it says or raises and changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from engines.errors import IllegalMove
from engines.go.board import Board
from engines.go.points import BLACK, EMPTY, PASS, WHITE, opponent
from engines.go.rules import DEFAULT, Rules
from engines.go.setup import format_setup, parse_setup
from engines.go.vertex import format_vertex, parse_vertex
from engines.results import Result, Words, won_by
from engines.views import OpenView

if TYPE_CHECKING:
    from engines.go.scoring import Score

__all__ = ["Ending", "Game", "View"]

Ending = Literal["passes", "no-result", "draw"]

MAX_KOMI = 1e6
"""The largest komi either way. Far beyond every board, and small enough to reckon with."""

CYCLE_OCCURRENCES = 3
"""Under simple ko the game ends when a position, with the same player to move, stands for this time since the last pass
(KataGo's reading of the long cycle; docs/go-rules.md)."""

REASONS = {
    "score": Words("the count", "数棋", "數棋"),
    "resignation": Words("resignation", "认输", "認輸"),
    "time": Words("time", "超时", "超時"),
    "forfeit": Words("forfeit", "判负", "判負"),
    "no-result": Words("a long cycle: no result", "循环局面，无胜负", "循環局面，無勝負"),
    "draw": Words("a long cycle: a draw", "循环局面，和棋", "循環局面，和棋"),
}
"""Why a game ends, in words; the keys are those of ``Result.reason``."""

SIDE_NAMES = ("Black", "White")
"""The sides by index, in order of play."""


@dataclass(frozen=True)
class View(OpenView):
    """What a side, or anybody, may know of a game of Go. ``began`` is the start of it: stones and first player.

    ``points`` has one colour a point.
    """

    width: int = field(kw_only=True)
    height: int = field(kw_only=True)
    rules: Rules = field(kw_only=True)
    komi: float = field(kw_only=True)
    handicap: int = field(kw_only=True)
    points: bytes = field(kw_only=True)
    began: tuple[bytes, int] = field(kw_only=True)
    turns: tuple[tuple[int, int], ...] = field(kw_only=True)

    def move_text(self, move: int) -> str:
        return format_vertex(move, self.width, self.height)

    def read_move(self, text: str) -> int:
        return parse_vertex(text, self.width, self.height)

    def model(self) -> Game:
        game = Game(self.width, self.height, self.rules, self.komi)
        game.set_position(*self.began)
        game.handicap = self.handicap
        game.accept_ko = True  # whatever has been played stands
        for color, point in self.turns:
            game.play_as(color, point)
        game.accept_ko = False
        return game


class Game:
    """A game from its set-up to its last turn. Points, colours and PASS are those of ``engines.go.points``.

    ``komi`` is White's points for moving second; ``handicap`` the number of Black's handicap stones, for which White's
    compensation is a matter of the rules and never part of komi. ``accept_ko`` lets moves through that only ko or
    superko forbids, so that records of games under other rules can be replayed.
    """

    def __init__(
        self,
        width: int = 19,
        height: int = 0,
        rules: Rules = DEFAULT,
        komi: float | None = None,
        setup: str = "",
    ) -> None:
        """A new game; ``height`` 0 means square, ``komi`` None the rules' own. ``setup`` is a position as
        ``setup_text`` gives it. Raises ValueError for a wrong one of them.
        """
        self.board = Board(width, height or width, rules.ko, rules.suicide)
        self.rules = rules
        self.komi = rules.komi if komi is None else komi
        self.accept_ko = False
        self.handicap = 0
        self._ended: Result | None = None
        self.clear()
        if setup:
            stones, to_move, handicap = parse_setup(setup, self.width, self.height)
            if handicap:
                self.place_handicap(point for point, stone in enumerate(stones) if stone == BLACK)
            else:
                self.set_position(stones, to_move)

    # ------------------------------------------------------------------ set-up

    @property
    def komi(self) -> float:
        """White's points for moving second. Setting it raises ValueError beyond ``MAX_KOMI``, and for what is no
        number.
        """
        return self._komi

    @komi.setter
    def komi(self, points: float) -> None:
        if not abs(points) <= MAX_KOMI:
            raise ValueError(f"komi must be {-MAX_KOMI:.0f} to {MAX_KOMI:.0f}")
        self._komi = points

    @property
    def key(self) -> Hashable:
        """What makes the present position what it is: size, rules, komi, handicap, set-up and history.
        Games with equal keys go on alike.
        """
        board, history = self.board, tuple(self.moves)
        where = (board.width, board.height, self.setup, board.first_player, history)
        return where, self.rules, self.komi, self.handicap

    @property
    def width(self) -> int:
        return self.board.width

    @property
    def height(self) -> int:
        return self.board.height

    @property
    def points(self) -> int:
        """How many points the board has."""
        return self.board.width * self.board.height

    def resize(self, width: int, height: int) -> None:
        """An empty board of another size; rules and komi stay. Raises ValueError for a bad size."""
        self.board = Board(width, height, self.rules.ko, self.rules.suicide)
        self.clear()

    def set_rules(self, rules: Rules) -> None:
        """Change the rules in force; what has been played stays, and so does komi."""
        self.board.set_ko_rule(rules.ko)
        self.board.set_suicide(rules.suicide)
        self.rules = rules
        if self.board.turns == 0 and self.handicap == 0 and not any(self.setup):
            self.clear()

    def clear(self) -> None:
        """Back to the empty board; size, rules and komi stay."""
        self.set_position(bytes(self.points), self.rules.first_player)

    def set_position(self, stones: bytes | Sequence[int], to_move: int = BLACK) -> None:
        """Start from these stones (one colour a point), without history or handicap.

        Raises ValueError, and changes nothing, for a wrong length or a chain without liberties.
        """
        self.board.set_position(bytes(stones), to_move)
        self.setup = bytes(stones)
        self.handicap = 0
        self._ended = None

    def place_handicap(self, points: Iterable[int]) -> None:
        """Put Black's handicap stones on the empty board; White moves first.

        Raises ValueError, and changes nothing, if the board is not empty or the list repeats a point, leaves the board,
        has fewer than two stones or fills the board.
        """
        wanted = list(points)
        if self.board.turns or any(self.setup):
            raise ValueError("board not empty")
        if len(set(wanted)) != len(wanted) or not all(0 <= point < self.points for point in wanted):
            raise ValueError("bad vertex list")
        if not 2 <= len(wanted) < self.points:
            raise ValueError("bad vertex list")
        stones = bytearray(self.points)
        for point in wanted:
            stones[point] = BLACK
        self.set_position(bytes(stones), WHITE)
        self.handicap = len(wanted)

    def copy(self) -> Game:
        """A game of its own that goes on from here by itself."""
        other = Game(self.width, self.height, self.rules, self.komi)
        board = self.board.copy()
        assert isinstance(board, Board)
        other.board = board
        other.setup, other.handicap, other.accept_ko = self.setup, self.handicap, self.accept_ko
        other._ended = self._ended
        return other

    # ------------------------------------------------------------------ play

    @property
    def turn(self) -> int:
        """The side to move by the usual alternation: 0 Black, 1 White."""
        return self.board.to_move - BLACK

    @property
    def to_move(self) -> int:
        """The colour to move by the usual alternation, BLACK or WHITE; ``play_as`` lets either play all the same."""
        return self.board.to_move

    @property
    def plies(self) -> int:
        """Moves and passes since the set-up."""
        return self.board.turns

    def legal_moves(self) -> list[int]:
        """What ``play`` accepts now: the points in ascending order, then PASS. Two passes do not forbid going on."""
        if self._ended is not None:
            return []
        color = self.to_move
        if self.accept_ko:
            return [*(point for point in range(self.points) if self.is_legal(color, point)), PASS]
        return [*self.board.legal_points(color), PASS]

    def move_text(self, move: int) -> str:
        """The vertex of a point, ``pass`` for PASS. Raises ValueError for a point off the board."""
        return format_vertex(move, self.width, self.height)

    def read_move(self, text: str) -> int:
        """The point of a vertex (A1 is the lower left corner, the letter I is left out), or PASS for ``pass``, in
        either case. Raises ValueError for any other text.
        """
        return parse_vertex(text, self.width, self.height)

    def setup_text(self) -> str:
        """The position as text (``engines.go.setup``), without size, rules, komi and history; ``Game`` reads it."""
        stones = self.board.stones()
        handicap = self.handicap if not self.plies and self.to_move == WHITE else 0
        return format_setup(self.width, self.height, stones, self.to_move, handicap)

    def observe(self, side: int | None = None) -> View:
        """What a side, or (None) anybody, may know: everything, as it stands now."""
        turns = tuple(self.moves)
        return View(
            self.turn,
            self.plies,
            self.result,
            tuple(self.legal_moves()),
            tuple(self.move_text(point) for _, point in turns),
            self.setup_text(),
            pools=(Counter(), Counter()),
            width=self.width,
            height=self.height,
            rules=self.rules,
            komi=self.komi,
            handicap=self.handicap,
            points=self.board.stones(),
            began=(self.setup, self.board.first_player),
            turns=turns,
        )

    @property
    def moves(self) -> list[tuple[int, int]]:
        """All turns since the set-up: colour, and point or PASS."""
        return [self.board.turn(index) for index in range(self.board.turns)]

    def is_legal(self, color: int, point: int) -> bool:
        """Whether ``play`` would accept the move."""
        why = self.board.why_illegal(color, point)
        return not why or (self.accept_ko and why in ("ko", "superko"))

    def play(self, move: int) -> str:
        """Play a point, or PASS, for the side to move; gives its text. Raises IllegalMove, and changes nothing, for
        what is not legal and after a resignation or the like.
        """
        if not (move == PASS or 0 <= move < self.points):
            raise IllegalMove(f"{move} is no point of a {self.width}x{self.height} board")
        self.play_as(self.to_move, move)
        return self.move_text(move)

    def play_as(self, color: int, point: int) -> int:
        """Play a point, or PASS, for either colour, whoever's turn it is; returns the stones captured.

        Raises IllegalMove, and changes nothing, as ``play`` does; ValueError for a bad colour or point.
        """
        if self._ended is not None:
            raise IllegalMove("the game has ended")
        return int(self.board.play(color, point, self.accept_ko))

    def undo(self) -> int:
        """Take the last turn back and return its point, or PASS; also reopens an ended game. Raises IndexError at the
        set-up: handicap stones are no turns.
        """
        last = self.board.last_move()
        self.board.undo()
        self._ended = None
        assert last is not None
        return int(last[1])

    # ------------------------------------------------------------------ the end

    @property
    def ending(self) -> Ending | None:
        """How the game has ended by the moves on the board, or None while it goes on.

        "passes": two passes in a row; with a button the first pass of the game, which takes it, does not count.
        "no-result" or "draw": under simple ko a long cycle (triple ko, eternal life 长生/長生, sending two returning
        one) came round for the third time.
        """
        board = self.board
        turns = board.turns
        if turns >= 2 and board.turn(turns - 1)[1] == PASS and board.turn(turns - 2)[1] == PASS:
            first = turns - 2
            if not (self.rules.button and all(board.turn(index)[1] != PASS for index in range(first))):
                return "passes"
            if turns >= 3 and board.turn(turns - 3)[1] == PASS:
                return "passes"
        if self.rules.ko == "simple" and self._occurrences() >= CYCLE_OCCURRENCES:
            return self.rules.cycle
        return None

    def _occurrences(self) -> int:
        """How often the present position, with the same player to move, has stood, now included."""
        board = self.board
        now = board.hash_at(board.turns)
        mover = board.last_move()
        count = 1
        for index in range(board.turns - 1, -1, -1):
            previous = board.turn(index - 1)[0] if index else opponent(board.first_player)
            if mover is not None and previous == mover[0] and board.hash_at(index) == now:
                count += 1
        return count

    @property
    def button_holder(self) -> int:
        """Who passed first and so took the button; EMPTY where the rules have none or nobody has passed."""
        if self.rules.button:
            for color, point in self.moves:
                if point == PASS:
                    return color
        return EMPTY

    def resign(self, side: int) -> None:
        """This side (0 Black, 1 White) gives the game up."""
        self.lose(side, "resignation")

    def lose(self, side: int, reason: str) -> None:
        """The game ends as a loss for this side, by ``resignation``, ``time`` or ``forfeit``; nothing happens after an
        end. Raises ValueError for another reason.
        """
        if reason not in ("resignation", "time", "forfeit"):
            raise ValueError(f"a side can't lose by {reason!r}")
        if self._ended is None and self.ending is None:
            self._ended = won_by(side ^ 1, reason, REASONS[reason])

    @property
    def result(self) -> Result | None:
        """How the game has ended, None while it goes on. After two passes the board is counted as it stands; where
        dead stones are still on it, ask ``result_without`` them.
        """
        return self.result_without()

    def result_without(self, dead: Iterable[int] = ()) -> Result | None:
        """``result``, with the stones agreed to be dead (one of a chain is enough) off the board.

        Raises ValueError for a point without a stone.
        """
        if self._ended is not None:
            return self._ended
        ending = self.ending
        if ending is None:
            return None
        if ending == "no-result":
            return Result(None, ending, REASONS[ending], (0.0, 0.0))
        if ending == "draw":
            return won_by(None, ending, REASONS[ending])
        count = self.score(dead)
        if count.winner == EMPTY:
            return won_by(None, "score", Words("equal scores", "和棋", "和棋"))
        winner, points = count.winner - BLACK, count.text[2:]
        words = Words(
            f"{SIDE_NAMES[winner]} wins by {points}", f"{'黑白'[winner]}胜{points}目", f"{'黑白'[winner]}勝{points}目"
        )
        return won_by(winner, "score", words)

    def seki(self, dead: Iterable[int] = ()) -> frozenset[int]:
        """The stones in seki in the position as it stands, once the given stones, whole chains, are off.

        They live without two eyes of their own. Small groups are read out, so that it may take a moment.
        """
        from engines.go.fates import Fates, seki_stones  # as in `score`

        off = frozenset(dead)
        living = bytes(EMPTY if point in off else stone for point, stone in enumerate(self.board.stones()))
        return seki_stones(Fates(), self.width, self.height, living)

    def score(self, dead: Iterable[int] = ()) -> Score:
        """The count of the position as it stands, once the given stones are off (where the rules take any off)."""
        # Not needed before a game ends: a daemon that has just been started does without.
        from engines.go.scoring import score

        return score(
            self.width,
            self.height,
            self.board.stones(),
            self.rules,
            komi=self.komi,
            dead=dead,
            black_captured=self.board.prisoners_of(WHITE),
            white_captured=self.board.prisoners_of(BLACK),
            handicap_stones=self.handicap,
            button=self.button_holder,
        )
