"""The tracker's game of Xiangqi: what the board should show after every ply, and the moves that explain a state."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

from engines.xiangqi.board import Board
from engines.xiangqi.geometry import (
    KIND_NAMES,
    PIECE_LETTERS,
    SIDE_NAMES,
    move_from,
    move_name,
    move_to,
    piece_color,
    piece_kind,
    square_name,
)
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import (
    FAULT,
    FIRST,
    OCCUPIED,
    PIECES,
    SECOND,
    Change,
    Geometry,
    Sensing,
)
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.core import Tracker
from protocols.sensor.tracker.events import Event, Pair
from protocols.sensor.tracker.memory import PieceMemory
from protocols.sensor.tracker.policy import Policy, Timing
from protocols.sensor.tracker.referee import Referee
from protocols.sensor.tracker.settle import DEBOUNCE

RED, BLACK = 0, 1
GEOMETRY = Geometry(9, 10)

WOBBLE = 0.5
"""Seconds after it was set down within which a piece may be lifted for a moment by the hand that set it down."""

PUSHED = 0.08
"""Seconds within which a piece that vanishes and one that appears beside it may be the same one, pushed aside."""


def _value(piece: int, sensing: Sensing) -> str:
    """What a board shows where this piece stands."""
    if piece == 0:
        return CLEAR
    if sensing == "id":
        return PIECE_LETTERS[piece]
    return OCCUPIED if sensing == "occ" else (FIRST, SECOND)[piece_color(piece)]


class XiangqiPosition(Tracker):
    """The game as far as the tracker knows it. ``board`` is its own copy of the referee's."""

    first_color = RED
    second_color = BLACK

    # ------------------------------------------------------------------ the game

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
        self._memory = PieceMemory(_letters(self.board))

    def _first_sight(self, firm: str) -> None:
        super()._first_sight(firm)
        self._memory.know(_letters(self._rewound(self.done)))

    def turn_round(self, at: float) -> list[Event]:
        self._memory.turn()
        self._weak.clear()
        return super().turn_round(at)

    def _shot(self, board: Board) -> str:
        sensing = self.sensing
        return "".join([_value(board.piece_at(square), sensing) for square in range(90)])

    def _take_over(self, board: Board) -> None:
        """Begin anew with a copy of a game."""
        self.board = board.copy()
        self._last_human: int | None = None
        self._touched = None
        self._answering = False
        self._weak: set[int] = set()
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
            self._go_on(anew=True)
        else:
            for move in new[self._part(old, new, guide_at_once) :]:
                self._push(move)
        self._replan()
        return events + self.wait(at)

    def _go_on(self, anew: bool = False) -> None:
        super()._go_on(anew)
        self._touched = None

    def ask_for(self, color: int | None, at: float) -> list[Event]:
        """A client wants this colour's move now (None: no move is wanted)."""
        events = self.wait(at)
        self._await(color)
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

    def point_named(self, text: str) -> int:
        if len(text) == 2 and text[0].lower() in "abcdefghi" and text[1] in "0123456789":
            return "abcdefghi".index(text[0].lower()) + 9 * int(text[1])
        raise ValueError(f"'{text[:20]}' is no point of a 9x10 board")

    def told(self, ply: int) -> str:
        return f"{SIDE_NAMES[self.mover(ply)]} {move_name(self.board.history[ply])}"

    def told_move(self, move: int) -> str:
        return f"{SIDE_NAMES[self.board.turn]} {move_name(move)}"

    def _enter(self, move: int) -> str:
        if move in self.policy.barred:
            return f"{move_name(move)} is not allowed now"
        why = self.board.why_illegal(move)
        if why:
            return why
        self._push(move)
        self._last_human = None
        return ""

    def _unseen_moves(self) -> list[int]:
        """Those of a piece that left a point that is read for one that is not; with nothing seen, all such moves."""
        firm, shot = self._settler.firm, self._shots[-1]
        changed = guide.differing(firm, shot)
        found = []
        for move in self.board.legal_moves():
            origin, target = move_from(move), move_to(move)
            if move in self.policy.barred or not {firm[origin], firm[target]} & {FAULT}:
                continue
            left = firm[origin] == FAULT or firm[origin] == CLEAR
            came = firm[target] in (FAULT, shot[origin])
            if left and came and set(changed) <= {origin, target}:
                found.append(move)
        return found

    def thing(self, value: str, point: int) -> str:
        piece = PIECE_LETTERS.index(value) if value in PIECES else 0
        if not piece and value != CLEAR and self._shots[-1][point] == value:
            piece = self.board.piece_at(point)
        if piece:
            return f"the {SIDE_NAMES[piece_color(piece)].lower()} {KIND_NAMES[piece_kind(piece)]}"
        return {FIRST: "the red piece", SECOND: "the black piece"}.get(value, "the piece")

    def _pairs(self, firm: str, target: str) -> tuple[str, str, list[Pair]]:
        """By the pieces where they are known; what the sensors see to be wrong comes first."""
        wanted = self._pieces_of(target)
        if self.sensing == "id" or wanted is None:
            return super()._pairs(firm, target)
        seen = self._memory.view(firm)
        wrong = set(guide.differing(firm, target))
        found = guide.pairs(seen, wanted, self.geometry.width)
        found.sort(key=lambda pair: not wrong.intersection(pair))
        return seen, wanted, found

    def _pieces_of(self, target: str) -> str | None:
        """The pieces of a state that is on the way, in letters: of the game, or after one more move."""
        for ply in range(self.plies, -1, -1):
            if self._shots[ply] == target:
                return _letters(self._rewound(ply))
        for move in self.board.legal_moves():
            if self._after(self._shots[-1], move) == target:
                return self._after(_letters(self.board), move)
        return None

    def _color_at(self, point: int) -> int:
        piece = self.board.piece_at(point)
        return piece_color(piece) if piece else -1

    def _push(self, move: int) -> None:
        self._shots.append(self._after(self._shots[-1], move))
        self.board.play(move)
        origin, target = move_from(move), move_to(move)
        self._settler.trust.forgive((origin, target))
        self._weak.discard(target)
        if origin in self._weak:  # it is the piece that is weak, not the point
            self._weak.discard(origin)
            self._weak.add(target)

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
        self._memory.know(_letters(self._rewound(self.done)))
        return super()._content(at)

    # ------------------------------------------------------------------ moves that explain a state

    def _unproven(self, line: Sequence[int]) -> list[int]:
        """The moves among these, played on from what stands on the board, for whose end there is no evidence.

        A capture leaves no trace where its point shows the same as before: always by occupancy, and so does a point
        that was left and filled again; and what was moved and taken between two stable states may as well be in the
        hand. There what stood on the point must have been seen to go, and the other piece to come after it had left
        its own point. Once that has been asked, lifting the last piece and setting it down again is answer enough.
        """
        before = shot = self._shots[self.done]
        gone: dict[int, int] = {}
        reached: set[int] = set()
        trodden: set[int] = set()
        ends: list[tuple[int, bool]] = []
        for move in line:
            origin, target = move_from(move), move_to(move)
            gone[origin] = gone.get(origin, 0) + 1
            if shot[target] != CLEAR:
                gone[target] = gone.get(target, 0) + 1
            ends.append((move, shot[target] != CLEAR and target in reached))
            reached.add(target)
            shot = self._after(shot, move)
        for move, new_taken in ends:
            target = move_to(move)
            if shot[target] != CLEAR and (new_taken or shot[target] == before[target]):
                trodden.add(target)
        doubtful = [move for move, _ in ends if move_to(move) in trodden]
        if self._answering and doubtful:
            last = move_to(doubtful[-1])
            return [] if self._settler.lifts(last, self.timing.lift) and self._firm_at(last) else doubtful[-1:]
        missing = []
        for move in doubtful:
            origin, target = move_from(move), move_to(move)
            put, left = self._settler.last(target, False), self._settler.last(origin, True)
            if (
                target in self._weak
                or len(self._settler.trust.visits(target, CLEAR, self._now)) > 1
                or self._settler.lifts(target, self.timing.lift) < gone.get(target, 0)
                or put is None
                or (left is not None and left > put)
            ):
                missing.append(move)
        return missing

    def _in_order(self, line: Sequence[int], crossing: bool = False) -> bool:
        """Whether the pieces came to their points one after the other, as the moves have it.

        A piece knocked over while another one is carried is there before that one, though it may look like the answer
        to it. ``crossing``: by occupancy only the order tells which piece went where; there the second must leave after
        the first has come.
        """
        for first, second in pairwise(line):
            came, then = self._settler.last(move_to(first), False), self._settler.last(move_to(second), False)
            if came is None or then is None or move_to(first) == move_to(second):
                continue
            if then - came < PUSHED:
                return False
            left = self._settler.last(move_from(second), True)
            if crossing and self.sensing == "occ" and (left is None or left - came < PUSHED):
                return False
        return True

    def _on_change(self, changes: Sequence[Change]) -> None:
        """Notice pieces that drop out by themselves: their going proves nothing."""
        for change in changes:
            self._memory.change(change)
        if self.sensing != "occ":
            return
        for change in changes:
            if change.after == CLEAR:
                continue
            times = [
                other.at for other in self._settler.changes if other.point == change.point and other.at < change.at
            ]
            # Set down, lifted and set down again within this time is a wobbling hand, the first time not.
            if (
                times
                and change.at - times[-1] < self.timing.lift
                and (len(times) == 1 or times[-1] - times[-2] > WOBBLE)
            ):
                self._weak.add(change.point)

    def _pushed(self) -> bool:
        """Whether a piece came to a point at the moment one vanished from a point beside it: pushed, not carried."""
        lifted = [change for change in self._settler.changes if change.after == CLEAR]
        for change in self._settler.changes:
            if change.after == CLEAR:
                continue
            for other in lifted:
                x, y = abs(change.point % 9 - other.point % 9), abs(change.point // 9 - other.point // 9)
                if max(x, y) == 1 and abs(change.at - other.at) < PUSHED:
                    return True
        return False

    def _slipped(self, origin: int) -> bool:
        """Whether a piece came to a point beside this one at the moment one left it: knocked over, not carried."""
        left = self._settler.last(origin, True)
        if left is None:
            return False
        for change in self._settler.changes:
            x, y = abs(origin % 9 - change.point % 9), abs(origin // 9 - change.point // 9)
            if change.after != CLEAR and x + y == 1 and abs(change.at - left) < PUSHED:
                return True
        return False

    def _firm_at(self, square: int) -> bool:
        return self._settler.firm[square] not in (CLEAR, FAULT)

    def _thoughts(self, firm: str) -> list[int]:
        """Other moves of the piece moved last on the board, the answer not being executed yet, that make this state."""
        ply = self._last_human
        if ply is None or self.plies - ply > 2 or self.done > ply + 1 or not self._minds_last or self.over:
            return []
        old = self.board.history[ply]
        return [
            move
            for move in self._fitting(firm, self._rewound(ply), self._shots[ply])
            if move != old and move_from(move) == move_from(old)
        ]

    def _playable(self, firm: str) -> list[int]:
        """The moves that may be made now and that make this state."""
        return [move for move in self._fitting(firm, self.board, self._shots[-1]) if move not in self.policy.barred]

    def _fitting(self, firm: str, board: Board, shot: str) -> list[int]:
        """The legal moves of a position that make this state; several only where captures show by occupancy alone."""
        changed = guide.differing(firm, shot)
        if not 1 <= len(changed) <= 2:
            return []
        found = []
        for move in board.legal_moves():
            origin, target = move_from(move), move_to(move)
            if not all(point in (origin, target) for point in changed) or firm[target] != shot[origin]:
                continue
            # From a point that is not read, only what came shows the move.
            if (origin in changed and firm[origin] == CLEAR) or (firm[origin] == FAULT and target in changed):
                found.append(move)
        return found


def _letters(board: Board) -> str:
    """What stands on each square, in piece letters."""
    return "".join([PIECE_LETTERS[board.piece_at(square)] for square in range(90)])


def _board_of(game: Any) -> Board:
    """The board of a game, or the start position for None."""
    if game is None:
        return Board()
    board: Board = getattr(game, "board", game)
    return board
