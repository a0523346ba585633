"""The built-in player of banqi and luoqi: iterations of the tree search under limits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from random import Random
from typing import Any

from engines.banqi.search.tree import DEEPEST, SURE, WIN, Tree
from engines.player import Candidate, Choice, Limits, Report
from engines.xiangqi.table import Table

Reporter = Callable[[Report[int]], None]

SECONDS = 1.0
"""Thought about a move where no limit is given."""

SHARE = 0.5
"""Of the time for a move, after which no further iteration is begun."""

MOVES_TO_GO = 40
"""Moves of one's own that the time left is shared out among."""


class SearchPlayer:
    """Plays by ``tree``. ``choose`` takes a view of banqi or luoqi, which tells the same to everybody."""

    def __init__(self, megabytes: float = 32, seed: int | None = None) -> None:
        """``seed`` decides between actions that are as good, the first turn-up above all."""
        self._table = Table(megabytes)
        self._random = Random(seed)
        self._tree: Tree | None = None
        self._stopped = False

    def choose(self, game: Any, color: int, limits: Limits, report: Reporter | None = None) -> Choice[int]:
        """Think for the side to act and answer; "none" where it has no action."""
        self._stopped = False
        begun = time.monotonic()
        moves = [move for move in game.legal_moves() if move not in limits.barred(color, game.legal_moves())]
        if not moves:
            return Choice("none")
        board = game.board
        if len(moves) == 1 or board.color < 0:
            return Choice("move", self._random.choice(moves))
        hands = not any(board.shows(move) for move in moves) and sum(map(board.unseen, range(16))) > 0
        tree = Tree(self._table, game.limits.still, hands)
        self._tree = tree
        tree.start(board)
        if limits.nodes is not None:
            tree.node_limit = max(1, limits.nodes)
        seconds = self._seconds(limits)
        timer = None
        if seconds is not None:
            timer = threading.Timer(max(0.0, seconds - (time.monotonic() - begun)), self._halt)
            timer.daemon = True
            timer.start()
        try:
            return self._iterate(tree, self._candidates(board, moves), limits, seconds, begun, report)
        finally:
            self._tree = None
            if timer is not None:
                timer.cancel()

    def _iterate(
        self,
        tree: Tree,
        moves: list[int],
        limits: Limits,
        seconds: float | None,
        begun: float,
        report: Reporter | None,
    ) -> Choice[int]:
        best, last = moves[0], None
        self._table.age()
        for depth in range(1, min(limits.depth or DEEPEST, DEEPEST) + 1):
            alpha, found = -WIN, None
            for move in moves:
                if self._stopped:
                    tree.halt = True
                score = tree.score_of(move, depth, alpha, WIN)
                if tree.halt:
                    break
                if found is None or score > alpha:
                    alpha, found = score, move
            if found is not None and (not tree.halt or found != moves[0]):
                best = found
                moves = [found, *(move for move in moves if move != found)]
                passed = time.monotonic() - begun
                mate = (WIN - abs(alpha) + 1) // 2 * (1 if alpha > 0 else -1) if abs(alpha) > SURE else None
                candidate = Candidate(found, (found,), tree.nodes, score=float(alpha), mate=mate)
                last = Report((candidate,), passed, tree.nodes, depth)
                if report is not None:
                    report(last)
            if tree.halt or alpha > SURE:
                break
            if seconds is not None and not limits.infinite and time.monotonic() - begun > SHARE * seconds:
                break
        return Choice("move", best, report=last)

    def _candidates(self, board: Any, moves: list[int]) -> list[int]:
        """The actions to think about: of turn-ups where nothing face up is near, one stands for all."""
        mixed = list(moves)
        self._random.shuffle(mixed)
        kept, lonely = [], 0
        for move in mixed:
            if board.shows(move) and move >> 5 == move & 31 and not _near(board, move & 31):
                lonely += 1
                if lonely > 1:
                    continue
            kept.append(move)
        return sorted(kept, key=lambda move: (board.shows(move), not board.takes_piece(move)))

    def _seconds(self, limits: Limits) -> float | None:
        if limits.infinite:
            return None
        times = []
        if limits.seconds is not None:
            times.append(limits.seconds)
        if limits.clock is not None:
            plan = limits.clock.plan(MOVES_TO_GO)
            if plan is not None:
                times.append(plan.target)
        if not times:
            return None if limits.nodes is not None or limits.depth is not None else SECONDS
        return max(0.001, min(times) - 0.003)

    def _halt(self) -> None:
        tree = self._tree
        if tree is not None:
            tree.halt = True

    def stop(self) -> None:
        """Make the current ``choose`` return soon."""
        self._stopped = True
        self._halt()

    def close(self) -> None:
        """Stop; the table's memory goes with the player."""
        self.stop()


def _near(board: Any, square: int) -> bool:
    """Whether a face-up piece stands next to a square, or a line away behind one piece."""
    file, rank = square % 4, square // 4
    for x, y in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        for steps in range(1, 8):
            there = file + steps * x, rank + steps * y
            if not (0 <= there[0] < 4 and 0 <= there[1] < 8):
                break
            piece = board.piece_at(there[0] + 4 * there[1])
            if piece & 7 and (steps == 1 or piece & 7 == 6):
                return True
    return False
