"""The count of a finished game: area or territory, taxes, prisoners, komi, and the Chinese count in zi (子).

``score`` takes a position as a plain value (``engines.go.points``) and the stones agreed to be dead; it judges nothing.
Every number that enters the result stays visible in the ``Score``: komi, compensation for handicap, prisoners, tax.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engines.go.life import areas, find_groups
from engines.go.points import BLACK, EMPTY, WHITE, chains, check_position
from engines.go.rules import Rules
from engines.go.territory import find_territory


@dataclass(frozen=True)
class Side:
    """What one colour counts, in points.

    ``stones`` on the board after the dead are off, ``territory`` the surrounded points that count, ``prisoners`` stones
    taken from the opponent in play and as dead, ``groups`` the living groups that pay tax, ``button`` whether it took
    the button. Which of them make the total depends on the rules: see ``Score``.
    """

    stones: int
    territory: int
    prisoners: int
    groups: int
    button: bool


@dataclass(frozen=True)
class Score:
    """The count of one position under one rule set. All figures are points, as whole or fractional numbers.

    ``owner`` has one colour a point: whose stone or counted territory it is, ``EMPTY`` for dame and points that count
    for nobody. ``komi`` and ``handicap`` are what White gets for moving second and for Black's handicap stones.
    """

    width: int
    height: int
    rules: Rules
    black: Side
    white: Side
    komi: float
    handicap: int
    owner: bytes

    def total(self, color: int) -> float:
        """All points of a colour; White's include komi and handicap compensation."""
        side = self.black if color == BLACK else self.white
        points = float(side.territory - 2 * side.groups)
        points += side.stones if self.rules.scoring == "area" else side.prisoners
        points += 0.5 if side.button else 0.0
        return points + self.komi + self.handicap if color == WHITE else points

    @property
    def margin(self) -> float:
        """Black's points less White's: positive if Black wins, 0 for a tie."""
        return self.total(BLACK) - self.total(WHITE)

    @property
    def winner(self) -> int:
        """BLACK, WHITE, or EMPTY for a tie."""
        return EMPTY if self.text == "0" else BLACK if self.margin > 0 else WHITE

    @property
    def text(self) -> str:
        """The result as GTP and SGF write it: ``B+7.5``, ``W+31``, ``0``."""
        return format_result(self.margin)

    def zi(self, color: int = BLACK) -> Zi:
        """The Chinese count of one colour. Raises ``ValueError`` under territory scoring."""
        if self.rules.scoring != "area":
            raise ValueError("only area scoring counts in zi")
        side, other = (self.black, self.white) if color == BLACK else (self.white, self.black)
        points = self.width * self.height
        own, opposing = side.stones + side.territory, other.stones + other.territory
        given = (self.komi + self.handicap) / 2
        return Zi(
            color=color,
            points=points,
            own=own,
            shared=points - own - opposing,
            komi=self.komi / 2,
            handicap=self.handicap / 2,
            tax=side.groups - other.groups,
            button=(0.25 if side.button else 0.0) - (0.25 if other.button else 0.0),
            needed=points / 2 + (given if color == BLACK else -given),
        )


def format_result(margin: float) -> str:
    """A margin in points, positive for Black, as ``B+7.5``, ``W+31`` or ``0``; at most four decimals are shown."""
    digits = f"{abs(margin):.4f}".rstrip("0").rstrip(".")
    if digits == "0":
        return "0"
    return f"{'B' if margin > 0 else 'W'}+{digits}"


def whole_chains(width: int, height: int, stones: Sequence[int], points: Iterable[int]) -> set[int]:
    """The given stones with the rest of their chains. Raises ``ValueError`` for a point without a stone."""
    wanted = set(points)
    for point in wanted:
        if not 0 <= point < width * height or stones[point] == EMPTY:
            raise ValueError(f"no stone at point {point} to be dead")
    return {
        point
        for color in (BLACK, WHITE)
        for chain in chains(width, height, stones, color)
        if not wanted.isdisjoint(chain)
        for point in chain
    }


