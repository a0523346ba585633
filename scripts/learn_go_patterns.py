"""Learns what the Go search expects of a move before it has searched it, from recorded games.

    python scripts/learn_go_patterns.py play --engine "gnugo --mode gtp" --games 100 --size 9 games.txt
    python scripts/learn_go_patterns.py fit scripts/data/go_games.txt games.txt... --write engines/go/weights.py

``play`` lets a GTP program play itself, after a few random moves, and adds a line a game: the size, how many moves at
the beginning are not to be learned from, and the moves. ``fit`` replays such games and finds the weights with which the
moves that were played are the most likely ones: a move's chance is the product of its features' weights by the sum of
that over all moves (the generalised Bradley-Terry model of Coulom, 2007), the logarithms of the weights are pulled
towards 0 by a penalty on their squares, and one game in eight is kept back to tell how well others are foretold.
The same games, ``--seed`` and table in place give the same table. Who owns a point is found by a short search, which
goes by the table in place: so a second fit of the same games moves the weights a little. ``scripts/data/go_games.txt``
are the games of the table that is shipped.
"""

from __future__ import annotations

import argparse
import random
import shlex
import subprocess
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engines.go.board import Board
from engines.go.patterns import symmetric_codes
from engines.go.points import PASS
from engines.go.priors import NAMES, Priors
from engines.go.shapes import SIZES, smallest_code
from engines.go.tree import Tree, Worker
from engines.go.vertex import format_vertex, parse_vertex

OWNER_PLAYOUTS = 48
"""Playouts from which the search would know who owns a point."""

SLOTS = 12
"""Features that a move can have at most, patterns and shapes aside."""

FEATURES = max(NAMES) + 1

BATCH = 256
"""Positions that one step of the fit looks at."""

STEP = 0.15


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


@dataclass
class Examples:
    """Positions and all moves that were possible in each, the moves of one position after those of the one before."""

    slots: np.ndarray
    """Shape (moves, SLOTS): the features of ``engines.go.priors``, 0 where there are no more."""
    codes: np.ndarray
    """Per move the smallest code of its 3×3 pattern's class."""
    shapes: np.ndarray
    """Per move the code of the larger shape around it."""
    first: np.ndarray
    """Per position where its moves begin."""
    played: np.ndarray
    """Per position which of all moves was played."""


def examples_of(line: str) -> tuple[list[list[int]], list[int], list[int], list[int], list[int]]:
    """A game's examples as lists: features, 3×3 code and shape of each move; how many moves each position has, and
    which of them was played.
    """
    size_text, skipped, *vertices = line.split()
    size = int(size_text)
    board = Board(size)
    priors = Priors()
    slots: list[list[int]] = []
    codes: list[int] = []
    shapes: list[int] = []
    counts: list[int] = []
    chosen: list[int] = []
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
                slots += [[*row[1], *[0] * (SLOTS - len(row[1]))] for row in rated]
                codes += [row[2] for row in rated]
                shapes += [row[3] for row in rated]
                counts.append(len(rated))
                chosen.append(played[0])
        board.play(color, point)
    return slots, codes, shapes, counts, chosen


def examples_from(lines: list[str], jobs: int) -> Examples:
    """The positions of all games, read by several processes."""
    with ProcessPoolExecutor(jobs) as pool:
        found = [
            (
                np.array(slots, np.int16).reshape(-1, SLOTS),
                np.array(codes, np.uint16),
                np.array(shapes, np.uint64),
                np.array(counts, np.int64),
                np.array(chosen, np.int64),
            )
            for slots, codes, shapes, counts, chosen in pool.map(examples_of, lines)
        ]
    slots, codes, shapes, counts, chosen = (np.concatenate(parts) for parts in zip(*found, strict=True))
    first = np.concatenate(([0], np.cumsum(counts)[:-1]))
    smallest = np.array([min(symmetric_codes(code)) for code in range(65536)], np.uint16)
    return Examples(slots, smallest[codes], shapes, first, first + chosen)


