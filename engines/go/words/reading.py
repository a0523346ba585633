"""What the words 征, 接不归 and 紧气 read out, on a board of their own.

The reading of ``engines.go.reading`` is made for playouts: it looks at so many positions and no more, and answers what
a player wants to know (can the chain be caught). The words ask for a proof of a definition, so they read here, over
the same rules: until it is settled, or ``BUDGET`` positions were seen, which counts as no.
"""

from __future__ import annotations

from engines.go.board import Board
from engines.go.life import unconditional_life
from engines.go.points import opponent
from engines.go.words.scene import Point, Position

BUDGET = 20_000
"""Positions that one question may look at. A ladder across the board takes some hundred."""


def is_ladder(position: Position, owner: int, stone: Point) -> bool:
    """Whether the owner's chain at ``stone``, in atari and its owner to move, is in a working ladder: it can run, never
    gets more than two liberties, and is put in atari again each time until it is taken.
    """
    board, at = _board(position), _number(position, stone)
    reader = _Ladder(board, at, owner)
    return not reader.escapes() and reader.ran


class _Ladder:
    """One ladder, read out; ``ran`` tells whether the chain ever got its second liberty."""

    def __init__(self, board: Board, stone: int, owner: int) -> None:
        self.board, self.stone, self.owner = board, stone, owner
        self.left = BUDGET
        self.ran = False

    def escapes(self) -> bool:
        """Whether the owner, to move with the chain in atari, gets it out of the ladder."""
        for point in self._runs():
            self.left -= 1
            if self.left < 0:
                return True
            self.board.play(self.owner, point)
            free = self.board.liberty_count(self.stone)
            self.ran = self.ran or free == 2
            out = free > 2 or (free == 2 and not self._caught())
            self.board.undo()
            if out:
                return True
        return False

    def _runs(self) -> list[int]:
        """Moves that may save the chain: along its last liberty, or taking what holds it."""
        board, enemy = self.board, opponent(self.owner)
        found = set(board.liberties(self.stone))
        for stone in board.chain(self.stone):
            for near in _near(board, stone):
                if board.at(near) == enemy and board.liberty_count(near) == 1:
                    found |= set(board.liberties(near))
        return [point for point in sorted(found) if board.is_legal(self.owner, point)]

    def _caught(self) -> bool:
        """Whether the other side, to move with the chain at two liberties, has an atari that it does not escape."""
        enemy = opponent(self.owner)
        for point in self.board.liberties(self.stone):
            if not self.board.is_legal(enemy, point):
                continue
            self.left -= 1
            if self.left < 0:
                return False
            self.board.play(enemy, point)
            caught = self.board.liberty_count(self.stone) == 1 and not self.escapes()
            self.board.undo()
            if caught:
                return True
        return False


def joins_and_dies(position: Position, owner: int, stone: Point) -> bool:
    """Whether the last liberty of the owner's chain at ``stone`` joins it to another of its own, and the whole then has
    one liberty and can be taken.
    """
    board, at = _board(position), _number(position, stone)
    [point] = board.liberties(at)
    mine = set(board.chain(at))
    others = {near for near in _near(board, point) if board.at(near) == owner} - mine
    if not others or not board.is_legal(owner, point):
        return False
    board.play(owner, point)
    free = board.liberties(at)
    return len(free) == 1 and board.is_legal(opponent(owner), free[0])


def in_race(position: Position, stone: Point, rival: int) -> bool:
    """Whether the chain at ``stone`` is in a capturing race: it touches a chain of ``rival``, both are shut in, and
    neither can live where it is.
    """
    color = opponent(rival)
    chain = position.chain(stone)
    rivals = {position.chain(near) for one in chain for near in position.beside(one, rival)}
    if not rivals or _lives(position, color, stone) or not _shut_in(position, stone, rivals):
        return False
    return any(
        _shut_in(position, min(other), {chain}) and not _lives(position, rival, min(other))
        for other in sorted(rivals, key=min)
    )


