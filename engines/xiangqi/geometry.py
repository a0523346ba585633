"""Squares, pieces, moves as numbers, and the tables that the board works with.

Squares are numbered ``rank * 9 + file``: file 0 is the a-file at Red's left, rank 0 Red's back rank, so a0 is 0 and i9
is 89; ``NOWHERE`` (90) is off the board. A move is one int, ``origin << 7 | target``; ``NO_MOVE`` (0) is none. Colors
are RED 0, BLACK 1. A piece is its kind: ``KING`` 1, ``ADVISOR`` 2, ``BISHOP`` (elephant) 3, ``KNIGHT`` (horse) 4,
``ROOK`` (chariot) 5, ``CANNON`` 6, ``PAWN`` (soldier) 7, plus 8 for Black; 0 is an empty point.

Every piece keeps one of 32 *slots* for life: Black's are Red's plus 16, and in each sixteen the king is 0, rooks 1-2,
cannons 3-4, knights 5-6, pawns 7-11, advisors 12-13, bishops 14-15; ``NO_SLOT`` (32) stands for an empty point.
"""

from __future__ import annotations

import cython

if not cython.compiled:  # compiled, geometry.pxd declares all of these in C
    RED, BLACK = 0, 1
    KING, ADVISOR, BISHOP, KNIGHT, ROOK, CANNON, PAWN = 1, 2, 3, 4, 5, 6, 7
    NO_MOVE, NOWHERE, NO_SLOT = 0, 90, 32
    FILE_OF, RANK_OF, PIECE_OF = [0] * 91, [0] * 91, [0] * 33
    POP, LOW, BETWEEN = [0] * 1024, [0] * 1024, [0] * 256
    ROOK_ROW, CANNON_ROW, ROOK_COL, CANNON_COL = [0] * 4608, [0] * 4608, [0] * 10240, [0] * 10240
    KNIGHT_LEG, KNIGHT_WIDE, STEPS, STEP_ROW = [0] * 8190, [0] * 72, [0] * 9180, [0] * 33
    ZOBRIST, ZOBRIST_TURN = [0] * 1440, [0]

PIECE_LETTERS = ".KABNRCP.kabnrcp"
"""FEN letter of each piece; Red's are capitals."""

SLOT_KINDS = (KING, ROOK, ROOK, CANNON, CANNON, KNIGHT, KNIGHT) + (PAWN,) * 5 + (ADVISOR, ADVISOR, BISHOP, BISHOP)
"""The kind of each of a side's sixteen slots: what a side has at most."""

KIND_NAMES = ("", "general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier")
SIDE_NAMES = ("Red", "Black")


def move_of(origin: int, target: int) -> int:
    """The move from one square to another."""
    return origin << 7 | target


def move_from(move: int) -> int:
    """The square a move starts from."""
    return move >> 7


def move_to(move: int) -> int:
    """The square a move ends on."""
    return move & 127


def move_in(entry: int) -> int:
    """The move in an entry of a board's history or of a search's table: the lowest 14 bits."""
    return entry & 0x3FFF


def square_name(square: int) -> str:
    """File letter and rank digit, ranks counted from 0: ``e0``."""
    return f"{'abcdefghi'[square % 9]}{square // 9}"


def move_name(move: int) -> str:
    """Coordinates, ranks counted from 0, as UCCI and Pikafish write them: ``h2e2``."""
    return square_name(move_from(move)) + square_name(move_to(move))


def checked_name(move: int) -> str:
    """``move_name`` for a number that may be no move at all: ``ValueError`` then."""
    if not (0 <= move < 1 << 14 and max(move_from(move), move_to(move)) < 90) or move_from(move) == move_to(move):
        raise ValueError(f"{move} is no move on this board")
    return move_name(move)


def read_coordinates(text: str) -> int:
    """The move of coordinates, ranks counted from 0, in either case. ``ValueError`` for any other text.

    >>> read_coordinates("h2e2") == move_of(25, 22)
    True
    """
    plain = text.strip().lower()
    squares = [plain[:2], plain[2:]]
    if any(len(one) != 2 or one[0] not in "abcdefghi" or one[1] not in "0123456789" for one in squares):
        raise ValueError(f"{text[:20]!r} is no move: it is written like h2e2, from a0 to i9")
    origin, target = ("abcdefghi".index(one[0]) + 9 * int(one[1]) for one in squares)
    if origin == target:
        raise ValueError(f"{text[:20]!r} is no move: it stays where it is")
    return move_of(origin, target)


def piece_color(piece: int) -> int:
    """``RED`` or ``BLACK``; meaningless for an empty point."""
    return piece >> 3


def piece_kind(piece: int) -> int:
    """``KING`` … ``PAWN``, 0 for an empty point."""
    return piece & 7


@cython.cfunc
def _rays(position: cython.int, occupied: cython.int, length: cython.int) -> cython.int:
    """What is seen from a point of a line: a rook's points, and << 16 a cannon's first pieces over a screen."""
    seen: cython.int = 0
    step: cython.int
    at: cython.int
    screens: cython.int
    for step in (-1, 1):
        at, screens = position + step, 0
        while 0 <= at < length and screens < 2:
            if screens == 0:
                seen |= 1 << at
            elif occupied >> at & 1:
                seen |= 1 << at << 16
            screens += occupied >> at & 1
            at += step
    return seen


