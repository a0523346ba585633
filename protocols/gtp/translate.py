"""What GTP engines say and want, put into our words and back: time settings and lines of analysis."""

from __future__ import annotations

import math
from collections.abc import Callable

from engines.clock import Clock, TimeControl
from engines.go.points import COLOR_NAMES
from engines.go.vertex import parse_vertex
from engines.player import Candidate, Report

_LONG = 10**8
"""Seconds that stand for no limit where an engine needs a number (three years)."""


def _whole(seconds: float) -> str:
    """Whole seconds, as GTP has them; never more than there are."""
    return str(max(0, math.floor(seconds)))


def _exact(seconds: float) -> str:
    """Seconds with a fraction, for commands that allow it."""
    return f"{max(0.0, seconds):.3f}".rstrip("0").rstrip(".")


def time_settings(control: TimeControl, has: Callable[[str], bool]) -> str:
    """The command that tells an engine the time control, by the best of the commands it has.

    What it has no word for is put as the nearest thing that never gives it more than it has: byo-yomi (读秒/讀秒) as
    Canadian overtime of one stone; Fischer as its main time alone, told anew with every ``time_left``, or where a move
    has a bound that is less, as a session of moves (``Clock.share``).
    """
    kind = control.kind
    main, period = control.main, control.period
    if kind == "byoyomi" and has("kgs-time_settings"):
        return f"kgs-time_settings byoyomi {_whole(main)} {_whole(period)} {control.periods}"
    if kind == "byoyomi" and has("kata-time_settings"):
        return f"kata-time_settings byoyomi {_exact(main)} {_exact(period)} {control.periods}"
    if kind == "byoyomi":
        return f"time_settings {_whole(main)} {_whole(period)} 1"
    if kind == "fischer" and has("kata-time_settings"):
        return f"kata-time_settings fischer {_exact(main)} {_exact(control.increment)}"
    if kind == "fischer-capped" and has("kata-time_settings"):
        limit, most = (_exact(v) if math.isfinite(v) else "-1" for v in (control.limit, control.max_per_move))
        return f"kata-time_settings fischer-capped {_exact(main)} {_exact(control.increment)} {limit} {most}"
    if kind == "fischer-capped" and control.max_per_move < main:
        seconds, moves, _ = Clock(control).share
        return f"time_settings 0 {_whole(seconds)} {moves}"
    if kind == "canadian":
        return f"time_settings {_whole(main)} {_whole(period)} {control.stones}"
    if kind == "moves":
        return f"time_settings 0 {_whole(main)} {control.stones}"
    if kind == "none":
        return "kgs-time_settings none" if has("kgs-time_settings") else "time_settings 0 1 0"
    return f"time_settings {_whole(main)} 0 0"


def per_move(seconds: float) -> TimeControl:
    """So many seconds for each move. GTP counts whole ones; less than one is asked for as one and cut short by us."""
    return TimeControl.canadian(0, max(1.0, seconds), 1)


def time_left(color: int, clock: Clock, has: Callable[[str], bool] = lambda name: True) -> str:
    """``time_left``: whole seconds, with the stones or periods where the clock is in overtime, as ``time_settings`` has
    told the control to an engine with these commands."""
    kind, seconds = clock.control.kind, clock.left
    stones = clock.stones if kind in ("canadian", "byoyomi", "moves") else 0
    if kind == "byoyomi" and stones and not has("kgs-time_settings") and not has("kata-time_settings"):
        stones = 1
    if kind == "fischer-capped" and not has("kata-time_settings"):
        seconds, stones, _ = clock.share
    return f"time_left {COLOR_NAMES[color]} {_whole(seconds)} {stones}"


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def parse_info(line: str, kata: bool, width: int, height: int) -> Report[int] | None:
    """A line of ``lz-analyze`` or ``kata-analyze`` as a report; None for any other line.

    ``kata`` says how win rates are written: as a share of one, else in 1/10000 (unless a point tells otherwise).
    """
    words = line.split()
    if not words or words[0] != "info":
        return None
    candidates: list[tuple[int, Candidate[int]]] = []
    ownership: tuple[float, ...] | None = None
    nodes = 0
    at = 0
    while at < len(words):
        if words[at] == "info":
            end = next(
                (i for i in range(at + 1, len(words)) if words[i] in ("info", "rootInfo", "ownership")), len(words)
            )
            found = _candidate(words[at + 1 : end], len(candidates), kata, width, height)
            if found is not None:
                candidates.append(found)
            at = end
        elif words[at] == "ownership" and len(words) > at + width * height:
            values = [_number(word) for word in words[at + 1 : at + 1 + width * height]]
            if all(value is not None for value in values):
                ownership = tuple(value or 0.0 for value in values)
            at += 1 + width * height
        elif words[at] == "rootInfo":
            end = next((i for i in range(at + 1, len(words)) if words[i] in ("info", "ownership")), len(words))
            pairs = dict(zip(words[at + 1 : end : 2], words[at + 2 : end : 2], strict=False))
            nodes = int(_number(pairs.get("visits", "")) or 0)
            at = end
        else:
            at += 1
    if not candidates:
        return None
    candidates.sort(key=lambda pair: pair[0])
    best = tuple(candidate for _, candidate in candidates)
    return Report(best, nodes=nodes or sum(candidate.visits for candidate in best), ownership=ownership)


def _candidate(words: list[str], place: int, kata: bool, width: int, height: int) -> tuple[int, Candidate[int]] | None:
    """One segment of a line: the order it names, and the candidate."""
    values: dict[str, str] = {}
    line: list[int] = []
    at = 0
    while at < len(words):
        key = words[at]
        at += 1
        if key == "pv":
            while at < len(words):
                try:
                    line.append(parse_vertex(words[at], width, height))
                except ValueError:
                    break
                at += 1
        elif at < len(words):
            values[key] = words[at]
            at += 1
    try:
        move = parse_vertex(values.get("move", ""), width, height)
    except ValueError:
        return None

    def rate(key: str) -> float | None:
        value = _number(values.get(key, ""))
        if value is None:
            return None
        return min(1.0, max(0.0, value if kata or "." in values[key] else value / 10000))

    extra = {}
    bound = rate("lcb")
    if bound is not None:
        extra["lcb"] = bound
    deviation = _number(values.get("scoreStdev", ""))
    if deviation is not None:
        extra["score_stdev"] = deviation
    lead = _number(values.get("scoreLead", values.get("scoreMean", "")))
    candidate = Candidate(
        move,
        line=tuple(line) or (move,),
        visits=int(_number(values.get("visits", "")) or 0),
        winrate=rate("winrate"),
        score=lead,
        prior=rate("prior") or 0.0,
        extra=extra,
    )
    order = _number(values.get("order", ""))
    return (place if order is None else int(order)), candidate
