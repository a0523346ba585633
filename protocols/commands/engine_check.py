"""Tries an engine out: what it is, what it can, how fast it is, and in plain words what is wrong with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from engines import games
from engines.player import Limits, PlayerError, Report
from protocols.commands.clients import client_class
from protocols.log import SessionLog
from protocols.programs.config import EngineConfig
from protocols.programs.supervisor import EngineError, EngineMissing, Supervisor

THINK = 1.0
"""Seconds that an engine is given for the move that shows its speed."""

DETECT_TIME = 3.0
"""Seconds for each protocol that is tried with an engine of which none is known."""

LINES = (
    "name",
    "protocol",
    "dialect",
    "start",
    "first move",
    "speed",
    "options",
    "problems",
)
"""What a report says, in this order."""


@dataclass
class Findings:
    """What was found out about an engine: texts by the words of ``LINES``; ``ok`` when it can play."""

    spec: EngineConfig
    ok: bool = False
    lines: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def text(self) -> str:
        """The report, a line a fact."""
        known = {**self.lines, "problems": "; ".join(self.problems) or "none"}
        title = self.spec.name or self.spec.command
        shown = [f"  {word + ':':12} {known[word]}" for word in LINES if word in known]
        return "\n".join([f"{title}: {'ok' if self.ok else 'NOT USABLE'}", *shown]) + "\n"


def check(spec: EngineConfig, log: SessionLog | None = None) -> Findings:
    """Start an engine, ask it for a move, and end it."""
    findings = Findings(spec)
    log = log or SessionLog()
    findings.lines["protocol"] = f"{spec.protocol}, to play {games.find(spec.game).titles.english}"
    begin = time.monotonic()
    try:
        _TRIALS[spec.protocol](findings, log, begin)
    except (EngineError, PlayerError) as error:
        findings.problems.append(str(error))
        if isinstance(error, EngineError) and error.introduced:
            findings.lines["name"] = error.introduced
    # The same trouble may be told once more when nothing came of it.
    findings.problems = list(dict.fromkeys(findings.problems))
    return findings


def _check_go(findings: Findings, log: SessionLog, begin: float) -> None:
    from engines.go.game import Game
    from engines.go.points import BLACK
    from engines.go.vertex import format_vertex
    from protocols.gtp.engine import EnginePlayer
    from protocols.gtp.options import Options

    spec = replace(findings.spec, retries=0, trouble="error")
    player = EnginePlayer(spec, Options(), log, findings.problems.append)
    try:
        client = player.client()
        findings.lines["name"] = f"{client.engine_name} {client.version}".strip()
        findings.lines["start"] = f"{time.monotonic() - begin:.2f} s"
        analysis = [name for name in ("kata-analyze", "lz-analyze") if client.has(name)]
        findings.lines["dialect"] = (
            f"{len(client.commands)} commands, analysis by {analysis[0] if analysis else 'none'}"
        )
        for size in (19, 9, 13):
            game = Game(size)
            asked = time.monotonic()
            try:
                choice = player.choose(game, BLACK, Limits())
            except PlayerError as error:
                if "does not play on a board" in str(error):
                    continue  # made for one size
                raise
            move = format_vertex(choice.move, size, size) if choice.move is not None else choice.action
            findings.lines["first move"] = f"{move} on {size}x{size}"
            findings.lines["speed"] = f"{time.monotonic() - asked:.2f} s for the first move"
            findings.ok = True
            break
        else:
            findings.problems.append("it plays on none of 19x19, 13x13 and 9x9")
    finally:
        player.close()


def _check_xiangqi(findings: Findings, log: SessionLog, begin: float) -> None:
    from engines.xiangqi.board import Board
    from engines.xiangqi.geometry import move_name
    from engines.xiangqi.player import Settings
    from protocols.xiangqi.engine import EnginePlayer

    spec = replace(findings.spec, retries=0, trouble="error")
    player = EnginePlayer(spec, Settings(), log, findings.problems.append, make_client=client_class(spec.protocol))
    try:
        client: Any = player.client()
        findings.lines["name"] = client.name
        findings.lines["start"] = f"{time.monotonic() - begin:.2f} s"
        dialect = [f"ranks from {client.base}"]
        if spec.protocol == "ucci":
            dialect.append("times in milliseconds" if client.unit < 1 else "times in seconds")
        findings.lines["dialect"] = ", ".join(dialect)
        findings.lines["options"] = ", ".join(client.options) or "none"
        reports: list[Report[int]] = []
        board = Board()
        asked = time.monotonic()
        choice = player.choose(board, board.turn, Limits(seconds=THINK), reports.append)
        spent = time.monotonic() - asked
        findings.lines["first move"] = move_name(choice.move) if choice.move is not None else choice.action
        nodes = max((report.nodes for report in reports), default=0)
        depth = max((report.depth for report in reports), default=0)
        speed = f", {round(nodes / max(spent, 0.001)):,} nodes a second, depth {depth}" if nodes else ""
        findings.lines["speed"] = f"{spent:.2f} s of {THINK:g} s given{speed}"
        findings.ok = choice.move is not None
    finally:
        player.close()


_TRIALS: dict[str, Callable[[Findings, SessionLog, float], None]] = {
    "gtp": _check_go,
    "ucci": _check_xiangqi,
    "uci": _check_xiangqi,
    "cecp": _check_xiangqi,
}
"""By protocol: what asks a program for a move."""


def detect(
    command: str, directory: str | None = None, tell: Callable[[str], None] = lambda text: None
) -> EngineConfig | None:
    """The first of the protocols that a program answers in; None when it answers in none. Raises EngineError when it
    can't be started."""
    for protocol in ("uci", "ucci", "gtp", "cecp"):
        # The handshake says enough: nothing is found out by searching.
        spec = EngineConfig(
            protocol, command, directory=directory, start_time=DETECT_TIME, rank_base=0, milliseconds=True
        )
        tell(f"trying {protocol} ...")
        keeper: Supervisor[Any] = Supervisor(spec, client_class(protocol), SessionLog(), lambda text: None)
        try:
            client = keeper.client()
            # Without features it may be anything that keeps still.
            if protocol != "cecp" or client.features:
                return EngineConfig(protocol, command, directory=directory)
        except EngineMissing:
            raise
        except EngineError:
            pass  # another protocol then
        finally:
            keeper.close()
    return None
