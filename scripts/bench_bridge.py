"""Time that the bridge adds to a move: an engine that answers at once, asked directly and through ``qiqiao``.

    python scripts/bench_bridge.py [--moves 500] [PROTOCOL ...]

Both are asked in turn, so that whatever else the machine does disturbs both alike. What the bridge adds is the
difference of the two times of one turn: the median of these, and their 99th percentile.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

GTP_ENGINE = """
import sys
for line in sys.stdin:
    number, _, command = line.strip().partition(" ")
    if not number.isdigit():
        number, command = "", line.strip()
    text = {"list_commands": "genmove\\nplay\\nundo\\nboardsize\\nclear_board\\nkomi", "genmove b": "D4",
            "genmove black": "D4"}.get(command, "2")
    sys.stdout.write(f"={number} {text}\\n\\n")
    sys.stdout.flush()
"""

XIANGQI_ENGINE = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    text = {"uci": "uciok", "ucci": "option usemillisec type check\\nucciok", "isready": "readyok",
            "go": "bestmove h2e2 ponder h9g7"}.get(word)
    if text:
        sys.stdout.write(text + "\\n")
        sys.stdout.flush()
"""

CECP_ENGINE = """
import sys
for line in sys.stdin:
    words = line.split()
    text = {"protover": 'feature ping=1 setboard=1 usermove=1 variants="xiangqi" done=1', "go": "move h2e2",
            "ping": "pong " + words[-1]}.get(words[0])
    if text:
        sys.stdout.write(text + "\\n")
        sys.stdout.flush()
"""


class Program:
    """A program that is asked for a move again and again."""

    def __init__(self, command: list[str], greeting: list[str], question: list[str], answer: str) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=ROOT)
        assert self._process.stdout is not None
        self._out = self._process.stdout
        self._question, self._answer = question, answer
        for line in greeting:
            self._say(line)

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")

    def ask(self) -> float:
        """Seconds from the question to the answer."""
        begin = time.perf_counter()
        for line in self._question:
            self._say(line)
        while not self._out.readline().decode().startswith(self._answer):
            pass
        return time.perf_counter() - begin

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)


def programs(protocol: str) -> tuple[Program, Program]:
    """The engine alone and the engine behind the bridge."""
    code = GTP_ENGINE if protocol == "gtp" else CECP_ENGINE if protocol == "cecp" else XIANGQI_ENGINE
    engine = [sys.executable, "-S", "-E", "-c", code]
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    file = folder / f"bench_{protocol}.py"
    file.write_text(code)
    bridge = [sys.executable, "-m", "qiqiao"]
    player = f"{protocol}:'{sys.executable}' -S -E '{file}'"
    if protocol == "gtp":
        question = ["clear_board", "genmove b"]
        return Program(engine, [], question, "= D4"), Program(
            [*bridge, "gtp", "--player", player], [], question, "= D4"
        )
    front = "ucci" if protocol == "ucci" else "uci"
    question = ["position startpos", "go depth 1"]
    behind = Program([*bridge, front, "--player", player], [front], question, "bestmove")
    if protocol == "cecp":
        return Program(engine, [], ["go"], "move"), behind
    return Program(engine, [front], question, "bestmove"), behind


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--moves", type=int, default=500)
    parser.add_argument("protocols", nargs="*", default=["gtp", "uci", "ucci", "cecp"], metavar="PROTOCOL")
    arguments = parser.parse_args()
    for protocol in arguments.protocols:
        alone, behind = programs(protocol)
        for program in (alone, behind):
            for _ in range(5):
                program.ask()
        added, direct = [], []
        for _ in range(arguments.moves):
            direct.append(alone.ask())
            added.append(behind.ask() - direct[-1])
        alone.close()
        behind.close()
        added.sort()
        print(
            f"{protocol:5} {arguments.moves} moves: the bridge adds {1000 * statistics.median(added):.2f} ms (median), "
            f"{1000 * added[int(0.99 * len(added))]:.2f} ms (99th percentile); "
            f"the engine alone takes {1000 * statistics.median(direct):.2f} ms"
        )


if __name__ == "__main__":
    main()
