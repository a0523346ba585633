"""Commands that clients made for KataGo or Leela Zero send besides the analysis: parameters, policy, benchmark."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePath
from typing import Any, NamedTuple

from engines import __version__
from engines.go.levels import MAX_LEVEL
from engines.go.points import PASS, opponent
from engines.player import Candidate, Limits, Report
from protocols.gtp import analysis, arguments, policy
from protocols.gtp.commands_analysis import LOOK, look
from protocols.gtp.framing import Command
from protocols.gtp.players import GtpSpeaker, NetHolder
from protocols.gtp.session import Session
from protocols.gtp.table import Entry, GtpError, Table

NO_LIMIT = 1 << 50
"""KataGo's number for no bound on visits or playouts."""

MOST_PLAYOUTS = 10**9
"""From here on a bound on playouts is none."""

MOST_SHOWN = 20
"""Moves that ``debug_moves`` shows."""

LONGEST_MOVE = 86400.0
"""Seconds a move may be told to take (a day)."""


def _relayed(handler: Callable[[Session, Command], str]) -> Callable[[Session, Command], str]:
    """The command, answered by the player where that is another program which has it."""

    def answer(session: Session, command: Command) -> str:
        player = session.player
        if isinstance(player, GtpSpeaker) and player.understands(command.name):
            return player.relay(session.game, " ".join((command.name, *command.args)))
        return handler(session, command)

    return answer


# --- a move that is not played


def search(session: Session, command: Command, cancellable: bool) -> str:
    color = arguments.color(command.args[0]) if command.args else session.game.to_move
    return session.generate(color, play=False, cancellable=cancellable)[0]


def clear_cache(session: Session, command: Command) -> str:
    session.forget()
    return ""


# --- parameters


class _Parameter(NamedTuple):
    """A parameter of KataGo's: how to read a value, and the option's name and value; how the option is shown.

    ``option`` empty: there is no such thing here, and only the value that means so is taken.
    """

    option: str
    read: Callable[[str], Any]
    show: Callable[[Any], str]


def _bound(text: str) -> int | None:
    value = arguments.number(text, "value")
    if value < 1:
        raise GtpError("value must be 1 or more")
    return None if value >= MOST_PLAYOUTS else int(value)


def _seconds(text: str) -> float:
    value = arguments.number(text, "value")
    if value < 0:
        raise GtpError("value must not be negative")
    return min(max(value, 0.01), LONGEST_MOVE)


def _threads(text: str) -> int:
    value = arguments.integer(text, "value")
    if not 1 <= value <= 256:
        raise GtpError("value must be 1 to 256")
    return value


def _rate(text: str) -> float:
    """KataGo resigns below a win-loss of −1…0 (0.9 sure of a loss: −0.9), here below a win rate."""
    value = arguments.number(text, "value")
    if not -1 <= value <= 0:
        raise GtpError("value must be -1 to 0")
    return (1 + value) / 2


def _nothing(text: str) -> None:
    if arguments.number(text, "value") != 0:
        raise GtpError("there is no such thing in this search: only 0 can be set")


def _limit(value: int | None) -> str:
    return str(NO_LIMIT if value is None else value)


PARAMETERS: dict[str, _Parameter] = {
    "playoutDoublingAdvantage": _Parameter("", _nothing, lambda value: "0"),
    "analysisWideRootNoise": _Parameter("", _nothing, lambda value: "0"),
    "maxVisits": _Parameter("playouts", _bound, _limit),
    "maxPlayouts": _Parameter("playouts", _bound, _limit),
    "maxTime": _Parameter("move_time", _seconds, lambda value: f"{value:g}"),
    "numSearchThreads": _Parameter("threads", _threads, str),
    "resignThreshold": _Parameter("resign", _rate, lambda value: f"{2 * value - 1:g}"),
}
"""KataGo's parameters that have a counterpart here, or that its clients ask for without asking whether they exist."""


def _parameter(name: str) -> _Parameter:
    if name not in PARAMETERS:
        raise GtpError(f"Invalid parameter: {name}")
    return PARAMETERS[name]


def list_params(session: Session, command: Command) -> str:
    return " ".join(PARAMETERS)


def _shown(session: Session, name: str) -> str:
    parameter = _parameter(name)
    return parameter.show(getattr(session.options, parameter.option) if parameter.option else None)


def get_param(session: Session, command: Command) -> str:
    arguments.need(command, 1, "the name of a parameter")
    return _shown(session, command.args[0])


