"""Corners where whoever moves first gains: what there is to gain, the moves that do, and those that give it away.

Where little room is left life, seki and death hang on one move, and playouts are poor at it. ``engines.go.local`` reads
such a corner to the end; the search is told what was found before it begins.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from engines.go.fates import KEPT, MOST_EMPTY, Corner, find_corners
from engines.go.game import Game
from engines.go.local import Local
from engines.go.outlook import top_left
from engines.go.points import BLACK, EMPTY, WHITE, border, chains, opponent
from engines.go.tree import Tree
from engines.player import Candidate, Report

LEAST_GAIN = 4
"""Points to gain below which a corner is left to the search."""

LARGEST_ELSEWHERE = 28
"""Points that a move in the opening gains over the opponent's there: no move elsewhere is worth more, as a rule …"""

SMALLEST_ELSEWHERE = 4
"""… and what one may be worth where nothing is open, besides a point for each that is."""

CLOSED = 10
"""Empty points of a region of one colour's up to which the other is taken to have no business there."""

READING_FIRST = 60
"""Positions of small corners that may be read for each playout to come, to see where moving first gains …"""

MOST_READ_FIRST = 400_000
"""… and never more than this."""

FAVOUR = 1.0
"""Part of a search's playouts that the best moves there begin with, where nothing larger can be elsewhere …"""

SOUND = 0.5
"""… and how much of the time the chains around must live for what was read to count for more than the search."""


@dataclass(frozen=True)
class Urgency:
    """A corner where a colour gains by moving first.

    ``gain``: how many points of area it gets there more than if the opponent did; kos go to the opponent, or to the
    colour where it gains by a ko only. ``best``: the moves that gain all of it. ``worse``: those that gain less
    than half.
    """

    corner: Corner
    gain: int
    best: frozenset[int]
    worse: frozenset[int]

    @property
    def weight(self) -> float:
        """The gain and what goes with it: where more is at stake than the first move decides, it threatens something or
        takes a threat away, and up to half as much again is counted, as between a move in gote and one in sente.
        """
        left = 2 * len(self.corner.points) - self.gain
        return self.gain + min(self.gain, left) / 2