def _lives(position: Position, color: int, stone: Point) -> bool:
    life = unconditional_life(position.width, position.height, position.stones, color)
    return _number(position, stone) in life.stones


RUNS, RACE_BUDGET = 6, 600
"""Moves of a chain along its liberties, and positions seen, after which it counts as not shut in, if new liberties keep
turning up.
"""


def _shut_in(position: Position, stone: Point, rivals: set[frozenset[Point]]) -> bool:
    """Whether the chain's owner, to move, can't get it more liberties than it has: neither by taking an enemy chain
    beside it that is none of its rivals, nor by running where the other side can't close the way.
    """
    out = {_number(position, one) for rival in rivals for one in rival}
    return not _Run(_board(position), _number(position, stone), out).gets_out(RUNS)


class _Run:
    """A chain that tries to get out; stones of ``rivals`` are not taken, since that is the race itself."""

    def __init__(self, board: Board, stone: int, rivals: set[int]) -> None:
        self.board, self.stone, self.rivals = board, stone, rivals
        self.color, self.had = board.at(stone), board.liberty_count(stone)
        self.left = RACE_BUDGET

    def gets_out(self, runs: int) -> bool:
        """Whether the chain, its owner to move, gets more liberties than it had in at most so many moves."""
        board = self.board
        if runs == 0:
            return True
        known = set(board.liberties(self.stone))
        for point in sorted(known | self._takes()):
            if self._in_race(point) or not board.is_legal(self.color, point):
                continue
            self.left -= 1
            if self.left < 0:
                return True
            board.play(self.color, point)
            fresh = [one for one in board.liberties(self.stone) if one not in known]
            free = board.liberty_count(self.stone) > self.had or (bool(fresh) and not self._closed(fresh, runs))
            board.undo()
            if free:
                return True
        return False

    def _closed(self, fresh: list[int], runs: int) -> bool:
        """Whether the other side, to move, closes the way by a stone on one of the new liberties."""
        board, enemy = self.board, opponent(self.color)
        for point in fresh:
            if board.is_legal(enemy, point):
                board.play(enemy, point)
                shut = not self.gets_out(runs - 1)
                board.undo()
                if shut:
                    return True
        return False

    def _takes(self) -> set[int]:
        """Moves that take an enemy chain beside the chain."""
        board, enemy = self.board, opponent(self.color)
        return {
            board.liberties(near)[0]
            for one in board.chain(self.stone)
            for near in _near(board, one)
            if board.at(near) == enemy and board.liberty_count(near) == 1 and near not in self.rivals
        }

    def _in_race(self, point: int) -> bool:
        """Whether a move takes one of the rivals."""
        board = self.board
        return any(near in self.rivals and board.liberty_count(near) == 1 for near in _near(board, point))


def _board(position: Position) -> Board:
    board = Board(position.width, position.height)
    board.set_position(position.stones)
    return board


def _number(position: Position, point: Point) -> int:
    return point[1] * position.width + point[0]


def _near(board: Board, point: int) -> list[int]:
    x, y = point % board.width, point // board.width
    return [
        (y + dy) * board.width + x + dx
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if 0 <= x + dx < board.width and 0 <= y + dy < board.height
    ]


def cuts(position: Position, color: int, point: Point) -> bool:
    """Whether a stone of ``color`` on the empty ``point``, where enemy chains meet, would part two of them for good: it
    is legal, and no other point joins them.
    """
    enemy = opponent(color)
    chains = sorted(position.touching(point, enemy), key=min)
    if len(chains) < 2 or not _board(position).is_legal(color, _number(position, point)):
        return False
    return any(
        position.liberties(min(one)) & position.liberties(min(other)) == {point}
        for index, one in enumerate(chains)
        for other in chains[index + 1 :]
    )


__all__ = ["BUDGET", "cuts", "in_race", "is_ladder", "joins_and_dies"]
