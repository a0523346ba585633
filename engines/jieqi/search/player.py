"""The built-in player of jieqi and fanqi: iterations of the tree search under limits, clocks and a chosen strength."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from engines.clock import LAG, LagMeter
from engines.jieqi.board import Board
from engines.jieqi.ends import Rules, outcome
from engines.jieqi.forms import LETTERS, form_of, plies_of
from engines.jieqi.search.tree import BY_RULE, DEEPEST, SURE, WIN, Tree
from engines.player import Candidate, Choice, Limits, Report
from engines.xiangqi.geometry import PIECE_LETTERS
from engines.xiangqi.settings import FULL_LEVEL, level_depth, level_error
from engines.xiangqi.table import Table

Reporter = Callable[[Report[int]], None]

SHARE = 0.55
"""Of the time aimed at, after which no further iteration is begun."""

MOVES_TO_GO = 25
"""Moves that the time left is shared out among."""

HALT_DELAY = 0.003
"""Seconds between a time limit and the search's return, kept back."""

LAYOUTS = {
    11: ("RNCPPPPPCNR", "CRNPPPPPNRC", "NRCPPRPPCNP", "PCRPNPPNRCP"),
    13: ("RNBCPPPPPBCNR", "CRBNPPPPPNBRC", "PNBRCPPPCRBNP"),
    15: ("RNBAACPPPPPBCNR", "CRABNPPPPPNBARC", "PNBRACPPPCRABNP"),
}
"""A few ways to lay the pieces of a free form, as letters in no order but theirs: what can't be laid is shuffled."""


@dataclass
class Settings:
    """How the player plays. ``hash``: megabytes of the table. ``level``: 0 (a beginner) to 20 (full strength).
    ``move_time``: seconds a move when nothing limits it. ``overhead``: seconds of a move that pass outside the player.
    ``resign``: centipawns behind at which it resigns, 0 for never. ``seed``: makes random choices repeatable."""

    hash: int = 64
    level: int = FULL_LEVEL
    move_time: float = 2.0
    overhead: float = LAG
    resign: int = 0
    seed: int | None = None


