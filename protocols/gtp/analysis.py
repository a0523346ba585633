"""What the analysis commands ask for, and the lines they answer with.

Three dialects. "lz" is Leela Zero's: win rates are integers, 10000 for a sure win. "kata" is KataGo's: floats, always
with a decimal point, and scores. "sabaki" is for Sabaki's commands, ``analyze`` and ``genmove_analyze``: since 0.60 it
divides by 100 whatever comes from a command that does not begin with ``kata``, before that it went by the decimal
point; integers of 10000 with a score are read rightly by all its versions. It shows the highest win rate of all
candidates as the position's, so moves of a handful of visits are kept from it. All values are from the view of the
side that is to choose. In each segment ``pv`` comes last unless the client asked for more behind it: Sabaki reads moves
to the end of the segment, and the client of CGOS reads them up to the next ``info``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from engines.go.vertex import format_vertex
from engines.player import Candidate, Report, Restriction
from protocols.gtp import arguments
from protocols.gtp.table import GtpError

Dialect = Literal["lz", "kata", "sabaki"]

FEW_VISITS = 10
"""Visits, and the part of the best move's, …"""

FEW_PART = 0.02
"""… below which a move's win rate says too little for a client that takes the highest of all, …"""

HIGH_PART = 0.25
"""… and the part it needs to be believed when it promises more than the best move does."""

UNKNOWN = -1.0
"""KataGo's word for a figure of its network that the network does not have."""

LARGEST_SCORE = 1e7
"""Points beyond which a score is no score: komi may be a million (``engines.go.game.MAX_KOMI``), boards are smaller."""

DEFAULT_INTERVAL = 1.0
"""Seconds between two lines when the client names no interval."""

LONGEST_INTERVAL = 1e9
"""Centiseconds: more is taken as that much."""

_KATA_SWITCHES = {
    "rootinfo": "root_info",
    "ownership": "ownership",
    "ownershipstdev": "ownership_stdev",
    "movesownership": "moves_ownership",
    "movesownershipstdev": "moves_ownership_stdev",
    "pvvisits": "pv_visits",
    "pvedgevisits": "pv_edge_visits",
    "noresultvalue": "no_result",
}


@dataclass
class Request:
    """The arguments of an analysis command.

    ``color`` to analyse for, None for whoever is to move. ``interval`` in seconds between lines; 0 asks for none at
    all (as with Pachi it ends an analysis). ``min_moves``, ``max_moves``: how many candidates a line has at least
    (moves without a visit make it full) and at most. The switches add what their names say to KataGo's lines; those
    about single moves' ownership where the player keeps one map a move.
    """

    color: int | None = None
    interval: float = DEFAULT_INTERVAL
    min_moves: int = 0
    max_moves: int = 1 << 30
    restrictions: list[Restriction] = field(default_factory=list)
    root_info: bool = False
    ownership: bool = False
    ownership_stdev: bool = False
    moves_ownership: bool = False
    moves_ownership_stdev: bool = False
    pv_visits: bool = False
    pv_edge_visits: bool = False
    no_result: bool = False


def parse_request(args: tuple[str, ...], dialect: Dialect, width: int, height: int) -> Request:
    """Read ``[color] [interval] {key value}``; colour and interval in either order, both optional.

    Raises GtpError with Leela Zero's words for anything it does not know.
    """
    request = Request()
    words = list(args)
    plain = 0
    while words and plain < 2:
        if arguments.is_color(words[0]) and request.color is None:
            request.color = arguments.color(words.pop(0))
        elif _is_number(words[0]):
            request.interval = _interval(words.pop(0))
        else:
            break
        plain += 1
    while words:
        key = words.pop(0).lower()
        if arguments.is_color(key) and request.color is None:
            request.color = arguments.color(key)
        elif key in ("avoid", "allow"):
            _add_restriction(request.restrictions, _restriction(key, words, width, height))
        elif not words:
            raise GtpError(f"cannot parse analyze tags: no value for {key}")
        elif key == "interval":
            request.interval = _interval(words.pop(0))
        elif key == "minmoves":
            request.min_moves = _count(words.pop(0))
        elif key == "maxmoves":
            request.max_moves = max(1, _count(words.pop(0)))
        elif dialect != "lz" and key in _KATA_SWITCHES:
            setattr(request, _KATA_SWITCHES[key], arguments.boolean(words.pop(0), key))
        else:
            raise GtpError(f"cannot parse analyze tags: {key}")
    return request


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _interval(text: str) -> float:
    """Centiseconds to seconds."""
    value = arguments.number(text, "interval")
    if value < 0:
        raise GtpError("cannot parse analyze tags: negative interval")
    return min(value, LONGEST_INTERVAL) / 100


