"""Players for matches that need no process: random ones, and those that follow a script."""

import copy
import random
import threading

from engines.gametype import Decision
from engines.go.points import PASS, neighbors
from engines.player import PlayerError


class RandomSeat:
    """Plays legal moves at random, the same ones for the same seed; in Go it does not fill its own eyes."""

    def __init__(self, seed=1, title="random"):
        self.title = title
        self._chance = random.Random(seed)
        self.closed = False
        self.stopped = threading.Event()

    def begin(self, game, color):
        self.stopped.clear()

    def choose(self, game, color, limits, draw_offered):
        if hasattr(game, "komi"):
            near = neighbors(game.width, game.height)
            stones = game.board.stones()
            points = [
                point
                for point in range(game.points)
                if game.is_legal(color, point) and not all(stones[other] == color for other in near[point])
            ]
            point = self._chance.choice(points) if points else PASS
            return Decision("pass" if point == PASS else "move", point)
        return Decision("move", self._chance.choice(sorted(game.board.legal_moves())))

    def dead(self, game):
        return frozenset()

    def stop(self):
        self.stopped.set()

    def close(self):
        self.closed = True


class ScriptedSeat(RandomSeat):
    """Answers what it was told to, one item a turn: a choice, an exception to raise, or a function of what it is asked;
    then at random. ``score`` and ``winrate`` are what it thinks at every turn."""

    def __init__(self, *answers, seed=1, score=None, winrate=None, dead=frozenset()):
        super().__init__(seed)
        self._answers = list(answers)
        self._score, self._winrate, self._dead = score, winrate, dead
        self.asked = []

    def choose(self, game, color, limits, draw_offered):
        self.asked.append((copy.deepcopy(limits), draw_offered))  # the clocks in it run on
        answer = self._answers.pop(0) if self._answers else None
        if callable(answer):
            answer = answer(game, color, limits)
        if isinstance(answer, PlayerError):
            raise answer
        choice = answer or super().choose(game, color, limits, draw_offered)
        if self._score is None and self._winrate is None:
            return choice
        return choice._replace(score=self._score, winrate=self._winrate, depth=3, nodes=7)

    def dead(self, game):
        return self._dead
