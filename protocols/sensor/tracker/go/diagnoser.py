"""What is wrong with a Go board that no move explains, in words, and the articles that apply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engines.go.points import COLOR_NAMES, PASS, opponent
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import UNSURE
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import Discrepancy, DiscrepancyKind, Event, Moved, Remedy
from protocols.sensor.tracker.go.captures import GoCaptures
from protocols.sensor.tracker.go.gestures import GoGestures
from protocols.sensor.tracker.go.rules import GoRules
from protocols.sensor.tracker.interpreter import Diagnoser
from protocols.sensor.tracker.tracker import Tracker

_REASONS = {
    "occupied": "there is a stone already",
    "suicide": "no liberty would be left (禁着点/禁著點)",
    "ko": "ko (劫): it may not be taken back at once",
    "superko": "the whole board would be as it was before (全局同形/全局同形)",
}
"""What forbids a move, for the players."""


class GoDiagnoser(Diagnoser):
    """Diagnosis and remedies."""

    def __init__(self, tracker: Tracker, rules: GoRules, captures: GoCaptures, gestures: GoGestures) -> None:
        self.tracker = tracker
        self.rules = rules
        self.captures = captures
        self.gestures = gestures

    def diagnose(self, state: str) -> tuple[float, Discrepancy]:
        patience, discrepancy = self._judge(state)
        instead = self.captures.instead(state)
        if instead is not None and not self.tracker.arbiter.strict and discrepancy.kind in ("position", "illegal"):
            _, old, found, _ = instead
            new, name = self.rules.name(found.point), self.rules.name(old)
            text = f"{discrepancy.text}; or leave it so, to play {new} instead of {name}"
            discrepancy = replace(discrepancy, text=text)
        return patience, discrepancy

    def _judge(self, state: str) -> tuple[float, Discrepancy]:
        """What is wrong, and after how long to say so."""
        timing = self.tracker.timing
        if UNSURE in state:
            bad = [self.rules.name(point) for point, value in enumerate(state) if value == UNSURE]
            text = f"cannot read {', '.join(bad[:6])}: put the stone on the middle of the point, or mend the sensor"
            return timing.patience, self.tracker.discrepancies.make("unclear", text, self._remedies(state))
        plies, mover = self.rules.plies, self.rules.mover(self.rules.plies)
        target = self.rules.states[plies]
        pending = self.captures.pending_at(plies)
        added, removed = [], []
        for point in guide.differing(state, target):
            if state[point] == CLEAR or target[point] != CLEAR:
                removed.append(point)
            elif pending.get(point) != state[point]:
                added.append(point)
        remedies = self._remedies(state)
        if added and self.tracker.wishes.gestured.issuperset(added):
            return timing.patience, self.tracker.discrepancies.make(
                "lifted", f"take {self._list(added)} away again", remedies
            )
        if len(added) == 1 and not self.tracker.over:
            kind, text, patience = self._diagnose_stone(state, added[0], removed, mover)
            if kind is not None:
                discrepancy = self.tracker.discrepancies.make(kind, text, remedies)
                if kind == "capture":
                    discrepancy = replace(discrepancy, asked=(added[0],))
                elif kind == "illegal" and removed:
                    discrepancy = replace(discrepancy, living=tuple(removed))
                return patience, discrepancy
        if removed and not added and all(state[point] == CLEAR for point in removed):
            begun = self.tracker.awaiting and mover in self.tracker.humans and self.captures.capture_begun(state)
            words = f"{self._list(removed)} off the board"
            if len(removed) == 1:
                words += f"; if the stone is there, its sensor is broken: ignore {self.rules.name(removed[0])}, or yes"
            return timing.lifted if begun else min(
                timing.patience, self.tracker.discrepancies.lifted_patience
            ), self.tracker.discrepancies.make("lifted", words, remedies)
        if self.tracker.executed < plies:
            words = f"the move is {self.rules.told(plies - 1)}"
            return timing.patience, self.tracker.discrepancies.make(
                "execution", words + self._hint_unread(state), remedies
            )
        return timing.patience, self.tracker.discrepancies.make(
            "position", self.tracker.discrepancies.out_of_place(state, remedies), remedies
        )

    def _hint_unread(self, state: str) -> str:
        """What to do where the other player's move was made, and only its point does not show it."""
        point = self.rules.game.board.turn(self.rules.plies - 1)[1]
        if self.tracker.executed != self.rules.plies - 1 or point == PASS or state[point] != CLEAR:
            return ""
        return f"; if the stone is there, its sensor is broken: ignore {self.rules.name(point)}"

    def _list(self, points: Sequence[int]) -> str:
        names = [self.rules.name(point) for point in points]
        return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")

    def _diagnose_stone(
        self, state: str, point: int, removed: list[int], mover: int
    ) -> tuple[DiscrepancyKind | None, str, float]:
        """What is wrong with one stone too many; no kind where it is not that."""
        timing, where = self.tracker.timing, self.rules.name(point)
        color = self.rules.color_of(state[point], point) if self.tracker.sensing == "pol" else mover
        if removed and self.tracker.awaiting and mover in self.tracker.humans:
            found = self.captures.single(state, self.rules.plies, mover, self.captures.pending_at(self.rules.plies))
            doubt = self.captures.doubt(state, found) if found is not None and not found.why else ""
            if doubt:
                return "capture", doubt, timing.wrong
        if self.tracker.executed < self.rules.plies:
            told = self.rules.told(self.rules.plies - 1)
            wrong = self.rules.game.board.turn(self.rules.plies - 1)[1]
            if wrong in removed and len(removed) == 1:
                words = f"a stone stands on {where}, but the move is {told}"
                return "execution", words + self._hint_unread(state), timing.wrong
            return None, "", 0.0
        if removed:
            if self.tracker.sensing == "occ" and self.captures.beside(point, removed):
                return None, "", 0.0
            living = [p for p in removed if state[p] == CLEAR and self.rules.game.board.at(p) != color]
            if living and len(living) == len(removed) and color == mover and mover in self.tracker.humans:
                have = "have" if len(living) > 1 else "has"
                return "illegal", f"{self._list(living)} still {have} liberties", timing.wrong
            return None, "", 0.0
        if color != mover:
            names = COLOR_NAMES[color], COLOR_NAMES[mover]
            kind: DiscrepancyKind = "turn" if color in self.tracker.humans else "colour"
            patience = timing.corner + timing.gesture if self.gestures.may_become(point, color) else timing.wrong
            return kind, f"a {names[0]} stone on {where}, but it is {names[1]}'s turn", patience
        if mover not in self.tracker.humans:
            return "turn", f"a stone on {where}, but {COLOR_NAMES[mover]} has not moved yet", timing.soon
        if not self.tracker.awaiting:
            return "turn", f"a stone on {where}, but no move is asked for", timing.soon
        why = self.rules.game.board.why_illegal(color, point)
        if why:
            return "illegal", f"{where} is forbidden: {_REASONS.get(why, why)}", timing.wrong
        return None, "", 0.0

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
        # A legal move with something else knocked over: keep the move and mend the rest.
        if (
            done == plies
            and not self.tracker.over
            and self.tracker.awaiting
            and self.rules.mover(plies) in self.tracker.humans
        ):
            remedies += self._move_remedies(state)
        pending = self.captures.pending_at(plies)
        if pending:
            return [Remedy(remedy.text, self._with_pending(state, remedy.target, pending)) for remedy in remedies]
        return remedies

    def _with_pending(self, state: str, target: str, pending: dict[int, str]) -> str:
        """A target that lets captured stones lie where they still do."""
        return "".join(
            [
                value if state[i] == target[i] or target[i] != CLEAR or pending.get(i) != state[i] else state[i]
                for i, value in enumerate(target)
            ]
        )

    def _move_remedies(self, state: str) -> list[Remedy]:
        plies, color = self.rules.plies, self.rules.mover(self.rules.plies)
        target = self.rules.states[plies]
        gone = [point for point in guide.differing(state, target) if state[point] == CLEAR]
        remedies = []
        for point in guide.differing(state, target):
            if self.captures.beside(point, gone):
                continue
            if (
                target[point] == CLEAR
                and state[point] == self.rules.values[color]
                and self.rules.game.is_legal(color, point)
            ):
                self.rules.game.play_as(color, point)
                remedies.append(
                    Remedy(f"keep {COLOR_NAMES[color]} {self.rules.name(point)}", self.rules.state_of(self.rules.game))
                )
                self.rules.game.undo()
                if len(remedies) == 4:
                    break
        return remedies

    # ------------------------------------------------------------------ what follows from it

    def complained(self, discrepancy: Discrepancy, at: float) -> list[Event]:
        tracker = self.tracker
        if discrepancy.kind == "capture":
            # From here on only what is lifted in answer counts.
            tracker.settler.forget()
            self.captures.questioned = discrepancy.asked[0]
            tracker.replan()
        if not tracker.arbiter.strict or tracker.over or tracker.discrepancies.ruled:
            return []
        return self._strictly(discrepancy, at)

    def _strictly(self, discrepancy: Discrepancy, at: float) -> list[Event]:
        """The articles that apply to what is wrong."""
        mover = self.rules.mover(self.rules.plies)
        kind = discrepancy.kind
        state = self.tracker.settler.stable
        if kind == "turn" or (kind == "illegal" and not discrepancy.living):
            # What comes and goes was perhaps played by nobody, the last move included: nobody loses by that.
            trust = self.tracker.settler.trust
            last = self.rules.game.moves[-1][1] if self.rules.game.moves else PASS
            seen = {*guide.differing(state, self.rules.states[-1]), last} - {PASS}
            if any(point in trust.restless or trust.visits_of(point, at) for point in seen):
                return []
        if kind == "turn":
            offender = opponent(mover)
            return (
                self.tracker.discrepancies.rule("two-moves", offender, at)
                if offender in self.tracker.humans and self.rules.plies
                else []
            )
        if kind == "illegal":
            if discrepancy.living:
                return self.tracker.discrepancies.rule("took-living", mover, at)
            added = [p for p in guide.differing(state, self.rules.states[-1]) if self.rules.states[-1][p] == CLEAR]
            why = self.rules.game.board.why_illegal(mover, added[0]) if len(added) == 1 else ""
            offence = {"ko": "ko", "superko": "ko", "suicide": "forbidden-point"}.get(why)
            if offence is None:
                return []
            ruled = self.tracker.discrepancies.rule(offence, mover, at)
            self.tracker.push(mover, PASS)
            self.tracker.executed = self.rules.plies
            self.tracker.last_human = None
            self.tracker.guiding = True
            self.tracker.replan()
            return [*ruled, Moved(at, self.rules.plies - 1, mover, PASS)]
        if kind == "position":
            differences = len(discrepancy.extra) + len(discrepancy.missing)
            return self.tracker.discrepancies.rule("disturbed" if differences > 6 else "displaced", mover, at)
        return []
