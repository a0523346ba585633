"""Games as the binary and table formats have them: pieces on points, then steps from a point to a point.

XQF and CBR write the tree of moves in one order: a move, all that follows it, then the other moves in its place. Each
step says whether a move follows it and whether another one stands in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engines.xiangqi.board import Board
from engines.xiangqi.fen import Fen, FenError, write_fen
from engines.xiangqi.geometry import move_name, move_of
from engines.xiangqi.records.values import Node, Record

MAX_STEPS = 200_000
"""The most moves of one game, variations included."""

MAX_LINE = 4000
"""The longest line of moves."""

PIECES = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
"""The 32 pieces in the order in which XQF and DhtmlXQ tell their points: Red's from his left, then Black's."""

_KINDS = {letter: piece for piece, letter in enumerate(".KABNRCP.kabnrcp") if letter != "."}


class Step(NamedTuple):
    """A move between squares (0 is a0, 89 is i9), what is said of it, whether a move ``follows``, and whether
    ``another`` one stands in its place.
    """

    origin: int
    target: int
    comment: str = ""
    follows: bool = False
    another: bool = False


def placement(points: Sequence[int | None]) -> list[int]:
    """The pieces of the 90 squares; ``points`` are the squares of ``PIECES``, ``None`` for one that is off the board.

    ValueError where two stand on one square.
    """
    pieces = [0] * 90
    for letter, square in zip(PIECES, points, strict=True):
        if square is None or not 0 <= square < 90:
            continue
        if pieces[square]:
            raise ValueError("two pieces stand on one point")
        pieces[square] = _KINDS[letter]
    return pieces


def points_of(pieces: Sequence[int]) -> list[int | None]:
    """The squares of ``PIECES``, ``None`` for those that are not there: the reverse of ``placement``.

    Of a kind, those come first that are further to the left (of Red), and of a file those nearer to Red.
    """
    squares: dict[int, list[int]] = {}
    for square in sorted(range(90), key=lambda square: (square % 9, square // 9)):
        if pieces[square]:
            squares.setdefault(pieces[square], []).append(square)
    slots: list[int | None] = []
    for letter in PIECES:
        left = squares.get(_KINDS[letter])
        slots.append(left.pop(0) if left else None)
    return slots


def position(pieces: Sequence[int], turn: int | None, first: int | None, number: int = 1) -> str:
    """The FEN of a game's beginning. Whose piece moves ``first`` is to move, whatever the file says of ``turn``."""
    if first is not None and 0 <= first < 90 and pieces[first]:
        turn = pieces[first] >> 3
    return write_fen(Fen(tuple(pieces), turn or 0, 0, max(1, min(number, 9999))))


def set_up(record: Record, fen: str) -> Board | None:
    """Begin a record from a position: its tag, and the board. Without a board, ``Record.fault`` says why."""
    from engines.xiangqi.fen import START_FEN

    try:
        board = Board(fen, strict=False)
    except FenError as error:
        record.tags["FEN"] = fen
        record.fault = str(error)
        return None
    if board.fen() != START_FEN:
        record.tags["FEN"] = board.fen()
    return board


class Grower:
    """Grows a record's tree by moves, each checked on the board.

    A move that is not legal ends its line, and is told in ``Record.fault`` if that is the main line, else in its notes.
    """

    def __init__(self, record: Record, board: Board) -> None:
        self.record = record
        self._board = board
        self._way: list[Node] = []  # the nodes whose moves stand on the board

    @property
    def plies(self) -> int:
        """The moves on the board."""
        return len(self._way)

    @property
    def node(self) -> Node:
        """The last node on the board."""
        return self._way[-1] if self._way else self.record.root

    @property
    def turn(self) -> int:
        """Who is to move: 0 Red, 1 Black."""
        return self._board.turn

    def back(self, plies: int) -> None:
        """Go back to where so many moves stand on the board."""
        while len(self._way) > plies:
            self._way.pop()
            self._board.undo()

    def piece_at(self, square: int) -> int:
        """The piece on a square of the board as it stands now."""
        return self._board.piece_at(square)

    def play(self, origin: int, target: int) -> Node | None:
        """Make a move; its node, ``None`` for one that can't be made."""
        if len(self._way) >= MAX_LINE:
            self._blame(f"the game is longer than {MAX_LINE} plies")
            return None
        if not (0 <= origin < 90 and 0 <= target < 90):
            self._blame("a move leads off the board")
            return None
        move = move_of(origin, target)
        if not self._board.is_legal(move):
            reason = self._board.why_illegal(move) or "it is not legal"
            self._blame(f"move {self._board.fullmove_number}: {move_name(move)}: {reason}")
            return None
        node = self.node.add(move)
        self._board.play(move)
        self._way.append(node)
        return node

    def _blame(self, reason: str) -> None:
        on_main = all(
            parent.lines[0] is child for parent, child in zip([self.record.root, *self._way], self._way, strict=False)
        )
        if on_main and not self.node.lines and not self.record.fault:
            self.record.fault = reason
        elif len(self.record.notes) < 20:
            self.record.notes.append(f"a variation ends early: {reason}")


def grow(record: Record, board: Board, steps: Iterable[Step]) -> None:
    """Grow a record's tree by steps in the order of XQF and CBR; what follows a move that can't be made is left out."""
    grower = Grower(record, board)
    waiting: list[int] = []  # where further moves begin that stand in a move's place: plies before them; -1 for nowhere
    before, dead = 0, False
    for count, step in enumerate(steps):
        if count >= MAX_STEPS:
            record.notes.append(f"only the first {MAX_STEPS} moves are read")
            return
        if not dead:
            grower.back(before)
        node = None if dead else grower.play(step.origin, step.target)
        if node is not None and step.comment:
            node.say(step.comment)
        if step.another:
            waiting.append(-1 if dead else before)
        if step.follows:
            dead = node is None
            before += 1
        elif waiting:
            before = waiting.pop()
            dead = before < 0
        else:
            return
    if before:  # the last step said that another follows
        record.notes.append("the record is cut off")


def steps_of(root: Node) -> Iterable[tuple[Node, bool, bool]]:
    """The nodes below a root in the order of XQF and CBR, each with whether one follows and whether another stands in
    its place.
    """
    waiting = [(node, number < len(root.lines) - 1) for number, node in reversed(list(enumerate(root.lines)))]
    while waiting:
        node, another = waiting.pop()
        yield node, bool(node.lines), another
        last = len(node.lines) - 1
        waiting += [(line, number < last) for number, line in reversed(list(enumerate(node.lines)))]
