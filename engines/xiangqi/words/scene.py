"""A position as the words look at it, and what its pieces reach.

The words count files and ranks from the bottom line of a piece's own side, ranks from 1 to 10; files 3 and 7 are c and
g for either side. Squares, colors and pieces are those of ``engines.xiangqi.geometry``. The board proper can't be asked
what would be without a piece, or without generals: the words can, so the moves are told here once more, plainly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import is_home

RED, BLACK = 0, 1
GENERAL, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, SOLDIER = range(1, 8)

STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
SLANTING = ((1, 1), (1, -1), (-1, 1), (-1, -1))

MIDDLE = 4
"""The middle file, counted from 0."""


def mirrored(files: Iterable[int]) -> set[int]:
    """Files counted from 1, and those that they are from the other side; counted from 0."""
    return {file - 1 for file in files} | {9 - file for file in files}


class Scene:
    """Pieces on their squares, one a square from a0; ``turn`` is to move."""

    def __init__(self, pieces: Sequence[int], turn: int) -> None:
        self.pieces = tuple(pieces)
        self.turn = turn

    @classmethod
    def of(cls, board: Board) -> Scene:
        """The present position of a board."""
        return cls([board.piece_at(square) for square in range(90)], board.turn)

    def squares(self, color: int, kind: int) -> list[int]:
        """Where a side has pieces of a kind."""
        piece = kind + 8 * color
        return [square for square, one in enumerate(self.pieces) if one == piece]

    def is_of(self, square: int, color: int) -> bool:
        """Whether a piece of a side stands on a square."""
        return self.pieces[square] != 0 and self.pieces[square] >> 3 == color

    def kind(self, square: int) -> int:
        """The kind of the piece on a square, 0 for none."""
        return self.pieces[square] & 7

    def between(self, one: int, other: int) -> list[int]:
        """The squares strictly between two of one rank or file; none for others."""
        return [square for square in line(one, other) if square not in (one, other)]

    def screens(self, one: int, other: int) -> list[int]:
        """The pieces strictly between two squares of one rank or file, from the first on."""
        return [square for square in self.between(one, other) if self.pieces[square]]

    def without(self, squares: Iterable[int]) -> Scene:
        """The position without the pieces on these squares."""
        gone = set(squares)
        return Scene([0 if at in gone else piece for at, piece in enumerate(self.pieces)], self.turn)

    def after(self, origin: int, target: int) -> Scene:
        """The position after a piece has gone from one square to another; the turn stays."""
        pieces = list(self.pieces)
        pieces[target], pieces[origin] = pieces[origin], 0
        return Scene(pieces, self.turn)

    # ---- what pieces reach

    def targets(self, square: int) -> Iterator[int]:
        """The squares that the piece on one can go to or take on, legal or not; own pieces are not taken."""
        color = self.pieces[square] >> 3
        return (to for to in _REACH[self.kind(square)](self, square) if not self.is_of(to, color))

    def attacks(self, square: int, target: int) -> bool:
        """Whether the piece on a square could take one of the other side on ``target``, were it there."""
        pieces = list(self.pieces)
        pieces[target] = SOLDIER + 8 * (1 - (self.pieces[square] >> 3))
        return target in Scene(pieces, self.turn).targets(square)

    def attackers(self, target: int, color: int) -> list[int]:
        """The pieces of a side, its general left out, that can take on an occupied square."""
        return [
            square
            for square, piece in enumerate(self.pieces)
            if piece and piece >> 3 == color and piece & 7 != GENERAL and target in self.targets(square)
        ]

    def general(self, color: int) -> int | None:
        """Where a side's general stands; None without one."""
        return next(iter(self.squares(color, GENERAL)), None)

    def facing(self) -> bool:
        """Whether the generals face each other with nothing between."""
        red, black = self.general(RED), self.general(BLACK)
        return red is not None and black is not None and red % 9 == black % 9 and not self.screens(red, black)

    def checkers(self, color: int) -> list[int]:
        """The pieces that check the general of a side; the other general is none."""
        general = self.general(color)
        return [] if general is None else self.attackers(general, 1 - color)

    def general_steps(self, color: int) -> list[int]:
        """The squares that the general of a side could step to, were none guarded."""
        general = self.general(color)
        return [] if general is None else list(self.targets(general))

    def is_mate(self) -> bool:
        """Whether the side to move is in check and every move leaves it in check, or facing the other general."""
        color = self.turn
        if not self.checkers(color):
            return False
        for square, piece in enumerate(self.pieces):
            if piece and piece >> 3 == color:
                for target in self.targets(square):
                    then = self.after(square, target)
                    if not then.checkers(color) and not then.facing():
                        return False
        return True

    def guarded_by(self, target: int) -> list[int]:
        """The pieces of the other side that could take the general of the side to move if it stepped on ``target``."""
        general = self.general(self.turn)
        assert general is not None
        return self.after(general, target).checkers(self.turn)


