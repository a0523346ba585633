"""The piece that was touched and must move (摸子走子), where the referee is strict."""

from __future__ import annotations

from engines.xiangqi.geometry import move_from, square_name
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.tracker.events import Event, Remedy
from protocols.sensor.tracker.tracker import Tracker
from protocols.sensor.tracker.xiangqi.rules import XiangqiRules

TOUCH = 0.5
"""Seconds a piece must have been off its point to count as touched; less is a bump or a bad contact."""


class TouchedPiece:
    """The first piece of one's own that was lifted and put back in this turn."""

    def __init__(self, tracker: Tracker, rules: XiangqiRules) -> None:
        self.tracker = tracker
        self.rules = rules
        self.square: int | None = None
        """Where it stands; None for no such piece."""

    def note(self) -> None:
        """Remember the first piece of one's own that was lifted and put back, where the referee wants to know."""
        mover = self.rules.mover(self.rules.plies)
        if (
            not self.tracker.arbiter.strict
            or self.square is not None
            or mover not in self.tracker.humans
            or self.tracker.executed < self.rules.plies
        ):
            return
        if self.tracker.guiding or not self.tracker.awaiting:
            return  # a position was put up, or nobody is to move
        movable = {move_from(move) for move in self.rules.board.legal_moves() if move not in self.tracker.policy.barred}
        for change in self.tracker.settler.changes:
            if (
                change.after == CLEAR
                and change.point in movable
                and not self.goes_by_itself(change.point)
                and self.tracker.settler.lifts(change.point, TOUCH)
            ):
                self.square = change.point
                return

    def goes_by_itself(self, point: int) -> bool:
        """Whether a piece has gone and come back too often to have been touched."""
        trust = self.tracker.settler.trust
        return point in trust.blind or len(trust.visits(point, CLEAR, self.tracker.now)) > 1

    def refuse(self, at: float) -> list[Event]:
        """Another piece moved than the one that was touched."""
        remedies = [Remedy("back to the position", self.rules.states[-1])]
        discrepancy = self.tracker.discrepancies.make("touched", self.words(), remedies)
        return self.tracker.discrepancies.rule(
            "touched", self.rules.mover(self.rules.plies), at
        ) + self.tracker.discrepancies.complain(discrepancy, at)

    def words(self) -> str:
        assert self.square is not None
        piece = self.rules.thing(self.rules.states[-1][self.square], self.square)
        return f"{piece} on {square_name(self.square)} was touched and must move (摸子走子)"