def _count(text: str) -> int:
    try:
        return arguments.integer(text, "count")
    except GtpError:
        raise GtpError(f"cannot parse analyze tags: {text}") from None


def _restriction(key: str, words: list[str], width: int, height: int) -> Restriction:
    """``COLOR VERTEX,VERTEX… DEPTH``; the words used are taken off the list."""
    if len(words) < 3:
        raise GtpError(f"cannot parse analyze tags: {key} needs a color, vertices and a depth")
    color = arguments.color(words.pop(0))
    points = frozenset(arguments.vertex(text, width, height) for text in words.pop(0).split(",") if text)
    depth = _count(words.pop(0))
    if depth < 1:
        raise GtpError("cannot parse analyze tags: depth must be at least 1")
    return Restriction(color, points, depth, key == "allow")


def _add_restriction(restrictions: list[Restriction], new: Restriction) -> None:
    """Add one to the list; what is allowed twice over is allowed by either, as Leela Zero has it."""
    for index, old in enumerate(restrictions):
        if old.allow and new.allow and old.color == new.color:
            restrictions[index] = replace(old, moves=old.moves | new.moves, depth=max(old.depth, new.depth))
            return
    restrictions.append(new)


class LineWriter:
    """Writes reports as lines of analysis for a board of ``width`` × ``height``."""

    def __init__(self, dialect: Dialect, request: Request, width: int, height: int) -> None:
        self._dialect = dialect
        self._request = request
        self._width = width
        self._height = height

    def line(self, report: Report[int]) -> str:
        """One line without its end; "" when the report has no candidate."""
        parts = []
        for order, candidate in enumerate(self._chosen(report)):
            parts += self._kata(candidate, order) if self._dialect == "kata" else self._lz(candidate, order)
        if not parts:
            return ""
        if self._request.root_info:
            parts += self._root(report)
        if report.ownership is not None:
            if self._request.ownership:
                parts += ["ownership", *map(share, report.ownership)]
            if self._request.ownership_stdev:
                parts += ["ownershipStdev", *map(_spread, report.ownership)]
        return " ".join(parts)

    def _chosen(self, report: Report[int]) -> list[Candidate[int]]:
        """The candidates to show: those looked at, and more if the client wants a least number."""
        most = self._request.max_moves
        shown = report.candidates
        # Most visited first, but for a player of another mind: what counts is not where they stand.
        chosen = [candidate for candidate in shown if self._is_worth(candidate, shown)] or list(shown[:1])
        if len(chosen) < self._request.min_moves:
            others = [candidate for candidate in shown if candidate not in chosen]
            chosen += others[: self._request.min_moves - len(chosen)]
        return chosen[:most]

    def _is_worth(self, candidate: Candidate[int], among: Sequence[Candidate[int]]) -> bool:
        """Whether a candidate has been looked at; for Sabaki, enough for its win rate to be believed."""
        if self._dialect != "sabaki":
            return candidate.visits > 0
        best = max(among, key=lambda one: one.visits)
        score, best_score = score_of(candidate), score_of(best)
        more = winrate(candidate) > winrate(best)
        more = more or (score is not None and best_score is not None and score > best_score)
        part = HIGH_PART if more else FEW_PART
        return candidate.visits >= FEW_VISITS and candidate.visits >= part * best.visits

    def _vertex(self, point: int) -> str:
        return format_vertex(point, self._width, self._height)

    def _line_of(self, candidate: Candidate[int]) -> list[str]:
        return [self._vertex(point) for point in candidate.line or (candidate.move,)]

    def _lz(self, candidate: Candidate[int], order: int) -> list[str]:
        return [
            "info",
            *("move", self._vertex(candidate.move)),
            *("visits", str(candidate.visits)),
            *("winrate", _per_10000(winrate(candidate))),
            *(_scores(score_of(candidate), candidate.extra) if self._dialect == "sabaki" else ()),
            *("prior", _per_10000(candidate.prior)),
            *("lcb", _per_10000(lower_bound(candidate))),
            *("order", str(order)),
            "pv",
            *self._line_of(candidate),
        ]

    def _kata(self, candidate: Candidate[int], order: int) -> list[str]:
        rate, bound = winrate(candidate), lower_bound(candidate)
        moves = self._line_of(candidate)
        parts = [
            "info",
            *("move", self._vertex(candidate.move)),
            *("visits", str(candidate.visits)),
            *("edgeVisits", str(candidate.visits)),
            *("utility", _float(2 * rate - 1)),
            *("winrate", _float(rate)),
            *_scores(score_of(candidate), candidate.extra),
            *(("noResultValue", _float(0.0)) if self._request.no_result else ()),
            *("prior", _float(candidate.prior)),
            *("lcb", _float(bound)),
            *("utilityLcb", _float(2 * bound - 1)),
            *("weight", _float(candidate.visits)),
            *("order", str(order)),
            "pv",
            *moves,
        ]
        visits = [str(count) for count in candidate.extra.get("pv_visits", ())][: len(moves)]
        if visits and self._request.pv_visits:
            parts += ["pvVisits", *visits]
        if visits and self._request.pv_edge_visits:
            parts += ["pvEdgeVisits", *visits]
        by_move = candidate.extra.get("ownership")
        if by_move is not None and (self._request.moves_ownership or self._request.moves_ownership_stdev):
            means = by_move()
            if self._request.moves_ownership:
                parts += ["movesOwnership", *map(share, means)]
            if self._request.moves_ownership_stdev:
                parts += ["movesOwnershipStdev", *map(_spread, means)]
        return parts

    def _root(self, report: Report[int]) -> list[str]:
        rate, score = root_values(report)
        visits = max(report.nodes, sum(candidate.visits for candidate in report.candidates))
        if self._dialect == "sabaki":
            scores = _scores(score, report.candidates[0].extra)
            return ["rootInfo", *("visits", str(visits)), *("winrate", _per_10000(rate)), *scores]
        return [
            "rootInfo",
            *("visits", str(visits)),
            *("utility", _float(2 * rate - 1)),
            *("winrate", _float(rate)),
            *_scores(score, report.candidates[0].extra),
            *("weight", _float(visits)),
            # What KataGo's network expects of itself; as a network that has no such output says it.
            *("rawStWrError", _float(UNKNOWN)),
            *("rawStScoreError", _float(UNKNOWN)),
            *("rawVarTimeLeft", _float(UNKNOWN)),
        ]