def get_params(session: Session, command: Command) -> str:
    return json.dumps({name: json.loads(_shown(session, name)) for name in PARAMETERS})


def set_param(session: Session, command: Command) -> str:
    arguments.need(command, 2, "the name of a parameter and its value")
    parameter = _parameter(command.args[0])
    value = parameter.read(command.args[1])
    if parameter.option:
        session.set_option(parameter.option, value)
    return ""


# --- policy


def _view(report: Report[int]) -> tuple[float, float]:
    """Win rate and score of the side to choose."""
    rate, score = analysis.root_values(report)
    return rate, score or 0.0


@dataclass(frozen=True)
class _Output:
    """What a net, or what stands in for one, says: from the view of the side to move, by point."""

    policy: dict[int, float]
    passing: float
    winrate: float
    lead: float
    spread: float
    ownership: Sequence[float]


def _without_net(session: Session, color: int) -> _Output:
    """The learned weights' policy and a short search's verdict."""
    game = session.game
    report = look(session, color)
    parts = policy.shares(game, color)
    rate, score = _view(report)
    best = report.candidates[0] if report.candidates else Candidate(PASS)
    spread = float(best.extra.get("score_stdev", 0.0))
    shown = report.ownership if report.ownership is not None else (0.0,) * game.points
    width, top = game.width, game.height - 1
    owned = [shown[(top - point // width) * width + point % width] for point in range(game.points)]
    return _Output(parts, 0.0 if parts else 1.0, rate, score, spread if math.isfinite(spread) else 0.0, owned)


def _outputs(session: Session, color: int, symmetries: Sequence[int]) -> list[_Output]:
    """One for each symmetry."""
    player, found = session.player, []
    for symmetry in symmetries:
        seen = player.glance(session.game, color, symmetry) if isinstance(player, NetHolder) else None
        if seen is None:
            # The symmetry makes no difference to learned patterns, which are the same in all eight.
            return [_without_net(session, color)] * len(symmetries)
        found.append(_Output(seen.policy, seen.passing, seen.winrate, seen.lead, 0.0, seen.ownership))
    return found


def raw_nn(session: Session, command: Command) -> str:
    arguments.need(command, 1, "a symmetry: 0 to 7, or all")
    words = [str(number) for number in range(8)]
    if command.args[0].lower() not in (*words, "all"):
        raise GtpError("syntax error: expected a symmetry, 0 to 7, or all")
    game = session.game
    color = game.to_move
    # KataGo speaks for White here.
    sign = 1 if opponent(color) < color else -1

    def grid(values: list[str]) -> list[str]:
        return [" ".join(values[at : at + game.width]) for at in range(0, len(values), game.width)]

    in_rows = [y * game.width + x for y in reversed(range(game.height)) for x in range(game.width)]
    numbers = range(8) if command.args[0].lower() == "all" else [int(command.args[0])]
    texts = []
    for number, seen in zip(numbers, _outputs(session, color, numbers), strict=True):
        white = seen.winrate if sign > 0 else 1 - seen.winrate
        texts += [
            f"symmetry {number}",
            f"whiteWin {white:.6f}",
            f"whiteLoss {1 - white:.6f}",
            "noResult 0.000000",
            f"whiteLead {sign * seen.lead:.3f}",
            f"whiteScoreSelfplay {sign * seen.lead:.3f}",
            f"whiteScoreSelfplaySq {seen.lead**2 + seen.spread**2:.3f}",
            f"varTimeLeft {analysis.UNKNOWN:.3f}",
            f"shorttermWinlossError {analysis.UNKNOWN:.3f}",
            f"shorttermScoreError {analysis.UNKNOWN:.3f}",
            "policy",
            *grid([f"{seen.policy[point]:8.6f}" if point in seen.policy else "     NAN" for point in in_rows]),
            f"policyPass {seen.passing:8.6f}",
            "whiteOwnership",
            *grid([f"{float(analysis.share(sign * seen.ownership[point])):9.7f}" for point in in_rows]),
        ]
    return "\n".join(texts)


def heatmap(session: Session, command: Command) -> str:
    game = session.game
    color = game.to_move
    seen = _outputs(session, color, [0])[0]
    rows = []
    for y in reversed(range(game.height)):
        rows.append(" ".join(f"{round(1000 * seen.policy.get(y * game.width + x, 0.0)):3}" for x in range(game.width)))
    return "\n" + "\n".join([*rows, f"pass: {round(1000 * seen.passing)}", f"winrate: {seen.winrate:.6f}"])


# --- about the search


def _thinks_by(session: Session) -> str:
    net = session.options.net
    return "learned patterns, no network" if net is None else f"network {PurePath(net).name}"


def get_models(session: Session, command: Command) -> str:
    model = {
        "name": "qiqiao",
        "internalName": f"qiqiao {__version__}: {_thinks_by(session)}",
        "maxBatchSize": 1,
        "usesHumanSLProfile": False,
        "version": 0,
        "usingFP16": "false",
    }
    return json.dumps([model], separators=(",", ":"))


def benchmark(session: Session, command: Command) -> str:
    arguments.need(command, 1, "a number of playouts")
    playouts = arguments.integer(command.args[0], "number of playouts")
    if playouts < 1:
        raise GtpError("the number of playouts must be 1 or more")
    session.forget()
    game, options = session.game, session.options
    # Whatever else bounds a move: here it is this number alone.
    session.player.configure(replace(options, playouts=playouts, level=MAX_LEVEL))
    try:
        begin = time.perf_counter()
        choice, _ = session.think(game.to_move, Limits(nodes=playouts), fresh=True)
        seconds = max(time.perf_counter() - begin, 1e-9)
    finally:
        session.player.configure(options)
    done = choice.report.nodes if choice.report is not None else 0
    return (
        f"{done} playouts on {game.width}x{game.height} in {seconds:.3f} s "
        f"with threads: {session.options.threads}\n{done / seconds:.1f} playouts/s"
    )


def debug_moves(session: Session, command: Command) -> str:
    """What the search knows of the moves, as a table; after the line of moves named."""
    game = session.game
    points = [arguments.vertex(word, game.width, game.height) for word in command.args]
    there, color = game.copy(), game.to_move
    for point in points:
        if not there.is_legal(color, point):
            raise GtpError("Invalid move sequence")
        there.play_as(color, point)
        color = opponent(color)
    if points:
        choice, _ = session.think(color, Limits(seconds=LOOK, nodes=session.limits(color).nodes), game=there)
        report = choice.report or Report()
    else:
        report = look(session, color)
    lines = [f"{report.nodes} playouts"]
    for candidate in report.candidates[:MOST_SHOWN]:
        score = analysis.score_of(candidate)
        lines.append(
            f"{session.vertex(candidate.move):4} visits {candidate.visits:7} winrate {analysis.winrate(candidate):.4f}"
            + (f" score {score:+7.2f}" if score is not None else "")
            + f" prior {candidate.prior:.4f} pv {session.vertices(candidate.line or (candidate.move,))}"
        )
    return "\n".join(lines)


TABLE: Table = {
    "kata-search": Entry(partial(search, cancellable=False), "[COLOR]", "Like genmove, but the move is not played."),
    "kata-search_cancellable": Entry(
        partial(search, cancellable=True), "[COLOR]", "Like kata-search; any line of input ends it with 'cancelled'."
    ),
    "clear_cache": Entry(_relayed(clear_cache), "", "Forget what has been thought."),
    "kata-list-params": Entry(_relayed(list_params), "", "The names that kata-get-param takes."),
    "kata-get-param": Entry(_relayed(get_param), "NAME", "A parameter's value, by KataGo's name."),
    "kata-set-param": Entry(_relayed(set_param), "NAME VALUE", "A new value for a parameter, by KataGo's name."),
    "kata-get-params": Entry(_relayed(get_params), "", "All parameters as JSON."),
    "kata-raw-nn": Entry(
        _relayed(raw_nn), "0-7|all", "What is thought of every move before any search, and a short search's verdict."
    ),
    "heatmap": Entry(
        _relayed(heatmap), "", "The same policy in thousandths, rows from the top, as Leela Zero shows it."
    ),
    "kata-get-models": Entry(_relayed(get_models), "", "What stands in for KataGo's networks, as JSON."),
    "kata-benchmark": Entry(_relayed(benchmark), "PLAYOUTS", "Think so many playouts about the position; how fast."),
    "benchmark": Entry(_relayed(benchmark), "PLAYOUTS", "The same as kata-benchmark."),
    "debug_moves": Entry(_relayed(debug_moves), "[VERTEX ...]", "What the search knows of the moves, after these."),
}
