#!/usr/bin/env python3
"""How fast jieqi's board is: leaves a second of perft with a fixed deal, by processor time.

    bench_jieqi.py [--form jieqi] [--depth 5] [--deals 3]

The leaves of the last ply are counted without making their moves, as perft usually does.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engines.jieqi.game import Game


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--form", default="jieqi")
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--deals", type=int, default=3)
    chosen = parser.parse_args()
    leaves, spent = 0, 0.0
    for seed in range(chosen.deals):
        board = Game(chosen.form, seed=seed).board
        since = time.process_time()
        count = board.perft(chosen.depth)
        taken = time.process_time() - since
        print(f"deal {seed}: perft({chosen.depth}) = {count}, {taken:.2f} s")
        leaves, spent = leaves + count, spent + taken
    print(f"{leaves / max(spent, 1e-9) / 1e6:.1f} million leaves a second")
    return 0


if __name__ == "__main__":
    sys.exit(main())
