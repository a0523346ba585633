"""Writes generated games of Xiangqi in each format, reads them back, writes that in a second format and reads it again.

    python scripts/round_trip_records.py [--count 10000] [--seed 1] [--format NAME …]

Main lines must stay the same through every pair of formats; variations too where both formats have room for them. A
game that changes is told, and ends with status 1.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts"), str(ROOT / "tests/helpers")]

from fuzz_records import random_game  # noqa: E402

from engines.records import Found, read_games  # noqa: E402
from engines.writers import TARGETS, write_game  # noqa: E402
from engines.xiangqi.records import Node, Record  # noqa: E402

NAMES = tuple(name for name, target in TARGETS.items() if target.game in ("", "xiangqi"))
MAIN_LINE_ONLY = ("cbf", "moves")


def tree(node: Node) -> list:  # type: ignore[type-arg]
    """The moves of all lines."""
    return [[line.move, tree(line)] for line in node.lines]


def through(record: Record, name: str) -> Record:
    """The record after it was written in a format and read back."""
    data, _ = write_game(Found("xiangqi", "PGN", record), TARGETS[name])
    (found,) = read_games(data if isinstance(data, bytes) else data.encode())
    assert isinstance(found.value, Record) and not found.fault, found.fault
    return found.value


def main() -> int:
    """Run; gives the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000, help="games of all pairs together, or of each --format")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", action="append", choices=NAMES, help="this format alone, there and back")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    pairs: list[tuple[str, ...]] = list(itertools.product(NAMES, NAMES))
    if arguments.format:
        pairs = [(name,) for name in arguments.format]
    bad, began = 0, time.monotonic()
    count = arguments.count * (len(arguments.format) if arguments.format else 1)
    for number, names in zip(range(count), itertools.cycle(pairs)):
        record = random_game(rng, rng.randrange(1, 60))
        found = record
        try:
            for name in names:
                found = through(found, name)
            same = found.moves() == record.moves()
            if not set(names) & set(MAIN_LINE_ONLY):
                same = same and tree(found.root) == tree(record.root)
            fault = "" if same else "it changed"
        except Exception as error:
            fault = repr(error)
        if fault:
            bad += 1
            print(f"game {number}, {' and '.join(names)}: {fault}", flush=True)
    print(f"{count} games through {len(pairs)} ways in {time.monotonic() - began:.0f} s: {bad} bad")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