def score(
    width: int,
    height: int,
    stones: Sequence[int],
    rules: Rules,
    *,
    komi: float | None = None,
    dead: Iterable[int] = (),
    black_captured: int = 0,
    white_captured: int = 0,
    handicap_stones: int = 0,
    button: int = EMPTY,
) -> Score:
    """Count a position under ``rules``.

    ``komi``: points for White, the rules' default if not given. ``dead``: agreed dead stones of either colour; one of a
    chain stands for all of it. Rules that count the board as it stands (``Rules.removes_dead`` off) ignore them.
    ``black_captured``, ``white_captured``: stones of that colour taken in play; only territory scoring counts them.
    ``handicap_stones``: how many Black began with, for White's compensation. ``button``: who passed first.

    Raises ``ValueError`` for a malformed position and for dead points without a stone; nothing else fails.
    """
    check_position(width, height, stones)
    removed = whole_chains(width, height, stones, dead) if rules.removes_dead else set()
    taken = {color: sum(stones[point] == color for point in removed) for color in (BLACK, WHITE)}
    board = bytes(EMPTY if point in removed else stone for point, stone in enumerate(stones))

    owner = bytearray(areas(width, height, board))
    groups = {BLACK: 0, WHITE: 0}
    if rules.tax != "none":
        found = find_territory(width, height, stones, removed)
        uncounted = set(found.seki)
        for group in find_groups(width, height, board):
            if rules.tax == "all" and not group.stones <= found.seki:
                groups[group.color] += 1
            # The territory takes dame to connect chains; the groups say what happens when those are filled.
            if rules.scoring == "territory" and group.alive:
                uncounted |= group.repairs
        if rules.scoring == "territory":
            uncounted |= found.unfilled
        for point in uncounted:
            if board[point] == EMPTY:
                owner[point] = EMPTY

    def side(color: int, prisoners: int) -> Side:
        on_board = sum(stone == color for stone in board)
        return Side(
            stones=on_board,
            territory=sum(who == color for who in owner) - on_board,
            prisoners=prisoners,
            groups=groups[color],
            button=rules.button and button == color,
        )

    return Score(
        width=width,
        height=height,
        rules=rules,
        black=side(BLACK, white_captured + taken[WHITE]),
        white=side(WHITE, black_captured + taken[BLACK]),
        komi=rules.komi if komi is None else komi,
        handicap=rules.handicap_points(handicap_stones),
        owner=bytes(owner),
    )


_FRACTIONS = {0.0: "", 0.25: "¼", 0.5: "½", 0.75: "¾"}

# One column a script: the words of a count in zi.
_WORDS = {
    "simplified": {"black": "黑", "white": "白", "wins": "胜", "tie": "和棋", "komi": "贴", "handicap": "还"},
    "traditional": {"black": "黑", "white": "白", "wins": "勝", "tie": "和棋", "komi": "貼", "handicap": "還"},
}


@dataclass(frozen=True)
class Zi:
    """The Chinese count (数子法/數子法) of one colour: stones and points against half the board. One zi is two points.

    ``own``: stones and surrounded points of ``color``; ``shared``: points that are nobody's, half of which it gets;
    ``tax``: zi it gives back for its groups, less those it is given back for the opponent's (还棋头/還棋頭);
    ``needed``: what it must exceed to win: half of all points, with half of komi and of the handicap compensation
    added for Black (贴子/貼子 and 还子/還子), taken off for White. ``komi`` and ``handicap`` are those halves;
    ``button`` is a quarter zi for having taken the button, or minus that.
    """

    color: int
    points: int
    own: int
    shared: int
    komi: float
    handicap: float
    tax: int
    button: float
    needed: float

    @property
    def count(self) -> float:
        """The zi of the colour: its own points, half of the shared, tax and button settled."""
        return self.own + self.shared / 2 - self.tax + self.button

    @property
    def margin(self) -> float:
        """By how many zi the colour wins; negative if it loses."""
        return self.count - self.needed

    def text(self, script: str = "simplified") -> str:
        """The count in words, such as 黑185子，贴3¾子，黑胜¾子; ``script`` is "simplified" or "traditional"."""
        words = _WORDS[script]
        parts = [words["black" if self.color == BLACK else "white"] + format_zi(self.count)]
        if self.komi:
            parts.append(words["komi"] + format_zi(self.komi))
        if self.handicap:
            parts.append(words["handicap"] + format_zi(self.handicap))
        return "，".join([*parts, self.result(script)])

    def result(self, script: str = "simplified") -> str:
        """The result in words, such as 黑胜¾子, 白勝1¼子 or 和棋; ``script`` is "simplified" or "traditional"."""
        words = _WORDS[script]
        if abs(self.margin) < 5e-5:
            return words["tie"]
        winner = "black" if (self.margin > 0) == (self.color == BLACK) else "white"
        return words[winner] + words["wins"] + format_zi(abs(self.margin))


def format_zi(count: float) -> str:
    """A number of zi with quarters as fractions: 3¾子, ½子, 185子; other parts as decimals."""
    whole = int(abs(count))
    fraction = abs(count) - whole
    sign = "-" if count < 0 else ""
    if fraction not in _FRACTIONS:
        return sign + f"{abs(count):.4f}".rstrip("0").rstrip(".") + "子"
    digits = str(whole) if whole or not fraction else ""
    return f"{sign}{digits}{_FRACTIONS[fraction]}子"
