"""What is wrong with a Xiangqi board that no move explains, in words, and the articles that apply."""

from __future__ import annotations

from dataclasses import replace

from engines.xiangqi.geometry import SIDE_NAMES, move_from, move_name, move_of, move_to, piece_color, square_name
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import FAULT, UNSURE
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import Discrepancy, DiscrepancyKind, Event, Remedy
from protocols.sensor.tracker.interpreter import Diagnoser
from protocols.sensor.tracker.tracker import Tracker
from protocols.sensor.tracker.xiangqi.captures import XiangqiCaptures
from protocols.sensor.tracker.xiangqi.rules import XiangqiRules, after, fitting
from protocols.sensor.tracker.xiangqi.touch import TouchedPiece


class XiangqiDiagnoser(Diagnoser):
    """Diagnosis, questions and remedies."""

    def __init__(self, tracker: Tracker, rules: XiangqiRules, captures: XiangqiCaptures, touch: TouchedPiece) -> None:
        self.tracker = tracker
        self.rules = rules
        self.captures = captures
        self.touch = touch

    def diagnose(self, state: str) -> tuple[float, Discrepancy]:
        timing = self.tracker.timing
        remedies = self._remedies(state)
        if UNSURE in state:
            bad = [self.rules.name(point) for point, value in enumerate(state) if value == UNSURE]
            text = f"cannot read {', '.join(bad[:6])}: put the piece on the middle of the point, or mend the sensor"
            return timing.patience, self.tracker.discrepancies.make("unclear", text, remedies)
        if not self.tracker.wishes.armed:
            return timing.confirm, self.tracker.discrepancies.make("position", "put the general back", remedies)
        barred = self._barred_move(state)
        if barred is not None:
            text = f"{move_name(barred)} is not allowed now: the program that asks has banned it (禁着/禁著)"
            return timing.wrong, self.tracker.discrepancies.make("barred", text, remedies)
        base = self.rules.states[self.tracker.executed]
        changed = guide.differing(state, base)
        emptied = [point for point in changed if state[point] == CLEAR]
        filled = [point for point in changed if state[point] != CLEAR]
        unseen = self._unseen_question(state)
        if unseen is not None:
            return timing.patience, unseen
        question = self._capture_question(state)
        if question is not None:
            return timing.patience, question
        order = self._order_question(state)
        if order is not None:
            return timing.wrong, order
        if emptied and not filled and len(emptied) <= 2:
            words = (
                " and ".join(f"{self.rules.thing(base[p], p)} of {self.rules.name(p)}" for p in emptied)
                + " off the board"
            )
            if len(emptied) == 1:
                words += f"; if it stands there, its sensor is broken: ignore {self.rules.name(emptied[0])}, or yes"
            return self.tracker.discrepancies.lifted_patience, self.tracker.discrepancies.make(
                "lifted", words, remedies
            )
        if len(emptied) == 1 and len(filled) == 1 and state[filled[0]] == base[emptied[0]]:
            kind, text, patience = self._diagnose_move(move_of(emptied[0], filled[0]))
            return patience, self.tracker.discrepancies.make(kind, text, remedies)
        if self.tracker.executed < self.rules.plies:
            text = f"the move is {self.rules.told(self.rules.plies - 1)}"
            if len(changed) == 1:
                text += f"; if it stands so, the sensor of {self.rules.name(changed[0])} is broken: ignore it"
            return timing.patience, self.tracker.discrepancies.make("execution", text, remedies)
        patience = timing.soon if len(filled) == 1 and not emptied else timing.patience
        return patience, self.tracker.discrepancies.make(
            "position", self.tracker.discrepancies.out_of_place(state, remedies), remedies
        )

    def _barred_move(self, state: str) -> int | None:
        """The move that stands on the board, where it is barred. A piece that is only off the board has made none."""
        expected = self.rules.states[-1]
        for move in fitting(state, self.rules.board, expected):
            if move in self.tracker.policy.barred and state[move_to(move)] != expected[move_to(move)]:
                return move
        return None

    def _diagnose_move(self, move: int) -> tuple[DiscrepancyKind, str, float]:
        """What is wrong with a piece that went from one point to another."""
        board = self.rules.rewound(self.tracker.executed)
        color = piece_color(board.piece_at(move_from(move)))
        if self.tracker.executed < self.rules.plies:
            told = self.rules.told(self.tracker.executed)
            if color != board.turn:
                return "turn", f"{move_name(move)}: first {told} must stand on the board", self.tracker.timing.patience
            return (
                "execution",
                f"{move_name(move)} stands on the board, but the move is {told}",
                self.tracker.timing.wrong,
            )
        if color != board.turn:
            text = f"{move_name(move)}: it is {SIDE_NAMES[board.turn]}'s turn"
            return "turn", text, self.tracker.timing.wrong
        if self.touch.square not in (None, move_from(move)) and not board.why_illegal(move):
            return "touched", self.touch.words(), self.tracker.timing.wrong
        if color not in self.tracker.humans or not self.tracker.awaiting:
            return "turn", f"{move_name(move)}: no move is asked for here", self.tracker.timing.patience
        return "illegal", board.why_illegal(move) or f"{move_name(move)} cannot be taken now", self.tracker.timing.wrong

    # ------------------------------------------------------------------ questions

    def _unseen_question(self, state: str) -> Discrepancy | None:
        """A piece has left its point, and there are points that are not read to which it may have gone."""
        if (
            FAULT not in state
            or not self.tracker.awaiting
            or self.rules.mover(self.rules.plies) not in self.tracker.humans
        ):
            return None
        if not guide.differing(state, self.rules.states[-1]):
            return None
        moves = self.tracker.interpreter.unseen_moves()
        if not moves:
            return None
        where = " or ".join(sorted({square_name(move_to(move)) for move in moves}))
        text = f"if a piece went to {where}, which is not read: {'yes, or ' if len(moves) == 1 else ''}type the move"
        return self.tracker.discrepancies.make(
            "unclear", text, [Remedy("go back", self.rules.states[self.tracker.executed])]
        )

    def _capture_question(self, state: str) -> Discrepancy | None:
        """A piece has left its point and may have taken another, but which, if any, cannot be told."""
        waiting = self.rules.board.history[self.tracker.executed :]
        thoughts = self.captures.thoughts(state)
        if guide.fits(state, self.rules.states[-1]):
            lines = [waiting]
        elif thoughts and self.tracker.sensing == "occ" and not self.tracker.arbiter.strict:
            return self._question(sorted({move_to(move) for move in thoughts}))
        elif self.tracker.awaiting and self.rules.mover(self.rules.plies) in self.tracker.humans:
            lines = [[*waiting, move] for move in self.captures.playable(state)]
        else:
            return None
        asked = {move_to(doubt[-1]) for doubt in map(self.captures.unproven, lines) if doubt}
        if not asked and len(lines) > 1:  # each of several captures may have been made
            asked = {move_to(line[-1]) for line in lines}
        return self._question(sorted(asked)) if asked else None

    def _question(self, takes: list[int]) -> Discrepancy:
        """On which of these points was a piece taken?"""
        where = " or ".join(square_name(target) for target in takes)
        text = f"if a piece was taken on {where}, lift the piece there and set it down again; if not, go back"
        remedies = [Remedy("go back", self.rules.states[self.tracker.executed])]
        return replace(self.tracker.discrepancies.make("capture", text, remedies), asked=tuple(takes))

    def _order_question(self, state: str) -> Discrepancy | None:
        """A reply stands on the board that was there before the move it replies to."""
        waiting = self.rules.board.history[self.tracker.executed :]
        if not waiting or not self.tracker.awaiting or self.rules.mover(self.rules.plies) not in self.tracker.humans:
            return None
        for move in self.captures.playable(state):
            if not self.captures.in_order([*waiting, move]):
                told = self.rules.told(self.rules.plies - 1)
                text = (
                    f"{move_name(move)} was there before {told}: if it is the reply, lift the "
                    "piece and set it again, or leave it so; if it was only pushed, put it back"
                )
                remedies = [Remedy("put it back", self.rules.states[-1])]
                return replace(self.tracker.discrepancies.make("order", text, remedies), asked=(move_to(move),))
        return None

    # ------------------------------------------------------------------ remedies

    def _remedies(self, state: str) -> list[Remedy]:
        """The remedies: on to the game as it is, back to before the move that waits or the last one."""
        remedies = []
        plies, done = self.rules.plies, self.tracker.executed
        if done < plies:
            remedies.append(Remedy(f"go on with {self.rules.told(plies - 1)}", self.rules.states[plies]))
            remedies.append(Remedy("back to before it", self.rules.states[done]))
        else:
            remedies.append(Remedy("back to the position", self.rules.states[plies]))
        ply = self.tracker.last_human
        if self.tracker.options.retractable and ply is not None and done == ply + 1 and plies - ply <= 2:
            remedies.append(Remedy(f"take {self.rules.told(ply)} back", self.rules.states[ply]))
        if (
            done == plies
            and not self.tracker.over
            and self.tracker.awaiting
            and self.rules.mover(plies) in self.tracker.humans
        ):
            remedies += self._move_remedies(state)
        return remedies

    def _move_remedies(self, state: str) -> list[Remedy]:
        """A legal move with something else knocked over: keep the move and mend the rest."""
        expected = self.rules.states[-1]
        now = len(guide.differing(state, expected))
        found = []
        for move in self.rules.board.legal_moves():
            origin, target = move_from(move), move_to(move)
            if move in self.tracker.policy.barred or self.captures.slipped(origin):
                continue
            if state[origin] == CLEAR and state[target] == expected[origin] and state[target] != expected[target]:
                then = after(expected, move)
                left = len(guide.differing(state, then))
                if left < now:
                    found.append((left, move, Remedy(f"keep {move_name(move)}", then)))
        return [remedy for _, _, remedy in sorted(found)[:4]]

    # ------------------------------------------------------------------ what follows from it

    def complained(self, discrepancy: Discrepancy, at: float) -> list[Event]:
        tracker = self.tracker
        if discrepancy.kind == "capture":
            # From here on only what is lifted in answer counts.
            tracker.settler.forget()
            self.captures.answering = True
            tracker.replan()
        if discrepancy.kind == "order":
            tracker.replan()  # left so, it is believed
        if discrepancy.kind == "illegal":
            return tracker.discrepancies.rule("illegal", self.rules.mover(tracker.plies), at)
        return []
