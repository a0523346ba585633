"""Judging a Go position: which stones are dead, and who ends up with each point. Nothing here chooses a move.

``Judge`` has the memory for trees and remembers what was read; ``engines.go.search`` chooses moves on top of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engines.go.fates import Fate, Fates
from engines.go.game import Game
from engines.go.life import unconditional_life
from engines.go.outlook import margin_to_beat, mean_ownership
from engines.go.points import BLACK, EMPTY, WHITE, opponent
from engines.go.tree import Tree, Worker
from engines.memory import available_mb

if TYPE_CHECKING:
    from engines.go.net.evaluator import Evaluator

JUDGE_PLAYOUTS = 1000
"""Playouts behind a judgement of dead stones and ownership."""

NET_PLAYOUTS = 48
"""Evaluations of a net behind one."""

LOOK_MB = 16
"""Most memory for the tree of a judgement."""

READING_SHARE = 200
"""Positions that may be read in one corner of the board for each playout of a judgement …"""

READING_AHEAD = 30_000
"""… and before a search, which then leaves alone what stands still."""

DEAD_OWNERSHIP = 0.0
"""A chain is dead if the mean of its points (−1…1, 1 for its owner) is below this. On 76 finished games of GNU
Go against itself (9×9, 13×13, 19×19) the count then agrees with its own in 75; at −0.4 in some ten fewer."""


@dataclass(frozen=True)
class Judgement:
    """Which stones of a position are dead, and who ends up with each point (−1…1, positive for Black, by point)."""

    dead: frozenset[int]
    ownership: tuple[float, ...]


class Judge:
    """Judges positions, with trees of at most ``memory_mb`` megabytes; ``say`` gets a sentence for the user when there
    is less memory than that. With ``net``, the path of a net's file (see ``engines.go.net``), the net says who owns
    what rather than playouts; it is opened when it is first needed, and what it lacks is told by a PlayerError then.
    """

    def __init__(
        self, memory_mb: int = 256, say: Callable[[str], None] = lambda text: None, net: str | None = None
    ) -> None:
        self.memory_mb = memory_mb
        self.net = net
        self._say = say
        self._memory_asked = self._memory_mb = 0
        self._fates = Fates()

    @property
    def judge_playouts(self) -> int:
        """Playouts, or evaluations of the net, behind a judgement."""
        return JUDGE_PLAYOUTS if self.net is None else NET_PLAYOUTS

    def ownership(self, game: Game, color: int) -> list[float]:
        """Who ends up with each point (by point index), −1…1, positive for ``color``; of this position alone."""
        sign = 1.0 if color == BLACK else -1.0
        return [sign * value for value in self.judge(game).ownership]

    def judge(self, game: Game, playouts: int | None = None) -> Judgement:
        """Judge which stones are dead, from the position alone: repeatable, and the same whoever asks.

        Chains that Benson's algorithm finds unconditionally alive are alive, and what is caught in their territory is
        dead. Where little room is left the chains' fates are read (``engines.go.fates``), kos going to whoever attacks;
        of the rest a chain is dead if its points mostly end up with the opponent, in searches of which one half lets
        Black move first and the other White.
        """
        stones = game.board.stones()
        if not any(stones):
            return Judgement(frozenset(), (0.0,) * game.points)
        playouts = self.judge_playouts if playouts is None else playouts
        views = [self._look(game, color, playouts // 2)[0] for color in (BLACK, WHITE)]
        ownership = [(a + b) / 2 for a, b in zip(*views, strict=True)]
        dead: set[int] = set()
        safe: set[int] = set()
        for color in (BLACK, WHITE):
            life = unconditional_life(game.width, game.height, stones, color, game.rules.suicide)
            safe |= life.stones
            dead.update(point for point in life.territory if stones[point] == opponent(color))
        read = self._read(game, READING_SHARE * playouts * JUDGE_PLAYOUTS // self.judge_playouts)
        for fate in read:
            # What was read stands on the chains around, which must not themselves be lost.
            if any(self._lost(game, wall, ownership, read) for wall, _ in fate.corner.walls):
                continue
            dead |= fate.dead
            safe |= fate.alive
            for point in fate.dead | fate.alive:
                ownership[point] = 1.0 if (stones[point] == BLACK) == (point in fate.alive) else -1.0
        for point in range(game.points):
            if stones[point] == EMPTY or point in safe or point in dead:
                continue
            chain = game.board.chain(point)
            safe.update(chain)
            if self._lost(game, point, ownership, ()):
                dead.update(chain)
        return Judgement(frozenset(dead), tuple(ownership))

    def _read(self, game: Game, limit: int) -> list[Fate]:
        return self._fates.read(game.width, game.height, game.board.stones(), limit, game.rules.suicide)

    def _lost(self, game: Game, point: int, ownership: Sequence[float], read: Iterable[Fate]) -> bool:
        """Whether the chain at a point is dead: read so, or if its fate was not read mostly taken in playouts."""
        for fate in read:
            if point in fate.dead or point in fate.alive:
                return point in fate.dead
        chain = game.board.chain(point)
        sign = 1.0 if game.board.at(point) == BLACK else -1.0
        return sign * sum(ownership[p] for p in chain) / len(chain) < DEAD_OWNERSHIP

    # ------------------------------------------------------------------ trees

    def evaluator(self) -> Evaluator:
        """The net, opened. Raises PlayerError with a text for the user."""
        from engines.go.net.evaluator import opened  # with a net only

        assert self.net is not None
        return opened(self.net)

    def _new_tree(self, game: Game, color: int, megabytes: int) -> Any:
        if self.net is None:
            return Tree(game.board, color, megabytes)
        from engines.go.net.tree import NetTree

        return NetTree(game.board, color, megabytes, self.evaluator())

    def _new_worker(self, tree: Tree, seed: int) -> Any:
        if self.net is None:
            return Worker(tree, seed)
        from engines.go.net.tree import NetWorker

        return NetWorker(tree, seed)

    def _grow(self, game: Game, color: int, most: int | None = None) -> Tree:
        """An empty tree of half the memory, since the one before is still needed, or of ``most`` megabytes: less if so
        much can't be had, which is said once for each size asked for.

        Raises MemoryError when there is not even memory for the smallest.
        """
        if self._memory_asked != self.memory_mb:
            # Only now: later on our own trees are what is in use.
            self._memory_asked = self._memory_mb = self.memory_mb
            there = available_mb()
            if there is not None and there < self.memory_mb:
                self._take_less(max(1, there))
        while True:
            size = max(1, self._memory_mb // 2)
            try:
                return self._new_tree(game, color, size if most is None else min(size, most))
            except MemoryError:
                if size == 1:
                    raise
                self._take_less(size)

    def _take_less(self, megabytes: int) -> None:
        """Have trees in so many megabytes from now on."""
        self._memory_mb = megabytes
        self._say(f"no memory for a search tree of {self.memory_mb} MB: it gets {megabytes} MB")

    def _hold(self, tree: Tree, game: Game) -> tuple[Fate, ...]:
        """Let the tree leave alone what stands still."""
        standing = tuple(fate for fate in self._read(game, READING_AHEAD) if any(fate.losing))
        for fate in standing:
            tree.standstills.add(game.board, fate.corner.points, list(fate.corner.walls), fate.losing)
        return standing

    def _look(self, game: Game, color: int, playouts: int) -> tuple[list[float], float]:
        """A search of its own in which ``color`` moves first: ownership by point, positive for Black, and its chance to
        win.
        """
        tree = self._grow(game, color, LOOK_MB)
        tree.komi, tree.territory, _ = margin_to_beat(game)
        self._hold(tree, game)
        tree.limit = max(1, playouts)
        worker = self._new_worker(tree, game.board.hash_value ^ color)
        worker.run()
        check_workers([worker])
        return mean_ownership([worker]), tree.winrate


def check_workers(workers: list[Worker]) -> None:
    """Raise what has ended a worker's search before its time, if anything has: a net may fail, playouts don't."""
    for worker in workers:
        failure = getattr(worker, "failure", None)
        if failure is not None:
            raise failure
