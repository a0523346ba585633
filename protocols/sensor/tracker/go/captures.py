"""How a capture of Go is told from a move, by occupancy or by colour.

One stone has come and others have gone: ``GoCaptures.single`` finds the move that explains it. By occupancy a stone
pushed aside, or the last stone played elsewhere, leaves the same traces: ``doubt`` says when to ask first. Captured
stones may lie on the board for a while: ``pending_at`` knows which, and ``fit`` lets them lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.go.points import EMPTY, PASS, neighbors, opponent
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import FAULT, Change
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import Event, PendingRemovals
from protocols.sensor.tracker.go.rules import GoRules
from protocols.sensor.tracker.tracker import Tracker

PUSHED = 0.08
"""Seconds within which a stone that vanishes and one that appears beside it may be the same one, pushed aside."""


class Single(NamedTuple):
    """One stone that explains a state: what it is, captured stones still there, or why it is illegal."""

    point: int
    left: dict[int, str]
    why: str


class GoCaptures:
    """What has been taken, by the states and by what was seen of the hands."""

    def __init__(self, tracker: Tracker, rules: GoRules) -> None:
        self.tracker = tracker
        self.rules = rules
        self.questioned: int | None = None
        """The point of the stone that people were asked about: has it taken something?"""
        self.forget()

    def forget(self) -> None:
        """Another game has begun."""
        self.pending: dict[int, str] = {}
        """Captured stones that may still lie on the board: what each point shows."""
        self.seen: set[int] = set()
        """Points of moves that wait to be executed and on which something was put since."""

    # ------------------------------------------------------------------ one stone has come

    def single(self, state: str, ply: int, color: int, pending: dict[int, str]) -> Single | None:
        """The one stone of ``color`` that, put down after so many plies, makes this state; None if there is none."""
        target = self.rules.states[ply]
        added, removed, left = [], [], {}
        for point in guide.differing(state, target):
            if target[point] == CLEAR:
                if pending.get(point) == state[point]:
                    left[point] = state[point]
                else:
                    added.append(point)
            elif state[point] == CLEAR:
                removed.append(point)
            else:
                return None
        if len(added) != 1 or state[added[0]] != self.rules.values[color]:
            return None
        point = added[0]
        with self.rules.rewound(ply) as game:
            why = "" if game.is_legal(color, point) else game.board.why_illegal(color, point)
            if why:
                return Single(point, left, why) if not removed else None
            before = game.board.stones()
            game.play_as(color, point)
            after = game.board.stones()
            game.undo()
        taken = {q for q, stone in enumerate(after) if stone == EMPTY and before[q] != EMPTY}
        if not taken.issuperset(removed):
            return None
        left |= {q: target[q] for q in taken if state[q] not in (CLEAR, FAULT)}
        if after[point] == EMPTY:  # suicide, where the rules allow it: the stone itself goes too
            left[point] = state[point]
        return Single(point, left, "")

    def executed_before(self, state: str, found: Single) -> bool:
        """Whether the moves that waited to be executed were: one that was captured at once must have been seen."""
        if self.tracker.executed == self.rules.plies or self.tracker.sensing != "occ":
            return True
        waiting = [point for _, point in self.rules.game.moves[self.tracker.executed :] if point != PASS]
        return all(state[p] != CLEAR or p in self.seen or self.rules.states[-1][p] == CLEAR for p in waiting)

    def doubt(self, state: str, found: Single) -> str:
        """Why a capture may be something else, in words for the question; empty when there is no doubt.

        A board that shows an earlier position with captured stones still there to be taken off may have been put back
        to it. By occupancy, a stone pushed to the next point leaves the same traces as one captured from there, and so
        does the stone just played, played elsewhere, as its capture. Once that has been asked, the answer is the stone
        set again at once, or more of the captured stones taken off.
        """
        where = self.rules.name(found.point)
        gone = [p for p in guide.differing(state, self.rules.states[-1]) if state[p] == CLEAR]
        past = self.tracker.options.earlier(state) is not None or self.coming_back(state)
        if self.questioned == found.point and (past or self.tracker.sensing == "occ"):
            lifted, put = self.tracker.settler.last(found.point, True), self.tracker.settler.last(found.point, False)
            again = (
                lifted is not None
                and put is not None
                and self.tracker.timing.lift <= put - lifted <= self.tracker.timing.take_back
            )
            taken_off = any(self.tracker.settler.last(p, True) is not None for p in gone)
            if again or taken_off:
                return ""
            return f"lift the stone on {where} and set it again, if it has taken a stone"
        if self.coming_back(state):
            return (
                f"if {where} has taken a stone, lift it there and set it again; if not, go on putting the stones back"
            )
        if past and found.left:
            return (
                f"if {where} has taken stones, take them off, or lift it there and set it again; if not, the last move "
                "is taken back"
            )
        if self.tracker.sensing != "occ":
            return ""
        if self.beside(found.point, gone):
            return (
                f"{where} may have taken a stone, or be one that was pushed there: if it has, lift it and set it again"
            )
        ply = self.tracker.last_human
        if (
            not self.tracker.policy.second_thoughts
            or ply is None
            or ply != self.rules.plies - 1
            or self.tracker.executed != self.rules.plies
        ):
            return ""
        old = self.rules.game.board.turn(ply)[1]
        if old == PASS or state[old] != CLEAR:
            return ""
        if self.tracker.options.retractable and any(guide.fits(state, expected) for expected in self.rules.states):
            return f"if {where} has taken a stone, lift it there and set it again; if not, the last move is taken back"
        return (
            f"if {where} has taken a stone, lift it there and set it again; if the last stone was moved there, take it "
            "off for a while first"
        )

    # ------------------------------------------------------------------ what was captured and still lies there

    def on_change(self, changes: Sequence[Change]) -> None:
        waiting = (
            {point for _, point in self.rules.game.moves[self.tracker.executed :]}
            if self.tracker.executed < self.rules.plies
            else set()
        )
        for change in changes:
            if change.point in waiting and change.after != CLEAR:
                self.seen.add(change.point)
            if change.point not in self.pending or change.after == CLEAR:
                if change.point in self.pending:
                    self.tracker.settler.trust.forgive([change.point])
                continue
            lifted = self.tracker.settler.last(change.point, True)
            taken_off = lifted is not None and change.at - lifted >= self.tracker.timing.lift
            if taken_off or change.after != self.pending[change.point]:
                del self.pending[change.point]

    def pending_at(self, ply: int) -> dict[int, str]:
        """What may still lie on points that are empty after so many plies: captured stones."""
        pending = dict(self.pending)
        settler = self.tracker.settler
        for number in range(self.tracker.executed + 1, ply + 1):
            before, after = self.rules.states[number - 1], self.rules.states[number]
            for point in guide.differing(before, after):
                if after[point] == CLEAR:
                    if not settler.lifts(point, self.tracker.timing.lift):
                        pending[point] = before[point]
                else:
                    pending.pop(point, None)
        return pending

    def fit(self, state: str, ply: int, pending: dict[int, str] | None = None) -> dict[int, str] | None:
        """Captured stones still there if the board shows the position after so many plies, else None."""
        target = self.rules.states[ply]
        if guide.fits(state, target):
            return {}
        if pending is None:
            pending = self.pending_at(ply)
        if not pending:
            return None
        left = {}
        for point in guide.differing(state, target):
            if target[point] != CLEAR or pending.get(point) != state[point]:
                return None
            left[point] = state[point]
        return left

    def leave(self, left: dict[int, str], at: float) -> list[Event]:
        before, self.pending = self.pending, left
        return [PendingRemovals(at, tuple(sorted(left)))] if set(left) != set(before) else []

    # ------------------------------------------------------------------ the last stone, elsewhere or going back

    def instead(self, state: str) -> tuple[int, int, Single, bool] | None:
        """The last stone played on the board may have been played elsewhere, the answer not being executed yet.

        Gives the ply, its old point, the stone that explains the board, and whether it is certain that the one was
        carried there: nobody does that at once, but while the board is away all seems to happen at the same moment.
        """
        ply = self.tracker.last_human
        if (
            not self.tracker.options.minds_last
            or self.tracker.over
            or ply is None
            or self.rules.plies - ply > 2
            or self.tracker.executed > ply + 1
        ):
            return None
        color, old = self.rules.game.board.turn(ply)
        if old == PASS:
            return None
        found = self.single(state, ply, color, self.pending)
        if found is None or found.why or found.point == old:
            return None
        if self.tracker.sensing == "occ" and self.rules.plies == ply + 1 and self._answers(state):
            return None  # the other side's stone, perhaps, that has taken the last one
        if (
            self.tracker.sensing == "occ"
            and self.rules.plies > ply + 1
            and found.point == self.rules.game.board.turn(ply + 1)[1]
        ):
            return None  # the answer itself, executed, while the last stone is off the board
        lifted, put = self.tracker.settler.last(old, True), self.tracker.settler.last(found.point, False)
        carried = lifted is None or put is None or put - lifted >= self.tracker.timing.lift
        return ply, old, found, carried

    def _answers(self, state: str) -> bool:
        """Whether the other side's move, made by hand, would make this state."""
        mover = self.rules.mover(self.rules.plies)
        if mover not in self.tracker.humans or not self.tracker.awaiting:
            return False
        found = self.single(state, self.rules.plies, mover, self.pending_at(self.rules.plies))
        return found is not None and not found.why

    def coming_back(self, state: str) -> bool:
        """Whether the last stone is off and those it took are being put back: the position before, some lacking."""
        ply = self.rules.plies - 1
        if not self.tracker.options.retractable or ply < 0 or self.tracker.executed < self.rules.plies:
            return False
        last, before = self.rules.game.board.turn(ply)[1], self.rules.states[ply]
        if last == PASS or state[last] != CLEAR:
            return False
        lacking = guide.differing(state, before)
        taken = [point for point in guide.differing(before, self.rules.states[-1]) if before[point] != CLEAR]
        back = [point for point in taken if state[point] != CLEAR]
        return bool(back) and bool(lacking) and set(lacking) <= set(taken) and all(state[p] == CLEAR for p in lacking)

    # ------------------------------------------------------------------ pushed, or only begun

    def pushed(self, state: str) -> bool:
        """Whether, by occupancy, a stone came to its point as one vanished from the point beside it."""
        if self.tracker.sensing != "occ":
            return False
        expected = self.rules.states[self.tracker.executed]
        changed = guide.differing(state, expected)
        gone = [point for point in changed if state[point] == CLEAR]
        return any(state[point] != CLEAR and self.beside(point, gone) for point in changed)

    def beside(self, point: int, gone: Sequence[int]) -> bool:
        """Whether a stone came to a point at the moment one vanished from a point next to it."""
        put = self.tracker.settler.last(point, False)
        if put is None:
            return False
        near = neighbors(self.tracker.geometry.width, self.tracker.geometry.height)[point]
        times = [self.tracker.settler.last(place, True) for place in gone if place in near]
        return any(time is not None and abs(put - time) < PUSHED for time in times)

    def capture_begun(self, state: str) -> bool:
        """Whether only stones are missing that one legal move would capture."""
        target = self.rules.states[self.rules.plies]
        pending = self.pending_at(self.rules.plies)
        removed = []
        for point in guide.differing(state, target):
            if target[point] == CLEAR:
                if pending.get(point) != state[point]:
                    return False
            elif state[point] == CLEAR:
                removed.append(point)
            else:
                return False
        board, mover = self.rules.game.board, self.rules.mover(self.rules.plies)
        if not removed or any(board.at(point) != opponent(mover) for point in removed):
            return False
        last: set[int] = set()
        for number, point in enumerate(removed):
            if board.liberty_count(point) != 1:
                return False
            free = set(board.liberties(point))
            last = free if number == 0 else last & free
        return any(self.rules.game.is_legal(mover, point) for point in last)
