"""What asking an engine for a move takes, whoever asks: what it is told of the time, when it is told to stop, and what
its answer means. The daemons ask through ``protocols.xiangqi.engine``, matches through
``protocols.xiangqi.match_player``.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace

from engines.clock import Clock
from engines.player import Limits
from engines.xiangqi.board import Board
from protocols.programs.config import EngineConfig
from protocols.programs.supervisor import EngineHung, patience_before
from protocols.xiangqi.orders import READY_TIME, BestMove, EngineClient

OWN_TIME = 0.02
"""Seconds of each move kept back from the engine for the way between it and the client, until more is known."""

LATE = 0.3
"""Seconds more than ``stop_time`` that an engine gets to answer when it is told to stop at the end of its clock."""

SPILL = 0.1
"""Seconds a move by which an engine may overstep the time it was given before it is told to stop."""

QUIET = 80
"""Plies without a capture from which on an engine that has no move may have reached a natural limit of its own
(ElephantEye: 100)."""

ACCEPT_DRAW = 30
"""Centipawns behind at which a draw is accepted for an engine that can't be offered one (UCI), as for the search."""


def limits_told(limits: Limits, lag: float) -> Limits:
    """The limits that the engine gets to hear: its clock without what the way between it and the client costs."""
    clock = limits.clock
    if clock is None or clock.control.kind == "none":
        return limits
    clock = clock.copy()
    clock.left = left_told(clock, lag)
    return replace(limits, clock=clock)


def left_told(clock: Clock, lag: float) -> float:
    """The seconds of a clock that its engine gets to hear."""
    return max(clock.left - lag, clock.left / 2)


def end_of(limits: Limits, turn: float, begin: float) -> float | None:
    """When an engine is told to stop whose turn began at ``turn``, with these limits, and its search at ``begin``; None
    where only its silence can show that it hangs."""
    end = turn + limits.reach
    if limits.seconds is not None:
        end = min(end, begin + limits.seconds + SPILL)
    return None if end == math.inf else end


def before_search(limits: Limits, spec: EngineConfig, new_game: bool) -> float:
    """Seconds that an engine may take until it searches. A new game may make it clear a large hash table."""
    usual = READY_TIME
    if limits.seconds is not None and not limits.infinite and not new_game:
        usual = min(usual, limits.seconds + SPILL + spec.stop_time + LATE)
    return patience_before(limits, usual)


def stopped(client: EngineClient, spec: EngineConfig, patience: float, silent: bool = False) -> BestMove:
    """End the search and give its answer. Raises EngineHung when it does not come within ``patience`` seconds.

    ``silent``: the engine is stopped because it has said nothing for so long.
    """
    if client.answer is None:
        client.stop()
        if not client.wait_for(lambda: client.answer is not None, time.monotonic() + patience):
            why = "said nothing for so long and " if silent else ""
            raise EngineHung(f"{spec.title} {why}did not stop within {spec.stop_time:g} seconds")
    answer = client.answer
    assert answer is not None
    return answer


def move_in(answer: BestMove, client: EngineClient, spec: EngineConfig, board: Board) -> int | str:
    """The legal move that an answer names; where there is none, a text for the user that says why."""
    if answer.word in ("illegal", "claim"):
        return f"{spec.title}: {answer.why}"
    if not answer.text:
        text = f"{spec.title} has no move, though there are legal ones"
        quiet = board.halfmove_clock
        return f"{text}; {quiet} plies without a capture may be a limit of its own" if quiet >= QUIET else text
    move = client.read_move(answer.text, board)
    if move is None:
        return f"{spec.title} answered '{answer.text[:40]}', which is no move"
    why = board.why_illegal(move)
    return move if why is None else f"{spec.title} wants to play {answer.text}, which is illegal ({why})"


def word_for(score: float | None, draw_offered: bool, resign: int) -> str:
    """ "resign" or "draw", in the name of an engine whose protocol has no words for them, by its own score.

    ``resign``: centipawns behind at which it resigns, 0 for never.
    """
    if score is None:
        return ""
    if draw_offered and score <= -ACCEPT_DRAW:
        return "draw"
    return "resign" if resign and score <= -resign else ""
