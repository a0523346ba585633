"""Mutates records of every format and has them read: each must give an error or games, in bounded time and memory.

    python scripts/fuzz_records.py [--count 100000] [--seed 1] [--format NAME …] [--seconds 5] [--more FILE …]

Seeds are made by the program's own writers and from the formats' descriptions; ``--more`` adds files as further ones.
A crash, a reading that takes longer than ``--seconds``, or memory growing beyond ``--memory`` MiB ends with status 1,
and leaves the file in the folder ``fuzz-records``.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests/helpers")]

import record_files  # noqa: E402

from engines.records import FormatError, Found, Options, read_games  # noqa: E402
from engines.writers import TARGETS, write_game  # noqa: E402
from engines.xiangqi.board import Board  # noqa: E402
from engines.xiangqi.records import Record, write_pgn  # noqa: E402

WORDS = [
    *(
        b"[",
        b"]",
        b"(",
        b")",
        b"{",
        b"}",
        b";",
        b"\\",
        b'"',
        b"\0",
        b"\xff" * 4,
        b"\xff\xff\xff\x7f",
        b"99",
        b"-",
        b"/",
    ),
    *(
        b"B[]",
        b"AB[aa:ss]",
        b"(;",
        b"1. ",
        b"<Move",
        b"]]>",
        b"[DhtmlXQ_move_0_1_1]",
        b"\xa1",
        b"\x81\x5c",
        b"w - - 0 1",
    ),
    *(b"STO 0 1 1 99 99\n", b"PMAABAAAA\n", b"VARIATION,\n    NODE,9,1,3,3\n", b".Comment,1\n", b'[FEN "9/9"]', b"10"),
]


def random_game(rng: random.Random, plies: int) -> Record:
    """A game of random moves with variations, comments and tags."""
    record = Record(
        {"Title": "标题", "Event": "赛事", "Red": "红方", "Black": "黑方", "Result": rng.choice(["1-0", "*"])}
    )
    record.root.comment = "开始"

    def grow(node, board: Board, length: int, depth: int) -> None:  # type: ignore[no-untyped-def]
        made = 0
        for _ in range(length):
            moves = board.legal_moves()
            if not moves:
                break
            for extra in range(1 + (depth < 3 and rng.random() < 0.15)):
                following = node.add(rng.choice(moves))
                if rng.random() < 0.2:
                    following.comment = rng.choice(["好棋", "a [b] {c", "一\n二"])
                if extra:
                    board.play(following.move)
                    grow(following, board, rng.randrange(1, 6), depth + 1)
                    board.undo()
            board.play(node.lines[0].move)
            node = node.lines[0]
            made += 1
        for _ in range(made):
            board.undo()

    grow(record.root, Board(), plies, 0)
    return record


def seeds(rng: random.Random) -> dict[str, list[bytes]]:
    """Whole files of each format."""
    games = [random_game(rng, length) for length in (4, 12, 40)]
    found: dict[str, list[bytes]] = {
        "PGN": [
            write_pgn(game, name).encode(code)
            for game in games
            for name, code in (("simplified", "gb18030"), ("wxf", "utf-8"), ("iccs", "utf-16"))
        ],
        "XQF": [record_files.xqf_enciphered(game, version) for game in games for version in (11, 12, 18)],
        "CBR": [record_files.cbr(game, version) for game in games for version in (1, 2)],
        "CBL": [record_files.cbl(games[:2])[101000:]],
        "GIB": [record_files.GIB.encode(code) for code in ("utf-8", "gb18030")],
        "NGF": [record_files.NGF.format(handicap=count).encode("euc-kr") for count in (0, 3)],
        "UGF": [record_files.UGF.encode("shift-jis")],
        "SGF": [
            b"(;GM[1]FF[4]SZ[9]PB[a]KM[6.5]AB[aa][bb:cc]C[text \\] more];B[dd]C[x];W[ee](;B[ff]LB[aa:1])(;B[gg];W[]))",
            "(;GM[1]CA[GB2312]PB[柯洁]HA[2];W[dd];B[pp])(;GM[1];B[aa])".encode("gb18030"),
        ],
    }
    found["CBL"] = [b"CCBridgeLibrary\0" + found["CBL"][0]]
    for name, to in (("XQF", "xqf"), ("CBF", "cbf"), ("DhtmlXQ", "dhtmlxq"), ("list", "moves"), ("text", "text")):
        for game in games:
            found.setdefault(name, []).append(write_game(Found("xiangqi", "PGN", game), TARGETS[to])[0])
    found["positions"] = [b"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - bm h2e2; hmvc 3;\n" * 3]
    found["list"].append(b"B:D4 W:Q16 [B:C3 W:C4 E:D4] B:pass\nW:Q3\n")
    return found


def mutate(rng: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """A file with a few things wrong."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3, 8, 30))):
        at = rng.randrange(len(found) + 1)
        kind = rng.randrange(8)
        if kind == 0 and found:
            found[at % len(found)] = rng.randrange(256)
        elif kind == 1 and found:
            found[at % len(found)] ^= 1 << rng.randrange(8)
        elif kind == 2:
            del found[at : at + rng.choice((1, 2, 4, 40, 400))]
        elif kind == 3:
            found[at:at] = rng.choice(WORDS) * rng.choice((1, 1, 2, 50))
        elif kind == 4:
            found[at:at] = found[at : at + rng.choice((4, 40, 400))]
        elif kind == 5:
            del found[at:]
        elif kind == 6:
            found[at:at] = rng.randbytes(rng.choice((1, 4, 40)))
        else:
            other = rng.choice(others)
            begin = rng.randrange(len(other) + 1)
            found[at : at + 40] = other[begin : begin + rng.choice((8, 80))]
    return bytes(found)


def check(data: bytes) -> None:
    """Read a file, and write what was read."""
    try:
        for found in read_games(data, Options()):
            if found.value is None:
                continue
            for target in ("moves", None):
                try:
                    write_game(found, TARGETS[target] if target else None)
                except ValueError:
                    continue
    except FormatError:
        pass


def main() -> int:
    """Run; gives the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100_000, help="files of each format")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", action="append", help="only these formats")
    parser.add_argument("--seconds", type=float, default=5.0, help="the longest a file may take of the processor")
    parser.add_argument("--memory", type=int, default=1024, help="MiB that the program may grow to")
    parser.add_argument("--more", nargs="*", default=[], help="files that are mutated too")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    formats = seeds(rng)
    if arguments.more:
        formats["more"] = [Path(name).read_bytes() for name in arguments.more]
    everything = [data for group in formats.values() for data in group]
    bad = 0
    for name, group in formats.items():
        if arguments.format and name not in arguments.format:
            continue
        slowest = 0.0
        began = time.monotonic()
        for number in range(arguments.count):
            data = mutate(rng, rng.choice(group), everything)
            start = time.process_time()
            try:
                check(data)
                fault = ""
            except Exception as error:
                fault = repr(error)
            took = time.process_time() - start
            slowest = max(slowest, took)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            if took > arguments.seconds:
                fault = fault or f"{took:.1f} s"
            if memory > arguments.memory:
                fault = fault or f"{memory} MiB"
            if fault:
                bad += 1
                os.makedirs("fuzz-records", exist_ok=True)
                path = f"fuzz-records/{name}-{arguments.seed}-{number}"
                Path(path).write_bytes(data)
                print(f"{path}: {fault}", flush=True)
                if bad >= 20 or memory > arguments.memory:
                    return 1
        took = time.monotonic() - began
        print(f"{name}: {arguments.count} files in {took:.0f} s, slowest {slowest:.2f} s", flush=True)
    print(f"{bad} bad; at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
