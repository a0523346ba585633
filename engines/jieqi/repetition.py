"""Repetition in jieqi and fanqi: the house's Xiangqi rules, with every face-down piece taken as its point's kind.

A position is what everybody knows: the pieces, which lie face down, those turned down before all eyes, the side to
move. A cycle has no capture and no piece that turns up for the first time, so nothing hidden can change in it.
"""

from __future__ import annotations

from engines.jieqi.board import Board
from engines.jieqi.threats import attack_table, is_kill, judging_board
from engines.xiangqi.repetition import OCCURRENCES, Ground, Span, Verdict, judge_on


def judge(board: Board, rules: str = "axf", times: int = OCCURRENCES, span: Span | None = None) -> Verdict:
    """The verdict on the present position of ``board``, which is not changed; see ``engines.xiangqi.repetition.judge``.

    The pieces of its victims are what they move as there.
    """
    return judge_on(Ground(judging_board(board), board.occurrences(), attack_table, is_kill), rules, times, span)
