"""What the clients of UCCI, UCI and CECP have in common: what is asked of an engine, and what it answers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from engines.clock import Clock
from engines.player import Limits, Report
from engines.xiangqi.board import Board
from engines.xiangqi.geometry import RED
from engines.xiangqi.search_stack import MATE
from protocols.xiangqi import coordinates

_START_KEY = Board().key

MOST_MOVES = 400
"""Moves sent from the start of a game; of a longer one the part since the last capture is sent. Some engines keep 1024
at most, and none needs more to see a repetition."""


READY_TIME = 20.0
"""Seconds for ``readyok`` between two searches; a large hash table takes a while to clear."""

DELAY = 0.03
"""Seconds between the beginning of a turn and that of the search that are told to the engine; fewer are noise."""


@dataclass
class SearchRequest:
    """One search. ``allowed``: the only moves to consider (board move numbers), None for all. ``draw``: the opponent
    offers a draw. ``ponder``: the opponent has not made the last move of ``board`` yet. ``since``: when the limits held
    (monotonic clock), None for whenever the search begins.

    What was told of a ``board`` is not told anew when the same object comes again, which was played on since.
    """

    board: Board
    limits: Limits
    allowed: frozenset[int] | None = None
    draw: bool = False
    ponder: bool = False
    since: float | None = None

    def begin(self) -> None:
        """The search begins now: from the clock goes what it took to come this far."""
        limits = self.limits
        if self.since is not None and limits.clock is not None and not limits.infinite:
            spent = time.monotonic() - self.since
            if spent > DELAY:
                self.limits = replace(limits.after(spent), seconds=limits.seconds)

    @property
    def banned(self) -> frozenset[int]:
        """The legal moves not to consider."""
        if self.allowed is None:
            return frozenset()
        return frozenset(self.board.legal_moves()) - self.allowed


class BestMove(NamedTuple):
    """How a search ended. ``text`` is the move in the engine's spelling, "" for none; ``ponder`` likewise.

    ``word``: "resign" or "draw" where it said so, "illegal" where it says that a move we sent is, "claim" where it says
    that the game is over. ``why`` is what it said besides.
    """

    text: str = ""
    ponder: str = ""
    word: str = ""
    why: str = ""


class LastEvaluation(NamedTuple):
    """What an engine thought of its position when it answered: ``score`` in centipawns, None where it did not say."""

    score: float | None = None
    depth: int = 0
    nodes: int = 0

    @staticmethod
    def of(report: Report[int]) -> LastEvaluation:
        """What a report says of the best move."""
        return LastEvaluation(report.candidates[0].score, report.depth, report.nodes)


@dataclass(frozen=True)
class EngineOption:
    """An option that an engine announces; ``kind`` is check, spin, combo, button, string, …"""

    name: str
    kind: str
    default: str = ""
    low: int | None = None
    high: int | None = None
    values: tuple[str, ...] = ()


class EngineClient(Protocol):
    """What the player asks of a client of any of the three protocols; all but ``stop`` from one thread at a time."""

    name: str
    base: int
    options: dict[str, EngineOption]
    answer: BestMove | None
    thought: LastEvaluation
    heard: float
    on_report: Callable[[Report[int]], None]
    on_message: Callable[[str], None]
    can_ponder: bool
    terse: bool
    death: str | None

    def start(self) -> None: ...

    def wait_for(self, done: Callable[[], Any], deadline: float | None) -> bool: ...

    def abort(self) -> None: ...

    def wake(self) -> None: ...

    def catch_up(self) -> None: ...

    def new_game(self) -> None:
        """Tell the engine that a new game begins."""

    def ready(self) -> bool:
        """Wait until the engine has read all that it was told, where it can say so."""

    def go(self, order: SearchRequest) -> None:
        """Begin to think; ``answer`` becomes not None when it has ended."""

    def stop(self) -> None:
        """Ask for the answer now."""

    def ponder_hit(self, limits: Limits, draw: bool) -> None:
        """The move pondered on was played."""

    def set_option(self, option: EngineOption, value: str) -> None:
        """Set an option."""

    def read_move(self, text: str, board: Board) -> int | None:
        """The move that the engine means, None where it can't be read. Legality is not looked at."""


def is_from_start(board: Board) -> bool:
    """Whether an engine is told a game from the start position on."""
    return board.first_key == _START_KEY and board.plies <= MOST_MOVES


def line_of(board: Board, letters: str = "") -> tuple[str | None, list[int]]:
    """A game as an engine is told it: a FEN (None for the start) and the moves from there.

    ``letters`` replaces the letters of horse and elephant ("he" for engines that know no other).
    """
    history = board.history
    if is_from_start(board):
        return None, history
    start = board.copy()
    kept: list[int] = []
    while len(kept) < len(history) and start.halfmove_clock > 0:
        kept.append(start.undo())
    kept.reverse()
    fen = start.fen()
    if letters:
        placement, space, rest = fen.partition(" ")
        fen = placement.translate(str.maketrans("nbNB", letters.lower() + letters.upper())) + space + rest
    return fen, kept


def milliseconds(seconds: float) -> int:
    """Whole milliseconds, never less than one."""
    return max(1, math.floor(1000 * min(seconds, 1e6)))


def both_clocks(limits: Limits) -> tuple[Clock, Clock] | None:
    """The mover's clock and the opponent's (the mover's again where it is not known); None without a clock."""
    own = limits.clock
    if own is None or own.control.kind == "none":
        return None
    other = limits.opponent_clock
    return own, own if other is None or other.control.kind == "none" else other


def mate_score(moves: int) -> int:
    """The score of a mate in so many moves (negative: of being mated), as the search counts; 0: mated already."""
    if moves > 0:
        return MATE - (2 * moves - 1)
    return -(MATE + 2 * moves)


def mate_of_plies(plies: int) -> int:
    """Moves to mate from plies (negative: being mated)."""
    return (plies + 1) // 2 if plies > 0 else -((1 - plies) // 2)


def fits(text: str, base: int, board: Board) -> bool:
    """Whether a move makes sense on the board when ranks are counted from ``base``."""
    raw = coordinates.read(text)
    move = raw.move(base) if raw is not None else None
    return move is not None and board.is_legal(move)


def is_red(board: Board) -> bool:
    """Whether red is to move."""
    return board.turn == RED