def is_home(color: int, square: int, kind: int) -> bool:
    """Whether a piece of this color and kind can ever stand on the square."""
    rank, file = square // 9, square % 9
    if color == BLACK:
        rank = 9 - rank
    if kind == KING:
        return rank <= 2 and 3 <= file <= 5
    if kind == ADVISOR:
        return (rank, file) in ((0, 3), (0, 5), (1, 4), (2, 3), (2, 5))
    if kind == BISHOP:
        return (rank, file) in ((0, 2), (0, 6), (2, 0), (2, 4), (2, 8), (4, 2), (4, 6))
    if kind == PAWN:
        return rank >= 5 or (rank >= 3 and file % 2 == 0)
    return True


def _neighbor(square: int, files: int, ranks: int) -> int:
    """The square so many files and ranks away, or ``NOWHERE`` when off the board."""
    file, rank = square % 9 + files, square // 9 + ranks
    return rank * 9 + file if 0 <= file < 9 and 0 <= rank < 10 else NOWHERE


def _reach(square: int, offsets: tuple[tuple[int, int], ...]) -> list[int]:
    return [to for files, ranks in offsets if (to := _neighbor(square, files, ranks)) != NOWHERE]


def _set_steps(row: int, square: int, pairs: list[tuple[int, int]]) -> None:
    """Write one square's (target, leg or eye) pairs into a row of ``STEPS``."""
    at = row * 1530 + square * 17
    STEPS[at] = len(pairs)
    for i, (to, leg) in enumerate(pairs):
        STEPS[at + 1 + 2 * i], STEPS[at + 2 + 2 * i] = to, leg


_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def _fill_lines() -> None:
    """Fill the tables of ranks and files."""
    mask: cython.int
    point: cython.int
    seen: cython.int
    a: cython.int
    b: cython.int
    for mask in range(1024):
        POP[mask] = POP[mask >> 1] + (mask & 1)
        LOW[mask] = 0 if mask & 1 or mask == 0 else LOW[mask >> 1] + 1
    for a in range(10):
        for b in range(10):
            for point in range(min(a, b) + 1, max(a, b)):
                BETWEEN[a * 16 + b] |= 1 << point
    for mask in range(512):
        for point in range(9):
            seen = _rays(point, mask, 9)
            ROOK_ROW[point * 512 + mask], CANNON_ROW[point * 512 + mask] = seen & 0xFFFF, seen >> 16
    for mask in range(1024):
        for point in range(10):
            seen = _rays(point, mask, 10)
            ROOK_COL[point * 1024 + mask], CANNON_COL[point * 1024 + mask] = seen & 0xFFFF, seen >> 16


def _fill_steps() -> None:
    """Fill the tables of squares and of the pieces that step."""
    FILE_OF[NOWHERE] = RANK_OF[NOWHERE] = 15
    for i in range(8190):
        KNIGHT_LEG[i] = NOWHERE
    for square in range(90):
        FILE_OF[square], RANK_OF[square] = square % 9, square // 9
        color = RED if square < 45 else BLACK  # whose half it is: king, advisor and bishop never leave it
        knight, bishop = [], []
        for files, ranks in _STRAIGHT:
            leg = _neighbor(square, files, ranks)
            for side in (-1, 1):
                to = _neighbor(square, 2 * files + side * ranks, 2 * ranks + side * files)
                if to != NOWHERE:
                    knight.append((to, leg))
                    KNIGHT_LEG[to * 91 + square] = leg
        for files, ranks in _DIAGONAL:
            to = _neighbor(square, 2 * files, 2 * ranks)
            if is_home(color, to, BISHOP):
                bishop.append((to, _neighbor(square, files, ranks)))
        _set_steps(0, square, [(to, NOWHERE) for to in _reach(square, _STRAIGHT) if is_home(color, to, KING)])
        _set_steps(1, square, [(to, NOWHERE) for to in _reach(square, _DIAGONAL) if is_home(color, to, ADVISOR)])
        _set_steps(2, square, bishop)
        _set_steps(3, square, knight)
        for mover in (RED, BLACK):
            ways = ((0, 1 - 2 * mover), (1, 0), (-1, 0))[: 1 if color == mover else 3]
            _set_steps(4 + mover, square, [(to, NOWHERE) for to in _reach(square, ways)])
    for file in range(9):
        for near in range(8):
            left, right = near & 1, near >> 2
            wide = (0 if left or file < 2 else 1 << (file - 2)) | (0 if right or file > 6 else 1 << (file + 2))
            KNIGHT_WIDE[file * 8 + near] = wide


def _fill_pieces() -> None:
    """Fill the tables of slots and the Zobrist keys (splitmix64 from a fixed seed: the same in every build)."""
    rows = {KING: 0, ADVISOR: 1, BISHOP: 2, KNIGHT: 3, PAWN: 4}
    for slot in range(32):
        kind, color = SLOT_KINDS[slot % 16], slot // 16
        PIECE_OF[slot] = kind + color * 8
        STEP_ROW[slot] = (rows.get(kind, 0) + (color if kind == PAWN else 0)) * 1530
    PIECE_OF[NO_SLOT] = 0
    state, mask = 20260101, (1 << 64) - 1
    for i in range(1441):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        z ^= z >> 31
        if i < 1440:
            ZOBRIST[i] = z
        else:
            ZOBRIST_TURN[0] = z


_fill_lines()
_fill_steps()
_fill_pieces()
