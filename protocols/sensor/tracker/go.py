"""The tracker of Go: stones on a board of any size, seen by occupancy or by colour."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations, pairwise, permutations
from typing import NamedTuple

from engines.go.game import Game
from engines.go.points import BLACK, COLOR_NAMES, EMPTY, PASS, WHITE, opponent
from engines.go.vertex import format_vertex
from protocols.sensor.reading import EMPTY as CLEAR
from protocols.sensor.reading import (
    FAULT,
    FIRST,
    LIFT,
    OCCUPIED,
    PLACE_FIRST,
    PLACE_SECOND,
    SECOND,
    UNSURE,
    Change,
    Geometry,
    Sensing,
)
from protocols.sensor.tracker import guide
from protocols.sensor.tracker.core import Option, Policy, Timing, Tracker
from protocols.sensor.tracker.events import (
    Event,
    Executed,
    Moved,
    Owed,
    Replaced,
    SetUp,
    Trouble,
    TroubleKind,
    Way,
)
from protocols.sensor.tracker.referee import Referee
from protocols.sensor.tracker.scoring import Scoring
from protocols.sensor.tracker.settle import DEBOUNCE

MOST_AT_ONCE = 4
"""Plies that may lie between two stable states when both sides play on the board."""

GAP = 0.1
"""Seconds between two stones that make their order certain, where only the order tells their colours."""

PUSHED = 0.08
"""Seconds within which a stone that vanishes and one that appears beside it may be the same one, pushed aside."""

CORNER = 3
"""A gesture is two stones put into the square of this side at a corner."""

GESTURES = {
    "near-right": ("resign", "resign 认输/認輸"),
    "near-left": ("pass", "pass 弃着/棄著"),
    "far-left": ("undo", "take back 悔棋/悔棋"),
}
"""Two stones of one's own in a corner, by the corner as the near side sees it: what they ask for. Two stones in the
lower right corner resign by the tournament rules, article 9.
"""

_TABLES: dict[Sensing, dict[int, str]] = {
    "occ": {EMPTY: CLEAR, BLACK: OCCUPIED, WHITE: OCCUPIED},
    "pol": {EMPTY: CLEAR, BLACK: FIRST, WHITE: SECOND},
}


class _Single(NamedTuple):
    """One stone that explains a state: what it is, captured stones still there, or why it is illegal."""

    point: int
    left: dict[int, str]
    why: str


class GoTracker(Tracker):
    """Follows one game of Go. ``game`` is its own copy of the referee's game; points are those of the rules core."""

    first_color = BLACK
    second_color = WHITE

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

    # ------------------------------------------------------------------ the game

    def _take_over(self, game: Game) -> None:
        """Begin anew with a copy of a game."""
        self.game = game.copy()
        self.owed: dict[int, str] = {}
        self._last_human: int | None = None
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
        keep = 0
        if same:
            while keep < min(len(old), len(new)) and old[keep] == new[keep]:
                keep += 1
        if not same:
            physical = self._shots[self.done]
            self._take_over(game)
            self.done = 0
            self._guiding = guide_at_once and self._shots[-1] != physical
            self.over = False
            self.scoring = None
            self.referee.new_game()
        elif keep < len(old) or len(new) > keep:
            if keep < len(old):
                self._truncate(keep)
                if self.done > keep:
                    self.done = keep
                    self._guiding = guide_at_once
                self.over = False
                self.scoring = None
            for color, point in new[keep:]:
                self._push(color, point)
        self.game.rules, self.game.komi, self.game.accept_ko = game.rules, game.komi, game.accept_ko
        self._replan()
        return events + self.wait(at)

    @property
    def plies(self) -> int:
        return len(self._shots) - 1

    def shot(self, ply: int) -> str:
        return self._shots[ply]

    def mover(self, ply: int) -> int:
        board = self.game.board
        return board.turn(ply)[0] if ply < board.turns else self.turn

    @property
    def turn(self) -> int:
        """Whose move is waited for: the game's turn, unless ``ask_for`` said another."""
        return self.game.to_move if self._asked_color is None else self._asked_color

    _asked_color: int | None = None

    def ask_for(self, color: int | None, at: float) -> list[Event]:
        """A client wants this colour's move now (None: no move is wanted)."""
        events = self.wait(at)
        self.awaiting = color is not None
        self._asked_color = color if color is not None and color != self.game.to_move else None
        self._replan()
        return events + self.wait(at)

    def name(self, point: int) -> str:
        return format_vertex(point, self.geometry.width, self.geometry.height)

    def thing(self, value: str, point: int) -> str:
        color = self._color_of(value, point)
        return f"the {COLOR_NAMES[color]} stone" if color > 0 else "the stone"

    def _color_at(self, point: int) -> int:
        color = self.game.board.at(point)
        return color if color != EMPTY else -1

    def _push(self, color: int, point: int) -> None:
        self.game.play(color, point)
        self._shots.append(self._shot(self.game))
        self._asked_color = None

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
                game.play(color, point)
            game.accept_ko = accept

    # ------------------------------------------------------------------ what was captured and still lies there

    def _on_change(self, changes: Sequence[Change]) -> None:
        for change in changes:
            if change.point not in self.owed or change.after == CLEAR:
                continue
            lifted = self._settler.last(change.point, True)
            taken_off = lifted is not None and change.at - lifted >= self.timing.lift
            if taken_off or change.after != self.owed[change.point]:
                del self.owed[change.point]

    def _owed_at(self, ply: int) -> dict[int, str]:
        """What may still lie on points that are empty after so many plies: captured stones."""
        owed = dict(self.owed)
        for number in range(self.done + 1, ply + 1):
            before, after = self._shots[number - 1], self._shots[number]
            for point in guide.differing(before, after):
                if after[point] == CLEAR:
                    owed[point] = before[point]
                else:
                    owed.pop(point, None)
        return owed

    def _fit(self, firm: str, ply: int, owed: dict[int, str] | None = None) -> dict[int, str] | None:
        """Captured stones still there if the board shows the position after so many plies, else None."""
        target = self._shots[ply]
        if firm == target:
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

    def _owe(self, left: dict[int, str], at: float) -> list[Event]:
        before, self.owed = self.owed, left
        return [Owed(at, tuple(sorted(left)))] if set(left) != set(before) else []

    # ------------------------------------------------------------------ what a state means

    def _explain(self, firm: str) -> list[Option]:
        if self.scoring is not None:
            return [Option(self.timing.settle, self._score_board, "right")]
        firm = self._trusted(firm)
        plies = self.plies
        for ply in range(plies, self.done - 1, -1):
            left = self._fit(firm, ply)
            if left is not None:
                return [self._right(ply, left)]
        plan: list[Option] = []
        mover = self.mover(plies)
        may_move = self.awaiting and not self.over and mover in self.humans
        if may_move:
            plan += self._move_options(firm, mover)
        if not plan and self.policy.second_thoughts and not self.over:
            plan += self._second_thoughts(firm)
        if plan:
            return plan
        if self.policy.gestures and not self.over:
            plan += self._gesture_options(firm)
        capturing = self._capture_begun(firm) if may_move else False
        plan += self._take_back_options(firm, capturing)
        plan += self._new_game_options(firm)
        return plan

    def _trusted(self, firm: str) -> str:
        """The state with what broken sensors should show in their place: they never tell of a change."""
        if FAULT not in firm:
            return firm
        expected = self._shots[self.plies]
        return "".join([expected[i] if value == FAULT else value for i, value in enumerate(firm)])

    def _right(self, ply: int, left: dict[int, str]) -> Option:
        """The board is right as far as so many plies."""

        def settled(at: float) -> list[Event]:
            events: list[Event] = []
            moved = ply > self.done
            if moved:
                hand = [point for _, point in self.game.moves[self.done : ply] if point != PASS]
                self.done = ply
                events.append(Executed(self._hand_done(hand), ply))
                self._replan()
            events += self._owe(left, at)
            return events + self._content(at)

        return Option(self.timing.settle, settled, "right")

    def _move_options(self, firm: str, color: int) -> list[Option]:
        found = self._single(firm, self.plies, color, self._owed_at(self.plies))
        if found is not None and not found.why and self._executed_before(firm, found):
            if self._pushed_aside(firm, found):
                return []
            return [self._moved(firm, [(color, found.point)], found.left)]
        if {color, opponent(color)} <= self.humans and self._asked_color is None:
            return self._several(firm, color)
        return []

    def _single(self, firm: str, ply: int, color: int, owed: dict[int, str]) -> _Single | None:
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
                return _Single(point, left, why) if not removed else None
            before = game.board.stones()
            game.play(color, point)
            after = game.board.stones()
            game.undo()
        taken = {q for q, stone in enumerate(after) if stone == EMPTY and before[q] != EMPTY}
        if not taken.issuperset(removed):
            return None
        left |= {q: target[q] for q in taken if firm[q] != CLEAR}
        if after[point] == EMPTY:  # suicide, where the rules allow it: the stone itself goes too
            left[point] = firm[point]
        return _Single(point, left, "")

    def _executed_before(self, firm: str, found: _Single) -> bool:
        """Whether the moves that waited to be executed were: one that was captured at once must have been seen."""
        if self.done == self.plies or self.sensing != "occ":
            return True
        waiting = [point for _, point in self.game.moves[self.done :] if point != PASS]
        return all(
            firm[point] != CLEAR or self._settler.last(point, False) is not None or self._shots[-1][point] == CLEAR
            for point in waiting
        )

    def _pushed_aside(self, firm: str, found: _Single) -> bool:
        """Whether, by occupancy, this could be a stone pushed to the next point rather than captured from there."""
        if self.sensing != "occ":
            return False
        put = self._settler.last(found.point, False)
        width = self.geometry.width
        for near in (found.point - 1, found.point + 1, found.point - width, found.point + width):
            if 0 <= near < self.geometry.count and self._shots[-1][near] != CLEAR and firm[near] == CLEAR:
                lifted = self._settler.last(near, True)
                if put is not None and lifted is not None and abs(put - lifted) < PUSHED:
                    return True
        return False

    def _moved(self, firm: str, moves: Sequence[tuple[int, int]], left: dict[int, str]) -> Option:
        """These moves were made, one after the other."""

        def play(at: float) -> list[Event]:
            events: list[Event] = []
            if self.done < self.plies:
                waiting = [point for _, point in self.game.moves[self.done :] if point != PASS]
                events.append(Executed(self._hand_done(waiting), self.plies))
            for color, point in moves:
                self._push(color, point)
                self._last_human = self.plies - 1
                events.append(Moved(self._hand_done([point]), self.plies - 1, color, point))
            self.done = self.plies
            events += self._owe(left, at)
            self._replan()
            return events + self._content(at)

        return Option(self._dwell(self.timing.settle, firm), play, "move")

    def _several(self, firm: str, color: int) -> list[Option]:
        """Several stones between two stable states, with both sides at the board."""
        target = self._shots[self.plies]
        owed = self._owed_at(self.plies)
        added = [p for p in guide.differing(firm, target) if target[p] == CLEAR and owed.get(p) != firm[p]]
        if not 1 <= len(added) <= MOST_AT_ONCE:
            return []
        seen: list[int] = []
        times: list[float] = []
        for change in self._settler.changes:
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
                    self._try_line(firm, color, line, results)
            if results:
                break
        if not results and self.sensing != "occ":
            for line in permutations(added):
                if len(line) >= 2:
                    self._try_line(firm, color, line, results)
        if len(results) != 1:
            return []
        ((line, left),) = results.items()
        if self.sensing == "occ":
            when = [times[seen.index(point)] for point in line]
            if any(b - a < GAP for a, b in pairwise(when)):
                return []
        colors = [color if number % 2 == 0 else opponent(color) for number in range(len(line))]
        return [self._moved(firm, list(zip(colors, line, strict=True)), left)]

    def _try_line(
        self, firm: str, color: int, line: tuple[int, ...], results: dict[tuple[int, ...], dict[int, str]]
    ) -> None:
        """Play stones alternately; keep the line if the board then shows the position, captured stones aside."""
        game = self.game
        owed = self._owed_at(self.plies)
        played = 0
        try:
            for point in line:
                if not game.is_legal(color, point):
                    return
                before = self._shot(game)
                game.play(color, point)
                played += 1
                owed |= {q: before[q] for q in guide.differing(before, self._shot(game)) if before[q] != CLEAR}
                color = opponent(color)
            final = self._shot(game)
            left = {}
            for point in guide.differing(firm, final):
                if final[point] != CLEAR or owed.get(point) != firm[point]:
                    return
                left[point] = firm[point]
            results[line] = left
        finally:
            for _ in range(played):
                game.undo()

    def _second_thoughts(self, firm: str) -> list[Option]:
        """Another stone instead of the last one that was played on the board, the answer not being executed yet."""
        ply = self._last_human
        if ply is None or self.plies - ply > 2 or self.done > ply + 1:
            return []
        color, old = self.game.board.turn(ply)
        if old == PASS:
            return []
        found = self._single(firm, ply, color, {})
        if found is None or found.why or found.point == old:
            return []
        if self.sensing == "occ" and self.plies > ply + 1 and found.point == self.game.board.turn(ply + 1)[1]:
            return []  # the answer itself, executed, while the last stone is off the board

        def change(at: float) -> list[Event]:
            ruled = self._rule("moved-stone", color, at)
            if ruled:
                return ruled + self._complain(self._final(old), at)
            self._truncate(ply)
            self._push(color, found.point)
            self._last_human = ply
            self.done = self.plies
            self._replan()
            event = Replaced(self._hand_done([found.point]), ply, color, old, found.point)
            return [event, *self._owe(found.left, at), *self._content(at)]

        return [Option(self._dwell(self.timing.second, firm), change)]

    def _final(self, old: int) -> Trouble:
        ways = [Way(f"put the stone back on {self.name(old)}", self._shots[self.done])]
        return self._trouble("final", f"the move {self.name(old)} stands", ways)

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

    # ------------------------------------------------------------------ gestures and passing

    def _gesture_options(self, firm: str) -> list[Option]:
        both = {BLACK, WHITE} <= self.humans
        if both and self.sensing == "occ":
            return []  # two stones put down at once may be two moves
        target = self._shots[self.done]
        owed = self._owed_at(self.done)
        added = []
        for point in guide.differing(firm, target):
            if target[point] == CLEAR and owed.get(point) == firm[point]:
                continue
            if target[point] != CLEAR:
                return []
            added.append(point)
        if len(added) != 2:
            return []
        corner = self._corner(added)
        color = self.person
        if self.sensing == "pol":
            colors = {self._color_of(firm[point], point) for point in added}
            if len(colors) != 1 or not colors <= self.humans:
                return []
            color = colors.pop()
        if corner not in GESTURES:
            return []
        what, words = GESTURES[corner]
        if what == "undo" and not self.policy.take_back:
            return []
        if what == "pass" and (color != self.mover(self.plies) or not self.awaiting):
            return []
        text = f"{words}: take the stones away and put them there once more to confirm"
        return [Option(self.timing.gesture, lambda at: self._gesture(what, color, at, text))]

    def _corner(self, points: Sequence[int]) -> str:
        """The corner of the board, as the near side sees it, that all these points are in; empty for none."""
        width, height = self.geometry.width, self.geometry.height
        names = set()
        for point in points:
            y, x = divmod(point, width)
            near, left = y < CORNER, x < CORNER
            if not (near or y >= height - CORNER) or not (left or x >= width - CORNER):
                return ""
            names.add(f"{'near' if near else 'far'}-{'left' if left else 'right'}")
        return names.pop() if len(names) == 1 else ""

    def _confirmed(self, what: str, color: int, at: float) -> list[Event]:
        return self._pass(at) if what == "pass" else super()._confirmed(what, color, at)

    def _pass(self, at: float) -> list[Event]:
        color = self.mover(self.plies)
        if self.over or not self.awaiting or color not in self.humans or self.done < self.plies or self.scoring:
            return []
        self._push(color, PASS)
        self.done = self.plies
        self._last_human = self.plies - 1
        self._replan()
        return [Moved(at, self.plies - 1, color, PASS)]

    # ------------------------------------------------------------------ trouble

    def _diagnose(self, firm: str) -> tuple[float, Trouble]:
        timing = self.timing
        if UNSURE in firm or FAULT in firm:
            bad = [self.name(point) for point, value in enumerate(firm) if value in (UNSURE, FAULT)]
            if self._trusted(firm) != self._shots[self.plies] or UNSURE in firm:
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
        if self._asked is not None and len(added) == 2:
            return timing.confirm, self._trouble("position", "take the two stones away", ways)
        if len(added) == 1 and not self.over:
            kind, text, patience = self._diagnose_stone(firm, added[0], removed, mover)
            if kind is not None:
                trouble = self._trouble(kind, text, ways)
                return patience, replace(trouble, asked=(added[0],)) if kind == "capture" else trouble
        if removed and not added and all(firm[point] == CLEAR for point in removed):
            begun = self.awaiting and mover in self.humans and self._capture_begun(firm)
            words = f"{self._list(removed)} off the board"
            return timing.lifted if begun else timing.patience, self._trouble("lifted", words, ways)
        if self.done < plies:
            return timing.patience, self._trouble("execution", f"the move is {self._told(plies - 1)}", ways)
        return timing.patience, self._trouble("position", self.tell(firm, ways[0].target), ways)

    def _list(self, points: Sequence[int]) -> str:
        names = [self.name(point) for point in points]
        return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")

    def _told(self, ply: int) -> str:
        color, point = self.game.board.turn(ply)
        return f"{COLOR_NAMES[color]} {self.name(point)}"

    def _diagnose_stone(
        self, firm: str, point: int, removed: list[int], mover: int
    ) -> tuple[TroubleKind | None, str, float]:
        """What is wrong with one stone too many; no kind where it is not that."""
        timing, where = self.timing, self.name(point)
        color = self._color_of(firm[point], point) if self.sensing == "pol" else mover
        if removed and self.awaiting and mover in self.humans:
            found = self._single(firm, self.plies, mover, self._owed_at(self.plies))
            if found is not None and not found.why and self._pushed_aside(firm, found):
                text = f"{where} could take a stone, or be one that was pushed there: lift the stone and set it again"
                return "capture", text, timing.wrong
        if self.done < self.plies:
            told = self._told(self.plies - 1)
            wrong = self.game.board.turn(self.plies - 1)[1]
            if wrong in removed and len(removed) == 1:
                return "execution", f"a stone stands on {where}, but the move is {told}", timing.wrong
            return None, "", 0.0
        if removed:
            living = [p for p in removed if firm[p] == CLEAR and self.game.board.at(p) != color]
            if living and len(living) == len(removed) and color == mover:
                return "illegal", f"{self._list(living)} still have liberties", timing.wrong
            return None, "", 0.0
        if color != mover:
            names = COLOR_NAMES[color], COLOR_NAMES[mover]
            kind: TroubleKind = "turn" if color in self.humans else "colour"
            return kind, f"a {names[0]} stone on {where}, but it is {names[1]}'s turn", timing.wrong
        if mover not in self.humans:
            return "turn", f"a stone on {where}, but {COLOR_NAMES[mover]} has not moved yet", timing.patience
        if not self.awaiting:
            return "turn", f"a stone on {where}, but no move is asked for", timing.patience
        why = self.game.board.why_illegal(color, point)
        if why:
            return "illegal", f"{where} is forbidden: {_REASONS.get(why, why)}", timing.wrong
        return None, "", 0.0

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
        ways = []
        for point in guide.differing(firm, target):
            if target[point] == CLEAR and firm[point] == self._values[color] and self.game.is_legal(color, point):
                self.game.play(color, point)
                ways.append(Way(f"keep {COLOR_NAMES[color]} {self.name(point)}", self._shot(self.game)))
                self.game.undo()
                if len(ways) == 4:
                    break
        return ways

    def _complain(self, trouble: Trouble, at: float) -> list[Event]:
        events = super()._complain(trouble, at)
        if not events or not self.referee.strict:
            return events
        return events + self._strictly(trouble, at)

    def _strictly(self, trouble: Trouble, at: float) -> list[Event]:
        """The articles that apply to what is wrong."""
        mover = self.mover(self.plies)
        text, kind = trouble.text, trouble.kind
        firm = self._settler.firm
        if kind == "turn":
            offender = opponent(mover)
            return self._rule("two-moves", offender, at) if offender in self.humans and self.plies else []
        if kind == "illegal":
            if "liberties" in text and "forbidden" not in text:
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
            self._replan()
            return [*ruled, Moved(at, self.plies - 1, mover, PASS)]
        if kind == "position":
            differences = len(trouble.extra) + len(trouble.missing)
            return self._rule("disturbed" if differences > 6 else "displaced", mover, at)
        return []

    # ------------------------------------------------------------------ set-up and scoring

    def _read_setup(self, firm: str) -> SetUp | str:
        stones = bytearray(self.geometry.count)
        for point, value in enumerate(firm):
            if value in (UNSURE, FAULT):
                return f"cannot read {self.name(point)}"
            if value != CLEAR:
                stones[point] = WHITE if value == SECOND else BLACK
        try:
            Game(self.game.width, self.game.height, self.game.rules).set_position(bytes(stones))
        except ValueError as error:
            return str(error)
        blacks, whites = stones.count(BLACK), stones.count(WHITE)
        return SetUp(0.0, bytes(stones), WHITE if blacks > whites else BLACK)

    def begin_scoring(self, at: float, dead: Collection[int] = ()) -> list[Event]:
        """The game has ended: from now on, stones lifted mark their chains dead; see ``Scoring``.

        ``dead`` is a first judgement. Captured stones that still lie there must go first.
        """
        events = self.wait(at)
        self.scoring = Scoring(self.game, self._values, dead)
        self._replan()
        return events + self.wait(at)

    def end_scoring(self, at: float) -> list[Event]:
        """Back to the game: the board must show its stones again."""
        events = self.wait(at)
        self.scoring = None
        self._guiding = True
        self._replan()
        return events + self.wait(at)

    def _score_board(self, at: float) -> list[Event]:
        assert self.scoring is not None
        return self.scoring.look(self._settler.firm, self._owed_at(self.plies), at)

    def _yes(self, at: float) -> list[Event]:
        if self.scoring is not None and self._asked is None:
            return self.scoring.confirm(at)
        return super()._yes(at)

    # ------------------------------------------------------------------ lamps

    def _lit(self, firm: str) -> dict[int, str]:
        if self.scoring is not None:
            return self.scoring.lamps()
        lit = super()._lit(firm)
        if lit or self.trouble is not None:
            return lit
        return {point: LIFT for point in self.owed if firm[point] != CLEAR}

    def _lit_move(self, firm: str) -> dict[int, str]:
        color, point = self.game.board.turn(self.done)
        if point == PASS:
            width, height = self.geometry.width, self.geometry.height
            return {
                p: (PLACE_FIRST if color == BLACK else PLACE_SECOND).lower()
                for p in range(width * height)
                if p % width in (0, width - 1) or p // width in (0, height - 1)
            }
        lamp = PLACE_FIRST if color == BLACK else PLACE_SECOND
        return {point: lamp}


_REASONS = {
    "occupied": "there is a stone already",
    "suicide": "no liberty would be left (禁着点/禁著點)",
    "ko": "ko (劫): it may not be taken back at once",
    "superko": "the whole board would be as it was before (全局同形/全局同形)",
}
"""What forbids a move, for the players."""
