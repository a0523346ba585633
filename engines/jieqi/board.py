"""The board of jieqi and fanqi as Python callers use it: position, legal moves, check, play and undo, perft.

A board knows what its holder may know: the referee's has every piece that lies face down, a view's has 0 for those
unseen. Squares, pieces and moves are those of ``pieces``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import cython

from engines.errors import IllegalMove
from engines.jieqi.forms import HOME, form_of, home_color
from engines.jieqi.pieces import Pieces
from engines.xiangqi.geometry import KIND_NAMES, SIDE_NAMES, move_name, square_name

if not cython.compiled:  # compiled, board.pxd imports all of these in C
    from engines.jieqi.pieces import DARK_ADVISORS_FREE, FREE_ADVISORS, FREE_ELEPHANTS, TURN_DOWN
    from engines.xiangqi.geometry import BLACK, FILE_OF, NO_SLOT, NOWHERE, POP, RANK_OF, ZOBRIST_TURN

__all__ = ["Board", "IllegalMove", "Point", "start_points"]


class Point(NamedTuple):
    """What stands on a point: ``piece`` is what it is (kind + 8 for Black), 0 where that is not known.

    ``dark``: it lies face down; ``shown``: it was turned down before all eyes.
    """

    piece: int
    dark: bool = False
    shown: bool = False


def start_points(form: str, hidden: dict[int, int] | None = None) -> list[Point | None]:
    """The 90 points at the start of a form; ``hidden`` has the pieces that lie face down by square, as far as known."""
    table = form_of(form)
    points: list[Point | None] = [None] * 90
    for square, kind in enumerate(HOME):
        piece = kind + 8 * home_color(square)
        if kind in table.dark:
            points[square] = Point(piece if table.layout == "open" else (hidden or {}).get(square, 0), True)
        elif kind:
            points[square] = Point(piece)
    return points


@cython.final
@cython.cclass
class Board(Pieces):
    """A position with the moves that led to it.

    >>> len(Board("jieqi").legal_moves()), len(Board("fanqi4").legal_moves())
    (44, 44)
    """

    def __init__(
        self,
        form: str = "jieqi",
        points: Sequence[Point | None] | None = None,
        turn: int = 0,
        clock: int = 0,
        number: int = 1,
    ) -> None:
        """The start of a form, or a position; ``clock`` is plies without a capture, ``number`` that of the round.

        ``ValueError`` for an unknown form, a side without its one general or with more than sixteen pieces, and where
        the side to move could take the general. What else a position may have is for ``fen.read_fen`` to judge.
        """
        table = form_of(form)
        self.clear()
        self.form = form
        self.flags = FREE_ADVISORS if table.free_advisors else 0
        self.flags |= FREE_ELEPHANTS if table.free_elephants else 0
        self.flags |= DARK_ADVISORS_FREE if table.dark_advisors_free else 0
        self.turning = table.turning_mask
        self.start_number = number
        if turn == BLACK:
            self.hash = ZOBRIST_TURN[0]
        self.side = self.start_side = turn
        self.clock = clock
        free = [1, 17]
        for square, point in enumerate(points if points is not None else start_points(form)):
            if point is None:
                continue
            color = home_color(square) if point.dark else point.piece >> 3
            slot = free[color]
            if point.piece & 7 == 1 and not point.dark:
                slot = color << 4
                if self.place[slot] != NOWHERE:
                    raise ValueError(f"{SIDE_NAMES[color]} has more than one general")
            elif slot > (color << 4) + 15:
                raise ValueError(f"{SIDE_NAMES[color]} has more than 16 pieces")
            else:
                free[color] += 1
            moves_as = HOME[square] + 8 * color if point.dark else point.piece
            self.add(slot, square, moves_as, point.dark, point.shown, point.piece)
        for color in (0, 1):
            if self.place[color << 4] == NOWHERE:
                raise ValueError(f"{SIDE_NAMES[color]} has no general")
        if self.exposed(self.side ^ 1, NOWHERE, NOWHERE):
            raise ValueError(f"{SIDE_NAMES[self.side]} is to move and could take the general")

    # -- what there is

    @property
    def key(self) -> int:
        """64-bit Zobrist key of what everybody knows: pieces, face-down marks, pieces turned down, side to move."""
        return self.hash

    @property
    def turn(self) -> int:
        """``RED`` or ``BLACK``, to move."""
        return self.side

    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture."""
        return self.clock

    @property
    def fullmove_number(self) -> int:
        """The number of the round; it grows after Black's move."""
        return self.start_number + (self.ply + self.start_side) // 2

    @property
    def plies(self) -> int:
        """How many moves were played since the position was set up."""
        return self.ply

    @property
    def history(self) -> list[int]:
        """The moves played since the position was set up."""
        return [self.past_moves[i] & 0x7FFF for i in range(self.ply)]

    @property
    def keys(self) -> list[int]:
        """The keys of the positions since it was set up, first to present."""
        return [self.past_keys[i] for i in range(self.ply)] + [self.hash]

    def occurrences(self) -> list[int]:
        """How many plies ago the present position was on the board, nearest first, 0 (now) included."""
        oldest: cython.int = max(0, self.ply - self.clock)
        i: cython.int
        found = [0]
        for i in range(self.ply - 1, oldest - 1, -1):
            if self.past_keys[i] == self.hash:
                found.append(self.ply - i)
        return found

    def slot_at(self, square: int) -> int:
        """The slot of the piece on a square, ``NO_SLOT`` (32) where empty. ``IndexError`` off the board."""
        if not 0 <= square < 90:
            raise IndexError(f"no square {square}")
        return self.squares[square]

    def apparent(self, square: int) -> int:
        """The piece that stands on a square, or that a face-down piece there moves as; 0 where empty."""
        return self.kinds[self.slot_at(square)]

    def piece_at(self, square: int) -> int:
        """``apparent``, by the name that the rules of repetition know it by."""
        return self.apparent(square)

    def is_dark(self, square: int) -> bool:
        """Whether a piece lies face down there."""
        return bool(self.dark[self.slot_at(square)])

    def point(self, square: int) -> Point | None:
        """What stands on a square, ``None`` where empty."""
        slot: cython.int = self.slot_at(square)
        if slot == NO_SLOT:
            return None
        return Point(self.truth[slot], bool(self.dark[slot]), bool(self.shown[slot]))

    def points(self) -> list[Point | None]:
        """What stands on each of the 90 squares."""
        return [self.point(square) for square in range(90)]

    def slot(self, slot: int) -> tuple[int, int, Point]:
        """Where the piece of a slot stands (90: taken), what it moves as, and what it is; as it was when taken."""
        return (
            self.place[slot],
            self.kinds[slot],
            Point(self.truth[slot], bool(self.dark[slot]), bool(self.shown[slot])),
        )

    def taken_at(self, ply: int) -> int:
        """The slot taken by the move after so many plies, ``NO_SLOT`` for none. ``IndexError`` if it was not played."""
        if not 0 <= ply < self.ply:
            raise IndexError(f"no ply {ply}")
        made: cython.int = self.past_moves[ply]
        return made >> 16

    # -- moves

    def legal_moves(self) -> list[int]:
        """All legal moves; where a piece may be turned down on landing, both ways are moves of their own."""
        moves = cython.declare(cython.ushort[256])
        count: cython.int = self.generate_legal(moves)
        return [moves[i] for i in range(count)]

    def is_legal(self, move: int) -> bool:
        """Whether a move is legal."""
        if not 0 < move < 1 << 15:
            return False
        origin: cython.int = move >> 7 & 127
        target: cython.int = move & 127
        if origin >= 90 or target >= 90:
            return False
        slot: cython.int = self.squares[origin]
        taken: cython.int = self.squares[target]
        if slot >> 4 != self.side or taken >> 4 == self.side or not self.reaches(slot, target, taken != NO_SLOT):
            return False
        if move & TURN_DOWN and not self.may_turn_down(slot, target):
            return False
        return not self.exposed(self.side, origin, target)

    def why_illegal(self, move: int) -> str | None:
        """The reason a move is not legal; ``None`` when it is."""
        if self.is_legal(move):
            return None
        origin, target = move >> 7 & 127, move & 127
        if not (0 < move < 1 << 15 and origin < 90 and target < 90):
            return "that is no move on this board"
        name = move_name(move & 0x3FFF)
        slot: cython.int = self.squares[origin]
        if slot == NO_SLOT:
            return f"{name}: there is no piece on {square_name(origin)}"
        if slot >> 4 != self.side:
            return f"{name}: it is {SIDE_NAMES[self.side]}'s turn and the piece on {square_name(origin)} is not"
        if self.squares[target] >> 4 == self.side:
            return f"{name}: the piece on {square_name(target)} is {SIDE_NAMES[self.side]}'s own"
        if not self.reaches(slot, target, self.squares[target] != NO_SLOT):
            kind = KIND_NAMES[self.kinds[slot] & 7]
            lying = "a face-down piece on the point of " if self.dark[slot] else ""
            return f"{name}: {lying}{'an' if kind[0] in 'aeiou' else 'a'} {kind} can't go there"
        if self.exposed(self.side, NOWHERE, NOWHERE) and self.exposed(self.side, origin, target):
            return f"{name}: the general stays in check"
        if self.exposed(self.side, origin, target):
            return f"{name}: it would expose the general to capture"
        if self.turning == 0:
            return f"{name}x: no piece is turned down in this game"
        if self.dark[slot]:
            return f"{name}x: the piece has just been turned up; it can't be turned down in the same move"
        if not self.turning >> (self.kinds[slot] & 7) & 1:
            return f"{name}x: {KIND_NAMES[self.kinds[slot] & 7]}s are not turned down in this form"
        return f"{name}x: a piece is turned down only on a starting point of its own side, not the general's"

    def play(self, move: int) -> None:
        """Play a legal move. ``IllegalMove``, with the reason and nothing changed, for any other; ``ValueError`` when
        it would turn up a piece that is not known here (``learn`` it before)."""
        reason = self.why_illegal(move)
        if reason is not None:
            raise IllegalMove(reason)
        if self.truth[self.squares[move >> 7 & 127]] == 0:
            raise ValueError(f"{move_name(move & 0x3FFF)}: what turns up there is not known")
        self.reserve(1)
        self.make(move)

    def undo(self) -> int:
        """Take back the last move and return it. ``IndexError`` when there is none."""
        if self.ply == 0:
            raise IndexError("no move to take back")
        self.unmake()
        return self.past_moves[self.ply] & 0x7FFF

    def learn(self, slot: int, piece: int) -> None:
        """Note what the face-down piece of a slot is; 0 to forget it."""
        if not 0 <= slot < 32 or not self.dark[slot] or self.shown[slot]:
            raise ValueError(f"the piece of slot {slot} does not lie face down unseen")
        self.truth[slot] = piece

    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return bool(self.exposed(self.side, NOWHERE, NOWHERE))

    def attacked(self, color: int) -> bool:
        """Whether a color's general is attacked, whoever is to move."""
        return bool(self.exposed(color, NOWHERE, NOWHERE))

    def can_move(self) -> bool:
        """Whether the side to move has a legal move."""
        return not self.stuck()

    def can_reach(self, slot: int, target: int) -> bool:
        """Whether a piece could take something on ``target`` by its movement alone; own king and turn aside."""
        return bool(self.reaches(slot, target, True))

    def keeps_king(self, color: int, move: int) -> bool:
        """Whether a color's general is not attacked after a move of either side, whoever is to move."""
        return not self.exposed(color, move >> 7 & 127, move & 127)

    def pass_turn(self) -> None:
        """Let the other side move, for a rule that asks what it could do; ``take_turn_back`` undoes it."""
        self.reserve(1)
        self.make_null()

    def take_turn_back(self) -> None:
        """Undo ``pass_turn``."""
        self.unmake_null()

    # -- counts

    def perft(self, depth: int) -> int:
        """Leaf nodes of the legal-move tree to a depth, 1 at depth 0. ``ValueError`` when a piece is not known."""
        if depth < 0:
            raise ValueError("perft depth can't be negative")
        if any(self.place[slot] != NOWHERE and self.truth[slot] == 0 for slot in range(32)):
            raise ValueError("leaves can be counted only where every piece is known")
        if depth == 0:
            return 1
        self.reserve(depth)
        plies: cython.int = depth
        total: cython.ulonglong
        with cython.nogil:
            total = self.count_leaves(plies)
        return total

    def perft_public(self, depth: int, pool: dict[int, int]) -> int:
        """Leaf nodes as a spectator counts them: a move that turns up counts once for each piece still in ``pool``.

        ``pool``: how many of each piece (kind + 8 for Black) the spectator has not seen, those taken face down too.
        """
        if depth < 0:
            raise ValueError("perft depth can't be negative")
        if depth == 0:
            return 1
        if form_of(self.form).layout == "open":  # a spectator knows what lies where
            return self.perft(depth)
        unseen = cython.declare(cython.int[16])
        for piece in range(16):
            unseen[piece] = pool.get(piece, 0)
        self.reserve(depth)
        return self.count_public(depth, unseen)

    # -- copies

    def copy(self) -> Board:
        """An independent board in the same position, with the same history."""
        twin: Board = Board.__new__(Board)
        twin.take_over(self)
        twin.form, twin.start_number, twin.start_side = self.form, self.start_number, self.start_side
        return twin

    def blinded(self, known: Iterable[int] = ()) -> Board:
        """A copy that doesn't know what the pieces are that lie, or were taken, face down; those of the slots ``known``
        and those known to all excepted."""
        twin: Board = self.copy()
        kept = set(range(32) if form_of(self.form).layout == "open" else known)
        for slot in range(32):
            if twin.dark[slot] and not twin.shown[slot] and slot not in kept:
                twin.truth[slot] = 0
        return twin

    def __getstate__(self) -> tuple[object, ...]:
        tables = (
            bytes([self.squares[i] for i in range(91)]),
            bytes([self.place[i] for i in range(33)]),
            bytes([self.kinds[i] for i in range(33)]),
            bytes([self.dark[i] for i in range(33)]),
            bytes([self.shown[i] for i in range(33)]),
            bytes([self.truth[i] for i in range(33)]),
        )
        past = tuple(
            (self.past_moves[i], self.past_states[i], self.past_clocks[i], self.past_keys[i]) for i in range(self.ply)
        )
        return (self.form, self.side, self.clock, self.start_number, self.start_side, tables, past)

    def __setstate__(self, state: tuple) -> None:
        form, side, clock, number, start_side, tables, past = state
        self.clear()
        table = form_of(form)
        self.form, self.start_number, self.start_side = form, number, start_side
        self.flags = FREE_ADVISORS if table.free_advisors else 0
        self.flags |= FREE_ELEPHANTS if table.free_elephants else 0
        self.flags |= DARK_ADVISORS_FREE if table.dark_advisors_free else 0
        self.turning = table.turning_mask
        self.side, self.clock = side, clock
        self.hash = ZOBRIST_TURN[0] if side == BLACK else 0
        for slot in range(32):
            square, kind = tables[1][slot], tables[2][slot]
            if square != NOWHERE:
                self.add(slot, square, kind, tables[3][slot], tables[4][slot], tables[5][slot])
            else:
                self.kinds[slot], self.dark[slot] = kind, tables[3][slot]
                self.shown[slot], self.truth[slot] = tables[4][slot], tables[5][slot]
        self.reserve(len(past) + 1)
        for i, (move, before, earlier, key) in enumerate(past):
            self.past_moves[i], self.past_states[i], self.past_clocks[i], self.past_keys[i] = move, before, earlier, key
        self.ply = len(past)

    def __reduce__(self) -> tuple[object, ...]:
        return _empty, (), self.__getstate__()

    def is_consistent(self) -> bool:
        """Whether places, masks and key are what the squares alone give; false only by a fault of ``Pieces``."""
        points = self.points()
        if sum(point is not None for point in points) != sum(self.place[slot] != NOWHERE for slot in range(32)):
            return False
        key: cython.ulonglong = ZOBRIST_TURN[0] if self.side == BLACK else 0
        bits: cython.int = 0
        slot: cython.int
        i: cython.int
        for slot in range(32):
            i = self.place[slot]
            if i == NOWHERE:
                continue
            if self.squares[i] != slot:
                return False
            if self.dark[slot] and self.kinds[slot] != HOME[i] + 8 * home_color(i):
                return False
            if not self.dark[slot] and self.kinds[slot] != self.truth[slot]:
                return False
            row = self.rows[(slot & 16) + RANK_OF[i] + 2] >> FILE_OF[i]
            col = self.cols[(slot & 16) + FILE_OF[i]] >> RANK_OF[i]
            if not row & col & 1:
                return False
            key ^= self.key_of(slot, i)
            bits += 2
        for i in range(32):
            bits -= POP[self.rows[i]] + POP[self.cols[i]]
        return bits == 0 and key == self.hash


def _empty() -> Board:
    return Board.__new__(Board)
