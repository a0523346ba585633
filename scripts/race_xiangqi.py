"""Send UCI and UCCI commands that can overtake each other without a pause, each list in a fresh process.

    python scripts/race_xiangqi.py [--times 100] [--protocol uci|ucci] [--jobs 2] [COMMAND...]

After every list comes one more search. Each ``go`` must bring one ``bestmove`` with a move, in time, and the process
must end by ``quit``. Failures are printed with what was sent and what came; the exit status is 1 if there were any.
COMMAND is the engine, qiqiao with the protocol as its argument if none is given.
"""

from __future__ import annotations

import argparse
import itertools
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

TIMEOUT = 30.0
"""Seconds for a whole session, of which the searches take less than one."""

POSITION = "position startpos moves h2e2"
SEARCHES = {
    "uci": ["go infinite", "go ponder wtime 60 btime 60", "go ponder movetime 5", "go ponder", "go movetime 5"],
    "ucci": [
        "go infinite",
        "go ponder time 60 increment 0",
        "go ponder depth 2",
        "go ponder",
        "go time 40 increment 0",
    ],
}
BEHIND = [
    ["ponderhit"],
    ["stop"],
    ["position startpos moves h2e2 h9g7"],
    ["ucinewgame"],
    ["setoption name MultiPV value 2"],
    ["setoption name Hash value 2"],
    ["position fen x"],
    ["go depth 1"],
    ["isready"],
]
LAST = ["position startpos", "go depth 1"]


def races(protocol: str) -> Iterator[list[str]]:
    """Every search with one command, and with two, close behind it; what ends it if nothing did; one search more."""
    for search, one, two in itertools.product(SEARCHES[protocol], [[], *BEHIND], [[], *BEHIND]):
        if not one and two:
            continue
        behind = one + two
        ends = {"stop", *(["ponderhit"] if "ponder" in search else [])}
        ended = "infinite" not in search and "ponder" not in search
        ended = ended or bool(ends & set(behind)) or any(line.startswith(("position", "go")) for line in behind)
        yield [POSITION, search, *behind, *([] if ended else ["stop"]), *LAST]


def wrong(lines: Sequence[str], output: Sequence[str]) -> str:
    """What is wrong with a session's output, "" for nothing."""
    readable, expected = True, []
    for line in lines:
        if line.startswith("position"):
            readable = line != "position fen x"
        elif line.startswith("go"):
            expected.append(readable)
    words = [line.split() for line in output if line.startswith(("bestmove", "nobestmove"))]
    # UCCI answers a stop that comes when nothing runs.
    moves = [line[1] for line in words if line[0] == "bestmove" and line[1] != "(none)"]
    none = len(words) - len(moves)
    if len(moves) != sum(expected):
        return f"{len(moves)} moves for {sum(expected)} searches"
    if not expected.count(False) <= none <= expected.count(False) + lines.count("stop"):
        return f"{none} answers without a move"
    if lines.count("isready") != sum(line == "readyok" for line in output):
        return "not ready"
    return ""


def talk(command: Sequence[str], protocol: str, lines: Sequence[str]) -> str:
    """One session in a fresh process: what went wrong, "" for nothing."""
    text = "".join(f"{line}\n" for line in (protocol, *lines, "quit"))
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired as error:
        return f"no end within {TIMEOUT:g} seconds: {(error.stdout or b'')[-300:]!r}"
    why = wrong(lines, done.stdout.splitlines())
    if done.returncode or done.stderr:
        why = why or f"exit status {done.returncode}: {done.stderr[-300:]}"
    return f"{why}: {done.stdout[-300:]!r}" if why else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--protocol", choices=["uci", "ucci"])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="lists with this text in them")
    parser.add_argument("command", nargs="*")
    options = parser.parse_args(arguments)
    own = [sys.executable, str(Path(__file__).resolve().parent.parent / "qiqiao.py")]
    failed: Counter[str] = Counter()
    total = 0
    for protocol in [options.protocol] if options.protocol else ["uci", "ucci"]:
        command = options.command or [*own, protocol, "--hash", "1", "--move-time", "0.05"]
        lists = [lines for lines in races(protocol) if options.only in " / ".join(lines)]
        sessions = [lines for _ in range(options.times) for lines in lists]
        total += len(sessions)
        with ThreadPoolExecutor(options.jobs) as pool:
            for lines, why in zip(sessions, pool.map(partial(talk, command, protocol), sessions), strict=True):
                if why:
                    failed[f"{protocol}: {' / '.join(lines)}"] += 1
                    print(f"{protocol}: {' / '.join(lines)}: {why}", flush=True)
    print(f"{total} sessions, {failed.total()} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
