"""What a state of a Xiangqi board may mean: moves, several of them, second thoughts, a take-back."""

from __future__ import annotations

from collections.abc import Sequence

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import move_from, move_name, move_to
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import FAULT, FIRST, HINT, LIFT, SECOND, Change
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import Event, Moved, Pair, Remedy, Replaced
from protocols.sensor.tracker.interpreter import Interpreter
from protocols.sensor.tracker.policy import Option
from protocols.sensor.tracker.tracker import Tracker
from protocols.sensor.tracker.xiangqi.captures import XiangqiCaptures
from protocols.sensor.tracker.xiangqi.gestures import XiangqiGestures
from protocols.sensor.tracker.xiangqi.memory import PieceMemory
from protocols.sensor.tracker.xiangqi.rules import BLACK, RED, XiangqiRules, after, fitting, letters_of
from protocols.sensor.tracker.xiangqi.touch import TouchedPiece


class XiangqiInterpreter(Interpreter):
    """What states mean in Xiangqi."""

    def __init__(
        self,
        tracker: Tracker,
        rules: XiangqiRules,
        captures: XiangqiCaptures,
        touch: TouchedPiece,
        gestures: XiangqiGestures,
    ) -> None:
        self.tracker = tracker
        self.rules = rules
        self.captures = captures
        self.touch = touch
        self.gestures = gestures
        self._memory = PieceMemory(letters_of(rules.board))

    def explain(self, state: str) -> list[Option]:
        plies = self.rules.plies
        stands = self.tracker.options.stands_at(state)
        if stands is not None:
            return [self._right(stands)]
        if self.tracker.guiding:
            return self.tracker.options.next_game_options(state) + self.tracker.options.turned_options(state)
        plan: list[Option] = []
        if self.tracker.policy.gestures and not self.tracker.over:
            plan += self.gestures.options(state)
        mover = self.rules.mover(plies)
        if self.tracker.awaiting and not self.tracker.over and mover in self.tracker.humans:
            plan += self._move_options(state)
        if not plan and self.tracker.options.minds_last and not self.tracker.over:
            plan += self._second_thoughts(state)
        if not plan:
            plan += self.tracker.options.turned_options(state)
            several = len(guide.differing(state, self.rules.states[self.tracker.executed])) > 2
            # By occupancy a move with a piece knocked over can look like two moves taken back: then it is asked first.
            doubtful = self.tracker.sensing == "occ" and several and self.captures.knocked()
            wait = self.tracker.timing.patience + self.tracker.timing.unanswered if doubtful else 0.0
            plan += self.tracker.options.take_back_options(state, False, wait)
            plan += self.tracker.options.new_game_options(state)
        return plan

    def shows(self, state: str, ply: int) -> bool:
        return super().shows(state, ply) and not self.captures.unproven(
            self.rules.board.history[self.tracker.executed : ply]
        )

    def _right(self, ply: int) -> Option:
        """The board is right as far as so many plies."""

        def settled(at: float) -> list[Event]:
            events: list[Event] = []
            if ply > self.tracker.executed:
                points = [
                    p
                    for move in self.rules.board.history[self.tracker.executed : ply]
                    for p in (move_from(move), move_to(move))
                ]
                self.tracker.executed = ply
                self.touch.square = None
                events.append(self.tracker.options.tell_executed(points, ply))
                self.tracker.replan()
            else:
                self.touch.note()
            return events + self.tracker.content(at)

        return Option(self.tracker.timing.settle, settled, "right")

    # ------------------------------------------------------------------ moves

    def _move_options(self, state: str) -> list[Option]:
        waiting = self.rules.board.history[self.tracker.executed :]
        fitting = [move for move in self.captures.playable(state) if self._shown([*waiting, move])]
        if len(fitting) == 1:
            return [self._moved(state, fitting)]
        if self.tracker.discrepancy is not None and self.tracker.discrepancy.kind == "order":
            # Asked about, and left so: it was the reply.
            late = [move for move in self.captures.playable(state) if not self.captures.unproven([*waiting, move])]
            if len(late) == 1:
                return [self._moved(state, late)._replace(dwell=self.tracker.timing.unanswered, kind="else")]
        if not fitting and self.tracker.humans == {RED, BLACK} and self.tracker.executed == self.rules.plies:
            return self._several_at_once(state)
        return []

    def _shown(self, line: Sequence[int]) -> bool:
        """Whether there is evidence for moves that make the state."""
        return not self.captures.unproven(line) and self.captures.in_order(line)

    def _several_at_once(self, state: str) -> list[Option]:
        """Several moves between two stable states, with both sides at the board, if only one line of them explains it.

        Two may be made while it is watched; three, or any in an order that nobody saw, only while the board was away.
        """
        changed = guide.differing(state, self.rules.states[-1])
        for count in (2, 3) if self.tracker.gap else (2,):
            if not 1 <= len(changed) <= 2 * count:
                return []
            found = self._lines(state, self.rules.board, self.rules.states[-1], count)
            lines = [
                line
                for line in found
                if not self.captures.unproven(line) and (self.tracker.gap or self.captures.in_order(line, True))
            ]
            if lines:
                return [self._moved(state, lines[0])] if len(lines) == 1 else []
        return []

    def _lines(
        self, state: str, board: Board, expected: str, count: int, gone: tuple[int, ...] = ()
    ) -> list[list[int]]:
        """Lines of so many legal moves that lead to a state, no piece going back to where it came from.

        ``gone``: points that pieces have left in the moves before.
        """
        if count == 1:
            return [[move] for move in fitting(state, board, expected) if move_to(move) not in gone]
        changed = guide.differing(state, expected)
        found = []
        for move in board.legal_moves():
            origin = move_from(move)
            if move_to(move) in gone or (
                state[origin] != CLEAR and origin not in changed and self.tracker.sensing != "occ"
            ):
                continue  # its point must be empty, or have been filled by an answer
            then = after(expected, move)
            if len(guide.differing(state, then)) > 2 * (count - 1):
                continue
            board.play(move)
            found += [[move, *rest] for rest in self._lines(state, board, then, count - 1, (*gone, origin))]
            board.undo()
        return found

    def _could_go_on(self, move: int) -> bool:
        """Whether the piece, slid, could legally have gone on in the same line: this stop may not be the last."""
        origin, target = move_from(move), move_to(move)
        file, rank = _sign(target % 9 - origin % 9), _sign(target // 9 - origin // 9)
        if file and rank:
            return False
        length = abs(target % 9 - origin % 9) + abs(target // 9 - origin // 9)
        for other in self.rules.board.legal_moves():
            if move_from(other) != origin:
                continue
            x, y = move_to(other) % 9 - origin % 9, move_to(other) // 9 - origin // 9
            if (_sign(x), _sign(y)) == (file, rank) and abs(x) + abs(y) > length:
                return True
        return False

    def _moved(self, state: str, moves: Sequence[int]) -> Option:
        """These moves were made, one after the other."""
        timing = self.tracker.timing
        dwell = timing.settle
        if len(moves) == 1:
            if self._could_go_on(moves[0]):
                dwell += timing.slide
            if self.tracker.sensing == "occ" and self.rules.states[-1][move_to(moves[0])] != CLEAR:
                dwell += timing.capture

        def play(at: float) -> list[Event]:
            events: list[Event] = []
            if self.touch.square is not None and self.touch.goes_by_itself(self.touch.square):
                self.touch.square = None
            touched = self.touch.square
            if touched is not None and len(moves) == 1 and move_from(moves[0]) != touched:
                return self.touch.refuse(at)
            if self.tracker.executed < self.rules.plies:
                points = [
                    p
                    for move in self.rules.board.history[self.tracker.executed :]
                    for p in (move_from(move), move_to(move))
                ]
                events.append(self.tracker.options.tell_executed(points, self.rules.plies))
            for move in moves:
                color = self.rules.board.turn
                self.tracker.push(color, move)
                self.tracker.last_human = self.rules.plies - 1
                points = [move_from(move), move_to(move)]
                events.append(Moved(self.tracker.hand_done(points), self.rules.plies - 1, color, move))
            self.tracker.executed = self.rules.plies
            self.touch.square = None
            self.tracker.replan()
            return events + self.tracker.content(at)

        return Option(self.tracker.discrepancies.dwell(dwell, state), play, "move")

    def enter_move(self, move: int) -> str:
        tracker, board = self.tracker, self.rules.board
        if move in tracker.policy.barred:
            return f"{move_name(move)} is not allowed now"
        why = board.why_illegal(move)
        if why:
            return why
        tracker.push(board.turn, move)
        tracker.last_human = None
        return ""

    def unseen_moves(self) -> list[int]:
        """Those of a piece that left a point that is read for one that is not; with nothing seen, all such moves."""
        state, expected = self.tracker.settler.stable, self.rules.states[-1]
        changed = guide.differing(state, expected)
        found = []
        for move in self.rules.board.legal_moves():
            origin, target = move_from(move), move_to(move)
            if move in self.tracker.policy.barred or not {state[origin], state[target]} & {FAULT}:
                continue
            left = state[origin] == FAULT or state[origin] == CLEAR
            came = state[target] in (FAULT, expected[origin])
            if left and came and set(changed) <= {origin, target}:
                found.append(move)
        return found

    # ------------------------------------------------------------------ second thoughts

    def _second_thoughts(self, state: str) -> list[Option]:
        """Another move of the piece moved last on the board, the answer not being executed yet."""
        ply = self.tracker.last_human
        if ply is None or self.rules.plies - ply > 2 or self.tracker.executed > ply + 1:
            return []
        old = self.rules.board.history[ply]
        found = [move for move in fitting(state, self.rules.rewound(ply), self.rules.states[ply]) if move != old]
        if self.tracker.arbiter.strict:
            if self.tracker.sensing == "occ":
                # A capture cannot be told from the piece being off the board.
                found = [move for move in found if self.rules.states[ply][move_to(move)] == CLEAR]
            return [self._stands(ply, state)] if found or guide.fits(state, self.rules.states[ply]) else []
        found = [move for move in self.captures.thoughts(state) if self.captures.taken_by(move)]
        if len(found) != 1:
            return []
        move = found[0]
        color = self.rules.mover(ply)

        def change(at: float) -> list[Event]:
            self.tracker.truncate(ply)
            self.tracker.push(color, move)
            self.tracker.last_human = ply
            self.tracker.executed = self.rules.plies
            self.tracker.replan()
            points = [move_from(move), move_to(move)]
            return [Replaced(self.tracker.hand_done(points), ply, color, old, move), *self.tracker.content(at)]

        return [Option(self.tracker.discrepancies.dwell(self.tracker.timing.second, state), change)]

    def _stands(self, ply: int, state: str) -> Option:
        """The move of this ply is put back as it was made: the strict referee's answer to one that was retracted."""

        def refuse(at: float) -> list[Event]:
            name = move_name(self.rules.board.history[ply])
            discrepancy = self.tracker.discrepancies.make(
                "final",
                f"{name} stands (落子无悔/落子無悔)",
                [Remedy(f"back to {name}", self.rules.states[self.tracker.executed])],
            )
            return [
                *self.tracker.discrepancies.rule("second-thoughts", self.rules.mover(ply), at),
                *self.tracker.discrepancies.complain(discrepancy, at),
            ]

        return Option(self.tracker.discrepancies.dwell(self.tracker.timing.second, state), refuse, "discrepancy")

    # ------------------------------------------------------------------ what happens

    def on_change(self, changes: Sequence[Change]) -> None:
        for change in changes:
            self._memory.change(change)
        self.captures.on_change(changes)

    def first_sight(self) -> None:
        self._memory.know(letters_of(self.rules.rewound(self.tracker.executed)))

    def turned_round(self) -> None:
        self._memory.turn()
        self.captures.weak.clear()

    def content(self) -> None:
        self.captures.answering = False
        self._memory.know(letters_of(self.rules.rewound(self.tracker.executed)))

    def taken_over(self) -> None:
        self.captures.forget()
        self.touch.square = None

    def pushed(self, color: int, move: int) -> None:
        self.captures.pushed(move)

    def truncated(self) -> None:
        self.touch.square = None

    def going_on(self) -> None:
        self.touch.square = None

    # ------------------------------------------------------------------ words and leds

    def pairs(self, state: str, target: str) -> tuple[str, str, list[Pair]]:
        """By the pieces where they are known; what the sensors see to be wrong comes first."""
        wanted = self.rules.pieces_of(target)
        if self.tracker.sensing == "id" or wanted is None:
            return super().pairs(state, target)
        seen = self._memory.view(state)
        wrong = set(guide.differing(state, target))
        found = guide.pairs(seen, wanted, self.tracker.geometry.width)
        found.sort(key=lambda pair: not wrong.intersection(pair))
        return seen, wanted, found

    def lit(self, state: str) -> dict[int, str]:
        discrepancy = self.tracker.discrepancy
        if discrepancy is not None and discrepancy.kind == "capture":
            return {point: HINT.lower() for point in discrepancy.asked}
        return super().lit(state)

    def lit_move(self, state: str) -> dict[int, str]:
        move = self.rules.board.history[self.tracker.executed]
        origin, target = move_from(move), move_to(move)
        expected = self.rules.states[self.tracker.executed]
        color = self.rules.mover(self.tracker.executed)
        lit = {}
        if state[origin] != CLEAR:
            lit[origin] = LIFT.lower()
        if expected[target] != CLEAR and state[target] == expected[target]:
            lit[target] = LIFT  # the taken piece goes first
        else:
            lit[target] = (FIRST, SECOND)[color]
        return lit


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
