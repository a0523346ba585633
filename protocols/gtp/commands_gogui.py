"""What GoGui offers in its analyze window: ownership, liberties, candidate moves, dead stones, parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engines.go.levels import level_number
from engines.go.points import EMPTY, PASS
from engines.player import Report
from protocols.gtp import analysis, arguments, graphics
from protocols.gtp.commands_analysis import look
from protocols.gtp.framing import Command
from protocols.gtp.session import Session
from protocols.gtp.table import Entry, GtpError, Table

ANALYZE_COMMANDS = (
    "dboard/Ownership/qiqiao-ownership %m",
    "gfx/Candidate Moves/qiqiao-candidates %m",
    "pspairs/Candidate Win Rates/qiqiao-winrates %m",
    "pspairs/Candidate Visits/qiqiao-visits %m",
    "var/Best Line/qiqiao-variation %m",
    "sboard/Liberties/qiqiao-liberties",
    "plist/Dead Stones/final_status_list dead",
    "plist/Stones in Seki/final_status_list seki",
    "plist/Legal Moves/all_legal %m",
    "string/Final Score/final_score",
    "hstring/Count/qiqiao-score",
    "hstring/Rules/kata-get-rules",
    "param/Parameters/qiqiao-param",
)


def gogui_analyze_commands(session: Session, command: Command) -> str:
    return "\n".join(ANALYZE_COMMANDS)


def rows(session: Session, words: list[str]) -> str:
    """One word a point, by point index, as GoGui reads boards: rows from the top."""
    width, height = session.game.width, session.game.height
    return "\n" + "\n".join(" ".join(words[y * width : (y + 1) * width]) for y in reversed(range(height)))


def _look(session: Session, command: Command) -> Report[int]:
    """What the search thinks for the colour asked for (or to move): what it thought last, or after a short look."""
    return look(session, arguments.color(command.args[0]) if command.args else session.game.to_move)


def qiqiao_ownership(session: Session, command: Command) -> str:
    report = _look(session, command)
    width, height = session.game.width, session.game.height
    if report.ownership is None or len(report.ownership) != width * height:
        raise GtpError("no ownership known")
    # Reports go from the top left, points from the lower left.
    by_point = [report.ownership[(height - 1 - p // width) * width + p % width] for p in range(width * height)]
    return rows(session, [analysis.share(value) for value in by_point])


def qiqiao_liberties(session: Session, command: Command) -> str:
    board = session.game.board
    return rows(
        session,
        [str(board.liberty_count(p)) if board.at(p) != EMPTY else '""' for p in range(session.game.points)],
    )


def qiqiao_candidates(session: Session, command: Command) -> str:
    return graphics.candidates(_look(session, command), session.vertex)


def _pairs(session: Session, command: Command, value: Callable[[Any], str]) -> str:
    found = [candidate for candidate in graphics.visited(_look(session, command)) if candidate.move != PASS]
    return "\n".join(f"{session.vertex(candidate.move)} {value(candidate)}" for candidate in found)


def qiqiao_winrates(session: Session, command: Command) -> str:
    return _pairs(session, command, lambda candidate: graphics.per_cent(analysis.winrate(candidate)))


def qiqiao_visits(session: Session, command: Command) -> str:
    return _pairs(session, command, lambda candidate: graphics.short(candidate.visits))


def qiqiao_variation(session: Session, command: Command) -> str:
    shown = graphics.visited(_look(session, command))
    return session.vertices(shown[0].line or (shown[0].move,)) if shown else ""


# --- parameters


class _Parameter(NamedTuple):
    """A parameter: its kind in GoGui's words, the option it sets, how to read a value and how to show it."""

    kind: str
    read: Callable[[str], Any]
    show: Callable[[Any], str] = str


def _bounded(read: Callable[[str, str], Any], low: float, high: float) -> Callable[[str], Any]:
    def convert(text: str) -> Any:
        value = read(text, "value")
        if not low <= value <= high:
            raise GtpError(f"value must be {low:g} to {high:g}")
        return value

    return convert


def _level(text: str) -> int:
    try:
        return level_number(text)
    except ValueError as error:
        raise GtpError(str(error)) from None


def _optional(read: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: None if text.lower() in ("none", "") else read(text)


def _bool(text: str) -> bool:
    return arguments.boolean(text, "value")


def _none(value: Any) -> str:
    return "none" if value is None else str(value)


PARAMETERS: dict[str, _Parameter] = {
    "playouts": _Parameter("string", _optional(_bounded(arguments.integer, 1, 10**9)), _none),
    "level": _Parameter("string", _level),
    "move_time": _Parameter("string", _bounded(arguments.number, 0.01, 86400)),
    "resign": _Parameter("string", _bounded(arguments.number, 0, 1)),
    "ponder": _Parameter("bool", _bool, lambda value: str(int(value))),
    "live_graphics": _Parameter("bool", _bool, lambda value: str(int(value))),
    "accept_ko_violations": _Parameter("bool", _bool, lambda value: str(int(value))),
    "plays_as_handicap": _Parameter("bool", _bool, lambda value: str(int(value))),
}
"""Options that can change while the program runs."""


def qiqiao_param(session: Session, command: Command) -> str:
    if not command.args:
        return "\n".join(
            f"[{parameter.kind}] {name} {parameter.show(getattr(session.options, name))}"
            for name, parameter in PARAMETERS.items()
        )
    parameter = PARAMETERS.get(command.args[0])
    if parameter is None:
        raise GtpError(f"unknown parameter {command.args[0]}")
    if len(command.args) == 1:
        return parameter.show(getattr(session.options, command.args[0]))
    session.set_option(command.args[0], parameter.read(" ".join(command.args[1:])))
    return ""


TABLE: Table = {
    "gogui-analyze_commands": Entry(gogui_analyze_commands, "", "What GoGui's analyze window offers."),
    "qiqiao-ownership": Entry(qiqiao_ownership, "[COLOR]", "Who will own each point, -1 to 1, rows from the top."),
    "qiqiao-liberties": Entry(qiqiao_liberties, "", "The liberties of each stone's chain, rows from the top."),
    "qiqiao-candidates": Entry(qiqiao_candidates, "[COLOR]", "Candidate moves as GoGui graphics."),
    "qiqiao-winrates": Entry(qiqiao_winrates, "[COLOR]", "Candidate moves with their win rates in percent."),
    "qiqiao-visits": Entry(qiqiao_visits, "[COLOR]", "Candidate moves with their visits."),
    "qiqiao-variation": Entry(qiqiao_variation, "[COLOR]", "The line of play the search expects."),
    "qiqiao-param": Entry(qiqiao_param, "[NAME [VALUE]]", "The parameters, the value of one, or a new value for one."),
}
