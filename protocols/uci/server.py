"""How UCI words its answers, as Pikafish and Fairy-Stockfish speak it for Xiangqi; the server itself is
``protocols.xiangqi.server``.
"""

from __future__ import annotations

from math import exp

from engines import __version__
from engines.player import Candidate, Choice, Report
from protocols.xiangqi.coordinates import write_all
from protocols.xiangqi.options import OPTIONS, Option
from protocols.xiangqi.session import Session

WIN_AT = 220.0
"""Centipawns at which a game is as likely won as not."""

WIN_SPREAD = 90.0
"""Centipawns of the logistic curve's slope."""


def win_draw_loss(score: float) -> tuple[int, int, int]:
    """Expected wins, draws and losses of a thousand games, from a score in centipawns: a rough model."""
    score = max(-4000.0, min(4000.0, score))
    win = round(1000 / (1 + exp((WIN_AT - score) / WIN_SPREAD)))
    loss = round(1000 / (1 + exp((WIN_AT + score) / WIN_SPREAD)))
    return win, 1000 - win - loss, loss


def option_line(option: Option) -> str:
    """The announcement of an option."""
    text = f"option name {option.uci} type {option.kind}"
    default = option.default if option.uci_default is None else option.uci_default
    if option.kind == "check":
        text += f" default {'true' if option.default else 'false'}"
    elif option.kind != "button":
        text += f" default {default}"
    if option.kind == "spin":
        text += f" min {option.low} max {option.high}"
    text += "".join(f" var {value}" for value in option.choices(uci=True))
    return text + "\n"


def score_text(candidate: Candidate[int]) -> str:
    """``cp N`` or ``mate N``, and whether that is a bound; a game decided by the rules of repetition is a very high
    ``cp``.
    """
    text = f"mate {candidate.mate}" if candidate.mate is not None else f"cp {int(candidate.score or 0)}"
    bound = candidate.extra.get("bound")
    return f"{text} {bound}bound" if bound else text


class Uci:
    """The UCI dialect: see ``protocols.xiangqi.session.Dialect``."""

    name = "uci"
    counts_from_one = True
    unknown_is_an_error = True

    def hello(self) -> str:
        """Who we are, the options, ``uciok``."""
        lines = [f"id name qiqiao {__version__}\n", "id author The qiqiao authors\n"]
        lines += [option_line(option) for option in OPTIONS if option.uci]
        return "".join(lines) + "uciok\n"

    def message(self, text: str) -> str:
        """``info string …``."""
        return f"info string {text}\n"

    def unit(self, session: Session) -> float:
        """Milliseconds, always."""
        return 0.001

    def score(self, score: int) -> int:
        """A score as this protocol counts."""
        return score

    def report(self, session: Session, report: Report[int]) -> str:
        """One line for each candidate."""
        rate = int(report.nodes / max(report.seconds, 0.001))
        lines = []
        for number, candidate in enumerate(report.candidates, 1):
            text = (
                f"info depth {report.depth} seldepth {report.seldepth} multipv {number} score {score_text(candidate)}"
            )
            if session.show_wdl:
                text += " wdl {} {} {}".format(*win_draw_loss(candidate.score or 0))
            text += f" nodes {report.nodes} nps {rate} hashfull {report.hashfull} time {int(report.seconds * 1000)}"
            lines.append(f"{text} pv {write_all(candidate.line, session.keeper.base)}\n")
        return "".join(lines)

    def answer(self, session: Session, choice: Choice[int]) -> str:
        """``bestmove``; without any move ``(none)``, after a line that says who is mated."""
        if choice.move is None:
            lost = ""
            if choice.action == "none" and session.unread is None and not session.banned:
                lost = "" if session.keeper.board.legal_moves() else "info depth 0 score mate 0\n"
            return f"{lost}bestmove (none)\n"
        text = f"bestmove {session.keeper.write(choice.move)}"
        if choice.ponder is not None:
            text += f" ponder {session.keeper.write(choice.ponder)}"
        return text + "\n"

    def static(self, session: Session, score: int) -> str:
        """Not asked for in UCI; in UCCI's manner with this protocol's words."""
        return f"info depth 0 score cp {score}\nbestmove (none)\n"

    def idle_stop(self) -> str | None:
        """Nothing."""
        return None

    def bye(self) -> str | None:
        """Nothing."""
        return None
