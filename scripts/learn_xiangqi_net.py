"""Makes the net that judges Xiangqi positions: games of the engine against itself, and learning from them.

    python scripts/learn_xiangqi_net.py generate FOLDER [--nodes 1500] [--seed 1] [--net FILE]
    python scripts/learn_xiangqi_net.py train FOLDER CHECKPOINT [--epochs 20] [--batch 8192] [--rate 0.002]
                                              [--result 0.3] [--decay 0.05] [--most N] [--threads 1]
    python scripts/learn_xiangqi_net.py export CHECKPOINT NET
    python scripts/learn_xiangqi_net.py evaluate NET [--games 100] [--nodes 5000] [--same-time]

``generate`` plays until a file named STOP is in FOLDER, or the process is ended; begun again, it goes on. It appends a
record (``RECORD``) for every quiet position: not in check, and the move chosen neither takes nor checks. Games begin
with 4 to 12 random plies; most have one to three random moves later. What was on the board before the last of those has
a score but no result. Games end by the rules, when a side has been 2000 centipawns ahead for four plies, or as draws
after 250 plies or 24 in a row near 0. Several may run at once, each with a seed of its own.

``train`` learns to say what comes of a position: a blend of the game's result (``--result`` of it) and the search's
score, both as shares of a win. It saves CHECKPOINT after every epoch and goes on from it, with whatever positions there
are by then. ``export`` makes the file of integers that the engine reads (docs/xiangqi-net.md). ``evaluate`` plays it
against the evaluation without a net, with the same number of positions a move or, with ``--same-time``, as many as take
the same processor time. ``train`` and ``export`` need PyTorch, and nothing else does.
"""

from __future__ import annotations

import argparse
import math
import random
import struct
import sys
import time
from array import array
from pathlib import Path
from typing import Any

from engines.xiangqi.board import Board
from engines.xiangqi.game import Game
from engines.xiangqi.geometry import NO_SLOT, SLOT_KINDS
from engines.xiangqi.net import Net, lean, relative_row
from engines.xiangqi.net_file import (
    BUCKETS,
    DEEP,
    HIDDEN,
    KINGS,
    LARGEST_BIAS,
    LARGEST_WEIGHT,
    ROWS,
    WIDTH,
    NetData,
    write_net,
)
from engines.xiangqi.search import Searcher
from engines.xiangqi.table import Table

RECORD = struct.Struct("<32shhHBB")
"""Square of each slot (90: taken), as ``geometry`` numbers both; the search's and the static score, centipawns for the
side to move; the move; plies since the start; side to move + 2 * result (0 Black won, 1 drawn, 2 Red won, 3 unknown).
"""

SHARD = 1_000_000
"""Records in a file."""

DECIDED, MOST_PLIES, LEVEL_PLIES = 2000, 250, 24
LARGEST = 4000
"""Centipawns; positions with more, or with a mate, teach nothing."""

SCALE = 400
"""Centipawns that the net's output of 1 means."""

