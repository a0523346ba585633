"""The built-in Xiangqi player: drives the tree search under limits, clocks and a chosen strength."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engines.clock import LagMeter
from engines.player import Candidate, Choice, Limits, Report
from engines.xiangqi.board import Board
from engines.xiangqi.book import Book, BookError, choose
from engines.xiangqi.mate import MateHunt, MateSearch
from engines.xiangqi.mating import seek_mate
from engines.xiangqi.net import Net
from engines.xiangqi.scores import decided_by_rule, mate_moves, rank
from engines.xiangqi.search import Searcher
from engines.xiangqi.search_stack import INFINITE, MATE
from engines.xiangqi.settings import (
    FULL_LEVEL,
    HIGHEST_ELO,
    LOWEST_ELO,
    Settings,
    level_depth,
    level_error,
    level_of_elo,
)
from engines.xiangqi.table import Table

if TYPE_CHECKING:
    from random import Random

__all__ = ["FULL_LEVEL", "HIGHEST_ELO", "LOWEST_ELO", "SearchPlayer", "Settings", "level_of_elo", "mate_moves"]

DEEPEST = 127
"""Iterations go no deeper."""

_NO_NODE_LIMIT = (1 << 63) - 1
_HALT_DELAY = 0.003
"""Seconds between a time limit and the search's return, kept back."""

_WARM_DELAY = 0.1
"""Seconds that a client may still be busy with our answer before the memory is got ready."""

_MOVES_TO_GO = 22
"""Moves that the time left is shared out among: the game is decided by the first of them more than by the last."""

_SHARE = 0.65
"""Of the time aimed at, after which no further iteration is begun: it takes longer than all before it together."""

_LONGEST = 1e6
"""Seconds that a timer can wait."""


