"""The built-in Go player: Monte-Carlo tree search on any board and under any rule set.

``engines.go.tree`` grows the tree and plays the games out; this module gives it threads and time, and decides when to
pass and when to resign. ``SearchPlayer`` implements ``engines.player.Player``; moves are points, −1 is a pass.
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from engines.clock import LagMeter, Plan
from engines.go.fates import Fate
from engines.go.game import Game
from engines.go.judge import Judge, Judgement, check_workers
from engines.go.levels import LEVELS, MAX_LEVEL
from engines.go.outlook import (
    certain,
    decided,
    from_top_left,
    handicap_allowance,
    margin_to_beat,
    mean_ownership,
    moves_to_go,
    ownership_after,
    top_left,
    unclear,
)
from engines.go.points import BLACK, PASS, opponent
from engines.go.policy_sampling import sampled_move
from engines.go.tree import Tree, Worker
from engines.go.urgent import Urgencies, Urgency, urgent_move
from engines.player import Candidate, Choice, Limits, Report

if TYPE_CHECKING:
    from engines.go.ending import Decided
    from engines.go.net.glance import Glance

HURRIED_PLAYOUTS = 24
"""… and the fewest, when the clock leaves no time for more."""

JUDGING_SHARE = 0.25
"""Part of the longest time the clock allows for a move that is kept for judging whether to pass."""

JUDGING_COST = 1.5
"""Playouts that this takes in all, as a multiple of those behind one judgement."""

SETTLED = 0.92
"""A point is settled when it ends up with one side this often (−1…1) …"""

SETTLED_FOR_NET = 0.8
"""… and for a net, which is never as sure, from this on."""

RESIGN_PLAYOUTS = 300
"""Playouts that a resignation rests on. When time ends a search before, the chance must be the lower; a search that may
not have as many has its verdict looked at again, for a few unlucky playouts prove nothing.
"""

FEWEST_TO_RESIGN = 50
"""No resignation at all on fewer."""

TRUSTED_VISITS = 10
"""A move visited this often counts when the winning chance is told."""

PASS_MARGIN = 0.04
"""How much better than passing a move must be for it to be played where passing is safe."""

LOST = 0.1
"""A chance to win by playing on below which a pass gives nothing away."""

LONGEST_BAN = 1 << 30
"""Plies that stand for all: no tree is as deep, and more does not fit the tree's numbers."""

ALLOWANCE_STEP = 4.0
"""What was thought with an allowance for handicap that differs by this many points or more is not used again."""

FIRST_PART = 0.3
"""Part of a search after which it asks whether the game is decided …"""

WON = 0.95
BEATEN = 0.1
"""… as it is with a mean result above or below these: all moves then look alike, and the rest is for points."""

MOSTLY_SETTLED = 0.7
"""… and this part of the points settled, more or less; while there is more to fight for, winning is what counts."""

FEWEST_FOR_POINTS = 300
"""Playouts below which a search is not divided."""

MOST_RISKED = 0.03
"""Chance to win that a move for points may cost."""

SLOWEST_PACE = 2000.0
"""Playouts a second that are expected before any search was timed."""

EARLY_STOP = 0.4
"""From this part of the time planned on, thinking ends when the best move can no longer change."""


