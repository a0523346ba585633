"""How fast and how well the Go search thinks, next to other programs where they are installed.

    python scripts/bench_go.py speed [--peer "Pachi=pachi -d 0 -t ={playouts} threads=1,pondering=0"] [--rounds 3]
    python scripts/bench_go.py light [--peer "libego=libego-light-{size} {playouts}"]
    python scripts/bench_go.py threads [--seconds 5]
    python scripts/bench_go.py positions [--playouts 3000]
    python scripts/bench_go.py levels [--games 40] [--first 1] [--last 8]

``speed`` tells playouts a second of processor time inside the search, from the empty board, one thread; a peer is a GTP
program whose command has ``{playouts}`` in it, and what it takes is the difference between a long and a short search,
so that its start does not count. All take turns, and the median of the ratios is told, since a machine's speed drifts.
``light`` does the same for playouts by chance alone, moves that fill no own eye, outside of any search.
``threads`` compares one thread with two on one tree. ``positions`` runs the regression set. ``levels`` lets each level
play the one below.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import shlex
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from engines.go.game import Game
from engines.go.levels import LEVELS, MAX_LEVEL
from engines.go.playout import Playout
from engines.go.points import BLACK, PASS, WHITE, opponent, parse_diagram
from engines.go.search import SearchPlayer
from engines.go.tree import Tree, Worker
from engines.go.vertex import format_vertex, parse_vertex
from engines.player import Limits

POSITIONS = Path(__file__).parent.parent / "tests" / "data" / "go" / "search_positions.txt"


# ---------------------------------------------------------------------- speed


def own_rate(size: int, playouts: int) -> float:
    """Playouts a processor second of our own search."""
    tree = Tree(Game(size).board, BLACK, 128)
    tree.komi, tree.limit = 7.5, playouts
    worker = Worker(tree, 1)
    begin = time.process_time()
    worker.run()
    return playouts / (time.process_time() - begin)


def own_light_rate(size: int, playouts: int) -> float:
    """Light playouts a processor second."""
    board, playout = Game(size).board, Playout(size, size)
    begin = time.process_time()
    playout.light_playouts(board, playouts, 1)
    return playouts / (time.process_time() - begin)


def child_seconds(command: str, words: str = "") -> float:
    """Processor seconds that a program takes, its start included; ``words`` is what it reads."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        shlex.split(command),
        input=words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(
    options: argparse.Namespace, own: Callable[[int, int], float], counts: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    """Playouts a second, ours and the peers', round by round. ``counts`` are a peer's small and large numbers of
    playouts, on boards below 13×13 and above.
    """
    peers = dict(peer.split("=", 1) for peer in options.peer)
    for size in options.sizes:
        few, many = counts[size >= 13]
        words = f"boardsize {size}\nclear_board\nkomi 7.5\ngenmove b\nquit\n"
        rates: dict[str, list[float]] = {"qiqiao": [], **{name: [] for name in peers}}
        for _ in range(options.rounds):
            rates["qiqiao"].append(own(size, many))
            for name, command in peers.items():
                short, long = (
                    child_seconds(command.replace("{playouts}", str(n)).replace("{size}", str(size)), words)
                    for n in (few, many)
                )
                rates[name].append((many - few) / (long - short))
        for name, values in rates.items():
            ratio = statistics.median(ours / value for ours, value in zip(rates["qiqiao"], values, strict=True))
            rate = statistics.median(values)
            print(f"{size}x{size} {name}: {rate:,.0f} playouts a second; qiqiao makes {ratio:.2f} times as many")


def speed(options: argparse.Namespace) -> None:
    """Playouts inside the search; the peers are GTP programs."""
    compare(options, own_rate, ((1000, 9000), (500, 2500)))


def light(options: argparse.Namespace) -> None:
    """Playouts by chance alone."""
    compare(options, own_light_rate, ((20_000, 220_000), (5_000, 55_000)))


def threads(options: argparse.Namespace) -> None:
    """Playouts on one tree by one thread and by two, a second of wall time and of processor time."""
    for size in options.sizes:
        for count in (1, 2):
            tree = Tree(Game(size).board, BLACK, 256)
            tree.komi = 7.5
            workers = [threading.Thread(target=Worker(tree, seed).run) for seed in range(count)]
            begin, used = time.perf_counter(), time.process_time()
            for worker in workers:
                worker.start()
            time.sleep(options.seconds)
            tree.stop = True
            for worker in workers:
                worker.join()
            wall, processor = time.perf_counter() - begin, time.process_time() - used
            print(
                f"{size}x{size} {count} thread(s): {tree.playouts / wall:,.0f} playouts a second, "
                f"{tree.playouts / processor:,.0f} a processor second; load {os.getloadavg()[0]:.1f}"
            )


# ---------------------------------------------------------------------- positions


@dataclass(frozen=True)
class Question:
    """A position and what is right there: ``right`` if any is named, otherwise whatever is not in ``wrong``."""

    name: str
    game: Game
    color: int
    right: frozenset[str]
    wrong: frozenset[str]

    def answered_by(self, vertex: str) -> bool:
        """Whether an answer is right."""
        return vertex in self.right if self.right else vertex not in self.wrong


def questions(path: Path = POSITIONS) -> Iterator[Question]:
    """The regression set; the file tells its own format."""
    text = "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    for block in text.strip().split("\n\n"):
        heading, board = block.strip().split("\n", 1)
        name, side, komi, answers, *rest = (part.strip() for part in heading.split(";"))
        before = " ".join(rest).split()
        width, height, stones = parse_diagram(board)
        game = Game(width, height, komi=float(komi))
        color = BLACK if side == "b" else WHITE
        game.set_position(stones, color if len(before) % 2 == 0 else opponent(color))
        for word in before:
            game.play_as(game.to_move, parse_vertex(word, width, height))
        words = answers.split()
        right = frozenset(word for word in words if not word.startswith("!"))
        yield Question(name, game, color, right, frozenset(word[1:] for word in words if word.startswith("!")))


def positions(options: argparse.Namespace) -> None:
    """Ask all, with a few seeds each."""
    total = asked = 0
    for question in questions():
        answers = []
        for seed in range(options.seeds):
            choice = SearchPlayer(seed=seed).choose(
                question.game, question.color, Limits(nodes=options.playouts, infinite=True)
            )
            assert choice.report is not None
            favourite = choice.report.candidates[0].move
            answers.append(format_vertex(favourite, question.game.width, question.game.height))
        hits = sum(question.answered_by(answer) for answer in answers)
        total, asked = total + hits, asked + len(answers)
        print(f"{hits}/{len(answers)} {question.name}: {' '.join(answers)}")
    print(f"{total} of {asked} right at {options.playouts} playouts")


# ---------------------------------------------------------------------- levels


def level_game(black: int, white: int, size: int, seed: int) -> int:
    """The winner of a game between two levels, counted without dead stones."""
    game = Game(size, komi=7.5)
    players = {
        color: SearchPlayer(level=level, seed=2 * seed + color, memory_mb=32)
        for color, level in ((BLACK, black), (WHITE, white))
    }
    judge = SearchPlayer(seed=seed)
    while game.ending is None and game.board.turns < 3 * size * size:
        choice = players[game.to_move].choose(game, game.to_move, Limits())
        if choice.action == "resign":
            return WHITE if game.to_move == BLACK else BLACK
        game.play_as(game.to_move, PASS if choice.action == "pass" else choice.move)
    return BLACK if game.score(judge.judge(game).dead).margin > 0 else WHITE


def levels(options: argparse.Namespace) -> None:
    """Each level against the one below, colours alternating."""
    for level in range(options.first + 1, options.last + 1):
        wins = 0
        for number in range(options.games):
            black = number % 2 == 0
            pair = (level, level - 1) if black else (level - 1, level)
            wins += level_game(*pair, options.size, number) == (BLACK if black else WHITE)
        share = wins / options.games
        error = 1.96 * math.sqrt(max(share * (1 - share), 0.25 / options.games) / options.games)
        print(
            f"{LEVELS[level - 1].name} beat {LEVELS[level - 2].name} in {wins} of {options.games}: "
            f"{share:.0%} ± {error:.0%}",
            flush=True,
        )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    for name, run, words in (("speed", speed, "in the search"), ("light", light, "by chance alone")):
        race = commands.add_parser(name, help=f"playouts a second, {words}")
        race.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND")
        race.add_argument("--rounds", type=int, default=3)
        race.add_argument("--sizes", type=int, nargs="+", default=[9, 19])
        race.set_defaults(run=run)
    team = commands.add_parser("threads", help="one thread against two")
    team.add_argument("--seconds", type=float, default=5)
    team.add_argument("--sizes", type=int, nargs="+", default=[9, 19])
    team.set_defaults(run=threads)
    test = commands.add_parser("positions", help="the regression set")
    test.add_argument("--playouts", type=int, default=3000)
    test.add_argument("--seeds", type=int, default=3)
    test.set_defaults(run=positions)
    ladder = commands.add_parser("levels", help="each level against the one below")
    ladder.add_argument("--games", type=int, default=40)
    ladder.add_argument("--size", type=int, default=9)
    ladder.add_argument("--first", type=int, default=1)
    ladder.add_argument("--last", type=int, default=MAX_LEVEL)
    ladder.set_defaults(run=levels)
    options = parser.parse_args(arguments)
    options.run(options)


if __name__ == "__main__":
    sys.exit(main())
