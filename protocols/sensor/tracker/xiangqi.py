"""The tracker of Xiangqi: pieces on 9 by 10 points, seen by occupancy, by colour or by identity."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import (
    KIND_NAMES,
    PIECE_LETTERS,
    SIDE_NAMES,
    move_from,
    move_name,
    move_of,
    move_to,
    piece_color,
    piece_kind,
    square_name,
)
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import (
    FAULT,
    FIRST,
    HINT,
    LIFT,
    OCCUPIED,
    PIECES,
    SECOND,
    UNSURE,
    Geometry,
    Sensing,
)
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.core import Option, Policy, Timing, Tracker
from protocols.sensor.tracker.events import Event, Executed, Moved, Replaced, SetUp, Trouble, TroubleKind, Way
from protocols.sensor.tracker.referee import Referee
from protocols.sensor.tracker.settle import DEBOUNCE

RED, BLACK = 0, 1
_KING = 1

GEOMETRY = Geometry(9, 10)

TOUCH = 0.5
"""Seconds a piece must have been off its point to count as touched; less is a bump or a bad contact."""

_BANKS = {RED: 4, BLACK: 5}
"""The rank at each side's own bank of the river: a general put there resigns, both generals offer a draw."""

_BANK_FILES = (4, 3, 5, 2, 6, 1, 7, 0, 8)
"""Files in the order in which a gesture looks for a free point."""


def _value(piece: int, sensing: Sensing) -> str:
    """What a board shows where this piece stands."""
    if piece == 0:
        return CLEAR
    if sensing == "id":
        return PIECE_LETTERS[piece]
    return OCCUPIED if sensing == "occ" else (FIRST, SECOND)[piece_color(piece)]


