"""Learns what the Go search expects of a move before it has searched it, from recorded games.

    python scripts/learn_go_patterns.py play --engine "gnugo --mode gtp" --games 100 --size 9 games.txt
    python scripts/learn_go_patterns.py fit games.txt... --write engines/go/weights.py

``play`` lets a GTP program play itself, after a few random moves, and adds a line a game: the size, how many moves at
the beginning are not to be learned from, and the moves. ``fit`` replays such games and finds the weights with which the
moves that were played are the most likely ones: a move's chance is the product of its features' weights by the sum of
that over all moves (the generalised Bradley-Terry model of Coulom, 2007), the logarithms of the weights are pulled
towards 0 by a penalty on their squares, and a tenth of the positions is kept back to tell how well others are foretold.
The same games and ``--seed`` give the same table.
"""

from __future__ import annotations

import argparse
import math
import random
import shlex
import subprocess
import sys
from array import array
from pathlib import Path

from engines.go.board import Board
from engines.go.patterns import symmetric_codes
from engines.go.points import PASS
from engines.go.priors import NAMES, Priors
from engines.go.tree import Tree, Worker
from engines.go.vertex import format_vertex, parse_vertex

OWNER_PLAYOUTS = 48
"""Playouts from which the search would know who owns a point."""

PATTERN_BASE = 1000
"""Features from this number on are 3×3 patterns."""

Example = tuple[int, list[array]]
"""Which of the moves was played, and the features of all."""


# ---------------------------------------------------------------------- playing


class Program:
    """A GTP program that is asked and answers."""

    def __init__(self, command: str) -> None:
        self._child = subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )

    def ask(self, line: str) -> tuple[bool, str]:
        """Whether the command succeeded, and the first line of the answer."""
        assert self._child.stdin and self._child.stdout
        self._child.stdin.write(line + "\n")
        found: list[str] = []
        while True:
            text = self._child.stdout.readline()
            if not text:
                raise EOFError(f"the program ended after {line!r}")
            if text.strip():
                found.append(text.strip())
            elif found:
                return found[0].startswith("="), found[0][1:].strip()

    def close(self) -> None:
        """Ask it to leave, and wait until it has."""
        assert self._child.stdin
        self._child.stdin.write("quit\n")
        self._child.stdin.close()
        self._child.wait(20)


def play_game(program: Program, size: int, random_moves: int, most: int, rng: random.Random) -> str:
    """One game of the program against itself, or its first moves, as a line."""
    for line in (f"boardsize {size}", "clear_board", "komi 7.5"):
        program.ask(line)
    moves: list[str] = []
    while len(moves) < random_moves:
        vertex = format_vertex(rng.randrange(2, size - 2) * size + rng.randrange(2, size - 2), size, size)
        if program.ask(f"play {'bw'[len(moves) % 2]} {vertex}")[0]:
            moves.append(vertex)
    while len(moves) < most:
        _, answer = program.ask(f"genmove {'bw'[len(moves) % 2]}")
        if answer.lower() in ("pass", "resign"):
            break
        moves.append(answer.upper())
    return f"{size} {random_moves} {' '.join(moves)}\n"


def play(options: argparse.Namespace) -> None:
    """Add games to a file."""
    rng = random.Random(options.seed)
    most = options.moves or 2 * options.size**2
    with Path(options.file).open("a", encoding="ascii") as out:
        for number in range(options.games):
            program = Program(options.engine.replace("{seed}", str(options.seed + number)))
            try:
                out.write(play_game(program, options.size, rng.randrange(options.random_moves + 1), most, rng))
                out.flush()
            finally:
                program.close()


# ---------------------------------------------------------------------- reading the games


def examples_of(line: str, canonical: dict[int, int]) -> list[Example]:
    """The positions of a game with the features of all moves in each."""
    size_text, skipped, *vertices = line.split()
    size = int(size_text)
    board = Board(size)
    priors = Priors()
    found: list[Example] = []
    for number, vertex in enumerate(vertices):
        point = parse_vertex(vertex, size, size)
        color = board.to_move
        if number >= int(skipped) and point != PASS:
            tree = Tree(board, color, 4)
            tree.komi, tree.limit = 7.5, OWNER_PLAYOUTS
            worker = Worker(tree, number)
            worker.run()
            owners = [value / OWNER_PLAYOUTS for value in worker.ownership()]
            rated = priors.features(board, color, owners)
            played = [index for index, row in enumerate(rated) if row[0] == point]
            if played:
                rows = [array("i", [*slots, PATTERN_BASE + smallest(code, canonical)]) for _, slots, code, _ in rated]
                found.append((played[0], rows))
        board.play(color, point)
    return found


def smallest(code: int, canonical: dict[int, int]) -> int:
    """The code that stands for a neighbourhood and all its rotations and reflections."""
    if code not in canonical:
        codes = symmetric_codes(code)
        canonical.update(dict.fromkeys(codes, min(codes)))
    return canonical[code]


# ---------------------------------------------------------------------- fitting


def chances(rows: list[array], weights: dict[int, float]) -> list[float]:
    """The share of each move."""
    values = [math.exp(sum(weights.get(feature, 0.0) for feature in row)) for row in rows]
    total = sum(values)
    return [value / total for value in values]