def rank_of(square: int, color: int) -> int:
    """The rank of a square, from 1, counted from a side's own bottom line."""
    return square // 9 + 1 if color == RED else 10 - square // 9


def square_at(file: int, rank: int, color: int) -> int:
    """The square of a file from 0 (the a-file) and a rank from 1, counted from a side's own bottom line."""
    return (rank - 1 if color == RED else 10 - rank) * 9 + file


def line(one: int, other: int) -> list[int]:
    """The squares from one to another on the same rank or file, both included; none where they are on neither."""
    if one % 9 == other % 9:
        step = 9 if other > one else -9
    elif one // 9 == other // 9:
        step = 1 if other > one else -1
    else:
        return []
    return list(range(one, other + step, step))


def _step(square: int, files: int, ranks: int) -> int | None:
    file, rank = square % 9 + files, square // 9 + ranks
    return rank * 9 + file if 0 <= file < 9 and 0 <= rank < 10 else None


def _at_home(steps: tuple[tuple[int, int], ...]) -> Callable[[Scene, int], Iterator[int]]:
    """What generals and advisors reach: single steps within the palace."""

    def reach(scene: Scene, square: int) -> Iterator[int]:
        color, kind = scene.pieces[square] >> 3, scene.kind(square)
        for files, ranks in steps:
            to = _step(square, files, ranks)
            if to is not None and is_home(color, to, kind):
                yield to

    return reach


def _elephant(scene: Scene, square: int) -> Iterator[int]:
    color = scene.pieces[square] >> 3
    for files, ranks in SLANTING:
        to, eye = _step(square, 2 * files, 2 * ranks), _step(square, files, ranks)
        if to is not None and eye is not None and is_home(color, to, ELEPHANT) and not scene.pieces[eye]:
            yield to


def _horse(scene: Scene, square: int) -> Iterator[int]:
    for files, ranks in STRAIGHT:
        leg = _step(square, files, ranks)
        if leg is None or scene.pieces[leg]:
            continue
        for side in (-1, 1):
            to = _step(square, 2 * files + side * ranks, 2 * ranks + side * files)
            if to is not None:
                yield to


def _rays(square: int) -> Iterator[Iterator[int]]:
    for files, ranks in STRAIGHT:
        far = [at for i in range(1, 10) if (at := _step(square, files * i, ranks * i)) is not None]
        yield iter(far)


def _chariot(scene: Scene, square: int) -> Iterator[int]:
    for ray in _rays(square):
        for to in ray:
            yield to
            if scene.pieces[to]:
                break


def _cannon(scene: Scene, square: int) -> Iterator[int]:
    for ray in _rays(square):
        for to in ray:
            if scene.pieces[to]:
                break
            yield to
        for to in ray:  # behind the screen
            if scene.pieces[to]:
                yield to
                break


def _soldier(scene: Scene, square: int) -> Iterator[int]:
    color = scene.pieces[square] >> 3
    forward = 1 if color == RED else -1
    ways = ((0, forward), (1, 0), (-1, 0)) if rank_of(square, color) > 5 else ((0, forward),)
    for files, ranks in ways:
        to = _step(square, files, ranks)
        if to is not None:
            yield to


_REACH: dict[int, Callable[[Scene, int], Iterator[int]]] = {
    0: lambda scene, square: iter(()),
    GENERAL: _at_home(STRAIGHT),
    ADVISOR: _at_home(SLANTING),
    ELEPHANT: _elephant,
    HORSE: _horse,
    CHARIOT: _chariot,
    CANNON: _cannon,
    SOLDIER: _soldier,
}
