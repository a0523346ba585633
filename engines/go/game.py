"""One game of Go as the referee sees it: the board, the rules in force, komi, handicap, and whether it is over.

Players get this object to read. Whoever owns it changes it through ``play``, ``undo`` and the set-up methods, each of
which either does all it says or raises and changes nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from engines.go.board import Board, IllegalMove
from engines.go.points import BLACK, EMPTY, PASS, WHITE, opponent
from engines.go.rules import DEFAULT, Rules

if TYPE_CHECKING:
    from engines.go.scoring import Score

__all__ = ["Ending", "Game", "IllegalMove"]

Ending = Literal["passes", "no-result", "draw"]

MAX_KOMI = 1e6
"""The largest komi either way. Far beyond every board, and small enough to reckon with."""

CYCLE_OCCURRENCES = 3
"""Under simple ko the game ends when a position, with the same player to move, stands for this time since the last pass
(KataGo's reading of the long cycle; docs/go-rules.md)."""


class Game:
    """A game from its set-up to its last turn. Points, colours and PASS are those of ``engines.go.points``.

    ``komi`` is White's points for moving second; ``handicap`` the number of Black's handicap stones, for which White's
    compensation is a matter of the rules and never part of komi. ``accept_ko`` lets moves through that only ko or
    superko forbids, so that records of games under other rules can be replayed.
    """

    def __init__(self, width: int = 19, height: int = 0, rules: Rules = DEFAULT, komi: float | None = None) -> None:
        """A new game; ``height`` 0 means square, ``komi`` None the rules' own. Raises ValueError for a wrong one."""
        self.board = Board(width, height or width, rules.ko, rules.suicide)
        self.rules = rules
        self.komi = rules.komi if komi is None else komi
        self.accept_ko = False
        self.handicap = 0
        self._marked: frozenset[int] | None = None
        self.clear()

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
        """What makes the present position what it is: size, rules, komi, handicap, set-up, history and marked stones.
        Games with equal keys go on alike.
        """
        board, history = self.board, tuple(self.moves)
        where = (board.width, board.height, self.setup, board.first_player, history)
        return where, self.rules, self.komi, self.handicap, self._marked

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
        self._marked = None

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
        other._marked = self._marked
        return other

    # ------------------------------------------------------------------ play

    @property
    def to_move(self) -> int:
        """Whose turn it is by the usual alternation; either colour may play all the same."""
        return self.board.to_move

    @property
    def moves(self) -> list[tuple[int, int]]:
        """All turns since the set-up: colour, and point or PASS."""
        return [self.board.turn(index) for index in range(self.board.turns)]

    def is_legal(self, color: int, point: int) -> bool:
        """Whether ``play`` would accept the move."""
        why = self.board.why_illegal(color, point)
        return not why or (self.accept_ko and why in ("ko", "superko"))

    def play(self, color: int, point: int) -> int:
        """Play a move or PASS; returns the stones captured. Raises IllegalMove, and changes nothing."""
        captured = self.board.play(color, point, self.accept_ko)
        self._marked = None
        return captured

    def undo(self) -> None:
        """Take the last turn back. Raises IndexError at the set-up: handicap stones are no turns."""
        self.board.undo()
        self._marked = None

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

    def mark_dead(self, points: Iterable[int]) -> None:
        """Keep what the players agreed to be dead, until the board changes. Raises ValueError for an empty point."""
        wanted = frozenset(points)
        for point in wanted:
            if not 0 <= point < self.points or self.board.at(point) == EMPTY:
                raise ValueError("no stone there")
        self._marked = frozenset(stone for point in wanted for stone in self.board.chain(point))

    @property
    def marked_dead(self) -> frozenset[int] | None:
        """The stones marked dead, whole chains; None when nobody has marked any since the board last changed."""
        return self._marked

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