def quality(examples: list[Example], weights: dict[int, float]) -> tuple[float, float]:
    """How often the move played has the greatest share, and the mean logarithm of its share."""
    hits, logs = 0, 0.0
    for played, rows in examples:
        shares = chances(rows, weights)
        hits += shares[played] == max(shares)
        logs += math.log(shares[played])
    count = max(1, len(examples))
    return hits / count, logs / count


def fit(examples: list[Example], rounds: int, penalty: float, rng: random.Random) -> dict[int, float]:
    """Logarithms of the weights by gradient ascent, each feature with a step of its own (AdaGrad)."""
    weights: dict[int, float] = {}
    squares: dict[int, float] = {}
    order = list(examples)
    for _ in range(rounds):
        rng.shuffle(order)
        for played, rows in order:
            slopes: dict[int, float] = {}
            for index, share in enumerate(chances(rows, weights)):
                lack = (index == played) - share
                if abs(lack) > 1e-4:
                    for feature in rows[index]:
                        slopes[feature] = slopes.get(feature, 0.0) + lack
            for feature, slope in slopes.items():
                slope -= penalty * weights.get(feature, 0.0)
                squares[feature] = squares.get(feature, 1e-3) + slope * slope
                weights[feature] = weights.get(feature, 0.0) + 0.15 * slope / math.sqrt(squares[feature])
    return weights


def learn(options: argparse.Namespace) -> None:
    """Fit and write the table."""
    canonical: dict[int, int] = {}
    examples: list[Example] = []
    games = 0
    for name in options.files:
        for line in Path(name).read_text(encoding="ascii").splitlines():
            examples += examples_of(line, canonical)
            games += 1
    rng = random.Random(options.seed)
    rng.shuffle(examples)
    kept_back = len(examples) // 10
    weights = fit(examples[kept_back:], options.rounds, options.penalty, rng)
    for name, some in (("learned from", examples[kept_back:]), ("kept back", examples[:kept_back])):
        hits, logs = quality(some, weights)
        print(f"{name}: {len(some)} positions, first guess right {hits:.1%}, mean log share {logs:.3f}")
    seen: dict[int, int] = {}
    for played, rows in examples:
        seen[rows[played][-1]] = seen.get(rows[played][-1], 0) + 1
    for feature in sorted(weights):
        if feature < PATTERN_BASE:
            print(f"{weights[feature]:+.2f} {NAMES.get(feature, feature)}")
    if options.write:
        Path(options.write).write_text(table(weights, games, len(examples)), encoding="ascii")


def table(weights: dict[int, float], games: int, positions: int) -> str:
    """The module ``engines.go.weights``."""
    features = "".join(
        f"    {feature}: {weights[feature]:.2f},\n" for feature in sorted(weights) if feature < PATTERN_BASE
    )
    patterns = [
        f"{feature - PATTERN_BASE:04x}{round(100 * weights[feature]):+d}"
        for feature in sorted(weights)
        if feature >= PATTERN_BASE and abs(weights[feature]) >= 0.05
    ]
    lines, line = [], ""
    for word in patterns:
        if len(line) + len(word) > 110:
            lines.append(line.rstrip())
            line = ""
        line += word + " "
    lines.append(line.rstrip())
    text = "\n".join(lines)
    return f'''"""Weights of what a move is known by; made by scripts/learn_go_patterns.py, not by hand.

Learned from {games} games, {positions} positions. Weights are natural logarithms; a feature that is missing has 0.
"""

from __future__ import annotations

FEATURE_WEIGHTS = {{
{features}}}
"""By number of feature; ``engines.go.priors.NAMES`` says what each is."""

_PATTERNS = """
{text}
"""
"""A 3x3 neighbourhood's code in four hexadecimal digits, and a hundred times its weight."""


def pattern_weights() -> dict[int, float]:
    """The weights by code, one of each class of rotations and reflections, Black standing for the mover."""
    return {{int(word[:4], 16): int(word[4:]) / 100 for word in _PATTERNS.split()}}
'''


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    record = commands.add_parser("play", help="let a GTP program play itself and keep the games")
    record.add_argument("file")
    record.add_argument("--engine", required=True, help="the command that starts it; {seed} becomes a number")
    record.add_argument("--games", type=int, default=20)
    record.add_argument("--size", type=int, default=9)
    record.add_argument("--moves", type=int, help="keep the first moves only")
    record.add_argument("--random-moves", type=int, default=4, help="at most so many at the beginning are random")
    record.add_argument("--seed", type=int, default=1)
    record.set_defaults(run=play)
    teach = commands.add_parser("fit", help="learn the weights from games")
    teach.add_argument("files", nargs="+")
    teach.add_argument("--rounds", type=int, default=12)
    teach.add_argument("--penalty", type=float, default=0.002)
    teach.add_argument("--seed", type=int, default=1)
    teach.add_argument("--write", metavar="FILE", help="where the table goes")
    teach.set_defaults(run=learn)
    options = parser.parse_args(arguments)
    options.run(options)


if __name__ == "__main__":
    sys.exit(main())
