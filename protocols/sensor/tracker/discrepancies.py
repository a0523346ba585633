"""What is wrong on the board, while it is: told once, with what puts it right, and with the article that applies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import Cleared, Discrepancy, DiscrepancyKind, Event, Remedy, Ruled

if TYPE_CHECKING:
    from protocols.sensor.tracker.tracker import Tracker


class Discrepancies:
    """The discrepancy of the moment, whatever the game."""

    def __init__(self, tracker: Tracker) -> None:
        self.tracker = tracker
        self.ruled = False
        """Whether what is wrong now has been held against somebody."""

    def make(self, kind: DiscrepancyKind, text: str, remedies: Sequence[Remedy]) -> Discrepancy:
        """Trouble with its differences from the nearest way out; the nearest comes first.

        A way that the board already shows comes last: it needs nothing done, and can't be pointed at.
        """
        state = self.tracker.settler.stable
        remedies = sorted(remedies, key=lambda remedy: len(guide.differing(state, remedy.target)) or len(state))
        extra, missing = guide.split(state, remedies[0].target) if remedies else ([], [])
        return Discrepancy(0.0, kind, text, tuple(extra), tuple(missing), tuple(remedies))

    def complain(self, discrepancy: Discrepancy, at: float) -> list[Event]:
        before = self.tracker.discrepancy
        self.tracker.discrepancy = replace(discrepancy, at=at)
        self.tracker.sensors.odd.clear()  # what is wrong is told now
        # A question is not put twice; another is news when its first remedy is another.
        same = before is not None and before.kind == discrepancy.kind and before.asked == discrepancy.asked
        if same and (discrepancy.asked or (before is not None and before.remedies[:1] == discrepancy.remedies[:1])):
            return []
        return [self.tracker.discrepancy, *self.tracker.diagnoser.complained(discrepancy, at)]

    def clear(self, at: float) -> list[Event]:
        if self.tracker.discrepancy is None:
            return []
        self.tracker.discrepancy = None
        return [Cleared(at)]

    @property
    def _dirty(self) -> bool:
        return self.tracker.discrepancy is not None and self.tracker.discrepancy.kind not in (
            "lifted",
            "setup",
            "capture",
            "order",
        )

    def dwell(self, base: float, target: str) -> float:
        """The time for a move: longer while the board is being put right, unless this is a way that was offered."""
        if (
            self._dirty
            and self.tracker.discrepancy is not None
            and all(remedy.target != target for remedy in self.tracker.discrepancy.remedies)
        ):
            return max(base, self.tracker.timing.repair)
        return base

    @property
    def lifted_patience(self) -> float:
        """Seconds after which something that is off the board is told of: sooner where nobody may be thinking."""
        thinking = (
            self.tracker.awaiting
            and self.tracker.rules.mover(self.tracker.rules.plies) in self.tracker.humans
            and not self.tracker.over
        )
        return self.tracker.timing.lifted if thinking else self.tracker.timing.soon

    def rule(self, offence: str, color: int, at: float) -> list[Event]:
        """Ask the referee; nothing where it is friendly, and nothing after the end.

        One thing done wrong is held against a player once, however long it stays wrong.
        """
        verdict = None if self.ruled or self.tracker.over else self.tracker.arbiter.judge(offence, color)
        if verdict is None:
            return []
        self.ruled = True
        loser = color if verdict.lost else None
        if verdict.lost:
            self.tracker.over = True
            self.tracker.replan()
        article = verdict.article
        return [Ruled(at, article.source, color, article.consequence, verdict.warnings, verdict.text, loser)]

    # ------------------------------------------------------------------ words

    def out_of_place(self, state: str, remedies: Sequence[Remedy]) -> str:
        """What is to be done about a board that shows no position that was to be expected, in words."""
        text = self.tell(state, remedies[0].target)
        near = min(remedies, key=lambda remedy: len(guide.differing(state, remedy.target)) or len(state))
        left = guide.differing(state, near.target)
        if near is not remedies[0] and len(left) == 1:
            # A move was made, it seems, and one point keeps it from being seen.
            where = self.tracker.rules.name(left[0])
            text = f"{near.text}: {self.tell(state, near.target)} (if its sensor is wrong: ignore {where}); or {text}"
        ply = self.tracker.options.earlier(state)
        return text if ply is None else f"{text}; or leave it so, to take back to move {ply}"

    def tell(self, state: str, target: str) -> str:
        """What must be done to get from one state to another, in words; at most three steps of it."""
        steps = []
        rules = self.tracker.rules
        state, target, found = self.tracker.interpreter.pairs(state, target)
        for extra, missing in found[:3]:
            if extra is not None and missing is not None:
                steps.append(
                    f"move {rules.thing(state[extra], extra)} from {rules.name(extra)} to {rules.name(missing)}"
                )
            elif extra is not None:
                steps.append(f"take {rules.thing(state[extra], extra)} off {rules.name(extra)}")
            elif missing is not None:
                steps.append(f"put {rules.thing(target[missing], missing)} on {rules.name(missing)}")
        more = len(found) - 3
        return "; ".join(steps) + (f"; and {more} more" if more > 0 else "")
