"""How fast the Xiangqi board and search are, next to other programs on the same machine.

    python scripts/bench_xiangqi.py [--perft DEPTH] [--perft-peer CMD] [--peer ucci:CMD|uci:CMD]...
                                    [--seconds 2] [--depth 12] [--suite 1] [--threads 2] [--rounds 3]
                                    [--net FILE]

- perft from the start, ours and the peer's in turns (``CMD`` is given the depth as its last argument);
- nodes a second of processor time in the search of three middle-game positions, one thread, ours and each peer's (the
  processor time of a peer includes its start);
- the same with the evaluation net in ``--net``, as one more peer;
- processor seconds to ``--depth`` on the positions of tests/data/xiangqi/bench.txt, and wall seconds to it with one
  thread against several;
- how many of the mates and tactics in tests/data/xiangqi/tactics.txt are solved in ``--suite`` seconds each.

A machine's speed drifts: programs take turns, round by round, and medians of ratios are told. ``0`` for ``--perft``,
``--seconds``, ``--depth`` or ``--suite`` leaves that part out.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import statistics
import subprocess
import time
from pathlib import Path

from engines.player import Limits
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_name
from engines.xiangqi.net import Net
from engines.xiangqi.player import SearchPlayer, Settings
from engines.xiangqi.search import Searcher
from engines.xiangqi.table import Table

POSITIONS = Path(__file__).parent.parent / "tests/data/xiangqi/bench.txt"
TACTICS = POSITIONS.with_name("tactics.txt")
MIDDLE_GAMES = (
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1",
    "2bakab1r/6r2/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/N1C1C1N2/3R5/2BAKAB1R b - - 0 1",
    "3akab2/9/2n1b1n2/p1p1p3p/3r2p2/2P3P2/P3P3P/2N1BRN2/4A4/3AK1B2 w - - 0 1",
)


def lines_of(path: Path) -> list[str]:
    """The lines of a file that are no comments."""
    return [line for line in path.read_text(encoding="ascii").splitlines() if not line.startswith("#")]


def child_seconds() -> float:
    """Processor time of the children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def perft(depth: int, peer: str | None, rounds: int) -> None:
    ratios = []
    for _ in range(rounds):
        begin = time.process_time()
        count = Board().perft(depth)
        ours = time.process_time() - begin
        print(f"perft {depth}: {count} in {ours:.2f} s, {count / ours / 1e6:.1f} million a second", flush=True)
        if peer is not None:
            begin = child_seconds()
            out = subprocess.run([*shlex.split(peer), str(depth)], capture_output=True, text=True, check=True).stdout
            theirs = child_seconds() - begin
            if str(count) not in out:
                raise SystemExit(f"{peer} counts otherwise: {out}")
            ratios.append(theirs / ours)
            print(f"  {peer}: {theirs:.2f} s")
    if ratios:
        print(f"the peer takes {statistics.median(ratios):.2f} times as long (its shallower depths included)")


def our_rate(fen: str, seconds: float, net: Net | None = None) -> float:
    """Nodes a second of processor time."""
    searcher = Searcher(Board(), Table(64))
    searcher.stack.judge_by(net)
    searcher.set_position(Board(fen))
    searcher.node_limit = 20000  # the first search reaches for memory
    depth = 1
    while searcher.iterate(depth, 1):
        depth += 1
    searcher.set_position(Board(fen))
    searcher.node_limit = 1 << 62
    begin, depth = time.process_time(), 1
    while time.process_time() - begin < seconds and searcher.iterate(depth, 1):
        depth += 1
        searcher.node_limit = searcher.nodes + 400000  # deeper iterations would take much longer
    return searcher.nodes / (time.process_time() - begin)


