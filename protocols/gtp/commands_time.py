"""Commands about clocks."""

from __future__ import annotations

from engines.clock import TimeControl
from protocols.gtp import arguments
from protocols.gtp.framing import Command
from protocols.gtp.session import Session
from protocols.gtp.table import Entry, GtpError, Table

LONGEST = 1e9
"""Seconds that a client may tell (31 years). More is taken as that much: a clock has to be reckoned with."""


def _signed(text: str, what: str) -> float:
    """Seconds that may be negative: a cap that is none, or a controller's rounding."""
    return max(-LONGEST, min(LONGEST, arguments.number(text, what)))


def _seconds(text: str, what: str) -> float:
    value = _signed(text, what)
    if value < 0:
        raise GtpError(f"syntax error: {what} is negative")
    return value


# The words of a time control: its arguments, in order, and what they make.
_KINDS = {
    "none": ((), TimeControl.none),
    "absolute": (("main time",), TimeControl.absolute),
    "byoyomi": (("main time", "period", "periods"), TimeControl.byoyomi),
    "canadian": (("main time", "period", "stones"), TimeControl.canadian),
    "fischer": (("main time", "increment"), TimeControl.fischer),
    "fischer-capped": (("main time", "increment", "limit", "time per move"), TimeControl.fischer_capped),
}
_WHOLE = ("periods", "stones")
_CAPS = ("limit", "time per move")
_KGS = ("none", "absolute", "byoyomi", "canadian")


def _control(args: tuple[str, ...], kinds: tuple[str, ...]) -> TimeControl:
    """A time control from its name and arguments."""
    if not args or args[0].lower() not in kinds:
        raise GtpError(f"syntax error: expected one of {', '.join(kinds)}")
    names, make = _KINDS[args[0].lower()]
    words = args[1:]
    if len(words) < len(names):
        raise GtpError(f"syntax error: {args[0]} needs {', '.join(names)}")
    values: list[float] = []
    for name, word in zip(names, words, strict=False):
        if name in _WHOLE:
            values.append(arguments.integer(word, name))
        else:
            values.append((_signed if name in _CAPS else _seconds)(word, name))
    if "limit" in names and 0 <= values[names.index("limit")] < values[0]:
        raise GtpError("the limit must not be below the main time")
    return make(*values)  # type: ignore[operator]


def time_settings(session: Session, command: Command) -> str:
    arguments.need(command, 3, "main time, overtime and stones")
    main, period = (_seconds(word, what) for word, what in zip(command.args, ("main time", "overtime"), strict=False))
    session.set_time(TimeControl.canadian(main, period, arguments.integer(command.args[2], "stones")))
    return ""


def kgs_time_settings(session: Session, command: Command) -> str:
    session.set_time(_control(command.args, _KGS))
    return ""


def kata_time_settings(session: Session, command: Command) -> str:
    session.set_time(_control(command.args, tuple(_KINDS)))
    return ""


def kata_list_time_settings(session: Session, command: Command) -> str:
    return " ".join(_KINDS)


def time_left(session: Session, command: Command) -> str:
    arguments.need(command, 3, "a color, seconds and stones")
    color = arguments.color(command.args[0])
    seconds = _signed(command.args[1], "time")
    session.time_left(color, seconds, arguments.integer(command.args[2], "stones"))
    return ""


TABLE: Table = {
    "time_settings": Entry(
        time_settings, "MAIN OVERTIME STONES", "Canadian overtime in seconds; 0 OVERTIME: none; 0 STONES: no limit."
    ),
    "kgs-time_settings": Entry(
        kgs_time_settings,
        "none | absolute MAIN | byoyomi MAIN PERIOD PERIODS | canadian MAIN PERIOD STONES",
        "A time control of the KGS server, in seconds.",
    ),
    "kata-time_settings": Entry(
        kata_time_settings,
        "none | absolute ... | byoyomi ... | canadian ... | fischer MAIN INCREMENT | "
        "fischer-capped MAIN INCREMENT LIMIT MOVE",
        "A time control as KataGo has them, in seconds; a negative LIMIT or MOVE is none.",
    ),
    "kata-list_time_settings": Entry(kata_list_time_settings, "", "The kinds of kata-time_settings."),
    "time_left": Entry(time_left, "COLOR SECONDS STONES", "What a clock shows; STONES is 0 in main time."),
}
