"""Play whole random games with a simulated hand on simulated sensors and check that the tracker reads each move.

    python scripts/track_games.py go 9 occ --games 100
    python scripts/track_games.py xiangqi pol --games 100 --seed 7
    python scripts/track_games.py go 19 pol --games 20 --unplug

Prints, for all games together: games, moves, wrong moves (records that are not what the hand did), moves believed for
a moment and withdrawn, and questions and troubles by kind. With ``--unplug`` a whole device with its line protocol lies
between, and its cable is pulled and put back again and again while the hands go on (every other time it loses power).
"""

from __future__ import annotations

import argparse
import sys
import time

from protocols.sensor.simulation.simulated_game import Tally, cast, usual_length
from protocols.sensor.simulation.wired import simulate_wired


def main() -> int:
    """Run the games and print the tally."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=["go", "xiangqi"])
    parser.add_argument("kind", nargs="+", help="board size (Go) and sensing: occ, pol, id")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moves", type=int, default=0, help="most moves a game (60 to 240, by size)")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--unplug", action="store_true", help="pull the cable every 5 to 20 s, for 0.2 to 4 s")
    arguments = parser.parse_args()
    size = int(arguments.kind[0]) if arguments.game == "go" else 0
    sensing = arguments.kind[-1]
    total, pulled = Tally(), 0
    begin = time.monotonic()
    for number in range(arguments.games):
        seed = arguments.seed * 1_000_003 + number
        simulated = cast(arguments.game, size, sensing, seed)
        most = arguments.moves or usual_length(arguments.game, size)
        if arguments.unplug:
            tally, times = simulate_wired(simulated, most, (5.0, 20.0))
            pulled += times
        else:
            tally = simulated.run(most)
        if tally.notes and arguments.verbose:
            print(f"seed {seed}: {tally.notes}", flush=True)
        total.add(tally)
    print(f"{arguments.game} {size or ''} {sensing}: {total.report()}, {time.monotonic() - begin:.0f} s")
    if arguments.unplug:
        print(f"cables pulled {pulled} times")
    return 1 if total.wrong or total.stuck else 0


if __name__ == "__main__":
    sys.exit(main())