def _scores(score: float | None, extra: dict[str, Any]) -> list[str]:
    """KataGo's four scores; none when the player does not judge by points. It has one estimate, so three are
    equal.
    """
    if score is None:
        return []
    text = _float(score)
    return [
        *("scoreMean", text),
        *("scoreStdev", _float(extra.get("score_stdev", 0.0))),
        *("scoreLead", text),
        *("scoreSelfplay", text),
    ]


def winrate(candidate: Candidate[int]) -> float:
    """The candidate's win rate, even chances when it has none yet."""
    return 0.5 if candidate.winrate is None else _between(0.0, candidate.winrate, 1.0, 0.5)


def score_of(candidate: Candidate[int]) -> float | None:
    """The candidate's score in points; None when it has none that is a number."""
    return None if candidate.score is None or not abs(candidate.score) <= LARGEST_SCORE else candidate.score


def _between(low: float, value: float, high: float, otherwise: float) -> float:
    """The value kept between two bounds; ``otherwise`` for what is no number."""
    return otherwise if math.isnan(value) else min(high, max(low, value))


def lower_bound(candidate: Candidate[int]) -> float:
    """The lower end of the win rate's confidence interval: the player's own, or a normal approximation (2 σ)."""
    if "lcb" in candidate.extra:
        return _between(0.0, float(candidate.extra["lcb"]), 1.0, 0.0)
    rate, visits = winrate(candidate), candidate.visits
    if visits < 1:
        return 0.0
    # One added win and loss keep a run of wins from looking certain.
    smooth = (rate * visits + 1) / (visits + 2)
    return max(0.0, rate - 2 * math.sqrt(smooth * (1 - smooth) / visits))


