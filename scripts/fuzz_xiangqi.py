"""Random UCI and UCCI sessions for ``fuzz_sessions.py``."""

from __future__ import annotations

import random
from collections.abc import Callable

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

NUMBERS = (
    *("0", "1", "2", "5", "10", "-1", "0.5", "100", "128", "255", "256", "32767", "32768", "65536", "99999"),
    *("2147483647", "2147483648", "-2147483648", "4294967296", "1e9", "1e308", "-1e308", "inf", "nan", "9" * 25),
)
"""Numbers for wherever a command takes one."""

FENS = (
    START,
    "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "3k5/9/9/9/9/9/9/9/9/4K4 b - - 99999 99999",
    "4ka3/4a4/9/9/9/9/4R4/9/9/3AKA3 w - - 119 60",
    "2bak4/4a4/4b4/9/9/9/9/9/R8/4K4 w - - -5 -7",
    "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 2147483648 9999999999999",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
    "no position at all",
    "9/9/9/9/9/9/9/9/9/9 w - - 0 1",
)
MOVES = ("h2e2", "h9g7", "h0g2", "b9c7", "b2b9", "a0a1", "i9i8", "e0e1", "e9e8", "d0e1", "a3a4", "zzzz", "h3e3", "e3e4")
_GO = ("depth", "nodes", "movetime", "mate", "time", "increment", "movestogo", "wtime", "btime", "winc", "binc")
_OPTIONS = (
    *("Hash", "Threads", "MultiPV", "Skill Level", "UCI_Elo", "Move Overhead", "Rule60MaxPly", "hashsize", "threads"),
    *("drawmoves", "Clear Hash", "Ponder", "ponder", "batch", "usemillisec", "randomness", "repetition", "newgame"),
    *("UCI_LimitStrength", "UCI_ShowWDL", "Sixty Move Rule", "debug", "style", "no such option"),
)


class Writer:
    """Writes one session's lines in a protocol; ``rng`` decides everything."""

    def __init__(self, rng: random.Random, protocol: str) -> None:
        self._rng = rng
        self._protocol = protocol

    def options(self) -> list[str]:
        """The command line of ``qiqiao uci`` or ``ucci``."""
        rng = self._rng
        words = [f"--threads={rng.randint(1, 3)}", "--hash=1", "--move-time=0.02"]
        if rng.random() < 0.3:
            words.append(f"--level={rng.choice((0, 3, 10))}")
        if rng.random() < 0.3:
            words.append(f"--rules={rng.choice(('cxa', 'computer', 'none', 'check-only'))}")
        return words

    def lines(self, count: int) -> list[tuple[float, str]]:
        """So many lines between the protocol's first word and ``quit`` (or the end of input)."""
        rng = self._rng
        lines = [(0.0, self._protocol)] if rng.random() < 0.9 else []
        for _ in range(count):
            pause = 0.0 if rng.random() < 0.7 else rng.choice((0.0005, 0.002, 0.01, 0.03))
            lines.append((pause, rng.choice(_CHOICES)(self)))
        # Without a limit a search ends only when it is told to.
        lines += [(0.0, "stop"), (0.0, "isready"), (0.0, "quit")][: rng.choice((2, 3))]
        return lines

    def _number(self) -> str:
        return self._rng.choice(NUMBERS)

    def position(self) -> str:
        rng = self._rng
        where = "startpos" if rng.random() < 0.4 else f"fen {rng.choice(FENS)}"
        words = ["position", where]
        if rng.random() < 0.6:
            words += ["moves", *(rng.choice(MOVES) for _ in range(rng.randint(0, 6)))]
        return " ".join(words)

    def go(self) -> str:
        """A search with a limit that a test can wait for."""
        limit = self._rng.choice(("depth 1", "depth 3", "nodes 300", "movetime 10", "time 50 increment 0"))
        return f"go {limit}"

    def odd_go(self) -> str:
        """Any limit at all."""
        rng = self._rng
        words = ["go"]
        for _ in range(rng.randint(0, 3)):
            words += [rng.choice(_GO), self._number()]
        if rng.random() < 0.2:
            words.append(rng.choice(("ponder", "infinite", "draw", f"searchmoves {rng.choice(MOVES)}", "perft 1")))
        return " ".join(words)

    def stop(self) -> str:
        return self._rng.choice(("stop", "ponderhit", "ponderhit draw", "stop"))

    def option(self) -> str:
        rng = self._rng
        name, value = rng.choice(_OPTIONS), rng.choice(("true", "false", "on", "off", "none", "large", self._number()))
        if name.lower() in ("hash", "hashsize") and len(value) > 3:
            value = "2"  # memory is not what is tried here
        return f"setoption name {name} value {value}" if rng.random() < 0.5 else f"setoption {name} {value}"

    def plain(self) -> str:
        words = ("isready", "isready", "ucinewgame", "uci", "ucci", "", "d", "probe", "nonsense", "go", "stop")
        return self._rng.choice((*words, "banmoves h2e2 h0g2"))


_CHOICES: tuple[Callable[[Writer], str], ...] = (
    *(Writer.position, Writer.go, Writer.stop) * 3,
    *(Writer.odd_go, Writer.option, Writer.plain) * 2,
)


def faults(lines: list[tuple[float, str]], output: str) -> list[str]:
    """What is wrong with the answers to a session's lines."""
    found = []
    asked = sum(line == "isready" for _, line in lines)
    ready = output.splitlines().count("readyok")
    if asked != ready:
        found.append(f"{ready} answers to {asked} isready")
    # A stop or ponderhit out of place is answered too.
    searches = sum(line.split()[:1] in (["go"], ["stop"], ["ponderhit"]) for _, line in lines)
    moves = sum(line.split()[:1] in (["bestmove"], ["nobestmove"]) for line in output.splitlines())
    if moves > searches:
        found.append(f"{moves} best moves for {searches} searches")
    if "internal error" in output:
        found.append("internal error")
    return found