def peer_rate(spec: str, fen: str, seconds: float) -> float:
    """Nodes a second of processor time, from what a program tells."""
    dialect, _, command = spec.partition(":")
    before = child_seconds()
    with subprocess.Popen(
        shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace", bufsize=1
    ) as process:
        assert process.stdin is not None and process.stdout is not None

        def say(line: str) -> None:
            assert process.stdin is not None
            process.stdin.write(line + "\n")
            process.stdin.flush()

        def wait(*words: str) -> list[str]:
            lines: list[str] = []
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line)
                if line.startswith(words):
                    break
            return lines

        say(dialect)
        options = "".join(wait(f"{dialect}ok"))
        if dialect == "ucci":
            say("setoption usebook false")
            say("setoption usemillisec true")
        elif "UCI_Variant" in options:
            say("setoption name UCI_Variant value xiangqi")
        say(f"position fen {fen}")
        millis = int(seconds * 1000)
        say(f"go time {millis} movestogo 1" if dialect == "ucci" else f"go movetime {millis}")
        nodes = 0
        for line in wait("bestmove", "nobestmove"):
            words = line.split()
            if "nodes" in words[:-1]:
                nodes = max(nodes, int(words[words.index("nodes") + 1]))
        say("quit")
    return nodes / max(child_seconds() - before, 1e-6)


def rates(peers: list[str], seconds: float, rounds: int, net: str | None) -> None:
    """Nodes a second, ours without a net and the others'."""
    judge = Net(net) if net is not None else None
    rate_of = {peer: lambda fen, peer=peer: peer_rate(peer, fen, seconds) for peer in peers}
    if judge is not None:
        rate_of[f"with {net}"] = lambda fen: our_rate(fen, seconds, judge)
    ratios: dict[str, list[float]] = {peer: [] for peer in rate_of}
    for _ in range(rounds):
        for fen in MIDDLE_GAMES:
            ours = our_rate(fen, seconds)
            print(f"{ours:12,.0f} nodes a second", end="")
            for peer in rate_of:
                theirs = rate_of[peer](fen)
                ratios[peer].append(theirs / ours)
                print(f"; {peer} {theirs:,.0f}", end="")
            print(flush=True)
    for peer in rate_of:
        print(f"{peer}: {statistics.median(ratios[peer]):.2f} times our nodes a second")


def to_depth(depth: int, threads: int) -> None:
    player = SearchPlayer(Settings(hash=64))
    wall: dict[int, float] = {}
    for count in sorted({1, threads}):
        player.settings.threads = count
        wall[count] = 0.0
        spent, nodes = [], 0
        for fen in lines_of(POSITIONS):
            player.new_game()
            board = Board(fen)
            begin, processor = time.monotonic(), time.process_time()
            choice = player.choose(board, board.turn, Limits(depth=depth))
            wall[count] += time.monotonic() - begin
            spent.append(time.process_time() - processor)
            nodes += choice.report.nodes if choice.report else 0
        print(
            f"depth {depth}, {len(spent)} positions, threads {count}: {sum(spent):.2f} s of processor"
            f" (median {statistics.median(spent):.3f}), {wall[count]:.2f} s, {nodes:,} nodes",
            flush=True,
        )
    if threads > 1:
        print(f"{threads} threads get there {wall[1] / wall[threads]:.2f} times as fast as one")


def suite(seconds: float) -> None:
    """Solved is a position whose move is the choice when the time is up."""
    searcher = Searcher(Board(), Table(64))
    solved: dict[str, list[bool]] = {}
    for line in lines_of(TACTICS):
        kind, _, move, fen = line.split(maxsplit=3)
        searcher.set_position(Board(fen))
        searcher.new_search()
        begin, depth, chunk = time.process_time(), 1, 20000
        while time.process_time() - begin < seconds and depth < 64:
            searcher.node_limit = searcher.nodes + chunk
            searcher.halt = False
            depth += searcher.iterate(depth, 1)  # a halted iteration is resumed: the table knows most of it
        solved.setdefault(kind, []).append(move_name(searcher.ranking(1)[0][0]) == move)
    for kind, answers in solved.items():
        print(f"{kind}: {sum(answers)} of {len(answers)} in {seconds:g} s of processor time each")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--perft", type=int, default=5)
    parser.add_argument("--perft-peer")
    parser.add_argument("--peer", action="append", default=[])
    parser.add_argument("--net")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--suite", type=float, default=1)
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    if args.perft:
        perft(args.perft, args.perft_peer, args.rounds)
    if args.seconds:
        rates(args.peer, args.seconds, args.rounds, args.net)
    if args.depth:
        to_depth(args.depth, args.threads)
    if args.suite:
        suite(args.suite)


if __name__ == "__main__":
    main()
