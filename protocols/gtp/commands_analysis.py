"""Commands that stream what the search thinks."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from engines.go.points import COLOR_NAMES, PASS
from engines.player import Candidate, Choice, Limits, Report
from protocols.gtp import analysis, arguments, policy
from protocols.gtp.framing import Command
from protocols.gtp.players import RawAnalysisCommand
from protocols.gtp.session import Session
from protocols.gtp.table import Entry, GtpError, Streamed, Table

LOOK = 1.0
"""Seconds to think before answering what needs thinking, where nothing is known about the position yet."""

NEVER = 1e9
"""Seconds between reports where no lines are wanted before the last."""


class _Stream:
    """Writes reports as lines, one each interval at most."""

    def __init__(self, session: Session, interval: float, line: Callable[[Report[int]], str]) -> None:
        self._session = session
        self._interval = interval
        self._line = line
        self._next = time.monotonic() + interval
        self.lines = 0

    def report(self, report: Report[int]) -> None:
        """Called by the search as often as it likes."""
        now = time.monotonic()
        if self._interval > 0 and now >= self._next:
            # A client that reads slowly makes us late: the lines it missed are not made up for.
            self._next = max(self._next + self._interval, now)
            self.write(report)

    def write(self, report: Report[int]) -> None:
        """A line now."""
        line = self._line(report)
        if line:
            self.lines += 1
            self._session.write(line + "\n")


def look(session: Session, color: int) -> Report[int]:
    """What the search thinks for a color: what it thought last, or after a short look."""
    known = session.known(color)
    if known is not None:
        return known
    limits = session.limits(color)
    choice, _ = session.think(color, Limits(seconds=LOOK, nodes=limits.nodes))
    return choice.report or Report()


def _request(session: Session, command: Command, dialect: analysis.Dialect) -> analysis.Request:
    return analysis.parse_request(command.args, dialect, session.game.width, session.game.height)


def _final(choice: Choice[int]) -> Report[int]:
    """The choice's report; where the player gave none, one that says no more than the move."""
    if choice.report is not None and choice.report.candidates:
        return choice.report
    point = choice.move if choice.action == "move" and choice.move is not None else PASS
    return Report((Candidate(point, line=(point,), visits=1),))


class _Passed:
    """The lines of a player that understands the command itself: written as they are.

    Our reply begins with the first of them, so that an error of the player's can still be told as one.
    """

    def __init__(self, session: Session, command: Command) -> None:
        self._session = session
        self._id = command.id
        self.opened = False

    def write(self, line: str) -> None:
        """A line from the player."""
        self.open()
        self._session.write(line + "\n")

    def open(self) -> None:
        """Begin the reply, if that has not been done."""
        if not self.opened:
            self.opened = True
            self._session.open_stream(self._id)


def _pass_on(session: Session, command: Command, move: bool, play: bool = True) -> str:
    """Let the player answer a command of analysis, word for word."""
    color = next((arguments.color(word) for word in command.args[:2] if arguments.is_color(word)), None)
    words = list(command.args)
    if color is None:
        color = session.game.to_move
        words.insert(0, COLOR_NAMES[color])
    passed = _Passed(session, command)
    raw_command = RawAnalysisCommand(" ".join([command.name, *words]), passed.write)
    if move:
        answer, _ = session.generate(color, play=play, raw_command=raw_command)
        passed.open()
        return Streamed(f"play {answer}\n\n")
    session.think(color, Limits(infinite=True), any_line=True, raw_command=raw_command)
    passed.open()
    return Streamed("\n")


def _writer(
    dialect: analysis.Dialect, session: Session, request: analysis.Request, color: int
) -> Callable[[Report[int]], str]:
    """What makes lines of reports for a color; moves nobody looked at are added where the client wants so many."""
    game = session.game
    writer = analysis.LineWriter(dialect, request, game.width, game.height)
    if not request.min_moves:
        return writer.line

    def line(report: Report[int]) -> str:
        most = min(request.min_moves, request.max_moves)
        return writer.line(policy.filled(report, game, color, most, request.restrictions))

    return line


