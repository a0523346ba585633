"""A GTP server whose player follows a script, so that whole sessions can be compared word for word.

The player answers with the words of its script, then with the first point (from A1 on) that is legal and no eye of
its own, then with pass. It thinks for a given time and reports all the while.
"""

import argparse
import sys
import threading
import time
from typing import NamedTuple

from engines.go.life import unconditional_life
from engines.go.points import BLACK, EMPTY, PASS, WHITE, neighbors, opponent
from engines.go.vertex import parse_vertex
from engines.player import Candidate, Choice, Report
from protocols import stdio
from protocols.commands.gtp import add_arguments, options_from
from protocols.gtp.server import Server
from protocols.log import SessionLog


class Judgement(NamedTuple):
    dead: frozenset


class ScriptedPlayer:
    """Plays a script; see above. ``think`` seconds a move, a report every ``step`` seconds."""

    def __init__(self, script=(), think=0.0, step=0.01):
        self.script = list(script)
        self.think = think
        self.step = step
        self.asked = []
        self.running = 0
        self.closed = False
        self._stop = threading.Event()

    def choose(self, game, color, limits, report=None, *, cleanup=False, fresh=False, interval=0.1):
        self.asked.append((color, limits))
        self.options = {"cleanup": cleanup, "fresh": fresh, "interval": interval}
        self.running += 1
        self._stop.clear()
        begin = time.monotonic()
        candidates = self._candidates(game, color, limits)
        count = 0
        while True:
            now = Report(
                tuple(candidates),
                seconds=time.monotonic() - begin,
                nodes=100 + count,
                ownership=_ownership(game, color),
            )
            if report is not None:
                report(now)
            count += 1
            left = self.step if limits.infinite else begin + self.think - time.monotonic()
            if self._stop.is_set() or left <= 0:
                break
            self._stop.wait(min(self.step, left))
        self.running -= 1
        if limits.infinite:
            return Choice("move" if candidates[0].move != PASS else "pass", candidates[0].move, report=now)
        word = self.script.pop(0) if self.script else ""
        if word == "fault":
            raise RuntimeError("the script says fault")
        if word in ("resign", "pass"):
            return Choice(word, report=now)
        move = parse_vertex(word, game.width, game.height) if word else candidates[0].move
        return Choice("pass" if move == PASS else "move", move, report=now)

    def judge(self, game):
        """Dead are the stones in the opponent's unconditional territory."""
        stones, dead = game.board.stones(), set()
        for color in (BLACK, WHITE):
            territory = unconditional_life(game.width, game.height, stones, color).territory
            dead |= {point for point in territory if stones[point] == opponent(color)}
        return Judgement(frozenset(dead))

    def configure(self, options):
        pass

    def stop(self):
        self._stop.set()

    def close(self):
        self.closed = True

    def _candidates(self, game, color, limits):
        table = neighbors(game.width, game.height)
        found = []
        for point in range(game.points):
            if not game.is_legal(color, point) or all(game.board.at(near) == color for near in table[point]):
                continue
            if any(rule.color == color and (point in rule.moves) != rule.allow for rule in limits.restrictions):
                continue
            found.append(point)
            if len(found) == 3:
                break
        found = found or [PASS]
        return [
            Candidate(p, line=(p, *found[:i], PASS), visits=50 - 10 * i, winrate=0.5, score=1.5, prior=0.1)
            for i, p in enumerate(found)
        ]


def _ownership(game, color):
    stones = game.board.stones()
    rows = [stones[y * game.width : (y + 1) * game.width] for y in reversed(range(game.height))]
    return tuple(0.0 if stone == EMPTY else 1.0 if stone == color else -1.0 for row in rows for stone in row)


def main():
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    parser.add_argument("--script", default="")
    parser.add_argument("--think", type=float, default=0.0)
    arguments = parser.parse_args()
    player = ScriptedPlayer(arguments.script.split(), arguments.think)
    log = SessionLog(arguments.log)
    server = Server(options_from(arguments), player, log)
    return stdio.serve(server.attach, log=log)


if __name__ == "__main__":
    sys.exit(main())
