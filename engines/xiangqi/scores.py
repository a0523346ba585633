"""What the numbers mean that a search ends with: mates, and games that the rules of repetition decide."""

from __future__ import annotations

from engines.xiangqi.search_stack import MATE, MATE_BOUND, RULE_BOUND, RULE_WIN


def mate_moves(score: int) -> int | None:
    """The moves to mate that a score says (negative: being mated); ``None`` for scores that are no mate."""
    if score > MATE_BOUND:
        return (MATE - score + 1) // 2
    if score < -MATE_BOUND:
        return -((MATE + score) // 2)
    return None


def decided_by_rule(score: int) -> bool:
    """Whether a score says that the rules of repetition decide the game."""
    return RULE_BOUND < abs(score) < MATE_BOUND


def told_score(score: int) -> int:
    """A score of the root as callers get it: a loss by rule that counted like a mate becomes what it is.

    Who loses by rule is not mated, but has lost at once, so the root's side must not prefer it to a mate further off:
    see ``SearchStack.soonest``. Being mated takes it an even number of plies, and losing by rule an odd number.
    """
    if score < -MATE_BOUND and (MATE + score) & 1:
        return score + MATE - RULE_WIN
    return score


def rank(score: int) -> int:
    """A score to compare moves by: losing by rule is no better than being mated as soon."""
    return score + RULE_WIN - MATE if -MATE_BOUND < score < -RULE_BOUND else score