def shape_classes(codes: np.ndarray, size: int) -> np.ndarray:
    """For each shape the smallest code of its class, of the first ``size`` points."""
    found, places = np.unique(codes & np.uint64((1 << 2 * size) - 1), return_inverse=True)
    return np.array([smallest_code(code, size) for code in found.tolist()], np.uint64)[places]


# ---------------------------------------------------------------------- fitting


@dataclass
class Model:
    """What has a weight; a move's columns are its features, its 3×3 pattern and its two shapes."""

    codes: np.ndarray
    """The smallest codes of the 3×3 patterns, whose weights follow those of the features."""
    shapes: dict[int, np.ndarray]
    """By size the smallest codes of the shapes, whose weights follow in the same order."""

    def columns(self, examples: Examples, classes: dict[int, np.ndarray]) -> np.ndarray:
        """Shape (moves, SLOTS + 3): where each of a move's weights stands; 0 where it has none."""
        places = [examples.slots.astype(np.int32)]
        start = FEATURES
        for known, codes in ((self.codes, examples.codes), *((self.shapes[size], classes[size]) for size in SIZES)):
            at = np.searchsorted(known, codes)
            at[at == len(known)] = 0
            places.append(np.where(known[at] == codes, start + at, 0).astype(np.int32)[:, None])
            start += len(known)
        return np.hstack(places)