class _Timer:
    """Time of one choice: when to think no further, and when to stop at once."""

    def __init__(self, limits: Limits, settings: Settings, lag: float, on_time: Callable[[_Timer], None]) -> None:
        self.target: float | None = None
        self.maximum: float | None = None
        self._timer: threading.Timer | None = None
        if limits.infinite:
            return
        plan = limits.clock.plan(_MOVES_TO_GO, lag) if limits.clock is not None else None
        if plan is not None:
            more = 1.25 if settings.pondering else 1.0
            self.target, self.maximum = min(plan.target * more, plan.maximum), plan.maximum
        if limits.seconds is not None:
            self.maximum = min(limits.seconds, self.maximum or limits.seconds)
            self.target = None if plan is None else self.target
        if self.maximum is None and limits.nodes is limits.depth is limits.mate is None:
            self.maximum = settings.move_time
        if self.maximum is not None:
            seconds = min(max(0.001, self.maximum - _HALT_DELAY), _LONGEST)
            self._timer = threading.Timer(seconds, on_time, (self,))
            self._timer.daemon = True

    def start(self) -> None:
        """Begin to count, once the owner knows the timer: it may ring at once."""
        if self._timer is not None:
            self._timer.start()

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class SearchPlayer:
    """``engines.player.Player`` for Xiangqi; moves are board move numbers.

    A game is an ``engines.xiangqi.game.Game``, whose rules hold then, or a ``Board`` with its history, played by the
    rules in ``settings``. One ``choose`` at a time.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        """``MemoryError`` when there is no memory for the hash table."""
        self.settings = settings or Settings()
        self.table = Table(self.settings.hash)
        self._warm: Table | None = None
        self._searchers: list[Searcher] = []
        self._prover: MateSearch | None = None
        self._net: Net | None = None
        self._lock = threading.Lock()
        self._running = False
        self._stopping = False
        self._armed = False
        self._lag = LagMeter()
        self._side = 0
        self._wake = threading.Event()
        self._limits = Limits()
        self._timer: _Timer | None = None
        self._hit: tuple[Limits, bool] | None = None  # a ponder hit that came before there was a timer to change
        self._offered = False
        self._draw_offered = False
        self._random: Random | None = None
        self._books: list[Book] = []
        self._heard: set[str] = set()
        self.tell: Callable[[str], None] = lambda text: None
        """Gets what the user should know of the books, each thing once."""

    # -- Player

    def choose(
        self,
        game: Any,
        color: int,
        limits: Limits,
        report: Callable[[Report[int]], None] | None = None,
        *,
        draw_offered: bool = False,
    ) -> Choice[int]:
        """Think for ``color``, whose turn it must be (``ValueError``).

        Restrictions on moves are heeded for the first ply only. ``draw_offered``: the opponent offers a draw; the
        answer "draw" accepts it.
        """
        board: Board = getattr(game, "board", game)
        if board.turn != color:
            raise ValueError("it is the other side's turn")
        self.begin()
        try:
            return self._choose(game, limits, report, draw_offered)
        finally:
            with self._lock:
                self._running = self._stopping = self._armed = False
                self._hit = None

    def begin(self) -> None:
        """From now on ``stop`` counts, although ``choose`` is not called yet. Harmless when it was said already."""
        with self._lock:
            if not self._running:
                self._running = True
                self._wake.clear()

    def stop(self) -> None:
        """Make the current ``choose`` return at once with the best move so far."""
        with self._lock:
            if self._running:
                self._stopping = True
                self._halt()

    def ponder_hit(self, limits: Limits, draw_offered: bool = False) -> None:
        """The expected move was played: the ``choose`` that runs without limits, or has been announced by ``begin``,
        gets these, from now on.
        """
        with self._lock:
            if self._running and not self._stopping:
                self._hit = (limits, draw_offered)
                if self._timer is not None:
                    self._timer.cancel()
                    self._take_hit()
                self._wake.set()

    def _start_timer(self, limits: Limits, draw_offered: bool) -> None:
        """The choice's own limits hold from now on, or those of a ponder hit that has overtaken them."""
        with self._lock:
            if self._hit is not None:
                self._take_hit()
            else:
                self._hold_to(limits, draw_offered)

    def _take_hit(self) -> None:
        """Put the limits of a ponder hit to work. With the lock held."""
        assert self._hit is not None
        self._hold_to(*self._hit)
        self._hit = None

    def _hold_to(self, limits: Limits, draw_offered: bool) -> None:
        """These are the limits, and the time begins to run. With the lock held."""
        self._limits, self._draw_offered = limits, draw_offered
        lag = self._lag.begin(limits.clock, self._side, self.settings.overhead)
        self._timer = _Timer(limits, self.settings, lag, self._time_out)
        self._timer.start()
        self._searchers[0].node_limit = (
            _NO_NODE_LIMIT if limits.nodes is None or limits.infinite else max(1, limits.nodes)
        )

    def resize(self, megabytes: int) -> None:
        """Give the hash table another size, and empty it. ``MemoryError`` when that is too much; nothing changes."""
        self.table = Table(megabytes)
        self.settings.hash = megabytes
        self._searchers = []
        self._prover = None

    def open_books(self, paths: list[str]) -> None:
        """The opening books to use from now on, the first that knows a position first; none for none.

        ``BookError`` when one can't be opened; nothing changes then.
        """
        opened: list[Book] = []
        try:
            for path in paths:
                opened.append(Book(path))
        except BookError:
            for book in opened:
                book.close()
            raise
        for book in self._books:
            book.close()
        self._books = opened
        self._heard.clear()

    def use_net(self, path: str | None) -> None:
        """Judge positions by the net in a file from now on, ``None``: by the terms of ``evaluation``. Forgets what was
        searched with the other. ``NetError`` for a file that can't be used; nothing changes then.
        """
        self._net = None if path is None else Net(path)
        for searcher in self._searchers:
            searcher.stack.judge_by(self._net)
            searcher.forget()
        self.table.clear()

    def warm(self) -> None:
        """Prepare for the first choice in the background, so that it need not wait for memory."""
        if self._warm is not self.table:
            self._warm = self.table
            timer = threading.Timer(_WARM_DELAY, self.table.warm)
            timer.daemon = True
            timer.start()

    def new_game(self) -> None:
        """Forget what earlier games taught."""
        self.table.clear()
        for searcher in self._searchers:
            searcher.forget()
        self._prover = None
        self._offered = False

    def close(self) -> None:
        """End what runs."""
        self.stop()

    # -- questions between choices

    def static(self, board: Board) -> int:
        """The evaluation of a position for its side to move, without any search."""
        searcher = self._ready(1)[0]
        searcher.set_position(board)
        return searcher.static()

    def probe(self, key: int) -> tuple[int, int, int, int] | None:
        """What the hash table knows of a position: see ``Table.lookup``."""
        return self.table.lookup(key)

    # -- the choice

    def _halt(self) -> None:
        if self._armed:
            for searcher in self._searchers:
                searcher.halt = True
            if self._prover is not None:
                self._prover.halt = True
        self._wake.set()

    def _time_out(self, timer: _Timer) -> None:
        with self._lock:
            if self._running and self._timer is timer:  # not one that was cancelled a moment too late
                self._stopping = True
                self._halt()

    def _ready(self, threads: int) -> list[Searcher]:
        """Searchers for so many threads."""
        while len(self._searchers) < threads:
            self._searchers.append(Searcher(Board(), self.table))
            self._searchers[-1].stack.judge_by(self._net)
        del self._searchers[threads:]
        return self._searchers

    def _choose(
        self, game: Any, limits: Limits, report: Callable[[Report[int]], None] | None, draw_offered: bool
    ) -> Choice[int]:
        begin = time.monotonic()
        settings = self.settings
        board: Board = getattr(game, "board", game)
        rules, limit, free_checks = settings.rules, settings.natural_limit, settings.free_checks
        if board is not game:
            rules, limit = game.rules.code, game.limit.plies
            free_checks = -1 if game.limit.free_checks is None else game.limit.free_checks
        level = max(0, min(FULL_LEVEL, settings.level))
        threads = 1 if level < FULL_LEVEL else settings.threads or os.cpu_count() or 1
        searchers = self._ready(threads)
        for searcher in searchers:
            searcher.pruning = settings.pruning
            stack = searcher.stack
            stack.knowledge, stack.contempt, stack.rules = settings.knowledge, settings.contempt, rules
            stack.natural_limit, stack.free_checks = limit, free_checks
            searcher.idle = settings.idle
            searcher.node_limit = _NO_NODE_LIMIT
            searcher.set_position(board)
            for restriction in limits.restrictions:
                if restriction.color == board.turn:
                    searcher.restrict(restriction.moves, restriction.allow)
            searcher.new_search()
        self.table.age()
        main = searchers[0]
        if main.root_size == 0:
            if limits.infinite:  # even so the answer is not wanted before somebody asks for it
                self._wake.wait()
            return Choice("none")
        known = self._from_book(board, main, limits)
        if known is not None:
            return Choice("move", known, self._expected(board, known))
        self._side = board.turn
        self._start_timer(limits, draw_offered)
        lines = settings.lines
        if level < FULL_LEVEL:
            lines = max(lines, 44 - 2 * level)
        elif settings.randomness:
            lines = max(lines, 8)
        timer = self._timer
        helpers: list[threading.Thread] = []
        last: Report[int] | None = None
        try:
            main.iterate(1, lines)
            with self._lock:
                self._armed = True
                if self._stopping:
                    self._halt()
            last = self._report(main, searchers, begin, 1, report)
            helpers = [
                threading.Thread(target=_help, args=(searcher, i), name=f"search {i}", daemon=True)
                for i, searcher in enumerate(searchers[1:])
            ]
            for helper in helpers:
                helper.start()
            if limits.mate is not None and level == FULL_LEVEL and not limits.infinite:
                last = self._seek_mate(board, main, searchers, begin, lines, limits, last, report)
            else:
                last = self._deepen(main, searchers, begin, lines, level, last, report)
            if self._limits.infinite and not self._stopping:
                # Told to think for ever, it does not answer before it is told to, however sure it is.
                self._wake.wait()
        finally:
            with self._lock:
                if self._timer is not None:
                    self._timer.cancel()
                self._timer = None
            for searcher in searchers:
                searcher.halt = True
            for helper in helpers:
                helper.join()
        answer = self._decide(board, main, last, level, lines)
        thought = time.monotonic() - begin
        planned = timer.maximum if timer is not None else None
        self._lag.end(None if limits.infinite else limits.clock, board.turn, thought, planned)
        return answer

    def _from_book(self, board: Board, main: Searcher, limits: Limits) -> int | None:
        """A book's move, of those allowed at the root; ``None`` when there is none, or an analysis is asked for."""
        if not self.settings.use_book or limits.infinite or limits.mate is not None:
            return None
        allowed = {move for move, _, _ in main.ranking(main.root_size)}
        for book in self._books:
            try:
                moves = [entry for entry in book.moves(board) if entry.move in allowed]
            except BookError as error:  # the file has gone: as if it knew nothing
                self._tell_once(str(error))
                continue
            for fault in book.faults:
                self._tell_once(fault)
            if moves:
                return choose(moves, self._dice()).move
        return None

    def _tell_once(self, text: str) -> None:
        if text not in self._heard:
            self._heard.add(text)
            self.tell(text)

    def _dice(self) -> Random:
        """What random choices are made with."""
        if self._random is None:
            from random import Random  # plain games at full strength never need it

            self._random = Random(self.settings.seed)
        return self._random

    def _deepen(
        self,
        main: Searcher,
        searchers: list[Searcher],
        begin: float,
        lines: int,
        level: int,
        last: Report[int],
        report: Callable[[Report[int]], None] | None,
    ) -> Report[int]:
        """Iterate from depth 2 until a limit is reached."""
        best, score, _ = main.ranking(1)[0]
        unrest = 0.0
        depth = 1
        while not main.halt:
            if self._enough(main, begin, depth, level, unrest):
                break
            depth += 1
            done = main.iterate(depth, lines)
            move, now, _ = main.ranking(1)[0]
            unrest *= 0.6
            if move != best:
                unrest += 0.5
            if now < score - 25 and done:
                unrest += min(0.8, (score - now) / 150)
            best, score = move, now
            if done or main.whole_lines:
                last = self._report(main, searchers, begin, depth, report)
            elif report is not None and move not in [one.move for one in last.candidates[:1]]:
                # The move found better has not been looked at to its end.
                report(self._told(main, searchers, begin, depth, 1, {"bound": "lower"}))
        return last

    def _seek_mate(
        self,
        board: Board,
        main: Searcher,
        searchers: list[Searcher],
        begin: float,
        lines: int,
        limits: Limits,
        last: Report[int],
        report: Callable[[Report[int]], None] | None,
    ) -> Report[int]:
        """Look for a mate until it is found, a limit is reached, or there is none."""
        assert limits.mate is not None
        prover = self._prover or MateSearch(self.table, max(1.0, min(64.0, self.settings.hash / 4)))
        stack = prover.stack
        stack.rules, stack.natural_limit, stack.free_checks = (
            main.stack.rules,
            main.stack.natural_limit,
            main.stack.free_checks,
        )
        prover.start(board)
        prover.restrict({move for move, _, _ in main.ranking(main.root_size)}, True)
        with self._lock:
            self._prover = prover
        told = [last]

        def go_on(nodes: int) -> int:
            left = _NO_NODE_LIMIT if limits.nodes is None else limits.nodes - _nodes(searchers) - prover.nodes
            with self._lock:
                if self._stopping or left <= 0:
                    return 0
                main.halt = prover.halt = False
                main.node_limit = main.nodes + min(nodes, left)
            return left

        def tell(depth: int) -> None:
            told[0] = self._report(main, searchers, begin, depth, report, prover.nodes)

        seek_mate(MateHunt(prover, limits.mate), main, lines, limits.mate, go_on, tell)
        told[0] = self._report(main, searchers, begin, told[0].depth or 1, None, prover.nodes)
        return told[0]

    def _enough(self, main: Searcher, begin: float, depth: int, level: int, unrest: float) -> bool:
        """Whether no further iteration is wanted."""
        limits, timer = self._limits, self._timer
        if depth >= DEEPEST:
            return True
        if limits.infinite or timer is None:
            return False
        if limits.depth is not None and depth >= limits.depth:
            return True
        if level < FULL_LEVEL and depth >= level_depth(level):
            return True
        score = main.ranking(1)[0][1]
        mate = mate_moves(score)
        if limits.mate is not None:
            if mate is not None and 0 < mate <= limits.mate:
                return True
            return depth >= 2 * limits.mate + (2 if limits.mate > 3 else -1)
        proven = mate is not None and depth > MATE - abs(score) + 2
        if timer.maximum is not None and proven:
            return True
        if timer.target is None:
            return False
        if main.root_size == 1 and depth >= 8:
            return True
        return time.monotonic() - begin > _SHARE * timer.target * (0.75 + unrest)

    def _report(
        self,
        main: Searcher,
        searchers: list[Searcher],
        begin: float,
        depth: int,
        report: Callable[[Report[int]], None] | None,
        more_nodes: int = 0,
    ) -> Report[int]:
        """Tell the lines that the last iteration has seen to their end: all, unless it was halted."""
        result = self._told(main, searchers, begin, depth, min(self.settings.lines, main.whole_lines), None, more_nodes)
        if report is not None:
            report(result)
        return result

    def _told(
        self,
        main: Searcher,
        searchers: list[Searcher],
        begin: float,
        depth: int,
        lines: int,
        extra: dict[str, Any] | None = None,
        more_nodes: int = 0,
    ) -> Report[int]:
        """What there is to tell of the best lines; ``extra`` of each candidate."""
        candidates = tuple(
            Candidate(
                move=move,
                line=tuple(line),
                score=float(score),
                mate=mate_moves(score),
                extra={**({"by rule": True} if decided_by_rule(score) else {}), **(extra or {})},
            )
            for move, score, line in main.ranking(lines)
            if score > -INFINITE
        )
        return Report(
            candidates=candidates,
            seconds=time.monotonic() - begin,
            nodes=_nodes(searchers) + more_nodes,
            depth=depth,
            seldepth=main.seldepth,
            hashfull=self.table.hashfull(),
        )

    def _decide(self, board: Board, main: Searcher, last: Report[int] | None, level: int, lines: int) -> Choice[int]:
        """The move to play, and what else to say with it."""
        settings = self.settings
        ranking = main.ranking(lines)
        move, score, line = ranking[0]
        if last is not None and last.candidates and main.whole_lines == 0 and move == last.candidates[0].move:
            # The last iteration was halted, and left a bound or half a line: what was known before is worth more.
            score, line = int(last.candidates[0].score or 0), list(last.candidates[0].line)
        if level < FULL_LEVEL or settings.randomness:
            move, score, line = self._draw_lot(ranking, level)
        ponder = line[1] if len(line) > 1 else self._expected(board, move)
        offered, self._draw_offered = self._draw_offered, False
        if offered:
            self._offered = False
        if self._wants_draw(board, score, offered):
            self._offered = True
            return Choice("draw", move, ponder, last)
        if settings.resign and -INFINITE < score <= -settings.resign:
            return Choice("resign", move, ponder, last)
        return Choice("move", move, ponder, last)

    def _wants_draw(self, board: Board, score: int, offered: bool) -> bool:
        """Whether to accept a draw, or to offer one (not twice before the opponent has)."""
        late = board.fullmove_number >= 40
        if offered:
            return score < -30 or (abs(score) <= 30 and late)
        return self.settings.draws and not self._offered and late and abs(score) <= 15 and board.halfmove_clock >= 40

    def _expected(self, board: Board, move: int) -> int | None:
        """The reply that the hash table expects."""
        after = board.copy()
        after.play(move)
        known = self.table.lookup(after.key)
        return known[0] if known and known[0] and after.is_legal(known[0]) else None

    def _draw_lot(self, ranking: list[tuple[int, int, list[int]]], level: int) -> tuple[int, int, list[int]]:
        """One of the moves, the better ones more likely: each is judged with an error that grows as the level falls."""
        dice = self._dice()
        spread = level_error(level) + self.settings.randomness / 2
        known = [entry for entry in ranking if entry[1] > -INFINITE]
        if level == FULL_LEVEL:
            known = [entry for entry in known if rank(entry[1]) >= rank(known[0][1]) - self.settings.randomness]
        return max(known or ranking[:1], key=lambda entry: rank(entry[1]) + dice.gauss(0, spread))


def _nodes(searchers: list[Searcher]) -> int:
    """The positions that all of them have looked at."""
    return sum(searcher.nodes for searcher in searchers)


def _help(searcher: Searcher, number: int) -> None:
    """A helper thread: fills the shared hash table, every second one going ahead a ply, until it is halted."""
    for depth in range(1 + number % 2, DEEPEST + 1):
        if searcher.halt or not searcher.iterate(depth, 1):
            return
