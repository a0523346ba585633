"""A match whose runner and engines are killed again and again: does its table hold every game once?

    python scripts/stress_match.py [--games 1000] [--runner-kills 20] [--engine-kills 50] [--folder DIR]

Engines that play at random are started by ``qiqiao match``, which is killed (SIGKILL) at random moments and resumed.
At the end the games are counted anew from the records, each is replayed, and each crash is set against the kills. Works
where there is ``/proc``.
"""

from __future__ import annotations

import argparse
import collections
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engines.arena import journal  # noqa: E402
from engines.arena.game import replay  # noqa: E402
from engines.arena.table import Table  # noqa: E402
from engines.xiangqi.records import read_file  # noqa: E402

ENGINE = ROOT / "tests" / "protocols" / "programs" / "random_uci.py"
NAMES = ("one", "two")

LAST_GAMES = 4
"""So many games before the end no kill is planned: the match has to live to see it."""

DELAY = 0.3
"""Seconds that a kill is put off at most, so that not all come between two games."""


def command(folder: Path, games: int) -> list[str]:
    """The match, begun or resumed."""
    words = [sys.executable, "-m", "qiqiao", "match", "--game", "xiangqi", "--games", str(games), "--nodes", "1"]
    for seed, name in enumerate(NAMES, 1):
        words += ["--engine", f"{name}=uci:'{sys.executable}' '{ENGINE}' {seed}"]
    return [*words, "--length", "40", "--output", str(folder), "--concurrency", "2", "--quiet", "--resume"]


def engines_of(parent: int) -> list[tuple[int, str]]:
    """The engines that a process has started: their numbers and names."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                if str(ENGINE).encode() in words:
                    found.append((int(folder.name), NAMES[int(words[words.index(str(ENGINE).encode()) + 1]) - 1]))
        except (OSError, IndexError, ValueError):
            continue
    return found


def put_off(seconds: float, late: Callable[[], bool]) -> None:
    """Wait so long, but not until it is too late: on a quick machine a small match ends within the delay."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not late():
        time.sleep(0.005)


def stress(
    folder: Path, games: int, runner_kills: int, engine_kills: int, seed: int
) -> tuple[int, collections.Counter]:
    """Run the match to its end; gives the kills of the runner, and those of engines by name."""
    chance = random.Random(seed)
    path = folder / journal.NAME
    # Kills are spread over the match by the number of games in its journal.
    latest = min(games * 0.97, games - LAST_GAMES)
    plan = sorted(
        [(chance.uniform(1, latest), "runner") for _ in range(runner_kills)]
        + [(chance.uniform(1, latest), "engine") for _ in range(engine_kills)]
    )

    def written() -> int:
        return path.read_bytes().count(b'"ending":') if path.exists() else 0

    done: collections.Counter = collections.Counter()
    runner = 0
    while True:
        process = subprocess.Popen(command(folder, games), cwd=ROOT, stdout=subprocess.DEVNULL)
        code = None
        while code is None:
            code = process.poll()
            if code is None and plan and written() >= plan[0][0]:
                put_off(chance.random() * DELAY, lambda: written() >= (plan[0][0] + games) / 2)
                if plan[0][1] == "runner":
                    process.kill()
                    runner += process.wait() == -signal.SIGKILL
                    plan.pop(0)
                    break
                victims = engines_of(process.pid)
                if victims:
                    pid, name = chance.choice(victims)
                    try:
                        os.kill(pid, signal.SIGKILL)
                        done[name] += 1
                        plan.pop(0)
                    except ProcessLookupError:
                        pass
            time.sleep(0.01)
        if code is not None:
            print(f"the match ended with code {code}; kills left: {len(plan)}")
            return runner, done


def check(folder: Path, games: int, kills: collections.Counter) -> bool:
    """Whether the journal, the records and the table agree, and each crash has a kill."""
    contents = journal.read(str(folder / journal.NAME))
    rows = contents.games
    good = sorted(rows) == list(range(games))
    print(f"games in the journal: {len(rows)}, each once: {good}")
    kind = contents.settings.make_game()
    reasons = collections.Counter(row.ending.reason for row in rows.values())
    crashes = collections.Counter(
        NAMES[row.seats[1 - row.ending.winner]]
        for row in rows.values()
        if row.ending.reason == "crash" and row.ending.winner is not None
    )
    print(f"endings: {dict(reasons)}; crashes by engine: {dict(crashes)}, kills: {dict(kills)}")
    good &= all(crashes[name] <= kills[name] for name in NAMES)
    counted: collections.Counter = collections.Counter()
    for number, row in rows.items():
        ending = replay(kind, row).ending()
        if row.ending.reason not in ("crash", "length"):
            good &= ending == row.ending
        (record,) = read_file(folder / f"match-{number}.pgn")
        good &= record.moves() == [*map(int, replay(kind, row).game.board.history)]
        points = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}[record.result]
        for tag, value in zip(("Red", "Black"), points, strict=True):
            counted[record.tags[tag]] += value
    table = Table(contents.settings, rows.values())
    told = {line.name: line.result.points for line in table.standings()}
    print(f"points by the table: {told}; counted anew from the records: {dict(counted)}")
    good &= told == dict(counted) and sum(told.values()) == games
    text = (folder / "table.txt").read_text("utf-8")
    good &= all(f"{line.result.wins} " in text for line in table.standings())
    print(text)
    return good


def main() -> int:
    """Torment and check; 1 when anything does not agree."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--runner-kills", type=int, default=20)
    parser.add_argument("--engine-kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    folder = arguments.folder or Path(tempfile.mkdtemp())
    begin = time.monotonic()
    runner, kills = stress(folder, arguments.games, arguments.runner_kills, arguments.engine_kills, arguments.seed)
    seconds = time.monotonic() - begin
    print(f"{seconds:.0f} s; the runner was killed {runner} times, engines {sum(kills.values())} times")
    good = check(folder, arguments.games, kills)
    print("EXACT" if good else "WRONG")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