def shares(columns: np.ndarray, first: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The share of each move among those of its position."""
    values = np.exp(weights[columns].sum(axis=1))
    lengths = np.diff(np.append(first, len(values)))
    return values / np.repeat(np.add.reduceat(values, first), lengths)


def quality(columns: np.ndarray, examples: Examples, weights: np.ndarray) -> tuple[float, float]:
    """How often the move played has the greatest share, and the mean logarithm of its share."""
    found = shares(columns, examples.first, weights)
    played = found[examples.played]
    return float((played >= np.maximum.reduceat(found, examples.first)).mean()), float(np.log(played).mean())


def fit(examples: Examples, columns: np.ndarray, count: int, rounds: int, penalty: float, chance: int) -> np.ndarray:
    """Logarithms of ``count`` weights by gradient ascent on parts of the positions, each weight with a step of its own
    (AdaGrad). ``penalty`` times half the square of each weight is taken off the sum of the logarithms of the shares.
    """
    generator = np.random.default_rng(chance)
    weights = np.zeros(count)
    squares = np.full(count, 1e-3)
    positions = len(examples.first)
    ends = np.append(examples.first[1:], len(columns))
    for _ in range(rounds):
        order = generator.permutation(positions)
        for begin in range(0, positions, BATCH):
            some = order[begin : begin + BATCH]
            rows = np.concatenate([np.arange(examples.first[n], ends[n]) for n in some])
            lengths = ends[some] - examples.first[some]
            first = np.concatenate(([0], np.cumsum(lengths)[:-1]))
            lack = -shares(columns[rows], first, weights)
            lack[first + examples.played[some] - examples.first[some]] += 1.0
            slopes = np.bincount(columns[rows].ravel(), np.repeat(lack, columns.shape[1]), count)
            slopes -= penalty * len(some) / positions * weights
            slopes[0] = 0.0
            squares += slopes * slopes
            weights += STEP * slopes / np.sqrt(squares)
    return weights


def learn(options: argparse.Namespace) -> None:
    """Fit and write the table."""
    lines = [line for name in options.files for line in Path(name).read_text(encoding="ascii").splitlines()]
    random.Random(options.seed).shuffle(lines)
    kept = -(-len(lines) // options.keep)
    kept_back, examples = examples_from(lines[:kept], options.jobs), examples_from(lines[kept:], options.jobs)
    classes = {size: shape_classes(examples.shapes, size) for size in SIZES}
    shapes = {}
    for size in SIZES:
        found, times = np.unique(classes[size][examples.played], return_counts=True)
        shapes[size] = found[times >= options.fewest]
    model = Model(np.unique(examples.codes), shapes)
    columns = model.columns(examples, classes)
    count = FEATURES + len(model.codes) + sum(map(len, shapes.values()))
    weights = fit(examples, columns, count, options.rounds, options.penalty, options.seed)
    kept_classes = {size: shape_classes(kept_back.shapes, size) for size in SIZES}
    kept_columns = model.columns(kept_back, kept_classes)
    for name, some, places in (("learned from", examples, columns), ("kept back", kept_back, kept_columns)):
        hits, logs = quality(places, some, weights)
        print(f"{name}: {len(some.first)} positions, first guess right {hits:.1%}, mean log share {logs:.3f}")
    sizes = ", ".join(f"{len(shapes[size])} shapes of {size} points" for size in SIZES)
    print(f"{len(model.codes)} patterns, {sizes}")
    for feature in sorted(NAMES):
        print(f"{weights[feature]:+.2f} {NAMES[feature]}")
    if options.write:
        text = table(model, weights, len(lines) - kept, len(examples.first))
        Path(options.write).write_text(text, encoding="ascii")


def wrapped(words: list[str]) -> str:
    """Words in lines of up to 116 characters."""
    return "\n".join(textwrap.wrap(" ".join(words), 116, break_long_words=False, break_on_hyphens=False))


def table(model: Model, weights: np.ndarray, games: int, positions: int) -> str:
    """The module ``engines.go.weights``."""
    features = "".join(f"    {n}: {weights[n]:.2f},\n" for n in sorted(NAMES) if abs(weights[n]) >= 0.005)
    start = FEATURES + len(model.codes)
    patterns = [
        f"{code:04x}{round(100 * weight):+d}"
        for code, weight in zip(model.codes, weights[FEATURES:start], strict=True)
        if abs(weight) >= 0.05
    ]
    shapes = []
    for size in SIZES:
        known = model.shapes[size]
        shapes += [
            f"{size}:{code:x}:{round(100 * weight)}"
            for code, weight in zip(known, weights[start : start + len(known)], strict=True)
            if abs(weight) >= 0.05
        ]
        start += len(known)
    return f'''"""Weights of what a move is known by; made by scripts/learn_go_patterns.py, not by hand.

Learned from {games} games, {positions} positions. Weights are natural logarithms; a feature that is missing has 0.
"""

from __future__ import annotations

FEATURE_WEIGHTS = {{
{features}}}
"""By number of feature; ``engines.go.priors.NAMES`` says what each is."""

_PATTERNS = """
{wrapped(patterns)}
"""
"""A 3x3 neighbourhood's code in four hexadecimal digits, and a hundred times its weight."""

_SHAPES = """
{wrapped(shapes)}
"""
"""A class of shapes: its points (20 or 28), its smallest code in hexadecimal digits, and a hundred times its weight."""


def pattern_weights() -> dict[int, float]:
    """The weights by code, one of each class of rotations and reflections, Black standing for the mover."""
    return {{int(word[:4], 16): int(word[4:]) / 100 for word in _PATTERNS.split()}}


def shape_weights() -> dict[tuple[int, int], float]:
    """The weights by size and code, one of each class, the mover's stones being 1."""
    words = (word.split(":") for word in _SHAPES.split())
    return {{(int(size), int(code, 16)): int(weight) / 100 for size, code, weight in words}}
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
    teach.add_argument("--rounds", type=int, default=40)
    teach.add_argument("--penalty", type=float, default=0.25)
    teach.add_argument("--fewest", type=int, default=2, help="shapes played less often are left out")
    teach.add_argument("--keep", type=int, default=8, help="one game in so many is kept back")
    teach.add_argument("--jobs", type=int, default=2, help="processes that read the games")
    teach.add_argument("--seed", type=int, default=1)
    teach.add_argument("--write", metavar="FILE", help="where the table goes")
    teach.set_defaults(run=learn)
    options = parser.parse_args(arguments)
    options.run(options)


if __name__ == "__main__":
    sys.exit(main())
