"""How a capture of Xiangqi is told from a move, by occupancy above all.

Where a piece takes another, its point shows the same before and after: ``XiangqiCaptures.unproven`` names the moves for
whose end nothing has been seen; people are asked about these. ``in_order`` tells a reply
from a piece knocked over.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from engines.xiangqi.geometry import move_from, move_to
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import FAULT, Change
from protocols.sensor.tracker.tracker import Tracker
from protocols.sensor.tracker.xiangqi.rules import XiangqiRules, after, fitting

WOBBLE = 0.5
"""Seconds after it was set down within which a piece may be lifted for a moment by the hand that set it down."""

PUSHED = 0.08
"""Seconds within which a piece that vanishes and one that appears beside it may be the same one, pushed aside."""


class XiangqiCaptures:
    """What has been taken, by the states and by what was seen of the hands."""

    def __init__(self, tracker: Tracker, rules: XiangqiRules) -> None:
        self.tracker = tracker
        self.rules = rules
        self.forget()

    def forget(self) -> None:
        """Another game has begun."""
        self.answering = False
        """Whether people were asked if something was taken: what is lifted from then on is the answer."""
        self.weak: set[int] = set()
        """Points whose pieces drop out by themselves: their going proves nothing."""

    # ------------------------------------------------------------------ moves that make a state

    def playable(self, state: str) -> list[int]:
        """The moves that may be made now and that make this state."""
        return [
            move
            for move in fitting(state, self.rules.board, self.rules.states[-1])
            if move not in self.tracker.policy.barred
        ]

    def thoughts(self, state: str) -> list[int]:
        """Other moves of the piece moved last on the board, the answer not being executed yet, that make this state."""
        ply = self.tracker.last_human
        if (
            ply is None
            or self.rules.plies - ply > 2
            or self.tracker.executed > ply + 1
            or not self.tracker.options.minds_last
            or self.tracker.over
        ):
            return []
        old = self.rules.board.history[ply]
        return [
            move
            for move in fitting(state, self.rules.rewound(ply), self.rules.states[ply])
            if move != old and move_from(move) == move_from(old)
        ]

    # ------------------------------------------------------------------ evidence

    def unproven(self, line: Sequence[int]) -> list[int]:
        """The moves among these, played on from what stands on the board, for whose end there is no evidence.

        A capture leaves no trace where its point shows the same as before: always by occupancy, and so does a point
        that was left and filled again; and what was moved and taken between two stable states may as well be in the
        hand. There what stood on the point must have been seen to go, and the other piece to come after it had left
        its own point. Once that has been asked, lifting the last piece and setting it down again is answer enough.
        """
        before = expected = self.rules.states[self.tracker.executed]
        gone: dict[int, int] = {}
        reached: set[int] = set()
        trodden: set[int] = set()
        ends: list[tuple[int, bool]] = []
        for move in line:
            origin, target = move_from(move), move_to(move)
            gone[origin] = gone.get(origin, 0) + 1
            if expected[target] != CLEAR:
                gone[target] = gone.get(target, 0) + 1
            ends.append((move, expected[target] != CLEAR and target in reached))
            reached.add(target)
            expected = after(expected, move)
        for move, new_taken in ends:
            target = move_to(move)
            if expected[target] != CLEAR and (new_taken or expected[target] == before[target]):
                trodden.add(target)
        doubtful = [move for move, _ in ends if move_to(move) in trodden]
        if self.answering and doubtful:
            last = move_to(doubtful[-1])
            return (
                []
                if self.tracker.settler.lifts(last, self.tracker.timing.lift) and self._stable_at(last)
                else doubtful[-1:]
            )
        missing = []
        for move in doubtful:
            origin, target = move_from(move), move_to(move)
            put, left = self.tracker.settler.last(target, False), self.tracker.settler.last(origin, True)
            if (
                target in self.weak
                or len(self.tracker.settler.trust.visits(target, CLEAR, self.tracker.now)) > 1
                or self.tracker.settler.lifts(target, self.tracker.timing.lift) < gone.get(target, 0)
                or put is None
                or (left is not None and left > put)
            ):
                missing.append(move)
        return missing

    def in_order(self, line: Sequence[int], crossing: bool = False) -> bool:
        """Whether the pieces came to their points one after the other, as the moves have it.

        A piece knocked over while another one is carried is there before that one, though it may look like the answer
        to it. ``crossing``: by occupancy only the order tells which piece went where; there the second must leave after
        the first has come.
        """
        for first, second in pairwise(line):
            came, then = (
                self.tracker.settler.last(move_to(first), False),
                self.tracker.settler.last(move_to(second), False),
            )
            if came is None or then is None or move_to(first) == move_to(second):
                continue
            if then - came < PUSHED:
                return False
            left = self.tracker.settler.last(move_from(second), True)
            if crossing and self.tracker.sensing == "occ" and (left is None or left - came < PUSHED):
                return False
        return True

    def taken_by(self, move: int) -> bool:
        """Whether a second thought that, by occupancy, ends where something stood before has been seen to take it."""
        assert self.tracker.last_human is not None
        target, left = move_to(move), move_to(self.rules.board.history[self.tracker.last_human])
        settler = self.tracker.settler
        if self.tracker.sensing != "occ" or self.rules.states[self.tracker.last_human][target] == CLEAR:
            return True
        put, gone = settler.last(target, False), settler.last(left, True)
        if target in self.weak or put is None or not settler.lifts(target, self.tracker.timing.lift):
            return False
        return self.answering or (gone is not None and gone <= put)

    def _stable_at(self, square: int) -> bool:
        return self.tracker.settler.stable[square] not in (CLEAR, FAULT)

    # ------------------------------------------------------------------ pieces that nobody carried

    def on_change(self, changes: Sequence[Change]) -> None:
        """Notice pieces that drop out by themselves: their going proves nothing."""
        if self.tracker.sensing != "occ":
            return
        for change in changes:
            if change.after == CLEAR:
                continue
            times = [
                other.at
                for other in self.tracker.settler.changes
                if other.point == change.point and other.at < change.at
            ]
            # Set down, lifted and set down again within this time is a wobbling hand, the first time not.
            if (
                times
                and change.at - times[-1] < self.tracker.timing.lift
                and (len(times) == 1 or times[-1] - times[-2] > WOBBLE)
            ):
                self.weak.add(change.point)

    def pushed(self, move: int) -> None:
        """A move was played."""
        origin, target = move_from(move), move_to(move)
        self.weak.discard(target)
        if origin in self.weak:  # it is the piece that is weak, not the point
            self.weak.discard(origin)
            self.weak.add(target)

    def knocked(self) -> bool:
        """Whether a piece came to a point at the moment one vanished from a point beside it: pushed, not carried."""
        lifted = [change for change in self.tracker.settler.changes if change.after == CLEAR]
        for change in self.tracker.settler.changes:
            if change.after == CLEAR:
                continue
            for other in lifted:
                x, y = abs(change.point % 9 - other.point % 9), abs(change.point // 9 - other.point // 9)
                if max(x, y) == 1 and abs(change.at - other.at) < PUSHED:
                    return True
        return False

    def slipped(self, origin: int) -> bool:
        """Whether a piece came to a point beside this one at the moment one left it: knocked over, not carried."""
        left = self.tracker.settler.last(origin, True)
        if left is None:
            return False
        for change in self.tracker.settler.changes:
            x, y = abs(origin % 9 - change.point % 9), abs(origin // 9 - change.point // 9)
            if change.after != CLEAR and x + y == 1 and abs(change.at - left) < PUSHED:
                return True
        return False
