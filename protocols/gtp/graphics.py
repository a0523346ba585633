"""What clients read beside the replies: GoGui's graphics, and lines on standard error.

GoGui draws what a ``gfx`` command answers, and, while a command runs, what comes on standard error after
``gogui-gfx:``. gtp2ogs takes the expected line of play from standard error, in the words of an engine it
knows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engines.go.points import PASS
from engines.player import Report
from protocols.gtp import analysis

SHOWN = 10
"""Candidates shown on the board."""

LIVE = 0.5
"""Seconds between two drawings while the search thinks."""

Namer = Callable[[int], str]
"""Gives a point's vertex."""


def visited(report: Report[int]) -> list[Any]:
    """The candidates worth showing."""
    return [candidate for candidate in report.candidates if candidate.visits > 0][:SHOWN]


def candidates(report: Report[int], name: Namer) -> str:
    """The candidates as GoGui draws them: colors by visits, the win rate in per cent on the point (two digits, which
    fit a small board), and a line of text about the best.
    """
    shown = visited(report)
    if not shown:
        return "TEXT no candidates"
    most = max(candidate.visits for candidate in shown)
    lines = []
    for candidate in shown:
        if candidate.move == PASS:
            continue
        vertex, rate = name(candidate.move), analysis.winrate(candidate)
        # From blue for the least visited to green for the most, as candidates are shown elsewhere.
        share = math.sqrt(candidate.visits / most)
        lines.append(f"COLOR #{0:02x}{round(90 + 150 * share):02x}{round(240 - 180 * share):02x} {vertex}")
        lines.append(f"LABEL {vertex} {per_cent(rate)}")
    best = shown[0]
    text = f"{name(best.move)} {100 * analysis.winrate(best):.1f}%"
    score = analysis.score_of(best)
    if score is not None:
        text += f", {score:+.1f} points"
    lines.append(f"TEXT {text}, {report.nodes} playouts")
    return "\n".join(lines)


def per_cent(rate: float) -> str:
    """A win rate in two digits; a sure win is 99 like a nearly sure one."""
    return str(min(99, round(100 * rate)))


def short(count: int) -> str:
    """A number of visits in three characters, or four."""
    if count < 1000:
        return str(count)
    return f"{count / 1000:.0f}k" if count < 999_500 else f"{count / 1e6:.0f}M"


def live(report: Report[int], name: Namer) -> str:
    """What makes GoGui draw the candidates while it waits; for standard error, with its line ends."""
    return f"gogui-gfx:\nCLEAR\n{candidates(report, name)}\n\n"


def expected_line(report: Report[int], name: Namer) -> str:
    """The expected line of play for gtp2ogs; "" where there is none.

    It knows KataGo's chat by that name, and Leela Zero's table, which tells no score.
    """
    if not report.candidates or report.candidates[0].visits < 1:
        return ""
    best = report.candidates[0]
    line = " ".join(name(point) for point in best.line or (best.move,))
    rate, score = 100 * analysis.winrate(best), analysis.score_of(best)
    visits = max(report.nodes, best.visits)
    if score is None:
        bound = 100 * analysis.lower_bound(best)
        pace = visits / report.seconds if report.seconds > 0 else 0
        rates = f"(V: {rate:5.2f}%) (LCB: {bound:5.2f}%) (N: {100 * best.prior:5.2f}%)"
        counts = f"{visits} visits, {visits} nodes, {visits} playouts, {pace:.0f} n/s"
        return f"{name(best.move)} -> {best.visits:7} {rates} PV: {line}\n{counts}\n"
    spread = float(best.extra.get("score_stdev", 0.0))
    spread = spread if 0 <= spread <= analysis.LARGEST_SCORE else 0.0
    return (
        f"qiqiao (in KataGo's words) MALKOVICH:Visits {visits} Winrate {rate:.2f}% ScoreLead {score:.1f} "
        f"ScoreStdev {spread:.1f} PV {line}\n"
    )