class SearchPlayer:
    """``engines.player.Player`` for jieqi and fanqi; a game is an ``engines.jieqi.view.View``, never the referee's."""

    def __init__(self, settings: Settings | None = None) -> None:
        """``MemoryError`` when there is no memory for the hash table."""
        self.settings = settings or Settings()
        self._table = Table(self.settings.hash)
        self._random = Random(self.settings.seed)
        self._tree: Tree | None = None
        self._lock = threading.Lock()
        self._stopped = False
        self._wake = threading.Event()
        self._lag = LagMeter()
        self._running = False

    def choose(self, game: Any, color: int, limits: Limits, report: Reporter | None = None) -> Choice[int]:
        """Think for ``color``, whose turn it must be (``ValueError``); "none" where it has no move."""
        if game.turn != color:
            raise ValueError("it is the other side's turn")
        self.begin()
        timer = None
        try:
            begun = time.monotonic()
            barred = limits.barred(color, game.legal_moves())
            moves = [move for move in game.legal_moves() if move not in barred]
            if not moves:
                if limits.infinite:
                    self._wake.wait()
                return Choice("none")
            board = game.board
            tree = Tree(self._table, plies_of(game.rules.limit))
            position = game.position()
            tree.start(board, dict(position.pool))
            target, most = self._times(limits, color)
            with self._lock:
                self._tree = tree
                tree.halt = self._stopped
            if limits.nodes is not None and not limits.infinite:
                tree.node_limit = max(1, limits.nodes)
            if most is not None:
                timer = threading.Timer(max(0.001, most - HALT_DELAY), self._halt)
                timer.daemon = True
                timer.start()
            found = self._iterate(tree, board, game.rules, moves, limits, target, begun, report)
            if limits.infinite:
                self._wake.wait()
            self._lag.end(None if limits.infinite else limits.clock, color, time.monotonic() - begun, most)
            return found
        finally:
            if timer is not None:
                timer.cancel()
            with self._lock:
                self._tree, self._running, self._stopped = None, False, False

    def begin(self) -> None:
        """From now on ``stop`` counts, although ``choose`` is not called yet."""
        with self._lock:
            if not self._running:
                self._running, self._stopped = True, False
                self._wake.clear()

    def _iterate(
        self,
        tree: Tree,
        board: Board,
        rules: Rules,
        moves: list[int],
        limits: Limits,
        target: float | None,
        begun: float,
        report: Reporter | None,
    ) -> Choice[int]:
        settings = self.settings
        level = max(0, min(FULL_LEVEL, settings.level))
        weak = level < FULL_LEVEL
        deepest = min(limits.depth or DEEPEST, DEEPEST, level_depth(level) if weak else DEEPEST)
        ruled = {move: _ruled(board, rules, move) for move in moves}
        self._random.shuffle(moves)
        moves.sort(key=lambda move: not _takes(board, move))
        self._table.age()
        best, last, scores = moves[0], None, dict.fromkeys(moves, 0)
        for depth in range(1, deepest + 1):
            alpha, found = -WIN, None
            for move in moves:
                score = ruled[move]
                if score is None:
                    if found is None or weak:
                        score = tree.score_of(move, depth, -WIN, WIN)
                    else:
                        score = tree.score_of(move, depth, alpha, alpha + 1)
                        if score > alpha and not tree.halt:
                            score = tree.score_of(move, depth, alpha, WIN)
                    if tree.halt:
                        break
                scores[move] = score
                if found is None or score > alpha:
                    alpha, found = max(alpha, score), move
            if found is not None and (not tree.halt or found != moves[0]):
                best = found
                moves = [found, *(move for move in moves if move != found)]
                last = self._told(tree, best, alpha, begun, depth)
                if report is not None:
                    report(last)
            if tree.halt or (len(moves) == 1 and not limits.infinite) or abs(alpha) >= WIN - depth:
                break
            if target is not None and time.monotonic() - begun > SHARE * target:
                break
        if weak:
            spread = level_error(level)
            best = max(moves, key=lambda move: scores[move] + self._random.gauss(0, spread))
        if settings.resign and -WIN < scores[best] <= -settings.resign:
            return Choice("resign", best, report=last)
        return Choice("move", best, tree.expected(best), last)

    def _told(self, tree: Tree, move: int, score: int, begun: float, depth: int) -> Report[int]:
        mate = None
        if abs(score) > SURE:
            mate = (WIN - abs(score) + 1) // 2 * (1 if score > 0 else -1)
        reply = tree.expected(move)
        line = (move,) if reply is None else (move, reply)
        candidate = Candidate(move, line, tree.nodes, score=float(score), mate=mate)
        passed = time.monotonic() - begun
        return Report((candidate,), passed, tree.nodes, depth, tree.seldepth, self._table.hashfull())

    def _times(self, limits: Limits, color: int) -> tuple[float | None, float | None]:
        """Seconds to aim at, and those to stop at; None for none."""
        if limits.infinite:
            return None, None
        target = most = None
        lag = self._lag.begin(limits.clock, color, self.settings.overhead)
        plan = limits.clock.plan(MOVES_TO_GO, lag) if limits.clock is not None else None
        if plan is not None:
            target, most = plan.target, plan.maximum
        if limits.seconds is not None:
            most = min(limits.seconds, most or limits.seconds)
        if most is None and limits.nodes is None and limits.depth is None:
            most = self.settings.move_time
        return target, most

    def _halt(self) -> None:
        with self._lock:
            if self._tree is not None:
                self._tree.halt = True

    def stop(self) -> None:
        """Make the current ``choose`` return at once with the best move so far."""
        with self._lock:
            if self._running:
                self._stopped = True
            if self._tree is not None:
                self._tree.halt = True
        self._wake.set()

    def new_game(self) -> None:
        """Forget what earlier games taught."""
        self._table.clear()

    def resize(self, megabytes: int) -> None:
        """Give the hash table another size, and empty it. ``MemoryError`` when that is too much; nothing changes."""
        self._table = Table(megabytes)
        self.settings.hash = megabytes

    def lay(self, form: str) -> str:
        """A layout for a free form: letters in the order of squares. Half of the time one of a small book, else any."""
        return layout(form, self._random)

    def close(self) -> None:
        """End what runs."""
        self.stop()


def layout(form: str, random: Random) -> str:
    """A layout of one side for a free form, at random: of ``LAYOUTS`` where one fits, each other time any other, that
    nobody may learn it. The letters are the form's pieces in the order of its face-down points."""
    table = form_of(form)
    from engines.jieqi.forms import HOME

    letters = [PIECE_LETTERS[HOME[square]] for square in table.points(0)]
    book = [one for one in LAYOUTS.get(len(letters), ()) if sorted(one) == sorted(letters)]
    if book and random.random() < 0.5:
        return random.choice(book)
    random.shuffle(letters)
    return "".join(letters)


def _takes(board: Board, move: int) -> bool:
    return board.apparent(move & 127) != 0


def _ruled(board: Board, rules: Rules, move: int) -> int | None:
    """What the rules of repetition make of a root's move, for who makes it; None where the game goes on."""
    origin = board.point(move >> 7 & 127)
    if origin is None or origin.piece == 0 or board.apparent(move & 127):
        return None
    board.play(move)
    try:
        result = outcome(board, rules)
        mover = board.turn ^ 1
    finally:
        board.undo()
    if result is None or result.reason in ("mate", "stalemate"):
        return None
    if result.winner is None:
        return 0
    return BY_RULE if result.winner == mover else -BY_RULE


__all__ = ["FULL_LEVEL", "LAYOUTS", "LETTERS", "SearchPlayer", "Settings", "layout"]
