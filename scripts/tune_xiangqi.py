"""Tunes the Xiangqi evaluation: games that the engine plays against itself, then logistic regression on them.

    python scripts/tune_xiangqi.py play GAMES.txt [--games 1000] [--nodes 6000] [--seed 1]
    python scripts/tune_xiangqi.py fit GAMES.txt... [--steps 400] [--pull 20] [--result 0.5]

``play`` appends to a file one line for every quiet position (no check, and no capture or check as the move chosen):
its FEN, the score of the search and the result of the game, 1 for Red, 0.5 or 0. Games begin with 4 to 10 random plies
after which the search finds neither side more than 250 centipawns ahead; they end by the rules, or when a side has been
1500 ahead for four plies, or as a draw after 260 plies or 30 in a row near 0.

``fit`` moves every weight of ``engines/xiangqi/weights.py`` so that the evaluation, squashed by a logistic curve,
predicts what came of the positions: ``--result`` parts the result and the rest the search's score. ``--pull`` holds
weights back to what they were, the more the less the positions say about them: few games teach only what is common in
them (tried with next to no pull, 18,000 positions made a player 180 Elo weaker). Same file in, same weights out.
It needs numpy. Rebuild afterwards, and measure by matches: a better prediction need not be a better player.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import Any

from engines.xiangqi.board import Board
from engines.xiangqi.evaluation import GROUPS, TEMPO, count_terms
from engines.xiangqi.game import Game
from engines.xiangqi.geometry import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK, move_to
from engines.xiangqi.search import Searcher
from engines.xiangqi.table import Table
from engines.xiangqi.weights import MATERIAL, PLACES, TERMS

WEIGHTS = Path(__file__).parent.parent / "engines/xiangqi/weights.py"
NAMES = {
    KING: "KING", ADVISOR: "ADVISOR", BISHOP: "BISHOP", KNIGHT: "KNIGHT", ROOK: "ROOK", CANNON: "CANNON", PAWN: "PAWN",
}  # fmt: skip
PHASE = {KNIGHT: 2, ROOK: 3, CANNON: 2}
PHASES = 24
ENOUGH = 33
"""Below this force (chariot 32, horse and cannon 16, soldier 1) the evaluation scales what it says: left out."""


# -- games


def think(searcher: Searcher, board: Board, nodes: int) -> tuple[int, int]:
    """Move and score of a search of so many nodes."""
    searcher.set_position(board)
    searcher.new_search()
    searcher.node_limit = nodes
    depth = 1
    while depth < 40 and searcher.iterate(depth, 1):
        depth += 1
    move, score, _ = searcher.ranking(1)[0]
    return move, score


def opening(rng: random.Random, searcher: Searcher, nodes: int) -> Game:
    """A game after some random plies, neither side much ahead."""
    while True:
        game = Game()
        for _ in range(rng.randrange(4, 11)):
            moves = game.board.legal_moves()
            if moves:
                game.play(rng.choice(moves))
        if game.result is None and abs(think(searcher, game.board, nodes)[1]) <= 250:
            return game


def play(path: str, games: int, nodes: int, seed: int) -> None:
    rng, table = random.Random(seed), Table(16)
    searcher = Searcher(Board(), table)
    with open(path, "a", encoding="ascii") as out:
        for number in range(games):
            game, kept = opening(rng, searcher, nodes), []
            decided = level = 0
            while (end := game.result) is None:
                board = game.board
                table.age()
                move, score = think(searcher, board, nodes)
                red = -score if board.turn else score
                decided = decided + 1 if abs(score) > 1500 else 0
                level = level + 1 if abs(score) <= 8 and len(board.history) > 100 else 0
                if decided >= 4 or level >= 30 or len(board.history) > 260:
                    break
                quiet = board.piece_at(move_to(move)) == 0 and not board.in_check() and not board.gives_check(move)
                if quiet and abs(score) < 1200:
                    kept.append((board.fen(), red))
                game.play(move)
            if end is not None:
                result = 0.5 if end.winner is None else 1.0 - end.winner
            else:
                result = 0.5 if decided < 4 else float(red > 0)
            out.writelines(f"{fen};{score};{result}\n" for fen, score in kept)
            out.flush()
            print(f"\r{number + 1} games", end="", file=sys.stderr)


# -- regression


def column_names() -> list[tuple[str, int, int]]:
    """What the columns count: a kind's material, a kind on a place (rank * 5 + file), a term."""
    names = [("material", kind, 0) for kind in MATERIAL if kind != KING]
    names += [
        ("place", kind, rank * 5 + file)
        for kind, rows in PLACES.items()
        for rank in range(len(rows))
        for file in range(5)
    ]
    return names + [("term", first + i, 0) for name, first in GROUPS.items() for i in range(len(TERMS[name]))]


