"""Games of a teacher with its judgement of every position: what the Go net learns from.

The teacher is KataGo's analysis engine, asked for one evaluation a position; it plays both sides from its own policy,
made to wander by a temperature and by moves at random, so that the student sees what it will meet. Many games run side
by side, so that the teacher can batch. A run is known by its seed and goes on after a kill: a shard is written whole or
not at all, and the shards that are there are not made again.

A shard (``.npz``) holds whole games of one board size:
    size                 points a side
    starts (G+1)         where each game's moves and positions begin
    moves (N)            int16, row by row from the top left, size*size for a pass; ply by ply, Black first
                         (White first where ``handicap`` stones lie)
    handicap (G, 9)      int16 points of handicap stones, -1 for none
    komi (G)             float32
    rules (G)            index into ``RULES``
    policy (N, area+1)   uint8: 255 times the square root of the policy, pass last
    value (N)            float32: chance that the side to move wins, 0 to 1
    score (N)            float32: points by which the side to move leads
    owner (N, area)      int8: 127 where the point will be the side to move's, -127 the opponent's
Position n is the one before move n.
"""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

RULES = ("chinese", "japanese", "tromp-taylor", "aga", "new-zealand")
RULE_WEIGHTS = (35, 35, 10, 10, 10)

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

SIZE_KOMI = {7: 9.0, 8: 9.0, 9: 7.0, 10: 7.0, 11: 7.0, 13: 7.0}
"""About the fair komi of small boards; 7 for the others."""

CONFIG = """
logDir = {logs}
logToStderr = false
reportAnalysisWinratesAs = SIDETOMOVE
numAnalysisThreads = {games}
numSearchThreadsPerAnalysisThread = 1
nnMaxBatchSize = {batch}
numNNServerThreadsPerModel = 1
numEigenThreadsPerModel = 1
nnCacheSizePowerOfTwo = 14
nnMutexPoolSizePowerOfTwo = 12
maxBoardXSizeForNNBuffer = {size}
maxBoardYSizeForNNBuffer = {size}
nnRandomize = true
"""


