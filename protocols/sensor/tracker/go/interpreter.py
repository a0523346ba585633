"""What a state of a Go board may mean: moves, several of them, second thoughts, a take-back, the count."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, pairwise, permutations

from engines.go.points import BLACK, PASS, opponent
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import LIFT, PLACE_FIRST, PLACE_SECOND, Change
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import Discrepancy, Event, Moved, Remedy, Replaced, Sensor
from protocols.sensor.tracker.go.captures import GoCaptures
from protocols.sensor.tracker.go.gestures import GoGestures
from protocols.sensor.tracker.go.rules import GoRules
from protocols.sensor.tracker.go.scoring import Scoring
from protocols.sensor.tracker.interpreter import Interpreter
from protocols.sensor.tracker.policy import Option
from protocols.sensor.tracker.tracker import Tracker
from protocols.sensor.tracker.trust import VISIT

MOST_AT_ONCE = 4
"""Plies that may lie between two stable states when both sides play on the board."""

GAP = 0.1
"""Seconds between two stones that make their order certain, where only the order tells their colours."""


class GoInterpreter(Interpreter):
    """What states mean in Go."""

    def __init__(self, tracker: Tracker, rules: GoRules, captures: GoCaptures, gestures: GoGestures) -> None:
        self.tracker = tracker
        self.rules = rules
        self.captures = captures
        self.gestures = gestures
        self.scoring: Scoring | None = None

    def explain(self, state: str) -> list[Option]:
        if self.scoring is not None:
            return [
                Option(self.tracker.timing.settle, self._score_board, "right"),
                *self.tracker.options.next_game_options(state),
            ]
        plies = self.rules.plies
        stands = self.tracker.options.stands_at(state)
        if stands is not None:
            return [self._right(stands, self.captures.fit(state, stands) or {})]
        if self.tracker.guiding:
            return self.tracker.options.next_game_options(state) + self.tracker.options.turned_options(state)
        plan: list[Option] = []
        mover = self.rules.mover(plies)
        may_move = self.tracker.awaiting and not self.tracker.over and mover in self.tracker.humans
        if may_move:
            found = self.captures.single(state, plies, mover, self.captures.pending_at(plies))
            if found is not None and not found.why and self.captures.executed_before(state, found):
                if self.gestures.lingers(found.point):
                    return []  # of two stones put down for a gesture one is still there
                option = self._moved(state, [(mover, found.point)], found.left)
                if not self.captures.doubt(state, found):
                    return [self.gestures.maybe(option, found.point, mover)]
                # It is asked about, and nothing is made of it for a while but what the question says.
                if self.tracker.discrepancy is None or self.tracker.discrepancy.kind != "capture":
                    return []
                back = self.tracker.options.take_back_options(state, True, self.tracker.timing.unanswered)
                return back or [option._replace(dwell=self.tracker.timing.unanswered, kind="else")]
            plan += self._several_options(state, mover)
        thoughts = self._second_thoughts(state) if not plan else []
        plan += [option for option in thoughts if option.dwell <= self.tracker.timing.patience]
        if plan:
            return plan
        if self.tracker.policy.gestures and not self.tracker.over:
            plan += self.gestures.options(state)
        capturing = self.captures.capture_begun(state) if may_move else False
        # By occupancy a move with a stone knocked over can look like the past: then it is asked about first.
        wait = self.tracker.timing.patience + self.tracker.timing.unanswered if self.captures.pushed(state) else 0.0
        plan += self.tracker.options.take_back_options(state, capturing, wait) + thoughts
        plan += self.tracker.options.new_game_options(state)
        return plan

    def shows(self, state: str, ply: int) -> bool:
        return self.captures.fit(state, ply) is not None

    def _right(self, ply: int, left: dict[int, str]) -> Option:
        """The board is right as far as so many plies."""

        def settled(at: float) -> list[Event]:
            events: list[Event] = []
            moved = ply > self.tracker.executed
            if moved:
                hand = [point for _, point in self.rules.game.moves[self.tracker.executed : ply] if point != PASS]
                self.tracker.executed = ply
                events.append(self.tracker.options.tell_executed(hand, ply))
                self.tracker.replan()
            events += self.captures.leave(left, at)
            return events + self.tracker.content(at)

        return Option(self.tracker.timing.settle, settled, "right")

    # ------------------------------------------------------------------ moves

    def _moved(self, state: str, moves: Sequence[tuple[int, int]], left: dict[int, str]) -> Option:
        """These moves were made, one after the other."""

        def play(at: float) -> list[Event]:
            events: list[Event] = []
            if self.tracker.executed < self.rules.plies:
                waiting = [point for _, point in self.rules.game.moves[self.tracker.executed :] if point != PASS]
                events.append(self.tracker.options.tell_executed(waiting, self.rules.plies))
            for color, point in moves:
                self.tracker.push(color, point)
                self.tracker.last_human = self.rules.plies - 1
                events.append(Moved(self.tracker.hand_done([point]), self.rules.plies - 1, color, point))
            self.tracker.executed = self.rules.plies
            events += self.captures.leave(left, at)
            self.tracker.replan()
            return events + self.tracker.content(at)

        return Option(self.tracker.discrepancies.dwell(self.tracker.timing.settle, state), play, "move")

    def _several_options(self, state: str, color: int) -> list[Option]:
        if {color, opponent(color)} <= self.tracker.humans and self.rules.asked_color is None:
            return self._several(state, color)
        return []

    def _several(self, state: str, color: int) -> list[Option]:
        """Several stones between two stable states, with both sides at the board."""
        target = self.rules.states[self.rules.plies]
        pending = self.captures.pending_at(self.rules.plies)
        added = [p for p in guide.differing(state, target) if target[p] == CLEAR and pending.get(p) != state[p]]
        if not 1 <= len(added) <= MOST_AT_ONCE:
            return []
        if self.tracker.policy.take_back and any(guide.fits(state, expected) for expected in self.rules.states):
            return []  # stones put back where they were, perhaps
        if self.captures.coming_back(state):
            return []
        seen: list[int] = []
        times: list[float] = []
        for change in self.tracker.settler.changes:
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
                    self._try_line(state, color, line, results)
            if results:
                break
        if not results and self.tracker.sensing != "occ":
            for line in permutations(added):
                if len(line) >= 2:
                    self._try_line(state, color, line, results)
        if len(results) != 1:
            return []
        ((line, left),) = results.items()
        if self.tracker.sensing == "occ":
            when = [times[seen.index(point)] for point in line]
            emptied = [p for p in guide.differing(state, target) if target[p] != CLEAR]
            if any(b - a < GAP for a, b in pairwise(when)) or any(self.captures.beside(p, emptied) for p in line):
                return []
        colors = [color if number % 2 == 0 else opponent(color) for number in range(len(line))]
        return [self._moved(state, list(zip(colors, line, strict=True)), left)]

    def _try_line(
        self, state: str, color: int, line: tuple[int, ...], results: dict[tuple[int, ...], dict[int, str]]
    ) -> None:
        """Play stones alternately; keep the line if the board then shows the position, captured stones aside."""
        game = self.rules.game
        pending = self.captures.pending_at(self.rules.plies)
        played = 0
        try:
            for point in line:
                if not game.is_legal(color, point):
                    return
                before = self.rules.state_of(game)
                game.play_as(color, point)
                played += 1
                pending |= {
                    q: before[q] for q in guide.differing(before, self.rules.state_of(game)) if before[q] != CLEAR
                }
                color = opponent(color)
            final = self.rules.state_of(game)
            left = {}
            for point in guide.differing(state, final):
                if final[point] != CLEAR or pending.get(point) != state[point]:
                    return
                left[point] = state[point]
            results[line] = left
        finally:
            for _ in range(played):
                game.undo()

    def enter_move(self, move: int) -> str:
        rules, tracker = self.rules, self.tracker
        color = rules.mover(rules.plies)
        if move != PASS and not rules.game.is_legal(color, move):
            return f"{rules.name(move)} is forbidden: {rules.game.board.why_illegal(color, move) or 'not now'}"
        tracker.push(color, move)
        tracker.last_human = None
        return ""

    def unseen_moves(self) -> list[int]:
        color, state = self.rules.mover(self.rules.plies), self.tracker.settler.stable
        if not self.shows(state, self.rules.plies):
            return []
        return [point for point in sorted(self.tracker.unread) if self.rules.game.is_legal(color, point)]

    def pass_turn(self, at: float) -> list[Event]:
        color = self.rules.mover(self.rules.plies)
        if (
            self.tracker.over
            or not self.tracker.awaiting
            or color not in self.tracker.humans
            or self.tracker.executed < self.rules.plies
            or self.scoring
        ):
            return []
        done = self.tracker.executed == self.rules.plies
        self.tracker.push(color, PASS)
        self.tracker.executed = self.rules.plies if done else self.tracker.executed
        self.tracker.last_human = self.rules.plies - 1
        self.tracker.replan()
        return [Moved(at, self.rules.plies - 1, color, PASS)]

    # ------------------------------------------------------------------ second thoughts and taking back

    def _second_thoughts(self, state: str) -> list[Option]:
        """Another stone instead of the last one that was played on the board, the answer not being executed yet."""
        instead = self.captures.instead(state)
        if instead is None:
            return []
        ply, old, found, carried = instead
        color = self.rules.game.board.turn(ply)[0]
        if self.tracker.arbiter.strict:
            # Nobody is warned for what may have been an accident.
            return (
                [self._stands(color, old, self.tracker.discrepancies.dwell(self.tracker.timing.second, state))]
                if carried
                else []
            )
        dwell = self.tracker.timing.second if carried else self.tracker.timing.patience + self.tracker.timing.unanswered

        def change(at: float) -> list[Event]:
            self.tracker.truncate(ply)
            self.tracker.push(color, found.point)
            self.tracker.last_human = ply
            self.tracker.executed = self.rules.plies
            self.tracker.replan()
            event = Replaced(self.tracker.hand_done([found.point]), ply, color, old, found.point)
            return [event, *self.captures.leave(found.left, at), *self.tracker.content(at)]

        return [Option(self.tracker.discrepancies.dwell(dwell, state), change)]

    def _stands(self, color: int, point: int, dwell: float) -> Option:
        """The stone last played goes back to its point: the strict referee's answer to another one in its stead."""

        def refuse(at: float) -> list[Event]:
            trust = self.tracker.settler.trust
            flickers = point in trust.restless or len(trust.visits(point, self.rules.values[color], at)) > 2
            ruled = [] if flickers else self.tracker.discrepancies.rule("moved-stone", color, at)
            return [*ruled, *self.tracker.discrepancies.complain(self._final(point), at)]

        return Option(dwell, refuse, "discrepancy")

    def _final(self, old: int) -> Discrepancy:
        remedies = [Remedy(f"put the stone back on {self.rules.name(old)}", self.rules.states[self.tracker.executed])]
        return self.tracker.discrepancies.make("final", f"the move {self.rules.name(old)} stands", remedies)

    def taking_back(self, plies: int, at: float) -> list[Event]:
        """Where the last stone went again soon after it was played, its point is named."""
        color, point = self.rules.game.board.turn(plies)
        settler = self.tracker.settler
        last = plies == self.tracker.last_human and point != PASS and settler.stable[point] == CLEAR
        visits = settler.trust.visits(point, self.rules.values[color], at) if last else []
        if not visits or visits[-1].length > VISIT:
            return []
        where = self.rules.name(point)
        text = (
            f"the stone on {where} was gone after {visits[-1].length:.1f} s: the move is taken back. If nobody "
            f"lifted it: ignore {where} leaves its sensor out"
        )
        return [Sensor(at, "fleeting", (point,), text)]

    # ------------------------------------------------------------------ what happens

    def on_change(self, changes: Sequence[Change]) -> None:
        self.captures.on_change(changes)

    def content(self) -> None:
        self.captures.questioned = None

    def taken_over(self) -> None:
        self.captures.forget()

    def parted(self) -> None:
        self.scoring = None

    def pushed(self, color: int, move: int) -> None:
        self.captures.seen.clear()

    def confirmed(self, what: str, color: int, at: float) -> list[Event]:
        return self.pass_turn(at) if what == "pass" else super().confirmed(what, color, at)

    # ------------------------------------------------------------------ captured stones and the count

    @property
    def pending_removals(self) -> Mapping[int, str]:
        return self.captures.pending

    def begin_scoring(self, dead: Collection[int]) -> None:
        """Stones lifted mark their chains dead from now on; see ``Scoring``."""
        self.scoring = Scoring(self.rules.game, self.rules.values, dead)

    def end_scoring(self) -> None:
        self.scoring = None

    def ending(self) -> None:
        if self.scoring is not None:
            self.scoring.close()

    def _score_board(self, at: float) -> list[Event]:
        assert self.scoring is not None
        return self.scoring.look(self.tracker.settler.stable, self.captures.pending_at(self.rules.plies), at)

    # ------------------------------------------------------------------ leds

    def lit(self, state: str) -> dict[int, str]:
        if self.scoring is not None:
            return self.scoring.leds()
        lit = super().lit(state)
        if lit or self.tracker.discrepancy is not None:
            return lit
        pending = {point: LIFT for point in self.captures.pending if state[point] != CLEAR}
        return pending or self._lit_pass()

    def _lit_pass(self) -> dict[int, str]:
        """The other player has passed, which leaves no trace: the whole edge blinks in that colour until the answer."""
        moves = self.rules.game.moves
        if self.tracker.over or not moves or moves[-1][1] != PASS or self.tracker.last_human == self.rules.plies - 1:
            return {}
        return self._edge(moves[-1][0])

    def _edge(self, color: int) -> dict[int, str]:
        width, height = self.tracker.geometry.width, self.tracker.geometry.height
        led = (PLACE_FIRST if color == BLACK else PLACE_SECOND).lower()
        return {p: led for p in range(width * height) if p % width in (0, width - 1) or p // width in (0, height - 1)}

    def lit_move(self, state: str) -> dict[int, str]:
        color, point = self.rules.game.board.turn(self.tracker.executed)
        if point == PASS:
            return self._edge(color)
        led = PLACE_FIRST if color == BLACK else PLACE_SECOND
        return {point: led}