class XiangqiTracker(Tracker):
    """Follows one game of Xiangqi. ``board`` is its own copy of the referee's; squares and moves are as there."""

    first_color = RED
    second_color = BLACK

    def __init__(
        self,
        game: Any = None,
        sensing: Sensing = "occ",
        humans: Collection[int] = (RED, BLACK),
        *,
        timing: Timing | None = None,
        policy: Policy | None = None,
        referee: Referee | None = None,
        turned: bool = False,
        debounce: float = DEBOUNCE,
    ) -> None:
        """``game``: a board, or anything that has one as ``board``; None for the start. ``humans``: who plays here."""
        super().__init__(
            GEOMETRY,
            sensing,
            humans,
            timing=timing,
            policy=policy,
            referee=referee or Referee("xiangqi"),
            turned=turned,
            debounce=debounce,
        )
        self.start_shot = self._shot(Board())
        self._touched: int | None = None
        self._take_over(_board_of(game))
        self.done = self.plies

    # ------------------------------------------------------------------ the game

    def _shot(self, board: Board) -> str:
        sensing = self.sensing
        return "".join([_value(board.piece_at(square), sensing) for square in range(90)])

    def _take_over(self, board: Board) -> None:
        """Begin anew with a copy of a game."""
        self.board = board.copy()
        self._last_human: int | None = None
        self._touched = None
        self._answering = False
        start = board.copy()
        moves = start.history
        for _ in moves:
            start.undo()
        self._start_color = start.turn
        self._start_key = start.key
        self._shots = [self._shot(start)]
        for move in moves:
            self._shots.append(self._after(self._shots[-1], move))

    @staticmethod
    def _after(shot: str, move: int) -> str:
        """A state after a move."""
        origin, target = move_from(move), move_to(move)
        points = list(shot)
        points[target], points[origin] = points[origin], CLEAR
        return "".join(points)

    def follow(self, game: Any, at: float, *, guide_at_once: bool = True) -> list[Event]:
        """The referee's game is now this one: take over what differs. What is new waits to be executed.

        ``guide_at_once``: where moves were taken back or another position set up, say at once how to put the board
        right, instead of waiting to see.
        """
        events = self.wait(at)
        board = _board_of(game)
        old, new = self.board.history, board.history
        if board.keys[0] != self._start_key:
            physical = self._shots[self.done]
            self._take_over(board)
            self.done = 0
            self._guiding = guide_at_once and self._shots[-1] != physical
            self.over = False
            self.referee.new_game()
        else:
            keep = 0
            while keep < min(len(old), len(new)) and old[keep] == new[keep]:
                keep += 1
            if keep < len(old):
                self._truncate(keep)
                self.over = False
                if self.done > keep:
                    self.done = keep
                    self._guiding = guide_at_once
            for move in new[keep:]:
                self._push(move)
        self._replan()
        return events + self.wait(at)

    def ask_for(self, color: int | None, at: float) -> list[Event]:
        """A client wants this colour's move now (None: no move is wanted)."""
        events = self.wait(at)
        self.awaiting = color is not None
        self._replan()
        return events + self.wait(at)

    @property
    def plies(self) -> int:
        return len(self._shots) - 1

    def shot(self, ply: int) -> str:
        return self._shots[ply]

    def mover(self, ply: int) -> int:
        return (self._start_color + ply) % 2

    def name(self, point: int) -> str:
        return square_name(point)

    def thing(self, value: str, point: int) -> str:
        piece = PIECE_LETTERS.index(value) if value in PIECES else 0
        if not piece and value != CLEAR and self._shots[-1][point] == value:
            piece = self.board.piece_at(point)
        if piece:
            return f"the {SIDE_NAMES[piece_color(piece)].lower()} {KIND_NAMES[piece_kind(piece)]}"
        return {FIRST: "the red piece", SECOND: "the black piece"}.get(value, "the piece")

    def _color_at(self, point: int) -> int:
        piece = self.board.piece_at(point)
        return piece_color(piece) if piece else -1

    def _push(self, move: int) -> None:
        self._shots.append(self._after(self._shots[-1], move))
        self.board.play(move)

    def _truncate(self, plies: int) -> None:
        while self.plies > plies:
            self.board.undo()
            self._shots.pop()
        if self._last_human is not None and self._last_human >= plies:
            self._last_human = None
        self._touched = None

    def _rewound(self, ply: int) -> Board:
        """The position after so many plies."""
        if ply == self.plies:
            return self.board
        board = self.board.copy()
        for _ in range(self.plies - ply):
            board.undo()
        return board

    def _content(self, at: float) -> list[Event]:
        self._answering = False
        return super()._content(at)

    # ------------------------------------------------------------------ what a state means

    def _explain(self, firm: str) -> list[Option]:
        firm = self._trusted(firm)
        plies = self.plies
        for ply in range(plies, self.done - 1, -1):
            if firm == self._shots[ply] and not self._unproven(self.board.history[self.done : ply]):
                return [self._right(ply)]
        plan: list[Option] = []
        if self.policy.gestures and not self.over:
            plan += self._gesture_options(firm)
        mover = self.mover(plies)
        if self.awaiting and not self.over and mover in self.humans:
            plan += self._move_options(firm)
        if not plan and self.policy.second_thoughts and not self.over:
            plan += self._second_thoughts(firm)
        if not plan:
            plan += self._turned_options(firm)
            plan += self._take_back_options(firm, False)
            plan += self._new_game_options(firm)
        return plan

    def _trusted(self, firm: str) -> str:
        """The state with what broken sensors should show in their place: they never tell of a change."""
        if FAULT not in firm:
            return firm
        expected = self._shots[self.plies]
        return "".join([expected[i] if value == FAULT else value for i, value in enumerate(firm)])

    def _unproven(self, line: Sequence[int]) -> list[int]:
        """The captures in these moves, played on from what stands on the board, for which there is no evidence.

        A capture leaves no trace where its point shows the same as before (always by occupancy), and what was moved and
        taken between two stable states may as well be in the hand. There the taken piece must have been seen to go,
        and the taking one to come after it had left its own point. Once that has been asked, lifting the last taker
        and setting it down again is answer enough.
        """
        before = shot = self._shots[self.done]
        left: dict[int, int] = {}
        captures: list[tuple[int, bool]] = []
        reached: set[int] = set()
        for move in line:
            origin, target = move_from(move), move_to(move)
            left[origin] = left.get(origin, 0) + 1
            if shot[target] != CLEAR:
                left[target] = left.get(target, 0) + 1
                captures.append((move, target not in reached))
            reached.add(target)
            shot = self._after(shot, move)
        doubtful = []
        for move, stood in captures:
            target = move_to(move)
            # A point that was left again tells by itself, and so does one that shows another piece than stood there.
            if shot[target] != CLEAR and not (stood and shot[target] != before[target]):
                doubtful.append(move)
        if self._answering and doubtful:
            last = move_to(doubtful[-1])
            return [] if self._settler.lifts(last, self.timing.lift) and self._firm_at(last) else doubtful[-1:]
        missing = []
        for move in doubtful:
            origin, target = move_from(move), move_to(move)
            put, gone = self._settler.last(target, False), self._settler.last(origin, True)
            if (
                self._settler.lifts(target, self.timing.lift) < left[target]
                or put is None
                or (gone is not None and gone > put)
            ):
                missing.append(move)
        return missing

    def _firm_at(self, square: int) -> bool:
        return self._settler.firm[square] != CLEAR

    def _right(self, ply: int) -> Option:
        """The board is right as far as so many plies."""

        def settled(at: float) -> list[Event]:
            events: list[Event] = []
            if ply > self.done:
                points = [p for move in self.board.history[self.done : ply] for p in (move_from(move), move_to(move))]
                self.done = ply
                self._touched = None
                events.append(Executed(self._hand_done(points), ply))
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
        movable = {move_from(move) for move in self.board.legal_moves()}
        for change in self._settler.changes:
            if change.after == CLEAR and change.point in movable and self._settler.lifts(change.point, TOUCH):
                self._touched = change.point
                return

    def _fitting(self, firm: str, board: Board, shot: str) -> list[int]:
        """The legal moves of a position that make this state; several only where captures show by occupancy alone."""
        changed = guide.differing(firm, shot)
        if not 1 <= len(changed) <= 2:
            return []
        found = []
        for move in board.legal_moves():
            origin, target = move_from(move), move_to(move)
            if (
                origin in changed
                and firm[origin] == CLEAR
                and firm[target] == shot[origin]
                and all(point in (origin, target) for point in changed)
            ):
                found.append(move)
        return found

    def _move_options(self, firm: str) -> list[Option]:
        waiting = self.board.history[self.done :]
        fitting = [
            move for move in self._fitting(firm, self.board, self._shots[-1]) if not self._unproven([*waiting, move])
        ]
        if len(fitting) == 1:
            return [self._moved(firm, fitting)]
        if not fitting and self.humans == {RED, BLACK} and self.done == self.plies:
            return self._two_at_once(firm)
        return []

    def _two_at_once(self, firm: str) -> list[Option]:
        """A move and its answer between two stable states, with both sides at the board."""
        changed = guide.differing(firm, self._shots[-1])
        if not 1 <= len(changed) <= 4:
            return []
        lines = []
        board = self.board
        for first in board.legal_moves():
            if firm[move_from(first)] != CLEAR and move_from(first) not in changed and self.sensing != "occ":
                # Its point must be empty, or have been filled by the answer.
                continue
            shot = self._after(self._shots[-1], first)
            if len(guide.differing(firm, shot)) > 2:
                continue
            board.play(first)
            lines += [(first, second) for second in self._fitting(firm, board, shot)]
            board.undo()
        lines = [line for line in lines if not self._unproven(line)]
        return [self._moved(firm, lines[0])] if len(lines) == 1 else []

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
            touched = self._touched
            if touched is not None and len(moves) == 1 and move_from(moves[0]) != touched:
                return self._refuse_untouched(touched, at)
            if self.done < self.plies:
                points = [p for move in self.board.history[self.done :] for p in (move_from(move), move_to(move))]
                events.append(Executed(self._hand_done(points), self.plies))
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

    def _refuse_untouched(self, touched: int, at: float) -> list[Event]:
        """Another piece moved than the one that was touched."""
        name = f"{self.thing(self._shots[-1][touched], touched)} on {square_name(touched)}"
        ways = [Way("back to the position", self._shots[-1])]
        trouble = self._trouble("touched", f"{name} was touched and must move (摸子走子)", ways)
        return self._rule("touched", self.mover(self.plies), at) + self._complain(trouble, at)

    def _second_thoughts(self, firm: str) -> list[Option]:
        """Another move of the piece moved last on the board, the answer not being executed yet."""
        ply = self._last_human
        if ply is None or self.plies - ply > 2 or self.done > ply + 1:
            return []
        old = self.board.history[ply]
        board = self._rewound(ply)
        fitting = [
            move
            for move in self._fitting(firm, board, self._shots[ply])
            if move != old and move_from(move) == move_from(old)
        ]
        if self.sensing == "occ":
            # A capture cannot be told from the piece being off the board.
            fitting = [move for move in fitting if self._shots[ply][move_to(move)] == CLEAR]
        if len(fitting) != 1:
            return []
        move = fitting[0]
        color = self.mover(ply)

        def change(at: float) -> list[Event]:
            ruled = self._rule("second-thoughts", color, at)
            if ruled:
                ways = [Way(f"back to {move_name(old)}", self._shots[self.done])]
                return ruled + self._complain(self._trouble("final", f"{move_name(old)} stands (落子无悔)", ways), at)
            self._truncate(ply)
            self._push(move)
            self._last_human = ply
            self.done = self.plies
            self._replan()
            points = [move_from(move), move_to(move)]
            return [Replaced(self._hand_done(points), ply, color, old, move), *self._content(at)]

        return [Option(self._dwell(self.timing.second, firm), change)]

    def _turned_options(self, firm: str) -> list[Option]:
        """The start position seen from the other side."""
        if self.plies or self.sensing == "occ" or firm[::-1] != self.start_shot or self._shots[0] != self.start_shot:
            return []
        return [Option(self.timing.take_back, self.turn_round)]

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
        if len(gone) == 2:
            color, what, words = self.person, "draw", "draw 提和"
        else:
            (color,), what, words = tuple(gone), "resign", "resign 认输/認輸"
            if color not in self.humans:
                return []
        text = f"{words}: put the general back and do it once more to confirm"
        return [Option(self.timing.gesture, lambda at: self._gesture(what, color, at, text))]

    def _bank(self, shot: str, color: int) -> int:
        """The point at the river where this colour's general makes a gesture: the first free one from the middle."""
        for file in _BANK_FILES:
            square = _BANKS[color] * 9 + file
            if shot[square] == CLEAR:
                return square
        return _BANKS[color] * 9 + 4

    # ------------------------------------------------------------------ trouble

    def _diagnose(self, firm: str) -> tuple[float, Trouble]:
        timing = self.timing
        ways = self._ways(firm)
        if UNSURE in firm or (FAULT in firm and self._trusted(firm) != self._shots[self.plies]):
            bad = [self.name(point) for point, value in enumerate(firm) if value in (UNSURE, FAULT)]
            text = f"cannot read {', '.join(bad[:6])}: put the piece on the middle of the point, or mend the sensor"
            return timing.patience, self._trouble("unclear", text, ways)
        if self._asked is not None:
            return timing.confirm, self._trouble("position", "put the general back", ways)
        base = self._shots[self.done]
        changed = guide.differing(firm, base)
        emptied = [point for point in changed if firm[point] == CLEAR]
        filled = [point for point in changed if firm[point] != CLEAR]
        question = self._capture_question(firm)
        if question is not None:
            return timing.patience, question
        if emptied and not filled and len(emptied) <= 2:
            words = " and ".join(f"{self.thing(base[p], p)} of {self.name(p)}" for p in emptied)
            return timing.lifted, self._trouble("lifted", f"{words} off the board", ways)
        if len(emptied) == 1 and len(filled) == 1 and firm[filled[0]] == base[emptied[0]]:
            kind, text, patience = self._diagnose_move(move_of(emptied[0], filled[0]))
            return patience, self._trouble(kind, text, ways)
        if self.done < self.plies:
            text = f"the move is {self._told(self.plies - 1)}"
            return timing.patience, self._trouble("execution", text, ways)
        return timing.patience, self._trouble("position", self.tell(firm, ways[0].target), ways)

    def _told(self, ply: int) -> str:
        return f"{SIDE_NAMES[self.mover(ply)]} {move_name(self.board.history[ply])}"

    def _diagnose_move(self, move: int) -> tuple[TroubleKind, str, float]:
        """What is wrong with a piece that went from one point to another."""
        board = self._rewound(self.done)
        color = piece_color(board.piece_at(move_from(move)))
        if self.done < self.plies:
            told = self._told(self.done)
            if color != board.turn:
                return "turn", f"{move_name(move)}: first {told} must stand on the board", self.timing.patience
            return "execution", f"{move_name(move)} stands on the board, but the move is {told}", self.timing.wrong
        if color != board.turn:
            text = f"{move_name(move)}: it is {SIDE_NAMES[board.turn]}'s turn"
            return "turn", text, self.timing.wrong
        if color not in self.humans or not self.awaiting:
            return "turn", f"{move_name(move)}: no move is asked for here", self.timing.patience
        return "illegal", board.why_illegal(move) or f"{move_name(move)} cannot be taken now", self.timing.wrong

    def _capture_question(self, firm: str) -> Trouble | None:
        """A piece has left its point and may have taken another, but which, if any, cannot be told."""
        waiting = self.board.history[self.done :]
        if firm == self._shots[-1]:
            lines = [waiting]
        elif self.awaiting and self.mover(self.plies) in self.humans:
            lines = [[*waiting, move] for move in self._fitting(firm, self.board, self._shots[-1])]
        else:
            return None
        asked = {move_to(doubt[-1]) for doubt in map(self._unproven, lines) if doubt}
        if not asked and len(lines) > 1:  # each of several captures may have been made
            asked = {move_to(line[-1]) for line in lines}
        if not asked:
            return None
        takes = sorted(asked)
        where = " or ".join(square_name(target) for target in takes)
        text = f"if a piece was taken on {where}, lift the piece there and set it down again; if not, go back"
        ways = [Way("go back", self._shots[self.done])]
        return replace(self._trouble("capture", text, ways), asked=tuple(takes))

    def _ways(self, firm: str) -> list[Way]:
        """The ways out of trouble: on to the game as it is, back to before the move that waits or the last one."""
        ways = []
        plies, done = self.plies, self.done
        if done < plies:
            ways.append(Way(f"go on with {self._told(plies - 1)}", self._shots[plies]))
            ways.append(Way("back to before it", self._shots[done]))
        else:
            ways.append(Way("back to the position", self._shots[plies]))
        ply = self._last_human
        if self.policy.take_back and ply is not None and done == ply + 1 and plies - ply <= 2:
            ways.append(Way(f"take {self._told(ply)} back", self._shots[ply]))
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
        if events and trouble.kind == "illegal":
            events += self._rule("illegal", self.mover(self.plies), at)
        return events

    # ------------------------------------------------------------------ set-up

    def _read_setup(self, firm: str) -> SetUp | str:
        if self.sensing != "id":
            return "only a board that knows its pieces can be set up freely; put up the start position instead"
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
        for side, letter in ((RED, "w"), (BLACK, "b")):
            try:
                Board(f"{placement} {letter}")
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


def _board_of(game: Any) -> Board:
    """The board of a game, or the start position for None."""
    if game is None:
        return Board()
    board: Board = getattr(game, "board", game)
    return board
