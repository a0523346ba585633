"""The sanguo board: what everybody sees of a position, its actions, and their making and undoing.

Points are rank · 9 + file, a0 = 0, 45 of them on the half board; pieces are ``engines.sanguo.fen``'s. A move is
``origin << 7 | target``, a piece is turned up by origin = target. Players are 0 to 2. The board holds no deal: whoever
makes a move on it that turns a piece up says what showed, and, where pieces lie aside unseen, who is out by it.

>>> board = Board()
>>> len(board.legal_moves()), board.turn
(32, 0)
"""

from __future__ import annotations

from array import array

import cython

from engines.errors import IllegalMove
from engines.sanguo.fen import Fen, read_fen, side_of, start_fen, write_fen

if not cython.compiled:  # compiled, board.pxd declares these in C
    EMPTY, HIDDEN, OFF, RETIRE = 0, 8, 90, 16256
    SIDE, ZOBRIST = [0] * 16, [0] * 1700

_ROOM = 256
HALF, WHOLE = 45, 90
"""Points of the two boards."""


@cython.final
@cython.cclass
class Board:
    """A position with the moves that led to it, as far as it is public."""

    def __init__(self, fen: str = "") -> None:
        """Set up a position from its FEN (``engines.sanguo.fen``), the start on the half board without one.
        ``FenError`` for a bad one."""
        start = read_fen(fen or start_fen(HALF, 4))
        if not cython.compiled:
            self.squares, self.pool, self.up = [0] * 91, [0] * 16, [0] * 4
            self.NEXT, self.JUMPS = [0] * 728, [0] * 1440
            self.sides, self.order = [-1] * 3, [0] * 3
        self.points = len(start.pieces)
        self._fill()
        self.past_moves = array("I", bytes(4 * _ROOM))
        self.past_states = array("Q", bytes(8 * _ROOM))
        self.past_keys = array("Q", bytes(8 * _ROOM))
        self.down = self.lost = self.ply = 0
        self.hash = 0
        self.stuck = False
        for i in range(91):
            self.squares[i] = EMPTY
        for i in range(16):
            self.pool[i] = 0
        for i in range(4):
            self.up[i] = 0
        for i in range(3):
            self.sides[i] = -1
            self.order[i] = 0
        for i in range(self.points):
            self.put(i, start.pieces[i])
        for i in range(16):
            if start.pool[i]:
                self.draw(i, start.pool[i])
        self.player = start.player
        self.hash ^= ZOBRIST[1568 + self.player]
        for i in range(3):
            if start.sides[i] >= 0:
                self.assign(i, start.sides[i])
        for i in range(len(start.out)):
            self.strike(start.out[i])
        self.still, self.start_ply = start.still, start.ply
        if self.lost < 2 and (self.is_out(self.player) or not self.can_act(self.player)):
            self.turn_to((self.player + 2) % 3)  # somebody else's turn, or nobody's
            self.advance()
            if self.stuck:
                self.turn_to(start.player)
        self.start = self.fen()

    def turn_to(self, player: cython.int) -> None:
        """Have this player act."""
        self.hash ^= ZOBRIST[1568 + self.player] ^ ZOBRIST[1568 + player]
        self.player = player

    def _fill(self) -> None:
        steps = ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1))
        knights = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
        jumps = (*knights, (2, 2), (2, -2), (-2, -2), (-2, 2))
        ranks = self.points // 9
        for i in range(728):
            self.NEXT[i] = OFF
        for i in range(1440):
            self.JUMPS[i] = OFF
        for point in range(self.points):
            for table, moves, width in ((0, steps, 91), (1, jumps, 16)):
                for d in range(len(moves)):
                    file, rank = point % 9 + moves[d][0], point // 9 + moves[d][1]
                    if 0 <= file < 9 and 0 <= rank < ranks:
                        if table == 0:
                            self.NEXT[d * width + point] = rank * 9 + file
                        else:
                            self.JUMPS[point * width + d] = rank * 9 + file

    def reserve(self, plies: cython.int) -> None:
        """Have room for so many further plies."""
        room = len(self.past_moves)
        if self.ply + plies <= room:
            return
        more = max(room, plies)
        self.past_moves = array("I", bytes(self.past_moves) + bytes(4 * more))
        self.past_states = array("Q", bytes(self.past_states) + bytes(8 * more))
        self.past_keys = array("Q", bytes(self.past_keys) + bytes(8 * more))

    # -- what a search works with

    def put(self, point: cython.int, piece: cython.int) -> None:
        """Have this stand on a point instead of what stands there."""
        old: cython.int = self.squares[point]
        if old:
            self.hash ^= ZOBRIST[old * 90 + point]
            if old == HIDDEN:
                self.down -= 1
            else:
                self.up[SIDE[old]] -= 1
        if piece:
            self.hash ^= ZOBRIST[piece * 90 + point]
            if piece == HIDDEN:
                self.down += 1
            else:
                self.up[SIDE[piece]] += 1
        self.squares[point] = piece

    def draw(self, piece: cython.int, change: cython.int) -> None:
        """So many more of a piece in the pool."""
        self.hash ^= ZOBRIST[1440 + piece * 8 + self.pool[piece]]
        self.pool[piece] += change
        self.hash ^= ZOBRIST[1440 + piece * 8 + self.pool[piece]]

    def is_out(self, player: cython.int) -> cython.bint:
        """Whether a player is out."""
        i: cython.int
        found: cython.bint = False
        for i in range(self.lost):
            found = found or self.order[i] == player
        return found

    def strike(self, player: cython.int) -> None:
        """A player is out."""
        if not self.is_out(player):
            self.order[self.lost] = player
            self.lost += 1
            self.hash ^= ZOBRIST[1590 + player]

    def assign(self, player: cython.int, side: cython.int) -> None:
        """Give a player a side."""
        self.sides[player] = side
        self.hash ^= ZOBRIST[1571 + player * 4 + side]

    def settle(self, side: cython.int) -> None:
        """A piece of this side was turned up: who gets which side by it."""
        i: cython.int
        other: cython.int
        given: cython.int = 0
        free: cython.bint = True
        for i in range(3):
            if self.sides[i] == side:
                free = False
        if free and self.sides[self.player] < 0:
            self.assign(self.player, side)
        for i in range(3):
            if self.sides[i] >= 0:
                given += 1
        if given == 3 or (given < 2 and self.down > 0):
            return
        # The last player gets what remains; so do all that have none when the last piece is turned up.
        for i in range(3):
            if self.sides[i] < 0:
                for other in range(3):
                    if self.sides[0] != other and self.sides[1] != other and self.sides[2] != other:
                        self.assign(i, other)
                        break

    def can_act(self, player: cython.int) -> cython.bint:
        """Whether a player that isn't out has an action."""
        moves = cython.declare(cython.ushort[512])
        if not cython.compiled:
            moves = [0] * 512
        return self.down > 0 or self.generate(player, moves) > 0

    def advance(self) -> None:
        """Find out who is out, and who acts next: players without an action are passed over."""
        moves = cython.declare(cython.ushort[512])
        if not cython.compiled:
            moves = [0] * 512
        i: cython.int
        side: cython.int
        piece: cython.int
        unseen: cython.int
        player: cython.int
        for i in range(3):
            player = (self.player + 1 + i) % 3
            side = self.sides[player]
            if side < 0 or self.up[side]:
                continue
            unseen = 0
            for piece in range(16):
                if piece & 7 and SIDE[piece] == side:
                    unseen += self.pool[piece]
            if unseen == 0 or self.down == 0:
                self.strike(player)
        self.hash ^= ZOBRIST[1568 + self.player]
        self.stuck = True
        for i in range(3):
            player = (self.player + 1 + i) % 3
            if not self.is_out(player) and (self.down > 0 or self.generate(player, moves) > 0):
                self.player = player
                self.stuck = False
                break
        self.hash ^= ZOBRIST[1568 + self.player]

    def make(self, move: cython.int, shown: cython.int, announced: cython.int) -> None:
        """Make a legal move; ``shown`` is the piece that it turns up, ``announced`` a bit for each player that the
        referee calls out by it. ``reserve`` first."""
        origin: cython.int = move >> 7
        target: cython.int = move & 127
        state: cython.ulonglong = self.still
        i: cython.int
        if move >= RETIRE:
            origin = target = OFF
        self.past_keys[self.ply] = self.hash
        self.past_moves[self.ply] = (
            move | self.squares[origin] << 14 | self.squares[target] << 18 | shown << 22 | announced << 26
        )
        state |= cython.cast(cython.ulonglong, self.player) << 20
        for i in range(3):
            state |= cython.cast(cython.ulonglong, self.sides[i] + 1) << (22 + 2 * i)
            state |= cython.cast(cython.ulonglong, self.order[i]) << (28 + 2 * i)
        state |= cython.cast(cython.ulonglong, self.lost) << 34
        state |= cython.cast(cython.ulonglong, self.stuck) << 36
        self.past_states[self.ply] = state
        self.ply += 1
        if move >= RETIRE:
            self.strike(move - RETIRE)
            if self.player != move - RETIRE:
                return
        elif origin == target:
            self.put(target, shown)
            self.draw(shown, -1)
            self.still = 0
            self.settle(SIDE[shown])
        else:
            self.still = 0 if self.squares[target] else self.still + 1
            self.put(target, self.squares[origin])
            self.put(origin, EMPTY)
        for i in range(3):
            if announced >> i & 1:
                self.strike(i)
        self.advance()

    def unmake(self) -> None:
        """Take the last move back."""
        word: cython.uint
        state: cython.ulonglong
        move: cython.int
        shown: cython.int
        i: cython.int
        self.ply -= 1
        word = self.past_moves[self.ply]
        state = self.past_states[self.ply]
        move = word & 0x3FFF
        shown = word >> 22 & 15
        if move < RETIRE:
            self.put(move & 127, word >> 18 & 15)
            self.put(move >> 7, word >> 14 & 15)
            if shown:
                self.draw(shown, 1)
        self.still = state & 0xFFFFF
        self.player = state >> 20 & 3
        for i in range(3):
            self.sides[i] = cython.cast(cython.int, state >> (22 + 2 * i) & 3) - 1
            self.order[i] = state >> (28 + 2 * i) & 3
        self.lost = state >> 34 & 3
        self.stuck = state >> 36 & 1
        self.hash = self.past_keys[self.ply]

    def piece_moves(self, point: cython.int, out: cython.p_ushort, n: cython.int) -> cython.int:
        """Append the moves of a face-up piece to ``out`` from index ``n`` on; the number then in it."""
        piece: cython.int = self.squares[point]
        kind: cython.int = piece & 7
        side: cython.int = SIDE[piece]
        there: cython.int
        at: cython.int
        d: cython.int
        if kind == 1 or kind == 5 or kind == 6:
            for d in range(4):
                at = self.NEXT[d * 91 + point]
                while at != OFF and self.squares[at] == EMPTY:
                    out[n] = point << 7 | at
                    n += 1
                    at = self.NEXT[d * 91 + at]
                if at == OFF:
                    continue
                if kind == 6:
                    at = self.NEXT[d * 91 + at]
                    while at != OFF and self.squares[at] == EMPTY:
                        at = self.NEXT[d * 91 + at]
                    if at == OFF:
                        continue
                there = self.squares[at]
                if there != HIDDEN and SIDE[there] != side:
                    out[n] = point << 7 | at
                    n += 1
            return n
        for d in range(8):
            if kind == 7 or kind == 2:
                if d >= 4:
                    break
                at = self.NEXT[(d if kind == 7 else d + 4) * 91 + point]
            elif kind == 3:
                if d >= 4:
                    break
                at = self.JUMPS[point * 16 + 8 + d]
            else:
                at = self.JUMPS[point * 16 + d]
            if at == OFF:
                continue
            there = self.squares[at]
            if there == EMPTY or (there != HIDDEN and SIDE[there] != side):
                out[n] = point << 7 | at
                n += 1
        return n

    def generate(self, player: cython.int, out: cython.p_ushort) -> cython.int:
        """All actions of a player: turn-ups by point, then moves by the piece's point; their number."""
        n: cython.int = 0
        point: cython.int
        piece: cython.int
        if self.down:
            for point in range(self.points):
                if self.squares[point] == HIDDEN:
                    out[n] = point << 7 | point
                    n += 1
        if self.sides[player] >= 0 and self.up[self.sides[player]]:
            for point in range(self.points):
                piece = self.squares[point]
                if piece & 7 and SIDE[piece] == self.sides[player]:
                    n = self.piece_moves(point, out, n)
        return n

    # -- as Python callers use it

    @property
    def key(self) -> int:
        """64-bit Zobrist key of all that is public: points, pool, player to act, sides, who is out."""
        return self.hash

    @property
    def turn(self) -> int:
        """The player to act, 0 to 2."""
        return self.player

    @property
    def blocked(self) -> bool:
        """Whether nobody can act."""
        return bool(self.stuck)

    @property
    def quiet(self) -> int:
        """Turns without a turn-up or capture, counting on from what the FEN said."""
        return self.still

    @property
    def plies(self) -> int:
        """Turns since the set-up."""
        return self.ply

    @property
    def kingdoms(self) -> tuple[int, int, int]:
        """The side of each player: 0 generals and soldiers, 1 red, 2 black, -1 none yet."""
        return self.sides[0], self.sides[1], self.sides[2]

    @property
    def out(self) -> tuple[int, ...]:
        """The players that are out, first out first."""
        return tuple([self.order[i] for i in range(self.lost)])

    @property
    def aside(self) -> int:
        """How many of the unseen pieces are not on the board."""
        return sum([self.pool[i] for i in range(16)]) - self.down

    @property
    def history(self) -> list[tuple[int, int, int]]:
        """The moves since the set-up, each with the piece it turned up and the players called out by it (as bits)."""
        words = [self.past_moves[i] for i in range(self.ply)]
        return [(word & 0x3FFF, word >> 22 & 15, word >> 26 & 7) for word in words]

    def piece_at(self, point: int) -> int:
        """What stands on a point: 0 nothing, ``HIDDEN`` a face-down piece, else the piece. IndexError off the board."""
        if not 0 <= point < self.points:
            raise IndexError(f"no point {point}")
        return self.squares[point]

    def unseen(self, piece: int) -> int:
        """How many of a piece nobody has seen."""
        return self.pool[piece & 15]

    def standing(self, side: int) -> int:
        """How many pieces of a side are face up."""
        return self.up[side] if 0 <= side < 3 else 0

    def legal_moves(self) -> list[int]:
        """All actions of the player to act, in a fixed order; also where the game would be over by a count."""
        moves = cython.declare(cython.ushort[512])
        if not cython.compiled:
            moves = [0] * 512
        count: cython.int = self.generate(self.player, moves)
        return [moves[i] for i in range(count)]

    def shows(self, move: int) -> bool:
        """Whether a legal move turns a piece up."""
        return move < RETIRE and move >> 7 == move & 127

    def takes_piece(self, move: int) -> bool:
        """Whether a legal move takes a piece."""
        return not self.shows(move) and self.squares[move & 127] != EMPTY

    def play(self, move: int, shown: int = 0, announced: int = 0) -> None:
        """Play a legal move, or ``RETIRE`` + a player. ``IllegalMove``, with nothing changed, for any other, and
        ValueError where ``shown`` can't be."""
        if RETIRE <= move < RETIRE + 3:
            if self.is_out(move - RETIRE):
                raise IllegalMove("that player is out already")
        elif move not in self.legal_moves():
            raise IllegalMove("that move is not legal here")
        elif self.shows(move) and (not 0 < shown < 16 or self.pool[shown] == 0):
            raise ValueError("what the move turns up must be told, and be a piece that nobody has seen")
        if shown and not self.shows(move):
            raise ValueError("the move turns nothing up")
        if not 0 <= announced < 8:
            raise ValueError("the players called out are a bit each")
        self.reserve(1)
        self.make(move, shown, announced)

    def undo(self) -> int:
        """Take back the last move and return it. IndexError when there is none."""
        if self.ply == 0:
            raise IndexError("no move to take back")
        move = self.past_moves[self.ply - 1] & 0x3FFF
        self.unmake()
        return move

    def occurrences(self) -> int:
        """How often the position has occurred since the last turn-up or capture, the present one included."""
        quiet: cython.int = min(self.still, self.ply)
        i: cython.int
        count: cython.int = 1
        for i in range(self.ply - quiet, self.ply):
            if self.past_keys[i] == self.hash:
                count += 1
        return count

    def is_consistent(self) -> bool:
        """Whether counts and key are what points, pool, sides and outs alone give."""
        twin = Board(self.fen())
        same: cython.bint = True
        for i in range(self.points):
            same = same and self.squares[i] == twin.squares[i]
        for i in range(16):
            same = same and self.pool[i] == twin.pool[i]
        for i in range(3):
            same = same and self.up[i] == twin.up[i]
        return same and self.hash == twin.hash and self.down == twin.down and self.out == twin.out

    def copy(self) -> Board:
        """An independent board in the same position, with the same history."""
        return restored(self.start, self.history)

    def __reduce__(self) -> tuple:
        return restored, (self.start, self.history)

    def fen(self) -> str:
        """The position as FEN, as everybody knows it."""
        pieces = tuple([self.squares[i] for i in range(self.points)])
        pool = tuple([self.pool[i] for i in range(16)])
        return write_fen(Fen(pieces, self.player, self.kingdoms, pool, self.still, self.start_ply + self.ply, self.out))

    def __repr__(self) -> str:
        return f"Board({self.fen()!r})"


def restored(start: str, history: list[tuple[int, int, int]]) -> Board:
    """A board with these moves made on its start; they are not tested again."""
    board = Board(start)
    board.reserve(len(history))
    for move, shown, announced in history:
        board.make(move, shown, announced)
    return board


def _fill_tables() -> None:
    mask = (1 << 64) - 1
    state = 0x73616E67756F
    for i in range(1700):  # splitmix64 from a fixed seed
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        ZOBRIST[i] = z ^ z >> 31
    for i in range(16):
        ZOBRIST[1440 + i * 8] = 0  # none of a piece
        SIDE[i] = side_of(i) if i & 7 else 3


_fill_tables()
