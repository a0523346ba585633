"""The Xiangqi board: position, legal moves, check, play and undo, perft, as Python callers use them.

>>> board = Board()
>>> len(board.legal_moves()), board.perft(2)
(44, 1920)
"""

from __future__ import annotations

import cython

from engines.errors import IllegalMove
from engines.xiangqi.fen import START_FEN, Fen, FenError, read_fen, write_fen
from engines.xiangqi.geometry import KIND_NAMES, SIDE_NAMES, move_name, square_name
from engines.xiangqi.pieces import Pieces

if not cython.compiled:  # compiled, board.pxd imports all of these in C
    from engines.xiangqi.geometry import (
        BLACK,
        FILE_OF,
        NO_SLOT,
        NOWHERE,
        PIECE_OF,
        POP,
        RANK_OF,
        ZOBRIST,
        ZOBRIST_TURN,
        move_from,
        move_in,
        move_to,
    )


@cython.final
@cython.cclass
class Board(Pieces):
    """A position with the moves that led to it."""

    def __init__(self, fen: str = START_FEN, strict: bool = True) -> None:
        """Set up a position from its FEN, read as ``engines.xiangqi.fen.read_fen`` says.

        ``FenError``, with the reason, for anything else, and where the side to move could take the general.
        """
        start = read_fen(fen, strict)
        self.clear()
        self.hash = ZOBRIST_TURN[0] if start.turn == BLACK else 0
        self.side = self.start_side = start.turn
        self.clock = start.clock
        self.start_number = start.number
        pieces = list(start.pieces)
        for slot in range(32):
            piece = PIECE_OF[slot]
            if piece in pieces:
                square = pieces.index(piece)
                pieces[square] = 0
                self.add(slot, square)
        self._check_turn()

    def _check_turn(self) -> None:
        """Refuse a position in which the side to move could take the general."""
        waiting = 1 - self.side
        if not self.exposed(waiting, NOWHERE, NOWHERE):
            return
        mover = SIDE_NAMES[self.side]
        red, black = self.place[0], self.place[16]
        if red % 9 == black % 9 and all(self.squares[square] == NO_SLOT for square in range(red + 9, black, 9)):
            raise FenError(f"the generals face each other and it is {mover}'s turn")
        raise FenError(f"{SIDE_NAMES[waiting]} is in check and it is {mover}'s turn")

    @property
    def key(self) -> int:
        """64-bit Zobrist key of placement and side to move."""
        return self.hash

    @property
    def turn(self) -> int:
        """``RED`` or ``BLACK``, to move."""
        return self.side

    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture (counting on from what the FEN said)."""
        return self.clock

    @property
    def fullmove_number(self) -> int:
        """The number of the round, counting on from what the FEN said; it grows after Black's move."""
        return self.start_number + (self.ply + self.start_side) // 2

    @property
    def history(self) -> list[int]:
        """The moves played since the position was set up."""
        return [move_in(self.past_moves[i]) for i in range(self.ply)]

    @property
    def plies(self) -> int:
        """How many moves were played since the position was set up."""
        return self.ply

    def history_since(self, plies: int) -> list[int]:
        """The moves played after the first ``plies``."""
        first: cython.int = plies
        return [move_in(self.past_moves[i]) for i in range(first, self.ply)]

    def key_after(self, plies: int) -> int | None:
        """The key of the position after so many moves; ``None`` when there were fewer."""
        count: cython.int = plies
        if not 0 <= count <= self.ply:
            return None
        return self.past_keys[count] if count < self.ply else self.hash

    @property
    def first_key(self) -> int:
        """The key of the position that was set up."""
        return self.past_keys[0] if self.ply else self.hash

    @property
    def keys(self) -> list[int]:
        """The keys of the positions since it was set up, first to present."""
        return [self.past_keys[i] for i in range(self.ply)] + [self.hash]

    def piece_at(self, square: int) -> int:
        """The piece on a square, 0 where empty. ``IndexError`` off the board."""
        if not 0 <= square < 90:
            raise IndexError(f"no square {square}")
        return PIECE_OF[self.squares[square]]

    def slot_at(self, square: int) -> int:
        """The slot of the piece on a square, ``NO_SLOT`` where empty. ``IndexError`` off the board."""
        if not 0 <= square < 90:
            raise IndexError(f"no square {square}")
        return self.squares[square]

    def legal_moves(self, wanted: int = 3) -> list[int]:
        """All legal moves, or only the ``CAPTURES`` or ``QUIETS`` of ``pieces``."""
        moves = cython.declare(cython.ushort[128])
        count: cython.int = self.generate_legal(moves, wanted)
        return [moves[i] for i in range(count)]

    def is_legal(self, move: int) -> bool:
        """Whether a move is legal."""
        return (
            0 < move < 1 << 14
            and self.pseudo_legal(move)
            and not self.exposed(self.side, move_from(move), move_to(move))
        )

    def why_illegal(self, move: int) -> str | None:
        """The reason a move is not legal; ``None`` when it is."""
        if self.is_legal(move):
            return None
        if not (0 < move < 1 << 14 and move_from(move) < 90 and move_to(move) < 90):
            return "that is no move on this board"
        origin, target = move_from(move), move_to(move)
        name = move_name(move)
        slot: cython.int = self.squares[origin]
        if slot == NO_SLOT:
            return f"{name}: there is no piece on {square_name(origin)}"
        if slot >> 4 != self.side:
            return f"{name}: it is {SIDE_NAMES[self.side]}'s turn and the piece on {square_name(origin)} is not"
        if self.squares[target] >> 4 == self.side:
            return f"{name}: the piece on {square_name(target)} is {SIDE_NAMES[self.side]}'s own"
        if not self.pseudo_legal(move):
            kind = KIND_NAMES[PIECE_OF[slot] & 7]
            return f"{name}: {'an' if kind[0] in 'aeiou' else 'a'} {kind} can't go from there to {square_name(target)}"
        if self.checked():
            return f"{name}: the general stays in check"
        return f"{name}: it would expose the general to capture"

    def play(self, move: int) -> None:
        """Play a legal move. ``IllegalMove``, with the reason and nothing changed, for any other."""
        reason = self.why_illegal(move)
        if reason is not None:
            raise IllegalMove(reason)
        self.reserve(1)
        self.make(move)

    def undo(self) -> int:
        """Take back the last move and return it. ``IndexError`` when there is none."""
        if self.ply == 0:
            raise IndexError("no move to take back")
        move = move_in(self.past_moves[self.ply - 1])
        self.unmake()
        return move

    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return self.checked()

    def gives_check(self, move: int) -> bool:
        """Whether a legal move would give check. ``IllegalMove`` for any other."""
        reason = self.why_illegal(move)
        if reason is not None:
            raise IllegalMove(reason)
        return self.checks(move)

    def can_move(self) -> bool:
        """Whether the side to move has a legal move."""
        return not self.stuck()

    def is_mate(self) -> bool:
        """Whether the side to move is in check without a legal move (将死); it has lost."""
        return self.checked() and self.stuck()

    def is_stalemate(self) -> bool:
        """Whether the side to move has no legal move though not in check (困毙); it has lost too."""
        return not self.checked() and self.stuck()

    def perft(self, depth: int) -> int:
        """Leaf nodes of the legal-move tree to a depth, 1 at depth 0. Counts without the interpreter lock."""
        if depth < 0:
            raise ValueError("perft depth can't be negative")
        if depth == 0:
            return 1
        self.reserve(depth)
        plies: cython.int = depth
        total: cython.ulonglong
        with cython.nogil:
            total = self.count_leaves(plies)
        return total

    def is_consistent(self) -> bool:
        """Whether places, masks and key are what the squares alone give; false only by a fault of ``Pieces``."""
        key: cython.ulonglong = ZOBRIST_TURN[0] if self.side == BLACK else 0
        surplus: cython.int = 0  # bits and occupied squares beyond those of the pieces
        slot: cython.int
        i: cython.int
        for slot in range(32):
            i = self.place[slot]
            if i == NOWHERE:
                continue
            row = self.rows[(slot & 16) + RANK_OF[i] + 2] >> FILE_OF[i]
            col = self.cols[(slot & 16) + FILE_OF[i]] >> RANK_OF[i]
            if self.squares[i] != slot or not row & col & 1:
                return False
            key ^= ZOBRIST[PIECE_OF[slot] * 90 + i]
            surplus -= 3
        for i in range(90):
            surplus += self.squares[i] != NO_SLOT
        for i in range(9):
            surplus += POP[self.cols[i]] + POP[self.cols[16 + i]]
        for i in range(2, 12):
            surplus += POP[self.rows[i]] + POP[self.rows[16 + i]]
        return surplus == 0 and key == self.hash and self.squares[NOWHERE] == NO_SLOT and self.place[NO_SLOT] == NOWHERE

    def copy(self) -> Board:
        """An independent board in the same position, with the same history."""
        twin: Board = Board.__new__(Board)  # nothing of it has to be read from a FEN
        twin.take_over(self)
        twin.start_number, twin.start_side = self.start_number, self.start_side
        return twin

    def fen(self) -> str:
        """The position as FEN with all six fields, in the letters and form of ``START_FEN``."""
        pieces = tuple([PIECE_OF[self.squares[square]] for square in range(90)])
        return write_fen(Fen(pieces, self.side, self.clock, self.fullmove_number))

    def __repr__(self) -> str:
        return f"Board({self.fen()!r})"
