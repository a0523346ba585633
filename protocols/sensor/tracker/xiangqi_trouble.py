"""What is wrong with a Xiangqi board that no move explains, in words, and the articles that apply."""

from __future__ import annotations

from dataclasses import replace

from engines.xiangqi.geometry import (
    SIDE_NAMES,
    move_from,
    move_name,
    move_of,
    move_to,
    piece_color,
    square_name,
)
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import (
    FAULT,
    UNSURE,
)
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import Event, Trouble, TroubleKind, Way
from protocols.sensor.tracker.xiangqi_position import XiangqiPosition


class XiangqiTroubles(XiangqiPosition):
    """Diagnosis, questions and ways out."""

    def _diagnose(self, firm: str) -> tuple[float, Trouble]:
        timing = self.timing
        ways = self._ways(firm)
        if UNSURE in firm:
            bad = [self.name(point) for point, value in enumerate(firm) if value == UNSURE]
            text = f"cannot read {', '.join(bad[:6])}: put the piece on the middle of the point, or mend the sensor"
            return timing.patience, self._trouble("unclear", text, ways)
        if not self._armed:
            return timing.confirm, self._trouble("position", "put the general back", ways)
        barred = self._barred_move(firm)
        if barred is not None:
            text = f"{move_name(barred)} is not allowed now: the program that asks has banned it (禁着/禁著)"
            return timing.wrong, self._trouble("barred", text, ways)
        base = self._shots[self.done]
        changed = guide.differing(firm, base)
        emptied = [point for point in changed if firm[point] == CLEAR]
        filled = [point for point in changed if firm[point] != CLEAR]
        unseen = self._unseen_question(firm)
        if unseen is not None:
            return timing.patience, unseen
        question = self._capture_question(firm)
        if question is not None:
            return timing.patience, question
        order = self._order_question(firm)
        if order is not None:
            return timing.wrong, order
        if emptied and not filled and len(emptied) <= 2:
            words = " and ".join(f"{self.thing(base[p], p)} of {self.name(p)}" for p in emptied) + " off the board"
            if len(emptied) == 1:
                words += f"; if it stands there, its sensor is broken: ignore {self.name(emptied[0])}, or yes"
            return self._lifted_patience, self._trouble("lifted", words, ways)
        if len(emptied) == 1 and len(filled) == 1 and firm[filled[0]] == base[emptied[0]]:
            kind, text, patience = self._diagnose_move(move_of(emptied[0], filled[0]))
            return patience, self._trouble(kind, text, ways)
        if self.done < self.plies:
            text = f"the move is {self.told(self.plies - 1)}"
            if len(changed) == 1:
                text += f"; if it stands so, the sensor of {self.name(changed[0])} is broken: ignore it"
            return timing.patience, self._trouble("execution", text, ways)
        patience = timing.soon if len(filled) == 1 and not emptied else timing.patience
        return patience, self._trouble("position", self._out_of_place(firm, ways), ways)

    def _barred_move(self, firm: str) -> int | None:
        """The move that stands on the board, where it is barred. A piece that is only off the board has made none."""
        shot = self._shots[-1]
        for move in self._fitting(firm, self.board, shot):
            if move in self.policy.barred and firm[move_to(move)] != shot[move_to(move)]:
                return move
        return None

    def _touched_words(self) -> str:
        assert self._touched is not None
        piece = self.thing(self._shots[-1][self._touched], self._touched)
        return f"{piece} on {square_name(self._touched)} was touched and must move (摸子走子)"

    def _diagnose_move(self, move: int) -> tuple[TroubleKind, str, float]:
        """What is wrong with a piece that went from one point to another."""
        board = self._rewound(self.done)
        color = piece_color(board.piece_at(move_from(move)))
        if self.done < self.plies:
            told = self.told(self.done)
            if color != board.turn:
                return "turn", f"{move_name(move)}: first {told} must stand on the board", self.timing.patience
            return "execution", f"{move_name(move)} stands on the board, but the move is {told}", self.timing.wrong
        if color != board.turn:
            text = f"{move_name(move)}: it is {SIDE_NAMES[board.turn]}'s turn"
            return "turn", text, self.timing.wrong
        if self._touched not in (None, move_from(move)) and not board.why_illegal(move):
            return "touched", self._touched_words(), self.timing.wrong
        if color not in self.humans or not self.awaiting:
            return "turn", f"{move_name(move)}: no move is asked for here", self.timing.patience
        return "illegal", board.why_illegal(move) or f"{move_name(move)} cannot be taken now", self.timing.wrong

    def _unseen_question(self, firm: str) -> Trouble | None:
        """A piece has left its point, and there are points that are not read to which it may have gone."""
        if FAULT not in firm or not self.awaiting or self.mover(self.plies) not in self.humans:
            return None
        if not guide.differing(firm, self._shots[-1]):
            return None
        moves = self._unseen_moves()
        if not moves:
            return None
        where = " or ".join(sorted({square_name(move_to(move)) for move in moves}))
        text = f"if a piece went to {where}, which is not read: {'yes, or ' if len(moves) == 1 else ''}type the move"
        return self._trouble("unclear", text, [Way("go back", self._shots[self.done])])

    def _capture_question(self, firm: str) -> Trouble | None:
        """A piece has left its point and may have taken another, but which, if any, cannot be told."""
        waiting = self.board.history[self.done :]
        thoughts = self._thoughts(firm)
        if guide.fits(firm, self._shots[-1]):
            lines = [waiting]
        elif thoughts and self.sensing == "occ" and not self.referee.strict:
            return self._question(sorted({move_to(move) for move in thoughts}))
        elif self.awaiting and self.mover(self.plies) in self.humans:
            lines = [[*waiting, move] for move in self._playable(firm)]
        else:
            return None
        asked = {move_to(doubt[-1]) for doubt in map(self._unproven, lines) if doubt}
        if not asked and len(lines) > 1:  # each of several captures may have been made
            asked = {move_to(line[-1]) for line in lines}
        return self._question(sorted(asked)) if asked else None

    def _question(self, takes: list[int]) -> Trouble:
        """On which of these points was a piece taken?"""
        where = " or ".join(square_name(target) for target in takes)
        text = f"if a piece was taken on {where}, lift the piece there and set it down again; if not, go back"
        ways = [Way("go back", self._shots[self.done])]
        return replace(self._trouble("capture", text, ways), asked=tuple(takes))

    def _order_question(self, firm: str) -> Trouble | None:
        """A reply stands on the board that was there before the move it replies to."""
        waiting = self.board.history[self.done :]
        if not waiting or not self.awaiting or self.mover(self.plies) not in self.humans:
            return None
        for move in self._playable(firm):
            if not self._in_order([*waiting, move]):
                text = (
                    f"{move_name(move)} was there before {self.told(self.plies - 1)}: if it is the reply, lift the "
                    "piece and set it again, or leave it so; if it was only pushed, put it back"
                )
                ways = [Way("put it back", self._shots[-1])]
                return replace(self._trouble("order", text, ways), asked=(move_to(move),))
        return None

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
        if done == plies and not self.over and self.awaiting and self.mover(plies) in self.humans:
            ways += self._move_ways(firm)
        return ways

    def _move_ways(self, firm: str) -> list[Way]:
        """A legal move with something else knocked over: keep the move and mend the rest."""
        shot = self._shots[-1]
        now = len(guide.differing(firm, shot))
        found = []
        for move in self.board.legal_moves():
            origin, target = move_from(move), move_to(move)
            if move in self.policy.barred or self._slipped(origin):
                continue
            if firm[origin] == CLEAR and firm[target] == shot[origin] and firm[target] != shot[target]:
                after = self._after(shot, move)
                left = len(guide.differing(firm, after))
                if left < now:
                    found.append((left, move, Way(f"keep {move_name(move)}", after)))
        return [way for _, _, way in sorted(found)[:4]]

    def _complain(self, trouble: Trouble, at: float) -> list[Event]:
        events = super()._complain(trouble, at)
        if events and trouble.kind == "capture":
            # From here on only what is lifted in answer counts.
            self._settler.forget()
            self._answering = True
            self._replan()
        if events and trouble.kind == "order":
            self._replan()  # left so, it is believed
        if events and trouble.kind == "illegal":
            events += self._rule("illegal", self.mover(self.plies), at)
        return events
