"""The banqi board: what everybody sees of a position, its actions, and their making and undoing.

Squares are rank · 4 + file, a1 = 0, d8 = 31. A piece is a kind (``engines.banqi.rules``), + 8 for Black; 8 alone is a
face-down piece. A move is ``origin << 5 | target``, a piece is turned up by origin = target, and ``END`` ends a chain
of captures. The board holds no deal: whoever makes a move on it that turns a piece up says what showed.

>>> board = Board()
>>> len(board.legal_moves()), board.fen().split()[1]
(32, '-')
"""

from __future__ import annotations

from array import array

import cython

from engines.banqi.fen import START_FEN, Fen, FenError, read_fen, write_fen
from engines.banqi.rules import Rules, rules_named
from engines.errors import IllegalMove

if not cython.compiled:  # compiled, board.pxd declares these in C
    EMPTY, HIDDEN, NO_SIDE, OFF, END, MAX_MOVES = 0, 8, -1, 32, 1024, 512
    NEXT, ZOBRIST = [0] * 264, [0] * 704

_ROOM = 256


@cython.cclass
class Board:
    """A position with the moves that led to it, as far as it is public."""

    def __init__(self, fen: str = START_FEN, rules: str | Rules = "taiwan") -> None:
        """Set up a position from its FEN (``engines.banqi.fen``). ``FenError`` for a bad one, ValueError for rules that
        there are not."""
        self.blank(rules_named(rules) if isinstance(rules, str) else rules)
        self.set_up(read_fen(fen))
        self.start = self.fen()

    def blank(self, rules: Rules) -> None:
        """An empty board with these rules."""
        if not cython.compiled:
            self.squares, self.pool, self.left = [0] * 33, [0] * 16, [0, 0]
            self.takes = [0] * 256
            self.slides, self.strides, self.leaps, self.rushes, self.oblique = ([0] * 8 for _ in range(5))
        self.rules = rules
        self.hash = 0
        for i in range(33):
            self.squares[i] = EMPTY
        for i in range(16):
            self.pool[i] = 0
        self.left[0] = self.left[1] = 0
        for i in range(256):
            one, other = i >> 4, i & 15
            apart = one & 7 and other & 7 and one >> 3 != other >> 3
            self.takes[i] = 1 if apart and rules.takes(one & 7, other & 7) else 0
        for i in range(8):
            self.slides[i] = i in rules.slides
            self.strides[i] = i in rules.strides
            self.leaps[i] = i in rules.leaps
            self.rushes[i] = i in rules.rushes
            self.oblique[i] = i in rules.oblique
        self.dark, self.chain = rules.dark, rules.chain
        self.down = 0
        self.side = self.first = NO_SIDE
        self.chaining = OFF
        self.still = self.ply = self.start_ply = 0
        self.past_moves = array("I", bytes(4 * _ROOM))
        self.past_states = array("Q", bytes(8 * _ROOM))
        self.past_keys = array("Q", bytes(8 * _ROOM))

    def set_up(self, start: Fen) -> None:
        """Put the pieces of a FEN on a blank board."""
        for i in range(32):
            self.put(i, start.pieces[i])
        for i in range(16):
            if start.pool[i]:
                self.draw(i, start.pool[i])
            if i & 7:
                self.left[i >> 3] += start.pool[i] + start.pieces.count(i)
        self.side, self.first = start.side, start.first
        self.hash ^= ZOBRIST[640 + self.side] if self.side >= 0 else 0
        self.still, self.start_ply = start.still, start.ply
        if start.chaining is not None:
            self.chaining = start.chaining
            self.hash ^= ZOBRIST[642 + self.chaining]
            self._check_chain()

    def _check_chain(self) -> None:
        moves = cython.declare(cython.ushort[512])
        if not cython.compiled:
            moves = [0] * 512
        piece = self.squares[self.chaining]
        if not self.chain:
            raise FenError(f"{self.rules.name} has no chains of captures")
        if piece & 7 == 0 or piece >> 3 != self.side or self.piece_moves(self.chaining, moves, 0, True) == 0:
            raise FenError("the piece that may go on taking has nothing to take")

    def reserve(self, plies: cython.int) -> None:
        """Have room for so many further plies."""
        room = len(self.past_moves)
        if self.ply + plies <= room:
            return
        more = max(room, plies)
        self.past_moves = array("I", bytes(self.past_moves) + bytes(4 * more))
        self.past_states = array("Q", bytes(self.past_states) + bytes(8 * more))
        self.past_keys = array("Q", bytes(self.past_keys) + bytes(8 * more))

    # -- what search and perft work with

    def put(self, square: cython.int, piece: cython.int) -> None:
        """Have this stand on a square instead of what stands there."""
        old: cython.int = self.squares[square]
        if old:
            self.hash ^= ZOBRIST[old * 32 + square]
            if old == HIDDEN:
                self.down -= 1
        if piece:
            self.hash ^= ZOBRIST[piece * 32 + square]
            if piece == HIDDEN:
                self.down += 1
        self.squares[square] = piece

    def draw(self, piece: cython.int, change: cython.int) -> None:
        """So many more of a piece in the pool."""
        self.hash ^= ZOBRIST[512 + piece * 8 + self.pool[piece]]
        self.pool[piece] += change
        self.hash ^= ZOBRIST[512 + piece * 8 + self.pool[piece]]

    def remember(self, move: cython.int, shown: cython.int) -> None:
        """Note what ``unmake`` needs, before a move is made."""
        origin: cython.int = move >> 5 & 31
        target: cython.int = move & 31
        state: cython.ulonglong = self.still
        self.past_keys[self.ply] = self.hash
        self.past_moves[self.ply] = move | self.squares[origin] << 12 | self.squares[target] << 16 | shown << 20
        state |= cython.cast(cython.ulonglong, self.side + 1) << 20
        state |= cython.cast(cython.ulonglong, self.first + 1) << 22
        state |= cython.cast(cython.ulonglong, self.chaining) << 24
        state |= cython.cast(cython.ulonglong, self.left[0]) << 30
        state |= cython.cast(cython.ulonglong, self.left[1]) << 36
        self.past_states[self.ply] = state
        self.ply += 1

    def pass_turn(self) -> None:
        """The other color acts."""
        if self.chaining != OFF:
            self.hash ^= ZOBRIST[642 + self.chaining]
            self.chaining = OFF
        self.hash ^= ZOBRIST[640] ^ ZOBRIST[641]
        self.side ^= 1

    def beats(self, piece: cython.int, origin: cython.int, target: cython.int, victim: cython.int) -> cython.bint:
        """Whether a piece that reaches a square may take this enemy there."""
        d: cython.int
        if self.leaps[piece & 7]:
            return True
        for d in range(4):
            if NEXT[d * 33 + origin] == target:
                return self.takes[piece * 16 + victim] != 0
        if self.oblique[piece & 7] or self.rushes[piece & 7]:  # diagonally, or from afar
            return True
        return self.takes[piece * 16 + victim] != 0

    def prey(self, piece: cython.int, there: cython.int) -> cython.bint:
        """Whether a piece may attack what stands there, whatever its rank."""
        if there == HIDDEN:
            return self.dark != 0
        return there >> 3 != piece >> 3

    def make(self, move: cython.int, shown: cython.int) -> None:
        """Make a legal move; ``shown`` is the piece that it turns up, 0 where it turns none up. ``reserve`` first."""
        origin: cython.int = move >> 5 & 31
        target: cython.int = move & 31
        piece: cython.int
        victim: cython.int
        moves = cython.declare(cython.ushort[512])
        if not cython.compiled:
            moves = [0] * 512
        self.remember(move, shown)
        if move == END:
            self.still += 1
            self.pass_turn()
            return
        piece = self.squares[origin]
        victim = self.squares[target]
        if shown:
            self.draw(shown, -1)
            self.still = 0
            if origin == target:
                self.put(target, shown)
                if self.side == NO_SIDE:
                    self.first = self.side = shown >> 3
                    self.hash ^= ZOBRIST[640 + self.side]
                self.pass_turn()
                return
            if shown >> 3 == piece >> 3 or not self.beats(piece, origin, target, shown):
                self.put(target, shown)
                if self.dark == 2 and shown >> 3 != piece >> 3:
                    self.put(origin, EMPTY)
                    self.left[piece >> 3] -= 1
                self.pass_turn()
                return
            victim = shown
        self.put(target, piece)
        self.put(origin, EMPTY)
        if victim == EMPTY:
            self.still += 1
            self.pass_turn()
            return
        self.still = 0
        self.left[victim >> 3] -= 1
        if self.chain and self.piece_moves(target, moves, 0, True) > 0:
            if self.chaining != OFF:
                self.hash ^= ZOBRIST[642 + self.chaining]
            self.chaining = target
            self.hash ^= ZOBRIST[642 + target]
            return
        self.pass_turn()

    def unmake(self) -> None:
        """Take the last move back."""
        word: cython.uint
        state: cython.ulonglong
        shown: cython.int
        move: cython.int
        self.ply -= 1
        word = self.past_moves[self.ply]
        state = self.past_states[self.ply]
        shown = word >> 20 & 15
        move = word & 0xFFF
        if shown:
            self.draw(shown, 1)
        if move != END:
            self.put(move & 31, word >> 16 & 15)
            self.put(move >> 5 & 31, word >> 12 & 15)
        self.still = state & 0xFFFFF
        self.side = cython.cast(cython.int, state >> 20 & 3) - 1
        self.first = cython.cast(cython.int, state >> 22 & 3) - 1
        self.chaining = state >> 24 & 63
        self.left[0] = state >> 30 & 63
        self.left[1] = state >> 36 & 63
        self.hash = self.past_keys[self.ply]

    def piece_moves(self, square: cython.int, out: cython.p_ushort, n: cython.int, taking: cython.bint) -> cython.int:
        """Append the moves of a face-up piece to ``out`` from index ``n`` on, only its captures where ``taking``
        (attacks on face-down pieces are some); the number then in it."""
        piece: cython.int = self.squares[square]
        kind: cython.int = piece & 7
        d: cython.int
        at: cython.int
        there: cython.int
        step: cython.int = square << 5
        afar: cython.bint
        for d in range(4):
            at = NEXT[d * 33 + square]
            if at == OFF:
                continue
            there = self.squares[at]
            afar = False
            while there == EMPTY:
                if not taking and (not afar or self.slides[kind] or self.strides[kind]):
                    out[n] = step | at
                    n += 1
                if not self.slides[kind] and not self.strides[kind] and not self.leaps[kind]:
                    break
                afar = True
                at = NEXT[d * 33 + at]
                if at == OFF:
                    break
                there = self.squares[at]
            if at == OFF or there == EMPTY:
                continue
            if self.leaps[kind]:
                at = NEXT[d * 33 + at]
                while at != OFF and self.squares[at] == EMPTY:
                    at = NEXT[d * 33 + at]
                if at == OFF:
                    continue
                there = self.squares[at]
                if self.prey(piece, there):
                    out[n] = step | at
                    n += 1
            elif there == HIDDEN:
                if self.dark:
                    out[n] = step | at
                    n += 1
            elif self.takes[piece * 16 + there] or (afar and self.rushes[kind] and there >> 3 != piece >> 3):
                out[n] = step | at
                n += 1
        if self.oblique[kind]:
            for d in range(4, 8):
                at = NEXT[d * 33 + square]
                if at == OFF:
                    continue
                there = self.squares[at]
                if there != EMPTY and self.prey(piece, there):
                    out[n] = step | at
                    n += 1
        return n

    def generate(self, out: cython.p_ushort) -> cython.int:
        """All actions of the side to act: turn-ups by square, then moves by the piece's square; their number."""
        n: cython.int = 0
        square: cython.int
        piece: cython.int
        if self.chaining != OFF:
            n = self.piece_moves(self.chaining, out, 0, True)
            out[n] = END
            return n + 1
        if self.down:
            for square in range(32):
                if self.squares[square] == HIDDEN:
                    out[n] = square << 5 | square
                    n += 1
        if self.side != NO_SIDE:
            for square in range(32):
                piece = self.squares[square]
                if piece & 7 and piece >> 3 == self.side:
                    n = self.piece_moves(square, out, n, False)
        return n

    def count_leaves(self, depth: cython.int, deal: cython.p_uchar) -> cython.ulonglong:
        """Sequences of so many actions; ``deal`` is the piece under each square. ``reserve`` first."""
        moves = cython.declare(cython.ushort[512])
        if not cython.compiled:
            moves = [0] * 512
        i: cython.int
        n: cython.int
        target: cython.int
        total: cython.ulonglong = 0
        if self.side != NO_SIDE and (self.left[0] == 0 or self.left[1] == 0):
            return 0
        n = self.generate(moves)
        if depth <= 1:
            return n
        for i in range(n):
            target = moves[i] & 31
            self.make(moves[i], deal[target] if moves[i] < END and self.squares[target] == HIDDEN else 0)
            total += self.count_leaves(depth - 1, deal)
            self.unmake()
        return total

    # -- as Python callers use it

    @property
    def key(self) -> int:
        """64-bit Zobrist key of squares, pool, side to act and chain."""
        return self.hash

    @property
    def turn(self) -> int:
        """The player to act, 0 or 1 in order of play."""
        return 0 if self.side == self.first else 1

    @property
    def color(self) -> int:
        """The color to act: 0 Red, 1 Black, ``NO_SIDE`` before the first turn-up."""
        return self.side

    @property
    def colors(self) -> tuple[int, int]:
        """The colors of the two players, ``NO_SIDE`` before the first turn-up."""
        if self.first == NO_SIDE:
            return NO_SIDE, NO_SIDE
        return self.first, 1 - self.first

    @property
    def quiet(self) -> int:
        """Plies without a turn-up or capture, counting on from what the FEN said."""
        return self.still

    @property
    def plies(self) -> int:
        """Plies since the set-up."""
        return self.ply

    @property
    def number(self) -> int:
        """Plies played, counting on from what the FEN said."""
        return self.start_ply + self.ply

    @property
    def chain_square(self) -> int | None:
        """The square of the piece that may go on taking."""
        return None if self.chaining == OFF else self.chaining

    @property
    def history(self) -> list[tuple[int, int]]:
        """The moves since the set-up, each with the piece that it turned up (0: none)."""
        return [(self.past_moves[i] & 0xFFF, self.past_moves[i] >> 20 & 15) for i in range(self.ply)]

    @property
    def keys(self) -> list[int]:
        """The keys of the positions since the set-up, first to present."""
        return [self.past_keys[i] for i in range(self.ply)] + [self.hash]

    def piece_at(self, square: int) -> int:
        """What stands on a square: 0 nothing, ``HIDDEN`` face down, else the piece. IndexError off the board."""
        if not 0 <= square < 32:
            raise IndexError(f"no square {square}")
        return self.squares[square]

    def unseen(self, piece: int) -> int:
        """How many of a piece lie face down."""
        return self.pool[piece & 15]

    def remaining(self, color: int) -> int:
        """How many pieces of a color are not taken, face-down ones among them."""
        return self.left[color & 1]

    def legal_moves(self) -> list[int]:
        """All actions of the side to act, in a fixed order; also where a game would be over by a count."""
        moves = cython.declare(cython.ushort[512])
        if not cython.compiled:
            moves = [0] * 512
        count: cython.int = self.generate(moves)
        return [moves[i] for i in range(count)]

    def attacks(self, square: int) -> list[int]:
        """The squares of enemy pieces that the face-up piece on a square could take."""
        moves = cython.declare(cython.ushort[512])
        if not cython.compiled:
            moves = [0] * 512
        if not self.piece_at(square) & 7:
            return []
        count: cython.int = self.piece_moves(square, moves, 0, True)
        return [moves[i] & 31 for i in range(count) if self.squares[moves[i] & 31] != HIDDEN]

    def shows(self, move: int) -> bool:
        """Whether a legal move turns a piece up."""
        return move < END and self.squares[move & 31] == HIDDEN

    def takes_piece(self, move: int) -> bool:
        """Whether a legal move takes a face-up piece."""
        return move < END and self.squares[move & 31] != EMPTY and self.squares[move & 31] != HIDDEN

    def play(self, move: int, shown: int = 0) -> None:
        """Play a legal move that turns up ``shown``. ``IllegalMove``, with nothing changed, for any other, and
        ValueError where ``shown`` can't be."""
        if move not in self.legal_moves():
            raise IllegalMove("that move is not legal here")
        if self.shows(move):
            if not 0 < shown < 16 or self.pool[shown] == 0:
                raise ValueError("what the move turns up must be told, and be a piece that is still face down")
        elif shown:
            raise ValueError("the move turns nothing up")
        self.reserve(1)
        self.make(move, shown)

    def undo(self) -> int:
        """Take back the last move and return it. IndexError when there is none."""
        if self.ply == 0:
            raise IndexError("no move to take back")
        move = self.past_moves[self.ply - 1] & 0xFFF
        self.unmake()
        return move

    def perft(self, depth: int, deal: list[int]) -> int:
        """Sequences of ``depth`` actions, the last counted and not played; ``deal`` is the piece under each square.

        A side without pieces ends its branch; draws don't.
        """
        under = cython.declare(cython.uchar[33])
        if not cython.compiled:
            under = [0] * 33
        if depth < 0:
            raise ValueError("perft depth can't be negative")
        if depth == 0:
            return 1
        for i in range(32):
            if self.squares[i] == HIDDEN and not 0 < deal[i] < 16:
                raise ValueError("the deal lacks a piece for a face-down square")
            under[i] = deal[i]
        self.reserve(depth)
        return self.count_leaves(depth, under)

    def is_consistent(self) -> bool:
        """Whether counts and key are what the squares and the pool alone give."""
        twin: Board = type(self)(self.fen(), self.rules)
        same = all(self.squares[i] == twin.squares[i] for i in range(32))
        same = same and all(self.pool[i] == twin.pool[i] for i in range(16))
        lefts = self.left[0] == twin.left[0] and self.left[1] == twin.left[1]
        return same and lefts and self.hash == twin.hash and self.down == twin.down and self.side == twin.side

    def repeated(self) -> int:
        """The length of the cycle that the last plies went through three times (4, 6, 8 …), 0 where they did not.

        Only plies without a turn-up or capture count, and only the same moves make a cycle, not the same positions: so
        the referee of the Taiwanese platform counts.
        """
        length: cython.int
        i: cython.int
        quiet: cython.int = min(self.still, self.ply)
        same: cython.bint
        for length in range(2, quiet // 3 + 1, 2):
            same = True
            for i in range(self.ply - 2 * length, self.ply):
                if self.past_moves[i] & 0xFFF != self.past_moves[i - length] & 0xFFF:
                    same = False
                    break
            if same:
                return length
        return 0

    def occurrences(self) -> int:
        """How often the position has occurred since the last turn-up or capture, the present one included."""
        quiet: cython.int = min(self.still, self.ply)
        i: cython.int
        count: cython.int = 1
        for i in range(self.ply - quiet, self.ply):
            if self.past_keys[i] == self.hash:
                count += 1
        return count

    def copy(self) -> Board:
        """An independent board in the same position, with the same history."""
        return restored(type(self), self.rules.name, self.start, self.history)

    def __reduce__(self) -> tuple:
        return restored, (type(self), self.rules.name, self.start, self.history)

    def fen(self) -> str:
        """The position as FEN, as ``engines.banqi.fen`` writes it."""
        chaining = None if self.chaining == OFF else self.chaining
        pieces = tuple([self.squares[i] for i in range(32)])
        pool = tuple([self.pool[i] for i in range(16)])
        return write_fen(Fen(pieces, self.side, pool, self.still, self.start_ply + self.ply, self.first, chaining))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.fen()!r}, {self.rules.name!r})"


def restored(kind: type[Board], rules: str, start: str, history: list[tuple[int, int]]) -> Board:
    """A board of that class with these moves made on its start; they are not tested again."""
    board: Board = kind(start, rules)
    board.reserve(len(history))
    for move, shown in history:
        board.make(move, shown)
    return board


def _fill() -> None:
    mask = (1 << 64) - 1
    state = 0x62616E7169
    for i in range(704):  # splitmix64 from a fixed seed
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        ZOBRIST[i] = z ^ z >> 31
    for i in range(16):
        ZOBRIST[512 + i * 8] = 0  # none of a piece
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))
    for d in range(8):
        for square in range(33):
            file, rank = square % 4 + steps[d][0], square // 4 + steps[d][1]
            inside = square < 32 and 0 <= file < 4 and 0 <= rank < 8
            NEXT[d * 33 + square] = rank * 4 + file if inside else OFF


_fill()
