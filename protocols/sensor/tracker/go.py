"""The tracker of Go: stones on a board of any size, seen by occupancy or by colour."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations, pairwise, permutations

from engines.go.game import Game
from engines.go.points import BLACK, PASS, WHITE, opponent
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import (
    FAULT,
    LIFT,
    PLACE_FIRST,
    PLACE_SECOND,
    SECOND,
    UNSURE,
)
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import (
    Event,
    Moved,
    Replaced,
    Sensor,
    SetUp,
)
from protocols.sensor.tracker.go_trouble import GoTroubles
from protocols.sensor.tracker.policy import Option
from protocols.sensor.tracker.scoring import Scoring
from protocols.sensor.tracker.trust import VISIT

MOST_AT_ONCE = 4
"""Plies that may lie between two stable states when both sides play on the board."""

GAP = 0.1
"""Seconds between two stones that make their order certain, where only the order tells their colours."""

CORNER = 3
"""A gesture is two stones put into the square of this side at a corner."""

GESTURES = {
    "near-right": ("resign", "resign 认输/認輸"),
    "near-left": ("pass", "pass 弃着/棄著"),
    "far-left": ("undo", "take back 悔棋/悔棋"),
}
"""Two stones of one's own in a corner, by the corner as the near side sees it: what they ask for. Two stones in the
lower right corner resign by the tournament rules, article 9.
"""


class GoTracker(GoTroubles):
    """Follows one game of Go; see ``GoPosition`` for how it is made. Points are those of the rules core."""

    # ------------------------------------------------------------------ what a state means

    def _explain(self, firm: str) -> list[Option]:
        if self.scoring is not None:
            return [Option(self.timing.settle, self._score_board, "right"), *self._next_game_options(firm)]
        plies = self.plies
        stands = self._stands_at(firm)
        if stands is not None:
            return [self._right(stands, self._fit(firm, stands) or {})]
        if self._guiding:
            return self._next_game_options(firm) + self._turned_options(firm)
        plan: list[Option] = []
        mover = self.mover(plies)
        may_move = self.awaiting and not self.over and mover in self.humans
        if may_move:
            found = self._single(firm, plies, mover, self._owed_at(plies))
            if found is not None and not found.why and self._executed_before(firm, found):
                if self._lingers(found.point):
                    return []  # of two stones put down for a gesture one is still there
                option = self._moved(firm, [(mover, found.point)], found.left)
                if not self._in_doubt(firm, found):
                    return [self._maybe_gesture(option, found.point, mover)]
                # It is asked about, and nothing is made of it for a while but what the question says.
                if self.trouble is None or self.trouble.kind != "capture":
                    return []
                back = self._take_back_options(firm, True, self.timing.unanswered)
                return back or [option._replace(dwell=self.timing.unanswered, kind="else")]
            plan += self._several_options(firm, mover)
        thoughts = self._second_thoughts(firm) if not plan else []
        plan += [option for option in thoughts if option.dwell <= self.timing.patience]
        if plan:
            return plan
        if self.policy.gestures and not self.over:
            plan += self._gesture_options(firm)
        capturing = self._capture_begun(firm) if may_move else False
        # By occupancy a move with a stone knocked over can look like the past: then it is asked about first.
        wait = self.timing.patience + self.timing.unanswered if self._pushed(firm) else 0.0
        plan += self._take_back_options(firm, capturing, wait) + thoughts
        plan += self._new_game_options(firm)
        return plan

    def _right(self, ply: int, left: dict[int, str]) -> Option:
        """The board is right as far as so many plies."""

        def settled(at: float) -> list[Event]:
            events: list[Event] = []
            moved = ply > self.done
            if moved:
                hand = [point for _, point in self.game.moves[self.done : ply] if point != PASS]
                self.done = ply
                events.append(self._executed(hand, ply))
                self._replan()
            events += self._owe(left, at)
            return events + self._content(at)

        return Option(self.timing.settle, settled, "right")

    def _several_options(self, firm: str, color: int) -> list[Option]:
        if {color, opponent(color)} <= self.humans and self._asked_color is None:
            return self._several(firm, color)
        return []

    def _moved(self, firm: str, moves: Sequence[tuple[int, int]], left: dict[int, str]) -> Option:
        """These moves were made, one after the other."""

        def play(at: float) -> list[Event]:
            events: list[Event] = []
            if self.done < self.plies:
                waiting = [point for _, point in self.game.moves[self.done :] if point != PASS]
                events.append(self._executed(waiting, self.plies))
            for color, point in moves:
                self._push(color, point)
                self._last_human = self.plies - 1
                events.append(Moved(self._hand_done([point]), self.plies - 1, color, point))
            self.done = self.plies
            events += self._owe(left, at)
            self._replan()
            return events + self._content(at)

        return Option(self._dwell(self.timing.settle, firm), play, "move")

    def _several(self, firm: str, color: int) -> list[Option]:
        """Several stones between two stable states, with both sides at the board."""
        target = self._shots[self.plies]
        owed = self._owed_at(self.plies)
        added = [p for p in guide.differing(firm, target) if target[p] == CLEAR and owed.get(p) != firm[p]]
        if not 1 <= len(added) <= MOST_AT_ONCE:
            return []
        if self.policy.take_back and any(guide.fits(firm, shot) for shot in self._shots):
            return []  # stones put back where they were, perhaps
        if self._coming_back(firm):
            return []
        seen: list[int] = []
        times: list[float] = []
        for change in self._settler.changes:
            if change.before == CLEAR and change.point not in seen and target[change.point] == CLEAR:
                seen.append(change.point)
                times.append(change.at)
        gone = [point for point in seen if point not in added]
        if len(seen) > MOST_AT_ONCE + 2 or not set(added) <= set(seen):
            return []
        results: dict[tuple[int, ...], dict[int, str]] = {}
        for count in range(len(gone) + 1):
            for also in combinations(gone, count):
                line = tuple(point for point in seen if point in added or point in also)
                if 2 <= len(line) <= MOST_AT_ONCE:
                    self._try_line(firm, color, line, results)
            if results:
                break
        if not results and self.sensing != "occ":
            for line in permutations(added):
                if len(line) >= 2:
                    self._try_line(firm, color, line, results)
        if len(results) != 1:
            return []
        ((line, left),) = results.items()
        if self.sensing == "occ":
            when = [times[seen.index(point)] for point in line]
            emptied = [p for p in guide.differing(firm, target) if target[p] != CLEAR]
            if any(b - a < GAP for a, b in pairwise(when)) or any(self._beside(p, emptied) for p in line):
                return []
        colors = [color if number % 2 == 0 else opponent(color) for number in range(len(line))]
        return [self._moved(firm, list(zip(colors, line, strict=True)), left)]

    def _try_line(
        self, firm: str, color: int, line: tuple[int, ...], results: dict[tuple[int, ...], dict[int, str]]
    ) -> None:
        """Play stones alternately; keep the line if the board then shows the position, captured stones aside."""
        game = self.game
        owed = self._owed_at(self.plies)
        played = 0
        try:
            for point in line:
                if not game.is_legal(color, point):
                    return
                before = self._shot(game)
                game.play_as(color, point)
                played += 1
                owed |= {q: before[q] for q in guide.differing(before, self._shot(game)) if before[q] != CLEAR}
                color = opponent(color)
            final = self._shot(game)
            left = {}
            for point in guide.differing(firm, final):
                if final[point] != CLEAR or owed.get(point) != firm[point]:
                    return
                left[point] = firm[point]
            results[line] = left
        finally:
            for _ in range(played):
                game.undo()

    def _second_thoughts(self, firm: str) -> list[Option]:
        """Another stone instead of the last one that was played on the board, the answer not being executed yet."""
        instead = self._instead(firm)
        if instead is None:
            return []
        ply, old, found, carried = instead
        color = self.game.board.turn(ply)[0]
        if self.referee.strict:
            # Nobody is warned for what may have been an accident.
            return [self._stands(color, old, self._dwell(self.timing.second, firm))] if carried else []
        dwell = self.timing.second if carried else self.timing.patience + self.timing.unanswered

        def change(at: float) -> list[Event]:
            self._truncate(ply)
            self._push(color, found.point)
            self._last_human = ply
            self.done = self.plies
            self._replan()
            event = Replaced(self._hand_done([found.point]), ply, color, old, found.point)
            return [event, *self._owe(found.left, at), *self._content(at)]

        return [Option(self._dwell(dwell, firm), change)]

    def _stands(self, color: int, point: int, dwell: float) -> Option:
        """The stone last played goes back to its point: the strict referee's answer to another one in its stead."""

        def refuse(at: float) -> list[Event]:
            trust = self._settler.trust
            flickers = point in trust.restless or len(trust.visits(point, self._values[color], at)) > 2
            ruled = [] if flickers else self._rule("moved-stone", color, at)
            return [*ruled, *self._complain(self._final(point), at)]

        return Option(dwell, refuse, "trouble")

    def _take_back(self, plies: int, at: float) -> list[Event]:
        """Back to a position before; where the last stone went again soon after it was played, its point is named."""
        color, point = self.game.board.turn(plies)
        last = plies == self._last_human and point != PASS and self._settler.firm[point] == CLEAR
        visits = self._settler.trust.visits(point, self._values[color], at) if last else []
        events = super()._take_back(plies, at)
        if visits and visits[-1].length <= VISIT:
            where = self.name(point)
            text = (
                f"the stone on {where} was gone after {visits[-1].length:.1f} s: the move is taken back. If nobody "
                f"lifted it: ignore {where} leaves its sensor out"
            )
            events.append(Sensor(at, "fleeting", (point,), text))
        return events

    # ------------------------------------------------------------------ gestures and passing

    def _gesture_options(self, firm: str) -> list[Option]:
        both = {BLACK, WHITE} <= self.humans
        if both and self.sensing == "occ":
            return []  # two stones put down at once may be two moves
        target = self._shots[self.done]
        owed = self._owed_at(self.done)
        added = []
        for point in guide.differing(firm, target):
            if target[point] == CLEAR and owed.get(point) == firm[point]:
                continue
            if target[point] != CLEAR:
                return []
            added.append(point)
        if len(added) != 2:
            return []
        color = self.person
        if self.sensing == "pol":
            colors = {self._color_of(firm[point], point) for point in added}
            if len(colors) != 1 or not colors <= self.humans:
                return []
            color = colors.pop()
        found = self._gesture_of(added, color)
        if not found:
            return []
        what, words = found
        text = f"{words}: take the stones away and put them there once more to confirm"
        return [Option(self.timing.gesture, lambda at: self._gesture(what, color, at, text, added), "wish")]

    def _gesture_of(self, points: Sequence[int], color: int) -> tuple[str, str] | None:
        """What stones of a colour put down on these points, all in one corner, ask for, and in words."""
        corner = self._corner(points)
        if corner not in GESTURES:
            return None
        what, words = GESTURES[corner]
        if what == "undo" and not self.policy.take_back:
            return None
        if what == "pass" and (color != self.mover(self.plies) or not self.awaiting):
            return None
        return what, words

    def _may_become_gesture(self, point: int, color: int) -> bool:
        """Whether one stone that was put down may be the first of two."""
        if not self.policy.gestures or self.over or (self.sensing == "occ" and {BLACK, WHITE} <= self.humans):
            return False
        return color in self.humans and self._gesture_of([point], color) is not None

    def _maybe_gesture(self, option: Option, point: int, color: int) -> Option:
        """A move where a gesture begins too waits for the second stone."""
        firm, shot = self._settler.firm, self._shots[self.plies]
        taking = any(firm[p] == CLEAR for p in guide.differing(firm, shot))  # what is taken off makes it a move
        answering = self.trouble is not None and point in self.trouble.asked
        if taking or answering or not self._may_become_gesture(point, color):
            return option
        put = self._settler.last(point, False)
        lain = 0.0 if put is None else self._settler.since - put
        return option._replace(dwell=max(option.dwell, self.timing.corner - lain))

    def _lingers(self, point: int) -> bool:
        """Whether a stone is one of those put down for the gesture that was just made."""
        return not self._armed and point in self._gestured

    def _corner(self, points: Sequence[int]) -> str:
        """The corner of the board, as the near side sees it, that all these points are in; empty for none."""
        width, height = self.geometry.width, self.geometry.height
        names = set()
        for point in points:
            y, x = divmod(point, width)
            near, left = y < CORNER, x < CORNER
            if not (near or y >= height - CORNER) or not (left or x >= width - CORNER):
                return ""
            names.add(f"{'near' if near else 'far'}-{'left' if left else 'right'}")
        return names.pop() if len(names) == 1 else ""

    def _confirmed(self, what: str, color: int, at: float) -> list[Event]:
        return self._pass(at) if what == "pass" else super()._confirmed(what, color, at)

    def _pass(self, at: float) -> list[Event]:
        color = self.mover(self.plies)
        if self.over or not self.awaiting or color not in self.humans or self.done < self.plies or self.scoring:
            return []
        done = self.done == self.plies
        self._push(color, PASS)
        self.done = self.plies if done else self.done
        self._last_human = self.plies - 1
        self._replan()
        return [Moved(at, self.plies - 1, color, PASS)]

    # ------------------------------------------------------------------ set-up and scoring

    def _read_setup(self, firm: str) -> SetUp | str:
        stones = bytearray(self.geometry.count)
        for point, value in enumerate(firm):
            if value in (UNSURE, FAULT):
                return f"cannot read {self.name(point)}"
            if value != CLEAR:
                stones[point] = WHITE if value == SECOND else BLACK
        try:
            Game(self.game.width, self.game.height, self.game.rules).set_position(bytes(stones))
        except ValueError as error:
            return str(error)
        mover = self.setup_mover
        if mover is None:
            mover = WHITE if stones.count(BLACK) > stones.count(WHITE) else BLACK
        return SetUp(0.0, bytes(stones), mover)

    def begin_scoring(self, at: float, dead: Collection[int] = ()) -> list[Event]:
        """The game has ended: from now on, stones lifted mark their chains dead; see ``Scoring``.

        ``dead`` is a first judgement. Captured stones that still lie there must go first.
        """
        events = self.wait(at)
        self.scoring = Scoring(self.game, self._values, dead)
        self._replan()
        return events + self.wait(at)

    def end_scoring(self, at: float) -> list[Event]:
        """Back to the game: the board must show its stones again."""
        events = self.wait(at)
        self.scoring = None
        self._guiding = True
        self._replan()
        return events + self.wait(at)

    def end(self, at: float) -> list[Event]:
        if self.scoring is not None:
            self.scoring.close()
        return super().end(at)

    def _score_board(self, at: float) -> list[Event]:
        assert self.scoring is not None
        return self.scoring.look(self._settler.firm, self._owed_at(self.plies), at)

    def _yes(self, at: float) -> list[Event]:
        if self.scoring is not None and self._asked is None:
            return self.scoring.confirm(at)
        return super()._yes(at)

    # ------------------------------------------------------------------ lamps

    def _lit(self, firm: str) -> dict[int, str]:
        if self.scoring is not None:
            return self.scoring.lamps()
        lit = super()._lit(firm)
        if lit or self.trouble is not None:
            return lit
        owed = {point: LIFT for point in self.owed if firm[point] != CLEAR}
        return owed or self._lit_pass()

    def _lit_pass(self) -> dict[int, str]:
        """The other player has passed, which leaves no trace: the whole edge blinks in that colour until the answer."""
        moves = self.game.moves
        if self.over or not moves or moves[-1][1] != PASS or self._last_human == self.plies - 1:
            return {}
        return self._edge(moves[-1][0])

    def _edge(self, color: int) -> dict[int, str]:
        width, height = self.geometry.width, self.geometry.height
        lamp = (PLACE_FIRST if color == BLACK else PLACE_SECOND).lower()
        return {p: lamp for p in range(width * height) if p % width in (0, width - 1) or p // width in (0, height - 1)}

    def _lit_move(self, firm: str) -> dict[int, str]:
        color, point = self.game.board.turn(self.done)
        if point == PASS:
            return self._edge(color)
        lamp = PLACE_FIRST if color == BLACK else PLACE_SECOND
        return {point: lamp}
