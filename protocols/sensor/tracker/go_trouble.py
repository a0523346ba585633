"""What is wrong with a Go board that no move explains, in words, and the articles that apply."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from engines.go.points import COLOR_NAMES, PASS, opponent
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import (
    UNSURE,
)
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import (
    Event,
    Moved,
    Trouble,
    TroubleKind,
    Way,
)
from protocols.sensor.tracker.go_position import GoPosition

_REASONS = {
    "occupied": "there is a stone already",
    "suicide": "no liberty would be left (禁着点/禁著點)",
    "ko": "ko (劫): it may not be taken back at once",
    "superko": "the whole board would be as it was before (全局同形/全局同形)",
}
"""What forbids a move, for the players."""


class GoTroubles(GoPosition):
    """Diagnosis and ways out."""

    def _diagnose(self, firm: str) -> tuple[float, Trouble]:
        patience, trouble = self._judge(firm)
        instead = self._instead(firm)
        if instead is not None and not self.referee.strict and trouble.kind in ("position", "illegal"):
            _, old, found, _ = instead
            text = f"{trouble.text}; or leave it so, to play {self.name(found.point)} instead of {self.name(old)}"
            trouble = replace(trouble, text=text)
        return patience, trouble

    def _judge(self, firm: str) -> tuple[float, Trouble]:
        """What is wrong, and after how long to say so."""
        timing = self.timing
        if UNSURE in firm:
            bad = [self.name(point) for point, value in enumerate(firm) if value == UNSURE]
            text = f"cannot read {', '.join(bad[:6])}: put the stone on the middle of the point, or mend the sensor"
            return timing.patience, self._trouble("unclear", text, self._ways(firm))
        plies, mover = self.plies, self.mover(self.plies)
        target = self._shots[plies]
        owed = self._owed_at(plies)
        added, removed = [], []
        for point in guide.differing(firm, target):
            if firm[point] == CLEAR or target[point] != CLEAR:
                removed.append(point)
            elif owed.get(point) != firm[point]:
                added.append(point)
        ways = self._ways(firm)
        if added and self._gestured.issuperset(added):
            return timing.patience, self._trouble("lifted", f"take {self._list(added)} away again", ways)
        if len(added) == 1 and not self.over:
            kind, text, patience = self._diagnose_stone(firm, added[0], removed, mover)
            if kind is not None:
                trouble = self._trouble(kind, text, ways)
                if kind == "capture":
                    trouble = replace(trouble, asked=(added[0],))
                elif kind == "illegal" and removed:
                    trouble = replace(trouble, living=tuple(removed))
                return patience, trouble
        if removed and not added and all(firm[point] == CLEAR for point in removed):
            begun = self.awaiting and mover in self.humans and self._capture_begun(firm)
            words = f"{self._list(removed)} off the board"
            if len(removed) == 1:
                words += f"; if the stone is there, its sensor is broken: ignore {self.name(removed[0])}, or yes"
            return timing.lifted if begun else min(timing.patience, self._lifted_patience), self._trouble(
                "lifted", words, ways
            )
        if self.done < plies:
            words = f"the move is {self.told(plies - 1)}"
            return timing.patience, self._trouble("execution", words + self._hint_unread(firm), ways)
        return timing.patience, self._trouble("position", self._out_of_place(firm, ways), ways)

    @abstractmethod
    def _may_become_gesture(self, point: int, color: int) -> bool:
        """Whether one stone that was put down may be the first of two that make a gesture."""

    def _hint_unread(self, firm: str) -> str:
        """What to do where the other player's move was made, and only its point does not show it."""
        point = self.game.board.turn(self.plies - 1)[1]
        if self.done != self.plies - 1 or point == PASS or firm[point] != CLEAR:
            return ""
        return f"; if the stone is there, its sensor is broken: ignore {self.name(point)}"

    def _list(self, points: Sequence[int]) -> str:
        names = [self.name(point) for point in points]
        return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")

    def _diagnose_stone(
        self, firm: str, point: int, removed: list[int], mover: int
    ) -> tuple[TroubleKind | None, str, float]:
        """What is wrong with one stone too many; no kind where it is not that."""
        timing, where = self.timing, self.name(point)
        color = self._color_of(firm[point], point) if self.sensing == "pol" else mover
        if removed and self.awaiting and mover in self.humans:
            found = self._single(firm, self.plies, mover, self._owed_at(self.plies))
            doubt = self._in_doubt(firm, found) if found is not None and not found.why else ""
            if doubt:
                return "capture", doubt, timing.wrong
        if self.done < self.plies:
            told = self.told(self.plies - 1)
            wrong = self.game.board.turn(self.plies - 1)[1]
            if wrong in removed and len(removed) == 1:
                words = f"a stone stands on {where}, but the move is {told}"
                return "execution", words + self._hint_unread(firm), timing.wrong
            return None, "", 0.0
        if removed:
            if self.sensing == "occ" and self._beside(point, removed):
                return None, "", 0.0
            living = [p for p in removed if firm[p] == CLEAR and self.game.board.at(p) != color]
            if living and len(living) == len(removed) and color == mover and mover in self.humans:
                have = "have" if len(living) > 1 else "has"
                return "illegal", f"{self._list(living)} still {have} liberties", timing.wrong
            return None, "", 0.0
        if color != mover:
            names = COLOR_NAMES[color], COLOR_NAMES[mover]
            kind: TroubleKind = "turn" if color in self.humans else "colour"
            patience = timing.corner + timing.gesture if self._may_become_gesture(point, color) else timing.wrong
            return kind, f"a {names[0]} stone on {where}, but it is {names[1]}'s turn", patience
        if mover not in self.humans:
            return "turn", f"a stone on {where}, but {COLOR_NAMES[mover]} has not moved yet", timing.soon
        if not self.awaiting:
            return "turn", f"a stone on {where}, but no move is asked for", timing.soon
        why = self.game.board.why_illegal(color, point)
        if why:
            return "illegal", f"{where} is forbidden: {_REASONS.get(why, why)}", timing.wrong
        return None, "", 0.0

    def _ways(self, firm: str) -> list[Way]:
        """The ways out of trouble: on to the game as it is, back to before the move that waits or the last one."""
        ways = []
        plies, done = self.plies, self.done
        if done < plies:
            ways.append(Way(f"go on with {self.told(plies - 1)}", self._shots[plies]))
            ways.append(Way("back to before it", self._shots[done]))
        else:
            ways.append(Way("back to the position", self._shots[plies]))
        ply = self._last_human
        if self._retractable and ply is not None and done == ply + 1 and plies - ply <= 2:
            ways.append(Way(f"take {self.told(ply)} back", self._shots[ply]))
        # A legal move with something else knocked over: keep the move and mend the rest.
        if done == plies and not self.over and self.awaiting and self.mover(plies) in self.humans:
            ways += self._move_ways(firm)
        owed = self._owed_at(plies)
        if owed:
            return [Way(way.text, self._with_owed(firm, way.target, owed)) for way in ways]
        return ways

    def _with_owed(self, firm: str, target: str, owed: dict[int, str]) -> str:
        """A target that lets captured stones lie where they still do."""
        return "".join(
            [
                value if firm[i] == target[i] or target[i] != CLEAR or owed.get(i) != firm[i] else firm[i]
                for i, value in enumerate(target)
            ]
        )

    def _move_ways(self, firm: str) -> list[Way]:
        plies, color = self.plies, self.mover(self.plies)
        target = self._shots[plies]
        gone = [point for point in guide.differing(firm, target) if firm[point] == CLEAR]
        ways = []
        for point in guide.differing(firm, target):
            if self._beside(point, gone):
                continue
            if target[point] == CLEAR and firm[point] == self._values[color] and self.game.is_legal(color, point):
                self.game.play_as(color, point)
                ways.append(Way(f"keep {COLOR_NAMES[color]} {self.name(point)}", self._shot(self.game)))
                self.game.undo()
                if len(ways) == 4:
                    break
        return ways

    def _complain(self, trouble: Trouble, at: float) -> list[Event]:
        events = super()._complain(trouble, at)
        if events and trouble.kind == "capture":
            # From here on only what is lifted in answer counts.
            self._settler.forget()
            self._questioned = trouble.asked[0]
            self._replan()
        if not events or not self.referee.strict or self.over or self._ruled:
            return events
        return events + self._strictly(trouble, at)

    def _content(self, at: float) -> list[Event]:
        self._questioned = None
        return super()._content(at)

    def _strictly(self, trouble: Trouble, at: float) -> list[Event]:
        """The articles that apply to what is wrong."""
        mover = self.mover(self.plies)
        kind = trouble.kind
        firm = self._settler.firm
        if kind == "turn" or (kind == "illegal" and not trouble.living):
            # What comes and goes was perhaps played by nobody, the last move included: nobody loses by that.
            trust = self._settler.trust
            last = self.game.moves[-1][1] if self.game.moves else PASS
            seen = {*guide.differing(firm, self._shots[-1]), last} - {PASS}
            if any(point in trust.restless or trust.visits_of(point, at) for point in seen):
                return []
        if kind == "turn":
            offender = opponent(mover)
            return self._rule("two-moves", offender, at) if offender in self.humans and self.plies else []
        if kind == "illegal":
            if trouble.living:
                return self._rule("took-living", mover, at)
            added = [p for p in guide.differing(firm, self._shots[-1]) if self._shots[-1][p] == CLEAR]
            why = self.game.board.why_illegal(mover, added[0]) if len(added) == 1 else ""
            offence = {"ko": "ko", "superko": "ko", "suicide": "forbidden-point"}.get(why)
            if offence is None:
                return []
            ruled = self._rule(offence, mover, at)
            self._push(mover, PASS)
            self.done = self.plies
            self._last_human = None
            self._guiding = True
            self._replan()
            return [*ruled, Moved(at, self.plies - 1, mover, PASS)]
        if kind == "position":
            differences = len(trouble.extra) + len(trouble.missing)
            return self._rule("disturbed" if differences > 6 else "displaced", mover, at)
        return []

    def _final(self, old: int) -> Trouble:
        ways = [Way(f"put the stone back on {self.name(old)}", self._shots[self.done])]
        return self._trouble("final", f"the move {self.name(old)} stands", ways)
