"""The tracker of Xiangqi: pieces on 9 by 10 points, seen by occupancy, by colour or by identity."""

from __future__ import annotations

from collections.abc import Sequence

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import (
    PIECE_LETTERS,
    move_from,
    move_name,
    move_to,
    piece_color,
    piece_kind,
    square_name,
)
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import (
    FIRST,
    HINT,
    LIFT,
    PIECES,
    SECOND,
)
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.events import Event, Moved, Replaced, SetUp, Way
from protocols.sensor.tracker.policy import Option
from protocols.sensor.tracker.xiangqi_position import BLACK, RED
from protocols.sensor.tracker.xiangqi_trouble import XiangqiTroubles

_KING = 1

TOUCH = 0.5
"""Seconds a piece must have been off its point to count as touched; less is a bump or a bad contact."""

_BANKS = {RED: 4, BLACK: 5}
"""The rank at each side's own bank of the river: a general put there resigns, both generals offer a draw."""

_BANK_FILES = (4, 3, 5, 2, 6, 1, 7, 0, 8)
"""Files in the order in which a gesture looks for a free point."""


class XiangqiTracker(XiangqiTroubles):
    """Follows one game of Xiangqi; see ``XiangqiPosition`` for how it is made. Squares are the rules core's."""

    # ------------------------------------------------------------------ what a state means

    def _explain(self, firm: str) -> list[Option]:
        plies = self.plies
        stands = self._stands_at(firm)
        if stands is not None:
            return [self._right(stands)]
        if self._guiding:
            return self._next_game_options(firm) + self._turned_options(firm)
        plan: list[Option] = []
        if self.policy.gestures and not self.over:
            plan += self._gesture_options(firm)
        mover = self.mover(plies)
        if self.awaiting and not self.over and mover in self.humans:
            plan += self._move_options(firm)
        if not plan and self._minds_last and not self.over:
            plan += self._second_thoughts(firm)
        if not plan:
            plan += self._turned_options(firm)
            several = len(guide.differing(firm, self._shots[self.done])) > 2
            # By occupancy a move with a piece knocked over can look like two moves taken back: then it is asked first.
            doubtful = self.sensing == "occ" and several and self._pushed()
            wait = self.timing.patience + self.timing.unanswered if doubtful else 0.0
            plan += self._take_back_options(firm, False, wait)
            plan += self._new_game_options(firm)
        return plan

    def _shows(self, firm: str, ply: int) -> bool:
        return super()._shows(firm, ply) and not self._unproven(self.board.history[self.done : ply])

    def _right(self, ply: int) -> Option:
        """The board is right as far as so many plies."""

        def settled(at: float) -> list[Event]:
            events: list[Event] = []
            if ply > self.done:
                points = [p for move in self.board.history[self.done : ply] for p in (move_from(move), move_to(move))]
                self.done = ply
                self._touched = None
                events.append(self._executed(points, ply))
                self._replan()
            else:
                self._note_touch()
            return events + self._content(at)

        return Option(self.timing.settle, settled, "right")

    def _note_touch(self) -> None:
        """Remember the first piece of one's own that was lifted and put back, where the referee wants to know."""
        mover = self.mover(self.plies)
        if not self.referee.strict or self._touched is not None or mover not in self.humans or self.done < self.plies:
            return
        if self._guiding or not self.awaiting:
            return  # a position was put up, or nobody is to move
        movable = {move_from(move) for move in self.board.legal_moves() if move not in self.policy.barred}
        for change in self._settler.changes:
            if (
                change.after == CLEAR
                and change.point in movable
                and not self._goes_by_itself(change.point)
                and self._settler.lifts(change.point, TOUCH)
            ):
                self._touched = change.point
                return

    def _goes_by_itself(self, point: int) -> bool:
        """Whether a piece has gone and come back too often to have been touched."""
        trust = self._settler.trust
        return point in trust.blind or len(trust.visits(point, CLEAR, self._now)) > 1

    def _move_options(self, firm: str) -> list[Option]:
        waiting = self.board.history[self.done :]
        fitting = [move for move in self._playable(firm) if self._shown([*waiting, move])]
        if len(fitting) == 1:
            return [self._moved(firm, fitting)]
        if self.trouble is not None and self.trouble.kind == "order":
            # Asked about, and left so: it was the reply.
            late = [move for move in self._playable(firm) if not self._unproven([*waiting, move])]
            if len(late) == 1:
                return [self._moved(firm, late)._replace(dwell=self.timing.unanswered, kind="else")]
        if not fitting and self.humans == {RED, BLACK} and self.done == self.plies:
            return self._several_at_once(firm)
        return []

    def _shown(self, line: Sequence[int]) -> bool:
        """Whether there is evidence for moves that make the state."""
        return not self._unproven(line) and self._in_order(line)

    def _several_at_once(self, firm: str) -> list[Option]:
        """Several moves between two stable states, with both sides at the board, if only one line of them explains it.

        Two may be made while it is watched; three, or any in an order that nobody saw, only while the board was away.
        """
        changed = guide.differing(firm, self._shots[-1])
        for count in (2, 3) if self._gap else (2,):
            if not 1 <= len(changed) <= 2 * count:
                return []
            found = self._lines(firm, self.board, self._shots[-1], count)
            lines = [line for line in found if not self._unproven(line) and (self._gap or self._in_order(line, True))]
            if lines:
                return [self._moved(firm, lines[0])] if len(lines) == 1 else []
        return []

    def _lines(self, firm: str, board: Board, shot: str, count: int, gone: tuple[int, ...] = ()) -> list[list[int]]:
        """Lines of so many legal moves that lead to a state, no piece going back to where it came from.

        ``gone``: points that pieces have left in the moves before.
        """
        if count == 1:
            return [[move] for move in self._fitting(firm, board, shot) if move_to(move) not in gone]
        changed = guide.differing(firm, shot)
        found = []
        for move in board.legal_moves():
            origin = move_from(move)
            if move_to(move) in gone or (firm[origin] != CLEAR and origin not in changed and self.sensing != "occ"):
                continue  # its point must be empty, or have been filled by an answer
            after = self._after(shot, move)
            if len(guide.differing(firm, after)) > 2 * (count - 1):
                continue
            board.play(move)
            found += [[move, *rest] for rest in self._lines(firm, board, after, count - 1, (*gone, origin))]
            board.undo()
        return found

    def _could_go_on(self, move: int) -> bool:
        """Whether the piece, slid, could legally have gone on in the same line: this stop may not be the last."""
        origin, target = move_from(move), move_to(move)
        file, rank = _sign(target % 9 - origin % 9), _sign(target // 9 - origin // 9)
        if file and rank:
            return False
        length = abs(target % 9 - origin % 9) + abs(target // 9 - origin // 9)
        for other in self.board.legal_moves():
            if move_from(other) != origin:
                continue
            x, y = move_to(other) % 9 - origin % 9, move_to(other) // 9 - origin // 9
            if (_sign(x), _sign(y)) == (file, rank) and abs(x) + abs(y) > length:
                return True
        return False

    def _moved(self, firm: str, moves: Sequence[int]) -> Option:
        """These moves were made, one after the other."""
        timing = self.timing
        dwell = timing.settle
        if len(moves) == 1:
            if self._could_go_on(moves[0]):
                dwell += timing.slide
            if self.sensing == "occ" and self._shots[-1][move_to(moves[0])] != CLEAR:
                dwell += timing.capture

        def play(at: float) -> list[Event]:
            events: list[Event] = []
            if self._touched is not None and self._goes_by_itself(self._touched):
                self._touched = None
            touched = self._touched
            if touched is not None and len(moves) == 1 and move_from(moves[0]) != touched:
                return self._refuse_untouched(at)
            if self.done < self.plies:
                points = [p for move in self.board.history[self.done :] for p in (move_from(move), move_to(move))]
                events.append(self._executed(points, self.plies))
            for move in moves:
                color = self.board.turn
                self._push(move)
                self._last_human = self.plies - 1
                points = [move_from(move), move_to(move)]
                events.append(Moved(self._hand_done(points), self.plies - 1, color, move))
            self.done = self.plies
            self._touched = None
            self._replan()
            return events + self._content(at)

        return Option(self._dwell(dwell, firm), play, "move")

    def _refuse_untouched(self, at: float) -> list[Event]:
        """Another piece moved than the one that was touched."""
        ways = [Way("back to the position", self._shots[-1])]
        trouble = self._trouble("touched", self._touched_words(), ways)
        return self._rule("touched", self.mover(self.plies), at) + self._complain(trouble, at)

    def _second_thoughts(self, firm: str) -> list[Option]:
        """Another move of the piece moved last on the board, the answer not being executed yet."""
        ply = self._last_human
        if ply is None or self.plies - ply > 2 or self.done > ply + 1:
            return []
        old = self.board.history[ply]
        fitting = [move for move in self._fitting(firm, self._rewound(ply), self._shots[ply]) if move != old]
        if self.referee.strict:
            if self.sensing == "occ":
                # A capture cannot be told from the piece being off the board.
                fitting = [move for move in fitting if self._shots[ply][move_to(move)] == CLEAR]
            return [self._stands(ply, firm)] if fitting or guide.fits(firm, self._shots[ply]) else []
        fitting = [move for move in self._thoughts(firm) if self._taken_by(move)]
        if len(fitting) != 1:
            return []
        move = fitting[0]
        color = self.mover(ply)

        def change(at: float) -> list[Event]:
            self._truncate(ply)
            self._push(move)
            self._last_human = ply
            self.done = self.plies
            self._replan()
            points = [move_from(move), move_to(move)]
            return [Replaced(self._hand_done(points), ply, color, old, move), *self._content(at)]

        return [Option(self._dwell(self.timing.second, firm), change)]

    def _taken_by(self, move: int) -> bool:
        """Whether a second thought that, by occupancy, ends where something stood before has been seen to take it."""
        assert self._last_human is not None
        target, left = move_to(move), move_to(self.board.history[self._last_human])
        settler = self._settler
        if self.sensing != "occ" or self._shots[self._last_human][target] == CLEAR:
            return True
        put, gone = settler.last(target, False), settler.last(left, True)
        if target in self._weak or put is None or not settler.lifts(target, self.timing.lift):
            return False
        return self._answering or (gone is not None and gone <= put)

    def _stands(self, ply: int, firm: str) -> Option:
        """The move of this ply is put back as it was made: the strict referee's answer to one that was retracted."""

        def refuse(at: float) -> list[Event]:
            name = move_name(self.board.history[ply])
            trouble = self._trouble(
                "final", f"{name} stands (落子无悔/落子無悔)", [Way(f"back to {name}", self._shots[self.done])]
            )
            return [*self._rule("second-thoughts", self.mover(ply), at), *self._complain(trouble, at)]

        return Option(self._dwell(self.timing.second, firm), refuse, "trouble")

    # ------------------------------------------------------------------ gestures

    def _gesture_options(self, firm: str) -> list[Option]:
        target = self._shots[self.done]
        changed = guide.differing(firm, target)
        if len(changed) not in (2, 4):
            return []
        board = self._rewound(self.done)
        kings = {
            color: square
            for square in range(90)
            if piece_kind(piece := board.piece_at(square)) == _KING
            for color in (piece_color(piece),)
        }
        gone = {}
        for color, square in kings.items():
            place = self._bank(target, color)
            if square in changed and firm[square] == CLEAR and place in changed and firm[place] == target[square]:
                gone[color] = place
        if 2 * len(gone) != len(changed):
            return []
        dwell = self.timing.gesture
        if len(gone) == 2:
            color, what, words = self.person, "draw", "draw 提和"
        else:
            (color,), what, words = tuple(gone), "resign", "resign 认输/認輸"
            if color not in self.humans:
                return []
            dwell = self.timing.corner  # the other general may come yet
        text = f"{words}: put the general back and do it once more to confirm"
        return [Option(dwell, lambda at: self._gesture(what, color, at, text, gone.values()), "wish")]

    def _bank(self, shot: str, color: int) -> int:
        """The point at the river where this colour's general makes a gesture: the first free one from the middle."""
        for file in _BANK_FILES:
            square = _BANKS[color] * 9 + file
            if shot[square] == CLEAR:
                return square
        return _BANKS[color] * 9 + 4

    # ------------------------------------------------------------------ set-up

    def _no_setup(self) -> str:
        if self.sensing == "id":
            return ""
        return "only a board that knows its pieces can be set up freely; put up the start position instead"

    def _read_setup(self, firm: str) -> SetUp | str:
        pieces = bytearray(90)
        for square, value in enumerate(firm):
            if value in PIECES:
                pieces[square] = PIECE_LETTERS.index(value)
            elif value != CLEAR:
                return f"cannot read {square_name(square)}"
        ranks = []
        for rank in range(9, -1, -1):
            row = "".join(PIECE_LETTERS[piece] for piece in pieces[rank * 9 : rank * 9 + 9])
            for run in range(9, 0, -1):
                row = row.replace("." * run, str(run))
            ranks.append(row)
        placement = "/".join(ranks)
        problem = ""
        for side in (RED, BLACK) if self.setup_mover is None else (self.setup_mover,):
            try:
                Board(f"{placement} {'wb'[side]}")
                return SetUp(0.0, bytes(pieces), side)
            except ValueError as error:
                problem = problem or str(error)
        return problem

    # ------------------------------------------------------------------ lamps

    def _lit(self, firm: str) -> dict[int, str]:
        trouble = self.trouble
        if trouble is not None and trouble.kind == "capture":
            return {point: HINT.lower() for point in trouble.asked}
        return super()._lit(firm)

    def _lit_move(self, firm: str) -> dict[int, str]:
        move = self.board.history[self.done]
        origin, target = move_from(move), move_to(move)
        shot = self._shots[self.done]
        color = self.mover(self.done)
        lit = {}
        if firm[origin] != CLEAR:
            lit[origin] = LIFT.lower()
        if shot[target] != CLEAR and firm[target] == shot[target]:
            lit[target] = LIFT  # the taken piece goes first
        else:
            lit[target] = (FIRST, SECOND)[color]
        return lit


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
