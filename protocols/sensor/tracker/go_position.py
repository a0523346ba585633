"""The tracker's game of Go: what the board should show after every ply, and the one stone that explains a state."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from engines.go.coordinates import read_point, write_point
from engines.go.game import Game
from engines.go.points import BLACK, COLOR_NAMES, EMPTY, PASS, WHITE, neighbors, opponent
from engines.go.vertex import parse_vertex
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import (
    FAULT,
    FIRST,
    OCCUPIED,
    SECOND,
    Change,
    Geometry,
    Sensing,
)
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.core import Tracker
from protocols.sensor.tracker.events import (
    Event,
    Owed,
)
from protocols.sensor.tracker.policy import Policy, Timing
from protocols.sensor.tracker.referee import Referee
from protocols.sensor.tracker.scoring import Scoring
from protocols.sensor.tracker.settle import DEBOUNCE

PUSHED = 0.08
"""Seconds within which a stone that vanishes and one that appears beside it may be the same one, pushed aside."""

_TABLES: dict[Sensing, dict[int, str]] = {
    "occ": {EMPTY: CLEAR, BLACK: OCCUPIED, WHITE: OCCUPIED},
    "pol": {EMPTY: CLEAR, BLACK: FIRST, WHITE: SECOND},
}


class Single(NamedTuple):
    """One stone that explains a state: what it is, captured stones still there, or why it is illegal."""

    point: int
    left: dict[int, str]
    why: str


class GoPosition(Tracker):
    """The game as far as the tracker knows it. ``game`` is its own copy of the referee's game."""

    first_color = BLACK
    second_color = WHITE
    _asked_color: int | None = None
    _questioned: int | None = None

    system = "gtp"
    """How points are named: one of ``engines.go.coordinates.SYSTEMS``. Over a line always GTP's way."""

    # ------------------------------------------------------------------ the game

    def __init__(
        self,
        game: Game,
        sensing: Sensing = "occ",
        humans: Collection[int] = (BLACK, WHITE),
        *,
        timing: Timing | None = None,
        policy: Policy | None = None,
        referee: Referee | None = None,
        turned: bool = False,
        debounce: float = DEBOUNCE,
    ) -> None:
        """``humans``: who plays on the board. Raises ValueError for a sensing that Go has no use for."""
        if sensing not in _TABLES:
            raise ValueError(f"a board with sensing '{sensing}' knows no Go stones")
        super().__init__(
            Geometry(game.width, game.height),
            sensing,
            humans,
            timing=timing,
            policy=policy,
            referee=referee or Referee("go"),
            turned=turned,
            debounce=debounce,
        )
        self._values = "".join(_TABLES[sensing][color] for color in (EMPTY, BLACK, WHITE))
        self.start_shot = CLEAR * game.points
        self.scoring: Scoring | None = None
        self._take_over(game)
        self.done = self.plies

    def _take_over(self, game: Game) -> None:
        """Begin anew with a copy of a game."""
        self.game = game.copy()
        self.owed: dict[int, str] = {}
        self._last_human: int | None = None
        self._seen: set[int] = set()
        """Points of moves that wait to be executed and on which something was put since."""
        replay = game.copy()
        shots = [self._shot(replay)]
        while replay.board.turns:
            replay.undo()
            shots.append(self._shot(replay))
        self._shots = shots[::-1]

    def _shot(self, game: Game) -> str:
        values = self._values
        return "".join([values[color] for color in game.board.stones()])

    def follow(self, game: Game, at: float, *, guide_at_once: bool = True) -> list[Event]:
        """The referee's game is now this one: take over what differs. What is new waits to be executed.

        ``guide_at_once``: where moves were taken back or another position set up, say at once how to put the board
        right, instead of waiting to see.
        """
        events = self.wait(at)
        mine = self.game
        same = (mine.width, mine.height, bytes(mine.setup)) == (game.width, game.height, bytes(game.setup))
        if (game.width, game.height) != (self.geometry.width, self.geometry.height):
            raise ValueError(f"the board has {self.geometry} points, the game {game.width}x{game.height}")
        old, new = mine.moves, game.moves
        if not same:
            physical = self._shots[self.done]
            self._take_over(game)
            self.done = 0
            self._guiding = guide_at_once and self._shots[-1] != physical
            self._go_on(anew=True)
            self.scoring = None
        else:
            keep = self._part(old, new, guide_at_once)
            if keep < len(old):
                self.scoring = None
            for color, point in new[keep:]:
                self._push(color, point)
        self.game.rules, self.game.komi, self.game.accept_ko = game.rules, game.komi, game.accept_ko
        self._replan()
        return events + self.wait(at)

    def _is_start(self, firm: str) -> bool:
        """A handicap is put up before the first move."""
        return super()._is_start(firm) or (self.game.handicap > 0 and guide.fits(firm, self._shots[0]))

    @property
    def plies(self) -> int:
        return len(self._shots) - 1

    def shot(self, ply: int) -> str:
        return self._shots[ply]

    def mover(self, ply: int) -> int:
        board = self.game.board
        return board.turn(ply)[0] if ply < board.turns else self.turn

    @property
    def counting(self) -> bool:
        return self.scoring is not None

    @property
    def turn(self) -> int:
        """Whose move is waited for: the game's turn, unless ``ask_for`` said another."""
        return self.game.to_move if self._asked_color is None else self._asked_color

    def ask_for(self, color: int | None, at: float) -> list[Event]:
        """A client wants this colour's move now (None: no move is wanted)."""
        events = self.wait(at)
        self._await(color)
        self._asked_color = color if color is not None and color != self.game.to_move else None
        self._replan()
        return events + self.wait(at)

    def name(self, point: int) -> str:
        return write_point(point, self.geometry.width, self.geometry.height, self.system)

    def point_named(self, text: str) -> int:
        if self.system == "gtp":
            point = parse_vertex(text, self.geometry.width, self.geometry.height)
        else:
            point = read_point(text, self.geometry.width, self.geometry.height, self.system)
        if point == PASS:
            raise ValueError(f"'{text[:20]}' is no point")
        return point

    def told(self, ply: int) -> str:
        color, point = self.game.board.turn(ply)
        return f"{COLOR_NAMES[color]} {self.name(point)}"

    def told_move(self, move: int) -> str:
        return f"{COLOR_NAMES[self.mover(self.plies)]} {self.name(move)}"

    def _enter(self, move: int) -> str:
        color = self.mover(self.plies)
        if move != PASS and not self.game.is_legal(color, move):
            return f"{self.name(move)} is forbidden: {self.game.board.why_illegal(color, move) or 'not now'}"
        self._push(color, move)
        self._last_human = None
        return ""

    def _unseen_moves(self) -> list[int]:
        color, firm = self.mover(self.plies), self._settler.firm
        if not self._shows(firm, self.plies):
            return []
        return [point for point in sorted(self.unread) if self.game.is_legal(color, point)]

    def thing(self, value: str, point: int) -> str:
        color = self._color_of(value, point)
        return f"the {COLOR_NAMES[color]} stone" if color > 0 else "the stone"

    def _color_at(self, point: int) -> int:
        color = self.game.board.at(point)
        return color if color != EMPTY else -1

    def _push(self, color: int, point: int) -> None:
        self.game.play_as(color, point)
        self._shots.append(self._shot(self.game))
        self._settler.trust.forgive(guide.changed(self._shots[-2], self._shots[-1]))
        self._asked_color = None
        self._seen.clear()

    def _truncate(self, plies: int) -> None:
        while self.plies > plies:
            self.game.undo()
            self._shots.pop()
        if self._last_human is not None and self._last_human >= plies:
            self._last_human = None
        self._asked_color = None

    @contextmanager
    def _rewound(self, ply: int) -> Iterator[Game]:
        """The game as it was after so many plies, for a moment."""
        game, undone = self.game, self.game.moves[ply:]
        accept = game.accept_ko
        for _ in undone:
            game.undo()
        try:
            yield game
        finally:
            game.accept_ko = True  # what was played is played, whatever the rules say since
            for color, point in undone:
                game.play_as(color, point)
            game.accept_ko = accept

    # ------------------------------------------------------------------ what was captured and still lies there

    def _on_change(self, changes: Sequence[Change]) -> None:
        waiting = {point for _, point in self.game.moves[self.done :]} if self.done < self.plies else set()
        for change in changes:
            if change.point in waiting and change.after != CLEAR:
                self._seen.add(change.point)
            if change.point not in self.owed or change.after == CLEAR:
                if change.point in self.owed:
                    self._settler.trust.forgive([change.point])
                continue
            lifted = self._settler.last(change.point, True)
            taken_off = lifted is not None and change.at - lifted >= self.timing.lift
            if taken_off or change.after != self.owed[change.point]:
                del self.owed[change.point]

    def _owed_at(self, ply: int) -> dict[int, str]:
        """What may still lie on points that are empty after so many plies: captured stones."""
        owed = dict(self.owed)
        settler = self._settler
        for number in range(self.done + 1, ply + 1):
            before, after = self._shots[number - 1], self._shots[number]
            for point in guide.differing(before, after):
                if after[point] == CLEAR:
                    if not settler.lifts(point, self.timing.lift):
                        owed[point] = before[point]
                else:
                    owed.pop(point, None)
        return owed

    def _fit(self, firm: str, ply: int, owed: dict[int, str] | None = None) -> dict[int, str] | None:
        """Captured stones still there if the board shows the position after so many plies, else None."""
        target = self._shots[ply]
        if guide.fits(firm, target):
            return {}
        if owed is None:
            owed = self._owed_at(ply)
        if not owed:
            return None
        left = {}
        for point in guide.differing(firm, target):
            if target[point] != CLEAR or owed.get(point) != firm[point]:
                return None
            left[point] = firm[point]
        return left

    def _shows(self, firm: str, ply: int) -> bool:
        return self._fit(firm, ply) is not None

    def _owe(self, left: dict[int, str], at: float) -> list[Event]:
        before, self.owed = self.owed, left
        return [Owed(at, tuple(sorted(left)))] if set(left) != set(before) else []

    # ------------------------------------------------------------------ one stone

    def _single(self, firm: str, ply: int, color: int, owed: dict[int, str]) -> Single | None:
        """The one stone of ``color`` that, put down after so many plies, makes this state; None if there is none."""
        target = self._shots[ply]
        added, removed, left = [], [], {}
        for point in guide.differing(firm, target):
            if target[point] == CLEAR:
                if owed.get(point) == firm[point]:
                    left[point] = firm[point]
                else:
                    added.append(point)
            elif firm[point] == CLEAR:
                removed.append(point)
            else:
                return None
        if len(added) != 1 or firm[added[0]] != self._values[color]:
            return None
        point = added[0]
        with self._rewound(ply) as game:
            why = "" if game.is_legal(color, point) else game.board.why_illegal(color, point)
            if why:
                return Single(point, left, why) if not removed else None
            before = game.board.stones()
            game.play_as(color, point)
            after = game.board.stones()
            game.undo()
        taken = {q for q, stone in enumerate(after) if stone == EMPTY and before[q] != EMPTY}
        if not taken.issuperset(removed):
            return None
        left |= {q: target[q] for q in taken if firm[q] not in (CLEAR, FAULT)}
        if after[point] == EMPTY:  # suicide, where the rules allow it: the stone itself goes too
            left[point] = firm[point]
        return Single(point, left, "")

    def _executed_before(self, firm: str, found: Single) -> bool:
        """Whether the moves that waited to be executed were: one that was captured at once must have been seen."""
        if self.done == self.plies or self.sensing != "occ":
            return True
        waiting = [point for _, point in self.game.moves[self.done :] if point != PASS]
        return all(firm[p] != CLEAR or p in self._seen or self._shots[-1][p] == CLEAR for p in waiting)

    def _in_doubt(self, firm: str, found: Single) -> str:
        """Why a capture may be something else, in words for the question; empty when there is no doubt.

        A board that shows an earlier position with captured stones still there to be taken off may have been put back
        to it. By occupancy, a stone pushed to the next point leaves the same traces as one captured from there, and so
        does the stone just played, played elsewhere, as its capture. Once that has been asked, the answer is the stone
        set again at once, or more of the captured stones taken off.
        """
        where = self.name(found.point)
        gone = [p for p in guide.differing(firm, self._shots[-1]) if firm[p] == CLEAR]
        past = self._earlier(firm) is not None or self._coming_back(firm)
        if self._questioned == found.point and (past or self.sensing == "occ"):
            lifted, put = self._settler.last(found.point, True), self._settler.last(found.point, False)
            again = lifted is not None and put is not None and self.timing.lift <= put - lifted <= self.timing.take_back
            taken_off = any(self._settler.last(p, True) is not None for p in gone)
            if again or taken_off:
                return ""
            return f"lift the stone on {where} and set it again, if it has taken a stone"
        if self._coming_back(firm):
            return (
                f"if {where} has taken a stone, lift it there and set it again; if not, go on putting the stones back"
            )
        if past and found.left:
            return (
                f"if {where} has taken stones, take them off, or lift it there and set it again; if not, the last move "
                "is taken back"
            )
        if self.sensing != "occ":
            return ""
        if self._beside(found.point, gone):
            return (
                f"{where} may have taken a stone, or be one that was pushed there: if it has, lift it and set it again"
            )
        ply = self._last_human
        if not self.policy.second_thoughts or ply is None or ply != self.plies - 1 or self.done != self.plies:
            return ""
        old = self.game.board.turn(ply)[1]
        if old == PASS or firm[old] != CLEAR:
            return ""
        if self._retractable and any(guide.fits(firm, shot) for shot in self._shots):
            return f"if {where} has taken a stone, lift it there and set it again; if not, the last move is taken back"
        return (
            f"if {where} has taken a stone, lift it there and set it again; if the last stone was moved there, take it "
            "off for a while first"
        )

    def _instead(self, firm: str) -> tuple[int, int, Single, bool] | None:
        """The last stone played on the board may have been played elsewhere, the answer not being executed yet.

        Gives the ply, its old point, the stone that explains the board, and whether it is certain that the one was
        carried there: nobody does that at once, but while the board is away all seems to happen at the same moment.
        """
        ply = self._last_human
        if not self._minds_last or self.over or ply is None or self.plies - ply > 2 or self.done > ply + 1:
            return None
        color, old = self.game.board.turn(ply)
        if old == PASS:
            return None
        found = self._single(firm, ply, color, self.owed)
        if found is None or found.why or found.point == old:
            return None
        if self.sensing == "occ" and self.plies == ply + 1 and self._answers(firm):
            return None  # the other side's stone, perhaps, that has taken the last one
        if self.sensing == "occ" and self.plies > ply + 1 and found.point == self.game.board.turn(ply + 1)[1]:
            return None  # the answer itself, executed, while the last stone is off the board
        lifted, put = self._settler.last(old, True), self._settler.last(found.point, False)
        carried = lifted is None or put is None or put - lifted >= self.timing.lift
        return ply, old, found, carried

    def _answers(self, firm: str) -> bool:
        """Whether the other side's move, made by hand, would make this state."""
        mover = self.mover(self.plies)
        if mover not in self.humans or not self.awaiting:
            return False
        found = self._single(firm, self.plies, mover, self._owed_at(self.plies))
        return found is not None and not found.why

    def _coming_back(self, firm: str) -> bool:
        """Whether the last stone is off and those it took are being put back: the position before, some lacking."""
        ply = self.plies - 1
        if not self._retractable or ply < 0 or self.done < self.plies:
            return False
        last, before = self.game.board.turn(ply)[1], self._shots[ply]
        if last == PASS or firm[last] != CLEAR:
            return False
        lacking = guide.differing(firm, before)
        taken = [point for point in guide.differing(before, self._shots[-1]) if before[point] != CLEAR]
        back = [point for point in taken if firm[point] != CLEAR]
        return bool(back) and bool(lacking) and set(lacking) <= set(taken) and all(firm[p] == CLEAR for p in lacking)

    def _pushed(self, firm: str) -> bool:
        """Whether, by occupancy, a stone came to its point as one vanished from the point beside it."""
        if self.sensing != "occ":
            return False
        shot = self._shots[self.done]
        changed = guide.differing(firm, shot)
        gone = [point for point in changed if firm[point] == CLEAR]
        return any(firm[point] != CLEAR and self._beside(point, gone) for point in changed)

    def _beside(self, point: int, gone: Sequence[int]) -> bool:
        """Whether a stone came to a point at the moment one vanished from a point next to it."""
        put = self._settler.last(point, False)
        if put is None:
            return False
        near = neighbors(self.geometry.width, self.geometry.height)[point]
        times = [self._settler.last(place, True) for place in gone if place in near]
        return any(time is not None and abs(put - time) < PUSHED for time in times)

    def _capture_begun(self, firm: str) -> bool:
        """Whether only stones are missing that one legal move would capture."""
        target = self._shots[self.plies]
        owed = self._owed_at(self.plies)
        removed = []
        for point in guide.differing(firm, target):
            if target[point] == CLEAR:
                if owed.get(point) != firm[point]:
                    return False
            elif firm[point] == CLEAR:
                removed.append(point)
            else:
                return False
        board, mover = self.game.board, self.mover(self.plies)
        if not removed or any(board.at(point) != opponent(mover) for point in removed):
            return False
        last: set[int] = set()
        for number, point in enumerate(removed):
            if board.liberty_count(point) != 1:
                return False
            free = set(board.liberties(point))
            last = free if number == 0 else last & free
        return any(self.game.is_legal(mover, point) for point in last)
