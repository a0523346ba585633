"""What the learned weights think of every move before any search, and the commands that show it.

KataGo's ``kata-raw-nn`` and Leela Zero's ``heatmap`` show the output of a network that has not searched. Where there
is no network, the policy is each move's share by the weights that give the search its priors, and what a network says
of the outcome is taken from a short search.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.go.game import Game
from engines.go.points import PASS
from engines.player import Candidate, Report, Restriction
from protocols.gtp import analysis


def shares(game: Game, color: int) -> dict[int, float]:
    """Each legal point's share, 0…1; all together 1 (where there is any)."""
    from engines.go.priors import Priors  # start-up does without

    found = {}
    for point, *_, part in Priors().features(game.board, color):
        if part > 0 and game.is_legal(color, point):
            found[point] = part
    total = sum(found.values())
    return {point: part / total for point, part in found.items()}


def filled(
    report: Report[int], game: Game, color: int, least: int, restrictions: Sequence[Restriction] = ()
) -> Report[int]:
    """The report with moves that nobody has looked at after the others, likeliest first, so that it has ``least`` moves
    if there are as many. They have no visit, and the position's own win rate and score.
    """
    if not report.candidates or len(report.candidates) >= least:
        return report
    known = {candidate.move for candidate in report.candidates}
    rules = [rule for rule in restrictions if rule.color == color]
    parts = shares(game, color)
    legal = [point for point in range(game.points) if game.is_legal(color, point)]
    others = [point for point in (*sorted(legal, key=lambda point: -parts.get(point, 0.0)), PASS) if point not in known]
    others = [point for point in others if not any(rule.bars(point) for rule in rules)]
    rate, score = analysis.root_values(report)
    more = [
        Candidate(point, (point,), winrate=rate, score=score, prior=parts.get(point, 0.0), extra={"lcb": 0.0})
        for point in others[: least - len(known)]
    ]
    return Report((*report.candidates, *more), report.seconds, report.nodes, report.depth, ownership=report.ownership)