class Urgencies:
    """Reads corners for the colour to move and remembers what it found."""

    def __init__(self) -> None:
        self._boards: dict[tuple[int, int], Local] = {}
        self._known: OrderedDict[tuple[int, int, Corner, int], tuple[int, bool, Urgency | None]] = OrderedDict()

    def read(
        self, width: int, height: int, stones: Sequence[int], color: int, limit: int, suicide: bool = False
    ) -> tuple[list[Urgency], list[Corner]]:
        """The corners where ``color`` gains by moving first, the weightiest first; and those that could not be read.

        ``limit`` bounds the positions looked at, in all, of which one corner gets half of what is left; corners that
        were read before count as if they were read again.
        """
        found: list[Urgency] = []
        unread: dict[tuple[int, ...], Corner] = {}
        taken: set[int] = set()
        for most in MOST_EMPTY:
            corners = find_corners(width, height, stones, most, taken, suicide)
            for corner in sorted(corners, key=lambda corner: len(corner.empty)):
                nodes, done, urgency = self._corner(width, height, stones, corner, color, limit // 2)
                limit -= nodes
                if done:
                    taken.update(corner.points)
                else:
                    unread[corner.empty] = corner
                if urgency is not None:
                    found.append(urgency)
        found.sort(key=lambda urgency: (-urgency.weight, urgency.corner.empty))
        return found, [corner for corner in unread.values() if taken.isdisjoint(corner.points)]

    def urge(self, tree: Tree, game: Game, color: int, playouts: int) -> tuple[Urgency, ...]:
        """Tell a tree that is to get so many playouts what was read; the corners where ``color`` should move now.

        Nothing while a ko is on: then a move that loses may be the threat that wins it.
        """
        if tree.in_ko:
            return ()
        width, height, stones = game.width, game.height, game.board.stones()
        limit = min(MOST_READ_FIRST, READING_FIRST * playouts)
        found, unread = self.read(width, height, stones, color, limit, game.rules.suicide)
        urged: list[Urgency] = []
        for urgency in found:
            if not all(game.is_legal(color, point) for point in urgency.best):
                continue
            for point in urgency.worse:
                tree.bar(point)
            if urgency.weight >= worth_elsewhere(width, height, stones, urgency.corner, unread) and (
                not urged or urgency.weight == urged[0].weight
            ):
                urged.append(urgency)
                for point in urgency.best:
                    tree.favour(point, int(FAVOUR * playouts))
        return tuple(urged)

    def _corner(
        self, width: int, height: int, stones: Sequence[int], corner: Corner, color: int, limit: int
    ) -> tuple[int, bool, Urgency | None]:
        """How many positions were looked at for a corner, whether these were enough, and what was found."""
        key = (width, height, corner, color)
        known = self._known.get(key)
        if known is not None and (known[0] <= limit if known[1] else known[0] >= limit):
            self._known.move_to_end(key)
            return known if known[1] else (limit, False, None)
        if (width, height) not in self._boards:
            self._boards[width, height] = Local(width, height)
        board = self._boards[width, height]
        urgency = read_urgency(board, bytes(stones), corner, color, limit)
        answer = (limit, False, None) if board.nodes > limit else (board.nodes, True, urgency)
        self._known[key] = answer
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return answer


def read_urgency(board: Local, stones: bytes, corner: Corner, color: int, limit: int) -> Urgency | None:
    """Read a corner; None where ``color`` gains nothing there, or where it takes more than ``limit`` positions."""
    points = corner.points
    board.arrange(stones, points, [1] * len(points), limit)
    sign = 1 if color == BLACK else -1
    others = []
    for friend in (opponent(color), color):
        then = board.value(opponent(color), friend)
        if then is None:
            return None
        others.append(sign * then)
        more = board.reaches(color, _need(color, sign * then + LEAST_GAIN), friend)
        if more is None:
            return None
        if more != (color == BLACK):
            continue
        first = board.value(color, friend)
        luckiest = board.value(color, color)
        if first is None or luckiest is None:
            return None
        gain = sign * (first - then)
        best = _reaching(board, corner, color, sign * first, friend)
        if friend == color:
            # A ko may be tried where it costs nothing to lose it.
            best &= _reaching(board, corner, color, others[0], opponent(color))
        else:
            # Of moves that do without a ko those that also gain most if it can be won.
            best = best & _reaching(board, corner, color, sign * luckiest, color) or best
        kept = _reaching(board, corner, color, sign * first - gain // 2, friend)
        kept |= _reaching(board, corner, color, sign * luckiest - gain // 2, color)
        return Urgency(corner, gain, best, frozenset(corner.empty) - kept) if best else None
    return None


def _need(color: int, value: int) -> int:
    """What ``Local.reaches`` is asked for a value from the view of ``color``."""
    return value if color == BLACK else 1 - value


def _reaching(board: Local, corner: Corner, color: int, value: int, friend: int) -> frozenset[int]:
    """The moves with which ``color`` comes to a value (from its own view) or more, ``friend`` winning kos."""
    need = _need(color, value)
    return frozenset(point for point in corner.empty if board.reaches(color, need, friend, point) == (color == BLACK))


def worth_elsewhere(
    width: int, height: int, stones: Sequence[int], corner: Corner, unread: Sequence[Corner] = ()
) -> int:
    """Points that the largest move outside the corner may gain, by how much of the board is still open: neutral or wide
    regions, and corners that could not be read.
    """
    here = set(corner.empty)
    still_open = {point for other in unread if here.isdisjoint(other.empty) for point in other.points}
    for region in chains(width, height, stones, EMPTY):
        around = {stones[point] for point in border(width, height, region)}
        if here.isdisjoint(region) and (len(region) > CLOSED or {BLACK, WHITE} <= around):
            still_open.update(region)
    return min(LARGEST_ELSEWHERE, SMALLEST_ELSEWHERE + len(still_open))


def urgent_move(urged: Sequence[Urgency], game: Game, color: int, report: Report[int]) -> Candidate[int] | None:
    """The most visited move that decides such a corner, if the chains around it live as was taken for granted."""
    if report.ownership is None or not urged:
        return None
    best: set[int] = set()
    for urgency in urged:
        walls = [point for point, _ in urgency.corner.walls]
        sides = [1 if game.board.at(point) == color else -1 for point in walls]
        owned = [report.ownership[top_left(point, game)] for point in walls]
        if all(side * value >= SOUND for side, value in zip(sides, owned, strict=True)):
            best |= urgency.best
    return next((candidate for candidate in report.candidates if candidate.move in best), None)