def read(paths: list[str], np: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Counts by position and column, phases, tempo, scores and results."""
    names = column_names()
    at = {name: i for i, name in enumerate(names)}
    first_term = len(names) - sum(len(group) for group in TERMS.values())
    rows, phases, tempo, scores, results, seen = [], [], [], [], [], set()
    for path in paths:
        for line in Path(path).read_text(encoding="ascii").splitlines():
            fen, score, result = line.split(";")
            if fen in seen:
                continue
            seen.add(fen)
            board = Board(fen)
            counts = np.zeros(len(names), np.int8)
            phase, force = 0, [0, 0]
            for square in range(90):
                piece = board.piece_at(square)
                if piece == 0:
                    continue
                kind, color = piece & 7, piece >> 3
                rank, file = (9 - square // 9 if color else square // 9), min(square % 9, 8 - square % 9)
                sign = -1 if color else 1
                if kind != KING:
                    counts[at["material", kind, 0]] += sign
                if rank < len(PLACES[kind]):
                    counts[at["place", kind, rank * 5 + file]] += sign
                phase += PHASE.get(kind, 0)
                force[color] += {ROOK: 32, KNIGHT: 16, CANNON: 16, PAWN: 1}.get(kind, 0)
            if min(force) < ENOUGH:
                continue
            counts[first_term:] = count_terms(board)
            rows.append(counts)
            phases.append(min(phase, PHASES) / PHASES)
            tempo.append(-TEMPO if board.turn else TEMPO)
            scores.append(float(score))
            results.append(float(result))
    return np.array(rows), *(np.array(x, np.float32) for x in (phases, tempo, scores, results))


def present(np: Any) -> Any:
    """The weights as they are: a row of middle-game and one of endgame values."""
    values = []
    flat = [pair for group in GROUPS for pair in TERMS[group]]
    terms = iter(flat)
    for what, a, b in column_names():
        if what == "material":
            values.append(MATERIAL[a])
        else:
            values.append(PLACES[a][b // 5][b % 5] if what == "place" else next(terms))
    return np.array(values, np.float32).T


def fit(paths: list[str], steps: int, pull: float, share: float) -> None:
    import numpy as np

    counts, phases, tempo, scores, results = read(paths, np)
    print(f"{len(counts)} positions, {int((np.abs(counts).sum(0) > 0).sum())} of {counts.shape[1]} columns used")
    counts = counts.astype(np.float32)
    start = present(np)
    weights = start.copy()

    def value(weights: Any) -> Any:
        return tempo + (counts @ weights[0]) * phases + (counts @ weights[1]) * (1 - phases)

    def squash(x: Any, scale: float) -> Any:
        return 1 / (1 + np.exp(-np.clip(x / scale, -30, 30)))

    def loss(weights: Any, goal: Any, scale: float) -> float:
        return float(((squash(value(weights), scale) - goal) ** 2).mean())

    before = value(weights)
    scale = min(range(100, 900, 20), key=lambda s: float(((squash(scores, s) - results) ** 2).mean()))
    goal = share * results + (1 - share) * squash(scores, scale)
    held = np.arange(len(goal)) >= len(goal) * 9 // 10  # the last games only tell how well it goes
    train = ~held
    print(
        f"scale {scale}; loss {loss(weights, goal, scale):.5f}, of the result alone {loss(weights, results, scale):.5f}"
    )
    mean, spread = np.zeros_like(weights), np.zeros_like(weights)
    mix = np.stack([phases, 1 - phases])
    # A priori a place may be some 15 centipawns off, a term 20, material 60 (with a pull of 20).
    slack = {"place": 1.0, "term": 0.5, "material": 0.06}
    brake = pull / scale * np.array([slack[name[0]] for name in column_names()], np.float32)
    for step in range(1, steps + 1):
        guess = squash(value(weights), scale)
        slope = (guess - goal) * train / scale
        gradient = np.stack([(slope * mix[i]) @ counts for i in range(2)])
        gradient += brake * (weights - start)
        mean = 0.9 * mean + 0.1 * gradient
        spread = 0.999 * spread + 0.001 * gradient**2
        rate = 2.0 if step < steps // 2 else 0.5
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-6)
        if step % 100 == 0:
            guess = squash(value(weights), scale)
            errors = (guess - goal) ** 2
            print(f"{step}: loss {errors[train].mean():.5f}, held back {errors[held].mean():.5f}", flush=True)
    old = squash(before, scale)
    print(f"held back before: {((old - goal) ** 2)[held].mean():.5f}")
    write(np.rint(weights).astype(int).T.tolist())


# -- the file of weights


def pairs(values: list[list[int]], per_line: int = 8) -> str:
    lines = [values[i : i + per_line] for i in range(0, len(values), per_line)]
    return "".join("        " + " ".join(f"({a}, {b})," for a, b in line) + "\n" for line in lines)


def write(values: list[list[int]]) -> None:
    """Write the weights, in the order of ``column_names``; the text around them stays."""
    it = iter(values)
    material = "".join(
        f"    {NAMES[k]}: ({a}, {b}),\n" for k in MATERIAL for a, b in [(0, 0) if k == KING else next(it)]
    )
    places = ""
    for kind, rows in PLACES.items():
        places += f"    {NAMES[kind]}: (\n"
        for _ in rows:
            places += "        (" + ", ".join("({}, {})".format(*next(it)) for _ in range(5)) + "),\n"
        places += "    ),\n"
    terms = ""
    for name in GROUPS:
        terms += f'    "{name}": (\n' + pairs([next(it) for _ in TERMS[name]]) + "    ),\n"
    parts = iter((material, places, terms))
    out, skipping = [], False
    for line in WEIGHTS.read_text(encoding="utf-8").splitlines(keepends=True):
        skipping = skipping and line != "}\n"
        if not skipping:
            out.append(line)
        if line.endswith(" = {\n"):
            out.append(next(parts))
            skipping = True
    WEIGHTS.write_text("".join(out), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("play")
    games.add_argument("path")
    games.add_argument("--games", type=int, default=1000)
    games.add_argument("--nodes", type=int, default=6000)
    games.add_argument("--seed", type=int, default=1)
    regression = commands.add_parser("fit")
    regression.add_argument("paths", nargs="+")
    regression.add_argument("--steps", type=int, default=400)
    regression.add_argument("--pull", type=float, default=20)
    regression.add_argument("--result", type=float, default=0.5)
    args = parser.parse_args()
    if args.command == "play":
        play(args.path, args.games, args.nodes, args.seed)
    else:
        fit(args.paths, args.steps, args.pull, args.result)


if __name__ == "__main__":
    main()