NOTHING = KINGS * ROWS
"""The row of zeros, for pieces that were taken."""


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
    """A game after some random plies, neither side far ahead."""
    while True:
        game = Game()
        for _ in range(rng.randrange(4, 13)):
            moves = game.board.legal_moves()
            if moves:
                game.play(rng.choice(moves))
        if game.result is None and abs(think(searcher, game.board, nodes // 2)[1]) <= 600:
            return game


def places(board: Board) -> bytes:
    """The square of each slot."""
    found = bytearray([90]) * 32
    for square in range(90):
        slot = board.slot_at(square)
        if slot != NO_SLOT:
            found[slot] = square
    return bytes(found)


def one_game(rng: random.Random, searcher: Searcher, nodes: int) -> bytes:
    """The records of a game."""
    game = opening(rng, searcher, nodes)
    board = game.board
    first = board.plies
    surprises = {first + int(rng.expovariate(1 / 25)) for _ in range(rng.randrange(4))}
    kept: list[tuple[bytes, int, int, int, int, int]] = []
    after_surprise = 0
    decided = level = 0
    while (end := game.result) is None:
        move, score = think(searcher, board, nodes)
        decided = decided + 1 if abs(score) > DECIDED else 0
        level = level + 1 if abs(score) <= 8 and board.plies > 80 else 0
        if decided >= 4 or level >= LEVEL_PLIES or board.plies > MOST_PLIES:
            break
        quiet = board.piece_at(move & 127) == 0 and not board.in_check() and not board.gives_check(move)
        if quiet and abs(score) <= LARGEST:
            kept.append((places(board), score, searcher.static(), move, min(255, board.plies), board.turn))
        if board.plies in surprises:
            move = rng.choice(board.legal_moves())
            after_surprise, decided = len(kept), 0
        game.play(move)
    if end is not None:
        result = 1 if end.winner is None else 2 - 2 * end.winner
    else:
        result = 1 if decided < 4 else 2 if (score > 0) != bool(board.turn) else 0
    return b"".join(
        RECORD.pack(*rest, turn + 2 * (result if i >= after_surprise else 3)) for i, (*rest, turn) in enumerate(kept)
    )


def generate(folder: Path, nodes: int, seed: int, net: Path | None) -> None:
    table = Table(4)
    searcher = Searcher(Board(), table)
    searcher.stack.judge_by(None if net is None else Net(str(net)))
    begin, made, games = time.monotonic(), 0, 0
    while not (folder / "STOP").exists():
        shards = sorted(folder.glob(f"{seed:03d}-*.bin"))
        size = shards[-1].stat().st_size // RECORD.size if shards else SHARD
        number = len(shards) - 1 if size < SHARD else len(shards)
        path = folder / f"{seed:03d}-{number:04d}.bin"
        at = size * RECORD.size if size < SHARD else 0
        table.clear()
        searcher.forget()
        rng, records = random.Random(f"{seed} {number} {at}"), b""
        while not records:
            records = one_game(rng, searcher, nodes)
        with open(path, "ab") as out:
            out.truncate(at)  # what a killed process has left half written
            out.write(records)
        made += len(records) // RECORD.size
        rate = made / (time.monotonic() - begin)
        games += 1
        if games % 100 == 0:
            print(f"{path.name}: {at // RECORD.size} records, {rate:.0f} a second", file=sys.stderr, flush=True)


# -- learning


def tables(np: Any) -> tuple[Any, Any]:
    """For [view][mirrored][slot][square]: the row of the first layer; for [view][slot][square]: how it leans."""
    rows = np.full((2, 2, 32, 91), NOTHING, np.int16)
    leans = np.zeros((2, 32, 91), np.int64)
    for view in range(2):
        for slot in range(32):
            piece = SLOT_KINDS[slot % 16] + 8 * (slot // 16)
            for square in range(90):
                leans[view, slot, square] = lean(view, piece, square)
                for mirrored in range(2):
                    rows[view, mirrored, slot, square] = relative_row(view, bool(mirrored), piece, square)
    return rows, leans


def features(np: Any, places: Any, turns: Any) -> tuple[Any, Any]:
    """Rows of the first layer, [position][mover's view, other's][slot], ``NOTHING`` for taken pieces; and buckets."""
    rows, leans = tables(np)
    slots = np.arange(32)
    found = []
    for other in range(2):
        views = turns ^ other
        mirrored = (leans[views[:, None], slots, places].sum(1) > 0).astype(np.int64)
        kings = places[np.arange(len(places)), views * 16].astype(np.int64)
        ranks, files = np.where(views, 9 - kings // 9, kings // 9), kings % 9
        index = np.minimum(ranks, 2) * 2 + (files != 4)
        plain = rows[views[:, None], mirrored[:, None], slots, places]
        found.append(np.where(plain == NOTHING, NOTHING, plain + (index * ROWS).astype(np.int16)[:, None]))
    heavy = (places[:, [1, 2, 3, 4, 5, 6, 17, 18, 19, 20, 21, 22]] != 90).sum(1)
    buckets = np.where(heavy == 12, 7, (heavy + 1) // 2).astype(np.int64)
    return np.stack(found, 1), buckets


def read(np: Any, folder: Path, most: int) -> dict[str, Any]:
    """All positions of a folder: features, scores and results (the mover's view; a result not known is -1)."""
    kind = np.dtype(
        [("places", "u1", 32), ("score", "<i2"), ("static", "<i2"), ("move", "<u2"), ("ply", "u1"), ("flags", "u1")]
    )
    records = np.concatenate(
        [
            np.frombuffer(content[: len(content) // RECORD.size * RECORD.size], kind)
            for content in (path.read_bytes() for path in sorted(folder.glob("*.bin")))
        ]
    )[:most]
    turns = (records["flags"] & 1).astype(np.int64)
    results = (records["flags"] >> 1).astype(np.float32) / 2
    results = np.where(results > 1, -1, np.where(turns == 1, 1 - results, results)).astype(np.float32)
    parts = [
        features(np, records["places"][i : i + 100_000], turns[i : i + 100_000])
        for i in range(0, len(records), 100_000)
    ]
    return {
        "rows": np.concatenate([part[0] for part in parts]),
        "buckets": np.concatenate([part[1] for part in parts]),
        "scores": records["score"].astype(np.float32),
        "statics": records["static"].astype(np.float32),
        "results": results,
    }


def model(torch: Any) -> Any:
    """The net with real numbers; its output times ``SCALE`` is centipawns."""
    functional = torch.nn.functional

    class Model(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            parameter = torch.nn.Parameter
            self.shared = parameter(torch.randn(ROWS, WIDTH) * 0.05)  # what holds wherever the general is
            self.rows = parameter(torch.zeros(KINGS, ROWS, WIDTH))
            self.bias = parameter(torch.full((WIDTH,), 0.3))
            self.hidden = parameter(torch.randn(1, HIDDEN + 1, 2 * WIDTH).repeat(BUCKETS, 1, 1) / 24)
            self.hidden_bias = parameter(torch.full((BUCKETS, HIDDEN + 1), 0.1))
            self.deep = parameter(torch.randn(1, DEEP, HIDDEN).repeat(BUCKETS, 1, 1) / 4)
            self.deep_bias = parameter(torch.full((BUCKETS, DEEP), 0.1))
            self.last = parameter(torch.randn(1, DEEP).repeat(BUCKETS, 1) / 8)
            self.last_bias = parameter(torch.zeros(BUCKETS))

        def forward(self, rows: Any, buckets: Any) -> Any:
            table = functional.pad((self.rows + self.shared).view(-1, WIDTH), (0, 0, 0, 1))
            sums = functional.embedding_bag(rows.view(-1, 32), table, mode="sum") + self.bias
            active = sums.clamp(0, 1).square().view(-1, 2 * WIDTH)
            # Every bucket's layers are computed: cheaper here than to sort positions by bucket.
            each = torch.arange(len(buckets))
            hidden = (active @ self.hidden.view(-1, 2 * WIDTH).T).view(-1, BUCKETS, HIDDEN + 1)[each, buckets]
            hidden = hidden + self.hidden_bias[buckets]
            deep = (hidden[:, :HIDDEN].clamp(0, 1) @ self.deep.view(-1, HIDDEN).T).view(-1, BUCKETS, DEEP)[
                each, buckets
            ]
            deep = (deep + self.deep_bias[buckets]).clamp(0, 1)
            return (deep * self.last[buckets]).sum(1) + self.last_bias[buckets] + hidden[:, HIDDEN]

        def limit(self) -> None:
            """Keep the weights where the integers of the file can follow."""
            with torch.no_grad():
                self.rows.clamp_(-1.9, 1.9)
                self.shared.clamp_(-1.9, 1.9)
                self.bias.clamp_(-3.5, 3.5)
                self.hidden.clamp_(-30, 30)
                self.deep.clamp_(-30, 30)
                self.last.clamp_(-30, 30)

    return Model()


def train(args: argparse.Namespace) -> None:
    import numpy as np
    import torch

    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(1)
    data = read(np, args.folder, args.most)
    count = len(data["scores"])
    scores, statics, results = data["scores"], data["statics"], data["results"]

    def squash(x: Any, scale: float) -> Any:
        return 1 / (1 + np.exp(-x / scale))

    known = results >= 0
    scale = min(range(100, 1000, 20), key=lambda s: ((squash(scores[known], s) - results[known]) ** 2).mean())
    goals = np.where(known, args.result * results + (1 - args.result) * squash(scores, scale), squash(scores, scale))
    held = np.arange(count) // 1000 % 50 == 7  # games in a row: what is held back has not been seen in part
    left = np.flatnonzero(~held)
    kept = np.flatnonzero(held)
    print(f"{count} positions, {known.mean():.0%} with a result; a pawn's worth: scale {scale} centipawns")
    print(
        f"held back {len(kept)}: today's evaluation {((squash(statics, scale) - goals) ** 2)[held].mean():.5f}, "
        f"the search's score {((squash(scores, scale) - goals) ** 2)[held].mean():.5f}",
        flush=True,
    )
    rows = torch.from_numpy(data["rows"])
    buckets, goal = torch.from_numpy(data["buckets"]), torch.from_numpy(goals.astype(np.float32))

    net = model(torch)
    optimizer = torch.optim.AdamW(net.parameters(), args.rate, weight_decay=args.decay)
    first = 0
    if args.out.exists():
        state = torch.load(args.out)
        net.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        first = state["epoch"]
    steps = len(left) // args.batch
    for epoch in range(first, args.epochs):
        begin, total = time.monotonic(), 0.0
        order = torch.from_numpy(np.random.default_rng(epoch).permutation(left))
        for step in range(steps):
            done = (epoch + step / steps) / args.epochs
            for group in optimizer.param_groups:
                group["lr"] = args.rate * max(0.01, 0.5 * (1 + math.cos(math.pi * done)))
            chosen = order[step * args.batch : (step + 1) * args.batch]
            guess = torch.sigmoid(net(rows[chosen].int(), buckets[chosen]) * (SCALE / scale))
            loss = (guess - goal[chosen]).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            net.limit()
            total += loss.item()
        with torch.no_grad():
            errors = [
                (torch.sigmoid(net(rows[part].int(), buckets[part]) * (SCALE / scale)) - goal[part]).square()
                for part in torch.from_numpy(kept).split(args.batch)
            ]
        print(
            f"{epoch + 1}: loss {total / steps:.5f}, held back {torch.cat(errors).mean():.5f}, "
            f"{time.monotonic() - begin:.0f} s",
            flush=True,
        )
        torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1}, args.out)


def export(checkpoint: Path, out: Path) -> None:
    """Write the integers of a net that was trained."""
    import torch

    net = torch.load(checkpoint)["net"]

    def whole(values: Any, scale: float, code: str, largest: int) -> array[int]:
        return array(code, (values.double() * scale).round().clamp(-largest, largest).flatten().int().tolist())

    write_net(out, NetData(
        SCALE,
        whole(net["bias"], 255, "h", LARGEST_WEIGHT),
        whole(net["rows"] + net["shared"], 255, "h", LARGEST_WEIGHT),
        whole(net["hidden"], 2**18 / 254, "h", 32767),
        whole(net["hidden_bias"], 2**18, "i", LARGEST_BIAS),
        whole(net["deep"], 1024, "h", 32767),
        whole(net["deep_bias"], 2**20, "i", LARGEST_BIAS),
        whole(net["last"], 1024, "h", 32767),
        whole(net["last_bias"], 2**20, "i", LARGEST_BIAS),
    ))  # fmt: skip


# -- matches


def contest(
    first: Searcher, second: Searcher, rng: random.Random, nodes: tuple[int, int], spent: list[list[float]]
) -> list[float]:
    """Two games from an opening, colors exchanged: what the first searcher scored in each. ``spent``: nodes and
    processor seconds of each, added up.
    """
    start = opening(rng, second, nodes[1])
    points = []
    for red in (0, 1):
        game = start.copy()
        for searcher in (first, second):
            searcher.forget()
        decided = 0
        while (end := game.result) is None and game.board.plies < 300:
            who = (game.board.turn + red) % 2
            searcher = (first, second)[who]
            begin = time.process_time()
            move, score = think(searcher, game.board, nodes[who])
            spent[who][0] += searcher.nodes
            spent[who][1] += time.process_time() - begin
            decided = decided + 1 if abs(score) > DECIDED else 0
            if decided >= 6:  # both see it
                break
            game.play(move)
        if end is not None:
            winner = end.winner
        else:
            winner = None if decided < 6 else game.board.turn if score > 0 else 1 - game.board.turn
        points.append(0.5 if winner is None else float((winner + red) % 2 == 0))
    return points


def elo(share: float) -> float:
    share = min(max(share, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / share - 1)


def evaluate(path: Path, games: int, nodes: int, seed: int, same_time: bool) -> None:
    """Play the net against the evaluation without one."""
    searchers = Searcher(Board(), Table(16)), Searcher(Board(), Table(16))
    searchers[0].stack.judge_by(Net(str(path)))
    spent = [[0.0, 0.0], [0.0, 0.0]]
    pairs: list[float] = []
    for number in range(games // 2):
        ratio = 1.0
        if same_time and number:  # nodes that take the same time, by what was seen so far
            ratio = spent[0][0] / spent[0][1] / (spent[1][0] / spent[1][1])
        rng = random.Random(f"{seed} {number}")
        points = contest(*searchers, rng, (max(1, round(nodes * ratio)), nodes), spent)
        pairs.append(sum(points) / 2)
        mean = sum(pairs) / len(pairs)
        spread = math.sqrt(sum((x - mean) ** 2 for x in pairs) / max(1, len(pairs) - 1) / len(pairs))
        print(
            f"{2 * len(pairs)} games: {mean:.1%} ±{1.96 * spread:.1%}, Elo {elo(mean):+.0f} "
            f"[{elo(mean - 1.96 * spread):+.0f}, {elo(mean + 1.96 * spread):+.0f}]; "
            + " against ".join(f"{n / max(t, 1e-9) / 1000:.0f}" for n, t in spent)
            + " thousand nodes a second",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("generate")
    games.add_argument("folder", type=Path)
    games.add_argument("--nodes", type=int, default=1500)
    games.add_argument("--seed", type=int, default=1)
    games.add_argument("--net", type=Path)
    learn = commands.add_parser("train")
    learn.add_argument("folder", type=Path)
    learn.add_argument("out", type=Path)
    learn.add_argument("--epochs", type=int, default=20)
    learn.add_argument("--batch", type=int, default=8192)
    learn.add_argument("--rate", type=float, default=0.002)
    learn.add_argument("--result", type=float, default=0.3)
    learn.add_argument("--decay", type=float, default=0.05)
    learn.add_argument("--most", type=int, default=1 << 30)
    learn.add_argument("--threads", type=int, default=1)
    written = commands.add_parser("export")
    written.add_argument("checkpoint", type=Path)
    written.add_argument("out", type=Path)
    match = commands.add_parser("evaluate")
    match.add_argument("net", type=Path)
    match.add_argument("--games", type=int, default=100)
    match.add_argument("--nodes", type=int, default=5000)
    match.add_argument("--seed", type=int, default=1)
    match.add_argument("--same-time", action="store_true")
    args = parser.parse_args()
    if args.command == "generate":
        generate(args.folder, args.nodes, args.seed, args.net)
    elif args.command == "train":
        train(args)
    elif args.command == "export":
        export(args.checkpoint, args.out)
    else:
        evaluate(args.net, args.games, args.nodes, args.seed, args.same_time)


if __name__ == "__main__":
    main()
