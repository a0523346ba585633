"""How UCCI 3.0 words its answers; the server itself is ``protocols.xiangqi.server``."""

from __future__ import annotations

from engines import __version__
from engines.player import Choice, Report
from engines.xiangqi.search_stack import MATE, MATE_BOUND, RULE_BOUND, RULE_WIN
from protocols.xiangqi.coordinates import write_all
from protocols.xiangqi.options import OPTIONS, Option
from protocols.xiangqi.session import Session

MINOR_PIECE = 425
"""Our centipawns of a horse or cannon, which UCCI counts as 100."""

MATE_SCORE = 10000
"""A mate in n plies is this less n."""

RULE_SCORE = 9000
"""A game won by the rules of repetition in n plies is this less n."""


def ucci_score(score: int) -> int:
    """A score of the search on UCCI's scale."""
    size = abs(score)
    if size > MATE_BOUND:
        value = MATE_SCORE - (MATE - size)
    elif size > RULE_BOUND:
        value = RULE_SCORE - (RULE_WIN - size)
    else:
        value = round(size * 100 / MINOR_PIECE)
    return value if score >= 0 else -value


def option_line(option: Option) -> str:
    """The announcement of an option."""
    text = f"option {option.ucci} type {option.kind}"
    if option.kind == "spin":
        text += f" min {option.low} max {option.high}"
    text += "".join(f" var {value}" for value in option.choices())
    if option.kind == "check":
        text += f" default {'true' if option.default else 'false'}"
    elif option.kind != "button":
        text += f" default {option.default}"
    return text + "\n"


class Ucci:
    """The UCCI dialect: see ``protocols.xiangqi.session.Dialect``."""

    name = "ucci"
    counts_from_one = False
    unknown_is_an_error = False

    def hello(self) -> str:
        """Who we are, the options, ``ucciok``."""
        lines = [
            f"id name qiqiao {__version__}\n",
            "id copyright 2026 The qiqiao authors\n",
            "id author The qiqiao authors\n",
            "id user anybody\n",
        ]
        lines += [option_line(option) for option in OPTIONS if option.ucci]
        return "".join(lines) + "ucciok\n"

    def message(self, text: str) -> str:
        """``info message …``."""
        return f"info message {text}\n"

    def unit(self, session: Session) -> float:
        """Milliseconds, or seconds when the client has said so."""
        return 0.001 if session.milliseconds else 1.0

    def score(self, score: int) -> int:
        """A score as this protocol counts."""
        return ucci_score(score)

    def report(self, session: Session, report: Report[int]) -> str:
        """One line for each candidate, in the order that clients parse; ``multipv`` only when there may be several."""
        many = session.player.settings.lines > 1
        rate = int(report.nodes / max(report.seconds, 0.001))
        lines = []
        for number, candidate in enumerate(report.candidates, 1):
            if candidate.extra.get("bound"):
                continue  # UCCI has no word for it
            text = f"info depth {report.depth} score {ucci_score(int(candidate.score or 0))}"
            text += f" time {int(report.seconds * 1000)} nodes {report.nodes} nps {rate}"
            if many:
                text += f" multipv {number}"
            lines.append(f"{text} pv {write_all(candidate.line, session.keeper.base)}\n")
        return "".join(lines)

    def answer(self, session: Session, choice: Choice[int]) -> str:
        """``bestmove``, or ``nobestmove`` when there is no move."""
        if choice.move is None:
            legal = session.keeper.board.legal_moves() if choice.action == "resign" else []
            # The protocol has no resignation without a move to go with it.
            return f"bestmove {session.keeper.write(legal[0])} resign\n" if legal else "nobestmove\n"
        text = f"bestmove {session.keeper.write(choice.move)}"
        if choice.action in ("draw", "resign"):
            return f"{text} {choice.action}\n"
        if choice.ponder is not None:
            text += f" ponder {session.keeper.write(choice.ponder)}"
        return text + "\n"

    def static(self, session: Session, score: int) -> str:
        """The static score, then ``nobestmove``, as the protocol asks for depth 0."""
        return f"info depth 0 score {ucci_score(score)}\nnobestmove\n"

    def idle_stop(self) -> str | None:
        """``nobestmove``: the protocol's tolerance for a stop that comes late."""
        return "nobestmove\n"

    def bye(self) -> str | None:
        """``bye``."""
        return "bye\n"