def root_values(report: Report[int]) -> tuple[float, float | None]:
    """Win rate and score of the position: the candidates' means by visits (the best one's where none was visited, even
    chances and no score where there is none at all).
    """
    if not report.candidates:
        return 0.5, None
    visited = [candidate for candidate in report.candidates if candidate.visits > 0] or [
        replace(report.candidates[0], visits=1)
    ]
    total = sum(candidate.visits for candidate in visited)
    rate = sum(winrate(candidate) * candidate.visits for candidate in visited) / total
    scores = [score for candidate in visited if (score := score_of(candidate)) is not None]
    if len(scores) < len(visited):
        return rate, None
    return rate, sum(score * candidate.visits for score, candidate in zip(scores, visited, strict=True)) / total


def _float(value: float) -> str:
    """Six decimals at most, always with a decimal point, never with an exponent; what is no number is 0."""
    text = f"{_between(-LARGEST_SCORE, value, LARGEST_SCORE, 0.0):.6f}".rstrip("0")
    text = text + "0" if text.endswith(".") else text
    return "0.0" if text == "-0.0" else text


def share(value: float) -> str:
    """Ownership, −1…1: three decimals say all there is."""
    text = f"{_between(-1.0, value, 1.0, 0.0):.3f}"
    return "0.000" if text == "-0.000" else text


def _spread(mean: float) -> str:
    """A point ends as one side's or the other's: the spread follows from the mean."""
    mean = _between(-1.0, mean, 1.0, 0.0)
    return share(math.sqrt(1 - mean * mean))


def _per_10000(value: float) -> str:
    return str(round(10000 * _between(0.0, value, 1.0, 0.0)))


_CGOS_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def cgos_line(report: Report[int], width: int, height: int, most: int = 10) -> str:
    """One JSON object for ``cgos-genmove_analyze``, as the CGOS viewer reads it; "" when the report has no candidate.

    ``ownership`` has one letter a point from the top left: A for the opponent's, ``+`` (the 63rd) for ours, by the
    encoding of the CGOS client. ``pv`` begins after the candidate's own move.
    """
    import json

    if not report.candidates:
        return ""
    moves = []
    for candidate in [c for c in report.candidates if c.visits > 0][:most] or report.candidates[:1]:
        entry: dict[str, Any] = {
            "move": format_vertex(candidate.move, width, height),
            "winrate": round(winrate(candidate), 6),
            "prior": round(_between(0.0, candidate.prior, 1.0, 0.0), 6),
            "visits": candidate.visits,
            "pv": " ".join(format_vertex(point, width, height) for point in candidate.line[1:]),
        }
        if (points := score_of(candidate)) is not None:
            entry["score"] = round(points, 4)
        moves.append(entry)
    rate, score = root_values(report)
    result: dict[str, Any] = {"winrate": round(rate, 6)}
    if score is not None:
        result["score"] = round(score, 4)
    result["visits"] = report.nodes
    result["moves"] = moves
    if report.ownership is not None:
        result["ownership"] = "".join(
            _CGOS_LETTERS[round(31 * (1 + _between(-1.0, mean, 1.0, 0.0)))] for mean in report.ownership
        )
    result["comment"] = f"{report.nodes} playouts, {report.seconds:.1f} s"
    return json.dumps(result, separators=(",", ":"))