class SearchPlayer(Judge):
    """A player that thinks for itself.

    ``threads`` search one tree together; with one, the same ``seed`` and a bound on playouts, play is repeatable.
    ``playouts`` bounds the playouts of a move, ``level`` (1…``MAX_LEVEL``, see ``engines.go.levels``) its
    strength, ``memory_mb`` the megabytes of the tree. It resigns when its winning chance falls below ``resign`` (0:
    never). ``move_time`` seconds at most are used where neither a clock nor a bound on playouts says otherwise, at weak
    levels too, which so never think longer than strong ones. All of these may be changed between two moves. ``say``
    gets a sentence for the user when there is less memory than that. ``net`` is the path of a net's file: then
    ``engines.go.net.tree`` searches, an evaluation counts as a playout, and ``choose`` raises PlayerError where the net
    can't be used.
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        playouts: int | None = None,
        level: int = MAX_LEVEL,
        seed: int | None = None,
        memory_mb: int = 256,
        resign: float = 0.08,
        move_time: float = 2.0,
        say: Callable[[str], None] = lambda text: None,
        net: str | None = None,
    ) -> None:
        super().__init__(memory_mb, say, net)
        self.threads = threads
        self.playouts = playouts
        self.level = level
        self.seed = seed
        self.resign = resign
        self.move_time = move_time
        self._tree: Tree | None = None
        self._tree_of: tuple[object, ...] = ()
        self._turns: list[tuple[int, int]] = []
        self._allowance = 0.0
        self._decided: Decided | None = None
        self._shift = 0.0
        self._running: Tree | None = None
        self._stopped = False
        self._searches = 0
        self._judging = self.judge_playouts
        self._lag = LagMeter()
        self._standing: tuple[Fate, ...] = ()
        self._urgencies = Urgencies()
        self._pace = SLOWEST_PACE
        self._urged: tuple[Urgency, ...] = ()

    # ------------------------------------------------------------------ the player's interface

    def choose(
        self,
        game: Game,
        color: int,
        limits: Limits,
        report: Callable[[Report[int]], None] | None = None,
        *,
        cleanup: bool = False,
        fresh: bool = False,
        interval: float = 0.1,
    ) -> Choice[int]:
        """Think for ``color`` and answer with a point, PASS or a resignation.

        ``report`` is called from this thread about every ``interval`` seconds. ``cleanup`` is GTP's
        ``kgs-genmove_cleanup``: no pass before the opponent's dead stones are off the board, and no resignation.
        ``fresh`` forgets what earlier searches found and draws chance from the position alone, so that with a bound on
        playouts and one thread the answer is always the same.
        """
        begin = time.perf_counter()
        tree = self._plant(game, color, limits, fresh)
        plan = self._plan(game, color, limits)
        bound = self._bound(limits)
        if bound is not None:
            tree.limit = bound
        expected = bound if bound is not None else int(self._pace * (self.move_time if plan is None else plan.target))
        self._urged = ()
        if self.level == MAX_LEVEL and not limits.restrictions and not cleanup:
            self._urged = self._urgencies.urge(tree, game, color, expected)
        workers = self._workers(tree, game, fresh)
        self._running, self._stopped = tree, False
        divided = not (limits.infinite or limits.restrictions or cleanup or self._allowance)
        divided = divided and self.level == MAX_LEVEL
        pointed: Report[int] | None = None
        try:
            if divided and (plan is not None if bound is None else bound >= FEWEST_FOR_POINTS):
                tree.limit = int(FIRST_PART * bound) if bound is not None else 0
                part = None if plan is None else Plan(FIRST_PART * plan.target, FIRST_PART * plan.target)
                self._search(tree, workers, begin, part, color, report, interval)
                if not BEATEN <= tree.winrate <= WON and not self._stopped and _late(tree, workers):
                    pointed = self._for_points(game, color, fresh, tree, bound, expected, begin, plan, report, interval)
                tree.limit, tree.stop = bound or 0, False
                if self._stopped:
                    tree.stop = True
            if pointed is None:
                self._search(tree, workers, begin, plan, color, report, interval)
        finally:
            tree.stop = True
            self._running = None
        final = self._report(tree, workers, color, begin)
        self._pace = tree.playouts / max(final.seconds, 1e-6)
        self._judging = self._affordable(limits, plan, tree, final.seconds)
        answer = self._decide(game, color, tree, final, limits, cleanup, fresh, pointed)
        clock, thought = None if limits.infinite else limits.clock, time.perf_counter() - begin
        self._lag.end(clock, color, thought, None if plan is None else plan.maximum / (1 - JUDGING_SHARE))
        return answer

    def stop(self) -> None:
        """End the search that runs now, from any thread; harmless when none does."""
        tree = self._running
        if tree is not None:
            self._stopped = True
            tree.stop = True

    def ponder(self, game: Game, color: int) -> None:
        """Think about ``color``'s move until ``stop``; what is found serves the next ``choose``.

        Weak levels don't: they would be stronger for it.
        """
        if self.level == MAX_LEVEL:
            self.choose(game, color, Limits(infinite=True, pondering=True))

    def forget(self) -> None:
        """Forget what was thought: the next choice begins anew."""
        self._tree = None

    def close(self) -> None:
        """Stop and forget the tree."""
        self.stop()
        self.forget()

    def glance(self, game: Game, color: int, symmetry: int) -> Glance | None:
        """The net's word before any search, in one of its eight symmetries; None without a net. Raises PlayerError."""
        if self.net is None:
            return None
        from engines.go.net.glance import glance  # with a net only

        return glance(self.evaluator(), game, color, symmetry)

    # ------------------------------------------------------------------ preparing

    def _plant(self, game: Game, color: int, limits: Limits, fresh: bool) -> Tree:
        """A tree for the position, with what an earlier search found out about it."""
        tree = self._grow(game, color)
        tree.komi, tree.territory, tree.as_it_stands = margin_to_beat(game)
        allowance = 0.0 if limits.infinite and not limits.pondering else handicap_allowance(game)
        tree.komi += allowance
        kind = (game.width, game.height, game.rules, game.komi, game.handicap, game.setup, game.board.first_player)
        turns = game.moves
        # Asked about certain moves, it looks at them.
        standing = () if limits.restrictions else self._hold(tree, game)
        for restriction in limits.restrictions:
            for point in (*range(game.points), PASS):
                if restriction.bars(point):
                    tree.ban(restriction.color, point, min(restriction.depth, LONGEST_BAN))
        old = self._tree
        if old is not None and not fresh and not limits.restrictions and self._tree_of == kind:
            since = turns[len(self._turns) :]
            expected = old.color
            usable = len(since) <= 4 and turns[: len(self._turns)] == self._turns
            usable = usable and standing == self._standing
            usable = usable and abs(allowance - self._allowance) < ALLOWANCE_STEP
            for mover, _ in since:
                usable = usable and mover == expected
                expected = opponent(expected)
            if usable and expected == color:
                tree.adopt(old, [point for _, point in since])
        self._tree = None if fresh or limits.restrictions else tree
        self._tree_of, self._turns, self._allowance, self._standing = kind, turns, allowance, standing
        return tree

    def _seed(self, game: Game, index: int, fresh: bool) -> int:
        """Where a worker's chance begins."""
        self._searches += 1
        if fresh:
            return (game.board.hash_value ^ (index * 0x9E3779B9)) & (2**64 - 1)
        if self.seed is None:
            return time.time_ns() & (2**64 - 1) ^ index
        return (self.seed * 1_000_003 + self._searches) & (2**64 - 1)

    def _bound(self, limits: Limits) -> int | None:
        """The most playouts of this search."""
        if limits.infinite:
            return limits.nodes
        bounds = [n for n in (limits.nodes, self.playouts, LEVELS[self.level - 1].playouts) if n is not None]
        return max(1, min(bounds)) if bounds else None

    def _plan(self, game: Game, color: int, limits: Limits) -> Plan | None:
        """Seconds to think, None for no bound on time."""
        if limits.infinite:
            return None
        plans = []
        if limits.seconds is not None:
            plans.append(Plan(limits.seconds, limits.seconds))
        if limits.clock is not None:
            plan = limits.clock.plan(moves_to_go(game), self._lag.begin(limits.clock, color))
            if plan is not None:
                most = plan.maximum * (1 - JUDGING_SHARE)
                plans.append(Plan(min(plan.target, most), most))
        if plans:
            return min(plans, key=lambda plan: plan.maximum)
        if limits.nodes is not None or self.playouts is not None:
            return None
        return Plan(self.move_time, self.move_time)

    def _affordable(self, limits: Limits, plan: Plan | None, tree: Tree, spent: float) -> int:
        """Playouts that a judgement after the search may take: what the clock leaves, at the search's own pace."""
        if plan is None or limits.clock is None:
            return self.judge_playouts
        left = plan.maximum / (1 - JUDGING_SHARE) - spent
        pace = tree.playouts / max(spent, 1e-6) / max(1, self.threads)
        return max(HURRIED_PLAYOUTS, min(self.judge_playouts, int(left * pace / JUDGING_COST)))

    # ------------------------------------------------------------------ thinking

    def _workers(self, tree: Tree, game: Game, fresh: bool) -> list[Worker]:
        return [self._new_worker(tree, self._seed(game, index, fresh)) for index in range(max(1, self.threads))]

    def _for_points(
        self,
        game: Game,
        color: int,
        fresh: bool,
        decided: Tree,
        bound: int | None,
        expected: int,
        begin: float,
        plan: Plan | None,
        report: Callable[[Report[int]], None] | None,
        interval: float,
    ) -> Report[int]:
        """The rest of a search in a game that is decided: with a komi that makes it even, so that points count."""
        from engines.go.ending import Decided  # only at the end of a game: start-up does without

        tree = self._grow(game, color, max(1, self._memory_mb // 4))
        self._hold(tree, game)
        self._urgencies.urge(tree, game, color, expected)
        tree.komi, tree.territory, tree.as_it_stands = margin_to_beat(game)
        self._decided = Decided(decided.winrate, decided.margin, decided.spread)
        self._shift = decided.margin if color == BLACK else -decided.margin
        tree.komi += self._shift
        tree.limit = max(1, bound - decided.playouts) if bound is not None else 0
        workers = self._workers(tree, game, fresh)
        self._running = tree
        if self._stopped:
            tree.stop = True
        try:
            self._search(tree, workers, begin, plan, color, report, interval)
            return self._report(tree, workers, color, begin)
        finally:
            self._decided, self._shift = None, 0.0
            self._running = decided

    def _search(
        self,
        tree: Tree,
        workers: list[Worker],
        begin: float,
        plan: Plan | None,
        color: int,
        report: Callable[[Report[int]], None] | None,
        interval: float,
    ) -> None:
        """Run the workers until a limit, the plan or ``stop`` ends it."""
        threads = [threading.Thread(target=worker.run, name="search", daemon=True) for worker in workers]
        for thread in threads:
            thread.start()
        next_report = begin + interval
        extended = False
        target = plan.target if plan is not None else math.inf
        try:
            while any(thread.is_alive() for thread in threads):
                now = time.perf_counter()
                wait = min(begin + target - now, next_report - now if report is not None else 0.2, 0.2)
                threads[0].join(max(0.001, wait))
                now = time.perf_counter()
                if report is not None and now >= next_report:
                    report(self._report(tree, workers, color, begin))
                    next_report = time.perf_counter() + interval
                if plan is None:
                    continue
                spent = now - begin
                if spent >= target:
                    # An unclear choice may take more, once, where the clock has it.
                    if not extended and plan.maximum > target and unclear(tree):
                        extended = True
                        target = min(plan.maximum, 2 * target)
                    else:
                        break
                elif spent >= EARLY_STOP * target and decided(tree, spent, target):
                    break
        finally:
            tree.stop = True
            for thread in threads:
                thread.join()
        check_workers(workers)

    def _report(self, tree: Tree, workers: list[Worker], color: int, begin: float) -> Report[int]:
        """What the tree holds now."""
        candidates = []
        allowed = self._allowance + self._shift
        allowed = allowed if color == BLACK else -allowed
        for point, visits, winrate, score, squares, prior in tree.candidates():
            line = tree.line(point)
            spread = math.sqrt(max(0.0, squares - score * score))
            if self._decided is not None:
                winrate = self._decided.at(score + allowed)
            error = math.sqrt(max(winrate * (1 - winrate), 0.01) / visits)
            candidates.append(
                Candidate(
                    move=point,
                    line=tuple(step for step, _ in line),
                    visits=visits,
                    winrate=winrate,
                    score=score + allowed,
                    prior=prior,
                    extra={
                        "lcb": winrate - 1.96 * error,
                        "score_stdev": spread,
                        "pv_visits": [n for _, n in line],
                        "ownership": partial(ownership_after, workers, point, tree.width, color),
                    },
                )
            )
        return Report(
            candidates=tuple(candidates),
            seconds=time.perf_counter() - begin,
            nodes=tree.playouts,
            depth=tree.deepest,
            ownership=from_top_left(mean_ownership(workers), tree.width, color),
        )

    # ------------------------------------------------------------------ deciding

    def _decide(
        self,
        game: Game,
        color: int,
        tree: Tree,
        final: Report[int],
        limits: Limits,
        cleanup: bool,
        fresh: bool,
        pointed: Report[int] | None,
    ) -> Choice[int]:
        """Pass, resign, or play the most visited move: of the search for points where there was one."""
        moves = [candidate for candidate in final.candidates if candidate.move != PASS]
        chance = max((c.winrate or 0.0 for c in final.candidates if c.visits >= TRUSTED_VISITS), default=0.0)
        passing = False
        if pointed is not None and pointed.candidates:
            playouts = final.nodes + pointed.nodes
            passing = pointed.candidates[0].move == PASS
            moves = _careful([c for c in pointed.candidates if c.move != PASS]) or moves
            final = replace(pointed, nodes=playouts)
        if not moves:
            return Choice("pass", PASS, report=final)
        urged = urgent_move(self._urged, game, color, final)
        if urged is not None:
            final = replace(final, candidates=(urged, *(c for c in final.candidates if c is not urged)))
        best = urged or moves[0]
        assert best.winrate is not None
        if limits.infinite:
            # Whoever stopped it waits: only the report is wanted, and no judgement is worth the time.
            return _play(best, final)
        if cleanup:
            if self._clean(game, color):
                return Choice("pass", PASS, report=final)
            return _play(best, final)
        if not limits.restrictions and urged is None and self._may_pass(game, color, best, final, passing):
            fill = self._before_passing(game, color)
            return Choice("pass", PASS, report=final) if fill is None else Choice("move", fill, report=final)
        chance = max(best.winrate, chance)
        favoured = self._allowance > 0 and color == BLACK
        if not favoured and not fresh and self._gives_up(game, color, chance, final.nodes, limits):
            return Choice("resign", report=final)
        if not limits.restrictions:
            sampled = self._sampled(game, color)
            if sampled is not None:
                return Choice("move", sampled, report=final)
        return _play(best, final)

    def _before_passing(self, game: Game, color: int) -> int | None:
        """A point to be filled before a pass, after the opponent's too: the count may hang on it, and costs nothing."""
        if not game.rules.removes_dead or self.level < MAX_LEVEL:
            return None
        from engines.go.ending import finishing_move  # only at the end of a game: start-up does without

        return finishing_move(game, color, self.judge(game, self._judging).dead)

    def _gives_up(self, game: Game, color: int, chance: float, playouts: int, limits: Limits) -> bool:
        """Whether to resign when ``playouts`` promise a ``chance`` to win."""
        bound = self._bound(limits)
        if bound is not None and bound < RESIGN_PLAYOUTS:
            if chance >= self.resign or self._judging < RESIGN_PLAYOUTS:
                return False
            return self._look(game, color, RESIGN_PLAYOUTS)[1] < self.resign
        return _hopeless(chance, playouts, self.resign)

    def _sampled(self, game: Game, color: int) -> int | None:
        """At a weak level now and then a move that only looks natural; None for a move that was thought about."""
        level = LEVELS[self.level - 1]
        if not level.habit:
            return None
        chance = random.Random(self._seed(game, 0, False))
        if chance.random() >= level.habit:
            return None
        return sampled_move(game.board, color, level.evenness, lambda point: game.is_legal(color, point), chance)

    def _clean(self, game: Game, color: int) -> bool:
        """Whether none of the opponent's dead stones is left on the board."""
        dead = self.judge(game, self._judging).dead
        return not any(game.board.at(point) == opponent(color) for point in dead)

    def _may_pass(self, game: Game, color: int, best: Candidate[int], final: Report[int], passing: bool) -> bool:
        """Whether to pass rather than to play the best move; ``passing``: a search for points found nothing better."""
        last = game.board.last_move()
        answered = last is not None and last[1] == PASS
        sign = 1.0 if color == BLACK else -1.0
        if not game.rules.removes_dead:
            # What stands counts: pass when that wins and the game ends, or when nothing is left to gain or lose.
            ahead = sign * game.score().margin > 0
            return ahead and (
                answered
                or (
                    self._settled_by_passing(game, color, best, final) is not None
                    and not self.judge(game, self._judging).dead
                )
            )
        judged: Judgement | None = None
        if answered:
            judged = self.judge(game, self._judging)
            if sign * game.score(judged.dead).margin > 0 and certain(game, judged.ownership):
                return True
        chance = (best.winrate or 0.0) if passing else self._settled_by_passing(game, color, best, final)
        if chance is None:
            return False
        # Play on as long as the best move promises more than passing does.
        if (best.winrate or 0.0) - chance >= PASS_MARGIN:
            return False
        judged = judged or self.judge(game, self._judging)
        # Two passes have the board counted as it is, with borders still open: behind by that count only who could not
        # win by playing on passes either, and only when nothing is open.
        return sign * game.score(judged.dead).margin > 0 or (chance < LOST and certain(game, judged.ownership))

    def _settled_by_passing(self, game: Game, color: int, best: Candidate[int], final: Report[int]) -> float | None:
        """The chance to win after a pass, if the best move lies where everything is decided already, even when the
        opponent moves first; None if it does not.
        """
        if final.ownership is None:
            return None
        y, x = divmod(best.move, game.width)
        near = [
            b * game.width + a
            for a, b in ((x, y), (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
            if 0 <= a < game.width and 0 <= b < game.height
        ]
        least = SETTLED if self.net is None else SETTLED_FOR_NET
        if not _one_sided([final.ownership[top_left(point, game)] for point in near], least):
            return None
        sign = 1.0 if color == BLACK else -1.0
        then, chance = self._look(game, opponent(color), self._judging // 2)
        settled = _one_sided([sign * then[point] for point in near], least) and (
            (then[best.move] * sign > 0) == (final.ownership[top_left(best.move, game)] > 0)
        )
        return 1 - chance if settled else None


def _late(tree: Tree, workers: list[Worker]) -> bool:
    """Whether enough is known of the game to play for points, and enough of the board settled."""
    ownership = mean_ownership(workers)
    settled = sum(abs(value) > 0.8 for value in ownership)
    return tree.playouts >= FIRST_PART * FEWEST_FOR_POINTS and settled >= MOSTLY_SETTLED * len(ownership)


def _careful(moves: list[Candidate[int]]) -> list[Candidate[int]]:
    """Moves of a search for points without those that would risk a game nearly won."""
    surest = max((c.winrate or 0.0 for c in moves if c.visits >= TRUSTED_VISITS), default=0.0)
    return [c for c in moves if surest < WON or (c.winrate or 0.0) >= surest - MOST_RISKED]


def _hopeless(chance: float, playouts: int, rate: float) -> bool:
    """Whether that is a chance to resign with at a rate of ``rate``."""
    return playouts >= FEWEST_TO_RESIGN and chance < rate * min(1.0, playouts / RESIGN_PLAYOUTS)


def _one_sided(values: list[float], least: float) -> bool:
    """Whether all these points end up with the same side, nearly always."""
    return all(value >= least for value in values) or all(value <= -least for value in values)


def _play(candidate: Candidate[int], report: Report[int]) -> Choice[int]:
    ponder = candidate.line[1] if len(candidate.line) > 1 else None
    return Choice("move", candidate.move, ponder=ponder, report=report)