@dataclass
class Teacher:
    """KataGo's analysis engine; ``ask`` sends a query, answers come in any order from ``read``."""

    command: list[str]
    process: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def ask(self, query: dict[str, Any]) -> None:
        """Send one query."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(query) + "\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """The next answer. Raises RuntimeError where the teacher has ended or does not like a query."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the teacher has ended")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"the teacher refuses a query: {answer}")
        return answer

    def close(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()


class Game:
    """One game being made."""

    def __init__(self, number: int, size: int, chance: random.Random) -> None:
        self.number, self.size, self.chance = number, size, chance
        self.area = size * size
        self.rules = chance.choices(range(len(RULES)), RULE_WEIGHTS)[0]
        fair = SIZE_KOMI.get(size, 7.0)
        spread = chance.choices((0.0, 1.0, 5.0, 15.0), (35, 30, 25, 10))[0]
        self.komi = round(2 * (fair + chance.gauss(0, spread))) / 2 + (0.0 if chance.random() < 0.3 else 0.5)
        self.komi = max(-self.area + 1, min(self.area - 1, self.komi))
        self.handicap = self._handicap()
        self.moves: list[int] = []
        self.policy: list[np.ndarray] = []
        self.value: list[float] = []
        self.score: list[float] = []
        self.owner: list[np.ndarray] = []
        # The opening wanders widely, the rest a little; some games wander all along.
        self.wander = int(chance.expovariate(1 / (size * 0.7)))
        self.heat = chance.choices((0.2, 0.5, 0.8, 1.0), (20, 40, 25, 15))[0]
        self.blunders = chance.choices((0.0, 0.02, 0.08), (50, 30, 20))[0]
        self.limit = int(self.area * chance.uniform(1.0, 1.4)) + 10
        self.over = False

    def _handicap(self) -> list[int]:
        if self.size < 9 or self.chance.random() > 0.06:
            return []
        line = 2 if self.size < 13 else 3
        far = self.size - 1 - line
        corners = [(line, far), (far, line), (far, far), (line, line)]
        return [y * self.size + x for x, y in corners[: self.chance.choice((2, 3, 4))]]

    def vertex(self, move: int) -> str:
        """A move as the teacher reads it."""
        if move == self.area:
            return "pass"
        y, x = divmod(move, self.size)
        return f"{COLUMNS[x]}{self.size - y}"

    @property
    def first(self) -> int:
        """Who moves first: 0 Black, 1 White."""
        return 1 if self.handicap else 0

    def query(self) -> dict[str, Any]:
        """The present position as a query."""
        color = self.first
        moves = [["BW"[(color + ply) % 2], self.vertex(move)] for ply, move in enumerate(self.moves)]
        return {
            "id": str(self.number),
            "initialStones": [["B", self.vertex(point)] for point in self.handicap],
            "initialPlayer": "BW"[color],
            "moves": moves,
            "rules": RULES[self.rules],
            "komi": self.komi,
            "boardXSize": self.size,
            "boardYSize": self.size,
            "maxVisits": 1,
            "includePolicy": True,
            "includeOwnership": True,
        }

    def take(self, answer: dict[str, Any]) -> None:
        """Keep the teacher's judgement and make the next move."""
        policy = np.asarray(answer["policy"], dtype=np.float32)
        legal = policy >= 0
        policy = np.where(legal, policy, 0.0)
        root = answer["rootInfo"]
        # Ownership comes from the view that win rates are told from: the side to move.
        self.policy.append(np.rint(255 * np.sqrt(policy)).astype(np.uint8))
        self.value.append(float(root["winrate"]))
        self.score.append(float(root["scoreLead"]))
        self.owner.append(np.rint(127 * np.clip(np.asarray(answer["ownership"]), -1, 1)).astype(np.int8))
        ply = len(self.moves)
        self.moves.append(self._choose(policy, legal, ply))
        done = ply > 0 and self.moves[-1] == self.moves[-2] == self.area
        self.over = done or len(self.moves) >= self.limit

    def _choose(self, policy: np.ndarray, legal: np.ndarray, ply: int) -> int:
        """The next move: by the policy at this game's temperature, now and then anywhere."""
        chance = self.chance
        if ply < self.wander:
            heat, blunder = max(1.0, self.heat), 0.05
        else:
            heat, blunder = self.heat, self.blunders
        if chance.random() < blunder:
            points = np.flatnonzero(legal[:-1])
            if len(points):
                return int(chance.choice(points.tolist()))
        weights = np.power(policy.astype(np.float64), 1 / heat)
        weights[weights < weights.max() * 1e-3] = 0
        return int(chance.choices(range(self.area + 1), weights.tolist())[0])


def write_shard(path: Path, size: int, games: list[Game]) -> None:
    """Write finished games; whole or not at all."""
    games = sorted(games, key=lambda game: game.number)
    handicap = np.full((len(games), 9), -1, dtype=np.int16)
    for row, game in zip(handicap, games, strict=True):
        row[: len(game.handicap)] = game.handicap
    starts = np.cumsum([0, *(len(game.moves) for game in games)]).astype(np.int32)
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
        np.savez_compressed(
            file,
            size=np.int16(size),
            starts=starts,
            moves=np.concatenate([np.asarray(game.moves, dtype=np.int16) for game in games]),
            handicap=handicap,
            komi=np.asarray([game.komi for game in games], dtype=np.float32),
            rules=np.asarray([game.rules for game in games], dtype=np.uint8),
            policy=np.concatenate([np.stack(game.policy) for game in games]),
            value=np.concatenate([np.asarray(game.value, dtype=np.float32) for game in games]),
            score=np.concatenate([np.asarray(game.score, dtype=np.float32) for game in games]),
            owner=np.concatenate([np.stack(game.owner) for game in games]),
        )
    Path(file.name).replace(path)


def generate(
    katago: str, model: str, data: Path, size: int, seed: int, shards: int, games: int, at_once: int, stop: Path
) -> int:
    """Make shards 0 to ``shards``-1 of a run, those that are not there yet; the number made.

    ``games`` are in a shard, ``at_once`` run side by side; ends early when the file ``stop`` appears.
    """
    folder = data / str(size)
    folder.mkdir(parents=True, exist_ok=True)
    made = 0
    with tempfile.TemporaryDirectory() as scratch:
        config = Path(scratch) / "analysis.cfg"
        config.write_text(CONFIG.format(logs=scratch, games=at_once, batch=min(at_once, 16), size=size))
        teacher = Teacher([katago, "analysis", "-model", model, "-config", str(config)])
        try:
            for shard in range(shards):
                path = folder / f"{seed:04d}-{shard:05d}.npz"
                if path.exists():
                    continue
                if stop.exists():
                    break
                waiting = [
                    Game(number, size, random.Random(f"{seed} {size} {shard} {number}")) for number in range(games)
                ][::-1]
                running: dict[str, Game] = {}
                finished: list[Game] = []
                while waiting or running:
                    while waiting and len(running) < at_once:
                        game = waiting.pop()
                        running[str(game.number)] = game
                        teacher.ask(game.query())
                    answer = teacher.read()
                    game = running[answer["id"]]
                    game.take(answer)
                    if game.over:
                        finished.append(running.pop(answer["id"]))
                    else:
                        teacher.ask(game.query())
                write_shard(path, size, finished)
                made += 1
                print(f"{path}: {sum(len(game.moves) for game in finished)} positions", flush=True)
        finally:
            teacher.close()
    return made