def analyze(dialect: analysis.Dialect, session: Session, command: Command) -> str:
    # Sabaki's scale is not that of other programs which have a command of that name.
    if dialect != "sabaki" and session.passes_on(command.name):
        return _pass_on(session, command, move=False)
    request = _request(session, command, dialect)
    session.open_stream(command.id)
    if request.interval == 0:
        return Streamed("\n")
    color = session.game.to_move if request.color is None else request.color
    stream = _Stream(session, request.interval, _writer(dialect, session, request, color))
    choice, _ = session.think(
        color,
        Limits(infinite=True, restrictions=tuple(request.restrictions)),
        stream.report,
        any_line=True,
        interval=request.interval,
    )
    if not stream.lines and choice.report is not None:
        stream.write(choice.report)
    return Streamed("\n")


def genmove_analyze(
    dialect: analysis.Dialect, session: Session, command: Command, play: bool = True, cancellable: bool = False
) -> str:
    if dialect != "sabaki" and session.passes_on(command.name):
        return _pass_on(session, command, move=True, play=play)
    request = _request(session, command, dialect)
    session.open_stream(command.id)
    color = session.game.to_move if request.color is None else request.color
    stream = _Stream(session, request.interval, _writer(dialect, session, request, color))
    answer, choice = session.generate(
        color,
        stream.report,
        play=play,
        cancellable=cancellable,
        restrictions=request.restrictions,
        interval=request.interval or NEVER,
    )
    # The last word before the move is the whole search's.
    stream.write(_final(choice))
    return Streamed(f"play {answer}\n\n")


def cgos_genmove_analyze(session: Session, command: Command) -> str:
    request = _request(session, command, "kata")
    game = session.game
    if request.color is None:
        raise GtpError("syntax error: expected a color")
    session.open_stream(command.id)
    line = partial(analysis.cgos_line, width=game.width, height=game.height)
    stream = _Stream(session, request.interval, line)
    answer, choice = session.generate(
        request.color, stream.report, restrictions=request.restrictions, interval=request.interval or NEVER
    )
    stream.write(_final(choice))
    return Streamed(f"play {answer}\n\n")


_ARGUMENTS = "[COLOR] [CENTISECONDS] {KEY VALUE}"
_ABOUT = {
    "lz": "in Leela Zero's format",
    "kata": "in KataGo's format",
    "sabaki": "in Leela Zero's format with a score, as Sabaki reads it",
}

TABLE: Table = {
    "lz-analyze": Entry(partial(analyze, "lz"), _ARGUMENTS, f"Analyse until the next line of input, {_ABOUT['lz']}."),
    "kata-analyze": Entry(partial(analyze, "kata"), _ARGUMENTS, f"Analyse until the next line, {_ABOUT['kata']}."),
    "analyze": Entry(partial(analyze, "sabaki"), _ARGUMENTS, f"Analyse until the next line, {_ABOUT['sabaki']}."),
    "lz-genmove_analyze": Entry(
        partial(genmove_analyze, "lz"), _ARGUMENTS, f"Like genmove, with analysis {_ABOUT['lz']}; ends with 'play X'."
    ),
    "kata-genmove_analyze": Entry(
        partial(genmove_analyze, "kata"),
        _ARGUMENTS,
        f"Like genmove, with analysis {_ABOUT['kata']}; ends with 'play X'.",
    ),
    "genmove_analyze": Entry(
        partial(genmove_analyze, "sabaki"),
        _ARGUMENTS,
        f"Like genmove, with analysis {_ABOUT['sabaki']}; ends with 'play X'.",
    ),
    "kata-search_analyze": Entry(
        partial(genmove_analyze, "kata", play=False),
        _ARGUMENTS,
        "Like kata-genmove_analyze, but the move is not played.",
    ),
    "kata-search_analyze_cancellable": Entry(
        partial(genmove_analyze, "kata", play=False, cancellable=True),
        _ARGUMENTS,
        "Like kata-search_analyze; any line of input ends it with 'play cancelled'.",
    ),
    "cgos-genmove_analyze": Entry(
        cgos_genmove_analyze, "COLOR", "Like genmove, with a JSON object before 'play X' for the CGOS server."
    ),
}
