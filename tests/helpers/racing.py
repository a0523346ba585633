"""Commands that can overtake each other, sent without a pause, and what has to come back."""

import itertools

POSITION = "position startpos moves h2e2"

SEARCHES = {
    "uci": ("go infinite", "go ponder wtime 60 btime 60", "go ponder movetime 10", "go ponder", "go movetime 10", "go depth 1"),
    "ucci": ("go infinite", "go ponder time 60 increment 0", "go ponder", "go time 60 increment 0", "go depth 1"),
}
BEHIND = ("", "ponderhit", "stop", "ucinewgame", "isready", POSITION, "setoption name MultiPV value 2", "position fen x")
ENDING = ("ponderhit", "stop", "go depth 1")
"""What ends a search without a limit; the first of them only one that ponders."""


def races(protocol):
    """Lines to send, and how many ``bestmove`` and ``nobestmove`` lines they bring.

    Every search with every command behind it and every other behind that, and then what ends a search that has not
    ended; each begins a session.
    """
    for search, one, two in itertools.product(SEARCHES[protocol], BEHIND, BEHIND):
        if one == "" and two != "":
            continue
        lines = [POSITION, search, *filter(None, (one, two))]
        endless = "infinite" in search or "ponder" in search
        hit = "ponder" in search and "ponderhit" in lines
        if endless and not hit and "stop" not in lines and not any(line.startswith("position") for line in lines[2:]):
            lines.append("stop")
        yield lines


def answers(lines):
    """The lines of a session's output that answer a ``go``."""
    return [line for line in lines if line.startswith(("bestmove", "nobestmove"))]
