"""Time controls as a match's settings write them, read and written.

========================  =====================================================================================
``none``                  no clock
``300`` ``5m`` ``1h``     so much for the whole game (units: s, m, h; seconds without one)
``60+0.5``                Fischer: main time, and an increment after each move
``60+0.5@120@30``         Fischer that never holds more than 120 s, with 30 s a move at most (the last may be left out)
``10m+30/5``              Canadian: main time, then periods of 30 s for 5 moves each
``10m+3x30``              byo-yomi (读秒/讀秒): main time, then 3 periods of 30 s
``40/60``                 60 s for each 40 moves
========================  =====================================================================================
"""

from __future__ import annotations

import math
import re

from engines.clock import TimeControl

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}
_TIME = r"\d+(?:\.\d*)?|\.\d+"
_DURATION = re.compile(rf"({_TIME})([smh]?)")
_WHOLE = re.compile(rf"(?P<main>(?:{_TIME})[smh]?)(?:\+(?P<more>.+))?")


def parse_duration(text: str) -> float:
    """Seconds. Raises ValueError for what is no time."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"'{text}' is no time")
    return float(match[1]) * _UNITS[match[2]]


def parse_control(text: str) -> TimeControl:
    """A time control. Raises ValueError, with a text for the user, for one that makes no sense."""
    try:
        return _control(text)
    except ValueError as error:
        if text in str(error):
            raise
        raise ValueError(f"the time control '{text}': {error}") from None


def _control(text: str) -> TimeControl:
    compact = text.replace(" ", "").lower()
    if compact == "none":
        return TimeControl.none()
    if "+" not in compact and "/" in compact:
        moves, _, time = compact.partition("/")
        return TimeControl.session(_positive(time), _count(moves))
    match = _WHOLE.fullmatch(compact)
    if match is None:
        raise ValueError(f"'{text}' is no time control; write 60, 60+0.5, 600+30/5, 600+3x30, 40/60 or none")
    main, more = parse_duration(match["main"]), match["more"]
    if more is None:
        return TimeControl.absolute(_positive(match["main"]))
    if "x" in more:
        periods, _, period = more.partition("x")
        return TimeControl.byoyomi(main, _positive(period), _count(periods))
    if "/" in more:
        period, _, stones = more.partition("/")
        return TimeControl.canadian(main, _positive(period), _count(stones))
    increment, *bounds = more.split("@")
    if not bounds:
        control = TimeControl.fischer(main, parse_duration(increment))
    elif len(bounds) <= 2:
        limit, most = [*map(_positive, bounds), math.inf][:2]
        control = TimeControl.fischer_capped(min(main, limit), parse_duration(increment), limit, most)
    else:
        raise ValueError(f"'{text}': at most two bounds, of the clock and of a move")
    if main + control.increment <= 0:
        raise ValueError(f"'{text}' gives no time at all")
    return control


def _positive(text: str) -> float:
    seconds = parse_duration(text)
    if seconds <= 0:
        raise ValueError("a time must be more than 0 s")
    return seconds


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"'{text}' is no number of moves or periods")
    return int(text)


def format_control(control: TimeControl) -> str:
    """The text that ``parse_control`` reads."""
    main = _number(control.main)
    if control.kind == "none":
        return "none"
    if control.kind == "absolute":
        return main
    if control.kind == "moves":
        return f"{control.stones}/{main}"
    if control.kind == "canadian":
        return f"{main}+{_number(control.period)}/{control.stones}"
    if control.kind == "byoyomi":
        return f"{main}+{control.periods}x{_number(control.period)}"
    text = f"{main}+{_number(control.increment)}"
    if control.kind == "fischer-capped":
        text += f"@{_number(control.limit)}" if math.isfinite(control.limit) else "@1000000000"
        text += f"@{_number(control.max_per_move)}" if math.isfinite(control.max_per_move) else ""
    return text


def _number(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")
